//! A trace as the scheduler of a harness knows it: who makes which step on what, and what C leaves open.

use std::collections::BTreeSet;

use check::{State, Trace, check_trace};
use frontend::Loaded;
use program::{Bookkeeping, Choice, ThreadId, Transition, Value, VarId, VarKind};

use super::objects::{is_object, object};
use crate::witness::started;

/// The rows of the scheduler's two tables.
pub struct Schedule {
    /// The steps.
    pub steps: Vec<String>,
    /// The values that are chosen.
    pub chosen: Vec<String>,
}

/// What a thread does in a step, by the letters that the scheduler uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Enters an atomic section.
    Section,
    /// Enters an atomic section in which it touches nothing: its thread may pass it unseen.
    EmptySection,
    Creates,
    Starts,
    Ends,
    Joins,
    Frees,
    Writes,
    Reads,
}

impl Kind {
    fn letter(self) -> char {
        match self {
            Kind::Section => 'A',
            Kind::EmptySection => 'B',
            Kind::Creates => 'C',
            Kind::Starts => 'S',
            Kind::Ends => 'E',
            Kind::Joins => 'J',
            Kind::Frees => 'F',
            Kind::Writes => 'W',
            Kind::Reads => 'R',
        }
    }
}

/// The schedule of a trace, or why no execution can follow it.
pub fn schedule(loaded: &Loaded, trace: &Trace) -> Result<Schedule, String> {
    let program = &loaded.program;
    let states = check_trace(program, trace).map_err(|error| error.to_string())?;
    let mut schedule = Schedule { steps: Vec::new(), chosen: Vec::new() };
    for (step, before) in trace.steps.iter().zip(&states) {
        let thread = program.thread(step.thread);
        let Some(transition) = thread.transitions.get(step.transition) else { return Err("the trace is none".into()) };
        for input in &transition.inputs {
            let value = step.inputs.get(input).unwrap_or(&Value::Int(0));
            match (value, letter_of_choice(program.var(*input).kind)) {
                (Value::Int(value), Some(letter)) => {
                    let line = program.var(*input).span.line;
                    schedule.chosen.push(format!("  {{ {}, '{letter}', {line}, {value}LL }},\n", step.thread.0));
                }
                (Value::Int(0), None) => {}
                // Its name is given to every program.
                (Value::Int(1), None) if program.var(*input).kind == VarKind::Input(Choice::Arguments) => {}
                _ if program.var(*input).kind == VarKind::Input(Choice::Reuse) => {
                    return Err("it needs memory that is used again, which nobody can choose there".into());
                }
                _ => {
                    let line = transition.span.line;
                    return Err(format!("it needs a certain value of what C leaves open in line {line}"));
                }
            }
        }
        // Steps inside a section are no business of the scheduler.
        if !is_inside(loaded, before) {
            schedule.steps.extend(entry(loaded, step.thread, transition));
        }
    }
    Ok(schedule)
}

/// Whether somebody is in an atomic section that takes several steps: then nobody else makes any.
pub fn is_inside(loaded: &Loaded, state: &State) -> bool {
    let owner = |kind: VarKind| kind == VarKind::Control(Bookkeeping::AtomicSection);
    let mut owners = loaded.program.vars().filter(|(_, var)| owner(var.kind));
    owners.any(|(owner, _)| state.value(owner).is_some_and(|value| *value != Value::Int(0)))
}

/// A step as a row; nothing if it does nothing that can be seen from outside.
fn entry(loaded: &Loaded, id: ThreadId, transition: &Transition) -> Option<String> {
    let program = &loaded.program;
    let thread = program.thread(id);
    let written: Vec<VarId> = transition.updates.iter().map(|(var, _)| *var).collect();
    let read: Vec<VarId> = transition.reads().into_iter().collect();
    let child = started(program, transition).first().map_or(-1, |child| i64::from(child.0));
    let objects: BTreeSet<String> = read
        .iter()
        .chain(&written)
        .filter(|var| is_object(program.var(**var)))
        .map(|var| object(loaded, program.var(*var)))
        .collect();
    let keeps =
        |vars: &[VarId], kept: Bookkeeping| vars.iter().any(|var| program.var(*var).kind == VarKind::Control(kept));
    let kind = if loaded.sections.contains(&(id, transition.source)) {
        if objects.is_empty() && child < 0 { Kind::EmptySection } else { Kind::Section }
    } else if child >= 0 {
        Kind::Creates
    } else if transition.source == thread.entry && keeps(&read, Bookkeeping::Started) {
        Kind::Starts
    } else if keeps(&written, Bookkeeping::Ended) {
        Kind::Ends
    } else if keeps(&read, Bookkeeping::Ended) {
        Kind::Joins
    } else if keeps(&written, Bookkeeping::Freed) {
        Kind::Frees
    } else if written.iter().any(|var| is_object(program.var(*var))) {
        Kind::Writes
    } else if !objects.is_empty() {
        Kind::Reads
    } else {
        return None;
    };
    let objects: Vec<String> = objects.into_iter().collect();
    let (letter, line) = (kind.letter(), transition.span.line);
    Some(format!("  {{ {}, '{letter}', \" {} \", {line}, {child} }},\n", id.0, objects.join(" ")))
}

/// What an input decides, as the scheduler knows it; nothing for what no call decides.
fn letter_of_choice(kind: VarKind) -> Option<char> {
    match kind {
        VarKind::Input(Choice::Returned) => Some('n'),
        VarKind::Input(Choice::Random) => Some('r'),
        VarKind::Input(Choice::Chance) => Some('c'),
        VarKind::Input(Choice::Exchange) => Some('l'),
        _ => None,
    }
}
