//! A search for a run by execution, with bounds that are raised step by step. What it does not find
//! it does not exclude, unless all states are few.

use bounded::{Bounds, Deepening, Fresh, Search, deepen, search, states};
use check::{Certificate, Invariant, Proof, Replayed};
use program::{Program, Term};
use smt::{Cancel, interruptible};

use crate::cubes::joined;
use crate::engine::Engine;
use crate::evidence::confirm;
use crate::options::{Options, Outcome, Reason, Statistics, Verdict};

/// Looks for a run that violates a claim, with bounds that are raised until every state was met, or as many as are allowed.
pub fn decide(program: &Program, options: &Options) -> Outcome {
    let deepening = Deepening { limit: options.states, workers: options.workers, ..Deepening::default() };
    outcome(program, deepen(program, &deepening, &|| options.cancel.is_cancelled(), &|_| ()))
}

/// What a search within bounds has shown.
pub fn outcome(program: &Program, searched: bounded::Outcome) -> Outcome {
    let (verdict, coverage) = match searched {
        bounded::Outcome::Error(run, coverage) => (Verdict::Unsafe(*run), coverage),
        bounded::Outcome::Covered(coverage) if coverage.is_exhaustive() => {
            (Verdict::Unknown(Reason::Exhausted), coverage)
        }
        bounded::Outcome::Covered(coverage) => {
            (Verdict::Unknown(Reason::Covered(coverage.statement(program))), coverage)
        }
    };
    let statistics = Statistics { states: coverage.states, steps: coverage.steps, ..Statistics::default() };
    Outcome { verdict, found_by: Engine::Explicit, statistics }
}

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

/// The same with one search for each number of preemptions, in which threads of one function start in one order: for runs that are
/// long, but not involved.
pub fn find_long_run(
    program: &Program,
    preemptions: u32,
    states: usize,
    cancel: &Cancel,
) -> Option<(Replayed, Statistics)> {
    (0..=preemptions).find_map(|preemptions| {
        let bounds = Bounds { preemptions: Some(preemptions), fresh: Fresh::First, states, ..Bounds::default() };
        match search(program, &bounds, &Search::default(), &|| cancel.is_cancelled(), &|_| ()) {
            bounded::Outcome::Error(run, coverage) => {
                let (states, steps) = (coverage.states, coverage.steps);
                Some((*run, Statistics { states, steps, ..Statistics::default() }))
            }
            bounded::Outcome::Covered(_) => None,
        }
    })
}

/// A proof of a program that has so few states, at most: all of them, for the monolithic rule.
pub fn prove_by_states(program: &Program, limit: usize, options: &Options) -> Option<Proof> {
    interruptible(&options.cancel, || {
        let states = states(program, limit, &|| options.cancel.is_cancelled())?;
        let whole = |cubes: Vec<Vec<Term>>| Term::or(joined(cubes).into_iter().map(Term::and));
        let at = states.into_iter().map(|(place, cubes)| (place, whole(cubes))).collect();
        let threads = program.threads().map(|(id, _)| id).collect();
        let checked = confirm(program, Certificate::Monolithic(Invariant { threads, at }), options);
        checked.inspect_err(|rejection| log::debug!("explicit: {rejection}")).ok()
    })
}

/// Looks for a run that violates a claim by searches that keep so many states each, at most.
pub fn look(program: &Program, states: usize, cancel: &Cancel) -> Searched {
    let usual = Deepening::default();
    let deepening = Deepening { states: usual.states.min(states), limit: states, ..usual };
    match deepen(program, &deepening, &|| cancel.is_cancelled(), &|_| ()) {
        bounded::Outcome::Error(run, coverage) => {
            let (states, steps) = (coverage.states, coverage.steps);
            Searched::Found(Box::new((*run, Statistics { states, steps, ..Statistics::default() })))
        }
        bounded::Outcome::Covered(coverage) if coverage.is_exhaustive() => Searched::Everything,
        bounded::Outcome::Covered(_) => Searched::Part,
    }
}
