//! Assembly, labels and old-style declarations.

use std::collections::BTreeSet;

use super::super::token::Kind;
use super::braces::Brace;
use super::words::is_type_keyword;
use super::{Edits, Input, Unsupported};

/// gcc's functions within functions, which lang-c does not know: `int f(..) {` among statements.
pub(super) fn nested_functions(input: &Input<'_>) -> Result<(), Unsupported> {
    let mut within: Vec<Brace> = Vec::new();
    for index in 0..input.tokens.len() {
        match input.word(index) {
            "{" => {
                if within.last() == Some(&Brace::Block)
                    && let Some(name) = function_head(input, index)
                {
                    return Err(Unsupported { at: input.tokens[name].start, what: "a nested function".to_string() });
                }
                within.push(input.braces[index]);
            }
            "}" => drop(within.pop()),
            _ => {}
        }
    }
    Ok(())
}

/// The name of the function whose body this brace opens.
fn function_head(input: &Input<'_>, brace: usize) -> Option<usize> {
    let close = brace.checked_sub(1).filter(|close| input.word(*close) == ")")?;
    let name = input.partner[close].checked_sub(1).filter(|name| input.kind(*name) == Some(Kind::Word))?;
    let ty = name.checked_sub(1)?;
    let typed = input.word(ty) == "*" || input.kind(ty) == Some(Kind::Word);
    let control = ["else", "do", "return", "case", "goto", "if", "for", "while", "switch"];
    (typed && !control.contains(&input.word(ty)) && !control.contains(&input.word(name))).then_some(name)
}

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
    if let Some(close) = input.close(at, "(").filter(|_| jumps) {
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
        match input.close(at + 1, "(") {
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

/// `main() { .. }` without a type, and semicolons in front of all declarations or members.
pub(super) fn declarations(input: &Input<'_>, edits: &mut Edits) {
    let mut stray = true;
    for index in 0..input.tokens.len() {
        stray = match input.word(index) {
            ";" => stray,
            "{" => input.braces[index] == Brace::Members,
            _ => false,
        };
        if stray && input.word(index) == ";" {
            edits.blank(input.tokens[index], input.tokens[index]);
        }
    }
    let types = typedefs(input);
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
        let name = untyped(input, index).filter(|_| depth == 0 && starts);
        if let Some(name) = name.filter(|n| !types.contains(input.word(*n))) {
            edits.insert(input.tokens[name].start, "int ");
        }
    }
}

/// All words that may be typedef names: `T (x);` declares x, not T.
fn typedefs<'a>(input: &Input<'a>) -> BTreeSet<&'a str> {
    let ends = (0..input.tokens.len()).filter(|i| input.word(*i) == "typedef");
    let pairs = ends.filter_map(|i| Some((i, input.next_outside(i, &[";"])?)));
    pairs.flat_map(|(from, to)| (from..to).map(|i| input.word(i))).collect()
}

/// The name in a declaration outside of functions that has no type: `main() {`, `extern f();`, `static x;`.
fn untyped(input: &Input<'_>, start: usize) -> Option<usize> {
    const STORAGE: [&str; 8] =
        ["extern", "static", "inline", "__inline", "__inline__", "const", "volatile", "register"];
    let name = (start..input.tokens.len()).find(|i| !STORAGE.contains(&input.word(*i)))?;
    let word = input.word(name);
    if input.kind(name) != Some(Kind::Word)
        || is_type_keyword(word)
        || word.starts_with("__att")
        || word.contains("asm")
    {
        return None;
    }
    match input.word(name + 1) {
        "(" => {
            // A body, old-style parameter declarations or nothing may follow.
            let next = input.close(name + 1, "(")? + 1;
            let fits = matches!(input.word(next), "{" | ";") || input.kind(next) == Some(Kind::Word);
            fits.then_some(name)
        }
        "=" | "[" | "," | ";" => (name > start).then_some(name),
        _ => None,
    }
}
