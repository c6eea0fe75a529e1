//! The two accesses of a race, as the scheduler knows them: which threads are to be let go at once, and what each then touches.

use std::collections::BTreeSet;

use check::{Trace, check_trace, conflicts};
use frontend::Loaded;
use program::{ClaimId, ThreadId, Value};

use super::objects::{is_object, object};
use super::schedule::is_inside;

/// The rows of the scheduler's table of accesses, or why there is none.
pub fn accesses(loaded: &Loaded, trace: &Trace, claim: ClaimId) -> Result<Vec<String>, String> {
    let program = &loaded.program;
    let states = check_trace(program, trace).map_err(|error| error.to_string())?;
    let end = states.last().ok_or("the trace is none")?;
    let conflict =
        conflicts(program, end).find(|conflict| conflict.claim == claim).ok_or("the two accesses are lost")?;
    let inside = is_inside(loaded, end);
    let row = |thread: ThreadId| {
        let location = end.locations[thread.0 as usize];
        let section = loaded.sections.contains(&(thread, location)) && !inside;
        let enabled = program.thread(thread).from(location).filter(|step| {
            step.guard.iter().all(|term| term.eval(&|var| end.value(var).cloned()) != Ok(Value::Bool(false)))
        });
        let touched = enabled.flat_map(|step| step.reads().into_iter().chain(step.updates.iter().map(|(var, _)| *var)));
        let names: BTreeSet<String> =
            touched.filter(|var| is_object(program.var(*var))).map(|var| object(loaded, program.var(var))).collect();
        let names: Vec<String> = names.into_iter().collect();
        format!("  {{ {}, '{}', \" {} \" }},\n", thread.0, if section { 'A' } else { 'X' }, names.join(" "))
    };
    Ok(conflict.threads().into_iter().map(row).collect())
}
