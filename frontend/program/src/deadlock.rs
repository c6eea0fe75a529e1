//! Deadlocks: threads whose waits cannot end any more, as conflicts.
//!
//! A deadlock is a set D of blocked threads, not empty, such that (a) each waits for something that is owned, and whose owner is in D or has ended
//! without giving it back; or (b) D is all threads that have not ended. The smallest sets of the first kind are threads that wait for
//! each other in a ring, a single one for itself perhaps, and a thread that waits for one that has ended. Where all wait for what is
//! owned there is one of these: so in (b) some thread waits for what anyone could do.
//!
//! A ring is told of where its threads wait, not of every combination of places: what a thread waits for is owned by the next, which is
//! said of its own location and state. Rings that cannot close, since no thread holds what the one before waits for at any place where
//! it waits itself ([`Holdings`]), are left out.
//!
//! Of any number of instances the rings have any length: see [`crate::order`].

use std::collections::BTreeSet;
use std::fmt;

use crate::claim::ClaimId;
use crate::conflict::{Conflict, Standing, Way, conjunction};
use crate::direction::falling;
use crate::model::{LocationKind, Malformed, Program, ThreadId, VarId};
use crate::slots::{Slots, with_slots};
use crate::term::Term;
use crate::wait::{Holder, Holdings, Wait};

/// More rings than this are not told of.
const MOST_RINGS: usize = 4096;
/// So many steps are made to find them.
const MOST_STEPS: usize = 1 << 20;

/// Why deadlocks cannot be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// There are so many rings in which threads may wait for each other that they are not enumerated.
    TooMany,
    /// Any number of threads may wait for each other, and who owns what they wait for cannot be told.
    AnyNumber,
}

impl fmt::Display for Untold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untold::TooMany => write!(f, "more than {MOST_RINGS} rings in which threads may wait for each other"),
            Untold::AnyNumber => {
                f.write_str("deadlocks of any number of threads, where it cannot be told who owns what")
            }
        }
    }
}

impl Program {
    /// Where a thread may have to wait.
    pub fn waits(&self, thread: ThreadId) -> &[Wait] {
        &self.waits[thread.0 as usize]
    }

    /// The id by which a thread is known to those who wait, if there are any.
    pub fn id(&self, thread: ThreadId) -> Option<Term> {
        self.ids.get(thread.0 as usize).copied()
    }

    /// The same program, whose threads have these ids and wait there, and which claims that they do not deadlock.
    pub fn with_waits(
        mut self,
        waits: Vec<Vec<Wait>>,
        ids: &[Term],
        claim: ClaimId,
    ) -> Result<Result<Program, Untold>, Malformed> {
        if waits.len() != self.threads.len() || ids.len() != self.threads.len() {
            return Err(Malformed("waits are not told of each thread".into()));
        }
        if self.templates.iter().any(|template| template.identities.len() < template.copies.len()) {
            return Ok(Err(Untold::AnyNumber));
        }
        let mut ids = ids.to_vec();
        for (copy, identity) in self.templates.iter().flat_map(|t| t.copies.iter().zip(&t.identities)) {
            ids[copy.0 as usize] = self.term(*identity);
        }
        self.waits = waits;
        for (thread, _) in self.threads() {
            self.waits(thread).iter().try_for_each(|wait| self.validate_wait(thread, wait))?;
        }
        let slots = if self.templates.is_empty() { Some(Slots::default()) } else { self.add_slots(&ids) };
        let Some(slots) = slots else { return Ok(Err(Untold::AnyNumber)) };
        let holdings = self.threads().zip(&ids).map(|((thread, _), id)| Holdings::of(&self, thread, *id)).collect();
        let search = Search { program: &self, ids: &ids, holdings, claim };
        if self.templates.is_empty() {
            let Some(rings) = search.rings() else { return Ok(Err(Untold::TooMany)) };
            self.deadlocks = rings.into_iter().chain(search.abandoned()).chain(search.all_blocked()).collect();
        } else {
            self.deadlocks = search.out_of_order(&slots);
            // Runs of copies are not shown: nobody has to be told of.
            self.waits.iter_mut().for_each(Vec::clear);
        }
        self.ids = ids;
        self.find_conflicts();
        self.claims = self.bare_claims();
        Ok(Ok(self))
    }
}

impl Program {
    /// Adds the slots of each thread, for the orders in which it seems to take the elements of arrays.
    fn add_slots(&mut self, ids: &[Term]) -> Option<Slots> {
        let bare = self.clone();
        let slots = with_slots(self, ids, BTreeSet::new())?;
        let falling = falling(self, &slots);
        if falling.is_empty() {
            return Some(slots);
        }
        *self = bare;
        with_slots(self, ids, falling)
    }
}

pub(crate) struct Search<'p> {
    pub(crate) program: &'p Program,
    pub(crate) ids: &'p [Term],
    pub(crate) holdings: Vec<Holdings>,
    claim: ClaimId,
}

impl Search<'_> {
    pub(crate) fn threads(&self) -> impl Iterator<Item = ThreadId> + use<'_> {
        self.program.threads().map(|(thread, _)| thread)
    }

    pub(crate) fn conflict(&self, at: Vec<Standing>) -> Option<Conflict> {
        let possible = at.iter().all(|standing| !standing.ways.is_empty());
        possible.then(|| Conflict { claim: self.claim, at, condition: Vec::new() })
    }

    /// That a wait is one for this thread, which is at one of these locations.
    fn waits_for(&self, wait: &Wait, owner: ThreadId, places: &[Way]) -> Option<Way> {
        let (number, id) = (owner.0 as usize, wait.holder.id()?);
        let may_be = |way: &Way| match wait.holder {
            Holder::Owner(id) => self.holdings[number].may_be(way.location, id),
            _ => true,
        };
        if !places.iter().any(may_be) {
            return None;
        }
        let when = conjunction(wait.when.iter().copied().chain(id.eq_to(self.ids[number]).conjuncts()))?;
        Some(Way { location: wait.location, when })
    }

    /// Where a thread waits for another one, which is at one of these locations.
    fn edge(&self, from: ThreadId, to: ThreadId, places: &[Way]) -> Vec<Way> {
        let waits = self.program.waits(from).iter();
        distinct(waits.filter_map(|wait| self.waits_for(wait, to, places)).collect())
    }

    /// Where a thread is blocked by another one.
    fn owned(&self, thread: ThreadId) -> Vec<Way> {
        let waits = self.program.waits(thread).iter().filter(|wait| wait.holder.id().is_some());
        distinct(waits.map(|wait| Way { location: wait.location, when: wait.when.clone() }).collect())
    }

    /// Whether a thread is a copy of a template, and not the first.
    pub(crate) fn is_further_copy(&self, thread: ThreadId) -> bool {
        self.program.templates().iter().any(|template| template.copies[1..].contains(&thread))
    }

    /// Threads that wait for each other in a ring; nothing if there are too many.
    fn rings(&self) -> Option<Vec<Conflict>> {
        let ways = self.within_rings();
        let gates: Vec<BTreeSet<VarId>> = self.threads().map(|thread| self.gates(thread, &ways)).collect();
        let mut next: Vec<Vec<ThreadId>> = Vec::new();
        for from in self.threads() {
            let leads = |to: &ThreadId| !self.edge(from, *to, &ways[to.0 as usize]).is_empty();
            next.push(self.threads().filter(leads).collect());
        }
        let mut found = Vec::new();
        let mut shut: BTreeSet<(ThreadId, VarId)> = BTreeSet::new();
        let mut steps = 0;
        for first in self.threads() {
            let mut paths = vec![vec![first]];
            while let Some(path) = paths.pop() {
                steps += 1;
                if steps > MOST_STEPS || found.len() > MOST_RINGS {
                    return None;
                }
                for to in next[path[path.len() - 1].0 as usize].iter().rev() {
                    let shared = |one: &ThreadId| gates[one.0 as usize].intersection(&gates[to.0 as usize]).next();
                    if *to == first {
                        found.extend(self.ring(&path));
                        continue;
                    }
                    if *to < first || path.contains(to) {
                        continue;
                    }
                    if let Some((one, gate)) = path.iter().find_map(|one| Some((*one, *shared(one)?))) {
                        shut.extend([(one, gate), (*to, gate)]);
                    } else {
                        paths.push(path.iter().copied().chain([*to]).collect());
                    }
                }
            }
        }
        found.extend(shut.into_iter().filter_map(|(thread, gate)| self.without(thread, gate, &ways)));
        Some(found)
    }

    /// Where each thread may be in a ring: where it waits for one that may be in a ring, and such a one waits for it.
    fn within_rings(&self) -> Vec<Vec<Way>> {
        let mut ways: Vec<Vec<Way>> = self.threads().map(|thread| self.owned(thread)).collect();
        loop {
            let is_in = |thread: ThreadId, way: &Way| {
                let among = |edges: Vec<Way>, those: &[Way]| {
                    edges.iter().any(|edge| those.iter().any(|way| way.location == edge.location))
                };
                let alone = std::slice::from_ref(way);
                self.threads().any(|to| among(self.edge(thread, to, &ways[to.0 as usize]), alone))
                    && self.threads().any(|from| among(self.edge(from, thread, alone), &ways[from.0 as usize]))
            };
            let of = |thread: ThreadId| {
                ways[thread.0 as usize].iter().filter(|way| is_in(thread, way)).cloned().collect::<Vec<Way>>()
            };
            let fewer: Vec<Vec<Way>> = self.threads().map(of).collect();
            if fewer == ways {
                return ways;
            }
            ways = fewer;
        }
    }

    /// The locks that a thread holds wherever it is in a ring. Two threads with the same one are never in a ring together: it is a gate to
    /// what they wait for.
    fn gates(&self, thread: ThreadId, ways: &[Vec<Way>]) -> BTreeSet<VarId> {
        let holdings = &self.holdings[thread.0 as usize];
        let mut held = ways[thread.0 as usize].iter().map(|way| holdings.must_be(way.location).clone());
        let first = held.next().unwrap_or_default();
        held.fold(first, |all, held| &all & &held)
    }

    /// A thread is where it may be in a ring without the lock that is its gate. No run comes there, by what is known of the thread; but
    /// rings are left out for it, so that a proof owes it.
    fn without(&self, thread: ThreadId, gate: VarId, ways: &[Vec<Way>]) -> Option<Conflict> {
        let missing = self.program.term(gate).eq_to(self.ids[thread.0 as usize]).not();
        // Whether it has to wait there does not matter, and makes the proof no easier.
        let way = |way: &Way| Way { location: way.location, when: missing.conjuncts() };
        let ways = distinct(ways[thread.0 as usize].iter().map(way).collect());
        self.conflict(vec![Standing { thread, ways }])
    }

    /// A ring: each waits for the next, the last for the first, at places where the next may be.
    fn ring(&self, threads: &[ThreadId]) -> Option<Conflict> {
        let after = |k: usize| (k + 1) % threads.len();
        let mut ways: Vec<Vec<Way>> = threads.iter().map(|thread| self.owned(*thread)).collect();
        loop {
            let edge = |k: usize| self.edge(threads[k], threads[after(k)], &ways[after(k)]);
            let fewer: Vec<Vec<Way>> = (0..threads.len()).map(edge).collect();
            if fewer == ways {
                break;
            }
            ways = fewer;
        }
        let standing = |(thread, ways): (&ThreadId, Vec<Way>)| Standing { thread: *thread, ways };
        self.conflict(threads.iter().zip(ways).map(standing).collect())
    }

    /// Where a thread has ended.
    pub(crate) fn ends(&self, thread: ThreadId) -> Vec<Way> {
        let locations = self.program.thread(thread).locations();
        let ends = locations.filter(|(_, location)| location.kind == LocationKind::End);
        ends.map(|(location, _)| Way { location, when: Vec::new() }).collect()
    }

    /// Threads that wait for what one has kept that has ended.
    fn abandoned(&self) -> Vec<Conflict> {
        let mut found = Vec::new();
        for (from, to) in self.threads().flat_map(|from| self.threads().map(move |to| (from, to))) {
            let ends = self.ends(to);
            let kept = self.program.waits(from).iter().filter(|wait| matches!(wait.holder, Holder::Owner(_)));
            let ways = distinct(kept.filter_map(|wait| self.waits_for(wait, to, &ends)).collect());
            if from != to {
                found.extend(self.conflict(vec![Standing { thread: from, ways }, Standing { thread: to, ways: ends }]));
            }
        }
        found
    }

    /// All threads that are there and have not ended are blocked, one of them by what anyone could end.
    fn all_blocked(&self) -> Vec<Conflict> {
        let ways = |thread: ThreadId, of: &dyn Fn(&Wait) -> bool| -> Vec<Way> {
            let waits = self.program.waits(thread).iter().filter(|wait| of(wait));
            waits.map(|wait| Way { location: wait.location, when: wait.when.clone() }).collect()
        };
        let one = |first: ThreadId| {
            let open = Standing { thread: first, ways: distinct(ways(first, &|wait| wait.holder == Holder::Anyone)) };
            let others = self.threads().filter(|thread| *thread != first).map(|thread| {
                let all = ways(thread, &|_| true).into_iter().chain(self.ends(thread));
                Standing { thread, ways: distinct(all.collect()) }
            });
            self.conflict([open].into_iter().chain(others).collect())
        };
        self.threads().filter_map(one).collect()
    }
}

fn distinct(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort();
    ways.dedup();
    ways
}
