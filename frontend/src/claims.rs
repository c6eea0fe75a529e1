//! What a text claims: its assertions, calls of error functions, and error labels, whether or not control comes there; and that what
//! it does is defined, as far as that is asked for.

use std::collections::{BTreeMap, BTreeSet};

use program::{Claim, ClaimId, Program, Property, Span, UbKind};

use crate::finish::Contest;
use crate::hir::{Callee, Expr, ExprKind, Function, FunctionId, LabelId, Stmt, StmtKind, Unit};
use crate::hir_walk::{Visitor, walk_stmt};
use crate::lower::Config;

/// All claims of a text, but those that are not asked for. Bodies of error functions claim nothing.
pub(crate) fn claims(unit: &Unit, config: &Config) -> Vec<Claim> {
    let mut found = BTreeMap::new();
    for function in unit.functions.iter().filter(|f| !config.error_functions.contains(&f.name)) {
        let mut search = Search { unit, config, function, found: &mut found };
        function.body.iter().for_each(|body| walk_stmt(body, &mut search));
    }
    let main = unit.function("main").filter(|_| config.ends_with_main()).map(|id| &unit.functions[id.0 as usize]);
    if let Some(function) = main.filter(|main| main.body.is_some()) {
        let what = crate::visits::END_OF_MAIN.to_string();
        Search { unit, config, function, found: &mut found }.reached(function.span, what);
    }
    found.into_values().filter(|claim| !config.unasked.contains(&claim.id)).collect()
}

/// The program with the claims of its text; what it claims beyond them is a call of which only the place is known.
pub(crate) fn with_claims(program: Program, mut claims: Vec<Claim>) -> Result<Program, program::Malformed> {
    let known: BTreeSet<ClaimId> = claims.iter().map(|claim| claim.id).collect();
    let others = program.claims().iter().filter(|claim| !known.contains(&claim.id));
    let called = |claim: &Claim| {
        let what = String::from("call of an error function");
        Claim { violation: what.clone(), what, ..claim.clone() }
    };
    claims.extend(others.map(called));
    program.with_claims(claims)
}

/// A step that may be undefined in a way that the program claims it is not, if that is asked for.
pub(crate) fn asked(kind: UbKind, span: Span, config: &Config) -> Option<ClaimId> {
    let property = Property::forbidding(kind).filter(|property| config.asks(*property))?;
    let id = ClaimId::new(property, span);
    (!config.unasked.contains(&id)).then_some(id)
}

/// That a step is not undefined in such a way.
pub(crate) fn defined(id: ClaimId, kind: UbKind, unit: &Unit) -> Claim {
    Claim { id, what: format!("no {kind}"), violation: kind.to_string(), function: function_at(id.span, unit) }
}

/// That two accesses are never about to be made at once.
pub(crate) fn apart(id: ClaimId, program: &Program, contests: &BTreeMap<Span, Contest>, unit: &Unit) -> Claim {
    // What is only looked at because it may have been freed has no other name.
    let told = |span: Span| contests.get(&span).map_or(("access", "a block"), |c| (c.kind.as_str(), c.name.as_str()));
    let ((one, name), other) = (told(id.span), id.other.unwrap_or(id.span));
    let pair = format!("{one} of {name} here and {} at {}", told(other).0, program.place(other));
    let function = function_at(id.span, unit);
    Claim { id, what: format!("no data race: {pair}"), violation: format!("data race: {pair}"), function }
}

/// That the threads do not deadlock.
pub(crate) fn goes_on(id: ClaimId, unit: &Unit) -> Claim {
    let (what, violation) = ("no deadlock".into(), "deadlock".into());
    Claim { id, what, violation, function: function_at(id.span, unit) }
}

/// The function of the text that a place is in.
fn function_at(span: Span, unit: &Unit) -> String {
    let before = |function: &&Function| function.span.file == span.file && function.span <= span;
    let function = unit.functions.iter().filter(before).max_by_key(|function| function.span);
    function.map_or_else(String::new, |function| function.name.clone())
}

/// A walk that finds the claims which control comes to unless something stops it before: what follows another decision is not among
/// them.
pub(crate) struct Straight<'a> {
    unit: &'a Unit,
    config: &'a Config,
    /// The function that the text walked over is part of.
    function: Option<FunctionId>,
    called: BTreeSet<FunctionId>,
    gone_to: BTreeSet<LabelId>,
    pub(crate) found: Vec<Span>,
}

impl<'a> Straight<'a> {
    pub(crate) fn new(unit: &'a Unit, config: &'a Config, function: Option<FunctionId>) -> Straight<'a> {
        let (called, gone_to, found) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        Straight { unit, config, function, called, gone_to, found }
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Goto(label) if self.gone_to.insert(*label) => {
                let function = self.function.map(|id| &self.unit.functions[id.0 as usize]);
                let body = function.and_then(|function| function.body.as_ref());
                body.and_then(|body| after(body, *label)).into_iter().flatten().for_each(|next| self.stmt(next));
            }
            StmtKind::Block(items) => items.iter().for_each(|item| self.stmt(item)),
            _ => {}
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Cast(inner) => self.expr(inner),
            ExprKind::Comma(a, b) => [a, b].into_iter().for_each(|part| self.expr(part)),
            ExprKind::Block(items) => items.iter().for_each(|item| self.stmt(item)),
            ExprKind::Call(Callee::Function(id), _) => {
                let function = &self.unit.functions[id.0 as usize];
                if self.config.error_functions.contains(&function.name) {
                    self.found.push(expr.span);
                } else if let (Some(body), true) = (&function.body, self.called.insert(*id)) {
                    let outer = self.function.replace(*id);
                    self.stmt(body);
                    self.function = outer;
                }
            }
            _ => {}
        }
    }
}

/// What follows a label in its block.
fn after(stmt: &Stmt, label: LabelId) -> Option<&[Stmt]> {
    match &stmt.kind {
        StmtKind::Block(items) => {
            match items.iter().position(|item| matches!(item.kind, StmtKind::Label(id) if id == label)) {
                Some(at) => Some(&items[at + 1..]),
                None => items.iter().find_map(|item| after(item, label)),
            }
        }
        StmtKind::If(_, then, otherwise) => {
            after(then, label).or_else(|| otherwise.as_ref().and_then(|otherwise| after(otherwise, label)))
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For(.., body) | StmtKind::Switch(_, body) => {
            after(body, label)
        }
        _ => None,
    }
}

struct Search<'a> {
    unit: &'a Unit,
    config: &'a Config,
    function: &'a Function,
    found: &'a mut BTreeMap<ClaimId, Claim>,
}

impl Search<'_> {
    fn claim(&mut self, span: Span, what: String, violation: String) {
        let id = ClaimId::new(Property::UnreachCall, span);
        let function = self.function.name.clone();
        self.found.entry(id).or_insert(Claim { id, what, violation, function });
    }

    fn asserted(&mut self, span: Span, text: Option<String>) {
        let what = text.map_or_else(|| "assertion".into(), |text| format!("assertion {text}"));
        self.claim(span, what.clone(), what + " fails");
    }

    fn reached(&mut self, span: Span, what: String) {
        self.claim(span, what.clone(), what);
    }

    /// Whether the function is one without a body, of which the name says what it does.
    fn is_ours(&self, name: &str) -> bool {
        let defined = self.unit.function(name).is_some_and(|id| self.unit.functions[id.0 as usize].body.is_some());
        !defined && self.config.error_functions.contains("__assert_fail")
    }
}

impl Visitor for Search<'_> {
    fn expr(&mut self, expr: &Expr) {
        let ExprKind::Call(Callee::Function(id), arguments) = &expr.kind else { return };
        let name = self.unit.functions[id.0 as usize].name.as_str();
        if self.config.error_functions.contains(name) {
            // What C libraries make of `assert(x == 1)` says so.
            match arguments.first().filter(|_| name.contains("assert")).and_then(literal) {
                Some(text) => self.asserted(expr.span, Some(text)),
                None => self.reached(expr.span, format!("call of {name}")),
            }
        } else if matches!(name, "__VERIFIER_assert" | "__CPROVER_assert" | "assert") && self.is_ours(name) {
            self.asserted(expr.span, None);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let StmtKind::Label(id) = &stmt.kind else { return };
        let label = self.function.labels.get(id.0 as usize);
        if self.config.error_labels && label.is_some_and(|label| label == "ERROR") {
            self.reached(stmt.span, "label ERROR".into());
        }
    }
}

/// The text of a string literal.
fn literal(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Cast(inner) => literal(inner),
        ExprKind::String(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            Some(text.trim_end_matches('\0').to_string())
        }
        _ => None,
    }
}
