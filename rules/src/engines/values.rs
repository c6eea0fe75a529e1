//! Values for executions where conditions do not name them: Z3 is asked.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bounded::Solve;
use program::{IntType, Sort, Term, Value, VarId};
use smt::{Answer, Cancel, Solver, interruptible};

/// Resources of a question: some tenths of a second.
const LIMIT: u32 = 1_000_000;

/// Asks Z3, each question once.
#[derive(Debug)]
pub struct Values {
    cancel: Cancel,
    known: Mutex<HashMap<Vec<Term>, Option<Vec<i128>>>>,
}

impl Values {
    /// Questions that end when the run does.
    pub fn new(cancel: &Cancel) -> Values {
        Values { cancel: cancel.clone(), known: Mutex::default() }
    }

    fn ask(&self, conditions: &[Term], unknowns: &[(VarId, IntType)]) -> Option<Vec<i128>> {
        let vars: Vec<(VarId, Sort)> = unknowns.iter().map(|(var, _)| (*var, Sort::Int)).collect();
        // A solver of its own for each: what another question taught it may change the answer.
        let (answer, model) = interruptible(&self.cancel, || Solver::new(LIMIT).model(conditions, &vars));
        let value = |var: &VarId| match model.get(var) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        };
        (answer == Answer::Sat).then(|| vars.iter().map(|(var, _)| value(var)).collect()).flatten()
    }
}

impl Solve for Values {
    fn solve(&self, conditions: &[Term], unknowns: &[(VarId, IntType)]) -> Option<Vec<i128>> {
        let within = |(var, ty): &(VarId, IntType)| {
            let term = Term::var(*var, Sort::Int);
            [Term::int(ty.least()).le(term), term.le(Term::int(ty.greatest()))]
        };
        let question: Vec<Term> = conditions.iter().copied().chain(unknowns.iter().flat_map(within)).collect();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(values) = known().get(&question) {
            return values.clone();
        }
        let values = self.ask(&question, unknowns);
        known().insert(question, values.clone());
        values
    }
}
