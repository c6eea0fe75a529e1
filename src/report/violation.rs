//! Which claim is violated, where, and who called whom to get there.

use check::{Replayed, check_trace};
use frontend::{Inlined, Loaded};
use program::ClaimId;

use super::trace::failing;

/// The violated claim in a line, then the functions around it, the innermost first.
pub fn text(loaded: &Loaded, run: &Replayed, claim: ClaimId) -> String {
    let program = &loaded.program;
    let what = program.claim(claim).map_or("an error", |claim| &claim.violation);
    let mut text = format!("{}: {what}\n", program.place(claim.span));
    for line in stack(loaded, run, claim) {
        text += &format!("  {line}\n");
    }
    text
}

/// The functions around the claim that a run violates, a line each: `in put, called at queue.c:44`. Where threads are in conflict the trace says
/// where each of them is.
pub fn stack(loaded: &Loaded, run: &Replayed, claim: ClaimId) -> Vec<String> {
    let program = &loaded.program;
    let end = check_trace(program, run).ok().and_then(|states| states.into_iter().next_back());
    let Some((thread, location)) = end.and_then(|end| failing(program, &end)) else { return Vec::new() };
    let name = &program.thread(thread).name;
    let runs = |function: &str| {
        if function == name { format!("in {function}") } else { format!("in {function}, run by thread {name}") }
    };
    // The program may have more locations than the text was lowered to: then they are others.
    let is_there = program.thread(thread).location(location).span == claim.span;
    match loaded.legend.calls.get(&(thread, location)).filter(|_| is_there).map(Vec::as_slice) {
        Some([inner @ .., outermost]) => {
            let called = |call: &Inlined| format!("in {}, called at {}", call.function, program.place(call.at));
            inner.iter().map(called).chain([runs(&outermost.function)]).collect()
        }
        _ => {
            let function = program.claim(claim).map(|claim| claim.function.as_str()).filter(|name| !name.is_empty());
            function.map(runs).into_iter().collect()
        }
    }
}
