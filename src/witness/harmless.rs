//! Whether what a witness wants in the C text only looks. A witness is somebody else's: an expression with an effect, or a ghost that
//! is a variable of the program, would make another program of it, whose proof says nothing. So would an expression that can be
//! undefined: undefined behaviour ends an execution, and what the program does after it would not be considered.

use frontend::Loaded;
use frontend::source::StatementPlace;
use program::{Var, VarKind};

use super::instrument::find;
use super::places::Places;
use super::scope::in_scope;
use super::{GhostUpdate, GhostVariable, Place, WitnessInvariant};

/// Refuses a correctness witness that could change the program.
pub fn harmless(
    loaded: &Loaded,
    places: &Places<'_>,
    ghosts: &[GhostVariable],
    updates: &[GhostUpdate],
    invariants: &[WitnessInvariant],
) -> Result<(), String> {
    let text = loaded.sources.text(0).unwrap_or("");
    for (index, ghost) in ghosts.iter().enumerate() {
        let name = &ghost.name;
        let is_name = words(name).eq([name.as_str()]) && !name.starts_with(|c: char| c.is_ascii_digit());
        if !is_name || words(text).any(|word| word == name) || ghosts[..index].iter().any(|other| other.name == *name) {
            return Err(format!(
                "the ghost variable `{}` has a name that is none, or not its own",
                name.escape_default()
            ));
        }
        if ghost.ty.trim().is_empty() || !ghost.ty.split_whitespace().all(is_type) {
            let ty = ghost.ty.escape_default();
            return Err(format!("the ghost variable `{name}` is of no type of integers: `{ty}`"));
        }
    }
    let is_ghost = |name: &str| ghosts.iter().any(|ghost| ghost.name == name);
    let only_looks = |place: Option<&Place>, expression: &str| {
        let at = place.and_then(|place| find(places, place)).map(|id| places.statement(id));
        Scope { is_ghost: &is_ghost, widths: &|path| widths(loaded, at, path) }.only_looks(expression)
    };
    ghosts.iter().try_for_each(|ghost| only_looks(None, &ghost.initial))?;
    for update in updates {
        if !is_ghost(&update.variable) {
            return Err(format!(
                "it changes `{}`, which is none of its ghost variables",
                update.variable.escape_default()
            ));
        }
        // `(long long)g + 1` is what `g + 1` means: ghosts are declared wide.
        let value = update.value.strip_prefix(&update.variable).filter(|rest| rest.starts_with(' '));
        let value = value.map_or(update.value.clone(), |rest| format!("(long long){}{rest}", update.variable));
        only_looks(Some(&update.place), &value)?;
    }
    invariants.iter().try_for_each(|invariant| only_looks(Some(&invariant.place), &invariant.value))
}

/// The type in which a ghost is declared: a signed one in the widest, so that counting does not overflow.
pub fn wide(ty: &str) -> &str {
    let narrow = ["unsigned", "char", "short", "_Bool"];
    if ty.split_whitespace().any(|word| narrow.contains(&word)) { ty } else { "long long" }
}

fn is_type(word: &str) -> bool {
    ["int", "unsigned", "signed", "long", "short", "char", "_Bool"].contains(&word)
}

/// So much of an expression is shown.
const LONGEST: usize = 200;

/// Numbers in sums are not larger than this.
const LARGEST: i64 = 1 << 20;

struct Scope<'a> {
    is_ghost: &'a dyn Fn(&str) -> bool,
    /// The widths of the program's variables that a name can mean where the expression stands.
    widths: &'a dyn Fn(&str) -> Vec<u32>,
}

/// The widths of the variables that a name can mean at a statement, whosever they are; anywhere, if no statement is given.
fn widths(loaded: &Loaded, at: Option<&StatementPlace>, path: &str) -> Vec<u32> {
    let means = |var: &Var| {
        let (own, local) = (var.name.rsplit("::").next(), var.name.contains("::"));
        own == Some(path) && at.is_none_or(|at| in_scope(loaded, var.span, local, at))
    };
    let vars = loaded.program.vars().filter(|(_, var)| var.kind == VarKind::User && means(var));
    vars.map(|(_, var)| var.ty.bits).collect()
}

impl Scope<'_> {
    /// Refuses an expression that assigns, calls, can be undefined, or is more than one expression.
    fn only_looks(&self, expression: &str) -> Result<(), String> {
        let shown: String = expression.chars().take(LONGEST).collect();
        let cut = if shown.len() < expression.len() { ".." } else { "" };
        let refuse = |why: &str| Err(format!("the expression `{}{cut}` {why}", shown.escape_default()));
        let Some(tokens) = tokens(expression) else { return refuse("is none that is supported") };
        let mut open = 0_usize;
        for token in &tokens {
            open += usize::from(*token == "(");
            match open.checked_sub(usize::from(*token == ")")) {
                Some(left) => open = left,
                None => return refuse("has a bracket too many"),
            }
        }
        if open > 0 || tokens.is_empty() {
            return refuse("is none");
        }
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|k| tokens[k]);
            let after_operand =
                before.is_some_and(|b| is_word(b) || b == "]") || (before == Some(")") && !cast_ends(&tokens[..at]));
            match *token {
                "=" | "++" | "--" => return refuse("assigns"),
                "(" if after_operand => return refuse("calls a function"),
                "*" | "&" if !after_operand => return refuse("goes through a pointer, or takes an address"),
                "/" | "%" | "<<" | ">>" | "->" => return refuse("can be undefined"),
                _ => {}
            }
        }
        // A sum is between comparisons and connectives.
        let ends = |token: &&str| ["&&", "||", "?", ":", ",", "==", "!=", "<=", ">=", "<", ">", "!"].contains(token);
        if tokens.split(|token| ends(token)).all(|piece| self.is_defined(piece)) {
            Ok(())
        } else {
            refuse("can be undefined: elements must be variables of the program, sums of its variables be (long long)")
        }
    }

    /// Whether a sum can neither overflow nor be out of bounds: elements are known, terms are cast, factors are small numbers.
    fn is_defined(&self, piece: &[&str]) -> bool {
        let is_sign = |at: usize| piece[at] == "-" && piece[..at].iter().all(|t| *t == "(");
        let sum = (0..piece.len()).any(|at| ["+", "-", "*", "~"].contains(&piece[at]) && !is_sign(at));
        let negative = (0..piece.len()).any(|at| is_sign(at) && piece.get(at + 1).is_none_or(|next| !is_number(next)));
        let mut at = 0;
        while at < piece.len() {
            let token = piece[at];
            if !is_word(token) || is_type(token) || token == "sizeof" {
                at += 1;
                continue;
            }
            if is_number(token) {
                let small = token.parse::<i64>().is_ok_and(|number| number <= LARGEST);
                if sum && !small {
                    return false;
                }
                at += 1;
                continue;
            }
            let mut end = at + 1;
            let mut path = token.to_string();
            while let Some(next) = piece.get(end).filter(|t| [".", "["].contains(t)) {
                let Some(part) = piece.get(end + 1).filter(|part| is_word(part)) else { return false };
                let closes = *next == "[";
                if closes && (!is_number(part) || piece.get(end + 2) != Some(&"]")) {
                    return false;
                }
                path.push_str(&if closes { format!("[{part}]") } else { format!(".{part}") });
                end += if closes { 3 } else { 2 };
            }
            let cast = at >= 4 && piece[at - 4..at] == ["(", "long", "long", ")"];
            let alone = !sum && !negative;
            let multiplied =
                piece.get(end) == Some(&"*") && !piece.get(end + 1).is_some_and(|factor| is_number(factor));
            if (path.contains('[') && !self.is_element(&path))
                || !(alone || cast && self.is_narrow(&path))
                || multiplied
            {
                return false;
            }
            at = end;
        }
        // Products of sums could grow: brackets are for casts.
        let casts = piece.windows(4).filter(|w| *w == ["(", "long", "long", ")"]).count();
        let inner = piece.iter().skip_while(|t| **t == "(").filter(|t| **t == "(").count();
        !sum || inner <= casts
    }

    fn is_element(&self, path: &str) -> bool {
        !(self.widths)(path).is_empty()
    }

    /// Whether a variable's sums fit 64 bits. Ghosts do for longer than anybody runs a program.
    fn is_narrow(&self, path: &str) -> bool {
        let found = (self.widths)(path);
        (self.is_ghost)(path) || (!found.is_empty() && found.iter().all(|bits| *bits <= 32))
    }
}

/// Whether tokens end with a cast to a type of integers.
fn cast_ends(tokens: &[&str]) -> bool {
    let Some((_, rest)) = tokens.split_last() else { return false };
    let words = rest.iter().rev().take_while(|token| is_type(token)).count();
    words > 0 && rest.len().checked_sub(words + 1).is_some_and(|open| rest[open] == "(")
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The tokens of an expression; nothing if it has others than words, numbers and operators.
fn tokens(text: &str) -> Option<Vec<&str>> {
    const LONG: [&str; 11] = ["==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "->"];
    let mut all = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if let Some(long) = LONG.iter().find(|op| rest.starts_with(**op)) {
            long.len()
        } else if "()[]<>=!&|^~+-*/%.,?:".contains(first) {
            1
        } else {
            return None;
        };
        all.push(&rest[..length]);
        rest = rest[length..].trim_start_matches(' ');
    }
    // Comments are no divisions.
    (!text.contains("//") && !text.contains("/*")).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(expression: &str) -> Result<(), String> {
        let vars = [("x", 32), ("y", 32), ("s.f[2]", 32), ("wide", 64)];
        let widths = |path: &str| vars.iter().filter(|(name, _)| *name == path).map(|(_, bits)| *bits).collect();
        Scope { is_ghost: &|name| name == "ghost", widths: &widths }.only_looks(expression)
    }

    #[test]
    fn what_looks_is_let_in() {
        for good in [
            "1",
            "x <= 3 && y >= -4 || !(z == 2)",
            "(long long)x - (long long)y == 0",
            "-2 * (long long)x + (long long)y <= 7",
            "s.f[2] != -1",
            "(x <= 1 && y > 0 || z == 2)",
            "(long long)ghost + 1 == 2",
            "(x ? y : z) > 0",
            "wide <= 9223372036854775807",
        ] {
            assert_eq!(scope(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_acts_is_refused() {
        for bad in [
            "x = 1",
            "x == 1 || (x = 2)",
            "x += 1",
            "x <<= 1",
            "x >>= 1",
            "x++",
            "--x",
            "f()",
            "f (x)",
            "(f)(x)",
            "(*f)(x)",
            "s.f[2](x)",
            "1) || (1",
            "(",
            "",
            "1; x",
            "({ 1; })",
            "1 // x",
            "1 /* x",
            "\"x\"",
            "x \\ y",
            "x\ny",
            "#x",
            "'a'",
            "x == 1 ? exit(0) : 1",
            "(long long)(x) == 1 || (int)f(x)",
        ] {
            assert!(scope(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_can_be_undefined_is_refused() {
        for bad in [
            "1 / 0 == 1 || 1",
            "x % y == 0",
            "1 << x",
            "x >> 1",
            "x + y == 1",
            "x + 1 > 0",
            "-x < 0",
            "x * 2 == 4",
            "(long long)wide + 1 > 0",
            "(long long)x * (long long)y == 1",
            "s.f[3] == 1",
            "s.f[x] == 1",
            "*x == 1",
            "&x == 0",
            "(long long)*x == 1",
            "p->q == 1",
            "(long long)x + 99999999999 == 1",
            "2147483647 + 1 == x",
            "2 * ((long long)x + (long long)y) == 1",
        ] {
            assert!(scope(bad).is_err(), "{bad}");
        }
    }
}
