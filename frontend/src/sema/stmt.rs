//! Statements.

use std::collections::HashMap;

use lang_c::ast::{BlockItem, Expression, ForInitializer, ForStatement, Label, LabeledStatement, Statement};
use lang_c::span::Node;
use program::{IntType, Span};

use super::convert::{Purpose, cast, opaque};
use super::scope::Scope;
use super::{INT, R, Sema, const_value};
use crate::hir::{Expr, LabelId, Local, Stmt, StmtKind, Type};

/// The function whose body is being analysed.
pub struct Body {
    /// Its name.
    pub name: String,
    /// What it returns.
    pub result: Type,
    /// Its locals so far.
    pub locals: Vec<Local>,
    /// The locals that stand for variable-length arrays, as pointers to them, and those that hold their sizes.
    pub variable_arrays: HashMap<crate::hir::LocalId, crate::hir::LocalId>,
    labels: Vec<LabelUse>,
    label_ids: HashMap<String, LabelId>,
    /// How many loops are around the current statement.
    loops: u32,
    /// How many loops and switches are around it.
    breakable: u32,
    switches: Vec<Switch>,
}

struct LabelUse {
    name: String,
    defined: bool,
    span: Span,
}

struct Switch {
    /// The promoted type of the controlling expression; None if it is not modelled.
    ty: Option<IntType>,
    cases: Vec<(i128, i128, Span)>,
    default: bool,
}

impl Body {
    /// A function without statements yet.
    pub fn new(name: String, result: Type) -> Body {
        Body {
            name,
            result,
            variable_arrays: HashMap::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            label_ids: HashMap::new(),
            loops: 0,
            breakable: 0,
            switches: Vec::new(),
        }
    }

    /// The names of the labels; an error is a label that a goto needs and nobody defines.
    pub fn finish_labels(&self) -> Result<Vec<String>, (String, Span)> {
        match self.labels.iter().find(|label| !label.defined) {
            Some(label) => Err((label.name.clone(), label.span)),
            None => Ok(self.labels.iter().map(|label| label.name.clone()).collect()),
        }
    }

    fn label(&mut self, name: &str, span: Span) -> LabelId {
        if let Some(&id) = self.label_ids.get(name) {
            return id;
        }
        let id = LabelId(program::number(self.labels.len()));
        self.labels.push(LabelUse { name: name.to_string(), defined: false, span });
        self.label_ids.insert(name.to_string(), id);
        id
    }
}

/// What encloses a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    Loop,
    Switch,
}

impl Sema<'_> {
    /// A block's items, in a scope of their own.
    pub fn block(&mut self, items: &[Node<BlockItem>], out: &mut Vec<Stmt>) -> R<()> {
        self.scopes.push(Scope::default());
        let result = self.block_items(items, out);
        self.scopes.pop();
        result
    }

    /// A block's items in the scope at hand.
    pub fn block_items(&mut self, items: &[Node<BlockItem>], out: &mut Vec<Stmt>) -> R<()> {
        for item in items {
            match &item.node {
                BlockItem::Declaration(declaration) => self.local_declaration(declaration, out)?,
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion)?,
                BlockItem::Statement(statement) => self.statement(statement, out)?,
            }
        }
        Ok(())
    }

    /// A statement; labels and declarations give several.
    pub fn statement(&mut self, node: &Node<Statement>, out: &mut Vec<Stmt>) -> R<()> {
        let span = self.at(node.span);
        let kind = match &node.node {
            Statement::Labeled(labeled) => return self.labeled(&labeled.node, span, out),
            Statement::Compound(items) => {
                let mut inner = Vec::new();
                self.block(items, &mut inner)?;
                StmtKind::Block(inner)
            }
            Statement::Expression(None) => StmtKind::Empty,
            Statement::Expression(Some(expression)) => StmtKind::Expr(self.value(expression)?),
            Statement::If(statement) => {
                let condition = self.condition(&statement.node.condition)?;
                let then = self.sub_statement(&statement.node.then_statement)?;
                let other = match &statement.node.else_statement {
                    Some(other) => Some(self.sub_statement(other)?),
                    None => None,
                };
                StmtKind::If(condition, then, other)
            }
            Statement::Switch(statement) => self.switch(&statement.node.expression, &statement.node.statement)?,
            Statement::While(statement) => {
                let condition = self.condition(&statement.node.expression)?;
                StmtKind::While(condition, self.enclosed(Enclosing::Loop, &statement.node.statement)?)
            }
            Statement::DoWhile(statement) => {
                let body = self.enclosed(Enclosing::Loop, &statement.node.statement)?;
                StmtKind::DoWhile(body, self.condition(&statement.node.expression)?)
            }
            Statement::For(statement) => {
                self.scopes.push(Scope::default());
                let kind = self.for_loop(&statement.node);
                self.scopes.pop();
                kind?
            }
            Statement::Goto(name) => {
                let label_span = self.at(name.span);
                match &mut self.body {
                    Some(body) => StmtKind::Goto(body.label(&name.node.name, label_span)),
                    None => return self.invalid(span, "goto outside a function"),
                }
            }
            Statement::Continue => {
                if self.body.as_ref().is_none_or(|body| body.loops == 0) {
                    return self.invalid(span, "continue statement not within a loop");
                }
                StmtKind::Continue
            }
            Statement::Break => {
                if self.body.as_ref().is_none_or(|body| body.breakable == 0) {
                    return self.invalid(span, "break statement not within a loop or switch");
                }
                StmtKind::Break
            }
            Statement::Return(value) => return self.return_statement(value.as_deref(), span, out),
            Statement::Asm(asm) => self.assembly(&asm.node, span)?,
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// A statement in a scope of its own, as one statement.
    fn sub_statement(&mut self, node: &Node<Statement>) -> R<Box<Stmt>> {
        let span = self.at(node.span);
        let mut list = Vec::new();
        self.scopes.push(Scope::default());
        let result = self.statement(node, &mut list);
        self.scopes.pop();
        result?;
        let single = if list.len() == 1 { list.pop() } else { None };
        Ok(Box::new(single.unwrap_or(Stmt { kind: StmtKind::Block(list), span })))
    }

    fn enclosed(&mut self, enclosing: Enclosing, node: &Node<Statement>) -> R<Box<Stmt>> {
        let loops = u32::from(enclosing == Enclosing::Loop);
        if let Some(body) = &mut self.body {
            body.loops += loops;
            body.breakable += 1;
        }
        let result = self.sub_statement(node);
        if let Some(body) = &mut self.body {
            body.loops -= loops;
            body.breakable -= 1;
        }
        result
    }

    fn for_loop(&mut self, node: &ForStatement) -> R<StmtKind> {
        let mut first = Vec::new();
        match &node.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(expression) => {
                let value = self.value(expression)?;
                first.push(Stmt { span: value.span, kind: StmtKind::Expr(value) });
            }
            ForInitializer::Declaration(declaration) => self.local_declaration(declaration, &mut first)?,
            ForInitializer::StaticAssert(assertion) => self.static_assert(assertion)?,
        }
        let condition = match &node.condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match &node.step {
            Some(step) => Some(self.value(step)?),
            None => None,
        };
        Ok(StmtKind::For(first, condition, step, self.enclosed(Enclosing::Loop, &node.statement)?))
    }

    fn switch(&mut self, expression: &Node<Expression>, statement: &Node<Statement>) -> R<StmtKind> {
        let value = self.value(expression)?;
        let value = self.promote(value);
        let ty = match &value.ty {
            Type::Int(ty) => Some(*ty),
            Type::Opaque(_) => None,
            _ => return self.invalid(value.span, "the switch quantity is not an integer"),
        };
        if let Some(body) = &mut self.body {
            body.switches.push(Switch { ty, cases: Vec::new(), default: false });
        }
        let result = self.enclosed(Enclosing::Switch, statement);
        let cases = self.body.as_mut().and_then(|body| body.switches.pop()).map_or(Vec::new(), |switch| switch.cases);
        let statement = result?;
        self.distinct_cases(cases)?;
        Ok(StmtKind::Switch(value, statement))
    }

    fn distinct_cases(&self, mut cases: Vec<(i128, i128, Span)>) -> R<()> {
        cases.sort();
        for pair in cases.windows(2) {
            if pair[1].0 <= pair[0].1 {
                return self.invalid(pair[1].2.max(pair[0].2), format!("duplicate case value {}", pair[1].0));
            }
        }
        Ok(())
    }

    fn labeled(&mut self, labeled: &LabeledStatement, span: Span, out: &mut Vec<Stmt>) -> R<()> {
        let kind = match &labeled.label.node {
            Label::Identifier(name) => {
                let name = name.node.name.as_str();
                if name.starts_with("__CPROVER_ASYNC") {
                    return self.asynchronous(labeled, span, out);
                }
                let Some(body) = &mut self.body else { return self.invalid(span, "a label outside a function") };
                let id = body.label(name, span);
                let label = &mut body.labels[id.0 as usize];
                if std::mem::replace(&mut label.defined, true) {
                    return self.invalid(span, format!("duplicate label `{name}`"));
                }
                StmtKind::Label(id)
            }
            Label::Case(value) => {
                let value = self.case_value(value, span)?;
                self.enter_case(value, value, span)?
            }
            Label::CaseRange(range) => {
                let low = self.case_value(&range.node.low, span)?;
                let high = self.case_value(&range.node.high, span)?;
                self.enter_case(low, high, span)?
            }
            Label::Default => {
                let before = match self.body.as_mut().and_then(|body| body.switches.last_mut()) {
                    None => return self.invalid(span, "`default` label not within a switch statement"),
                    Some(switch) => std::mem::replace(&mut switch.default, true),
                };
                if before {
                    return self.invalid(span, "multiple default labels in one switch");
                }
                StmtKind::Default
            }
        };
        out.push(Stmt { kind, span });
        self.statement(&labeled.statement, out)
    }

    /// CBMC's way to start a thread: it runs the labelled statement.
    fn asynchronous(&mut self, labeled: &LabeledStatement, span: Span, out: &mut Vec<Stmt>) -> R<()> {
        let mut items = Vec::new();
        self.statement(&labeled.statement, &mut items)?;
        let body = Stmt { kind: StmtKind::Block(items), span: self.at(labeled.statement.span) };
        out.push(Stmt { kind: StmtKind::Async(body.into()), span });
        Ok(())
    }

    fn case_value(&mut self, node: &Node<Expression>, span: Span) -> R<i128> {
        let value = self.value(node)?;
        let Some(switch) = self.body.as_ref().and_then(|body| body.switches.last()) else {
            return self.invalid(span, "case label not within a switch statement");
        };
        let ty = switch.ty.unwrap_or(INT);
        match (&value.ty, const_value(&value)) {
            (Type::Int(_), Some(constant)) => Ok(ty.wrap(constant)),
            _ => self.invalid(span, "a case label does not reduce to an integer constant"),
        }
    }

    fn enter_case(&mut self, low: i128, high: i128, span: Span) -> R<StmtKind> {
        // gcc warns about an empty range; it labels nothing.
        if low <= high
            && let Some(switch) = self.body.as_mut().and_then(|body| body.switches.last_mut())
        {
            switch.cases.push((low, high, span));
        }
        Ok(if low <= high { StmtKind::Case(low, high) } else { StmtKind::Empty })
    }

    fn return_statement(&mut self, node: Option<&Node<Expression>>, span: Span, out: &mut Vec<Stmt>) -> R<()> {
        let result = self.body.as_ref().map_or(Type::Void, |body| body.result.clone());
        let value: Option<Expr> = match node {
            None => None,
            Some(node) => {
                let value = self.value(node)?;
                if result == Type::Void {
                    // gcc merely warns: the value is computed and dropped.
                    let dropped = if opaque(&value).is_some() { value } else { cast(value, Type::Void) };
                    let first = Stmt { span: dropped.span, kind: StmtKind::Expr(dropped) };
                    let second = Stmt { kind: StmtKind::Return(None), span };
                    out.push(Stmt { kind: StmtKind::Block(vec![first, second]), span });
                    return Ok(());
                }
                Some(self.convert(value, &result, Purpose::Return)?)
            }
        };
        out.push(Stmt { kind: StmtKind::Return(value), span });
        Ok(())
    }
}
