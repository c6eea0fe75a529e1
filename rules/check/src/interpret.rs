//! Concrete execution of programs, one step at a time.
//!
//! A step is possible from a state if the thread is at its source and, for values of its inputs in their ranges, all of
//! its guard and all of its definedness conditions hold; it then assigns simultaneously ([`Transition`]).

use std::fmt;

use program::{EvalError, LocationId, LocationKind, Program, Span, Term, ThreadId, Transition, UbKind, Value, VarId};

use crate::state::{State, in_range, is_error};

/// Why a step is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// There is no such thread or transition, or the state is not one of this program.
    Unknown,
    /// The thread is elsewhere.
    Location {
        /// Where it is.
        at: LocationId,
        /// Where the step starts.
        source: LocationId,
    },
    /// A conjunct of the guard is false.
    Guard(usize),
    /// The step would be undefined behaviour.
    Undefined {
        /// What it would be.
        kind: UbKind,
        /// Where.
        span: Span,
    },
    /// The value chosen for an input is outside its range.
    Input(VarId),
    /// The value assigned is outside the variable's range, though the step is defined: a bug of whoever built the program.
    Range {
        /// The variable.
        var: VarId,
        /// What it would hold.
        value: Value,
    },
    /// A term has no value, though the step is defined: a bug of whoever built the program.
    Evaluation(EvalError),
}

impl StepError {
    /// Whether the step is merely disabled, as opposed to undefined or wrongly built.
    pub fn is_disabled(&self) -> bool {
        matches!(self, StepError::Location { .. } | StepError::Guard(_))
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Unknown => f.write_str("no such thread or transition"),
            StepError::Location { at, source } => write!(f, "the thread is at L{}, not at L{}", at.0, source.0),
            StepError::Guard(index) => write!(f, "conjunct {index} of the guard is false"),
            StepError::Undefined { kind, span } => write!(f, "undefined behaviour in line {}: {kind}", span.line),
            StepError::Input(var) => write!(f, "the value of input {} is outside its range", var.0),
            StepError::Range { var, value } => write!(f, "variable {} cannot hold {value:?}", var.0),
            StepError::Evaluation(error) => write!(f, "{error}"),
        }
    }
}
impl std::error::Error for StepError {}

/// The state after `thread` takes its `transition`-th step with these inputs.
pub fn step(
    program: &Program,
    state: &State,
    thread: ThreadId,
    transition: usize,
    inputs: &dyn Fn(VarId) -> Value,
) -> Result<State, StepError> {
    let t = find(program, state, thread, transition)?;
    let chosen = choose(program, t, inputs)?;
    let value = |var: VarId| match chosen.iter().find(|(input, _)| *input == var) {
        Some((_, value)) => Some(value.clone()),
        None => state.value(var).cloned(),
    };
    admit(t, &value)?;
    let mut next = state.clone();
    for (var, term) in &t.updates {
        let new = term.eval(&value).map_err(StepError::Evaluation)?;
        if !in_range(program.var(*var), &new) {
            return Err(StepError::Range { var: *var, value: new });
        }
        *next.values.get_mut(var.0 as usize).ok_or(StepError::Unknown)? = new;
    }
    *next.locations.get_mut(thread.0 as usize).ok_or(StepError::Unknown)? = t.target;
    Ok(next)
}

/// The transitions, by index, that `thread` can take with these inputs.
///
/// Disabled and undefined ones are left out; anything else that is wrong is an error.
pub fn enabled(
    program: &Program,
    state: &State,
    thread: ThreadId,
    inputs: &dyn Fn(VarId) -> Value,
) -> Result<Vec<usize>, StepError> {
    let known = program.threads().nth(thread.0 as usize).ok_or(StepError::Unknown)?.1;
    let mut possible = Vec::new();
    for index in 0..known.transitions.len() {
        match step(program, state, thread, index, inputs) {
            Ok(_) => possible.push(index),
            Err(StepError::Undefined { .. }) => {}
            Err(error) if error.is_disabled() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(possible)
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The thread has ended.
    Ended,
    /// An error location is reached.
    Error,
    /// No step is possible: the thread blocks.
    Blocked,
}

/// Why a run has no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The limit of steps is reached.
    Limit,
    /// Two steps, by index, are possible in this location: the thread is not deterministic.
    Choice(LocationId, usize, usize),
    /// A step failed, and not because it was disabled.
    Step(LocationId, usize, StepError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Limit => f.write_str("the limit of steps is reached"),
            RunError::Choice(at, a, b) => write!(f, "transitions {a} and {b} are both possible at L{}", at.0),
            RunError::Step(at, index, error) => write!(f, "transition {index} at L{}: {error}", at.0),
        }
    }
}
impl std::error::Error for RunError {}

/// Runs one thread alone, from `state` to its end, an error or a block, in at most `limit` steps.
///
/// The state is the last one reached. Undefined behaviour ends a run as well, but with [`RunError::Step`]: whoever runs a program to its end wants to know.
pub fn run(
    program: &Program,
    state: State,
    thread: ThreadId,
    limit: usize,
    inputs: &dyn Fn(VarId) -> Value,
) -> (State, Result<RunEnd, RunError>) {
    let mut state = state;
    let outcome = run_from(program, &mut state, thread, limit, inputs);
    (state, outcome)
}

fn run_from(
    program: &Program,
    state: &mut State,
    thread: ThreadId,
    limit: usize,
    inputs: &dyn Fn(VarId) -> Value,
) -> Result<RunEnd, RunError> {
    let unknown = RunError::Step(LocationId(0), 0, StepError::Unknown);
    let Some((_, graph)) = program.threads().nth(thread.0 as usize) else { return Err(unknown) };
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); graph.locations.len()];
    for (index, transition) in graph.transitions.iter().enumerate() {
        outgoing[transition.source.0 as usize].push(index);
    }
    for _ in 0..limit {
        let at = state.location(thread).filter(|at| (at.0 as usize) < outgoing.len());
        let Some(at) = at else { return Err(unknown) };
        if is_error(program, state) {
            return Ok(RunEnd::Error);
        }
        if graph.location(at).kind == LocationKind::End {
            return Ok(RunEnd::Ended);
        }
        match only_step(program, state, thread, &outgoing[at.0 as usize], inputs)? {
            Some(next) => *state = next,
            None => return Ok(RunEnd::Blocked),
        }
    }
    Err(RunError::Limit)
}

/// The state after the one step among `candidates` that is possible, if there is one.
fn only_step(
    program: &Program,
    state: &State,
    thread: ThreadId,
    candidates: &[usize],
    inputs: &dyn Fn(VarId) -> Value,
) -> Result<Option<State>, RunError> {
    let at = state.location(thread).unwrap_or(LocationId(0));
    let mut taken: Option<(usize, State)> = None;
    for index in candidates {
        match (step(program, state, thread, *index, inputs), &taken) {
            (Ok(_), Some((other, _))) => return Err(RunError::Choice(at, *other, *index)),
            (Ok(next), None) => taken = Some((*index, next)),
            (Err(error), _) if error.is_disabled() => {}
            (Err(error), _) => return Err(RunError::Step(at, *index, error)),
        }
    }
    Ok(taken.map(|(_, next)| next))
}

/// The transition, if the thread is at its source.
fn find<'p>(
    program: &'p Program,
    state: &State,
    thread: ThreadId,
    transition: usize,
) -> Result<&'p Transition, StepError> {
    let graph = program.threads().nth(thread.0 as usize).ok_or(StepError::Unknown)?.1;
    let t = graph.transitions.get(transition).ok_or(StepError::Unknown)?;
    let at = state.location(thread).ok_or(StepError::Unknown)?;
    if at == t.source { Ok(t) } else { Err(StepError::Location { at, source: t.source }) }
}

/// The inputs' values, each in its range.
fn choose(
    program: &Program,
    t: &Transition,
    inputs: &dyn Fn(VarId) -> Value,
) -> Result<Vec<(VarId, Value)>, StepError> {
    let mut chosen = Vec::with_capacity(t.inputs.len());
    for input in &t.inputs {
        let value = inputs(*input);
        let known = program.vars().nth(input.0 as usize).ok_or(StepError::Unknown)?.1;
        if !in_range(known, &value) {
            return Err(StepError::Input(*input));
        }
        chosen.push((*input, value));
    }
    Ok(chosen)
}

/// Checks guard and definedness. A guard that is false disables the step even if another one is undefined, as in
/// `y != 0 && x / y > 1` fused into one guard; an undefined guard must be explained by definedness.
fn admit(t: &Transition, value: &impl Fn(VarId) -> Option<Value>) -> Result<(), StepError> {
    let mut undefined = None;
    let mut holds = |term: Term| match term.eval_bool(value) {
        Ok(truth) => Ok(truth),
        Err(EvalError::Undefined) => {
            undefined = Some(StepError::Evaluation(EvalError::Undefined));
            Ok(true)
        }
        Err(other) => Err(StepError::Evaluation(other)),
    };
    for (index, guard) in t.guard.iter().enumerate() {
        if !holds(*guard)? {
            return Err(StepError::Guard(index));
        }
    }
    for definedness in &t.defined {
        if !holds(definedness.condition)? {
            return Err(StepError::Undefined { kind: definedness.kind, span: definedness.span });
        }
    }
    undefined.map_or(Ok(()), Err)
}
