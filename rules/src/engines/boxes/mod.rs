//! A search over boxes: where every thread is, with bounds for variables. No abstraction is refined; the boxes are those that the
//! program's own steps make of its initial states.
//!
//! Programs with few states, or with few that are not below others, are proved like this although no small predicates prove them.
//! The proof is one for the monolithic rule, and is checked like any other; a box with an error gives a schedule to be executed.

mod needs;
mod post;
mod search;
mod value;

pub use value::{Held, evaluate};

use check::{Certificate, Proof, Replayed, replay};
use program::Program;
use smt::interruptible;

use crate::engine::Engine;
use crate::engines::boxes::needs::{Needs, Sides};
use crate::engines::boxes::search::{End, Search};
use crate::evidence::confirm;
use crate::options::{Options, Outcome, Reason, Statistics, Verdict};
use crate::refine::path::{Feasibility, Symbolic};
use crate::system::{StepId, System};

/// Boxes that the engine is given first, and by how many times more it is given next.
const FIRST: usize = 4_000;
const MORE: usize = 4;

/// Proves the program with boxes alone, ever more of them, or finds a run to its error.
pub fn decide(program: &Program, options: &Options) -> Outcome {
    interruptible(&options.cancel, || {
        let start = (options.clock)();
        let system = System::new(program);
        let (mut limit, mut states) = (FIRST.min(options.states), 0);
        let verdict = loop {
            match search(&system, limit, options, &mut states) {
                Ok(verdict) => break verdict,
                Err(_) if options.cancel.is_cancelled() => break Verdict::Unknown(Reason::Cancelled),
                Err(Failure::NoEvidence) => {
                    break Verdict::Unknown(Reason::Stuck(
                        "what the boxes show has no evidence: an error without a run, or a proof that was refused"
                            .into(),
                    ));
                }
                Err(Failure::Limit) if limit >= options.states => break Verdict::Unknown(Reason::States(limit)),
                Err(Failure::Limit) => limit = (limit * MORE).min(options.states),
            }
        };
        let reach_time = (options.clock)().saturating_sub(start);
        Outcome {
            verdict,
            found_by: Engine::Boxes,
            statistics: Statistics { states, reach_time, ..Statistics::default() },
        }
    })
}

/// Why boxes show nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There would be more of them than allowed.
    Limit,
    /// They show something for which there is no evidence.
    NoEvidence,
}

/// A proof or a run that at most `limit` boxes show. Says how many there were in the end.
pub fn search(system: &System<'_>, limit: usize, options: &Options, made: &mut usize) -> Result<Verdict, Failure> {
    let apart = Needs::of(system.program, Sides::Apart);
    if apart.are_apart()
        && let Ok(verdict) = by_needs(system, apart, limit, options, made)
    {
        return Ok(verdict);
    }
    by_needs(system, Needs::of(system.program, Sides::Together), limit, options, made)
}

fn by_needs(
    system: &System<'_>,
    needs: Needs,
    limit: usize,
    options: &Options,
    made: &mut usize,
) -> Result<Verdict, Failure> {
    let mut search = Search::new(system, needs);
    let end = search.run(limit, &options.cancel);
    *made = search.len();
    log::debug!("boxes: {} of them, {}", search.len(), end.name());
    match end {
        End::Closed => proof(system, search.certificate(), options).map(Verdict::Safe).ok_or(Failure::NoEvidence),
        End::Error(steps) => run(system, &steps).map(Verdict::Unsafe).ok_or(Failure::NoEvidence),
        End::Stopped => Err(Failure::Limit),
    }
}

fn proof(system: &System<'_>, certificate: Certificate, options: &Options) -> Option<Proof> {
    let checked = confirm(system.program, certificate, options);
    if let Err(rejection) = &checked {
        log::debug!("boxes: {rejection}");
    }
    checked.ok()
}

/// The run that takes these steps.
fn run(system: &System<'_>, steps: &[StepId]) -> Option<Replayed> {
    let end = steps.iter().try_fold(Symbolic::initial(system), |state, step| state.after(system, *step))?;
    let conflicts = system.program.conflicts().iter().filter_map(|conflict| end.in_conflict(conflict));
    let errors = end.is_error(system).then(|| end.clone()).into_iter().chain(conflicts);
    errors.map(|state| state.concretise()).find_map(|found| match found {
        Feasibility::Trace(trace) => replay(system.program, trace).ok(),
        _ => None,
    })
}
