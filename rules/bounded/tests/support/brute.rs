//! All runs of a program within bounds, by the checker's interpreter.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use bounded::{Bounds, Schedule};
use check::{State, initial, is_error, step};
use program::{Init, LocationId, Owner, Program, ThreadId, Value, VarId};

/// What all runs within the bounds do.
#[derive(Debug, Default)]
pub struct All {
    /// Whether one ends in an error.
    pub error: bool,
    /// Where threads come.
    pub reached: BTreeSet<(ThreadId, LocationId)>,
    /// The values of all variables where no thread can move.
    pub finals: BTreeSet<Vec<Option<Value>>>,
    /// Whether a bound kept some run from going on.
    pub preemptions: bool,
    pub contexts: bool,
    pub unwind: bool,
    pub steps: bool,
}

/// A state with who moved last, what is left of the bounds, and how often each thread went back to each head of a loop.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    state: State,
    active: Option<ThreadId>,
    is_back: bool,
    preemptions: Option<u32>,
    contexts: Option<u32>,
    steps: Option<u32>,
    unwound: BTreeMap<(ThreadId, LocationId), u32>,
}

struct Move {
    thread: ThreadId,
    next: State,
    back_to: Option<LocationId>,
}

/// Visits everything.
pub fn all(program: &Program, bounds: &Bounds) -> All {
    let mut found = All::default();
    let back: Vec<Vec<bool>> = program.threads().map(|(_, thread)| back_edges(thread)).collect();
    let mut queue: VecDeque<Node> = VecDeque::new();
    let mut seen: HashSet<Node> = HashSet::new();
    for state in starts(program) {
        let (preemptions, contexts, steps) = (bounds.preemptions, bounds.contexts, bounds.steps);
        let node = Node { state, active: None, is_back: false, preemptions, contexts, steps, unwound: BTreeMap::new() };
        if seen.insert(node.clone()) {
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        if is_error(program, &node.state) {
            found.error = true;
            continue;
        }
        let moves = moves(program, &back, &node.state);
        if moves.is_empty() {
            found.finals.insert(node.state.values.iter().cloned().map(Some).collect());
        }
        let free = at_no_cost(&node, &moves, bounds.schedule);
        for step in moves {
            let costs = free.is_some_and(|free| free != step.thread);
            if let Some(next) = follow(&node, step, costs, bounds, &mut found)
                && seen.insert(next.clone())
            {
                queue.push_back(next);
            }
        }
    }
    found
}

/// The only thread that may move without a preemption, if there is one.
fn at_no_cost(node: &Node, moves: &[Move], schedule: Schedule) -> Option<ThreadId> {
    let goes_on = node.active.filter(|active| moves.iter().any(|step| step.thread == *active));
    match schedule {
        Schedule::Stay => goes_on,
        Schedule::Turns if goes_on.is_some() && !node.is_back => goes_on,
        Schedule::Turns => {
            let distance = |thread: ThreadId| match node.active {
                Some(active) if thread <= active => (1, thread),
                _ => (0, thread),
            };
            moves.iter().map(|step| step.thread).min_by_key(|thread| distance(*thread))
        }
    }
}

/// The node after a step, if the bounds allow it; else which of them does not is noted.
fn follow(node: &Node, step: Move, costs: bool, bounds: &Bounds, found: &mut All) -> Option<Node> {
    let switches = node.active.is_some_and(|active| active != step.thread);
    let is_back = step.back_to.is_some();
    let mut next = Node { state: step.next, active: Some(step.thread), is_back, ..node.clone() };
    let mut allowed = true;
    let mut spend = |left: &mut Option<u32>, is_due: bool, is_hit: &mut bool| {
        if is_due && let Some(rest) = left {
            match rest.checked_sub(1) {
                Some(less) => *rest = less,
                None => (allowed, *is_hit) = (false, true),
            }
        }
    };
    spend(&mut next.preemptions, costs, &mut found.preemptions);
    spend(&mut next.contexts, switches, &mut found.contexts);
    spend(&mut next.steps, true, &mut found.steps);
    if let (Some(head), Some(bound)) = (step.back_to, bounds.unwind) {
        let count = next.unwound.entry((step.thread, head)).or_default();
        *count += 1;
        if *count > bound {
            (allowed, found.unwind) = (false, true);
        }
    }
    if allowed {
        found.reached.insert((step.thread, next.state.locations[step.thread.0 as usize]));
    }
    allowed.then_some(next)
}

/// The steps that lead to another state.
fn moves(program: &Program, back: &[Vec<bool>], state: &State) -> Vec<Move> {
    let mut all: Vec<Move> = Vec::new();
    for (thread, graph) in program.threads() {
        for (index, transition) in graph.transitions.iter().enumerate() {
            let values = if transition.inputs.is_empty() { 0..1 } else { 0..4 };
            for value in values {
                let next = step(program, state, thread, index, &|_| Value::Int(value));
                if let Ok(next) = next
                    && next != *state
                {
                    let back_to = back[thread.0 as usize][index].then_some(transition.target);
                    all.push(Move { thread, next, back_to });
                }
            }
        }
    }
    all
}

fn starts(program: &Program) -> Vec<State> {
    let free: Vec<VarId> = program
        .vars()
        .filter(|(_, var)| var.init == Init::Arbitrary && !matches!(var.owner, Owner::Input(_)))
        .map(|(id, _)| id)
        .collect();
    let combinations = 4i128.pow(u32::try_from(free.len()).expect("few"));
    let start = |choice: i128| {
        let value = |id: VarId| {
            let place = free.iter().position(|var| *var == id).expect("it is free");
            Value::Int(choice >> (2 * place) & 3)
        };
        initial(program, &mut |id, _| value(id)).expect("in range")
    };
    (0..combinations).map(start).collect()
}

/// Steps to a location that is being visited, depth first from the entry.
fn back_edges(thread: &program::Thread) -> Vec<bool> {
    fn visit(
        thread: &program::Thread,
        at: LocationId,
        open: &mut Vec<LocationId>,
        done: &mut BTreeSet<LocationId>,
        back: &mut [bool],
    ) {
        open.push(at);
        for (index, step) in thread.transitions.iter().enumerate().filter(|(_, step)| step.source == at) {
            if open.contains(&step.target) {
                back[index] = true;
            } else if !done.contains(&step.target) {
                visit(thread, step.target, open, done, back);
            }
        }
        open.pop();
        done.insert(at);
    }
    let mut back = vec![false; thread.transitions.len()];
    visit(thread, thread.entry, &mut Vec::new(), &mut BTreeSet::new(), &mut back);
    back
}
