//! What the solution of clauses asks: whether formulas hold together. Most are linear and decided here; Z3, which is started
//! only when it is needed, gets the rest.

use linear::{Decider, Decision};
use program::Term;
use smt::{Answer, Solver};

/// Z3's resource units for one question.
const LIMIT: u32 = 1_000_000;

/// Answers questions of satisfiability.
#[derive(Default)]
pub(crate) struct Questions {
    decider: Decider,
    solver: Option<Solver>,
}

impl Questions {
    /// Whether the conjunction has a model.
    pub(crate) fn check(&mut self, formulas: &[Term]) -> Answer {
        match self.decider.satisfiable(formulas) {
            Some(true) => Answer::Sat,
            Some(false) => Answer::Unsat,
            None => self.solver().check(formulas),
        }
    }

    /// Whether `hard` and all of `soft` have a model; if not, the indices of soft formulas that suffice for the conflict.
    pub(crate) fn core(&mut self, hard: &[Term], soft: &[Term]) -> (Answer, Vec<usize>) {
        match self.decider.core(hard, soft) {
            Some(Decision::Satisfiable) => (Answer::Sat, Vec::new()),
            Some(Decision::Conflict(core)) => (Answer::Unsat, core),
            None => self.solver().core(hard, soft),
        }
    }

    fn solver(&mut self) -> &mut Solver {
        self.solver.get_or_insert_with(|| Solver::new(LIMIT))
    }
}
