//! An order of what threads wait for, where there may be any number of them.
//!
//! Of any number of threads the rings have any length, and are not enumerated. That there is none is a claim about each thread by itself:
//!
//! *Order.* Things that are waited for and owned have ranks: locks by name, elements of an array of locks by the array's rank and then by
//! their index (which is their address), the ends of threads. Where a thread waits for a thing, all that it holds is of a lower rank.
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
//! *Arrays.* Which elements a thread holds cannot be said of an array without a quantifier. So each thread gets variables: a few
//! *slots* with the index of an element that it holds each, or -1, and a *bound*. Taking an element puts its index into the first slot
//! that is free; where none is, the bound becomes at least that. Giving one back frees the slots with its index. No step reads them otherwise.
//! If an element of the array is the thread's id then its index is in a slot, or at most the bound: initially none is; only the
//! thread writes its id, which is checked of all steps; and a slot is freed only when its element is not the thread's any more.

use std::collections::{BTreeMap, BTreeSet};

use crate::conflict::{Conflict, Standing, Way, conjunction};
use crate::deadlock::Search;
use crate::model::{Bookkeeping, Init, Owner, Program, Span, ThreadId, Var, VarId, VarKind};
use crate::ranges::leaving_range;
use crate::template::FIRST_IDENTITY;
use crate::term::{IntType, Sort, Term, TermKind};
use crate::wait::{Holder, Wait, is_other, starts_otherwise};

/// A slot that is free.
const FREE: i128 = -1;
/// A thread has so many slots for an array, at least and at most.
const SLOTS: (usize, usize) = (2, 4);

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

/// By thread and array of locks, what tells which elements it holds: indices, or less than zero.
pub(crate) type Slots = BTreeMap<(ThreadId, VarId), Vec<VarId>>;

/// Adds the slots of each thread for each array of locks that is waited for; nothing if who owns an element cannot be told.
pub(crate) fn with_slots(program: &mut Program, ids: &[Term]) -> Option<Slots> {
    let mut arrays = BTreeSet::new();
    for wait in program.waits.iter().flatten() {
        if let Some(Thing::Lock(var)) = thing(wait)
            && program.var(var).sort == Sort::Array
        {
            arrays.insert(var);
        }
    }
    let mut slots = Slots::new();
    for array in arrays {
        if !ids.iter().all(|id| starts_otherwise(program, program.var(array).init, *id)) {
            return None;
        }
        for template in program.templates.clone() {
            let taken = template.copies.iter().map(|copy| taken_at(program, *copy, array, ids)).max()?;
            template.copies.iter().try_for_each(|copy| add_slots(program, (*copy, array), taken, ids, &mut slots))?;
        }
        for thread in program.threads().map(|(thread, _)| thread).collect::<Vec<_>>() {
            if program.template_of(thread).is_none() {
                let taken = taken_at(program, thread, array, ids);
                add_slots(program, (thread, array), taken, ids, &mut slots)?;
            }
        }
    }
    Some(slots)
}

/// At how many places of the text a thread takes elements.
fn taken_at(program: &Program, thread: ThreadId, array: VarId, ids: &[Term]) -> usize {
    let id = ids[thread.0 as usize];
    let takes =
        program.thread(thread).transitions.iter().filter(|step| step.update(array).is_some_and(|v| stores(v, id)));
    takes.map(|step| step.span).collect::<BTreeSet<Span>>().len()
}

/// Whether a value of an array has this element at a place where another value of it may not.
fn stores(value: Term, element: Term) -> bool {
    match value.kind() {
        TermKind::Store(array, _, stored) => *stored == element || stores(*array, element),
        TermKind::Ite(_, then, otherwise) => stores(*then, element) || stores(*otherwise, element),
        _ => false,
    }
}

fn add_slots(
    program: &mut Program,
    (thread, array): (ThreadId, VarId),
    taken: usize,
    ids: &[Term],
    slots: &mut Slots,
) -> Option<()> {
    let count = if taken == 0 { 0 } else { taken.clamp(SLOTS.0, SLOTS.1) + 1 };
    let mut added = Vec::new();
    for k in 0..count {
        let name = format!("{}::held.{}({})", program.thread(thread).name, program.var(array).name, k + 1);
        added.push(VarId(crate::number::number(program.vars.len())));
        program.vars.push(Var {
            name: program.fresh_name(&name),
            sort: Sort::Int,
            owner: Owner::Local(thread),
            kind: VarKind::Control(Bookkeeping::Other),
            ty: IntType::new(64, true),
            length: None,
            init: Init::Value(Term::int(FREE)),
            span: program.var(array).span,
        });
    }
    let before: Vec<Term> = added.iter().map(|slot| program.term(*slot)).collect();
    let mut steps = program.thread(thread).transitions.clone();
    for step in &mut steps {
        let Some(value) = step.update(array) else { continue };
        let after = Owned { program, array, id: ids[thread.0 as usize], ids }.after(value, &before)?;
        let changed = added.iter().copied().zip(after).zip(&before).filter(|((_, after), before)| after != *before);
        step.updates.extend(changed.map(|(update, _)| update));
        if leaving_range(&program.vars, step).iter().any(|var| added.contains(var)) {
            return None;
        }
    }
    program.threads[thread.0 as usize].transitions = steps;
    slots.insert((thread, array), added);
    Some(())
}

/// What becomes of a thread's slots.
struct Owned<'p> {
    program: &'p Program,
    array: VarId,
    /// The thread's id, and all.
    id: Term,
    ids: &'p [Term],
}

impl Owned<'_> {
    /// The slots after the array has got a value; nothing if it is not known whose its elements are then.
    fn after(&self, value: Term, slots: &[Term]) -> Option<Vec<Term>> {
        match value.kind() {
            TermKind::Store(array, index, element) => {
                let before = self.after(*array, slots)?;
                if *element == self.id {
                    return Some(taken(&before, *index));
                }
                let nobodys = self.ids.iter().all(|id| is_other(self.program, *element, *id));
                nobodys.then(|| given_back(&before, *index))
            }
            TermKind::Ite(condition, then, otherwise) => {
                let (then, otherwise) = (self.after(*then, slots)?, self.after(*otherwise, slots)?);
                Some(then.into_iter().zip(otherwise).map(|(a, b)| Term::ite(*condition, a, b)).collect())
            }
            _ => (value.as_var() == Some(self.array)).then(|| slots.to_vec()),
        }
    }
}

/// The slots, the last of which is the bound, when one more element is held.
fn taken(slots: &[Term], index: Term) -> Vec<Term> {
    let Some((bound, slots)) = slots.split_last() else { return Vec::new() };
    let is_free = |slot: Term| slot.lt(Term::int(0));
    let mut full = Vec::new();
    let mut after = Vec::new();
    for slot in slots {
        let here = Term::and(full.iter().copied().chain([is_free(*slot)]));
        after.push(Term::ite(here, index, *slot));
        full.push(is_free(*slot).not());
    }
    let above = Term::and(full.into_iter().chain([(*bound).lt(index)]));
    after.push(Term::ite(above, index, *bound));
    after
}

/// The slots when an element is not held any more: the bound stays.
fn given_back(slots: &[Term], index: Term) -> Vec<Term> {
    let Some((bound, slots)) = slots.split_last() else { return Vec::new() };
    let freed = slots.iter().map(|slot| Term::ite(slot.eq_to(index), Term::int(FREE), *slot));
    freed.chain([*bound]).collect()
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
            Thing::Lock(var) => match slots.get(&(thread, var)) {
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
                    slots.get(&(thread, *var)).map(|slots| (*index, slots))
                }
                _ => None,
            };
            match index {
                Some((index, slots)) => all.extend(slots.iter().map(|slot| {
                    let slot = self.program.term(*slot);
                    vec![Term::int(0).le(slot), index.le(slot)]
                })),
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
                        (Thing::Lock(var), Holder::Owner(id)) if !slots.contains_key(&(owner, var)) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn number(term: Term) -> i128 {
        term.as_int().expect("a number")
    }

    /// Whatever is taken and given back in whatever order: what is held is in a slot, or at most the bound, and slots of what is not held
    /// are free.
    #[test]
    fn slots_tell_what_is_held() {
        let mut chosen: u64 = 1;
        for _ in 0..200 {
            let mut slots = vec![Term::int(FREE); SLOTS.0 + 1];
            let mut held: Vec<i128> = Vec::new();
            for _ in 0..12 {
                chosen = chosen.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let index = i128::from(chosen >> 33) % 5;
                if held.contains(&index) {
                    held.retain(|other| *other != index);
                    slots = given_back(&slots, Term::int(index));
                } else {
                    held.push(index);
                    slots = taken(&slots, Term::int(index));
                }
                let (bound, inside) = slots.split_last().expect("a bound");
                let inside: Vec<i128> = inside.iter().map(|slot| number(*slot)).collect();
                assert!(held.iter().all(|index| inside.contains(index) || *index <= number(*bound)), "{held:?}");
                assert!(inside.iter().all(|slot| *slot == FREE || held.contains(slot)), "{held:?} {inside:?}");
            }
        }
    }

    #[test]
    fn what_is_held_twice_at_most_needs_no_bound() {
        let mut slots = vec![Term::int(FREE); SLOTS.0 + 1];
        slots = taken(&slots, Term::int(0));
        for index in 1..5 {
            slots = given_back(&taken(&slots, Term::int(index)), Term::int(index - 1));
        }
        slots = given_back(&slots, Term::int(4));
        assert!(slots.iter().all(|slot| number(*slot) == FREE), "{slots:?}");
    }
}
