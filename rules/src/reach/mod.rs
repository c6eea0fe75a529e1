//! Abstract reachability over views, shared by the rules: a work list of abstract states and of effects, each of which remembers
//! how it was made.
//!
//! R_i is the set of states of view i: a place (where its threads are) and a valuation of the view's predicates. What movers next to
//! a view do to it are effects; how they are found is the rule's ([`crate::rule::effect`]). What is known of a mover are states of other
//! views, of instances as many at a time as a view has threads ([`company`]).
//!
//! What a state leads to, and what an effect makes of it, depends on the two alone. So the front of the work list is looked at by
//! all workers at once ([`steps`], [`meetings`]), who change nothing but the tables of answers; what they found is then added in the
//! order of the list. The result is the same however many workers there are.

mod company;
mod encounters;
mod goals;
mod graph;
mod meetings;
mod replay;
mod state;
mod steps;
pub(crate) mod widest;
mod workers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use abstraction::{Bounds, Engine, Literal, Premises, Valuation};
use program::{ClaimId, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Cancel;

use crate::refine::setting::Setting;
use crate::rule::Environment;
use crate::rule::effect::EffectId;
use crate::rule::views::{Role, ViewId};
use crate::system::{StepId, System};

use encounters::Encounter;
pub(crate) use graph::Graph;
pub(crate) use meetings::{NEVER, Turn};
pub(crate) use replay::survives;
use steps::Move;

/// An abstract state of this reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// How an abstract state was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It abstracts the initial states.
    Initial,
    /// A step of one of the view's threads.
    Step {
        /// From here.
        parent: NodeId,
        /// Whose.
        slot: usize,
        /// This step.
        step: StepId,
    },
    /// A step of a mover next to the view.
    Environment {
        /// From here.
        parent: NodeId,
        /// With this effect.
        effect: EffectId,
    },
    /// The view's copies exchanged.
    Symmetric {
        /// From here.
        parent: NodeId,
        /// Which of the view's symmetries.
        symmetry: usize,
    },
    /// It is the error that this encounter is.
    Encounter(usize),
}

/// How an error is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Failed {
    /// By one thread, by this step if it is its own.
    Alone(Option<StepId>),
    /// By two, in this conflict.
    Together(usize),
}

/// An abstract state.
#[derive(Clone, Debug)]
pub struct AbstractState {
    /// Whose.
    pub view: ViewId,
    /// Where the view's threads are.
    pub place: Vec<LocationId>,
    /// What is known about the view's predicates.
    pub value: Valuation,
    /// The same as premises, with the locations and what is known there whatever the program, sorted.
    pub literals: Vec<Literal>,
    /// The bounds among them.
    pub bounds: Bounds,
    /// The same, ready to be asked.
    premises: Premises,
    /// How it was made.
    pub origin: Origin,
    /// Whether a more general state has taken its place.
    pub covered: bool,
    /// When its steps were taken.
    followed: Turn,
    /// When it began to meet effects.
    turn: Turn,
    /// The number of its place.
    site: usize,
}

/// Why reachability stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every state is expanded: the assertions are inductive.
    Fixpoint,
    /// Errors are reached, one of each step to an error at most.
    Errors(Vec<NodeId>),
    /// The limit on states is reached.
    States,
    /// The limit on entailments put to Z3 is reached.
    SolverQueries,
    /// Someone asked to stop.
    Cancelled,
}

/// When reachability gives up, and how many look at its front.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Abstract states, at most.
    pub states: usize,
    /// Entailments put to Z3, at most.
    pub solver_queries: u64,
    /// Workers.
    pub workers: usize,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

enum Work {
    /// Apply the effects of movers to a state.
    State(NodeId),
    /// Apply a new effect to the states that have met the others.
    Effect(EffectId, usize),
}

/// The work list is taken up in so many parts: while it is short, one item at a time, since what an item finds is followed before
/// the next is taken.
const PARTS: usize = 16;

/// Items taken up at once, at most.
const MOST_AT_ONCE: usize = 256;

/// One abstract reachability computation.
pub struct Reach<'a, 'p> {
    pub(crate) system: &'a System<'p>,
    pub(crate) engine: &'a mut Engine,
    pub(crate) environment: Environment,
    pub(crate) graph: Graph<'a>,
    /// By view and slot.
    roles: Vec<Vec<Vec<Role>>>,
    moves: FxHashMap<(ViewId, usize, LocationId), Arc<[Move]>>,
    prepared: FxHashSet<(StepId, ViewId)>,
    /// States whose own steps are to be taken: before anything else, so that errors are found with as little interference as
    /// possible.
    fresh: VecDeque<NodeId>,
    queue: VecDeque<Work>,
    errors: BTreeMap<(ViewId, Failed), NodeId>,
    encounters: Vec<Encounter>,
    /// Claims about two threads that are not of interest now.
    pub(crate) tolerated: BTreeSet<ClaimId>,
    /// Steps to errors that are not of interest now: they are not taken.
    pub(crate) elsewhere: BTreeSet<StepId>,
    workers: usize,
    turn: Turn,
}

impl<'a, 'p> Reach<'a, 'p> {
    /// A computation that has not started.
    pub fn new(setting: Setting<'a, 'p>, engine: &'a mut Engine, environment: Environment) -> Reach<'a, 'p> {
        let views = setting.views;
        let slots = |view: ViewId| (0..views.view(view).threads.len()).map(|slot| views.roles(view, slot)).collect();
        Reach {
            system: setting.system,
            engine,
            environment,
            graph: Graph::new(setting),
            roles: views.ids().map(slots).collect(),
            moves: FxHashMap::default(),
            prepared: FxHashSet::default(),
            fresh: VecDeque::new(),
            queue: VecDeque::new(),
            errors: BTreeMap::new(),
            encounters: Vec::new(),
            tolerated: BTreeSet::new(),
            elsewhere: BTreeSet::new(),
            workers: 1,
            turn: 0,
        }
    }

    /// Runs until a fixpoint, errors, or a limit. After the first error it goes on for a while, for errors of other steps:
    /// threads that are alike reach theirs soon after one another, and refining all at once saves rounds.
    pub fn run(&mut self, limits: &Limits<'_>) -> Stop {
        self.workers = limits.workers;
        for view in self.graph.views.ids() {
            let state = self.initial(view);
            self.add(state);
        }
        let mut patience = usize::MAX;
        while !self.fresh.is_empty() || !self.queue.is_empty() {
            let states = self.graph.nodes.len();
            if limits.cancel.is_cancelled() {
                return Stop::Cancelled;
            }
            if states > limits.states {
                return Stop::States;
            }
            if self.engine.asked_of_solver() > limits.solver_queries {
                return Stop::SolverQueries;
            }
            if !self.errors.is_empty() {
                patience = patience.min(states + states / 8);
                if states > patience {
                    break;
                }
            }
            if self.fresh.is_empty() {
                let next = (self.queue.len() / PARTS).clamp(1, MOST_AT_ONCE);
                let front: Vec<Work> = self.queue.drain(..next).collect();
                self.meet(&front);
            } else {
                let next = self.fresh.len().min(MOST_AT_ONCE);
                let front: Vec<NodeId> = self.fresh.drain(..next).collect();
                self.take_steps(&front);
            }
        }
        if self.errors.is_empty() {
            self.find_encounters();
        }
        if self.errors.is_empty() { Stop::Fixpoint } else { Stop::Errors(self.errors.values().copied().collect()) }
    }

    /// A state.
    pub fn node(&self, id: NodeId) -> &AbstractState {
        &self.graph.nodes[id.0]
    }
}
