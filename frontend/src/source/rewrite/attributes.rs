//! Attributes: those without meaning for us go, because they may stand in more places than lang-c knows; the others stay.

use super::super::token::Kind;
use super::{Edits, Input};

/// Attributes that change neither layout nor behaviour, without their underscores.
const HARMLESS: [&str; 62] = [
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cold",
    "common",
    "const",
    "counted_by",
    "deprecated",
    "designated_init",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "maybe_unused",
    "no_icf",
    "no_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_stack_protector",
    "noclone",
    "nocommon",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "optimize",
    "pure",
    "regparm",
    "returns_nonnull",
    "sentinel",
    "stdcall",
    "symver",
    "target",
    "tls_model",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

fn is_harmless(name: &str) -> bool {
    let bare = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
    HARMLESS.binary_search(&bare).is_ok()
}

/// Blanks harmless attributes, and brings the others into the form and the places that lang-c knows.
pub(super) fn attributes(input: &Input<'_>, edits: &mut Edits) {
    for index in 0..input.tokens.len() {
        match input.word(index) {
            "__attribute__" | "__attribute" => gnu(input, edits, index),
            "[" if input.word(index + 1) == "[" => standard(input, edits, index),
            "struct" | "union" | "enum" => tag(input, edits, index),
            _ => {}
        }
    }
}

/// The inner parentheses of `__attribute__((..))` at this index.
fn inner(input: &Input<'_>, index: usize) -> Option<(usize, usize)> {
    let close = input.close(index + 1, "(")?;
    let inner = input.close(index + 2, "(")?;
    (inner + 1 == close).then_some((index + 2, inner))
}

/// Whether all attributes of a list (between two brackets) are harmless.
fn all_harmless(input: &Input<'_>, open: usize, close: usize) -> bool {
    let mut at = open + 1;
    while at < close {
        // gnu::unused, written as three tokens, is what its last part says.
        while input.word(at + 1) == ":" && input.word(at + 2) == ":" {
            at += 3;
        }
        if input.word(at) != "," && !is_harmless(input.word(at)) {
            return false;
        }
        at = match input.close(at + 1, "(") {
            Some(end) => end + 1,
            None => at + 1,
        };
    }
    true
}

fn gnu(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let Some((open, close)) = inner(input, index) else { return };
    let tokens = input.tokens;
    if all_harmless(input, open, close) {
        edits.blank(tokens[index], tokens[close + 1]);
        return;
    }
    // lang-c wants the parentheses side by side.
    if tokens[open - 1].end < tokens[open].start {
        edits.delete(tokens[open - 1].end, tokens[open].start);
    }
    if tokens[close].end < tokens[close + 1].start {
        edits.delete(tokens[close].end, tokens[close + 1].start);
    }
}

/// `[[..]]`: only harmless ones are known to the standard.
fn standard(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let pair = input.close(index, "[").zip(input.close(index + 1, "[")).filter(|(outer, inner)| *inner + 1 == *outer);
    if let Some((outer, inner)) = pair.filter(|(_, inner)| all_harmless(input, index + 1, *inner)) {
        debug_assert!(inner < outer);
        edits.blank(input.tokens[index], input.tokens[outer]);
    }
}

/// `struct __attribute__((packed)) s { .. }`: the attribute may as well stand behind the body.
fn tag(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let mut at = index + 1;
    let mut kept = String::new();
    while matches!(input.word(at), "__attribute__" | "__attribute") {
        let Some((open, close)) = inner(input, at) else { return };
        if !all_harmless(input, open, close) {
            let list = &input.text[input.tokens[open].end..input.tokens[close].start];
            kept.push_str(&format!(" __attribute__(({}))", list.replace('\n', " ")));
        }
        edits.blank(input.tokens[at], input.tokens[close + 1]);
        at = close + 2;
    }
    if input.kind(at) == Some(Kind::Word) {
        at += 1;
    }
    // Without a body it is a mere mention of the type, where an attribute has no effect.
    if let Some(close) = input.close(at, "{").filter(|_| !kept.is_empty()) {
        edits.insert(input.tokens[close].end, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_found() {
        assert!(HARMLESS.is_sorted());
        assert!(is_harmless("__nothrow__") && is_harmless("unused"));
        assert!(!is_harmless("packed") && !is_harmless("constructor") && !is_harmless("cleanup"));
    }
}
