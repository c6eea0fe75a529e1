//! What a text claims: its assertions, calls of error functions, and error labels, whether or not control comes there; and that what
//! it does is defined, as far as that is asked for.

use std::collections::{BTreeMap, BTreeSet};

use program::{Claim, ClaimId, Program, Property, Span, UbKind};

use crate::hir::{Callee, Expr, ExprKind, Function, Stmt, StmtKind, Unit};
use crate::hir_walk::{Visitor, walk_stmt};
use crate::lower::Config;

/// All claims of a text, but those that are not asked for. Bodies of error functions claim nothing.
pub(crate) fn claims(unit: &Unit, config: &Config) -> Vec<Claim> {
    let mut found = BTreeMap::new();
    for function in unit.functions.iter().filter(|f| !config.error_functions.contains(&f.name)) {
        let mut search = Search { unit, config, function, found: &mut found };
        function.body.iter().for_each(|body| walk_stmt(body, &mut search));
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
    let id = ClaimId { property, span };
    (!config.unasked.contains(&id)).then_some(id)
}

/// That a step is not undefined in such a way.
pub(crate) fn defined(id: ClaimId, kind: UbKind, unit: &Unit) -> Claim {
    let before = |function: &&Function| function.span.file == id.span.file && function.span <= id.span;
    let function = unit.functions.iter().filter(before).max_by_key(|function| function.span);
    let function = function.map_or_else(String::new, |function| function.name.clone());
    Claim { id, what: format!("no {kind}"), violation: kind.to_string(), function }
}

struct Search<'a> {
    unit: &'a Unit,
    config: &'a Config,
    function: &'a Function,
    found: &'a mut BTreeMap<ClaimId, Claim>,
}

impl Search<'_> {
    fn claim(&mut self, span: Span, what: String, violation: String) {
        let id = ClaimId { property: Property::UnreachCall, span };
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
