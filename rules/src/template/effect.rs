//! Rely-guarantee over views [T, Eq. 3]: what a mover does to a view, abstracted by transition predicates.
//!
//! Let S be what is known of a mover m next to a view W ([`super::views::Mover`]). Then S and rho_m -> E_W, and R_W and E_W -> R_W',
//! where the variables of W's own threads keep their values. E_W speaks of the globals, of single threads, and of W's own
//! instances, as S does: of the mover it says nothing but what it does.

use std::collections::BTreeSet;
use std::rc::Rc;

use abstraction::{Bounds, Goals, Literal, PredicateSet, Premises, Valuation, abstract_state};
use program::{LocationId, Term, ThreadId, VarId};
use rustc_hash::FxHashMap;

use super::reach::{AbstractState, NodeId, Origin, Reach};
use super::views::{Mover, ViewId};
use crate::rely_guarantee::kept;
use crate::system::{Rewrite, StepId};

/// An abstract transition of this reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectId(pub usize);

/// An abstract transition of a mover next to a view.
#[derive(Clone, Debug)]
pub struct Effect {
    /// To whom it happens.
    pub watcher: ViewId,
    /// Who does it.
    pub mover: usize,
    /// What it was made from, by source.
    pub sources: Vec<NodeId>,
    /// The step.
    pub step: StepId,
    /// By slot of the watcher, where its thread is, if that is known.
    pub place: Places,
    /// Literals over V and V'.
    pub transition: Vec<Term>,
    /// Whether a more general one has taken its place.
    pub covered: bool,
    value: Valuation,
    premises: Vec<Literal>,
    bounds: Bounds,
    goals: Rc<Goals>,
}

/// By slot of a view, where its thread is, if that is known.
type Places = Vec<Option<LocationId>>;

/// The abstract transitions, and how to find them.
pub struct Effects {
    /// All there have been.
    pub all: Vec<Effect>,
    /// The views next to which steps were seen that change nothing they speak of: of these no more is said.
    pub unseen: BTreeSet<ViewId>,
    /// By watcher, those that no other stands for, by mover and place.
    standing: Vec<FxHashMap<(usize, Places), Vec<EffectId>>>,
    /// Whether a step changes a variable that a view speaks of.
    changes: FxHashMap<(StepId, ViewId), bool>,
    /// The abstract transition of a mover's step where these premises matter to it.
    transitions: FxHashMap<(StepId, ViewId, usize, Vec<Literal>), Valuation>,
    /// What the transition predicates of a mover's step depend on.
    spoken_of: FxHashMap<(StepId, ViewId, usize), Rc<[VarId]>>,
    /// What transition predicates say about a mover's steps.
    transition_goals: FxHashMap<(StepId, ViewId, usize), Rc<Goals>>,
    /// What views' predicates become where variables get the values of a number ([`crate::system::System::number_of`]).
    environment_goals: FxHashMap<(ViewId, u32), Rc<Goals>>,
}

/// A step of a mover next to a view.
struct Deed<'a> {
    watcher: ViewId,
    mover: usize,
    what: &'a Mover,
    step: StepId,
    /// The one of its sources that is new.
    fixed: (usize, NodeId),
}

impl Effects {
    /// None yet, next to so many views.
    pub fn new(views: usize) -> Effects {
        Effects {
            all: Vec::new(),
            unseen: BTreeSet::new(),
            standing: vec![FxHashMap::default(); views],
            changes: FxHashMap::default(),
            transitions: FxHashMap::default(),
            spoken_of: FxHashMap::default(),
            transition_goals: FxHashMap::default(),
            environment_goals: FxHashMap::default(),
        }
    }

    /// Those that may happen to a view at a place, in order.
    fn possible(&self, watcher: ViewId, place: &[LocationId]) -> Vec<EffectId> {
        let there = self.standing[watcher.0].iter().filter(|((_, known), _)| fits(known, place));
        let mut found: Vec<EffectId> = there.flat_map(|(_, effects)| effects).copied().collect();
        found.sort_unstable();
        found
    }

    /// Whether one that is there stands for an abstract transition.
    fn is_known(&self, watcher: ViewId, mover: usize, place: &Places, value: &Valuation) -> bool {
        let peers = self.standing[watcher.0].get(&(mover, place.clone()));
        peers.is_some_and(|peers| peers.iter().any(|peer| value.refines(&self.all[peer.0].value)))
    }

    /// Adds one that none stands for; those it stands for are covered.
    fn add(&mut self, effect: Effect) -> EffectId {
        let id = EffectId(self.all.len());
        let peers = self.standing[effect.watcher.0].entry((effect.mover, effect.place.clone())).or_default();
        for peer in peers.iter() {
            self.all[peer.0].covered |= self.all[peer.0].value.refines(&effect.value);
        }
        peers.retain(|peer| !self.all[peer.0].covered);
        peers.push(id);
        self.all.push(effect);
        id
    }
}

/// Whether a place is one of which so much is known.
fn fits(known: &Places, place: &[LocationId]) -> bool {
    known.iter().zip(place).all(|(known, here)| known.is_none_or(|known| known == *here))
}

impl Reach<'_, '_> {
    /// What movers make of a new state, and what the state tells of movers.
    pub(super) fn rely(&mut self, id: NodeId) {
        let (views, view) = (self.views, self.nodes[id.0].view);
        for effect in self.effects.possible(view, &self.nodes[id.0].place) {
            self.apply(id, effect);
        }
        for watcher in views.ids() {
            for (mover, what) in views.view(watcher).movers.iter().enumerate() {
                for (role, source) in what.sources.iter().enumerate().filter(|(_, source)| source.view == view) {
                    let at = self.nodes[id.0].place[source.mover];
                    for step in self.system.steps_from(what.thread, at).collect::<Vec<_>>() {
                        if self.changes(step, watcher) {
                            let deed = Deed { watcher, mover, what, step, fixed: (role, id) };
                            self.combine(&deed, &mut Vec::new());
                        } else {
                            self.effects.unseen.insert(watcher);
                        }
                    }
                }
            }
        }
    }

    /// Whether a step changes a variable that a view's predicates speak of.
    fn changes(&mut self, step: StepId, watcher: ViewId) -> bool {
        let (system, vars) = (self.system, self.vocabulary.predicates[watcher.0].vars());
        let changed = |var: &VarId| system.value_after(step, *var).is_some_and(|value| value.as_var() != Some(*var));
        *self.effects.changes.entry((step, watcher)).or_insert_with(|| vars.iter().any(changed))
    }

    fn apply(&mut self, id: NodeId, effect: EffectId) {
        let (state, what) = (&self.nodes[id.0], &self.effects.all[effect.0]);
        // Most pairs are not compatible, and told apart by their bounds.
        if state.covered || what.covered || state.bounds.contradict(&what.bounds) {
            return;
        }
        let goals = what.goals.clone();
        if self.leads_nowhere(id, &goals) {
            return;
        }
        if let Some(state) = self.relied(id, effect) {
            self.add(state);
        }
    }

    /// Completes a choice of sources in all ways, and adds the effects that come of it.
    fn combine(&mut self, deed: &Deed<'_>, chosen: &mut Vec<NodeId>) {
        let role = chosen.len();
        let Some(source) = deed.what.sources.get(role) else {
            if let Some(effect) = self.new_effect(deed, chosen) {
                let (watcher, place) = (deed.watcher, effect.place.clone());
                let id = self.effects.add(effect);
                for node in self.candidates(watcher, &|here| fits(&place, here)) {
                    self.apply(node, id);
                }
            }
            return;
        };
        let options = if deed.fixed.0 == role {
            vec![deed.fixed.1]
        } else {
            let at = self.system.transition(deed.step).source;
            let placed = self.placed(deed.watcher, deed.what, chosen);
            self.candidates(source.view, &|theirs| {
                let mut shared = source.shared.iter().zip(theirs);
                let agrees = |(own, l): (&Option<usize>, &LocationId)| {
                    own.and_then(|own| placed[own]).is_none_or(|here| here == *l)
                };
                theirs[source.mover] == at && shared.all(agrees)
            })
        };
        for id in options {
            if !self.nodes[id.0].covered && self.agrees_with(deed, chosen, id) {
                chosen.push(id);
                self.combine(deed, chosen);
                chosen.pop();
            }
        }
    }

    /// Whether another source does not evidently contradict those that are chosen, or the step.
    fn agrees_with(&mut self, deed: &Deed<'_>, chosen: &[NodeId], id: NodeId) -> bool {
        let told = self.renamed(deed.watcher, deed.mover, chosen.len(), id);
        if self.guard(deed.step).bounds.contradict(&told.bounds) {
            return false;
        }
        let mut others = chosen.iter().enumerate();
        others
            .all(|(role, other)| !self.renamed(deed.watcher, deed.mover, role, *other).bounds.contradict(&told.bounds))
    }

    /// Where sources put the watcher's threads.
    fn placed(&self, watcher: ViewId, what: &Mover, sources: &[NodeId]) -> Places {
        let mut place = vec![None; self.views.view(watcher).threads.len()];
        for (source, id) in what.sources.iter().zip(sources) {
            for (shared, location) in source.shared.iter().zip(&self.nodes[id.0].place) {
                shared.iter().for_each(|slot| place[*slot] = Some(*location));
            }
        }
        place
    }

    /// The abstract transition of a mover's step, if the step is possible and none that is there stands for it.
    fn new_effect(&mut self, deed: &Deed<'_>, sources: &[NodeId]) -> Option<Effect> {
        let (watcher, mover, step) = (deed.watcher, deed.mover, deed.step);
        let place = self.placed(watcher, deed.what, sources);
        let value = self.told(watcher, mover, sources, step, &place)?;
        if self.effects.is_known(watcher, mover, &place, &value) {
            return None;
        }
        Some(self.complete_effect(watcher, mover, sources, step, place, value))
    }

    /// The abstract transition of a mover's step, if the step is possible.
    pub(super) fn effect(&mut self, watcher: ViewId, mover: usize, sources: &[NodeId], step: StepId) -> Option<Effect> {
        let place = self.placed(watcher, &self.views.view(watcher).movers[mover], sources);
        let value = self.told(watcher, mover, sources, step, &place)?;
        Some(self.complete_effect(watcher, mover, sources, step, place, value))
    }

    /// What the transition predicates say of a mover's step, if the step is possible.
    fn told(
        &mut self,
        watcher: ViewId,
        mover: usize,
        sources: &[NodeId],
        step: StepId,
        place: &Places,
    ) -> Option<Valuation> {
        let own = &self.views.view(watcher).threads;
        let what = &self.views.view(watcher).movers[mover];
        let mut literals = self.guard(step).literals.clone();
        for (role, id) in sources.iter().enumerate() {
            literals.extend(&self.renamed(watcher, mover, role, *id).literals);
        }
        let mut placed: Vec<(ThreadId, LocationId)> = vec![(what.thread, self.system.transition(step).source)];
        placed.extend(own.iter().zip(place).filter_map(|(thread, l)| Some((*thread, (*l)?))));
        let mut axioms = self.system.program.axioms(&placed);
        axioms.extend(self.system.program.identities_differ(&[own.as_slice(), &[what.thread]].concat()));
        literals.extend(axioms.into_iter().map(|term| self.engine.literal(term)));
        let premises = self.engine.premises(literals);
        self.engine.satisfiable(&premises).then(|| self.abstracted(watcher, mover, step, &premises))
    }

    /// What the transition predicates say of a mover's step: the same, where only what they do not speak of differs.
    fn abstracted(&mut self, watcher: ViewId, mover: usize, step: StepId, premises: &Premises) -> Valuation {
        let (system, empty) = (self.system, PredicateSet::default());
        let predicates = self.vocabulary.transition.get(&(watcher, mover)).unwrap_or(&empty);
        let speak = || {
            let after = predicates.vars().iter().filter_map(|var| system.value_after(step, *var));
            let vars: BTreeSet<VarId> = after.flat_map(Term::vars).chain(predicates.vars().iter().copied()).collect();
            vars.into_iter().collect()
        };
        let vars = self.effects.spoken_of.entry((step, watcher, mover)).or_insert_with(speak);
        let key = (step, watcher, mover, self.engine.cone(premises, vars));
        if let Some(value) = self.effects.transitions.get(&key) {
            return value.clone();
        }
        let engine = &mut *self.engine;
        let make = || Rc::new(Goals::new(engine, predicates, |term| system.of_step(step, term)));
        let goals = self.effects.transition_goals.entry((step, watcher, mover)).or_insert_with(make).clone();
        let value = abstract_state(self.engine, premises, None, &goals);
        self.effects.transitions.insert(key, value.clone());
        value
    }

    /// What follows from an abstract transition for its watcher.
    fn complete_effect(
        &mut self,
        watcher: ViewId,
        mover: usize,
        sources: &[NodeId],
        step: StepId,
        place: Places,
        value: Valuation,
    ) -> Effect {
        let (system, own) = (self.system, &self.views.view(watcher).threads);
        let predicates = self.vocabulary.transition.get(&(watcher, mover));
        let transition = predicates.map_or(Vec::new(), |predicates| value.literals(predicates));
        let left_out = |var| system.owner(var).is_some_and(|thread| own.contains(&thread));
        let after = kept(transition.iter().filter_map(|term| system.determined(*term)), &left_out);
        let number = system.number_of(&after);
        let next = |term: Term| system.rewritten(Rewrite::Solved(number), term, || term.with_after(&after));
        let told = transition.iter().flat_map(|term| next(*term).conjuncts());
        let mut premises: Vec<Literal> = told.map(|term| self.engine.literal(term)).collect();
        premises.sort_unstable();
        premises.dedup();
        let bounds = self.engine.bounds(&premises);
        let goals = match self.effects.environment_goals.get(&(watcher, number)) {
            Some(goals) => goals.clone(),
            None => {
                let becomes = |var: VarId, sort| match system.owner(var) {
                    Some(thread) if own.contains(&thread) => None,
                    _ => Some(after.get(&var).copied().unwrap_or_else(|| Term::primed(var, sort))),
                };
                let by = Rewrite::Disturbed(number, watcher.0);
                let goals =
                    self.make_goals(watcher, |system, term| system.rewritten(by, term, || term.substitute(&becomes)));
                self.effects.environment_goals.insert((watcher, number), goals.clone());
                goals
            }
        };
        let sources = sources.to_vec();
        let covered = false;
        Effect { watcher, mover, sources, step, place, transition, covered, value, premises, bounds, goals }
    }

    /// The abstract state after an abstract transition, if that can happen there.
    pub(super) fn relied(&mut self, id: NodeId, effect: EffectId) -> Option<AbstractState> {
        let (state, what) = (&self.nodes[id.0], &self.effects.all[effect.0]);
        if state.view != what.watcher || !fits(&what.place, &state.place) || what.goals.is_invisible() {
            return None;
        }
        if state.bounds.contradict(&what.bounds) {
            return None;
        }
        let premises = self.engine.premises(state.literals.iter().chain(&what.premises).copied());
        if !self.engine.compatible(&premises, &state.literals, &what.premises) {
            return None;
        }
        let value = abstract_state(self.engine, &premises, Some(&state.value), &what.goals);
        Some(AbstractState::new(state.view, state.place.clone(), value, Origin::Rely { parent: id, effect }))
    }

    /// Whether a view's predicates see nothing of an abstract transition.
    pub(super) fn is_unseen(&self, effect: EffectId) -> bool {
        self.effects.all[effect.0].goals.is_invisible()
    }
}
