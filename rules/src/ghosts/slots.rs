//! What a thread holds of arrays of locks, where its program keeps the indices: each of these variables is free, or one of the indices by
//! which elements are taken, and what matters is how those compare. Refinement, left to itself, unfolds all the ways to take and to give back.

use std::collections::BTreeSet;

use program::{Bookkeeping, Owner, Program, Term, TermKind, ThreadId, VarKind};

/// More comparisons than these are not made for a thread.
const MOST: usize = 64;

/// That such a variable of a view's threads is free, or is one of the indices that it becomes; and how these compare.
pub fn slots(program: &Program, view: &[ThreadId]) -> BTreeSet<Term> {
    view.iter().map(|thread| slots_of(program, *thread)).filter(|found| found.len() <= MOST).flatten().collect()
}

fn slots_of(program: &Program, thread: ThreadId) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    let mut indices = BTreeSet::new();
    let ours = program
        .vars()
        .filter(|(_, var)| var.owner == Owner::Local(thread) && var.kind == VarKind::Control(Bookkeeping::Other));
    for (slot, _) in ours {
        let mut leaves = BTreeSet::new();
        let updates = program.thread(thread).transitions.iter().filter_map(|step| step.update(slot));
        updates.for_each(|value| leaves_of(value, &mut leaves));
        let slot = program.term(slot);
        let is_slot = leaves.remove(&slot) && leaves.iter().any(|leaf| leaf.as_int().is_none());
        if !is_slot {
            continue;
        }
        found.insert(slot.lt(Term::int(0)));
        let taken: Vec<Term> = leaves.into_iter().filter(|leaf| leaf.as_int().is_none()).collect();
        found.extend(taken.iter().map(|index| slot.eq_to(*index)));
        indices.extend(taken);
    }
    for one in &indices {
        found.extend(indices.iter().filter(|two| *two != one).map(|two| Term::lt(*one, *two)));
    }
    found.retain(|term| term.as_bool().is_none());
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
