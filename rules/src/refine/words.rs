//! The program's own words: the atoms of its guards.
//!
//! A solution of a derivation's clauses speaks of a variable in the words that refute this one derivation; the next derivation
//! takes another word about the same variable, a refinement each. What the program itself asks about a variable is what most
//! proofs need in the end: once a predicate speaks of a variable, so do the guards that say nothing of variables yet unheard of.

use std::collections::BTreeSet;

use abstraction::PredicateSet;
use program::{Owner, Program, Term, ThreadId, Transition, VarId};

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

/// The words about a variable of the formula, whatever else they speak of, and the words about that alone.
pub fn beyond(system: &System<'_>, threads: &[ThreadId], formula: Term) -> Vec<Term> {
    let sayable = |var: &VarId| system.owner(*var).is_none_or(|thread| threads.contains(&thread));
    let near: BTreeSet<VarId> = formula.vars().into_iter().collect();
    let all: BTreeSet<Term> = system.words.iter().copied().chain(given(system.program)).collect();
    let said = |word: &&Term| word.vars().iter().all(sayable) && word.vars().iter().any(|var| near.contains(var));
    let mut found: BTreeSet<Term> = all.iter().filter(said).copied().collect();
    let far: BTreeSet<VarId> = found.iter().flat_map(|word| word.vars()).filter(|var| !near.contains(var)).collect();
    found.extend(all.iter().filter(|word| word.vars().iter().all(|var| far.contains(var))).copied());
    found.into_iter().collect()
}

/// What guards ask of inputs, as words about the variables that are given them.
pub fn given(program: &Program) -> Vec<Term> {
    let steps = program.threads().flat_map(|(_, thread)| &thread.transitions);
    let word = |(var, value): &(VarId, Term), atom: Term| {
        let input = value.as_var().filter(|input| matches!(program.var(*input).owner, Owner::Input(_)))?;
        atom.vars().iter().eq([&input]).then(|| atom.substitute(&|v, _| (v == input).then(|| program.term(*var))))
    };
    let of = |step: &Transition| -> Vec<Term> {
        let atoms: Vec<Term> = step.guard.iter().flat_map(|guard| horn::atoms(*guard)).collect();
        step.updates.iter().flat_map(|update| atoms.iter().filter_map(|atom| word(update, *atom))).collect()
    };
    steps.flat_map(of).collect()
}
