//! Proved invariants against real executions: each corpus program with a correctness witness is compiled with its invariants,
//! and run two hundred times with real threads under a random scheduler. No invariant may fail. Programs that end the process,
//! or whose error function is elsewhere, are left out.

mod support;

use std::path::Path;
use std::process::Command;

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
      rs_main();
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

/// Programs that call these are not run: the scheduler does not know them.
const NOT_RUN: &[&str] =
    &["exit", "abort", "pthread_exit", "pthread_mutex_init", "__VERIFIER_nondet_uint", "extern void reach_error"];

#[test]
fn no_invariant_fails_in_real_executions() {
    let dir = scratch("executions");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/basics");
    let mut files: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut programs, mut invariants) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // Functions that are atomic by their name are not for a scheduler of accesses.
        let atomic = text.replace("__VERIFIER_atomic_begin", "").replace("__VERIFIER_atomic_end", "");
        let skipped =
            NOT_RUN.iter().any(|word| text.contains(&format!("{word}("))) || atomic.contains("__VERIFIER_atomic_");
        let quick = text.contains("// rules: all") || text.contains("owicki-gries");
        if !text.starts_with("// verdict: true") || skipped || !quick {
            continue;
        }
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let witness = dir.join(format!("{name}.yml"));
        let output = Command::new(env!("CARGO_BIN_EXE_threader"))
            .args(["prove", &file.display().to_string(), "--rule", "owicki-gries", "--timeout", "10"])
            .args(["--witness", &witness.display().to_string()])
            .output()
            .unwrap();
        assert!(output.status.code().is_some(), "{name}: {output:?}");
        // A witness needs a proof in which a step is one access, which may be out of reach.
        let Ok(yaml) = std::fs::read_to_string(&witness) else { continue };
        let (instrumented, count) = instrumented(&text, &yaml);
        if count == 0 {
            continue;
        }
        let source = dir.join(format!("{name}.c"));
        std::fs::write(&source, instrumented).unwrap();
        if let Err(what) = run(&source) {
            panic!("{name}: {what}");
        }
        if programs == 0 {
            // What is looked for would be found: the negations fail.
            let negated = std::fs::read_to_string(&source).unwrap().replacen("!!(invariant)", "!(invariant)", 1);
            std::fs::write(&source, negated).unwrap();
            assert!(run(&source).is_err_and(|what| what.contains("the invariant at line")), "{name}");
        }
        programs += 1;
        invariants += count;
    }
    assert!(programs >= 25 && invariants >= 100, "only {invariants} invariants of {programs} programs");
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
                let call = u8::from(text[at..].starts_with("pthread_"));
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
