//! From what happened in a search to a trace that the checker replays.

use std::collections::BTreeMap;

use check::{Replayed, Trace, TraceStep, replay};
use program::{Array, Sort, Value, VarId};

use crate::eval::{Need, meaning};
use crate::explorer::Action;
use crate::machine::{Deferred, Holds, Machine, Slot, Update, Word};

/// Where a value that is chosen late comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// What a variable started with.
    Initial(VarId),
    /// An input of a step of the trace.
    Input(usize, VarId),
}

/// By slot, for what did not start there.
type Origins = BTreeMap<Slot, Origin>;

/// The run in which these actions happened, if the checker confirms that it ends in an error.
pub(crate) fn confirm(machine: &Machine<'_>, actions: &[&Action]) -> Option<Replayed> {
    replay(machine.program, trace(machine, actions)).ok()
}

fn trace(machine: &Machine<'_>, actions: &[&Action]) -> Trace {
    let mut trace = Trace::default();
    let mut origins = Origins::new();
    for action in actions {
        match action {
            Action::Choose { need, word } => choose(machine, &mut trace, &origins, *need, *word),
            Action::Step { step, inputs } => {
                let step = &machine.steps[*step as usize];
                // That threads are in conflict is no step.
                let Some(transition) = step.transition else { continue };
                let now = trace.steps.len();
                let taken = |update: &Update| match update.deferred? {
                    Deferred::Input(input) => Some((update.slot, Origin::Input(now, step.inputs[input as usize].var))),
                    Deferred::Local(slot) => Some((update.slot, origin(machine, &origins, slot)?)),
                };
                let taken: Vec<(Slot, Origin)> = step.updates.iter().filter_map(taken).collect();
                origins.extend(taken);
                let chosen = step.inputs.iter().zip(inputs).filter(|(input, _)| !input.is_deferred);
                let inputs = chosen.map(|(input, word)| (input.var, Value::Int(meaning(*word, input.ty)))).collect();
                let thread = program::ThreadId(step.thread);
                trace.steps.push(TraceStep { thread, transition: transition as usize, inputs });
            }
        }
    }
    trace
}

/// Where the value of a slot comes from that has not been chosen yet.
fn origin(machine: &Machine<'_>, origins: &Origins, slot: Slot) -> Option<Origin> {
    let initial = match machine.slots[slot as usize].holds {
        Holds::Scalar(var) | Holds::Truth(var) | Holds::Array(var) => Some(Origin::Initial(var)),
        Holds::Location(_) | Holds::Count => None,
    };
    origins.get(&slot).copied().or(initial)
}

fn choose(machine: &Machine<'_>, trace: &mut Trace, origins: &Origins, need: Need, word: Word) {
    let (Need::Slot(slot) | Need::Element(slot, _) | Need::Elements(slot)) = need;
    let value = meaning(word, machine.slots[slot as usize].ty);
    match (need, origin(machine, origins, slot)) {
        (Need::Slot(_), Some(Origin::Input(step, input))) => {
            trace.steps[step].inputs.insert(input, Value::Int(value));
        }
        (Need::Slot(_), Some(Origin::Initial(var))) => {
            let is_truth = machine.program.var(var).sort == Sort::Bool;
            trace.initial.insert(var, if is_truth { Value::Bool(value != 0) } else { Value::Int(value) });
        }
        (Need::Element(_, index), Some(Origin::Initial(var))) => {
            let array = trace.initial.entry(var).or_insert_with(|| Value::Array(Array::filled(0)));
            if let Value::Array(array) = array {
                array.set(i128::from(index), value);
            }
        }
        // Elements that are never chosen are zero in a trace.
        _ => {}
    }
}
