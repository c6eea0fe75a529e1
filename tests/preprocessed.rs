//! The same Program from a file and from what `gcc -E` with the system's own headers makes of it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use frontend::Options;
use support::lowered::lower;
use support::native::{compiler, scratch};

const FILES: [&str; 8] = [
    "basics/lost-update-mutex.c",
    "basics/instances-in-loop.c",
    "basics/join-result.c",
    "basics/semaphore.c",
    "basics/test-and-set.c",
    "basics/trylock.c",
    "table1/dekker.c",
    "table1/peterson.c",
];

/// The printed Program without what depends on the libc: places in the text.
fn printed(path: &Path) -> String {
    let loaded = lower(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let text = loaded.program.to_string();
    text.lines().map(|line| line.split("  // ").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn system_headers_give_the_same_program() {
    let dir = scratch("preprocessed");
    let programs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for name in FILES {
        let source = programs.join(name);
        let target = dir.join(name.replace('/', "_")).with_extension("i");
        let output = Command::new(compiler()).arg("-E").arg(&source).arg("-o").arg(&target).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(printed(&source), printed(&target), "{name}");
    }
}
