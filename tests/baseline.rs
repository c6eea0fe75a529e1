//! Baselines: what a file names is accepted and counted, wherever its lines have moved to, and nothing else is.

mod support;

use std::path::Path;
use std::process::Command;

use support::native::scratch;

const TEXT: &str = "#include <pthread.h>
int hits, other;
void *one(void *unused) {
    hits = hits + 1;
    other = other + 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    hits = 0;
    other = 0;
    pthread_join(t, 0);
    return 0;
}
";

/// The result, and all that is said.
fn prove(file: &Path, arguments: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    let output = command.arg("prove").arg(file).args(["--property", "no-data-race"]).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (String::from_utf8_lossy(&output.stdout).trim().to_string(), said)
}

#[test]
fn what_is_known_is_accepted_wherever_it_moves() {
    let directory = scratch("baseline");
    let (file, known) = (directory.join("hits.c"), directory.join("known").display().to_string());
    std::fs::write(&file, TEXT).unwrap();
    assert_eq!(prove(&file, &["--write-baseline", &known]).0, "Result: false(no-data-race)");
    let entries = std::fs::read_to_string(&known).unwrap();
    assert!(
        entries.contains(r#"["no-data-race","hits.c","one","hits = hits + 1;","hits.c","main","hits = 0;"]"#),
        "{entries}"
    );
    let number = entries.lines().filter(|line| line.starts_with('[')).count();

    let (result, said) = prove(&file, &["--baseline", &known]);
    assert_eq!(result, "Result: true", "{said}");
    // A line that reads and writes is two claims of one text.
    assert!(said.contains(" claims are accepted by "), "{said}");

    std::fs::write(&file, format!("\n\n{TEXT}")).unwrap();
    assert_eq!(prove(&file, &["--baseline", &known]).0, "Result: true");

    std::fs::write(&file, TEXT.replace("other = 0;", "other = 2;")).unwrap();
    let (result, said) = prove(&file, &["--baseline", &known]);
    assert_eq!(result, "Result: false(no-data-race)", "{said}");
    assert!(said.contains("of its entries are about nothing in the program"), "{said}");

    // What is accepted stays, and what is new is added.
    prove(&file, &["--baseline", &known, "--write-baseline", &known]);
    let entries = std::fs::read_to_string(&known).unwrap();
    assert_eq!(entries.lines().filter(|line| line.starts_with('[')).count(), number, "{entries}");
    assert!(entries.contains("other = 2;") && !entries.contains("other = 0;"), "{entries}");
    assert_eq!(prove(&file, &["--baseline", &known]).0, "Result: true");
}

/// Who accepts an overflow is told that nothing is said of what comes after it.
#[test]
fn undefined_behaviour_is_accepted_as_an_end() {
    let directory = scratch("baseline-overflow");
    let (file, known) = (directory.join("sum.c"), directory.join("known").display().to_string());
    std::fs::write(&file, "int x = 2147483647;\nint main(void) {\n    x = x + 1;\n    return 0;\n}\n").unwrap();
    let overflow = ["--property", "no-overflow"];
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
        let output = command.arg("prove").arg(&file).args(overflow).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run(&["--write-baseline", &known]).0, Some(10));
    let (code, said) = run(&["--baseline", &known]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 claim is accepted") && said.contains("nor, races aside, what comes after them"), "{said}");
}

#[test]
fn a_bad_file_is_told_of_with_its_place() {
    let directory = scratch("baseline-bad");
    let (file, known) = (directory.join("hits.c"), directory.join("known"));
    std::fs::write(&file, TEXT).unwrap();
    for (text, place) in
        [("[\"no-data-race\",\n", ":1:16: "), ("\n[\"no-race\"]\n", ":2:2: it begins with no property's name")]
    {
        std::fs::write(&known, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
        let output = command.arg("prove").arg(&file).arg("--baseline").arg(&known).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("{}{place}", known.display())), "{said}");
    }
    let (_, said) = prove(&file, &["--baseline", &directory.join("none").display().to_string()]);
    assert!(said.contains("cannot read"), "{said}");
}
