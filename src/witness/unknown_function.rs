//! Functions of which nothing is known but that they always give the same (CBMC's `__CPROVER_uninterpreted_..`): arrays that start
//! with anything and that nobody writes. A witness says what each call returns.

use check::State;
use program::{Bookkeeping, Program, Term, TermKind, Transition, Value, VarId, VarKind};

/// A call of such a function: what it is, and the element of the array that it reads.
pub struct Application {
    /// The array.
    pub function: VarId,
    /// The argument.
    pub argument: i128,
}

/// The function's name, if a variable stands for one.
pub fn name(program: &Program, var: VarId) -> Option<&str> {
    let declared = program.var(var);
    let name = declared.name.split('[').next()?;
    (declared.kind == VarKind::Control(Bookkeeping::Function)).then_some(name)
}

/// The call that a step makes in a state.
pub fn application(program: &Program, state: &State, step: &Transition) -> Option<Application> {
    step.updates.iter().find_map(|(_, value)| in_term(program, state, *value))
}

fn in_term(program: &Program, state: &State, term: Term) -> Option<Application> {
    if let TermKind::Select(array, argument) = term.kind()
        && let Some(function) = array.as_var().filter(|var| name(program, *var).is_some())
        && let Ok(Value::Int(argument)) = argument.eval(&|var| state.value(var).cloned())
    {
        return Some(Application { function, argument });
    }
    term.children().into_iter().find_map(|child| in_term(program, state, child))
}

impl Application {
    /// What the call returns.
    pub fn result(&self, state: &State) -> Option<i128> {
        match state.value(self.function)? {
            Value::Array(values) => Some(values.get(self.argument)),
            _ => None,
        }
    }

    /// The state in which it returns this. Whether it has returned something else before is not asked.
    pub fn returning(&self, state: &State, result: i128) -> State {
        let mut state = state.clone();
        if let Some(Value::Array(values)) = state.values.get_mut(self.function.0 as usize) {
            values.set(self.argument, result);
        }
        state
    }
}
