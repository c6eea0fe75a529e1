//! A trace in elementary steps: the same run on the Program that is not fused, where a step is one access.
//!
//! Fusion makes one step of many; a scheduler of real threads, and whoever reads a witness, needs each of them. For every large
//! step the small ones are searched that lead its thread from here to the same place with the same values of what is shared.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet, VecDeque};

use check::{Replayed, State, Trace, TraceStep, blank, check_trace, conflicts, initial, replay, step};
use frontend::Loaded;
use program::{ClaimId, LocationKind, Owner, Program, Span, ThreadId, Value, VarId};

/// States that the search for one large step may visit.
const STATES: usize = 20_000;

/// How far a search looks around.
#[derive(Clone, Copy)]
struct Effort {
    /// States that are followed from one large step to the next.
    width: usize,
    /// States that are visited after a way to the next has been found.
    more: usize,
}

/// The best way alone, then more where that was not enough. Where many locations stand at one place, as in a library function that
/// a line calls, it takes some to have the right one among them. A loop that touches nothing shared passes its head at each round,
/// and the more ways are followed the more often all its rounds are made.
const EFFORTS: [Effort; 3] =
    [Effort { width: 1, more: 8 }, Effort { width: 32, more: 100 }, Effort { width: 1024, more: 100 }];

/// Why no elementary steps were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotElementary {
    /// The time is up.
    Late,
    /// There are none, or none near enough.
    Unfound(String),
}

impl From<String> for NotElementary {
    fn from(what: String) -> NotElementary {
        NotElementary::Unfound(what)
    }
}

/// The trace on the program without fusion, unless `late` says that the time is up. Both are checked.
pub fn elementary(
    fused: &Loaded,
    fine: &Loaded,
    trace: &Replayed,
    late: &dyn Fn() -> bool,
) -> Result<Replayed, NotElementary> {
    let (large, small) = (&fused.program, &fine.program);
    let states = check_trace(large, trace).map_err(|error| error.to_string())?;
    let ids: BTreeMap<&str, VarId> = small.vars().map(|(id, var)| (var.name.as_str(), id)).collect();
    let rename = |values: &BTreeMap<VarId, Value>| -> BTreeMap<VarId, Value> {
        let named = |(id, value): (&VarId, &Value)| Some((*ids.get(large.var(*id).name.as_str())?, value.clone()));
        values.iter().filter_map(named).collect()
    };
    let start = rename(&trace.initial);
    let mut choose = |id: VarId, var: &program::Var| start.get(&id).cloned().unwrap_or_else(|| blank(var.sort));
    let state = initial(small, &mut choose).map_err(|error| error.to_string())?;
    let mut goals = Vec::new();
    for (index, taken) in trace.steps.iter().enumerate() {
        let thread = large.thread(taken.thread);
        let transition = thread.transitions.get(taken.transition).ok_or_else(|| "no such step".to_string())?;
        let target = thread.location(transition.target);
        let shared: Vec<(VarId, &Value)> = large
            .vars()
            .filter(|(_, var)| var.owner == Owner::Global)
            .filter_map(|(id, var)| Some((*ids.get(var.name.as_str())?, states[index + 1].value(id)?)))
            .collect();
        let locals: Vec<(VarId, &Value)> = large
            .vars()
            .filter(|(_, var)| var.owner == Owner::Local(taken.thread))
            .filter_map(|(id, var)| Some((*ids.get(var.name.as_str())?, states[index + 1].value(id)?)))
            .collect();
        let (named, values) = (rename(&taken.inputs), taken.inputs.values().cloned().collect());
        goals.push(Goal { thread: taken.thread, kind: target.kind, span: target.span, shared, locals, named, values });
    }
    let meeting = states.last().zip(trace.violated()).and_then(|(end, claim)| {
        let found = conflicts(large, end).find(|conflict| conflict.claim == claim)?;
        Some(Meeting { claim, threads: found.threads() })
    });
    let steps = EFFORTS.into_iter().find_map(|effort| all(small, &goals, meeting.as_ref(), &state, effort, late));
    let unfound =
        || if late() { NotElementary::Late } else { "its elementary steps were not found".to_string().into() };
    let steps = steps.ok_or_else(unfound)?;
    Ok(replay(small, Trace { initial: start, steps }).map_err(|error| error.to_string())?)
}

/// Steps that reach one goal after the other. A place can be reached too early, with a read still to come: then later goals are
/// not reached. So all ways to a goal are followed at once, as far as they lead to different states, the best first.
fn all(
    program: &Program,
    goals: &[Goal<'_>],
    meeting: Option<&Meeting>,
    state: &State,
    effort: Effort,
    late: &dyn Fn() -> bool,
) -> Option<Vec<TraceStep>> {
    let mut reached: Vec<Vec<Reached>> = vec![vec![Reached { before: 0, steps: Vec::new(), state: state.clone() }]];
    let ways = goals.iter().map(|goal| Box::new(|from: &State| goal.ways(program, from, effort.more)) as Ways<'_>);
    let meets = meeting.map(|meeting| Box::new(|from: &State| meeting.ways(program, from)) as Ways<'_>);
    for ways in ways.chain(meets) {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for (before, here) in reached.last().into_iter().flatten().enumerate() {
            if late() {
                return None;
            }
            for (steps, state) in ways(&here.state).into_iter().rev() {
                if next.len() < effort.width && seen.insert(state.clone()) {
                    next.push(Reached { before, steps, state });
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        reached.push(next);
    }
    let mut parts = Vec::new();
    let mut at = 0;
    for layer in reached.iter_mut().rev() {
        let Some(last) = layer.get_mut(at) else { break };
        at = last.before;
        parts.push(std::mem::take(&mut last.steps));
    }
    parts.reverse();
    Some(parts.concat())
}

/// The steps that lead from a state to where one has to be next, with the states there, the best last.
type Ways<'a> = Box<dyn Fn(&State) -> Vec<(Vec<TraceStep>, State)> + 'a>;

/// Where two threads are about to do what they must not do at once. They may have been a few steps of their own before that: those that
/// fusion makes one step with the access.
struct Meeting {
    claim: ClaimId,
    threads: Vec<ThreadId>,
}

impl Meeting {
    fn ways(&self, program: &Program, from: &State) -> Vec<(Vec<TraceStep>, State)> {
        let meets = |state: &State| conflicts(program, state).any(|conflict| conflict.claim == self.claim);
        if meets(from) {
            return vec![(Vec::new(), from.clone())];
        }
        let mut nodes: Vec<(State, Option<(usize, TraceStep)>)> = vec![(from.clone(), None)];
        let mut seen = HashSet::from([from.clone()]);
        let mut open = VecDeque::from([0_usize]);
        while let Some(at) = open.pop_front().filter(|_| seen.len() < STATES) {
            for thread in &self.threads {
                let here = nodes[at].0.location(*thread);
                let steps = program.thread(*thread).transitions.iter().enumerate();
                for (k, transition) in steps.filter(|(_, t)| Some(t.source) == here) {
                    let inputs: BTreeMap<VarId, Value> =
                        transition.inputs.iter().map(|var| (*var, blank(program.var(*var).sort))).collect();
                    let chosen = |var: VarId| blank(program.var(var).sort);
                    let Ok(next) = step(program, &nodes[at].0, *thread, k, &chosen) else { continue };
                    if !seen.insert(next.clone()) {
                        continue;
                    }
                    let done = meets(&next);
                    nodes.push((next, Some((at, TraceStep { thread: *thread, transition: k, inputs }))));
                    if done {
                        return vec![back(&nodes)];
                    }
                    open.push_back(nodes.len() - 1);
                }
            }
        }
        Vec::new()
    }
}

/// A state that fulfils a goal, and how it was reached from one that fulfils the goal before.
struct Reached {
    before: usize,
    steps: Vec<TraceStep>,
    state: State,
}

/// What a large step leads to.
struct Goal<'a> {
    thread: ThreadId,
    kind: LocationKind,
    span: Span,
    shared: Vec<(VarId, &'a Value)>,
    /// The thread's own variables. Where they are dead they may differ.
    locals: Vec<(VarId, &'a Value)>,
    /// The values that it chose, by the small program's inputs and all together.
    named: BTreeMap<VarId, Value>,
    values: Vec<Value>,
}

impl Goal<'_> {
    fn reached(&self, program: &Program, state: &State) -> bool {
        let Some(at) = state.location(self.thread) else { return false };
        let location = program.thread(self.thread).location(at);
        let somewhere = matches!(self.kind, LocationKind::Plain | LocationKind::Error(_));
        let there = location.kind == self.kind && (!somewhere || location.span == self.span);
        // What an error leaves behind does not matter.
        there && (self.kind.is_error() || self.shared.iter().all(|(id, value)| state.value(*id) == Some(*value)))
    }

    /// The ways there by steps of the one thread, the best last: the one that agrees with most locals, and among those the
    /// longest, since a large step goes on as far as it can.
    fn ways(&self, program: &Program, from: &State, more: usize) -> Vec<(Vec<TraceStep>, State)> {
        let thread = program.thread(self.thread);
        let mut nodes: Vec<(State, Option<(usize, TraceStep)>)> = vec![(from.clone(), None)];
        let mut seen = HashSet::new();
        let mut open = VecDeque::from([0_usize]);
        let mut found = Vec::new();
        let mut limit = STATES;
        while let Some(at) = open.pop_front().filter(|_| seen.len() < limit) {
            let here = nodes[at].0.location(self.thread);
            for (k, transition) in thread.transitions.iter().enumerate().filter(|(_, t)| Some(t.source) == here) {
                for inputs in choices(&transition.inputs, &self.named, &self.values) {
                    let chosen = |var: VarId| inputs.get(&var).cloned().unwrap_or_else(|| blank(program.var(var).sort));
                    let Ok(next) = step(program, &nodes[at].0, self.thread, k, &chosen) else { continue };
                    if !seen.insert(next.clone()) {
                        continue;
                    }
                    let done = self.reached(program, &next);
                    nodes.push((next, Some((at, TraceStep { thread: self.thread, transition: k, inputs }))));
                    if done {
                        found.push(back(&nodes));
                        limit = limit.min(seen.len() + more);
                    }
                    open.push_back(nodes.len() - 1);
                }
            }
        }
        let differing =
            |state: &State| self.locals.iter().filter(|(id, value)| state.value(*id) != Some(*value)).count();
        found.sort_by_key(|(_, end)| Reverse(differing(end)));
        found
    }
}

/// The values that a step may choose: those of the large step, by name or else any of them.
fn choices(inputs: &[VarId], named: &BTreeMap<VarId, Value>, values: &[Value]) -> Vec<BTreeMap<VarId, Value>> {
    let mut all = vec![BTreeMap::new()];
    for input in inputs {
        let candidates: Vec<Option<Value>> = match named.get(input) {
            Some(value) => vec![Some(value.clone())],
            None => values.iter().cloned().map(Some).chain([None]).collect(),
        };
        let extended = all.iter().flat_map(|chosen: &BTreeMap<VarId, Value>| {
            candidates.iter().map(move |candidate| {
                let mut chosen = chosen.clone();
                chosen.extend(candidate.clone().map(|value| (*input, value)));
                chosen
            })
        });
        all = extended.collect();
    }
    all
}

fn back(nodes: &[(State, Option<(usize, TraceStep)>)]) -> (Vec<TraceStep>, State) {
    let mut steps = Vec::new();
    let mut at = nodes.len() - 1;
    let end = nodes[at].0.clone();
    while let Some((before, taken)) = &nodes[at].1 {
        steps.push(taken.clone());
        at = *before;
    }
    steps.reverse();
    (steps, end)
}
