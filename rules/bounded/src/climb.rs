//! A search within given bounds, with smaller ones first: the error that is shown is one that the smallest bound allows.

use program::Program;

use crate::bounds::{Bounds, Hashing, Search};
use crate::coverage::Gap;
use crate::explorer::compile;
use crate::machine::Counting;
use crate::search::{Cancel, Outcome, Report, within};
use crate::turns::first_in_order;

/// States that the searches with smaller bounds may keep, all together: they are not to cost more than the one that was asked for.
const LOWER: usize = 200_000;

/// Looks for an error within the bounds: with 0, 1, 2 .. preemptions, or switches where these are not bounded, as long as that takes few
/// states, and beside that with all that are allowed. The smallest bound that decides counts, and `workers` change nothing but the time.
pub fn climb(
    program: &Program,
    bounds: &Bounds,
    how: &Search,
    workers: usize,
    cancel: Cancel<'_>,
    report: Report<'_>,
) -> Outcome {
    let compiled = compile(program, how, Counting::of(bounds));
    let run = |bounds: &Bounds, cancel: Cancel<'_>| within(program, &compiled, bounds, how, cancel, report);
    let lower = how.hashing == Hashing::Exact && (bounds.preemptions.is_some() || bounds.contexts.is_some());
    let decided = first_in_order(2, workers, cancel, &|turn, is_late| match turn {
        0 => lower.then(|| below(bounds, &|lower| run(lower, is_late))).flatten(),
        _ => Some(run(bounds, is_late)),
    });
    decided.unwrap_or_else(|| run(bounds, cancel))
}

/// An outcome of searches with smaller bounds that is one of a search with these as well.
fn below(bounds: &Bounds, run: &dyn Fn(&Bounds) -> Outcome) -> Option<Outcome> {
    let mut left = LOWER.min(bounds.states);
    for bound in 0..bounds.preemptions.or(bounds.contexts)? {
        let lower = match bounds.preemptions {
            Some(_) => Bounds { preemptions: Some(bound), states: left, ..bounds.clone() },
            None => Bounds { contexts: Some(bound), states: left, ..bounds.clone() },
        };
        let outcome = run(&lower);
        let Outcome::Covered(coverage) = &outcome else { return Some(outcome) };
        if coverage.hits.states || coverage.gaps.contains(&Gap::Cancelled) {
            return None;
        }
        let is_lower = if bounds.preemptions.is_some() { coverage.hits.preemptions } else { coverage.hits.contexts };
        if !is_lower {
            return Some(outcome);
        }
        left = left.checked_sub(coverage.states).filter(|left| *left > 0)?;
    }
    None
}
