//! scanf and its relatives: they store any values that their format admits.

use program::{Choice, IntType, Term, Untracked};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::heap::pointee;
use super::lent::literal;
use crate::cfg::Step;
use crate::hir::{Expr, Type};

/// What one conversion of a format stores.
#[derive(Debug, PartialEq, Eq)]
enum Item {
    /// A number, of the type that the argument points to.
    Number,
    /// So many characters, with a zero behind them; no end if there is no bound.
    Word(Option<u64>),
}

impl ThreadBuilder<'_, '_> {
    /// `scanf(format, ..)`, `fscanf(file, format, ..)`, `sscanf(text, format, ..)`. What a text says is not followed.
    pub(super) fn scan(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let first = usize::from(name != "scanf");
        let format = arguments.get(first).and_then(literal);
        let (before, rest) = arguments.split_at((first + 1).min(arguments.len()));
        let Some(items) = format.and_then(|format| items(&format)).filter(|items| items.len() <= rest.len()) else {
            self.unsupported(format!("`{name}` with a format that is not known"));
            return Some(self.placeholder(ty));
        };
        let choice = if name == "sscanf" { Choice::Untracked(Untracked::Text) } else { Choice::Other };
        if name == "sscanf" {
            self.lend("puts", &before[..1]);
        }
        let targets: Vec<Term> = rest.iter().map(|target| self.scalar(target)).collect();
        let stored = self.decision(IntType::new(32, true), "stored", choice);
        self.emit(Step::Assume(stored.within(-1, items.len() as i128)));
        let done = self.label();
        for (number, (item, (target, address))) in items.iter().zip(rest.iter().zip(targets)).enumerate() {
            let more = self.label();
            self.branch(stored.le(Term::int(number as i128)), done, more);
            self.land(more);
            self.store_item(item, &pointee(target), address, choice);
        }
        self.jump(done);
        self.land(done);
        Some(Value::Scalar(stored))
    }

    fn store_item(&mut self, item: &Item, ty: &Type, address: Term, choice: Choice) {
        match (item, self.low.scalar_shape(ty), ty) {
            (Item::Number, Some(shape), _) => {
                let value = self.decision(shape.ty, "scanned", choice);
                let spot = self.spot_at(address);
                self.write(&spot, shape, value);
            }
            (Item::Number, None, Type::Float(_)) => {
                let spot = self.spot_at(address);
                self.touch_float(&spot, ty);
            }
            (Item::Word(most), ..) => {
                let most = most.map_or(i128::from(u32::MAX), i128::from);
                self.read_in(address, Term::int(most));
            }
            _ => self.unsupported("what scanf stores through this pointer"),
        }
    }

    /// Stores up to so many characters and a zero.
    fn read_in(&mut self, address: Term, most: Term) {
        let Some(definition) = self.low.unit.function("__threader_fill") else {
            return self.unsupported("text that is read in");
        };
        let outer = std::mem::replace(&mut self.in_library, true);
        self.inline(definition, &[Value::Scalar(address), Value::Scalar(most)]);
        self.in_library = outer;
    }
}

/// What a format stores; nothing if that cannot be told.
fn items(format: &[u8]) -> Option<Vec<Item>> {
    let text = String::from_utf8_lossy(format).trim_end_matches('\0').to_string();
    let mut letters = text.chars().peekable();
    let mut found = Vec::new();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let suppressed = letters.next_if_eq(&'*').is_some();
        let mut width = String::new();
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            width.push(digit);
        }
        while letters.next_if(|letter| "hljztLq".contains(*letter)).is_some() {}
        let bound = width.parse().ok();
        let item = match letters.next()? {
            '%' => continue,
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'p' | 'f' | 'g' | 'e' | 'a' => Item::Number,
            'c' if width.is_empty() => Item::Number,
            's' => Item::Word(bound),
            '[' => {
                // A bracket that comes first, also behind `^`, is one of the characters.
                letters.next_if_eq(&'^');
                letters.next()?;
                letters.by_ref().find(|letter| *letter == ']')?;
                Item::Word(bound)
            }
            _ => return None,
        };
        if !suppressed {
            found.push(item);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{Item, items};

    #[test]
    fn formats_say_what_is_stored() {
        let found = items(b"%d,%*s %7s %lf%% %[^\n]\0");
        let wanted = vec![Item::Number, Item::Word(Some(7)), Item::Number, Item::Word(None)];
        assert_eq!(found, Some(wanted));
        assert_eq!((items(b"%n"), items(b"%")), (None, None));
    }
}
