//! The prover against brute force: random finite-domain C programs of two and three threads, under every rule.
//!
//! The brute-force explorer interprets the generator's own syntax tree, so lowering is tested as well. `THREADER_SEED` and
//! `THREADER_CASES` choose other programs, and more of them.

mod support;

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

/// Abstract states and refinements that one run may take: enough for nearly all of these small programs.
const STATES: usize = 2_000;
const REFINEMENTS: usize = 60;

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
    let wanted = cases(500);
    let mut number = 0;
    let (mut compared, mut undecided, mut wrong) = (0, 0, Vec::new());
    while compared < wanted {
        let program = gen_threads::program(seed(), number);
        number += 1;
        let Some(outcome) = brute::explore(&program, Granularity::Shared, BRUTE_STATES) else { continue };
        compared += 1;
        let loaded = lower_text(&dir, &format!("case{number}"), &bounded_text(&program), &Options::default())
            .unwrap_or_else(|error| {
                panic!("seed {}, case {}: {error}\n{}", seed(), number - 1, bounded_text(&program))
            });
        let fails = !outcome.failures.is_empty();
        for rule in Rule::ALL {
            let options = rules::Options { states: STATES, refinements: REFINEMENTS, ..rules::Options::new(rule) };
            let verdict = rules::prove(&loaded.program, &options).verdict;
            match (&verdict, fails) {
                (Verdict::Safe(_), false) | (Verdict::Unsafe(_), true) => {}
                (Verdict::Unknown(_), _) => undecided += 1,
                _ => wrong.push(format!("case {}, {rule}: fails: {fails}\n{}", number - 1, bounded_text(&program))),
            }
        }
    }
    let shown = wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "seed {}: {} wrong answers\n{shown}", seed(), wrong.len());
    let runs = 3 * wanted;
    assert!(undecided * 20 <= runs, "seed {}: {undecided} of {runs} runs are undecided", seed());
}
