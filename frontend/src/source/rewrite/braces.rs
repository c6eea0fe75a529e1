//! What each `{` opens, told from the tokens around it.

use super::super::token::{Kind, Token};

/// What a brace opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brace {
    /// Not a brace.
    None,
    /// Statements: a function's body, a block, a statement expression.
    Block,
    /// Members of a struct or union, or enumerators.
    Members,
    /// An initialiser, of a compound literal too.
    List,
}

/// The kind of every brace (of both of a pair), by token.
pub(super) fn classify(text: &str, tokens: &[Token], partner: &[usize]) -> Vec<Brace> {
    let word = |i: usize| &text[tokens[i].start..tokens[i].end];
    let mut kinds = vec![Brace::None; tokens.len()];
    let mut open: Vec<Brace> = Vec::new();
    for index in 0..tokens.len() {
        match word(index) {
            "{" => {
                let kind = opened(text, tokens, partner, index, open.last().copied());
                kinds[index] = kind;
                if let Some(close) = kinds.get_mut(partner[index]) {
                    *close = kind;
                }
                open.push(kind);
            }
            "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    kinds
}

fn opened(text: &str, tokens: &[Token], partner: &[usize], index: usize, around: Option<Brace>) -> Brace {
    let word = |i: Option<usize>| i.and_then(|i| tokens.get(i)).map_or("", |t| &text[t.start..t.end]);
    let before = index.checked_sub(1);
    let inherited = if around == Some(Brace::List) { Brace::List } else { Brace::Block };
    match word(before) {
        "=" | "," | "]" => Brace::List,
        "struct" | "union" | "enum" => Brace::Members,
        "{" | ":" => inherited,
        ")" => after_parenthesis(text, tokens, before.map_or(usize::MAX, |b| partner[b]), around),
        _ => {
            let tag = before.is_some_and(|b| tokens[b].kind == Kind::Word);
            let keyword = word(index.checked_sub(2));
            if tag && matches!(keyword, "struct" | "union" | "enum")
                || tag && keyword == ")" && tagged(text, tokens, partner, index)
            {
                Brace::Members
            } else {
                Brace::Block
            }
        }
    }
}

/// Whether `struct __attribute__((..)) tag {` stands here.
fn tagged(text: &str, tokens: &[Token], partner: &[usize], index: usize) -> bool {
    let word = |i: Option<usize>| i.and_then(|i| tokens.get(i)).map_or("", |t| &text[t.start..t.end]);
    let Some(mut at) = index.checked_sub(2) else { return false };
    while word(Some(at)) == ")" && word(partner[at].checked_sub(1)).starts_with("__attribute") {
        let Some(before) = partner[at].checked_sub(2) else { return false };
        at = before;
    }
    matches!(word(Some(at)), "struct" | "union" | "enum")
}

/// `( .. ) {`: a compound literal, or the end of a function's head or of a control statement's.
fn after_parenthesis(text: &str, tokens: &[Token], open: usize, around: Option<Brace>) -> Brace {
    let Some(before) = open.checked_sub(1).filter(|b| *b < tokens.len()) else { return Brace::Block };
    let word = &text[tokens[before].start..tokens[before].end];
    match word {
        "return" | "sizeof" | "case" | "else" | "do" => Brace::List,
        // struct __attribute__((..)) {
        "__attribute__" | "__attribute" => Brace::Members,
        // A cast of a literal within a function, a declarator like (*f)(void) outside.
        ")" | "]" if around.is_some() => Brace::List,
        ")" | "]" => Brace::Block,
        _ if tokens[before].kind == Kind::Word => Brace::Block,
        _ => Brace::List,
    }
}
