//! A search for a run among the steps of a derivation: in any order and any number, up to a limit on states.
//!
//! The abstract derivation leaves out steps that its error thread cannot see, and the orders that did not matter to it. If a
//! derivation cannot be refuted in the thread-modular vocabulary, a run made of its steps often exists, and this finds it.

use std::collections::{BTreeSet, HashSet, VecDeque};

use program::Term;
use smt::{Answer, Cancel, Solver};

use crate::refine::path::{Feasibility, Symbolic};
use crate::system::{StepId, System};

/// How many symbolic states are visited at most, and how many conditions are put to the solver.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    /// States.
    pub states: usize,
    /// Solver queries.
    pub queries: usize,
}

/// Breadth first from the initial states, taking the steps of `allowed` only. A run that reaches an error is returned.
pub fn search(
    system: &System<'_>,
    allowed: &BTreeSet<StepId>,
    limits: SearchLimits,
    cancel: &Cancel,
) -> Option<Feasibility> {
    let mut queue = VecDeque::from([Symbolic::initial(system)]);
    let mut seen: HashSet<(Vec<program::LocationId>, Vec<Term>, Vec<Term>)> = HashSet::new();
    let mut solver = Solver::new(1_000_000);
    let mut queries = 0;
    while let Some(state) = queue.pop_front() {
        if seen.len() > limits.states || queries > limits.queries || cancel.is_cancelled() {
            return None;
        }
        for step in allowed {
            let Some(next) = state.after(system, *step) else { continue };
            if next.defined.iter().any(|(term, _, _)| term.as_bool() == Some(false)) {
                continue;
            }
            if !seen.insert(key(&next)) {
                continue;
            }
            if grew(&state, &next) {
                queries += 1;
                let all: Vec<Term> =
                    next.conditions.iter().copied().chain(next.defined.iter().map(|(term, _, _)| *term)).collect();
                if solver.check(&all) != Answer::Sat {
                    continue;
                }
            }
            let conflicts = system.program.conflicts().iter().filter_map(|conflict| next.in_conflict(conflict));
            let run = conflicts.map(|state| state.concretise()).find(|found| matches!(found, Feasibility::Trace(_)));
            if run.is_some() {
                return run;
            }
            if next.is_error(system) {
                if let found @ Feasibility::Trace(_) = next.concretise() {
                    return Some(found);
                }
                continue;
            }
            queue.push_back(next);
        }
    }
    None
}

/// Whether the step required something of the free values beyond their ranges.
fn grew(before: &Symbolic, after: &Symbolic) -> bool {
    let ranges = after.free.len() - before.free.len();
    after.conditions.len() > before.conditions.len() + ranges || after.defined.len() > before.defined.len()
}

fn key(state: &Symbolic) -> (Vec<program::LocationId>, Vec<Term>, Vec<Term>) {
    let mut conditions = state.conditions.clone();
    conditions.extend(state.defined.iter().map(|(term, _, _)| *term));
    (state.locations.clone(), state.values.clone(), conditions)
}
