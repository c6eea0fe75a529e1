//! Where statements are, for evidence that speaks of places in the C text.

use lang_c::ast::{BlockItem, Expression, FunctionDefinition, Statement, TranslationUnit};
use lang_c::span;
use lang_c::visit::{self, Visit};
use program::Span;

use super::{LineMap, Pieces};

/// What a statement is, as far as evidence asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `{ .. }`.
    Compound,
    /// A declaration in a block.
    Declaration,
    /// An expression, or nothing, and a semicolon.
    Expression,
    /// `while`, with the place of its control expression.
    While(Span),
    /// `for` or `do`.
    OtherLoop,
    /// Any other.
    Other,
}

/// A statement's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementPlace {
    /// Its first token.
    pub first: Span,
    /// Its last token.
    pub last: Span,
    /// What it is.
    pub kind: StatementKind,
    /// The function it is in.
    pub function: String,
}

impl StatementPlace {
    /// Whether a place is within the statement.
    pub fn contains(&self, place: Span) -> bool {
        let position = |span: Span| (span.line, span.column);
        place.file == self.first.file
            && position(self.first) <= position(place)
            && position(place) <= position(self.last)
    }
}

/// All statements and declarations in function bodies, each before those inside it.
pub fn statements(unit: &TranslationUnit, pieces: &Pieces, lines: &LineMap) -> Vec<StatementPlace> {
    let mut collector = Collector { pieces, lines, function: String::new(), found: Vec::new() };
    collector.visit_translation_unit(unit);
    collector.found
}

struct Collector<'a> {
    pieces: &'a Pieces,
    lines: &'a LineMap,
    function: String,
    found: Vec<StatementPlace>,
}

impl Collector<'_> {
    fn enter(&mut self, kind: StatementKind, span: &span::Span) {
        let (first, last) = (self.lines.span(span.start), self.lines.span(span.end.saturating_sub(1)));
        self.found.push(StatementPlace { first, last, kind, function: self.function.clone() });
    }
}

impl<'ast> Visit<'ast> for Collector<'ast> {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast span::Span) {
        match self.pieces.get(expression) {
            Some(piece) => self.visit_expression(&piece.node, &piece.span),
            None => visit::visit_expression(self, expression, span),
        }
    }

    fn visit_function_definition(&mut self, function: &'ast FunctionDefinition, span: &'ast span::Span) {
        self.function = declared(&function.declarator.node).unwrap_or_default();
        visit::visit_function_definition(self, function, span);
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast span::Span) {
        let kind = match statement {
            Statement::Compound(_) => StatementKind::Compound,
            Statement::Expression(_) => StatementKind::Expression,
            Statement::While(node) => StatementKind::While(self.lines.span(node.node.expression.span.start)),
            Statement::For(_) | Statement::DoWhile(_) => StatementKind::OtherLoop,
            _ => StatementKind::Other,
        };
        // A label is no place of its own: what it labels is.
        if !matches!(statement, Statement::Labeled(_)) {
            self.enter(kind, span);
        }
        visit::visit_statement(self, statement, span);
    }

    fn visit_block_item(&mut self, item: &'ast BlockItem, span: &'ast span::Span) {
        if matches!(item, BlockItem::Declaration(_)) {
            self.enter(StatementKind::Declaration, span);
        }
        visit::visit_block_item(self, item, span);
    }
}

/// The name that a declarator declares.
fn declared(declarator: &lang_c::ast::Declarator) -> Option<String> {
    use lang_c::ast::DeclaratorKind;
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(name.node.name.clone()),
        DeclaratorKind::Declarator(inner) => declared(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}
