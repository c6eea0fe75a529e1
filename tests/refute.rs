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
    for name in [
        "programs/bounded/reorder_unsafe",
        "programs/bounded/work_stealing_unsafe",
        "programs/bounded/counter50_unsafe",
        "parametric/qrcu_unsafe",
    ] {
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
    let one = covered("programs/bounded/fib_bench", &["--preemptions", "1"]);
    assert_eq!(one, "Result: unknown(no error with up to 1 preemption, up to 3 threads)\n");
    let unwound = covered("programs/bounded/fib_bench", &["--contexts", "4", "--unwind", "2"]);
    assert!(
        unwound.starts_with("Result: unknown(no error with up to 4 switches and 2 iterations of the loops at "),
        "{unwound}"
    );
    assert!(unwound.contains("fib_bench.c:"), "{unwound}");
    let all = covered("programs/bounded/circular_buffer", &[]);
    assert_eq!(all, "Result: unknown(exhaustive search, no certificate)\n");
}

/// A search that has seen all states, if they are few, is a proof that others can check. What was not looked at may be anything.
#[test]
fn few_states_are_a_proof() {
    let dir = scratch("few_states");
    let chosen = dir.join("chosen.c");
    let text = "#include <assert.h>\n#include <pthread.h>\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
         unsigned char x, y; int a[9];\nvoid *t(void *p) { y = x; a[2] = 1; return 0; }\n\
         int main(void) { pthread_t p; x = __VERIFIER_nondet_uchar(); pthread_create(&p, 0, t, 0); pthread_join(p, 0);\n\
         assert(x == y && a[2] == 1 && a[3] == 0); }\n";
    std::fs::write(&chosen, text).unwrap();
    let files = [
        "programs/bounded/reorder",
        "programs/bounded/robots",
        "programs/bounded/bigshot_s2",
        "programs/table1/dekker",
    ]
    .map(program);
    for file in files.iter().chain([&chosen]) {
        let certificate = dir.join("certificate");
        let (code, stdout, stderr) = refute(file, &["--certificate", &certificate.display().to_string()]);
        assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{}: {stderr}", file.display());
        assert!(stderr.contains("found by explicit") && stderr.contains(": true, reached"), "{stderr}");
        let mut check = Command::new(env!("CARGO_BIN_EXE_threader"));
        let output = check.arg("check").arg(file).arg(&certificate).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // Of a proof that says nothing it is said so.
    let empty = dir.join("empty.c");
    std::fs::write(&empty, "#include <assert.h>\nint *p; int main(void) { *p = 1; assert(0); }\n").unwrap();
    let (code, _, stderr) = refute(&empty, &[]);
    assert!(code != Some(10) && (code != Some(0) || stderr.contains("W-vacuous")), "{stderr}");
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
    assert_eq!(verdicts, ["false", "true", "false"]);
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

/// Values that no condition names are the solver's to find: of one step, and of what is chosen late.
#[test]
fn values_are_computed() {
    let file = scratch("refuted_values").join("values.c");
    let nondet =
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n";
    for text in [
        "int main(void) { unsigned h = __VERIFIER_nondet_uint(); if (h * 2654435761u == 12345u) assert(0); }",
        "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); \
         if (a + b == 100 && a - b > 5000 && a % 977 == 3) assert(b < -90000); }",
        "int x; int main(void) { x = __VERIFIER_nondet_int(); if (x > 9 && x * x == 1522756) assert(0); }",
    ] {
        std::fs::write(&file, format!("{nondet}{text}\n")).unwrap();
        let (code, stdout, stderr) = refute(&file, &["--timeout", "60"]);
        assert_eq!((code, stdout.as_str()), VIOLATED, "{text}: {stderr}");
    }
}

/// What goes wrong may be that there are many of the threads that are created without bound.
#[test]
fn many_threads_are_created_without_bound() {
    let file = scratch("refuted_many").join("many.c");
    let text = "#include <assert.h>\n#include <pthread.h>\nint n; pthread_mutex_t m;\n\
         void *t(void *a) { pthread_mutex_lock(&m); n++; assert(n < 7); pthread_mutex_unlock(&m); return 0; }\n\
         int main(void) { pthread_t p; while (1) pthread_create(&p, 0, t, 0); }\n";
    std::fs::write(&file, text).unwrap();
    let (code, stdout, stderr) = refute(&file, &["--timeout", "60"]);
    assert_eq!((code, stdout.as_str()), VIOLATED, "{stderr}");
}

/// With given bounds, too, any number of workers finds the same, and the error is one that the smallest bound allows.
#[test]
fn workers_change_nothing() {
    for name in [
        "programs/bounded/fib_bench_unsafe",
        "programs/bounded/reorder_unsafe",
        "programs/bounded/lazy01_unsafe",
        "programs/bounded/seqlock",
    ] {
        for bound in ["--preemptions", "--contexts"] {
            let found = |most: &str, workers: &str| refute(&program(name), &[bound, most, "-j", workers]);
            let one = found("5", "1");
            assert_eq!(found("5", "3"), one, "{name} {bound}");
            let least = (0..5).map(|most| found(&most.to_string(), "2")).find(|found| found.0 == Some(10));
            assert_eq!(least.unwrap_or_else(|| one.clone()).0, one.0, "{name} {bound}");
        }
    }
}

/// A search that was cut short names the bounds that it would have met later.
#[test]
fn bounds_are_named_of_what_was_cut_short() {
    let (code, stdout, stderr) =
        refute(&program("programs/bounded/micro"), &["--preemptions", "50", "--timeout", "1", "-D", "THREADS=5"]);
    assert_eq!(code, Some(5), "{stderr}");
    let bounds = "no error with up to 50 preemptions, up to ";
    assert!(stdout.contains(bounds) && stdout.ends_with("stopped before the end)\n"), "{stdout}");
}

/// Two threads hand over, while others stir what nobody looks at: states are few for who does not look at it either.
const NOISY: &str = "#include <pthread.h>\n#include <assert.h>\n\
     unsigned noise; int *p; struct { int turn, seen[12]; } s;\n\
     void *stir(void *a) { for (;;) noise = noise * 3 + 1; return 0; }\n\
     void *hand(void *a) { for (int i = 0; i < 12; i++) { while (s.turn != i) ; s.seen[i] = 1; s.turn = i + 1; } return 0; }\n\
     int main(void) { pthread_t t; pthread_create(&t, 0, stir, 0); pthread_create(&t, 0, stir, 0);\n\
     pthread_create(&t, 0, hand, 0); int x = s.turn;\nassert(x < 9); }\n";

#[test]
fn states_are_recognised_by_what_is_observed() {
    let file = scratch("observed").join("noisy.c");
    std::fs::write(&file, NOISY).unwrap();
    let preemptive = |observe: &str| refute(&file, &["--contexts", "6", "--timeout", "60", "--observe", observe]);
    let (code, stdout, stderr) = preemptive("s.turn,s.seen[s.turn - 1]");
    assert_eq!((code, stdout.as_str()), VIOLATED, "{stderr}");
    // Who sees too little finds nothing, and does not claim to have seen everything.
    let (code, stdout, stderr) = preemptive("0");
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stdout.contains("states recognised by what is observed"), "{stdout}");
}

#[test]
fn what_cannot_be_observed_has_a_caret() {
    let file = scratch("unobserved").join("noisy.c");
    std::fs::write(&file, NOISY).unwrap();
    for (expression, code, message) in [
        ("noise,turn", 2, "error: `turn` is undeclared\n --> --observe:2:1\n  |\n2 | turn\n  | ^\n"),
        ("noise + *p", 5, "error: observing what a pointer points to\n --> --observe:1:9\n"),
        ("noise++", 5, "error: observing what may have effects\n --> --observe:1:1\n"),
        ("s", 5, "error: observing what is no integer and no pointer\n --> --observe:1:1\n"),
        ("noise; noise", 2, "error: not one expression\n --> --observe:1"),
        ("noise +", 2, "error: unexpected `;`\n --> --observe:1\n"),
    ] {
        let (found, _, stderr) = refute(&file, &["--observe", expression]);
        assert_eq!(found, Some(code), "{expression}: {stderr}");
        assert!(stderr.contains(message), "{expression}: {stderr}");
    }
}

/// One of very many threads matters: those that never move cost nothing.
#[test]
fn ten_thousand_threads_are_created() {
    let file = program("programs/bounded/many_threads_unsafe");
    for command in ["refute", "prove"] {
        let mut threader = Command::new(env!("CARGO_BIN_EXE_threader"));
        let output =
            threader.arg(command).arg(&file).args(["-D", "THREADS=10000", "--timeout", "60"]).output().unwrap();
        assert_eq!(output.status.code(), Some(10), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Threads that never move have handles of their own, and who joins one waits for ever.
#[test]
fn threads_that_never_move_are_threads() {
    let file = scratch("idle").join("idle.c");
    let text = |claim: &str| {
        format!(
            "#include <pthread.h>\n#include <assert.h>\nint x; pthread_t t[400];\nvoid *f(void *a) {{ x = 1; return 0; }}\n\
             void *g(void *a) {{ return 0; }}\nint main(void) {{ pthread_t u;\n\
             for (int i = 0; i < 400; i++) {{ pthread_create(&t[i], 0, f, 0); pthread_create(&u, 0, g, 0);\n\
             if (pthread_equal(u, t[i])) assert({claim} != 1); }}\n\
             int equal = 0; for (int i = 1; i < 400; i++) if (pthread_equal(t[i], t[i - 1])) equal = 1;\n\
             assert({claim} != 2 || !equal);\nassert({claim} != 3 || x == 0);\n\
             for (int i = 0; i < 400; i++) pthread_join(t[i], 0);\nassert({claim} != 4 || x == 1);\n}}\n"
        )
    };
    for (claim, code, timeout) in [("1", 5, "2"), ("2", 5, "2"), ("3", 10, "60"), ("4", 5, "2")] {
        std::fs::write(&file, text(claim)).unwrap();
        let (found, stdout, stderr) = refute(&file, &["--timeout", timeout, "--first"]);
        assert_eq!(found, Some(code), "{claim}: {stdout}{stderr}");
    }
}
