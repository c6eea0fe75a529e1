//! Proofs about any number of threads, and counterexamples with a few.
//!
//! A short search with 1, 2, 3 instances comes first, since most errors are near; then the levels, each without and with counters, a
//! longer search, and the levels again with more time for each. What the levels need is the program with templates, first one in which
//! any number of instances start once one has been created, then one in which each creation starts one and joins wait; what a search
//! needs is the program with so many instances and no more: three lowerings of the same text.
//!
//! That is the order in which the first to decide is asked for; who has workers to spare is ahead of it (see [`super::ahead`]).

use std::fmt;
use std::sync::LazyLock;

use check::Certificate;
use program::{Population, Program};
use smt::Cancel;

use super::ahead::{self, Step};
use super::schedule::{
    ATTEMPT, CREATED, FAR_STATES, INSTANCES, LEVELS, LONG_PREEMPTIONS, LONG_STATES, Limits, MOVING, NEAR_STATES, PAIRS,
    ROUNDS, WITHOUT_ARRAYS,
};
use super::{Found, prove as prove_each};
use crate::engine::Engine;
use crate::engines::cegar::Prover;
use crate::engines::explicit::{find_long_run, find_run};
use crate::evidence::confirm;
use crate::ghosts::{counting, has_scans};
use crate::options::{Options, Outcome, Reason, Statistics, Verdict};
use crate::rule::Rule;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Until nothing is left to try.
    Full,
    /// A quick attempt, before something else is tried.
    Attempt,
}

/// Gives the program with another population.
pub type Lower<'l> = &'l (dyn Fn(Population) -> Option<Program> + Sync);

/// Tries to prove a program with templates, or to find an error with a few instances.
pub fn prove(template: &Program, lower: Lower<'_>, level: Option<u32>, effort: Effort, options: &Options) -> Found {
    let rule = options.rule.unwrap_or(Rule::OwickiGries);
    let levels: Vec<usize> = level.map_or(LEVELS.to_vec(), |level| vec![level as usize]);
    let order = order(template);
    let scans = level.is_none() && has_scans(template);
    let templates = (Population::Templates, template.clone());
    let exact = LazyLock::new(|| {
        let exact = lower(Population::Exact).filter(|exact| exact.to_string() != template.to_string());
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
    let mut attempts: Vec<(Population, usize, Counted, Seen)> = Vec::new();
    for population in populations {
        let of_all = |level: &usize| order.map(|counted| (*population, *level, counted, Seen::All));
        attempts.extend(levels.iter().flat_map(of_all));
    }
    if scans {
        // The first that speaks of two instances, without counters.
        attempts.sort_by_key(|attempt| *attempt != (Population::Templates, 2, Counted::No, Seen::All));
    } else {
        let cheap = levels.iter().map(|level| (Population::Templates, *level, order[0], Seen::WithoutArrays));
        attempts.splice(0..0, cheap);
    }
    let first_exact = attempts.iter().position(|attempt| attempt.0 == Population::Exact);
    // What is not reached is not made.
    let programs: Vec<_> = attempts
        .into_iter()
        .map(|(population, level, counted, seen)| {
            LazyLock::new(move || attempted(lowered(population)?, level, counted, seen))
        })
        .collect();
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    if effort == Effort::Full {
        lanes.push(searches(lower));
    }
    lanes.extend(programs.iter().map(|program| attempt(program, effort, rule, options)));
    if effort == Effort::Full {
        // Attempts with templates take less time than this search, those with the exact number mostly more.
        let turn = first_exact.map_or(lanes.len(), |first| first + 1);
        lanes.insert(turn, long_search(lower));
    }
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
    undecided(template, reason, Engine::Cegar(rule), statistics)
}

/// Whether the attempts with counters come after those without, or before: where how many instances have ended is counted, a variable
/// would wrap without that.
fn order(template: &Program) -> [Counted; 2] {
    let ended = |counted: Program| counted.counters().iter().any(|(counter, _)| counted.counts_ended(counter));
    match counting(template).is_some_and(ended) {
        true => [Counted::Yes, Counted::No],
        false => [Counted::No, Counted::Yes],
    }
}

fn undecided(template: &Program, reason: Reason, found_by: Engine, statistics: Statistics) -> Found {
    let outcome = Outcome { verdict: Verdict::Unknown(reason), found_by, statistics };
    Found::new(template.clone(), Population::Templates, outcome)
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
                0 => search(lower, NEAR_STATES, cancel),
                _ => search_many(lower, cancel)
                    .or_else(|| search(lower, FAR_STATES, cancel))
                    .or_else(|| search_sparse(lower, cancel)),
            };
            let otherwise = if round == 0 { Step::Open } else { Step::Over };
            (None, found.map_or(otherwise, Step::Found))
        })
    })
}

/// The search for errors behind the creation of many threads, once.
fn long_search(lower: Lower<'_>) -> Lane<'_> {
    Box::new(move || Box::new(move |_, cancel| (None, search_long(lower, cancel).map_or(Step::Over, Step::Found))))
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
        let looked_at = attempted.relaxed.as_ref().unwrap_or(&attempted.program);
        let mut prover = Prover::in_place_of(&attempted.program, looked_at, rule);
        Box::new(move |round, cancel| {
            let limits = match attempted.relaxed {
                Some(_) => WITHOUT_ARRAYS.of(options),
                None => effort.rounds()[round].of(options),
            };
            let at_least = if attempted.level > 1 && attempted.relaxed.is_none() { PAIRS } else { 0 };
            let limits = Options { states: limits.states.max(at_least), cancel: cancel.clone(), ..limits };
            let outcome = attempted.of_all(prover.decide(&limits), &limits);
            let told = Told {
                what: format!("{attempted}: {}", said(&outcome.verdict)),
                statistics: outcome.statistics.clone(),
            };
            let step = attempted.step(outcome, &options.cancel);
            // What does not follow soon without arrays will not follow later.
            let once = attempted.relaxed.is_some() && matches!(step, Step::Open);
            (Some(told), if once { Step::Over } else { step })
        })
    })
}

/// A run to an error with a few instances of threads about any number of which nothing can be proved.
pub fn refute(lower: Lower<'_>, options: &Options) -> Option<Found> {
    let found = [NEAR_STATES, FAR_STATES].iter().find_map(|states| search(lower, *states, &options.cancel));
    found
        .or_else(|| search_many(lower, &options.cancel))
        .or_else(|| search_sparse(lower, &options.cancel))
        .or_else(|| with_few(lower, options).ok())
}

/// An error with 1, 2, 3 .. instances, or how many have none.
fn with_few(lower: Lower<'_>, options: &Options) -> Result<Found, usize> {
    let mut safe = 0;
    for instances in 1..=INSTANCES {
        let population = Population::Bounded(instances);
        let Some(program) = lower(population) else { break };
        let outcome = prove_each(&program, options);
        match outcome.verdict {
            Verdict::Unsafe(_) => {
                return Ok(Found::new(program, population, outcome));
            }
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

/// What an attempt looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    All,
    /// Whatever arrays hold ([`Program::without_arrays`]).
    WithoutArrays,
}

/// The program at a level.
struct Attempted<'l> {
    /// What it was made from.
    lowered: &'l (Population, Program),
    level: usize,
    counted: Counted,
    program: Program,
    /// The program that is looked at in its place.
    relaxed: Option<Program>,
}

impl Attempted<'_> {
    /// An outcome as one of the program itself: the proof of one that does more is checked again, a run of one shows nothing.
    fn of_all(&self, outcome: Outcome, options: &Options) -> Outcome {
        if self.relaxed.is_none() {
            return outcome;
        }
        let verdict = match outcome.verdict {
            Verdict::Safe(proof) => match confirm(&self.program, Certificate::clone(&proof), options) {
                Ok(proof) => Verdict::Safe(proof),
                Err(_) if options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
                Err(rejection) => Verdict::Unknown(Reason::NoProof(format!("without arrays: {rejection}"))),
            },
            Verdict::Unsafe(_) => Verdict::Unknown(Reason::NoProof("arrays matter".into())),
            unknown @ Verdict::Unknown(_) => unknown,
        };
        Outcome { verdict, ..outcome }
    }

    /// What an outcome means to the other attempts.
    fn step(&self, outcome: Outcome, cancel: &Cancel) -> Step<Found> {
        let (population, template) = self.lowered;
        let undecided = |reason, statistics| Step::Found(undecided(template, reason, outcome.found_by, statistics));
        match outcome.verdict {
            Verdict::Safe(_) => Step::Found(Found::new(self.program.clone(), *population, outcome)),
            Verdict::Unknown(reason @ Reason::CertificateRejected(_)) => undecided(reason, outcome.statistics),
            _ if cancel.is_cancelled() => undecided(Reason::Cancelled, outcome.statistics),
            // A run of copies is one of instances: how many it takes is found out by who looks for it. With more time the others
            // would be no different.
            Verdict::Unsafe(_) | Verdict::Unknown(Reason::NoProof(_) | Reason::Stuck(_)) => Step::Over,
            Verdict::Unknown(_) => Step::Open,
        }
    }
}

/// What is told of an attempt's end.
fn said(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "proved".into(),
        Verdict::Unsafe(_) => "no proof, but a run of as many copies".into(),
        Verdict::Unknown(reason) => reason.to_string(),
    }
}

impl fmt::Display for Attempted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, level {}, counters: {:?}", self.lowered.0, self.level, self.counted)?;
        if self.relaxed.is_some() { f.write_str(", without arrays") } else { Ok(()) }
    }
}

/// The program at a level, with the counters that may help: none, if they are wanted and nothing can be counted, or if arrays are not to
/// be looked at and there are none.
fn attempted(lowered: &(Population, Program), level: usize, counted: Counted, seen: Seen) -> Option<Attempted<'_>> {
    let program = lowered.1.with_copies(level + 1);
    let program = match counted {
        Counted::No => program,
        Counted::Yes => counting(&program)?,
    };
    let relaxed = match seen {
        Seen::All => None,
        Seen::WithoutArrays => Some(program.without_arrays()?),
    };
    Some(Attempted { lowered, level, counted, program, relaxed })
}

impl Limits {
    fn of(&self, options: &Options) -> Options {
        let solver_queries = self.solver_queries.unwrap_or(options.solver_queries);
        Options { refinements: self.refinements, states: self.states, solver_queries, ..options.clone() }
    }
}

impl Effort {
    fn rounds(self) -> &'static [Limits] {
        match self {
            Effort::Full => ROUNDS,
            Effort::Attempt => ATTEMPT,
        }
    }
}

/// A run to an error with 1, 2, 3 .. instances, in that order.
fn search(lower: Lower<'_>, states: usize, cancel: &Cancel) -> Option<Found> {
    search_with(lower, (1..=INSTANCES).map(Population::Bounded), states, cancel)
}

/// A run to an error with few preemptions in which one thread moves of the many that are created.
fn search_long(lower: Lower<'_>, cancel: &Cancel) -> Option<Found> {
    let population = Population::Sparse(1);
    let program = lower(population)?;
    let run = find_long_run(&program, LONG_PREEMPTIONS, LONG_STATES, cancel)?;
    Some(Found::run(program, population, run))
}

/// A run to an error in which some threads are created that never move.
fn search_sparse(lower: Lower<'_>, cancel: &Cancel) -> Option<Found> {
    search_with(lower, (1..=MOVING).map(Population::Sparse), FAR_STATES, cancel)
}

fn search_with(
    lower: Lower<'_>,
    populations: impl Iterator<Item = Population>,
    states: usize,
    cancel: &Cancel,
) -> Option<Found> {
    for population in populations {
        let program = lower(population)?;
        if let Some(run) = find_run(&program, states, cancel) {
            return Some(Found::run(program, population, run));
        }
    }
    None
}

/// A run to an error for which more instances must be created, with the first number that will do.
fn search_many(lower: Lower<'_>, cancel: &Cancel) -> Option<Found> {
    let attempt = |instances: usize| {
        let population = Population::Bounded(instances);
        let program = lower(population)?;
        let run = find_run(&program, NEAR_STATES, cancel)?;
        Some(Found::run(program, population, run))
    };
    // Only if many will do is it worth the time to look for the first.
    let many = attempt(CREATED)?;
    (INSTANCES + 1..CREATED).find_map(attempt).or(Some(many))
}
