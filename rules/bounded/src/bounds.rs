//! What a search is confined to, and how it goes about it.

use std::sync::Arc;

use program::Term;

use crate::gather::Gathered;
use crate::solve::Solve;

/// What a run may do to be looked at. `None` is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Deviations from the [`Schedule`]: for the usual one, switches away from a thread that could have gone on. A thread whose
    /// every step would leave the state as it is waits: to leave it costs nothing.
    pub preemptions: Option<u32>,
    /// Switches from one thread to another, whatever the reason.
    pub contexts: Option<u32>,
    /// How often a thread goes back to the head of a loop, for each loop.
    pub unwind: Option<u32>,
    /// Steps of a run.
    pub steps: Option<u32>,
    /// States that are kept.
    pub states: usize,
    /// Memory for the states that are kept, about, in bytes.
    pub bytes: usize,
    /// Values tried for a choice among more than so many.
    pub samples: usize,
    /// Which threads may take their first step.
    pub fresh: Fresh,
    /// What costs a preemption.
    pub schedule: Schedule,
}

/// Who goes on unless a preemption is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The thread that moved last, as long as it can; then anyone.
    #[default]
    Stay,
    /// The thread that moved last, until it goes back to the head of a loop or cannot go on; then the next in turn that can.
    Turns,
}

/// Which of the threads that have not moved yet may take their first step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fresh {
    /// Any.
    #[default]
    Any,
    /// Of those that run the same function, the first that can.
    First,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            preemptions: None,
            contexts: None,
            unwind: None,
            steps: None,
            states: 10_000_000,
            bytes: 2 << 30,
            samples: 8,
            fresh: Fresh::Any,
            schedule: Schedule::Stay,
        }
    }
}

/// More preemptions or switches than this are not counted.
const MOST: u32 = u16::MAX as u32 - 1;

impl Bounds {
    /// The bounds that a search keeps: none on preemptions or switches is beyond what can be counted.
    pub(crate) fn kept(&self) -> Bounds {
        let counted = |bound: Option<u32>| bound.map(|bound| bound.min(MOST));
        let (preemptions, contexts) = (counted(self.preemptions), counted(self.contexts));
        Bounds { preemptions, contexts, ..self.clone() }
    }
}

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each run to its end before the next.
    #[default]
    DepthFirst,
    /// Shorter runs before longer ones: the run found is a shortest one.
    BreadthFirst,
}

/// How states that were visited are recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hashing {
    /// By their contents.
    #[default]
    Exact,
    /// By two of 2^n bits: states may be taken for others and missed.
    Bitstate(u32),
}

/// Which interleavings are left out because others have the same effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// None.
    None,
    /// A thread is not interrupted before a step that touches only what no other thread may still touch [S].
    #[default]
    Supersteps,
    /// The same, and of two steps that do not touch the same, in a row, only one order is followed (sleep sets): all states are
    /// visited, by fewer steps. Only where switches cost nothing, depth first, with up to 64 threads; else as `Supersteps`.
    SleepSets,
}

/// How a search goes about it.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// In which order.
    pub order: Order,
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// How states are recognised.
    pub hashing: Hashing,
    /// States that agree on these terms, and on where all threads are, are taken for the same: the user's data abstraction [S].
    pub observe: Option<Vec<Term>>,
    /// The values of these terms are collected where no thread can move.
    pub finals: Vec<Term>,
    /// Errors do not end a search: what is violated is noted here, and where runs end; the last claim that was left ends it.
    pub gather: Option<Arc<Gathered>>,
    /// Finds values for inputs where conditions do not name them.
    pub solver: Option<Arc<dyn Solve>>,
}
