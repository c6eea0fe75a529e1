//! Which elements of an array of locks a thread holds.
//!
//! That cannot be said of an array without a quantifier. So each thread gets variables: a few *slots* with the index of an element that
//! it holds each, or -1, and a *bound*. Taking an element puts its index into the first slot that is free; where none is, the bound
//! becomes at least that, or at most, where the order of the array [falls](Direction::Falling). Giving one back frees the slots with its index.
//! No step reads them otherwise. If an element of the array is the thread's id then its index is in a slot, or not beyond the bound:
//! initially none is; only the thread writes its id, which is checked of all steps; and a slot is freed only when its element is not the
//! thread's any more.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Bookkeeping, Init, Owner, Program, Span, ThreadId, Var, VarId, VarKind};
use crate::ranges::leaving_range;
use crate::term::{IntType, Sort, Term, TermKind};
use crate::wait::{Holder, Wait, is_other, starts_otherwise};

/// A slot that is free.
pub(crate) const FREE: i128 = -1;
/// A thread has so many slots for an array, at least and at most.
const SLOTS: (usize, usize) = (2, 4);

/// In which order the elements of an array are to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Rising,
    Falling,
}

/// The slots of all threads.
#[derive(Default)]
pub(crate) struct Slots {
    /// By thread and array of locks, what tells which elements it holds: indices, or less than zero. The last is the bound.
    of: BTreeMap<(ThreadId, VarId), Vec<VarId>>,
    /// The arrays whose order falls.
    falling: BTreeSet<VarId>,
}

impl Slots {
    /// What tells which elements of an array a thread holds; nothing if it is no array.
    pub(crate) fn of(&self, thread: ThreadId, array: VarId) -> Option<&[VarId]> {
        self.of.get(&(thread, array)).map(Vec::as_slice)
    }

    /// In which order the elements of an array are to be taken.
    pub(crate) fn direction(&self, array: VarId) -> Direction {
        if self.falling.contains(&array) { Direction::Falling } else { Direction::Rising }
    }

    /// That an element which a thread waits for does not come after the one in this slot, which it holds.
    pub(crate) fn is_not_after(&self, array: VarId, index: Term, slot: Term) -> Vec<Term> {
        let not_after = match self.direction(array) {
            Direction::Rising => index.le(slot),
            Direction::Falling => slot.le(index),
        };
        vec![Term::int(0).le(slot), not_after]
    }
}

/// The element of an array of locks that is waited for: the array, and the index.
pub(crate) fn element(program: &Program, wait: &Wait) -> Option<(VarId, Term)> {
    let Holder::Owner(id) = wait.holder else { return None };
    let TermKind::Select(array, index) = id.kind() else { return None };
    array.as_var().filter(|var| program.var(*var).sort == Sort::Array).map(|var| (var, *index))
}

/// Adds the slots of each thread for each array of locks that is waited for; nothing if who owns an element cannot be told.
pub(crate) fn with_slots(program: &mut Program, ids: &[Term], falling: BTreeSet<VarId>) -> Option<Slots> {
    let waits = program.waits.iter().flatten();
    let arrays: BTreeSet<VarId> = waits.filter_map(|wait| Some(element(program, wait)?.0)).collect();
    let mut slots = Slots { of: BTreeMap::new(), falling };
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
    let direction = slots.direction(array);
    let before: Vec<Term> = added.iter().map(|slot| program.term(*slot)).collect();
    let mut steps = program.thread(thread).transitions.clone();
    for step in &mut steps {
        let Some(value) = step.update(array) else { continue };
        let after = Owned { program, array, direction, id: ids[thread.0 as usize], ids }.after(value, &before)?;
        let changed = added.iter().copied().zip(after).zip(&before).filter(|((_, after), before)| after != *before);
        step.updates.extend(changed.map(|(update, _)| update));
        if leaving_range(&program.vars, step).iter().any(|var| added.contains(var)) {
            return None;
        }
    }
    program.threads[thread.0 as usize].transitions = steps;
    slots.of.insert((thread, array), added);
    Some(())
}

/// What becomes of a thread's slots.
struct Owned<'p> {
    program: &'p Program,
    array: VarId,
    direction: Direction,
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
                    return Some(taken(&before, *index, self.direction));
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
fn taken(slots: &[Term], index: Term, direction: Direction) -> Vec<Term> {
    let Some((bound, slots)) = slots.split_last() else { return Vec::new() };
    let is_free = |slot: Term| slot.lt(Term::int(0));
    let mut full = Vec::new();
    let mut after = Vec::new();
    for slot in slots {
        let here = Term::and(full.iter().copied().chain([is_free(*slot)]));
        after.push(Term::ite(here, index, *slot));
        full.push(is_free(*slot).not());
    }
    let beyond = match direction {
        Direction::Rising => (*bound).lt(index),
        Direction::Falling => Term::or([is_free(*bound), index.lt(*bound)]),
    };
    after.push(Term::ite(Term::and(full.into_iter().chain([beyond])), index, *bound));
    after
}

/// The slots when an element is not held any more: the bound stays.
fn given_back(slots: &[Term], index: Term) -> Vec<Term> {
    let Some((bound, slots)) = slots.split_last() else { return Vec::new() };
    let freed = slots.iter().map(|slot| Term::ite(slot.eq_to(index), Term::int(FREE), *slot));
    freed.chain([*bound]).collect()
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
        for round in 0..200 {
            let direction = if round % 2 == 0 { Direction::Rising } else { Direction::Falling };
            let within = |index: i128, bound: i128| match direction {
                Direction::Rising => index <= bound,
                Direction::Falling => (0..=index).contains(&bound),
            };
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
                    slots = taken(&slots, Term::int(index), direction);
                }
                let (bound, inside) = slots.split_last().expect("a bound");
                let inside: Vec<i128> = inside.iter().map(|slot| number(*slot)).collect();
                assert!(held.iter().all(|index| inside.contains(index) || within(*index, number(*bound))), "{held:?}");
                assert!(inside.iter().all(|slot| *slot == FREE || held.contains(slot)), "{held:?} {inside:?}");
            }
        }
    }

    #[test]
    fn what_is_held_twice_at_most_needs_no_bound() {
        let mut slots = vec![Term::int(FREE); SLOTS.0 + 1];
        slots = taken(&slots, Term::int(0), Direction::Rising);
        for index in 1..5 {
            slots = given_back(&taken(&slots, Term::int(index), Direction::Rising), Term::int(index - 1));
        }
        slots = given_back(&slots, Term::int(4));
        assert!(slots.iter().all(|slot| number(*slot) == FREE), "{slots:?}");
    }
}
