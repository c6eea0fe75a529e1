//! Depth-first search: each run to its end before the next. The run is on a stack, and its last step is taken back to try another.

use check::Replayed;

use crate::coverage::Gap;
use crate::expand::Expansion;
use crate::explorer::{Action, Candidate, Explorer, Reached};
use crate::memory::Last;
use crate::search::Watch;
use crate::visited::{Left, Sleep, Threads, Visit};

/// A state of the present run.
struct Frame {
    /// What led to it.
    action: Option<Action>,
    /// To take that back.
    mark: usize,
    last: Last,
    left: Left,
    /// Where what can happen next begins among the candidates.
    first: usize,
    /// Threads whose next steps need not be looked at: in another order they were.
    asleep: Threads,
    /// Whose steps are being looked at.
    current: Option<u32>,
}

/// Looks for an error; without one, notes what was covered.
pub(crate) fn search(explorer: &mut Explorer<'_>, watch: &mut Watch<'_>) -> Option<Replayed> {
    let mut stack = Stack { frames: Vec::new(), candidates: Vec::new() };
    let left = Left::of(explorer.bounds);
    if explorer.enter(left, 0) == Visit::Full {
        return None;
    }
    let before = (explorer.memory.mark(), explorer.memory.last);
    stack.push(explorer, None, before, Entry { left, asleep: 0, skipped: 0 });
    while let Some(frame) = stack.frames.last_mut() {
        if stack.candidates.len() == frame.first {
            explorer.memory.undo(frame.mark);
            explorer.memory.last = frame.last;
            stack.frames.pop();
            continue;
        }
        if watch.is_over(explorer) {
            explorer.gap(Gap::Cancelled);
            return None;
        }
        let Some(candidate) = stack.candidates.pop() else { break };
        if explorer.sleep == Sleep::Independent {
            frame.turn_to(explorer, &candidate.action);
        }
        let (left, asleep) = (frame.left, frame.asleep);
        match stack.follow(explorer, candidate, left, asleep) {
            Next::GoOn => {}
            Next::Stop => return None,
            Next::Found(run) => return Some(run),
        }
    }
    None
}

impl Frame {
    /// A thread all of whose steps have been looked at sleeps from then on. Each thread's steps follow one another.
    fn turn_to(&mut self, explorer: &Explorer<'_>, action: &Action) {
        let Action::Step { step, .. } = action else { return };
        let thread = explorer.machine.steps[*step as usize].thread;
        if let Some(before) = self.current.replace(thread).filter(|before| *before != thread) {
            self.asleep |= 1 << before;
        }
    }
}

/// What is known of a state before its steps are looked at.
#[derive(Clone, Copy)]
struct Entry {
    left: Left,
    asleep: Threads,
    /// Threads that are not to be looked at: those asleep, or all that were not when the state was visited before.
    skipped: Threads,
}

enum Next {
    GoOn,
    Stop,
    Found(Replayed),
}

struct Stack {
    frames: Vec<Frame>,
    /// What can happen next in the states of the run, those of the last one at the end.
    candidates: Vec<Candidate>,
}

impl Stack {
    fn push(
        &mut self,
        explorer: &mut Explorer<'_>,
        action: Option<Action>,
        before: (usize, Last),
        entry: Entry,
    ) -> Expansion {
        let first = self.candidates.len();
        let (left, asleep) = (entry.left, entry.asleep);
        self.frames.push(Frame { action, mark: before.0, last: before.1, left, first, asleep, current: None });
        explorer.skipped = entry.skipped;
        explorer.expand(left, &mut self.candidates)
    }

    fn follow(&mut self, explorer: &mut Explorer<'_>, candidate: Candidate, left: Left, asleep: Threads) -> Next {
        let after = match candidate.action {
            Action::Choose { .. } => Some(left),
            Action::Step { .. } => left.after(candidate.preemptions, candidate.contexts),
        };
        let Some(after) = after else {
            explorer.coverage.hits.steps = true;
            return Next::GoOn;
        };
        let before = (explorer.memory.mark(), explorer.memory.last);
        match explorer.take(&candidate.action) {
            Reached::State => {
                let asleep = explorer.still_asleep(asleep, &candidate.action);
                return self.enter(explorer, candidate.action, before, Entry { left: after, asleep, skipped: asleep });
            }
            Reached::Error => {
                let actions = self.frames.iter().filter_map(|frame| frame.action.as_ref());
                let actions: Vec<&Action> = actions.chain([&candidate.action]).collect();
                if let Some(run) = explorer.found(&actions) {
                    return Next::Found(run);
                }
            }
            Reached::Needs(thread, need) => explorer.choose(thread, need, &mut self.candidates),
            Reached::Nowhere => {}
        }
        self.leave(explorer, before);
        Next::GoOn
    }

    /// Goes on from the present state, unless it has been looked at.
    ///
    /// A state in which the active thread goes on alone has one future, and need not be remembered; unless it is the head of a
    /// loop, for which the search has to know that it has been there.
    fn enter(&mut self, explorer: &mut Explorer<'_>, action: Action, before: (usize, Last), entry: Entry) -> Next {
        let passes = match action {
            Action::Step { step, .. } => !explorer.machine.steps[step as usize].is_back,
            Action::Choose { .. } => false,
        };
        if passes && explorer.is_solo(explorer.memory.last.thread) {
            let first = self.candidates.len();
            if self.push(explorer, Some(action.clone()), before, entry) == Expansion::Solo {
                return Next::GoOn;
            }
            self.candidates.truncate(first);
            self.frames.pop();
        }
        let skipped = match explorer.enter(entry.left, entry.asleep) {
            Visit::New => entry.skipped,
            Visit::Awakened(threads) => !threads,
            Visit::Covered => {
                explorer.coverage.runs += 1;
                self.leave(explorer, before);
                return Next::GoOn;
            }
            Visit::Full => return Next::Stop,
        };
        let first = self.candidates.len();
        self.push(explorer, Some(action), before, Entry { skipped, ..entry });
        explorer.coverage.runs += u64::from(self.candidates.len() == first);
        Next::GoOn
    }

    /// Takes back what led to the present state.
    fn leave(&self, explorer: &mut Explorer<'_>, before: (usize, Last)) {
        explorer.memory.undo(before.0);
        explorer.memory.last = before.1;
    }
}
