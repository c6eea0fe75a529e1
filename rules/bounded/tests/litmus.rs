//! Partial-order reduction on litmus-like programs: few runs, and nothing lost.

#[path = "support/generate.rs"]
mod generate;

use std::collections::BTreeSet;

use bounded::{Bounds, Coverage, Outcome, Reduction, Search, search};
use generate::{Rng, program, seeds};
use program::{
    Init, IntType, Location, LocationId, LocationKind, Owner, Program, Sort, Span, Term, Thread, ThreadId, Transition,
    Var, VarId, VarKind,
};

/// What a thread does: writes a constant to a global, or reads a global.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Write(u32, i128),
    Read(u32),
}
use Op::{Read, Write};

const GLOBALS: u32 = 3;

/// Threads that do these things one after the other; what is read goes to a local of its own.
fn litmus(threads: &[&[Op]]) -> Program {
    let var = |name: String, owner| {
        let (sort, kind, ty, span) = (Sort::Int, VarKind::User, IntType::new(8, false), Span::default());
        Var { name, sort, owner, kind, ty, length: None, init: Init::Value(Term::int(0)), span }
    };
    let mut vars: Vec<Var> = (0..GLOBALS).map(|k| var(format!("g{k}"), Owner::Global)).collect();
    let mut made = Vec::new();
    for (id, ops) in (0..).map(ThreadId).zip(threads) {
        let mut transitions = Vec::new();
        for (k, op) in (0..).zip(*ops) {
            let update = match op {
                Write(global, value) => (VarId(*global), Term::int(*value)),
                Read(global) => {
                    vars.push(var(format!("r{}_{k}", id.0), Owner::Local(id)));
                    let local = VarId(u32::try_from(vars.len() - 1).expect("few"));
                    (local, Term::var(VarId(*global), Sort::Int))
                }
            };
            let (source, target) = (LocationId(k), LocationId(k + 1));
            let (inputs, guard, updates, defined) = (vec![], vec![], vec![update], vec![]);
            transitions.push(Transition { source, target, inputs, guard, updates, defined, span: Span::default() });
        }
        let location = Location { kind: LocationKind::Plain, span: Span::default() };
        let (entry, locations) = (LocationId(0), vec![location; ops.len() + 1]);
        made.push(Thread { name: format!("t{}", id.0), entry, locations, transitions, span: Span::default() });
    }
    Program::new(vec!["litmus".into()], vars, made).expect("well formed")
}

/// Orders of dependent operations of different threads: one set for each Mazurkiewicz trace.
type Orders = BTreeSet<((usize, usize), (usize, usize))>;

fn traces(threads: &[&[Op]]) -> usize {
    fn extend(threads: &[&[Op]], run: &mut Vec<(usize, usize)>, next: &mut [usize], found: &mut BTreeSet<Orders>) {
        let mut is_over = true;
        for thread in 0..threads.len() {
            if next[thread] < threads[thread].len() {
                is_over = false;
                run.push((thread, next[thread]));
                next[thread] += 1;
                extend(threads, run, next, found);
                next[thread] -= 1;
                run.pop();
            }
        }
        if is_over {
            found.insert(orders(threads, run));
        }
    }
    let mut found = BTreeSet::new();
    extend(threads, &mut Vec::new(), &mut vec![0; threads.len()], &mut found);
    found.len()
}

fn orders(threads: &[&[Op]], run: &[(usize, usize)]) -> Orders {
    let mut all = Orders::new();
    for (k, first) in run.iter().enumerate() {
        for second in run[k + 1..].iter().filter(|second| second.0 != first.0) {
            let is_dependent = match (threads[first.0][first.1], threads[second.0][second.1]) {
                (Read(_), Read(_)) => false,
                (Read(a) | Write(a, _), Read(b) | Write(b, _)) => a == b,
            };
            if is_dependent {
                all.insert((*first, *second));
            }
        }
    }
    all
}

fn cover(program: &Program, reduction: Reduction) -> Option<Coverage> {
    let finals = program.vars().map(|(id, _)| program.term(id)).collect();
    let how = Search { reduction, finals, ..Search::default() };
    match search(program, &Bounds::default(), &how, &|| false, &|_| {}) {
        Outcome::Error(..) => None,
        Outcome::Covered(coverage) => Some(coverage),
    }
}

#[test]
fn there_are_few_runs() {
    let programs: [(&str, &[&[Op]]); 14] = [
        ("store buffering", &[&[Write(0, 1), Read(1)], &[Write(1, 1), Read(0)]]),
        ("load buffering", &[&[Read(1), Write(0, 1)], &[Read(0), Write(1, 1)]]),
        ("message passing", &[&[Write(0, 1), Write(1, 1)], &[Read(1), Read(0)]]),
        ("two writes each", &[&[Write(0, 1), Write(1, 2)], &[Write(1, 1), Write(0, 2)]]),
        (
            "independent reads of independent writes",
            &[&[Write(0, 1)], &[Write(1, 1)], &[Read(0), Read(1)], &[Read(1), Read(0)]],
        ),
        ("readers only", &[&[Read(0), Read(1)], &[Read(0), Read(1)], &[Read(1), Read(0)]]),
        ("one writer", &[&[Write(0, 1)], &[Read(0)], &[Read(0)], &[Read(0)]]),
        ("many writers", &[&[Write(0, 1)], &[Write(0, 2)], &[Write(0, 3)], &[Write(0, 4)]]),
        ("write to read causality", &[&[Write(0, 1)], &[Read(0), Write(1, 1)], &[Read(1), Read(0)]]),
        ("read to write causality", &[&[Write(0, 1)], &[Read(0), Read(1)], &[Write(1, 1), Read(0)]]),
        ("coherence of reads", &[&[Write(0, 1), Write(0, 2)], &[Read(0), Read(0)], &[Read(0), Read(0)]]),
        ("three in a ring", &[&[Write(0, 1), Read(1)], &[Write(1, 1), Read(2)], &[Write(2, 1), Read(0)]]),
        ("handed on", &[&[Write(0, 1), Write(1, 1)], &[Read(1), Write(2, 1)], &[Read(2), Read(0)]]),
        ("apart", &[&[Write(0, 1), Write(0, 2)], &[Write(1, 1), Write(1, 2)], &[Write(2, 1), Write(2, 2)]]),
    ];
    for (name, threads) in programs {
        few_runs(name, threads);
    }
}

/// At most twice as many runs as there are Mazurkiewicz traces, and all outcomes. Gives both numbers.
fn few_runs(name: &str, threads: &[&[Op]]) -> (u64, u64) {
    let program = litmus(threads);
    let coverage = cover(&program, Reduction::SleepSets).expect("no error");
    let all = cover(&program, Reduction::None).expect("no error");
    let traces = traces(threads) as u64;
    assert!(coverage.runs <= 2 * traces, "{name}: {} runs, {traces} traces\n{program}", coverage.runs);
    assert_eq!(coverage.finals, all.finals, "{name}\n{program}");
    assert!(coverage.is_exhaustive(), "{name}\n{program}");
    (coverage.runs, traces)
}

#[test]
fn there_are_few_runs_of_random_programs() {
    let (mut runs, mut traces) = (0, 0);
    for seed in seeds(400) {
        let mut rng = Rng(seed);
        let count = 2 + rng.below(3);
        let mut op = |k: i128| {
            let global = rng.below(GLOBALS);
            if rng.chance(2) { Write(global, 1 + k) } else { Read(global) }
        };
        let longest = if count == 4 { 2 } else { 3 };
        let threads: Vec<Vec<Op>> = (0..count).map(|_| (0..longest).map(&mut op).collect()).collect();
        let threads: Vec<&[Op]> = threads.iter().map(Vec::as_slice).collect();
        let (more_runs, more_traces) = few_runs(&format!("seed {seed}"), &threads);
        (runs, traces) = (runs + more_runs, traces + more_traces);
    }
    assert!(runs <= 2 * traces && traces > 0, "{runs} runs, {traces} traces");
}

#[test]
fn sleep_sets_leave_out_steps_but_no_outcome() {
    let (mut with, mut without) = (0, 0);
    for seed in seeds(3000) {
        let program = program(seed);
        // When a value is chosen depends on the order in which threads are looked at.
        if program.state_vars().any(|(_, var)| var.init == Init::Arbitrary) {
            continue;
        }
        let (all, reduced) = (cover(&program, Reduction::None), cover(&program, Reduction::SleepSets));
        assert_eq!(all.is_some(), reduced.is_some(), "seed {seed}\n{program}");
        if let (Some(all), Some(reduced)) = (all, reduced) {
            assert_eq!(all.finals, reduced.finals, "seed {seed}\n{program}");
            assert!(reduced.states <= all.states, "seed {seed}\n{program}");
            assert_eq!(reduced.reached(), all.reached(), "seed {seed}\n{program}");
            with += reduced.steps;
            without += all.steps;
        }
    }
    assert!(with < without, "{with} steps instead of {without}");
}
