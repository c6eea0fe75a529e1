//! Expressions that nest deeply are parsed in pieces.
//!
//! lang-c copies what it has read at each level of calls, subscripts and operators in parentheses: its time and its memory
//! are quadratic in their number. Where that is too much, what stands between two commas deep within the brackets gives
//! way to a name, and is put into a function of our own behind everything else, where it is no longer deep:
//!
//! ```text
//! x = f(f(f(f(y))));    becomes    x = f(f(piece0)); void piece(void) { (f(f(y))); }
//! ```
//!
//! The semantic analysis reads the piece where it meets the name, in the scope of that place. The parser has read it in
//! the scope of the file, so it may have taken a type's name for a variable's, or the other way round: such a name is not
//! what it is used as, and that is how the analysis finds out. Nor need what is cut be an expression. A parser that
//! refuses the pieces, or names that are not found among the expressions, tell: all of this is nesting that is too deep.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use lang_c::ast::{BlockItem, Expression, ExternalDeclaration, Statement, TranslationUnit};
use lang_c::span::{self, Node};
use lang_c::visit::{self, Visit};

use super::library::PREFIX;
use super::limits::{COST, DEEP, beyond, is_type_operator};
use super::lines::{Segment, origin};
use super::rewrite::Rewritten;
use super::token::{Token, tokenize};

/// Brackets within brackets in one piece, unless it cannot be cut there.
const HEIGHT: usize = 50;

/// What has been cut out of expressions, by the names that stand there now.
#[derive(Clone, Debug, Default)]
pub struct Pieces(HashMap<String, Node<Expression>>);

impl Pieces {
    /// What an expression stands for, if that is a piece.
    pub(crate) fn get(&self, expression: &Expression) -> Option<&Node<Expression>> {
        match expression {
            Expression::Identifier(name) => self.0.get(&name.node.name),
            _ => None,
        }
    }
}

/// How a text has been cut.
#[derive(Debug)]
pub(super) struct Cuts {
    /// What the names of the pieces start with, which is nowhere else in the text.
    prefix: String,
    /// The names, in the order of the pieces.
    names: Vec<String>,
    /// Where the first of them is in the text: what the parser does not like from there on may be due to the cutting.
    pub first: usize,
}

impl Cuts {
    /// Takes the pieces out of a syntax tree. None if one of them is not an expression, or does not stand for one.
    pub fn take(self, unit: &mut TranslationUnit) -> Option<Pieces> {
        let mut uses = Uses { prefix: &self.prefix, found: 0 };
        uses.visit_translation_unit(unit);
        let ExternalDeclaration::FunctionDefinition(function) = unit.0.pop()?.node else { return None };
        let Statement::Compound(items) = function.node.statement.node else { return None };
        let fits = uses.found == self.names.len() && items.len() == self.names.len();
        let pieces = items.into_iter().zip(self.names).map(|(item, name)| match item.node {
            BlockItem::Statement(Node { node: Statement::Expression(Some(piece)), .. }) => Some((name, *piece)),
            _ => None,
        });
        pieces.collect::<Option<_>>().filter(|_| fits).map(Pieces)
    }
}

/// Counts the names of pieces that are expressions.
struct Uses<'a> {
    prefix: &'a str,
    found: usize,
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast span::Span) {
        if let Expression::Identifier(name) = expression {
            self.found += usize::from(name.node.name.starts_with(self.prefix));
        }
        visit::visit_expression(self, expression, span);
    }
}

/// Cuts the expressions of a text that are deep. An error is a byte of the text before the rewriting: what is there is too
/// much for the parser, and cannot be cut.
pub(super) fn cut(rewritten: Rewritten) -> Result<(Rewritten, Option<Cuts>), usize> {
    let text = &rewritten.text;
    let tokens = tokenize(text).tokens;
    let is_deep = |range: &Range<usize>| beyond(text, &tokens[range.clone()], DEEP).is_some();
    let mut pieces = BTreeMap::new();
    for range in expressions(text, &tokens).into_iter().filter(is_deep) {
        find(text, &tokens, range, &mut pieces);
    }
    let (rewritten, cuts) = if pieces.is_empty() { (rewritten, None) } else { apart(&rewritten, &pieces) };
    let tokens = tokenize(&rewritten.text).tokens;
    let mut left = expressions(&rewritten.text, &tokens).into_iter();
    match left.find_map(|range| beyond(&rewritten.text, &tokens[range], COST)) {
        Some(token) => Err(origin(&rewritten.segments, token.start)),
        None => Ok((rewritten, cuts)),
    }
}

/// Takes the pieces out of a text, and puts them behind it. They are given by the bytes that they start and end at.
fn apart(rewritten: &Rewritten, pieces: &BTreeMap<usize, usize>) -> (Rewritten, Option<Cuts>) {
    let length = rewritten.text.len();
    let mut prefix = "__threader_piece".to_string();
    while rewritten.text.contains(&prefix) {
        prefix.push('_');
    }
    let mut scissors = Scissors { from: rewritten, pieces, prefix: &prefix, to: Rewritten::default() };
    scissors.write(0..length);
    scissors.insert(&format!(" void {prefix}(void) {{"), length);
    for (&start, &end) in pieces {
        scissors.insert("(", start);
        scissors.write(start..end);
        scissors.insert(");", end);
    }
    scissors.insert("}", length);
    let to = scissors.to;
    let first = to.text.find(&prefix).unwrap_or(0);
    let names = pieces.keys().map(|start| format!("{prefix}{start}")).collect();
    (to, Some(Cuts { prefix, names, first }))
}

/// The tokens between the braces and semicolons that are in no parentheses: these are in statement expressions.
fn expressions(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let mut open = 0_usize;
    let mut ends = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match &text[token.start..token.end] {
            "(" | "[" => open += 1,
            ")" | "]" => open = open.saturating_sub(1),
            "{" | "}" | ";" if open == 0 => ends.push(index),
            _ => {}
        }
    }
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    starts.zip(ends.iter().copied().chain([tokens.len()])).map(|(start, end)| start..end).collect()
}

/// A bracket that is open.
struct Open {
    /// Whether nothing in it is cut, unless in brackets within.
    whole: bool,
    /// The first token since the last comma.
    first: usize,
    /// Brackets within brackets since the last comma, as far as they are not cut.
    height: usize,
    /// The same for all of the bracket.
    tallest: usize,
    /// `?` that wait for their `:`; commas in between do not separate.
    questions: usize,
}

impl Open {
    fn new(first: usize, whole: bool) -> Open {
        Open { whole, first, height: 0, tallest: 0, questions: 0 }
    }

    /// A comma or the end: what is between it and the last one becomes a piece, if it is high enough.
    fn separate(&mut self, tokens: &[Token], at: usize, pieces: &mut BTreeMap<usize, usize>) {
        if self.height >= HEIGHT && !self.whole {
            pieces.insert(tokens[self.first].start, tokens[at - 1].end);
            self.height = 0;
        }
        self.tallest = self.tallest.max(self.height);
        (self.first, self.height) = (at + 1, 0);
    }
}

/// Finds where to cut an expression, from the inside outwards: from which byte to which.
fn find(text: &str, tokens: &[Token], expression: Range<usize>, pieces: &mut BTreeMap<usize, usize>) {
    let word = |index: usize| &text[tokens[index].start..tokens[index].end];
    let mut top = Open::new(expression.start, true);
    let mut stack = Vec::new();
    for index in expression {
        match word(index) {
            open @ ("(" | "[" | "{") => {
                let before = index.checked_sub(1).map_or("", word);
                let whole = open == "{" || before == "for" || is_type_operator(before) || before.starts_with(PREFIX);
                stack.push(std::mem::replace(&mut top, Open::new(index + 1, whole)));
            }
            ")" | "]" | "}" => {
                top.separate(tokens, index, pieces);
                if let Some(below) = stack.pop() {
                    let inside = std::mem::replace(&mut top, below).tallest;
                    top.height = top.height.max(inside + 1);
                }
            }
            "," if top.questions == 0 => top.separate(tokens, index, pieces),
            ";" => top.separate(tokens, index, pieces),
            "?" => top.questions += 1,
            ":" => top.questions = top.questions.saturating_sub(1),
            _ => {}
        }
    }
}

/// Writes a text with names in place of its pieces.
struct Scissors<'a> {
    from: &'a Rewritten,
    pieces: &'a BTreeMap<usize, usize>,
    prefix: &'a str,
    to: Rewritten,
}

impl Scissors<'_> {
    /// Writes what is at these bytes, which may itself be a piece.
    fn write(&mut self, bytes: Range<usize>) {
        let mut at = bytes.start;
        while let Some((&start, &end)) = self.pieces.range(at + 1..bytes.end).next() {
            self.copy(at..start);
            self.insert(&format!("{}{start}", self.prefix), start);
            at = end;
        }
        self.copy(at..bytes.end);
    }

    /// Writes words of our own, which stand for what is at this byte.
    fn insert(&mut self, words: &str, at: usize) {
        let input = origin(&self.from.segments, at);
        self.to.segments.push(Segment { output: self.to.text.len(), input, copied: false });
        self.to.text.push_str(words);
    }

    fn copy(&mut self, bytes: Range<usize>) {
        let from = &self.from.segments;
        let output = self.to.text.len();
        let first = from.partition_point(|s| s.output <= bytes.start).saturating_sub(1);
        for segment in from[first..].iter().take_while(|s| s.output < bytes.end) {
            let start = segment.output.max(bytes.start);
            let input = if segment.copied { segment.input + (start - segment.output) } else { segment.input };
            self.to.segments.push(Segment { output: output + (start - bytes.start), input, copied: segment.copied });
        }
        self.to.text.push_str(&self.from.text[bytes]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::syntax;
    use super::*;

    fn rewritten(text: &str) -> Rewritten {
        let segments = vec![Segment { output: 0, input: 0, copied: true }];
        Rewritten { text: text.to_string(), segments }
    }
    fn nested(open: &str, inside: &str, close: &str) -> String {
        format!("int g(void) {{ return {}{inside}{}; }}", open.repeat(3_000), close.repeat(3_000))
    }
    fn pieces(text: &str) -> Option<Pieces> {
        let (cut, cuts) = cut(rewritten(text)).unwrap();
        let mut unit = syntax::parse(cut.text).ok()?;
        cuts.unwrap().take(&mut unit)
    }

    /// Parentheses and subscripts around the innermost token.
    fn depth(text: &str) -> usize {
        let deeper = |(depth, most): (usize, usize), word: &str| match word {
            "(" | "[" => (depth + 1, most.max(depth + 1)),
            ")" | "]" => (depth - 1, most),
            _ => (depth, most),
        };
        tokenize(text).tokens.iter().map(|t| &text[t.start..t.end]).fold((0, 0), deeper).1
    }

    #[test]
    fn what_is_not_deep_stays_as_it_is() {
        for text in ["x = f(f(f(y)));".to_string(), nested("(", "1", ")")] {
            let (same, cuts) = cut(rewritten(&text)).unwrap();
            assert!(same.text == text && cuts.is_none());
        }
    }

    #[test]
    fn every_piece_is_low_and_has_its_name() {
        for (open, inside, close) in [
            ("f(", "x", ")"),
            ("a[", "x", "]"),
            ("(x = ", "x", ")"),
            ("(1 + ", "x", ")"),
            ("f(1, ", "x", ", 2)"),
            ("(x ? 1, 2 : ", "x", ")"),
            ("f(({ int y = ", "x", "; y; }))"),
            ("f((struct s){ .m = ", "x", " }.m)"),
        ] {
            let text = nested(open, inside, close);
            let (cut, cuts) = cut(rewritten(&text)).unwrap();
            assert!(depth(&cut.text) <= HEIGHT + 5, "{open}: {}", depth(&cut.text));
            let names = cuts.as_ref().unwrap().names.len();
            assert!(names >= 3_000 / HEIGHT - 1, "{open}: {names}");
            let mut unit = syntax::parse(cut.text).unwrap();
            assert_eq!(cuts.unwrap().take(&mut unit).map(|pieces| pieces.0.len()), Some(names), "{open}");
            assert_eq!(unit.0.len(), 1);
        }
    }

    /// Every word of the text is there, and stands for the place that it was in.
    #[test]
    fn nothing_is_lost_and_places_stay() {
        let text = nested("f(1,\n  -", "x", ", a[2])");
        let (cut, _) = cut(rewritten(&text)).unwrap();
        let written = tokenize(&cut.text).tokens.into_iter();
        let written: HashSet<_> =
            written.map(|t| (origin(&cut.segments, t.start), &cut.text[t.start..t.end])).collect();
        for token in tokenize(&text).tokens {
            assert!(written.contains(&(token.start, &text[token.start..token.end])), "at {}", token.start);
        }
    }

    #[test]
    fn names_are_not_those_of_the_text() {
        let text = nested("f(", "__threader_piece7 + __threader_piece_", ")");
        assert_eq!(cut(rewritten(&text)).unwrap().1.unwrap().prefix, "__threader_piece__");
    }

    #[test]
    fn what_is_no_expression_has_no_pieces() {
        for (open, inside, close) in [("f((", "int", "))"), ("f((T)", "", ")"), ("f(1 +", "", ")")] {
            assert!(pieces(&nested(open, inside, close)).is_none(), "{open}");
        }
        let declarator = |open: &str, close: &str| format!("int {}x{};", open.repeat(3_000), close.repeat(3_000));
        assert!(pieces(&declarator("(*", ")(int)")).is_none());
        assert!(pieces(&declarator("(*", ")[1]")).is_none());
        assert!(pieces(&format!("void f({}x{});", "int g(".repeat(3_000), ")".repeat(3_000))).is_none());
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let text = format!("x = {}{}1{};", "(".repeat(20), "1 + ".repeat(100_000), ")".repeat(20));
        assert!(cut(rewritten(&text)).is_err_and(|at| text[at..].starts_with(['1', '+'])));
    }
}
