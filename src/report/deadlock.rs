//! Who waits for whom, where threads have deadlocked.

use check::{Replayed, State, check_trace, conflicts};
use program::{ClaimId, Holder, LocationKind, Program, Property, Span, Term, TermKind, ThreadId, Value, Wait};

/// A thread that waits, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// The thread.
    pub thread: ThreadId,
    /// Where it waits.
    pub span: Span,
    /// The state of what it waits for.
    pub subject: Term,
    /// What that is: `mutex a`.
    what: String,
    /// Who could end that.
    pub until: Until,
}

/// Who could end a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// A thread that holds it, and waits or has ended.
    Holder(ThreadId, Now),
    /// The end of a thread.
    End(ThreadId),
    /// Nobody any more.
    Nobody,
}

/// What a thread does at the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Now {
    /// It has not ended.
    Alive,
    /// It has ended.
    Ended,
}

impl Waiter {
    /// What it waits for: `mutex a`, `the end of t2`.
    pub fn what(&self, program: &Program) -> String {
        match self.until {
            Until::End(thread) => format!("the end of {}", program.thread(thread).name),
            Until::Holder(..) | Until::Nobody => self.what.clone(),
        }
    }

    /// `waits for mutex b, held by t2`.
    pub fn sentence(&self, program: &Program) -> String {
        let name = |thread: ThreadId| &program.thread(thread).name;
        match self.until {
            Until::Holder(thread, _) if thread == self.thread => format!("waits for {}, held by itself", self.what),
            Until::Holder(thread, Now::Alive) => format!("waits for {}, held by {}", self.what, name(thread)),
            Until::Holder(thread, Now::Ended) => {
                format!("waits for {}, held by {}, which has ended", self.what, name(thread))
            }
            Until::End(_) => format!("waits for {}", self.what(program)),
            Until::Nobody => format!("waits for {}, and nobody can go on", self.what),
        }
    }
}

/// The threads of the deadlock that a run ends with, in the order in which they wait for each other as far as they do.
pub fn waiters(program: &Program, claim: ClaimId, end: &State) -> Vec<Waiter> {
    if claim.property != Property::NoDeadlock {
        return Vec::new();
    }
    let Some(conflict) = conflicts(program, end).find(|conflict| conflict.claim == claim) else { return Vec::new() };
    let threads = conflict.threads();
    // Of several that a thread waits for, one that is in the deadlock.
    let of_thread = |thread: ThreadId| {
        let mut all = program.waits(thread).iter().filter_map(|wait| waiter(program, thread, wait, end));
        let first = all.next()?;
        let inside = |waiter: &Waiter| match waiter.until {
            Until::Holder(other, _) | Until::End(other) => threads.contains(&other),
            Until::Nobody => true,
        };
        if inside(&first) { Some(first) } else { Some(all.find(inside).unwrap_or(first)) }
    };
    threads.iter().filter_map(|thread| of_thread(*thread)).collect()
}

/// The threads of the deadlock that a run ends with, if it ends with one.
pub fn at_end(program: &Program, run: &Replayed) -> Vec<Waiter> {
    let end = check_trace(program, run).ok().and_then(|states| states.into_iter().next_back());
    run.violated().zip(end).map_or_else(Vec::new, |(claim, end)| waiters(program, claim, &end))
}

/// A thread that waits, as a line of text.
pub fn line(program: &Program, waiter: &Waiter) -> String {
    let name = &program.thread(waiter.thread).name;
    format!("{name} at line {} {}", super::line(program, waiter.span), waiter.sentence(program))
}

/// The deadlock that a run ends with, a line a thread.
pub fn lines(program: &Program, run: &Replayed) -> Vec<String> {
    at_end(program, run).iter().map(|waiter| line(program, waiter)).collect()
}

fn holds(term: Term, state: &State) -> bool {
    term.eval(&|var| state.value(var).cloned()) == Ok(Value::Bool(true))
}

fn number(term: Term, state: &State) -> Option<i128> {
    match term.eval(&|var| state.value(var).cloned()) {
        Ok(Value::Int(value)) => Some(value),
        _ => None,
    }
}

fn waiter(program: &Program, thread: ThreadId, wait: &Wait, state: &State) -> Option<Waiter> {
    if state.location(thread) != Some(wait.location) || !wait.when.iter().all(|term| holds(*term, state)) {
        return None;
    }
    let with_id = |id: Term| {
        let id = number(id, state)?;
        program.threads().map(|(other, _)| other).find(|other| program.id(*other).and_then(Term::as_int) == Some(id))
    };
    let until = match wait.holder {
        Holder::Creator => return None,
        Holder::Anyone => Until::Nobody,
        Holder::Ending(id) => Until::End(with_id(id)?),
        Holder::Owner(id) => {
            let owner = with_id(id)?;
            let kind = program.thread(owner).locations.get(state.location(owner)?.0 as usize)?.kind;
            Until::Holder(owner, if kind == LocationKind::End { Now::Ended } else { Now::Alive })
        }
    };
    let what = format!("{} {}", wait.kind, subject(program, wait.subject, state));
    Some(Waiter { thread, span: wait.span, subject: wait.subject, what, until })
}

/// The name of what is waited for: `a`, `forks[2]`.
fn subject(program: &Program, term: Term, state: &State) -> String {
    match term.kind() {
        TermKind::Var(var, _) => {
            let name = &program.var(*var).name;
            // What belongs to it is named after it: `c.waiting(2)`.
            match name.rsplit_once('.') {
                Some((object, part)) if part.ends_with(')') => object.to_string(),
                _ => name.clone(),
            }
        }
        TermKind::Select(array, index) => {
            let index = number(*index, state).map_or_else(|| "?".to_string(), |index| index.to_string());
            format!("{}[{index}]", subject(program, *array, state))
        }
        _ => String::new(),
    }
}
