//! Errors about several threads: states that a view, and what is known of threads next to it, can be in at once.
//!
//! When every state has been expanded, each conflict of the program is looked for among the states in which its threads are where it
//! says. A view that has all of them tells by itself; else what is known of the others is told next to a view of one, thread by thread,
//! and given up as soon as what has been told excludes it.

use abstraction::Literal;
use program::{Conflict, LocationId, Term, ThreadId};

use super::{AbstractState, NodeId, Origin, Reach};
use crate::rule::views::{Role, ViewId};

/// Errors of one round, at most: one of each claim.
const MOST: usize = 16;

/// What is in conflict.
#[derive(Clone, Debug)]
pub struct Encounter {
    /// A state of the first thread, or of all.
    pub parent: NodeId,
    /// The threads that are none of its view.
    pub others: Vec<Stranger>,
    /// Which of the program's conflicts.
    pub conflict: usize,
    /// By thread of the conflict, which of its ways.
    pub ways: Vec<usize>,
}

/// A thread that is none of a view: which of its movers, and the states that tell of it, by source.
pub type Stranger = (usize, Vec<NodeId>);

/// A mover of a view, and what is known of it.
pub(super) type Told<'s> = (usize, Vec<&'s AbstractState>);

/// How a conflict shows: in a view, with the movers next to it that are in the conflict and not in the view, by the conflict's threads.
struct Stage {
    view: ViewId,
    movers: Vec<Option<usize>>,
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
            if let Some(encounter) = self.encounter(index, &stage) {
                seen.insert(conflict.claim);
                self.note(encounter);
            }
        }
    }

    /// A view with as many of the threads as there is one, next to which the others move.
    fn stage(&self, conflict: &Conflict) -> Option<Stage> {
        let views = self.graph.views;
        let threads = conflict.threads();
        let stage = |view: ViewId| {
            let own = &views.view(view).threads;
            let mover = |thread: &ThreadId| match own.contains(thread) {
                true => Some(None),
                false => views.mover(view, *thread).map(Some),
            };
            let movers = threads.iter().map(mover).collect::<Option<Vec<_>>>()?;
            movers.contains(&None).then_some(Stage { view, movers })
        };
        let strangers = |stage: &Stage| stage.movers.iter().flatten().count();
        // Of several views that are as good, the one with the thread that is named first.
        let first = |stage: &Stage| stage.movers.iter().position(Option::is_none);
        views.ids().filter_map(stage).min_by_key(|stage| (strangers(stage), first(stage)))
    }

    /// The first states, in order, that are in conflict.
    fn encounter(&mut self, index: usize, stage: &Stage) -> Option<Encounter> {
        let conflict = &self.system.program.conflicts()[index];
        let threads = &self.graph.views.view(stage.view).threads;
        let slots: Vec<Option<usize>> =
            conflict.at.iter().map(|standing| threads.iter().position(|t| *t == standing.thread)).collect();
        for parent in self.graph.of_view[stage.view.0].clone() {
            if self.node(parent).covered {
                continue;
            }
            let place = self.node(parent).place.clone();
            // What the view's own threads do, in all ways that fit.
            let mut begun: Vec<Vec<Option<usize>>> = vec![Vec::new()];
            for (standing, slot) in conflict.at.iter().zip(&slots) {
                let fits: Vec<Option<usize>> = match slot {
                    None => vec![None],
                    Some(slot) => {
                        let ways = standing.ways.iter().enumerate();
                        ways.filter(|(_, way)| way.location == place[*slot]).map(|(way, _)| Some(way)).collect()
                    }
                };
                begun =
                    begun.iter().flat_map(|ways| fits.iter().map(|way| [ways.as_slice(), &[*way]].concat())).collect();
            }
            for ways in begun {
                if let Some((ways, others)) = self.joined(index, stage, parent, ways, Vec::new()) {
                    return Some(Encounter { parent, others, conflict: index, ways });
                }
            }
        }
        None
    }

    /// What the other threads do, such that all are in conflict; `ways` says it of those that are placed already.
    fn joined(
        &mut self,
        index: usize,
        stage: &Stage,
        parent: NodeId,
        ways: Vec<Option<usize>>,
        others: Vec<Stranger>,
    ) -> Option<(Vec<usize>, Vec<Stranger>)> {
        let conflict = &self.system.program.conflicts()[index];
        // Where only the last one is left to be placed, or two in all, the whole is asked about at once.
        let open = ways.iter().filter(|way| way.is_none()).count();
        if (open == 0 || ways.len() > 2) && !self.admits(index, &ways, parent, &others) {
            return None;
        }
        let Some(next) = ways.iter().position(Option::is_none) else {
            return Some((ways.into_iter().flatten().collect(), others));
        };
        let mover = stage.movers[next]?;
        for (number, way) in conflict.at[next].ways.iter().enumerate() {
            for sources in self.sources_next_to(parent, mover, way.location) {
                let mut ways = ways.clone();
                ways[next] = Some(number);
                let others = others.iter().cloned().chain([(mover, sources)]).collect();
                if let Some(found) = self.joined(index, stage, parent, ways, others) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Whether states admit that threads are in conflict, as far as ways are chosen.
    fn admits(&mut self, index: usize, ways: &[Option<usize>], parent: NodeId, others: &[Stranger]) -> bool {
        let state = self.node(parent).clone();
        let known: Vec<(usize, Vec<AbstractState>)> =
            others.iter().map(|(mover, ids)| (*mover, ids.iter().map(|id| self.node(*id).clone()).collect())).collect();
        let told: Vec<Told<'_>> = known.iter().map(|(mover, states)| (*mover, states.iter().collect())).collect();
        match ways.iter().copied().collect::<Option<Vec<usize>>>() {
            Some(ways) => self.in_conflict(index, &ways, &state, &told),
            None => {
                let conflict = &self.system.program.conflicts()[index];
                let chosen = conflict.at.iter().zip(ways).filter_map(|(s, way)| Some((s.thread, &s.ways[(*way)?])));
                let (mut places, mut conditions) = (Vec::new(), Vec::new());
                for (thread, way) in chosen {
                    places.push((thread, way.location));
                    conditions.extend(&way.when);
                }
                self.is_possible(&places, conditions, &state, &told)
            }
        }
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

    /// Whether a state, and what is known of movers next to it, admit a conflict in these ways.
    pub(super) fn in_conflict(
        &mut self,
        index: usize,
        ways: &[usize],
        state: &AbstractState,
        others: &[Told<'_>],
    ) -> bool {
        let conflict = &self.system.program.conflicts()[index];
        self.is_possible(&conflict.places(ways), conflict.conditions(ways), state, others)
    }

    /// Whether a state, and what is known of movers next to it, admit that threads are at these places and this holds.
    fn is_possible(
        &mut self,
        places: &[(ThreadId, LocationId)],
        conditions: Vec<Term>,
        state: &AbstractState,
        others: &[Told<'_>],
    ) -> bool {
        let program = self.system.program;
        let mut literals: Vec<Literal> = state.literals.clone();
        for (mover, sources) in others {
            let what = &self.graph.views.view(state.view).movers[*mover];
            for (source, known) in what.sources.iter().zip(sources) {
                literals.extend(self.renamed(&known.literals, &source.renaming));
            }
        }
        let threads: Vec<ThreadId> = places.iter().map(|(thread, _)| *thread).collect();
        let located = places.iter().map(|(thread, location)| self.system.at(*thread, *location));
        let terms: Vec<Term> = located
            .chain(conditions)
            .chain(program.axioms(places))
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
