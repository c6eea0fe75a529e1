//! `getopt`: what the command line says is arbitrary, so that its letters are, as far as there are arguments left. The letters are not read
//! off `argv`, which the program may read as well: an error that depends on one is not claimed.

use program::{Choice, IntType, Term, Untracked};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::lent::literal;
use crate::cfg::Step;
use crate::hir::Expr;

/// A letter of the options, and whether an argument follows it.
#[derive(Debug, PartialEq, Eq)]
struct Letter {
    code: u8,
    takes: bool,
}

impl ThreadBuilder<'_, '_> {
    /// `getopt(argc, argv, options)` with options that are known: any of their letters, `?`, or the end.
    pub(super) fn option_letter(&mut self, arguments: &[Expr]) -> Option<Value> {
        let [count, vector, options] = arguments else { return None };
        let letters = letters(&literal(options)?)?;
        let definition = self.low.unit.function("__threader_getopt")?;
        let (count, vector) = (self.value(count), self.value(vector));
        let chosen = self.decision(IntType::new(32, true), "option", Choice::Untracked(Untracked::Text));
        let is = |code: i128| chosen.eq_to(Term::int(code));
        let listed = letters.iter().map(|letter| is(i128::from(letter.code)));
        self.emit(Step::Assume(Term::or(listed.chain([is(-1), is(i128::from(b'?'))]))));
        let taking = letters.iter().filter(|letter| letter.takes).map(|letter| is(i128::from(letter.code)));
        let takes = Term::or(taking).as_c_int();
        let outer = std::mem::replace(&mut self.in_library, true);
        let value = self.inline(definition, &[count, vector, Value::Scalar(chosen), Value::Scalar(takes)]);
        self.in_library = outer;
        Some(value)
    }
}

/// What getopt's variables hold when the program starts.
pub(super) fn initially(global: &str) -> Option<i128> {
    match global {
        "optind" | "opterr" => Some(1),
        "optarg" | "optopt" => Some(0),
        _ => None,
    }
}

/// The letters of an option string; nothing for one with extensions that change what getopt returns.
fn letters(options: &[u8]) -> Option<Vec<Letter>> {
    let text = options.split(|byte| *byte == 0).next()?;
    let mut rest = text.strip_prefix(b"+").unwrap_or(text);
    let mut found = Vec::new();
    while let [code, behind @ ..] = rest {
        if matches!(code, b':' | b'-' | b';') || behind.starts_with(b"::") {
            return None;
        }
        let takes = behind.starts_with(b":");
        found.push(Letter { code: *code, takes });
        rest = if takes { &behind[1..] } else { behind };
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_strings() {
        let letter = |code, takes| Letter { code, takes };
        assert_eq!(letters(b"+ab:c\0"), Some(vec![letter(b'a', false), letter(b'b', true), letter(b'c', false)]));
        assert_eq!((letters(b":ab"), letters(b"a::"), letters(b"-a")), (None, None, None));
        assert_eq!(letters(b"\0"), Some(vec![]));
    }
}
