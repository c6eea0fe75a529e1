//! The program's own words: the atoms of its guards.
//!
//! A solution of a derivation's clauses speaks of a variable in the words that refute this one derivation; the next derivation
//! takes another word about the same variable, a refinement each. What the program itself asks about a variable is what most
//! proofs need in the end: once a predicate speaks of a variable, so do the guards that say nothing of variables yet unheard of.

use std::collections::BTreeSet;

use abstraction::PredicateSet;
use program::{Program, Term, ThreadId, VarId};

use crate::system::System;

/// The atoms of a program's guards.
pub fn words(program: &Program) -> BTreeSet<Term> {
    let guards = program.threads().flat_map(|(_, thread)| &thread.transitions).flat_map(|transition| &transition.guard);
    guards.flat_map(|guard| horn::atoms(*guard)).collect()
}

/// The words about a variable of the formula that say nothing of variables other than its own and those that `known` predicates
/// speak of. Of threads' own variables only those of `threads` are spoken of.
pub fn about(system: &System<'_>, threads: &[ThreadId], known: &PredicateSet, formula: Term) -> Vec<Term> {
    let new: BTreeSet<VarId> = formula.vars().into_iter().collect();
    let sayable = |var: &VarId| {
        let own = system.owner(*var).is_none_or(|thread| threads.contains(&thread));
        own && (new.contains(var) || known.vars().contains(var))
    };
    let fits = |word: &&Term| {
        let vars = word.vars();
        vars.iter().any(|var| new.contains(var)) && vars.iter().all(sayable)
    };
    system.words.iter().filter(fits).copied().collect()
}
