//! Making states, and adding them.

use abstraction::{Bounds, Goals, Literal, Premises, Valuation, abstract_by};
use program::{LocationId, ThreadId};

use super::graph::Peers;
use super::meetings::NEVER;
use super::{AbstractState, ComponentId, NodeId, Origin, Reach};

impl Reach<'_, '_> {
    /// The abstract initial state of a component.
    pub(crate) fn initial(&mut self, component: ComponentId) -> AbstractState {
        let system = self.system;
        let entry = |thread: ThreadId| system.program.thread(thread).entry;
        let place: Vec<LocationId> = self.graph.components[component.0].iter().map(|t| entry(*t)).collect();
        let mut formulas = system.initial();
        formulas.extend(system.threads().map(|t| system.at(t, entry(t))));
        let literals: Vec<Literal> = formulas.iter().map(|term| self.engine.literal(*term)).collect();
        let premises = self.engine.premises(literals);
        let goals = Goals::new(self.engine, self.graph.vocabularies.predicates[component.0].set(), |term| term);
        let Ok(value) = abstract_by(self.engine, &premises, None, &goals, self.graph.tracked[component.0].at(&place));
        state(component, place, value)
    }

    /// Says the value of a state as premises. Most states that are made are covered at once and never need it.
    pub(crate) fn complete(&mut self, state: &mut AbstractState) {
        let mut terms = state.value.literals(self.graph.vocabularies.predicates[state.component.0].set());
        let located = self.graph.components[state.component.0].iter().zip(&state.place);
        terms.extend(located.map(|(thread, location)| self.system.at(*thread, *location)));
        state.literals = terms.iter().map(|term| self.engine.literal(*term)).collect();
        state.literals.sort_unstable();
        state.literals.dedup();
        state.bounds = self.engine.bounds(&state.literals);
        state.premises = self.engine.premises(state.literals.iter().copied());
    }

    /// Adds a state unless one that is there stands for it already; those it stands for are covered. The first error of each
    /// component is remembered, and no error is followed.
    pub(super) fn add(&mut self, mut state: AbstractState) {
        let graph = &mut self.graph;
        let id = NodeId(graph.nodes.len());
        let (next, all) = (graph.peers.len(), &mut graph.peers);
        state.site = *graph.by_place.entry((state.component, state.place.clone())).or_insert_with(|| {
            all.push(Peers::default());
            next
        });
        let (peers, nodes) = (&mut graph.peers[state.site], &mut graph.nodes);
        if peers.alive.iter().any(|peer| state.value.refines(&nodes[peer.0].value)) {
            return;
        }
        for peer in &peers.alive {
            if nodes[peer.0].value.refines(&state.value) {
                nodes[peer.0].covered = true;
            }
        }
        peers.alive.retain(|peer| !nodes[peer.0].covered);
        peers.alive.push(id);
        peers.all.push(id);
        self.complete(&mut state);
        self.graph.of_component[state.component.0].push(id);
        for thread in self.system.threads() {
            let known = self.graph.whereabouts(&state, thread);
            let located = self.graph.located.entry((state.component, thread)).or_default();
            known.map_or(&mut located.anywhere, |place| located.at.entry(place).or_default()).push(id);
        }
        if self.is_error(&state) {
            let last = match state.origin {
                Origin::Step { step, .. } => Some(step),
                _ => None,
            };
            self.errors.entry((state.component, last)).or_insert(id);
        } else {
            self.fresh.push_back(id);
        }
        self.graph.nodes.push(state);
        self.graph.widest.push(Vec::new());
    }

    fn is_error(&self, state: &AbstractState) -> bool {
        let threads = &self.graph.components[state.component.0];
        threads.iter().zip(&state.place).any(|(thread, location)| self.system.is_error(*thread, *location))
    }
}

/// A state of which nothing is known but its value.
pub(super) fn state(component: ComponentId, place: Vec<LocationId>, value: Valuation) -> AbstractState {
    let (literals, bounds, premises) = (Vec::new(), Bounds::default(), Premises::default());
    let (origin, covered, turn, site) = (Origin::Initial, false, NEVER, usize::MAX);
    AbstractState { component, place, value, literals, bounds, premises, origin, covered, turn, site }
}
