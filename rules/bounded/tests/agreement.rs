//! The engine against a search of all runs, on random programs, with bounds such that some errors lie just outside.

mod support;

use bounded::{Bounds, Coverage, Hashing, Order, Outcome, Reduction, Schedule, Search, search};
use program::{Program, Term};
use support::brute::{All, all};
use support::generate::{Rng, program, seeds};

/// Random bounds, tight ones often.
fn bounds(rng: &mut Rng) -> Bounds {
    let mut some = |one_in: u32, below: u32| rng.chance(one_in).then(|| rng.below(below));
    let (contexts, unwind, steps) = (some(4, 4), some(4, 2), some(6, 9));
    let preemptions = (!rng.chance(4)).then(|| rng.below(2));
    let schedule = if rng.chance(3) { Schedule::Turns } else { Schedule::Stay };
    Bounds { preemptions, contexts, unwind, steps, schedule, ..Bounds::default() }
}

fn run(program: &Program, bounds: &Bounds, how: &Search) -> Outcome {
    search(program, bounds, how, &|| false, &|_| {})
}

fn everything(program: &Program) -> Vec<Term> {
    program.vars().map(|(id, _)| program.term(id)).collect()
}

/// Values that were not chosen can be anything: they are compared where they were.
fn same_finals(program: &Program, coverage: &Coverage, expected: &All) -> Result<(), String> {
    let state: Vec<usize> = program.state_vars().map(|(id, _)| id.0 as usize).collect();
    let agrees = |found: &[Option<program::Value>], expected: &[Option<program::Value>]| {
        state.iter().all(|k| found[*k].is_none() || found[*k] == expected[*k])
    };
    for found in &coverage.finals {
        if !expected.finals.iter().any(|other| agrees(found, other)) {
            return Err(format!("{found:?} is no final state"));
        }
    }
    for other in &expected.finals {
        if !coverage.finals.iter().any(|found| agrees(found, other)) {
            return Err(format!("the final state {other:?} is missing"));
        }
    }
    Ok(())
}

/// Compares a search in which all variables are observed, so that it knows the same states.
fn compare(seed: u64, program: &Program, bounds: &Bounds, how: &Search, within: &All) -> Result<bool, String> {
    let outcome = run(program, bounds, how);
    if within.error != outcome.error().is_some() {
        return Err(format!("an error: {}, found: {}", within.error, outcome.error().is_some()));
    }
    let Outcome::Covered(coverage) = outcome else { return Ok(true) };
    if !coverage.is_complete() {
        return Err(format!("incomplete: {coverage:?}"));
    }
    for (thread, graph) in program.threads() {
        for (location, _) in graph.locations().filter(|(l, _)| *l != graph.entry) {
            let (found, expected) =
                (coverage.is_reached(thread, location), within.reached.contains(&(thread, location)));
            if found != expected {
                return Err(format!("{thread:?} {location:?} is reached: {expected}, found: {found}"));
            }
        }
    }
    let hits = &coverage.hits;
    let none = !within.preemptions && !within.contexts && within.unwind == hits.unwind.is_empty() && !within.steps;
    if none && !within.unwind && !coverage.is_exhaustive() {
        return Err(format!("exhaustive, but {hits} are hit"));
    }
    if coverage.is_exhaustive() {
        let free = all(program, &Bounds::default());
        if free.error {
            return Err("said to be exhaustive, but there is an error".into());
        }
        same_finals(program, &coverage, &free)?;
    }
    let is_free =
        Bounds { states: bounds.states, ..Bounds::default() } == Bounds { schedule: Schedule::Stay, ..bounds.clone() };
    if is_free && !coverage.is_exhaustive() {
        return Err(format!("seed {seed}: not exhaustive without bounds"));
    }
    Ok(false)
}

#[test]
fn errors_and_coverage_are_those_of_all_runs() {
    let (mut errors, mut outside, mut exhaustive) = (0, 0, 0);
    let seeds = seeds(300);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let program = program(seed);
        let mut rng = Rng(seed ^ 0x5EED);
        let bounds = if rng.chance(4) { Bounds::default() } else { bounds(&mut rng) };
        let within = all(&program, &bounds);
        for reduction in [Reduction::None, Reduction::Supersteps, Reduction::SleepSets] {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let how = Search { order, reduction, finals: everything(&program), ..Search::default() };
                let result = compare(seed, &program, &bounds, &how, &within);
                let found = result
                    .unwrap_or_else(|e| panic!("seed {seed}, {reduction:?}, {order:?}, {bounds:?}: {e}\n{program}"));
                errors += u64::from(found);
            }
        }
        if !within.error {
            let free = all(&program, &Bounds::default()).error;
            outside += u64::from(free);
            exhaustive += u64::from(!free);
        }
    }
    assert!(errors > count, "only {errors} errors found in {count} programs");
    assert!(outside * 40 > count, "only {outside} of {count} errors lie outside the bounds");
    assert!(exhaustive * 10 > count, "only {exhaustive} of {count} programs have none");
}

/// What has no influence on errors is not executed: threads that only change that are waiting, and more runs are within the bounds.
#[test]
fn what_does_not_matter_is_left_out() {
    for seed in seeds(300) {
        let program = program(seed);
        let mut rng = Rng(seed ^ 0xB0B);
        let bounds = Bounds { schedule: Schedule::Stay, ..bounds(&mut rng) };
        let hashing = if rng.chance(3) { Hashing::Bitstate(20) } else { Hashing::Exact };
        let outcome = run(&program, &bounds, &Search { hashing, ..Search::default() });
        let within = all(&program, &bounds).error;
        let free = all(&program, &Bounds::default()).error;
        match outcome.error() {
            Some(_) => assert!(free, "seed {seed}: an error of a safe program\n{program}"),
            None => assert!(!within, "seed {seed}, {bounds:?}: an error was missed\n{program}"),
        }
        assert!(!free || !outcome.coverage().is_exhaustive() || outcome.error().is_some(), "seed {seed}\n{program}");
    }
}
