//! Breadth-first search: shorter runs before longer ones.

use check::Replayed;

use crate::coverage::Gap;
use crate::explorer::{Action, Candidate, Explorer, Reached};
use crate::memory::Last;
use crate::search::Watch;
use crate::visited::{Left, Visit};

/// A state, and how it was reached.
struct Node {
    contents: u32,
    last: Last,
    left: Left,
    parent: u32,
    action: Option<Action>,
}

/// Looks for an error; without one, notes what was covered.
pub(crate) fn search(explorer: &mut Explorer<'_>, watch: &mut Watch<'_>) -> Option<Replayed> {
    let left = Left::of(explorer.bounds);
    let contents = explorer.memory.contents()?;
    explorer.enter(left, 0);
    let mut nodes = vec![Node { contents, last: explorer.memory.last, left, parent: 0, action: None }];
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut next = 0;
    while next < nodes.len() {
        explorer.memory.restore(nodes[next].contents);
        explorer.memory.last = nodes[next].last;
        explorer.expand(nodes[next].left, &mut candidates);
        while let Some(candidate) = candidates.pop() {
            if watch.is_over(explorer) {
                explorer.gap(Gap::Cancelled);
                return None;
            }
            match follow(explorer, &mut nodes, next, candidate, &mut candidates) {
                Next::GoOn => {}
                Next::Stop => return None,
                Next::Found(run) => return Some(run),
            }
            explorer.memory.undo(0);
            explorer.memory.last = nodes[next].last;
        }
        next += 1;
    }
    None
}

enum Next {
    GoOn,
    Stop,
    Found(Replayed),
}

fn follow(
    explorer: &mut Explorer<'_>,
    nodes: &mut Vec<Node>,
    from: usize,
    candidate: Candidate,
    candidates: &mut Vec<Candidate>,
) -> Next {
    let left = nodes[from].left;
    let after = match candidate.action {
        Action::Choose { .. } => Some(left),
        Action::Step { .. } => left.after(candidate.preemptions, candidate.contexts),
    };
    let Some(after) = after else {
        explorer.coverage.hits.steps = true;
        return Next::GoOn;
    };
    match explorer.take(&candidate.action) {
        Reached::State => match explorer.enter(after, 0) {
            Visit::New | Visit::Awakened(_) => {
                let Some(contents) = explorer.memory.contents() else {
                    explorer.coverage.hits.states = true;
                    return Next::Stop;
                };
                let (last, parent) = (explorer.memory.last, program::number(from));
                nodes.push(Node { contents, last, left: after, parent, action: Some(candidate.action) });
            }
            Visit::Covered => {}
            Visit::Full => return Next::Stop,
        },
        Reached::Error => {
            if let Some(run) = explorer.found(&actions(nodes, from, &candidate.action)) {
                return Next::Found(run);
            }
        }
        Reached::Needs(thread, need) => explorer.choose(thread, need, candidates),
        Reached::Nowhere => {}
    }
    Next::GoOn
}

/// What led to a state, and then happened there.
fn actions<'n>(nodes: &'n [Node], from: usize, last: &'n Action) -> Vec<&'n Action> {
    let mut all = vec![last];
    let mut at = from;
    while let Some(action) = &nodes[at].action {
        all.push(action);
        at = nodes[at].parent as usize;
    }
    all.reverse();
    all
}
