//! A view's own steps, and what others see of them.

use std::sync::Arc;

use abstraction::{Entailment, Literal, Premises, Valuation, abstract_by};
use program::LocationId;

use super::graph::Graph;
use super::state::state;
use super::workers::each;
use super::{AbstractState, NodeId, Origin, Reach, Work};
use crate::rule::Environment;
use crate::rule::effect::{self, Deed, Observed};
use crate::rule::views::{Role, ViewId};
use crate::system::StepId;

/// So few states are not worth waking another worker.
const FEW: usize = 4;

/// A step of one of a view's threads from where it is.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// Whose.
    slot: usize,
    /// The step.
    step: StepId,
    /// Where it leads.
    target: LocationId,
    /// The same step as one of movers next to other views.
    roles: Vec<(Role, StepId)>,
}

/// What a step leads to, and what others see of it.
struct Followed {
    slot: usize,
    step: StepId,
    place: Vec<LocationId>,
    value: Valuation,
    observed: Vec<(Deed, Observed)>,
    /// Who speaks of nothing that it changes.
    unseen: Vec<ViewId>,
}

impl Graph<'_> {
    /// What a state says together with a step's guard, if the step is possible.
    fn possible<E: Entailment>(
        &self,
        who: &mut E,
        state: &AbstractState,
        step: StepId,
    ) -> Result<Option<Premises>, E::Open> {
        let guard = self.goals.guard(step);
        if state.bounds.contradict(&guard.bounds) {
            return Ok(None);
        }
        let premises = who.tables().premises(state.literals.iter().chain(&guard.literals).copied());
        // What is known of instances whatever the program may contradict a state by itself.
        let holding: &[&[Literal]] = if self.program.templates().is_empty() { &[&state.literals] } else { &[] };
        Ok(who.hold_together(&premises, holding)?.then_some(premises))
    }

    /// The place and value after a step that is possible with these premises.
    fn after<E: Entailment>(
        &self,
        who: &mut E,
        state: &AbstractState,
        taken: &Move,
        premises: &Premises,
    ) -> Result<(Vec<LocationId>, Valuation), E::Open> {
        let mut place = state.place.clone();
        place[taken.slot] = taken.target;
        let tracked = self.tracked[state.view.0].at(&place);
        let goals = self.goals.of_step(taken.step, state.view);
        Ok((place, abstract_by(who, premises, Some(&state.value), goals, tracked)?))
    }

    /// What the steps from a state lead to.
    fn follow<E: Entailment>(
        &self,
        who: &mut E,
        environment: Environment,
        id: NodeId,
        moves: &[Arc<[Move]>],
    ) -> Result<Vec<Followed>, E::Open> {
        let state = &self.nodes[id.0];
        let mut all = Vec::new();
        for taken in moves.iter().flat_map(|moves| moves.iter()) {
            let Some(premises) = self.possible(who, state, taken.step)? else { continue };
            let (place, value) = self.after(who, state, taken, &premises)?;
            let (mut observed, mut unseen) = (Vec::new(), Vec::new());
            for (role, step) in &taken.roles {
                if !effect::is_seen(self, environment, *step, role.watcher) {
                    unseen.push(role.watcher);
                    continue;
                }
                for deed in self.deeds(id, *role, *step, state.place[taken.slot]) {
                    let known = match self.program.templates().is_empty() {
                        // What is known of the mover is what the state says.
                        true => Some(premises.clone()),
                        false => self.known(who, &deed, &self.told(&deed))?,
                    };
                    let Some(known) = known else { continue };
                    let seen = effect::observe(self, who, environment, &deed, &known)?;
                    observed.push((deed, seen));
                }
            }
            all.push(Followed { slot: taken.slot, step: taken.step, place, value, observed, unseen });
        }
        Ok(all)
    }
}

impl Reach<'_, '_> {
    /// Takes the views' own steps from states, and exchanges their copies.
    pub(super) fn take_steps(&mut self, front: &[NodeId]) {
        let mut items: Vec<(NodeId, Vec<Arc<[Move]>>)> = Vec::with_capacity(front.len());
        for id in front {
            if !self.graph.nodes[id.0].covered {
                self.graph.nodes[id.0].followed = self.next_turn();
                self.tell(*id);
                items.push((*id, self.moves_from(*id)));
            }
        }
        let (graph, environment, tables) = (&self.graph, self.environment, self.engine.tables());
        let found =
            each(self.workers, FEW, &items, |(id, moves)| graph.follow(&mut { tables }, environment, *id, moves).ok());
        for ((id, moves), followed) in items.iter().zip(found) {
            if self.graph.nodes[id.0].covered {
                continue;
            }
            let followed = match followed {
                Some(followed) => followed,
                // A question for Z3, which one thread alone may ask.
                None => {
                    let Ok(followed) = self.graph.follow(self.engine, self.environment, *id, moves);
                    followed
                }
            };
            self.exchange(*id);
            for one in followed {
                self.accept_step(*id, one);
            }
            self.queue.push_back(Work::State(*id));
        }
    }

    fn accept_step(&mut self, id: NodeId, one: Followed) {
        let view = self.graph.nodes[id.0].view;
        let origin = Origin::Step { parent: id, slot: one.slot, step: one.step };
        self.add(AbstractState { origin, ..state(view, one.place, one.value) });
        self.graph.unseen.extend(one.unseen);
        for (deed, observed) in one.observed {
            if let Some(effect) = effect::effect(self, deed, observed) {
                let (effect, group) = self.graph.add_effect(effect);
                self.queue.push_back(Work::Effect(effect, group));
            }
        }
    }

    /// Adds a state with its view's copies exchanged.
    fn exchange(&mut self, id: NodeId) {
        for symmetry in 0..self.graph.views.view(self.graph.nodes[id.0].view).symmetries.len() {
            let from = self.graph.nodes[id.0].clone();
            let exchanged = self.exchanged(&from, symmetry);
            self.add(AbstractState { origin: Origin::Symmetric { parent: id, symmetry }, ..exchanged });
        }
    }

    /// The steps from a state, by thread of its view.
    fn moves_from(&mut self, id: NodeId) -> Vec<Arc<[Move]>> {
        let (view, place) = (self.graph.nodes[id.0].view, self.graph.nodes[id.0].place.clone());
        place.into_iter().enumerate().map(|(slot, at)| self.moves_at(view, slot, at)).collect()
    }

    fn moves_at(&mut self, view: ViewId, slot: usize, at: LocationId) -> Arc<[Move]> {
        if let Some(moves) = self.moves.get(&(view, slot, at)) {
            return moves.clone();
        }
        let thread = self.graph.views.view(view).threads[slot];
        let steps = self.system.steps_from(thread, at).filter(|step| !self.elsewhere.contains(step));
        let mut moves = Vec::new();
        for step in steps.collect::<Vec<_>>() {
            self.prepare_guard(step);
            self.prepare_step_goals(step, view);
            let mut roles = Vec::new();
            for role in self.roles[view.0][slot].clone() {
                // Copies have the same steps.
                let mover = &self.graph.views.view(role.watcher).movers[role.mover];
                let theirs = StepId { thread: mover.thread, index: step.index };
                self.prepare(theirs, role.watcher, role.mover);
                roles.push((role, theirs));
            }
            moves.push(Move { slot, step, target: self.system.transition(step).target, roles });
        }
        let moves: Arc<[Move]> = moves.into();
        self.moves.insert((view, slot, at), moves.clone());
        moves
    }

    /// Makes what is needed to see what a watcher sees of a mover's step.
    pub(super) fn prepare(&mut self, step: StepId, watcher: ViewId, mover: usize) {
        if self.prepared.insert((step, watcher)) {
            effect::prepare(self, step, watcher, mover);
        }
    }

    /// The abstract state after a step of one of the view's threads, if the step is possible.
    pub(super) fn step(&mut self, from: &AbstractState, slot: usize, step: StepId) -> Option<AbstractState> {
        self.prepare_guard(step);
        self.prepare_step_goals(step, from.view);
        let Ok(premises) = self.graph.possible(self.engine, from, step);
        let taken = Move { slot, step, target: self.system.transition(step).target, roles: Vec::new() };
        let Ok((place, value)) = self.graph.after(self.engine, from, &taken, &premises?);
        Some(state(from.view, place, value))
    }
}
