//! Runs lang-c, and says in a few words what it did not like.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};

use super::token::{Kind, Token, tokenize};

/// What the parser did not like, at a byte of the text it was given.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    /// The byte.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

/// Address space for the parser's stack: it recurses over everything, in large frames.
const STACK: usize = 512 << 20;

/// Parses a rewritten text.
pub(super) fn parse(text: String) -> Result<TranslationUnit, Complaint> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    let parser = std::thread::Builder::new().name("parser".to_string()).stack_size(STACK);
    let outcome = parser.spawn(move || parse_preprocessed(&config, text)).map(std::thread::JoinHandle::join);
    match outcome {
        Ok(Ok(Ok(parse))) => Ok(parse.unit),
        Ok(Ok(Err(error))) => Err(complaint(&error)),
        Ok(Err(_)) => Err(Complaint { at: 0, message: "the parser failed on this file".to_string() }),
        Err(e) => Err(Complaint { at: 0, message: format!("the parser could not be started: {e}") }),
    }
}

fn complaint(error: &SyntaxError) -> Complaint {
    let text = &error.source;
    let tokens = tokenize(text).tokens;
    let index = tokens.partition_point(|t| t.end <= error.offset);
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.start..t.end]);
    let Some(token) = tokens.get(index) else {
        let at = tokens.last().map_or(0, |t| t.start);
        return Complaint { at, message: "unexpected end of file".to_string() };
    };
    if let Some(unknown) = unknown_type(text, &tokens, index) {
        let message = format!("unknown type name `{}`", word(unknown));
        return Complaint { at: tokens[unknown].start, message };
    }
    let expected = [";", ")", "]", ":", "}"].into_iter().find(|e| error.expected.contains(e));
    let message = match expected.filter(|_| index > 0 && ends_operand(&tokens[index - 1], word(index - 1))) {
        Some(expected) => format!("expected `{expected}` before `{}`", shorten(word(index))),
        None => format!("unexpected `{}`", shorten(word(index))),
    };
    Complaint { at: token.start, message }
}

/// The word that should have been a type, when the error is at `index`: `word_t x;` or `word_t *x;` at the start of a
/// statement, declaration or parameter.
fn unknown_type(text: &str, tokens: &[Token], index: usize) -> Option<usize> {
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.start..t.end]);
    let name = |i: usize| tokens.get(i).is_some_and(|t| t.kind == Kind::Word) && !is_keyword(word(i));
    let starts = |i: usize| {
        let before = i.checked_sub(1).map_or(";", word);
        matches!(
            before,
            ";" | "{" | "}" | "(" | "," | "const" | "static" | "extern" | "volatile" | "typedef" | "inline"
        )
    };
    [Some(index), index.checked_sub(1)].into_iter().flatten().find(|i| {
        let declares = name(i + 1) || word(i + 1) == "*" && name(i + 2) && *i == index;
        *i < tokens.len() && name(*i) && starts(*i) && declares
    })
}

fn ends_operand(token: &Token, word: &str) -> bool {
    match token.kind {
        Kind::Word => !is_keyword(word) || matches!(word, "break" | "continue" | "return"),
        Kind::Punctuation => matches!(word, ")" | "]" | "}" | "++" | "--"),
        _ => true,
    }
}

fn is_keyword(word: &str) -> bool {
    const STATEMENTS: [&str; 13] = [
        "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "sizeof", "switch",
        "while",
    ];
    STATEMENTS.contains(&word) || super::rewrite::is_type_keyword(word)
}

/// At most thirty characters of a token.
fn shorten(word: &str) -> String {
    let mut short: String = word.chars().take(30).collect();
    if short.len() < word.len() {
        short.push_str("..");
    }
    short
}
