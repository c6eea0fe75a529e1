//! From what happened in a search to a trace that the checker replays.

use std::collections::BTreeMap;

use check::{Replayed, Trace, TraceStep, replay};
use program::{Array, Sort, Value, VarId};

use crate::eval::{Need, meaning};
use crate::explorer::Action;
use crate::machine::{Holds, Machine, Slot, Word};

/// Where a value that was chosen late comes from: a step's input, unless it is the variable's initial one.
type Origin = (usize, VarId);

/// The run in which these actions happened, if the checker confirms that it ends in an error.
pub(crate) fn confirm(machine: &Machine<'_>, actions: &[&Action]) -> Option<Replayed> {
    replay(machine.program, trace(machine, actions)).ok()
}

fn trace(machine: &Machine<'_>, actions: &[&Action]) -> Trace {
    let mut trace = Trace::default();
    let mut origins: BTreeMap<Slot, Origin> = BTreeMap::new();
    for action in actions {
        match action {
            Action::Choose { need, word } => choose(machine, &mut trace, &origins, *need, *word),
            Action::Step { step, inputs } => {
                let step = &machine.steps[*step as usize];
                for update in &step.updates {
                    match update.deferred {
                        Some(input) => {
                            let origin = (trace.steps.len(), step.inputs[input as usize].var);
                            origins.insert(update.slot, origin);
                        }
                        None => drop(origins.remove(&update.slot)),
                    }
                }
                let chosen = step.inputs.iter().zip(inputs).filter(|(input, _)| !input.is_deferred);
                let inputs = chosen.map(|(input, word)| (input.var, Value::Int(meaning(*word, input.ty)))).collect();
                let thread = program::ThreadId(step.thread);
                trace.steps.push(TraceStep { thread, transition: step.transition as usize, inputs });
            }
        }
    }
    trace
}

fn choose(machine: &Machine<'_>, trace: &mut Trace, origins: &BTreeMap<Slot, Origin>, need: Need, word: Word) {
    let (Need::Slot(slot) | Need::Element(slot, _) | Need::Elements(slot)) = need;
    let info = machine.slots[slot as usize];
    let (Holds::Scalar(var) | Holds::Truth(var) | Holds::Array(var)) = info.holds else { return };
    let value = meaning(word, info.ty);
    match (need, origins.get(&slot)) {
        (Need::Slot(_), Some((step, input))) => {
            trace.steps[*step].inputs.insert(*input, Value::Int(value));
        }
        (Need::Slot(_), None) => {
            let is_truth = machine.program.var(var).sort == Sort::Bool;
            trace.initial.insert(var, if is_truth { Value::Bool(value != 0) } else { Value::Int(value) });
        }
        (Need::Element(_, index), _) => {
            let array = trace.initial.entry(var).or_insert_with(|| Value::Array(Array::filled(0)));
            if let Value::Array(array) = array {
                array.set(i128::from(index), value);
            }
        }
        // Elements that are never chosen are zero in a trace.
        (Need::Elements(_), _) => {}
    }
}
