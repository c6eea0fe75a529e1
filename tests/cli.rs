//! The command line through the binary: messages in full, exit codes, what goes to stdout and what to stderr.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn threader() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.env_remove("THREADER_LOG").env_remove("NO_COLOR").current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs threader and compares its exit code, stdout and stderr, each in full.
fn expect(arguments: &[&str], code: i32, stdout: &str, stderr: &str) {
    let output = threader().args(arguments).output().unwrap();
    assert_eq!(text(&output), (stdout.to_string(), stderr.to_string()), "{arguments:?}");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
}

fn text(output: &Output) -> (String, String) {
    (String::from_utf8(output.stdout.clone()).unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

fn file(name: &str, contents: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).unwrap();
    path
}

const HELP: &str = "\
A verifier for multi-threaded C that finds unbounded safety proofs

Usage: threader [OPTIONS] <COMMAND>

Commands:
  prove        Find a proof or a counterexample
  refute       Look for an error within bounds, and say what was covered
  check        Check a certificate again, and write its obligations
  compare      Compare the proof rules on many programs
  model        Print the transition system of a program, or a proof rule's Horn clauses
  explain      Say what a diagnostic or a result means and what to do
  completions  Print the completions for a shell
  manual       Write the manual pages

Options:
  -h, --help        Print help
  -V, --version     Print version
  -v, --verbose...  Log to stderr: -v progress, -vv details, -vvv everything (or THREADER_LOG=info|debug|trace)

Exit status: 0 true, 10 false, 5 unknown, 1 bad usage, 2 malformed input, 6 internal error.
";

#[test]
fn help_is_no_error_when_asked_for() {
    expect(&["--help"], 0, HELP, "");
    expect(&[], 1, "", HELP);
}

#[test]
fn the_version_names_z3() {
    let output = threader().arg("--version").output().unwrap();
    let (stdout, stderr) = text(&output);
    let z3 = stdout.strip_prefix(concat!("threader ", env!("CARGO_PKG_VERSION"), " (Z3 ")).expect("threader's version");
    let z3 = z3.strip_suffix(")\n").expect("one line");
    assert!(z3.split('.').count() >= 3 && z3.starts_with(|c: char| c.is_ascii_digit()), "{z3} is no version");
    assert_eq!((stderr.as_str(), output.status.code()), ("", Some(0)));
}

#[test]
fn bad_usage_is_exit_1() {
    let more = "\n\nFor more information, try '--help'.\n";
    let usage = |name: &str, rest: &str| format!("\n\nUsage: threader {name} {rest}{more}");
    expect(
        &["frobnicate"],
        1,
        "",
        &format!("error: unrecognized subcommand 'frobnicate'\n\nUsage: threader [OPTIONS] <COMMAND>{more}"),
    );
    let missing = "error: the following required arguments were not provided:\n  <FILE>...";
    expect(&["model"], 1, "", &format!("{missing}{}", usage("model", "<FILE>...")));
    expect(
        &["model", "f.c", "--format", "smt2"],
        1,
        "",
        &format!("error: --format smt2 needs --rule{}", usage("model", "[OPTIONS] <FILE>...")),
    );
    expect(
        &["prove", "f.c", "-j", "0"],
        1,
        "",
        &format!("error: invalid value '0' for '-j <N>': 0 is not in 1..=4294967295{more}"),
    );
    expect(
        &["prove", "f.c", "--timeout", "-3"],
        1,
        "",
        &format!("error: invalid value '-3' for '--timeout <S>': expected a number of seconds greater than 0{more}"),
    );
    expect(
        &["prove", "f.c", "--timeout=0"],
        1,
        "",
        &format!("error: invalid value '0' for '--timeout <S>': expected a number of seconds greater than 0{more}"),
    );
}

#[test]
fn an_unknown_log_level_is_bad_usage() {
    let output = threader().args(["explain", "true"]).env("THREADER_LOG", "loud").output().unwrap();
    let message = "error: THREADER_LOG=loud is not a level (possible: off, error, warn, info, debug, trace)\n";
    assert_eq!(text(&output), (String::new(), message.to_string()));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_log_goes_to_stderr() {
    for (arguments, level, logged) in [
        (vec!["model", "nosuch.c", "-v"], "", true),
        (vec!["model", "nosuch.c"], "info", true),
        (vec!["model", "nosuch.c"], "", false),
    ] {
        let output = threader().args(&arguments).env("THREADER_LOG", level).output().unwrap();
        let (stdout, stderr) = text(&output);
        assert_eq!(stdout, "");
        assert_eq!(stderr.contains(" info  threader::input] reading nosuch.c\n"), logged, "{arguments:?}: {stderr}");
    }
}

#[test]
fn codes_are_explained() {
    let expected = "\
W-no-assertion

Nothing in the file can fail: no assert, no call of reach_error or
__VERIFIER_error that main can reach. The answer would be true whatever the
program does.

What to do: add an assertion about what matters, or check --property.

Example:
  assert(balance >= 0);
";
    expect(&["explain", "w-no-assertion"], 0, expected, "");
    expect(
        &["explain", "E-nonsense"],
        1,
        "",
        "error: there is nothing to explain about E-nonsense; threader explain lists what there is\n",
    );
}

/// What `explain` shows as examples, as programs that say what is explained: the topic, what it shows, the program around that, what is
/// asked, and what is said then.
#[test]
fn examples_of_explanations_are_true() {
    let around = |line: &str| format!("#include <assert.h>\n#include <pthread.h>\n{line}");
    let main = |line: &str| around(&format!("int main(void) {{\n{line}\n}}\n"));
    let nondet = "int nondet(void) { extern int __VERIFIER_nondet_int(void); return __VERIFIER_nondet_int(); }\n";
    let cases = [
        ("E-syntax", "int x = 1\n  int y;", around("  int x = 1\n  int y;\nint main(void) {}\n"), "model", "E-syntax"),
        (
            "E-invalid",
            "void f(void) { x = 1; }",
            around("void f(void) { x = 1; }\nint main(void) {}\n"),
            "model",
            "E-invalid",
        ),
        (
            "E-preprocessor",
            "#include \"config.h\"",
            around("#include \"config.h\"\nint main(void) {}\n"),
            "model",
            "E-preprocessor",
        ),
        ("W-no-assertion", "assert(balance >= 0);", main("int balance = 0;"), "prove", "W-no-assertion"),
        (
            "W-weak-order",
            "atomic_store_explicit(&ready, 1, memory_order_relaxed);",
            format!(
                "#include <stdatomic.h>\natomic_int ready;\n{}",
                main("atomic_store_explicit(&ready, 1, memory_order_relaxed); assert(1 == 1 || ready);")
            ),
            "prove",
            "W-weak-order",
        ),
        (
            "W-vacuous",
            "int main(void) { *p = 1; assert(0); }",
            around("int *p;\nint main(void) { *p = 1; assert(0); }\n"),
            "prove",
            "W-vacuous",
        ),
        (
            "E-unbounded-creation",
            "while (nondet()) __CPROVER_ASYNC_1: x++;",
            format!("{nondet}int x;\n{}", main("while (nondet()) __CPROVER_ASYNC_1: x++;\nassert(x >= 0);")),
            "prove",
            "unbounded thread creation",
        ),
        ("true", "Result: true", main("assert(1 + 1 == 2);"), "prove", "Result: true"),
        ("false", "Result: false(unreach-call)", main("assert(0);"), "prove", "Result: false(unreach-call)"),
    ];
    let dir = std::env::temp_dir().join(format!("threader-examples-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for (topic, shown, program, command, said) in cases {
        let explained = text(&threader().args(["explain", topic]).output().unwrap()).0;
        assert!(explained.contains(shown), "{topic} does not show {shown}: {explained}");
        let file = dir.join(format!("{topic}.c"));
        std::fs::write(&file, program).unwrap();
        let (stdout, stderr) = text(&threader().arg(command).arg(&file).output().unwrap());
        assert!(stdout.contains(said) || stderr.contains(said), "{topic}: {stdout}{stderr}");
    }
    let (list, _) = text(&threader().arg("explain").output().unwrap());
    for topic in ["E-internal", "timeout", "assumption-1 ", "assumption-13 ", "W-vacuous"] {
        assert!(list.lines().any(|line| line.starts_with(topic)), "{list}");
    }
}

/// Malformed input: exit 2, the diagnostic on stderr, nothing on stdout, for every subcommand that reads a file.
#[test]
fn a_missing_file_is_malformed_input() {
    let message = "\
error: cannot read nosuch.c: no such file
code: E-unreadable (see: threader explain E-unreadable)
";
    expect(&["model", "nosuch.c"], 2, "", message);
    expect(&["prove", "nosuch.c"], 2, "", message);
    expect(&["check", "nosuch.c", "cert"], 2, "", message);
    expect(&["compare", "nosuch.c", "--out", "d"], 2, "", "error: nosuch.c does not exist\n");
}

#[test]
fn what_is_no_text_is_malformed_input() {
    file("empty.c", b"");
    file("binary.c", b"int x = \xff;\n");
    let code = "code: E-not-text (see: threader explain E-not-text)\n";
    expect(&["model", "empty.c"], 2, "", &format!("error: empty.c is empty\n{code}"));
    expect(&["model", "binary.c"], 2, "", &format!("error: binary.c is not a text file: it is not UTF-8\n{code}"));
}

/// Valid C that is not modelled has a verdict: one line on stdout, the rest on stderr.
#[test]
fn what_is_not_modelled_is_unknown() {
    file("asm.c", b"int main(void) { asm(\"hlt\"); return 0; }\n");
    for command in ["model", "prove"] {
        let output = threader().args([command, "asm.c"]).output().unwrap();
        let (stdout, stderr) = text(&output);
        assert!(stdout.starts_with("Result: unknown(unsupported: ") && stdout.ends_with(")\n"), "{stdout}");
        assert_eq!(stdout.lines().count(), 1);
        assert!(stderr.ends_with("code: E-unsupported (see: threader explain E-unsupported)\n"), "{stderr}");
        assert_eq!(output.status.code(), Some(5));
    }
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = threader().args(["completions", shell]).output().unwrap();
        let (stdout, stderr) = text(&output);
        assert_eq!((stderr.as_str(), output.status.code()), ("", Some(0)), "{shell}");
        for word in ["compare", "explain", "validate-witness"] {
            assert!(stdout.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_manual_has_a_page_a_command() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = std::fs::remove_dir_all(&directory);
    expect(&["manual", "manual"], 0, "", "");
    for name in
        ["threader", "threader-prove", "threader-check", "threader-compare", "threader-model", "threader-explain"]
    {
        let page = std::fs::read_to_string(directory.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
    }
    expect(
        &["manual", "any/where"],
        1,
        "",
        "error: any/where is no directory that can be written: No such file or directory (os error 2)\n",
    );
}

/// `threader .. | head` must end quietly.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [["explain", "true"].as_slice(), &["--help"], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = threader().args(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = threader().args(["explain", "true"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let message = "error: cannot write to standard output: No space left on device (os error 28)\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
    assert_eq!(output.status.code(), Some(1));
}
