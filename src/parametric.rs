//! Proofs about any number of threads, and counterexamples with a few.
//!
//! A short search with 1, 2, 3 instances comes first, since most errors are near; then the levels, each without and with counters, a
//! longer search, and the levels again with more time for each. What the levels need is the program with templates, first one in which
//! any number of instances start once one has been created, then one in which each creation starts one and joins wait; what a search
//! needs is the program with so many instances and no more: three lowerings of the same text.

use frontend::{Loaded, Population};
use program::Program;
use rules::{Options, Outcome, ParametricVerdict, Reason, Rule, Statistics, Verdict};

/// The levels that are tried where none is asked for.
const LEVELS: [usize; 2] = [1, 2];
/// The most instances that are tried.
const INSTANCES: usize = 4;
/// The most that are created where only so few of them take steps: what goes wrong may be that there are many.
const CREATED: usize = 20;
const MOVING: usize = 1;
/// States of the first searches, and of the later ones.
const FEW_STATES: usize = 20_000;
const MANY_STATES: usize = 100_000;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Until nothing is left to try.
    Full,
    /// A quick attempt, before something else is tried.
    Attempt,
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

/// Tries to prove a program with templates, or to find an error with a few instances. `lower` gives the program with another
/// population.
pub fn prove(
    template: Loaded,
    lower: &dyn Fn(Population) -> Option<Loaded>,
    level: Option<u32>,
    effort: Effort,
    options: &Options,
) -> Found {
    let rule = options.rule.unwrap_or(Rule::OwickiGries);
    let undecided = |loaded: Loaded, reason: Reason, statistics: Statistics| Found {
        loaded,
        population: Population::Templates,
        outcome: Outcome { verdict: Verdict::Unknown(reason), rule, statistics },
    };
    if effort == Effort::Full
        && let Some(found) = search(lower, FEW_STATES, rule, options)
    {
        return found;
    }
    let levels: Vec<usize> = level.map_or(LEVELS.to_vec(), |level| vec![level as usize]);
    let mut statistics = Statistics::default();
    // Where how many instances have ended is counted, a variable would wrap without that: counting comes first.
    let ended = |counted: Program| counted.counters().iter().any(|(counter, _)| counted.counts_ended(counter));
    let order = match rules::counting(&template.program).is_some_and(ended) {
        true => [Counted::Yes, Counted::No],
        false => [Counted::No, Counted::Yes],
    };
    let attempts: Vec<(usize, Counted)> =
        levels.iter().flat_map(|level| order.map(|counted| (*level, counted))).collect();
    let exact = (effort == Effort::Full).then(|| lower(Population::Exact)).flatten();
    let exact = exact.filter(|exact| exact.program.to_string() != template.program.to_string());
    let lowered: Vec<(Population, Loaded)> =
        [(Population::Templates, template)].into_iter().chain(exact.map(|exact| (Population::Exact, exact))).collect();
    let mut open: Vec<(usize, (usize, Counted))> =
        (0..lowered.len()).flat_map(|which| attempts.iter().map(move |attempt| (which, *attempt))).collect();
    // What has no proof may take for ever to say so: all are given a little time, then more; between, errors further away are
    // looked for.
    for (round, refinements) in effort.refinements().iter().enumerate() {
        if round == 1
            && let Some(found) = search_many(lower, rule, options).or_else(|| search(lower, MANY_STATES, rule, options))
        {
            return found;
        }
        let mut undecided_yet = Vec::new();
        for (which, (level, counted)) in open {
            let limited = Options { refinements: *refinements, ..effort.limited(options) };
            let (population, template) = &lowered[which];
            match at_level(template, level, counted, rule, &limited, &mut statistics) {
                Attempt::Proved(loaded, outcome) => {
                    return Found { loaded: *loaded, population: *population, outcome: *outcome };
                }
                Attempt::Rejected(reason) => return undecided(template.clone(), reason, statistics),
                _ if options.cancel.is_cancelled() => {
                    return undecided(template.clone(), Reason::Cancelled, statistics);
                }
                Attempt::Impossible => {}
                Attempt::Undecided => undecided_yet.push((which, (level, counted))),
            }
        }
        open = undecided_yet;
    }
    let template = lowered[0].1.clone();
    let highest = levels.last().copied().unwrap_or(1);
    if effort == Effort::Attempt {
        return undecided(template, Reason::NoProofAtLevel { level: highest, instances: 0 }, statistics);
    }
    let instances = match with_few(lower, options) {
        Ok(found) => return found,
        Err(safe) => safe,
    };
    if options.cancel.is_cancelled() {
        return undecided(template, Reason::Cancelled, statistics);
    }
    undecided(template, Reason::NoProofAtLevel { level: highest, instances }, statistics)
}

/// A run to an error with a few instances of threads about any number of which nothing can be proved.
pub fn refute(lower: &dyn Fn(Population) -> Option<Loaded>, options: &Options) -> Option<Found> {
    let rule = options.rule.unwrap_or(Rule::OwickiGries);
    let found = [FEW_STATES, MANY_STATES].iter().find_map(|states| search(lower, *states, rule, options));
    found.or_else(|| search_many(lower, rule, options)).or_else(|| with_few(lower, options).ok())
}

/// An error with 1, 2, 3 .. instances, or how many have none.
fn with_few(lower: &dyn Fn(Population) -> Option<Loaded>, options: &Options) -> Result<Found, usize> {
    let mut safe = 0;
    for instances in 1..=INSTANCES {
        let population = Population::Bounded(instances);
        let Some(loaded) = lower(population) else { break };
        let outcome = rules::prove(&loaded.program, options);
        match outcome.verdict {
            Verdict::Unsafe(_) => return Ok(Found { loaded, population, outcome }),
            Verdict::Safe(_) => safe = instances,
            Verdict::Unknown(_) => break,
        }
    }
    Err(safe)
}

/// Whether assertions may speak of how many instances are at certain locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    No,
    Yes,
}

enum Attempt {
    Proved(Box<Loaded>, Box<Outcome>),
    Impossible,
    Undecided,
    Rejected(Reason),
}

impl Effort {
    /// How many refinements each level is given, in one round after the other.
    fn refinements(self) -> &'static [usize] {
        match self {
            Effort::Full => &[24, 48, 96, 192],
            Effort::Attempt => &[32],
        }
    }

    fn limited(self, options: &Options) -> Options {
        match self {
            Effort::Full => Options { states: 50_000, ..options.clone() },
            Effort::Attempt => Options { states: 2_000, solver_queries: 20_000, ..options.clone() },
        }
    }
}

fn at_level(
    template: &Loaded,
    level: usize,
    counted: Counted,
    rule: Rule,
    options: &Options,
    statistics: &mut Statistics,
) -> Attempt {
    let mut program = template.program.with_copies(level + 1);
    if counted == Counted::Yes {
        match rules::counting(&program) {
            Some(counting) => program = counting,
            None => return Attempt::Impossible,
        }
    }
    let outcome = rules::prove_parametric(&program, rule, options);
    *statistics = outcome.statistics.clone();
    let attempt = match outcome.verdict {
        ParametricVerdict::Safe(certificate) => {
            let loaded = Loaded { program, ..template.clone() };
            let verdict = Verdict::Safe(certificate);
            Attempt::Proved(Box::new(loaded), Box::new(Outcome { verdict, rule, statistics: outcome.statistics }))
        }
        ParametricVerdict::Unknown(reason @ Reason::CertificateRejected(_)) => Attempt::Rejected(reason),
        ParametricVerdict::NoProof => Attempt::Impossible,
        ParametricVerdict::Unknown(reason) => {
            log::info!("level {level}, counters: {counted:?}: {reason}");
            Attempt::Undecided
        }
    };
    if let Attempt::Impossible = attempt {
        log::info!("level {level}, counters: {counted:?}: no proof");
    }
    attempt
}

/// A run to an error with 1, 2, 3 .. instances, in that order.
fn search(lower: &dyn Fn(Population) -> Option<Loaded>, states: usize, rule: Rule, options: &Options) -> Option<Found> {
    for instances in 1..=INSTANCES {
        let population = Population::Bounded(instances);
        let loaded = lower(population)?;
        if let Some(trace) = rules::find_run(&loaded.program, states, &options.cancel) {
            let outcome = Outcome { verdict: Verdict::Unsafe(trace), rule, statistics: Statistics::default() };
            return Some(Found { loaded, population, outcome });
        }
    }
    None
}

/// A run to an error for which more instances must be created, with the first number that will do.
fn search_many(lower: &dyn Fn(Population) -> Option<Loaded>, rule: Rule, options: &Options) -> Option<Found> {
    let attempt = |instances: usize| {
        let population = Population::Bounded(instances);
        let loaded = lower(population)?;
        let trace = rules::find_run_of_few(&loaded.program, MOVING, FEW_STATES, &options.cancel)?;
        let outcome = Outcome { verdict: Verdict::Unsafe(trace), rule, statistics: Statistics::default() };
        Some(Found { loaded, population, outcome })
    };
    // Only if many will do is it worth the time to look for the first.
    let many = attempt(CREATED)?;
    (INSTANCES + 1..CREATED).find_map(attempt).or(Some(many))
}

/// Why this kind of proof is not to be had for threads of unbounded number.
pub fn refusal(options: &Options) -> Option<&'static str> {
    match (options.rule, options.solver) {
        (Some(Rule::Monolithic), _) => Some("unsupported: monolithic proofs about any number of threads"),
        (_, rules::SolverKind::Spacer(_)) => Some("unsupported: --solver spacer for any number of threads"),
        _ => None,
    }
}
