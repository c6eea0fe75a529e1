//! Abstract reachability over views: a work list of abstract states, each of which remembers how it was made.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

use abstraction::{Bounds, Engine, Goals, Literal, Premises, Valuation, abstract_state};
use program::{LocationId, Renaming, Term, ThreadId};
use smt::Cancel;

use super::effect::{EffectId, Effects};
use super::sites::{SiteId, Sites};
use super::views::{Mover, ViewId, Views};
use super::vocabulary::Vocabulary;
use crate::system::{StepId, System};
use crate::widest::Widest;

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
    /// The same, ready to be asked.
    pub(super) premises: Premises,
    /// How it was made.
    pub origin: Origin,
    /// Whether a more general state has taken its place.
    pub covered: bool,
    followed: bool,
    /// The states at its place; none before it is one of them.
    site: Option<SiteId>,
}

/// What a state says, where others stand in the place of its threads.
pub(super) struct Told {
    pub(super) literals: Vec<Literal>,
    pub(super) bounds: Bounds,
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
    pub(super) effects: Effects,
    sites: Sites,
    goals: FxHashMap<(StepId, ViewId), Rc<Goals>>,
    /// The goals there are: who does the same to a view's predicates has the same.
    interned: FxHashMap<(ViewId, Goals), Rc<Goals>>,
    guards: FxHashMap<StepId, Rc<Told>>,
    renamed: FxHashMap<(NodeId, ViewId, usize, usize), Rc<Told>>,
    /// What writing something makes of a state, whatever is known of who does.
    widest: FxHashMap<(NodeId, *const Goals), Widest>,
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
            effects: Effects::new(views.all.len()),
            sites: Sites::new(views.all.len()),
            goals: FxHashMap::default(),
            interned: FxHashMap::default(),
            guards: FxHashMap::default(),
            renamed: FxHashMap::default(),
            widest: FxHashMap::default(),
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
            if self.nodes.len() + self.effects.all.len() > states {
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
        self.nodes[id.0].followed = true;
        let (view, place) = (self.nodes[id.0].view, self.nodes[id.0].place.clone());
        let site = self.sites.at(view, &place);
        self.sites.visit(view, site);
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
            Item::Effect(id) => states(&self.effects.all[id.0].sources),
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
                    for node in self.candidates(watcher, &|_| true) {
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
    pub(super) fn candidates(&self, view: ViewId, fits: &dyn Fn(&[LocationId]) -> bool) -> Vec<NodeId> {
        self.sites.alive(view, fits).filter(|id| self.nodes[id.0].followed).collect()
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
                if self.step_leads_nowhere(watcher, step) {
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
                self.candidates(source.view, &|theirs| {
                    let shared = source.shared.iter().zip(theirs);
                    theirs[source.mover] == at
                        && shared.into_iter().all(|(own, l)| own.is_none_or(|own| place[own] == *l))
                })
            }
        };
        for id in options {
            if self.step_leads_nowhere(watcher, step) {
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
        let told = self.renamed(self.nodes[watcher.0].view, mover, role, id);
        !self.nodes[watcher.0].bounds.contradict(&told.bounds)
    }

    /// What a source says of a mover next to a view.
    pub(super) fn renamed(&mut self, view: ViewId, mover: usize, role: usize, id: NodeId) -> Rc<Told> {
        let key = (id, view, mover, role);
        if let Some(told) = self.renamed.get(&key) {
            return told.clone();
        }
        let renaming = &self.views.view(view).movers[mover].sources[role].renaming;
        let literals = rename(self.engine, &self.nodes[id.0].literals, renaming);
        let told = Rc::new(Told { bounds: self.engine.bounds(&literals), literals });
        self.renamed.insert(key, told.clone());
        told
    }

    /// Whether a mover's step, whenever it could happen, leads from a state to states that are there already.
    fn step_leads_nowhere(&mut self, id: NodeId, step: StepId) -> bool {
        let goals = self.step_goals(step, self.nodes[id.0].view);
        self.leads_nowhere(id, &goals)
    }

    /// Whether who does this to a view's predicates, whenever that could happen, leads from a state to states that are there already.
    pub(super) fn leads_nowhere(&mut self, id: NodeId, goals: &Rc<Goals>) -> bool {
        let (state, nodes) = (&self.nodes[id.0], &self.nodes);
        let Some(site) = state.site else { return goals.is_invisible() };
        let widest = self.widest.entry((id, Rc::as_ptr(goals))).or_default();
        if let Widest::Unknown = widest {
            *widest = match goals.is_invisible() {
                true => Widest::Nowhere,
                false => {
                    Widest::New(Arc::new(abstract_state(self.engine, &state.premises, Some(&state.value), goals)), 0)
                }
            };
        }
        widest.leads_nowhere(&self.sites.site(site).all, |peer| &nodes[peer.0].value)
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
        AbstractState::new(view, place, value, Origin::Initial)
    }

    /// The abstract state after a step of one of the view's threads, if the step is possible.
    pub(super) fn step(&mut self, id: NodeId, slot: usize, step: StepId) -> Option<AbstractState> {
        let (guard, goals) = (self.guard(step), self.step_goals(step, self.nodes[id.0].view));
        let state = &self.nodes[id.0];
        if state.bounds.contradict(&guard.bounds) {
            return None;
        }
        let premises = self.engine.premises(state.literals.iter().chain(&guard.literals).copied());
        if !self.engine.satisfiable(&premises) {
            return None;
        }
        let value = abstract_state(self.engine, &premises, Some(&state.value), &goals);
        let mut place = state.place.clone();
        place[slot] = self.system.transition(step).target;
        Some(AbstractState::new(state.view, place, value, Origin::Step { parent: id, slot, step }))
    }

    /// The abstract state after a step of a mover, of which the sources say what is known.
    pub(super) fn disturbed(
        &mut self,
        watcher: NodeId,
        mover: usize,
        sources: &[NodeId],
        step: StepId,
    ) -> Option<AbstractState> {
        let view = self.views.view(self.nodes[watcher.0].view);
        let what = &view.movers[mover];
        let goals = self.step_goals(step, self.nodes[watcher.0].view);
        if goals.is_invisible() {
            return None;
        }
        let mut literals = self.nodes[watcher.0].literals.clone();
        for (role, id) in sources.iter().enumerate() {
            literals.extend(&self.renamed(self.nodes[watcher.0].view, mover, role, *id).literals);
        }
        literals.extend(&self.guard(step).literals);
        let state = &self.nodes[watcher.0];
        let mut placed: Vec<(ThreadId, LocationId)> =
            view.threads.iter().copied().zip(state.place.iter().copied()).collect();
        placed.push((what.thread, self.system.transition(step).source));
        let axioms = self.system.program.axioms(&placed);
        literals.extend(axioms.into_iter().map(|term| self.engine.literal(term)));
        let premises = self.engine.premises(literals);
        if !self.engine.satisfiable(&premises) {
            return None;
        }
        let value = abstract_state(self.engine, &premises, Some(&state.value), &goals);
        let origin = Origin::Environment { parent: watcher, mover, sources: sources.to_vec(), step };
        Some(AbstractState::new(state.view, state.place.clone(), value, origin))
    }

    /// The state with the view's copies exchanged.
    pub(super) fn exchanged(&mut self, id: NodeId, symmetry: usize) -> AbstractState {
        let state = &self.nodes[id.0];
        let exchange = &self.views.view(state.view).symmetries[symmetry];
        let literals = rename(self.engine, &state.literals, &exchange.renaming);
        let premises = self.engine.premises(literals);
        let goals = Goals::new(self.engine, &self.vocabulary.predicates[state.view.0], |term| term);
        let value = abstract_state(self.engine, &premises, None, &goals);
        let mut place = state.place.clone();
        for (slot, to) in exchange.slots.iter().enumerate() {
            place[*to] = state.place[slot];
        }
        AbstractState::new(state.view, place, value, Origin::Symmetric { parent: id, symmetry })
    }

    /// The step's guard.
    pub(super) fn guard(&mut self, step: StepId) -> Rc<Told> {
        if let Some(guard) = self.guards.get(&step) {
            return guard.clone();
        }
        let literals: Vec<Literal> = self.system.guard(step).iter().map(|term| self.engine.literal(*term)).collect();
        let guard = Rc::new(Told { bounds: self.engine.bounds(&literals), literals });
        self.guards.insert(step, guard.clone());
        guard
    }

    /// Whether a view's predicates see nothing of a step.
    pub(super) fn is_invisible(&mut self, step: StepId, view: ViewId) -> bool {
        self.step_goals(step, view).is_invisible()
    }

    fn step_goals(&mut self, step: StepId, view: ViewId) -> Rc<Goals> {
        if let Some(goals) = self.goals.get(&(step, view)) {
            return goals.clone();
        }
        let goals = self.make_goals(view, |system, term| system.before(step, term));
        self.goals.insert((step, view), goals.clone());
        goals
    }

    /// What must hold for a view's predicates to hold after something.
    pub(super) fn make_goals(&mut self, view: ViewId, before: impl Fn(&System<'_>, Term) -> Term) -> Rc<Goals> {
        let predicates = &self.vocabulary.predicates[view.0];
        let goals = Goals::new(self.engine, predicates, |term| before(self.system, term));
        self.interned.entry((view, goals.clone())).or_insert_with(|| Rc::new(goals)).clone()
    }

    fn axioms(&self, view: ViewId, place: &[LocationId]) -> Vec<Term> {
        let threads = self.views.view(view).threads.iter().copied();
        self.system.program.axioms(&threads.zip(place.iter().copied()).collect::<Vec<_>>())
    }

    /// Says the value of a state as premises. Most states that are made are covered at once and never need it.
    pub(super) fn complete(&mut self, state: &mut AbstractState) {
        let mut terms = state.value.literals(&self.vocabulary.predicates[state.view.0]);
        let located = self.views.view(state.view).threads.iter().zip(&state.place);
        terms.extend(located.map(|(thread, location)| self.system.at(*thread, *location)));
        terms.extend(self.axioms(state.view, &state.place));
        state.literals = terms.iter().map(|term| self.engine.literal(*term)).collect();
        state.literals.sort_unstable();
        state.literals.dedup();
        state.bounds = self.engine.bounds(&state.literals);
        state.premises = self.engine.premises(state.literals.iter().copied());
    }

    /// Adds a state unless one that is there stands for it already; those it stands for are covered.
    pub(super) fn add(&mut self, mut state: AbstractState) {
        let id = NodeId(self.nodes.len());
        let place = self.sites.at(state.view, &state.place);
        let site = self.sites.site_mut(place);
        if site.alive.iter().any(|peer| state.value.refines(&self.nodes[peer.0].value)) {
            return;
        }
        for peer in &site.alive {
            if self.nodes[peer.0].value.refines(&state.value) {
                self.nodes[peer.0].covered = true;
            }
        }
        site.alive.retain(|peer| !self.nodes[peer.0].covered);
        site.alive.push(id);
        site.all.push(id);
        state.site = Some(place);
        self.complete(&mut state);
        let threads = &self.views.view(state.view).threads;
        let error = threads.iter().zip(&state.place).any(|(thread, l)| self.system.is_error(*thread, *l));
        if error && self.error.is_none() {
            self.error = Some(id);
        }
        self.nodes.push(state);
    }
}

impl AbstractState {
    /// A state of which only its value is said yet.
    pub(super) fn new(view: ViewId, place: Vec<LocationId>, value: Valuation, origin: Origin) -> AbstractState {
        let (literals, bounds, premises) = (Vec::new(), Bounds::default(), Premises::default());
        AbstractState {
            view,
            place,
            value,
            literals,
            bounds,
            premises,
            origin,
            covered: false,
            followed: false,
            site: None,
        }
    }
}

fn rename(engine: &mut Engine, literals: &[Literal], renaming: &Renaming) -> Vec<Literal> {
    let terms: Vec<Term> = literals.iter().map(|literal| renaming.term(engine.term(*literal))).collect();
    let mut renamed: Vec<Literal> = terms.into_iter().map(|term| engine.literal(term)).collect();
    renamed.sort_unstable();
    renamed
}
