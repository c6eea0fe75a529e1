//! Which counters may help: those that mirror a variable to which every instance contributes while it is at certain locations.

use std::collections::BTreeMap;

use program::{Counter, Init, LocationId, LocationKind, Program, Sort, Term, Thread, VarId};

/// More than this much of one instance is not followed.
const MOST: i128 = 4;

/// A global, and the counters that add up to what instances have added to it.
pub struct Mirror {
    /// The global.
    pub var: VarId,
    /// The counters.
    pub counters: Vec<Counter>,
}

/// The globals that instances of templates only ever add to, and by an amount that depends on where they are alone: for each template
/// the locations at which an instance has added at least 1, at least 2, ..
pub fn mirrors(program: &Program) -> Vec<Mirror> {
    let mirror = |var: VarId| {
        let mut counters = Vec::new();
        for (template, what) in program.templates().iter().enumerate() {
            let thread = program.thread(what.copies[0]);
            let share = contributions(thread, var, program.term(var))?;
            let most = share.values().copied().max().unwrap_or(0);
            let least = share.values().copied().min().unwrap_or(0);
            // Who has ended holds nothing.
            let ends = share.iter().filter(|(l, _)| thread.location(**l).kind == LocationKind::End);
            if least < 0 || most > MOST || ends.into_iter().any(|(_, amount)| *amount != 0) {
                return None;
            }
            counters.extend((1..=most).map(|amount| {
                let locations = share.iter().filter(|(_, a)| **a >= amount).map(|(location, _)| *location).collect();
                Counter { template, locations }
            }));
        }
        (!counters.is_empty()).then_some(Mirror { var, counters })
    };
    program.globals().filter_map(mirror).collect()
}

/// The counters of all mirrors.
pub fn suggested_counters(program: &Program) -> Vec<Counter> {
    let mut found: Vec<Counter> = Vec::new();
    for counter in mirrors(program).into_iter().flat_map(|mirror| mirror.counters) {
        if !found.contains(&counter) {
            found.push(counter);
        }
    }
    found
}

/// That globals are what their counters add up to, and what they were at the start: where nobody else writes them, they are.
pub fn seeds(program: &Program) -> Vec<Term> {
    let held =
        |counter: &Counter| program.counters().iter().find(|(c, _)| c == counter).map(|(_, var)| program.term(*var));
    let seed = |mirror: Mirror| {
        let Init::Value(start) = program.var(mirror.var).init else { return None };
        let sum = mirror.counters.iter().try_fold(start, |sum, counter| Some(sum.add(held(counter)?)))?;
        let mut all = vec![program.term(mirror.var).eq_to(sum)];
        // Who has read it knows it, for as long as nobody else can change it.
        let original = |term: Term| term.substitute(&|var, _| (var == mirror.var).then_some(sum));
        for thread in program.templates().iter().flat_map(|template| &template.copies) {
            let copies = copies(program.thread(*thread), mirror.var);
            all.extend(copies.into_iter().map(|(copy, value)| program.term(copy).eq_to(original(value))));
        }
        Some(all)
    };
    mirrors(program).into_iter().filter_map(seed).flatten().collect()
}

/// By location, what a thread has added to a variable when it is there; nothing if that depends on the way.
fn contributions(thread: &Thread, var: VarId, value: Term) -> Option<BTreeMap<LocationId, i128>> {
    let copies = copies(thread, var);
    let original = |term: Term| term.substitute(&|v, _| copies.get(&v).copied());
    let mut share: BTreeMap<LocationId, i128> = BTreeMap::from([(thread.entry, 0)]);
    let mut open = vec![thread.entry];
    while let Some(location) = open.pop() {
        for transition in thread.from(location) {
            let amount = match transition.update(var) {
                None => 0,
                // A guard may have fixed the value: c == 0 and c := 1 is c := c + 1.
                Some(after) => added(transition.guard.as_slice(), value, original(after))?,
            };
            let total = share[&location] + amount;
            match share.get(&transition.target) {
                Some(known) if *known != total => return None,
                Some(_) => {}
                None => {
                    share.insert(transition.target, total);
                    open.push(transition.target);
                }
            }
        }
    }
    Some(share)
}

/// Other variables that are only ever assigned the variable's value and a constant. That nobody changes the variable in between is
/// not known: a counter that is suggested for nothing costs time and no more.
fn copies(thread: &Thread, var: VarId) -> BTreeMap<VarId, Term> {
    let mut found: BTreeMap<VarId, Option<Term>> = BTreeMap::new();
    for (copy, value) in thread.transitions.iter().flat_map(|t| &t.updates).filter(|(copy, _)| *copy != var) {
        let is_copy = value.vars().into_iter().eq([var]) && value.sort() == Sort::Int;
        let known = found.entry(*copy).or_insert(is_copy.then_some(*value));
        if *known != Some(*value) {
            *known = None;
        }
    }
    found.into_iter().filter_map(|(copy, value)| Some((copy, value?))).collect()
}

/// By how much a value is greater than the one before it, under a guard.
fn added(guard: &[Term], before: Term, after: Term) -> Option<i128> {
    let unwrapped = match after.kind() {
        program::TermKind::Wrap(_, inner) => *inner,
        _ => after,
    };
    if let Some(amount) = unwrapped.sub(before).as_int() {
        return Some(amount);
    }
    let fixed = guard.iter().find_map(|literal| match literal.kind() {
        program::TermKind::Eq(form, value)
            if *literal == before.eq_to(Term::int(*value)) && form.atoms().count() == 1 =>
        {
            Some(*value)
        }
        _ => None,
    })?;
    Some(unwrapped.as_int()? - fixed)
}
