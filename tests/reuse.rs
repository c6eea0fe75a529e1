//! Memory that is used again, through the binary.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::native::scratch;

fn threader(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).display().to_string()
}

fn written(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, format!("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n{text}")).unwrap();
    path
}

const NEVER: &str = "no address of allocated memory is handed out twice";

#[test]
fn an_aba_error_is_found_and_needs_memory_that_is_used_again() {
    let file = corpus("reuse/treiber-aba.c");
    for command in ["prove", "refute"] {
        let (result, report) = threader(&[command, &file]);
        assert_eq!(result, "Result: false(unreach-call)\n", "{command}");
        for shown in ["chosen: memory that was freed", "freed(block@22)"] {
            assert!(report.contains(shown), "{command}: {shown}: {report}");
        }
    }
    let (result, report) = threader(&["prove", &file, "--no-reuse"]);
    assert_eq!(result, "Result: true\n");
    assert!(report.contains(NEVER), "{report}");
}

/// A stale pointer may equal a fresh one, and need not.
#[test]
fn a_stale_pointer_is_compared() {
    let dir = scratch("stale");
    let text = |claim: &str| {
        format!(
            "int main(void) {{\n int *p = malloc(4);\n free(p);\n int *q = malloc(4);\n assert({claim});\n return 0;\n}}\n"
        )
    };
    for (name, claim, expected) in
        [("unequal.c", "p != q", "false(unreach-call)"), ("equal.c", "p == q", "false(unreach-call)")]
    {
        let file = written(&dir, name, &text(claim));
        assert_eq!(threader(&["prove", &file.display().to_string()]).0, format!("Result: {expected}\n"), "{claim}");
    }
    let file = written(&dir, "assumed.c", &text("p != q")).display().to_string();
    let (result, report) = threader(&["prove", &file, "--no-reuse"]);
    assert!(result == "Result: true\n" && report.contains(NEVER), "{report}");
}

/// An access through a stale pointer is valid if the memory is in use again, and undefined if it is not.
#[test]
fn a_stale_pointer_is_dereferenced() {
    let dir = scratch("dereferenced");
    let text = "int main(void) {\n int *p = malloc(4);\n free(p);\n int *q = malloc(4);\n *q = 5;\n assert(*p != 5);\n return 0;\n}\n";
    let file = written(&dir, "read.c", text).display().to_string();
    assert_eq!(threader(&["prove", &file]).0, "Result: false(unreach-call)\n");
    let (result, report) = threader(&["prove", &file, "--no-reuse"]);
    assert!(result == "Result: true\n" && report.contains("true, unreachable"), "{report}");
    let text = "int main(void) {\n int *p = malloc(4);\n *p = 1;\n free(p);\n assert(*p != 1);\n return 0;\n}\n";
    let file = written(&dir, "dead.c", text).display().to_string();
    let (result, report) = threader(&["prove", &file]);
    assert!(result == "Result: true\n" && report.contains("true, unreachable"), "{report}");
}

/// Two allocations never get the same memory at the same time, and what is not allocated cannot be meant.
#[test]
fn living_blocks_are_apart() {
    let dir = scratch("apart");
    let text = "int *shared; void *taker(void *a) { int *p = malloc(4); *p = 1; assert(*p == 1); return 0; }
int main(void) {
  pthread_t s, t;
  shared = malloc(4);
  free(shared);
  pthread_create(&s, 0, taker, 0);
  pthread_create(&t, 0, taker, 0);
  int *q = malloc(4);
  *q = 2;
  assert(*q == 2);
  assert(q != shared || q == shared);
  return 0;
}
";
    let file = written(&dir, "apart.c", text).display().to_string();
    let (result, report) = threader(&["prove", &file]);
    assert_eq!(result, "Result: true\n", "{report}");
    assert!(!report.contains(NEVER), "{report}");
}

/// Where nobody can notice, nothing is assumed, and the certificate is checked from disk.
#[test]
fn who_keeps_no_pointer_cannot_notice() {
    let dir = scratch("unnoticed");
    let certificate = dir.join("channel.cert").display().to_string();
    for name in ["memory/channel.c", "memory/malloc_in_loop.c", "memory/argument_freed_by_child.c"] {
        let file = corpus(name);
        let (result, report) = threader(&["prove", &file, "--certificate", &certificate]);
        assert_eq!(result, "Result: true\n", "{name}: {report}");
        assert!(!report.contains("handed out"), "{name}: {report}");
        assert_eq!(threader(&["check", &file, &certificate]).0, "Result: true\n", "{name}");
    }
}
