//! The prover against brute force: random finite-domain C programs of two and three threads, under every rule.
//!
//! The brute-force explorer interprets the generator's own syntax tree, so lowering is tested as well. `THREADER_SEED` and
//! `THREADER_CASES` choose other programs, and more of them.

mod support;

use std::path::Path;

use frontend::Options;
use rules::{Rule, Verdict};
use support::brute::{self, Granularity};
use support::gen_threads;
use support::lowered::lower_text;
use support::native::scratch;
use support::rng::{cases, seed};
use support::thread_ast::Threads;

/// More states than this, and a program is left out: there is another one.
const BRUTE_STATES: usize = 2_000;

/// What one run may take: the few programs that need more would take most of the time.
const STATES: usize = 4_000;
const REFINEMENTS: usize = 25;
const SOLVER_QUERIES: u64 = 500;

/// The C text, with choices limited to the 0, 1 and 2 that the explorer tries.
fn bounded_text(program: &Threads) -> String {
    let helper =
        "static int choice(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= v && v <= 2); return v; }";
    let declared = "extern void __VERIFIER_assume(int);";
    let text = program.c_text().replace("__VERIFIER_nondet_int()", "choice()");
    text.replacen(declared, &format!("{declared}\n{helper}"), 1)
}

#[test]
fn verdicts_agree_with_brute_force_under_every_rule() {
    let dir = scratch("oracle");
    let wanted = cases(500) as usize;
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // Each worker takes every n-th program, so that the programs do not depend on the number of workers.
    let small =
        |n: &u64| brute::explore(&gen_threads::program(seed(), *n), Granularity::Shared, BRUTE_STATES).is_some();
    let numbers: Vec<u64> = (0..).filter(small).take(wanted).collect();
    let share = |worker: usize| numbers.iter().skip(worker).step_by(workers).map(|n| compare(&dir, *n)).collect();
    let results: Vec<Compared> = std::thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> = (0..workers).map(|w| scope.spawn(move || -> Vec<Compared> { share(w) })).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker")).collect()
    });
    let wrong: Vec<&String> = results.iter().flat_map(|r| &r.wrong).collect();
    assert!(wrong.is_empty(), "seed {}: {} wrong answers\n{}", seed(), wrong.len(), wrong[0]);
    let undecided: Vec<&String> = results.iter().flat_map(|r| &r.undecided).collect();
    let runs = 3 * wanted;
    assert!(
        undecided.len() * 20 <= runs,
        "seed {}: {} of {runs} runs are undecided: {undecided:?}",
        seed(),
        undecided.len()
    );
}

/// What became of one program under all rules.
#[derive(Default)]
struct Compared {
    undecided: Vec<String>,
    wrong: Vec<String>,
}

fn compare(dir: &Path, number: u64) -> Compared {
    let program = gen_threads::program(seed(), number);
    let text = bounded_text(&program);
    let outcome = brute::explore(&program, Granularity::Shared, BRUTE_STATES).expect("small, as was seen before");
    let loaded = lower_text(dir, &format!("case{number}"), &text, &Options::default())
        .unwrap_or_else(|error| panic!("seed {}, case {number}: {error}\n{text}", seed()));
    let fails = !outcome.failures.is_empty();
    let mut compared = Compared::default();
    for rule in Rule::ALL {
        let options = rules::Options {
            states: STATES,
            refinements: REFINEMENTS,
            solver_queries: SOLVER_QUERIES,
            ..rules::Options::new(rule)
        };
        match (rules::prove(&loaded.program, &options).verdict, fails) {
            (Verdict::Safe(_), false) | (Verdict::Unsafe(_), true) => {}
            (Verdict::Unknown(reason), _) => compared.undecided.push(format!("case {number}, {rule}: {reason}")),
            _ => compared.wrong.push(format!("case {number}, {rule}: can fail: {fails}\n{text}")),
        }
    }
    compared
}
