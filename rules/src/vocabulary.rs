//! What a rule abstracts with, and where: a predicate is tracked at the locations from which its thread can still come to a
//! place that a refinement needed it at.
//!
//! States then differ only in what matters where they are, which keeps them few: a thread that has left a loop no longer
//! remembers what its exit depended on.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::{BitSet, PredicateSet};
use program::{LocationId, SharedCounter, Term, ThreadId};

use crate::reach::ComponentId;
use crate::symmetry::Exchange;
use crate::system::{StepId, System};

/// A predicate that is needed at this many locations is tracked at all: finding the others one by one costs more.
const MANY: usize = 2;

/// What a rule abstracts with.
#[derive(Clone, Debug, Default)]
pub struct Vocabularies {
    /// P_i, by component.
    pub predicates: Vec<StatePredicates>,
    /// P_{j>i}, by the thread that moves and the component that watches.
    pub transition: BTreeMap<(ThreadId, ComponentId), PredicateSet>,
}

impl Vocabularies {
    /// Whether the shares of a counter are tracked.
    pub fn knows(&self, system: &System<'_>, counter: &SharedCounter) -> bool {
        self.predicates.iter().any(|p| p.set().contains(counter.equation(system.program)))
    }

    /// Nothing but the shares of the counters that are tracked.
    pub fn counters_only(&self, system: &System<'_>, components: &[Vec<ThreadId>]) -> Vocabularies {
        let predicates = vec![StatePredicates::default(); components.len()];
        let mut fresh = Vocabularies { predicates, transition: BTreeMap::new() };
        for counter in system.counters.iter().filter(|counter| self.knows(system, counter)) {
            fresh.share(system, components, counter);
        }
        fresh
    }

    /// The same with two threads exchanged. Components are threads here.
    pub fn exchanged(&self, exchange: &Exchange) -> Vocabularies {
        let component = |c: usize| exchange.thread(ThreadId(program::number(c))).0 as usize;
        let predicates =
            (0..self.predicates.len()).map(|c| self.predicates[component(c)].exchanged(exchange)).collect();
        let mut transition: BTreeMap<(ThreadId, ComponentId), PredicateSet> = BTreeMap::new();
        for ((mover, watcher), set) in &self.transition {
            let key = (exchange.thread(*mover), ComponentId(component(watcher.0)));
            let to = transition.entry(key).or_default();
            set.items().iter().for_each(|term| _ = to.insert(exchange.term(*term)));
        }
        Vocabularies { predicates, transition }
    }

    /// Tracks the shares of a counter: every thread knows the equation, what it has added itself, and the bounds of what others
    /// have. Whether that is new.
    pub fn share(&mut self, system: &System<'_>, components: &[Vec<ThreadId>], counter: &SharedCounter) -> bool {
        if self.knows(system, counter) {
            return false;
        }
        let equation = counter.equation(system.program);
        for (threads, predicates) in components.iter().zip(&mut self.predicates) {
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
    fn insert_everywhere(&mut self, term: Term, system: &System<'_>, threads: &[ThreadId]) -> bool {
        let count = threads.iter().map(|thread| system.program.thread(*thread).locations.len()).max().unwrap_or(0);
        (0..count).filter(|k| self.insert(term, LocationId(u32::try_from(*k).unwrap_or(0)))).count() > 0
    }

    /// The predicates to track at each location of a component: those needed there, and those that a step of its thread carries
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
