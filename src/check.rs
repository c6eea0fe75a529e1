//! `threader check`: check a certificate again, or replay a violation witness, from the files alone. Nothing of the prover is
//! used, which tests/architecture.rs holds fixed.

use std::io::Read;
use std::path::Path;

use ::check::{CertificateText, Origin, check_certificate, check_trace, obligations, smtlib_script};
use frontend::{Loaded, Options, Population, Templating};

use crate::arguments::CheckArguments;
use crate::entailment::ByZ3;
use crate::origin::origin;
use crate::status::Status;
use crate::witness::{self, Witness};
use crate::{assumptions, input, output};

/// Longer files are not read: none of ours is near it.
const LONGEST: u64 = 256 << 20;

/// The most threads created without bound with which a violation witness is replayed: as many as the prover tries.
const INSTANCES: usize = 4;

/// Lowers the program, reads the evidence, and checks it.
pub fn run(arguments: &CheckArguments) -> Status {
    let path = &arguments.certificate;
    let loaded = match input::program(&arguments.input.file, &arguments.input.options()) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    match read(path) {
        Ok(text) if is_witness(path, &text) => violation(arguments, &loaded, path, &text),
        Ok(text) => certificate(arguments, loaded, path, &text),
        Err(what) => output::complain(&format!("cannot read {}: {what}", path.display()), Status::Malformed),
    }
}

/// The text of a file that somebody else may have made.
pub fn read(path: &Path) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if metadata.len() > LONGEST {
        return Err(format!("it has {} bytes, and more than {LONGEST} are not read", metadata.len()));
    }
    // What is no plain file does not say how long it is.
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes, which are not read"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not text".into())
}

/// Whether a file is a witness rather than a certificate.
fn is_witness(path: &Path, text: &str) -> bool {
    path.extension().is_some_and(|e| e == "yml" || e == "yaml") || text.trim_start().starts_with("- entry_type")
}

/// Replays a violation witness.
fn violation(arguments: &CheckArguments, loaded: &Loaded, path: &Path, text: &str) -> Status {
    let malformed = |what: &str| {
        output::complain(
            &format!("{} is no violation witness for this program: {what}", path.display()),
            Status::Malformed,
        )
    };
    let found = match witness::read(text) {
        Ok(found) => found,
        Err(what) => return malformed(&what),
    };
    note_other_program(&found.hashes, loaded);
    let Witness::Violation(waypoints) = found.witness else {
        return malformed(
            "it is a correctness witness, which is no complete proof; prove --validate-witness proves it",
        );
    };
    // Where threads are created without bound, a run has so many of them: 1, 2, 3 .. are tried in turn.
    let populations: Vec<Population> = match loaded.program.templates() {
        [] => vec![Population::Each],
        _ => (1..=INSTANCES).map(Population::Bounded).collect(),
    };
    let mut replayed = Err(String::new());
    for population in populations {
        replayed = replay(arguments, population, &waypoints);
        if replayed.is_ok() {
            break;
        }
    }
    match replayed {
        Ok(states) => {
            output::report(&format!("replayed to the error in {} steps\n", states - 1));
            output::print("Result: false(unreach-call)\n", Status::Violated)
        }
        Err(what) => {
            output::report(&format!("{} leads to no error: {what}\n", path.display()));
            output::print_unknown("evidence rejected")
        }
    }
}

/// The number of states of the run that a witness tells of.
fn replay(
    arguments: &CheckArguments,
    population: Population,
    waypoints: &[witness::Waypoint],
) -> Result<usize, String> {
    // Places of a witness are those of elementary steps.
    let options = Options { fusion: frontend::Fusion::Off, population, ..arguments.input.options() };
    let loaded = frontend::load(&arguments.input.file, &options).map_err(|error| error.failure.to_string())?;
    let trace = witness::replay(&loaded, waypoints)?;
    check_trace(&loaded.program, &trace).map(|states| states.len()).map_err(|error| error.to_string())
}

/// Says so if a witness names the hash of another program. That decides nothing: only the check does.
pub fn note_other_program(hashes: &[String], loaded: &Loaded) {
    let here = origin(loaded).sha256;
    if let Some(other) = hashes.first().filter(|_| !hashes.contains(&here)) {
        let note = format!(
            "note: it was made for a file with SHA-256 {other}, and this one has {here}; it is checked all the same"
        );
        output::report(&format!("{note}\n"));
    }
}

/// Discharges every obligation of a certificate's rule, and writes them if asked to.
fn certificate(arguments: &CheckArguments, loaded: Loaded, path: &Path, text: &str) -> Status {
    let (shown, export) = (path.display(), arguments.export.as_deref());
    let malformed = |what: &str| output::complain(what, Status::Malformed);
    let parsed = match CertificateText::parse(text) {
        Ok(parsed) => parsed,
        Err(what) => return malformed(&format!("{shown} is no certificate: {what}")),
    };
    let stranger = stranger(&parsed.origin, &origin(&loaded));
    let unfit = |what: &str| {
        let why = stranger.as_ref().map_or_else(String::new, |other| format!(" ({other})"));
        malformed(&format!("{shown} is no certificate for this program: {what}{why}"))
    };
    let loaded = match populated(arguments, loaded, parsed.templates()) {
        Ok(loaded) => loaded,
        Err(what) => return unfit(&what),
    };
    let read = parsed.program(&loaded.program).and_then(|program| Ok((parsed.certificate(&program)?, program)));
    let (certificate, program) = &match read {
        Ok(read) => read,
        Err(what) => return unfit(&what),
    };
    if let Some(other) = &stranger {
        output::report(&format!("note: {other}; it is checked all the same\n"));
    }
    if let Some(directory) = export {
        let written = obligations(program, certificate).map_err(|rejection| rejection.to_string()).and_then(|all| {
            std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
            remove_exported(directory).map_err(|error| error.to_string())?;
            for (index, obligation) in all.iter().enumerate() {
                let file = directory.join(format!("{:05}.smt2", index + 1));
                output::write_file(&file, &smtlib_script(program, obligation)).map_err(|error| error.to_string())?;
            }
            Ok(())
        });
        if let Err(what) = written {
            return output::complain(&format!("cannot write to {}: {what}", directory.display()), Status::Usage);
        }
    }
    match check_certificate(program, certificate, &mut ByZ3::default()) {
        Ok(()) => {
            output::report(&assumptions::text(&loaded));
            output::print("Result: true\n", Status::Success)
        }
        Err(rejection) => {
            output::report(&format!("{shown} does not prove the program: {rejection}\n"));
            output::print_unknown("evidence rejected")
        }
    }
}

/// Removes what an earlier export has left: the obligations of another proof are none of this one's.
fn remove_exported(directory: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        let numbered = stem.len() >= 5 && stem.chars().all(|c| c.is_ascii_digit());
        if numbered && path.extension().is_some_and(|e| e == "smt2") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The program with templates of these functions, if a proof is about any number of them.
fn populated(arguments: &CheckArguments, loaded: Loaded, names: &[String]) -> Result<Loaded, String> {
    let named = |loaded: &Loaded| loaded.program.templates().iter().map(|t| t.name.as_str()).eq(names.iter());
    if named(&loaded) {
        return Ok(loaded);
    }
    if names.is_empty() {
        return Err("threads are created without bound in it, and the proof is about some".into());
    }
    let load = |templating| {
        let options = Options { population: Population::Templates, templating, ..arguments.input.options() };
        frontend::load(&arguments.input.file, &options).ok()
    };
    let found = [Templating::Unbounded, Templating::Repeated].into_iter().find_map(|how| load(how).filter(named));
    found.ok_or_else(|| format!("it does not create any number of {}", names.join(", ")))
}

/// What to say of a certificate that was made for another text. Its hash decides nothing: only the obligations do.
fn stranger(made_for: &Origin, here: &Origin) -> Option<String> {
    let differs = made_for.sha256 != here.sha256;
    differs.then(|| {
        format!(
            "it was made by {} for {} with SHA-256 {}, but {} has {}",
            or_nobody(&made_for.producer),
            or_nobody(&made_for.file),
            or_nobody(&made_for.sha256),
            here.file,
            here.sha256
        )
    })
}

fn or_nobody(text: &str) -> &str {
    if text.is_empty() { "(not said)" } else { text }
}
