//! What a thread holds of arrays of locks, where its program keeps the indices: each of these variables is free, or one of the indices by
//! which elements are taken, and what matters is how those compare. Refinement, left to itself, unfolds all the ways to take and to give back.

use std::collections::{BTreeMap, BTreeSet};

use program::{Bookkeeping, Owner, Program, Term, TermKind, ThreadId, UbKind, Var, VarId, VarKind};

use crate::system::StepId;

/// More comparisons than these are not made for a thread.
const MOST: usize = 64;

/// That such a variable of a view's threads is free, or is one of the indices that it becomes; and how these compare.
pub fn slots(program: &Program, view: &[ThreadId]) -> BTreeSet<Term> {
    view.iter().map(|thread| slots_of(program, *thread)).filter(|found| found.len() <= MOST).flatten().collect()
}

fn slots_of(program: &Program, thread: ThreadId) -> BTreeSet<Term> {
    let all = becoming(program, thread);
    let mut found = BTreeSet::new();
    for (slot, indices) in &all {
        let slot = program.term(*slot);
        found.insert(slot.lt(Term::int(0)));
        found.extend(indices.iter().map(|index| slot.eq_to(*index)));
    }
    let indices: BTreeSet<Term> = all.into_values().flatten().collect();
    for one in &indices {
        found.extend(indices.iter().filter(|two| *two != one).map(|two| Term::lt(*one, *two)));
    }
    found.retain(|term| term.as_bool().is_none());
    found
}

/// The conditions by which what is taken is an element: a slot with an index that is none would look free.
pub fn within_bounds(program: &Program) -> Vec<(StepId, usize)> {
    let mut found = Vec::new();
    for (thread, text) in program.threads() {
        let slots = becoming(program, thread);
        let steps = text.transitions.iter().enumerate();
        for (index, step) in steps.filter(|(_, step)| step.updates.iter().any(|(var, _)| slots.contains_key(var))) {
            let bounds = step.defined.iter().enumerate().filter(|(_, defined)| defined.kind == UbKind::OutOfBounds);
            found.extend(bounds.map(|(condition, _)| (StepId { thread, index }, condition)));
        }
    }
    found
}

/// The variables that make the indices of what a thread holds.
pub fn indices(program: &Program, thread: ThreadId) -> BTreeSet<VarId> {
    becoming(program, thread).into_values().flatten().flat_map(Term::vars).collect()
}

/// The variables that keep what a thread holds, and the indices that each becomes: in some cases it stays what it was.
fn becoming(program: &Program, thread: ThreadId) -> BTreeMap<VarId, BTreeSet<Term>> {
    let is_ours = |var: &Var| var.owner == Owner::Local(thread) && var.kind == VarKind::Control(Bookkeeping::Other);
    let mut found = BTreeMap::new();
    for (slot, _) in program.vars().filter(|(_, var)| is_ours(var)) {
        let mut leaves = BTreeSet::new();
        let updates = program.thread(thread).transitions.iter().filter_map(|step| step.update(slot));
        updates.for_each(|value| leaves_of(value, &mut leaves));
        let stays = leaves.remove(&program.term(slot));
        leaves.retain(|leaf| leaf.as_int().is_none());
        if stays && !leaves.is_empty() {
            found.insert(slot, leaves);
        }
    }
    found
}

/// The values that a conditional one may be.
fn leaves_of(value: Term, found: &mut BTreeSet<Term>) {
    match value.kind() {
        TermKind::Ite(_, then, otherwise) => {
            leaves_of(*then, found);
            leaves_of(*otherwise, found);
        }
        _ => _ = found.insert(value),
    }
}
