//! Who is known next to whom: the states that tell of a mover next to a view, and what they say together.

use std::sync::Arc;

use abstraction::{Bounds, Entailment, Literal, Premises};
use program::{LocationId, Term, ThreadId};

use super::graph::Graph;
use super::{AbstractState, NodeId, Reach};
use crate::refine::derivation::Places;
use crate::rule::effect::{Deed, Effect};
use crate::rule::views::{Mover, Role};
use crate::system::StepId;

/// What a state says, where other instances stand in the place of its threads.
pub(super) struct Told {
    pub(super) literals: Vec<Literal>,
    pub(super) bounds: Bounds,
}

impl Graph<'_> {
    /// The deeds of a mover in a step that a state, which has been told, is one of the sources of: with those that have been
    /// followed before as the others, in all ways.
    pub(super) fn deeds(&self, state: NodeId, role: Role, step: StepId, start: LocationId) -> Vec<Deed> {
        let what = &self.views.view(role.watcher).movers[role.mover];
        let mut choices: Vec<Vec<NodeId>> = vec![Vec::new()];
        for source in 0..what.sources.len() {
            let here = Role { source, ..role };
            let grown = |choice: &Vec<NodeId>| -> Vec<Vec<NodeId>> {
                let options = match source == role.source {
                    true => vec![state],
                    false => self.companions(state, here, choice, start),
                };
                let agrees = |id: &NodeId| self.agree(role, step, choice, *id);
                options.into_iter().filter(agrees).map(|id| choice.iter().copied().chain([id]).collect()).collect()
            };
            choices = choices.iter().flat_map(grown).collect();
        }
        let deed = |sources: Vec<NodeId>| Deed {
            watcher: role.watcher,
            mover: role.mover,
            place: self.placed(what, &sources.iter().map(|id| &self.nodes[id.0]).collect::<Vec<_>>(), role),
            sources,
            step,
            start,
        };
        choices.into_iter().map(deed).collect()
    }

    /// The live states that may be a source next to those that are chosen, and were not followed after a state.
    fn companions(&self, state: NodeId, role: Role, chosen: &[NodeId], start: LocationId) -> Vec<NodeId> {
        let what = &self.views.view(role.watcher).movers[role.mover];
        let source = &what.sources[role.source];
        let chosen: Vec<&AbstractState> = chosen.iter().map(|id| &self.nodes[id.0]).collect();
        let placed = self.placed(what, &chosen, role);
        let fits = |place: &[LocationId]| {
            let mut shared = source.shared.iter().zip(place);
            let known = |own: &Option<usize>| own.and_then(|own| placed[own]);
            place[source.mover] == start && shared.all(|(own, here)| known(own).is_none_or(|there| there == *here))
        };
        let sites = self.places[source.view.0].iter().map(|site| &self.peers[*site]).filter(|site| fits(&site.place));
        let latest = self.nodes[state.0].followed;
        sites.flat_map(|site| &site.alive).copied().filter(|id| self.nodes[id.0].followed <= latest).collect()
    }

    /// Whether another source does not evidently contradict the step's guard or those that are chosen.
    fn agree(&self, role: Role, step: StepId, chosen: &[NodeId], id: NodeId) -> bool {
        let told = |source: usize, id: NodeId| self.told.get(&(id, Role { source, ..role }));
        let Some(one) = told(chosen.len(), id) else { return true };
        let others = chosen.iter().enumerate().filter_map(|(source, other)| told(source, *other));
        let mut known = others.map(|other| &other.bounds).chain([&self.goals.guard(step).bounds]);
        known.all(|bounds| !bounds.contradict(&one.bounds))
    }

    /// Where sources put the watcher's threads.
    fn placed(&self, what: &Mover, sources: &[&AbstractState], role: Role) -> Places {
        let mut place = vec![None; self.views.view(role.watcher).threads.len()];
        for (source, state) in what.sources.iter().zip(sources) {
            for (shared, location) in source.shared.iter().zip(&state.place) {
                shared.iter().for_each(|slot| place[*slot] = Some(*location));
            }
        }
        place
    }

    /// What the sources of a deed say in it.
    pub(super) fn told(&self, deed: &Deed) -> Vec<&[Literal]> {
        let Deed { watcher, mover, sources, .. } = deed;
        let said = |(source, id): (usize, &NodeId)| {
            let role = Role { watcher: *watcher, mover: *mover, source };
            self.told.get(&(*id, role)).map_or(self.nodes[id.0].literals.as_slice(), |told| &told.literals)
        };
        sources.iter().enumerate().map(said).collect()
    }

    /// What is known in a deed of which sources say this, if it is possible.
    pub(super) fn known<E: Entailment>(
        &self,
        who: &mut E,
        deed: &Deed,
        told: &[&[Literal]],
    ) -> Result<Option<Premises>, E::Open> {
        let mut literals = told.concat();
        literals.extend(&self.goals.guard(deed.step).literals);
        for axiom in self.axioms(deed) {
            literals.push(who.literal_of(axiom)?);
        }
        let premises = who.tables().premises(literals);
        Ok(who.holds(&premises)?.then_some(premises))
    }

    /// What is known of a deed's threads, whatever the program: next to instances alone there is something.
    fn axioms(&self, deed: &Deed) -> Vec<Term> {
        if self.program.templates().is_empty() {
            return Vec::new();
        }
        let own = &self.views.view(deed.watcher).threads;
        let placed = own.iter().zip(&deed.place).filter_map(|(thread, location)| Some((*thread, (*location)?)));
        let mut all = self.program.axioms(&placed.chain([(deed.step.thread, deed.start)]).collect::<Vec<_>>());
        all.extend(self.program.identities_differ(&[own.as_slice(), &[deed.step.thread]].concat()));
        all
    }

    /// What is known of the threads of a state and of who moves next to them: how many there are. An abstract transition does not
    /// say who moves.
    pub(super) fn counted(&self, state: &AbstractState, effect: &Effect) -> Vec<Term> {
        if self.program.counters().is_empty() || effect.abstraction.is_some() {
            return Vec::new();
        }
        let own = self.views.view(state.view).threads.iter().copied().zip(state.place.iter().copied());
        let placed: Vec<(ThreadId, LocationId)> = own.chain([(effect.deed.step.thread, effect.deed.start)]).collect();
        self.program.axioms(&placed)
    }
}

impl Reach<'_, '_> {
    /// Makes what a state says next to others, where that is not what it says.
    pub(super) fn tell(&mut self, id: NodeId) {
        let views = self.graph.views;
        for role in self.roles[self.graph.nodes[id.0].view.0].concat() {
            let source = &views.view(role.watcher).movers[role.mover].sources[role.source];
            if !source.is_as_it_is() && !self.graph.told.contains_key(&(id, role)) {
                let literals = self.graph.nodes[id.0].literals.clone();
                let literals = self.renamed(&literals, &source.renaming);
                let told = Told { bounds: self.engine.bounds(&literals), literals };
                self.graph.told.insert((id, role), Arc::new(told));
            }
        }
    }

    /// What a mover does in a step next to a view, where these states are known of it, if the step is possible. Nothing if an
    /// effect that is there stands for it.
    pub(super) fn effect_of(&mut self, deed: Deed, sources: &[&AbstractState]) -> Option<Option<Effect>> {
        let what = &self.graph.views.view(deed.watcher).movers[deed.mover];
        let said = what.sources.iter().zip(sources);
        let told: Vec<Vec<Literal>> = said.map(|(s, state)| self.renamed(&state.literals, &s.renaming)).collect();
        self.prepare(deed.step, deed.watcher, deed.mover);
        let told: Vec<&[Literal]> = told.iter().map(Vec::as_slice).collect();
        let Ok(premises) = self.graph.known(self.engine, &deed, &told);
        let Ok(observed) = crate::rule::effect::observe(&self.graph, self.engine, self.environment, &deed, &premises?);
        Some(crate::rule::effect::effect(self, deed, observed))
    }
}
