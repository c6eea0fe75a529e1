//! Proofs that take minutes: the programs under tests/long, each proved once and checked.

use std::path::Path;
use std::process::Command;

fn threader(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn lamports_bakery_is_proved_for_any_number_of_threads() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/long/bakery.c").display().to_string();
    let certificate = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long-bakery.cert").display().to_string();
    let (stdout, stderr) =
        threader(&["prove", &file, "--rule", "owicki-gries", "--level", "2", "--certificate", &certificate]);
    assert!(stdout.ends_with("Result: true\n"), "{stdout}{stderr}");
    assert!(stderr.contains("for any number of worker, at level 2\n"), "{stderr}");
    let (stdout, stderr) = threader(&["check", &file, &certificate]);
    assert!(stdout.ends_with("Result: true\n"), "{stdout}{stderr}");
}
