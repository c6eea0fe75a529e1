//! Exhaustive explicit-state exploration of a Program: all schedules, inputs and initial values from finite domains.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use check::{State, StepError, blank, initial, is_error, step};
use program::{
    Bookkeeping, LocationId, LocationKind, Owner, Program, Span, ThreadId, UbKind, Value, Var, VarId, VarKind,
};

use super::lowered::value_of;

/// The finite parts of infinite domains that are explored.
pub struct Domains<'a> {
    /// Values of an input.
    pub input: &'a dyn Fn(VarId, &Var) -> Vec<Value>,
    /// Initial values of a variable that may start with anything.
    pub start: &'a dyn Fn(VarId, &Var) -> Vec<Value>,
}

/// 0, 1 and 2 as inputs, as far as the variable can hold them; zero for what starts arbitrary.
pub const SMALL: Domains<'static> = Domains {
    input: &|_, var| (0..3).filter(|v| var.ty.contains(*v)).map(Value::Int).collect(),
    start: &|_, var| vec![blank(var.sort)],
};

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    pub thread: ThreadId,
    /// Index into the thread's transitions.
    pub transition: usize,
    pub inputs: Vec<(VarId, Value)>,
}

/// An error location that is reached, with a shortest trace to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The error location's place.
    pub location: Span,
    /// The last step's place.
    pub step: Span,
    pub trace: Vec<TraceStep>,
}

/// What all schedules together can do.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The projected values where every thread has ended.
    pub finals: BTreeSet<Vec<i128>>,
    /// One failure for each pair of error location and last step's place: none means that no error is reachable.
    pub failures: Vec<Failure>,
    /// Undefined behaviour that some schedule meets.
    pub undefined: BTreeSet<(UbKind, Span)>,
    /// How many states were met.
    pub states: usize,
}

/// Whether an exploration met all states that the domains allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    All,
    /// It ended at a limit, or at an error that was enough.
    Part,
}

/// Elements that the states' arrays may hold, for each state that there may be. A loop that allocates makes them longer with each
/// round: thousands of states, each with thousands of elements, would take all memory.
const ELEMENTS: usize = 16;

/// Explores breadth-first. `observed` are the C names of the variables that make up a final state.
///
/// Says why not if there are more states than the limit, or larger ones, a name is unknown, or the Program is inconsistent.
pub fn explore(
    program: &Program,
    observed: &[String],
    domains: &Domains<'_>,
    limit: usize,
) -> Result<Exploration, String> {
    let mut search = Search::new(program, observed, domains)?;
    match search.run(observed, domains, limit, &|_| false)? {
        Coverage::All => Ok(search.found),
        Coverage::Part => Err(format!("more than {limit} states, or {} elements in them", limit * ELEMENTS)),
    }
}

/// Explores until an error is found, everything is, or there are more states than the limit, or larger ones.
pub fn find_error(
    program: &Program,
    domains: &Domains<'_>,
    limit: usize,
) -> Result<(Option<Failure>, Coverage), String> {
    let mut search = Search::new(program, &[], domains)?;
    let coverage = search.run(&[], domains, limit, &|found| !found.failures.is_empty())?;
    Ok((search.found.failures.pop(), coverage))
}

/// Executes a trace step by step from the initial state with blank values; it must reach an error.
///
/// Exploration forgets values that no longer matter: that a trace can be replayed with all of them says it was right to.
pub fn replay(program: &Program, trace: &[TraceStep]) -> Result<(), String> {
    let mut state = initial(program, &mut |_, var| blank(var.sort)).map_err(|error| error.to_string())?;
    for (n, taken) in trace.iter().enumerate() {
        state = step(program, &state, taken.thread, taken.transition, &|v| taken.input(program, v))
            .map_err(|error| format!("step {n} of the trace: {error}"))?;
    }
    if is_error(program, &state) { Ok(()) } else { Err("the trace ends without an error".into()) }
}

impl TraceStep {
    fn input(&self, program: &Program, var: VarId) -> Value {
        let chosen = self.inputs.iter().find(|(input, _)| *input == var);
        chosen.map_or_else(|| blank(program.var(var).sort), |(_, value)| value.clone())
    }
}

struct Search<'p> {
    program: &'p Program,
    /// By thread and location: the transitions from there.
    outgoing: Vec<Vec<Vec<usize>>>,
    /// By thread and location: the thread's locals whose values no longer matter there.
    dead: Vec<Vec<Vec<VarId>>>,
    states: Vec<Rc<State>>,
    /// How each state was first reached.
    parents: Vec<Option<(usize, TraceStep)>>,
    known: HashMap<Rc<State>, usize>,
    /// How many elements of arrays the states hold together.
    elements: usize,
    failing: BTreeSet<(Span, Span)>,
    found: Exploration,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, observed: &[String], domains: &Domains<'_>) -> Result<Search<'p>, String> {
        let mut search = Search {
            program,
            outgoing: program.threads().map(|(_, t)| by_source(t)).collect(),
            dead: program.threads().map(|(id, _)| dead_locals(program, id, observed)).collect(),
            states: vec![],
            parents: vec![],
            known: HashMap::new(),
            elements: 0,
            failing: BTreeSet::new(),
            found: Exploration::default(),
        };
        let free: Vec<VarId> =
            program.state_vars().filter(|(_, var)| var.init == program::Init::Arbitrary).map(|(id, _)| id).collect();
        for chosen in choices(&free, &|id| (domains.start)(id, program.var(id))) {
            let value =
                |id: VarId, var: &Var| chosen.iter().find(|(v, _)| *v == id).map_or(blank(var.sort), |c| c.1.clone());
            let start = initial(program, &mut |id, var| value(id, var)).map_err(|error| error.to_string())?;
            search.enter(start, None);
        }
        Ok(search)
    }

    fn run(
        &mut self,
        observed: &[String],
        domains: &Domains<'_>,
        limit: usize,
        enough: &dyn Fn(&Exploration) -> bool,
    ) -> Result<Coverage, String> {
        let mut next = 0;
        while next < self.states.len() {
            self.expand(next, observed, domains)?;
            let too_much = self.states.len() > limit || self.elements > limit * ELEMENTS;
            if too_much || enough(&self.found) {
                return Ok(Coverage::Part);
            }
            next += 1;
        }
        self.found.states = self.states.len();
        Ok(Coverage::All)
    }

    fn enter(&mut self, mut state: State, parent: Option<(usize, TraceStep)>) -> usize {
        for (t, at) in state.locations.iter().enumerate() {
            for var in &self.dead[t][at.0 as usize] {
                state.values[var.0 as usize] = blank(self.program.var(*var).sort);
            }
        }
        let state = Rc::new(state);
        if let Some(index) = self.known.get(&state) {
            return *index;
        }
        self.elements += state.values.iter().map(listed).sum::<usize>();
        self.known.insert(Rc::clone(&state), self.states.len());
        self.states.push(state);
        self.parents.push(parent);
        self.states.len() - 1
    }

    fn expand(&mut self, index: usize, observed: &[String], domains: &Domains<'_>) -> Result<(), String> {
        let state = Rc::clone(&self.states[index]);
        let program = self.program;
        if is_error(program, &state) {
            return Ok(());
        }
        let finished = |id: ThreadId, t: &program::Thread| {
            let at = state.locations[id.0 as usize];
            t.location(at).kind == LocationKind::End || (at == t.entry && waits_for_its_start(program, &state, t))
        };
        if program.threads().all(|(id, t)| finished(id, t)) {
            let values: Result<Vec<i128>, String> = observed.iter().map(|n| value_of(program, &state, n)).collect();
            self.found.finals.insert(values?);
        }
        for (id, thread) in program.threads() {
            let at = state.locations[id.0 as usize].0 as usize;
            for k in 0..self.outgoing[id.0 as usize][at].len() {
                let transition = self.outgoing[id.0 as usize][at][k];
                let inputs = &thread.transitions[transition].inputs;
                for chosen in choices(inputs, &|v| (domains.input)(v, program.var(v))) {
                    self.take(index, &state, TraceStep { thread: id, transition, inputs: chosen })?;
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, index: usize, state: &State, taken: TraceStep) -> Result<(), String> {
        let program = self.program;
        let next = match step(program, state, taken.thread, taken.transition, &|v| taken.input(program, v)) {
            Ok(next) => next,
            Err(StepError::Undefined { kind, span }) => {
                self.found.undefined.insert((kind, span));
                return Ok(());
            }
            Err(error) if error.is_disabled() => return Ok(()),
            Err(error) => {
                let t = program.thread(taken.thread);
                let place = program.place(t.transitions[taken.transition].span);
                return Err(format!("thread {}, {place}: {error}", t.name));
            }
        };
        let failed = is_error(program, &next);
        let (thread, transition) = (program.thread(taken.thread), taken.transition);
        let index = self.enter(next, Some((index, taken)));
        if failed {
            let last = &thread.transitions[transition];
            let (location, step) = (thread.location(last.target).span, last.span);
            if self.failing.insert((location, step)) {
                let trace = self.trace(index);
                self.found.failures.push(Failure { location, step, trace });
            }
        }
        Ok(())
    }

    fn trace(&self, mut index: usize) -> Vec<TraceStep> {
        let mut steps = Vec::new();
        while let Some((parent, step)) = &self.parents[index] {
            steps.push(step.clone());
            index = *parent;
        }
        steps.reverse();
        steps
    }
}

/// The elements that a value lists one by one.
fn listed(value: &Value) -> usize {
    match value {
        Value::Array(array) => array.elements.len(),
        Value::Bool(_) | Value::Int(_) => 0,
    }
}

/// All ways to choose a value for each of the variables.
fn choices(vars: &[VarId], domain: &dyn Fn(VarId) -> Vec<Value>) -> Vec<Vec<(VarId, Value)>> {
    vars.iter().fold(vec![vec![]], |all, var| {
        let values = domain(*var);
        let extended = all.iter().flat_map(|chosen| {
            values.iter().map(move |value| chosen.iter().cloned().chain([(*var, value.clone())]).collect())
        });
        extended.collect()
    })
}

/// Whether a thread that has not moved cannot, because nobody has started it.
fn waits_for_its_start(program: &Program, state: &State, thread: &program::Thread) -> bool {
    let value = |var: VarId| state.value(var).cloned();
    let mut started = program.vars().filter(|(_, var)| {
        let name = var.name.strip_prefix("started(").unwrap_or_default();
        var.kind == VarKind::Control(Bookkeeping::Started)
            && name.strip_prefix(&thread.name).is_some_and(|rest| rest.starts_with('.'))
    });
    started.any(|(id, _)| value(id) == Some(Value::Int(0)))
}

fn by_source(thread: &program::Thread) -> Vec<Vec<usize>> {
    let mut outgoing = vec![vec![]; thread.locations.len()];
    for (index, transition) in thread.transitions.iter().enumerate() {
        outgoing[transition.source.0 as usize].push(index);
    }
    outgoing
}

/// For each location, the thread's locals that are written before they are read again, if at all. States that differ in
/// these only have the same future: without this, every value ever loaded would multiply the states.
pub fn dead_locals(program: &Program, id: ThreadId, observed: &[String]) -> Vec<Vec<VarId>> {
    let thread = program.thread(id);
    let is_observed = |name: &str| observed.iter().any(|o| name.ends_with(o.as_str()) || o.starts_with(name));
    let locals: Vec<VarId> = program.locals(id).filter(|v| !is_observed(&program.var(*v).name)).collect();
    let mut live: BTreeMap<LocationId, BTreeSet<VarId>> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for t in &thread.transitions {
            let after = live.get(&t.target).cloned().unwrap_or_default();
            let mut needed = t.reads();
            needed.extend(after.into_iter().filter(|v| t.update(*v).is_none()));
            needed.retain(|v| program.var(*v).owner == Owner::Local(id));
            let known = live.entry(t.source).or_default();
            let before = known.len();
            known.extend(needed);
            changed |= known.len() > before;
        }
    }
    let dead = |l: LocationId| {
        let none = BTreeSet::new();
        let live = live.get(&l).unwrap_or(&none);
        locals.iter().copied().filter(|v| !live.contains(v)).collect()
    };
    thread.locations().map(|(l, _)| dead(l)).collect()
}
