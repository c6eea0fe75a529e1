//! Proofs about any number of threads, and counterexamples with a few.
//!
//! A short search with 1, 2, 3 instances comes first, since most errors are near; then the levels, each without and with counters, a
//! longer search, and the levels again with more time for each. What the levels need is the program with templates, first one in which
//! any number of instances start once one has been created, then one in which each creation starts one and joins wait; what a search
//! needs is the program with so many instances and no more: three lowerings of the same text.

use std::fmt;

use frontend::{Loaded, Population};
use program::Program;
use rules::{Options, Outcome, ParametricProver, ParametricVerdict, Reason, Rule, Statistics, Verdict};

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
    let programs: Vec<Attempted> = lowered
        .iter()
        .flat_map(|lowered| attempts.iter().filter_map(move |(level, counted)| attempted(lowered, *level, *counted)))
        .collect();
    let mut open: Vec<(&Attempted, ParametricProver<'_>)> =
        programs.iter().map(|attempted| (attempted, ParametricProver::new(&attempted.program, rule))).collect();
    // What has no proof may take for ever to say so: all are given a little time, then more; between, errors further away are
    // looked for.
    for (round, limits) in effort.rounds().iter().enumerate() {
        if round == 1
            && let Some(found) = search_many(lower, rule, options).or_else(|| search(lower, MANY_STATES, rule, options))
        {
            return found;
        }
        let mut undecided_yet = Vec::new();
        for (attempted, mut prover) in open {
            let (population, template) = attempted.lowered;
            let outcome = prover.prove(&limits.of(options));
            statistics = outcome.statistics.clone();
            log::info!("{attempted}: {}", outcome.verdict);
            match outcome.verdict {
                ParametricVerdict::Safe(certificate) => {
                    let loaded = Loaded { program: attempted.program.clone(), ..template.clone() };
                    let outcome = Outcome { verdict: Verdict::Safe(certificate), rule, statistics };
                    return Found { loaded, population: *population, outcome };
                }
                ParametricVerdict::Unknown(reason @ Reason::CertificateRejected(_)) => {
                    return undecided(template.clone(), reason, statistics);
                }
                _ if options.cancel.is_cancelled() => {
                    return undecided(template.clone(), Reason::Cancelled, statistics);
                }
                // With more time it would be no different.
                ParametricVerdict::NoProof | ParametricVerdict::Unknown(Reason::Stuck(_)) => {}
                ParametricVerdict::Unknown(_) => undecided_yet.push((attempted, prover)),
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

/// The program at a level.
struct Attempted<'l> {
    /// What it was made from.
    lowered: &'l (Population, Loaded),
    level: usize,
    counted: Counted,
    program: Program,
}

impl fmt::Display for Attempted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, level {}, counters: {:?}", self.lowered.0, self.level, self.counted)
    }
}

/// The program at a level, with the counters that may help: none, if they are wanted and nothing can be counted.
fn attempted(lowered: &(Population, Loaded), level: usize, counted: Counted) -> Option<Attempted<'_>> {
    let program = lowered.1.program.with_copies(level + 1);
    let program = match counted {
        Counted::No => program,
        Counted::Yes => rules::counting(&program)?,
    };
    Some(Attempted { lowered, level, counted, program })
}

/// What a level is given, all rounds together.
struct Limits {
    refinements: usize,
    states: usize,
    solver_queries: Option<u64>,
}

impl Limits {
    fn of(&self, options: &Options) -> Options {
        let solver_queries = self.solver_queries.unwrap_or(options.solver_queries);
        Options { refinements: self.refinements, states: self.states, solver_queries, ..options.clone() }
    }
}

impl Effort {
    /// What each level is given, in one round after the other. A level at which there is no proof must not take the time of one at
    /// which there is.
    fn rounds(self) -> &'static [Limits] {
        match self {
            Effort::Full => &[
                Limits { refinements: 24, states: 6_000, solver_queries: None },
                Limits { refinements: 48, states: 20_000, solver_queries: None },
                Limits { refinements: 96, states: 50_000, solver_queries: None },
                Limits { refinements: 192, states: 50_000, solver_queries: None },
            ],
            Effort::Attempt => &[Limits { refinements: 32, states: 2_000, solver_queries: Some(20_000) }],
        }
    }
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
