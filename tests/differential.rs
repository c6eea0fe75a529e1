//! Lowered programs against compiled ones: random expressions and random single-threaded programs.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::sync::OnceLock;

use frontend::hir::DataModel;
use frontend::{Loaded, Options};
use support::gen_expr::{Case, PRELUDE, case};
use support::gen_program;
use support::lowered::{lower_text, run_to_end, value_of};
use support::native::{final_values, scratch};
use support::rng::{cases, seed};

/// Expressions a file.
const BATCH: usize = 200;

/// The expressions of this run, and what the compiled program makes of each: all in one file, compiled once.
fn compiled_expressions() -> &'static (Vec<Case>, Vec<Vec<i64>>) {
    static RESULTS: OnceLock<(Vec<Case>, Vec<Vec<i64>>)> = OnceLock::new();
    RESULTS.get_or_init(|| {
        let all: Vec<Case> = (0..cases(10_000)).map(|n| case(seed(), n, DataModel::Lp64)).collect();
        let names: Vec<String> = all.iter().flat_map(|c| c.expected.iter().map(|(name, _)| name.clone())).collect();
        let values = final_values(&scratch("expressions"), "all", &unit(&all), &names);
        let mut rest = values.as_slice();
        let results = all.iter().map(|c| {
            let (own, others) = rest.split_at(c.expected.len());
            rest = others;
            own.to_vec()
        });
        let results = results.collect();
        (all, results)
    })
}

/// A translation unit: one function an expression, called by main in order.
fn unit(cases: &[Case]) -> String {
    let mut text = String::new();
    let mut calls = String::new();
    for (n, c) in cases.iter().enumerate() {
        text.push_str(&format!("{}static void e{n}(void) {{\n{}}}\n", c.globals, c.body));
        calls.push_str(&format!("  e{n}();\n"));
    }
    format!("{PRELUDE}{text}int main(void) {{\n{calls}  return 0;\n}}\n")
}

/// As a signed 64-bit number: what the compiled program prints.
fn printed(value: i128) -> i64 {
    value as i64
}

#[test]
fn the_generator_knows_what_the_compiler_computes() {
    let (all, results) = compiled_expressions();
    for (n, (c, values)) in all.iter().zip(results).enumerate() {
        for ((name, expected), value) in c.expected.iter().zip(values) {
            assert_eq!(
                printed(*expected),
                *value,
                "seed {}, case {n}: {name} after {}\n{}{}",
                seed(),
                c.text,
                c.globals,
                c.body
            );
        }
    }
}

#[test]
fn random_expressions_agree_with_the_compiled_program() {
    let (all, results) = compiled_expressions();
    let expected =
        |n: usize| all[n].expected.iter().zip(&results[n]).map(|((name, _), v)| (name.clone(), *v)).collect();
    compare_expressions("lowered", all, DataModel::Lp64, &expected);
}

/// There need not be a 32-bit libc here: what C computes is the generator's opinion, which is checked against gcc for LP64.
#[test]
fn random_expressions_agree_for_ilp32() {
    let all: Vec<Case> = (0..cases(10_000) / 5).map(|n| case(seed() ^ 32, n, DataModel::Ilp32)).collect();
    let expected = |n: usize| all[n].expected.iter().map(|(name, v)| (name.clone(), printed(*v))).collect();
    compare_expressions("ilp32", &all, DataModel::Ilp32, &expected);
}

/// Lowers the expressions batch by batch, runs each, and compares with what is expected of the n-th.
fn compare_expressions(dir: &str, all: &[Case], model: DataModel, expected: &dyn Fn(usize) -> Vec<(String, i64)>) {
    let dir = scratch(dir);
    let options = Options { data_model: Some(model), ..Options::default() };
    let mut wrong = Vec::new();
    for (b, batch) in all.chunks(BATCH).enumerate() {
        let outcome = lower_text(&dir, &format!("batch{b}"), &unit(batch), &options)
            .and_then(|Loaded { program, .. }| run_to_end(&program).map(|state| (program, state)));
        let (program, state) = outcome.unwrap_or_else(|error| panic!("seed {}: {error}", seed()));
        for (k, c) in batch.iter().enumerate() {
            for (name, value) in expected(b * BATCH + k) {
                match value_of(&program, &state, &name).map(printed) {
                    Ok(got) if got == value => {}
                    got => wrong.push(format!(
                        "case {}: {name} is {got:?}, not {value}, after {}\n{}{}",
                        b * BATCH + k,
                        c.text,
                        c.globals,
                        c.body
                    )),
                }
            }
        }
    }
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "seed {}: {} values differ\n{shown}", seed(), wrong.len());
}

#[test]
fn random_programs_agree_with_the_compiled_program() {
    let dir = scratch("programs");
    let count = cases(200);
    let mut wrong = Vec::new();
    for n in 0..count {
        let gen_program::Program { text, observed } = gen_program::program(seed(), n);
        let expected = final_values(&dir, &format!("p{n}"), &text, &observed);
        let outcome = lower_text(&dir, &format!("p{n}"), &text, &Options::default())
            .and_then(|Loaded { program, .. }| run_to_end(&program).map(|state| (program, state)))
            .and_then(|(program, state)| observed.iter().map(|name| value_of(&program, &state, name)).collect());
        let outcome = outcome.map(|values: Vec<i128>| values.into_iter().map(printed).collect());
        if outcome != Ok(expected.clone()) {
            wrong.push(format!("case {n}: {observed:?} are {outcome:?}, not {expected:?}\n{text}"));
        }
    }
    let shown = wrong.iter().take(2).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "seed {}: {} of {count} programs differ\n{shown}", seed(), wrong.len());
}

/// What inline assembly and other things beside C's own operators leave in these variables.
const BESIDE_C: &str = r#"
#include <pthread.h>
int word = 4, old = 3, seen, flag, low, popped, given;
unsigned char byte = 250, added = 10;
long wide = 1l << 40, swapped = 7, expected = 5, compared = 1l << 33;
int *pointer = &word, *taken;
typedef union { int *number; void *anything; } either __attribute__((__transparent_union__));
static int of(either some) { return *some.number; }
static void pop(void *arg) { popped += *(int *)arg; }
int main(void) {
  unsigned char equal = 7;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(word) : : "memory");
  __asm__ volatile("lock; xaddb %0, %1" : "+q"(added), "+m"(byte) : : "memory");
  __asm__ volatile("xchgq %0, (%1)" : "=r"(swapped) : "r"(&wide), "0"(swapped) : "memory");
  __asm__ volatile("lock; cmpxchgq %3, %1\n\tsete %2" : "+a"(expected), "+m"(compared), "=q"(equal) : "r"(9l) : "memory", "cc");
  seen = equal;
  expected = 1l << 33;
  __asm__ volatile("lock cmpxchgq %3, %1; sete %2" : "+a"(expected), "+m"(compared), "=q"(equal) : "r"(9l) : "memory", "cc");
  flag = equal;
  __asm__ volatile("lock; subl $7, %0; setne %1" : "+m"(word), "=q"(equal) : : "memory", "cc");
  low = equal;
  __asm__ volatile("lock; incl %0; mfence" : "+m"(low) : : "memory", "cc");
  __asm__ volatile("mov %1, %0; lock; orl $0, (%%rsp)" : "=m"(taken) : "r"(pointer) : "memory", "cc");
  given = of(taken) + 20;
  pthread_cleanup_push(pop, &flag);
  pthread_cleanup_pop(1);
  return 0;
}
"#;

/// The machine's own answer; other processors have other instructions.
#[test]
#[cfg(target_arch = "x86_64")]
fn what_is_beside_c_does_what_the_machine_does() {
    let names = "word old seen flag low popped given byte added wide swapped expected compared";
    let names: Vec<String> = names.split_whitespace().map(str::to_string).collect();
    let dir = scratch("beside_c");
    let expected = final_values(&dir, "beside", BESIDE_C, &names);
    let Loaded { program, .. } = lower_text(&dir, "beside", BESIDE_C, &Options::default()).unwrap();
    let state = run_to_end(&program).unwrap();
    for (name, expected) in names.iter().zip(expected) {
        assert_eq!(value_of(&program, &state, name).map(printed), Ok(expected), "{name}");
    }
}
