//! Deadlocks: the programs under tests/deadlock, one named test a file.
//!
//! Each file begins with its directives:
//!
//!     // verdict: true|false
//!     // about: what it is about
//!     // limitation: why it may be unknown (only where it may)
//!
//! A test runs the prover. Where it says true, the certificate is checked again; where it says false, the report must say who waits, and
//! the harness, compiled and run, must see that nobody moves and say the same (of some, or of all where `THREADER_CASES` is set).

// What was counted is said at the end.
#![allow(clippy::print_stdout)]

mod support;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::{Arguments, Failed, Trial};
use support::heads::{c_files, head, wrong_heads};
use support::native::{compiler, scratch};

/// Fewer files than this mean that some were lost, or are looked for in the wrong place.
const LEAST_FILES: usize = 143;
/// Seconds for one program, and for one that is said to be too hard.
const TIMEOUT: &str = "90";
const SHORT: &str = "2";

/// Programs whose harnesses are run, one for each way to wait; all of them are where `THREADER_CASES` asks for more.
const RUN: &[&str] = &[
    "any_number-kept",
    "barriers-too_few",
    "c11-opposite_orders",
    "conditions-nested_monitors",
    "conditions-pool",
    "joins-of_each_other",
    "locks-main_leaves_with_it",
    "locks-ring_of_three",
    "once-within_itself",
    "philosophers-naive_10",
    "rwlocks-upgrade",
    "semaphores-rendezvous_wrong",
];

static DECIDED: AtomicUsize = AtomicUsize::new(0);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/deadlock");
    let files = c_files(&root);
    let count = files.len();
    let dir = scratch("deadlock_corpus");
    let mut trials: Vec<Trial> = files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&root).unwrap_or(&file).with_extension("").display().to_string();
            let dir = dir.clone();
            Trial::test(name.clone(), move || Ok(check_file(&file, &dir, &name.replace('/', "-"))?))
        })
        .collect();
    trials.push(Trial::test("no_file_is_lost", move || match count >= LEAST_FILES {
        true => Ok(()),
        false => Err(Failed::from(format!("only {count} files under tests/deadlock, and there were {LEAST_FILES}"))),
    }));
    trials.push(Trial::test("directives", || Ok(wrong_heads()?)));
    let everything = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if everything {
        let decided = DECIDED.load(Ordering::Relaxed);
        println!("{decided} of {count} decided");
        assert!(decided * 10 >= count * 9, "fewer than nine in ten are decided");
    }
    conclusion.exit_code()
}

fn check_file(file: &Path, dir: &Path, name: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let head = head(&text)?;
    let certificate = dir.join(format!("{name}.cert"));
    let cert = certificate.display().to_string();
    let seconds = if head.may_be_unknown { SHORT } else { TIMEOUT };
    let harness = dir.join(format!("{name}-run.c"));
    let run = harness.display().to_string();
    let output = command(&["prove", "--timeout", seconds, "--certificate", &cert, "--harness", &run], file).output();
    let output = output.map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let verdict = printed.lines().find_map(|line| line.strip_prefix("Result: "));
    match (verdict.unwrap_or("nothing"), head.safe) {
        ("true", true) | ("false(no-deadlock)", false) => DECIDED.fetch_add(1, Ordering::Relaxed),
        (unknown, _) if unknown.starts_with("unknown") && head.may_be_unknown => return Ok(()),
        (other, safe) => return Err(format!("{other} instead of {safe}\n{printed}")),
    };
    if !head.safe {
        let told = cycle(&printed);
        if told.is_empty() {
            return Err(format!("nobody is said to wait\n{printed}"));
        }
        if !RUN.contains(&name) && std::env::var_os("THREADER_CASES").is_none() {
            return Ok(());
        }
        let said = said_by(&harness)?;
        let is_seen = said.contains("nobody moves any more") && cycle(&said) == told;
        return if is_seen { Ok(()) } else { Err(format!("the harness says: {said}\n{printed}")) };
    }
    let output = command(&["check"], file).arg(&certificate).output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("the certificate is refused: {}", String::from_utf8_lossy(&output.stdout))),
    }
}

/// The lines that say who waits for whom.
fn cycle(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("deadlock: ") && line.contains(" waits for ")).collect()
}

/// What a harness says, compiled as its first lines tell.
fn said_by(harness: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(harness).map_err(|error| format!("no harness: {error}"))?;
    let stem = harness.with_extension("");
    for line in text.lines().filter(|line| line.trim().starts_with("gcc ")).take(2) {
        let line = line.trim().split(" && ").next().unwrap_or("").replacen("gcc", &compiler(), 1);
        let line = line.replace("HARNESS", &stem.display().to_string());
        let output = Command::new("sh").args(["-c", &line]).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("{line}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    let output = Command::new(&stem).output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn command(arguments: &[&str], file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.args(arguments).args(["--property", "no-deadlock"]).arg(file);
    command
}
