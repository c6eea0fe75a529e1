//! The clauses of the rules for small programs, against stored text. `horn/smt/tests/clauses.rs` has Z3 solve the same text.
//! `UPDATE_SNAPSHOTS=1` rewrites what is stored.

mod programs;

use std::path::PathBuf;

use program::Program;
use rules::clauses::clauses;
use rules::{Rule, Vocabulary};

fn compare(name: &str, program: &Program) {
    for rule in Rule::ALL {
        for (vocabulary, suffix) in [(Vocabulary::Modular, "modular"), (Vocabulary::Full, "full")] {
            if rule == Rule::Monolithic && vocabulary == Vocabulary::Modular {
                let full = clauses(program, rule, Vocabulary::Full);
                assert_eq!(clauses(program, rule, vocabulary), full, "the monolithic rule has one vocabulary");
                continue;
            }
            let text = clauses(program, rule, vocabulary).to_string();
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join("tests/snapshots")
                .join(format!("{name}.{rule}.{suffix}.smt2"));
            if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(text, stored, "{} differs; UPDATE_SNAPSHOTS=1 rewrites it", path.display());
        }
    }
}

#[test]
fn a_lock_that_holds_its_owner() {
    compare("lock", &programs::lock());
}

#[test]
fn the_same_without_the_lock() {
    compare("race", &programs::race());
}

#[test]
fn peterson() {
    compare("peterson", &programs::peterson());
}

#[test]
fn inputs_arrays_and_undefined_behaviour() {
    compare("values", &programs::values());
}
