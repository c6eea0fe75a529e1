//! The C programs under tests/programs/bounded: with bounds that are raised step by step, every error is found, and no other.

use std::path::{Path, PathBuf};

use bounded::{Bounds, Deepening, Outcome, Search, climb, deepen, search};
use frontend::{Options, load};

/// Fewer files than this mean that some were lost.
const LEAST_FILES: usize = 46;
/// States that a search may keep: the errors are found with far fewer.
const STATES: usize = 200_000;

/// The C files right below a directory of the tests.
fn files(directory: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(directory);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

/// Whether the file says that there is no error; nothing if it does not know.
fn is_safe(text: &str) -> Option<bool> {
    match text.lines().next() {
        Some("// verdict: true") => Some(true),
        Some("// verdict: false") => Some(false),
        Some("// verdict: unknown") => None,
        other => panic!("no verdict: {other:?}"),
    }
}

/// Searches a file with bounds that are raised step by step, and holds what is found against what it says.
fn examine(file: &Path, limit: usize) {
    let name = file.display();
    let Some(safe) = is_safe(&std::fs::read_to_string(file).expect("a file")) else { return };
    let loaded = load(file, &Options::default()).unwrap_or_else(|error| panic!("{name}: {}", error.failure.0.message));
    let limit = if safe { limit / 10 } else { limit };
    match deepen(&loaded.program, &Deepening { limit, ..Deepening::default() }, &|| false, &|_| {}) {
        Outcome::Error(..) => assert!(!safe, "{name}: an error of a safe program"),
        Outcome::Covered(coverage) => assert!(safe, "{name}: not found: {}", coverage.statement(&loaded.program)),
    }
}

#[test]
fn published_errors_are_found() {
    let files = files("programs/bounded");
    assert!(files.len() >= LEAST_FILES, "only {} files", files.len());
    files.iter().for_each(|file| examine(file, STATES));
}

#[test]
fn verdicts_of_the_corpus_are_confirmed() {
    for directory in ["basics", "families", "ids", "memory", "once", "sync", "table1"] {
        let files = files(&format!("programs/{directory}"));
        assert!(!files.is_empty(), "{directory} is empty");
        files.iter().for_each(|file| examine(file, STATES / 4));
    }
}

#[test]
fn the_outcome_does_not_depend_on_the_workers() {
    for name in ["reorder_unsafe", "fib_bench_unsafe", "stateful20_unsafe", "seqlock", "stack"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/programs/bounded/{name}.c"));
        let program = load(&file, &Options::default()).unwrap_or_else(|_| panic!("{name} is lowered")).program;
        let outcome = |workers| {
            let deepening = Deepening { workers, limit: 20_000, ..Deepening::default() };
            let outcome = deepen(&program, &deepening, &|| false, &|_| {});
            (outcome.error().cloned(), outcome.coverage().statement(&program))
        };
        let bounds = Bounds { preemptions: Some(3), states: 50_000, ..Bounds::default() };
        let within = |workers| {
            let outcome = climb(&program, &bounds, &Search::default(), workers, &|| false, &|_| {});
            (outcome.error().cloned(), outcome.coverage().statement(&program))
        };
        let one = (outcome(1), within(1));
        for workers in [2, 3, 8] {
            assert_eq!((outcome(workers), within(workers)), one, "{name} with {workers} workers");
        }
        // The error within bounds is that of the smallest of them.
        let least = (0..3).map(|preemptions| Bounds { preemptions: Some(preemptions), ..bounds.clone() });
        let least = least.map(|bounds| search(&program, &bounds, &Search::default(), &|| false, &|_| {}));
        if let Some(first) = least.into_iter().find_map(|outcome| outcome.error().cloned()) {
            assert_eq!(one.1.0, Some(first), "{name}");
        }
    }
}
