//! A search for a run by execution, with bounds that are raised step by step. It proves nothing when it finds nothing.

use bounded::{Deepening, Outcome, deepen};
use check::Replayed;
use program::Program;
use smt::Cancel;

use crate::options::Statistics;

/// A run that violates a claim, and what it cost, found by searches that keep so many states each, at most.
pub fn find_run(program: &Program, states: usize, cancel: &Cancel) -> Option<(Replayed, Statistics)> {
    let usual = Deepening::default();
    let deepening = Deepening { states: usual.states.min(states), limit: states, ..usual };
    match deepen(program, &deepening, &|| cancel.is_cancelled(), &|_| ()) {
        Outcome::Error(run, coverage) => {
            let (states, steps) = (coverage.states, coverage.steps);
            Some((*run, Statistics { states, steps, ..Statistics::default() }))
        }
        Outcome::Covered(_) => None,
    }
}
