//! `threader prove` and `threader check` through the binary: the last line of stdout, exit codes, the files they write.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn program(name: &str) -> String {
    format!("{}/tests/programs/table1/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prove-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Exit code, stdout and stderr.
fn threader(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_proof_is_kept_checked_again_and_exported() {
    let dir = scratch("proof");
    let path = |name: &str| dir.join(name).display().to_string();
    let (file, certificate, json, export) = (program("rwlock"), path("c.cert"), path("r.json"), path("obligations"));
    for rule in ["monolithic", "owicki-gries", "rely-guarantee"] {
        let (code, stdout, stderr) =
            threader(&["prove", &file, "--rule", rule, "--certificate", &certificate, "--json", &json]);
        assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{rule}: {stderr}");
        assert!(stderr.starts_with(&format!("proved by {rule}")), "{stderr}");
        let result: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!((&result["verdict"], &result["rule"]), (&"true".into(), &rule.into()));
        // What an earlier export has left is no obligation of this proof.
        std::fs::create_dir_all(&export).unwrap();
        let (old, other) = (Path::new(&export).join("99999.smt2"), Path::new(&export).join("mine.smt2"));
        [&old, &other].iter().for_each(|file| std::fs::write(file, "old").unwrap());
        let (code, stdout, _) = threader(&["check", &file, &certificate, "--export", &export]);
        assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{rule}");
        assert!(!old.is_file() && other.is_file(), "{rule}");
        assert!(std::fs::read_dir(&export).unwrap().count() > 3, "{rule}");
        // Without an invariant for where it starts, the main thread is nowhere: no proof.
        let text = std::fs::read_to_string(&certificate).unwrap();
        let cut: String =
            text.lines().filter(|line| !line.trim().starts_with("(at (0")).map(|l| format!("{l}\n")).collect();
        let open = cut.matches('(').count() - cut.matches(')').count();
        std::fs::write(&certificate, cut + &")".repeat(open)).unwrap();
        let (code, stdout, _) = threader(&["check", &file, &certificate]);
        assert_ne!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{rule}");
    }
}

/// Who found an answer is said; a run that was executed is no rule's.
#[test]
fn an_answer_says_who_found_it() {
    let dir = scratch("found");
    let json = dir.join("r.json").display().to_string();
    let found = |file: &str, arguments: &[&str]| {
        let (_, stdout, stderr) = threader(&[&["prove", file, "--json", &json], arguments].concat());
        let result: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        let line = stderr.lines().find(|line| line.starts_with("found by ")).unwrap_or_default().to_string();
        (stdout, result["found_by"].clone(), result["rule"].clone(), line)
    };
    let (stdout, by, rule, line) = found(&program("peterson"), &["--rule", "owicki-gries"]);
    assert_eq!((stdout.as_str(), by, rule), ("Result: true\n", "cegar".into(), "owicki-gries".into()));
    assert!(line.starts_with("found by cegar under owicki-gries: "), "{line}");
    let (stdout, by, rule, line) = found(&program("peterson"), &["--solver", "boxes"]);
    assert_eq!((stdout.as_str(), by, rule), ("Result: true\n", "boxes".into(), "monolithic".into()));
    assert!(line.starts_with("found by boxes: "), "{line}");
    let sum = format!("{}/tests/programs/guesses/sum.c", env!("CARGO_MANIFEST_DIR"));
    let (stdout, by, rule, _) = found(&sum, &[]);
    assert_eq!((stdout.as_str(), by, rule), ("Result: true\n", "houdini".into(), "monolithic".into()));
    let (stdout, by, ..) = found(&program("peterson-unsafe"), &["--solver", "boxes"]);
    assert_eq!((stdout.as_str(), by), ("Result: false(unreach-call)\n", "boxes".into()));
    let equal = dir.join("equal.c").display().to_string();
    let text = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *f(void *a) { int t = x; x = t + 1; return 0; }\n\
        int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n\
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(x == 4); }\n";
    std::fs::write(&equal, text).unwrap();
    let (stdout, by, rule, _) = found(&equal, &[]);
    assert_eq!(
        (stdout.as_str(), by, rule),
        ("Result: false(unreach-call)\n", "explicit".into(), serde_json::Value::Null)
    );
    let (code, _, stderr) = threader(&["prove", &equal, "--solver", "boxes", "--rule", "owicki-gries"]);
    assert!(code == Some(1) && stderr.contains("--solver boxes finds monolithic proofs"), "{stderr}");
    let (code, _, stderr) = threader(&["prove", &equal, "--solver", "houdini", "--rule", "rely-guarantee"]);
    assert!(code == Some(1) && stderr.contains("--solver houdini finds monolithic proofs"), "{stderr}");
}

/// What was printed without the line of timings, and the evidence that was written.
fn repeatable(file: &str, rule: &str, workers: &str, certificate: &str) -> (String, String) {
    let _ = std::fs::remove_file(certificate);
    let (_, stdout, stderr) = threader(&["prove", file, "--rule", rule, "-j", workers, "--certificate", certificate]);
    let timed = |line: &&str| line.contains(" refinements, ");
    let counters = |line: &str| line.split("; abstraction").next().unwrap_or_default().to_string();
    let mut lines: Vec<String> = stderr.lines().filter(|line| !timed(line)).map(str::to_string).collect();
    lines.extend(stderr.lines().filter(timed).map(counters));
    lines.push(stdout);
    (lines.join("\n"), std::fs::read_to_string(certificate).unwrap_or_default())
}

#[test]
fn the_same_input_gives_the_same_output_whatever_the_number_of_workers() {
    let dir = scratch("repeat");
    let certificate = dir.join("c.cert").display().to_string();
    for name in ["peterson", "dekker", "dekker-unsafe", "rwlock", "lamport"] {
        for rule in ["monolithic", "owicki-gries", "rely-guarantee"] {
            let first = repeatable(&program(name), rule, "1", &certificate);
            assert!(first.0.contains("Result: ") && first.0.contains(" refinements, "), "{}", first.0);
            assert_eq!(first.1.is_empty(), name.ends_with("unsafe"), "{name}");
            assert_eq!(first, repeatable(&program(name), rule, "1", &certificate), "{name}, {rule}");
            assert_eq!(first, repeatable(&program(name), rule, "2", &certificate), "{name}, {rule}");
        }
    }
}

/// Attempts at proofs about any number of threads are made side by side, with searches for errors; what counts is the first in their
/// order.
#[test]
fn attempts_side_by_side_change_nothing() {
    let dir = scratch("attempts");
    let certificate = dir.join("c.cert").display().to_string();
    let (og, rg) = ("owicki-gries", "rely-guarantee");
    let proved = [("atomic_ticket", og), ("qrcu", og), ("qrcu", rg), ("readers_writer", rg), ("single_flight", og)];
    for (name, rule) in proved.into_iter().chain([("qrcu_unsafe", rg), ("joined_unsafe", og)]) {
        let first = repeatable(&parametric(name), rule, "1", &certificate);
        let counted = first.0.contains(" refinements, ") || first.0.contains("found by explicit: ");
        assert!(first.0.contains("Result: ") && counted, "{}", first.0);
        assert_eq!(first.1.is_empty(), name.ends_with("unsafe"), "{name}");
        assert_eq!(first, repeatable(&parametric(name), rule, "2", &certificate), "{name}, {rule}");
    }
}

#[test]
fn a_counterexample_is_a_table() {
    for rule in ["monolithic", "owicki-gries", "rely-guarantee", "auto"] {
        let (code, stdout, stderr) = threader(&["prove", &program("peterson-unsafe"), "--rule", rule]);
        assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{rule}: {stderr}");
        let (claim, rest) = stderr.split_once("\n\n").unwrap_or_default();
        let (claim, function) = claim.split_once('\n').unwrap_or_default();
        assert!(claim.contains("peterson-unsafe.c:") && claim.ends_with(" fails"), "{stderr}");
        assert!(["  in first", "  in second"].contains(&function), "{stderr}");
        assert!(rest.starts_with("counterexample: ") && rest.contains("ERROR"), "{stderr}");
    }
}

/// How many alternatives the line with most of them has in a proof, and how many lines the proof has.
fn extent(name: &str, rule: &str) -> (usize, usize) {
    let (code, stdout, stderr) = threader(&["prove", &program(name), "--rule", rule, "--proof"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.lines().count() <= 25, "{name} says too much:\n{stderr}");
    let (mut most, mut here) = (0, 0);
    for line in stdout.lines() {
        here = if line.trim_start().starts_with("||") { here + 1 } else { 1 };
        most = most.max(here);
    }
    (most, stdout.lines().count())
}

/// Proofs say no more than they need: for the algorithms for mutual exclusion two alternatives a line should do, three under
/// rely-guarantee. Where today's proofs have more, the number is the gap that is left.
#[test]
fn proofs_are_small() {
    for (name, alternatives, lines) in
        [("dekker", 2, 50), ("naive-bakery", 2, 45), ("peterson", 3, 50), ("szymanski", 4, 90)]
    {
        for rule in ["owicki-gries", "rely-guarantee"] {
            let (most, all) = extent(name, rule);
            assert!(most <= alternatives && all <= lines, "{name}, {rule}: {most} alternatives, {all} lines");
        }
    }
    let (code, found, _) = threader(&["prove", &program("dekker"), "--rule", "owicki-gries", "--proof", "--as-found"]);
    assert!(code == Some(0) && found.lines().count() > 60, "{found}");
}

/// What a time-out leaves: how far it came, what grows, what to try; and soon.
#[test]
fn a_timeout_says_what_grows() {
    let dir = scratch("grows");
    let file = dir.join("grows.c").display().to_string();
    let text = "#include <assert.h>\n#include <pthread.h>\nunsigned a, b;\n\
        void *one(void *x) { while (1) { a += 3; b += 2; } return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); unsigned p = a, q = b; assert(p * 2 != q * 3 + 1000001); }\n";
    std::fs::write(&file, text).unwrap();
    let large = dir.join("large.c").display().to_string();
    let body: String =
        (0..20_000).map(|k| format!("if (x == {k}) y = y * {k} + x; else x = x + {};\n", k % 7)).collect();
    std::fs::write(
        &large,
        format!(
            "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint x, y;\n\
             int main(void) {{\nx = __VERIFIER_nondet_int();\n{body}assert(y != 12345678);\n}}\n"
        ),
    )
    .unwrap();
    for program in [file.as_str(), &large] {
        let start = Instant::now();
        let (code, stdout, stderr) = threader(&["prove", program, "--rule", "owicki-gries", "--timeout", "3"]);
        assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(timeout)\n"), "{program}: {stderr}");
        // One second more is what it should take; a machine that is busy gets some patience.
        assert!(start.elapsed() < Duration::from_secs(8), "{program}: {:?}", start.elapsed());
        assert!(stderr.contains("no verdict: timeout\n") && stderr.contains("try: "), "{program}: {stderr}");
        let grows = stderr.contains("what grows: 2 * a - 3 * b, compared with ");
        assert!(grows || program != file, "{stderr}");
        assert!(stderr.contains("claims:") || stderr.contains("still being read"), "{program}: {stderr}");
    }
}

#[test]
fn limits_end_a_run_with_a_result() {
    let start = Instant::now();
    let (code, stdout, _) = threader(&["prove", &program("qrcu-4"), "--timeout", "1"]);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(timeout)\n"));
    // Not a measurement: far above what it takes, far below what an endless run would.
    assert!(start.elapsed() < Duration::from_secs(60));
    let (code, stdout, _) = threader(&["prove", &program("qrcu-4"), "--memory", "20"]);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(memory)\n"));
}

/// A program whose two threads are equal is proved as it is, or on demand for any number of them.
#[test]
fn several_threads_of_one_function_are_proved_as_any_number_on_demand() {
    for (arguments, number) in [(&[][..], false), (&["--parametric"][..], true)] {
        let file = program("spin2003");
        let all: Vec<&str> = ["prove", &file, "--rule", "owicki-gries"].iter().chain(arguments).copied().collect();
        let (code, stdout, stderr) = threader(&all);
        assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
        let first = stderr.lines().next().unwrap();
        assert_eq!(first.contains(", for any number of worker, at level 1"), number, "{first}");
    }
}

/// A proof that rests on how many threads are created is no proof for any number of them.
#[test]
fn a_proof_says_for_how_many_threads_it_holds() {
    let dir = scratch("how-many");
    let shown = |name: &str| dir.join(name).display().to_string();
    let (file, json) = (shown("tickets.c"), shown("result.json"));
    let prove = |bound: &str, create: &str| {
        let text = format!(
            "#include <pthread.h>\n#include <assert.h>\n_Atomic int c;\n\
             void *f(void *a) {{ int v = ++c; assert(v < {bound}); return 0; }}\n\
             int main(void) {{ pthread_t t; {create} return 0; }}\n"
        );
        std::fs::write(&file, text).unwrap();
        let options = ["--rule", "owicki-gries", "--parametric", "--level", "3", "--json", &json];
        let (_, stdout, stderr) = threader(&[&["prove", &file], &options[..]].concat());
        assert_eq!(stdout, "Result: true\n", "{stderr}");
        let result: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        (stderr, result["parametric"]["numbers"][0].clone())
    };
    let twice = "pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);";
    let (stderr, number) = prove("3", twice);
    assert!(stderr.contains(", for the 2 of f that are created, at level 3"), "{stderr}");
    assert_eq!(number, serde_json::json!({ "template": "f", "instances": 2 }));
    // The same threads, and an assertion that holds of any number of them.
    let (stderr, number) = prove("3 || v > 2", twice);
    assert!(stderr.contains(", for any number of f, at level 3"), "{stderr}");
    assert_eq!(number, serde_json::json!({ "template": "f", "instances": "any" }));
    // One for each creation, of which nobody knows how many there are.
    let (_, _, stderr) = threader(&["prove", &parametric("joined"), "--rule", "owicki-gries"]);
    assert!(stderr.contains(", for as many worker as are created, at level 2"), "{stderr}");
}

/// That the creator's assertion and the step of creation imply the new thread's assertion is an obligation by name, whoever creates.
#[test]
fn creation_is_an_obligation_of_its_own() {
    let scratch = |what: &str| format!("{}/creation-{what}", env!("CARGO_TARGET_TMPDIR"));
    for rule in ["owicki-gries", "rely-guarantee"] {
        let (file, certificate, export) = (parametric("creation"), scratch(rule), scratch(&format!("{rule}-steps")));
        let _ = std::fs::remove_dir_all(&export);
        let (code, _, stderr) = threader(&["prove", &file, "--rule", rule, "--certificate", &certificate]);
        assert_eq!(code, Some(0), "{stderr}");
        let (code, _, stderr) = threader(&["check", &file, &certificate, "--export", &export]);
        assert_eq!(code, Some(0), "{stderr}");
        let scripts = std::fs::read_dir(&export).unwrap().map(|e| std::fs::read_to_string(e.unwrap().path()).unwrap());
        let all: Vec<String> = scripts.collect();
        let named = |what: &str| all.iter().any(|script| script.contains(what));
        assert!(named("the creation of client by server#1 at line 14 "), "{rule}");
        if rule == "owicki-gries" {
            assert!(named(
                "; if this is sat: interference of the creation of server by main at line 24 with the assertion about client#1"
            ));
        }
    }
}

/// Levels are of proofs about any number of threads: where there is no such proof, a level that was asked for is not passed over.
#[test]
fn a_level_without_effect_is_said() {
    let file = program("spin2003");
    for (arguments, said) in [(&["--level", "2"][..], true), (&["--level", "2", "--parametric"][..], false)] {
        let all: Vec<&str> = ["prove", &file, "--rule", "owicki-gries"].iter().chain(arguments).copied().collect();
        let (code, stdout, stderr) = threader(&all);
        assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
        assert_eq!(stderr.starts_with("note: --level has no effect: "), said, "{stderr}");
    }
}

fn parametric(name: &str) -> String {
    format!("{}/tests/parametric/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn files_say_of_how_many_threads_they_speak() {
    let dir = scratch("number");
    let path = |name: &str| dir.join(name).display().to_string();
    let (result, page, witness) = (path("r.json"), path("p.html"), path("w.yml"));
    let prove = |name: &str| {
        let file = parametric(name);
        let files = ["--json", &result, "--html", &page, "--witness", &witness];
        let (code, stdout, stderr) =
            threader(&[&["prove", &file, "--rule", "owicki-gries", "--proof"], &files[..]].concat());
        let stderr = stderr + &stdout;
        let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&result).unwrap()).unwrap();
        (code, stderr, json, std::fs::read_to_string(&page).unwrap())
    };
    let (code, stderr, json, page) = prove("reference_count");
    assert_eq!(code, Some(0), "{stderr}");
    let expected = serde_json::json!({
        "level": 1,
        "templates": ["user"],
        "numbers": [{ "template": "user", "instances": "any" }],
        "counters": [{ "name": "count(user at 3 4 5)", "template": "user", "locations": [3, 4, 5] }],
    });
    assert_eq!((&json["parametric"], &json["instances"]), (&expected, &serde_json::Value::Null));
    assert!(page.contains("\"number\":\", for any number of user, at level 1, with counters\""), "{page}");
    assert!(page.contains("count(user at 3 4 5): how many user are at line"), "{page}");
    assert!(stderr.contains("\ncount(user at 3 4 5): how many user are at line"), "{stderr}");
    assert!(stderr.contains("note: the witness does not say how many threads are where"), "{stderr}");
    let (code, stderr, json, page) = prove("test_and_set_unsafe");
    assert_eq!(code, Some(10), "{stderr}");
    assert_eq!((&json["instances"], json.get("parametric")), (&2.into(), None));
    assert!(page.contains("\"instances\":2"), "{page}");
    // The run that the witness tells of has as many threads.
    let (code, stdout, stderr) = threader(&["check", &parametric("test_and_set_unsafe"), &witness]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
}

/// Two copies stand for any number of threads: what is not made for that must not take them for two threads.
#[test]
fn what_does_not_know_any_number_of_threads_refuses_them() {
    let counter = parametric("counter");
    for (arguments, what) in [
        (["prove", &counter, "--level=1", "--rule", "monolithic"], "monolithic proofs"),
        (["model", &counter, "--format=smt2", "--rule", "owicki-gries"], "Horn clauses"),
    ] {
        let expected = format!("Result: unknown(unsupported: {what} about any number of threads)\n");
        let (code, stdout, stderr) = threader(&arguments);
        assert_eq!((code, stdout), (Some(5), expected), "{stderr}");
    }
}

/// Nothing can be said about any number of these threads, but a few of them have a run to an error, or none is found.
#[test]
fn what_is_refused_for_any_number_of_threads_is_still_refuted() {
    let dir = scratch("refuted");
    let path = |name: &str| dir.join(name).display().to_string();
    let (file, witness) = (path("handed.c"), path("w.yml"));
    let text = "#include <assert.h>\n#include <pthread.h>\nint *box;\n\
        void *worker(void *unused) {\n  int own = 5;\n  if (box)\n    assert(*box == 5);\n\
        \n  box = &own;\n  while (1)\n    ;\n}\n\
        int main(void) {\n  pthread_t t;\n  while (1)\n    pthread_create(&t, 0, worker, 0);\n}\n";
    let refused = "Result: unknown(unsupported: a local or a block of a thread of unbounded number whose address other \
                   threads can read)\n";
    std::fs::write(&file, text).unwrap();
    let (code, stdout, stderr) = threader(&["prove", &file, "--timeout", "100"]);
    assert_eq!((code, stdout.as_str()), (Some(5), refused), "{stderr}");
    std::fs::write(&file, text.replace("*box == 5", "*box == 4")).unwrap();
    let (code, stdout, stderr) = threader(&["prove", &file, "--witness", &witness]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
    assert!(stderr.contains("an error with 2 of the threads"), "{stderr}");
    let (code, stdout, stderr) = threader(&["check", &file, &witness]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
    let (code, stdout, stderr) = threader(&["prove", &file, "--rule", "monolithic"]);
    assert_eq!((code, stdout.as_str()), (Some(5), refused), "{stderr}");
}

/// What goes wrong is that there are many threads, whatever they do.
#[test]
fn an_error_may_need_more_threads_than_take_steps() {
    let dir = scratch("many");
    let path = |name: &str| dir.join(name).display().to_string();
    let (file, witness) = (path("many.c"), path("w.yml"));
    let text = "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint created, x;\n\
        void *worker(void *unused) {\n  x = 1;\n  return 0;\n}\n\
        int main(void) {\n  pthread_t t;\n  while (__VERIFIER_nondet_int()) {\n    pthread_create(&t, 0, worker, 0);\n\
        \n    created++;\n    assert(created < 7 || x == 0);\n  }\n}\n";
    std::fs::write(&file, text).unwrap();
    let (code, stdout, stderr) = threader(&["prove", &file, "--witness", &witness]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
    assert!(stderr.contains("an error with 7 of the threads"), "{stderr}");
    let (code, stdout, stderr) = threader(&["check", &file, &witness]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
}

/// A file that cannot be written is no reason not to write the others, and what is there already is kept.
#[test]
fn files_are_written_whatever_becomes_of_others() {
    let dir = scratch("files");
    let path = |name: &str| dir.join(name).display().to_string();
    let (lost, page, kept) = (path("missing/c.cert"), path("p.html"), path("kept.c"));
    std::fs::write(&kept, "kept").unwrap();
    std::fs::create_dir_all(dir.join("directory")).unwrap();
    let witness = path("directory");
    let files = ["--certificate", &lost, "--html", &page, "--witness", &witness, "--harness", &kept];
    let (code, stdout, stderr) =
        threader(&[&["prove", &program("spin2003"), "--rule", "owicki-gries"], &files[..]].concat());
    assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
    for name in [&lost, &witness] {
        assert!(stderr.contains(&format!("error: cannot write {name}: ")), "{stderr}");
    }
    assert!(std::fs::read_to_string(&page).is_ok_and(|text| text.contains("owicki-gries")));
    // There is no counterexample, and so no harness.
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "kept");
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 3, "nothing is left beside");
}

#[test]
fn equal_threads_whose_number_is_known_have_a_witness() {
    let witness = scratch("equal").join("w.yml").display().to_string();
    let file = format!("{}/tests/programs/families/counter.c", env!("CARGO_MANIFEST_DIR"));
    let (_, stdout, stderr) =
        threader(&["prove", &file, "-D", "N=3", "--rule", "owicki-gries", "--timeout", "100", "--witness", &witness]);
    assert_eq!(stdout, "Result: true\n", "{stderr}");
    assert!(stderr.contains("for any number of worker"), "{stderr}");
    assert!(std::fs::read_to_string(&witness).is_ok_and(|text| text.contains("invariant_set")), "{stderr}");
}

/// No rule's abstraction gets there in reasonable time; the boxes that all of them together try do.
#[test]
fn boxes_prove_and_refute_what_only_grows() {
    let dir = scratch("boxes");
    let certificate = dir.join("c.cert").display().to_string();
    let file = |name: &str| format!("{}/tests/programs/basics/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let (safe, bad) = (file("fibonacci"), file("fibonacci-unsafe"));
    let (code, stdout, stderr) = threader(&["prove", &safe, "--timeout", "60", "--certificate", &certificate]);
    assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
    assert!(stderr.starts_with("proved by monolithic"), "{stderr}");
    let (_, stdout, stderr) = threader(&["check", &safe, &certificate]);
    assert_eq!(stdout, "Result: true\n", "{stderr}");
    let (_, stdout, stderr) = threader(&["prove", &bad, "--timeout", "60"]);
    assert_eq!(stdout, "Result: false(unreach-call)\n", "{stderr}");
}
