//! Tokens of preprocessed C: enough to rewrite, to count nesting and to align columns.

/// What a token is. Keywords are words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A preprocessing number.
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Character,
    /// An operator or a bracket.
    Punctuation,
    /// A byte that no token starts with, or a quote that is never closed.
    Stray,
}

/// A token: a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// One after its last byte.
    pub end: usize,
}

/// A line that starts with `#`, without its `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// The byte of its `#`.
    pub start: usize,
    /// One after its last byte, the newline excluded.
    pub end: usize,
}

/// A text taken apart. Whatever lies between tokens and directives is white space or a comment.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    /// The tokens, in order.
    pub tokens: Vec<Token>,
    /// The directives, in order.
    pub directives: Vec<Directive>,
}

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 23] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=",
    "-=", "&=", "^=", "|=", "##",
];

/// Takes a text apart. Total: anything at all has tokens.
pub(super) fn tokenize(text: &str) -> Tokens {
    let bytes = text.as_bytes();
    let mut out = Tokens::default();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                line_start = true;
                at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => at += 1,
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
            b'#' if line_start => {
                let end = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                out.directives.push(Directive { start: at, end });
                at = end;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/')) => {
                at = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'*')) => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |n| at + n + 4);
            }
            _ => {
                let token = token_at(text, at);
                at = token.end;
                out.tokens.push(token);
                line_start = false;
            }
        }
    }
    out
}

fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80
}

fn is_word(c: u8) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}

fn token_at(text: &str, start: usize) -> Token {
    let bytes = text.as_bytes();
    let first = bytes[start];
    if let Some(token) = quoted_at(text, start) {
        return token;
    }
    let end = word_end(bytes, start);
    if end > start && !first.is_ascii_digit() {
        return Token { kind: Kind::Word, start, end };
    }
    if first.is_ascii_digit() || first == b'.' && bytes.get(start + 1).is_some_and(u8::is_ascii_digit) {
        return Token { kind: Kind::Number, start, end: number_end(bytes, start) };
    }
    if let Some(operator) = OPERATORS.iter().find(|o| text[start..].starts_with(**o)) {
        return Token { kind: Kind::Punctuation, start, end: start + operator.len() };
    }
    let kind = if b"()[]{};,:?.+-*/%&|^~!=<>".contains(&first) { Kind::Punctuation } else { Kind::Stray };
    Token { kind, start, end: start + 1 }
}

/// The end of a word; gcc -E writes letters beyond ASCII as universal character names.
fn word_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        at += match bytes.get(at..).unwrap_or_default() {
            [c, ..] if is_word(*c) => 1,
            [b'\\', b'u', rest @ ..] if hexadecimal(rest, 4) => 6,
            [b'\\', b'U', rest @ ..] if hexadecimal(rest, 8) => 10,
            _ => return at,
        };
    }
}

fn hexadecimal(bytes: &[u8], digits: usize) -> bool {
    bytes.get(..digits).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit))
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        let sign = matches!(bytes[at], b'+' | b'-') && at > start && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        // 0xE+1 is one preprocessing number in C, and an error; gcc -E has already separated what it can.
        if !(sign || is_word(bytes[at]) || bytes[at] == b'.') {
            break;
        }
        at += 1;
    }
    at
}

fn quoted_at(text: &str, start: usize) -> Option<Token> {
    let bytes = text.as_bytes();
    let prefix = ["u8", "u", "U", "L"]
        .into_iter()
        .find(|p| text[start..].starts_with(p) && matches!(bytes.get(start + p.len()), Some(b'"' | b'\'')));
    let open = start + prefix.map_or(0, str::len);
    let quote = *bytes.get(open).filter(|q| matches!(q, b'"' | b'\''))?;
    let mut at = open + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            c if c == quote => {
                let kind = if quote == b'"' { Kind::Text } else { Kind::Character };
                return Some(Token { kind, start, end: at + 1 });
            }
            b'\\' if at + 1 < bytes.len() => at += 2,
            _ => at += 1,
        }
    }
    Some(Token { kind: Kind::Stray, start, end: open + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokenize(text).tokens.iter().map(|t| &text[t.start..t.end]).collect()
    }

    #[test]
    fn operators_are_taken_longest_first() {
        assert_eq!(words("a+++b>>=c->d...e"), ["a", "++", "+", "b", ">>=", "c", "->", "d", "...", "e"]);
    }

    #[test]
    fn numbers_keep_signs_of_exponents_only() {
        assert_eq!(words("1e+5+2 .5f 0x1p-3-1 1.e1"), ["1e+5", "+", "2", ".5f", "0x1p-3", "-", "1", "1.e1"]);
    }

    #[test]
    fn quotes_hide_comments_and_comments_hide_quotes() {
        assert_eq!(words(r#"L"/*" '\'' /* " */ u8"\"" // '"#), [r#"L"/*""#, r"'\''", r#"u8"\"""#]);
    }

    #[test]
    fn words_may_hold_dollars_and_letters_of_all_kinds() {
        assert_eq!(words(r"a$1 \u00e9b é+\U000000e9 \u"), ["a$1", r"\u00e9b", "é", "+", r"\U000000e9", r"\", "u"]);
    }

    #[test]
    fn an_open_quote_is_stray() {
        let tokens = tokenize("'a\nb").tokens;
        assert_eq!(tokens[0].kind, Kind::Stray);
        assert_eq!(tokens.len(), 3);
    }

    #[test]
    fn directives_start_lines() {
        let tokens = tokenize("# 1 \"a\"\n x # y\n  #pragma z\n");
        assert_eq!(tokens.directives, [Directive { start: 0, end: 7 }, Directive { start: 17, end: 26 }]);
        assert_eq!(tokens.tokens.len(), 3);
    }
}
