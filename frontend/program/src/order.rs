//! An order of what threads wait for, where there may be any number of them.
//!
//! Of any number of threads the rings have any length, and are not enumerated. That there is none is a claim about each thread by itself:
//!
//! *Order.* Things that are waited for and owned have ranks: locks by name, elements of an array of locks by the array's rank and then by
//! their index (which is their address), rising or falling, the ends of threads. Where a thread waits for a thing, all that it holds is of a lower rank.
//!
//! *Soundness.* Let D be a set of threads, not empty, each of which waits for a thing that is owned by one in D. D is finite, so some
//! thread waits for a thing x of the highest rank among those that are waited for. Its owner is in D: it holds x and waits for
//! some y, which by the claim is of a higher rank than x, against the choice of x. An owner that has ended is excluded by pairs: one waits for
//! what the other has kept at its end. In a deadlock of all threads one waits for what anyone could do; then so do, or have ended, or own what
//! is waited for, all single threads, and one instance of each other template, be it one that is not there. All of this is a set of
//! conflicts; a proof excludes them, and its check owes each of them. Runs to them are no deadlocks, and are never shown as such.
//!
//! The ranks are found here, from what each thread may hold where, as far as a fixed point of its writes tells ([`Holdings`]). Nothing rests on
//! that: with other ranks the claim would be another one that is as good, if it holds.
//!
//! *Arrays.* Which elements a thread holds is told by variables of its own: see [`crate::slots`].

use std::collections::BTreeSet;

use crate::conflict::{Conflict, Standing, Way, conjunction};
use crate::deadlock::Search;
use crate::model::{ThreadId, VarId};
use crate::slots::Slots;
use crate::template::FIRST_IDENTITY;
use crate::term::{Term, TermKind};
use crate::wait::{Holder, Wait};

/// What a thread waits for that is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    /// The end of the single thread with this id.
    End(i128),
    /// The end of an instance.
    AnEnd,
    /// A lock whose owner the variable holds, or those whose owners the array holds.
    Lock(VarId),
    /// A lock that others read, who are counted in the variable.
    Readers(VarId),
}

/// What a wait is for, if that is owned and has a rank.
fn thing(wait: &Wait) -> Option<Thing> {
    let variable = |term: Term| match term.kind() {
        TermKind::Select(array, _) => array.as_var(),
        _ => term.as_var(),
    };
    match wait.holder {
        Holder::Creator | Holder::Anyone => None,
        // Ids of single threads are small numbers; who waits for another one's end waits for an instance's.
        Holder::Ending(id) => Some(id.as_int().filter(|id| *id < FIRST_IDENTITY).map_or(Thing::AnEnd, Thing::End)),
        Holder::Owner(id) if id.as_int().is_some() => variable(wait.subject).map(Thing::Readers),
        Holder::Owner(id) => variable(id).map(Thing::Lock),
    }
}

impl Search<'_> {
    /// What must not be, so that nobody deadlocks, however many instances there are of each template.
    pub(crate) fn out_of_order(&self, slots: &Slots) -> Vec<Conflict> {
        // One instance stands for all: where it may hold something, each of them may.
        let roles: Vec<ThreadId> = self.threads().filter(|thread| !self.is_further_copy(*thread)).collect();
        let ranks = self.ranks(&roles, slots);
        let mut ways: Vec<(ThreadId, Way)> = Vec::new();
        for role in &roles {
            for wait in self.program.waits(*role).iter().filter(|wait| wait.holder.id().is_some()) {
                for when in self.held_above(*role, wait, &ranks, slots) {
                    let when = conjunction(wait.when.iter().copied().chain(when));
                    ways.extend(when.map(|when| (*role, Way { location: wait.location, when })));
                }
            }
        }
        ways.sort();
        ways.dedup();
        let alone = |(thread, way): (ThreadId, Way)| self.conflict(vec![Standing { thread, ways: vec![way] }]);
        let mut all: Vec<Conflict> = ways.into_iter().filter_map(alone).collect();
        all.extend(roles.iter().flat_map(|role| self.kept(*role, &roles, slots)));
        all.extend(roles.iter().filter_map(|role| self.nobody_left(*role, &roles)));
        all
    }

    /// The things that are waited for, the lowest first.
    fn ranks(&self, roles: &[ThreadId], slots: &Slots) -> Vec<Thing> {
        let waits = || roles.iter().flat_map(|role| self.program.waits(*role).iter().map(move |wait| (*role, wait)));
        let mut left: BTreeSet<Thing> = waits().filter_map(|(_, wait)| thing(wait)).collect();
        let mut above: BTreeSet<(Thing, Thing)> = BTreeSet::new();
        for (role, wait) in waits() {
            let Some(wanted) = thing(wait) else { continue };
            let may_hold = |held: &Thing| match held {
                Thing::Lock(var) => {
                    self.holdings[role.0 as usize].may_be(wait.location, self.program.term(*var)) && held != &wanted
                }
                _ => !self.held(role, *held, slots).is_empty(),
            };
            above.extend(left.iter().filter(|held| may_hold(held)).map(|held| (*held, wanted)));
        }
        let mut ranks = Vec::new();
        while !left.is_empty() {
            let below =
                |thing: &Thing| above.iter().filter(|(a, b)| b == thing && a != thing && left.contains(a)).count();
            // Where there is a ring, the one with the fewest below it is as good as any.
            let Some(next) = left.iter().copied().min_by_key(below) else { break };
            left.remove(&next);
            ranks.push(next);
        }
        ranks
    }

    /// When a thread holds a thing: one of these conjunctions.
    fn held(&self, thread: ThreadId, thing: Thing, slots: &Slots) -> Vec<Vec<Term>> {
        let id = self.ids[thread.0 as usize];
        match thing {
            Thing::End(end) => {
                if id.as_int() == Some(end) {
                    vec![Vec::new()]
                } else {
                    Vec::new()
                }
            }
            Thing::AnEnd => {
                if self.program.template_of(thread).is_some() {
                    vec![Vec::new()]
                } else {
                    Vec::new()
                }
            }
            Thing::Lock(var) => match slots.of(thread, var) {
                Some(slots) => slots.iter().map(|slot| vec![Term::int(0).le(self.program.term(*slot))]).collect(),
                None => vec![self.program.term(var).eq_to(id).conjuncts()],
            },
            // Who of several counts in the variable is not known.
            Thing::Readers(var) => {
                let counts = self.program.thread(thread).transitions.iter().any(|step| step.update(var).is_some());
                if counts { vec![Vec::new()] } else { Vec::new() }
            }
        }
    }

    /// When a thread that waits holds something that is not of a lower rank.
    fn held_above(&self, thread: ThreadId, wait: &Wait, ranks: &[Thing], slots: &Slots) -> Vec<Vec<Term>> {
        let Some(wanted) = thing(wait) else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for held in ranks.iter().skip_while(|thing| **thing != wanted) {
            let index = match (wait.holder.id().map(Term::kind), held) {
                (Some(TermKind::Select(_, index)), Thing::Lock(var)) if *held == wanted => {
                    slots.of(thread, *var).map(|held| (*var, *index, held))
                }
                _ => None,
            };
            match index {
                Some((array, index, held)) => {
                    all.extend(held.iter().map(|slot| slots.is_not_after(array, index, self.program.term(*slot))));
                }
                None => all.extend(self.held(thread, *held, slots)),
            }
        }
        all
    }

    /// A thread has ended, and another one waits for what it has kept.
    fn kept(&self, owner: ThreadId, roles: &[ThreadId], slots: &Slots) -> Vec<Conflict> {
        let mut found = Vec::new();
        let ends = self.ends(owner);
        for role in roles {
            // Of the same template it is another instance that waits.
            let Some(waiter) = self.other_than(*role, owner) else { continue };
            for wait in self.program.waits(waiter).iter().filter(|wait| matches!(wait.holder, Holder::Owner(_))) {
                let held = thing(wait).map_or_else(
                    || vec![Vec::new()],
                    |thing| match (thing, wait.holder) {
                        (Thing::Lock(var), Holder::Owner(id)) if slots.of(owner, var).is_none() => {
                            vec![id.eq_to(self.ids[owner.0 as usize]).conjuncts()]
                        }
                        _ => self.held(owner, thing, slots),
                    },
                );
                for held in held {
                    let when = conjunction(wait.when.iter().copied());
                    let way = when.map(|when| Way { location: wait.location, when });
                    let at_end = ends.iter().map(|end| Way { when: held.clone(), ..end.clone() }).collect();
                    let standing = Standing { thread: waiter, ways: way.into_iter().collect() };
                    found.extend(self.conflict(vec![standing, Standing { thread: owner, ways: at_end }]));
                }
            }
        }
        found
    }

    /// A thread in a role that is not this one.
    fn other_than(&self, role: ThreadId, thread: ThreadId) -> Option<ThreadId> {
        if role != thread {
            return Some(role);
        }
        let (template, _) = self.program.template_of(role)?;
        self.program.templates()[template].copies.get(1).copied()
    }

    /// All threads are blocked, or have ended, or are not there, and this one waits for what anyone could do. Of each template there is
    /// one other instance, at most, that is told of, and of its own none: perhaps there is no other.
    fn nobody_left(&self, first: ThreadId, roles: &[ThreadId]) -> Option<Conflict> {
        let ways = |thread: ThreadId, of: &dyn Fn(&Wait) -> bool| -> Vec<Way> {
            let waits = self.program.waits(thread).iter().filter(|wait| of(wait));
            waits.map(|wait| Way { location: wait.location, when: wait.when.clone() }).collect()
        };
        let open = Standing { thread: first, ways: ways(first, &|wait| wait.holder == Holder::Anyone) };
        let others = roles.iter().filter(|role| **role != first).map(|role| {
            let mut all: Vec<Way> = ways(*role, &|_| true).into_iter().chain(self.ends(*role)).collect();
            all.sort();
            all.dedup();
            Standing { thread: *role, ways: all }
        });
        self.conflict([open].into_iter().chain(others).collect())
    }
}
