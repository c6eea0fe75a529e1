//! Errors about two threads: states that a view, and what is known of a thread next to it, can be in at once.
//!
//! When every state has been expanded, each conflict of the program is looked for among the states in which its threads are where it
//! says. A view that has both threads tells by itself; else what is known of the second is told next to a view of the first.

use abstraction::Literal;
use program::{Conflict, LocationId, Term, ThreadId};

use super::{AbstractState, NodeId, Origin, Reach};
use crate::rule::views::{Role, ViewId};

/// Errors of one round, at most: one of each claim.
const MOST: usize = 16;

/// What is in conflict.
#[derive(Clone, Debug)]
pub struct Encounter {
    /// A state of the first thread.
    pub parent: NodeId,
    /// Which of its view's movers is the second thread, if it is none of the view.
    pub mover: Option<usize>,
    /// What is known of the mover, by source.
    pub sources: Vec<NodeId>,
    /// Which of the program's conflicts.
    pub conflict: usize,
}

/// How a conflict shows: in a view with the first thread, the second being one of it or a mover next to it.
#[derive(Clone, Copy)]
struct Stage {
    view: ViewId,
    first: (ThreadId, LocationId),
    second: (ThreadId, LocationId),
    mover: Option<usize>,
}

impl Reach<'_, '_> {
    /// Notes conflicts as errors: at most one of each claim that is of interest.
    pub(super) fn find_encounters(&mut self) {
        let program = self.system.program;
        let mut seen = std::collections::BTreeSet::new();
        for (index, conflict) in program.conflicts().iter().enumerate() {
            if self.errors.len() >= MOST {
                break;
            }
            if self.tolerated.contains(&conflict.claim) || seen.contains(&conflict.claim) {
                continue;
            }
            // A conflict of other copies than views are about is that of these.
            let Some(stage) = self.stage(conflict) else { continue };
            if let Some(encounter) = self.encounter(index, stage) {
                seen.insert(conflict.claim);
                self.note(encounter);
            }
        }
    }

    fn stage(&self, conflict: &Conflict) -> Option<Stage> {
        let [one, two] = conflict.at.as_slice() else { return None };
        let views = self.graph.views;
        let has = |view: &ViewId, thread: ThreadId| views.view(*view).threads.contains(&thread);
        let both = views.ids().find(|view| has(view, one.0) && has(view, two.0));
        if let Some(view) = both {
            return Some(Stage { view, first: *one, second: *two, mover: None });
        }
        [(*one, *two), (*two, *one)].into_iter().find_map(|(first, second)| {
            views.ids().filter(|view| has(view, first.0)).find_map(|view| {
                let mover = views.mover(view, second.0)?;
                Some(Stage { view, first, second, mover: Some(mover) })
            })
        })
    }

    /// The first states, in order, that are in conflict.
    fn encounter(&mut self, index: usize, stage: Stage) -> Option<Encounter> {
        let Stage { view, first, second, mover } = stage;
        let threads = &self.graph.views.view(view).threads;
        let slot = |thread: ThreadId| threads.iter().position(|t| *t == thread);
        let own = slot(first.0)?;
        let other = slot(second.0);
        let here = |state: &AbstractState| {
            state.place[own] == first.1 && other.is_none_or(|other| state.place[other] == second.1)
        };
        let of_view = self.graph.of_view[view.0].iter().copied();
        let parents: Vec<NodeId> = of_view.filter(|id| !self.node(*id).covered && here(self.node(*id))).collect();
        for parent in parents {
            let Some(mover) = mover else {
                let state = self.node(parent).clone();
                if self.in_conflict(index, &state, None, &[]) {
                    return Some(Encounter { parent, mover: None, sources: Vec::new(), conflict: index });
                }
                continue;
            };
            for sources in self.sources_next_to(parent, mover, second.1) {
                let state = self.node(parent).clone();
                let known: Vec<AbstractState> = sources.iter().map(|id| self.node(*id).clone()).collect();
                if self.in_conflict(index, &state, Some(mover), &known.iter().collect::<Vec<_>>()) {
                    return Some(Encounter { parent, mover: Some(mover), sources, conflict: index });
                }
            }
        }
        None
    }

    /// All choices of states that tell of a mover at a location next to a state.
    fn sources_next_to(&self, parent: NodeId, mover: usize, location: LocationId) -> Vec<Vec<NodeId>> {
        let state = self.node(parent);
        let what = &self.graph.views.view(state.view).movers[mover];
        let mut choices: Vec<Vec<NodeId>> = vec![Vec::new()];
        for (number, source) in what.sources.iter().enumerate() {
            let role = Role { watcher: state.view, mover, source: number };
            let fits = |place: &[LocationId]| {
                let mut shared = source.shared.iter().zip(place);
                place[source.mover] == location && shared.all(|(own, at)| own.is_none_or(|own| state.place[own] == *at))
            };
            let agrees = |id: &NodeId| match self.graph.told.get(&(*id, role)) {
                Some(told) => !told.bounds.contradict(&state.bounds),
                None => !self.node(*id).bounds.contradict(&state.bounds),
            };
            let sites = self.graph.places[source.view.0].iter().map(|site| &self.graph.peers[*site]);
            let known = sites.filter(|site| fits(&site.place)).flat_map(|site| &site.alive).copied();
            let known: Vec<NodeId> = known.filter(agrees).collect();
            let grown = |choice: &Vec<NodeId>| -> Vec<Vec<NodeId>> {
                known.iter().map(|id| choice.iter().copied().chain([*id]).collect()).collect()
            };
            choices = choices.iter().flat_map(grown).collect();
        }
        choices
    }

    /// Whether a state, and what is known of a mover next to it, admit a conflict.
    pub(super) fn in_conflict(
        &mut self,
        index: usize,
        state: &AbstractState,
        mover: Option<usize>,
        sources: &[&AbstractState],
    ) -> bool {
        let program = self.system.program;
        let conflict = &program.conflicts()[index];
        let mut literals: Vec<Literal> = state.literals.clone();
        if let Some(mover) = mover {
            let what = &self.graph.views.view(state.view).movers[mover];
            for (source, known) in what.sources.iter().zip(sources) {
                literals.extend(self.renamed(&known.literals, &source.renaming));
            }
        }
        let threads: Vec<ThreadId> = conflict.at.iter().map(|(thread, _)| *thread).collect();
        let places = conflict.at.iter().map(|(thread, location)| self.system.at(*thread, *location));
        let terms: Vec<Term> = places
            .chain(conflict.condition.iter().copied())
            .chain(program.axioms(&conflict.at))
            .chain(program.identities_differ(&threads))
            .collect();
        literals.extend(terms.into_iter().map(|term| self.engine.literal(term)));
        literals.sort_unstable();
        literals.dedup();
        let premises = self.engine.premises(literals);
        let Ok(possible) = abstraction::Entailment::holds(self.engine, &premises);
        possible
    }

    /// Adds an error that is made of states that are there: nobody follows it.
    fn note(&mut self, encounter: Encounter) {
        let parent = self.node(encounter.parent).clone();
        let id = NodeId(self.graph.nodes.len());
        let origin = Origin::Encounter(self.encounters.len());
        self.errors.insert((parent.view, super::Failed::Together(encounter.conflict)), id);
        self.encounters.push(encounter);
        self.graph.nodes.push(AbstractState { origin, covered: true, ..parent });
        self.graph.widest.push(Vec::new());
    }
}
