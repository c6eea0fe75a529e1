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

use crate::boxes::needs::{Needs, Sides};
use crate::boxes::search::{End, Search};
use crate::evidence::confirm;
use crate::options::Options;
use crate::path::{Feasibility, Symbolic};
use crate::system::{StepId, System};

/// What the boxes show.
pub enum Found {
    /// No error.
    Proof(Proof),
    /// An error.
    Run(Replayed),
}

/// A proof or a run that at most `limit` boxes show.
pub fn search(system: &System<'_>, limit: usize, options: &Options) -> Option<Found> {
    let apart = Needs::of(system.program, Sides::Apart);
    let found = if apart.are_apart() { by_needs(system, apart, limit, options) } else { None };
    found.or_else(|| by_needs(system, Needs::of(system.program, Sides::Together), limit, options))
}

fn by_needs(system: &System<'_>, needs: Needs, limit: usize, options: &Options) -> Option<Found> {
    let mut search = Search::new(system, needs);
    let end = search.run(limit, &options.cancel);
    log::debug!("boxes: {} of them, {}", search.len(), end.name());
    match end {
        End::Closed => proof(system, search.certificate(), options).map(Found::Proof),
        End::Error(steps) => run(system, &steps).map(Found::Run),
        End::Stopped => None,
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
    match end.concretise() {
        Feasibility::Trace(trace) => replay(system.program, trace).ok(),
        _ => None,
    }
}
