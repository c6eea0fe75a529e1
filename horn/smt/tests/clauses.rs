//! Z3 accepts the Horn clauses that `rules/tests/clauses.rs` stores as text, and Spacer solves them as it should.

use std::path::PathBuf;

use z3::{Params, SatResult, Solver};

fn stored() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../rules/tests/snapshots")
}

fn load(name: &str) -> Solver {
    let text = std::fs::read_to_string(stored().join(name)).unwrap();
    let solver = Solver::new_for_logic("HORN").expect("Z3 has a solver for Horn clauses");
    solver.from_string(text.as_str());
    let count = text.lines().filter(|line| line.starts_with("(assert")).count();
    assert_eq!(solver.get_assertions().len(), count, "Z3 rejects {name}");
    solver
}

#[test]
fn every_stored_system_is_accepted() {
    let mut files: Vec<_> = std::fs::read_dir(stored()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert!(files.len() >= 20, "only {} systems are stored", files.len());
    for file in files {
        load(file.to_str().unwrap());
    }
}

/// `sat`: the clauses have a solution, that is, there is a proof over that vocabulary.
#[test]
fn spacer_finds_what_there_is_to_find() {
    use SatResult::{Sat, Unsat};
    for (name, expected) in [
        ("lock.monolithic.full", Sat),
        ("lock.owicki-gries.modular", Sat),
        ("lock.rely-guarantee.modular", Sat),
        ("race.owicki-gries.modular", Unsat),
        ("race.rely-guarantee.full", Unsat),
        // Without the other thread's location there is no proof.
        ("peterson.owicki-gries.modular", Unsat),
        ("values.monolithic.full", Sat),
        ("values.owicki-gries.modular", Sat),
        ("values.rely-guarantee.full", Sat),
    ] {
        let solver = load(&format!("{name}.smt2"));
        let mut params = Params::new();
        params.set_u32("timeout", 60_000);
        solver.set_params(&params);
        assert_eq!(solver.check(), expected, "{name}");
    }
}
