//! Diagnostics for people: the message, the place, the C text with a caret, advice, the code.

use std::fmt::Write;
use std::io::IsTerminal;

use frontend::diagnostic::{Diagnostic, Sources};
use program::Span;

use crate::explain::code_name;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// There is no program.
    Error,
    /// There is one, but.
    Warning,
}

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With ANSI escapes.
    Coloured,
}

impl Style {
    /// What fits stderr: colours on a terminal, unless `NO_COLOR` is set.
    pub fn of_stderr() -> Style {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if std::io::stderr().is_terminal() && !refused { Style::Coloured } else { Style::Plain }
    }

    fn paint(self, colour: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_string(),
            Style::Coloured => format!("\x1b[{colour}m{text}\x1b[0m"),
        }
    }
}

const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BLUE: &str = "1;34";
const BOLD: &str = "1";

/// The diagnostic as text that ends with a newline.
pub fn render(diagnostic: &Diagnostic, severity: Severity, sources: &Sources, style: Style) -> String {
    let (word, colour) = match severity {
        Severity::Error => ("error", RED),
        Severity::Warning => ("warning", YELLOW),
    };
    let message = style.paint(BOLD, &format!(": {}", one_line(&diagnostic.message)));
    let mut out = format!("{}{message}\n", style.paint(colour, word));
    if let Some(span) = diagnostic.span {
        render_place(&mut out, span, sources, style, colour);
    }
    for (what, span) in &diagnostic.notes {
        let _ = writeln!(out, "{}: {}", style.paint(BOLD, "note"), one_line(what));
        render_place(&mut out, *span, sources, style, BLUE);
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "{}: {}", style.paint(BOLD, "help"), one_line(help));
    }
    let code = code_name(diagnostic.code);
    let _ = writeln!(out, "{}: {code} (see: threader explain {code})", style.paint(BOLD, "code"));
    out
}

fn render_place(out: &mut String, span: Span, sources: &Sources, style: Style, colour: &str) {
    let number = span.line.to_string();
    let margin = " ".repeat(number.len());
    let column = if span.column == 0 { String::new() } else { format!(":{}", span.column) };
    let arrow = style.paint(BLUE, &format!("{margin}-->"));
    let _ = writeln!(out, "{arrow} {}:{number}{column}", one_line(sources.name(span.file)));
    let Some(line) = sources.line(span) else { return };
    let excerpt = Excerpt::new(line, span.column);
    let bar = |text: &str| style.paint(BLUE, &format!("{text} |"));
    let _ = writeln!(out, "{}", bar(&margin));
    let _ = writeln!(out, "{} {}", bar(&number), excerpt.text);
    if let Some(caret) = excerpt.caret {
        let _ = writeln!(out, "{} {}{}", bar(&margin), " ".repeat(caret), style.paint(colour, "^"));
    }
}

/// `text` on one line, without control characters: it may quote the input.
pub fn one_line(text: &str) -> String {
    text.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Tabs go to multiples of this.
const TAB: usize = 4;
/// Longer lines are cut to a window around the caret.
const WIDTH: usize = 100;
/// What the window shows before the caret, at least, where there is that much.
const BEFORE: usize = 60;
const CUT: &str = "...";

/// A line of source as shown: tabs expanded, long lines cut.
struct Excerpt {
    text: String,
    /// Terminal columns before the caret, if the column is known.
    caret: Option<usize>,
}

impl Excerpt {
    /// `column` counts bytes from 1, as compilers do; 0 is unknown, one beyond the end is just after it.
    fn new(line: &str, column: u32) -> Excerpt {
        let mut cells: Vec<(usize, String)> = Vec::new();
        let mut width = 0;
        let mut caret = None;
        for (offset, c) in line.trim_end().char_indices() {
            if column > 0 && offset < column as usize {
                // The last character that starts at or before the column.
                caret = Some(width);
            }
            let shown = match c {
                '\t' => " ".repeat(TAB - width % TAB),
                c if c.is_control() => "\u{fffd}".to_string(),
                c => c.to_string(),
            };
            let columns = if c == '\t' { shown.len() } else { display_width(c) };
            cells.push((width, shown));
            width += columns;
        }
        if column as usize > line.trim_end().len() {
            caret = Some(width);
        }
        Excerpt::window(&cells, width, caret)
    }

    fn window(cells: &[(usize, String)], width: usize, caret: Option<usize>) -> Excerpt {
        let concat = |cells: &[(usize, String)]| cells.iter().map(|(_, shown)| shown.as_str()).collect::<String>();
        if width <= WIDTH {
            return Excerpt { text: concat(cells), caret };
        }
        let latest_start = width.saturating_sub(WIDTH);
        let wanted = caret.unwrap_or(0).saturating_sub(BEFORE).min(latest_start);
        let first = cells.iter().position(|(start, _)| *start >= wanted).unwrap_or(cells.len());
        let start = cells.get(first).map_or(width, |(start, _)| *start);
        let end = cells.iter().position(|(at, _)| *at >= start + WIDTH).unwrap_or(cells.len());
        let left = if first > 0 { CUT } else { "" };
        let right = if end < cells.len() { CUT } else { "" };
        let text = format!("{left}{}{right}", concat(&cells[first..end]));
        Excerpt { text, caret: caret.map(|caret| caret.saturating_sub(start) + left.len()) }
    }
}

/// Terminal columns of a character: none for combining marks, two for East Asian wide ones and emoji.
fn display_width(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f | 0x1ab0..=0x1aff | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 => 2,
        0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::diagnostic::Code;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.file("dir/f.c", || Some(text.to_string()));
        sources
    }

    fn shown(diagnostic: &Diagnostic, text: &str) -> String {
        render(diagnostic, Severity::Error, &sources(text), Style::Plain)
    }

    fn at(line: u32, column: u32) -> Span {
        Span { file: 0, line, column }
    }

    #[test]
    fn the_whole_of_an_error() {
        let diagnostic = Diagnostic::new(Code::Syntax, "expected `;`").at(at(12, 3)).help("add a semicolon");
        let text = "\n".repeat(11) + "x =\t1\n";
        let expected = "\
error: expected `;`
  --> dir/f.c:12:3
   |
12 | x = 1
   |   ^
help: add a semicolon
code: E-syntax (see: threader explain E-syntax)
";
        assert_eq!(shown(&diagnostic, &text), expected);
    }

    #[test]
    fn a_warning_without_a_place() {
        let diagnostic = Diagnostic::new(Code::NoAssertion, "nothing in\nf.c can fail");
        assert_eq!(
            render(&diagnostic, Severity::Warning, &Sources::default(), Style::Plain),
            "warning: nothing in f.c can fail\ncode: W-no-assertion (see: threader explain W-no-assertion)\n"
        );
    }

    #[test]
    fn an_unknown_column_has_no_caret_and_an_unknown_text_no_line() {
        let diagnostic = Diagnostic::new(Code::Invalid, "m").at(at(1, 0));
        let code = "code: E-invalid (see: threader explain E-invalid)\n";
        assert_eq!(shown(&diagnostic, "int x;"), format!("error: m\n --> dir/f.c:1\n  |\n1 | int x;\n{code}"));
        let beyond = Diagnostic::new(Code::Invalid, "m").at(at(7, 2));
        assert_eq!(shown(&beyond, "int x;"), format!("error: m\n --> dir/f.c:7:2\n{code}"));
    }

    fn excerpt(line: &str, column: u32) -> (String, Option<usize>) {
        let excerpt = Excerpt::new(line, column);
        (excerpt.text, excerpt.caret)
    }

    #[test]
    fn tabs_and_wide_characters_move_the_caret() {
        assert_eq!(excerpt("\tx", 2), ("    x".into(), Some(4)));
        assert_eq!(excerpt("ab\tx", 4), ("ab  x".into(), Some(4)));
        assert_eq!(excerpt("\"日本\" x", 10), ("\"日本\" x".into(), Some(7)));
        assert_eq!(excerpt("e\u{301}x", 4), ("e\u{301}x".into(), Some(1)));
        // Inside a character: at its start. Beyond the end: just after it.
        assert_eq!(excerpt("日x", 2), ("日x".into(), Some(0)));
        assert_eq!(excerpt("ab", 99), ("ab".into(), Some(2)));
        assert_eq!(excerpt("", 1), (String::new(), Some(0)));
        assert_eq!(excerpt("a\u{1b}b\r", 3), ("a\u{fffd}b".into(), Some(2)));
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let line = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let (text, caret) = excerpt(&line, 501);
        assert_eq!(text, format!("...{}X{}...", "a".repeat(60), "b".repeat(39)));
        assert_eq!(caret, Some(63));
        assert_eq!(text.as_bytes()[63], b'X');
        let (start, caret) = excerpt(&line, 1);
        assert_eq!((start.len(), caret), (103, Some(0)));
        let (end, caret) = excerpt(&line, 1002);
        assert_eq!((end, caret), (format!("...{}", "b".repeat(100)), Some(103)));
    }

    #[test]
    fn colours_change_nothing_else() {
        let diagnostic = Diagnostic::new(Code::Syntax, "m").at(at(1, 1)).help("h");
        let coloured = render(&diagnostic, Severity::Error, &sources("x"), Style::Coloured);
        assert!(coloured.starts_with("\x1b[1;31merror\x1b[0m"));
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once('\x1b') {
            plain += before;
            rest = after.split_once('m').unwrap().1;
        }
        assert_eq!(plain + rest, shown(&diagnostic, "x"));
    }
}
