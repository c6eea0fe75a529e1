//! `threader prove`: find a proof or a counterexample.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use frontend::diagnostic::Code;
use frontend::{Fusion, LoadError, Loaded, Population, Reuse, Templating};
use program::{ClaimId, Program, Property};
use rules::{
    Bounds, Cancel, Modularity, Options, Outcome, Progress, Reason, SolverKind, Task, Verdict, Vocabulary, Within,
};

use crate::answers::{Answers, Refused, Standing};
use crate::arguments::ProveArguments;
use crate::limits::{LastWord, Stop, Watch, cancel_after};
use crate::origin::origin;
use crate::parts::Left;
use crate::report::{self, Detail};
use crate::status::Status;
use crate::witness::{NotElementary, Witness};
use crate::{
    baseline, child, harness, html, input, json, limits, metadata, output, parts, sarif, vacuity, validate, witness,
};

/// What the second proof that a correctness witness needs may take, if no limit was given.
const WITNESS: Duration = Duration::from_secs(60);

/// What a smaller proof may take, at most: far more than counting lets it, so that what is printed does not depend on the machine.
const MINIMISING: Duration = Duration::from_secs(60);

/// What is said where a level was asked for, and there is none.
const WITHOUT_LEVELS: &str = "note: --level has no effect: the proof is about each of the threads, not about any number of them (see \
                              --parametric)\n";

/// Loads the program, decides its claims, and prints what came of it.
pub fn run(arguments: &ProveArguments) -> Status {
    if let Some(megabytes) = arguments.memory.filter(|_| !child::is_child()) {
        return child::run(megabytes);
    }
    child::end_with_parent();
    let begun = Instant::now();
    let cancel = Cancel::new();
    let known = Known::default();
    let watch = Watch::start_with(arguments.timeout, &cancel, known.last_word());
    let followed = known.clone();
    limits::follow(Arc::new(move || progress(&followed)));
    let source = match arguments.input.inputs().and_then(|files| input::read(&files, &arguments.options())) {
        Ok(source) => source,
        Err(error) => return input::explain_failure(&error),
    };
    let arguments = &match accepting(arguments, &source) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let options = options(arguments, cancel);
    let parts = match source.parts(&arguments.options()) {
        Ok(parts) => parts,
        Err(error) => return input::explain_failure(&error),
    };
    if let Some(path) = &arguments.validate_witness {
        return validate::run(arguments, &source, &parts, path, options, watch);
    }
    let mut hear = |found: Found, cancel: &Cancel| {
        let after = hear(arguments, &found, cancel, begun);
        known.add(found);
        after
    };
    let mut left = None;
    parts::decide(
        arguments,
        &source,
        parts,
        &options,
        begun,
        &mut hear,
        &mut |part, why| match known.leave(part, why) {
            Ok(()) => true,
            Err(why) => {
                left = Some(why);
                false
            }
        },
    );
    match left {
        Some(Left::Refused(error)) => return input::explain_failure(&error),
        Some(Left::Reason(why)) if known.is_empty() => return output::print_unknown(why),
        _ => {}
    }
    let stop = watch.stop();
    drop(watch);
    let cut = if arguments.timeout.is_some() { Stop::Timeout.reason() } else { None };
    known.close(stop.reason().or(cut).unwrap_or(if arguments.first { NOT_ASKED } else { NOT_PURSUED }));
    if stop == Stop::No {
        known.visit(arguments, begun);
        // Last: a proof that says too much is better than one of which nobody knows whether it says anything.
        known.minimise(arguments, begun);
    }
    match known.take() {
        Some(answers) => finish(arguments, &answers, begun),
        None => output::print_unknown("internal: nothing was decided"),
    }
}

/// Lowers a text for a part of what is asked, and decides its claims, as far as `hear` wants it.
pub fn decide_part(
    arguments: &ProveArguments,
    text: &Lowering,
    options: &Options,
    hear: &mut dyn FnMut(Found) -> Option<Cancel>,
) -> Result<(), Left> {
    match input::lower(&text.source, &text.options) {
        Ok(loaded) => {
            input::warn([&loaded]);
            ASKED.fetch_add(loaded.program.claims().len(), Ordering::Relaxed);
            match without_reuse(arguments, text, &loaded, options) {
                Some(found) => {
                    hear(found);
                    Ok(())
                }
                None => decide_each(arguments, text, loaded, options, hear).map_err(Left::Reason),
            }
        }
        Err(error) => match refute(arguments, text, &error, options) {
            Some(found) => {
                input::warn([&found.loaded]);
                hear(found);
                Ok(())
            }
            None => Err(Left::Refused(Box::new(error))),
        },
    }
}

/// The arguments with the claims that a baseline accepts, which are told of.
fn accepting(arguments: &ProveArguments, source: &Arc<frontend::Text>) -> Result<ProveArguments, Status> {
    let mut arguments = arguments.clone();
    let Some(path) = &arguments.run.baseline else { return Ok(arguments) };
    let lowered = lowered_for_all(source, &arguments.options());
    if lowered.is_empty() {
        return Ok(arguments);
    }
    let accepted = baseline::read(path, &lowered).map_err(|what| output::complain(&what, Status::Malformed))?;
    let claims = match accepted.claims.len() {
        1 => "1 claim is".to_string(),
        number => format!("{number} claims are"),
    };
    let stale = match accepted.stale {
        0 => String::new(),
        number => format!("; {number} of its entries are about nothing in the program"),
    };
    output::report(&format!(
        "warning: {claims} accepted by {}: whether they hold is not looked at, nor, races aside, what comes after them{stale}\n",
        path.display()
    ));
    arguments.run.accepted = accepted.claims;
    Ok(arguments)
}

/// The programs that serve what is asked of a text. What cannot be lowered is told of by whoever needs it.
fn lowered_for_all(source: &Arc<frontend::Text>, options: &frontend::Options) -> Vec<Loaded> {
    let parts = source.parts(options).unwrap_or_default();
    parts.iter().filter_map(|part| input::lower(source, part).ok()).collect()
}

/// Why claims are left undecided that nobody asked for any more.
const NOT_ASKED: &str = "not looked at, because of --first";
/// Why claims are left undecided that were not decided soon after the first answer.
const NOT_PURSUED: &str = "not decided soon after the first answer; --timeout gives more";

/// Reports an answer, and says what stops the search for the next one, if there is to be one.
fn hear(arguments: &ProveArguments, found: &Found, cancel: &Cancel, begun: Instant) -> Option<Cancel> {
    let violated = match &found.outcome.verdict {
        Verdict::Unsafe(run) => run.violated(),
        _ => None,
    };
    if let Some(claim) = violated {
        output::wipe();
        output::report(&violation(arguments, found, claim));
    }
    if cancel.is_cancelled() || (arguments.first && violated.is_some()) {
        return None;
    }
    Some(if arguments.timeout.is_some() { cancel.clone() } else { cancel_after(cancel, more(begun.elapsed())) })
}

/// So many claims are asked about, as far as the program has been read.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// How far the loops of this run have come.
fn monitor() -> &'static rules::Monitor {
    static MONITOR: OnceLock<rules::Monitor> = OnceLock::new();
    MONITOR.get_or_init(rules::Monitor::default)
}

/// Progress in a line: claims settled, then the rule that has refined most.
fn progress(known: &Known) -> String {
    let claims = known.settled().map(|(settled, all)| format!("{settled} of {all} claims settled"));
    let stages = monitor().stages();
    let most = stages.iter().max_by_key(|(_, stage)| stage.refinements);
    let loops = most.map(|(rule, stage)| format!("{rule}: {}", report::unknown::counts(stage)));
    claims.into_iter().chain(loops).collect::<Vec<_>>().join("; ")
}

/// The answers so far: a violation stands, whatever becomes of the other claims.
#[derive(Clone, Default)]
struct Known(Arc<Mutex<Option<Answers>>>);

impl Known {
    fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Notes that a part of what is asked for is not modelled; or that this ends the run, since there is only one, or something else is
    /// wrong.
    fn leave(&self, part: &frontend::Options, why: Left) -> Result<(), Left> {
        let (Left::Refused(error), Some(properties)) = (&why, &part.part) else { return Err(why) };
        let Some(reason) = input::not_modelled(&error.failure.0) else { return Err(why) };
        input::show(&error.failure.0, &error.sources);
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get_or_insert_with(Answers::new).refuse(Refused { properties: properties.clone(), reason });
        Ok(())
    }

    /// How many claims are settled, and how many there are.
    fn settled(&self) -> Option<(usize, usize)> {
        let all = Some(ASKED.load(Ordering::Relaxed)).filter(|all| *all > 0)?;
        let answers = self.0.try_lock().ok()?;
        let standings = answers.iter().flat_map(Answers::standings);
        let settled = standings.filter(|(_, standing)| !matches!(standing, Standing::Undecided(_))).count();
        Some((settled, all))
    }

    /// What is said of claims where nothing is known yet.
    fn open(&self) -> String {
        match ASKED.load(Ordering::Relaxed) {
            0 => "the program was still being read\n".into(),
            1 => "claims: 1, not settled\n".into(),
            all => format!("claims: {all}, none of them settled\n"),
        }
    }

    fn add(&self, found: Found) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = answers.get_or_insert_with(Answers::new);
        answers.add(found);
        if let Some(property) = answers.violated() {
            child::tell_parent(property);
        }
    }

    /// There are no more answers.
    fn close(&self, why: &str) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter_mut().for_each(|answers| answers.close(why));
    }

    /// Leaves out of the proofs what they need not say. If the time is up before that is done, the answers are given without.
    fn minimise(&self, arguments: &ProveArguments, begun: Instant) {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let proofs = known().as_ref().map(Answers::minimisable).unwrap_or_default();
        if proofs.is_empty() || arguments.as_found {
            return;
        }
        let cancel = Cancel::new();
        let left = arguments.timeout.map_or(MINIMISING, |limit| limit.saturating_sub(begun.elapsed()));
        let _watch = Watch::start_with(Some(left), &cancel, self.finishing(arguments, begun));
        let options = options(arguments, cancel);
        for (which, program, proof) in proofs {
            let smaller = rules::minimal(&program, proof, &options);
            known().iter_mut().for_each(|answers| answers.replace_proof(which, smaller.clone()));
        }
    }

    /// Looks whether runs come to what is proved. That takes what is left of the time, or as much as the answers took, and if it does not stop
    /// the answers are given without.
    fn visit(&self, arguments: &ProveArguments, begun: Instant) {
        let (proved, unasked) = self.proved();
        if proved.is_empty() {
            return;
        }
        let cancel = Cancel::new();
        let left = arguments.timeout.map_or(more(begun.elapsed()), |limit| limit.saturating_sub(begun.elapsed()));
        let _watch = Watch::start_with(Some(left), &cancel, self.finishing(arguments, begun));
        let options = options(arguments, cancel);
        for text in proved {
            let visits = vacuity::visit(arguments, text, &unasked, &options);
            let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            answers.iter_mut().zip(visits).for_each(|(answers, visits)| answers.visit(visits));
        }
    }

    /// Ends a run with the answers that there are.
    fn finishing(&self, arguments: &ProveArguments, begun: Instant) -> LastWord {
        let (known, given) = (self.clone(), arguments.clone());
        Arc::new(move |_: Stop| match known.take() {
            Some(answers) => finish(&given, &answers, begun),
            None => Status::Internal,
        })
    }

    /// How a text was lowered for each part of which something is proved, and the claims that are not.
    fn proved(&self) -> (Vec<Lowering>, BTreeSet<ClaimId>) {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut proved: BTreeMap<Option<Vec<Property>>, Arc<frontend::Text>> = BTreeMap::new();
        let Some(answers) = answers.as_ref() else { return (Vec::new(), BTreeSet::new()) };
        proved.extend(answers.proofs().map(|(found, _)| (found.loaded.part.clone(), found.loaded.text.clone())));
        let others = answers.standings().filter(|(_, standing)| !matches!(standing, Standing::Holds(_)));
        let lowering = |(part, source)| {
            let options = frontend::Options { part, ..frontend::Options::default() };
            Lowering { source, options }
        };
        (proved.into_iter().map(lowering).collect(), others.map(|(claim, _)| claim.id).collect())
    }

    fn take(&self) -> Option<Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What is printed if the run has to be ended.
    fn last_word(&self) -> LastWord {
        let known = self.clone();
        Arc::new(move |stop| {
            let why = stop.reason().unwrap_or("interrupted");
            let mut answers = known.take().filter(|answers| answers.violated().is_some());
            match answers.as_mut().and_then(|answers| Some((answers.violated()?, answers))) {
                Some((property, answers)) => {
                    answers.close(why);
                    output::report(&answers.text());
                    output::print_false(property)
                }
                None => {
                    output::wipe();
                    output::report(&report::unknown::text(&Reason::Cancelled, why, monitor()));
                    output::report(&known.open());
                    output::print_unknown(why)
                }
            }
        })
    }
}

/// What the claims that an answer leaves open get, if no limit was given and the answer took so long.
pub fn more(taken: Duration) -> Duration {
    taken.saturating_mul(2).max(Duration::from_secs(10))
}

/// A violation as it is reported.
fn violation(arguments: &ProveArguments, found: &Found, claim: ClaimId) -> String {
    let Found { loaded, outcome, population, .. } = found;
    let Verdict::Unsafe(run) = &outcome.verdict else { return String::new() };
    let mut text = report::violation::text(loaded, run, claim);
    if let Some(instances) = population.moving() {
        text += &format!("an error with {instances} of the threads that are created without bound\n");
    }
    let detail = if arguments.full_trace { Detail::Full } else { Detail::Visible };
    text + "\n" + &report::text(loaded, outcome, detail) + "\n"
}

/// Reports what has not been yet, writes the files that were asked for, and prints the last line of stdout.
fn finish(arguments: &ProveArguments, answers: &Answers, begun: Instant) -> Status {
    let Some(head) = answers.head() else {
        output::report(&answers.text());
        return answers.if_proved().1.map_or(Status::Internal, output::print_unknown);
    };
    if answers.violated().is_none() {
        if let Verdict::Unsafe(run) = &head.outcome.verdict
            && let Some(status) = input::refuse_run(&head.loaded, run)
        {
            return status;
        }
        if let Verdict::Unknown(reason) = &head.outcome.verdict {
            let why = match reason {
                Reason::Cancelled => answers.why_stopped().to_string(),
                reason => reason.to_string(),
            };
            output::report(&report::unknown::text(reason, &why, monitor()));
        }
        let proofs: Vec<(&Loaded, &Outcome)> =
            answers.proofs().map(|(found, _)| (&found.loaded, &found.outcome)).collect();
        let evidence = match &head.outcome.verdict {
            Verdict::Safe(_) => report::proofs(&proofs),
            _ => report::text(&head.loaded, &head.outcome, Detail::Visible),
        };
        output::report(&evidence);
    }
    output::report(&answers.text());
    vacuity::warnings(answers).iter().for_each(|warning| output::report(warning));
    let deadline = begun + arguments.timeout.unwrap_or_else(|| begun.elapsed() + WITNESS);
    for message in write_files(arguments, answers, head, deadline) {
        output::complain(&message, Status::Usage);
    }
    match (answers.violated(), &head.outcome.verdict) {
        (Some(property), _) => output::print_false(property),
        (None, Verdict::Unknown(Reason::Cancelled)) => output::print_unknown(answers.why_stopped()),
        (None, Verdict::Unknown(reason)) => output::print_unknown(&reason.to_string()),
        (None, Verdict::Safe(_)) => match answers.if_proved().1 {
            Some(why) => output::print_unknown(why),
            None => {
                let proofs = answers.proofs().filter(|_| arguments.proof);
                let shown: String = proofs.map(|(found, proof)| report::proof_text(&found.loaded, proof)).collect();
                output::print(&format!("{shown}Result: true\n"), Status::Success)
            }
        },
        (None, Verdict::Unsafe(_)) => Status::Internal,
    }
}

/// A C text and how it is lowered, whatever becomes of its threads.
pub struct Lowering {
    /// What was read.
    pub source: Arc<frontend::Text>,
    /// How it is lowered.
    pub options: frontend::Options,
}

/// What came of it: the program that the evidence is about, how it was lowered, and the verdict.
pub struct Found {
    /// The program.
    pub loaded: Loaded,
    /// What becomes of threads in it.
    pub population: Population,
    /// The claims of the text that it is not about.
    pub unasked: BTreeSet<ClaimId>,
    /// The verdict.
    pub outcome: Outcome,
}

/// A way to lower a text: without which claims, and what becomes of which threads.
type Way = (BTreeSet<ClaimId>, Population, Templating);

/// Keeps what a text was lowered to: each way once.
pub struct Lowered<'a> {
    text: &'a Lowering,
    known: Mutex<Vec<(Way, Option<Loaded>)>>,
}

impl<'a> Lowered<'a> {
    /// Nothing yet.
    pub fn new(text: &'a Lowering) -> Lowered<'a> {
        Lowered { text, known: Mutex::default() }
    }

    /// With a program that the text was lowered to already.
    fn with(text: &'a Lowering, loaded: &Loaded) -> Lowered<'a> {
        let population = if loaded.program.templates().is_empty() { Population::Each } else { Population::Templates };
        let way = way(&BTreeSet::new(), population, text.options.templating);
        Lowered { text, known: Mutex::new(vec![(way, Some(loaded.clone()))]) }
    }

    fn load(&self, unasked: &BTreeSet<ClaimId>, population: Population, templating: Templating) -> Option<Loaded> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let way = way(unasked, population, templating);
        if let Some((_, loaded)) = known().iter().find(|(other, _)| *other == way) {
            return loaded.clone();
        }
        let (mut unasked, population, templating) = way.clone();
        unasked.extend(&self.text.options.unasked);
        let options = frontend::Options { unasked, population, templating, ..self.text.options.clone() };
        let loaded = self.text.source.lower(&options).ok();
        known().push((way, loaded.clone()));
        loaded
    }

    fn lower(&self, unasked: &BTreeSet<ClaimId>, population: Population, templating: Templating) -> Option<Program> {
        self.load(unasked, population, templating).map(|loaded| loaded.program)
    }

    /// What was found, with all that is known of its program.
    fn found(&self, found: rules::Found) -> Option<Found> {
        let rules::Found { program, population, templating, mut unasked, outcome } = found;
        let loaded = Loaded { program, ..self.load(&unasked, population, templating)? };
        unasked.extend(&self.text.options.unasked);
        // A proof of what the program claims is none of what it does not.
        let outcome = match (&outcome.verdict, &loaded.undecided) {
            (Verdict::Safe(_), Some(what)) => {
                Outcome { verdict: Verdict::Unknown(Reason::Undecided(what.message.clone())), ..outcome }
            }
            _ => outcome,
        };
        Some(Found { loaded, population, unasked, outcome })
    }
}

/// Where each thread is one, nobody asks which of them are templates.
fn way(unasked: &BTreeSet<ClaimId>, population: Population, templating: Templating) -> Way {
    let templating = if population == Population::Each { Templating::default() } else { templating };
    (unasked.clone(), population, templating)
}

/// Decides all claims of the program together.
pub fn decide(
    arguments: &ProveArguments,
    text: &Lowering,
    loaded: Loaded,
    options: &Options,
) -> Result<Found, &'static str> {
    let lowered = Lowered::with(text, &loaded);
    with_task(arguments, &lowered, &loaded, |task| {
        let found = rules::decide(task, options)?;
        lowered.found(found).ok_or(LOWERED_ONCE)
    })
}

const LOWERED_ONCE: &str = "internal: a program that was lowered once cannot be lowered again";

/// Decides the claims of the program, as far as `hear` wants it.
fn decide_each(
    arguments: &ProveArguments,
    text: &Lowering,
    loaded: Loaded,
    options: &Options,
    hear: &mut dyn FnMut(Found) -> Option<Cancel>,
) -> Result<(), &'static str> {
    let lowered = Lowered::with(text, &loaded);
    with_task(arguments, &lowered, &loaded, |task| {
        let within = arguments.within.as_ref().map(|within| Within {
            bounds: within.bounds(),
            search: within.search(),
            report: &tell,
        });
        let decide = |task: &Task<'_>, options: &Options| match &within {
            Some(within) => Ok(rules::look(task, within, options)),
            None => rules::decide(task, options),
        };
        rules::decide_each(task, options, &decide, &mut |found| {
            let found = lowered.found(found)?;
            if found.population == Population::Each && arguments.level.is_some() {
                output::report(WITHOUT_LEVELS);
            }
            hear(found)
        })
    })
}

/// A proof that nobody uses a pointer to freed memory, and with it one that need not look at memory that is used again: easier than one
/// that has to, where no error is near.
fn without_reuse(arguments: &ProveArguments, text: &Lowering, loaded: &Loaded, options: &Options) -> Option<Found> {
    if !loaded.excludable || loaded.reuse != Reuse::Modelled || arguments.within.is_some() {
        return None;
    }
    if rules::has_near_error(&loaded.program, options) {
        return None;
    }
    let excluding = frontend::Options { reuse: Reuse::Excluded, ..text.options.clone() };
    let text = Lowering { source: text.source.clone(), options: excluding };
    let loaded = input::lower(&text.source, &text.options).ok()?;
    log::info!("trying a proof that no pointer to freed memory is used");
    let limits = rules::schedule::ROUNDS.first()?;
    let options = Options { refinements: limits.refinements, states: limits.states, ..options.clone() };
    let found = decide(arguments, &text, loaded, &options).ok()?;
    matches!(found.outcome.verdict, Verdict::Safe(_)).then_some(found)
}

/// Shows on a terminal how far a search within bounds has come: the bounds, its states, and how many steps a second it takes.
fn tell(progress: &Progress) {
    static RATE: Mutex<Rate> = Mutex::new(Rate { begun: None, steps: 0, last: None });
    let rate = RATE.lock().unwrap_or_else(PoisonError::into_inner).after(elapsed(), progress.steps);
    let rate = rate.map_or_else(String::new, |rate| format!(", {rate:.2} M steps/s"));
    let Bounds { preemptions, contexts, unwind, .. } = progress.bounds;
    let named = [(preemptions, "preemptions"), (contexts, "switches"), (unwind, "iterations")];
    let bounds = named.iter().filter_map(|(bound, what)| bound.map(|k| format!("up to {k} {what}, ")));
    limits::tell(format!("{}{} states{rate}", bounds.collect::<String>(), progress.states));
}

/// Steps a second, of all searches that go on at the same time, over the last second or so.
struct Rate {
    begun: Option<Duration>,
    steps: u64,
    last: Option<f64>,
}

impl Rate {
    /// The rate in millions after so many more steps at this time, if it is known.
    fn after(&mut self, now: Duration, steps: u64) -> Option<f64> {
        self.steps += steps;
        let taken = (now.saturating_sub(*self.begun.get_or_insert(now))).as_secs_f64();
        if taken >= 1.0 {
            self.last = Some(self.steps as f64 / taken / 1e6);
            (self.begun, self.steps) = (Some(now), 0);
        }
        self.last
    }
}

/// What the portfolio is asked about a program.
pub fn with_task<R>(
    arguments: &ProveArguments,
    lowered: &Lowered<'_>,
    loaded: &Loaded,
    ask: impl FnOnce(&Task<'_>) -> R,
) -> R {
    ask(&Task {
        program: &loaded.program,
        templating: arguments.templating(),
        equal_threads: loaded.repeated.iter().map(|(_, count)| *count).max().unwrap_or(0),
        level: arguments.level,
        unasked: BTreeSet::new(),
        lower: &|unasked, population, templating| lowered.lower(unasked, population, templating),
    })
}

/// Looks for an error with a few threads where what is refused is to speak of any number of them.
fn refute(arguments: &ProveArguments, text: &Lowering, error: &LoadError, options: &Options) -> Option<Found> {
    let refused = error.failure.0.code == Code::Unsupported;
    if !refused || arguments.validate_witness.is_some() {
        return None;
    }
    let lowered = Lowered::new(text);
    let lower = |unasked: &BTreeSet<ClaimId>, population, templating| lowered.lower(unasked, population, templating);
    lowered.found(rules::refute(&lower, arguments.templating(), options)?)
}

/// Writes the files that were asked for, and says which cannot be. A verdict stands, and so do the other files. What takes a second
/// proof, or a second search, has time until the deadline.
fn write_files(arguments: &ProveArguments, answers: &Answers, found: &Found, deadline: Instant) -> Vec<String> {
    let Found { loaded, outcome, .. } = found;
    let mut failures = Vec::new();
    let mut write = |path: &Option<PathBuf>, text: &dyn Fn() -> Result<Option<String>, String>| {
        let Some(path) = path else { return };
        let shown = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let written =
            text().and_then(|text| text.map_or(Ok(()), |text| output::write_file(path, &text).map_err(shown)));
        failures.extend(written.err());
    };
    write(&arguments.certificate, &|| {
        let certificate = |(Found { loaded, .. }, proof): (&Found, &check::Proof)| {
            check::write_certificate(&loaded.program, proof, &origin(loaded))
        };
        let all: String = answers.proofs().map(certificate).collect();
        Ok((!all.is_empty()).then_some(all))
    });
    write(&arguments.write_baseline, &|| {
        let before = match &arguments.baseline {
            Some(path) => Some(baseline::read(path, &lowered_for_all(&loaded.text, &arguments.input.options()))?),
            None => None,
        };
        let violations = answers.violations().map(|(claim, found)| (&found.loaded, claim));
        Ok(Some(baseline::write(before.as_ref(), violations)))
    });
    write(&arguments.json, &|| Ok(Some(json::text(answers, found))));
    write(&arguments.sarif, &|| Ok(Some(sarif::text(answers, found))));
    write(&arguments.html, &|| Ok(Some(html::text(answers, found))));
    // Last: these take the longest.
    write(&arguments.witness, &|| {
        if matches!(outcome.verdict, Verdict::Safe(_)) && answers.if_proved().1.is_some() {
            return Ok(None);
        }
        one_file(loaded, "witness")?;
        let metadata = metadata::metadata(loaded, arguments.input.property.as_ref());
        let text = |found: &Witness| witness::write(found, &metadata, &mut metadata::uuids(&metadata));
        Ok(witness_of(arguments, found, deadline, &text)?.as_ref().map(text))
    });
    write(&arguments.harness, &|| match &outcome.verdict {
        Verdict::Unsafe(trace) => {
            let Some(claim) = trace.violated() else { return Ok(None) };
            one_file(loaded, "harness")?;
            let made = in_elementary_steps(arguments, found, trace, deadline, NO_HARNESS, &|fine, trace| {
                harness::harness(fine, &arguments.options(), trace, claim)
                    .map_err(|why| format!("no harness can be made: {why}"))
            });
            made.map(Some)
        }
        _ => Ok(None),
    });
    failures
}

/// Refuses evidence whose places are lines of the one file that there is.
fn one_file(loaded: &Loaded, what: &str) -> Result<(), String> {
    match loaded.inputs.as_slice() {
        [path] if !frontend::source::is_stdin(path) => Ok(()),
        [_] => Err(format!("no {what} is written for a program from standard input")),
        _ => Err(format!("no {what} is written for a program of several files")),
    }
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
            let source = &found.loaded;
            let proof = proof_by_access(arguments, source, Fusion::Local, left(), Arc::new(none))?;
            let (mut found, mut lost) = correctness(arguments, &proof)?;
            // What is not shared is one step with what is: where that leaves nothing to say, each statement is a step of its own.
            if found.says_nothing() {
                let left = left().min(FINER);
                let (path, silent) = (arguments.witness.clone(), text(&found));
                // Nobody is left to be told if that fails.
                let silent = move || {
                    let _ = path.as_ref().map(|path| output::write_file(path, &silent));
                };
                if let Ok(finer) = proof_by_access(arguments, source, Fusion::Off, left, Arc::new(silent)) {
                    (found, lost) = correctness(arguments, &finer)?;
                }
            }
            lost.iter().for_each(|what| output::report(&format!("note: the witness does not say {what}\n")));
            Ok(Some(found))
        }
        Verdict::Unsafe(trace) if trace.violated().is_some_and(|claim| claim.property == Property::NoDeadlock) => {
            Err("no witness can be written: the formats have no form for deadlocks".into())
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
    let elementary = frontend::Options { fusion: Fusion::Off, part: loaded.part.clone(), ..arguments.options() };
    let fine = input::lower(&loaded.text, &elementary).map_err(|error| error.failure.to_string())?;
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
    source: &Loaded,
    fusion: Fusion,
    left: Duration,
    late: Arc<dyn Fn() + Send + Sync>,
) -> Result<(Loaded, check::Proof), String> {
    let by_access = frontend::Options { fusion, part: source.part.clone(), ..arguments.options() };
    let text = Lowering { source: source.text.clone(), options: by_access };
    let fine = input::lower(&text.source, &text.options).map_err(|error| error.failure.to_string())?;
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
    trace: &check::Replayed,
    deadline: Instant,
    late: &'static str,
    make: &dyn Fn(&Loaded, &check::Trace) -> Result<T, String>,
) -> Result<T, String> {
    let cancel = Cancel::new();
    let property = trace.violated().map_or(Property::UnreachCall, |claim| claim.property);
    let last_word = move |_: Stop| {
        output::complain(late, Status::Usage);
        output::print_false(property)
    };
    let left = deadline.saturating_duration_since(Instant::now());
    let _watch = Watch::start_with(Some(left), &cancel, Arc::new(last_word));
    let (fusion, population) = (Fusion::Off, found.population);
    let unasked = found.unasked.union(&arguments.accepted).copied().collect();
    let part = found.loaded.part.clone();
    let options = frontend::Options { fusion, population, unasked, part, ..arguments.options() };
    let fine = found.loaded.text.lower(&options).map_err(|error| error.failure.to_string())?;
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
            crate::values::SolverChoice::Houdini => SolverKind::Houdini,
        },
        seeds: match arguments.seeds {
            crate::values::Seeds::Evident => rules::Seeds::Evident,
            crate::values::Seeds::None => rules::Seeds::None,
        },
        modularity: if arguments.modular_only { Modularity::Only } else { Modularity::Preferred },
        workers: arguments.jobs.map_or(defaults.workers, |jobs| jobs as usize),
        cancel,
        monitor: monitor().clone(),
        clock: elapsed,
        ..defaults
    }
}

/// The time since the first call.
fn elapsed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
