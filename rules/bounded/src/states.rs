//! All states of a program that has few, as formulas: what an exhaustive search has seen, for others to check.
//!
//! Nothing is left out that belongs to a state: the search is made without reductions, and a value that has not been chosen, or does not matter any
//! more, is any value. So each step of the program from a state described here leads to one described here.

use std::collections::BTreeMap;

use program::{LocationId, Owner, Program, Term};

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
    let how = Search { order: Order::BreadthFirst, reduction: Reduction::None, ..Search::default() };
    let (machine, arrays) = compile(program, &how, Counting::No).ok()?;
    let mut explorer = Explorer::new(&machine, arrays, &bounds, &how);
    let found = breadth::search(&mut explorer, &mut Watch::new(cancel, &|_| ()));
    if found.is_some() || !explorer.coverage.is_exhaustive() {
        return None;
    }
    let mut all = States::new();
    for contents in 0..explorer.memory.known() {
        explorer.memory.restore(contents);
        let (place, literals) = explorer.described()?;
        all.entry(place).or_default().push(literals);
    }
    Some(all)
}

impl Explorer<'_> {
    /// The present state: where the threads are, and what variables hold.
    fn described(&self) -> Option<(Vec<LocationId>, Vec<Term>)> {
        let words = self.memory.words();
        let locate = |slot: Slot| u32::try_from(words[slot as usize]).ok().map(LocationId);
        let place: Vec<LocationId> =
            self.machine.threads.iter().map(|code| locate(code.location)).collect::<Option<_>>()?;
        let mut literals = Vec::new();
        for (info, word) in self.machine.slots.iter().zip(words) {
            let (Holds::Scalar(var) | Holds::Truth(var) | Holds::Array(var)) = info.holds else { continue };
            let declared = self.machine.program.var(var);
            if let Owner::Local(thread) = declared.owner
                && !self.machine.liveness.locals(thread, place[thread.0 as usize]).contains(&var)
            {
                continue;
            }
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
