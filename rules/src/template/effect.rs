//! Rely-guarantee over views [T, Eq. 3]: what a mover does to a view, abstracted by transition predicates.
//!
//! Let S be what is known of a mover m next to a view W ([`super::views::Mover`]). Then S and rho_m -> E_W, and R_W and E_W -> R_W',
//! where the variables of W's own threads keep their values. E_W speaks of the globals, of single threads, and of W's own
//! instances, as S does: of the mover it says nothing but what it does.

use std::rc::Rc;

use abstraction::{Bounds, Goals, Literal, PredicateSet, Valuation, abstract_state};
use program::{LocationId, Term, ThreadId, VarId};

use super::reach::{AbstractState, NodeId, Origin, Reach};
use super::views::{Mover, ViewId};
use crate::rely_guarantee::{solved_form, substitute_primed};
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
    pub place: Vec<Option<LocationId>>,
    /// Literals over V and V'.
    pub transition: Vec<Term>,
    value: Valuation,
    premises: Vec<Literal>,
    bounds: Bounds,
    goals: Rc<Goals>,
}

impl Reach<'_, '_> {
    /// What movers make of a new state, and what the state tells of movers.
    pub(super) fn rely(&mut self, id: NodeId) {
        let (views, view) = (self.views, self.nodes[id.0].view);
        for effect in (0..self.effects.len()).map(EffectId) {
            self.apply(id, effect);
        }
        for watcher in views.ids() {
            for (mover, what) in views.view(watcher).movers.iter().enumerate() {
                for (role, source) in what.sources.iter().enumerate().filter(|(_, source)| source.view == view) {
                    let at = self.nodes[id.0].place[source.mover];
                    for step in self.system.steps_from(what.thread, at).collect::<Vec<_>>() {
                        self.combine(watcher, mover, what, step, (role, id), &mut Vec::new());
                    }
                }
            }
        }
    }

    fn apply(&mut self, id: NodeId, effect: EffectId) {
        if let Some(state) = self.relied(id, effect) {
            self.add(state);
        }
    }

    /// Completes a choice of sources in all ways, and adds the effects that come of it.
    fn combine(
        &mut self,
        watcher: ViewId,
        mover: usize,
        what: &Mover,
        step: StepId,
        fixed: (usize, NodeId),
        chosen: &mut Vec<NodeId>,
    ) {
        let role = chosen.len();
        let Some(source) = what.sources.get(role) else {
            if let Some(effect) = self.effect(watcher, mover, chosen, step)
                && !self.is_known(&effect)
            {
                let id = EffectId(self.effects.len());
                self.effects.push(effect);
                for node in self.candidates(watcher, &|_, _| true) {
                    self.apply(node, id);
                }
            }
            return;
        };
        let options = if fixed.0 == role {
            vec![fixed.1]
        } else {
            let at = self.system.transition(step).source;
            self.candidates(source.view, &|slot, location| slot != source.mover || location == at)
        };
        for id in options.into_iter().filter(|id| !self.nodes[id.0].covered).collect::<Vec<_>>() {
            chosen.push(id);
            if self.agree(what, chosen) {
                self.combine(watcher, mover, what, step, fixed, chosen);
            }
            chosen.pop();
        }
    }

    /// Whether sources put the watcher's threads at the same places.
    fn agree(&self, what: &Mover, chosen: &[NodeId]) -> bool {
        let placed = |role: usize| {
            let shared = what.sources[role].shared.iter().zip(&self.nodes[chosen[role].0].place);
            shared.filter_map(|(slot, location)| Some(((*slot)?, *location))).collect::<Vec<_>>()
        };
        let last = placed(chosen.len() - 1);
        (0..chosen.len() - 1).all(|role| placed(role).iter().all(|(s, l)| last.iter().all(|(t, m)| s != t || l == m)))
    }

    fn is_known(&self, effect: &Effect) -> bool {
        self.effects.iter().any(|known| {
            (known.watcher, known.mover) == (effect.watcher, effect.mover)
                && known.place == effect.place
                && effect.value.refines(&known.value)
        })
    }

    /// The abstract transition of a mover's step, if the step is possible.
    pub(super) fn effect(&mut self, watcher: ViewId, mover: usize, sources: &[NodeId], step: StepId) -> Option<Effect> {
        let views = self.views;
        let own = &views.view(watcher).threads;
        let what = &views.view(watcher).movers[mover];
        let mut literals = self.guard(step);
        let mut place = vec![None; own.len()];
        for (role, (source, id)) in what.sources.iter().zip(sources).enumerate() {
            literals.extend(self.renamed(watcher, mover, role, *id).iter());
            for (shared, location) in source.shared.iter().zip(&self.nodes[id.0].place) {
                shared.iter().for_each(|slot| place[*slot] = Some(*location));
            }
        }
        let mut placed: Vec<(ThreadId, LocationId)> = vec![(what.thread, self.system.transition(step).source)];
        placed.extend(own.iter().zip(&place).filter_map(|(thread, l)| Some((*thread, (*l)?))));
        let mut axioms = self.system.program.axioms(&placed);
        axioms.extend(self.system.program.identities_differ(&[own.as_slice(), &[what.thread]].concat()));
        literals.extend(axioms.into_iter().map(|term| self.engine.literal(term)).collect::<Vec<_>>());
        literals.sort_unstable();
        literals.dedup();
        let premises = self.engine.premises(literals);
        if !self.engine.satisfiable(&premises) {
            return None;
        }
        let (system, empty) = (self.system, PredicateSet::default());
        let predicates = self.vocabulary.transition.get(&(watcher, mover)).unwrap_or(&empty);
        let engine = &mut *self.engine;
        let make = || Rc::new(Goals::new(engine, predicates, |term| system.of_step(step, term)));
        let goals = self.transition_goals.entry((step, watcher, mover)).or_insert_with(make).clone();
        let value = abstract_state(self.engine, &premises, None, &goals);
        let transition = value.literals(predicates);
        let after = solved_form(&transition, &|var| system.owner(var).is_some_and(|thread| own.contains(&thread)));
        let number = system.number_of(&after);
        let next = |term: Term| system.rewritten(Rewrite::Solved(number), term, || substitute_primed(term, &after));
        let told = transition.iter().flat_map(|term| next(*term).conjuncts());
        let mut premises: Vec<Literal> = told.map(|term| self.engine.literal(term)).collect();
        premises.sort_unstable();
        premises.dedup();
        let bounds = self.engine.bounds(&premises);
        let becomes = |var: VarId, sort| match system.owner(var) {
            Some(thread) if own.contains(&thread) => None,
            _ => Some(after.get(&var).copied().unwrap_or_else(|| Term::primed(var, sort))),
        };
        let by = Rewrite::Disturbed(number, watcher.0);
        let disturbed = |term: Term| system.rewritten(by, term, || term.substitute(&becomes));
        let (engine, known) = (&mut *self.engine, &self.vocabulary.predicates[watcher.0]);
        let make = || Rc::new(Goals::new(engine, known, disturbed));
        let goals = self.environment_goals.entry((watcher, number)).or_insert_with(make).clone();
        let sources = sources.to_vec();
        Some(Effect { watcher, mover, sources, step, place, transition, value, premises, bounds, goals })
    }

    /// The abstract state after an abstract transition, if that can happen there.
    pub(super) fn relied(&mut self, id: NodeId, effect: EffectId) -> Option<AbstractState> {
        let (state, what) = (&self.nodes[id.0], &self.effects[effect.0]);
        let placed = what.place.iter().zip(&state.place).all(|(known, here)| known.is_none_or(|place| place == *here));
        if state.view != what.watcher || state.covered || !placed || what.goals.is_invisible() {
            return None;
        }
        if state.bounds.contradict(&what.bounds) {
            return None;
        }
        let goals = what.goals.clone();
        let premises = self.engine.premises(state.literals.iter().chain(&what.premises).copied());
        let (view, place, value) = (state.view, state.place.clone(), state.value.clone());
        if !self.engine.satisfiable(&premises) {
            return None;
        }
        let value = abstract_state(self.engine, &premises, Some(&value), &goals);
        Some(self.state(view, place, value, Origin::Rely { parent: id, effect }))
    }

    /// Whether a view's predicates see nothing of an abstract transition.
    pub(super) fn is_unseen(&self, effect: EffectId) -> bool {
        self.effects[effect.0].goals.is_invisible()
    }
}
