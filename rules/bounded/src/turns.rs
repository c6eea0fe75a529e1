//! Searches side by side, in a fixed order: the first in that order that decides counts, however many workers there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::search::{Cancel, Outcome};

/// Takes so many turns, several at a time; the first decision in their order. A turn is told when an earlier one has decided.
pub(crate) fn first_in_order(
    turns: usize,
    workers: usize,
    cancel: Cancel<'_>,
    take: &(dyn Fn(usize, Cancel<'_>) -> Option<Outcome> + Sync),
) -> Option<Outcome> {
    let (next, decided) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let decisions: Vec<Mutex<Option<Outcome>>> = (0..turns).map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let turn = next.fetch_add(1, Ordering::SeqCst);
            if turn >= turns || turn > decided.load(Ordering::SeqCst) {
                return;
            }
            let is_late = || cancel() || decided.load(Ordering::SeqCst) < turn;
            if let Some(outcome) = take(turn, &is_late) {
                decided.fetch_min(turn, Ordering::SeqCst);
                held(&decisions[turn], |decision| *decision = Some(outcome));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.clamp(1, turns.max(1)) {
            scope.spawn(work);
        }
        work();
    });
    decisions.into_iter().find_map(taken)
}

pub(crate) fn held<T, R>(mutex: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
    work(&mut mutex.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(crate) fn taken<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
