//! Work that is done in a certain order, or ahead of it where there are workers.
//!
//! Several lanes are followed in rounds: a turn of each in their order, then the next round, until a turn finds what all are looking
//! for. With more than one worker each lane has a thread of its own, since what it keeps from turn to turn may not leave it, and takes
//! its turns before it is asked for them, as long as fewer turns than workers are being taken; the one that is asked for first goes
//! first. What is heard of the turns and what is found is the same: who finds something stops the turns that come after it, and
//! nobody hears of those.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

use smt::Cancel;

use super::STACK;

/// What a turn leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<F> {
    /// To what all are looking for.
    Found(F),
    /// To another turn of this lane.
    Open,
    /// To nothing: the lane has ended.
    Over,
}

/// Takes the turn of a round, unless it is asked to stop; with what is to be told of it.
pub type Turn<'l, N, F> = Box<dyn FnMut(usize, &Cancel) -> (N, Step<F>) + 'l>;

/// Begins a lane, on the thread that follows it, when its first turn comes.
pub type Lane<'l, N, F> = Box<dyn Fn() -> Turn<'l, N, F> + Sync + 'l>;

/// What the first turn finds that finds something. All turns until then are told to `hear`, in their order.
pub fn first<N: Send, F: Send>(
    lanes: &[Lane<'_, N, F>],
    rounds: usize,
    workers: usize,
    cancel: &Cancel,
    hear: &mut dyn FnMut(N),
) -> Option<F> {
    if workers < 2 {
        return in_order(lanes.iter().map(here).collect(), rounds, cancel, hear);
    }
    let gate = Gate::new(workers, lanes.len());
    std::thread::scope(|scope| {
        // However this ends, nobody is left waiting at the gate.
        let _closed = Closing(&gate);
        let follow = |(number, lane)| elsewhere(scope, &gate, lane, (number, rounds), cancel);
        match lanes.iter().enumerate().map(follow).collect() {
            Ok(turns) => in_order(turns, rounds, cancel, hear),
            Err(error) => {
                log::info!("one worker only: {error}");
                gate.close();
                in_order(lanes.iter().map(here).collect(), rounds, cancel, hear)
            }
        }
    })
}

fn in_order<N, F>(mut open: Vec<Turn<'_, N, F>>, rounds: usize, cancel: &Cancel, hear: &mut dyn FnMut(N)) -> Option<F> {
    for round in 0..rounds {
        let mut again = Vec::new();
        for mut turn in open {
            let (told, step) = turn(round, cancel);
            hear(told);
            match step {
                Step::Found(found) => return Some(found),
                Step::Open => again.push(turn),
                Step::Over => {}
            }
        }
        open = again;
    }
    None
}

/// A lane that is followed by who asks for its turns.
fn here<'l, N, F>(lane: &'l Lane<'_, N, F>) -> Turn<'l, N, F> {
    let mut begun = None;
    Box::new(move |round, cancel| begun.get_or_insert_with(lane)(round, cancel))
}

/// A lane, its number and how many turns it has at most, followed by a thread of its own: who asks for a turn waits for it. A panic is
/// heard like anything else: when its turn comes, and not at all if something is found before.
fn elsewhere<'scope, N: Send + 'scope, F: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    gate: &'scope Gate,
    lane: &'scope Lane<'_, N, F>,
    (number, rounds): (usize, usize),
    cancel: &'scope Cancel,
) -> std::io::Result<Turn<'scope, N, F>> {
    let (answers, answered) = channel();
    let follow = move || {
        let mut begun = None;
        for round in 0..rounds {
            let place = Place { round, lane: number };
            let Some(stop) = gate.enter(place, cancel) else { return };
            let taken = catch_unwind(AssertUnwindSafe(|| begun.get_or_insert_with(lane)(round, &stop)));
            let leads = match &taken {
                Ok((_, Step::Open)) if round + 1 < rounds => Leads::On,
                Ok((_, Step::Open | Step::Over)) => Leads::Nowhere,
                Ok((_, Step::Found(_))) | Err(_) => Leads::ToTheEnd,
            };
            // Nobody may be there to hear of it any more.
            let _ = answers.send(taken);
            gate.leave(place, leads);
            if leads != Leads::On {
                return;
            }
        }
    };
    Builder::new().stack_size(STACK).spawn_scoped(scope, follow)?;
    Ok(Box::new(move |_, _| match answered.recv() {
        Ok(Ok(taken)) => taken,
        Ok(Err(panic)) => resume_unwind(panic),
        Err(_) => unreachable!("only turns after the one that ends it all are not taken"),
    }))
}

/// Where a turn is in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    round: usize,
    lane: usize,
}

/// What becomes of a lane, and of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    On,
    Nowhere,
    ToTheEnd,
}

/// Lets as many turns be taken at once as there are workers.
struct Gate {
    turns: Mutex<Turns>,
    changed: Condvar,
}

struct Turns {
    workers: usize,
    /// Those that can be taken.
    ready: BTreeSet<Place>,
    /// Those that are being taken, with what stops them.
    taken: BTreeMap<Place, Cancel>,
    /// From here on, none is needed.
    end: Place,
}

impl Gate {
    fn new(workers: usize, lanes: usize) -> Gate {
        let ready = (0..lanes).map(|lane| Place { round: 0, lane }).collect();
        let end = Place { round: usize::MAX, lane: 0 };
        let turns = Turns { workers, ready, taken: BTreeMap::new(), end };
        Gate { turns: Mutex::new(turns), changed: Condvar::new() }
    }

    /// Waits until a turn may be taken, and gives what stops it; nothing if it is not needed.
    fn enter(&self, place: Place, cancel: &Cancel) -> Option<Cancel> {
        let waits = |turns: &mut Turns| {
            let full = turns.taken.len() >= turns.workers;
            place < turns.end && (full || turns.ready.first() != Some(&place))
        };
        let mut turns = self.changed.wait_while(self.turns(), waits).unwrap_or_else(PoisonError::into_inner);
        turns.ready.remove(&place);
        let stop = (place < turns.end).then(|| cancel.part());
        turns.taken.extend(stop.clone().map(|stop| (place, stop)));
        self.changed.notify_all();
        stop
    }

    /// After a turn was taken.
    fn leave(&self, place: Place, leads: Leads) {
        let mut turns = self.turns();
        turns.taken.remove(&place);
        match leads {
            Leads::On => _ = turns.ready.insert(Place { round: place.round + 1, ..place }),
            Leads::Nowhere => {}
            Leads::ToTheEnd => turns.end_at(Place { lane: place.lane + 1, ..place }),
        }
        self.changed.notify_all();
    }

    /// When no turn is needed any more.
    fn close(&self) {
        self.turns().end_at(Place { round: 0, lane: 0 });
        self.changed.notify_all();
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    fn end_at(&mut self, place: Place) {
        self.end = self.end.min(place);
        self.taken.range(self.end..).for_each(|(_, stop)| stop.cancel());
    }
}

/// Closes a gate when it is dropped.
struct Closing<'g>(&'g Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::current;
    use std::time::Duration;

    use super::*;

    /// A lane that takes so many milliseconds a turn, and finds its name in this round.
    fn finds(name: &'static str, time: u64, when: usize) -> Lane<'static, (&'static str, usize), &'static str> {
        Box::new(move || {
            Box::new(move |round, _| {
                std::thread::sleep(Duration::from_millis(time));
                ((name, round), if round == when { Step::Found(name) } else { Step::Open })
            })
        })
    }

    /// A lane that ends when it is asked to.
    fn waits<N: Default + 'static, F: 'static>() -> Lane<'static, N, F> {
        Box::new(|| {
            Box::new(|_, stop| {
                while !stop.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                (N::default(), Step::Over)
            })
        })
    }

    /// What is found in three rounds, and what is heard.
    fn found<N: Send, F: Send>(lanes: &[Lane<'_, N, F>], workers: usize) -> (Option<F>, Vec<N>) {
        let mut heard = Vec::new();
        let found = first(lanes, 3, workers, &Cancel::new(), &mut |told| heard.push(told));
        (found, heard)
    }

    #[test]
    fn what_is_found_and_heard_does_not_depend_on_the_workers() {
        let over: Lane<'_, _, _> = Box::new(|| Box::new(|round, _| (("over", round), Step::Over)));
        let lanes = [over, finds("slow", 20, 1), finds("never", 0, 9), finds("quick", 0, 1), finds("later", 0, 2)];
        let heard = vec![("over", 0), ("slow", 0), ("never", 0), ("quick", 0), ("later", 0), ("slow", 1)];
        for workers in 1..=6 {
            assert_eq!(found(&lanes, workers), (Some("slow"), heard.clone()), "{workers}");
        }
        let nothing = [finds("a", 1, 9), finds("b", 0, 9)];
        let heard: Vec<_> = (0..3).flat_map(|round| [("a", round), ("b", round)]).collect();
        for workers in 1..=3 {
            assert_eq!(found(&nothing, workers), (None, heard.clone()), "{workers}");
        }
    }

    #[test]
    fn who_comes_after_what_is_found_is_stopped() {
        let lanes = [finds("this", 5, 0), waits(), waits()];
        assert_eq!(found(&lanes, 3), (Some("this"), vec![("this", 0)]));
        assert_eq!(found(&lanes, 2), (Some("this"), vec![("this", 0)]));
    }

    #[test]
    fn who_stops_the_run_stops_every_turn() {
        for workers in 1..=3 {
            let cancel = Cancel::new();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(5));
                    cancel.cancel();
                });
                let lanes: [Lane<'_, (), ()>; 2] = [waits(), waits()];
                let mut heard = 0;
                assert_eq!(first(&lanes, 3, workers, &cancel, &mut |()| heard += 1), None);
                assert_eq!(heard, 2);
            });
        }
    }

    #[test]
    fn no_more_turns_are_taken_at_once_than_there_are_workers() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let lane = || -> Lane<'_, (), ()> {
            Box::new(|| {
                Box::new(|_, _| {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                    ((), Step::Open)
                })
            })
        };
        let lanes = [lane(), lane(), lane(), lane(), lane()];
        assert_eq!(found(&lanes, 2), (None, vec![(); 15]));
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_lane_stays_on_its_thread_and_one_worker_is_the_caller() {
        let lane = || -> Lane<'_, _, ()> {
            Box::new(|| {
                let begun = current().id();
                Box::new(move |_, _| ((begun, current().id()), Step::Open))
            })
        };
        let lanes = [lane(), lane()];
        assert!(found(&lanes, 1).1.iter().all(|ids| *ids == (current().id(), current().id())));
        assert!(found(&lanes, 2).1.iter().all(|(begun, now)| begun == now && *now != current().id()));
    }

    #[test]
    fn a_panic_is_heard_when_its_turn_comes_and_nobody_hangs() {
        let panics = || -> Lane<'_, (&str, usize), &str> { Box::new(|| Box::new(|_, _| panic!("a bug"))) };
        for workers in 1..=3 {
            let lanes = [finds("before", 5, 0), panics(), waits()];
            assert_eq!(found(&lanes, workers).0, Some("before"), "{workers}");
            let lanes = [finds("never", 5, 9), panics(), waits(), finds("after", 0, 0)];
            let panicked = catch_unwind(AssertUnwindSafe(|| found(&lanes, workers))).expect_err("a panic");
            assert_eq!(panicked.downcast_ref(), Some(&"a bug"), "{workers}");
        }
        // Nor if who hears panics.
        let heard = || first(&[finds("a", 0, 9), waits()], 3, 2, &Cancel::new(), &mut |_| panic!("deaf"));
        assert!(catch_unwind(heard).is_err());
    }
}
