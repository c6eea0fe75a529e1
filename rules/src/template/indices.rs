//! Indices of arrays, of which C's evaluation makes copies: `a[i] = i` takes three of them. An array's element is known to be what a
//! thread wrote only while they are known to be the same.

use std::collections::BTreeSet;

use program::{Owner, Program, Term, TermKind, Thread, ThreadId, VarId};

/// That a thread's own variables that index arrays are equal to others that were given the same value, or theirs.
pub fn same_indices(program: &Program) -> Vec<Term> {
    program.threads().flat_map(|(id, thread)| same_indices_of(program, id, thread)).collect()
}

fn same_indices_of(program: &Program, id: ThreadId, thread: &Thread) -> BTreeSet<Term> {
    let own = |var: &VarId| program.var(*var).owner == Owner::Local(id);
    let indices: BTreeSet<VarId> = indices(thread).into_iter().filter(own).collect();
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

/// The variables that index arrays in a thread's steps.
fn indices(thread: &Thread) -> BTreeSet<VarId> {
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
