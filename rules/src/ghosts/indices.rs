//! Indices of arrays, of which C's evaluation makes copies: `a[i] = i` takes three of them. An array's element is known to be what a
//! thread wrote only while they are known to be the same.

use std::collections::BTreeSet;

use super::slots;
use program::{Owner, Program, Term, TermKind, Thread, ThreadId, Transition, VarId};

/// That a thread's own variables that index arrays are equal to others that were given the same value, or theirs.
pub fn same_indices(program: &Program) -> Vec<Term> {
    program.threads().flat_map(|(id, thread)| same_indices_of(program, id, thread)).collect()
}

fn same_indices_of(program: &Program, id: ThreadId, thread: &Thread) -> BTreeSet<Term> {
    let own = |var: &VarId| program.var(*var).owner == Owner::Local(id);
    let held = with_origins(program, id, slots::indices(program, id));
    let indices: BTreeSet<VarId> = direct(thread).into_iter().filter(own).chain(held).collect();
    let mut equal = BTreeSet::new();
    for step in &thread.transitions {
        let updates = || step.updates.iter().filter(|(var, _)| own(var));
        for (var, value) in updates() {
            let source = value.as_var().filter(own);
            let twins = updates().filter(|(twin, same)| twin < var && same == value).map(|(twin, _)| *twin);
            let alike = source.into_iter().chain(twins);
            let relevant = alike.filter(|other| other != var && (indices.contains(var) || indices.contains(other)));
            equal.extend(relevant.map(|other| program.term(*var).eq_to(program.term(other))));
        }
    }
    equal
}

/// A thread's own variables that index arrays, and those that they are copied from.
pub fn indices(program: &Program, id: ThreadId) -> BTreeSet<VarId> {
    with_origins(program, id, direct(program.thread(id)))
}

/// A thread's own variables whose values are kept in arrays, and those that they are copied from.
pub fn kept(program: &Program, id: ThreadId) -> BTreeSet<VarId> {
    let own = |var: &VarId| program.var(*var).owner == Owner::Local(id);
    let all = program.thread(id).transitions.iter().flat_map(|step| records(step, &own));
    with_origins(program, id, all.map(|(_, _, var)| var).collect())
}

fn with_origins(program: &Program, id: ThreadId, start: BTreeSet<VarId>) -> BTreeSet<VarId> {
    let own = |var: &VarId| program.var(*var).owner == Owner::Local(id);
    let mut found: BTreeSet<VarId> = start.into_iter().filter(own).collect();
    loop {
        let before = found.len();
        let updates = program.thread(id).transitions.iter().flat_map(|step| &step.updates);
        let from = updates.filter(|(var, _)| found.contains(var)).filter_map(|(_, value)| value.as_var());
        found.extend(from.filter(own).collect::<Vec<_>>());
        if found.len() == before {
            return found;
        }
    }
}

/// What a step writes to arrays, other than constants: the array, the index, and a variable that has the same value then.
pub fn records(step: &Transition, own: &impl Fn(&VarId) -> bool) -> Vec<(VarId, Term, VarId)> {
    let written = step.updates.iter().filter_map(|(array, value)| match value.kind() {
        TermKind::Store(before, index, value) if before.as_var() == Some(*array) && value.as_int().is_none() => {
            Some((*array, *index, *value))
        }
        _ => None,
    });
    let same = |value: Term| {
        let twins = step.updates.iter().filter(move |(_, same)| *same == value).map(|(twin, _)| *twin);
        let itself = value.as_var().filter(|var| step.update(*var).is_none());
        twins.chain(itself).filter(own).collect::<Vec<_>>()
    };
    written.flat_map(|(array, index, value)| same(value).into_iter().map(move |var| (array, index, var))).collect()
}

/// The variables that index arrays in a thread's steps.
fn direct(thread: &Thread) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for step in &thread.transitions {
        for term in step.guard.iter().chain(step.updates.iter().map(|(_, value)| value)) {
            term.visit(&mut |part| {
                if let TermKind::Select(_, index) | TermKind::Store(_, index, _) = part.kind() {
                    found.extend(index.vars());
                }
            });
        }
    }
    found
}
