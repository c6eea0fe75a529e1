//! How programs go in, through the binary: several files, flags of compilers, standard input, compilation databases, functions without
//! a body, libraries without main.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const LINKED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/linked");

/// A directory of its own for each test.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Exit code, stdout and stderr of a run in a directory.
fn run(directory: &PathBuf, line: &str, input: Option<&str>) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.env_remove("THREADER_LOG").env_remove("RUST_BACKTRACE").current_dir(directory);
    command.args(line.split_whitespace().map(|word| word.replace('~', " ")));
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    if let Some(text) = input {
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The result line of a run on the programs in tests/linked.
fn result(line: &str) -> String {
    let (_, stdout, stderr) = run(&PathBuf::from(LINKED), line, None);
    stdout.lines().last().unwrap_or(&stderr).to_string()
}

/// A run on files that are written first must be malformed: exit 2, and these words on stderr.
fn malformed(name: &str, files: &[(&str, &str)], line: &str, words: &[&str]) {
    let directory = directory(name);
    files.iter().for_each(|(file, text)| std::fs::write(directory.join(file), text).unwrap());
    let (code, stdout, stderr) = run(&directory, line, None);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{name}: {stderr}");
    words.iter().for_each(|word| assert!(stderr.contains(word), "{name}: {word} is not in\n{stderr}"));
}

#[test]
fn files_are_linked_as_c_says() {
    for rule in ["monolithic", "owicki-gries", "rely-guarantee"] {
        assert_eq!(result(&format!("prove main.c account.c --rule {rule} --timeout 60")), "Result: true");
    }
    assert_eq!(result("prove account.c main.c -DBROKEN --timeout 60"), "Result: false(unreach-call)");
    assert_eq!(result("refute main.c account.c -DBROKEN --timeout 60"), "Result: false(unreach-call)");
}

/// Places are in the file where they are; certificates and SARIF name all files with their hashes.
#[test]
fn evidence_names_every_file() {
    let out = directory("evidence");
    let [cert, json, sarif, html] = ["cert", "j.json", "s.sarif", "p.html"].map(|name| out.join(name));
    let asked = format!("--json {} --sarif {} --html {}", json.display(), sarif.display(), html.display());
    let proof = format!("prove main.c account.c --certificate {} {asked} --timeout 60", cert.display());
    assert_eq!(result(&proof), "Result: true");
    let text = std::fs::read_to_string(&cert).unwrap();
    let sources: Vec<&str> = text.lines().filter(|line| line.contains("(source ")).collect();
    assert!(matches!(sources.as_slice(), [a, b] if a.contains("main.c") && b.contains("account.c")), "{text}");
    assert_eq!(result(&format!("check main.c account.c {}", cert.display())), "Result: true");
    let text = std::fs::read_to_string(&sarif).unwrap();
    assert_eq!(text.matches("\"sha-256\"").count(), 2, "{text}");
    let text = std::fs::read_to_string(&html).unwrap();
    assert!(
        text.contains("\"account.c\"") && text.contains("static int calls = 7;") && text.contains("static int calls;")
    );
    let (_, _, stderr) = run(&PathBuf::from(LINKED), "prove main.c account.c -DBROKEN --timeout 60", None);
    assert!(stderr.contains("account.c:"), "{stderr}");
    // Another file than the one that the proof is about.
    let other = directory("evidence-other");
    std::fs::write(other.join("account.h"), std::fs::read(PathBuf::from(LINKED).join("account.h")).unwrap()).unwrap();
    std::fs::write(other.join("main.c"), std::fs::read(PathBuf::from(LINKED).join("main.c")).unwrap()).unwrap();
    let changed = std::fs::read_to_string(PathBuf::from(LINKED).join("account.c")).unwrap() + "\n";
    std::fs::write(other.join("account.c"), changed).unwrap();
    let (_, _, stderr) = run(&other, &format!("check main.c account.c {}", cert.display()), None);
    assert!(stderr.contains("but account.c has"), "{stderr}");
}

#[test]
fn what_does_not_fit_together_is_named_in_both_places() {
    let main = "int f(int);\nextern int x;\nint main(void) { return f(x); }\n";
    let twice =
        [("main.c", main), ("b.c", "int x;\nint f(int a) { return a; }\n"), ("c.c", "int f(int a) { return 1; }\n")];
    malformed("twice", &twice, "model main.c b.c c.c", &["`f` is defined in several files", "c.c:1:5", "b.c:2:5"]);
    let types = [("main.c", main), ("b.c", "long x;\nint f(int a) { return a; }\n")];
    malformed("types", &types, "model main.c b.c", &["conflicting types for `x`", "b.c:1:6", "main.c:2:12"]);
    let objects = [("main.c", main), ("b.c", "int x = 1;\nint f(int a) { return a; }\n"), ("c.c", "int x = 2;\n")];
    malformed("objects", &objects, "model main.c b.c c.c", &["`x` is defined in several files", "c.c:1:5", "b.c:1:5"]);
    let kinds = [("main.c", main), ("b.c", "int x(void) { return 0; }\nint f(int a) { return a; }\n")];
    malformed("kinds", &kinds, "model main.c b.c", &["conflicting types for `x`"]);
    let structs = [
        ("main.c", "struct s { int a; };\nint f(struct s *);\nint main(void) { struct s s; return f(&s); }\n"),
        ("b.c", "struct s { long a; };\nint f(struct s *s) { return s->a; }\n"),
    ];
    malformed("structs", &structs, "model main.c b.c", &["conflicting types for `f`", "b.c:2:5", "main.c:2:5"]);
    let mains = [("main.c", "int main(void) { return 0; }\n"), ("b.c", "int main(void) { return 1; }\n")];
    malformed("mains", &mains, "model main.c b.c", &["`main` is defined in several files", "b.c:1:5", "main.c:1:5"]);
    malformed("itself", &mains, "model main.c ./main.c", &["./main.c is given twice"]);
    malformed("missing", &mains, "model main.c nosuch.c", &["cannot read nosuch.c: no such file"]);
    let none = [("a.c", "int f(void) { return 0; }\n"), ("b.c", "int g(void) { return 0; }\n")];
    malformed("none", &none, "model a.c b.c", &["no function `main`", "--client"]);
    malformed("task", &[("a.c", "int x;\n"), ("t.yml", "a: b\n")], "model a.c t.yml", &["verified on its own"]);
}

/// Definitions without initialiser are one for each file, unless -fcommon says that they are one for all.
#[test]
fn tentative_definitions() {
    let files = [
        (
            "a.c",
            "#include <assert.h>\nint x;\nint x;\nvoid f(void);\nint main(void) { f(); assert(x == 1); return 0; }\n",
        ),
        ("b.c", "int x;\nvoid f(void) { x = 1; }\n"),
    ];
    malformed("tentative", &files, "prove a.c b.c", &["`x` is defined in several files", "b.c:1:5"]);
    let (code, stdout, stderr) = run(&directory("tentative"), "prove a.c b.c -fcommon", None);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

#[test]
fn flags_of_compilers() {
    let directory = directory("flags");
    std::fs::create_dir_all(directory.join("inc")).unwrap();
    std::fs::write(directory.join("inc/n.h"), "#define N 3\n").unwrap();
    std::fs::write(directory.join("first.h"), "#define FIRST 1\n").unwrap();
    let text = "#include <n.h>\n#include <assert.h>\n#ifndef __THREADER__\n#error not us\n#endif\n\
                int main(void) { assert(N == 3 && FIRST && sizeof(long) == LONG); assert(!UNDEFINED); return 0; }\n";
    std::fs::write(directory.join("a.c"), text).unwrap();
    let flags = "-O2 -g -Wall -std=c99 -pthread -fPIC -MMD -MF a.d -lm -include first.h -DUNDEFINED=1 -UUNDEFINED -DUNDEFINED=0";
    for (sizes, long) in [("-m32", 4), ("-m64", 8), ("", 8), ("--data-model ILP32", 4)] {
        let line = format!("prove a.c -isystem inc {flags} {sizes} -DLONG={long}");
        let (code, stdout, stderr) = run(&directory, &line, None);
        assert_eq!((code, stdout.lines().last()), (Some(0), Some("Result: true")), "{line}: {stderr}");
    }
    let (code, _, stderr) = run(&directory, "prove a.c -funsigned-char", None);
    assert!(code == Some(1) && stderr.contains("changes what C means"), "{stderr}");
}

#[test]
fn standard_input_is_a_file() {
    let directory = directory("stdin");
    let text = "#include <assert.h>\nint f(void);\nint main(void) { assert(f() == 2); return 0; }\n";
    std::fs::write(directory.join("f.c"), "int f(void) { return 1; }\n").unwrap();
    let (code, _, stderr) = run(&directory, "prove - f.c", Some(text));
    assert!(code == Some(10) && stderr.contains("<stdin>:3: assertion f() == 2 fails"), "{stderr}");
    let (code, _, stderr) = run(&directory, "model -", Some(""));
    assert!(code == Some(2) && stderr.contains("<stdin> is empty"), "{stderr}");
    let (code, _, stderr) = run(&directory, "model -", Some("int main(void) { return 0 }\n"));
    assert!(code == Some(2) && stderr.contains("--> <stdin>:1:27"), "{stderr}");
}

/// A preprocessed file says itself how wide its size_t is.
#[test]
fn preprocessed_files_tell_their_data_model() {
    let directory = directory("model");
    let text = |size: &str| {
        format!(
            "typedef unsigned {size} size_t;\nextern void reach_error(void);\n\
             int main(void) {{ if (sizeof(long) != sizeof(size_t)) reach_error(); return 0; }}\n"
        )
    };
    std::fs::write(directory.join("narrow.i"), text("int")).unwrap();
    std::fs::write(directory.join("wide.i"), text("long")).unwrap();
    for file in ["narrow.i", "wide.i"] {
        assert_eq!(run(&directory, &format!("prove {file}"), None).0, Some(0), "{file}");
    }
    assert_eq!(run(&directory, "prove narrow.i --data-model LP64", None).0, Some(10));
    malformed("model", &[], "model narrow.i wide.i", &["have different types size_t"]);
}

#[test]
fn compilation_databases() {
    let directory = directory("database");
    std::fs::create_dir_all(directory.join("build")).unwrap();
    let files = [
        ("main.c", "#include <assert.h>\nint f(void);\nint main(void) { assert(f() == N); return 0; }\n"),
        ("f.c", "int g(void);\nint f(void) { return g(); }\n"),
        ("g.c", "int g(void) { return 5; }\n"),
        ("other.c", "int main(void) { return 1; }\n"),
        ("broken.c", "int unused(void) { return }\n"),
    ];
    files.iter().for_each(|(file, text)| std::fs::write(directory.join(file), text).unwrap());
    let here = directory.display();
    let entry = |file: &str, flags: &str| {
        format!(
            "{{\"directory\": \"{here}/build\", \"file\": \"../{file}\", \"command\": \"/evil/cc {flags} -o x.o -c ../{file}\"}}"
        )
    };
    let all = [
        entry("main.c", "-DN=5 -fplugin=evil.so -B/evil"),
        entry("f.c", "-O2"),
        entry("g.c", ""),
        entry("other.c", ""),
        entry("broken.c", ""),
    ];
    std::fs::write(directory.join("compile_commands.json"), format!("[{}]", all.join(",\n"))).unwrap();
    let (code, stdout, stderr) = run(&directory, "prove compile_commands.json --main main.c", None);
    assert_eq!((code, stdout.lines().last()), (Some(0), Some("Result: true")), "{stderr}");
    malformed(
        "database",
        &[],
        "model compile_commands.json",
        &["several files define main: main.c, other.c", "--main FILE"],
    );
    malformed(
        "database",
        &[],
        "model compile_commands.json --main nosuch.c",
        &["nosuch.c is none of the project's files"],
    );
    for (text, words) in [
        ("{", "is no compilation database"),
        ("{}", "it is no list"),
        ("[]", "it names no C file"),
        ("[{}]", "entry 1: it has no \"file\""),
        ("[{\"file\": \"main.c\"}]", "it has neither \"arguments\" nor \"command\""),
        ("[{\"file\": \"main.c\", \"arguments\": [\"cc\", \"@evil.rsp\"]}]", "is a response file, which is not read"),
        ("[{\"file\": \"nosuch.c\", \"arguments\": [\"cc\"]}]", "no file of the project defines main"),
    ] {
        malformed("database-bad", &[("bad.json", text)], "model bad.json", &[words]);
    }
    malformed("database-bad", &[], "model nosuch.json", &["cannot read nosuch.json"]);
}

#[test]
fn functions_without_a_body() {
    let (code, stdout, stderr) = run(&PathBuf::from(LINKED), "prove driver.c", None);
    assert_eq!(code, Some(5), "{stderr}");
    assert_eq!(stdout, "Result: unknown(unsupported: call of `find_device`, which is not defined and not modelled)\n");
    let places = ["`find_device`", "driver.c:14:29", "`read_register`", "driver.c:17:21", "`log_it`", "driver.c:18:5"];
    places.iter().for_each(|place| assert!(stderr.contains(place), "{place}: {stderr}"));
    let (code, _, stderr) = run(&PathBuf::from(LINKED), "prove driver.c --undefined-functions nondet", None);
    assert_eq!(code, Some(0), "{stderr}");
    let assumed = "functions without a body do nothing but return something: find_device, log_it, read_register";
    assert!(stderr.contains(assumed), "{stderr}");
    assert_eq!(result("prove driver.c --undefined-functions nondet -DBROKEN"), "Result: false(unreach-call)");
}

#[test]
fn one_run_lists_every_blocker_with_the_calls_that_lead_to_it() {
    let directory = directory("blockers");
    let text = "void g(void);\nstatic int down(int n) { return n + down(n - 1); }\n\
                static void twice(void) { asm(\"hlt\"); g(); }\nint main(void) {\n  twice();\n  return down(9);\n}\n";
    std::fs::write(directory.join("a.c"), text).unwrap();
    let (code, stdout, stderr) = run(&directory, "model a.c", None);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(unsupported: inline assembly)\n"));
    let parts = [
        "error: inline assembly\n --> a.c:3:27",
        "note: `twice` is called here\n --> a.c:5:3",
        "error: call of `g`",
        "error: recursion of `down`",
    ];
    parts.iter().for_each(|part| assert!(stderr.contains(part), "{part}: {stderr}"));
}

#[test]
fn libraries_without_main() {
    let client = "--client counter_set,counter_get --setup counter_init --timeout 60";
    assert_eq!(result(&format!("prove mutexed.c {client}")), "Result: true");
    assert_eq!(result(&format!("prove mutexed.c {client} -DBROKEN")), "Result: false(unreach-call)");
    assert_eq!(result(&format!("prove mutexed.c {client} --objects 2")), "Result: true");
    let ticket = "--client ticket_lock_enter;ticket_lock_leave,ticket_lock_try?;ticket_lock_leave,ticket_lock_is_taken --setup ticket_init";
    assert_eq!(result(&format!("prove ticket.c {ticket} -DBROKEN --timeout 60")), "Result: false(unreach-call)");
    let (_, _, stderr) = run(&PathBuf::from(LINKED), &format!("prove mutexed.c {client}"), None);
    let assumed = "13. threads repeat nothing but `counter_set`, `counter_get`, on one object of each type, which starts with zeros";
    assert!(stderr.contains(assumed), "{stderr}");
    let (code, _, stderr) = run(&PathBuf::from(LINKED), "prove mutexed.c --client nosuch", None);
    assert!(code == Some(2) && stderr.contains("no file defines a function `nosuch`"), "{stderr}");
    let (code, _, stderr) = run(&PathBuf::from(LINKED), "prove main.c account.c --client deposit", None);
    assert!(code == Some(2) && stderr.contains("the program has a main"), "{stderr}");
}

/// A header that is not ours in one file makes all files use the machine's: the types of two libraries are not the same.
#[test]
fn all_files_have_the_same_headers() {
    let directory = directory("headers");
    let first =
        "#include <time.h>\n#include <assert.h>\nint get(void);\nint main(void) { time(0); assert(get() == 3); }\n";
    let second = "#include <time.h>\n#include <sys/queue.h>\nint get(void) { return mktime(0) == 0 ? 3 : 3; }\n";
    std::fs::write(directory.join("a.c"), first).unwrap();
    std::fs::write(directory.join("b.c"), second).unwrap();
    let (_, stdout, stderr) = run(&directory, "prove a.c b.c --undefined-functions nondet --timeout 60", None);
    assert_eq!(stdout.lines().last(), Some("Result: true"), "{stderr}");
}

/// A file of a database that is no C is left out aloud, whether its definitions are missed or not.
#[test]
fn files_that_are_left_out_are_named() {
    let directory = directory("left_out");
    std::fs::write(
        directory.join("main.c"),
        "#include <assert.h>\nint get(void);\nint main(void) { assert(get() == 3); }\n",
    )
    .unwrap();
    std::fs::write(directory.join("get.c"), "int get(void) { return 3; }\n").unwrap();
    std::fs::write(directory.join("bad.c"), "int twice(int x) { return 2 x; }\n").unwrap();
    let entry = |file: &str| {
        format!(
            "{{\"directory\": {:?}, \"file\": {file:?}, \"command\": \"cc -c {file}\"}}",
            directory.display().to_string()
        )
    };
    let database = |files: &[&str]| {
        let entries: Vec<String> = files.iter().map(|file| entry(file)).collect();
        std::fs::write(directory.join("compile_commands.json"), format!("[{}]", entries.join(","))).unwrap();
        run(&directory, "prove compile_commands.json --timeout 60", None)
    };
    let (code, stdout, stderr) = database(&["main.c", "get.c", "bad.c"]);
    assert_eq!((code, stdout.lines().last()), (Some(0), Some("Result: true")), "{stderr}");
    assert!(stderr.contains("bad.c is left out") && stderr.contains("W-left-out"), "{stderr}");
    let (code, _, stderr) = database(&["main.c", "bad.c"]);
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stderr.contains("call of `get`") && stderr.contains("bad.c is left out"), "{stderr}");
}
