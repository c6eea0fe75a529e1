//! A component's own steps.

use std::sync::Arc;

use abstraction::{Entailment, Premises, Valuation, abstract_by};
use program::{LocationId, ThreadId};

use super::graph::Graph;
use super::state::state;
use super::workers::each;
use super::{AbstractState, ComponentId, NodeId, Origin, Reach, Work};
use crate::effect::{self, Effect, Observed, Taken};
use crate::rule::Rule;
use crate::system::StepId;

/// So few states are not worth waking another worker.
const FEW: usize = 4;

/// A step of a component's thread from where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    /// The step.
    pub(crate) step: StepId,
    /// Where it leads.
    pub(crate) target: LocationId,
}

/// What a step leads to, and what others see of it.
struct Followed {
    step: StepId,
    place: Vec<LocationId>,
    value: Valuation,
    observed: Vec<(ComponentId, Observed)>,
}

impl<'a> Graph<'a> {
    /// What a state says together with a step's guard, if the step is possible.
    fn possible<E: Entailment>(
        &self,
        who: &mut E,
        state: &AbstractState,
        step: StepId,
    ) -> Result<Option<Premises>, E::Open> {
        let guard = self.goals.guard(step);
        let premises = who.tables().premises(state.literals.iter().chain(guard).copied());
        Ok(who.holds(&premises)?.then_some(premises))
    }

    /// The place and value after a step that is possible with these premises.
    fn after<E: Entailment>(
        &self,
        who: &mut E,
        state: &AbstractState,
        position: usize,
        taken: Move,
        premises: &Premises,
    ) -> Result<(Vec<LocationId>, Valuation), E::Open> {
        let mut place = state.place.clone();
        place[position] = taken.target;
        let tracked = self.tracked[state.component.0].at(&place);
        let goals = self.goals.of_step(taken.step, state.component);
        Ok((place, abstract_by(who, premises, Some(&state.value), goals, tracked)?))
    }

    /// What the steps from a state lead to.
    fn follow<E: Entailment>(
        &self,
        who: &mut E,
        rule: Rule,
        id: NodeId,
        moves: &[Arc<[Move]>],
    ) -> Result<Vec<Followed>, E::Open> {
        let state = &self.nodes[id.0];
        let mut all = Vec::new();
        for (position, moves) in moves.iter().enumerate() {
            for taken in moves.iter() {
                let Some(premises) = self.possible(who, state, taken.step)? else { continue };
                let (place, value) = self.after(who, state, position, *taken, &premises)?;
                let mut observed = Vec::new();
                for watcher in (0..self.components.len()).map(ComponentId).filter(|c| *c != state.component) {
                    observed.push((watcher, effect::observe(self, who, rule, taken.step, &premises, watcher)?));
                }
                all.push(Followed { step: taken.step, place, value, observed });
            }
        }
        Ok(all)
    }
}

impl Reach<'_, '_> {
    /// Takes the components' own steps from states.
    pub(super) fn take_steps(&mut self, front: &[NodeId]) {
        let mut items: Vec<(NodeId, Vec<Arc<[Move]>>)> = Vec::with_capacity(front.len());
        for id in front {
            if !self.graph.nodes[id.0].covered {
                items.push((*id, self.moves_from(*id)));
            }
        }
        let (graph, rule, tables) = (&self.graph, self.rule, self.engine.tables());
        let found = each(self.workers, FEW, &items, |(id, moves)| graph.follow(&mut { tables }, rule, *id, moves).ok());
        for ((id, moves), followed) in items.iter().zip(found) {
            if self.graph.nodes[id.0].covered {
                continue;
            }
            let followed = match followed {
                Some(followed) => followed,
                // A question for Z3, which one thread alone may ask.
                None => {
                    let Ok(followed) = self.graph.follow(self.engine, self.rule, *id, moves);
                    followed
                }
            };
            for one in followed {
                let component = self.graph.nodes[id.0].component;
                let origin = Origin::Step { parent: *id, step: one.step };
                self.add(AbstractState { origin, ..state(component, one.place, one.value) });
                for (watcher, observed) in one.observed {
                    if let Some(effect) = effect::effect(self, Taken { from: *id, step: one.step }, watcher, observed) {
                        let (effect, group) = self.graph.add_effect(effect);
                        self.queue.push_back(Work::Effect(effect, group));
                    }
                }
            }
            self.queue.push_back(Work::State(*id));
        }
    }

    /// The steps from a state, by thread of its component.
    fn moves_from(&mut self, id: NodeId) -> Vec<Arc<[Move]>> {
        let state = &self.graph.nodes[id.0];
        let component = state.component;
        let threads = self.graph.components[component.0].iter().copied().zip(state.place.clone());
        threads.collect::<Vec<_>>().into_iter().map(|(thread, at)| self.moves_at(component, thread, at)).collect()
    }

    fn moves_at(&mut self, component: ComponentId, thread: ThreadId, at: LocationId) -> Arc<[Move]> {
        if let Some(moves) = self.moves.get(&(thread, at)) {
            return moves.clone();
        }
        let steps = self.system.steps_from(thread, at).filter(|step| !self.elsewhere.contains(step));
        let moves: Vec<Move> = steps.map(|step| Move { step, target: self.system.transition(step).target }).collect();
        for taken in &moves {
            self.prepare_guard(taken.step);
            self.prepare_step_goals(taken.step, component);
            for watcher in self.component_ids().filter(|c| *c != component) {
                self.prepare(taken.step, watcher);
            }
        }
        let moves: Arc<[Move]> = moves.into();
        self.moves.insert((thread, at), moves.clone());
        moves
    }

    /// Makes what is needed to see what a watcher sees of a step.
    fn prepare(&mut self, step: StepId, watcher: ComponentId) {
        if self.prepared.insert((step, watcher)) {
            effect::prepare(self, step, watcher);
        }
    }

    /// The abstract state after a step of one of the component's threads, if the step is possible.
    pub(crate) fn step(&mut self, from: &AbstractState, position: usize, step: StepId) -> Option<AbstractState> {
        self.prepare_guard(step);
        self.prepare_step_goals(step, from.component);
        let Ok(premises) = self.graph.possible(self.engine, from, step);
        let taken = Move { step, target: self.system.transition(step).target };
        let Ok((place, value)) = self.graph.after(self.engine, from, position, taken, &premises?);
        Some(state(from.component, place, value))
    }

    /// Whether a step is possible from a state, and if so, what it does to a watcher: nothing if the watcher does not see it.
    pub(crate) fn effect_of(
        &mut self,
        taken: Taken,
        from: &AbstractState,
        watcher: ComponentId,
    ) -> Option<Option<Effect>> {
        self.prepare_guard(taken.step);
        self.prepare(taken.step, watcher);
        let Ok(premises) = self.graph.possible(self.engine, from, taken.step);
        let Ok(observed) = effect::observe(&self.graph, self.engine, self.rule, taken.step, &premises?, watcher);
        Some(effect::effect(self, taken, watcher, observed))
    }
}
