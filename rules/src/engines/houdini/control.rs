//! The variables that say where a run is rather than what it has computed: flags, owners of locks, phases. They are assigned constants
//! alone, and their values are part of a place.

use std::collections::{BTreeMap, BTreeSet};

use program::{Init, Program, Sort, Term, VarId};

/// More constants than this are no phases.
const PHASES: usize = 16;

/// The variables that start with a constant and are assigned nothing but a few.
pub fn control(program: &Program) -> BTreeSet<VarId> {
    let mut values: BTreeMap<VarId, BTreeSet<Term>> = BTreeMap::new();
    for (var, declared) in program.state_vars() {
        if let (Init::Value(start), Sort::Int | Sort::Bool) = (declared.init, declared.sort) {
            values.insert(var, BTreeSet::from([start]));
        }
    }
    let steps = program.threads().flat_map(|(_, thread)| &thread.transitions);
    for (var, value) in steps.flat_map(|step| &step.updates) {
        values.entry(*var).and_modify(|values| _ = values.insert(*value));
    }
    let is_constant = |value: &Term| value.as_int().is_some() || value.as_bool().is_some();
    values.retain(|_, values| values.len() <= PHASES && values.iter().all(is_constant));
    values.into_keys().collect()
}
