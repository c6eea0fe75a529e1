//! What `threader model` prints for programs of the corpus, against stored text. `UPDATE_SNAPSHOTS=1` rewrites what is stored.

use std::path::{Path, PathBuf};
use std::process::Command;

use frontend::{Options, load};
use program::LocationKind;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs `threader model` in the repository's root, so that no directory of this machine is in the output.
fn model(file: &str, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    let output = command.current_dir(root()).env_remove("THREADER_LOG").arg("model").arg(file).args(flags).output();
    let output = output.expect("threader runs");
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn compare(program: &str, flags: &[&str], stored_as: &str) {
    let text = model(&format!("tests/programs/{program}.c"), flags);
    let path: PathBuf = root().join("tests/snapshots").join(stored_as);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &text).expect("a snapshot is written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, stored, "{} differs; UPDATE_SNAPSHOTS=1 rewrites it", path.display());
}

#[test]
fn programs_as_text() {
    for program in [
        "table1/dekker",
        "table1/naive-bakery",
        "table1/peterson",
        "table1/spin2003",
        "basics/array-symbolic-index",
        "basics/atomic-loop",
        "basics/atomic-unbounded-loop",
        "basics/division-truncates",
        "basics/function-pointer-start",
        "basics/join-result",
        "basics/lost-update-mutex",
        "basics/nondet-bounded-unsafe",
        "basics/pointer-alias",
        "basics/short-circuit",
    ] {
        compare(program, &[], &format!("{}.txt", program.replace('/', "-")));
    }
}

#[test]
fn a_program_as_a_drawing() {
    compare("basics/write-then-block", &["--format", "dot"], "basics-write-then-block.dot");
}

#[test]
fn a_program_as_clauses() {
    for (rule, vocabulary) in [("rely-guarantee", "modular"), ("owicki-gries", "full")] {
        let flags = ["--format", "smt2", "--rule", rule, "--vocabulary", vocabulary];
        let stored_as = format!("basics-write-then-block.{rule}.{vocabulary}.smt2");
        compare("basics/write-then-block", &flags, &stored_as);
    }
}

/// The number of locations decides the cost of everything else: what is reached today must not be lost.
#[test]
fn mutual_exclusion_has_few_locations() {
    for (name, most) in
        [("dekker", 11), ("peterson", 8), ("szymanski", 12), ("naive-bakery", 8), ("bakery", 12), ("lamport", 16)]
    {
        let file = root().join(format!("tests/programs/table1/{name}.c"));
        let loaded = load(&file, &Options::default()).unwrap_or_else(|error| panic!("{name}: {:?}", error.failure));
        for (_, thread) in loaded.program.threads() {
            let plain = thread.locations.iter().filter(|l| l.kind == LocationKind::Plain).count();
            assert!(plain <= most, "{name}, thread {}: {plain} locations, {most} before", thread.name);
        }
    }
}

/// What a run says, stderr then stdout. Figures that differ from run to run, or from machine to machine, are left out.
fn said(file: &str, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.current_dir(root()).env_remove("THREADER_LOG").env_remove("COLUMNS").env_remove("CC");
    let mut names_file = false;
    for word in line.split_whitespace() {
        match word.split_once('=') {
            Some((name, value)) if name == "COLUMNS" => _ = command.env(name, value),
            _ => {
                names_file |= word.ends_with(".c");
                command.arg(word);
            }
        }
    }
    if !names_file {
        command.arg(file);
    }
    let output = command.args(["-j", "1"]).output().expect("threader runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let counted = |line: &str| match line.strip_prefix("found by ").or(line.strip_prefix("asked last ")) {
        Some(rest) => format!("{}..", &line[..line.len() - rest.len() + rest.find(':').unwrap_or(0) + 1]),
        None if line.contains("not reached within") => line.split(" within").next().unwrap_or_default().to_string(),
        None => line.to_string(),
    };
    let lines = text(&output.stderr) + "-- stdout\n" + &text(&output.stdout);
    lines.lines().map(|line| counted(line) + "\n").collect()
}

/// Each program of tests/messages says in its first line what is run, and beside it is what that says.
#[test]
fn messages_are_as_stored() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("tests/messages"))
        .expect("messages")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 15, "only {} messages", files.len());
    let mut different = Vec::new();
    for path in files {
        let source = std::fs::read_to_string(&path).expect("text");
        let line = source.lines().next().and_then(|line| line.strip_prefix("// run: ")).expect("what is run");
        let name = path.strip_prefix(root()).expect("inside").display().to_string();
        let text = said(&name, line);
        let stored = path.with_extension("txt");
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(&stored, &text).expect("a snapshot is written");
        }
        if text != std::fs::read_to_string(&stored).unwrap_or_default() {
            different.push(format!("{name} says:\n{text}"));
        }
    }
    assert!(different.is_empty(), "{}\nUPDATE_SNAPSHOTS=1 rewrites them", different.join("\n"));
}

/// An example of the documentation: what is typed, and what is expected to be printed.
struct Example {
    command: String,
    expected: Vec<String>,
}

/// The examples of a page: indented lines, each command after `$`.
fn examples(page: &str) -> Vec<Example> {
    let mut all: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(code) if code.starts_with("$ ") => {
                all.push(Example { command: code[2..].to_string(), expected: Vec::new() });
                inside = true;
            }
            Some(code) if inside => all.last_mut().expect("a command").expected.push(code.trim_end().to_string()),
            None if inside && line.is_empty() => all.last_mut().expect("a command").expected.push(String::new()),
            _ => inside = false,
        }
    }
    for example in &mut all {
        while example.expected.last().is_some_and(String::is_empty) {
            example.expected.pop();
        }
    }
    all
}

/// Whether a text is as expected, where `[..]` stands for anything: within a line, or for any number of lines.
fn fits(expected: &[String], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "[..]" => (0..=lines.len()).any(|k| fits(rest, &lines[k..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, more)| line_fits(first, line) && fits(rest, more))
        }
    }
}

fn line_fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split("[..]");
    let Some(mut rest) = parts.next().and_then(|first| line.trim_end().strip_prefix(first)) else { return false };
    let mut last = "";
    for part in parts {
        let part = part.trim();
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = part;
    }
    rest.is_empty() || (expected.contains("[..]") && last.is_empty())
}

/// Every example of README.md and docs that shows what is printed prints it. `$ cat FILE` says what a file of the example holds.
#[test]
fn examples_of_the_documentation_are_true() {
    let dir = std::env::temp_dir().join(format!("threader-docs-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let _ = std::os::unix::fs::symlink(root().join("tests"), dir.join("tests"));
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(root().join("docs")).expect("docs").map(|entry| entry.expect("a page").path()).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    let (mut run, mut wrong) = (0, Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("text");
        for Example { command, expected } in examples(&text) {
            if let Some(name) = command.strip_prefix("cat ") {
                std::fs::write(dir.join(name), expected.join("\n") + "\n").expect("a file");
                continue;
            }
            let words: Vec<&str> = command.split_whitespace().collect();
            let ours = words.first().is_some_and(|word| word.ends_with("threader"));
            if !ours || expected.is_empty() || words[1] == "compare" || command.contains('#') {
                continue;
            }
            let mut threader = Command::new(env!("CARGO_BIN_EXE_threader"));
            threader.current_dir(&dir).env_remove("THREADER_LOG").env_remove("COLUMNS").env_remove("CC");
            let output = threader.args(&words[1..]).output().expect("threader runs");
            let said = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
            run += 1;
            if !fits(&expected, &said.lines().collect::<Vec<_>>()) {
                wrong.push(format!("{}: $ {command}\n{said}", page.display()));
            }
        }
    }
    assert!(run >= 15, "only {run} examples");
    assert!(wrong.is_empty(), "{} of {run} are not as printed:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whoever reads README alone gets through it.
#[test]
fn the_readme_is_short() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("text");
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}
