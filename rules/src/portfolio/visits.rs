//! Whether proofs say anything: for claims that are proved, runs that come to them, or a proof that none does.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use bounded::{Deepening, End, Gathered, Search};
use program::{ClaimId, Population, Program};

use super::schedule::{ATTEMPT, INSTANCES, MOVING, VISIT_STATES};
use super::{Task, decide, decide_each};
use crate::options::{Options, Verdict};

/// What is known of whether runs come to claims.
#[derive(Clone, Debug, Default)]
pub struct Visits {
    reached: BTreeSet<ClaimId>,
    /// Reached by runs with values that nobody follows.
    doubtful: BTreeSet<ClaimId>,
    unreachable: BTreeSet<ClaimId>,
    /// The claim that stands for the end of main.
    end: Option<ClaimId>,
    /// How runs ended that were found.
    pub ends: BTreeSet<End>,
    steps: u64,
}

/// Whether runs come to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// One that was replayed does.
    Reached,
    /// One that was replayed does, if C computes the values that were chosen for it: floating point, say.
    Perhaps,
    /// None does: that has a proof, which was checked.
    Unreachable,
    /// None was found among so many steps.
    NotWithin(u64),
}

impl fmt::Display for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Visit::Reached => f.write_str("reached"),
            Visit::Perhaps => f.write_str("reached, if values that are not followed are as chosen"),
            Visit::Unreachable => f.write_str("unreachable"),
            Visit::NotWithin(1) => f.write_str("not reached within 1 step"),
            Visit::NotWithin(steps) => write!(f, "not reached within {steps} steps"),
        }
    }
}

impl Visits {
    /// Whether runs come to the end of main, and where that is; nothing if there is no main.
    pub fn end(&self) -> Option<(Visit, ClaimId)> {
        self.end.map(|end| (self.of(end), end))
    }

    /// What is known of two programs of one text.
    pub fn and(mut self, other: &Visits) -> Visits {
        self.reached.extend(&other.reached);
        self.unreachable.extend(&other.unreachable);
        self.end = self.end.or(other.end);
        self.ends.extend(&other.ends);
        self.steps = self.steps.max(other.steps);
        self
    }

    /// Whether runs come to the claim.
    pub fn of(&self, claim: ClaimId) -> Visit {
        if self.reached.contains(&claim) {
            Visit::Reached
        } else if self.unreachable.contains(&claim) {
            Visit::Unreachable
        } else if self.doubtful.contains(&claim) {
            Visit::Perhaps
        } else {
            Visit::NotWithin(self.steps)
        }
    }
}

/// Looks for runs that come to claims. The programs of the task are those in which to come to a claim is to violate it.
///
/// One of them may stand for the end of main. To come there is no claim of the text, and no proof is looked for that no run does.
pub fn visit(task: &Task<'_>, end: Option<ClaimId>, options: &Options) -> Visits {
    let mut visits = Visits { end, ..Visits::default() };
    let mut claims: BTreeSet<ClaimId> = task.program.claims().iter().map(|claim| claim.id).collect();
    // Nobody looks for the end of a main that has none.
    if let Some(end) = end.filter(|end| !has_place(task.program, *end)) {
        claims.remove(&end);
        visits.unreachable.insert(end);
    }
    execute(task, options, &claims, &mut visits);
    let is_left = |claim: &&ClaimId| Some(**claim) != end && !visits.reached.contains(*claim);
    if !claims.iter().any(|claim| is_left(&claim)) || options.cancel.is_cancelled() {
        return visits;
    }
    exclude(task, options, &mut visits);
    visits
}

/// Whether control can come to a claim, for all that the program's graphs say.
fn has_place(program: &Program, claim: ClaimId) -> bool {
    let is_it = |location: &program::Location| location.violates() == Some(claim);
    program.threads().any(|(_, thread)| thread.locations.iter().any(is_it))
}

/// Executes the program, with some of the threads that are created without bound.
fn execute(task: &Task<'_>, options: &Options, claims: &BTreeSet<ClaimId>, visits: &mut Visits) {
    let gathered = Arc::new(Gathered::default());
    let search = Search { gather: Some(gathered.clone()), ..Search::default() };
    let deepening = Deepening { search, states: VISIT_STATES / 10, limit: VISIT_STATES, ..Deepening::default() };
    let run = |program: &Program| {
        bounded::deepen(program, &deepening, &|| options.cancel.is_cancelled(), &|_| ());
        gathered.found().violated.is_superset(claims)
    };
    if task.program.templates().is_empty() {
        run(task.program);
    } else {
        let lower = |population| (task.lower)(&task.unasked, population, task.templating);
        let populations = (1..=INSTANCES).map(Population::Bounded).chain((1..=MOVING).map(Population::Sparse));
        let _ = populations.filter_map(lower).any(|program| run(&program));
    }
    let notes = gathered.found();
    (visits.reached, visits.doubtful, visits.steps) = (notes.violated, notes.doubtful, notes.steps);
}

/// How runs of a program end. The finer its steps, the more exactly is known where.
pub fn ends(program: &Program, options: &Options) -> BTreeSet<End> {
    let gathered = Arc::new(Gathered::default());
    let search = Search { gather: Some(gathered.clone()), ..Search::default() };
    let deepening = Deepening { search, states: VISIT_STATES, limit: VISIT_STATES, ..Deepening::default() };
    bounded::deepen(program, &deepening, &|| options.cancel.is_cancelled(), &|_| ());
    gathered.found().ends
}

/// Tries to prove that no run comes to the claims that are left.
fn exclude(task: &Task<'_>, options: &Options, visits: &mut Visits) {
    let unasked: BTreeSet<ClaimId> = task.unasked.union(&visits.reached).copied().chain(visits.end).collect();
    let population = if task.program.templates().is_empty() { Population::Each } else { Population::Templates };
    let Some(program) = (task.lower)(&unasked, population, task.templating) else { return };
    let rest = Task { program: &program, unasked, ..*task };
    let Some(limits) = ATTEMPT.first() else { return };
    let options = Options {
        refinements: limits.refinements,
        states: limits.states,
        solver_queries: limits.solver_queries.unwrap_or(u64::MAX),
        ..options.clone()
    };
    let mut hear = |found: super::Found| {
        match &found.outcome.verdict {
            Verdict::Safe(_) => visits.unreachable.extend(found.program.claims().iter().map(|claim| claim.id)),
            Verdict::Unsafe(run) => visits.reached.extend(run.violated()),
            Verdict::Unknown(_) => {}
        }
        Some(options.cancel.clone())
    };
    // What is refused is not known.
    let _ = decide_each(&rest, &options, &decide, &mut hear);
}
