//! Input that cannot be verified, through the binary: the whole message, the exit code, and nothing on the wrong stream.
//! What is malformed exits with 2; valid C that is not modelled is `unknown`, but only where main can reach it.

use std::path::PathBuf;
use std::process::Command;

fn directory() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_input");
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn write(name: &str, contents: impl AsRef<[u8]>) {
    std::fs::write(directory().join(name), contents).unwrap();
}

/// Runs `threader model` in the directory of the inputs: exit code, stdout and stderr.
fn model(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.env_remove("THREADER_LOG").env_remove("RUST_BACKTRACE").current_dir(directory());
    let output = command.arg("model").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Malformed: exit 2, nothing on stdout, the message in full and its code.
fn malformed(arguments: &[&str], code: &str, message: &str) {
    let expected = format!("{message}\ncode: {code} (see: threader explain {code})\n");
    assert_eq!(model(arguments), (Some(2), String::new(), expected), "{arguments:?}");
}

/// Not modelled: exit 5, the result on stdout, a caret on stderr. `column` is where it stands in `line`.
fn unknown(name: &str, what: &str, line: usize, column: usize, source: &str) {
    let margin = " ".repeat(line.to_string().len());
    let expected = format!(
        "error: {what}\n{margin}--> {name}:{line}:{column}\n{margin} |\n{line} | {source}\n{margin} | {}^\n\
         code: E-unsupported (see: threader explain E-unsupported)\n",
        " ".repeat(column - 1)
    );
    let result = format!("Result: unknown(unsupported: {what})\n");
    assert_eq!(model(&[name]), (Some(5), result, expected));
}

/// The same construct twice: in main, where it is refused, and in a function that nobody calls, where it does not matter.
fn refused_only_where_reachable(name: &str, before: &str, construct: &str, what: &str, column: usize) {
    let line = before.lines().count() + 2;
    let reachable = format!("{before}int main(void) {{\n{construct}\n  return 0;\n}}\n");
    write(&format!("{name}.c"), reachable);
    unknown(&format!("{name}.c"), what, line, column, construct);
    let unreachable = format!(
        "#include <assert.h>\n{before}void unused(void) {{\n{construct}\n}}\nint main(void) {{\n  assert(1);\n  return 0;\n}}\n"
    );
    write(&format!("{name}-unreachable.c"), unreachable);
    let (code, _, stderr) = model(&[&format!("{name}-unreachable.c")]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
}

#[test]
fn files_that_are_no_c_text() {
    malformed(&["nosuch.c"], "E-unreadable", "error: cannot read nosuch.c: no such file");
    std::fs::create_dir_all(directory().join("folder.c")).unwrap();
    malformed(&["folder.c"], "E-unreadable", "error: cannot read folder.c: it is a directory");
    write("empty.c", "");
    malformed(&["empty.c"], "E-not-text", "error: empty.c is empty");
    write("latin1.c", b"int x; // caf\xe9\n");
    malformed(&["latin1.c"], "E-not-text", "error: latin1.c is not a text file: it is not UTF-8");
    write("binary.c", b"\x7fELF\0\0\0");
    malformed(&["binary.c"], "E-not-text", "error: binary.c is not a text file: it contains NUL bytes");
}

#[test]
fn c_that_is_malformed() {
    write("syntax.c", "int main(void) { return 0 }\n");
    let place = " --> syntax.c:1:27\n  |\n1 | int main(void) { return 0 }\n  |                           ^";
    malformed(&["syntax.c"], "E-syntax", &format!("error: expected `;` before `}}`\n{place}"));
    write("nomain.c", "int f(void) { return 0; }\n");
    let message = "error: the file defines no function `main`\n\
                   help: name the functions that run in parallel with --threads f,g,.., or say how they are used with --client";
    malformed(&["nomain.c"], "E-invalid", message);
    let message = "error: the file defines no function `g`\n\
                   help: --threads takes names of functions that the file defines";
    malformed(&["nomain.c", "--threads", "f,g"], "E-invalid", message);
}

/// Deep C is C: where it is too deep, the place is named.
#[test]
fn nesting_that_is_too_deep() {
    let deep = format!("{}1{}", "(".repeat(11_000), ")".repeat(11_000));
    write("deep.c", format!("int main(void) {{\n  return {deep};\n}}\n"));
    let (code, stdout, stderr) = model(&["deep.c"]);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(unsupported: nesting is too deep)\n"));
    assert!(stderr.starts_with("error: nesting is too deep\n --> deep.c:2:") && stderr.contains("^\n"), "{stderr}");
}

/// A megabyte of anything: refused in order, and soon.
#[test]
fn garbage_is_refused() {
    let mut state = 1u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b"abc01 +*/(){}[];,<>=!&|\"'\\#\n"[(state >> 33) as usize % 28]
    };
    let text: Vec<u8> = (0..1_000_000).map(|_| letter()).collect();
    write("garbage.c", text);
    write("open.c", "(".repeat(1_000_000));
    for name in ["garbage.c", "open.c"] {
        let (code, stdout, stderr) = model(&[name]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{name}");
        assert!(stderr.starts_with("error: ") && stderr.contains("\ncode: E-"), "{name}: {stderr}");
    }
}

#[test]
fn valid_c_that_is_not_modelled() {
    let undefined = "call of `g`, which is not defined and not modelled";
    refused_only_where_reachable("undefined", "void g(int *p);\nint x;\n", "  g(&x);", undefined, 3);
    refused_only_where_reachable("assembly", "", "  asm(\"hlt\");", "inline assembly", 3);
    refused_only_where_reachable("vla", "int n;\n", "  int a[2][n];", "variable-length array", 7);
    let goto = "the address of a label";
    refused_only_where_reachable("label", "", "  void *p = &&here; here: ;", goto, 13);
    refused_only_where_reachable("wide", "", "  __int128 w = 1; w++;", "__int128", 16);
    let union = "floating point in a union with other members";
    refused_only_where_reachable("union", "union { int i; float f; } u;\n", "  u.f = 1;", union, 3);
}

#[test]
fn recursion_and_unbounded_creation() {
    let recursive = "int f(int n) { return n + f(n - 1); }\n";
    write("recursion.c", format!("{recursive}int main(void) {{ return f(3); }}\n"));
    let (code, stdout, stderr) = model(&["recursion.c"]);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(unsupported: recursion of `f`)\n"));
    let place =
        format!("error: recursion of `f`\n --> recursion.c:1:27\n  |\n1 | {recursive}  | {}^\n", " ".repeat(26));
    let called = "note: `f` is called here\n --> recursion.c:2:25\n";
    assert!(stderr.starts_with(&(place + called)), "{stderr}");
    let threads = "#include <pthread.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint x;\n";
    let function = "void *f(void *p) { assert(x == 0); return p; }\nint main(void) {\n  pthread_t t;\n";
    let creation = "  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0);\n}\n";
    write("creation.c", format!("{threads}{function}{creation}"));
    let (code, stdout, stderr) = model(&["creation.c"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.contains("thread 1 f#1") && stdout.contains("thread 2 f#2"), "{stdout}");
    assert!(!stdout.contains("thread 3"), "{stdout}");
    let statement = "  while (__VERIFIER_nondet_int()) { __CPROVER_ASYNC_1: x++; }";
    write("statements.c", format!("{threads}int main(void) {{\n{statement}\n  assert(x >= 0);\n}}\n"));
    let (code, stdout, stderr) = model(&["statements.c"]);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(unbounded thread creation)\n"));
    let message = "error: unbounded thread creation\n --> statements.c:6:37\n  |\n6 |   while";
    assert!(stderr.starts_with(message), "{stderr}");
    assert!(
        stderr.contains("help: give the loop a constant number of rounds, counted by a variable that no pointer writes, or write the creations out\n"),
        "{stderr}"
    );
}

#[test]
fn a_file_without_assertions_is_worth_a_warning() {
    write("nothing.c", "int main(void) {\n  return 0;\n}\n");
    let (code, _, stderr) = model(&["nothing.c"]);
    let warning = "warning: nothing in nothing.c can fail\n\
                   help: state what must hold with assert(..), or call reach_error() where control must not come\n\
                   code: W-no-assertion (see: threader explain W-no-assertion)\n";
    assert_eq!((code, stderr.as_str()), (Some(0), warning));
}

#[test]
fn properties_that_are_none() {
    write("fine.c", "#include <assert.h>\nint main(void) {\n  assert(1);\n  return 0;\n}\n");
    write("bad.prp", "nonsense\n");
    let message = "error: bad.prp is not a property file: `nonsense`\n\
                   help: a property reads CHECK( init(main()), LTL(G ! call(reach_error())) )";
    malformed(&["fine.c", "--property", "bad.prp"], "E-task", message);
    malformed(&["fine.c", "--property", "nosuch.prp"], "E-unreadable", "error: cannot read nosuch.prp: no such file");
    let (code, stdout, stderr) = model(&["fine.c", "--property", "termination"]);
    let message = "error: the property termination\n\
                   help: unreach-call, no-overflow, no-division-by-zero, no-bad-shift, no-data-race, valid-deref, valid-free, \
                   valid-memtrack, valid-memcleanup, no-misuse, no-uninitialised-read, no-deadlock, unreach-label, valid-memsafety, all \
                   can be verified, and property files that say the same\n\
                   code: E-unsupported (see: threader explain E-unsupported)\n";
    assert_eq!((code, stderr.as_str()), (Some(5), message));
    assert_eq!(stdout, "Result: unknown(unsupported: the property termination)\n");
}

/// `true` would speak of every line of a property file: all are verified, or none.
#[test]
fn a_property_file_holds_as_a_whole() {
    write("assert.c", "#include <assert.h>\nint main(void) {\n  assert(0);\n  return 0;\n}\n");
    let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    write("both.prp", format!("{reach}CHECK( init(main()), LTL(G ! call(__assert_fail())) )\n"));
    let (code, stdout, _) = model(&["assert.c", "--property", "both.prp"]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("L0: error"), "{stdout}");
    write("half.prp", format!("{reach}CHECK( init(main()), LTL(F end) )\n"));
    let (code, stdout, _) = model(&["assert.c", "--property", "half.prp"]);
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(unsupported: the property half.prp)\n"));
}

/// Tasks of all three format versions say where the program is, what is to be verified, and how wide a long is.
#[test]
fn tasks_of_every_format() {
    write(
        "task.c",
        "extern void reach_error(void);\nint main(void) {\n  if (sizeof(long) == 4) reach_error();\n  return 0;\n}\n",
    );
    write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let wide = "format_version: '1.0'\ninput_files: 'task.c'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: true\n";
    write("wide.yml", wide);
    for version in ["2.0", "2.1"] {
        let text = format!(
            "format_version: '{version}'\ninput_files: 'task.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
             expected_verdict: false\noptions:\n  language: C\n  data_model: ILP32\n"
        );
        write(&format!("narrow{version}.yml"), text);
    }
    let errors = |name: &str| {
        let (code, stdout, stderr) = model(&[name]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
        stdout.contains("error")
    };
    assert!(!errors("wide.yml"));
    assert!(errors("narrow2.0.yml"));
    assert!(errors("narrow2.1.yml"));
}

#[test]
fn tasks_that_are_none() {
    write("list.yml", "- 1\n- 2\n");
    let (code, stdout, stderr) = model(&["list.yml"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.starts_with("error: list.yml is not a task definition: "), "{stderr}");
    assert!(stderr.ends_with("code: E-task (see: threader explain E-task)\n"), "{stderr}");
}

/// What main cannot reach is not refused, however little of it is modelled.
#[test]
fn recursion_and_unbounded_creation_out_of_reach() {
    let rest = "int main(void) {\n  assert(1);\n  return 0;\n}\n";
    let recursion = "#include <assert.h>\nint down(int n) { return n ? down(n - 1) : 0; }\n";
    write("recursion-unreachable.c", format!("{recursion}{rest}"));
    let creation = "#include <assert.h>\n#include <pthread.h>\nvoid *f(void *p) { return p; }\n\
                    void start(int n) {\n  pthread_t t;\n  while (n--) pthread_create(&t, 0, f, 0);\n}\n";
    write("creation-unreachable.c", format!("{creation}{rest}"));
    for file in ["recursion-unreachable.c", "creation-unreachable.c"] {
        let (code, _, stderr) = model(&[file]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{file}");
    }
}
