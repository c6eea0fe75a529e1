//! Synchronisation through the binary: what a proof assumes, what is refused, what a switch changes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit code, stdout and stderr.
fn threader(file: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).arg("prove").arg(file).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/sync/{name}.c"))
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sync-{name}.c"));
    std::fs::write(&path, text).unwrap();
    path
}

/// Undefined behaviour that is no property must not become a bare `true`.
#[test]
fn assumptions_are_printed_with_the_proof() {
    let misuse = "  3. no undefined behaviour by misuse of a synchronisation object (";
    let orders = "  1. weaker memory orders are taken for seq_cst (";
    let given_up =
        "  3. no use of a synchronisation object after it was destroyed, or of a thread after it was detached (";
    let creation = "  5. threads can always be created (";
    for (name, lines) in [
        ("mutex-destroyed-while-held", vec![misuse, given_up]),
        ("mutex-destroyed-used", vec![misuse, given_up, creation]),
        ("mutex-unlocked-by-another", vec![misuse, creation]),
        ("double-checked-atomic", vec![orders, creation]),
        ("detach", vec![given_up, creation]),
        ("cbmc-input", vec![creation, "  6. functions without a body do nothing but return something: "]),
    ] {
        let (code, stdout, stderr) = threader(&program(name), &["--rule", "monolithic"]);
        assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{name}: {stderr}");
        let printed =
            stderr.lines().filter(|line| line.starts_with("  ") && line.contains(". ") && line.ends_with(')'));
        let printed: Vec<&str> = printed.filter(|line| line.trim().starts_with(['1', '3', '5', '6'])).collect();
        assert_eq!(printed.len(), lines.len(), "{name}: {stderr}");
        assert!(printed.iter().zip(&lines).all(|(line, start)| line.starts_with(start)), "{name}: {stderr}");
    }
}

/// What any number of threads adds to that.
#[test]
fn that_ids_suffice_is_assumed_where_threads_are_created_without_bound() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *set(void *p) { x = 1; assert(x); return p; }\n\
                int main(void) {\n  pthread_t t;\n  while (1)\n    pthread_create(&t, NULL, set, NULL);\n}\n";
    let (code, stdout, stderr) = threader(&written("ids", text), &[]);
    assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
    let assumption = " 12. at most 2^30 threads are created without bound (";
    assert!(stderr.lines().any(|line| line.starts_with(assumption)), "{stderr}");
    assert!(stderr.contains("sync-ids.c:8)"), "{stderr}");
}

#[test]
fn creation_fails_only_if_it_may() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint x;\n\
                void *set(void *p) { x = 1; return p; }\n\
                int main(void) {\n  pthread_t t;\n  int code = pthread_create(&t, NULL, set, NULL);\n\
                  if (code == 0)\n    pthread_join(t, NULL);\n  assert(x == 1);\n  return 0;\n}\n";
    let file = written("creation", text);
    let (code, stdout, stderr) = threader(&file, &[]);
    assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
    let (code, stdout, stderr) = threader(&file, &["--create-may-fail"]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
}

#[test]
fn what_is_not_modelled_is_refused_where_it_stands() {
    let refused = [
        ("pthread_t t = pthread_self(); pthread_cancel(t);", "thread cancellation"),
        ("pthread_key_t k; for (;;) pthread_key_create(&k, 0);", "creation of keys for thread-specific data in a loop"),
        ("sem_open(\"/s\", 0);", "named semaphores, which other processes can use"),
        ("pthread_mutexattr_t a; pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);", "robust mutexes"),
        (
            "static int a[2]; static _Atomic(int *) p = a; __c11_atomic_fetch_add(&p, 1, 5);",
            "`atomic_fetch_add` on a pointer, where gcc adds bytes and clang elements",
        ),
        ("static pthread_rwlock_t lock = { 7 };", "a pthread object of another kind than the default"),
    ];
    for (number, (statements, what)) in refused.iter().enumerate() {
        let text =
            format!("#include <pthread.h>\n#include <semaphore.h>\nint n;\nint main(void)\n{{\n{statements}\n}}\n");
        let (code, stdout, stderr) = threader(&written(&format!("refused-{number}"), &text), &[]);
        assert_eq!((code, stdout), (Some(5), format!("Result: unknown(unsupported: {what})\n")), "{stderr}");
        assert!(stderr.contains(".c:6:") && stderr.contains('^'), "{stderr}");
    }
}

/// `free` of what is mapped is undefined, and to leave it mapped is no leak: who asks about blocks is not told that all is well.
#[test]
fn what_is_mapped_is_no_block() {
    let text = "#include <stdlib.h>\n#include <sys/mman.h>\nint main(void) {\n\
                  int *p = mmap(0, 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n\
                  if (p != MAP_FAILED)\n    free(p);\n  return 0;\n}\n";
    let file = written("mapped", text);
    for property in ["valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup", "all"] {
        let (code, stdout, stderr) = threader(&file, &["--property", property]);
        let refused = "Result: unknown(unsupported: `mmap` where lives of blocks matter)\n";
        assert_eq!((code, stdout.as_str()), (Some(5), refused), "{property}: {stderr}");
    }
}
