//! Data races: the programs under tests/races, one named test a file, and ThreadSanitizer as a second opinion.
//!
//! Each file begins with its directives:
//!
//!     // verdict: true|false
//!     // about: what it is about
//!     // limitation: why it may be unknown (only where it may)
//!
//! A test runs the prover. Where it says true, the certificate is checked again, and the program is compiled and run under
//! ThreadSanitizer, which must not report a race. What that reports of racy programs is only counted: the schedule of a run may be one
//! that does not show it.

// What was counted is said at the end.
#![allow(clippy::print_stdout)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use support::heads::{c_files, head, wrong_heads};
use support::native::{compiler, scratch};

/// Fewer files than this mean that some were lost, or are looked for in the wrong place.
const LEAST_FILES: usize = 291;
/// Seconds for one program, and for one that is said to be too hard.
const TIMEOUT: &str = "20";
const SHORT: &str = "2";
/// What a run under ThreadSanitizer may take: programs that spin for ever are ended.
const RUN: Duration = Duration::from_secs(2);

/// What the functions of the verifier mean in a run: sections exclude one another, and a run that is assumed away is over.
const VERIFIER: &str = "
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
int __VERIFIER_nondet_int(void) {
    static _Thread_local unsigned calls;
    return calls++ % 4 != 3;
}
";

/// How many there were of each.
static DECIDED: AtomicUsize = AtomicUsize::new(0);
static RUN_RACY: AtomicUsize = AtomicUsize::new(0);
static REPORTED: AtomicUsize = AtomicUsize::new(0);
static RUN_SAFE: AtomicUsize = AtomicUsize::new(0);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/races");
    let files = c_files(&root);
    let count = files.len();
    let dir = scratch("race_corpus");
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
        false => Err(Failed::from(format!("only {count} files under tests/races, and there were {LEAST_FILES}"))),
    }));
    trials.push(Trial::test("directives", || Ok(wrong_heads()?)));
    let everything = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if everything {
        let get = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        println!("{} of {count} decided", get(&DECIDED));
        match sanitizer(&dir) {
            Some(_) => println!(
                "ThreadSanitizer: a race reported in one run of {} of {} racy programs, in none of {} others",
                get(&REPORTED),
                get(&RUN_RACY),
                get(&RUN_SAFE)
            ),
            None => println!("ThreadSanitizer: skipped, the compiler or its library is not here"),
        }
        assert!(get(&DECIDED) * 10 >= count * 9, "fewer than nine in ten are decided");
    }
    conclusion.exit_code()
}

fn check_file(file: &Path, dir: &Path, name: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let head = head(&text)?;
    let certificate = dir.join(format!("{name}.cert"));
    let cert = certificate.display().to_string();
    let seconds = if head.may_be_unknown { SHORT } else { TIMEOUT };
    let (proved, printed) = threader(file, &["prove", "--timeout", seconds, "--certificate", &cert])?;
    match (proved.as_str(), head.safe) {
        ("true", true) | ("false(no-data-race)", false) => DECIDED.fetch_add(1, Ordering::Relaxed),
        (unknown, _) if unknown.starts_with("unknown") && head.may_be_unknown => return Ok(()),
        (other, safe) => return Err(format!("{other} instead of {safe}\n{printed}")),
    };
    if head.safe {
        let output = command(&["check"], file).arg(&certificate).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("the certificate is refused: {}", String::from_utf8_lossy(&output.stdout)));
        }
    }
    second_opinion(file, &text, dir, name, head.safe)
}

fn command(arguments: &[&str], file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.args(arguments).args(["--property", "no-data-race"]).arg(file);
    command
}

/// The verdict, and all that was printed.
fn threader(file: &Path, arguments: &[&str]) -> Result<(String, String), String> {
    let output = command(arguments, file).output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = printed.lines().find_map(|line| line.strip_prefix("Result: ")).map(str::to_string);
    let verdict = verdict.ok_or_else(|| format!("no result: {}", String::from_utf8_lossy(&output.stderr)))?;
    Ok((verdict, printed))
}

/// Whether a program means the same when it is compiled: functions that are atomic by their names are not, and ThreadSanitizer does
/// not know C11's threads.
fn is_native(text: &str) -> bool {
    let mut sections = text.match_indices("__VERIFIER_atomic_").map(|(at, word)| &text[at + word.len()..]);
    sections.all(|rest| rest.starts_with("begin(") || rest.starts_with("end(")) && !text.contains("<threads.h>")
}

fn second_opinion(file: &Path, text: &str, dir: &Path, name: &str, safe: bool) -> Result<(), String> {
    let Some(verifier) = sanitizer(dir).filter(|_| is_native(text)) else { return Ok(()) };
    let binary = dir.join(format!("{name}.exe"));
    sanitized(&[file, verifier], &binary).ok_or("it does not compile with ThreadSanitizer")?;
    let report = run(&binary, &dir.join(format!("{name}.log")));
    let _ = std::fs::remove_file(&binary);
    let reported = report.contains("WARNING: ThreadSanitizer: data race");
    match (safe, reported) {
        (true, true) => return Err(format!("proved, but ThreadSanitizer reports a race:\n{report}")),
        (true, false) => RUN_SAFE.fetch_add(1, Ordering::Relaxed),
        (false, _) => {
            REPORTED.fetch_add(usize::from(reported), Ordering::Relaxed);
            RUN_RACY.fetch_add(1, Ordering::Relaxed)
        }
    };
    Ok(())
}

/// The compiled functions of the verifier, if there is a ThreadSanitizer and its programs run here.
fn sanitizer(dir: &Path) -> Option<&'static Path> {
    static OBJECT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = OBJECT.get_or_init(|| {
        let source = dir.join("verifier.c");
        let empty = dir.join("empty.c");
        std::fs::write(&source, VERIFIER).ok()?;
        std::fs::write(&empty, "#include <stdio.h>\nint main(void) { return fputs(\"it runs\", stderr) < 0; }\n")
            .ok()?;
        let object = dir.join("verifier.o");
        let compiled = Command::new(compiler()).args(["-w", "-c", "-o"]).arg(&object).arg(&source).output().ok()?;
        let binary = dir.join("empty.exe");
        sanitized(&[&empty], &binary)?;
        (compiled.status.success() && run(&binary, &dir.join("empty.log")) == "it runs").then_some(object)
    });
    found.as_deref()
}

fn sanitized(sources: &[&Path], binary: &Path) -> Option<()> {
    let options = ["-std=gnu11", "-w", "-g1", "-fsanitize=thread", "-pthread", "-o"];
    let output = Command::new(compiler()).args(options).arg(binary).args(sources).output().ok()?;
    output.status.success().then_some(())
}

/// What a program says on its standard error until it ends or is ended.
fn run(binary: &Path, log: &Path) -> String {
    let file = std::fs::File::create(log).expect("the directory is writable");
    let mut child = Command::new(binary)
        .env("TSAN_OPTIONS", "report_thread_leaks=0:report_destroy_locked=0:report_mutex_bugs=0:atexit_sleep_ms=0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .expect("the executable starts");
    let start = Instant::now();
    while child.try_wait().expect("a child can be waited for").is_none() {
        if start.elapsed() > RUN {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::read_to_string(log).unwrap_or_default()
}
