//! S-expressions: the text in which certificates are written, and in which Z3's answers are read back, since it does not
//! change with Z3's internal numbering.

use std::fmt;

/// An s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A symbol or numeral; bars are removed.
    Atom(String),
    /// A list.
    List(Vec<Sexpr>),
}

/// Where a text stops being an s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SexprError(pub usize);

impl fmt::Display for SexprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no s-expression at byte {}", self.0)
    }
}
impl std::error::Error for SexprError {}

impl Sexpr {
    /// The one expression that the text is.
    pub fn parse(text: &str) -> Result<Sexpr, SexprError> {
        let mut all = Sexpr::parse_all(text)?;
        match (all.pop(), all.is_empty()) {
            (Some(single), true) => Ok(single),
            _ => Err(SexprError(text.len())),
        }
    }

    /// All expressions of the text. Not recursive: answers can be nested deeply.
    pub fn parse_all(text: &str) -> Result<Vec<Sexpr>, SexprError> {
        let mut stack: Vec<Vec<Sexpr>> = vec![Vec::new()];
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'(' => stack.push(Vec::new()),
                b')' => {
                    let list = stack.pop().ok_or(SexprError(at))?;
                    stack.last_mut().ok_or(SexprError(at))?.push(Sexpr::List(list));
                }
                b';' => at += text[at..].find('\n').unwrap_or(text.len() - at - 1),
                b'|' => {
                    let end = text[at + 1..].find('|').ok_or(SexprError(at))?;
                    push(&mut stack, &text[at + 1..at + 1 + end], at)?;
                    at += end + 1;
                }
                c if c.is_ascii_whitespace() => {}
                _ => {
                    let rest = &text[at..];
                    let end = rest.find(|c: char| c.is_ascii_whitespace() || "()|;".contains(c)).unwrap_or(rest.len());
                    push(&mut stack, &rest[..end], at)?;
                    at += end - 1;
                }
            }
            at += 1;
        }
        match (stack.pop(), stack.is_empty()) {
            (Some(all), true) => Ok(all),
            _ => Err(SexprError(text.len())),
        }
    }

    /// The symbol, if it is one.
    pub fn symbol(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            Sexpr::List(_) => None,
        }
    }
    /// The items, if it is a list.
    pub fn items(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items) => Some(items),
            Sexpr::Atom(_) => None,
        }
    }
}

fn push(stack: &mut [Vec<Sexpr>], text: &str, at: usize) -> Result<(), SexprError> {
    stack.last_mut().ok_or(SexprError(at))?.push(Sexpr::Atom(text.to_string()));
    Ok(())
}

impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexpr::Atom(text) => f.write_str(text),
            Sexpr::List(items) => {
                f.write_str("(")?;
                for (k, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if k == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}
