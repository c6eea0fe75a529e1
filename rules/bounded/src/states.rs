//! All states of a program that has few, as formulas: what an exhaustive search has seen, for others to check. And some states of
//! any program, for others to guess from.
//!
//! Nothing is left out that belongs to a state: the search is made without reductions, and a value that has not been chosen, or does not matter any
//! more, is any value. So each step of the program from a state described here leads to one described here.

use std::collections::BTreeMap;

use program::{LocationId, Owner, Program, Term, VarId};

use crate::bounds::{Bounds, Order, Reduction, Search};
use crate::breadth;
use crate::eval::{id, meaning};
use crate::explorer::{Explorer, compile};
use crate::machine::{Counting, Holds, Slot, UNSET};
use crate::search::{Cancel, Watch};

/// By the locations of all threads: the states there, each a conjunction of literals.
pub type States = BTreeMap<Vec<LocationId>, Vec<Vec<Term>>>;

/// Values that are told apart where something is chosen: with more, there are states that nobody has seen.
const SAMPLES: usize = 256;
/// Longer arrays are not described element by element.
const LONGEST: u64 = 256;

/// The states of a program without errors, if there are no more than `limit` and all can be executed.
pub fn states(program: &Program, limit: usize, cancel: Cancel<'_>) -> Option<States> {
    if program.threads().any(|(_, thread)| thread.location(thread.entry).violates().is_some()) {
        return None;
    }
    let bounds = Bounds { states: limit, samples: SAMPLES, ..Bounds::default() };
    explored(program, &bounds, cancel, |explorer, found_error| {
        if found_error || !explorer.coverage.is_exhaustive() {
            return None;
        }
        let mut all = States::new();
        for contents in 0..explorer.memory.known() {
            explorer.memory.restore(contents);
            let (place, literals) = explorer.described()?;
            all.entry(place).or_default().push(literals);
        }
        Some(all)
    })?
}

/// A state that a run comes to: where the threads are, and the integers that variables hold there. What has no value yet, or none that
/// matters, is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// By thread.
    pub place: Vec<LocationId>,
    /// In the order of variables.
    pub values: Vec<(VarId, i128)>,
}

impl Sample {
    /// What a variable holds.
    pub fn value(&self, var: VarId) -> Option<i128> {
        let at = self.values.binary_search_by_key(&var, |(var, _)| *var).ok()?;
        Some(self.values[at].1)
    }
}

/// Values that samples hold, all together at most.
const VALUES: usize = 1_000_000;

/// The first `limit` states that runs come to, shorter runs first; fewer where they are large, or there is an error among them.
pub fn sample(program: &Program, limit: usize, cancel: Cancel<'_>) -> Vec<Sample> {
    let states = limit.min(VALUES / program.var_count().max(1));
    let bounds = Bounds { states, ..Bounds::default() };
    let all = explored(program, &bounds, cancel, |explorer, _| {
        let known = 0..explorer.memory.known();
        known
            .filter_map(|contents| {
                explorer.memory.restore(contents);
                explorer.sampled()
            })
            .collect()
    });
    all.unwrap_or_default()
}

/// What `see` makes of a search of a program, breadth-first and without reductions, and of whether it found an error.
fn explored<R>(
    program: &Program,
    bounds: &Bounds,
    cancel: Cancel<'_>,
    see: impl FnOnce(&mut Explorer<'_>, bool) -> R,
) -> Option<R> {
    let how = Search { order: Order::BreadthFirst, reduction: Reduction::None, ..Search::default() };
    let (machine, arrays) = compile(program, &how, Counting::No).ok()?;
    let mut explorer = Explorer::new(&machine, arrays, bounds, &how);
    let found = breadth::search(&mut explorer, &mut Watch::new(cancel, &|_| ()));
    Some(see(&mut explorer, found.is_some()))
}

impl Explorer<'_> {
    /// Where the threads are in the present state.
    fn place(&self) -> Option<Vec<LocationId>> {
        let words = self.memory.words();
        let locate = |slot: Slot| u32::try_from(words[slot as usize]).ok().map(LocationId);
        self.machine.threads.iter().map(|code| locate(code.location)).collect()
    }

    /// Whether a variable's value matters where the threads are.
    fn matters(&self, var: VarId, place: &[LocationId]) -> bool {
        match self.machine.program.var(var).owner {
            Owner::Local(thread) => self.machine.liveness.locals(thread, place[thread.0 as usize]).contains(&var),
            Owner::Global | Owner::Input(_) => true,
        }
    }

    /// The present state's integers.
    fn sampled(&self) -> Option<Sample> {
        let place = self.place()?;
        let mut values = Vec::new();
        for (info, word) in self.machine.slots.iter().zip(self.memory.words()) {
            if let Holds::Scalar(var) = info.holds
                && *word != UNSET
                && self.matters(var, &place)
            {
                values.push((var, meaning(*word, info.ty)));
            }
        }
        values.sort_unstable();
        Some(Sample { place, values })
    }

    /// The present state: where the threads are, and what variables hold.
    fn described(&self) -> Option<(Vec<LocationId>, Vec<Term>)> {
        let place = self.place()?;
        let mut literals = Vec::new();
        for (info, word) in self.machine.slots.iter().zip(self.memory.words()) {
            let (Holds::Scalar(var) | Holds::Truth(var) | Holds::Array(var)) = info.holds else { continue };
            if !self.matters(var, &place) {
                continue;
            }
            let declared = self.machine.program.var(var);
            let term = self.machine.program.term(var);
            match info.holds {
                Holds::Array(_) => {
                    let length = declared.length.filter(|length| *length <= LONGEST)?;
                    for index in 0..i64::try_from(length).ok()? {
                        let element = self.arrays.get(id(*word), index);
                        if element != UNSET {
                            let held = Term::int(meaning(element, info.ty));
                            literals.push(term.select(Term::int(i128::from(index))).eq_to(held));
                        }
                    }
                }
                _ if *word == UNSET => {}
                Holds::Truth(_) => literals.push(if *word != 0 { term } else { term.not() }),
                _ => literals.push(term.eq_to(Term::int(meaning(*word, info.ty)))),
            }
        }
        Some((place, literals))
    }
}
