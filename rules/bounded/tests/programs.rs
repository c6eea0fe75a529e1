//! The C programs under tests/bounded: with bounds that are raised step by step, every error is found, and no other.

use std::path::{Path, PathBuf};

use bounded::{Deepening, Outcome, deepen};
use frontend::{Options, load};

/// Fewer files than this mean that some were lost.
const LEAST_FILES: usize = 32;
/// States that a search may keep: the errors are found with far fewer.
const STATES: usize = 200_000;

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bounded");
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

/// Whether the file says that there is no error.
fn is_safe(text: &str) -> bool {
    match text.lines().next() {
        Some("// verdict: true") => true,
        Some("// verdict: false") => false,
        other => panic!("no verdict: {other:?}"),
    }
}

#[test]
fn errors_are_found() {
    let files = files();
    assert!(files.len() >= LEAST_FILES, "only {} files", files.len());
    for file in files {
        let name = file.display();
        let safe = is_safe(&std::fs::read_to_string(&file).expect("a file"));
        let loaded =
            load(&file, &Options::default()).unwrap_or_else(|error| panic!("{name}: {}", error.failure.0.message));
        let limit = if safe { STATES / 10 } else { STATES };
        let outcome = deepen(&loaded.program, &Deepening { limit, ..Deepening::default() }, &|| false, &|_| {});
        match outcome {
            Outcome::Error(..) => assert!(!safe, "{name}: an error of a safe program"),
            Outcome::Covered(coverage) => {
                assert!(safe, "{name}: not found: {}", coverage.statement(&loaded.program));
            }
        }
    }
}

#[test]
fn the_outcome_does_not_depend_on_the_workers() {
    for name in ["reorder_unsafe", "fib_bench_unsafe", "stateful20_unsafe", "seqlock", "stack"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/bounded/{name}.c"));
        let program = load(&file, &Options::default()).unwrap_or_else(|_| panic!("{name} is lowered")).program;
        let outcome = |workers| {
            let deepening = Deepening { workers, limit: 20_000, ..Deepening::default() };
            let outcome = deepen(&program, &deepening, &|| false, &|_| {});
            (outcome.error().cloned(), outcome.coverage().statement(&program))
        };
        let one = outcome(1);
        for workers in [2, 3, 8] {
            assert_eq!(outcome(workers), one, "{name} with {workers} workers");
        }
    }
}
