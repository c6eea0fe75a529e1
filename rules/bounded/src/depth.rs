//! Depth-first search: each run to its end before the next. The run is on a stack, and its last step is taken back to try another.

use check::Replayed;

use crate::coverage::Gap;
use crate::expand::Expansion;
use crate::explorer::{Action, Candidate, Explorer, Reached};
use crate::memory::Last;
use crate::path::confirm;
use crate::search::Watch;
use crate::visited::{Left, Visit};

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
}

/// Looks for an error; without one, notes what was covered.
pub(crate) fn search(explorer: &mut Explorer<'_>, watch: &mut Watch<'_>) -> Option<Replayed> {
    let mut stack = Stack { frames: Vec::new(), candidates: Vec::new() };
    let left = Left::of(explorer.bounds);
    if explorer.enter(left) == Visit::Full {
        return None;
    }
    stack.push(explorer, None, (explorer.memory.mark(), explorer.memory.last), left);
    while let Some(frame) = stack.frames.last() {
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
        let left = frame.left;
        let Some(candidate) = stack.candidates.pop() else { break };
        match stack.follow(explorer, candidate, left) {
            Next::GoOn => {}
            Next::Stop => return None,
            Next::Found(run) => return Some(run),
        }
    }
    None
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
        left: Left,
    ) -> Expansion {
        let first = self.candidates.len();
        self.frames.push(Frame { action, mark: before.0, last: before.1, left, first });
        explorer.expand(left, &mut self.candidates)
    }

    fn follow(&mut self, explorer: &mut Explorer<'_>, candidate: Candidate, left: Left) -> Next {
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
            Reached::State => return self.enter(explorer, candidate.action, before, after),
            Reached::Error => {
                let actions = self.frames.iter().filter_map(|frame| frame.action.as_ref());
                let actions: Vec<&Action> = actions.chain([&candidate.action]).collect();
                match confirm(explorer.machine, &actions) {
                    Some(run) => return Next::Found(run),
                    None => explorer.unconfirmed(&candidate.action),
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
    fn enter(&mut self, explorer: &mut Explorer<'_>, action: Action, before: (usize, Last), left: Left) -> Next {
        let passes = match action {
            Action::Step { step, .. } => !explorer.machine.steps[step as usize].is_back,
            Action::Choose { .. } => false,
        };
        let may_pass = passes && explorer.is_solo(explorer.memory.last.thread);
        if !may_pass {
            match explorer.enter(left) {
                Visit::New => drop(self.push(explorer, Some(action), before, left)),
                Visit::Covered => self.leave(explorer, before),
                Visit::Full => return Next::Stop,
            }
            return Next::GoOn;
        }
        let first = self.candidates.len();
        if self.push(explorer, Some(action), before, left) == Expansion::Full {
            match explorer.enter(left) {
                Visit::New => {}
                Visit::Covered => {
                    self.candidates.truncate(first);
                    self.frames.pop();
                    self.leave(explorer, before);
                }
                Visit::Full => return Next::Stop,
            }
        }
        Next::GoOn
    }

    /// Takes back what led to the present state.
    fn leave(&self, explorer: &mut Explorer<'_>, before: (usize, Last)) {
        explorer.memory.undo(before.0);
        explorer.memory.last = before.1;
    }
}
