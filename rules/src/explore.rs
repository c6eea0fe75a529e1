//! A search for a run by executing the program: breadth first over concrete states, with few values for whatever may be anything.
//!
//! It proves nothing when it finds nothing. An error deep in a large program takes many refinements to be approached, and some
//! thousand states to be found.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use check::{State, Trace, TraceStep, blank, check_trace, initial, is_error, step};
use program::{Program, Sort, ThreadId, Value, VarId};
use smt::Cancel;

/// The values tried for inputs and for arbitrary initial values, as far as they are in range.
const VALUES: [i128; 3] = [0, 1, 2];

struct Visited {
    /// Until its steps have been taken.
    state: Option<State>,
    parent: Option<(usize, TraceStep)>,
}

/// The states met, by fingerprint: two with the same one would only make the search miss something.
#[derive(Default)]
struct Seen(HashSet<u64>);

impl Seen {
    fn insert(&mut self, state: &State) -> bool {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        self.0.insert(hasher.finish())
    }
}

/// A run to an error among the first `limit` states, replayed.
pub fn find_run(program: &Program, limit: usize, cancel: &Cancel) -> Option<Trace> {
    explore(program, limit, cancel).filter(|trace| check_trace(program, trace).is_ok())
}

/// A run to an error among the first `limit` states.
pub fn explore(program: &Program, limit: usize, cancel: &Cancel) -> Option<Trace> {
    let mut visited: Vec<Visited> = Vec::new();
    let mut seen = Seen::default();
    let mut starts = Vec::new();
    for value in VALUES {
        let start = initial(program, &mut |_, var| chosen(var.sort, var.ty.contains(value), value)).ok()?;
        if seen.insert(&start) {
            starts.push(start.clone());
            visited.push(Visited { state: Some(start), parent: None });
        }
    }
    let outgoing = outgoing(program);
    let mut next = 0;
    while next < visited.len() && visited.len() < limit && !cancel.is_cancelled() {
        let Some(state) = visited[next].state.take() else { break };
        for (thread, by_location) in &outgoing {
            let Some(location) = state.location(*thread) else { continue };
            for index in &by_location[location.0 as usize] {
                for (after, inputs) in successors(program, &state, *thread, *index) {
                    if !seen.insert(&after) {
                        continue;
                    }
                    let error = is_error(program, &after);
                    let taken = TraceStep { thread: *thread, transition: *index, inputs };
                    visited.push(Visited { state: Some(after), parent: Some((next, taken)) });
                    if error {
                        return Some(trace(program, &visited, &starts));
                    }
                }
            }
        }
        next += 1;
    }
    None
}

fn chosen(sort: Sort, in_range: bool, value: i128) -> Value {
    match sort {
        Sort::Int if in_range => Value::Int(value),
        _ => blank(sort),
    }
}

/// The transitions of each thread by the location they start from.
fn outgoing(program: &Program) -> Vec<(ThreadId, Vec<Vec<usize>>)> {
    let by_location = |graph: &program::Thread| {
        let mut all = vec![Vec::new(); graph.locations.len()];
        for (index, transition) in graph.transitions.iter().enumerate() {
            all[transition.source.0 as usize].push(index);
        }
        all
    };
    program.threads().map(|(id, graph)| (id, by_location(graph))).collect()
}

/// The states after a step, with the inputs that lead to each.
fn successors(
    program: &Program,
    state: &State,
    thread: ThreadId,
    index: usize,
) -> Vec<(State, BTreeMap<VarId, Value>)> {
    let inputs = &program.thread(thread).transitions[index].inputs;
    let values: &[i128] = if inputs.is_empty() { &VALUES[..1] } else { &VALUES };
    let mut all = Vec::new();
    for value in values {
        let choose = |var: VarId| {
            let declared = program.var(var);
            chosen(declared.sort, declared.ty.contains(*value), *value)
        };
        if let Ok(next) = step(program, state, thread, index, &choose) {
            all.push((next, inputs.iter().map(|var| (*var, choose(*var))).collect()));
        }
    }
    all
}

/// The run to the last visited state.
fn trace(program: &Program, visited: &[Visited], starts: &[State]) -> Trace {
    let mut trace = Trace::default();
    let mut at = visited.len() - 1;
    while let Some((parent, taken)) = &visited[at].parent {
        trace.steps.push(taken.clone());
        at = *parent;
    }
    trace.steps.reverse();
    for (id, var) in program.state_vars() {
        if var.init == program::Init::Arbitrary {
            trace.initial.extend(starts[at].value(id).map(|value| (id, value.clone())));
        }
    }
    trace
}
