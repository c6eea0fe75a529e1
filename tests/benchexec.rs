//! The tool-info module in the real BenchExec (scripts/benchexec.pin).
//!
//! Without containers and without limits on memory and cores: a machine that runs tests often grants BenchExec neither.

mod support;

use std::path::Path;
use std::process::{Command, Output};

use support::native::scratch;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether this machine's Python is new enough; if not, it is said.
fn python() -> bool {
    let new = Command::new("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status();
    let is_new = new.is_ok_and(|status| status.success());
    if !is_new {
        let warning = "\nSKIPPED: Python 3.10 or newer is missing: the BenchExec module is NOT tested\n";
        std::io::Write::write_all(&mut std::io::stderr(), warning.as_bytes()).unwrap();
    }
    is_new
}

fn script(name: &str, arguments: &[&str]) -> Output {
    let output = Command::new("python3")
        .arg(Path::new(ROOT).join(name))
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONUTF8", "1")
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{name} {arguments:?}: {output:?}");
    output
}

fn directory() -> String {
    Path::new(env!("CARGO_BIN_EXE_threader")).parent().unwrap().display().to_string()
}

#[test]
fn the_definition_names_the_whole_corpus() {
    let definition = std::fs::read_to_string(format!("{ROOT}/contrib/threader_benchexec/threader.xml")).unwrap();
    for entry in std::fs::read_dir(format!("{ROOT}/tests/programs")).unwrap() {
        let entry = entry.unwrap();
        // The tasks are about assertions.
        let mut files =
            std::fs::read_dir(entry.path()).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()));
        if files.all(|text| !text.is_ok_and(|text| text.starts_with("// verdict: "))) {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(definition.contains(&format!("target/tasks/{name}/*.yml")), "{name}");
    }
}

#[test]
fn benchexec_accepts_the_module_and_runs_five_tasks() {
    if !python() {
        return;
    }
    module();
    five();
}

fn module() {
    let output = script(
        "scripts/benchexec.py",
        &["test_tool_info", "threader_benchexec.tool", "--no-container", "--tool-directory", &directory()],
    );
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    for line in [
        "Name of tool: “threader”",
        concat!("Version: “", env!("CARGO_PKG_VERSION"), " (Z3 "),
        "'prove', '--property', 'PROPERTY.PRP', 'INPUT.FILE']",
        "'--data-model', 'ILP32', '--timeout', '899', 'INPUT.FILE']",
        "libz3",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

fn five() {
    script("contrib/threader_benchexec/tasks.py", &[&format!("{ROOT}/target/tasks")]);
    let out = scratch("benchexec-five");
    let output = script(
        "scripts/benchexec.py",
        &[
            "benchexec",
            "contrib/threader_benchexec/threader.xml",
            "--no-container",
            "--no-compress-results",
            "-M",
            "-1",
            "-c",
            "-1",
            "-r",
            "owicki-gries",
            "-t",
            "five",
            "--tool-directory",
            &directory(),
            "-o",
            &format!("{}/", out.display()),
        ],
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let words: Vec<&str> = said.split_whitespace().collect();
    let statistics = words.join(" ");
    assert!(statistics.contains("correct true: 2 correct false: 3 incorrect: 0"), "{said}");
    let results = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    let xml = results.filter(|path| path.extension().is_some_and(|e| e == "xml")).map(std::fs::read_to_string);
    let xml: String = xml.map(Result::unwrap).collect();
    for column in ["refinements", "predicates", "states", "queries", "check (s)"] {
        assert!(xml.contains(&format!("title=\"{column}\" value=\"")), "{column}: {xml}");
    }
}
