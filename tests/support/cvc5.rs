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
    let all = obligations(program, certificate).map_err(|rejection| rejection.to_string())?;
    let scripts = all.iter().map(|obligation| smtlib_script(program, obligation)).collect();
    let answers = answers(name, &[scripts])?.remove(0);
    match answers.iter().position(|answer| *answer != "unsat") {
        None => Ok(()),
        Some(index) => {
            let what = all[index].condition.describe(program);
            Err(format!("{}: {what} (number {index} of {name})", answers[index]))
        }
    }
}

/// The answers to several sets of scripts. What is not valid is left in the directory of temporary files.
pub fn answers(name: &str, sets: &[Vec<String>]) -> Result<Vec<Vec<String>>, String> {
    static READY: OnceLock<Result<String, String>> = OnceLock::new();
    READY.get_or_init(|| cvc5(&["setup"])).clone()?;
    let mut files = Vec::new();
    for (index, scripts) in sets.iter().enumerate().filter(|(_, scripts)| !scripts.is_empty()) {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{index}.smt2", name.replace('/', "-")));
        std::fs::write(&file, together(scripts)).map_err(|error| error.to_string())?;
        files.push(file.display().to_string());
    }
    let mut arguments = vec!["--limit", LIMIT];
    arguments.extend(files.iter().map(String::as_str));
    let said = if files.is_empty() { String::new() } else { cvc5(&arguments)? };
    let mut lines = said.lines();
    let mut all = Vec::new();
    for scripts in sets {
        let line = if scripts.is_empty() { "" } else { lines.next().ok_or("cvc5 gave too few answers")? };
        let found: Vec<String> = line.split(' ').take(scripts.len()).map(str::to_string).collect();
        if found.len() != scripts.len()
            || !found.iter().all(|answer| ["sat", "unsat", "unknown"].contains(&answer.as_str()))
        {
            return Err(format!("cvc5 says: {line}"));
        }
        all.push(found);
    }
    for (file, found) in files.iter().zip(all.iter().filter(|found| !found.is_empty())) {
        if found.iter().all(|answer| answer == "unsat") {
            std::fs::remove_file(file).map_err(|error| error.to_string())?;
        }
    }
    Ok(all)
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
