//! Who is asked for a proof, or for a run to an error, and when ([`schedule`]).

mod ahead;
mod any_number;
mod claims;
pub mod schedule;
mod side_by_side;
mod visits;
mod within;

use std::collections::BTreeSet;

use check::Replayed;
use program::{ClaimId, Population, Program, Property, Templating};

use crate::engine::Engine;
use crate::engines::explicit::find_run;
use crate::ghosts::has_scans;
use crate::options::{Options, Outcome, SolverKind, Statistics, Verdict};
use crate::rule::Rule;
use any_number::Effort;
pub use claims::decide_each;
pub use side_by_side::prove;
pub use visits::{Visit, Visits, ends, visit};
pub use within::{Within, look};

/// Terms may be nested deeply. Virtual memory only: what is not touched costs nothing.
const STACK: usize = 512 << 20;

/// A text that is to be verified.
pub struct Task<'t> {
    /// The program as it was asked for.
    pub program: &'t Program,
    /// Which functions any number of threads may run in it, if it has templates.
    pub templating: Templating,
    /// How many threads run the same function, at most.
    pub equal_threads: usize,
    /// The only level to try, of assertions about any number of threads.
    pub level: Option<u32>,
    /// The claims of the text that the program does not ask.
    pub unasked: BTreeSet<ClaimId>,
    /// The other programs that the text can be lowered to.
    pub lower: Lower<'t>,
}

/// Lowers the text another way, if that can be had: without these claims.
pub type Lower<'l> = &'l (dyn Fn(&BTreeSet<ClaimId>, Population, Templating) -> Option<Program> + Sync);

/// What came of it: the program that the evidence is about, how it was lowered, and the verdict.
pub struct Found {
    /// The program, with the counters that the proof uses.
    pub program: Program,
    /// What becomes of threads in it.
    pub population: Population,
    /// Of which threads.
    pub templating: Templating,
    /// The claims of the text that the evidence is not about.
    pub unasked: BTreeSet<ClaimId>,
    /// The verdict.
    pub outcome: Outcome,
}

impl Found {
    /// A run that was found by execution.
    fn run(program: Program, population: Population, (run, statistics): (Replayed, Statistics)) -> Found {
        let (verdict, found_by) = (Verdict::Unsafe(run), Engine::Explicit);
        let outcome = Outcome { verdict, found_by, statistics };
        Found::new(program, population, outcome)
    }
    fn new(program: Program, population: Population, outcome: Outcome) -> Found {
        Found { program, population, templating: Templating::default(), unasked: BTreeSet::new(), outcome }
    }
    fn with(self, templating: Templating) -> Found {
        Found { templating, ..self }
    }
}

/// Decides the claims of a program together: as it is, or where threads are created without bound, or equal ones often, for any
/// number of them. The first that is violated ends it.
pub fn decide(task: &Task<'_>, options: &Options) -> Result<Found, &'static str> {
    Ok(Found { unasked: task.unasked.clone(), ..decide_together(task, options)? })
}

fn decide_together(task: &Task<'_>, options: &Options) -> Result<Found, &'static str> {
    if !task.program.templates().is_empty() {
        let lower = |population| (task.lower)(&task.unasked, population, task.templating);
        return match refusal(options) {
            Some(why) => Err(why),
            None => {
                Ok(any_number::prove(task.program, &lower, task.level, Effort::Full, options).with(task.templating))
            }
        };
    }
    // Who asks for a rule wants to see what that rule can do.
    if options.rule.is_none()
        && options.solver == SolverKind::Cegar
        && let Some(run) = find_run(task.program, schedule::FIRST_STATES, &options.cancel)
    {
        return Ok(Found::run(task.program.clone(), Population::Each, run));
    }
    if refusal(options).is_none()
        && let Some(found) = as_any_number(task, options)
    {
        return Ok(found);
    }
    Ok(Found::new(task.program.clone(), Population::Each, prove(task.program, options)))
}

/// Whether a short search finds a run that violates a claim.
pub fn has_near_error(program: &Program, options: &Options) -> bool {
    program.templates().is_empty() && find_run(program, schedule::FIRST_STATES, &options.cancel).is_some()
}

/// A run of a few of the equal threads, or a proof about any number of them.
fn as_any_number(task: &Task<'_>, options: &Options) -> Option<Found> {
    // Deadlocks of so many threads are told exactly; of any number only an order of what they wait for is proved, which takes longer.
    if task.program.claims().iter().any(|claim| claim.id.property == Property::NoDeadlock) {
        return None;
    }
    let lower = |population| (task.lower)(&task.unasked, population, Templating::Repeated);
    let template = (task.equal_threads > 1).then(|| lower(Population::Templates)).flatten();
    let template = template.filter(|program| !program.templates().is_empty());
    // Two threads are a proof of their own, unless it would follow their scans of arrays element by element.
    let scans = template.as_ref().is_some_and(has_scans);
    if task.equal_threads < schedule::OFTEN && !scans {
        return None;
    }
    let states = if scans { schedule::SCANNING_STATES } else { schedule::FEW_STATES };
    if let Some(run) = find_run(task.program, states, &options.cancel) {
        return Some(Found::run(task.program.clone(), Population::Each, run));
    }
    log::info!("equal threads: trying a proof for any number of them");
    let level = task.level.or(scans.then_some(2));
    let found = any_number::prove(&template?, &lower, level, Effort::Attempt, options).with(Templating::Repeated);
    matches!(found.outcome.verdict, Verdict::Safe(_)).then_some(found)
}

/// A run to an error with a few instances of threads about any number of which nothing can be proved.
pub fn refute(lower: Lower<'_>, templating: Templating, options: &Options) -> Option<Found> {
    if refusal(options).is_some() {
        return None;
    }
    any_number::refute(&|population| lower(&BTreeSet::new(), population, templating), options)
        .map(|found| found.with(templating))
}

/// Why this kind of proof is not to be had for threads of unbounded number.
fn refusal(options: &Options) -> Option<&'static str> {
    match (options.rule, options.solver) {
        (Some(Rule::Monolithic), _) => Some("unsupported: monolithic proofs about any number of threads"),
        (_, SolverKind::Spacer(_)) => Some("unsupported: --solver spacer for any number of threads"),
        (_, SolverKind::Boxes) => Some("unsupported: --solver boxes for any number of threads"),
        (_, SolverKind::Houdini) => Some("unsupported: --solver houdini for any number of threads"),
        (_, SolverKind::Cegar) => None,
    }
}
