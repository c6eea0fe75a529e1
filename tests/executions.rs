//! Proved invariants against real executions: each corpus program with a correctness witness is compiled with its invariants,
//! and run two hundred times with real threads under a random scheduler. No invariant and no assertion may fail.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use saphyr::{LoadableYamlNode, Yaml};
use support::native::{compiler, scratch};

const RUNTIME: &str = include_str!("support/random_scheduler.c");
/// Forks a process for each run: an execution that goes on for ever ends itself after so many steps.
const MAIN: &str = "
#undef main
#undef pthread_mutex_lock
QUIET int main(void) {
  int blocked = 0;
  for (int seed = 1; seed <= RUNS && blocked < 3; seed++) {
    int status;
    pid_t child = fork();
    if (child == 0) {
      srand(seed);
      ualarm(300000, 0);
      pthread_mutex_lock(&rs_baton);
      pthread_cleanup_push(rs_ended, 0);
      rs_main();
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

/// What the scheduler does not know: functions that are atomic by their name, an error function without a body, CBMC's
/// primitives, assembly.
const NOT_RUN: &[&str] = &["extern void reach_error", "__CPROVER_", "asm"];

/// Programs that do what C leaves undefined. For the verifier, that is their end; a real execution goes on with anything.
const UNDEFINED: &[&str] = &[
    "basics/overflow-in-thread",
    "basics/overflow-is-undefined",
    "memory/double_free",
    "memory/flexible_array_overrun",
    "memory/free_inside_block",
    "memory/malloc_measured_overrun",
    "memory/pointer_past_end",
    "memory/realloc_stale",
    "memory/use_after_free",
    "sync/mutex-destroyed-while-held",
    "sync/mutex-unlocked-by-another",
];

/// The proofs of the corpus that can be run: name and text.
fn proofs() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut all = Vec::new();
    for directory in std::fs::read_dir(&root).unwrap() {
        for entry in std::fs::read_dir(directory.unwrap().path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "c") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&root).unwrap().with_extension("").display().to_string();
            let atomic = text.replace("__VERIFIER_atomic_begin", "").replace("__VERIFIER_atomic_end", "");
            let known = !NOT_RUN.iter().any(|word| text.contains(word)) && !atomic.contains("__VERIFIER_atomic_");
            let quick = text.contains("// rules: all") || text.contains("owicki-gries");
            if text.starts_with("// verdict: true") && known && quick && !UNDEFINED.contains(&name.as_str()) {
                all.push((name, path));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn no_invariant_fails_in_real_executions() {
    let dir = scratch("executions");
    let todo = Mutex::new(proofs());
    let done: Mutex<Vec<(String, Result<usize, String>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let next = todo.lock().unwrap().pop();
                    let Some((name, file)) = next else { break };
                    let result = executions(&dir, &name, &file);
                    done.lock().unwrap().push((name, result));
                }
            });
        }
    });
    let done = done.into_inner().unwrap();
    let failures: Vec<String> =
        done.iter().filter_map(|(name, result)| Some(format!("{name}: {}", result.as_ref().err()?))).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let counts: Vec<usize> = done.iter().filter_map(|(_, result)| result.clone().ok()).filter(|n| *n > 0).collect();
    let (programs, invariants) = (counts.len(), counts.iter().sum::<usize>());
    assert!(programs >= PROGRAMS && invariants >= 1000, "only {invariants} invariants of {programs} programs");
}

/// So many programs have a witness within its limit. A witness needs a proof in which a step is one access, which for others is
/// out of reach, or has nothing to say that C can express.
const PROGRAMS: usize = 110;

/// Runs a program with its invariants: how many these are, none if there is no witness.
fn executions(dir: &Path, name: &str, file: &Path) -> Result<usize, String> {
    let plain = name.replace('/', "-");
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let witness = dir.join(format!("{plain}.yml"));
    let output = Command::new(env!("CARGO_BIN_EXE_threader"))
        .args(["prove", &file.display().to_string(), "--rule", "owicki-gries", "--timeout", "4", "-j", "1"])
        .args(["--witness", &witness.display().to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.code().is_none() {
        return Err(format!("{output:?}"));
    }
    let Ok(yaml) = std::fs::read_to_string(&witness) else { return Ok(0) };
    let (instrumented, count) = instrumented(&text, &yaml);
    if count > 0 {
        let source = dir.join(format!("{plain}.c"));
        std::fs::write(&source, instrumented).map_err(|error| error.to_string())?;
        run(&source)?;
    }
    Ok(count)
}

#[test]
fn a_wrong_invariant_fails_in_real_executions() {
    let dir = scratch("executions-wrong");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/basics/message-passing.c");
    assert!(executions(&dir, "wrong", &file).is_ok_and(|count| count > 0));
    let source = dir.join("wrong.c");
    let negated = std::fs::read_to_string(&source).unwrap().replacen("!!(invariant)", "!(invariant)", 1);
    std::fs::write(&source, negated).unwrap();
    assert!(run(&source).is_err_and(|what| what.contains("the invariant at line")));
}

fn run(source: &Path) -> Result<(), String> {
    let (object, binary) = (source.with_extension("o"), source.with_extension("exe"));
    for command in [
        Command::new(compiler())
            .args(["-std=gnu11", "-w", "-O0", "-fsanitize=thread", "-c"])
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
const CALLS: &[&str] = &["pthread_", "sem_", "mtx_", "cnd_", "thrd_"];

/// The program with its invariants and ghosts, and how many invariants there are.
fn instrumented(text: &str, yaml: &str) -> (String, usize) {
    let documents = Yaml::load_from_str(yaml).unwrap();
    let mut edits: Vec<(usize, String)> = Vec::new();
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
            declared.push_str(&format!("int {} = 0;\n", word(&variable, "name")));
        }
        for update in list(&get(&content, "ghost_updates")) {
            let (_, at) = offset(&update);
            for change in list(&get(&update, "updates")) {
                let (variable, value) = (word(&change, "variable"), word(&change, "value"));
                let call = u8::from(CALLS.iter().any(|start| text[at..].starts_with(start)));
                edits.push((at, format!("if (GHOST({variable}, {value}, {call})) {{}} else ")));
            }
        }
        for item in list(&content) {
            let invariant = get(&item, "invariant");
            let (line, at) = offset(&invariant);
            let check = format!("CHECK({line}, {})", word(&invariant, "value"));
            count += 1;
            if word(&invariant, "type") == "loop_invariant" {
                let open = at + text[at..].find('(').unwrap() + 1;
                edits.push((open, format!("{check}, ")));
            } else if text[at..].starts_with(|c: char| c.is_lowercase()) && is_declaration(&text[at..]) {
                edits.push((at, format!("{check}; ")));
            } else {
                edits.push((at, format!("if ({check}) {{}} else ")));
            }
        }
    }
    // Of two edits at one place the invariant comes first: it holds before the update.
    edits.sort_by_key(|(at, what)| (*at, !what.contains("CHECK")));
    let mut body = text.to_string();
    for (at, what) in edits.iter().rev() {
        body.insert_str(*at, what);
    }
    (format!("{RUNTIME}{declared}{body}{MAIN}"), count)
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
