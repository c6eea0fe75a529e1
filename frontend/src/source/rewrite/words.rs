//! Single words, literals and operators.

use std::collections::{BTreeMap, BTreeSet};

use super::super::token::{Kind, Token};
use super::{Edits, Input, Unsupported};

/// Declarations of what gcc knows by itself, as far as the text uses it.
pub(super) fn prelude(input: &Input<'_>) -> String {
    const BUILTIN: [(&str, &[&str]); 5] = [
        ("typedef struct __threader_auto_type __auto_type;", &["__auto_type"]),
        ("typedef struct __threader_int128 __int128, __int128_t;", &["__int128", "__int128__", "__int128_t"]),
        ("typedef __builtin_va_list __builtin_ms_va_list;", &["__builtin_ms_va_list"]),
        ("typedef __builtin_va_list __builtin_sysv_va_list;", &["__builtin_sysv_va_list"]),
        ("typedef struct __threader_uint128 __uint128_t;", &["__int128", "__int128__", "__uint128_t"]),
    ];
    let used: BTreeSet<&str> = (0..input.tokens.len()).map(|i| input.word(i)).filter(|w| w.starts_with("__")).collect();
    let needed = BUILTIN.iter().filter(|(_, words)| words.iter().any(|w| used.contains(w)));
    needed.map(|(text, _)| *text).collect::<Vec<_>>().join("")
}

/// Rewrites words that lang-c does not know.
pub(super) fn words(input: &Input<'_>, edits: &mut Edits) -> Result<(), Unsupported> {
    mangle(input, edits);
    for index in 0..input.tokens.len() {
        let token = input.tokens[index];
        match input.word(index) {
            "__extension__" => edits.blank(token, token),
            "__thread" | "__CPROVER_thread_local" => edits.replace(token, "_Thread_local"),
            "typeof" | "__typeof__" => edits.replace(token, "__typeof"),
            "__CPROVER_bool" => edits.replace(token, "_Bool"),
            "__const__" => edits.replace(token, "__const"),
            "__float128" => edits.replace(token, "_Float128"),
            "__float80" => edits.replace(token, "long double"),
            "__int128" | "__int128__" => int128(input, edits, index),
            "__label__" => {
                if let Some(end) = input.next_outside(index, &[";"]) {
                    edits.blank(token, input.tokens[end]);
                }
            }
            "_Alignof" => alignof(input, edits, index, "__threader_alignof"),
            "__alignof" | "__alignof__" => alignof(input, edits, index, "__threader_preferred_alignof"),
            "_Alignas" => alignas(input, edits, index),
            "_Static_assert" => static_assert(input, edits, index),
            "__builtin_types_compatible_p" => {
                if let Some(close) = input.close(index + 1, "(") {
                    edits.delete(input.tokens[index + 1].end, input.tokens[close].start);
                }
            }
            "__real" | "__real__" | "__imag" | "__imag__" => {
                return Err(Unsupported { at: token.start, what: format!("`{}`", input.word(index)) });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Gives identifiers with `$` or letters beyond ASCII a name that lang-c can read and nothing else in the file has.
fn mangle(input: &Input<'_>, edits: &mut Edits) {
    let odd = |w: &str| w.contains(['$', '\\']) || !w.is_ascii();
    let words = || (0..input.tokens.len()).filter(|i| input.tokens[*i].kind == Kind::Word);
    let mut taken: BTreeSet<String> = words().map(|i| input.word(i).to_string()).collect();
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for index in words().filter(|i| odd(input.word(*i))) {
        let word = input.word(index);
        let name = names.entry(word).or_insert_with(|| {
            let mut name: String = word.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        });
        edits.replace(input.tokens[index], name.clone());
    }
}

/// `unsigned __int128` is one word, since typedef names cannot be combined.
fn int128(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let mut name = "__int128";
    let around = [index.checked_sub(1), Some(index + 1)];
    for neighbour in around.into_iter().flatten() {
        match input.word(neighbour) {
            "unsigned" => name = "__uint128_t",
            "signed" | "__signed" | "__signed__" | "int" => {}
            _ => continue,
        }
        edits.blank(input.tokens[neighbour], input.tokens[neighbour]);
    }
    edits.replace(input.tokens[index], name);
}

/// `_Alignof(x)`, of a type or an expression, which lang-c tells apart behind `sizeof` only.
fn alignof(input: &Input<'_>, edits: &mut Edits, index: usize, function: &str) {
    let Some(close) = input.close(index + 1, "(") else { return };
    edits.replace(input.tokens[index], format!("{function}(sizeof"));
    edits.insert(input.tokens[close].end, ")");
}

/// `_Alignas`, which lang-c does not know within structs, as the attribute that says the same.
fn alignas(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let Some(close) = input.close(index + 1, "(") else { return };
    let token = input.tokens[index];
    if close == index + 3 && input.word(index + 2) == "0" {
        edits.blank(token, input.tokens[close]);
        return;
    }
    edits.replace(token, "__attribute__((aligned(__threader_alignas(sizeof");
    edits.insert(input.tokens[close].end, "))))");
}

/// `_Static_assert(e)` without a message.
fn static_assert(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let Some(close) = input.close(index + 1, "(") else { return };
    if input.next_outside(index + 2, &[","]).is_none() {
        edits.insert(input.tokens[close].start, ", \"\"");
    }
}

/// Whether a declaration may start with this keyword.
pub(in super::super) fn is_type_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 59] = [
        "_Alignas",
        "_Atomic",
        "_Bool",
        "_Complex",
        "_Decimal128",
        "_Decimal32",
        "_Decimal64",
        "_Float128",
        "_Float128x",
        "_Float16",
        "_Float32",
        "_Float32x",
        "_Float64",
        "_Float64x",
        "_Noreturn",
        "_Static_assert",
        "_Thread_local",
        "__auto_type",
        "__complex",
        "__complex__",
        "__const",
        "__const__",
        "__extension__",
        "__float128",
        "__inline",
        "__inline__",
        "__int128",
        "__label__",
        "__restrict",
        "__restrict__",
        "__signed",
        "__signed__",
        "__thread",
        "__typeof",
        "__typeof__",
        "__volatile",
        "__volatile__",
        "auto",
        "char",
        "const",
        "double",
        "enum",
        "extern",
        "float",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "short",
        "signed",
        "static",
        "struct",
        "typedef",
        "typeof",
        "union",
        "unsigned",
        "void",
        "volatile",
    ];
    KEYWORDS.binary_search(&word).is_ok()
}

/// Escapes and suffixes that lang-c does not know.
pub(super) fn literals(input: &Input<'_>, edits: &mut Edits) {
    for (index, token) in input.tokens.iter().enumerate() {
        let word = input.word(index);
        match token.kind {
            Kind::Text | Kind::Character if word.contains('\\') => {
                let text = escapes(word);
                if text != word {
                    edits.replace(*token, text);
                }
            }
            Kind::Number => float_suffix(edits, *token, word),
            _ => {}
        }
    }
}

/// `1.0d` is a double, `1.0q` a `_Float128`, `1.0w` a long double.
fn float_suffix(edits: &mut Edits, token: Token, word: &str) {
    let hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    if let Some(number) = word.strip_suffix(['q', 'Q']).filter(|_| !hexadecimal) {
        edits.replace(token, format!("{number}F128"));
    }
    if let Some(number) = word.strip_suffix(['w', 'W']).filter(|_| !hexadecimal) {
        edits.replace(token, format!("{number}L"));
    }
    let double =
        word.strip_suffix(['d', 'D']).filter(|n| !hexadecimal && n.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
    if let Some(number) = double {
        edits.replace(token, number);
    }
}

/// The literal with only the escapes of C11's older list.
fn escapes(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len() + 8);
    let mut rest = literal;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else { break };
        match c {
            '\'' | '"' | '?' | '\\' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | 'x' | '0'..='7' => {
                out.push('\\');
                out.push(c);
            }
            'e' | 'E' => out.push_str("\\033"),
            'u' | 'U' => {
                let digits = if c == 'u' { 4 } else { 8 };
                let code = rest.get(1..=digits).and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
                match code {
                    Some(code) => {
                        out.push(code);
                        rest = &rest[digits..];
                    }
                    // gcc refuses it too: left for the parser to say so.
                    None => out.push_str("\\u"),
                }
            }
            '\n' | '\r' => {}
            _ => out.push(c),
        }
        rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
    }
    out.push_str(rest);
    out
}

/// `a ?: b`, `&&label`, `[a ... b ]`, `(T){}`.
pub(super) fn operators(input: &Input<'_>, edits: &mut Edits) {
    for index in 0..input.tokens.len() {
        let token = input.tokens[index];
        match input.word(index) {
            "?" if input.word(index + 1) == ":" => edits.insert(token.end, " __threader_condition_value() "),
            "&&" if !ends_operand(input, index) && input.kind(index + 1) == Some(Kind::Word) => {
                edits.replace(token, "__threader_label_address(");
                edits.replace(input.tokens[index + 1], format!("\"{}\")", input.word(index + 1)));
            }
            "[" => range(input, edits, index),
            "{" if input.before(index) == ")"
                && input.word(index + 1) == "}"
                && input.braces[index] == super::Brace::List =>
            {
                edits.insert(token.end, "0");
            }
            _ => {}
        }
    }
}

/// lang-c allows no space before the `]` of a range.
fn range(input: &Input<'_>, edits: &mut Edits, index: usize) {
    let Some(close) = input.close(index, "[") else { return };
    let (last, bracket) = (input.tokens[close - 1], input.tokens[close]);
    if last.end < bracket.start && input.next_outside(index + 1, &["..."]).is_some() {
        edits.delete(last.end, bracket.start);
    }
}

/// Whether the token before may end an operand, so that an operator here is a binary one.
fn ends_operand(input: &Input<'_>, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else { return false };
    match input.tokens[before].kind {
        Kind::Word => !matches!(input.word(before), "return" | "case" | "else" | "do" | "sizeof" | "goto"),
        Kind::Number | Kind::Text | Kind::Character => true,
        _ => matches!(input.word(before), ")" | "]" | "}" | "++" | "--"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_put_into_old_words() {
        assert_eq!(escapes(r#""a\n\"\x41\0\\""#), r#""a\n\"\x41\0\\""#);
        assert_eq!(escapes(r#""\e[0m""#), r#""\033[0m""#);
        assert_eq!(escapes(r#""\u00e9\U0001F600x""#), "\"é😀x\"");
        assert_eq!(escapes("\"a\\\nb\\%\""), "\"ab%\"");
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(is_type_keyword("_Alignas") && is_type_keyword("volatile") && is_type_keyword("int"));
        assert!(is_type_keyword("__extension__") && is_type_keyword("struct") && !is_type_keyword("return"));
    }
}
