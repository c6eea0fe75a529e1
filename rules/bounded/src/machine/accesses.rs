//! Which globals threads may still touch, and which steps nobody else can notice.

use std::collections::BTreeSet;

use program::{Owner, Term, Thread, VarId};
use rustc_hash::FxHashMap;

use super::{Machine, Slot, Step, Word};

/// Twice a global's slot, plus one for a write.
type Access = u32;

/// When the steps from a location are not seen by other threads.
#[derive(Clone, Debug)]
pub(crate) enum Solo {
    /// Not, or a loop could go on for ever without anybody else.
    Never,
    /// If each of these accesses is still to be made by so many threads: the thread itself, or nobody.
    If(Box<[(Access, u32)]>),
}

/// Which globals are read and written, a bit for all whose slots are equal modulo 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touch {
    reads: u64,
    writes: u64,
}

impl Touch {
    fn of<'a>(accesses: impl IntoIterator<Item = &'a Access>) -> Touch {
        let mut touch = Touch::default();
        for access in accesses {
            let bit = 1 << (access / 2 % 64);
            if access & 1 == 1 { touch.writes |= bit } else { touch.reads |= bit }
        }
        touch
    }

    /// Whether neither can notice the other: in either order they lead to the same state.
    pub(crate) fn is_independent_of(self, other: Touch) -> bool {
        self.writes & (other.reads | other.writes) == 0 && other.writes & self.reads == 0
    }

    fn with(self, other: Touch) -> Touch {
        Touch { reads: self.reads | other.reads, writes: self.writes | other.writes }
    }
}

/// The sets of accesses that threads may still make.
#[derive(Default)]
pub(crate) struct Accesses {
    sets: Vec<Box<[Access]>>,
    globals: usize,
}

impl Accesses {
    /// How many threads may still make each access, by where they are initially.
    pub(crate) fn counts(&self, machine: &Machine<'_>, words: &[Word]) -> Vec<u32> {
        let mut counts = vec![0; self.globals * 2];
        for thread in 0..program::number(machine.threads.len()) {
            for access in &self.sets[machine.at(words, thread).future as usize] {
                counts[*access as usize] += 1;
            }
        }
        counts
    }

    /// A thread that could make the accesses of one set can make those of another.
    pub(crate) fn change(&self, counts: &mut [u32], from: u32, to: u32) {
        if from == to {
            return;
        }
        for access in &self.sets[from as usize] {
            counts[*access as usize] -= 1;
        }
        for access in &self.sets[to as usize] {
            counts[*access as usize] += 1;
        }
    }
}

impl Solo {
    /// Whether nobody else can notice.
    pub(crate) fn holds(&self, counts: &[u32]) -> bool {
        match self {
            Solo::Never => false,
            Solo::If(accesses) => accesses.iter().all(|(access, count)| counts[*access as usize] == *count),
        }
    }
}

/// Fills in what threads may still touch, for every location.
pub(super) fn compute(machine: &mut Machine<'_>) {
    let is_global = |slot: &Slot| match machine.slots[*slot as usize].holds {
        super::Holds::Scalar(var) | super::Holds::Truth(var) | super::Holds::Array(var) => {
            machine.program.var(var).owner == Owner::Global
        }
        super::Holds::Location(_) | super::Holds::Count => false,
    };
    let globals = (0..program::number(machine.slots.len())).take_while(is_global).count();
    fill_in_touches(machine, globals);
    let mut sets: FxHashMap<Box<[Access]>, u32> = FxHashMap::default();
    let mut found = Accesses { sets: Vec::new(), globals };
    let mut room = ROOM;
    for (id, thread) in machine.program.threads() {
        let own = own_accesses(machine, id.0 as usize, globals);
        let Some(future) = futures(thread, &own, &mut room) else {
            // Without the sets of some thread, no step is known not to be seen.
            let locations = machine.threads.iter_mut().flat_map(|thread| &mut thread.locations);
            locations.for_each(|location| (location.future, location.solo) = (0, Solo::Never));
            machine.accesses = Accesses { sets: vec![Box::default()], globals: 0 };
            return;
        };
        for (location, (own, future)) in own.into_iter().zip(future).enumerate() {
            let code = &machine.threads[id.0 as usize].locations[location];
            let steps = &machine.steps[code.steps.start as usize..code.steps.end as usize];
            // Where a thread may be in conflict, others must have time to come.
            let is_seen = |step: &Step| step.is_back || step.transition.is_none();
            let solo = if steps.is_empty() || steps.iter().any(is_seen) {
                Solo::Never
            } else {
                Solo::If(unseen(&own, &future))
            };
            let set: Box<[Access]> = future.into_iter().collect();
            let next = program::number(found.sets.len());
            let number = *sets.entry(set.clone()).or_insert(next);
            if number == next {
                found.sets.push(set);
            }
            let code = &mut machine.threads[id.0 as usize].locations[location];
            (code.future, code.solo) = (number, solo);
        }
    }
    machine.accesses = found;
}

/// What a step touches.
fn touched(machine: &Machine<'_>, step: &Step, globals: usize) -> BTreeSet<Access> {
    let global = |var: VarId| machine.slot_of[var.0 as usize].filter(|slot| (*slot as usize) < globals);
    let conditions = step.guard.iter().map(|c| c.term).chain(step.defined.iter().map(|(c, _, _)| c.term));
    let read = conditions.chain(step.updates.iter().map(|update| update.term)).flat_map(Term::vars);
    let read = read.filter_map(global).map(|slot| slot * 2);
    let written = step.updates.iter().map(|update| update.slot).filter(|slot| (*slot as usize) < globals);
    read.chain(written.map(|slot| slot * 2 + 1)).collect()
}

/// By location: what its steps touch.
fn own_accesses(machine: &Machine<'_>, thread: usize, globals: usize) -> Vec<BTreeSet<Access>> {
    let steps = |location: &super::LocationCode| location.steps.start as usize..location.steps.end as usize;
    let together = |location: &super::LocationCode| {
        machine.steps[steps(location)].iter().flat_map(|step| touched(machine, step, globals)).collect()
    };
    machine.threads[thread].locations.iter().map(together).collect()
}

fn fill_in_touches(machine: &mut Machine<'_>, globals: usize) {
    for number in 0..machine.steps.len() {
        let touch = Touch::of(&touched(machine, &machine.steps[number], globals));
        machine.steps[number].touch = touch;
    }
    let steps = &machine.steps;
    for location in machine.threads.iter_mut().flat_map(|thread| &mut thread.locations) {
        let range = location.steps.start as usize..location.steps.end as usize;
        location.touch = steps[range].iter().fold(Touch::default(), |all, step| all.with(step.touch));
    }
}

/// Accesses that all sets together may hold. Long threads that touch many globals have sets whose size is quadratic.
const ROOM: usize = 4_000_000;

/// By location: what is touched from there on; nothing if there is no room.
fn futures(thread: &Thread, own: &[BTreeSet<Access>], room: &mut usize) -> Option<Vec<BTreeSet<Access>>> {
    let mut future = own.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for step in thread.transitions.iter().rev() {
            let (source, target) = (step.source.0 as usize, step.target.0 as usize);
            let missing: Vec<Access> = future[target].difference(&future[source]).copied().collect();
            *room = room.checked_sub(missing.len())?;
            changed |= !missing.is_empty();
            future[source].extend(missing);
        }
    }
    Some(future)
}

/// A read must not be followed by another's write, a write not by another's access.
fn unseen(own: &BTreeSet<Access>, future: &BTreeSet<Access>) -> Box<[(Access, u32)]> {
    let mut conditions = BTreeSet::new();
    for access in own {
        conditions.insert(access | 1);
        if access & 1 == 1 {
            conditions.insert(access & !1);
        }
    }
    conditions.into_iter().map(|access| (access, u32::from(future.contains(&access)))).collect()
}
