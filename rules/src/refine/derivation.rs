//! The derivation of an abstract state: everything it was made from, without the abstraction it was found in.

use std::collections::BTreeSet;

use program::LocationId;

use crate::rule::views::ViewId;
use crate::system::StepId;

/// By slot of a view, where its thread is, if that is known.
pub type Places = Vec<Option<LocationId>>;

/// How an item of a derivation was made. Items are meant by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// A state that abstracts the initial ones.
    Initial,
    /// A state after a step of one of its view's threads.
    Step {
        /// From here.
        parent: usize,
        /// Whose.
        slot: usize,
        /// This step.
        step: StepId,
    },
    /// A state after a step of a mover next to its view.
    Interference {
        /// From here.
        parent: usize,
        /// Which of the view's movers.
        mover: usize,
        /// What is known of it, by source.
        sources: Vec<usize>,
        /// The step.
        step: StepId,
    },
    /// An abstract transition of a mover next to a view.
    Transition {
        /// Which of the view's movers.
        mover: usize,
        /// What is known of it, by source.
        sources: Vec<usize>,
        /// The step.
        step: StepId,
    },
    /// A state after an abstract transition.
    Rely {
        /// From here.
        parent: usize,
        /// Which.
        transition: usize,
        /// The step that it abstracts.
        step: StepId,
    },
    /// A state with the view's copies exchanged.
    Symmetric {
        /// From here.
        parent: usize,
        /// Which of the view's symmetries.
        symmetry: usize,
    },
    /// The error that threads are in conflict.
    Encounter {
        /// A state of one, or of all.
        parent: usize,
        /// Those that are none of the view's: which of its movers, and what is known of it, by source.
        others: Vec<(usize, Vec<usize>)>,
        /// Which of the program's conflicts.
        conflict: usize,
        /// By thread of the conflict, which of its ways.
        ways: Vec<usize>,
    },
}

/// An abstract state or transition of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Whose, or next to whom.
    pub view: ViewId,
    /// Where the view's threads are: known of states.
    pub place: Places,
    /// How it was made.
    pub made: Made,
}

impl Item {
    /// Whether it is an abstract transition.
    pub fn is_transition(&self) -> bool {
        matches!(self.made, Made::Transition { .. })
    }
    /// The step that made it.
    pub fn step(&self) -> Option<StepId> {
        match self.made {
            Made::Step { step, .. }
            | Made::Interference { step, .. }
            | Made::Transition { step, .. }
            | Made::Rely { step, .. } => Some(step),
            Made::Initial | Made::Symmetric { .. } | Made::Encounter { .. } => None,
        }
    }
}

/// The items that an error was made from, the error last; each after those it was made from.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The items.
    pub items: Vec<Item>,
}

/// One step on the way to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainStep {
    /// Who does what.
    pub step: StepId,
    /// If it is not one of the view's threads, the state that it was taken from.
    pub source: Option<usize>,
}

impl Derivation {
    /// The steps that occur.
    pub fn steps(&self) -> BTreeSet<StepId> {
        self.items.iter().filter_map(Item::step).collect()
    }

    /// The conflict that the error is, if it is one, and which ways threads are in it.
    pub fn conflict(&self) -> Option<(usize, &[usize])> {
        match &self.items.last()?.made {
            Made::Encounter { conflict, ways, .. } => Some((*conflict, ways)),
            _ => None,
        }
    }

    /// The states that tell of the threads in the conflict which its view did not see.
    pub fn strangers(&self) -> Vec<usize> {
        match self.items.last().map(|item| &item.made) {
            Some(Made::Encounter { others, .. }) => {
                others.iter().filter_map(|(_, sources)| sources.first().copied()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The steps on the error's own chain, in order: those of its view's threads, and those of movers.
    pub fn chain(&self) -> Vec<ChainStep> {
        self.chain_to(self.items.len() - 1)
    }

    /// The steps on a state's own chain.
    pub fn chain_to(&self, mut state: usize) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        loop {
            match &self.items[state].made {
                Made::Initial | Made::Transition { .. } => break,
                Made::Symmetric { parent, .. } | Made::Encounter { parent, .. } => state = *parent,
                Made::Step { parent, step, .. } => {
                    steps.push(ChainStep { step: *step, source: None });
                    state = *parent;
                }
                Made::Interference { parent, sources, step, .. } => {
                    steps.push(ChainStep { step: *step, source: sources.first().copied() });
                    state = *parent;
                }
                Made::Rely { parent, transition, step } => {
                    let source = match &self.items[*transition].made {
                        Made::Transition { sources, .. } => sources.first().copied(),
                        _ => None,
                    };
                    steps.push(ChainStep { step: *step, source });
                    state = *parent;
                }
            }
        }
        steps.reverse();
        steps
    }
}
