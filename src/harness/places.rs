//! Places of the program as offsets in its text, and its words.

use program::Span;

/// Whether a character can be part of a name.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where in the text a place is.
pub fn offset(text: &str, at: Span) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(at.line.checked_sub(1)? as usize).map(str::len).sum();
    let line = text.get(start..)?.lines().next()?;
    let (within, _) = line.char_indices().nth(at.column.checked_sub(1)? as usize)?;
    Some(start + within)
}
