//! Proofs about any number of threads, and counterexamples with a few.
//!
//! A short search with 1, 2, 3 instances comes first, since most errors are near; then the levels, each without and with counters, a
//! longer search, and the levels again with more time for each. What the levels need is the program with templates, first one in which
//! any number of instances start once one has been created, then one in which each creation starts one and joins wait; what a search
//! needs is the program with so many instances and no more: three lowerings of the same text.
//!
//! That is the order in which the first to decide is asked for; who has workers to spare is ahead of it (see [`crate::ahead`]).

use std::fmt;
use std::sync::LazyLock;

use frontend::{Loaded, Population};
use program::Program;
use rules::{
    Cancel, Engine, Options, Outcome, ParametricOutcome, ParametricProver, ParametricVerdict, Reason, Rule, Statistics,
    Verdict,
};

use crate::ahead::{self, Step};

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
/// Abstract states that an attempt at a higher level is given at least.
const PAIRS: usize = 6_000;

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

impl Found {
    /// A run that was found by execution.
    pub fn run(loaded: Loaded, population: Population, run: check::Replayed) -> Found {
        let (verdict, found_by) = (Verdict::Unsafe(run), Engine::Execution);
        Found { loaded, population, outcome: Outcome { verdict, found_by, statistics: Statistics::default() } }
    }
}

/// Gives the program with another population.
pub type Lower<'l> = &'l (dyn Fn(Population) -> Option<Loaded> + Sync);

/// Tries to prove a program with templates, or to find an error with a few instances.
pub fn prove(template: Loaded, lower: Lower<'_>, level: Option<u32>, effort: Effort, options: &Options) -> Found {
    let rule = options.rule.unwrap_or(Rule::OwickiGries);
    let levels: Vec<usize> = level.map_or(LEVELS.to_vec(), |level| vec![level as usize]);
    let order = order(&template.program);
    let scans = level.is_none() && rules::has_scans(&template.program);
    let templates = (Population::Templates, template);
    let exact = LazyLock::new(|| {
        let exact = lower(Population::Exact).filter(|e| e.program.to_string() != templates.1.program.to_string());
        exact.map(|exact| (Population::Exact, exact))
    });
    let populations: &[Population] = match effort {
        Effort::Full => &[Population::Templates, Population::Exact],
        Effort::Attempt => &[Population::Templates],
    };
    let lowered = |population: Population| match population {
        Population::Exact => exact.as_ref(),
        _ => Some(&templates),
    };
    let mut attempts: Vec<(Population, usize, Counted)> = Vec::new();
    for population in populations {
        attempts.extend(levels.iter().flat_map(|level| order.map(|counted| (*population, *level, counted))));
    }
    if scans {
        // The first that speaks of two instances, without counters.
        attempts.sort_by_key(|attempt| *attempt != (Population::Templates, 2, Counted::No));
    }
    // What is not reached is not made.
    let programs: Vec<_> = attempts
        .into_iter()
        .map(|(population, level, counted)| LazyLock::new(move || attempted(lowered(population)?, level, counted)))
        .collect();
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    if effort == Effort::Full {
        lanes.push(searches(lower));
    }
    lanes.extend(programs.iter().map(|program| attempt(program, effort, rule, options)));
    let mut statistics = Statistics::default();
    let mut hear = |told: Option<Told>| {
        if let Some(told) = told {
            log::info!("{}", told.what);
            statistics = told.statistics;
        }
    };
    if let Some(found) = ahead::first(&lanes, effort.rounds().len(), options.workers, &options.cancel, &mut hear) {
        return found;
    }
    let level = levels.last().copied().unwrap_or(1);
    let reason = match effort {
        Effort::Attempt => Reason::NoProofAtLevel { level, instances: 0 },
        Effort::Full => match with_few(lower, options) {
            Ok(found) => return found,
            Err(_) if options.cancel.is_cancelled() => Reason::Cancelled,
            Err(instances) => Reason::NoProofAtLevel { level, instances },
        },
    };
    undecided(&templates.1, reason, rule, statistics)
}

/// Whether the attempts with counters come after those without, or before: where how many instances have ended is counted, a variable
/// would wrap without that.
fn order(template: &Program) -> [Counted; 2] {
    let ended = |counted: Program| counted.counters().iter().any(|(counter, _)| counted.counts_ended(counter));
    match rules::counting(template).is_some_and(ended) {
        true => [Counted::Yes, Counted::No],
        false => [Counted::No, Counted::Yes],
    }
}

fn undecided(template: &Loaded, reason: Reason, rule: Rule, statistics: Statistics) -> Found {
    let outcome = Outcome { verdict: Verdict::Unknown(reason), found_by: Engine::Cegar(rule), statistics };
    Found { loaded: template.clone(), population: Population::Templates, outcome }
}

/// What is told of an attempt.
struct Told {
    what: String,
    statistics: Statistics,
}

type Lane<'l> = ahead::Lane<'l, Option<Told>, Found>;

/// The searches for errors: those near come before all attempts, those further away after the first round of them.
fn searches(lower: Lower<'_>) -> Lane<'_> {
    Box::new(move || {
        Box::new(move |round, cancel| {
            let found = match round {
                0 => search(lower, FEW_STATES, cancel),
                _ => search_many(lower, cancel).or_else(|| search(lower, MANY_STATES, cancel)),
            };
            let otherwise = if round == 0 { Step::Open } else { Step::Over };
            (None, found.map_or(otherwise, Step::Found))
        })
    })
}

/// An attempt. What has no proof may take for ever to say so: all are given a little time, then more.
fn attempt<'l, 'a: 'l, M>(
    attempted: &'l LazyLock<Option<Attempted<'a>>, M>,
    effort: Effort,
    rule: Rule,
    options: &'l Options,
) -> Lane<'l>
where
    M: FnOnce() -> Option<Attempted<'a>> + Send,
{
    Box::new(move || {
        let Some(attempted) = attempted.as_ref() else { return Box::new(|_, _| (None, Step::Over)) };
        let mut prover = ParametricProver::new(&attempted.program, rule);
        Box::new(move |round, cancel| {
            let limits = effort.rounds()[round].of(options);
            // Two instances at a time have more states than one, and fewer other ways to a proof.
            let states = limits.states.max(if attempted.level > 1 { PAIRS } else { 0 });
            let limits = Options { states, ..limits };
            let outcome = prover.prove(&Options { cancel: cancel.clone(), ..limits });
            let told =
                Told { what: format!("{attempted}: {}", outcome.verdict), statistics: outcome.statistics.clone() };
            (Some(told), attempted.step(outcome, rule, &options.cancel))
        })
    })
}

/// A run to an error with a few instances of threads about any number of which nothing can be proved.
pub fn refute(lower: Lower<'_>, options: &Options) -> Option<Found> {
    let found = [FEW_STATES, MANY_STATES].iter().find_map(|states| search(lower, *states, &options.cancel));
    found.or_else(|| search_many(lower, &options.cancel)).or_else(|| with_few(lower, options).ok())
}

/// An error with 1, 2, 3 .. instances, or how many have none.
fn with_few(lower: Lower<'_>, options: &Options) -> Result<Found, usize> {
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

impl Attempted<'_> {
    /// What an outcome means to the other attempts.
    fn step(&self, outcome: ParametricOutcome, rule: Rule, cancel: &Cancel) -> Step<Found> {
        let (population, template) = self.lowered;
        let ParametricOutcome { verdict, statistics } = outcome;
        match verdict {
            ParametricVerdict::Safe(certificate) => {
                let loaded = Loaded { program: self.program.clone(), ..template.clone() };
                let found_by = Engine::Cegar(rule);
                let outcome = Outcome { verdict: Verdict::Safe(certificate), found_by, statistics };
                Step::Found(Found { loaded, population: *population, outcome })
            }
            ParametricVerdict::Unknown(reason @ Reason::CertificateRejected(_)) => {
                Step::Found(undecided(template, reason, rule, statistics))
            }
            _ if cancel.is_cancelled() => Step::Found(undecided(template, Reason::Cancelled, rule, statistics)),
            // With more time it would be no different.
            ParametricVerdict::NoProof | ParametricVerdict::Unknown(Reason::Stuck(_)) => Step::Over,
            ParametricVerdict::Unknown(_) => Step::Open,
        }
    }
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
fn search(lower: Lower<'_>, states: usize, cancel: &Cancel) -> Option<Found> {
    for instances in 1..=INSTANCES {
        let population = Population::Bounded(instances);
        let loaded = lower(population)?;
        if let Some(trace) = rules::find_run(&loaded.program, states, cancel) {
            return Some(Found::run(loaded, population, trace));
        }
    }
    None
}

/// A run to an error for which more instances must be created, with the first number that will do.
fn search_many(lower: Lower<'_>, cancel: &Cancel) -> Option<Found> {
    let attempt = |instances: usize| {
        let population = Population::Bounded(instances);
        let loaded = lower(population)?;
        let trace = rules::find_run_of_few(&loaded.program, MOVING, FEW_STATES, cancel)?;
        Some(Found::run(loaded, population, trace))
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
        (_, rules::SolverKind::Boxes) => Some("unsupported: --solver boxes for any number of threads"),
        _ => None,
    }
}
