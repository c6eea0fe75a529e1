//! The search for errors within bounds: with the threads that there are, or with more and more of those created without bound.

use bounded::{Bounds, Coverage, Deepening, Progress, Search};
use program::{Population, Program};

use super::schedule::{BOUNDED_STATES, INSTANCES};
use super::{Found, Task};
use crate::engine::Engine;
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
        Found::new(task.program.clone(), Population::Each, outcome)
    } else {
        with_instances(task, within, options)
    };
    Found { unasked: task.unasked.clone(), ..found.with(task.templating) }
}

/// The same with 1, 2, 3 .. of the threads that are created without bound, and again with more states.
fn with_instances(task: &Task<'_>, within: &Within<'_>, options: &Options) -> Found {
    let mut last = Found::new(task.program.clone(), Population::Templates, undecided(Reason::Cancelled));
    for states in BOUNDED_STATES {
        for instances in 1..=INSTANCES {
            let population = Population::Bounded(instances);
            let Some(program) = (task.lower)(&task.unasked, population, task.templating) else { continue };
            if options.cancel.is_cancelled() {
                return last;
            }
            let mut outcome = within.look(&program, states, options);
            if let Verdict::Unknown(reason) = &mut outcome.verdict {
                let created = format!("up to {instances} of the threads that are created without bound");
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
        let outcome = match &self.bounds {
            Some(bounds) => bounded::search(program, bounds, &self.search, &cancel, self.report),
            None => {
                let (search, workers) = (self.search.clone(), options.workers);
                let deepening = Deepening { search, limit: states, workers, ..Deepening::default() };
                bounded::deepen(program, &deepening, &cancel, self.report)
            }
        };
        match outcome {
            bounded::Outcome::Error(run, coverage) => outcome_of(Verdict::Unsafe(*run), &coverage),
            bounded::Outcome::Covered(coverage) if coverage.is_exhaustive() => {
                outcome_of(Verdict::Unknown(Reason::Exhausted), &coverage)
            }
            bounded::Outcome::Covered(coverage) => {
                outcome_of(Verdict::Unknown(Reason::Covered(coverage.statement(program))), &coverage)
            }
        }
    }
}

fn outcome_of(verdict: Verdict, coverage: &Coverage) -> Outcome {
    let statistics = Statistics { states: coverage.states, steps: coverage.steps, ..Statistics::default() };
    Outcome { verdict, found_by: Engine::Explicit, statistics }
}

fn undecided(reason: Reason) -> Outcome {
    Outcome { verdict: Verdict::Unknown(reason), found_by: Engine::Explicit, statistics: Statistics::default() }
}
