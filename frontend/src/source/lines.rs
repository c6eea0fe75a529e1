//! From a byte of the text that lang-c reads to a place in the file that the user wrote.
//!
//! Two steps lie between: the preprocessor (line markers tell lines, columns are found by aligning the tokens of a
//! preprocessed line with those of the original line) and our own rewriting (an offset map).

use std::collections::BTreeMap;

use program::Span;

use super::token::{Kind, Token, Tokens, tokenize};

/// A piece of the rewritten text: from `output` on, bytes stem from the preprocessed text from `input` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Its first byte in the rewritten text.
    pub output: usize,
    /// The byte of the preprocessed text that it stands for.
    pub input: usize,
    /// Whether the bytes after the first correspond one to one, or all belong to `input`.
    pub copied: bool,
}

/// The byte of the preprocessed text that a byte of the rewritten text stands for.
pub(super) fn origin(segments: &[Segment], offset: usize) -> usize {
    let after = segments.partition_point(|s| s.output <= offset);
    match after.checked_sub(1).map(|i| segments[i]) {
        Some(s) if s.copied => s.input + (offset - s.output),
        Some(s) => s.input,
        None => 0,
    }
}

/// Maps byte offsets in the text given to lang-c to places in the original files.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    segments: Vec<Segment>,
    /// The place of every token, by its first byte in the preprocessed text.
    places: Vec<(usize, Span)>,
}

impl LineMap {
    /// The place of the token at this byte, or of the last one before it.
    pub fn span(&self, offset: usize) -> Span {
        self.place(origin(&self.segments, offset))
    }

    /// The place of a byte of the preprocessed text.
    pub(super) fn place(&self, input: usize) -> Span {
        let after = self.places.partition_point(|(start, _)| *start <= input);
        let place = after.checked_sub(1).map(|i| self.places[i].1).or_else(|| Some(self.places.first()?.1));
        place.unwrap_or(Span { file: 0, line: 1, column: 0 })
    }

    /// The map with the rewriting's part put in.
    pub(super) fn rewritten(mut self, segments: Vec<Segment>) -> LineMap {
        self.segments = segments;
        self
    }
}

/// Finds the files that line markers name.
pub(super) trait Files {
    /// The index of a file, and its lines if its text can be had.
    fn file(&mut self, name: &str) -> (u32, Option<Vec<String>>);
}

/// The map of a preprocessed text that has not been rewritten. Without markers, all is in the file `name`.
pub(super) fn line_map(text: &str, tokens: &Tokens, name: &str, files: &mut dyn Files) -> LineMap {
    let mut cache: BTreeMap<String, (u32, Option<Vec<String>>)> = BTreeMap::new();
    let mut places = Vec::with_capacity(tokens.tokens.len());
    let mut position = Position { file: name.to_string(), line: 1, at: 0 };
    let mut directives = tokens.directives.iter().peekable();
    let mut group: Vec<Token> = Vec::new();
    let mut pragmas = Vec::new();
    let mut here = (position.file.clone(), 0_u32);
    for token in &tokens.tokens {
        while let Some(d) = directives.next_if(|d| d.start < token.start) {
            position.advance(text, d.start);
            if !position.directive(&text[d.start..d.end], d.end) {
                pragmas.push((d.start, position.file.clone(), position.line));
            }
        }
        position.advance(text, token.start);
        if here.1 != position.line || here.0 != position.file {
            flush(text, &here, &mut group, &mut cache, files, &mut places);
            here = (position.file.clone(), position.line);
        }
        group.push(*token);
    }
    flush(text, &here, &mut group, &mut cache, files, &mut places);
    // Pragmas have places of their own, for those that are refused.
    for (at, file, line) in pragmas {
        let index = cache.entry(file).or_insert_with_key(|f| files.file(f)).0;
        places.push((at, Span { file: index, line, column: 1 }));
    }
    places.sort_by_key(|(at, _)| *at);
    LineMap { segments: vec![Segment { output: 0, input: 0, copied: true }], places }
}

struct Position {
    file: String,
    line: u32,
    at: usize,
}

impl Position {
    fn advance(&mut self, text: &str, to: usize) {
        let newlines = text.as_bytes()[self.at..to].iter().filter(|b| **b == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
        self.at = to;
    }

    /// `# 12 "file.c" 2` says where the next line is from. Tells whether the directive is such a marker.
    fn directive(&mut self, directive: &str, end: usize) -> bool {
        self.at = end;
        if let Some((line, file)) = marker(directive) {
            // The newline behind the marker is still to be counted.
            self.line = line.saturating_sub(1);
            if let Some(file) = file {
                self.file = file;
            }
            return true;
        }
        false
    }
}

/// The line and the file of a line marker (`# 12 "f.c"` or `#line 12 "f.c"`).
fn marker(directive: &str) -> Option<(u32, Option<String>)> {
    let rest = directive.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse().ok()?;
    let Some(quoted) = rest[digits..].trim_start().strip_prefix('"') else { return Some((line, None)) };
    let mut name = Vec::new();
    let mut bytes = quoted.bytes().peekable();
    while let Some(b) = bytes.next() {
        match b {
            b'"' => return Some((line, Some(String::from_utf8_lossy(&name).into_owned()))),
            b'\\' => name.push(unescape(&mut bytes)?),
            _ => name.push(b),
        }
    }
    None
}

/// What stands behind a backslash in a marker's file name: an octal number or the character itself.
fn unescape(bytes: &mut std::iter::Peekable<std::str::Bytes<'_>>) -> Option<u8> {
    let mut value = None;
    for _ in 0..3 {
        let Some(digit) = bytes.next_if(|b| (b'0'..=b'7').contains(b)) else { break };
        value = Some(value.unwrap_or(0_u8).wrapping_mul(8).wrapping_add(digit - b'0'));
    }
    value.or_else(|| bytes.next())
}

/// Places the tokens that stem from one line of one file.
fn flush(
    text: &str,
    (file, line): &(String, u32),
    group: &mut Vec<Token>,
    cache: &mut BTreeMap<String, (u32, Option<Vec<String>>)>,
    files: &mut dyn Files,
    places: &mut Vec<(usize, Span)>,
) {
    if group.is_empty() {
        return;
    }
    if !cache.contains_key(file) {
        cache.insert(file.clone(), files.file(file));
    }
    let (index, lines) = &cache[file];
    let original = lines.as_ref().map(|l| l.get((*line as usize).wrapping_sub(1)).map_or("", String::as_str));
    let columns = match original {
        Some(original) => columns(text, group, original),
        None => own_columns(text, group),
    };
    for (token, column) in group.iter().zip(columns) {
        places.push((token.start, Span { file: *index, line: *line, column }));
    }
    group.clear();
}

/// The columns of tokens in the text they are in, counted in characters from the start of each one's line.
fn own_columns(text: &str, tokens: &[Token]) -> Vec<u32> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let mut at = text[..first.start].rfind('\n').map_or(0, |n| n + 1);
    let mut column = 1_u32;
    let mut columns = Vec::with_capacity(tokens.len());
    for token in tokens {
        for c in text[at..token.start].chars() {
            column = if c == '\n' { 1 } else { column.saturating_add(1) };
        }
        at = token.start;
        columns.push(column);
    }
    columns
}

/// The columns of tokens in the line they come from. A token that is not there comes from a macro: it gets the place of
/// the macro's name, which is the last word of the line before it that has no partner.
fn columns(text: &str, group: &[Token], original: &str) -> Vec<u32> {
    let there = tokenize(original).tokens;
    let matched = align(group.len(), there.len(), |i, j| {
        let same = text[group[i].start..group[i].end] == original[there[j].start..there[j].end];
        let weight = if there[j].kind == Kind::Punctuation { 1 } else { 4 };
        if same { weight } else { 0 }
    });
    let mut used = vec![false; there.len()];
    matched.iter().flatten().for_each(|j| used[*j] = true);
    let mut macros = vec![None; there.len() + 1];
    for (j, token) in there.iter().enumerate() {
        macros[j + 1] = if !used[j] && token.kind == Kind::Word { Some(j) } else { macros[j] };
    }
    let column = own_columns(original, &there);
    let mut next = there.len();
    let mut columns = vec![0; group.len()];
    for i in (0..group.len()).rev() {
        next = matched[i].unwrap_or(next);
        columns[i] = matched[i].or(macros[next]).map_or(0, |j| column[j]);
    }
    columns
}

/// Aligns two sequences so that the weight of what is matched is greatest: for each of the first, its partner.
fn align(n: usize, m: usize, weight: impl Fn(usize, usize) -> u32) -> Vec<Option<usize>> {
    let mut matched = vec![None; n];
    let prefix = (0..n.min(m)).take_while(|i| weight(*i, *i) > 0).count();
    let rest = n.min(m) - prefix;
    let suffix = (0..rest).take_while(|i| weight(n - 1 - i, m - 1 - i) > 0).count();
    (0..prefix).for_each(|i| matched[i] = Some(i));
    (0..suffix).for_each(|i| matched[n - 1 - i] = Some(m - 1 - i));
    let (rows, cols) = (n - prefix - suffix, m - prefix - suffix);
    // Quadratic, but for one line; beyond this, lines are machine-made and only their ends are aligned.
    if rows == 0 || cols == 0 || rows.saturating_mul(cols) > 250_000 {
        return matched;
    }
    let width = cols + 1;
    let mut best = vec![0_u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..cols).rev() {
            let both = weight(prefix + i, prefix + j);
            let together = if both > 0 { both + best[(i + 1) * width + j + 1] } else { 0 };
            best[i * width + j] = together.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows && j < cols {
        let both = weight(prefix + i, prefix + j);
        if both > 0 && best[i * width + j] == both + best[(i + 1) * width + j + 1] {
            matched[prefix + i] = Some(prefix + j);
            (i, j) = (i + 1, j + 1);
        } else if best[i * width + j] == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str);
    impl Files for One {
        fn file(&mut self, name: &str) -> (u32, Option<Vec<String>>) {
            let text = (name == "a.c").then(|| self.0.lines().map(str::to_string).collect());
            (u32::from(name != "a.c"), text)
        }
    }

    fn places(text: &str, original: &'static str) -> Vec<(String, u32, u32, u32)> {
        let tokens = tokenize(text);
        let map = line_map(text, &tokens, "a.i", &mut One(original));
        let place = |t: &Token| (map.span(t.start), text[t.start..t.end].to_string());
        tokens.tokens.iter().map(place).map(|(s, t)| (t, s.file, s.line, s.column)).collect()
    }
    fn place(text: &str, original: &'static str, word: &str) -> (u32, u32, u32) {
        let all = places(text, original);
        let (_, file, line, column) = all.iter().find(|p| p.0 == word).unwrap();
        (*file, *line, *column)
    }

    #[test]
    fn without_markers_places_are_the_texts_own() {
        assert_eq!(place("int x;\n\n  int y;", "", "y"), (1, 3, 7));
    }

    #[test]
    fn markers_move_lines_and_files() {
        let text = "# 1 \"b.h\" 1\nint b;\n# 7 \"a.c\" 2\n\nint x;\n#line 3\nint y;\n";
        let original = "\n\n   int y;\n\n\n\n\n  int x;";
        assert_eq!(place(text, original, "b"), (1, 1, 5));
        assert_eq!(place(text, original, "x"), (0, 8, 7));
        assert_eq!(place(text, original, "y"), (0, 3, 8));
    }

    #[test]
    fn marker_names_are_unescaped() {
        assert_eq!(marker(r#"# 3 "a\"b\\c\303\244" 1 3"#), Some((3, Some("a\"b\\cä".to_string()))));
        assert_eq!(marker("#pragma once"), None);
    }

    #[test]
    fn arguments_of_macros_keep_their_columns() {
        let text = "# 1 \"a.c\"\n ((x == 1) ? (void)0 : fail(\"x == 1\")); y = 2;\n";
        let original = "  assert(x == 1); y = 2;";
        assert_eq!(place(text, original, "x"), (0, 1, 10));
        assert_eq!(place(text, original, "1"), (0, 1, 15));
        assert_eq!(place(text, original, "fail"), (0, 1, 3));
        assert_eq!(place(text, original, "y"), (0, 1, 19));
    }

    #[test]
    fn a_line_split_by_markers_is_one_line() {
        let text = "# 1 \"a.c\"\nf(\n# 1 \"a.c\" 3 4\n0\n# 1 \"a.c\"\n, z);\n";
        assert_eq!(place(text, "f(NULL, z);", "0"), (0, 1, 3));
        assert_eq!(place(text, "f(NULL, z);", "z"), (0, 1, 9));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(place("# 1 \"a.c\"\n\"äö\" x", "\"äö\" x", "x"), (0, 1, 6));
    }

    #[test]
    fn a_line_that_is_not_there_has_no_column() {
        assert_eq!(place("# 9 \"a.c\"\nint x;", "int x;", "x"), (0, 9, 0));
    }
}
