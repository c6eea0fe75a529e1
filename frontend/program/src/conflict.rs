//! Errors that are about two threads at once: both are about to touch the same bytes.
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

/// Threads that must not be at these locations in a state like this.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// What is violated then.
    pub claim: ClaimId,
    /// Where which threads are.
    pub at: Vec<(ThreadId, LocationId)>,
    /// What holds then, over G and what these threads own.
    pub condition: Vec<Term>,
}

impl Conflict {
    /// Whether it is about a thread at a location.
    pub fn is_at(&self, thread: ThreadId, location: LocationId) -> bool {
        self.at.contains(&(thread, location))
    }
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

    /// Pairs all accesses of different threads.
    pub(crate) fn find_conflicts(&mut self) {
        let mut found = Vec::new();
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
        let mut condition: Vec<Term> = Vec::new();
        for literal in a.when.iter().chain(&b.when).copied().chain(same.conjuncts()) {
            match literal.as_bool() {
                Some(true) => {}
                Some(false) => return None,
                None if condition.contains(&literal.not()) => return None,
                None if condition.contains(&literal) => {}
                None => condition.push(literal),
            }
        }
        Some(Conflict { claim, at: vec![(one, a.location), (two, b.location)], condition })
    }
}
