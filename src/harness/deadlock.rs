//! The waits of a deadlock, as the scheduler knows them: which threads are to be let go at the end, in which calls they then stand, and
//! who holds what they wait for. The harness says the lines of the report once it has seen that all of this is so.

use std::collections::BTreeSet;

use check::{Trace, check_trace};
use frontend::Loaded;
use program::ClaimId;

use super::objects::object;
use crate::report::deadlock::{Now, Until, line, waiters};

/// The rows of the scheduler's table of waits, or why there is none.
pub fn waits(loaded: &Loaded, trace: &Trace, claim: ClaimId) -> Result<Vec<String>, String> {
    let program = &loaded.program;
    let states = check_trace(program, trace).map_err(|error| error.to_string())?;
    let waiters = waiters(program, claim, states.last().ok_or("the trace is none")?);
    if waiters.is_empty() {
        return Err("nobody is known to wait".into());
    }
    let rows = waiters.iter().map(|waiter| {
        let (kind, holder) = match waiter.until {
            Until::Holder(holder, Now::Alive) => ('O', i64::from(holder.0)),
            Until::Holder(holder, Now::Ended) => ('K', i64::from(holder.0)),
            Until::End(thread) => ('E', i64::from(thread.0)),
            Until::Nobody => ('N', -1),
        };
        let objects: BTreeSet<String> =
            waiter.subject.vars().into_iter().map(|var| object(loaded, program.var(var))).collect();
        let objects: Vec<String> = objects.into_iter().collect();
        let told = serde_json::Value::from(line(program, waiter));
        format!("  {{ {}, '{kind}', \" {} \", {holder}, {told} }},\n", waiter.thread.0, objects.join(" "))
    });
    Ok(rows.collect())
}
