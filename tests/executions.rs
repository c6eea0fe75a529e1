//! The correctness witness of each corpus proof, against real executions and against ourselves. The program is compiled with the
//! witness's invariants, and run two hundred times with real threads under a random scheduler: no invariant and no assertion may
//! fail. The witness fits the schema, and its invariants are proved. Which proofs have no witness, which witnesses say nothing, and
//! which take long to prove, is listed here.

#[path = "../src/harness/asynchronous.rs"]
mod asynchronous;
#[path = "../src/harness/places.rs"]
mod places;
mod support;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use saphyr::{LoadableYamlNode, Yaml};
use support::heads::{c_files, corpus};
use support::lowered::lower;
use support::native::{compiler, scratch};
use support::schema;

const RUNTIME: &str = include_str!("support/random_scheduler.c");
const ATOMICS: &str = include_str!("../src/harness/atomics.c");
/// Forks a process for each run: an execution that goes on for ever ends itself after so many steps.
const MAIN: &str = "
#undef main
#undef pthread_mutex_lock
RS_QUIET int main(void) {
  int blocked = 0;
  for (int seed = 1; seed <= RS_RUNS && blocked < 3; seed++) {
    int status;
    pid_t child = fork();
    if (child == 0) {
      srand(seed);
      ualarm(300000, 0);
      pthread_mutex_lock(&rs_baton);
      pthread_cleanup_push(rs_ended, 0);
      ((int (*)(int, char **))rs_main)(1, (char *[]){\"program\", 0});
      rs_go_on();
      pthread_cleanup_pop(0);
      _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) return 3;
    /* A deadlock is no failure of an invariant, nor is the program's own abort(); one that blocks always is not run on. */
    blocked += WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 42) return 42;
  }
  return 0;
}
";

/// Proofs without a witness: none is found in which a step is one access, of which witnesses speak.
const NO_WITNESS: &[&str] = &[
    "basics/instances-in-loop",
    "basics/iriw",
    "memory/events",
    "memory/logger",
    "memory/server",
    "parametric/driver_flags",
    "parametric/held_flag",
    "parametric/readers_writer",
];

/// Proofs whose witness says nothing: all that they need is outside of C's words, or below a statement.
const NO_INVARIANT: &[&str] = &[
    "addresses/alignment",
    "addresses/block_order",
    "addresses/literals",
    "addresses/small_number",
    "addresses/stack_order",
    "ids/join_nothing",
    "ids/kernel_ids",
    "ids/keys",
    "basics/argument-by-value",
    "basics/blocked-join",
    "basics/char-wrap",
    "basics/division-truncates",
    "basics/exit-before-error",
    "basics/overflow-is-undefined",
    "basics/short-circuit-skips",
    "basics/signed-unsigned-comparison",
    "basics/static-local",
    "basics/unsigned-wrap",
    "families/bakery",
    "library/barriers",
    "library/bits",
    "library/floats",
    "library/mapping",
    "library/numbers",
    "library/recursion",
    "library/union-argument",
    "memory/bitfields_exact",
    "memory/calloc_measured",
    "memory/calloc_zero",
    "memory/double_free",
    "memory/flexible_array_overrun",
    "memory/free_inside_block",
    "memory/integers_mixed",
    "memory/join_into_int",
    "memory/malloc_by_wrapper",
    "memory/malloc_in_loop",
    "memory/malloc_in_loop_freed",
    "memory/malloc_measured_overrun",
    "memory/malloc_published",
    "memory/memmove_overlap",
    "memory/realloc_grows",
    "memory/realloc_stale",
    "memory/treiber_stack",
    "memory/union_reinterpreted",
    "parametric/arguments",
    "parametric/own_slot",
    "parametric/slots",
    "sync/atomic-struct",
    "sync/atomic-struct-pointer",
    "sync/cbmc-async",
    "sync/mutex-destroyed-while-held",
    "table1/scull",
];

/// Witnesses whose invariants take us long to prove: what was found step by step is to be proved as one assertion.
const HARD: &[&str] = &["basics/bakery-counting", "once/lamport", "table1/lamport"];

/// Witnesses whose invariants, made assertions, have no proof at the levels that are tried.
const BEYOND_LEVELS: &[&str] = &["parametric/single_flight"];

/// A proof of the corpus.
struct Proof {
    name: String,
    file: PathBuf,
    rule: &'static str,
}

/// All proofs of the corpus: under the first of the rules that have one.
fn proofs() -> Vec<Proof> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut all = Vec::new();
    for file in c_files(&root.join("parametric")).into_iter().chain(corpus()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let rules = text.lines().find_map(|line| line.strip_prefix("// rules: ")).unwrap_or("all");
        let has = |rule: &&str| rules == "all" || rules.contains(rule);
        let rule = ["owicki-gries", "monolithic", "rely-guarantee"].into_iter().find(has);
        let name = file.strip_prefix(&root).unwrap().with_extension("").display().to_string();
        if let Some(rule) = rule.filter(|_| text.starts_with("// verdict: true")) {
            all.push(Proof { name: name.trim_start_matches("programs/").to_string(), file, rule });
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

#[test]
fn no_invariant_fails_in_real_executions() {
    let dir = scratch("executions");
    let proofs = proofs();
    let count = proofs.len();
    let todo = Mutex::new(proofs);
    let done: Mutex<Vec<(String, Result<Said, String>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let next = todo.lock().unwrap().pop();
                    let Some(proof) = next else { break };
                    let result = executions(&dir, &proof);
                    done.lock().unwrap().push((proof.name, result));
                }
            });
        }
    });
    let done = done.into_inner().unwrap();
    let failures: Vec<String> =
        done.iter().filter_map(|(name, result)| Some(format!("{name}: {}", result.as_ref().err()?))).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count >= PROOFS, "only {count} proofs");
    let with = |said: Said| {
        let mut names: Vec<&str> =
            done.iter().filter(|(_, result)| result == &Ok(said)).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    };
    // A fast machine may find more than these lists expect, a slow one a few less.
    let beyond = |names: Vec<&str>, expected: &[&str]| -> Vec<String> {
        names.into_iter().filter(|name| !expected.contains(name)).map(str::to_string).collect()
    };
    let late = beyond(with(Said::NoWitness), NO_WITNESS);
    assert!(late.len() <= LATE, "proofs without a witness: {late:?}");
    let silent = beyond(with(Said::Nothing), NO_INVARIANT);
    assert_eq!(silent, Vec::<String>::new(), "witnesses without an invariant");
    let not_proved = beyond(with(Said::Invariants(Validation::Late)), &[HARD, BEYOND_LEVELS].concat());
    assert!(not_proved.len() <= LATE, "witnesses whose invariants were not proved in time: {not_proved:?}");
    let proved = with(Said::Invariants(Validation::Proved)).len();
    assert!(proved >= PROVED, "only {proved} witnesses were proved");
}

/// So many witnesses may come too late, and so many be proved too late.
const LATE: usize = 5;

/// Fewer proofs mean that some were lost.
const PROOFS: usize = 200;
const PROVED: usize = 150;

/// What a proof's witness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    NoWitness,
    Nothing,
    Invariants(Validation),
}

/// Whether the invariants were proved from the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Validation {
    Proved,
    Late,
}

/// Seconds for a proof and its witness. Most take one; those that are known to have no witness need not take all of them.
const LIMIT: &str = "100";
const SHORT_LIMIT: &str = "6";
/// Seconds for the proof of a witness.
const VALIDATION_LIMIT: &str = "20";
const HARD_LIMIT: &str = "1";

/// Runs a program with the invariants that its witness has, and proves them.
fn executions(dir: &Path, proof: &Proof) -> Result<Said, String> {
    let plain = proof.name.replace('/', "-");
    let text = std::fs::read_to_string(&proof.file).map_err(|error| error.to_string())?;
    let witness = dir.join(format!("{plain}.yml"));
    let limit = if NO_WITNESS.contains(&proof.name.as_str()) { SHORT_LIMIT } else { LIMIT };
    let output = prove(proof, limit, "--witness", &witness)?;
    if output.status.code() != Some(0) {
        return Err(format!("{output:?}"));
    }
    let yaml = std::fs::read_to_string(&witness).ok();
    if let Some(text) = &yaml {
        schema::check_witness(&schema::witness(text)?)?;
    }
    let threads = if text.contains("__CPROVER_ASYNC") {
        asynchronous::asynchronous(&lower(&proof.file, &frontend::Options::default())?, &text)?
    } else {
        Vec::new()
    };
    let (instrumented, count) = instrumented(&text, threads, yaml.as_deref().unwrap_or("[]"));
    let source = dir.join(format!("{plain}.c"));
    std::fs::write(&source, instrumented).map_err(|error| error.to_string())?;
    run(&source)?;
    match yaml {
        None => Ok(Said::NoWitness),
        Some(_) if count == 0 => Ok(Said::Nothing),
        Some(_) => validation(proof, &witness).map(Said::Invariants),
    }
}

/// Proves the invariants of a witness.
fn validation(proof: &Proof, witness: &Path) -> Result<Validation, String> {
    let limit = if HARD.contains(&proof.name.as_str()) { HARD_LIMIT } else { VALIDATION_LIMIT };
    let output = prove(proof, limit, "--validate-witness", witness)?;
    match (output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()) {
        (Some(0), "Result: true\n") => Ok(Validation::Proved),
        (Some(5), "Result: unknown(timeout)\n") => Ok(Validation::Late),
        (Some(5), said) if BEYOND_LEVELS.contains(&proof.name.as_str()) && said.contains("no proof up to level 2") => {
            Ok(Validation::Late)
        }
        _ => Err(format!("the witness is not proved: {output:?}")),
    }
}

fn prove(proof: &Proof, limit: &str, option: &str, witness: &Path) -> Result<Output, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.arg("prove").arg(&proof.file).args(["--rule", proof.rule, "--timeout", limit, "-j", "1", option]);
    command.arg(witness).output().map_err(|error| error.to_string())
}

#[test]
fn a_wrong_invariant_fails_in_real_executions() {
    let dir = scratch("executions-wrong");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/basics/message-passing.c");
    let proof = Proof { name: "wrong".into(), file, rule: "owicki-gries" };
    assert!(matches!(executions(&dir, &proof), Ok(Said::Invariants(Validation::Proved))));
    let source = dir.join("wrong.c");
    let negated = std::fs::read_to_string(&source).unwrap().replacen("!!(invariant)", "!(invariant)", 1);
    std::fs::write(&source, negated).unwrap();
    assert!(run(&source).is_err_and(|what| what.contains("the invariant at line")));
}

/// What would be undefined is not done: `0` is asserted after it, and nobody comes there.
#[test]
fn executions_end_where_they_would_be_undefined() {
    let dir = scratch("executions-undefined");
    for (name, statement) in [
        ("overflow", "int x = 2147483647 - nothing; x++;"),
        ("division", "int x = 1 / nothing;"),
        ("shift", "int x = 1 << (32 + nothing);"),
        ("index", "int a[2]; a[2 + nothing] = 1;"),
        ("null", "int *p = nothing ? &nothing : 0; *p = 1;"),
        ("freed", "int *p = malloc(4); free(p); *p = 1;"),
        ("freed_twice", "int *p = malloc(4); free(p); free(p);"),
        ("freed_inside", "char *p = malloc(4); free(p + 1);"),
        ("beside", "int *p = malloc(4); p[1] = 1;"),
        ("stale", "int *p = malloc(4); *p = 1; int *q = realloc(p, 8); q[1] = *p;"),
        ("unlocked", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_unlock(&m);"),
        (
            "destroyed",
            "pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_destroy(&m);",
        ),
    ] {
        let source = dir.join(format!("{name}.c"));
        let program = |end: &str| format!("int nothing;\nint main(void) {{ {statement} {end} }}\n");
        std::fs::write(&source, instrumented(&program("assert(0);"), Vec::new(), "[]").0).unwrap();
        run(&source).unwrap_or_else(|what| panic!("{name}: {what}"));
    }
    let defined = dir.join("defined.c");
    let program = "int main(void) { int *p = malloc(4); p[0] = 1; free(p); assert(0); }\n";
    std::fs::write(&defined, instrumented(program, Vec::new(), "[]").0).unwrap();
    assert!(run(&defined).is_err(), "what is defined is done");
}

fn run(source: &Path) -> Result<(), String> {
    let (object, binary) = (source.with_extension("o"), source.with_extension("exe"));
    for command in [
        Command::new(compiler())
            .args([
                "-std=gnu11",
                "-w",
                "-O0",
                "-fsanitize=thread,undefined",
                "-fsanitize-undefined-trap-on-error",
                "-c",
            ])
            .arg(source)
            .arg("-o")
            .arg(&object),
        Command::new(compiler()).arg("-pthread").arg(&object).arg("-o").arg(&binary),
        &mut Command::new(&binary),
    ] {
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

/// What the names of calls start with that are steps.
const CALLS: &[&str] = &["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "__VERIFIER_atomic_"];

/// The program with its invariants and ghosts beside other edits, and how many invariants there are.
fn instrumented(text: &str, mut edits: Vec<(Range<usize>, String)>, yaml: &str) -> (String, usize) {
    let documents = Yaml::load_from_str(yaml).unwrap();
    let mut declared = String::new();
    let mut count = 0;
    let offset = |item: &Yaml| {
        let location = get(item, "location");
        let number = |key: &str| usize::try_from(get(&location, key).as_integer().unwrap_or(1)).unwrap();
        let before: usize = text.split_inclusive('\n').take(number("line") - 1).map(str::len).sum();
        (number("line"), before + number("column") - 1)
    };
    for entry in list(&documents[0]) {
        let content = get(&entry, "content");
        for variable in list(&get(&content, "ghost_variables")) {
            let initial = word(&get(&variable, "initial"), "value");
            declared.push_str(&format!("int {} = {initial};\n", word(&variable, "name")));
        }
        for update in list(&get(&content, "ghost_updates")) {
            let (_, at) = offset(&update);
            for change in list(&get(&update, "updates")) {
                let (variable, value) = (word(&change, "variable"), word(&change, "value"));
                let call = u8::from(CALLS.iter().any(|start| text[at..].starts_with(start)));
                // A change by a constant is one of what the variable holds then.
                let (value, added) = match value.strip_prefix(&variable) {
                    Some(change) => (change.replace(' ', ""), 1),
                    None => (value, 0),
                };
                edits.push((at..at, format!("if (RS_GHOST({variable}, {value}, {added}, {call})) {{}} else ")));
            }
        }
        for item in list(&content) {
            let invariant = get(&item, "invariant");
            let (line, at) = offset(&invariant);
            let check = format!("RS_CHECK({line}, {})", word(&invariant, "value"));
            count += 1;
            if word(&invariant, "type") == "loop_invariant" {
                let open = at + text[at..].find('(').unwrap() + 1;
                edits.push((open..open, format!("{check}, ")));
            } else if text[at..].starts_with(|c: char| c.is_lowercase()) && is_declaration(&text[at..]) {
                edits.push((at..at, format!("{check}; ")));
            } else {
                edits.push((at..at, format!("if ({check}) {{}} else ")));
            }
        }
    }
    // Of two edits at one place the invariant comes first: it holds before the update.
    edits.sort_by_key(|(at, what)| (at.start, at.end, !what.contains("RS_CHECK")));
    let mut body = text.to_string();
    for (at, what) in edits.into_iter().rev() {
        body.replace_range(at, &what);
    }
    (format!("{RUNTIME}{ATOMICS}{declared}{}{}{MAIN}", with_atomic_functions(&body), lacking(text)), count)
}

/// The text with functions that are atomic by their name made so.
fn with_atomic_functions(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("__VERIFIER_atomic_") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let body = from.find(')').and_then(|close| {
            let after = from[close + 1..].trim_start();
            after.starts_with('{').then(|| from.len() - after.len() + 1)
        });
        let taken = body.unwrap_or("__VERIFIER_atomic_".len());
        out.push_str(&from[..taken]);
        out.push_str(if body.is_some() { " RS_ATOMIC_FUNCTION " } else { "" });
        rest = &from[taken..];
    }
    out + rest
}

/// Functions that the program declares and does not define: the error function, one of which nothing is known, and those that
/// return anything in a file for CBMC.
fn lacking(text: &str) -> String {
    let mut out = String::new();
    for name in ["reach_error", "__VERIFIER_error"] {
        let declared = text.lines().any(|line| line.starts_with("extern") && line.contains(name));
        if declared {
            out.push_str(&format!("RS_QUIET void {name}(void) {{ rs_error(); }}\n"));
        }
    }
    if let Some((_, rest)) = text.split_once("int __CPROVER_uninterpreted_") {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        out.push_str(&format!("RS_QUIET int __CPROVER_uninterpreted_{name}(int key) {{ return key * 31 % 7; }}\n"));
    }
    for head in text.lines().filter(|_| text.contains("__CPROVER_")).filter_map(|line| line.strip_suffix(");")) {
        let (before, _) = head.split_once('(').unwrap_or((head, ""));
        let (ty, name) = before.rsplit_once(' ').unwrap_or(("", before));
        if !ty.trim().is_empty() && !head.starts_with([' ', '#', '/']) && !name.starts_with("__CPROVER_") {
            out.push_str(&format!("RS_QUIET {head}) {{ return rand(); }}\n"));
        }
    }
    out
}

fn is_declaration(text: &str) -> bool {
    ["void ", "int ", "unsigned ", "long ", "short ", "char ", "struct ", "pthread_t ", "const "]
        .iter()
        .any(|ty| text.starts_with(ty))
}

fn get<'a>(item: &Yaml<'a>, key: &str) -> Yaml<'a> {
    item.as_mapping_get(key).cloned().unwrap_or(Yaml::BadValue)
}

fn list<'a>(item: &Yaml<'a>) -> Vec<Yaml<'a>> {
    item.as_vec().cloned().unwrap_or_default()
}

fn word(item: &Yaml, key: &str) -> String {
    get(item, key).as_str().unwrap_or_default().to_string()
}
