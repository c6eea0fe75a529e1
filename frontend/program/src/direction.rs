//! In which order threads seem to take the elements of arrays of locks: by rising or by falling index.
//!
//! Each thread is executed by itself, with whatever values of what others write and of what arrays hold, and it is counted how often it waits
//! for an element against the one order and against the other. Nothing rests on it: the order is claimed, and the claim is proved or not.

use std::collections::{BTreeMap, BTreeSet};

use crate::eval::Value;
use crate::model::{Init, LocationId, Owner, Program, ThreadId, VarId};
use crate::slots::{Slots, element};
use crate::term::Term;

/// So many executions of each thread, of so many steps each, with so many attempts at each.
const WALKS: u64 = 32;
const STEPS: u64 = 64;
const ATTEMPTS: u64 = 16;
/// Values are chosen below this: the loops of programs are short for them.
const VALUES: u64 = 6;

/// The arrays whose elements seem to be taken by falling index.
pub(crate) fn falling(program: &Program, slots: &Slots) -> BTreeSet<VarId> {
    let Some(relaxed) = program.without_arrays() else { return BTreeSet::new() };
    let mut against: BTreeMap<VarId, [usize; 2]> = BTreeMap::new();
    for (thread, _) in program.threads() {
        if program.waits(thread).iter().any(|wait| element(program, wait).is_some()) {
            for walk in 0..WALKS {
                Walk { program, relaxed: &relaxed, slots, thread, own: BTreeMap::new(), chosen: walk }.go(&mut against);
            }
        }
    }
    against.into_iter().filter(|(_, [rising, falling])| rising > falling).map(|(array, _)| array).collect()
}

struct Walk<'p> {
    program: &'p Program,
    /// The same without its arrays.
    relaxed: &'p Program,
    slots: &'p Slots,
    thread: ThreadId,
    /// The values of the thread's own variables.
    own: BTreeMap<VarId, i128>,
    /// The last number that was chosen.
    chosen: u64,
}

impl Walk<'_> {
    /// Executes the thread, and counts the waits that are against the rising order, and against the falling one.
    fn go(&mut self, against: &mut BTreeMap<VarId, [usize; 2]>) {
        let mut location = self.relaxed.thread(self.thread).entry;
        for var in self.relaxed.locals(self.thread).collect::<Vec<_>>() {
            let value = match self.relaxed.var(var).init {
                Init::Value(value) => value.as_int().unwrap_or_default(),
                Init::Arbitrary => self.choose(var),
            };
            self.own.insert(var, value);
        }
        for _ in 0..STEPS {
            self.count(location, against);
            match (0..ATTEMPTS).find_map(|_| self.step(location)) {
                Some(next) => location = next,
                None => return,
            }
        }
    }

    fn count(&self, location: LocationId, against: &mut BTreeMap<VarId, [usize; 2]>) {
        let value = |term: Term| term.eval_int(&|var| self.own.get(&var).copied().map(Value::Int)).ok();
        for wait in self.program.waits(self.thread).iter().filter(|wait| wait.location == location) {
            let Some((array, index)) = element(self.program, wait) else { continue };
            let (Some(index), Some(slots)) = (value(index), self.slots.of(self.thread, array)) else { continue };
            let held = slots.iter().filter_map(|slot| value(self.program.term(*slot))).filter(|held| *held >= 0);
            let counts = against.entry(array).or_default();
            for held in held {
                counts[0] += usize::from(index <= held);
                counts[1] += usize::from(index >= held);
            }
        }
    }

    /// Takes a step, if the one that is chosen can be taken with the values that are.
    fn step(&mut self, location: LocationId) -> Option<LocationId> {
        let steps: Vec<_> = self.relaxed.thread(self.thread).from(location).collect();
        let step = *steps.get(usize::try_from(self.next() % u64::try_from(steps.len().max(1)).ok()?).ok()?)?;
        let mut all = self.own.clone();
        let foreign = step.reads().into_iter().filter(|var| self.relaxed.var(*var).owner != Owner::Local(self.thread));
        for var in foreign.collect::<Vec<_>>() {
            let value = self.choose(var);
            all.insert(var, value);
        }
        let value = |var: VarId| all.get(&var).copied().map(Value::Int);
        let mut conditions = step.guard.iter().copied().chain(step.defined.iter().map(|defined| defined.condition));
        if !conditions.all(|condition| condition.eval_bool(&value) == Ok(true)) {
            return None;
        }
        let own = step.updates.iter().filter(|(var, _)| self.own.contains_key(var));
        let written: Option<Vec<_>> = own.map(|(var, term)| Some((*var, term.eval_int(&value).ok()?))).collect();
        self.own.extend(written?);
        Some(step.target)
    }

    fn choose(&mut self, var: VarId) -> i128 {
        let chosen = i128::from(self.next() % VALUES);
        self.relaxed.var(var).ty.wrap(chosen)
    }

    fn next(&mut self) -> u64 {
        self.chosen = self.chosen.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.chosen >> 33
    }
}
