//! `threader prove`: find a proof or a counterexample.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use frontend::{Loaded, Population, Templating};
use rules::{Cancel, Modularity, Options, Outcome, Reason, SolverKind, Verdict, Vocabulary};

use crate::arguments::ProveArguments;
use crate::limits::{Stop, Watch};
use crate::origin::origin;
use crate::parametric::{self, Effort, Found};
use crate::report::{self, Detail};
use crate::status::Status;
use crate::witness::Witness;
use crate::{child, harness, html, input, json, metadata, output, sarif, validate, witness};

/// So many equal threads are first tried as any number of them.
pub const OFTEN: usize = 3;

/// What is said where a level was asked for, and there is none.
const WITHOUT_LEVELS: &str = "note: --level has no effect: the proof is about each of the threads, not about any number of them (see \
                              --parametric)\n";

/// Loads the program, proves it or finds a run to an error, and prints what came of it.
pub fn run(arguments: &ProveArguments) -> Status {
    if let Some(megabytes) = arguments.memory.filter(|_| !child::is_child()) {
        return child::run(megabytes);
    }
    child::end_with_parent();
    let cancel = Cancel::new();
    let watch = Watch::start(arguments.timeout, &cancel);
    let loaded = match input::program(&arguments.input.file, &arguments.options()) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    if let Some(path) = &arguments.validate_witness {
        return validate::run(arguments, &loaded, path, options(arguments, cancel), watch);
    }
    let found = decide(arguments, loaded, &options(arguments, cancel));
    let stop = watch.stop();
    drop(watch);
    let found = match found {
        Ok(found) => found,
        Err(why) => return output::print_unknown(why),
    };
    let Found { loaded, outcome, population } = &found;
    if let (Population::Bounded(instances), Verdict::Unsafe(_)) = (population, &outcome.verdict) {
        output::report(&format!("an error with {instances} of the threads that are created without bound\n\n"));
    }
    let detail = if arguments.full_trace { Detail::Full } else { Detail::Visible };
    output::report(&report::text(loaded, outcome, detail));
    if let Err(message) = write_files(arguments, &found) {
        output::complain(&message, Status::Usage);
    }
    result(outcome, stop)
}

/// Proves the program: as it is, or where threads are created without bound, or equal ones often, for any number of them.
fn decide(arguments: &ProveArguments, loaded: Loaded, options: &Options) -> Result<Found, &'static str> {
    let lowering = |population, templating| frontend::Options { population, templating, ..arguments.options() };
    let lower = |population, templating| frontend::load(&arguments.input.file, &lowering(population, templating)).ok();
    if !loaded.program.templates().is_empty() {
        let templating = arguments.templating();
        return match parametric::refusal(options) {
            Some(why) => Err(why),
            None => {
                let lower = |population| lower(population, templating);
                Ok(parametric::prove(loaded, &lower, arguments.level, Effort::Full, options))
            }
        };
    }
    let often = loaded.repeated.iter().any(|(_, count)| *count >= OFTEN);
    if often && parametric::refusal(options).is_none() {
        log::info!("equal threads: trying a proof for any number of them");
        let lower = |population| lower(population, Templating::Repeated);
        if let Some(template) = lower(Population::Templates).filter(|l| !l.program.templates().is_empty()) {
            let found = parametric::prove(template, &lower, arguments.level, Effort::Attempt, options);
            if matches!(found.outcome.verdict, Verdict::Safe(_)) {
                return Ok(found);
            }
        }
    }
    if arguments.level.is_some() {
        output::report(WITHOUT_LEVELS);
    }
    let outcome = rules::prove(&loaded.program, options);
    Ok(Found { loaded, population: Population::Each, outcome })
}

/// Writes the files that were asked for. A verdict stands even if one of them cannot be written.
fn write_files(arguments: &ProveArguments, found: &Found) -> Result<(), String> {
    let Found { loaded, outcome, .. } = found;
    let write = |path: &Path, text: &str| {
        output::write_file(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    if let (Some(path), Verdict::Safe(certificate)) = (&arguments.certificate, &outcome.verdict) {
        write(path, &check::write_certificate(&loaded.program, certificate, &origin(loaded)))?;
    }
    if let Some(path) = &arguments.json {
        write(path, &json::text(found))?;
    }
    if let Some(path) = &arguments.sarif {
        write(path, &sarif::text(loaded, outcome))?;
    }
    if let Some(path) = &arguments.html {
        write(path, &html::text(found))?;
    }
    // Last: there may be no witness, or no harness.
    if let Some(path) = &arguments.witness {
        let found = match &outcome.verdict {
            Verdict::Safe(_) if is_of_any_number(arguments) => {
                return Err("no witness: the format cannot speak of any number of threads".into());
            }
            Verdict::Safe(_) => {
                let (fine, certificate) = proof_by_access(arguments)?;
                Some(witness::correctness(&fine, &certificate))
            }
            Verdict::Unsafe(trace) => {
                let (fine, trace) = elementary(arguments, found, trace)?;
                Some(Witness::Violation(witness::violation(&fine, &trace)))
            }
            Verdict::Unknown(_) => None,
        };
        if let Some(found) = found {
            let metadata = metadata::metadata(loaded, arguments.input.property.as_ref());
            write(path, &witness::write(&found, &metadata, &mut metadata::uuids(&metadata)))?;
        }
    }
    if let (Some(path), Verdict::Unsafe(trace)) = (&arguments.harness, &outcome.verdict) {
        let (fine, trace) = elementary(arguments, found, trace)?;
        let text = harness::harness(&fine, &trace).map_err(|why| format!("no harness can be made: {why}"))?;
        write(path, &text)?;
    }
    Ok(())
}

/// Whether the program has threads of unbounded number, by itself or because it was asked for. Equal threads whose number is known
/// are not such, though they may have been proved like them.
fn is_of_any_number(arguments: &ProveArguments) -> bool {
    let lowered = frontend::load(&arguments.input.file, &arguments.options());
    lowered.map_or(true, |loaded| !loaded.program.templates().is_empty())
}

/// A proof of the program in which a step is one access. Larger steps hide states that other threads can see in C, so that what
/// holds between them need not hold there.
fn proof_by_access(arguments: &ProveArguments) -> Result<(Loaded, check::Certificate), String> {
    let fine = frontend::Options { fusion: frontend::Fusion::Local, ..arguments.options() };
    let fine = frontend::load(&arguments.input.file, &fine).map_err(|error| error.failure.to_string())?;
    let cancel = Cancel::new();
    let watch = Watch::start(arguments.timeout, &cancel);
    let outcome = rules::prove(&fine.program, &options(arguments, cancel));
    drop(watch);
    match outcome.verdict {
        Verdict::Safe(certificate) => Ok((fine, certificate)),
        _ => {
            Err("no witness: there is a proof, but none was found for single accesses, of which witnesses speak".into())
        }
    }
}

/// The program without fusion, and the trace on it.
fn elementary(
    arguments: &ProveArguments,
    found: &Found,
    trace: &check::Trace,
) -> Result<(Loaded, check::Trace), String> {
    let (fusion, population) = (frontend::Fusion::Off, found.population);
    let options = frontend::Options { fusion, population, ..arguments.options() };
    let fine = frontend::load(&arguments.input.file, &options).map_err(|error| error.failure.to_string())?;
    let trace = witness::elementary(&found.loaded, &fine, trace)?;
    Ok((fine, trace))
}

fn options(arguments: &ProveArguments, cancel: Cancel) -> Options {
    let vocabulary = arguments.vocabulary.map_or(Vocabulary::Full, Into::into);
    let defaults = Options::default();
    Options {
        rule: arguments.rule.into(),
        solver: match arguments.solver {
            crate::values::SolverChoice::Cegar => SolverKind::Cegar,
            crate::values::SolverChoice::Spacer => SolverKind::Spacer(vocabulary),
        },
        seeds: match arguments.seeds {
            crate::values::Seeds::Evident => rules::Seeds::Evident,
            crate::values::Seeds::None => rules::Seeds::None,
        },
        modularity: if arguments.modular_only { Modularity::Only } else { Modularity::Preferred },
        workers: arguments.jobs.map_or(defaults.workers, |jobs| jobs as usize),
        cancel,
        clock: elapsed,
        ..defaults
    }
}

/// The time since the first call.
fn elapsed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The last line of stdout.
fn result(outcome: &Outcome, stop: Stop) -> Status {
    match &outcome.verdict {
        Verdict::Safe(_) => output::print("Result: true\n", Status::Success),
        Verdict::Unsafe(_) => output::print("Result: false(unreach-call)\n", Status::Violated),
        Verdict::Unknown(Reason::Cancelled) => output::print_unknown(stop.reason().unwrap_or("interrupted")),
        Verdict::Unknown(reason) => output::print_unknown(&reason.to_string()),
    }
}
