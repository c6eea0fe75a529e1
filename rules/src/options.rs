//! What to prove with, and what comes of it.

use std::fmt;
use std::time::Duration;

use abstraction::Counters;
use check::{Proof, Rejection, Replayed, TraceError};
use smt::Cancel;

use crate::engine::Engine;
use crate::monitor::Monitor;
use crate::rule::{Rule, Vocabulary};

/// What the transition predicates of rely-guarantee start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Seeds {
    /// Frames, updates and guards that thread j's steps evidently have.
    #[default]
    Evident,
    /// Nothing, as [T] does.
    None,
}

/// Whether predicates may speak of other threads' locations and variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Modularity {
    /// When no thread-modular refinement exists.
    #[default]
    Preferred,
    /// Never.
    Only,
}

/// What solves a rule's clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SolverKind {
    /// Abstraction and refinement.
    #[default]
    Cegar,
    /// The recursive clauses handed to Spacer as they are, over this vocabulary.
    Spacer(Vocabulary),
    /// No clauses: a search over boxes, whose proofs are monolithic.
    Boxes,
    /// No clauses: guesses from runs, whose proofs are monolithic.
    Houdini,
}

/// How to prove.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which rule; none is all of them at once, and the first checked answer wins.
    pub rule: Option<Rule>,
    /// What solves its clauses.
    pub solver: SolverKind,
    /// Start of the transition predicates.
    pub seeds: Seeds,
    /// What predicates may speak of.
    pub modularity: Modularity,
    /// Threads to run on.
    pub workers: usize,
    /// Abstract states of one reachability, at most.
    pub states: usize,
    /// Refinements, at most.
    pub refinements: usize,
    /// Entailments put to Z3 at most.
    pub solver_queries: u64,
    /// Z3's resource units for Spacer where it is given the rule's clauses; 0 is no limit.
    pub spacer_limit: u32,
    /// Asks the run to stop.
    pub cancel: Cancel,
    /// Hears how far loops have come.
    pub monitor: Monitor,
    /// The time since some moment, for the statistics alone; whoever has a clock lends it.
    pub clock: fn() -> Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rule: None,
            solver: SolverKind::default(),
            seeds: Seeds::default(),
            modularity: Modularity::default(),
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            states: 200_000,
            refinements: 500,
            solver_queries: u64::MAX,
            spacer_limit: 0,
            cancel: Cancel::new(),
            monitor: Monitor::default(),
            clock: || Duration::ZERO,
        }
    }
}

impl Options {
    /// The defaults for a rule.
    pub fn new(rule: Rule) -> Options {
        Options { rule: Some(rule), ..Options::default() }
    }
}

/// The answer, with its evidence.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error is reachable.
    Safe(Proof),
    /// An error is reachable.
    Unsafe(Replayed),
    /// Not decided.
    Unknown(Reason),
}

/// Why a program was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Someone asked to stop.
    Cancelled,
    /// Too many abstract states.
    States(usize),
    /// Too many entailments put to Z3.
    SolverQueries(u64),
    /// Too many refinements.
    Refinements(usize),
    /// A search within bounds found nothing: what it covered, in words.
    Covered(String),
    /// A search without bounds found nothing, and proves nothing by itself.
    Exhausted,
    /// What the program claims is proved, but that is not all that was asked.
    Undecided(String),
    /// A derivation that no assertions of this rule and its views exclude: a proof needs others, or there is an error; in words.
    NoProof(String),
    /// A derivation could be neither refuted nor executed.
    Stuck(String),
    /// Assertions about so many instances at most do not prove it, and so few instances do not refute it.
    NoProofAtLevel {
        /// The highest level tried.
        level: usize,
        /// The most instances with which there is no error.
        instances: usize,
    },
    /// The proof found does not pass the checker. A bug.
    CertificateRejected(Rejection),
    /// The run found cannot be replayed. A bug.
    TraceRejected(TraceError),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Cancelled => f.write_str("cancelled"),
            Reason::States(limit) => write!(f, "more than {limit} abstract states"),
            Reason::SolverQueries(limit) => write!(f, "more than {limit} entailments put to Z3"),
            Reason::Refinements(limit) => write!(f, "more than {limit} refinements"),
            Reason::NoProofAtLevel { level, instances } => {
                write!(f, "no proof up to level {level}, no error with up to {instances} instances")
            }
            Reason::Undecided(what) => write!(f, "unsupported: {what}"),
            Reason::Covered(statement) => f.write_str(statement),
            Reason::Exhausted => f.write_str("exhaustive search, no certificate"),
            Reason::NoProof(why) | Reason::Stuck(why) => write!(f, "refinement is stuck: {why}"),
            Reason::CertificateRejected(rejection) => write!(f, "evidence rejected: {rejection}"),
            Reason::TraceRejected(error) => write!(f, "evidence rejected: {error}"),
        }
    }
}

/// What a run cost.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Derivations refuted.
    pub refinements: usize,
    /// Predicates at the end.
    pub predicates: usize,
    /// Transition predicates at the end.
    pub transition_predicates: usize,
    /// Abstract states of the last reachability.
    pub states: usize,
    /// Steps executed by a search within bounds.
    pub steps: u64,
    /// Environment effects of the last reachability.
    pub effects: usize,
    /// Entailment.
    pub entailment: Counters,
    /// Time in abstract reachability.
    pub reach_time: Duration,
    /// Time in refinement.
    pub refine_time: Duration,
    /// Time in the checker.
    pub check_time: Duration,
}

/// A verdict and what it cost.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Who gave it, or gave up last.
    pub found_by: Engine,
    /// The cost.
    pub statistics: Statistics,
}
