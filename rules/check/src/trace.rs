//! Counterexamples: schedules with values, replayed step by step.

use std::collections::BTreeMap;
use std::fmt;

use program::{Program, ThreadId, Value, VarId};

use crate::interpret::{StepError, step};
use crate::state::{InitError, State, blank, initial, is_error};

/// One step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Who moves.
    pub thread: ThreadId,
    /// Index into the thread's transitions.
    pub transition: usize,
    /// The values chosen.
    pub inputs: BTreeMap<VarId, Value>,
}

/// A schedule with values that reaches the error.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// Values of the variables that may start with anything; those not listed start with zero.
    pub initial: BTreeMap<VarId, Value>,
    /// The steps.
    pub steps: Vec<TraceStep>,
}

/// Why a trace is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// It does not start in an initial state.
    Initial(InitError),
    /// The step, counted from 0, is impossible.
    Step(usize, StepError),
    /// It does not end in an error.
    NoError,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::Initial(error) => write!(f, "no initial state: {error}"),
            TraceError::Step(index, error) => write!(f, "step {} is impossible: {error}", index + 1),
            TraceError::NoError => f.write_str("the last state is not an error"),
        }
    }
}
impl std::error::Error for TraceError {}

/// The states that the trace passes, the initial one first: it is executed on the program as lowered, and must end in an error.
pub fn check_trace(program: &Program, trace: &Trace) -> Result<Vec<State>, TraceError> {
    let mut choose = |id: VarId, var: &program::Var| trace.initial.get(&id).cloned().unwrap_or_else(|| blank(var.sort));
    let mut states = vec![initial(program, &mut choose).map_err(TraceError::Initial)?];
    for (index, taken) in trace.steps.iter().enumerate() {
        let Some(state) = states.last() else { return Err(TraceError::NoError) };
        let inputs = |var: VarId| taken.inputs.get(&var).cloned().unwrap_or_else(|| blank(program.var(var).sort));
        let next = step(program, state, taken.thread, taken.transition, &inputs);
        states.push(next.map_err(|error| TraceError::Step(index, error))?);
    }
    if states.last().is_some_and(|state| is_error(program, state)) { Ok(states) } else { Err(TraceError::NoError) }
}
