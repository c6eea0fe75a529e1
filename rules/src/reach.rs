//! Abstract reachability, shared by the rules: a work list of abstract states and of environment effects, each of which
//! remembers how it was made.
//!
//! R_i is the set of states of component i: a place (the explicit locations) and a valuation of the component's predicates.
//! What other components do to it are effects; how they are found is the rule's ([`Interference`]).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use std::rc::Rc;

use abstraction::{BitSet, Bounds, Engine, Goals, Literal, PredicateSet, Premises, Valuation, abstract_tracked};
use program::{LocationId, Term, ThreadId, VarId};
use smt::Cancel;

use crate::effect::{Effect, EffectId, Interference, Taken};
use crate::system::{Rewrite, StepId, System};
use crate::vocabulary::{Tracked, Vocabularies};
use crate::widest::Widest;

/// An abstract state of this reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// A component: the threads whose locations its states make explicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub usize);

/// How an abstract state was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It abstracts the initial states.
    Initial,
    /// A step of one of the component's threads.
    Step {
        /// From here.
        parent: NodeId,
        /// This step.
        step: StepId,
    },
    /// A step of another component.
    Environment {
        /// From here.
        parent: NodeId,
        /// With this effect.
        effect: EffectId,
    },
}

/// An abstract state.
#[derive(Clone, Debug)]
pub struct AbstractState {
    /// Whose.
    pub component: ComponentId,
    /// The explicit locations.
    pub place: Vec<LocationId>,
    /// What is known about the component's predicates.
    pub value: Valuation,
    /// The same as premises, with the locations, sorted.
    pub literals: Vec<Literal>,
    /// The bounds among them.
    pub bounds: Bounds,
    /// The same, ready to be asked.
    premises: Premises,
    /// How it was made.
    pub origin: Origin,
    /// Whether a more general state has taken its place.
    pub covered: bool,
    expanded: bool,
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

/// The effects that write the same to what their watcher sees. They differ only in when they happen.
struct Group {
    goals: Rc<Goals>,
    /// All of them.
    effects: Vec<EffectId>,
    /// Those that have been applied to the states that were there, by the thread that moves and where it is then.
    active: BTreeMap<(ThreadId, LocationId), Vec<EffectId>>,
}

enum Work {
    /// Apply the effects of other components to a state.
    State(NodeId),
    /// Apply a new effect to the states that have met the others.
    Effect(EffectId, usize),
}

/// The states at a place.
#[derive(Default)]
struct Peers {
    /// Those that no other stands for.
    alive: Vec<NodeId>,
    /// All there have been, in order.
    all: Vec<NodeId>,
}

/// The states of a component, by what they know of where another thread is.
#[derive(Default)]
struct Located {
    at: FxHashMap<LocationId, Vec<NodeId>>,
    /// Those that do not know.
    anywhere: Vec<NodeId>,
}

/// One abstract reachability computation.
pub struct Reach<'a, 'p> {
    pub(crate) system: &'a System<'p>,
    pub(crate) engine: &'a mut Engine,
    pub(crate) vocabularies: &'a Vocabularies,
    tracked: Vec<Tracked>,
    pub(crate) components: &'a [Vec<ThreadId>],
    pub(crate) interference: &'a dyn Interference,
    pub(crate) nodes: Vec<AbstractState>,
    pub(crate) effects: Vec<Effect>,
    by_place: FxHashMap<(ComponentId, Vec<LocationId>), usize>,
    peers: Vec<Peers>,
    of_component: Vec<Vec<NodeId>>,
    located: FxHashMap<(ComponentId, ThreadId), Located>,
    groups: Vec<Vec<Group>>,
    group_of: FxHashMap<(ComponentId, *const Goals), usize>,
    by_mover: FxHashMap<(ComponentId, ThreadId), Vec<EffectId>>,
    interned: FxHashMap<(ComponentId, Goals), Rc<Goals>>,
    goals: FxHashMap<(StepId, ComponentId), Rc<Goals>>,
    transition_goals: FxHashMap<(StepId, ComponentId), Rc<Goals>>,
    environment: FxHashMap<(ComponentId, BTreeMap<VarId, Term>), Rc<Goals>>,
    /// What a rule must look at to see a step's effect on a component.
    visible: FxHashMap<(StepId, ComponentId), Rc<[VarId]>>,
    guards: FxHashMap<StepId, Rc<[Literal]>>,
    /// Under rely-guarantee, the abstract transition of a step where these premises matter to its watcher.
    pub(crate) transitions: FxHashMap<(StepId, ComponentId, Vec<Literal>), Valuation>,
    widest: Vec<Vec<Widest>>,
    /// States whose own steps are to be taken: before anything else, so that errors are found with as little interference as
    /// possible.
    fresh: VecDeque<NodeId>,
    queue: VecDeque<Work>,
    errors: BTreeMap<(ComponentId, Option<StepId>), NodeId>,
    /// Steps to errors that are not of interest now: they are not taken.
    pub(crate) elsewhere: BTreeSet<StepId>,
}

impl<'a, 'p> Reach<'a, 'p> {
    /// A computation that has not started.
    pub fn new(
        system: &'a System<'p>,
        engine: &'a mut Engine,
        vocabularies: &'a Vocabularies,
        components: &'a [Vec<ThreadId>],
        interference: &'a dyn Interference,
    ) -> Reach<'a, 'p> {
        let tracked = vocabularies.predicates.iter().zip(components).map(|(p, c)| p.tracked(system, c)).collect();
        Reach {
            system,
            tracked,
            engine,
            vocabularies,
            components,
            interference,
            nodes: Vec::new(),
            effects: Vec::new(),
            by_place: FxHashMap::default(),
            peers: Vec::new(),
            of_component: vec![Vec::new(); components.len()],
            located: FxHashMap::default(),
            groups: components.iter().map(|_| Vec::new()).collect(),
            group_of: FxHashMap::default(),
            by_mover: FxHashMap::default(),
            interned: FxHashMap::default(),
            goals: FxHashMap::default(),
            transition_goals: FxHashMap::default(),
            environment: FxHashMap::default(),
            visible: FxHashMap::default(),
            guards: FxHashMap::default(),
            transitions: FxHashMap::default(),
            widest: Vec::new(),
            fresh: VecDeque::new(),
            queue: VecDeque::new(),
            errors: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
        }
    }

    /// Runs until a fixpoint, errors, or a limit. After the first error it goes on for a while, for errors of other steps:
    /// threads that are alike reach theirs soon after one another, and refining all at once saves rounds.
    pub fn run(&mut self, states: usize, solver_queries: u64, cancel: &Cancel) -> Stop {
        for component in (0..self.components.len()).map(ComponentId) {
            let state = self.initial(component);
            self.add(state);
        }
        let mut patience = usize::MAX;
        loop {
            let work = match self.fresh.pop_front() {
                Some(id) => Err(id),
                None => match self.queue.pop_front() {
                    Some(work) => Ok(work),
                    None => break,
                },
            };
            if cancel.is_cancelled() {
                return Stop::Cancelled;
            }
            if self.nodes.len() > states {
                return Stop::States;
            }
            if self.engine.counters().solver > solver_queries {
                return Stop::SolverQueries;
            }
            if !self.errors.is_empty() {
                patience = patience.min(self.nodes.len() + self.nodes.len() / 8);
                if self.nodes.len() > patience {
                    break;
                }
            }
            match work {
                Err(id) => self.take_steps(id),
                Ok(Work::State(id)) => self.meet_effects(id),
                Ok(Work::Effect(id, group)) => self.activate(id, group),
            }
        }
        if self.errors.is_empty() { Stop::Fixpoint } else { Stop::Errors(self.errors.values().copied().collect()) }
    }

    /// The states that stand for R_i.
    pub fn alive(&self, component: ComponentId) -> impl Iterator<Item = &AbstractState> {
        self.of_component[component.0].iter().map(|id| &self.nodes[id.0]).filter(|state| !state.covered)
    }

    /// Whether an effect still says something: the state that covers its source has, or will have, one that stands for it,
    /// unless that was left out because of this one.
    pub fn is_live(&self, effect: EffectId) -> bool {
        let effect = &self.effects[effect.0];
        effect.pinned || !self.nodes[effect.source.0].covered
    }

    /// The predicates tracked at a component's place.
    pub fn tracked(&self, state: &AbstractState) -> &BitSet {
        self.tracked[state.component.0].at(&state.place)
    }

    /// A state.
    pub fn node(&self, id: NodeId) -> &AbstractState {
        &self.nodes[id.0]
    }

    fn is_error(&self, state: &AbstractState) -> bool {
        let threads = &self.components[state.component.0];
        threads.iter().zip(&state.place).any(|(thread, location)| self.system.is_error(*thread, *location))
    }

    /// Takes the component's own steps from a state.
    fn take_steps(&mut self, id: NodeId) {
        if self.nodes[id.0].covered {
            return;
        }
        let state = self.nodes[id.0].clone();
        for (position, thread) in self.components[state.component.0].iter().enumerate() {
            let steps = self.system.steps_from(*thread, state.place[position]);
            for step in steps.filter(|step| !self.elsewhere.contains(step)).collect::<Vec<_>>() {
                self.post_step(id, &state, position, step);
            }
        }
        self.queue.push_back(Work::State(id));
    }

    /// Applies what other components do to a state.
    fn meet_effects(&mut self, id: NodeId) {
        if self.nodes[id.0].covered {
            return;
        }
        self.nodes[id.0].expanded = true;
        let component = self.nodes[id.0].component;
        let places: Vec<(ThreadId, Option<LocationId>)> =
            self.system.threads().map(|thread| (thread, self.whereabouts(&self.nodes[id.0], thread))).collect();
        for group in 0..self.groups[component.0].len() {
            let active = &self.groups[component.0][group].active;
            let possible = |(thread, location): (ThreadId, LocationId)| {
                places.iter().all(|(t, known)| *t != thread || known.is_none_or(|known| known == location))
            };
            let there = active.iter().filter(|(key, _)| possible(**key));
            let mut effects: Vec<EffectId> = there.flat_map(|(_, effects)| effects).copied().collect();
            effects.sort_unstable();
            self.apply(id, group, &effects);
        }
    }

    fn post_step(&mut self, id: NodeId, state: &AbstractState, position: usize, step: StepId) {
        let Some(premises) = self.possible(state, step) else { return };
        let after = self.step_to(state, position, step, &premises);
        self.add(AbstractState { origin: Origin::Step { parent: id, step }, ..after });
        let taken = Taken { from: id, step, premises: &premises };
        for watcher in (0..self.components.len()).map(ComponentId).filter(|c| *c != state.component) {
            if let Some(effect) = self.interference.effect(self, &taken, watcher) {
                self.add_effect(effect);
            }
        }
    }

    fn add_effect(&mut self, effect: Effect) {
        let id = EffectId(self.effects.len());
        let watcher = effect.watcher;
        self.by_mover.entry((watcher, effect.step.thread)).or_default().push(id);
        let groups = &mut self.groups[watcher.0];
        let group = *self.group_of.entry((watcher, Rc::as_ptr(&effect.goals))).or_insert_with(|| {
            groups.push(Group { goals: effect.goals.clone(), effects: Vec::new(), active: BTreeMap::new() });
            groups.len() - 1
        });
        groups[group].effects.push(id);
        self.effects.push(effect);
        self.queue.push_back(Work::Effect(id, group));
    }

    /// The effects that write the same to what the watcher sees.
    pub(crate) fn effects_like(&self, watcher: ComponentId, goals: &Rc<Goals>) -> &[EffectId] {
        let group = self.group_of.get(&(watcher, Rc::as_ptr(goals)));
        group.map_or(&[], |group| &self.groups[watcher.0][*group].effects)
    }

    /// The effects of a thread's steps.
    pub(crate) fn effects_of(&self, watcher: ComponentId, mover: ThreadId) -> &[EffectId] {
        self.by_mover.get(&(watcher, mover)).map_or(&[], Vec::as_slice)
    }

    /// Applies a new effect to every state that has been expanded; the others will meet it when they are.
    fn activate(&mut self, id: EffectId, group: usize) {
        let Effect { watcher, step, .. } = self.effects[id.0];
        let source = self.system.transition(step).source;
        self.groups[watcher.0][group].active.entry((step.thread, source)).or_default().push(id);
        for node in self.states_with(watcher, step.thread, source) {
            if self.nodes[node.0].expanded && !self.nodes[node.0].covered {
                self.apply(node, group, &[id]);
            }
        }
    }

    /// The states of a component in which another thread may be at a location, in order.
    fn states_with(&self, component: ComponentId, thread: ThreadId, location: LocationId) -> Vec<NodeId> {
        let Some(located) = self.located.get(&(component, thread)) else { return Vec::new() };
        let mut states = located.anywhere.clone();
        states.extend(located.at.get(&location).into_iter().flatten());
        states.sort_unstable();
        states
    }

    /// Where a state knows a thread to be.
    fn whereabouts(&self, state: &AbstractState, thread: ThreadId) -> Option<LocationId> {
        let place = state.bounds.value(self.system.location_var(thread))?;
        u32::try_from(place).ok().map(LocationId)
    }

    /// Applies effects of one group to a state.
    fn apply(&mut self, id: NodeId, group: usize, effects: &[EffectId]) {
        let bounds = &self.nodes[id.0].bounds;
        // Most pairs are not compatible, and told apart by their bounds.
        let possible =
            |effect: &&EffectId| self.is_live(**effect) && !bounds.contradict(&self.effects[effect.0].bounds);
        let effects: Vec<EffectId> = effects.iter().filter(possible).copied().collect();
        if effects.is_empty() || self.leads_nowhere(id, group) {
            return;
        }
        for effect in &effects {
            if !self.is_live(*effect) {
                continue;
            }
            if let Some(after) = self.disturb(id, *effect) {
                self.add(AbstractState { origin: Origin::Environment { parent: id, effect: *effect }, ..after });
                if self.leads_nowhere(id, group) {
                    return;
                }
            }
        }
    }

    /// Whether what the group writes, whenever it could happen, leads to states that are there already. This is asked once for
    /// all effects of the group, and a yes is final: states that are there only ever give way to more general ones.
    fn leads_nowhere(&mut self, id: NodeId, group: usize) -> bool {
        let state = &self.nodes[id.0];
        let known = &mut self.widest[id.0];
        if known.len() <= group {
            known.resize(group + 1, Widest::Unknown);
        }
        if let Widest::Unknown = known[group] {
            let tracked = self.tracked[state.component.0].at(&state.place);
            let goals = &self.groups[state.component.0][group].goals;
            known[group] = if goals.is_invisible_to(tracked) {
                Widest::Nowhere
            } else {
                let (premises, value) = (&state.premises, &state.value);
                Widest::New(abstract_tracked(self.engine, premises, Some(value), goals, tracked), 0)
            };
        }
        let (peers, nodes) = (&self.peers[state.site].all, &self.nodes);
        known[group].leads_nowhere(peers, |peer| &nodes[peer.0].value)
    }

    /// What the transition predicates of a step's thread say about the step, as formulas about the state before.
    pub(crate) fn transition_goals(&mut self, step: StepId, watcher: ComponentId) -> Rc<Goals> {
        let system = self.system;
        let empty = PredicateSet::default();
        let predicates = self.vocabularies.transition.get(&(step.thread, watcher)).unwrap_or(&empty);
        let engine = &mut *self.engine;
        let make = || Rc::new(Goals::new(engine, predicates, |term| system.of_step(step, term)));
        self.transition_goals.entry((step, watcher)).or_insert_with(make).clone()
    }

    /// The preconditions of a component's predicates under an environment transition that gives variables these values, and
    /// all others that the component does not own any value.
    pub(crate) fn environment_goals(&mut self, watcher: ComponentId, after: BTreeMap<VarId, Term>) -> Rc<Goals> {
        let system = self.system;
        let own = &self.components[watcher.0];
        let predicates = self.vocabularies.predicates[watcher.0].set();
        let key = (watcher, after);
        if let Some(goals) = self.environment.get(&key) {
            return goals.clone();
        }
        let after = |var: VarId, sort| match system.owner(var) {
            Some(thread) if own.contains(&thread) => None,
            _ => Some(key.1.get(&var).copied().unwrap_or_else(|| Term::primed(var, sort))),
        };
        let by = Rewrite::Disturbed(system.number_of(&key.1), watcher.0);
        let goals = Goals::new(self.engine, predicates, |term| system.rewritten(by, term, || term.substitute(&after)));
        let goals = intern(&mut self.interned, watcher, goals);
        self.environment.insert(key, goals.clone());
        goals
    }

    /// The abstract initial state of a component.
    pub(crate) fn initial(&mut self, component: ComponentId) -> AbstractState {
        let place: Vec<LocationId> =
            self.components[component.0].iter().map(|t| self.system.program.thread(*t).entry).collect();
        let mut formulas = self.system.initial();
        formulas.extend(self.system.threads().map(|t| self.system.at(t, self.system.program.thread(t).entry)));
        let literals: Vec<Literal> = formulas.iter().map(|term| self.engine.literal(*term)).collect();
        let premises = self.engine.premises(literals);
        let goals = Goals::new(self.engine, self.vocabularies.predicates[component.0].set(), |term| term);
        let value = abstract_tracked(self.engine, &premises, None, &goals, self.tracked[component.0].at(&place));
        self.state(component, place, value)
    }

    /// What a state says together with a step's guard, if the step is possible.
    pub(crate) fn possible(&mut self, state: &AbstractState, step: StepId) -> Option<Premises> {
        let guard = self.guard(step);
        let premises = self.engine.premises(state.literals.iter().chain(guard.iter()).copied());
        self.engine.satisfiable(&premises).then_some(premises)
    }

    /// The abstract state after a step of one of the component's threads, if the step is possible.
    pub(crate) fn step(&mut self, state: &AbstractState, position: usize, step: StepId) -> Option<AbstractState> {
        let premises = self.possible(state, step)?;
        Some(self.step_to(state, position, step, &premises))
    }

    fn step_to(&mut self, state: &AbstractState, position: usize, step: StepId, premises: &Premises) -> AbstractState {
        let goals = self.step_goals(step, state.component);
        let mut place = state.place.clone();
        place[position] = self.system.transition(step).target;
        let tracked = self.tracked[state.component.0].at(&place);
        let value = abstract_tracked(self.engine, premises, Some(&state.value), &goals, tracked);
        self.state(state.component, place, value)
    }

    fn disturb(&mut self, id: NodeId, effect: EffectId) -> Option<AbstractState> {
        let (state, effect) = (&self.nodes[id.0], &self.effects[effect.0]);
        let tracked = self.tracked[state.component.0].at(&state.place);
        let value = disturbed(self.engine, state, effect, tracked)?;
        Some(self.state(state.component, state.place.clone(), value))
    }

    /// The abstract state after an effect, if the two are compatible.
    pub(crate) fn disturbed(&mut self, state: &AbstractState, effect: &Effect) -> Option<AbstractState> {
        let tracked = self.tracked[state.component.0].at(&state.place);
        let value = disturbed(self.engine, state, effect, tracked)?;
        Some(self.state(state.component, state.place.clone(), value))
    }

    /// The step's guard as literals.
    pub(crate) fn guard(&mut self, step: StepId) -> Rc<[Literal]> {
        let (system, engine) = (self.system, &mut *self.engine);
        let make = || system.guard(step).iter().map(|term| engine.literal(*term)).collect();
        self.guards.entry(step).or_insert_with(make).clone()
    }

    /// The preconditions of a component's predicates under a step.
    pub(crate) fn step_goals(&mut self, step: StepId, component: ComponentId) -> Rc<Goals> {
        let system = self.system;
        let predicates = self.vocabularies.predicates[component.0].set();
        let (interned, engine) = (&mut self.interned, &mut *self.engine);
        let make = || intern(interned, component, Goals::new(engine, predicates, |term| system.before(step, term)));
        self.goals.entry((step, component)).or_insert_with(make).clone()
    }

    /// What a step depends on, as far as the watcher's predicates show it.
    pub(crate) fn visible(&mut self, step: StepId, watcher: ComponentId) -> Rc<[VarId]> {
        if let Some(known) = self.visible.get(&(step, watcher)) {
            return known.clone();
        }
        let mut vars = before_and_after(self.system, step, self.vocabularies.predicates[watcher.0].set());
        // The mover may know something about the watcher's own location or variables.
        for thread in &self.components[watcher.0] {
            vars.insert(self.system.location_var(*thread));
            vars.extend(self.system.program.locals(*thread));
        }
        self.visible.entry((step, watcher)).or_insert(vars.into_iter().collect()).clone()
    }

    /// What the transition predicates between a step's thread and a watcher say about the step depends on.
    pub(crate) fn spoken_of(&mut self, step: StepId, watcher: ComponentId) -> Rc<[VarId]> {
        let (system, predicates) = (self.system, self.vocabularies.transition.get(&(step.thread, watcher)));
        let make = || predicates.into_iter().flat_map(|set| before_and_after(system, step, set)).collect();
        self.visible.entry((step, watcher)).or_insert_with(make).clone()
    }

    fn state(&self, component: ComponentId, place: Vec<LocationId>, value: Valuation) -> AbstractState {
        let (literals, bounds, premises) = (Vec::new(), Bounds::default(), Premises::default());
        let (origin, covered, expanded, site) = (Origin::Initial, false, false, usize::MAX);
        AbstractState { component, place, value, literals, bounds, premises, origin, covered, expanded, site }
    }

    /// Says the value of a state as premises. Most states that are made are covered at once and never need it.
    pub(crate) fn complete(&mut self, state: &mut AbstractState) {
        let mut terms = state.value.literals(self.vocabularies.predicates[state.component.0].set());
        let located = self.components[state.component.0].iter().zip(&state.place);
        terms.extend(located.map(|(thread, location)| self.system.at(*thread, *location)));
        state.literals = terms.iter().map(|term| self.engine.literal(*term)).collect();
        state.literals.sort_unstable();
        state.literals.dedup();
        state.bounds = self.engine.bounds(&state.literals);
        state.premises = self.engine.premises(state.literals.iter().copied());
    }

    /// Adds a state unless one that is there stands for it already; those it stands for are covered. The first error of each
    /// component is remembered, and no error is followed.
    fn add(&mut self, mut state: AbstractState) {
        let id = NodeId(self.nodes.len());
        let error = self.is_error(&state);
        let (next, all) = (self.peers.len(), &mut self.peers);
        state.site = *self.by_place.entry((state.component, state.place.clone())).or_insert_with(|| {
            all.push(Peers::default());
            next
        });
        let peers = &mut self.peers[state.site];
        if peers.alive.iter().any(|peer| state.value.refines(&self.nodes[peer.0].value)) {
            return;
        }
        for peer in &peers.alive {
            if self.nodes[peer.0].value.refines(&state.value) {
                self.nodes[peer.0].covered = true;
            }
        }
        peers.alive.retain(|peer| !self.nodes[peer.0].covered);
        peers.alive.push(id);
        peers.all.push(id);
        self.complete(&mut state);
        self.of_component[state.component.0].push(id);
        for thread in self.system.threads() {
            let known = self.whereabouts(&state, thread);
            let located = self.located.entry((state.component, thread)).or_default();
            known.map_or(&mut located.anywhere, |place| located.at.entry(place).or_default()).push(id);
        }
        if error {
            let last = match state.origin {
                Origin::Step { step, .. } => Some(step),
                _ => None,
            };
            self.errors.entry((state.component, last)).or_insert(id);
        } else {
            self.fresh.push_back(id);
        }
        self.nodes.push(state);
        self.widest.push(Vec::new());
    }
}

/// The value of a state after an effect, if the two are compatible and the effect can be seen: what cannot leads back to it.
fn disturbed(engine: &mut Engine, state: &AbstractState, effect: &Effect, tracked: &BitSet) -> Option<Valuation> {
    if effect.goals.is_invisible_to(tracked) || state.bounds.contradict(&effect.bounds) {
        return None;
    }
    let premises = engine.premises(state.literals.iter().chain(&effect.premises).copied());
    if !engine.compatible(&premises, &state.literals, &effect.premises) {
        return None;
    }
    Some(abstract_tracked(engine, &premises, Some(&state.value), &effect.goals, tracked))
}

/// The variables of predicates, and what their values after a step depend on.
fn before_and_after(system: &System<'_>, step: StepId, predicates: &PredicateSet) -> BTreeSet<VarId> {
    let after = predicates.vars().iter().filter_map(|var| system.value_after(step, *var));
    let mut vars: BTreeSet<VarId> = after.flat_map(Term::vars).collect();
    vars.extend(predicates.vars());
    vars
}

/// Steps that do the same to a component's predicates have the same goals.
fn intern(known: &mut FxHashMap<(ComponentId, Goals), Rc<Goals>>, component: ComponentId, goals: Goals) -> Rc<Goals> {
    known.entry((component, goals.clone())).or_insert_with(|| Rc::new(goals)).clone()
}
