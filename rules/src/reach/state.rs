//! Making states, and adding them.

use abstraction::{Bounds, Goals, Literal, Premises, Valuation, abstract_by};
use program::{LocationId, Renaming, Term, ThreadId};

use super::meetings::NEVER;
use super::{AbstractState, Failed, NodeId, Origin, Reach};
use crate::rule::views::ViewId;

impl Reach<'_, '_> {
    /// The abstract initial state of a view.
    pub(crate) fn initial(&mut self, view: ViewId) -> AbstractState {
        let system = self.system;
        let entry = |thread: ThreadId| system.program.thread(thread).entry;
        let place: Vec<LocationId> = self.graph.views.view(view).threads.iter().map(|t| entry(*t)).collect();
        let mut formulas = system.initial();
        formulas.extend(system.threads().map(|t| system.at(t, entry(t))));
        formulas.extend(self.axioms(view, &place));
        let literals: Vec<Literal> = formulas.iter().map(|term| self.engine.literal(*term)).collect();
        let premises = self.engine.premises(literals);
        let goals = Goals::new(self.engine, self.graph.vocabulary.predicates[view.0].set(), |term| term);
        let Ok(value) = abstract_by(self.engine, &premises, None, &goals, self.graph.tracked[view.0].at(&place));
        state(view, place, value)
    }

    /// Says the value of a state as premises. Most states that are made are covered at once and never need it.
    pub(crate) fn complete(&mut self, state: &mut AbstractState) {
        let mut terms = state.value.literals(self.graph.vocabulary.predicates[state.view.0].set());
        let located = self.graph.views.view(state.view).threads.iter().zip(&state.place);
        terms.extend(located.map(|(thread, location)| self.system.at(*thread, *location)));
        terms.extend(self.axioms(state.view, &state.place));
        state.literals = terms.iter().map(|term| self.engine.literal(*term)).collect();
        state.literals.sort_unstable();
        state.literals.dedup();
        state.bounds = self.engine.bounds(&state.literals);
        state.premises = self.engine.premises(state.literals.iter().copied());
    }

    /// Adds a state unless one that is there stands for it already; those it stands for are covered. The first error of each
    /// view is remembered, and no error is followed.
    pub(super) fn add(&mut self, mut state: AbstractState) {
        let graph = &mut self.graph;
        let id = NodeId(graph.nodes.len());
        state.site = graph.site(state.view, &state.place);
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
        self.graph.of_view[state.view.0].push(id);
        for thread in self.system.threads() {
            let known = self.graph.whereabouts(&state, thread);
            let located = self.graph.located.entry((state.view, thread)).or_default();
            known.map_or(&mut located.anywhere, |place| located.at.entry(place).or_default()).push(id);
        }
        if self.is_error(&state) {
            let last = match state.origin {
                Origin::Step { step, .. } => Some(step),
                _ => None,
            };
            self.errors.entry((state.view, Failed::Alone(last))).or_insert(id);
        } else {
            self.fresh.push_back(id);
        }
        self.graph.nodes.push(state);
        self.graph.widest.push(Vec::new());
    }

    /// What is known of a view's threads at a place, whatever the program.
    fn axioms(&self, view: ViewId, place: &[LocationId]) -> Vec<Term> {
        let threads = self.graph.views.view(view).threads.iter().copied();
        self.system.program.axioms(&threads.zip(place.iter().copied()).collect::<Vec<_>>())
    }

    /// The state with the view's copies exchanged.
    pub(super) fn exchanged(&mut self, from: &AbstractState, symmetry: usize) -> AbstractState {
        let exchange = &self.graph.views.view(from.view).symmetries[symmetry];
        let literals = self.renamed(&from.literals, &exchange.renaming);
        let premises = self.engine.premises(literals);
        let mut place = from.place.clone();
        for (slot, to) in exchange.slots.iter().enumerate() {
            place[*to] = from.place[slot];
        }
        let goals = Goals::new(self.engine, self.graph.vocabulary.predicates[from.view.0].set(), |term| term);
        let Ok(value) = abstract_by(self.engine, &premises, None, &goals, self.graph.tracked[from.view.0].at(&place));
        state(from.view, place, value)
    }

    /// What literals say where other copies stand in the place of some.
    pub(super) fn renamed(&mut self, literals: &[Literal], renaming: &Renaming) -> Vec<Literal> {
        let terms: Vec<Term> = literals.iter().map(|literal| renaming.term(self.engine.term(*literal))).collect();
        let mut renamed: Vec<Literal> = terms.into_iter().map(|term| self.engine.literal(term)).collect();
        renamed.sort_unstable();
        renamed
    }

    fn is_error(&self, state: &AbstractState) -> bool {
        let threads = &self.graph.views.view(state.view).threads;
        threads.iter().zip(&state.place).any(|(thread, location)| self.system.is_error(*thread, *location))
    }
}

/// A state of which nothing is known but its value.
pub(super) fn state(view: ViewId, place: Vec<LocationId>, value: Valuation) -> AbstractState {
    let (literals, bounds, premises) = (Vec::new(), Bounds::default(), Premises::default());
    let (origin, covered, followed, turn, site) = (Origin::Initial, false, NEVER, NEVER, usize::MAX);
    AbstractState { view, place, value, literals, bounds, premises, origin, covered, followed, turn, site }
}
