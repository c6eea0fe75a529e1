//! What uninitialised memory holds in a harness. A compiler can fill it with one byte or another, but not with values of our choice:
//! a trace fits if it is one with such values as well.

use std::collections::BTreeSet;

use check::{Trace, check_trace};
use program::{Init, Owner, Program, Sort, Value, VarId, VarKind};

use crate::layouts::{Layout, places, reuses_ids};

/// How memory without an initial value is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// With what happens to be there: the trace looks at none of it.
    Any,
    /// With zeros.
    Zero,
    /// With what gcc calls a pattern: bytes 0xFE.
    Pattern,
}

impl Fill {
    /// The byte.
    pub fn byte(self) -> u8 {
        match self {
            Fill::Any | Fill::Zero => 0,
            Fill::Pattern => 0xFE,
        }
    }

    /// gcc's option for local variables.
    pub fn option(self) -> &'static str {
        match self {
            Fill::Any => "",
            Fill::Zero => " -ftrivial-auto-var-init=zero",
            Fill::Pattern => " -ftrivial-auto-var-init=pattern",
        }
    }
}

/// How memory must be filled for the trace to be a run, or why no way will do.
pub fn fill(program: &Program, trace: &Trace) -> Result<Fill, String> {
    if !is_placed_anyhow(program, trace) {
        return Err("it needs certain addresses or ids, which nobody can choose there".into());
    }
    let Some(early) = read_too_early(program, trace) else { return Ok(Fill::Any) };
    let fits = |fill: &Fill| check_trace(program, &filled(program, trace, *fill)).is_ok();
    [Fill::Zero, Fill::Pattern]
        .into_iter()
        .find(fits)
        .ok_or_else(|| format!("it needs a certain value of {}, which is not initialised", program.var(early).name))
}

/// Whether the trace is a run wherever objects are, as far as two opposite orders tell, and does not use ids again.
fn is_placed_anyhow(program: &Program, trace: &Trace) -> bool {
    let places = places(program);
    let placed = |layout: Layout| {
        let mut trace = trace.clone();
        trace.initial.extend((0..).zip(&places).map(|(number, id)| (*id, Value::Int(layout.place(number)))));
        check_trace(program, &trace).is_ok()
    };
    places.is_empty() || (!reuses_ids(program) && placed(Layout::Ascending) && placed(Layout::Descending))
}

/// The trace with all variables that start with anything filled.
fn filled(program: &Program, trace: &Trace, fill: Fill) -> Trace {
    let mut trace = trace.clone();
    for (id, var) in program.state_vars() {
        if var.init == Init::Arbitrary && var.sort == Sort::Int {
            let word = u64::from_ne_bytes([fill.byte(); 8]);
            trace.initial.insert(id, Value::Int(var.ty.wrap(i128::from(word))));
        }
    }
    trace
}

/// A variable that the trace reads before anybody has written it, though the program does not initialise it.
fn read_too_early(program: &Program, trace: &Trace) -> Option<VarId> {
    let mut written: BTreeSet<VarId> = BTreeSet::new();
    for step in &trace.steps {
        let transition = program.thread(step.thread).transitions.get(step.transition)?;
        let early = transition.reads().into_iter().find(|id| {
            let var = program.var(*id);
            let open = var.init == Init::Arbitrary && !matches!(var.owner, Owner::Input(_));
            open && var.kind == VarKind::User && !written.contains(id)
        });
        if early.is_some() {
            return early;
        }
        written.extend(transition.updates.iter().map(|(var, _)| *var));
    }
    None
}
