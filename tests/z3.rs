//! The Z3 in use is the pinned one, and programs find it on their own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
#[cfg_attr(system_z3, ignore = "built with Z3=system")]
fn library_in_use_is_the_pinned_one() {
    assert_eq!(smt::Z3_ORIGIN, smt::Z3Origin::Pinned);
    let version = smt::z3_version();
    assert!(smt::is_pinned(&version), "linked Z3 {version}, pinned {}", smt::PINNED_Z3);
}

/// Tells the next test where libz3 must come from.
const EXPECTED: &str = "THREADER_TEST_LIBZ3";

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(system_z3, ignore = "built with Z3=system")]
fn one_library_is_loaded_and_from_where_expected() {
    assert!(!smt::z3_version().is_empty());
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let files = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let is_z3 = |path: &&Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libz3."));
    let loaded: Vec<&Path> = files.filter(is_z3).collect::<BTreeSet<_>>().into_iter().collect();
    assert_eq!(loaded.len(), 1, "{loaded:?}");
    if let Some(expected) = std::env::var_os(EXPECTED) {
        assert_eq!(loaded[0], Path::new(&expected).canonicalize().unwrap());
    }
}

/// This test program, copied elsewhere with the library beside it and run with no environment variable that could lead the
/// loader, loads that library.
#[test]
#[cfg_attr(system_z3, ignore = "built with Z3=system")]
fn a_moved_program_finds_the_library_beside_it() {
    let program = std::env::current_exe().unwrap();
    let library = library_beside(&program);
    let elsewhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("moved-{}", std::process::id()));
    std::fs::create_dir_all(&elsewhere).unwrap();
    let (moved, moved_library) = (elsewhere.join("program"), elsewhere.join(library.file_name().unwrap()));
    std::fs::copy(&program, &moved).unwrap();
    std::fs::copy(&library, &moved_library).unwrap();

    let mut command = Command::new(&moved);
    command.args(["--exact", "library_in_use_is_the_pinned_one", "one_library_is_loaded_and_from_where_expected"]);
    command.current_dir("/").env_clear().env(EXPECTED, &moved_library);
    let output = command.output().unwrap();
    std::fs::remove_dir_all(&elsewhere).unwrap();

    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains(" 0 passed"), "{said}");
}

/// The copy of libz3 in the profile's directory, one above the test programs.
fn library_beside(program: &Path) -> PathBuf {
    let profile = program.parent().and_then(Path::parent).unwrap();
    std::fs::read_dir(profile)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libz3.")))
        .unwrap_or_else(|| panic!("no libz3 in {}", profile.display()))
}
