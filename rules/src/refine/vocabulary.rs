//! What a rule abstracts with, and where: a predicate is tracked at the locations from which its thread can still come to a
//! place that a refinement needed it at.
//!
//! States then differ only in what matters where they are, which keeps them few: a thread that has left a loop no longer
//! remembers what its exit depended on.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::{BitSet, PredicateSet};
use program::{LocationId, SharedCounter, Term, ThreadId};

use crate::refine::symmetry::Exchange;
use crate::rule::views::{View, ViewId, Views};
use crate::system::{StepId, System};

/// A predicate that is needed at this many locations is tracked at all: finding the others one by one costs more.
const MANY: usize = 2;

/// What a rule abstracts with.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// Predicates of states, by view: P_i.
    pub predicates: Vec<StatePredicates>,
    /// Predicates of transitions, by the view that watches and which of its movers moves: P_{j>i}.
    pub transition: BTreeMap<(ViewId, usize), PredicateSet>,
}

/// Where a predicate belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Among those of a view, at a location of its first thread; or at all of them.
    State(ViewId, Option<LocationId>),
    /// Among those of a mover's transitions next to a view.
    Transition(ViewId, usize),
}

impl Vocabulary {
    /// Nothing.
    pub fn empty(views: &Views) -> Vocabulary {
        Vocabulary { predicates: vec![StatePredicates::default(); views.all.len()], transition: BTreeMap::new() }
    }

    /// Adds a predicate; whether that is new.
    pub fn insert(&mut self, system: &System<'_>, views: &Views, target: Target, term: Term) -> bool {
        match target {
            Target::State(view, Some(location)) => self.predicates[view.0].insert(term, location),
            Target::State(view, None) => {
                self.predicates[view.0].insert_everywhere(term, system, &views.view(view).threads)
            }
            Target::Transition(view, mover) => self.transition.entry((view, mover)).or_default().insert(term),
        }
    }

    /// Whether the shares of a counter are tracked.
    pub fn knows(&self, system: &System<'_>, counter: &SharedCounter) -> bool {
        self.predicates.iter().any(|p| p.set().contains(counter.equation(system.program)))
    }

    /// Nothing but what was known from the start, and the shares of the counters that are tracked.
    pub fn afresh(&self, system: &System<'_>, views: &Views, start: &Vocabulary) -> Vocabulary {
        let mut fresh = start.clone();
        for counter in system.counters.iter().filter(|counter| self.knows(system, counter)) {
            fresh.share(system, views, counter);
        }
        fresh
    }

    /// The same with two threads exchanged, of which each is a view.
    pub fn exchanged(&self, views: &Views, exchange: &Exchange) -> Vocabulary {
        let mut exchanged = Vocabulary::empty(views);
        for view in views.ids() {
            let Some(to) = exchange.view(views, view) else { continue };
            exchanged.predicates[to.0] = self.predicates[view.0].exchanged(exchange);
        }
        for ((watcher, mover), set) in &self.transition {
            let Some(key) = exchange.mover(views, *watcher, *mover) else { continue };
            let to = exchanged.transition.entry(key).or_default();
            set.items().iter().for_each(|term| _ = to.insert(exchange.term(*term)));
        }
        exchanged
    }

    /// Tracks the shares of a counter: every thread knows the equation, what it has added itself, and the bounds of what others
    /// have. Whether that is new.
    pub fn share(&mut self, system: &System<'_>, views: &Views, counter: &SharedCounter) -> bool {
        if self.knows(system, counter) {
            return false;
        }
        let equation = counter.equation(system.program);
        for (View { threads, .. }, predicates) in views.all.iter().zip(&mut self.predicates) {
            predicates.insert_everywhere(equation, system, threads);
            for share in &counter.shares {
                let values: Vec<i128> = if threads.contains(&share.thread) {
                    (share.least - 1..=share.greatest).collect()
                } else {
                    [share.least - 1, -1, share.greatest]
                        .into_iter()
                        .filter(|k| (share.least - 1..=share.greatest).contains(k))
                        .collect()
                };
                for value in values {
                    let at_most = system.program.term(share.var).le(Term::int(value));
                    predicates.insert_everywhere(at_most, system, threads);
                }
            }
        }
        true
    }
}

/// P_i, with the locations at which a refinement needed each predicate.
#[derive(Clone, Debug, Default)]
pub struct StatePredicates {
    set: PredicateSet,
    needed: Vec<BTreeSet<LocationId>>,
}

impl StatePredicates {
    /// The predicates.
    pub fn set(&self) -> &PredicateSet {
        &self.set
    }
    /// Adds a predicate that is needed at a location; whether that is new.
    pub fn insert(&mut self, term: Term, location: LocationId) -> bool {
        if self.set.insert(term) {
            self.needed.push(BTreeSet::new());
        }
        self.set.position(term).is_some_and(|index| self.needed[index].insert(location))
    }
    /// Where a location of another thread is told apart, tells apart all of them: which of them matter would come out one by one, a
    /// refinement each.
    pub fn complete_locations(&mut self, system: &System<'_>, location: LocationId) {
        for thread in system.threads() {
            let places = system.program.thread(thread).locations().map(|(place, _)| system.at(thread, place));
            let places: Vec<Term> = places.collect();
            let known: Vec<usize> = places.iter().filter_map(|place| self.set.position(*place)).collect();
            if known.iter().any(|index| self.needed[*index].contains(&location)) {
                places.into_iter().for_each(|place| _ = self.insert(place, location));
            }
        }
    }
    fn exchanged(&self, exchange: &Exchange) -> StatePredicates {
        let mut all = StatePredicates::default();
        for (term, needed) in self.set.items().iter().zip(&self.needed) {
            needed.iter().for_each(|location| _ = all.insert(exchange.term(*term), *location));
        }
        all
    }
    /// Adds a predicate that is needed at every location of the threads.
    pub fn insert_everywhere(&mut self, term: Term, system: &System<'_>, threads: &[ThreadId]) -> bool {
        let count = threads.iter().map(|thread| system.program.thread(*thread).locations.len()).max().unwrap_or(0);
        (0..count).filter(|k| self.insert(term, LocationId(program::number(*k)))).count() > 0
    }

    /// The predicates to track at each location of a view: those needed there, and those that a step of its thread carries
    /// over to one where they are tracked. Several threads' locations have no such order: all predicates are tracked.
    pub fn tracked(&self, system: &System<'_>, threads: &[ThreadId]) -> Tracked {
        let [thread] = threads else { return Tracked { everywhere: BitSet::full(self.set.len()), at: Vec::new() } };
        let graph = system.program.thread(*thread);
        let mut at = vec![BitSet::new(self.set.len()); graph.locations.len()];
        let mut work: Vec<(LocationId, usize)> = Vec::new();
        for (index, locations) in self.needed.iter().enumerate() {
            if locations.len() >= MANY {
                work.extend(graph.locations().map(|(location, _)| (location, index)));
            }
            work.extend(locations.iter().map(|location| (*location, index)));
        }
        while let Some((location, index)) = work.pop() {
            if at[location.0 as usize].contains(index) {
                continue;
            }
            at[location.0 as usize].insert(index);
            for (step, _) in graph.transitions.iter().enumerate().filter(|(_, t)| t.target == location) {
                let step = StepId { thread: *thread, index: step };
                let before = system.before(step, self.set.items()[index]);
                let source = system.transition(step).source;
                let carried = horn::atoms(before).into_iter().chain([before]);
                work.extend(carried.filter_map(|atom| self.set.position(atom)).map(|p| (source, p)));
            }
        }
        Tracked { everywhere: BitSet::new(0), at }
    }
}

/// Which predicates are tracked where.
#[derive(Clone, Debug)]
pub struct Tracked {
    everywhere: BitSet,
    at: Vec<BitSet>,
}

impl Tracked {
    /// The predicates tracked at a place.
    pub fn at(&self, place: &[LocationId]) -> &BitSet {
        match place {
            [location] if !self.at.is_empty() => &self.at[location.0 as usize],
            _ => &self.everywhere,
        }
    }
}
