//! Threads of any number, from C text to evidence: the programs under tests/parametric, one named test a file and rule.
//!
//! Each file begins with its directives:
//!
//!     // verdict: true
//!     // needs: level 2, counters        (the least that proves it)
//!     // rules: owicki-gries             (if not both rules prove it within seconds)
//!
//! or
//!
//!     // verdict: false
//!     // instances: 2                    (the first number with which there is an error)
//!
//! Proofs are written, read back and checked by `threader check`, and their obligations by cvc5. The verdicts are held against an
//! exhaustive search with few instances.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use frontend::{Options, Population};
use libtest_mimic::{Arguments, Failed, Trial};
use program::{Value, Var, VarId};
use support::cvc5::answers;
use support::explore::{Domains, find_error};

/// Fewer files than this mean that some were lost.
const LEAST_FILES: usize = 55;
/// States after which a search gives up, and the most instances it is tried with.
const STATES: usize = 20_000;
const INSTANCES: usize = 3;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parametric");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory)
        .expect("the directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let count = files.len();
    let mut trials = vec![Trial::test("no_file_is_lost", move || {
        if count >= LEAST_FILES { Ok(()) } else { Err(format!("only {count} files").into()) }
    })];
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let explored = file.clone();
        trials.push(Trial::test(format!("{name}/explored"), move || Ok(explore(&explored)?)));
        let named = directives(&file).ok().and_then(|all| all.get("rules").cloned());
        for rule in ["owicki-gries", "rely-guarantee"] {
            if named.as_ref().is_some_and(|named| named != rule) {
                continue;
            }
            let file = file.clone();
            trials.push(Trial::test(format!("{name}/{rule}"), move || prove(&file, rule)));
        }
        trials.push(Trial::test(format!("{name}/monolithic"), move || refuse(&file)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn directives(file: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let head = text.lines().map_while(|line| line.strip_prefix("// "));
    let read = |line: &str| line.split_once(": ").map(|(key, value)| (key.to_string(), value.to_string()));
    head.map(|line| read(line).ok_or_else(|| format!("no directive: `{line}`"))).collect()
}

/// What a run of the program prints: stdout, and stderr.
fn threader(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().expect("it runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn prove(file: &Path, rule: &str) -> Result<(), Failed> {
    let directives = directives(file)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parametric-{stem}-{rule}"));
    std::fs::create_dir_all(&scratch)?;
    let certificate = scratch.join("certificate").display().to_string();
    let text = file.display().to_string();
    let (stdout, stderr) =
        threader(&["prove", &text, "--rule", rule, "--certificate", &certificate, "--memory", "4000"]);
    match directives["verdict"].as_str() {
        "true" => {
            let needs = match directives["needs"].split_once(", ") {
                Some((level, _)) => format!("at {level}, with counters\n"),
                None => format!("at {}\n", directives["needs"]),
            };
            if !stdout.ends_with("Result: true\n") || !stderr.contains(&needs) {
                return Err(format!("{stdout}{stderr}").into());
            }
            let export = scratch.join("obligations").display().to_string();
            let _ = std::fs::remove_dir_all(&export);
            let (stdout, stderr) = threader(&["check", &text, &certificate, "--export", &export]);
            if !stdout.ends_with("Result: true\n") {
                return Err(format!("{stdout}{stderr}").into());
            }
            second_opinion(&format!("parametric-{stem}-{rule}"), Path::new(&export))
        }
        _ => {
            let found = format!("an error with {} of the threads", directives["instances"]);
            if !stdout.ends_with("Result: false(unreach-call)\n") || !stderr.contains(&found) {
                return Err(format!("{stdout}{stderr}").into());
            }
            Ok(())
        }
    }
}

/// What cvc5 says of exported obligations.
fn second_opinion(name: &str, directory: &Path) -> Result<(), Failed> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory)?.map(|e| Ok(e?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let scripts: Vec<String> = files.iter().map(std::fs::read_to_string).collect::<std::io::Result<_>>()?;
    let answers = answers(name, &[scripts])?.remove(0);
    match answers.iter().position(|answer| answer != "unsat") {
        None => Ok(()),
        Some(index) => Err(format!("cvc5 says {} to {}", answers[index], files[index].display()).into()),
    }
}

/// The monolithic rule has no assertions about any number of threads, and says so.
fn refuse(file: &Path) -> Result<(), Failed> {
    let (stdout, _) = threader(&["prove", &file.display().to_string(), "--rule", "monolithic"]);
    let expected = "Result: unknown(unsupported: monolithic proofs about any number of threads)\n";
    if stdout == expected { Ok(()) } else { Err(stdout.into()) }
}

/// Holds the verdict against a search with 1, 2, .. instances.
fn explore(file: &Path) -> Result<(), String> {
    let directives = directives(file)?;
    let first = directives.get("instances").map(|n| n.parse::<usize>().map_err(|e| e.to_string())).transpose()?;
    let few = |_: VarId, var: &Var| [0, 1].into_iter().filter(|v| var.ty.contains(*v)).map(Value::Int).collect();
    let zero = |_: VarId, var: &Var| vec![check::blank(var.sort)];
    for instances in 1..=first.unwrap_or(INSTANCES) {
        let options = Options { population: Population::Bounded(instances), ..Options::default() };
        let loaded = frontend::load(file, &options).map_err(|error| error.failure.to_string())?;
        let (failure, _) = find_error(&loaded.program, &Domains { input: &few, start: &zero }, STATES)?;
        if failure.is_some() != (first == Some(instances)) {
            return Err(format!("with {instances}: {}", if failure.is_some() { "an error" } else { "no error" }));
        }
    }
    Ok(())
}
