//! One search within given bounds.

use check::{Replayed, Trace, replay};
use program::Program;

use crate::bounds::{Bounds, Order, Search};
use crate::coverage::Coverage;
use crate::explorer::{Compiled, Explorer, compile};
use crate::machine::Counting;
use crate::{breadth, depth};

/// How a search ended.
#[derive(Debug)]
pub enum Outcome {
    /// With an error: a run that the checker has replayed.
    Error(Box<Replayed>, Coverage),
    /// Without one.
    Covered(Coverage),
}

impl Outcome {
    /// What was covered; if there is an error, until it was found.
    pub fn coverage(&self) -> &Coverage {
        match self {
            Outcome::Error(_, coverage) | Outcome::Covered(coverage) => coverage,
        }
    }
    /// The run to the error that was found.
    pub fn error(&self) -> Option<&Replayed> {
        match self {
            Outcome::Error(run, _) => Some(run),
            Outcome::Covered(_) => None,
        }
    }
}

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The bounds in force.
    pub bounds: Bounds,
    /// States kept.
    pub states: usize,
    /// Steps executed since it last said so.
    pub steps: u64,
}

/// Asks whether to stop.
pub type Cancel<'c> = &'c (dyn Fn() -> bool + Sync);

/// Hears how far a search has come.
pub type Report<'r> = &'r (dyn Fn(&Progress) + Sync);

/// Looks after a search while it goes on.
pub(crate) struct Watch<'w> {
    cancel: Cancel<'w>,
    report: Report<'w>,
    rounds: u32,
    /// Steps that were reported.
    steps: u64,
}

/// Rounds after which a search looks whether it shall stop, and reports: a power of two each.
const LOOKS: u32 = 1 << 10;
const REPORTS: u32 = 1 << 17;

impl<'w> Watch<'w> {
    pub(crate) fn new(cancel: Cancel<'w>, report: Report<'w>) -> Watch<'w> {
        Watch { cancel, report, rounds: 0, steps: 0 }
    }

    /// Whether somebody asked to stop.
    pub(crate) fn is_over(&mut self, explorer: &Explorer<'_>) -> bool {
        self.rounds = self.rounds.wrapping_add(1);
        if self.rounds.is_multiple_of(REPORTS) {
            let (bounds, states) = (explorer.bounds.clone(), explorer.visited.states());
            let steps = explorer.coverage.steps - std::mem::replace(&mut self.steps, explorer.coverage.steps);
            (self.report)(&Progress { bounds, states, steps });
        }
        (self.rounds == 1 || self.rounds.is_multiple_of(LOOKS)) && (self.cancel)()
    }
}

/// Looks for an error of the program within the bounds.
///
/// The same arguments give the same outcome. Programs in which some threads stand for any number of them are not executed:
/// the coverage says so.
pub fn search(program: &Program, bounds: &Bounds, how: &Search, cancel: Cancel<'_>, report: Report<'_>) -> Outcome {
    let compiled = compile(program, how, Counting::of(bounds));
    within(program, &compiled, bounds, how, cancel, report)
}

/// Looks for an error of a compiled program within the bounds.
pub(crate) fn within(
    program: &Program,
    compiled: &Compiled<'_>,
    bounds: &Bounds,
    how: &Search,
    cancel: Cancel<'_>,
    report: Report<'_>,
) -> Outcome {
    let bounds = &bounds.kept();
    let empty = || Coverage::new(program, bounds, how.hashing, how.observe.is_some());
    let (machine, arrays) = match compiled {
        Ok(compiled) => compiled,
        Err(gap) => {
            let mut coverage = empty();
            coverage.gaps.insert(*gap);
            return Outcome::Covered(coverage);
        }
    };
    let starts_in_error = program.threads().any(|(_, thread)| thread.location(thread.entry).violates().is_some());
    if starts_in_error && let Ok(run) = replay(program, Trace::default()) {
        how.gather.iter().zip(run.violated()).for_each(|(gather, claim)| _ = gather.add(claim, program));
        return Outcome::Error(Box::new(run), empty());
    }
    let mut explorer = Explorer::new(machine, arrays.clone(), bounds, how);
    let mut watch = Watch::new(cancel, report);
    let found = match how.order {
        Order::DepthFirst => depth::search(&mut explorer, &mut watch),
        Order::BreadthFirst => breadth::search(&mut explorer, &mut watch),
    };
    let coverage = explorer.into_coverage();
    how.gather.iter().for_each(|gather| gather.close(&coverage));
    match found {
        Some(run) => Outcome::Error(Box::new(run), coverage),
        None => Outcome::Covered(coverage),
    }
}
