//! cvc5 (scripts/cvc5.pin) as a second opinion on obligations.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use check::{Certificate, obligations, smtlib_script};
use program::Program;

/// Seconds for one obligation; the slowest of the corpus takes a fraction of it.
const LIMIT: &str = "60";

fn cvc5(arguments: &[&str]) -> Result<String, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cvc5.py");
    for python in ["python3", "python"] {
        let Ok(output) = Command::new(python).arg(&script).args(arguments).output() else { continue };
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        return if output.status.success() { Ok(stdout.into_owned()) } else { Err(format!("cvc5: {stderr}")) };
    }
    Err("cvc5: Python is missing".into())
}

/// What cvc5 says of a certificate: nothing if it is a proof, else the first obligation that is not valid or not decided.
pub fn second_opinion(name: &str, program: &Program, certificate: &Certificate) -> Result<(), String> {
    static READY: OnceLock<Result<String, String>> = OnceLock::new();
    READY.get_or_init(|| cvc5(&["setup"])).clone()?;
    let all = obligations(program, certificate).map_err(|rejection| rejection.to_string())?;
    if all.is_empty() {
        return Ok(());
    }
    let scripts: Vec<String> = all.iter().map(|obligation| smtlib_script(program, obligation)).collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.smt2", name.replace('/', "-")));
    std::fs::write(&file, together(&scripts)).map_err(|error| error.to_string())?;
    let answers = cvc5(&["--limit", LIMIT, &file.display().to_string()])?;
    let answers: Vec<&str> = answers.split(' ').take(all.len()).collect();
    if answers.len() != all.len() {
        return Err(format!("cvc5 gave {} answers to {} obligations", answers.len(), all.len()));
    }
    match answers.iter().position(|answer| *answer != "unsat") {
        None => std::fs::remove_file(file).map_err(|error| error.to_string()),
        Some(index) => {
            let what = all[index].condition.describe(program);
            Err(format!("{}: {what} (number {index} of {})", answers[index], file.display()))
        }
    }
}

/// The scripts as one, each in a scope of its own: starting a solver takes longer than most obligations.
fn together(scripts: &[String]) -> String {
    let lines = |script: &'_ String, start: &'static str| -> Vec<String> {
        script.lines().filter(|line| line.starts_with(start)).map(str::to_string).collect()
    };
    let declared: BTreeSet<String> = scripts.iter().flat_map(|script| lines(script, "(declare-const")).collect();
    let mut text = String::from("(set-option :incremental true)\n(set-logic ALL)\n");
    text.extend(declared.into_iter().map(|line| line + "\n"));
    for script in scripts {
        text.push_str("(push 1)\n");
        text.extend(lines(script, "(assert").into_iter().map(|line| line + "\n"));
        text.push_str("(check-sat)\n(pop 1)\n");
    }
    text
}
