//! Whether C11 promises sequential consistency: to programs without data races whose atomic operations all are `seq_cst`, and whose
//! tries are known to fail for no reason now and then (C11 5.1.2.4; Boehm and Adve, PLDI 2008).

use program::Span;

use crate::hir::{Callee, Expr, ExprKind, Unit};
use crate::hir_walk::{Visitor, walk_stmt};

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What it is.
    pub what: &'static str,
    /// Where it is met first.
    pub span: Span,
}

/// All that stands in the way of a program without data races, each kind where it is met first.
pub(crate) fn obstacles(unit: &Unit, weak_order: Option<Span>) -> Vec<Obstacle> {
    let mut search = Search { unit, found: Vec::new() };
    search.found.extend(weak_order.map(|span| Obstacle { what: "an atomic operation that is not seq_cst", span }));
    for body in unit.functions.iter().filter_map(|function| function.body.as_ref()) {
        walk_stmt(body, &mut search);
    }
    search.found
}

struct Search<'a> {
    unit: &'a Unit,
    found: Vec<Obstacle>,
}

impl Visitor for Search<'_> {
    fn expr(&mut self, expr: &Expr) {
        let ExprKind::Call(Callee::Function(id), _) = &expr.kind else { return };
        let name = self.unit.functions[id.0 as usize].name.as_str();
        let posix = name.starts_with("pthread_") || name.starts_with("sem_");
        let what = match name {
            _ if name.starts_with("__VERIFIER_atomic") || name.starts_with("__CPROVER_atomic") => "an atomic section",
            _ if posix && ["try", "timed", "clock"].iter().any(|part| name.contains(part)) => {
                "a try that fails only for a reason"
            }
            _ => return,
        };
        if !self.found.iter().any(|obstacle| obstacle.what == what) {
            self.found.push(Obstacle { what, span: expr.span });
        }
    }
}
