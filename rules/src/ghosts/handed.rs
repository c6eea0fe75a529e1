//! Numbers that are handed out, by which instances tell themselves apart: those of a counter, whose owner gives one to each instance
//! that it creates, or of which each instance takes its own. They differ since all that were given are behind the counter; refinement,
//! left to itself, meets the counter's values one by one.

use std::collections::{BTreeMap, BTreeSet};

use check::at;
use program::{Init, Linear, LocationId, Owner, Program, Sort, Term, TermKind, Thread, ThreadId, Transition, VarId};

use super::indices::{indices, kept};
use crate::refine::words::{given, words};

/// A single thread's variable, and the global by which it hands the variable's values out.
struct Counter {
    thread: ThreadId,
    var: VarId,
    place: VarId,
}

/// What compares the numbers that index arrays or are kept there with one another, with the globals that instances take them from, and with the counters
/// of single threads that these are set to: the predicates of a view. An instance alone has nothing to compare its number with.
pub fn handed(program: &Program, view: &[ThreadId]) -> BTreeSet<Term> {
    let instances = program.templates().iter().filter(|template| template.copies.len() > 2);
    let places: BTreeSet<VarId> =
        instances.flat_map(|template| taken(program, template.copies[0])).map(|(place, _)| place).collect();
    let counters: Vec<Counter> = places.into_iter().flat_map(|place| counters(program, place)).collect();
    match program.template_of(view[0]) {
        Some(_) if view.len() > 1 => told_apart(program, view, &counters),
        Some(_) => BTreeSet::new(),
        None => counters.iter().filter(|c| c.thread == view[0]).flat_map(|c| counted(program, c)).collect(),
    }
}

/// The predicates of instances: on which side of a counter their numbers are.
fn told_apart(program: &Program, view: &[ThreadId], counters: &[Counter]) -> BTreeSet<Term> {
    let all: Vec<(ThreadId, VarId, VarId)> =
        view.iter().flat_map(|t| taken(program, *t).into_iter().map(|(place, number)| (*t, place, number))).collect();
    let mut found = BTreeSet::new();
    for (thread, place, number) in &all {
        if let (Init::Value(start), true) = (program.var(*place).init, goes_up(program.thread(*thread), *place)) {
            found.extend([*number, *place].map(|var| start.le(program.term(var))).into_iter().flat_map(horn::atoms));
        }
        let others = all.iter().filter(|(other, same, _)| other > thread && same == place);
        found.extend(others.map(|(_, _, other)| program.term(*number).eq_to(program.term(*other))));
        let handing: Vec<&Counter> = counters.iter().filter(|counter| counter.place == *place).collect();
        for counter in &handing {
            found.extend(counter.behind(program, *thread, *number));
            for bound in bounds(program, counter) {
                found.extend([*number, *place].map(|var| about(program, bound, var)));
            }
        }
        if handing.is_empty() {
            found.extend(order(program, *number, *place));
        }
    }
    found
}

impl Counter {
    /// What it is set to.
    fn values<'p>(&self, program: &'p Program) -> impl Iterator<Item = Term> + use<'p> {
        let var = self.var;
        program.thread(self.thread).transitions.iter().filter_map(move |step| step.update(var))
    }

    /// Whether something is added to it, or to a copy of it.
    fn goes_up(&self, program: &Program) -> bool {
        self.values(program).filter_map(moved).any(|(_, amount)| amount > 0)
    }

    /// That a number is behind the counter, unless the counter has yet to move on; that what is on offer is, too; and that the number
    /// is behind what is on offer. Where the counter is, and whether something is on offer, changes all the time: these are
    /// disjunctions, each of them always true, rather than what they are made of.
    fn behind(&self, program: &Program, taker: ThreadId, number: VarId) -> Vec<Term> {
        let up = self.goes_up(program);
        let [counter, place, number] = [self.var, self.place, number].map(|var| program.term(var));
        let at_most = |a: Term, b: Term| if up { a.le(b) } else { b.le(a) };
        let before = |a: Term, b: Term| if up { a.lt(b) } else { b.lt(a) };
        let unmoved = self.unmoved(program, up).into_iter().map(|location| at(program, self.thread, location));
        let unmoved = Term::or(unmoved);
        let is_global = |atom: &Term| atom.vars().iter().all(|var| program.var(*var).owner == Owner::Global);
        let takes = |step: &&Transition| moves(step).any(|(_, from)| from == self.place);
        let offers = program.thread(taker).transitions.iter().filter(takes).map(|step| {
            let asked = step.guard.iter().copied().filter(is_global);
            Term::and(asked)
        });
        // Where it is set to something else, it is ahead of nothing, and nothing is on offer.
        let set = program.thread(self.thread).transitions.iter();
        let set = set.filter(|step| step.update(self.var).is_some_and(|value| moved(value).is_none()));
        let set = Term::or(set.map(|step| at(program, self.thread, step.source)));
        let mut found = vec![set, at_most(number, counter), Term::or([before(number, counter), unmoved])];
        for offer in offers {
            let offered = [set.not(), at_most(place, counter), before(number, place)];
            found.extend(offered.map(|holds| Term::or([offer.not(), holds])));
            found.push(Term::or([offer.not(), before(place, counter), unmoved]));
        }
        found.retain(|formula| formula.as_bool().is_none());
        found
    }

    /// Where the owner has handed out the counter's value, and the counter has not moved on.
    fn unmoved(&self, program: &Program, up: bool) -> BTreeSet<LocationId> {
        let steps = &program.thread(self.thread).transitions;
        let stays_behind = |step: &Transition, (_, offset): (VarId, i128)| {
            let moved_by = step.update(self.var).and_then(moved).map_or(0, |(_, amount)| amount);
            if up { offset < moved_by } else { offset > moved_by }
        };
        let hands = |step: &&Transition| {
            let handed = step.update(self.place).and_then(moved).filter(|(from, _)| *from == self.var);
            handed.is_some_and(|handed| !stays_behind(step, handed))
        };
        let mut found: BTreeSet<LocationId> = steps.iter().filter(hands).map(|step| step.target).collect();
        loop {
            let on = steps.iter().filter(|step| found.contains(&step.source) && step.update(self.var).is_none());
            let next: BTreeSet<LocationId> = on.map(|step| step.target).collect();
            if next.is_subset(&found) {
                return found;
            }
            found.extend(next);
        }
    }
}

/// Whether a thread adds to a variable.
fn goes_up(thread: &Thread, var: VarId) -> bool {
    thread
        .transitions
        .iter()
        .filter_map(|step| moved(step.update(var)?))
        .any(|(from, amount)| from == var && amount > 0)
}

/// The predicates of a counter's owner.
fn counted(program: &Program, counter: &Counter) -> BTreeSet<Term> {
    let var = program.term(counter.var);
    let updates = program.thread(counter.thread).transitions.iter().flat_map(|step| &step.updates);
    let copies = updates.filter(|(copy, value)| *value == var && *copy != counter.place);
    let same = copies.map(|(copy, _)| program.term(*copy).eq_to(var));
    same.chain(order(program, counter.place, counter.var)).chain(bounds(program, counter)).collect()
}

/// What the program asks of a counter, and that it stays on its side of where it starts.
fn bounds(program: &Program, counter: &Counter) -> BTreeSet<Term> {
    let var = program.term(counter.var);
    let asked = words(program).into_iter().chain(given(program)).filter(|atom| atom.vars().iter().eq([&counter.var]));
    let up = counter.goes_up(program);
    let start = counter.values(program).filter(|value| value.as_int().is_some());
    let side = start.flat_map(|value| horn::atoms(if up { value.le(var) } else { var.le(value) }));
    asked.chain(side).collect()
}

/// The formula about another variable.
pub fn about(program: &Program, formula: Term, var: VarId) -> Term {
    formula.substitute(&|_, _| Some(program.term(var)))
}

fn order(program: &Program, a: VarId, b: VarId) -> [Term; 2] {
    let (a, b) = (program.term(a), program.term(b));
    [a.le(b), a.lt(b)]
}

/// The globals that a thread takes numbers from to index arrays, or to keep them there, each with a variable that a number is kept in: the first of those that
/// are given it in one step.
pub fn taken(program: &Program, thread: ThreadId) -> BTreeSet<(VarId, VarId)> {
    let used = &indices(program, thread) | &kept(program, thread);
    let is_global = |var: VarId| program.var(var).owner == Owner::Global;
    let of = |step: &Transition| -> BTreeMap<VarId, VarId> {
        let numbers = moves(step).filter(|(number, place)| used.contains(number) && is_global(*place));
        numbers.rev().map(|(number, place)| (place, number)).collect()
    };
    program.thread(thread).transitions.iter().flat_map(of).collect()
}

/// The counters whose values single threads set a global to.
fn counters(program: &Program, place: VarId) -> Vec<Counter> {
    let singles = program.threads().filter(|(id, _)| program.template_of(*id).is_none());
    let of = |thread: ThreadId| {
        let sets = program.thread(thread).transitions.iter().flat_map(moves).filter(|(var, _)| *var == place);
        let vars: BTreeSet<VarId> = sets.map(|(_, var)| var).collect();
        vars.into_iter()
            .filter(|var| program.var(*var).owner == Owner::Local(thread))
            .map(|var| Counter { thread, var, place })
            .collect::<Vec<_>>()
    };
    singles.flat_map(|(thread, _)| of(thread)).collect()
}

/// The variables that a step sets to others, but for casts and constants.
fn moves(step: &Transition) -> impl DoubleEndedIterator<Item = (VarId, VarId)> {
    step.updates.iter().filter_map(|(var, value)| Some((*var, moved(*value)?.0)))
}

/// A variable and a constant whose sum is the value, but for casts.
pub fn moved(value: Term) -> Option<(VarId, i128)> {
    let value = match value.kind() {
        TermKind::Wrap(_, inner) => *inner,
        _ => value,
    };
    let form = (value.sort() == Sort::Int).then(|| Linear::of(value))?;
    match form.monomials() {
        [(var, 1)] => Some((var.as_var()?, form.offset())),
        _ => None,
    }
}
