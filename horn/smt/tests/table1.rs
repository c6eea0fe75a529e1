//! Z3 accepts the Horn clauses of every program of table 1, under each rule and vocabulary.

use std::path::Path;

use frontend::{Options, load};
use rules::clauses::clauses;
use rules::{Rule, Vocabulary};
use z3::Solver;

/// Many paths through its functions are single steps: tens of megabytes of text under most rules, of which one must do.
const LARGE: &[&str] = &["scull", "scull-unsafe"];

#[test]
fn the_clauses_of_table_1_are_accepted() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/table1");
    let entries = std::fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 30, "only {} programs", files.len());
    for file in files {
        let loaded = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{}: {:?}", file.display(), e.failure));
        let is_large = file.file_stem().is_some_and(|stem| LARGE.iter().any(|name| stem == *name));
        for rule in Rule::ALL {
            for vocabulary in [Vocabulary::Modular, Vocabulary::Full] {
                if is_large && (rule, vocabulary) != (Rule::Monolithic, Vocabulary::Full) {
                    continue;
                }
                let text = clauses(&loaded.program, rule, vocabulary).to_string();
                let count = text.lines().filter(|line| line.starts_with("(assert")).count();
                let solver = Solver::new_for_logic("HORN").expect("Z3 has a solver for Horn clauses");
                solver.from_string(text.as_str());
                let accepted = solver.get_assertions().len();
                assert!(
                    count > 0 && accepted == count,
                    "{}, {rule}, {vocabulary:?}: {accepted} of {count}",
                    file.display()
                );
            }
        }
    }
}
