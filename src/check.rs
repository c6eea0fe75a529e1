//! `threader check`: check a certificate again, or replay a violation witness, from the files alone. Nothing of the prover is
//! used, which tests/architecture.rs holds fixed.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use ::check::{CertificateText, Origin, Validity, check_certificate, obligations, smtlib_script};
use frontend::diagnostic::Code;
use frontend::{Loaded, Options, Population, Reuse, Templating};
use program::Property;
use smt::Cancel;

use crate::arguments::CheckArguments;
use crate::entailment::ByZ3;
use crate::limits::{Stop, Watch};
use crate::origin::{EXCLUDING_REUSE, origin};
use crate::status::Status;
use crate::witness::{self, Witness};
use crate::{assumptions, child, input, output};

/// Longer files are not read: none of ours is near it.
const LONGEST: u64 = 256 << 20;

/// The most threads created without bound with which a violation witness is replayed: as many as the prover tries.
const INSTANCES: usize = 20;
/// The same, of those that move where others never do.
const MOVING: usize = 2;

/// Checks the evidence within the limits on time and memory.
pub fn run(arguments: &CheckArguments) -> Status {
    if let Some(megabytes) = arguments.memory.filter(|_| !child::is_child()) {
        return child::run(megabytes);
    }
    child::end_with_parent();
    let cancel = Cancel::new();
    // What does not stop by itself is ended by the watch.
    let watch = Watch::start(arguments.timeout, &cancel);
    smt::interruptible(&cancel, || check(arguments, &watch))
}

/// Lowers the program, reads the evidence, and checks it.
fn check(arguments: &CheckArguments, watch: &Watch) -> Status {
    let path = &arguments.certificate;
    let loaded = arguments.input.load(&arguments.input.options());
    loaded.iter().for_each(input::warn);
    match (read(path), loaded) {
        (Ok(text), Ok(loaded)) if is_witness(path, &text) => {
            violation(arguments, &loaded, &populations(&loaded), path, &text)
        }
        (Ok(text), Ok(loaded)) => certificate(arguments, loaded, path, &text, watch),
        // A run has a few threads, also where nothing can be said about any number of them.
        (Ok(text), Err(error)) if is_witness(path, &text) => match few(arguments, 1) {
            Some(loaded) if error.failure.0.code == Code::Unsupported => {
                violation(arguments, &loaded, &few_instances(), path, &text)
            }
            _ => input::explain_failure(&error),
        },
        (_, Err(error)) => input::explain_failure(&error),
        (Err(what), _) => output::complain(&format!("cannot read {}: {what}", path.display()), Status::Malformed),
    }
}

/// The program with so many of the threads that are created without bound.
fn few(arguments: &CheckArguments, instances: usize) -> Option<Loaded> {
    let options = Options { population: Population::Bounded(instances), ..arguments.input.options() };
    frontend::load_files(&arguments.input.inputs().ok()?, &options).ok()
}

/// How many threads a run may have: where threads are created without bound, 1, 2, 3 .. are tried in turn.
fn populations(loaded: &Loaded) -> Vec<Population> {
    if loaded.program.templates().is_empty() { vec![Population::Each] } else { few_instances() }
}

fn few_instances() -> Vec<Population> {
    (1..=INSTANCES).map(Population::Bounded).chain((1..=MOVING).map(Population::Sparse)).collect()
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
fn violation(
    arguments: &CheckArguments,
    loaded: &Loaded,
    populations: &[Population],
    path: &Path,
    text: &str,
) -> Status {
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
    let mut replayed = Err(String::new());
    for population in populations {
        replayed = replay(arguments, *population, &waypoints);
        if replayed.is_ok() {
            break;
        }
    }
    match replayed {
        Ok((steps, property)) => {
            output::report(&format!("replayed to the error in {steps} steps\n"));
            output::print_false(property)
        }
        Err(what) => {
            output::report(&format!("{} leads to no error: {what}\n", path.display()));
            output::print_unknown("evidence rejected")
        }
    }
}

/// How many steps the run has that a witness tells of, and what it violates.
fn replay(
    arguments: &CheckArguments,
    population: Population,
    waypoints: &[witness::Waypoint],
) -> Result<(usize, Property), String> {
    // Places of a witness are those of elementary steps.
    let options = Options { fusion: frontend::Fusion::Off, population, ..arguments.input.options() };
    let files = arguments.input.inputs().map_err(|error| error.failure.to_string())?;
    let loaded = frontend::load_files(&files, &options).map_err(|error| error.failure.to_string())?;
    let trace = witness::replay(&loaded, waypoints)?;
    let run = ::check::replay(&loaded.program, trace).map_err(|error| error.to_string())?;
    let claim = run.violated().ok_or("it ends at what is not modelled")?;
    Ok((run.steps.len(), claim.property))
}

/// Says so if a witness names the hash of another program. That decides nothing: only the check does.
pub fn note_other_program(hashes: &[String], loaded: &Loaded) {
    let files = origin(loaded).files;
    let unknown = files.iter().find(|(_, here)| !hashes.contains(here));
    if let (Some(other), Some((_, here))) = (hashes.first(), unknown) {
        let note = format!(
            "note: it was made for a file with SHA-256 {other}, and this one has {here}; it is checked all the same"
        );
        output::report(&format!("{note}\n"));
    }
}

/// Discharges every obligation of a certificate's rule, and writes them if asked to.
fn certificate(arguments: &CheckArguments, loaded: Loaded, path: &Path, text: &str, watch: &Watch) -> Status {
    let (shown, export) = (path.display(), arguments.export.as_deref());
    let malformed = |what: &str| output::complain(what, Status::Malformed);
    let parsed = match CertificateText::parse(text) {
        Ok(parsed) => parsed,
        Err(what) => return malformed(&format!("{shown} is no certificate: {what}")),
    };
    let left_out: Vec<String> = parsed
        .leaves_out(&loaded.program)
        .into_iter()
        .map(|claim| format!("{}: {}", loaded.program.place(claim.id.span), claim.what))
        .collect();
    let unasked = parsed.leaves_out(&loaded.program).into_iter().map(|claim| claim.id).collect();
    let usual = arguments.input.options();
    let reuse = match parsed.origin.lowered.as_deref() {
        None => usual.reuse,
        Some(EXCLUDING_REUSE) => Reuse::Excluded,
        Some(other) => {
            return malformed(&format!("{shown} is about a program that was lowered in an unknown way: {other}"));
        }
    };
    let lowering = Options { unasked, reuse, ..usual };
    let loaded = match arguments.input.load(&lowering) {
        Ok(loaded) => loaded,
        Err(error) => return input::explain_failure(&error),
    };
    let stranger = stranger(&parsed.origin, &origin(&loaded));
    let unfit = |what: &str| {
        let why = stranger.as_ref().map_or_else(String::new, |other| format!(" ({other})"));
        malformed(&format!("{shown} is no certificate for this program: {what}{why}"))
    };
    let read = |loaded: Loaded| {
        let program = parsed.program(&loaded.program)?;
        Ok((loaded, parsed.certificate(&program)?, program))
    };
    // The first lowering that has what the proof speaks of; if there is none, what is missing in the first.
    let read = populated(&lowering, loaded, parsed.templates()).and_then(|lowered| {
        let mut all = lowered.into_iter().map(read);
        let first = all.next().ok_or_else(String::new)?;
        first.or_else(|what| all.find_map(Result::ok).ok_or(what))
    });
    let (loaded, certificate, program) = &match read {
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
    match check_certificate(program, certificate.clone(), &mut ByZ3::new(watch.cancel())) {
        Ok(_) => {
            output::report(&assumptions::text(loaded));
            if let Some(what) = &loaded.undecided {
                return output::print_unknown(&format!("unsupported: {}", what.message));
            }
            match left_out.first() {
                None => output::print("Result: true\n", Status::Success),
                Some(first) => {
                    output::report(&format!("it proves all claims but {}\n", left_out.join(", ")));
                    output::print_unknown(&format!("the certificate is not about {first}"))
                }
            }
        }
        Err(rejection) if rejection.validity == Validity::Unknown && watch.stop() != Stop::No => {
            output::print_unknown(watch.stop().reason().unwrap_or("interrupted"))
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

/// The program with templates of these functions, if a proof is about any number of them: as a proof may speak of it.
fn populated(lowering: &Options, loaded: Loaded, names: &[String]) -> Result<Vec<Loaded>, String> {
    let named = |loaded: &Loaded| loaded.program.templates().iter().map(|t| t.name.as_str()).eq(names.iter());
    if names.is_empty() {
        let none = "threads are created without bound in it, and the proof is about some";
        return if named(&loaded) { Ok(vec![loaded]) } else { Err(none.into()) };
    }
    let load = |population, templating| {
        let options = Options { population, templating, ..lowering.clone() };
        loaded.text.lower(&options).ok().filter(named)
    };
    let mut lowered = Vec::new();
    for population in [Population::Templates, Population::Exact] {
        let each = [Templating::Unbounded, Templating::Repeated];
        lowered.extend(each.into_iter().find_map(|templating| load(population, templating)));
    }
    if lowered.is_empty() {
        return Err(format!("it does not create any number of {}", names.join(", ")));
    }
    Ok(lowered)
}

/// What to say of a certificate that was made for another text. Its hash decides nothing: only the obligations do.
fn stranger(made_for: &Origin, here: &Origin) -> Option<String> {
    let hashes = |origin: &Origin| origin.files.iter().map(|(_, hash)| hash.clone()).collect::<BTreeSet<_>>();
    if hashes(made_for) == hashes(here) {
        return None;
    }
    // The first file that is not as it was; where only files are missing or added, the first of all.
    let nothing = (String::new(), String::new());
    let (file, sha256) =
        here.files.iter().find(|(_, hash)| !hashes(made_for).contains(hash)).or(here.files.first()).unwrap_or(&nothing);
    let namesake = made_for.files.iter().find(|(name, _)| name == file).or(made_for.files.first());
    let (before, hash) = namesake.unwrap_or(&nothing);
    Some(format!(
        "it was made by {} for {} with SHA-256 {}, but {file} has {sha256}",
        or_nobody(&made_for.producer),
        or_nobody(before),
        or_nobody(hash),
    ))
}

fn or_nobody(text: &str) -> &str {
    if text.is_empty() { "(not said)" } else { text }
}
