//! `threader refute`, through the binary: errors within bounds, and what was covered without one.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::native::scratch;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.c"))
}

/// Exit code, stdout and stderr.
fn refute(file: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    let output = command.arg("refute").arg(file).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const VIOLATED: (Option<i32>, &str) = (Some(10), "Result: false(unreach-call)\n");

#[test]
fn errors_are_found_with_a_run() {
    for name in
        ["bounded/reorder_unsafe", "bounded/work_stealing_unsafe", "bounded/counter50_unsafe", "parametric/qrcu_unsafe"]
    {
        let (code, stdout, stderr) = refute(&program(name), &["--timeout", "60"]);
        assert_eq!((code, stdout.as_str()), VIOLATED, "{name}: {stderr}");
        assert!(stderr.contains("counterexample: ") && stderr.contains("found by explicit: "), "{name}: {stderr}");
    }
}

#[test]
fn what_was_covered_names_the_bounds() {
    let covered = |name: &str, arguments: &[&str]| {
        let (code, stdout, stderr) = refute(&program(name), arguments);
        assert_eq!(code, Some(5), "{name}: {stderr}");
        stdout
    };
    let one = covered("bounded/fib_bench", &["--preemptions", "1"]);
    assert_eq!(one, "Result: unknown(no error with up to 1 preemption, up to 3 threads)\n");
    let unwound = covered("bounded/fib_bench", &["--contexts", "4", "--unwind", "2"]);
    assert!(
        unwound.starts_with("Result: unknown(no error with up to 4 switches and 2 iterations of the loops at "),
        "{unwound}"
    );
    assert!(unwound.contains("fib_bench.c:"), "{unwound}");
    let all = covered("bounded/reorder", &[]);
    assert_eq!(all, "Result: unknown(exhaustive search, no certificate)\n");
}

/// An error lies just outside some bounds, and just inside the next.
#[test]
fn bounds_are_kept() {
    let dir = scratch("bounds");
    let file = dir.join("twice.c");
    let text = "#include <pthread.h>\n#include <assert.h>\nint x;\n\
         void *t(void *a) { for (int i = 0; i < 5; i++) x = x + 1; return 0; }\n\
         int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); int a = x; int b = x;\nassert(b - a < 5); }\n";
    std::fs::write(&file, text).unwrap();
    let verdict = |arguments: &[&str]| refute(&file, arguments).0;
    assert_eq!(verdict(&["--preemptions", "0"]), Some(5));
    assert_eq!(verdict(&["--preemptions", "1"]), Some(10));
    assert_eq!(verdict(&["--unwind", "3"]), Some(5));
    assert_eq!(verdict(&["--unwind", "4"]), Some(10));
    assert_eq!(verdict(&["--contexts", "1"]), Some(5));
    assert_eq!(verdict(&["--contexts", "3"]), Some(10));
    assert_eq!(verdict(&["--shortest"]), Some(10));
    assert_eq!(verdict(&["--bitstate", "20"]), Some(10));
}

#[test]
fn each_claim_is_looked_at_and_evidence_is_written() {
    let dir = scratch("refuted");
    let file = dir.join("two.c");
    let text = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *t(void *a) { x = 1; return 0; }\n\
         int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);\nassert(x == 0);\nassert(x <= 1);\nassert(x == 1); }\n";
    std::fs::write(&file, text).unwrap();
    let path = |name: &str| dir.join(name).display().to_string();
    let (j, w, h) = (path("j.json"), path("w.yml"), path("h.c"));
    let (code, stdout, stderr) = refute(&file, &["--json", &j, "--witness", &w, "--harness", &h]);
    assert_eq!((code, stdout.as_str()), VIOLATED, "{stderr}");
    let json: Value = serde_json::from_str(&std::fs::read_to_string(&j).unwrap()).unwrap();
    assert_eq!(json["found_by"], "explicit");
    let verdicts: Vec<&str> =
        json["claims"].as_array().unwrap().iter().map(|c| c["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["false", "unknown", "false"]);
    assert!(std::fs::metadata(&w).is_ok() && std::fs::metadata(&h).is_ok());
    let check = Command::new(env!("CARGO_BIN_EXE_threader")).arg("check").arg(&file).arg(&w).output().unwrap();
    assert_eq!(check.status.code(), Some(10));
}

#[test]
fn undefined_behaviour_is_found_where_it_is_asked_for() {
    let dir = scratch("refuted_overflow");
    let file = dir.join("sum.c");
    let text =
        "extern int __VERIFIER_nondet_int(void);\nint main(void) { int a = __VERIFIER_nondet_int();\nreturn a + 1; }\n";
    std::fs::write(&file, text).unwrap();
    let (code, stdout, stderr) = refute(&file, &["--property", "no-overflow", "--timeout", "30"]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(no-overflow)\n"), "{stderr}");
    assert!(stderr.contains("sum.c:3: signed overflow"), "{stderr}");
}
