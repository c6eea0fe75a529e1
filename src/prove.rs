//! `threader prove`: find a proof or a counterexample.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use frontend::diagnostic::Code;
use frontend::{Fusion, LoadError, Loaded, Population, Templating};
use program::Program;
use rules::{Cancel, Modularity, Options, Outcome, Reason, SolverKind, Task, Verdict, Vocabulary};

use crate::arguments::ProveArguments;
use crate::limits::{Stop, Watch};
use crate::origin::origin;
use crate::report::{self, Detail};
use crate::status::Status;
use crate::witness::{NotElementary, Witness};
use crate::{child, harness, html, input, json, metadata, output, sarif, validate, witness};

/// What the second proof that a correctness witness needs may take, if no limit was given.
const WITNESS: Duration = Duration::from_secs(60);

/// What is said where a level was asked for, and there is none.
const WITHOUT_LEVELS: &str = "note: --level has no effect: the proof is about each of the threads, not about any number of them (see \
                              --parametric)\n";

/// Loads the program, proves it or finds a run to an error, and prints what came of it.
pub fn run(arguments: &ProveArguments) -> Status {
    if let Some(megabytes) = arguments.memory.filter(|_| !child::is_child()) {
        return child::run(megabytes);
    }
    child::end_with_parent();
    let begun = Instant::now();
    let cancel = Cancel::new();
    let watch = Watch::start(arguments.timeout, &cancel);
    let text = Text { file: &arguments.input.file, options: arguments.options() };
    let found = match input::load(text.file, &text.options) {
        Ok(loaded) => {
            input::warn(&loaded);
            if let Some(path) = &arguments.validate_witness {
                return validate::run(arguments, &loaded, path, options(arguments, cancel), watch);
            }
            decide(arguments, &text, loaded, &options(arguments, cancel))
        }
        Err(error) => match refute(arguments, &text, &error, &options(arguments, cancel)) {
            Some(found) => {
                input::warn(&found.loaded);
                Ok(found)
            }
            None => return input::explain_failure(&error),
        },
    };
    let stop = watch.stop();
    drop(watch);
    let found = match found {
        Ok(found) => found,
        Err(why) => return output::print_unknown(why),
    };
    let Found { loaded, outcome, population } = &found;
    if let Verdict::Unsafe(trace) = &outcome.verdict
        && let Some(status) = input::refuse_run(loaded, trace)
    {
        return status;
    }
    if let (Population::Bounded(instances), Verdict::Unsafe(_)) = (population, &outcome.verdict) {
        output::report(&format!("an error with {instances} of the threads that are created without bound\n\n"));
    }
    let detail = if arguments.full_trace { Detail::Full } else { Detail::Visible };
    output::report(&report::text(loaded, outcome, detail));
    let deadline = begun + arguments.timeout.unwrap_or_else(|| begun.elapsed() + WITNESS);
    for message in write_files(arguments, &found, deadline) {
        output::complain(&message, Status::Usage);
    }
    result(outcome, stop)
}

/// A C text and how it is lowered, whatever becomes of its threads.
pub struct Text<'a> {
    /// Where it is.
    pub file: &'a Path,
    /// How it is lowered.
    pub options: frontend::Options,
}

/// What came of it: the program that the evidence is about, how it was lowered, and the verdict.
pub struct Found {
    /// The program.
    pub loaded: Loaded,
    /// What becomes of threads in it.
    pub population: Population,
    /// The verdict.
    pub outcome: Outcome,
}

/// A way to lower a text, and what came of it.
type Way = ((Population, Templating), Option<Loaded>);

/// Keeps what a text was lowered to: each way once.
struct Lowered<'a> {
    text: &'a Text<'a>,
    known: Mutex<Vec<Way>>,
}

impl<'a> Lowered<'a> {
    fn new(text: &'a Text<'a>) -> Lowered<'a> {
        Lowered { text, known: Mutex::default() }
    }

    fn load(&self, population: Population, templating: Templating) -> Option<Loaded> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = known().iter().find(|(how, _)| *how == (population, templating)) {
            return loaded.clone();
        }
        let options = frontend::Options { population, templating, ..self.text.options.clone() };
        let loaded = frontend::load(self.text.file, &options).ok();
        known().push(((population, templating), loaded.clone()));
        loaded
    }

    fn lower(&self, population: Population, templating: Templating) -> Option<Program> {
        self.load(population, templating).map(|loaded| loaded.program)
    }

    /// What was found, with all that is known of its program.
    fn found(&self, found: rules::Found) -> Option<Found> {
        let rules::Found { program, population, templating, outcome } = found;
        let loaded = Loaded { program, ..self.load(population, templating)? };
        Some(Found { loaded, population, outcome })
    }
}

/// Proves the program, or finds a run to an error.
pub fn decide(
    arguments: &ProveArguments,
    text: &Text<'_>,
    loaded: Loaded,
    options: &Options,
) -> Result<Found, &'static str> {
    let lowered = Lowered::new(text);
    let task = Task {
        program: &loaded.program,
        templating: arguments.templating(),
        equal_threads: loaded.repeated.iter().map(|(_, count)| *count).max().unwrap_or(0),
        level: arguments.level,
        lower: &|population, templating| lowered.lower(population, templating),
    };
    let found = rules::decide(&task, options)?;
    if found.population == Population::Each {
        if arguments.level.is_some() {
            output::report(WITHOUT_LEVELS);
        }
        return Ok(Found { loaded, population: found.population, outcome: found.outcome });
    }
    // The program at hand is one of those that the text was lowered to.
    if found.population == Population::Templates && !loaded.program.templates().is_empty() {
        let loaded = Loaded { program: found.program, ..loaded };
        return Ok(Found { loaded, population: found.population, outcome: found.outcome });
    }
    lowered.found(found).ok_or("internal: a program that was lowered once cannot be lowered again")
}

/// Looks for an error with a few threads where what is refused is to speak of any number of them.
fn refute(arguments: &ProveArguments, text: &Text<'_>, error: &LoadError, options: &Options) -> Option<Found> {
    let refused = error.failure.0.code == Code::Unsupported;
    if !refused || arguments.validate_witness.is_some() {
        return None;
    }
    let lowered = Lowered::new(text);
    let lower = |population, templating| lowered.lower(population, templating);
    lowered.found(rules::refute(&lower, arguments.templating(), options)?)
}

/// Writes the files that were asked for, and says which cannot be. A verdict stands, and so do the other files. What takes a second
/// proof, or a second search, has time until the deadline.
fn write_files(arguments: &ProveArguments, found: &Found, deadline: Instant) -> Vec<String> {
    let Found { loaded, outcome, .. } = found;
    let mut failures = Vec::new();
    let mut write = |path: &Option<PathBuf>, text: &dyn Fn() -> Result<Option<String>, String>| {
        let Some(path) = path else { return };
        let shown = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let written =
            text().and_then(|text| text.map_or(Ok(()), |text| output::write_file(path, &text).map_err(shown)));
        failures.extend(written.err());
    };
    write(&arguments.certificate, &|| match &outcome.verdict {
        Verdict::Safe(proof) => Ok(Some(check::write_certificate(&loaded.program, proof, &origin(loaded)))),
        _ => Ok(None),
    });
    write(&arguments.json, &|| Ok(Some(json::text(found))));
    write(&arguments.sarif, &|| Ok(Some(sarif::text(loaded, outcome))));
    write(&arguments.html, &|| Ok(Some(html::text(found))));
    // Last: these take the longest.
    write(&arguments.witness, &|| {
        let metadata = metadata::metadata(loaded, arguments.input.property.as_ref());
        let text = |found: &Witness| witness::write(found, &metadata, &mut metadata::uuids(&metadata));
        Ok(witness_of(arguments, found, deadline, &text)?.as_ref().map(text))
    });
    write(&arguments.harness, &|| match &outcome.verdict {
        Verdict::Unsafe(trace) => {
            let made = in_elementary_steps(arguments, found, trace, deadline, NO_HARNESS, &|fine, trace| {
                harness::harness(fine, &arguments.options(), trace)
                    .map_err(|why| format!("no harness can be made: {why}"))
            });
            made.map(Some)
        }
        _ => Ok(None),
    });
    failures
}

/// The witness of a verdict. `text` is how it is written.
fn witness_of(
    arguments: &ProveArguments,
    found: &Found,
    deadline: Instant,
    text: &dyn Fn(&Witness) -> String,
) -> Result<Option<Witness>, String> {
    let left = || deadline.saturating_duration_since(Instant::now());
    match &found.outcome.verdict {
        Verdict::Safe(_) => {
            let none = || {
                output::complain(NO_WITNESS, Status::Usage);
            };
            let proof = proof_by_access(arguments, Fusion::Local, left(), Arc::new(none))?;
            let (mut found, mut lost) = correctness(arguments, &proof)?;
            // What is not shared is one step with what is: where that leaves nothing to say, each statement is a step of its own.
            if found.says_nothing() {
                let left = left().min(FINER);
                let (path, silent) = (arguments.witness.clone(), text(&found));
                // Nobody is left to be told if that fails.
                let silent = move || {
                    let _ = path.as_ref().map(|path| output::write_file(path, &silent));
                };
                if let Ok(finer) = proof_by_access(arguments, Fusion::Off, left, Arc::new(silent)) {
                    (found, lost) = correctness(arguments, &finer)?;
                }
            }
            lost.iter().for_each(|what| output::report(&format!("note: the witness does not say {what}\n")));
            Ok(Some(found))
        }
        Verdict::Unsafe(trace) => {
            let waypoints = |fine: &Loaded, trace: &check::Trace| Ok(witness::violation(fine, trace));
            in_elementary_steps(arguments, found, trace, deadline, NO_VIOLATION_WITNESS, &waypoints)
                .map(|waypoints| Some(Witness::Violation(waypoints)))
        }
        Verdict::Unknown(_) => Ok(None),
    }
}

/// The witness of a proof, and what it does not say.
fn correctness(
    arguments: &ProveArguments,
    (loaded, proof): &(Loaded, check::Proof),
) -> Result<(Witness, Vec<&'static str>), String> {
    let elementary = frontend::Options { fusion: Fusion::Off, ..arguments.options() };
    let fine = input::load(&arguments.input.file, &elementary).map_err(|error| error.failure.to_string())?;
    Ok(witness::correctness(loaded, &fine, proof))
}

const NO_WITNESS: &str =
    "no witness: there is a proof, but none was found in time for single accesses, of which witnesses speak";

/// For a proof with finer steps than witnesses need.
const FINER: Duration = Duration::from_secs(10);

/// A proof of the program in which a step is one access, or less. Larger steps hide states that other threads can see in C, so
/// that what holds between them need not hold there. `late` is done if the time is up and the proof does not stop.
fn proof_by_access(
    arguments: &ProveArguments,
    fusion: Fusion,
    left: Duration,
    late: Arc<dyn Fn() + Send + Sync>,
) -> Result<(Loaded, check::Proof), String> {
    let by_access = frontend::Options { fusion, ..arguments.options() };
    let text = Text { file: &arguments.input.file, options: by_access };
    let fine = input::load(text.file, &text.options).map_err(|error| error.failure.to_string())?;
    let cancel = Cancel::new();
    let last_word = move |_: Stop| {
        late();
        output::print("Result: true\n", Status::Success)
    };
    let watch = Watch::start_with(Some(left), &cancel, Arc::new(last_word));
    let found = decide(arguments, &text, fine, &options(arguments, cancel))?;
    drop(watch);
    match found.outcome.verdict {
        Verdict::Safe(proof) => Ok((found.loaded, proof)),
        _ => Err(NO_WITNESS.into()),
    }
}

const NO_HARNESS: &str = "no harness was written: the time is up, and the single steps of the error are not found yet";
const NO_VIOLATION_WITNESS: &str =
    "no witness was written: the time is up, and the single steps of the error are not found yet";

/// What is made of the program without fusion and the trace on it, by the deadline. `late` is said if the time is up.
fn in_elementary_steps<T>(
    arguments: &ProveArguments,
    found: &Found,
    trace: &check::Trace,
    deadline: Instant,
    late: &'static str,
    make: &dyn Fn(&Loaded, &check::Trace) -> Result<T, String>,
) -> Result<T, String> {
    let cancel = Cancel::new();
    let last_word = move |_: Stop| {
        output::complain(late, Status::Usage);
        output::print("Result: false(unreach-call)\n", Status::Violated)
    };
    let left = deadline.saturating_duration_since(Instant::now());
    let _watch = Watch::start_with(Some(left), &cancel, Arc::new(last_word));
    let (fusion, population) = (Fusion::Off, found.population);
    let options = frontend::Options { fusion, population, ..arguments.options() };
    let fine = frontend::load(&arguments.input.file, &options).map_err(|error| error.failure.to_string())?;
    let trace = witness::elementary(&found.loaded, &fine, trace, &|| cancel.is_cancelled());
    let trace = trace.map_err(|why| match why {
        NotElementary::Late => late.to_string(),
        NotElementary::Unfound(what) => what,
    })?;
    make(&fine, &trace)
}

fn options(arguments: &ProveArguments, cancel: Cancel) -> Options {
    let vocabulary = arguments.vocabulary.map_or(Vocabulary::Full, Into::into);
    let defaults = Options::default();
    Options {
        rule: arguments.rule.into(),
        solver: match arguments.solver {
            crate::values::SolverChoice::Cegar => SolverKind::Cegar,
            crate::values::SolverChoice::Spacer => SolverKind::Spacer(vocabulary),
            crate::values::SolverChoice::Boxes => SolverKind::Boxes,
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
