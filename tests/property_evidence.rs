//! Evidence of the corpus's violated properties. A violation witness leads our own reader to the error. A harness is compiled as its first lines say, and run. One of undefined behaviour ends by a
//! sanitizer's report, where gcc's sanitizers know the kind, else by what the harness itself says; one of a race by a report of
//! ThreadSanitizer about the two places.
//!
//! Every tenth program is tried; all of them with THREADER_CASES (`make soak`).

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::native::{compiler, scratch};
use support::schema;

/// Programs whose harness no sanitizer reports today, or not in each run, and why.
const UNREPORTED: &[(&str, &str)] = &[
    ("properties/deref_exited_main", "a thread's end by pthread_exit does not end the blocks of its locals there"),
    ("properties/deref_goto_out", "the address of the block's local is known only after its declaration"),
    ("properties/deref_local_of_gone_function", "the local ends after the access was let go"),
    ("properties/deref_memcpy_far", OVERRUN),
    ("properties/deref_one_past", OVERRUN),
    ("properties/deref_text_without_end", OVERRUN),
    (
        "properties/track_sometimes",
        "a stale copy of the pointer may be left on the stack, where LeakSanitizer finds it",
    ),
    (
        "properties/track_slot",
        "the harness does not follow the trace: steps on locals that lead to blocks are none of the harness's",
    ),
    ("races/atomics/expected_racy", "the expected value is read inside the atomic operation"),
    ("races/atomics/init_racy", "atomic_init is an ordinary store of no name"),
    ("races/conditions/destroyed_racy", SYNCHRONISATION),
    ("races/conditions/timedwait_racy", LIBRARY),
    ("races/fields/passed_racy", "a struct is copied to a parameter without a call of ThreadSanitizer's"),
    ("races/globals/comma_racy", "the compiler drops the read"),
    ("races/globals/discarded_racy", "the compiler drops the read"),
    ("races/globals/thread_local_racy", "a thread-local variable has no address at the end of the file"),
    ("races/heap/free_racy", "what is freed has no name in the trace"),
    ("races/heap/thread_frees_racy", "the compiler drops the read"),
    ("races/library/clock_racy", LIBRARY),
    ("races/library/printf_text_racy", LIBRARY),
    ("races/library/puts_racy", LIBRARY),
    ("races/library/sleep_racy", LIBRARY),
    ("races/library/snprintf_racy", LIBRARY),
    ("races/locals/handle_racy", "the handle is stored by the harness's own code"),
    ("races/locals/join_result_racy", LIBRARY),
    ("races/locks/copied_racy", SYNCHRONISATION),
    ("races/locks/destroyed_racy", "ThreadSanitizer calls it the use of an invalid mutex"),
    ("races/locks/destroyed_twice_racy", SYNCHRONISATION),
    ("races/locks/timedlock_time_racy", LIBRARY),
    ("races/once/initialised_racy", "in some runs the routine's access has ordered the two"),
    ("races/semaphores/destroyed_racy", SYNCHRONISATION),
    ("races/threads/attributes_racy", LIBRARY),
];
const OVERRUN: &str = "what lies behind a variable is another one: the variables of a harness have no red zones";
const LIBRARY: &str = "what a library function touches is no access that the compiler announces";
const SYNCHRONISATION: &str = "ThreadSanitizer takes this use of a synchronisation object for none of memory";

/// Programs that have no harness today, and why.
const NONE: &[(&str, &str)] = &[
    ("properties/deref_float_index", "it needs a value that C leaves open"),
    ("races/barriers/phases_racy", "an access in an atomic section that depends on a choice in it"),
    ("races/barriers/serial_racy", "an access in an atomic section that depends on a choice in it"),
    ("races/designs/reader_count_racy", "it defines a function of unistd.h"),
];

/// Programs whose witness cannot be followed, and why.
const UNFOLLOWED: &[(&str, &str)] =
    &[("properties/deref_float_index", "it rests on the value of a comparison of floating-point numbers")];

/// The unsafe programs below a directory of tests, with their properties.
fn unsafe_programs(directory: &str) -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let mut open = vec![root.clone()];
    let mut all = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
                continue;
            }
            let text = std::fs::read_to_string(&entry).unwrap();
            let property = text.lines().find_map(|line| line.strip_prefix("// property: ")).unwrap_or("no-data-race");
            if text.contains("// verdict: false\n") && !text.contains("// limitation: ") {
                let name = entry.strip_prefix(root.parent().unwrap()).unwrap().with_extension("");
                all.push((name.display().to_string(), entry, property.to_string()));
            }
        }
    }
    all.sort();
    all
}

/// What came of a program's harness.
enum Ended {
    /// Its witness leads nowhere.
    Lost(String),
    /// None was made, or it does not compile.
    None(String),
    /// It ran, and this was said by it and by the prover.
    Said { said: String, proved: String },
}

fn run(name: &str, file: &Path, property: &str, directory: &Path) -> Ended {
    let stem = directory.join(name.replace('/', "-"));
    let harness = stem.with_extension("c");
    let witness = stem.with_extension("yml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.arg("prove").arg(file).args(["--property", property, "--first", "--timeout", "60"]);
    command.arg("--harness").arg(&harness).arg("--witness").arg(&witness);
    let output = command.output().unwrap();
    let proved = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{name}: {proved}");
    if let Ok(text) = std::fs::read_to_string(&witness) {
        let fits = schema::witness(&text).and_then(|value| schema::check_witness(&value));
        if let Err(why) = fits {
            return Ended::Lost(format!("it does not fit the schema: {why}"));
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
        let output = command.arg("check").arg(file).arg(&witness).args(["--property", property]).output().unwrap();
        let result = String::from_utf8_lossy(&output.stdout).into_owned();
        if result != format!("Result: false({property})\n") {
            return Ended::Lost(result + &String::from_utf8_lossy(&output.stderr));
        }
    } else if !NONE.iter().any(|(known, _)| *known == name) {
        return Ended::Lost(format!("there is no witness: {proved}"));
    }
    let Ok(text) = std::fs::read_to_string(&harness) else { return Ended::None(proved) };
    for line in text.lines().filter(|line| line.trim().starts_with("gcc ")).take(2) {
        let line = line.trim().split(" && ").next().unwrap_or("").replacen("gcc", &compiler(), 1);
        let output = Command::new("sh").args(["-c", &line.replace("HARNESS", &stem.display().to_string())]).output();
        let output = output.unwrap();
        if !output.status.success() {
            return Ended::None(String::from_utf8_lossy(&output.stderr).into_owned());
        }
    }
    let log = stem.with_extension("log");
    let file = std::fs::File::create(&log).unwrap();
    let mut child = Command::new(&stem).stdin(Stdio::null()).stdout(Stdio::null()).stderr(file).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            let _ = child.wait();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = String::from_utf8_lossy(&std::fs::read(&log).unwrap()).into_owned();
    Ended::Said { said, proved }
}

/// Whether somebody reports what the property forbids, where it is.
fn is_reported(property: &str, said: &str, proved: &str) -> bool {
    match property {
        "no-data-race" => {
            let places = proved.lines().find(|line| line.contains(": data race: ")).unwrap_or("");
            let one = places.split(": data race: ").next().unwrap_or("?");
            let two = places.rsplit(" at ").next().unwrap_or("?");
            // The report is about the two lines; what functions of the harness touch for the text is reported in them.
            let in_harness = said.lines().any(|line| line.contains("#1 threader_") && !line.contains("threader_run"));
            let is_about = |place: &&str| in_harness || said.contains(&format!("{place} "));
            said.contains("WARNING: ThreadSanitizer: data race") && [one, two].iter().all(is_about)
        }
        "valid-deref" | "valid-free" => {
            said.contains("ERROR: AddressSanitizer")
                || said.contains("runtime error: ")
                || said.contains("a local is accessed whose block has ended")
        }
        "valid-memtrack" => said.contains("ERROR: LeakSanitizer"),
        "valid-memcleanup" => said.contains("is left, allocated in line"),
        "no-overflow" | "no-division-by-zero" | "no-bad-shift" => said.contains("runtime error: "),
        _ => said.contains("the trace ends here: "),
    }
}

/// What is wrong with the programs of a directory, every `stride`-th of them.
fn wrong(directory: &str, least: usize) -> Vec<String> {
    let stride = if std::env::var_os("THREADER_CASES").is_some() { 1 } else { 10 };
    let programs = unsafe_programs(directory);
    assert!(programs.len() >= least, "only {} programs under {directory}", programs.len());
    let scratch = scratch(&format!("harness-corpus-{}", directory.replace('/', "-")));
    let mut wrong = Vec::new();
    for (name, file, property) in programs.iter().step_by(stride) {
        let listed = |list: &[(&str, &str)]| list.iter().any(|(known, _)| known == name);
        match run(name, file, property, &scratch) {
            Ended::Lost(_) if listed(UNFOLLOWED) => {}
            Ended::Lost(why) => wrong.push(format!("{name}: witness: {why}")),
            Ended::None(why) if !listed(NONE) => wrong.push(format!("{name}: no harness: {why}")),
            Ended::None(_) => {}
            Ended::Said { .. } if listed(NONE) => {
                wrong.push(format!("{name}: has a harness now: take it off the list"))
            }
            Ended::Said { said, proved } if !is_reported(property, &said, &proved) && !listed(UNREPORTED) => {
                wrong.push(format!("{name}: not reported: {said}"));
            }
            Ended::Said { .. } => {}
        }
    }
    wrong
}

#[test]
fn undefined_behaviour_is_reported() {
    let wrong = wrong("programs/properties", 50);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn races_are_reported() {
    let wrong = wrong("races", 100);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
