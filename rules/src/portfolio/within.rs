//! The search for errors within bounds: with the threads that there are, or with more and more of those created without bound.

use std::sync::Arc;

use bounded::{Bounds, Deepening, Progress, Search, Solve};
use program::{Population, Program};

use super::schedule::{BOUNDED_STATES, CERTIFIED_STATES, CREATED, INSTANCES, MOVING};
use super::{Found, Task};
use crate::engine::Engine;
use crate::engines::explicit::{self, prove_by_states};
use crate::engines::values::Values;
use crate::options::{Options, Outcome, Reason, Statistics, Verdict};

/// What is looked at.
pub struct Within<'w> {
    /// The bounds; those that are not given are raised step by step if none is.
    pub bounds: Option<Bounds>,
    /// How to go about it.
    pub search: Search,
    /// Hears how far the search has come.
    pub report: &'w (dyn Fn(&Progress) + Sync),
}

/// Looks for a run to an error.
pub fn look(task: &Task<'_>, within: &Within<'_>, options: &Options) -> Found {
    let found = if task.program.templates().is_empty() {
        let outcome = within.look(task.program, Deepening::default().limit, options);
        let outcome = certified(task.program, outcome, options);
        Found::new(task.program.clone(), Population::Each, outcome)
    } else {
        with_instances(task, within, options)
    };
    Found { unasked: task.unasked.clone(), ..found.with(task.templating) }
}

/// A search that hit no bound is a proof where all states are so few that they can be checked.
fn certified(program: &Program, outcome: Outcome, options: &Options) -> Outcome {
    let is_exhaustive = matches!(outcome.verdict, Verdict::Unknown(Reason::Exhausted));
    match is_exhaustive.then(|| prove_by_states(program, CERTIFIED_STATES, options)).flatten() {
        Some(proof) => Outcome { verdict: Verdict::Safe(proof), ..outcome },
        None => outcome,
    }
}

/// The same with 1, 2, 3 .. of the threads that are created without bound, with many, with some that move among many that never do, and
/// again with more states.
fn with_instances(task: &Task<'_>, within: &Within<'_>, options: &Options) -> Found {
    let mut last = Found::new(task.program.clone(), Population::Templates, undecided(Reason::Cancelled));
    for states in BOUNDED_STATES {
        let bounded = (1..=INSTANCES).chain([CREATED]).map(Population::Bounded);
        for population in bounded.chain((1..=MOVING).map(Population::Sparse)) {
            let Some(program) = (task.lower)(&task.unasked, population, task.templating) else { continue };
            if options.cancel.is_cancelled() {
                return last;
            }
            let mut outcome = within.look(&program, states, options);
            if let Verdict::Unknown(reason) = &mut outcome.verdict {
                let instances = population.moving().unwrap_or(0);
                let created = match population {
                    Population::Sparse(_) => {
                        format!("up to {instances} moving of the threads that are created without bound")
                    }
                    _ => format!("up to {instances} of the threads that are created without bound"),
                };
                *reason = match &*reason {
                    Reason::Exhausted => Reason::Covered(format!("no error with {created}")),
                    other => Reason::Covered(format!("{other}, {created}")),
                };
            }
            last = Found::new(program, population, outcome);
            if matches!(last.outcome.verdict, Verdict::Unsafe(_)) {
                return last;
            }
        }
    }
    last
}

impl Within<'_> {
    fn look(&self, program: &Program, states: usize, options: &Options) -> Outcome {
        let cancel = || options.cancel.is_cancelled();
        let observe = Some(program.observed().to_vec()).filter(|terms| !terms.is_empty());
        let solver: Option<Arc<dyn Solve>> = Some(Arc::new(Values::new(&options.cancel)));
        let search = Search { observe, solver, ..self.search.clone() };
        let workers = options.workers;
        let searched = match &self.bounds {
            Some(bounds) => bounded::climb(program, bounds, &search, workers, &cancel, self.report),
            None => {
                let deepening = Deepening { search, limit: states, workers, ..Deepening::default() };
                bounded::deepen(program, &deepening, &cancel, self.report)
            }
        };
        explicit::outcome(program, searched)
    }
}

fn undecided(reason: Reason) -> Outcome {
    Outcome { verdict: Verdict::Unknown(reason), found_by: Engine::Explicit, statistics: Statistics::default() }
}
