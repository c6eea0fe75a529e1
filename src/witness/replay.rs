//! Following a violation witness to the error: a search that passes the waypoints in order.
//!
//! A witness names who begins which statement when; where a statement takes several steps, and where nobody begins one, the
//! search finds the order. What it finds is a trace, and the trace is what counts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet};

use check::{State, Trace, TraceStep, blank, conflicts, initial, step};
use frontend::Loaded;
use program::{Choice, IntType, Sort, ThreadId, Transition, Value, VarId, VarKind};

use super::places::Places;
use super::unknown_function::{application, name};
use super::violation::{about, started};
use super::{Place, Waypoint, WaypointKind};
use crate::layouts::{Layout, places};

/// States after which the search gives up.
const STATES: usize = 200_000;

/// The trace that a witness describes, or why there is none.
pub fn replay(loaded: &Loaded, waypoints: &[Waypoint]) -> Result<Trace, String> {
    for waypoint in waypoints {
        if let WaypointKind::Assumption(condition) = &waypoint.kind
            && condition != "1"
        {
            return Err(format!("the assumption `{condition}` is not supported, only `1` is"));
        }
    }
    let search = Search { loaded, places: Places::new(loaded), waypoints };
    let mut why = String::new();
    for (value, layout) in OPEN.into_iter().zip(Layout::ALL) {
        match search.run(value, layout) {
            Ok(trace) => return Ok(trace),
            // The first value is the most likely one: what stopped it says more than what stopped the others.
            Err(error) if why.is_empty() => why = error,
            Err(_) => {}
        }
    }
    Err(why)
}

/// What is tried for whatever the program does not initialise, as far as it is in range; a witness cannot say.
const OPEN: [i128; 3] = [0, 1, 2];

impl Search<'_> {
    fn run(&self, open: i128, layout: Layout) -> Result<Trace, String> {
        let (loaded, waypoints) = (self.loaded, self.waypoints);
        let mut arbitrary = BTreeMap::new();
        let placed = places(&loaded.program);
        let mut choose = |id: VarId, var: &program::Var| {
            let value = match placed.iter().position(|place| *place == id) {
                Some(number) => Value::Int(layout.place(number as i128)),
                None if var.sort == Sort::Int && var.ty.contains(open) => Value::Int(open),
                None => blank(var.sort),
            };
            arbitrary.insert(id, value.clone());
            value
        };
        let start = initial(&loaded.program, &mut choose).map_err(|error| error.to_string())?;
        let first = Node { state: start, passed: 0, created: vec![ThreadId(0)], steps: None };
        let mut nodes = vec![first];
        let mut seen = HashSet::new();
        // Those that have passed most waypoints first, among them those that have gone least far since.
        let mut open = BinaryHeap::from([(0_usize, Reverse(0_usize), Reverse(0_usize))]);
        let mut furthest = 0;
        while let Some((_, Reverse(distance), Reverse(at))) = open.pop() {
            let key = (nodes[at].state.clone(), nodes[at].passed, nodes[at].created.clone());
            if !seen.insert(key) {
                continue;
            }
            if seen.len() > STATES {
                return Err(format!("no run was found within {STATES} states; {furthest} waypoints were passed"));
            }
            furthest = furthest.max(nodes[at].passed);
            for (next, taken) in self.moves(&nodes[at]) {
                let (done, passed) = (next.passed == waypoints.len(), next.passed);
                let since = if passed > nodes[at].passed { 0 } else { distance + 1 };
                nodes.push(Node { steps: Some((at, taken)), ..next });
                if done {
                    // What functions have returned is what they are from the beginning.
                    let end = &nodes[nodes.len() - 1].state;
                    for (id, value) in arbitrary.iter_mut().filter(|(id, _)| name(&loaded.program, **id).is_some()) {
                        *value = end.value(*id).unwrap_or(value).clone();
                    }
                    return Ok(Trace { initial: arbitrary, steps: steps(&nodes) });
                }
                open.push((passed, Reverse(since), Reverse(nodes.len() - 1)));
            }
        }
        let lost = waypoints.get(furthest).map_or(0, |w| w.place.line);
        Err(format!("no run passes waypoint {} (line {lost}) after those before it", furthest + 1))
    }
}

fn steps(nodes: &[Node]) -> Vec<TraceStep> {
    let mut steps = Vec::new();
    let mut at = nodes.len() - 1;
    while let Some((before, taken)) = &nodes[at].steps {
        steps.push(taken.clone());
        at = *before;
    }
    steps.reverse();
    steps
}

struct Node {
    state: State,
    /// How many waypoints have been passed.
    passed: usize,
    /// The witness's threads, by their numbers.
    created: Vec<ThreadId>,
    steps: Option<(usize, TraceStep)>,
}

struct Search<'a> {
    loaded: &'a Loaded,
    places: Places<'a>,
    waypoints: &'a [Waypoint],
}

impl Search<'_> {
    fn moves(&self, node: &Node) -> Vec<(Node, TraceStep)> {
        let mut all = Vec::new();
        for (id, thread) in self.loaded.program.threads() {
            let here = node.state.location(id);
            for (k, transition) in thread.transitions.iter().enumerate().filter(|(_, t)| Some(t.source) == here) {
                all.extend(self.take(node, id, k, transition));
            }
        }
        all
    }

    /// The step with each way to decide what C leaves open and a witness cannot name, such as a wait that is over too late.
    fn take(&self, node: &Node, id: ThreadId, k: usize, transition: &Transition) -> Vec<(Node, TraceStep)> {
        let yes_or_no = |var: &VarId| self.loaded.program.var(*var).ty == IntType::new(1, false);
        let open: Vec<VarId> = transition.inputs.iter().copied().filter(yes_or_no).collect();
        let most = 1_usize << open.len().min(4);
        (0..most).filter_map(|bits| self.take_with(node, id, k, transition, &open, bits)).collect()
    }

    /// The step, the waypoints that it passes, and the threads that it creates. Input n of `open` is bit n of `bits`.
    fn take_with(
        &self,
        node: &Node,
        id: ThreadId,
        k: usize,
        transition: &Transition,
        open: &[VarId],
        bits: usize,
    ) -> Option<(Node, TraceStep)> {
        let program = &self.loaded.program;
        let mut passed = node.passed;
        let mut created = node.created.clone();
        let next = |passed: usize| {
            self.waypoints
                .get(passed)
                .filter(|w| created_as(&node.created, w.thread) == Some(id))
                .map(|w| (&w.kind, &w.place))
        };
        let statement = self.places.carried_out(id, k);
        let began =
            self.places.next(id, transition.source) == statement && !self.places.is_inside(id, transition.source);
        let at = |place: &Place| {
            statement.is_some_and(|s| {
                let first = self.places.statement(s).first;
                first.line == place.line && (place.column == 0 || first.column == place.column)
            })
        };
        if matches!(next(passed), Some((WaypointKind::Assumption(_), place)) if began && at(place)) {
            passed += 1;
        }
        let decided = open.iter().enumerate().map(|(n, var)| (*var, Value::Int((bits >> n & 1) as i128)));
        let mut inputs: BTreeMap<VarId, Value> = decided.collect();
        // Every program is given its name.
        let counts = |var: &&VarId| program.var(**var).kind == VarKind::Input(Choice::Arguments);
        inputs.extend(transition.inputs.iter().filter(counts).map(|var| (*var, Value::Int(1))));
        for input in &transition.inputs {
            let line = program.var(*input).span.line;
            if let Some((WaypointKind::FunctionReturn(condition), place)) = next(passed)
                && place.line == line
            {
                inputs.insert(*input, Value::Int(result(condition)?));
                passed += 1;
            }
        }
        let mut before = node.state.clone();
        if let Some(call) = application(program, &before, transition)
            && let Some((WaypointKind::FunctionReturn(condition), place)) = next(passed)
            && place.line == transition.span.line
        {
            before = call.returning(&before, result(condition)?);
            passed += 1;
        }
        let chosen = |var: VarId| inputs.get(&var).cloned().unwrap_or_else(|| blank(program.var(var).sort));
        let state = step(program, &before, id, k, &chosen).ok()?;
        let children: BTreeSet<ThreadId> =
            started(program, transition).into_iter().filter(|child| !created.contains(child)).collect();
        for child in children {
            // Every thread is introduced by its waypoint.
            match next(passed) {
                Some((WaypointKind::FunctionEnter, place)) if place.line >= transition.span.line => passed += 1,
                _ => return None,
            }
            created.push(child);
        }
        if program.thread(id).location(transition.target).violates().is_some() {
            match next(passed) {
                Some((WaypointKind::Target, place)) if at(place) || place.line == transition.span.line => passed += 1,
                _ => return None,
            }
        }
        passed += self.targets(&state, passed, &created);
        let taken = TraceStep { thread: id, transition: k, inputs };
        Some((Node { state, passed, created, steps: None }, taken))
    }

    /// The number of targets that two threads have come to, if only those are left and both are where they say.
    fn targets(&self, state: &State, passed: usize, created: &[ThreadId]) -> usize {
        let Some(last @ [one, two]) = self.waypoints.get(passed..) else { return 0 };
        if last.iter().any(|waypoint| waypoint.kind != WaypointKind::Target) {
            return 0;
        }
        let is_at = |waypoint: &Waypoint, thread: ThreadId| {
            let Some(location) = state.location(thread) else { return false };
            let (named, here) = (&waypoint.place, about(&self.places, thread, location));
            created_as(created, waypoint.thread) == Some(thread)
                && named.line == here.line
                && (named.column == 0 || named.column == here.column)
        };
        let meets = conflicts(&self.loaded.program, state).any(|conflict| match conflict.threads()[..] {
            [a, b] => (is_at(one, a) && is_at(two, b)) || (is_at(one, b) && is_at(two, a)),
            _ => false,
        });
        if meets { 2 } else { 0 }
    }
}

/// The value that `\result == value` names.
fn result(condition: &str) -> Option<i128> {
    condition.trim().strip_prefix("\\result")?.trim().strip_prefix("==")?.trim().parse().ok()
}

fn created_as(created: &[ThreadId], number: u32) -> Option<ThreadId> {
    created.get(number as usize).copied()
}
