//! Where the trace ends in the text: the statement that the error is in. The scheduler is told whenever a thread comes to it.

use std::ops::Range;

use check::Trace;
use frontend::Loaded;
use frontend::source::StatementKind;
use program::Span;

use super::places::offset;
use crate::witness::{Places, StatementId};

/// A statement, and how often the failing thread comes to it.
pub struct Arrival {
    statement: StatementId,
    /// How often it begins the statement, the last time included.
    pub times: usize,
    /// Its place in the text.
    pub place: Span,
}

/// Where the trace ends, if that is a statement of the text.
pub fn arrival(loaded: &Loaded, trace: &Trace) -> Option<Arrival> {
    let places = Places::new(loaded);
    let last = trace.steps.last()?;
    let thread = loaded.program.thread(last.thread);
    let span = thread.transitions.get(last.transition)?.span;
    let statement = places.carried_out(last.thread, last.transition)?;
    let mut times = 0;
    let mut before = None;
    for step in trace.steps.iter().filter(|step| step.thread == last.thread) {
        let source = thread.transitions.get(step.transition)?.source;
        let now = places.carried_out(step.thread, step.transition);
        let begins = !places.is_inside(step.thread, source) || before != Some(statement);
        times += usize::from(now == Some(statement) && begins && places.next(step.thread, source) == Some(statement));
        before = now;
    }
    (times > 0).then_some(Arrival { statement, times, place: span })
}

/// What to put where in the text so that the scheduler learns of it, if there is room before the statement.
pub fn announced(loaded: &Loaded, text: &str, arrival: &Arrival) -> Option<Vec<(Range<usize>, String)>> {
    const CALL: &str = "threader_arrive()";
    let places = Places::new(loaded);
    let statement = places.statement(arrival.statement);
    let first = offset(text, statement.first).filter(|_| statement.first.file == 0)?;
    let whole = || {
        let end = offset(text, statement.last).filter(|end| text[*end..].starts_with(';'))? + 1;
        Some(vec![(first..first, format!("{{ {CALL}; ")), (end..end, " }".into())])
    };
    match statement.kind {
        StatementKind::Expression => whole(),
        StatementKind::Declaration => Some(vec![(first..first, format!("{CALL}; "))]),
        StatementKind::Other if text[first..].starts_with("return") => whole(),
        StatementKind::While(_) | StatementKind::Other => {
            let head = ["if", "while", "switch"].iter().find_map(|word| text[first..].strip_prefix(word))?;
            let open = head.trim_start().strip_prefix('(')?;
            let at = text.len() - open.len();
            Some(vec![(at..at, format!("{CALL}, "))])
        }
        StatementKind::Compound | StatementKind::OtherLoop => None,
    }
}
