//! Errors that are about several threads at once: two are about to touch the same bytes, or some wait for each other.
//!
//! Two threads race where both are about to touch overlapping bytes, one of them writing, and neither both by atomic operations nor
//! both inside atomic sections of the text. Whether a thread is about to do so is said of its location and of the state: an [`Access`]. An
//! access that cannot race, whatever the state, need not be told of.

use std::collections::{BTreeSet, HashSet};

use crate::claim::{ClaimId, Property};
use crate::model::{LocationId, Malformed, Owner, Program, Span, ThreadId, VarId};
use crate::template::Renaming;
use crate::term::{Sort, Term};

/// What a thread is about to touch where it is at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Where the thread is.
    pub location: LocationId,
    /// In which states it will, over G and V_i.
    pub when: Vec<Term>,
    /// What it touches: accesses with different numbers never touch the same bytes.
    pub object: u32,
    /// Which element of it, if it has several.
    pub index: Option<Term>,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is an atomic operation.
    pub atomic: bool,
    /// Whether it is made inside an atomic section of the text.
    pub in_section: bool,
    /// Its place in the text.
    pub span: Span,
    /// The places of the calls that it is made within, the innermost first.
    pub calls: Vec<Span>,
}

impl Access {
    /// The same of another copy of a template.
    pub(crate) fn renamed(&self, renaming: &Renaming) -> Access {
        let when = self.when.iter().map(|term| renaming.term(*term)).collect();
        Access { when, index: self.index.map(|term| renaming.term(term)), ..self.clone() }
    }

    /// The claim that two threads never come to make these two at once, if that would be a race.
    fn claim(&self, other: &Access) -> Option<ClaimId> {
        let ordered = (self.atomic && other.atomic) || (self.in_section && other.in_section);
        let races = self.object == other.object && (self.writes || other.writes) && !ordered;
        races.then(|| ClaimId::of_two(Property::NoDataRace, self.span, other.span))
    }
}

/// Threads that must not be at such locations in a state like this.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// What is violated then.
    pub claim: ClaimId,
    /// Where which threads are: each thread once.
    pub at: Vec<Standing>,
    /// What holds then besides, over G and what these threads own.
    pub condition: Vec<Term>,
}

/// Where a thread is in a conflict: at the location of one of these ways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Which thread.
    pub thread: ThreadId,
    /// Its ways.
    pub ways: Vec<Way>,
}

/// A location, and what holds there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Way {
    /// Where the thread is.
    pub location: LocationId,
    /// What holds then, over G and V_i.
    pub when: Vec<Term>,
}

impl Standing {
    /// What holds where the thread is at a location; nothing if it is not in the conflict there.
    pub fn when(&self, location: LocationId) -> Option<Vec<Term>> {
        let here: Vec<&Way> = self.ways.iter().filter(|way| way.location == location).collect();
        match here.as_slice() {
            [] => None,
            [only] => Some(only.when.clone()),
            several => Some(Term::or(several.iter().map(|way| Term::and(way.when.iter().copied()))).conjuncts()),
        }
    }

    /// That the thread is at one of the locations, and what holds there; `at` says that it is at one.
    pub fn formula(&self, at: &dyn Fn(ThreadId, LocationId) -> Term) -> Term {
        let way = |way: &Way| Term::and([at(self.thread, way.location)].into_iter().chain(way.when.iter().copied()));
        Term::or(self.ways.iter().map(way))
    }
}

impl Conflict {
    /// Whether it is about a thread at a location.
    pub fn is_at(&self, thread: ThreadId, location: LocationId) -> bool {
        self.standing(thread).is_some_and(|standing| standing.ways.iter().any(|way| way.location == location))
    }

    /// The threads that it is about.
    pub fn threads(&self) -> Vec<ThreadId> {
        self.at.iter().map(|standing| standing.thread).collect()
    }

    /// Where a thread is in it.
    pub fn standing(&self, thread: ThreadId) -> Option<&Standing> {
        self.at.iter().find(|standing| standing.thread == thread)
    }

    /// What holds where threads are at these locations; nothing if they are not in conflict there.
    pub fn when(&self, location: impl Fn(ThreadId) -> Option<LocationId>) -> Option<Vec<Term>> {
        let mut all = self.condition.clone();
        for standing in &self.at {
            all.extend(standing.when(location(standing.thread)?)?);
        }
        Some(all)
    }

    /// Where threads are that are in it in these ways, one of each thread's.
    pub fn places(&self, ways: &[usize]) -> Vec<(ThreadId, LocationId)> {
        self.at.iter().zip(ways).map(|(standing, way)| (standing.thread, standing.ways[*way].location)).collect()
    }

    /// What holds where threads are in it in these ways.
    pub fn conditions(&self, ways: &[usize]) -> Vec<Term> {
        let chosen = self.at.iter().zip(ways).flat_map(|(standing, way)| &standing.ways[*way].when);
        self.condition.iter().chain(chosen).copied().collect()
    }

    /// All conditions that it mentions.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let ways = self.at.iter().flat_map(|standing| &standing.ways);
        self.condition.iter().chain(ways.flat_map(|way| &way.when)).copied()
    }
}

/// A conjunction without what is always so and what is there twice; nothing if it contradicts itself.
pub(crate) fn conjunction(terms: impl IntoIterator<Item = Term>) -> Option<Vec<Term>> {
    let mut all: Vec<Term> = Vec::new();
    for literal in terms {
        match literal.as_bool() {
            Some(true) => {}
            Some(false) => return None,
            None if all.contains(&literal.not()) => return None,
            None if all.contains(&literal) => {}
            None => all.push(literal),
        }
    }
    Some(all)
}

impl Program {
    /// What threads must not do at once.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The accesses of a thread, of those that may be in conflict.
    pub fn accesses(&self, thread: ThreadId) -> &[Access] {
        &self.accesses[thread.0 as usize]
    }

    /// The same program, whose threads make these accesses, by thread; those of copies of a template are the first one's. Conflicts
    /// that are tolerated are none of its errors.
    pub fn with_accesses(
        mut self,
        accesses: Vec<Vec<Access>>,
        tolerated: BTreeSet<ClaimId>,
    ) -> Result<Program, Malformed> {
        if accesses.len() != self.threads.len() {
            return Err(Malformed("accesses are not told of each thread".into()));
        }
        self.accesses = accesses;
        for template in self.templates.clone() {
            for copy in &template.copies[1..] {
                let renaming = self.renaming(&[(template.copies[0], *copy)], &|_| VarId(u32::MAX));
                let first = &self.accesses[template.copies[0].0 as usize];
                self.accesses[copy.0 as usize] = first.iter().map(|access| access.renamed(&renaming)).collect();
            }
        }
        for (thread, _) in self.threads() {
            self.accesses(thread).iter().try_for_each(|access| self.validate_access(thread, access))?;
        }
        self.tolerated = tolerated;
        self.find_conflicts();
        self.claims = self.bare_claims();
        Ok(self)
    }

    /// The same program, in which these conflicts are no errors.
    pub fn tolerating(mut self, claims: impl IntoIterator<Item = ClaimId>) -> Program {
        let before = self.tolerated.len();
        self.tolerated.extend(claims);
        if self.tolerated.len() > before {
            self.find_conflicts();
            self.claims = self.bare_claims();
        }
        self
    }

    fn validate_access(&self, thread: ThreadId, access: &Access) -> Result<(), Malformed> {
        let owner = |var: VarId| self.vars.get(var.0 as usize).map(|var| var.owner);
        let mine = |var: VarId| owner(var).is_some_and(|o| o == Owner::Global || o == Owner::Local(thread));
        let sorts = access.when.iter().all(|term| term.sort() == Sort::Bool)
            && access.index.is_none_or(|index| index.sort() == Sort::Int);
        let known = access.when.iter().copied().chain(access.index).flat_map(Term::vars).all(mine);
        let exists = (access.location.0 as usize) < self.thread(thread).locations.len();
        match sorts && known && exists {
            true => Ok(()),
            false => Err(Malformed(format!("an access at {} is not one of its thread", self.place(access.span)))),
        }
    }

    /// Pairs all accesses of different threads; deadlocks are known already.
    pub(crate) fn find_conflicts(&mut self) {
        let asked = |conflict: &&Conflict| !self.tolerated.contains(&conflict.claim);
        let mut found: Vec<Conflict> = self.deadlocks.iter().filter(asked).cloned().collect();
        let mut known: HashSet<Conflict> = HashSet::new();
        let threads: Vec<ThreadId> = self.threads().map(|(id, _)| id).collect();
        for (k, one) in threads.iter().enumerate() {
            for two in &threads[k + 1..] {
                for a in self.accesses(*one) {
                    for b in self.accesses(*two) {
                        let conflict = self.conflict((*one, a), (*two, b));
                        found.extend(conflict.filter(|conflict| known.insert(conflict.clone())));
                    }
                }
            }
        }
        self.conflicts = found;
    }

    fn conflict(&self, (one, a): (ThreadId, &Access), (two, b): (ThreadId, &Access)) -> Option<Conflict> {
        let claim = a.claim(b).filter(|claim| !self.tolerated.contains(claim))?;
        let same = match (a.index, b.index) {
            (Some(a), Some(b)) => a.eq_to(b),
            _ => Term::bool(true),
        };
        let condition = conjunction(a.when.iter().chain(&b.when).copied().chain(same.conjuncts()))?;
        let standing = |thread, access: &Access| Standing {
            thread,
            ways: vec![Way { location: access.location, when: Vec::new() }],
        };
        Some(Conflict { claim, at: vec![standing(one, a), standing(two, b)], condition })
    }
}
