//! Functions of the C library that are written in C, and the prefix by which they are found.

use std::collections::BTreeSet;

use lang_c::ast::TranslationUnit;

use super::token::{Kind, Tokens};

/// The definitions, each beginning at the start of a line.
const TEXTS: [&str; 3] = [
    include_str!("../../library/string.c"),
    include_str!("../../library/bits.c"),
    include_str!("../../library/system.c"),
];

/// What the name of a definition starts with: `__threader_strlen` is what a call of `strlen` runs.
pub(crate) const PREFIX: &str = "__threader_";

/// Functions that are modelled by definitions with other names.
const USERS: [(&str, &str); 3] = [("scanf", "fill"), ("fscanf", "fill"), ("sscanf", "fill")];

/// The name of the definition that a call of a function of this name runs, if there is one.
pub(crate) fn definition_of(name: &str) -> String {
    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
    let user = USERS.iter().find(|(user, _)| *user == name).map(|(_, used)| *used);
    format!("{PREFIX}{}", user.unwrap_or(name))
}

/// The definitions that a text needs: of the functions that it names, and of what these name in turn.
pub(super) fn definitions(text: &str, tokens: &Tokens) -> Option<TranslationUnit> {
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    for token in tokens.tokens.iter().filter(|token| token.kind == Kind::Word) {
        wanted.insert(definition_of(&text[token.start..token.end]));
    }
    let needed: String = TEXTS.iter().map(|library| needed(library, &wanted)).collect();
    if needed.is_empty() { None } else { super::syntax::parse(needed).ok() }
}

/// The part of a library that is wanted, with all declarations; nothing if that is none.
fn needed(library: &str, wanted: &BTreeSet<String>) -> String {
    let items = items(library);
    let mut kept: Vec<bool> = items.iter().map(|item| item.name.as_ref().is_some_and(|n| wanted.contains(n))).collect();
    if !kept.contains(&true) {
        return String::new();
    }
    loop {
        let text: String = items.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(item, _)| item.text).collect();
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let more = |item: &Item| item.name.as_ref().is_none_or(|name| words.contains(name.as_str()));
        let next: Vec<bool> = items.iter().zip(&kept).map(|(item, kept)| *kept || more(item)).collect();
        if next == kept {
            return text;
        }
        kept = next;
    }
}

/// A definition or a declaration.
struct Item<'t> {
    /// What it defines or declares, if that is ours.
    name: Option<String>,
    text: &'t str,
}

fn items(library: &str) -> Vec<Item<'_>> {
    let starts_item = |line: &str| !line.starts_with([' ', '}']);
    let mut starts = Vec::new();
    let mut at = 0;
    for line in library.split_inclusive('\n') {
        if starts_item(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([library.len()]);
    let item = |(start, end): (&usize, usize)| {
        let text = &library[*start..end];
        let name =
            text.find(PREFIX).map(|at| text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        Item { name, text }
    };
    starts.iter().zip(ends).map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_c_and_used_where_they_are_named() {
        let of = |text: &str| definitions(text, &super::super::token::tokenize(text));
        // With what all of it declares.
        assert!(of("unsigned long n = strlen(s);").is_some_and(|unit| unit.0.len() == 2));
        assert!(of("int strlength;").is_none());
        assert!(of("n = atoi(s);").is_some_and(|unit| unit.0.len() > 5));
        let all: BTreeSet<String> = TEXTS.iter().flat_map(|t| items(t)).filter_map(|item| item.name).collect();
        assert!(all.contains("__threader_signal") && all.len() > 100);
        let whole: String = TEXTS.iter().map(|library| needed(library, &all)).collect();
        assert!(super::super::syntax::parse(whole).is_ok());
    }
}
