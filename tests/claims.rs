//! Every claim has a verdict of its own, through the binary.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::native::scratch;

/// Four claims: the first two fail, the last two hold.
const FOUR: &str = "\
#include <pthread.h>
#include <assert.h>
int x, y;
void *t(void *a) {
  x = 1;
  assert(x == 1);
  y = 1;
  return 0;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  x = 2;
  assert(y == 0);
  pthread_join(p, 0);
  assert(y == 1);
  if (x > 5) assert(0);
  return 0;
}
";

fn written(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Exit code, stdout and stderr of `prove`.
fn prove(file: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    threader(&[&["prove", &file.display().to_string()], arguments].concat())
}

fn threader(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The lines of the list of claims, without the folder.
fn listed(dir: &Path, stderr: &str) -> Vec<String> {
    let list = stderr.split_once("claims:\n").unwrap_or_else(|| panic!("no claims in {stderr}")).1;
    list.lines()
        .map_while(|line| line.strip_prefix("  "))
        .map(|line| line.replace(&format!("{}/", dir.display()), ""))
        .collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn one_violated_claim_does_not_end_the_others() {
    let dir = scratch("each_claim");
    let file = written(&dir, "four.c", FOUR);
    let outputs = ["j.json", "s.sarif", "p.html"].map(|name| dir.join(name));
    let [j, s, h] = outputs.each_ref().map(|path| path.display().to_string());
    let (code, stdout, stderr) = prove(&file, &["--json", &j, "--sarif", &s, "--html", &h]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"));
    let expected = [
        "four.c:6: assertion x == 1: false",
        "four.c:14: assertion y == 0: false",
        "four.c:16: assertion y == 1: true, reached",
        "four.c:17: assertion 0: true, unreachable",
    ];
    assert_eq!(listed(&dir, &stderr), expected);
    for fails in ["four.c:6: assertion x == 1 fails\n", "four.c:14: assertion y == 0 fails\n"] {
        assert!(stderr.contains(fails), "{stderr}");
    }
    assert_eq!(stderr.matches("counterexample:").count(), 2);
    let claims = &json(&outputs[0])["claims"];
    let verdicts: Vec<(u64, &str)> = claims
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| {
            assert_eq!(claim["property"], "unreach-call");
            assert_eq!(claim["evidence"].is_null(), claim["verdict"] != "false");
            (claim["place"]["line"].as_u64().unwrap(), claim["verdict"].as_str().unwrap())
        })
        .collect();
    assert_eq!(verdicts, [(6, "false"), (14, "false"), (16, "true"), (17, "true")]);
    let results = json(&outputs[1])["runs"][0]["results"].clone();
    let line = |result: &Value| result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
    assert_eq!(results.as_array().unwrap().iter().map(line).collect::<Vec<_>>(), [6, 14]);
    assert!(std::fs::read_to_string(&outputs[2]).unwrap().contains("assertion y == 1"));
}

#[test]
fn the_first_violation_is_enough_if_one_says_so() {
    let dir = scratch("first_claim");
    let file = written(&dir, "four.c", FOUR);
    let (code, stdout, stderr) = prove(&file, &["--first"]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"));
    let list = listed(&dir, &stderr);
    assert_eq!(list.iter().filter(|line| line.ends_with(": false")).count(), 1, "{list:?}");
    assert_eq!(list.iter().filter(|line| line.ends_with("unknown (not looked at, because of --first)")).count(), 3);
}

#[test]
fn a_certificate_says_which_claims_it_is_about() {
    let dir = scratch("certified_claims");
    let file = written(&dir, "four.c", FOUR);
    let certificate = dir.join("c.cert").display().to_string();
    prove(&file, &["--certificate", &certificate]);
    let check = || threader(&["check", &file.display().to_string(), &certificate]);
    let (code, stdout, stderr) = check();
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stdout.starts_with("Result: unknown(the certificate is not about "), "{stdout}");
    assert!(stderr.contains("four.c:14: assertion y == 0"), "{stderr}");
    // What is said to be proved must be.
    let text = std::fs::read_to_string(&certificate).unwrap();
    assert!(text.contains("(claims (unreach-call four.c 16 3) (unreach-call four.c 17 14))"), "{text}");
    std::fs::write(&certificate, text.replace("(claims ", "(claims (unreach-call four.c 14 3) ")).unwrap();
    let (code, stdout, _) = check();
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(evidence rejected)\n"));
    let whole: String = text.lines().filter(|line| !line.contains("(claims")).map(|line| format!("{line}\n")).collect();
    std::fs::write(&certificate, whole).unwrap();
    assert_ne!(check().1, "Result: true\n", "without a list it is about all claims");
}

/// The counter that the second claim is about is beyond what is proved in the time.
#[test]
fn a_violation_stands_though_the_time_is_up() {
    let hard = "\
#include <pthread.h>
#include <assert.h>
unsigned a = 1, b = 1;
int z;
void *t(void *p) { while (1) { a = a * b + 3; b = b * a + 5; assert(a * a != 2654435761u * b + 77); } }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  z = 1;
  assert(z == 2);
  return 0;
}
";
    let dir = scratch("standing_claim");
    let file = written(&dir, "hard.c", hard);
    for more in [&[][..], &["--memory", "4000"]] {
        let (code, stdout, stderr) = prove(&file, &[&["--timeout", "6"], more].concat());
        assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
        assert!(stderr.contains("hard.c:10: assertion z == 2 fails"), "{stderr}");
        assert_eq!(
            listed(&dir, &stderr),
            [
                "hard.c:5: assertion a * a != 2654435761u * b + 77: unknown (timeout)",
                "hard.c:10: assertion z == 2: false",
            ]
        );
    }
}

/// An address is handed out again: the assertion fails, and yet every access is valid.
const HANDED_OUT_AGAIN: &str = "\
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *first = malloc(sizeof *first);
  uintptr_t before = (uintptr_t)first;
  free(first);
  int *second = malloc(sizeof *second);
  assert((uintptr_t)second != before);
  *second = 1;
  free(second);
  return 0;
}
";

/// Each part of what is asked has its own program: accesses are looked at without memory that is used again, assertions with it.
#[test]
fn what_needs_another_program_gets_one() {
    let dir = scratch("parts");
    let file = written(&dir, "again.c", HANDED_OUT_AGAIN);
    for (asked, expected) in [
        ("unreach-call", "Result: false(unreach-call)\n"),
        ("valid-deref", "Result: true\n"),
        ("valid-deref,unreach-call", "Result: false(unreach-call)\n"),
        ("unreach-call,valid-deref", "Result: false(unreach-call)\n"),
        ("all", "Result: false(unreach-call)\n"),
    ] {
        let (_, stdout, stderr) = prove(&file, &["--property", asked, "--timeout", "60"]);
        assert_eq!(stdout, expected, "{asked}: {stderr}");
    }
    let (_, _, stderr) = prove(&file, &["--property", "valid-deref,unreach-call", "--timeout", "60"]);
    let expected = ["again.c:9: assertion (uintptr_t)second != before: false", "valid-deref: 1 claim: true, reached"];
    assert_eq!(listed(&dir, &stderr), expected);
    let (code, _, stderr) = prove(&file, &["--property", "valid-deref,unreach-call", "--no-reuse", "--timeout", "60"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("no address of allocated memory is handed out twice"), "{stderr}");
    std::fs::remove_dir_all(dir).unwrap();
}

/// A program that is all right in every respect.
const LOCKED: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int hits, *cell;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  hits++;
  *cell = hits;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t one, two;
  cell = malloc(sizeof *cell);
  pthread_create(&one, NULL, worker, NULL);
  pthread_create(&two, NULL, worker, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(*cell == 2);
  free(cell);
  return 0;
}
";

/// Several proofs are one together: no part is assumed by another, and every one is in the files.
#[test]
fn the_proofs_of_all_parts_are_one() {
    let dir = scratch("together");
    let file = written(&dir, "locked.c", LOCKED);
    let [data, page, certificate] = ["locked.json", "locked.html", "locked.cert"].map(|name| dir.join(name));
    let [shown, page_shown, proof] = [&data, &page, &certificate].map(|path| path.display().to_string());
    let (code, stdout, stderr) = prove(
        &file,
        &["--property", "all", "--timeout", "60", "--json", &shown, "--html", &page_shown, "--certificate", &proof],
    );
    assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
    assert!(!stderr.contains("no undefined behaviour by"), "another part has shown it: {stderr}");
    let found = json(&data);
    let served = |proof: &Value| proof["properties"][0].as_str().unwrap().to_string();
    let parts: Vec<String> = found["proofs"].as_array().unwrap().iter().map(served).collect();
    assert_eq!(parts, ["unreach-call", "no-data-race", "valid-deref", "valid-memtrack", "no-deadlock"]);
    assert!(found["claims"].as_array().unwrap().iter().all(|claim| claim["verdict"] == "true"));
    assert!(std::fs::read_to_string(&page).unwrap().contains("no deadlock"));

    let text = std::fs::read_to_string(&certificate).unwrap();
    let check = |text: &str, asked: &str| {
        std::fs::write(&certificate, text).unwrap();
        threader(&["check", &file.display().to_string(), &proof, "--property", asked, "--timeout", "60"])
    };
    let (code, stdout, stderr) = check(&text, "all");
    assert_eq!((code, stdout.as_str()), (Some(0), "Result: true\n"), "{stderr}");
    // A part without its proof is not proved.
    let (first, rest) = text.split_once("(threader-certificate 2\n  (producer").unwrap();
    assert!(first.is_empty());
    let next = rest.find("(threader-certificate").unwrap();
    let (code, stdout, _) = check(&rest[next..], "all");
    assert_eq!(code, Some(5));
    assert!(stdout.contains("the certificate is not about") && stdout.contains("assertion *cell == 2"), "{stdout}");
    // A certificate cannot choose a program for itself, in which another part's questions are not asked.
    let (code, _, stderr) = check(&text.replace("(serves no-deadlock)", "(serves no-deadlock valid-deref)"), "all");
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("and none does that here"), "{stderr}");
    let (code, ..) = check(&text, "unreach-call");
    assert_eq!(code, Some(2));
    std::fs::remove_dir_all(dir).unwrap();
}

/// What is refused for one part is no reason to leave the others.
#[test]
fn a_part_that_is_not_modelled_leaves_the_others() {
    let dir = scratch("refused");
    let text = "#include <assert.h>\n#include <stdio.h>\nint x;\nint main(void) {\n  char s[8];\n  sprintf(s, \"%d\", 1);\n  assert(x == N);\n  return 0;\n}\n";
    let file = written(&dir, "refused.c", text);
    let data = dir.join("refused.json");
    let shown = data.display().to_string();
    let asked = ["--property", "valid-deref,unreach-call", "--timeout", "60", "--json", &shown];
    let (code, stdout, stderr) = prove(&file, &[&asked[..], &["-D", "N=1"]].concat());
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(unreach-call)\n"), "{stderr}");
    assert_eq!(json(&data)["refused"][0]["properties"][0], "valid-deref");
    let (code, stdout, stderr) = prove(&file, &[&asked[..], &["-D", "N=0"]].concat());
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stdout.starts_with("Result: unknown(unsupported: "), "{stdout}");
    assert_eq!(json(&data)["verdict"], "unknown");
    let list = listed(&dir, &stderr);
    assert_eq!(list[0], "refused.c:7: assertion x == N: true, reached");
    assert!(list[1].starts_with("valid-deref: unknown (unsupported: "), "{list:?}");
    std::fs::remove_dir_all(dir).unwrap();
}

/// The parts share the time: one that takes all of it does not keep an error of another from being found.
#[test]
fn a_hard_part_does_not_hide_the_error_of_another() {
    let dir = scratch("shares");
    let text = "\
#include <assert.h>
#include <pthread.h>
unsigned long x = 3;
int z;
void *t(void *a) {
  z = 1;
  for (;;) x = x * x % 2147483647;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  z = 2;
  assert(x != 0);
  return 0;
}
";
    let file = written(&dir, "hard.c", text);
    let (code, stdout, stderr) = prove(&file, &["--property", "unreach-call,no-data-race", "--timeout", "8"]);
    assert_eq!((code, stdout.as_str()), (Some(10), "Result: false(no-data-race)\n"), "{stderr}");
    let list = listed(&dir, &stderr);
    assert!(list.contains(&"hard.c:13: assertion x != 0: unknown (timeout)".to_string()), "{list:?}");
    std::fs::remove_dir_all(dir).unwrap();
}
