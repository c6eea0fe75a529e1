//! A search for a run by execution, with bounds that are raised step by step. It proves nothing when it finds nothing.

use bounded::{Deepening, Outcome, deepen};
use check::Replayed;
use program::Program;
use smt::Cancel;

use crate::options::Statistics;

/// What a search came to.
pub enum Searched {
    /// A run that violates a claim, and what it cost.
    Found(Box<(Replayed, Statistics)>),
    /// All runs were looked at: there is no need to look again.
    Everything,
    /// Some were.
    Part,
}

/// A run that violates a claim, and what it cost, found by searches that keep so many states each, at most.
pub fn find_run(program: &Program, states: usize, cancel: &Cancel) -> Option<(Replayed, Statistics)> {
    match look(program, states, cancel) {
        Searched::Found(found) => Some(*found),
        Searched::Everything | Searched::Part => None,
    }
}

/// Looks for a run that violates a claim by searches that keep so many states each, at most.
pub fn look(program: &Program, states: usize, cancel: &Cancel) -> Searched {
    let usual = Deepening::default();
    let deepening = Deepening { states: usual.states.min(states), limit: states, ..usual };
    match deepen(program, &deepening, &|| cancel.is_cancelled(), &|_| ()) {
        Outcome::Error(run, coverage) => {
            let (states, steps) = (coverage.states, coverage.steps);
            Searched::Found(Box::new((*run, Statistics { states, steps, ..Statistics::default() })))
        }
        Outcome::Covered(coverage) if coverage.is_exhaustive() => Searched::Everything,
        Outcome::Covered(_) => Searched::Part,
    }
}
