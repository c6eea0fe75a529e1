//! `threader compare` through the binary: what it writes, what it survives, and its page in a browser.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use support::browser::{chromium, document};
use support::native::scratch;
use support::rng::Rng;

const SAFE: &str = "#include <assert.h>\n#include <pthread.h>\n\
    int x; pthread_mutex_t m;\n\
    void *f(void *p) { pthread_mutex_lock(&m); x = 0; x = 1; assert(x == 1); pthread_mutex_unlock(&m); return 0; }\n\
    int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0; }\n";
const UNSAFE: &str = "#include <assert.h>\n#include <pthread.h>\n\
    int x;\n\
    void *f(void *p) { x = 0; x = 1; assert(x == 1); return 0; }\n\
    int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0; }\n";
const SINGLE: &str = "#include <assert.h>\nint main() { int x = 1; assert(x == 1); return 0; }\n";
const TWICE: &str = "#include <assert.h>\nint main() { int x = 1; x = x + x; assert(x == 2); return 0; }\n";
const RECURSIVE: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n\
    int f(int n) { return n ? f(n - 1) : 0; }\n\
    int main() { assert(f(__VERIFIER_nondet_int()) == 0); return 0; }\n";

/// N threads under a mutex; main looks without it.
const FAMILY: &str = "#include <assert.h>\n#include <pthread.h>\n\
    #ifndef N\n#define N 1\n#endif\n\
    int x; pthread_mutex_t m;\n\
    void *f(void *p) { pthread_mutex_lock(&m); x = 1; assert(x == 1); pthread_mutex_unlock(&m); return 0; }\n\
    int main() { pthread_t t[N]; for (int i = 0; i < N; i++) pthread_create(&t[i], 0, f, 0); assert(x >= 0); return 0; }\n";

fn threader() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.env_remove("THREADER_LOG").stdin(Stdio::null());
    command
}

fn compare(arguments: &[&str]) -> Output {
    threader().arg("compare").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A directory with these programs.
fn programs(name: &str, all: &[(&str, &str)]) -> PathBuf {
    let dir = scratch(name);
    std::fs::create_dir_all(dir.join("programs")).unwrap();
    for (file, contents) in all {
        std::fs::write(dir.join("programs").join(file), contents).unwrap();
    }
    dir
}

const SMALL: [(&str, &str); 3] = [("safe.c", SAFE), ("single.c", SINGLE), ("unsafe.c", UNSAFE)];

fn rows(out: &Path) -> Vec<Json> {
    let text = std::fs::read_to_string(out.join("results.json")).unwrap();
    serde_json::from_str::<Json>(&text).unwrap()["rows"].as_array().unwrap().clone()
}

/// Verdict and counters that do not depend on time, by program, rule and repetition.
fn timeless(out: &Path) -> BTreeMap<String, String> {
    let row = |row: &Json| {
        let program = Path::new(row["program"].as_str().unwrap()).file_name().unwrap().to_string_lossy().into_owned();
        let key = format!("{program} {} {} {}", row["rule"], row["solver"], row["repeat"]);
        let counters = ["refinements", "predicates", "states"].map(|name| row["statistics"][name].to_string());
        (key, format!("{} {counters:?} {}", row["verdict"], row["page"].is_string()))
    };
    rows(out).iter().map(row).collect()
}

fn verdicts(out: &Path, program: &str) -> Vec<String> {
    let of = |row: &&Json| row["program"].as_str().unwrap().ends_with(program);
    rows(out).iter().filter(of).map(|row| row["verdict"].as_str().unwrap().to_string()).collect()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn every_program_under_every_rule_is_a_row() {
    let dir = programs(
        "compare-rows",
        &[("safe.c", SAFE), ("unsafe.c", UNSAFE), ("recursive.c", RECURSIVE), ("not.c", "int main( {")],
    );
    let out = dir.join("out");
    let output = compare(&[&shown(&dir.join("programs")), "--out", &shown(&out), "--timeout", "60", "--repeat", "2"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert_eq!(rows(&out).len(), 4 * 3 * 2);
    assert_eq!(verdicts(&out, "/safe.c"), ["true"; 6]);
    assert_eq!(verdicts(&out, "unsafe.c"), ["false(unreach-call)"; 6]);
    assert_eq!(verdicts(&out, "recursive.c"), ["unknown(unsupported: recursion of `f`)"; 6]);
    assert_eq!(verdicts(&out, "not.c"), ["error(malformed)"; 6]);
    for row in rows(&out) {
        assert!(row["cpu_seconds"].as_f64().unwrap() > 0.0 && row["megabytes"].as_u64().unwrap() > 0, "{row}");
        let decided = ["true", "false(unreach-call)"].contains(&row["verdict"].as_str().unwrap());
        assert_eq!(decided, row["statistics"]["refinements"].is_u64(), "{row}");
        if decided {
            assert!(out.join(row["page"].as_str().unwrap()).is_file(), "{row}");
        } else {
            assert!(row["message"].is_string(), "{row}");
        }
    }
    let table = text(&output.stdout);
    for word in
        ["program", "monolithic", "owicki-gries", "rely-guarantee", "safe ", "recursive", "unsupported", "malformed"]
    {
        assert!(table.contains(word), "{word}: {table}");
    }
    let csv = std::fs::read_to_string(out.join("results.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 4 * 3 * 2);
    let head = csv.lines().next().unwrap();
    for column in ["entailment_queries", "cpu_seconds", "machine_cpu", "machine_cores", "z3"] {
        assert!(head.contains(column), "{column}: {csv}");
    }
    let study: Json = serde_json::from_str(&std::fs::read_to_string(out.join("results.json")).unwrap()).unwrap();
    let machine = &study["study"]["machine"];
    assert!(machine["cpu"].is_string() && machine["cores"].as_u64() > Some(0) && machine["system"].is_string());
    let tex = std::fs::read_to_string(out.join("table.tex")).unwrap();
    assert!(tex.contains("\\begin{tabular}{lrrr}") && tex.contains("$^{\\times}$"), "{tex}");
}

#[test]
fn solvers_are_compared_as_well() {
    let dir = programs("compare-solvers", &[("single.c", SINGLE)]);
    let out = dir.join("out");
    let program = shown(&dir.join("programs/single.c"));
    let output =
        compare(&[&program, "--rules", "owicki-gries", "--solvers", "cegar,spacer,cegar", "--out", &shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(rows(&out).len(), 2);
    assert!(text(&output.stdout).contains("owicki-gries (spacer)"), "{output:?}");
}

#[test]
fn spacer_stands_beside_our_loop_with_the_better_vocabulary() {
    let dir = programs("compare-baseline", &[("single.c", SINGLE), ("twice.c", TWICE), ("unsafe.c", UNSAFE)]);
    let out = dir.join("out");
    let run = |more: &[&str]| {
        let mut command = threader();
        command.arg("compare").arg(dir.join("programs")).arg("--out").arg(&out).args(["--rules", "owicki-gries"]);
        command.args(["--solvers", "cegar,spacer", "--vocabularies", "modular,full", "--details"]).args(more);
        command.output().unwrap()
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let key = |row: &Json| {
        let program = Path::new(row["program"].as_str().unwrap()).file_stem().unwrap().to_string_lossy().into_owned();
        format!("{program} {} {}", row["solver"].as_str().unwrap(), row["vocabulary"].as_str().unwrap_or("-"))
    };
    // Of Spacer only a proof counts, which a wrong program has not: it is not run there.
    let ran: Vec<String> = rows(&out).iter().map(key).collect();
    let both = ["cegar -", "spacer modular", "spacer full"];
    let mut expected: Vec<String> = ["single", "twice"].iter().flat_map(|p| both.map(|s| format!("{p} {s}"))).collect();
    expected.push("unsafe cegar -".into());
    assert_eq!(ran, expected);
    let table = text(&output.stdout);
    let head = table.lines().next().unwrap();
    for column in ["seconds", "cpu", "MB", "refinements", "predicates", "states", "entailments", "without Z3", "ratio"]
    {
        assert!(head.contains(column), "{column}: {table}");
    }
    assert!(table.contains("owicki-gries (geometric mean)"), "{table}");
    let study: Json = serde_json::from_str(&std::fs::read_to_string(out.join("results.json")).unwrap()).unwrap();
    let versus = &study["against_spacer"][0];
    let seconds = |solver: &str, vocabulary: Option<&str>| {
        let is_it = |row: &&Json| {
            key(row).starts_with("single") && row["solver"] == solver && row["vocabulary"].as_str() == vocabulary
        };
        rows(&out).iter().find(is_it).unwrap()["seconds"].as_f64().unwrap()
    };
    let better = seconds("spacer", Some("modular")).min(seconds("spacer", Some("full")));
    let ratio = versus["pairs"][0]["ratio"].as_f64().unwrap();
    assert!((ratio - better / seconds("cegar", None)).abs() < 1e-9, "{versus}");
    let ratios = versus["pairs"].as_array().unwrap();
    let ratios: Vec<f64> = ratios.iter().map(|pair| pair["ratio"].as_f64().unwrap()).collect();
    assert_eq!(ratios.len(), 2, "{versus}");
    let mean = versus["mean"].as_f64().unwrap();
    assert!((mean - (ratios[0] * ratios[1]).sqrt()).abs() < 1e-9, "{versus}");
    // What was not run is not asked for again.
    let before = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    assert_eq!(run(&["--resume"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(out.join("results.jsonl")).unwrap(), before);
}

/// Any number of threads; assertions about one at a time do not suffice.
const UNBOUNDED: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    atomic_flag busy = ATOMIC_FLAG_INIT; int x;\n\
    void *f(void *p) { while (atomic_flag_test_and_set(&busy)); x = 1; x = 2; assert(x == 2); atomic_flag_clear(&busy); return 0; }\n\
    int main() { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }\n";

#[test]
fn levels_stand_beside_one_another() {
    let dir = programs("compare-levels", &[("any.c", UNBOUNDED), ("single.c", SINGLE)]);
    let out = dir.join("out");
    let run = |more: &[&str]| {
        let mut command = threader();
        command.arg("compare").arg(dir.join("programs")).arg("--out").arg(&out).args(["--rules", "owicki-gries"]);
        command.args(["--levels", "1,2", "--details", "--timeout", "8"]).args(more).output().unwrap()
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let key = |row: &Json| {
        let program = Path::new(row["program"].as_str().unwrap()).file_stem().unwrap().to_string_lossy().into_owned();
        format!("{program} {} {}", row["level"], row["verdict"] == "true")
    };
    let ran: Vec<String> = rows(&out).iter().map(key).collect();
    assert_eq!(ran, ["any 1 false", "any 2 true", "single null true"]);
    let table = text(&output.stdout);
    assert!(table.contains("\nlevel against level: seconds, and abstract states\n"), "{table}");
    // How wide the columns are depends on the reason for which level 1 gives up.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let header = "program owicki-gries level 1 states owicki-gries level 2 states";
    assert!(table.lines().any(|line| words(line) == header), "{table}");
    let csv = std::fs::read_to_string(out.join("results.csv")).unwrap();
    assert!(csv.starts_with("program,parameter,value,rule,solver,vocabulary,level,repeat,verdict,"), "{csv}");
    let study: Json = serde_json::from_str(&std::fs::read_to_string(out.join("results.json")).unwrap()).unwrap();
    let names: Vec<&str> =
        study["configurations"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["owicki-gries", "owicki-gries level 1", "owicki-gries level 2"]);
    let before = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    assert_eq!(run(&["--resume"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(out.join("results.jsonl")).unwrap(), before);
}

#[test]
fn families_scale_by_a_macro() {
    let dir = programs("compare-family", &[("lock.c", FAMILY), ("single.c", SINGLE)]);
    let members = |out: &Path| -> Vec<String> {
        let member =
            |row: &Json| format!("{}={} {}", row["parameter"].as_str().unwrap_or("-"), row["value"], row["verdict"]);
        rows(out).iter().map(member).collect()
    };
    let (program, asked) = (shown(&dir.join("programs/lock.c")), dir.join("asked"));
    let output = compare(&[&program, "--rules", "owicki-gries", "--family", "N=3,1", "--out", &shown(&asked)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(members(&asked), ["N=3 \"true\"", "N=1 \"true\""]);
    let table = text(&output.stdout);
    let scaling: Vec<&str> = table.lines().skip_while(|line| !line.starts_with("how families scale")).collect();
    assert!(scaling[1].contains("growth") && scaling[2].contains("N=1") && scaling[3].contains("N=3"), "{table}");
    assert!(!scaling[2].contains(" x") && scaling[3].contains(" x"), "{table}");
    // The same from a file beside the programs, which says nothing of the other program.
    let file = dir.join("programs/families.csv");
    std::fs::write(&file, "program,parameter,values\nlock,N,1,2\n").unwrap();
    let found = dir.join("found");
    let directory = shown(&dir.join("programs"));
    let output = compare(&[&directory, "--rules", "owicki-gries", "--out", &shown(&found)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(members(&found), ["N=1 \"true\"", "N=2 \"true\"", "-=null \"true\""]);
    let pages: std::collections::BTreeSet<String> = rows(&found).iter().map(|row| row["page"].to_string()).collect();
    assert_eq!(pages.len(), 3, "members have pages of their own");
    std::fs::write(&file, "program,parameter,values\nlock,N,many\n").unwrap();
    let output = compare(&[&directory, "--out", &shown(&dir.join("wrong"))]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("families.csv:2: expected whole numbers"), "{output:?}");
    assert!(!dir.join("wrong").exists());
}

/// The studied family and the programs of table 1 are the same programs.
#[test]
fn qrcu_of_the_family_is_that_of_table_1() {
    let model = |arguments: &[&str]| -> Vec<String> {
        let output = threader().current_dir(env!("CARGO_MANIFEST_DIR")).arg("model").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        // Without places in the text.
        text(&output.stdout).lines().map(|line| line.split("  //").next().unwrap().to_string()).collect()
    };
    for processes in 2..=4 {
        let single = model(&[&format!("tests/programs/table1/qrcu-{processes}.c")]);
        let member = model(&["tests/programs/families/qrcu.c", "-D", &format!("N={processes}")]);
        assert_eq!(single, member);
    }
}

#[test]
fn published_figures_stand_beside_ours() {
    let out = scratch("compare-published").join("out");
    let program = format!("{}/tests/programs/table1/spin2003.c", env!("CARGO_MANIFEST_DIR"));
    let output = compare(&[&program, "--out", &shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let table = text(&output.stdout);
    assert_eq!(table.lines().next().unwrap().matches("published").count(), 3, "{table}");
    assert!(table.contains("CAV 2011"), "{table}");
    let tex = std::fs::read_to_string(out.join("table.tex")).unwrap();
    assert!(tex.contains("& 0.1 \\\\"), "{tex}");
}

#[test]
fn wrong_paths_are_said_before_anything_is_done() {
    let dir = programs("compare-paths", &[("a.c", SINGLE), ("notes.txt", "")]);
    std::fs::create_dir_all(dir.join("empty/.git")).unwrap();
    // Hidden files are none of the programs.
    for hidden in [".a.c", ".git/a.c"] {
        std::fs::write(dir.join("empty").join(hidden), SINGLE).unwrap();
    }
    let (good, out) = (shown(&dir.join("programs/a.c")), dir.join("out"));
    for (path, message) in [
        (dir.join("missing.c"), "does not exist"),
        (dir.join("programs/a.c/b.c"), "cannot read"),
        (dir.join("empty"), "holds no .c, .i or .yml file"),
        (dir.join("programs/notes.txt"), "is no program: neither .c, .i nor .yml"),
    ] {
        let output = compare(&[&good, &shown(&path), "--out", &shown(&out)]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let expected = format!("error: {}", shown(&path));
        let said = text(&output.stderr);
        assert!(said.contains(message) && (said.contains(&expected) || said.contains(&shown(&path))), "{said}");
        assert!(!out.exists());
    }
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_said_before_anything_is_done() {
    use std::os::unix::fs::PermissionsExt;
    let dir = programs("compare-unreadable", &[("a.c", SINGLE), ("b.c", SINGLE)]);
    let secret = dir.join("programs/b.c");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&secret).is_ok() {
        // Root may read everything; what nobody can read is a link into nothing.
        std::fs::remove_file(&secret).unwrap();
        std::os::unix::fs::symlink("nowhere", &secret).unwrap();
    }
    let output = compare(&[&shown(&dir.join("programs")), "--out", &shown(&dir.join("out"))]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).starts_with(&format!("error: cannot read {}: ", shown(&secret))), "{output:?}");
    assert!(!dir.join("out").exists());
}

#[test]
fn nothing_is_overwritten() {
    let dir = programs("compare-overwrite", &[("a.c", SINGLE)]);
    let program = shown(&dir.join("programs/a.c"));
    let fails = |out: &Path, more: &[&str], message: &str| {
        let mut arguments = vec![program.as_str(), "--rules", "monolithic", "--out"];
        let out = shown(out);
        arguments.push(&out);
        arguments.extend(more);
        let output = compare(&arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(text(&output.stderr).contains(message), "{output:?}");
    };
    let file = dir.join("file");
    std::fs::write(&file, "mine").unwrap();
    fails(&file, &[], "is no directory");
    fails(&file.join("below"), &[], "cannot");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let foreign = dir.join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("index.html"), "mine").unwrap();
    fails(&foreign, &[], "is not empty, and holds no study");
    fails(&foreign, &["--resume"], "is not empty, and holds no study");
    assert_eq!(std::fs::read_dir(&foreign).unwrap().count(), 1);
    let out = dir.join("out");
    assert_eq!(compare(&[&program, "--rules", "monolithic", "--out", &shown(&out)]).status.code(), Some(0));
    let before = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    fails(&out, &[], "holds a study: --resume goes on with it");
    fails(&out, &["--resume", "--timeout", "59"], "was begun with timeout 60.0, and cannot go on with 59.0");
    assert_eq!(std::fs::read_to_string(out.join("results.jsonl")).unwrap(), before);
}

#[test]
fn a_study_goes_on_where_it_ended() {
    let dir = programs("compare-resume", &[("a.c", SINGLE), ("b.c", SINGLE)]);
    let out = dir.join("out");
    let (directory, to) = (shown(&dir.join("programs")), shown(&out));
    let again = || compare(&[&directory, "--out", &to, "--resume"]);
    assert_eq!(again().status.code(), Some(0));
    let log = out.join("results.jsonl");
    let whole = std::fs::read_to_string(&log).unwrap();
    let undisturbed = timeless(&out);
    // Nothing is left to do, then a row and a half.
    assert_eq!(again().status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&log).unwrap(), whole);
    let lines: Vec<&str> = whole.lines().collect();
    std::fs::write(&log, lines[..5].join("\n") + "\n" + &lines[5][..40]).unwrap();
    assert_eq!(again().status.code(), Some(0));
    assert_eq!(timeless(&out), undisturbed);
    let resumed = std::fs::read_to_string(&log).unwrap();
    assert!(resumed.starts_with(&(lines[..5].join("\n") + "\n{")), "earlier rows are kept: {resumed}");
    // A header that was cut off.
    std::fs::write(&log, &lines[0][..10]).unwrap();
    assert_eq!(again().status.code(), Some(0));
    assert_eq!(timeless(&out), undisturbed);
    // A program that has changed is run again, the other is not.
    std::fs::write(dir.join("programs/b.c"), SINGLE.replace("x == 1", "x == 2")).unwrap();
    assert_eq!(again().status.code(), Some(0));
    assert_eq!(verdicts(&out, "b.c"), ["false(unreach-call)"; 3]);
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 1 + 6 + 3);
    // What is no row was not written by us.
    std::fs::write(&log, format!("{}\nnonsense\n", lines[0])).unwrap();
    let output = again();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("results.jsonl:2: this is no row of a study"), "{output:?}");
}

/// Processes whose command line names a path.
fn processes(path: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(path) {
            found.push(process);
        }
    }
    found
}

fn begin(arguments: &[&str]) -> Child {
    let mut command = threader();
    command.arg("compare").args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn killed_at_any_moment_and_resumed_it_gives_the_same_rows() {
    let dir = programs("compare-killed", &SMALL);
    let directory = shown(&dir.join("programs"));
    let start = Instant::now();
    let out = dir.join("undisturbed");
    assert_eq!(compare(&[&directory, "--out", &shown(&out), "--jobs", "2"]).status.code(), Some(0));
    let whole = usize::try_from(start.elapsed().as_millis()).unwrap().max(20);
    let undisturbed = timeless(&out);
    assert_eq!(undisturbed.len(), 9);
    let mut rng = Rng::for_case(7, 0);
    // Four kills a study, so that they find it at its beginning, in its midst and at its end.
    for study in 0..5 {
        let out = shown(&dir.join(format!("killed-{study}")));
        for _ in 0..4 {
            let mut child = begin(&[&directory, "--out", &out, "--jobs", "2", "--resume"]);
            std::thread::sleep(Duration::from_millis(rng.below(whole) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
            let end = Instant::now() + Duration::from_secs(10);
            while !processes(&out).is_empty() {
                assert!(Instant::now() < end, "runs go on without their study");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        let output = compare(&[&directory, "--out", &out, "--jobs", "2", "--resume"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(timeless(Path::new(&out)), undisturbed);
        let names = |dir: &Path| -> Vec<String> {
            std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
        };
        let left: Vec<String> =
            names(Path::new(&out)).into_iter().chain(names(&Path::new(&out).join("runs"))).collect();
        assert!(left.iter().all(|name| !name.ends_with(".tmp")), "{left:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_belongs_to_one_study_at_a_time() {
    let dir = programs("compare-lock", &[("a.c", SINGLE)]);
    let out = shown(&dir.join("out"));
    let slow = format!("{}/tests/programs/table1/qrcu-4.c", env!("CARGO_MANIFEST_DIR"));
    let arguments = |program: &'static str| -> Vec<String> {
        let program = if program == "slow" { slow.clone() } else { shown(&dir.join("programs/a.c")) };
        [&program, "--rules", "monolithic", "--jobs", "1", "--out", &out, "--resume"].map(String::from).to_vec()
    };
    let mut study = begin(&arguments("slow").iter().map(String::as_str).collect::<Vec<_>>());
    let end = Instant::now() + Duration::from_secs(30);
    while processes(&format!("{out}/runs/qrcu-4")).is_empty() {
        assert!(Instant::now() < end && study.try_wait().unwrap().is_none(), "no run begins");
        std::thread::sleep(Duration::from_millis(5));
    }
    let before = std::fs::read_to_string(dir.join("out/results.jsonl")).unwrap();
    let second = threader().arg("compare").args(arguments("other")).output().unwrap();
    assert_eq!(second.status.code(), Some(1), "{second:?}");
    let expected =
        format!("error: another threader compare is writing to {out}: wait for its end and use --resume, or ");
    assert!(text(&second.stderr).starts_with(&expected), "{second:?}");
    assert_eq!(std::fs::read_to_string(dir.join("out/results.jsonl")).unwrap(), before);
    // Killed, it leaves nothing in the way.
    study.kill().unwrap();
    study.wait().unwrap();
    let third = threader().arg("compare").args(arguments("other")).output().unwrap();
    assert_eq!(third.status.code(), Some(0), "{third:?}");
    assert_eq!(verdicts(Path::new(&out), "a.c"), ["true"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_killed_is_a_row() {
    let dir = programs("compare-crash", &[("a.c", SINGLE)]);
    let out = dir.join("out");
    let slow = format!("{}/tests/programs/table1/qrcu-4.c", env!("CARGO_MANIFEST_DIR"));
    let mut study = begin(&[
        &slow,
        &shown(&dir.join("programs/a.c")),
        "--rules",
        "monolithic",
        "--jobs",
        "1",
        "--out",
        &shown(&out),
    ]);
    let end = Instant::now() + Duration::from_secs(30);
    let page = format!("{}/runs/qrcu-4", shown(&out));
    let run = loop {
        if let Some(run) = processes(&page).first() {
            break *run;
        }
        assert!(Instant::now() < end && study.try_wait().unwrap().is_none(), "no run begins");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(Command::new("kill").args(["-9", &run.to_string()]).status().unwrap().success());
    assert_eq!(study.wait().unwrap().code(), Some(0));
    assert_eq!(verdicts(&out, "qrcu-4.c"), ["error(killed)"]);
    assert_eq!(verdicts(&out, "a.c"), ["true"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_without_memory_is_a_row_and_the_others_go_on() {
    let dir = programs("compare-memory", &[("a.c", SINGLE)]);
    let out = dir.join("out");
    let large = format!("{}/tests/programs/families/watched-counter.c", env!("CARGO_MANIFEST_DIR"));
    let output = compare(&[
        &large,
        &shown(&dir.join("programs/a.c")),
        "--family",
        "N=64",
        "--rules",
        "owicki-gries",
        "--memory",
        "80",
        "--out",
        &shown(&out),
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(verdicts(&out, "watched-counter.c"), ["unknown(memory)"]);
    assert_eq!(verdicts(&out, "a.c"), ["true"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_study_says_so_and_goes_on() {
    let dir = programs("compare-interrupt", &[("a.c", SINGLE)]);
    let out = dir.join("out");
    let slow = format!("{}/tests/programs/table1/qrcu-4.c", env!("CARGO_MANIFEST_DIR"));
    let (first, to) = (shown(&dir.join("programs/a.c")), shown(&out));
    let arguments = [first.as_str(), &slow, "--rules", "monolithic", "--jobs", "1", "--out", &to];
    let mut study = begin(&arguments);
    let end = Instant::now() + Duration::from_secs(30);
    while processes(&format!("{to}/runs/qrcu-4")).is_empty() {
        assert!(Instant::now() < end && study.try_wait().unwrap().is_none(), "no run begins");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &study.id().to_string()]).status().unwrap().success());
    assert_eq!(study.wait().unwrap().code(), Some(5));
    // What is known is shown, and what is not known is no row.
    assert_eq!((verdicts(&out, "a.c"), rows(&out).len()), (vec!["true".to_string()], 1));
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    if let Some(browser) = chromium() {
        let script = "if (document.querySelectorAll('#results td.none').length !== 1) throw 'cells';";
        document(&browser, &page, script, &dir.join("driven.html"));
    }
    let output = compare(&[&first, "--rules", "monolithic", "--jobs", "1", "--out", &to, "--resume"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// A file system of some kilobytes, if this machine lets us have one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn new(at: &Path, kilobytes: u32) -> Option<SmallDisk> {
        std::fs::create_dir_all(at).unwrap();
        let size = format!("size={kilobytes}k");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(at.to_path_buf()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_earlier_rows_are_kept() {
    let dir = programs("compare-full", &SMALL);
    let Some(disk) = SmallDisk::new(&dir.join("disk"), 48) else {
        let warning = "\nSKIPPED: no tmpfs can be mounted: a full disk is NOT tested (run as root)\n";
        std::io::Write::write_all(&mut std::io::stderr(), warning.as_bytes()).unwrap();
        return;
    };
    let (directory, out) = (shown(&dir.join("programs")), disk.0.join("out"));
    let output = compare(&[&directory, "--out", &shown(&out), "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = text(&output.stderr);
    assert!(said.contains("error: cannot write ") && said.contains("No space left on device"), "{said}");
    assert!(said.contains("--resume"), "{said}");
    let kept = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    assert!(kept.lines().count() >= 2 && kept.ends_with('\n'), "{kept}");
    // With room again it goes on, and the earlier rows are those that were.
    assert!(Command::new("mount").args(["-o", "remount,size=9m"]).arg(&disk.0).status().unwrap().success());
    let output = compare(&[&directory, "--out", &shown(&out), "--jobs", "1", "--resume"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(std::fs::read_to_string(out.join("results.jsonl")).unwrap().starts_with(&kept));
    assert_eq!(rows(&out).len(), 9);
}

#[test]
fn the_page_sorts_links_and_plots() {
    let dir = programs(
        "compare-page",
        &[("safe.c", SAFE), ("single.c", SINGLE), ("recursive.c", RECURSIVE), ("a_<b>&.c", SINGLE)],
    );
    let out = dir.join("out");
    let output = compare(&[&shown(&dir.join("programs")), "--out", &shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let Some(browser) = chromium() else { return };
    let script = "
        const rows = () => [...document.querySelectorAll('#results tbody tr')];
        const first = () => rows().map(row => row.cells[0].textContent).join(' ');
        if (rows().length !== 4) throw rows().length + ' rows';
        if (document.querySelectorAll('#results thead th').length !== 4) throw 'columns';
        const buttons = document.querySelectorAll('#results thead button');
        buttons[0].click();
        if (first() !== 'a_<b>& recursive safe single') throw first();
        buttons[0].click();
        if (first() !== 'single safe recursive a_<b>&') throw first();
        buttons[1].click();
        if (rows()[3].cells[0].textContent !== 'recursive') throw 'undecided is not last: ' + first();
        const seconds = rows().slice(0, 3).map(row => Number(row.cells[1].textContent.split(' ')[1]));
        if (!(seconds[0] <= seconds[1] && seconds[1] <= seconds[2])) throw 'not sorted: ' + seconds;
        const links = [...document.querySelectorAll('#results a')].map(a => a.getAttribute('href'));
        if (links.length !== 9) throw links.length + ' links';
        if (document.querySelectorAll('.cactus svg .series polyline').length !== 3) throw 'cactus';
        if (document.querySelectorAll('.scatter svg').length !== 3) throw 'scatter';
        if (document.querySelectorAll('.scatter svg .point').length !== 9) throw 'points';
        for (const mark of document.querySelectorAll('svg circle, svg rect, svg path'))
          for (const { value } of mark.attributes) if (value.includes('NaN') || value.includes('Infinity')) throw 'a mark is nowhere';
        if (document.querySelectorAll('.effort').length !== 3) throw 'effort';
        if (document.querySelectorAll('.effort tbody tr').length !== 12) throw 'effort rows';
        if (!document.getElementById('scaling').hidden || !document.getElementById('against').hidden) throw 'empty sections';
        if (document.documentElement.scrollWidth > innerWidth) throw 'wider than the window';
        document.body.append('LINKS[' + links.join(' ') + ']');";
    let document = document(&browser, &page, script, &dir.join("driven.html"));
    // The last time: the script's own text comes before.
    let links = document.split("LINKS[").last().unwrap();
    let links: Vec<&str> = links.split(']').next().unwrap().split(' ').collect();
    assert_eq!(links.len(), 9);
    for link in links {
        assert!(out.join(link).is_file(), "{link}");
    }
}

#[test]
fn the_page_shows_families_and_spacer() {
    let dir = programs("compare-page-family", &[("lock.c", FAMILY)]);
    let out = dir.join("out");
    let output = compare(&[
        &shown(&dir.join("programs")),
        "--family",
        "N=1,2",
        "--rules",
        "owicki-gries,rely-guarantee",
        "--solvers",
        "cegar,spacer",
        "--out",
        &shown(&out),
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    let Some(browser) = chromium() else { return };
    let script = "
        const count = selector => document.querySelectorAll(selector).length;
        if (count('.family svg .series polyline') !== 4) throw 'series: ' + count('.family svg .series polyline');
        if (count('.family .legend span') !== 4) throw 'legend';
        if (count('#growth tbody tr') !== 2) throw 'growth';
        if (!document.querySelector('#growth tbody tr:last-child').textContent.includes('\u{d7}')) throw 'no growth';
        if (count('#ratios tbody tr') !== 2) throw 'ratios';
        // Rule against rule, and Spacer under each rule.
        if (count('.scatter') !== 3) throw 'scatter: ' + count('.scatter');
        const heads = [...document.querySelectorAll('.effort')[0].querySelectorAll('th')].map(th => th.textContent);
        if (!heads.includes('ratio') || !heads.includes('without Z3')) throw heads;
        for (const mark of document.querySelectorAll('svg circle, svg rect, svg path, svg polyline'))
          for (const { value } of mark.attributes) if (value.includes('NaN') || value.includes('Infinity')) throw 'a mark is nowhere';
        if (document.documentElement.scrollWidth > innerWidth) throw 'wider than the window';";
    document(&browser, &page, script, &dir.join("driven.html"));
}
