//! What `threader check` trusts besides the checker itself: implications decided by Z3.

use check::{Entailment, Validity};
use program::Term;
use smt::{Answer, Solver};

/// Z3's resource units for one implication: generous, since a proof is at stake and nothing else waits.
const LIMIT: u32 = 500_000_000;

/// Implications decided by Z3.
pub struct ByZ3(Solver);

impl Default for ByZ3 {
    fn default() -> Self {
        ByZ3(Solver::new(LIMIT))
    }
}

impl Entailment for ByZ3 {
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        let mut formulas = premises.to_vec();
        formulas.push(conclusion.not());
        match self.0.check(&formulas) {
            Answer::Unsat => Validity::Valid,
            Answer::Sat => Validity::Invalid,
            Answer::Unknown => Validity::Unknown,
        }
    }
}
