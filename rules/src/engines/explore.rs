//! A search for a run by executing the program: breadth first over concrete states, with few values for whatever may be anything.
//!
//! It proves nothing when it finds nothing. An error deep in a large program takes many refinements to be approached, and some
//! thousand states to be found.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use check::{Replayed, State, Trace, TraceStep, blank, initial, is_error, replay, step};
use program::{Program, Sort, Span, ThreadId, Value, VarId};
use rustc_hash::{FxHashSet, FxHasher};
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
struct Seen(FxHashSet<u64>);

impl Seen {
    fn insert(&mut self, state: &State) -> bool {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        self.0.insert(hasher.finish())
    }
}

/// A run to an error among the first `limit` states, replayed.
pub fn find_run(program: &Program, limit: usize, cancel: &Cancel) -> Option<Replayed> {
    replay(program, Exploration::new(program).advance(limit, cancel)?).ok()
}

/// A run to an error in which of the threads that run a function no more than `few` take a step. Where many threads run the same one,
/// errors are found as if there were few: whoever takes no step has not been scheduled yet.
pub fn find_run_of_few(program: &Program, few: usize, limit: usize, cancel: &Cancel) -> Option<Replayed> {
    let mut search = Exploration::new(program);
    let mut seen: BTreeMap<Span, usize> = BTreeMap::new();
    search.outgoing.retain(|(thread, _)| {
        let before = seen.entry(program.thread(*thread).span).or_default();
        *before += 1;
        *before <= few
    });
    replay(program, search.advance(limit, cancel)?).ok()
}

/// A search that can go on where it stopped.
pub struct Exploration<'p> {
    program: &'p Program,
    outgoing: Vec<(ThreadId, Vec<Vec<usize>>)>,
    visited: Vec<Visited>,
    seen: Seen,
    starts: Vec<State>,
    /// The first visited state whose steps have not been taken.
    next: usize,
}

impl<'p> Exploration<'p> {
    /// A search that has seen the initial states.
    pub fn new(program: &'p Program) -> Exploration<'p> {
        let outgoing = outgoing(program);
        let (visited, seen, starts) = (Vec::new(), Seen::default(), Vec::new());
        let mut search = Exploration { program, outgoing, visited, seen, starts, next: 0 };
        for value in VALUES {
            let start = initial(program, &mut |_, var| chosen(var.sort, var.ty.contains(value), value));
            if let Ok(start) = start
                && search.seen.insert(&start)
            {
                search.starts.push(start.clone());
                search.visited.push(Visited { state: Some(start), parent: None });
            }
        }
        search
    }

    /// Goes on until `limit` states have been visited; a run to an error, if one is found.
    pub fn advance(&mut self, limit: usize, cancel: &Cancel) -> Option<Trace> {
        while self.next < self.visited.len() && self.visited.len() < limit && !cancel.is_cancelled() {
            let state = self.visited[self.next].state.take()?;
            for (thread, by_location) in &self.outgoing {
                let Some(location) = state.location(*thread) else { continue };
                for index in &by_location[location.0 as usize] {
                    for (after, inputs) in successors(self.program, &state, *thread, *index) {
                        if !self.seen.insert(&after) {
                            continue;
                        }
                        let error = is_error(self.program, &after);
                        let taken = TraceStep { thread: *thread, transition: *index, inputs };
                        self.visited.push(Visited { state: Some(after), parent: Some((self.next, taken)) });
                        if error {
                            return Some(trace(self.program, &self.visited, &self.starts));
                        }
                    }
                }
            }
            self.next += 1;
        }
        None
    }
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
