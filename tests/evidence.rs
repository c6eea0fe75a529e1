//! Evidence for others, through the binary: witnesses, SARIF, pages and harnesses of corpus programs.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use serde_json::{Value, json};
use support::native::{compiler, scratch};
use support::schema;

/// A program of the corpus: `parametric/..` are those with any number of threads.
fn program(name: &str) -> String {
    let directory = if name.starts_with("parametric/") { "tests" } else { "tests/programs" };
    format!("{}/{directory}/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

/// Exit code, stdout and stderr.
fn threader(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The corpus programs with this verdict, each with a rule that gives it.
fn corpus(verdict: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut all = Vec::new();
    let mut directories = vec![root.join("parametric")];
    directories.extend(std::fs::read_dir(root.join("programs")).unwrap().map(|entry| entry.unwrap().path()));
    for file in directories.iter().flat_map(|directory| std::fs::read_dir(directory).unwrap()) {
        let path = file.unwrap().path();
        let text = if path.extension().is_some_and(|e| e == "c") { read(&path) } else { continue };
        let directive = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
        let of_any_number = path.starts_with(&directories[0]);
        let rules = directive("rules").unwrap_or(if of_any_number { "owicki-gries" } else { "none" });
        // Those of other properties than assertions are asked for by name: the corpus' own test does.
        if directive("verdict") == Some(verdict) && rules != "none" && directive("property").is_none() {
            let rule = ["monolithic", "owicki-gries"].into_iter().find(|rule| rules == "all" || rules.contains(rule));
            let name = path.strip_prefix(&root).unwrap().with_extension("").display().to_string();
            let name = name.trim_start_matches("programs/").to_string();
            all.push((name, rule.unwrap_or("rely-guarantee").to_string()));
        }
    }
    all.sort();
    all
}

fn witness_of(path: &Path) -> Value {
    schema::witness(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_schema_refuses_what_is_no_witness() {
    let dir = scratch("evidence-schema");
    let file = dir.join("w.yml");
    threader(&[
        "prove",
        &program("table1/spin2003"),
        "--rule",
        "owicki-gries",
        "--witness",
        &file.display().to_string(),
    ]);
    let good = witness_of(&file);
    schema::check_witness(&good).unwrap();
    for (pointer, bad) in [
        ("/0/metadata/uuid", json!("1234")),
        ("/0/metadata/creation_time", json!("yesterday")),
        ("/0/metadata/format_version", json!("3.0")),
        ("/0/metadata/task/language", json!("Java")),
        ("/0/metadata/task/input_file_hashes", json!({ "a.c": "00" })),
        ("/1/content/0/invariant/location/line", json!(0)),
        ("/1/content/0/invariant/type", json!("lemma")),
        ("/0/content/ghost_updates/0/updates", json!([])),
        ("/0/entry_type", json!("invariant_set")),
    ] {
        let mut changed = good.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = bad;
        assert!(schema::check_witness(&changed).is_err(), "{pointer}");
    }
}

/// Every error of the corpus: the witness fits the schema and is replayed, and the harness fails as the program would.
#[test]
fn every_error_has_a_witness_and_a_harness() {
    let dir = scratch("evidence-unsafe");
    let all = corpus("false");
    assert!(all.len() >= 155, "only {} programs", all.len());
    let (todo, failures) = (Mutex::new(all), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let next = todo.lock().unwrap().pop();
                    let Some((name, rule)) = next else { break };
                    let failure = evidence_of_error(&dir, &name, &rule).err();
                    failures.lock().unwrap().extend(failure.map(|what| format!("{name}: {what}")));
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Errors that need a certain address or key, or something that the program reads, which a violation witness cannot say.
const NEEDS_NUMBERS: [&str; 6] = [
    "addresses/small_number_unsafe",
    "ids/key_zero_unsafe",
    "library/input-unsafe",
    "library/clocks-unsafe",
    "library/arguments-unsafe",
    "library/argument-number-unsafe",
];

/// Why a harness is not made of a run that rests on what a program reads.
const INPUT: &str = "it needs a certain value of what C leaves open";

fn evidence_of_error(dir: &Path, name: &str, rule: &str) -> Result<(), String> {
    let file = program(name);
    let at = |end: &str| dir.join(format!("{}.{end}", name.replace('/', "-")));
    let (witness, harness, sarif) = (at("yml"), at("c"), at("sarif"));
    let shown = |path: &PathBuf| path.display().to_string();
    let files = ["--witness", &shown(&witness), "--harness", &shown(&harness), "--sarif", &shown(&sarif)];
    let (code, _, proved) = threader(&[&["prove", &file, "--first", "--rule", rule], &files[..]].concat());
    let reasons = ["it needs certain addresses or ids", "it needs memory that is used again", INPUT];
    let unplaced = reasons.iter().any(|why| proved.contains(&format!("no harness can be made: {why}")));
    if code != Some(10) || !witness.is_file() || harness.is_file() == unplaced {
        return Err(proved);
    }
    schema::check_witness(&witness_of(&witness))?;
    let (code, stdout, stderr) = threader(&["check", &file, &shown(&witness)]);
    let replayed = (code, stdout.as_str()) == (Some(10), "Result: false(unreach-call)\n");
    if replayed == NEEDS_NUMBERS.contains(&name) {
        return Err(format!("the witness is replayed: {replayed}: {stderr}"));
    }
    check_sarif(name, &sarif);
    match unplaced {
        // Only programs about them need certain ones.
        true if ["addresses/", "ids/", "reuse/"].iter().any(|about| name.starts_with(about)) => Ok(()),
        // A harness gives a program no input.
        true if name.starts_with("library/") && proved.contains(INPUT) => Ok(()),
        true => Err(proved),
        false => run_harness(&harness),
    }
}

fn check_sarif(name: &str, path: &Path) {
    let log: Value = serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let run = &log["runs"][0];
    assert_eq!((&log["version"], &run["tool"]["driver"]["name"]), (&json!("2.1.0"), &json!("threader")), "{name}");
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("unreach-call"), &json!("error")), "{name}");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap_or_else(|| panic!("{name}: no flows"));
    let mut orders: Vec<u64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().into_iter().flatten())
        .map(|location| location["executionOrder"].as_u64().unwrap_or(0))
        .collect();
    orders.sort_unstable();
    assert_eq!(orders, (1..=orders.len() as u64).collect::<Vec<_>>(), "{name}: the steps of all threads, in one order");
}

/// Compiles a harness and runs it: it must be ended by abort, which is what a failed assertion does.
fn run_harness(source: &Path) -> Result<(), String> {
    let (object, binary) = (source.with_extension("o"), source.with_extension("exe"));
    let run = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok::<_, String>((output.status, said))
    };
    let mut compile = Command::new(compiler());
    // As its first lines say.
    let text = read(source);
    let mut commands = text.lines().filter_map(|line| line.trim().strip_prefix("gcc "));
    let mut options =
        || commands.next().unwrap_or("").split_whitespace().take_while(|w| *w != "-c" && *w != "HARNESS.o");
    compile.args(options()).arg("-c").arg(source).arg("-o").arg(&object);
    let (status, said) = run(&mut compile)?;
    if !status.success() {
        return Err(format!("the harness does not compile: {said}"));
    }
    let (status, said) = run(Command::new(compiler()).args(options()).arg(&object).arg("-o").arg(&binary))?;
    if !status.success() {
        return Err(format!("the harness does not link: {said}"));
    }
    let (status, said) = run(&mut Command::new(&binary))?;
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    if status.signal() == Some(SIGABRT) { Ok(()) } else { Err(format!("the harness ends with {status}: {said}")) }
}

#[test]
fn a_wrong_invariant_is_not_proved() {
    let dir = scratch("evidence-wrong");
    let (file, witness) = (program("table1/spin2003"), dir.join("w.yml"));
    let shown = witness.display().to_string();
    threader(&["prove", &file, "--rule", "owicki-gries", "--witness", &shown]);
    let text = read(&witness);
    assert!(text.contains("threader_m_locked == 1"), "{text}");
    std::fs::write(&witness, text.replace("threader_m_locked == 1", "threader_m_locked == 0")).unwrap();
    let (code, stdout, _) = threader(&["prove", &file, "--rule", "owicki-gries", "--validate-witness", &shown]);
    assert_eq!(code, Some(5));
    assert!(stdout.starts_with("Result: unknown(witness rejected"), "{stdout}");
}

/// What a witness cannot say of a proof about any number of threads is named.
#[test]
fn what_a_witness_leaves_out_is_said() {
    let witness = scratch("evidence-left-out").join("w.yml");
    let prove = |name: &str| {
        let (code, _, stderr) =
            threader(&["prove", &program(name), "--rule", "owicki-gries", "--witness", &witness.display().to_string()]);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        (stderr, read(&witness))
    };
    let (said, _) = prove("parametric/test_and_set");
    assert!(said.contains("note: the witness does not say how two instances of the threads"), "{said}");
    // Counters are ghosts where they change with statements.
    let (said, text) = prove("parametric/rwlock");
    assert!(!said.contains("note:"), "{said}");
    assert!(text.contains("value: \"threader_lock_reader_2 + 1\""), "{text}");
    let counts =
        text.lines().any(|line| line.contains("- (long long)threader_count_reader_at_") && line.contains("== 0"));
    assert!(counts, "{text}");
}

#[test]
fn strange_files_get_a_clear_error() {
    let dir = scratch("evidence-strange");
    let file = program("table1/spin2003");
    let (certificate, witness) = (dir.join("c.cert").display().to_string(), dir.join("w.yml").display().to_string());
    threader(&["prove", &file, "--rule", "owicki-gries", "--certificate", &certificate, "--witness", &witness]);
    let (proof, yaml) = (read(Path::new(&certificate)), read(Path::new(&witness)));
    let strange = dir.join("strange").display().to_string();
    let check = |text: &str, message: &str| {
        std::fs::write(&strange, text).unwrap();
        let (code, stdout, stderr) = threader(&["check", &file, &strange]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{message}: {stderr}");
        assert!(stderr.contains(message) && stderr.lines().count() == 1, "{stderr}");
    };
    check(&proof[..proof.len() / 2], "it ends too early");
    check(&proof.replacen("certificate 2", "certificate 7", 1), "it is of version 7, and only version 2 is known");
    check("", "is no certificate: it is empty");
    check("int main(void) { return 0; }", "is no certificate");
    check(&"(".repeat(1_000_000), "it is nested more than 10000 deep");
    check(&yaml, "it is a correctness witness, which is no complete proof");
    check(&yaml.replace("\"2.1\"", "\"9.0\""), "it is of version 9.0, and only 2.0, 2.1, 2.2 are known");
    check(&yaml[..yaml.len() / 3], "is no violation witness for this program");
    // However it is nested.
    for deep in [
        "- ".repeat(200_000),
        format!("- entry_type: {}", "[".repeat(200_000)),
        yaml.replace("- name", &"- ".repeat(999)),
    ] {
        std::fs::write(&strange, deep).unwrap();
        let (code, stdout, stderr) = threader(&["prove", &file, "--validate-witness", &strange]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
        assert!(stderr.contains("it is nested more than 200 deep") && stderr.lines().count() == 1, "{stderr}");
    }
    // A certificate of another program names it.
    let (code, _, stderr) = threader(&["check", &program("table1/peterson"), &certificate]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("is no certificate for this program") && stderr.contains("for spin2003.c with SHA-256"),
        "{stderr}"
    );
    // A file that is too large is not read at all.
    std::fs::File::create(&strange).and_then(|f| f.set_len(1 << 40)).unwrap();
    let (code, _, stderr) = threader(&["check", &file, &strange]);
    std::fs::remove_file(&strange).unwrap();
    assert_eq!(code, Some(2));
    assert!(stderr.contains("are not read"), "{stderr}");
    // Nor one without an end, a directory, nothing, or what is no text.
    std::fs::write(&strange, [0x7f, b'E', 0xff, 0xfe, 0]).unwrap();
    for (path, message) in [
        ("/dev/zero", "which are not read"),
        (env!("CARGO_MANIFEST_DIR"), "directory"),
        ("/no/such/file", "No such file"),
        (strange.as_str(), "it is not text"),
    ] {
        for arguments in [["check", &file, path], ["prove", &file, &format!("--validate-witness={path}")]] {
            let (code, stdout, stderr) = threader(&arguments);
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{path}: {stderr}");
            assert!(stderr.contains(message) && stderr.lines().count() == 1, "{path}: {stderr}");
        }
    }
}
