//! `threader check`: check a certificate again, or replay a violation witness, from the files alone. Nothing of the prover is
//! used, which tests/architecture.rs holds fixed.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::check::{Certificate, CertificateText, Origin, Validity, check_certificate, obligations, smtlib_script};
use frontend::diagnostic::Code;
use frontend::{LoadError, Loaded, Options, Population, Reuse, Templating, Text};
use program::{Claim, Program, Property};
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
    let (path, options) = (&arguments.certificate, arguments.input.options());
    let source = arguments.input.inputs().and_then(|files| input::read(&files, &options));
    let read = source.and_then(|source| Ok((source.parts(&options)?, source)));
    let (parts, source) = match read {
        Ok(read) => read,
        Err(error) => return input::explain_failure(&error),
    };
    let text = self::read(path);
    let is_witness = text.as_ref().is_ok_and(|text| is_witness(path, text));
    let mut lowered = Vec::new();
    for part in &parts {
        match input::lower(&source, part) {
            Ok(loaded) => lowered.push((part.clone(), loaded)),
            // A run has a few threads, also where nothing can be said about any number of them.
            Err(error) if is_witness && error.failure.0.code == Code::Unsupported => match few(&source, part) {
                Some(few) => lowered.push(few),
                None if parts.len() > 1 => {}
                None => return input::explain_failure(&error),
            },
            Err(error) => return input::explain_failure(&error),
        }
    }
    input::warn(lowered.iter().map(|(_, loaded)| loaded));
    match text {
        Ok(text) if is_witness => violation(&lowered, path, &text),
        Ok(text) => certificates(arguments, &lowered, path, &text, watch),
        Err(what) => output::complain(&format!("cannot read {}: {what}", path.display()), Status::Malformed),
    }
}

/// The program with one of the threads that are created without bound.
fn few(source: &Arc<Text>, part: &Options) -> Option<Part> {
    let one = Options { population: Population::Bounded(1), ..part.clone() };
    source.lower(&one).ok().map(|loaded| (one, loaded))
}

/// A part of what is asked, with the program that serves it.
type Part = (Options, Loaded);

/// How many threads a run may have: where threads are created without bound, 1, 2, 3 .. are tried in turn.
fn populations((options, loaded): &Part) -> Vec<Population> {
    let instances = (1..=INSTANCES).map(Population::Bounded).chain((1..=MOVING).map(Population::Sparse));
    let is_bounded = loaded.program.templates().is_empty() && options.population == Population::Each;
    if is_bounded { vec![Population::Each] } else { instances.collect() }
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
fn violation(parts: &[Part], path: &Path, text: &str) -> Status {
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
    if let Some((_, loaded)) = parts.first() {
        note_other_program(&found.hashes, loaded);
    }
    let Witness::Violation(waypoints) = found.witness else {
        return malformed(
            "it is a correctness witness, which is no complete proof; prove --validate-witness proves it",
        );
    };
    let mut replayed = Err(String::new());
    let ways = parts.iter().flat_map(|part| populations(part).into_iter().map(move |population| (part, population)));
    for ((options, loaded), population) in ways {
        replayed = replay(&loaded.text, options, population, &waypoints);
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
    source: &Arc<Text>,
    part: &Options,
    population: Population,
    waypoints: &[witness::Waypoint],
) -> Result<(usize, Property), String> {
    // Places of a witness are those of elementary steps.
    let options = Options { fusion: frontend::Fusion::Off, population, ..part.clone() };
    let loaded = source.lower(&options).map_err(|error| error.failure.to_string())?;
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

/// Discharges every obligation of the certificates, and writes them if asked to: all claims must be proved by some of them.
fn certificates(arguments: &CheckArguments, parts: &[Part], path: &Path, text: &str, watch: &Watch) -> Status {
    let shown = path.display();
    let parsed = match CertificateText::parse_all(text) {
        Ok(parsed) => parsed,
        Err(what) => return output::complain(&format!("{shown} is no certificate: {what}"), Status::Malformed),
    };
    let mut proved: Vec<Loaded> = Vec::new();
    let mut exported = Vec::new();
    for one in &parsed {
        let fitted = match fit(parts, one) {
            Ok(fitted) => fitted,
            Err(Unfit::Lowering(error)) => return input::explain_failure(&error),
            Err(Unfit::Text(what)) => return output::complain(&format!("{shown} {what}"), Status::Malformed),
        };
        fitted
            .stranger
            .iter()
            .for_each(|other| output::report(&format!("note: {other}; it is checked all the same\n")));
        if let Some(directory) = &arguments.export
            && let Err(what) = export(directory, &fitted, &mut exported)
        {
            return output::complain(&format!("cannot write to {}: {what}", directory.display()), Status::Usage);
        }
        match check_certificate(&fitted.program, fitted.certificate, &mut ByZ3::new(watch.cancel())) {
            Ok(_) => proved.push(fitted.loaded),
            Err(rejection) if rejection.validity == Validity::Unknown && watch.stop() != Stop::No => {
                return output::print_unknown(watch.stop().reason().unwrap_or("interrupted"));
            }
            Err(rejection) => {
                output::report(&format!("{shown} does not prove the program: {rejection}\n"));
                return output::print_unknown("evidence rejected");
            }
        }
    }
    output::report(&assumptions::text(&proved.iter().collect::<Vec<_>>()));
    sum_up(parts, &proved)
}

/// The result of proofs of these programs.
fn sum_up(parts: &[Part], proved: &[Loaded]) -> Status {
    let is_proved = |claim: &&Claim| proved.iter().any(|loaded| loaded.program.claim(claim.id).is_some());
    let left_out: Vec<String> = parts
        .iter()
        .flat_map(|(_, loaded)| loaded.program.claims().iter().map(move |claim| (loaded, claim)))
        .filter(|(_, claim)| !is_proved(claim))
        .map(|(loaded, claim)| format!("{}: {}", loaded.program.place(claim.id.span), claim.what))
        .collect();
    if let Some(what) = parts.iter().find_map(|(_, loaded)| loaded.undecided.as_ref()) {
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

/// A certificate with the program that it is about.
struct Fitted {
    loaded: Loaded,
    program: Program,
    certificate: Certificate,
    /// What to say of it if it was made for another text.
    stranger: Option<String>,
}

/// Why a certificate is about no program of the text.
enum Unfit {
    Lowering(LoadError),
    Text(String),
}

/// Lowers the part that a certificate serves as the proof speaks of it.
fn fit(parts: &[Part], parsed: &CertificateText) -> Result<Fitted, Unfit> {
    let serves = |part: &Options| {
        let names = part.part.iter().flatten().map(|property| property.name());
        names.eq(parsed.origin.serves.iter().map(String::as_str))
    };
    let (usual, loaded) = parts.iter().find(|(part, _)| serves(part)).ok_or_else(|| {
        let served =
            if parsed.origin.serves.is_empty() { "all at once".into() } else { parsed.origin.serves.join(", ") };
        Unfit::Text(format!("is about a program that serves {served}, and none does that here"))
    })?;
    let unasked = parsed.leaves_out(&loaded.program).into_iter().map(|claim| claim.id).collect();
    let reuse = match parsed.origin.lowered.as_deref() {
        None => usual.reuse,
        Some(EXCLUDING_REUSE) => Reuse::Excluded,
        Some(other) => {
            return Err(Unfit::Text(format!("is about a program that was lowered in an unknown way: {other}")));
        }
    };
    let lowering = Options { unasked, reuse, ..usual.clone() };
    let loaded = input::lower(&loaded.text, &lowering).map_err(Unfit::Lowering)?;
    let stranger = stranger(&parsed.origin, &origin(&loaded));
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
    match read {
        Ok((loaded, certificate, program)) => Ok(Fitted { loaded, program, certificate, stranger }),
        Err(what) => {
            let why = stranger.map_or_else(String::new, |other| format!(" ({other})"));
            Err(Unfit::Text(format!("is no certificate for this program: {what}{why}")))
        }
    }
}

/// Writes the obligations of a certificate behind those that are there.
fn export(directory: &Path, fitted: &Fitted, written: &mut Vec<PathBuf>) -> Result<(), String> {
    let shown = |error: std::io::Error| error.to_string();
    let all = obligations(&fitted.program, &fitted.certificate).map_err(|rejection| rejection.to_string())?;
    std::fs::create_dir_all(directory).map_err(shown)?;
    if written.is_empty() {
        remove_exported(directory).map_err(shown)?;
    }
    for obligation in &all {
        let file = directory.join(format!("{:05}.smt2", written.len() + 1));
        output::write_file(&file, &smtlib_script(&fitted.program, obligation)).map_err(shown)?;
        written.push(file);
    }
    Ok(())
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
