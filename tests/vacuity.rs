//! A proof about what no run comes to is told so, through the binary.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::heads::corpus;
use support::native::scratch;
use support::rng;

/// The last line of stdout, what is on stderr, and the JSON.
struct Answer {
    result: String,
    stderr: String,
    json: Value,
}

fn prove(dir: &Path, name: &str, text: &str, arguments: &[&str]) -> Answer {
    let (file, json) = (dir.join(name), dir.join(format!("{name}.json")));
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.arg("prove").arg(&file).arg("--json").arg(&json).args(["-j", "1"]).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let read = std::fs::read_to_string(&json).ok();
    Answer {
        result: text(output.stdout).trim_end().to_string(),
        stderr: text(output.stderr),
        json: read.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap()),
    }
}

impl Answer {
    /// What is said of whether runs come to each claim, in the order of the text.
    fn reach(&self) -> Vec<&str> {
        let claims = self.json["claims"].as_array().expect("a list of claims");
        claims.iter().map(|claim| claim["reach"].as_str().unwrap_or("-")).collect()
    }

    /// The claim with which a text was changed: `assertion 0`, or one that ends with `, 0)`.
    fn planted(&self) -> (&str, &str) {
        let claims = self.json["claims"].as_array().expect("a list of claims");
        let is_planted = |claim: &&Value| claim["what"].as_str().is_some_and(|what| what.ends_with("PLANTED)"));
        let claim = claims.iter().find(is_planted).expect("the planted claim");
        (claim["verdict"].as_str().unwrap(), claim["reach"].as_str().unwrap_or("-"))
    }
}

const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n";

#[test]
fn undefined_behaviour_before_an_assertion_is_named() {
    let dir = scratch("vacuous");
    let answer = prove(&dir, "null.c", "#include <assert.h>\nint *p; int main(void) {\n*p = 1;\nassert(0); }\n", &[]);
    assert_eq!(answer.result, "Result: true");
    assert_eq!(answer.reach(), ["unreachable"]);
    for said in
        ["assertion 0: true, unreachable\n", "warning: assertion 0 holds because no run comes to it", "W-vacuous"]
    {
        assert!(answer.stderr.contains(said), "{said}: {}", answer.stderr);
    }
    let end = &answer.json["ends"][0];
    assert_eq!((end["end"].as_str(), end["place"]["line"].as_u64()), (Some("invalid pointer"), Some(3)));
    assert!(answer.stderr.contains("null.c:3 (invalid pointer)"), "{}", answer.stderr);
    let page = dir.join("null.html");
    prove(
        &dir,
        "null.c",
        &std::fs::read_to_string(dir.join("null.c")).unwrap(),
        &["--html", &page.display().to_string()],
    );
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(r#""why":"unreachable""#) && page.contains("null.c:3 (invalid pointer)"), "{page}");
}

#[test]
fn a_pool_that_destroys_a_mutex_which_it_holds_proves_nothing() {
    let text = "pthread_mutex_t m; int done;
void *work(void *a) { pthread_mutex_lock(&m); done++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t pool[3];
  pthread_mutex_init(&m, 0);
  for (int i = 0; i < 3; i++) pthread_create(&pool[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(pool[i], 0);
  pthread_mutex_lock(&m);
  pthread_mutex_destroy(&m);
  assert(0);
}
";
    let answer = prove(&scratch("pool"), "pool.c", &format!("{HEADERS}{text}"), &[]);
    assert_eq!((answer.result.as_str(), answer.reach()), ("Result: true", vec!["unreachable"]));
    let ends = answer.json["ends"].as_array().unwrap();
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert_eq!(ends[0]["place"]["line"].as_u64(), Some(12));
    assert!(answer.stderr.contains("all runs found end in undefined behaviour at"), "{}", answer.stderr);
}

/// What is decided before anything runs, what is dead, what is stuck, and what comes after the end.
#[test]
fn each_claim_is_told_by_itself() {
    let dir = scratch("each_reach");
    let text = "int x, y;
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *w(void *a) { if (x < 0) reach_error(); return 0; }
int main(void) {
  pthread_t t;
  assert(1);
  if (x) { assert(x == 2); }
  if (0) reach_error();
  assert(sizeof(int) == 4);
  pthread_create(&t, 0, w, 0);
  y = __VERIFIER_nondet_int() % 2;
  switch (y) { case 3: reach_error(); }
  while (x > 7) { reach_error(); }
  if (x > 3) goto out;
  exit(0);
  assert(x == 1);
out:
  reach_error();
}
";
    let answer = prove(&dir, "each.c", &format!("{HEADERS}{text}"), &[]);
    assert_eq!(answer.result, "Result: true");
    let expected =
        ["reached", "reached", "unreachable", "reached", "reached", "reached", "reached", "unreachable", "reached"];
    assert_eq!(answer.reach(), expected, "{}", answer.stderr);
    assert!(!answer.stderr.contains("end normally"), "{}", answer.stderr);
}

/// A claim that operations are defined is reached where they are about to be made.
#[test]
fn operations_are_reached() {
    let dir = scratch("operations");
    let text = "int x, y; extern int __VERIFIER_nondet_int(void);\nint main(void) { x = __VERIFIER_nondet_int(); if (x == 0 || x == 1) return 0; \
y = 6 / x; if (x == 0) x = y % (x - 1); return 0; }\n";
    let answer = prove(&dir, "operations.c", text, &["--property", "no-division-by-zero"]);
    assert_eq!((answer.result.as_str(), answer.reach()), ("Result: true", vec!["reached", "unreachable"]));
    assert!(answer.stderr.contains("no run was found to come to 1 of the operations for no-division-by-zero"));
}

/// The programs of the corpus that are proved, with their texts.
fn proved() -> Vec<(PathBuf, String)> {
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    let all: Vec<(PathBuf, String)> =
        corpus().into_iter().map(read).filter(|(_, text)| text.starts_with("// verdict: true")).collect();
    assert!(all.len() > 200, "only {} programs", all.len());
    all
}

/// Some of them; all in a soak.
fn sampled(count: u64) -> Vec<(PathBuf, String)> {
    let all = proved();
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let (count, seed) = (size(rng::cases(count)).min(all.len()), size(rng::seed()));
    (0..count).map(|k| all[(k * all.len() / count + seed) % all.len()].clone()).collect()
}

/// The text with an assertion that fails where main ends.
fn with_failing_end(text: &str) -> Option<String> {
    let main = text.find("int main(")?;
    let open = main + text[main..].find('{')?;
    let mut depth = 0;
    let length = text[open..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    let end = open + length;
    let body = &text[open..end];
    let last = body.trim_end().rsplit_once('\n').map_or(body, |(_, line)| line).trim();
    let at = if last.starts_with("return") { open + body.rfind("return")? } else { end };
    let marked = format!("{}\nassert((0, PLANTED));\n{}", &text[..at], &text[at..]);
    Some(format!("#include <assert.h>\n#define PLANTED 0\n{marked}"))
}

/// `assert(0)` before main's last return is proved of no program of the corpus, unless the report of the program without it says that no run was
/// found to come there.
#[test]
#[allow(clippy::print_stderr, reason = "a soak is to report its figures")]
fn a_failing_end_is_never_passed_off_as_proved() {
    let dir = scratch("failing_end");
    let (mut refuted, mut unreachable, mut unknown) = (0, Vec::new(), Vec::new());
    for (path, text) in sampled(16) {
        let Some(changed) = with_failing_end(&text) else { continue };
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        let answer = prove(&dir, &format!("changed_{name}"), &changed, &["--timeout", "30"]);
        match answer.result.as_str() {
            "Result: true" => {
                assert!(answer.stderr.contains("W-vacuous"), "{name}: {}", answer.stderr);
                let original = prove(&dir, &name, &text, &["--timeout", "60"]);
                let end =
                    original.json["end_of_main"].as_str().unwrap_or_else(|| panic!("{name}: {}", original.stderr));
                // Main may return before; then the report warns of the claim to which no run comes.
                let said = if end == "reached" { "W-vacuous".into() } else { format!("the end of main: {end}\n") };
                assert!(original.stderr.contains(&said), "{name}: {end}: {}", original.stderr);
                unreachable.push(format!("{name} ({end})"));
            }
            "Result: false(unreach-call)" => refuted += 1,
            other => unknown.push(format!("{name}: {other}")),
        }
    }
    eprintln!(
        "{refuted} refuted, {} unreachable: {unreachable:?}, {} unknown: {unknown:?}",
        unreachable.len(),
        unknown.len()
    );
    let all = refuted + unreachable.len() + unknown.len();
    assert!(unknown.len() * 10 <= all, "{} of {all} unknown: {unknown:?}", unknown.len());
    assert!(refuted * 2 > all, "only {refuted} of {all} refuted");
}

/// What is said of main's end.
#[test]
fn the_end_of_main_is_reached_or_not() {
    let dir = scratch("end_of_main");
    let told = |text: &str| {
        let answer = prove(&dir, "end.c", &format!("{HEADERS}int x;\n{text}"), &[]);
        assert_eq!(answer.result, "Result: true", "{}", answer.stderr);
        let end = answer.json["end_of_main"].as_str().unwrap().to_string();
        assert_eq!(answer.stderr.contains("end of main"), end != "reached", "{}", answer.stderr);
        if end.starts_with("not") { "not".to_string() } else { end }
    };
    assert_eq!(told("int main(void) { assert(x == 0); }"), "reached");
    assert_eq!(told("int main(void) { assert(x == 0); if (x) exit(1); return 0; }"), "reached");
    assert_eq!(told("int main(void) { assert(x == 0); for (;;) x = 1 - x; }"), "unreachable");
    assert_eq!(told("int main(void) { assert(x == 0); exit(0); }"), "unreachable");
    assert_eq!(told("int *p; int main(void) { assert(x == 0); *p = 1; }"), "unreachable");
    let waits = "void *t(void *a) { while (1) ; }\nint main(void) { pthread_t p; assert(x == 0); \
                 pthread_create(&p, 0, t, 0); pthread_join(p, 0); }";
    assert_eq!(told(waits), "not");
}

/// An assertion is reached if and only if it can fail once it is evaluated.
#[test]
fn what_is_reached_can_fail() {
    let dir = scratch("reached_can_fail");
    let mut checked = 0;
    for (path, text) in sampled(8) {
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        let original = prove(&dir, &name, &text, &["--timeout", "30"]);
        if original.result != "Result: true" {
            continue;
        }
        for claim in original.json["claims"].as_array().unwrap() {
            let (reach, what) = (claim["reach"].as_str().unwrap(), claim["what"].as_str().unwrap());
            let Some(condition) = what.strip_prefix("assertion ") else { continue };
            let line = usize::try_from(claim["place"]["line"].as_u64().unwrap()).unwrap();
            let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            let stated = format!("assert({condition})");
            if text[before..].lines().next().is_none_or(|line| line.matches(&stated).count() != 1) {
                continue;
            }
            let planted = text[before..].replacen(&stated, &format!("assert(({condition}, PLANTED))"), 1);
            let planted = format!("#define PLANTED 0\n{}{planted}", &text[..before]);
            let answer = prove(&dir, &format!("planted_{line}_{name}"), &planted, &["--timeout", "30"]);
            let verdict = answer.planted().0;
            let expected = if reach == "reached" { "false" } else { "true" };
            assert!(verdict == expected || verdict == "unknown", "{name}:{line}: {reach}, but {verdict}");
            checked += usize::from(verdict == expected);
        }
    }
    assert!(checked > 4, "{checked}");
}
