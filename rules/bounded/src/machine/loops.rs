//! Which steps of a thread go back to the head of a loop.

use program::Thread;

/// By transition: whether it goes back to a location that is on the way to it. Without these steps a thread has no cycle.
pub(crate) fn back_edges(thread: &Thread) -> Vec<bool> {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); thread.locations.len()];
    for (index, step) in thread.transitions.iter().enumerate() {
        outgoing[step.source.0 as usize].push(index);
    }
    let mut back = vec![false; thread.transitions.len()];
    let mut state = vec![Visit::New; thread.locations.len()];
    for start in std::iter::once(thread.entry.0 as usize).chain(0..thread.locations.len()) {
        visit(thread, &outgoing, start, &mut state, &mut back);
    }
    back
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

fn visit(thread: &Thread, outgoing: &[Vec<usize>], start: usize, state: &mut [Visit], back: &mut [bool]) {
    if state[start] != Visit::New {
        return;
    }
    state[start] = Visit::Open;
    let mut stack = vec![(start, 0)];
    while let Some((location, next)) = stack.last_mut() {
        let Some(step) = outgoing[*location].get(*next) else {
            state[*location] = Visit::Done;
            stack.pop();
            continue;
        };
        *next += 1;
        let target = thread.transitions[*step].target.0 as usize;
        match state[target] {
            Visit::Open => back[*step] = true,
            Visit::Done => {}
            Visit::New => {
                state[target] = Visit::Open;
                stack.push((target, 0));
            }
        }
    }
}
