//! Rewrites what gcc accepts and lang-c rejects, on tokens, keeping track of where every byte came from.
//!
//! Everything here either means the same in C, or becomes something that the semantic analysis cannot mistake for
//! anything else. The latter, for `sema` to know:
//!
//! - `__auto_type` is a typedef of an incomplete struct: the type is that of the initialiser.
//! - `__int128` and `__uint128_t` (also for `unsigned __int128`) are typedefs of incomplete structs.
//! - `a ?: b` reads `a ? __threader_condition_value() : b`: the value of the condition, evaluated once.
//! - `&&label` reads `__threader_label_address("label")`, `goto *e;` reads `__threader_computed_goto(e);`,
//!   `__builtin_types_compatible_p(..)` loses its arguments, `asm goto` becomes a basic asm: none of these is modelled.

mod attributes;
mod braces;
mod statements;
mod words;

use super::lines::Segment;
use super::token::{Kind, Token, Tokens};
use braces::Brace;
pub(super) use words::is_type_keyword;

/// A text that lang-c can read, and where its bytes came from.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    /// The text.
    pub text: String,
    /// Where its bytes came from.
    pub segments: Vec<Segment>,
}

/// Something that is valid C but cannot be put into words that lang-c understands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unsupported {
    /// The first byte of it.
    pub at: usize,
    /// What it is.
    pub what: String,
}

/// Rewrites a preprocessed text. `partner` pairs the brackets.
pub(super) fn rewrite(text: &str, tokens: &Tokens, partner: &[usize]) -> Result<Rewritten, Unsupported> {
    pragmas(text, tokens)?;
    let braces = braces::classify(text, &tokens.tokens, partner);
    let input = Input { text, tokens: &tokens.tokens, partner, braces: &braces };
    let mut edits = Edits::default();
    attributes::attributes(&input, &mut edits);
    words::words(&input, &mut edits)?;
    words::literals(&input, &mut edits);
    words::operators(&input, &mut edits);
    statements::nested_functions(&input)?;
    statements::assembly(&input, &mut edits)?;
    statements::labels(&input, &mut edits);
    statements::declarations(&input, &mut edits);
    Ok(edits.apply(&input, &words::prelude(&input)))
}

/// `#pragma pack` changes layouts, and the parser would not see it.
fn pragmas(text: &str, tokens: &Tokens) -> Result<(), Unsupported> {
    for directive in &tokens.directives {
        let line = text[directive.start + 1..directive.end].trim_start();
        let pragma = line.strip_prefix("pragma").map(str::trim_start);
        if pragma.is_some_and(|p| p.starts_with("pack")) {
            return Err(Unsupported { at: directive.start, what: "#pragma pack".to_string() });
        }
    }
    Ok(())
}

/// The tokens, with what is known about their brackets.
struct Input<'a> {
    text: &'a str,
    tokens: &'a [Token],
    partner: &'a [usize],
    braces: &'a [Brace],
}

impl<'a> Input<'a> {
    /// The text of a token; empty beyond the ends.
    fn word(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |t| &self.text[t.start..t.end])
    }
    /// The text of the token before; empty at the start.
    fn before(&self, index: usize) -> &'a str {
        index.checked_sub(1).map_or("", |i| self.word(i))
    }
    fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|t| t.kind)
    }
    /// The index of the bracket that closes this opening one; none if it is not this kind of bracket.
    fn close(&self, index: usize, open: &str) -> Option<usize> {
        let partner = self.partner.get(index).copied().filter(|p| *p != usize::MAX);
        partner.filter(|_| self.word(index) == open)
    }
    /// The next token with this text outside of all brackets that open in between.
    fn next_outside(&self, from: usize, words: &[&str]) -> Option<usize> {
        let mut at = from;
        while at < self.tokens.len() {
            let word = self.word(at);
            if words.contains(&word) {
                return Some(at);
            }
            at = match word {
                "(" | "[" | "{" => self.close(at, word)? + 1,
                ")" | "]" | "}" => return None,
                _ => at + 1,
            };
        }
        None
    }
}

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// Replacements of byte ranges. Where two overlap, the one that starts first (the longer one, if they start together)
/// wins: a blanked attribute takes what is inside with it.
#[derive(Default)]
struct Edits(Vec<Edit>);

impl Edits {
    fn replace(&mut self, token: Token, text: impl Into<String>) {
        self.0.push(Edit { start: token.start, end: token.end, text: text.into() });
    }
    fn delete(&mut self, start: usize, end: usize) {
        self.0.push(Edit { start, end, text: String::new() });
    }
    /// Turns tokens into spaces, first to last.
    fn blank(&mut self, first: Token, last: Token) {
        let text = " ".repeat(last.end - first.start);
        self.0.push(Edit { start: first.start, end: last.end, text });
    }
    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.0.push(Edit { start: at, end: at, text: text.into() });
    }

    fn apply(mut self, input: &Input<'_>, prelude: &str) -> Rewritten {
        let base = plain(input);
        // Insertions (empty ranges) come first, then the longer range: a stable sort keeps the rest in order.
        self.0.sort_by_key(|e| (e.start, if e.start == e.end { 0 } else { usize::MAX - e.end }));
        let mut text = prelude.to_string();
        let mut segments = Vec::new();
        if !prelude.is_empty() {
            segments.push(Segment { output: 0, input: 0, copied: false });
        }
        let mut at = 0;
        for edit in self.0.into_iter().chain([Edit { start: base.len(), end: base.len(), text: String::new() }]) {
            if edit.start < at {
                continue;
            }
            segments.push(Segment { output: text.len(), input: at, copied: true });
            text.push_str(&base[at..edit.start]);
            if edit.text.len() == edit.end - edit.start {
                segments.push(Segment { output: text.len(), input: edit.start, copied: true });
            } else {
                segments.push(Segment { output: text.len(), input: edit.start, copied: false });
            }
            text.push_str(&edit.text);
            at = edit.end;
        }
        Rewritten { text, segments }
    }
}

/// The text with nothing but spaces and newlines between tokens, byte for byte as long.
fn plain(input: &Input<'_>) -> String {
    let mut out = String::with_capacity(input.text.len());
    let mut at = 0;
    for token in input.tokens {
        blank_into(&mut out, &input.text[at..token.start]);
        out.push_str(&input.text[token.start..token.end]);
        at = token.end;
    }
    blank_into(&mut out, &input.text[at..]);
    out
}

fn blank_into(out: &mut String, gap: &str) {
    out.extend(gap.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests;
