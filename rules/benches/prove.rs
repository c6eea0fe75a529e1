//! Whole proofs under each rule, from the transition system to the checked verdict.

use std::path::Path;

use divan::Bencher;
use rules::{Options, Rule, Verdict};

const PROGRAMS: [&str; 3] = ["spin2003", "dekker", "peterson"];

fn main() {
    divan::main();
}

#[divan::bench(args = PROGRAMS)]
fn monolithic(bencher: Bencher, name: &str) {
    prove(bencher, name, Rule::Monolithic);
}

#[divan::bench(args = PROGRAMS)]
fn owicki_gries(bencher: Bencher, name: &str) {
    prove(bencher, name, Rule::OwickiGries);
}

#[divan::bench(args = PROGRAMS)]
fn rely_guarantee(bencher: Bencher, name: &str) {
    prove(bencher, name, Rule::RelyGuarantee);
}

fn prove(bencher: Bencher, name: &str, rule: Rule) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/programs/table1/{name}.c"));
    let Ok(loaded) = frontend::load(&file, &frontend::Options::default()) else {
        panic!("{} cannot be read", file.display())
    };
    bencher.bench_local(|| {
        let verdict = rules::prove(&loaded.program, &Options::new(rule)).verdict;
        assert!(matches!(verdict, Verdict::Safe(_)), "{name} has no proof");
    });
}
