//! Guesses that are kept as long as they hold [Houdini: Flanagan and Leino, FME 2001].
//!
//! Runs suggest what may be true: linear relations between variables, bounds of variables and of their differences. One abstract state a
//! place keeps those of them that every way there has in common, until no step breaks any. Nothing is refined: what is left is a proof, or
//! too weak. Sums over loops, counters that keep step and bounds that one thread owes to another are proved like this, whatever their
//! constants are; predicates that are learned from one derivation after another would move a constant a loop's round at a time.
//!
//! The proof is one for the monolithic rule, and is checked like any other.

mod candidates;
mod control;
mod fixpoint;

use check::Proof;
use program::Program;
use smt::interruptible;

use crate::engine::Engine;
use crate::engines::houdini::candidates::candidates;
pub use crate::engines::houdini::fixpoint::Limits;
use crate::engines::houdini::fixpoint::{End, Fixpoint};
use crate::evidence::confirm;
use crate::options::{Options, Outcome, Reason, Statistics, Verdict};
use crate::system::System;

/// Proves the program with guesses alone.
pub fn decide(program: &Program, options: &Options) -> Outcome {
    let start = (options.clock)();
    let limits = Limits { places: options.states, queries: u64::MAX, solver_queries: options.solver_queries };
    let (verdict, mut statistics) = match prove(program, &limits, options) {
        (Ok(proof), statistics) => (Verdict::Safe(proof), statistics),
        (Err(_), statistics) if options.cancel.is_cancelled() => (Verdict::Unknown(Reason::Cancelled), statistics),
        (Err(why), statistics) => (Verdict::Unknown(Reason::Stuck(why.into())), statistics),
    };
    statistics.reach_time = (options.clock)().saturating_sub(start);
    Outcome { verdict, found_by: Engine::Houdini, statistics }
}

/// A proof by guesses; or why there is none, and what it took.
pub fn prove(program: &Program, limits: &Limits, options: &Options) -> (Result<Proof, &'static str>, Statistics) {
    interruptible(&options.cancel, || {
        let mut system = System::new(program);
        let steps = system.all_steps();
        for step in steps {
            for condition in 0..system.transition(step).defined.len() {
                system.require(step, condition);
            }
        }
        let guesses = candidates(&system, &options.cancel);
        let mut fixpoint = Fixpoint::new(&system, guesses);
        let end = fixpoint.run(limits, &options.cancel);
        let statistics = fixpoint.statistics();
        log::debug!("houdini: {end:?}, {statistics:?}");
        let proof = match end {
            End::Closed => confirm(program, fixpoint.certificate(), options).map_err(|rejection| {
                log::debug!("houdini: {rejection}");
                "the checker refused the proof"
            }),
            End::Error => Err("what runs have in common does not exclude the error"),
            End::Stopped => Err("there is too much to look at"),
        };
        (proof, statistics)
    })
}
