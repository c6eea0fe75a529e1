//! What is asked of a text may take several Programs ([`frontend::parts`]): each is lowered and decided by itself, in turns.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use frontend::{LoadError, Text};
use program::ClaimId;
use rules::{Cancel, Options, Reason, Verdict};

use crate::arguments::ProveArguments;
use crate::limits::cancel_after;
use crate::prove::{Found, Lowering, decide_part, more};

/// Who hears of answers: says what stops the search for the next one, or nothing if there is to be none.
pub type Hear<'h> = &'h mut dyn FnMut(Found, &Cancel) -> Option<Cancel>;

/// A part that is to be decided.
struct Turn {
    options: frontend::Options,
    /// The time that it had before, and what came of it: nothing.
    before: Option<(Duration, Found)>,
    /// Its claims that are violated.
    settled: BTreeSet<ClaimId>,
}

/// Why a part is left undecided.
pub enum Left {
    /// There is no program for it.
    Refused(Box<LoadError>),
    /// For this reason.
    Reason(&'static str),
}

/// Decides each part of what is asked. With a limit on time the parts share it: one that is cut short has another turn if others leave it
/// more than it had. `leave` hears of parts that stay undecided, and says whether to go on.
pub fn decide(
    arguments: &ProveArguments,
    source: &Arc<Text>,
    parts: Vec<frontend::Options>,
    options: &Options,
    begun: Instant,
    hear: Hear<'_>,
    leave: &mut dyn FnMut(&frontend::Options, Left) -> bool,
) {
    let turn = |options| Turn { options, before: None, settled: BTreeSet::new() };
    let mut waiting: VecDeque<Turn> = parts.into_iter().map(turn).collect();
    let mut violated = false;
    while let Some(mut turn) = waiting.pop_front() {
        let left = arguments.timeout.map(|limit| limit.saturating_sub(begun.elapsed()));
        // The first turns are short: where one part alone is hard, most of the time is left for it.
        let shorter = if turn.before.is_none() && !waiting.is_empty() { 2 } else { 1 };
        let share = left.map(|left| left / (program::number(waiting.len() + 1) * shorter));
        if turn.before.as_ref().is_some_and(|(before, _)| share.is_none_or(|share| share <= *before)) {
            turn.before.into_iter().for_each(|(_, found)| _ = hear(found, &options.cancel));
            continue;
        }
        let cancel = match share {
            Some(share) if !waiting.is_empty() => cancel_after(&options.cancel, share),
            None if violated => cancel_after(&options.cancel, more(begun.elapsed())),
            _ => options.cancel.clone(),
        };
        let unasked = turn.options.unasked.union(&turn.settled).copied().collect();
        let lowering = frontend::Options { unasked, ..turn.options.clone() };
        let text = Lowering { source: source.clone(), options: lowering };
        let mut cut = None;
        let mut goes_on = true;
        let mut heard = |found: Found| {
            let violates = match &found.outcome.verdict {
                Verdict::Unsafe(run) => run.violated(),
                Verdict::Unknown(Reason::Cancelled) if share.is_some() && !options.cancel.is_cancelled() => {
                    cut = Some(found);
                    return None;
                }
                _ => None,
            };
            violated |= violates.is_some();
            turn.settled.extend(violates);
            let next = hear(found, &cancel);
            goes_on = next.is_some();
            next
        };
        let limited = Options { cancel: cancel.clone(), ..options.clone() };
        if let Err(why) = decide_part(arguments, &text, &limited, &mut heard) {
            goes_on = leave(&turn.options, why);
        }
        if let (Some(found), Some(share)) = (cut, share) {
            waiting.push_back(Turn { before: Some((share, found)), ..turn });
        }
        if !goes_on {
            break;
        }
    }
    // Whoever waits for a turn that does not come has at least been heard of.
    waiting.into_iter().filter_map(|turn| turn.before).for_each(|(_, found)| _ = hear(found, &options.cancel));
}
