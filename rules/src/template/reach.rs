//! Abstract reachability over views: a work list of abstract states, each of which remembers how it was made.

use rustc_hash::FxHashMap;
use std::rc::Rc;

use abstraction::{Bounds, Engine, Goals, Literal, Valuation, abstract_state};
use program::{LocationId, Renaming, Term, ThreadId};
use smt::Cancel;

use super::effect::{Effect, EffectId};
use super::views::{Mover, ViewId, Views};
use super::vocabulary::Vocabulary;
use crate::system::{StepId, System};

/// An abstract state of this reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// How movers are seen by views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// By their steps and all that is known of them [T, Eq. 2].
    Direct,
    /// By abstract transitions [T, Eq. 3].
    Transitions,
}

/// How an abstract state was made.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        /// Which of the view's movers.
        mover: usize,
        /// What is known of it, by source.
        sources: Vec<NodeId>,
        /// The step.
        step: StepId,
    },
    /// An abstract transition of a mover.
    Rely {
        /// From here.
        parent: NodeId,
        /// Which.
        effect: EffectId,
    },
    /// The view's copies exchanged.
    Symmetric {
        /// From here.
        parent: NodeId,
        /// Which of the view's symmetries.
        symmetry: usize,
    },
}

/// What a derivation is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A state.
    State(NodeId),
    /// An abstract transition.
    Effect(EffectId),
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
    /// The same as premises, with the locations and axioms, sorted.
    pub literals: Vec<Literal>,
    pub(super) bounds: Bounds,
    /// How it was made.
    pub origin: Origin,
    /// Whether a more general state has taken its place.
    pub covered: bool,
}

/// Why reachability stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The assertions are inductive.
    Fixpoint,
    /// An error is reached.
    Error(NodeId),
    /// The limit on states is reached.
    States,
    /// Someone asked to stop.
    Cancelled,
}

/// One computation.
pub struct Reach<'a, 'p> {
    pub(super) system: &'a System<'p>,
    pub(super) engine: &'a mut Engine,
    pub(super) views: &'a Views,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) environment: Environment,
    pub(super) nodes: Vec<AbstractState>,
    pub(super) effects: Vec<Effect>,
    /// By view and place, the states that no other has taken the place of.
    by_place: FxHashMap<(ViewId, Vec<LocationId>), Vec<NodeId>>,
    /// By view, the places with states that have been followed.
    places: Vec<Vec<Vec<LocationId>>>,
    /// By state, whether it has been followed.
    followed: Vec<bool>,
    goals: FxHashMap<(StepId, ViewId), Rc<Goals>>,
    /// What transition predicates say about a mover's steps.
    pub(super) transition_goals: FxHashMap<(StepId, ViewId, usize), Rc<Goals>>,
    /// What views' predicates become where variables get the values of a number ([`System::number_of`]).
    pub(super) environment_goals: FxHashMap<(ViewId, u32), Rc<Goals>>,
    renamed: FxHashMap<(NodeId, ViewId, usize, usize), Rc<[Literal]>>,
    /// States at which a step leads to nothing new, whatever is known of the mover.
    nowhere: FxHashMap<(NodeId, StepId), Option<Valuation>>,
    error: Option<NodeId>,
}

impl<'a, 'p> Reach<'a, 'p> {
    /// A computation that has not started.
    pub fn new(
        system: &'a System<'p>,
        engine: &'a mut Engine,
        views: &'a Views,
        vocabulary: &'a Vocabulary,
        environment: Environment,
    ) -> Reach<'a, 'p> {
        Reach {
            system,
            engine,
            views,
            vocabulary,
            environment,
            nodes: Vec::new(),
            effects: Vec::new(),
            by_place: FxHashMap::default(),
            places: vec![Vec::new(); views.all.len()],
            followed: Vec::new(),
            goals: FxHashMap::default(),
            transition_goals: FxHashMap::default(),
            environment_goals: FxHashMap::default(),
            renamed: FxHashMap::default(),
            nowhere: FxHashMap::default(),
            error: None,
        }
    }

    /// Runs until a fixpoint, an error, or a limit.
    pub fn run(&mut self, states: usize, cancel: &Cancel) -> Stop {
        for view in self.views.ids() {
            let state = self.initial(view);
            self.add(state);
        }
        let mut next = 0;
        while next < self.nodes.len() {
            if cancel.is_cancelled() {
                return Stop::Cancelled;
            }
            if self.nodes.len() + self.effects.len() > states {
                return Stop::States;
            }
            if let Some(error) = self.error {
                return Stop::Error(error);
            }
            self.follow(NodeId(next));
            next += 1;
        }
        self.error.map_or(Stop::Fixpoint, Stop::Error)
    }

    /// The states that stand for a view's assertion.
    pub fn alive(&self, view: ViewId) -> impl Iterator<Item = &AbstractState> {
        self.nodes.iter().filter(move |state| state.view == view && !state.covered)
    }

    /// A state.
    pub fn node(&self, id: NodeId) -> &AbstractState {
        &self.nodes[id.0]
    }

    /// Everything that a new state makes possible, with itself or with those that have been followed before.
    fn follow(&mut self, id: NodeId) {
        if self.nodes[id.0].covered {
            return;
        }
        self.followed[id.0] = true;
        let (view, place) = (self.nodes[id.0].view, self.nodes[id.0].place.clone());
        if !self.places[view.0].contains(&place) {
            self.places[view.0].push(place.clone());
        }
        for symmetry in 0..self.views.view(view).symmetries.len() {
            let state = self.exchanged(id, symmetry);
            self.add(state);
        }
        for (slot, thread) in self.views.view(view).threads.iter().enumerate() {
            for step in self.system.steps_from(*thread, place[slot]).collect::<Vec<_>>() {
                if let Some(state) = self.step(id, slot, step) {
                    self.add(state);
                }
            }
        }
        match self.environment {
            Environment::Direct => self.interfere(id),
            Environment::Transitions => self.rely(id),
        }
    }

    /// The items that an item was made from.
    pub fn parents(&self, item: Item) -> Vec<Item> {
        let states = |ids: &[NodeId]| ids.iter().copied().map(Item::State).collect::<Vec<_>>();
        match item {
            Item::Effect(id) => states(&self.effects[id.0].sources),
            Item::State(id) => match &self.nodes[id.0].origin {
                Origin::Initial => Vec::new(),
                Origin::Step { parent, .. } | Origin::Symmetric { parent, .. } => states(&[*parent]),
                Origin::Environment { parent, sources, .. } => [states(sources), states(&[*parent])].concat(),
                Origin::Rely { parent, effect } => vec![Item::Effect(*effect), Item::State(*parent)],
            },
        }
    }

    /// What movers make of a state, and what the state as a source lets movers make of others.
    fn interfere(&mut self, id: NodeId) {
        let (views, view) = (self.views, self.nodes[id.0].view);
        for watcher in views.ids() {
            for (mover, what) in views.view(watcher).movers.iter().enumerate() {
                if watcher == view {
                    self.disturb(id, mover, what, None);
                }
                for (role, _) in what.sources.iter().enumerate().filter(|(_, source)| source.view == view) {
                    for node in self.candidates(watcher, &|_, _| true) {
                        // Where the state itself watches, all its companions have been tried already.
                        if node != id {
                            self.disturb(node, mover, what, Some((role, id)));
                        }
                    }
                }
            }
        }
    }

    /// The live states of a view that have been followed, at places that fit.
    pub(super) fn candidates(&self, view: ViewId, fits: &dyn Fn(usize, LocationId) -> bool) -> Vec<NodeId> {
        let mut found = Vec::new();
        for place in &self.places[view.0] {
            if !place.iter().enumerate().all(|(slot, location)| fits(slot, *location)) {
                continue;
            }
            let here = self.by_place.get(&(view, place.clone())).into_iter().flatten();
            found.extend(here.filter(|id| self.followed[id.0]).copied());
        }
        found
    }

    /// What a mover makes of a state: in all ways to know the mover, or in those with a certain state as one of its sources.
    fn disturb(&mut self, watcher: NodeId, mover: usize, what: &Mover, fixed: Option<(usize, NodeId)>) {
        if self.nodes[watcher.0].covered {
            return;
        }
        let place = self.nodes[watcher.0].place.clone();
        if let Some((role, id)) = fixed {
            let source = &what.sources[role];
            let theirs = &self.nodes[id.0].place;
            if source.shared.iter().zip(theirs).any(|(shared, l)| shared.is_some_and(|slot| place[slot] != *l)) {
                return;
            }
        }
        let locations: Vec<LocationId> = match fixed {
            Some((role, id)) => vec![self.nodes[id.0].place[what.sources[role].mover]],
            None => self.system.program.thread(what.thread).locations().map(|(id, _)| id).collect(),
        };
        for location in locations {
            let steps: Vec<StepId> = self.system.steps_from(what.thread, location).collect();
            for step in steps {
                if self.leads_nowhere(watcher, step) {
                    continue;
                }
                let mut chosen = Vec::new();
                self.choose(watcher, mover, what, step, fixed, &mut chosen);
            }
        }
    }

    /// Completes a choice of sources in all ways, and adds what comes of it.
    fn choose(
        &mut self,
        watcher: NodeId,
        mover: usize,
        what: &Mover,
        step: StepId,
        fixed: Option<(usize, NodeId)>,
        chosen: &mut Vec<NodeId>,
    ) {
        let role = chosen.len();
        let Some(source) = what.sources.get(role) else {
            if let Some(state) = self.disturbed(watcher, mover, chosen, step) {
                self.add(state);
            }
            return;
        };
        let options = match fixed {
            Some((r, id)) if r == role => vec![id],
            _ => {
                let place = self.nodes[watcher.0].place.clone();
                let at = self.system.transition(step).source;
                self.candidates(source.view, &|slot, location| match source.shared[slot] {
                    Some(own) => place[own] == location,
                    None => slot != source.mover || location == at,
                })
            }
        };
        for id in options {
            if self.leads_nowhere(watcher, step) {
                return;
            }
            if !self.nodes[watcher.0].covered && !self.nodes[id.0].covered && self.agrees(watcher, mover, role, id) {
                chosen.push(id);
                self.choose(watcher, mover, what, step, fixed, chosen);
                chosen.pop();
            }
        }
    }

    /// Whether a source does not evidently contradict the watcher.
    fn agrees(&mut self, watcher: NodeId, mover: usize, role: usize, id: NodeId) -> bool {
        let literals = self.renamed(self.nodes[watcher.0].view, mover, role, id);
        let bounds = self.engine.bounds(&literals);
        !self.nodes[watcher.0].bounds.contradict(&bounds)
    }

    /// What a source says of a mover next to a view.
    pub(super) fn renamed(&mut self, view: ViewId, mover: usize, role: usize, id: NodeId) -> Rc<[Literal]> {
        let views = self.views;
        let source = &views.view(view).movers[mover].sources[role];
        let key = (id, view, mover, role);
        if let Some(literals) = self.renamed.get(&key) {
            return literals.clone();
        }
        let literals: Rc<[Literal]> = self.rename(&self.nodes[id.0].literals.clone(), &source.renaming).into();
        self.renamed.insert(key, literals.clone());
        literals
    }

    pub(super) fn rename(&mut self, literals: &[Literal], renaming: &Renaming) -> Vec<Literal> {
        let terms: Vec<Term> = literals.iter().map(|l| renaming.term(self.engine.term(*l))).collect();
        let mut renamed: Vec<Literal> = terms.into_iter().map(|term| self.engine.literal(term)).collect();
        renamed.sort_unstable();
        renamed
    }

    /// Whether a mover's step, whenever it could happen, leads from a state to states that are there already.
    fn leads_nowhere(&mut self, id: NodeId, step: StepId) -> bool {
        let view = self.nodes[id.0].view;
        if !self.nowhere.contains_key(&(id, step)) {
            let goals = self.step_goals(step, view);
            let widest = (!goals.is_invisible()).then(|| {
                let state = &self.nodes[id.0];
                let premises = self.engine.premises(state.literals.iter().copied());
                abstract_state(self.engine, &premises, Some(&state.value), &goals)
            });
            self.nowhere.insert((id, step), widest);
        }
        let Some(widest) = &self.nowhere[&(id, step)] else { return true };
        let peers = &self.by_place[&(view, self.nodes[id.0].place.clone())];
        if peers.iter().any(|peer| widest.refines(&self.nodes[peer.0].value)) {
            self.nowhere.insert((id, step), None);
            return true;
        }
        false
    }

    /// The abstract initial state of a view.
    pub(super) fn initial(&mut self, view: ViewId) -> AbstractState {
        let threads = &self.views.view(view).threads;
        let entry = |thread: ThreadId| self.system.program.thread(thread).entry;
        let place: Vec<LocationId> = threads.iter().map(|t| entry(*t)).collect();
        let mut formulas = self.system.initial();
        formulas.extend(self.system.threads().map(|t| self.system.at(t, entry(t))));
        formulas.extend(self.axioms(view, &place));
        let literals: Vec<Literal> = formulas.iter().map(|term| self.engine.literal(*term)).collect();
        let premises = self.engine.premises(literals);
        let goals = Goals::new(self.engine, &self.vocabulary.predicates[view.0], |term| term);
        let value = abstract_state(self.engine, &premises, None, &goals);
        self.state(view, place, value, Origin::Initial)
    }

    /// The abstract state after a step of one of the view's threads, if the step is possible.
    pub(super) fn step(&mut self, id: NodeId, slot: usize, step: StepId) -> Option<AbstractState> {
        let state = self.nodes[id.0].clone();
        let guard = self.guard(step);
        let premises = self.engine.premises(state.literals.iter().copied().chain(guard));
        if !self.engine.satisfiable(&premises) {
            return None;
        }
        let goals = self.step_goals(step, state.view);
        let value = abstract_state(self.engine, &premises, Some(&state.value), &goals);
        let mut place = state.place;
        place[slot] = self.system.transition(step).target;
        Some(self.state(state.view, place, value, Origin::Step { parent: id, slot, step }))
    }

    /// The abstract state after a step of a mover, of which the sources say what is known.
    pub(super) fn disturbed(
        &mut self,
        watcher: NodeId,
        mover: usize,
        sources: &[NodeId],
        step: StepId,
    ) -> Option<AbstractState> {
        let views = self.views;
        let state = self.nodes[watcher.0].clone();
        let what = &views.view(state.view).movers[mover];
        let goals = self.step_goals(step, state.view);
        if goals.is_invisible() {
            return None;
        }
        let mut literals = state.literals.clone();
        for (role, id) in sources.iter().enumerate() {
            literals.extend(self.renamed(state.view, mover, role, *id).iter());
        }
        literals.extend(self.guard(step));
        let mut placed: Vec<(ThreadId, LocationId)> =
            views.view(state.view).threads.iter().copied().zip(state.place.iter().copied()).collect();
        placed.push((what.thread, self.system.transition(step).source));
        let axioms = self.system.program.axioms(&placed);
        literals.extend(axioms.into_iter().map(|term| self.engine.literal(term)).collect::<Vec<_>>());
        literals.sort_unstable();
        literals.dedup();
        let premises = self.engine.premises(literals);
        if !self.engine.satisfiable(&premises) {
            return None;
        }
        let value = abstract_state(self.engine, &premises, Some(&state.value), &goals);
        let origin = Origin::Environment { parent: watcher, mover, sources: sources.to_vec(), step };
        Some(self.state(state.view, state.place, value, origin))
    }

    /// The state with the view's copies exchanged.
    pub(super) fn exchanged(&mut self, id: NodeId, symmetry: usize) -> AbstractState {
        let views = self.views;
        let state = self.nodes[id.0].clone();
        let exchange = &views.view(state.view).symmetries[symmetry];
        let literals = self.rename(&state.literals, &exchange.renaming);
        let premises = self.engine.premises(literals);
        let goals = Goals::new(self.engine, &self.vocabulary.predicates[state.view.0], |term| term);
        let value = abstract_state(self.engine, &premises, None, &goals);
        let mut place = state.place.clone();
        for (slot, to) in exchange.slots.iter().enumerate() {
            place[*to] = state.place[slot];
        }
        self.state(state.view, place, value, Origin::Symmetric { parent: id, symmetry })
    }

    pub(super) fn guard(&mut self, step: StepId) -> Vec<Literal> {
        self.system.guard(step).iter().map(|term| self.engine.literal(*term)).collect()
    }

    /// Whether a view's predicates see nothing of a step.
    pub(super) fn is_invisible(&mut self, step: StepId, view: ViewId) -> bool {
        self.step_goals(step, view).is_invisible()
    }

    fn step_goals(&mut self, step: StepId, view: ViewId) -> Rc<Goals> {
        let (system, vocabulary) = (self.system, self.vocabulary);
        let predicates = &vocabulary.predicates[view.0];
        let engine = &mut *self.engine;
        let make = || Rc::new(Goals::new(engine, predicates, |term| system.before(step, term)));
        self.goals.entry((step, view)).or_insert_with(make).clone()
    }

    fn axioms(&self, view: ViewId, place: &[LocationId]) -> Vec<Term> {
        let threads = self.views.view(view).threads.iter().copied();
        self.system.program.axioms(&threads.zip(place.iter().copied()).collect::<Vec<_>>())
    }

    pub(super) fn state(
        &mut self,
        view: ViewId,
        place: Vec<LocationId>,
        value: Valuation,
        origin: Origin,
    ) -> AbstractState {
        let mut terms = value.literals(&self.vocabulary.predicates[view.0]);
        let located = self.views.view(view).threads.iter().zip(&place);
        terms.extend(located.map(|(thread, location)| self.system.at(*thread, *location)));
        terms.extend(self.axioms(view, &place));
        let mut literals: Vec<Literal> = terms.iter().map(|term| self.engine.literal(*term)).collect();
        literals.sort_unstable();
        literals.dedup();
        let bounds = self.engine.bounds(&literals);
        AbstractState { view, place, value, literals, bounds, origin, covered: false }
    }

    /// Adds a state unless one that is there stands for it already; those it stands for are covered.
    pub(super) fn add(&mut self, state: AbstractState) {
        let peers = self.by_place.entry((state.view, state.place.clone())).or_default();
        if peers.iter().any(|peer| state.value.refines(&self.nodes[peer.0].value)) {
            return;
        }
        let id = NodeId(self.nodes.len());
        for peer in peers.iter() {
            if self.nodes[peer.0].value.refines(&state.value) {
                self.nodes[peer.0].covered = true;
            }
        }
        peers.retain(|peer| !self.nodes[peer.0].covered);
        peers.push(id);
        let threads = &self.views.view(state.view).threads;
        let error = threads.iter().zip(&state.place).any(|(thread, l)| self.system.is_error(*thread, *l));
        if error && self.error.is_none() {
            self.error = Some(id);
        }
        self.nodes.push(state);
        self.followed.push(false);
    }
}
