//! Assembly, labels and old-style declarations.

use super::super::token::Kind;
use super::braces::Brace;
use super::words::is_type_keyword;
use super::{Edits, Input, Unsupported};

/// Qualifiers of assembly that lang-c does not know; assembly outside of functions.
pub(super) fn assembly(input: &Input<'_>, edits: &mut Edits) -> Result<(), Unsupported> {
    let mut depth = 0_usize;
    for index in 0..input.tokens.len() {
        match input.word(index) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !matches!(input.word(index), "asm" | "__asm" | "__asm__") {
            continue;
        }
        if input.word(index) == "asm" {
            // Not a keyword for lang-c: asm("") would be a call.
            edits.replace(input.tokens[index], "__asm");
        }
        let at_start =
            matches!(input.before(index), "" | ";") || input.before(index) == "}" && is_block_end(input, index);
        if at_start && depth == 0 {
            return Err(Unsupported {
                at: input.tokens[index].start,
                what: "assembly outside of functions".to_string(),
            });
        }
        qualifiers(input, edits, index);
    }
    Ok(())
}

fn is_block_end(input: &Input<'_>, index: usize) -> bool {
    index.checked_sub(1).is_some_and(|b| input.braces[b] == Brace::Block)
}

fn qualifiers(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let mut at = index + 1;
    let (mut volatile, mut jumps) = (false, false);
    loop {
        match input.word(at) {
            "volatile" | "__volatile" | "__volatile__" if !volatile => volatile = true,
            "goto" | "inline" | "__inline" | "__inline__" | "volatile" | "__volatile" | "__volatile__" => {
                jumps |= input.word(at) == "goto";
                edits.blank(input.tokens[at], input.tokens[at]);
            }
            _ => break,
        }
        at += 1;
    }
    // A template that is never empty: an empty one could be taken for a mere barrier.
    if let Some(close) = input.partner(at).filter(|_| jumps) {
        edits.delete(input.tokens[at].end, input.tokens[close].start);
        edits.insert(input.tokens[close].start, "\"asm goto\"");
    }
}

/// Puts an empty statement behind labels that stand before a declaration or at the end of a block, and turns computed
/// gotos into calls.
pub(super) fn labels(input: &Input<'_>, edits: &mut Edits) {
    let mut label_colon = vec![false; input.tokens.len()];
    let mut blocks: Vec<bool> = Vec::new();
    for index in 0..input.tokens.len() {
        match input.word(index) {
            "{" => blocks.push(input.braces[index] == Brace::Block),
            "}" => {
                blocks.pop();
            }
            "goto" if input.word(index + 1) == "*" => computed_goto(input, edits, index),
            _ => {}
        }
        let starts = match input.before(index) {
            ";" | "{" | "}" => true,
            ":" => label_colon[index - 1],
            _ => false,
        };
        if !starts || blocks.last() != Some(&true) {
            continue;
        }
        if let Some(colon) = colon(input, index) {
            label_colon[colon] = true;
            if wants_statement(input, after_attributes(input, colon + 1)) {
                edits.insert(input.tokens[colon].end, ";");
            }
        }
    }
}

/// The colon of the label that starts here, if one does.
fn colon(input: &Input<'_>, index: usize) -> Option<usize> {
    match input.word(index) {
        "case" => {
            let mut questions = 0_usize;
            let mut at = index + 1;
            loop {
                at = input.next_outside(at, &["?", ":", ";"])?;
                match input.word(at) {
                    "?" => questions += 1,
                    ":" if questions == 0 => return Some(at),
                    ":" => questions -= 1,
                    _ => return None,
                }
                at += 1;
            }
        }
        _ => (input.kind(index) == Some(Kind::Word) && input.word(index + 1) == ":").then_some(index + 1),
    }
}

fn after_attributes(input: &Input<'_>, index: usize) -> usize {
    let mut at = index;
    while matches!(input.word(at), "__attribute__" | "__attribute") {
        match input.partner(at + 1) {
            Some(close) => at = close + 1,
            None => break,
        }
    }
    at
}

/// Whether a `}` or what may be a declaration follows. In a block, an empty statement too many does no harm.
fn wants_statement(input: &Input<'_>, index: usize) -> bool {
    let word = input.word(index);
    if word == "}" || is_type_keyword(word) {
        return true;
    }
    let next = input.word(index + 1);
    let word_next = input.kind(index + 1) == Some(Kind::Word);
    let keyword = matches!(word, "case" | "return" | "goto" | "else" | "do" | "sizeof" | "asm" | "__asm" | "__asm__");
    input.kind(index) == Some(Kind::Word) && !keyword && (next == "*" || word_next)
}

fn computed_goto(input: &Input<'_>, edits: &mut Edits, index: usize) {
    if let Some(end) = input.next_outside(index, &[";"]) {
        edits.replace(input.tokens[index], "__threader_computed_goto(");
        edits.blank(input.tokens[index + 1], input.tokens[index + 1]);
        edits.insert(input.tokens[end].start, ")");
    }
}

/// `main() { .. }` without a type, and semicolons in front of everything.
pub(super) fn declarations(input: &Input<'_>, edits: &mut Edits) {
    let leading = (0..input.tokens.len()).take_while(|i| input.word(*i) == ";");
    leading.for_each(|i| edits.blank(input.tokens[i], input.tokens[i]));
    let mut depth = 0_usize;
    for index in 0..input.tokens.len() {
        match input.word(index) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let starts = match input.before(index) {
            "" | ";" => true,
            "}" => is_block_end(input, index),
            _ => false,
        };
        let word = input.word(index);
        if depth > 0 || !starts || input.kind(index) != Some(Kind::Word) || is_type_keyword(word) {
            continue;
        }
        let body = input.partner(index + 1).filter(|_| input.word(index + 1) == "(").map(|close| close + 1);
        if body.is_some_and(|b| input.word(b) == "{") {
            edits.insert(input.tokens[index].start, "int ");
        }
    }
}
