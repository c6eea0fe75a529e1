//! Stopping Z3 from outside: a token that anyone may set, and a watcher that passes it on to this thread's context.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use z3::Context;

/// How often a watcher looks at its token: well below the two seconds within which a run must end.
const POLL: Duration = Duration::from_millis(20);

/// A token that asks a computation to stop. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    set: AtomicBool,
    outer: Option<Cancel>,
}

impl Cancel {
    /// A token that has not been set.
    pub fn new() -> Cancel {
        Cancel::default()
    }
    /// A token for a part of the computation: it is set with this one, or by itself.
    pub fn part(&self) -> Cancel {
        Cancel(Arc::new(Flag { set: AtomicBool::new(false), outer: Some(self.clone()) }))
    }
    /// Asks to stop.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::SeqCst);
    }
    /// Whether someone asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::SeqCst) || self.0.outer.as_ref().is_some_and(Cancel::is_cancelled)
    }
}

thread_local! {
    /// The token that this thread's Z3 calls listen to.
    static CURRENT: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    /// Whether this thread has asked Z3 anything: only then does it have a context.
    static USED: Cell<bool> = const { Cell::new(false) };
    /// Whether there is a watcher for the context that is in use.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body` in a Z3 context of its own. The solver's choices depend on what its context has seen before; a question that
/// is answered with a solution or a model is asked in a fresh one, so that runs repeat.
pub(crate) fn isolated<R: Send + Sync>(body: impl FnOnce() -> R + Send + Sync) -> R {
    let cancel = CURRENT.with(|current| current.borrow().clone());
    z3::with_z3_config(&z3::Config::new(), move || match cancel {
        Some(cancel) => {
            let outer = CURRENT.with(|current| current.borrow_mut().replace(cancel.clone()));
            let result = watched(&cancel, body);
            CURRENT.with(|current| *current.borrow_mut() = outer);
            result
        }
        None => body(),
    })
}

/// Runs `body` on this thread; while it runs, a set token interrupts the Z3 call it is in, again and again, until it ends.
///
/// A context takes a few milliseconds to make, longer than many proofs, which never ask Z3. So it is not made here: who asks Z3 for
/// the first time ([`asking`]) is watched for that question alone.
pub fn interruptible<R>(cancel: &Cancel, body: impl FnOnce() -> R) -> R {
    let outer = CURRENT.with(|current| current.borrow_mut().replace(cancel.clone()));
    let result = if USED.get() && !WATCHED.get() { watched(cancel, body) } else { body() };
    CURRENT.with(|current| *current.borrow_mut() = outer);
    result
}

/// Asks Z3 something, in this thread's context.
pub(crate) fn asking<R>(body: impl FnOnce() -> R) -> R {
    USED.set(true);
    match CURRENT.with(|current| current.borrow().clone()) {
        Some(cancel) if !WATCHED.get() => watched(&cancel, body),
        _ => body(),
    }
}

fn watched<R>(cancel: &Cancel, body: impl FnOnce() -> R) -> R {
    let context = Context::thread_local();
    let handle = context.handle();
    let outer = WATCHED.replace(true);
    let result = std::thread::scope(|scope| {
        let (finished, wait) = channel::<()>();
        scope.spawn(move || {
            // The sender's end, dropped also when `body` panics, disconnects the channel: the watcher always ends.
            while wait.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if cancel.is_cancelled() {
                    handle.interrupt();
                }
            }
        });
        let result = body();
        drop(finished);
        result
    });
    WATCHED.set(outer);
    result
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use program::{Sort, Term, VarId};

    use super::*;
    use crate::{Answer, Solver};

    #[test]
    fn a_part_ends_with_the_whole_or_by_itself() {
        let whole = Cancel::new();
        let (one, other) = (whole.part(), whole.part().part());
        one.cancel();
        assert!(one.is_cancelled() && !other.is_cancelled() && !whole.is_cancelled());
        whole.cancel();
        assert!(other.is_cancelled() && whole.part().is_cancelled());
    }

    #[test]
    fn a_hard_query_ends_soon_after_the_token_is_set() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            other.cancel();
        });
        let start = Instant::now();
        let answer = interruptible(&cancel, || {
            // a^3 + b^3 + c^3 = 42 over the integers: no solver finds the seventeen digits it takes.
            let cube = |v| {
                let x = Term::var(VarId(v), Sort::Int);
                x.mul(x).mul(x)
            };
            let sum = cube(0).add(cube(1)).add(cube(2));
            Solver::new(u32::MAX).check(&[sum.eq_to(Term::int(42))])
        });
        assert_eq!(answer, Answer::Unknown);
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}
