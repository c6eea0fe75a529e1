//! What is special about any number of threads, besides views of instances ([`crate::rule::views`]): what is known of instances from the
//! start, and ghost counters.
//!
//! At level K an assertion is about K instances of templates, or about a single thread; it speaks of their own variables, of the
//! globals, and where need be of single threads. Let R(g, l_1 .. l_K) be the assertion, for one template:
//!
//!   init -> R;   R and rho_i -> R' (i = 1 .. K);
//!   R(g, l_1 .. l_K) and R with l_m in the place of each of l_1 .. l_K in turn and rho_m -> R';   R and err -> false.
//!
//! This is the rule of Owicki and Gries [T, Eq. 2] with one assertion for all K-tuples of instances: whichever instances take
//! part in a step, they are copies of these K + 1 (thread modularity at many levels: Hoenicke, Majumdar, Podelski, POPL 2017).
//! Soundness is argued where it matters, in the checker ([`check`]).
//!
//! A derivation whose clauses have no solution shows that the level is too low, or that there is an error: which of the two, a search
//! with a number of instances may tell. Where assertions about K instances cannot add up what many do (K + 1 readers with a count
//! of K look fine K at a time), ghost counters say how many instances are at certain locations ([`counters`]).

mod counters;
mod handed;
mod indices;
mod scans;
mod slots;

use std::collections::BTreeSet;

use program::{Program, Sort, Term, ThreadId, VarId};

use crate::refine::seeds::seed;
use crate::refine::vocabulary::Vocabulary;
use crate::rule::views::{Views, level};
use crate::rule::{Environment, Rule};
use crate::system::System;

pub use counters::{counted, counting};
pub use scans::has_scans;

/// Makes definedness conditions guards: those that scans rest on, where an assertion is about several instances, and those of taking what is
/// told by slots.
pub fn require(system: &mut System<'_>) {
    let taken = slots::within_bounds(system.program);
    taken.into_iter().for_each(|(step, condition)| _ = system.require(step, condition));
    if level(system.program) > 1 {
        let conditions = scans::within_bounds(system.program);
        conditions.into_iter().for_each(|(step, condition)| _ = system.require(step, condition));
    }
}

/// What is known from the start: what a claim about single threads speaks of, and more where there are instances. The program may be another
/// one than the system's, whose variables and locations it has.
pub fn start(program: &Program, system: &System<'_>, views: &Views, rule: Rule) -> Vocabulary {
    let mut vocabulary = Vocabulary::empty(views);
    // What the system forgets is not written there any more.
    let forgotten: BTreeSet<VarId> = &written(program) - &written(system.program);
    let is_kept = |term: &Term| term.vars().is_disjoint(&forgotten);
    for (view, known) in views.all.iter().zip(&mut vocabulary.predicates) {
        let own = claimed(program, &view.threads);
        own.into_iter().filter(is_kept).for_each(|term| _ = known.insert_everywhere(term, system, &view.threads));
    }
    if program.templates().is_empty() {
        return vocabulary;
    }
    let general: Vec<Term> = counters::seeds(program).into_iter().chain(indices::same_indices(program)).collect();
    for (view, known) in views.all.iter().zip(&mut vocabulary.predicates) {
        let mine = |var: VarId| system.owner(var).is_none_or(|thread| view.threads.contains(&thread));
        let about = general.iter().copied().filter(|term| term.vars().into_iter().all(mine));
        let own = handed::handed(program, &view.threads).into_iter().chain(scans::scans(program, &view.threads));
        let own = own.chain(slots::slots(program, &view.threads));
        about.chain(own).filter(is_kept).for_each(|term| _ = known.insert_everywhere(term, system, &view.threads));
    }
    if rule.environment() == Environment::Transitions {
        seed(system, views, &mut vocabulary);
    }
    vocabulary
}

/// The variables that some step writes.
fn written(program: &Program) -> BTreeSet<VarId> {
    let steps = program.threads().flat_map(|(_, thread)| &thread.transitions);
    steps.flat_map(|step| step.updates.iter().map(|(var, _)| *var)).collect()
}

/// What conflicts say of one thread alone, such as that it waits without a lock which it should hold.
fn claimed(program: &Program, view: &[ThreadId]) -> BTreeSet<Term> {
    let alone = program.conflicts().iter().filter(|conflict| match conflict.at.as_slice() {
        [only] => view.contains(&only.thread),
        _ => false,
    });
    let terms: BTreeSet<Term> = alone.flat_map(|conflict| conflict.terms().collect::<Vec<_>>()).collect();
    let has_array = |term: &Term| term.vars().into_iter().any(|var| program.var(var).sort == Sort::Array);
    terms.into_iter().filter(|term| !has_array(term)).flat_map(horn::atoms).collect()
}
