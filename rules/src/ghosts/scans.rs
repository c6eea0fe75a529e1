//! Scans of arrays in which instances have an element each. What a scan has asked of the elements behind it, it knows of each instance
//! whose number is behind it: what would be said of all elements at once, with a quantifier, is said of two instances at a time.
//!
//! Let a thread with index k read t = a[k] and go on to k + 1 once q(t, k), and let m be another instance's number. Then
//!
//!   k > m -> q(a[m], m)      and, between reading and going on,      k = m and q(t, k) -> q(a[m], m)
//!
//! hold as long as the other instance keeps to it. A scan that goes on in any case may still collect what then holds of a[k], such as
//! that a maximum is no smaller. Who writes its element after the collector has passed by is not among what was collected; but who
//! waits for all others, and has passed the collector before that began, is. So with another index j, and a number n of the waiting one,
//!
//!   k > m and j > n -> q(a[n]),
//!
//! and once the index j serves another loop, k > m -> q(a[n]). A scan says nothing of elements beyond its end: that a number is within
//! the array's bounds must be known. Where the program does not ask, that an access is defined says so.
//!
//! These are disjunctions: an abstraction by conjunctions of literals needs each of them whole.

use std::collections::{BTreeMap, BTreeSet};

use program::{Definedness, LocationId, Owner, Program, Term, TermKind, ThreadId, Transition, UbKind, VarId};

use super::handed::{about, moved, taken};
use super::indices::{indices, records};
use crate::refine::words::words;
use crate::system::StepId;

/// A scan that waits.
struct Scan {
    thread: ThreadId,
    index: VarId,
    array: VarId,
    read: VarId,
    /// q(t, k).
    passed: Term,
}

/// A scan that collects.
struct Collection {
    thread: ThreadId,
    index: VarId,
    array: VarId,
    /// q(a[k]).
    collected: Term,
}

/// Whether instances scan arrays in which each has an element: then a proof must speak of two of them.
pub fn has_scans(program: &Program) -> bool {
    program.templates().iter().any(|template| !scans(program, &template.copies).is_empty())
}

/// What scans tell two instances of each other, and what it takes to follow that: which elements are whose, and what is in them.
pub fn scans(program: &Program, view: &[ThreadId]) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    if view.len() < 2 || program.template_of(view[0]).is_none() {
        return found;
    }
    let numbers_of = |thread: ThreadId| {
        let indices = indices(program, thread);
        let taken = taken(program, thread).into_iter().map(|(_, number)| number);
        taken.filter(move |number| indices.contains(number)).map(move |number| (thread, number))
    };
    let numbers: Vec<(ThreadId, VarId)> = view.iter().flat_map(|thread| numbers_of(*thread)).collect();
    for scan in view.iter().flat_map(|thread| scans_of(program, *thread)) {
        for (thread, number) in &numbers {
            let recorded = recorded(program, *thread, scan.array);
            if recorded.is_empty() {
                continue;
            }
            let element = program.term(scan.array).select(program.term(*number));
            found.extend(recorded.iter().map(|var| program.term(*var).eq_to(element)));
            found.extend(recorded.iter().flat_map(|var| said(program, scan.read, *var)));
            found.extend(said(program, scan.index, scan.index));
            found.extend(said(program, scan.index, *number));
            if *thread != scan.thread {
                found.extend(scan.told(program, *number, element));
                let own = numbers.iter().filter(|(t, _)| *t == scan.thread).map(|(_, own)| *own);
                let collections = collections(program, *thread, scan.array);
                found.extend(own.flat_map(|own| {
                    collections.iter().flat_map(|c| c.told(program, scan.index, *number, own)).collect::<Vec<_>>()
                }));
            }
        }
        found.extend(numbers.iter().flat_map(|(thread, number)| announced(program, &scan, *thread, *number)));
    }
    found
}

/// The conditions by which accesses to elements with instances' numbers are defined, of numbers that the program asks nothing about.
pub fn within_bounds(program: &Program) -> Vec<(StepId, usize)> {
    let words = words(program);
    let mut found = Vec::new();
    for thread in program.templates().iter().flat_map(|template| template.copies.iter().copied()) {
        let numbers = taken(program, thread).into_iter().map(|(_, number)| number);
        let unasked = numbers.filter(|number| !words.iter().any(|word| word.vars().iter().eq([number])));
        let copies: BTreeSet<VarId> = unasked.flat_map(|number| copies(program, thread, number)).collect();
        if copies.is_empty() || scans_of(program, thread).is_empty() {
            continue;
        }
        for (index, step) in program.thread(thread).transitions.iter().enumerate() {
            let bounds = |(_, d): &(usize, &Definedness)| {
                d.kind == UbKind::OutOfBounds && d.condition.vars().iter().all(|var| copies.contains(var))
            };
            let bounds = step.defined.iter().enumerate().filter(bounds);
            found.extend(bounds.map(|(condition, _)| (StepId { thread, index }, condition)));
        }
    }
    found
}

/// A variable, and those that are only ever set to its value.
fn copies(program: &Program, thread: ThreadId, of: VarId) -> BTreeSet<VarId> {
    let steps = &program.thread(thread).transitions;
    let is_copied = |step: &Transition, value: Term| {
        value.as_var() == Some(of) && step.update(of).is_none() || step.update(of) == Some(value)
    };
    let set: BTreeSet<VarId> = steps.iter().flat_map(|step| &step.updates).map(|(var, _)| *var).collect();
    let only = |var: &VarId| steps.iter().all(|step| step.update(*var).is_none_or(|value| is_copied(step, value)));
    set.into_iter().filter(only).collect()
}

/// That an instance's element of an array has a constant value at which a scan waits.
fn announced(program: &Program, scan: &Scan, thread: ThreadId, number: VarId) -> Vec<Term> {
    let leaving = |step: &&Transition| step.source != step.target;
    let asked = || program.thread(scan.thread).transitions.iter().filter(leaving).flat_map(|step| &step.guard);
    let waits = |(array, value): &(VarId, Term)| {
        let element = program.term(*array).select(program.term(scan.index));
        asked().any(|atom| mentions(*atom, element) && of_constant(*atom, *array, *value).as_bool() == Some(false))
    };
    let written = program.thread(thread).transitions.iter().flat_map(constants).filter(waits);
    written.map(|(array, value)| program.term(array).select(program.term(number)).eq_to(value)).collect()
}

/// The constants that a step writes to elements of arrays.
fn constants(step: &Transition) -> Vec<(VarId, Term)> {
    let constant = |(array, value): &(VarId, Term)| match value.kind() {
        TermKind::Store(_, _, value) if value.as_int().is_some() => Some((*array, *value)),
        _ => None,
    };
    step.updates.iter().filter_map(constant).collect()
}

/// The formula where all elements of an array have a value.
fn of_constant(formula: Term, array: VarId, value: Term) -> Term {
    formula.substitute(&|var, _| (var == array).then(|| Term::const_array(value)))
}

impl Collection {
    /// What is known of the element of a waiting instance whose scan has passed the collector's number, and what is so from the start.
    fn told(&self, program: &Program, waiting: VarId, number: VarId, passed: VarId) -> Vec<Term> {
        let [waiting, number, index, passed] = [waiting, number, self.index, passed].map(|var| program.term(var));
        let holds = self.collected.substitute(&|var, _| (var == self.index).then_some(passed));
        let behind = [waiting.le(number), waiting.lt(number)];
        let before = [index.le(passed), index.lt(passed)];
        let pairs = behind.into_iter().flat_map(|a| before.map(|b| Term::or([a, b, holds])));
        let steps = program.thread(self.thread).transitions.iter();
        let begins = |step: &&Transition| step.update(self.index).is_some_and(|value| value.as_int().is_some());
        let serves_others = steps.clone().filter(begins).count() > 1;
        let whole = behind.into_iter().filter(|_| serves_others).map(|a| Term::or([a, holds]));
        let of = |(var, value): &(VarId, Term)| value.as_int().is_some() && self.collected.vars().contains(var);
        let starts = steps.flat_map(|step| &step.updates).filter(|update| of(update)).map(|(_, value)| *value);
        let starts = starts.map(|value| of_constant(self.collected, self.array, value)).flat_map(horn::atoms);
        pairs.chain(whole).chain(starts).chain(said(program, self.index, self.index)).collect()
    }
}

/// The scans of an array that collect something of its elements: what all steps from a location that read one establish.
fn collections(program: &Program, thread: ThreadId, array: VarId) -> Vec<Collection> {
    let own = |var: VarId| program.var(var).owner == Owner::Local(thread);
    let mut readers: BTreeMap<(VarId, LocationId), Vec<&Transition>> = BTreeMap::new();
    for step in &program.thread(thread).transitions {
        let indices = reads(step).into_iter().filter(|(_, of, index)| *of == array && own(*index));
        indices.for_each(|(.., index)| readers.entry((index, step.source)).or_default().push(step));
    }
    let mut found = BTreeSet::new();
    for ((index, _), readers) in readers {
        let element = program.term(array).select(program.term(index));
        let asked: BTreeSet<Term> = readers.iter().flat_map(|step| &step.guard).copied().collect();
        let collected = asked.into_iter().filter(|atom| mentions(*atom, element));
        let collected = collected.filter(|atom| readers.iter().all(|step| establishes(step, *atom)));
        found.extend(collected.map(|collected| (index, collected)));
    }
    found.into_iter().map(|(index, collected)| Collection { thread, index, array, collected }).collect()
}

fn mentions(formula: Term, part: Term) -> bool {
    let mut found = false;
    formula.visit(&mut |term| found |= term == part);
    found
}

/// Whether a condition evidently holds after a step.
fn establishes(step: &Transition, condition: Term) -> bool {
    let before = condition.substitute(&|var, _| step.update(var));
    before.as_bool() == Some(true) || step.guard.contains(&before)
}

impl Scan {
    /// What is known of an element with another instance's number.
    fn told(&self, program: &Program, number: VarId, element: Term) -> [Term; 2] {
        let (index, number) = (program.term(self.index), program.term(number));
        let holds = self.passed.substitute(&|var, _| match var {
            var if var == self.read => Some(element),
            var if var == self.index => Some(number),
            _ => None,
        });
        [Term::or([index.le(number), holds]), Term::or([index.eq_to(number).not(), self.passed.not(), holds])]
    }
}

/// What the program asks of a variable alone, asked of another.
fn said(program: &Program, of: VarId, var: VarId) -> Vec<Term> {
    let alone = words(program).into_iter().filter(|word| word.vars().iter().eq([&of]));
    alone.map(|word| about(program, word, var)).collect()
}

/// The variables whose values a thread writes to its element of an array.
fn recorded(program: &Program, thread: ThreadId, array: VarId) -> BTreeSet<VarId> {
    let own = |var: &VarId| program.var(*var).owner == Owner::Local(thread);
    let all = program.thread(thread).transitions.iter().flat_map(|step| records(step, &own));
    let here = all.filter(|(of, index, _)| *of == array && index.as_var().is_some_and(|index| own(&index)));
    here.map(|(_, _, var)| var).collect()
}

fn scans_of(program: &Program, thread: ThreadId) -> Vec<Scan> {
    let own = |var: VarId| program.var(var).owner == Owner::Local(thread);
    let steps = &program.thread(thread).transitions;
    let mut found = Vec::new();
    let reads: BTreeSet<(VarId, VarId, VarId)> = steps.iter().flat_map(reads).filter(|(read, ..)| own(*read)).collect();
    for (read, array, index) in reads {
        let on = |step: &&Transition| {
            let up = step.update(index).and_then(moved).is_some_and(|(from, amount)| from == index && amount > 0);
            up && step.guard.iter().any(|atom| atom.vars().contains(&read))
        };
        let asked = steps.iter().filter(on).map(|step| Term::and(step.guard.iter().copied()));
        let passed = Term::or(asked);
        if own(index) && passed.as_bool().is_none() {
            found.push(Scan { thread, index, array, read, passed });
        }
    }
    found
}

/// The elements that a step reads: to which variable, of which array, at which index.
fn reads(step: &Transition) -> Vec<(VarId, VarId, VarId)> {
    let read = |(var, value): &(VarId, Term)| match value.kind() {
        TermKind::Select(array, index) => Some((*var, array.as_var()?, index.as_var()?)),
        _ => None,
    };
    step.updates.iter().filter_map(read).collect()
}
