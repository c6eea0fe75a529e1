//! Harnesses of small programs, one for each thing that a scheduler of real threads can lose its trace by: each is compiled as its
//! first lines say, and must run into the failing assertion.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use support::native::{compiler, scratch};

fn source(name: &str) -> String {
    format!("{}/tests/harness/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

/// Exit code and stderr of `threader prove`.
fn prove(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).arg("prove").args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Runs the commands in the first lines of a harness, and gives what it says when it is ended by abort.
fn run(harness: &Path) -> String {
    let text = std::fs::read_to_string(harness).unwrap();
    let named = |line: &str| {
        let line = line.trim().split(" && ").next().unwrap_or("").replacen("gcc", &compiler(), 1);
        let stem = harness.with_extension("").display().to_string();
        line.replace("HARNESS", &stem)
    };
    for line in text.lines().filter(|line| line.trim().starts_with("gcc ")).take(2).map(named) {
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = Command::new(harness.with_extension("")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    assert_eq!(output.status.signal(), Some(SIGABRT), "{}: {said}", harness.display());
    said
}

fn follows(name: &str, options: &[&str]) {
    let harness: PathBuf = scratch(&format!("harness-{name}")).join("run.c");
    let (file, shown) = (source(name), harness.display().to_string());
    let (code, stderr) = prove(&[&[file.as_str(), "--harness", &shown], options].concat());
    assert_eq!(code, Some(10), "{stderr}");
    assert!(harness.is_file(), "{stderr}");
    let said = run(&harness);
    assert!(said.contains("Assertion"), "{name}: {said}");
}

macro_rules! harnesses {
    ($($test:ident: $name:literal $(, $option:expr)*;)*) => {
        $(#[test] fn $test() { follows($name, &[$(&$option),*]); })*
        const NAMES: &[&str] = &[$($name),*];
    };
}

harnesses! {
    functions_are_atomic_by_name: "atomic-function";
    atomic_functions_return_values: "atomic-function-value";
    destructors_of_keys_run_before_the_thread_ends: "key-destructor";
    destructors_of_keys_race: "key-destructor-race";
    a_member_may_be_called_freed: "field-freed";
    globals_may_have_names_of_our_bookkeeping: "global-atomic";
    a_global_may_be_called_atomic_beside_a_section_with_a_loop: "global-atomic-loop";
    macros_begin_atomic_sections: "macro-begin";
    macros_choose_values: "macro-nondet";
    a_stack_variable_is_published: "published-stack";
    two_stack_variables_of_which_one_is_published: "published-stack-two";
    several_statements_and_sections_stand_on_one_line: "one-line";
    several_blocks_are_allocated_on_one_line: "one-line-malloc";
    a_section_creates_a_thread: "atomic-section-creates";
    each_thread_has_blocks_of_one_line: "own-blocks";
    random_numbers_are_the_traces: "random-call";
    members_are_called_as_those_of_system_types: "reserved-field";
    names_may_begin_as_ours_do: "own-names";
    a_thread_has_a_long_loop: "local-loop";
    macros_and_directories_of_the_command_line:
        "defines", "-D", "VALUE=7", "-D", "step=4", "-I", format!("{}/tests/harness/include", env!("CARGO_MANIFEST_DIR"));
}

#[test]
fn every_program_is_tried() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/harness");
    for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|e| e == "c") {
            let name = entry.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(NAMES.contains(&name.as_str()), "{name}");
        }
    }
}

/// A certificate with a case for each round of a long loop is checked in a time like that of its proof, and within limits.
#[test]
fn a_check_obeys_limits() {
    let dir = scratch("check-limits");
    let (file, certificate) = (dir.join("rounds.c").display().to_string(), dir.join("c.cert").display().to_string());
    let text = std::fs::read_to_string(format!("{}/tests/checks/long-loop.c", env!("CARGO_MANIFEST_DIR"))).unwrap();
    std::fs::write(&file, text.replace("5000", "1000").replace("10000", "2000")).unwrap();
    let (code, stderr) = prove(&[&file, "--certificate", &certificate]);
    assert_eq!(code, Some(0), "{stderr}");
    let check = |limits: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
        let output = command.args([&["check", &file, &certificate], limits].concat()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let begun = Instant::now();
    assert_eq!(check(&["--timeout", "60", "--memory", "4000"]), "Result: true\n");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!(check(&["--timeout", "0.001"]), "Result: unknown(timeout)\n");
    assert_eq!(check(&["--memory", "5"]), "Result: unknown(memory)\n");
}

/// Where the single steps of an error take longer than the time that is left, the verdict stands, and no file is written.
#[test]
fn a_harness_obeys_the_limit() {
    let dir = scratch("harness-late");
    let (file, harness) = (dir.join("long.c"), dir.join("run.c"));
    let text = std::fs::read_to_string(source("local-loop")).unwrap().replace("5000", "19000");
    std::fs::write(&file, text).unwrap();
    let begun = Instant::now();
    let arguments = [&file.display().to_string(), "--timeout", "1", "--harness", &harness.display().to_string()];
    let (code, stderr) = prove(&arguments.map(|argument| argument as &str));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}: {stderr}", begun.elapsed());
    // On a fast machine there may be a harness after all.
    assert!(
        code == Some(5) || (code == Some(10) && (harness.is_file() || stderr.contains("no harness was written"))),
        "{stderr}"
    );
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1 + usize::from(harness.is_file()), "nothing else is left");
}
