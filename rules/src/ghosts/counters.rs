//! Which counters may help: those that mirror a variable to which every instance contributes while it is at certain locations.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    Counter, Init, LocationId, LocationKind, Owner, Program, Sort, Tally, Template, Term, Thread, ThreadId, Transition,
    VarId,
};

/// A global, and the counters that tell what instances have added to it or taken from it.
struct Mirror {
    /// The global.
    var: VarId,
    /// The counters whose instances have added 1 each.
    added: Vec<Counter>,
    /// The counters whose instances have taken 1 each.
    taken: Vec<Counter>,
}

impl Mirror {
    fn counters(self) -> impl Iterator<Item = Counter> {
        self.added.into_iter().chain(self.taken)
    }
}

/// The program with the counters that may help, if there are any.
pub fn counting(program: &Program) -> Option<Program> {
    // A tally that cannot be made is one that would have been too large.
    let told = program.with_tallies(&tallies(program)).unwrap_or_else(|_| program.clone());
    let counters = suggested(&told);
    let counted = told.with_counters(&counters).ok()?;
    (!counters.is_empty()).then_some(counted)
}

/// Tallies of what instances have added to globals, where that depends on the way to a location: of globals that they add to and
/// take from.
fn tallies(program: &Program) -> Vec<Tally> {
    let of = |template: &Template, var: VarId| amounts(program.thread(template.copies[0]), var, program.term(var));
    let added_to: Vec<VarId> =
        program.globals().filter(|var| program.templates().iter().all(|t| of(t, *var).is_some())).collect();
    let tally = |(template, what): (usize, &Template)| {
        let id = what.copies[0];
        let told = |var: &VarId| {
            let amounts = of(what, *var)?;
            let both = amounts.iter().any(|a| *a > 0) && amounts.iter().any(|a| *a < 0);
            (both && contributions(program, id, *var).is_none()).then_some(amounts)
        };
        let kinds: Vec<Vec<i128>> = added_to.iter().filter_map(told).collect();
        let entries = kinds.iter().enumerate().flat_map(|(kind, amounts)| {
            let some = amounts.iter().enumerate().filter(|(_, amount)| **amount != 0);
            some.map(move |(step, amount)| ((step, kind), *amount))
        });
        Tally { template, amounts: entries.collect() }
    };
    program.templates().iter().enumerate().map(tally).filter(|tally| !tally.amounts.is_empty()).collect()
}

/// The globals that instances of templates only ever add to or take from, and by an amount that depends on where they are alone: for
/// each template the locations at which an instance has added at least 1, at least 2, .., or has taken as much.
fn mirrors(program: &Program) -> Vec<Mirror> {
    let mirror = |var: VarId| {
        let mut mirror = Mirror { var, added: Vec::new(), taken: Vec::new() };
        for (template, what) in program.templates().iter().enumerate() {
            let thread = program.thread(what.copies[0]);
            let share = contributions(program, what.copies[0], var)?;
            let most = share.values().copied().max().unwrap_or(0);
            let least = share.values().copied().min().unwrap_or(0);
            // Who has ended holds nothing; but where a count could wrap, it matters how many there have been.
            let mut ends = share.iter().filter(|(l, _)| thread.location(**l).kind == LocationKind::End);
            let kept = ends.any(|(_, amount)| *amount != 0);
            if least < -Tally::MOST || most > Tally::MOST || (kept && !wraps(thread, var)) {
                return None;
            }
            let counter = |holds: &dyn Fn(i128) -> bool| {
                let locations = share.iter().filter(|(_, amount)| holds(**amount)).map(|(location, _)| *location);
                Counter { template, locations: locations.collect() }
            };
            mirror.added.extend((1..=most).map(|amount| counter(&|a| a >= amount)));
            mirror.taken.extend((1..=-least).map(|amount| counter(&|a| a <= -amount)));
        }
        (!mirror.added.is_empty() || !mirror.taken.is_empty()).then_some(mirror)
    };
    program.globals().filter_map(mirror).collect()
}

/// The counters, and the globals that they add up to: they have as many values as there are instances.
pub fn counted(program: &Program) -> BTreeSet<VarId> {
    let mirrored = mirrors(program).into_iter().map(|mirror| mirror.var);
    program.counters().iter().map(|(_, var)| *var).chain(mirrored).collect()
}

/// Whether a thread adds to a variable modulo the size of its type.
fn wraps(thread: &Thread, var: VarId) -> bool {
    let wrapped = |step: &Transition| matches!(step.update(var)?.kind(), program::TermKind::Wrap(..)).then_some(());
    thread.transitions.iter().any(|step| wrapped(step).is_some())
}

/// The counters of all mirrors.
fn suggested(program: &Program) -> Vec<Counter> {
    let mut found: Vec<Counter> = Vec::new();
    for counter in mirrors(program).into_iter().flat_map(Mirror::counters) {
        if !found.contains(&counter) {
            found.push(counter);
        }
    }
    found
}

/// That globals are what their counters add up to, and what they were at the start: where nobody else writes them, they are. Where
/// single threads add to them too, what they have added now and then comes to it.
pub fn seeds(program: &Program) -> Vec<Term> {
    let held =
        |counter: &Counter| program.counters().iter().find(|(c, _)| c == counter).map(|(_, var)| program.term(*var));
    let seed = |mirror: Mirror| {
        let Init::Value(start) = program.var(mirror.var).init else { return None };
        let sum = mirror.added.iter().try_fold(start, |sum, counter| Some(sum.add(held(counter)?)))?;
        let sum = mirror.taken.iter().try_fold(sum, |sum, counter| Some(sum.sub(held(counter)?)))?;
        let mut amounts = single_amounts(program, mirror.var);
        // What a single thread sets it to may be what it is before there are instances: a semaphore's places.
        amounts.extend(
            start
                .as_int()
                .into_iter()
                .flat_map(|start| single_values(program, mirror.var).into_iter().map(move |value| value - start)),
        );
        let mut all: Vec<Term> =
            amounts.into_iter().map(|amount| program.term(mirror.var).eq_to(sum.add(Term::int(amount)))).collect();
        // Who has read it knows it, for as long as nobody else can change it.
        let original = |term: Term| term.substitute(&|var, _| (var == mirror.var).then_some(sum));
        for thread in program.templates().iter().flat_map(|template| &template.copies) {
            let copies = copies(program.thread(*thread), mirror.var);
            all.extend(copies.into_iter().map(|(copy, value)| program.term(copy).eq_to(original(value))));
        }
        all.extend(program.threads().flat_map(|(id, _)| looked_at(program, id, mirror.var, sum)));
        Some(all)
    };
    mirrors(program).into_iter().filter_map(seed).flatten().chain(deciding(program)).collect()
}

/// What a thread that has looked at a global concludes from it: if the value passes a test, so does what the counters add up to.
/// That may stay so although the global changes: who has seen that nobody is left knows it while nobody can come.
fn looked_at(program: &Program, id: ThreadId, var: VarId, sum: Term) -> Vec<Term> {
    let thread = program.thread(id);
    let steps = thread.transitions.iter();
    let looks = |copy: &VarId| steps.clone().any(|step| step.update(*copy) == Some(program.term(var)));
    let tests: BTreeSet<Term> = steps.clone().flat_map(|step| step.guard.iter().copied()).collect();
    let local = |copy: &VarId| program.var(*copy).owner == Owner::Local(id);
    let conclusion = |test: Term| {
        let copy = single(test).filter(|copy| local(copy) && looks(copy))?;
        Some(Term::or([test.not(), test.substitute(&|v, _| (v == copy).then_some(sum))]))
    };
    tests.into_iter().filter_map(conclusion).collect()
}

/// What decides between the steps of a tally, as predicates of the variables that it comes from: which of two references an instance
/// gives back depends on a variable that says which it took.
fn deciding(program: &Program) -> Vec<Term> {
    let copies = program.tallies().flat_map(|tally| program.templates()[tally.template].copies.iter());
    copies.flat_map(|copy| deciding_of(program, *copy)).collect()
}

fn deciding_of(program: &Program, id: ThreadId) -> Vec<Term> {
    let thread = program.thread(id);
    let own = |var: VarId| program.var(var).owner == Owner::Local(id);
    let told: Vec<VarId> = mirrors(program).into_iter().map(|mirror| mirror.var).collect();
    let counting = thread.transitions.iter().filter(|step| told.iter().any(|var| step.update(*var).is_some()));
    let atoms: BTreeSet<(VarId, Term)> = counting
        .flat_map(|step| &step.guard)
        .filter_map(|atom| Some((single(*atom)?, *atom)))
        .filter(|(var, _)| own(*var))
        .collect();
    // Where the variables were copied from, and what the same value was given to in the same step.
    let mut alike: BTreeSet<VarId> = atoms.iter().map(|(var, _)| *var).collect();
    let mut equal = BTreeSet::new();
    loop {
        let before = alike.len();
        for step in &thread.transitions {
            for (var, value) in step.updates.iter().filter(|(var, _)| alike.contains(var)).cloned().collect::<Vec<_>>()
            {
                alike.extend(value.as_var().filter(|from| own(*from)));
                for (twin, _) in step.updates.iter().filter(|(twin, same)| *twin != var && *same == value && own(*twin))
                {
                    alike.insert(*twin);
                    equal.insert(program.term(var.min(*twin)).eq_to(program.term(var.max(*twin))));
                }
            }
        }
        if alike.len() == before {
            break;
        }
    }
    let in_place = |var: &VarId| {
        let term = program.term(*var);
        atoms
            .iter()
            .map(move |(of, atom)| atom.substitute(&|leaf, _| (leaf == *of).then_some(term)))
            .collect::<Vec<_>>()
    };
    alike.iter().flat_map(in_place).chain(equal).collect()
}

/// What single threads add to a variable in one step, and nothing.
fn single_amounts(program: &Program, var: VarId) -> BTreeSet<i128> {
    let singles = program.threads().filter(|(id, _)| program.template_of(*id).is_none());
    let steps = singles.flat_map(|(_, thread)| &thread.transitions);
    let amounts = steps.filter_map(|step| added(step.guard.as_slice(), program.term(var), step.update(var)?));
    amounts.filter(|amount| amount.abs() <= Tally::MOST).chain([0]).collect()
}

/// The constants that single threads set a variable to.
fn single_values(program: &Program, var: VarId) -> BTreeSet<i128> {
    let singles = program.threads().filter(|(id, _)| program.template_of(*id).is_none());
    singles.flat_map(|(_, thread)| &thread.transitions).filter_map(|step| step.update(var)?.as_int()).collect()
}

/// By location, what a thread has added to a variable when it is there; nothing if that depends on the way, unless by a way that
/// the thread's tally does not follow.
fn contributions(program: &Program, id: ThreadId, var: VarId) -> Option<BTreeMap<LocationId, i128>> {
    let thread = program.thread(id);
    let amounts = amounts(thread, var, program.term(var))?;
    let mut share: BTreeMap<LocationId, Option<i128>> = BTreeMap::from([(thread.entry, Some(0))]);
    let mut open = vec![thread.entry];
    while let Some(location) = open.pop() {
        for (transition, amount) in thread.transitions.iter().zip(&amounts).filter(|(t, _)| t.source == location) {
            let total = share[&location].map(|before| before + amount);
            match share.get(&transition.target) {
                Some(known) if *known == total || known.is_none() => continue,
                Some(_) if program.is_untold(id, transition.target) => share.insert(transition.target, None),
                Some(_) => return None,
                None => share.insert(transition.target, total),
            };
            open.push(transition.target);
        }
    }
    Some(share.into_iter().filter_map(|(location, amount)| Some((location, amount?))).collect())
}

/// By step, what a thread adds to a variable; nothing if it writes it in another way.
fn amounts(thread: &Thread, var: VarId, value: Term) -> Option<Vec<i128>> {
    let copies = copies(thread, var);
    let original = |term: Term| term.substitute(&|v, _| copies.get(&v).copied());
    let amount = |transition: &Transition| match transition.update(var) {
        None => Some(0),
        // A guard may have fixed the value: c == 0 and c := 1 is c := c + 1.
        Some(after) => added(transition.guard.as_slice(), value, original(after)),
    };
    thread.transitions.iter().map(amount).collect()
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

/// The variable of a formula that has one.
fn single(formula: Term) -> Option<VarId> {
    let mut vars = formula.vars().into_iter();
    vars.next().filter(|_| vars.next().is_none())
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
