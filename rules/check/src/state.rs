//! Concrete states of a program.

use std::fmt;

use program::{
    Array, ClaimId, Conflict, EvalError, Init, Location, LocationId, Owner, Program, Sort, Term, ThreadId, Value, Var,
    VarId,
};

/// Where every thread is and what every variable holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// By [`ThreadId`].
    pub locations: Vec<LocationId>,
    /// By [`VarId`]. Inputs are no part of the state: theirs is always the value that [`blank`] gives.
    pub values: Vec<Value>,
}

impl State {
    /// Where a thread is.
    pub fn location(&self, thread: ThreadId) -> Option<LocationId> {
        self.locations.get(thread.0 as usize).copied()
    }
    /// What a variable holds.
    pub fn value(&self, var: VarId) -> Option<&Value> {
        self.values.get(var.0 as usize)
    }
}

/// Why there is no initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitError {
    /// A variable's initial constant has no value.
    Evaluation(VarId, EvalError),
    /// A variable's initial value is of another sort or outside the variable's range.
    Range(VarId),
}

impl fmt::Display for InitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InitError::Evaluation(var, error) => write!(f, "the initial value of variable {}: {error}", var.0),
            InitError::Range(var) => write!(f, "the initial value of variable {} is outside its range", var.0),
        }
    }
}
impl std::error::Error for InitError {}

/// The initial state in which the variables that may start with anything start with what `arbitrary` chooses.
pub fn initial(program: &Program, arbitrary: &mut impl FnMut(VarId, &Var) -> Value) -> Result<State, InitError> {
    let mut values = Vec::new();
    for (id, var) in program.vars() {
        let value = match (var.owner, var.init) {
            (Owner::Input(_), _) => blank(var.sort),
            (_, Init::Value(term)) => term.eval(&|_| None).map_err(|error| InitError::Evaluation(id, error))?,
            (_, Init::Arbitrary) => arbitrary(id, var),
        };
        if !in_range(var, &value) {
            return Err(InitError::Range(id));
        }
        values.push(value);
    }
    Ok(State { locations: program.threads().map(|(_, thread)| thread.entry).collect(), values })
}

/// Whether the value is one that the variable can hold: of its sort and, elements of arrays included, in its range.
pub fn in_range(var: &Var, value: &Value) -> bool {
    match (var.sort, value) {
        (Sort::Bool, Value::Bool(_)) => true,
        (Sort::Int, Value::Int(value)) => var.ty.contains(*value),
        (Sort::Array, Value::Array(array)) => {
            var.ty.contains(array.default) && array.elements.values().all(|element| var.ty.contains(*element))
        }
        _ => false,
    }
}

/// Zero, false, or zero everywhere.
pub fn blank(sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(0),
        Sort::Array => Value::Array(Array::filled(0)),
    }
}

/// err of [T, Sec. 2]: whether some thread is at an error location, or threads are in conflict.
pub fn is_error(program: &Program, state: &State) -> bool {
    locations(program, state).any(|location| location.kind.is_error()) || conflicts(program, state).next().is_some()
}

/// The claim that is violated in the state.
pub fn violated(program: &Program, state: &State) -> Option<ClaimId> {
    let at_location = locations(program, state).find_map(Location::violates);
    at_location.or_else(|| conflicts(program, state).map(|conflict| conflict.claim).next())
}

/// The conflicts that threads are in.
pub fn conflicts<'a>(program: &'a Program, state: &'a State) -> impl Iterator<Item = &'a Conflict> {
    let holds = |term: &Term| term.eval(&|var| state.value(var).cloned()) == Ok(Value::Bool(true));
    let is_in = move |conflict: &&Conflict| {
        conflict.when(|thread| state.location(thread)).is_some_and(|when| when.iter().all(holds))
    };
    program.conflicts().iter().filter(is_in)
}

fn locations<'a>(program: &'a Program, state: &'a State) -> impl Iterator<Item = &'a Location> {
    program.threads().filter_map(|(id, thread)| thread.locations.get(state.location(id)?.0 as usize))
}
