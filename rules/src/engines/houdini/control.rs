//! The variables that say where a run is rather than what it has computed: flags, owners of locks, phases. They are assigned constants
//! alone, and their values are part of a place.

use program::{Init, Program, Sort, Term, VarId};

/// More constants than this are no phases.
const PHASES: usize = 16;

/// Whether a variable starts with a constant and is assigned nothing but a few.
pub fn is_control(program: &Program, var: VarId) -> bool {
    let declared = program.var(var);
    let Init::Value(start) = declared.init else { return false };
    let steps = program.threads().flat_map(|(_, thread)| &thread.transitions);
    let mut values: Vec<Term> = steps.filter_map(|step| step.update(var)).collect();
    values.push(start);
    values.sort_unstable();
    values.dedup();
    let is_constant = |value: &Term| value.as_int().is_some() || value.as_bool().is_some();
    matches!(declared.sort, Sort::Int | Sort::Bool) && values.len() <= PHASES && values.iter().all(is_constant)
}

/// The control variables of a program, in order.
pub fn control(program: &Program) -> Vec<VarId> {
    program.state_vars().map(|(var, _)| var).filter(|var| is_control(program, *var)).collect()
}
