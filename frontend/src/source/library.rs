//! Functions of the C library that are written in C, and the prefix by which they are found.

use lang_c::ast::TranslationUnit;

use super::token::{Kind, Tokens};

/// The definitions.
const STRING: &str = include_str!("../../library/string.c");

/// What the name of a definition starts with: `__threader_strlen` is what a call of `strlen` runs.
pub(crate) const PREFIX: &str = "__threader_";

/// Functions that read text: where it matters who does, they read it as `strlen` does.
pub(crate) const READING_TEXT: &[&str] = &[
    "puts",
    "fputs",
    "perror",
    "printf",
    "fprintf",
    "dprintf",
    "sprintf",
    "snprintf",
    "syslog",
    "setlocale",
    "pthread_setname_np",
];

/// The definitions, if a text names one of the functions.
pub(super) fn definitions(text: &str, tokens: &Tokens) -> Option<TranslationUnit> {
    let named = |name: &str| STRING.contains(&format!("{PREFIX}{name}("));
    let named = |name: &str| named(name) || READING_TEXT.contains(&name);
    let used = tokens.tokens.iter().any(|t| t.kind == Kind::Word && named(&text[t.start..t.end]));
    used.then(|| super::syntax::parse(STRING.to_string()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_c_and_used_where_they_are_named() {
        let of = |text: &str| definitions(text, &super::super::token::tokenize(text));
        assert!(of("unsigned long n = strlen(s);").is_some_and(|unit| unit.0.len() > 20));
        assert!(of("int strlength;").is_none());
    }
}
