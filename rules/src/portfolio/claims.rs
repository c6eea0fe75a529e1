//! Each claim by itself: one that is violated does not end the others.

use std::collections::BTreeSet;

use program::{ClaimId, Population};
use smt::Cancel;

use super::{Found, Task};
use crate::options::{Options, Reason, Verdict};

/// Decides the claims of a program together: the first that is violated ends it.
pub type Decide<'d> = &'d dyn Fn(&Task<'_>, &Options) -> Result<Found, &'static str>;

/// Decides all claims of a text together, and again those that are left for each that is violated. Where they are not decided
/// together, each of them is tried by itself. `hear` is told of every answer, and gives what stops the search for the next one, or
/// nothing if there is to be none.
pub fn decide_each(
    task: &Task<'_>,
    options: &Options,
    decide: Decide<'_>,
    hear: &mut dyn FnMut(Found) -> Option<Cancel>,
) -> Result<(), &'static str> {
    let all: BTreeSet<ClaimId> = task.program.claims().iter().map(|claim| claim.id).collect();
    let mut left = all.clone();
    let mut found = decide(task, options)?;
    loop {
        let answer = Answer::of(&found);
        let Some(cancel) = hear(found) else { return Ok(()) };
        let options = Options { cancel, ..options.clone() };
        match answer {
            Answer::Settled(claim) => _ = left.remove(&claim),
            Answer::Undecided if left.len() > 1 => return one_by_one(task, &all, &left, &options, decide, hear),
            Answer::Undecided | Answer::Last => return Ok(()),
        }
        if left.is_empty() {
            return Ok(());
        }
        found = decide_these(task, all.difference(&left).copied().collect(), &options, decide)?;
    }
}

/// What an answer means to the claims that are left.
enum Answer {
    /// This one is settled.
    Settled(ClaimId),
    /// Fewer of them at a time may be easier.
    Undecided,
    /// There is nothing more to be had.
    Last,
}

impl Answer {
    fn of(found: &Found) -> Answer {
        match &found.outcome.verdict {
            Verdict::Unsafe(run) => {
                // There is no proof of a claim that is violated with a value that nobody follows.
                let settled = run.violated().or(run.doubtful().map(|(claim, _)| claim));
                settled.map_or(Answer::Last, Answer::Settled)
            }
            // Fewer claims do not make a search within bounds see more.
            Verdict::Unknown(Reason::Cancelled | Reason::Covered(_) | Reason::Exhausted) | Verdict::Safe(_) => {
                Answer::Last
            }
            Verdict::Unknown(_) => Answer::Undecided,
        }
    }
}

fn one_by_one(
    task: &Task<'_>,
    all: &BTreeSet<ClaimId>,
    left: &BTreeSet<ClaimId>,
    options: &Options,
    decide: Decide<'_>,
    hear: &mut dyn FnMut(Found) -> Option<Cancel>,
) -> Result<(), &'static str> {
    let mut options = options.clone();
    for claim in left {
        let others = all.iter().copied().filter(|other| other != claim).collect();
        match hear(decide_these(task, others, &options, decide)?) {
            Some(cancel) => options.cancel = cancel,
            None => break,
        }
    }
    Ok(())
}

/// Decides the claims but these.
fn decide_these(
    task: &Task<'_>,
    unasked: BTreeSet<ClaimId>,
    options: &Options,
    decide: Decide<'_>,
) -> Result<Found, &'static str> {
    let population = if task.program.templates().is_empty() { Population::Each } else { Population::Templates };
    let program = (task.lower)(&unasked, population, task.templating);
    let program = program.ok_or("internal: a program that was lowered cannot be lowered with fewer claims")?;
    decide(&Task { program: &program, unasked, ..*task }, options)
}
