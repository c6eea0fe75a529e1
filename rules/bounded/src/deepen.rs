//! Bounds that are raised step by step, until there is an error, everything has been looked at, or somebody asks to stop.
//!
//! Several ways to raise them take turns, each with so many states a turn, and four times as many in the next round: an error
//! that one of them comes to late, or never, is often near for another. Turns have a fixed order, and with several workers
//! the first one in that order that decides counts: the outcome does not depend on the number of workers.

use std::sync::Mutex;

use program::Program;

use crate::bounds::{Bounds, Fresh, Order, Reduction, Schedule, Search};
use crate::coverage::{Coverage, Gap, Hits};
use crate::explorer::{Compiled, compile};
use crate::machine::Counting;
use crate::search::{Cancel, Outcome, Report, within};
use crate::turns::{first_in_order, held, taken};

/// How bounds are raised.
#[derive(Clone, Debug)]
pub struct Deepening {
    /// How each search goes about it; the order is that of the turn.
    pub search: Search,
    /// States that the first turns may keep.
    pub states: usize,
    /// States that any search may keep.
    pub limit: usize,
    /// Memory for the states that a search keeps, about, in bytes.
    pub bytes: usize,
    /// Searches at the same time.
    pub workers: usize,
}

impl Default for Deepening {
    fn default() -> Deepening {
        Deepening { search: Search::default(), states: 5_000, limit: 20_000_000, bytes: 2 << 30, workers: 1 }
    }
}

/// Ways to raise bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// More preemptions; threads of one function start in one order.
    Few,
    /// More switches; threads of one function start in one order.
    Contexts,
    /// More preemptions.
    Preemptions,
    /// More deviations from taking turns.
    Turns,
    /// No bound.
    Everything,
    /// More preemptions and iterations of loops.
    Iterations,
    /// Longer runs.
    Length,
}

const WAYS: [Way; 7] =
    [Way::Few, Way::Contexts, Way::Preemptions, Way::Turns, Way::Everything, Way::Iterations, Way::Length];

/// Values tried for a choice, after which more of them are not worth it.
const MOST_SAMPLES: usize = 256;

/// What a way has come to.
struct Lane {
    way: Way,
    /// The bounds of its next search.
    bounds: Bounds,
    /// What its last search that came to its end within the bounds covered.
    covered: Option<Coverage>,
    /// What its last search covered.
    last: Option<Coverage>,
    is_over: bool,
}

/// What all turns share.
struct Prepared<'p> {
    program: &'p Program,
    deepening: &'p Deepening,
    plain: Compiled<'p>,
    counting: Compiled<'p>,
}

impl<'p> Prepared<'p> {
    fn new(program: &'p Program, deepening: &'p Deepening) -> Prepared<'p> {
        let compiled = |counting| compile(program, &deepening.search, counting);
        Prepared { program, deepening, plain: compiled(Counting::No), counting: compiled(Counting::Loops) }
    }

    /// The executable form for certain bounds.
    fn compiled(&self, bounds: &Bounds) -> &Compiled<'p> {
        match Counting::of(bounds) {
            Counting::No => &self.plain,
            Counting::Loops => &self.counting,
        }
    }
}

/// Looks for an error with bounds that are raised step by step.
///
/// Without one, the coverage is that of the most that was looked at completely. The same arguments, `workers` apart, give the same
/// outcome, as long as nobody asks to stop.
pub fn deepen(program: &Program, deepening: &Deepening, cancel: Cancel<'_>, report: Report<'_>) -> Outcome {
    let prepared = Prepared::new(program, deepening);
    let lanes: Vec<Mutex<Lane>> = WAYS.iter().map(|way| Mutex::new(Lane::new(*way))).collect();
    let mut states = deepening.states.max(1);
    loop {
        let budget = states.min(deepening.limit);
        if let Some(outcome) = round(&prepared, &lanes, budget, cancel, report) {
            return outcome;
        }
        let is_over = |lane: &Mutex<Lane>| held(lane, |lane| lane.is_over);
        if cancel() || budget == deepening.limit || lanes.iter().all(is_over) {
            return Outcome::Covered(most(lanes, program));
        }
        states = states.saturating_mul(4);
    }
}

/// A turn for each way; the first decision in their order.
fn round(
    prepared: &Prepared<'_>,
    lanes: &[Mutex<Lane>],
    budget: usize,
    cancel: Cancel<'_>,
    report: Report<'_>,
) -> Option<Outcome> {
    first_in_order(lanes.len(), prepared.deepening.workers, cancel, &|turn, is_late| {
        held(&lanes[turn], |lane| lane.turn(prepared, budget, is_late, report))
    })
}

impl Lane {
    fn new(way: Way) -> Lane {
        let none = Bounds::default();
        let bounds = match way {
            Way::Few => Bounds { preemptions: Some(0), fresh: Fresh::First, ..none },
            Way::Contexts => Bounds { contexts: Some(1), fresh: Fresh::First, ..none },
            Way::Preemptions => Bounds { preemptions: Some(0), ..none },
            Way::Turns => Bounds { preemptions: Some(0), schedule: Schedule::Turns, ..none },
            Way::Iterations => Bounds { preemptions: Some(0), unwind: Some(1), fresh: Fresh::First, ..none },
            Way::Everything | Way::Length => none,
        };
        Lane { way, bounds, covered: None, last: None, is_over: false }
    }

    /// Searches with higher and higher bounds, as long as there are states left.
    fn turn(
        &mut self,
        prepared: &Prepared<'_>,
        budget: usize,
        cancel: Cancel<'_>,
        report: Report<'_>,
    ) -> Option<Outcome> {
        let mut left = budget;
        while left > 0 && !self.is_over && !cancel() {
            let Prepared { program, deepening, .. } = prepared;
            (self.bounds.states, self.bounds.bytes) = (left, deepening.bytes);
            let (compiled, how) = (prepared.compiled(&self.bounds), self.how(&deepening.search));
            let outcome = within(program, compiled, &self.bounds, &how, cancel, report);
            let coverage = match outcome {
                Outcome::Covered(coverage) if !coverage.is_exhaustive() => coverage,
                decided => return Some(decided),
            };
            log::debug!("{:?}: {}, {} states", self.way, coverage.statement(program), coverage.states);
            left = left.saturating_sub(coverage.states.max(1));
            let came_to_its_end = !coverage.hits.states && !coverage.gaps.contains(&Gap::Cancelled);
            if came_to_its_end {
                self.raise(&coverage.hits);
                self.covered = Some(coverage);
            } else {
                self.last = Some(coverage);
                break;
            }
        }
        None
    }

    /// A short error is looked for where no interleaving is left out, all others where as many as possible are.
    fn how(&self, search: &Search) -> Search {
        match self.way {
            Way::Length => Search { order: Order::BreadthFirst, reduction: Reduction::None, ..search.clone() },
            Way::Everything if search.reduction == Reduction::Supersteps => {
                Search { order: Order::DepthFirst, reduction: Reduction::SleepSets, ..search.clone() }
            }
            _ => Search { order: Order::DepthFirst, ..search.clone() },
        }
    }

    /// Raises the bounds that kept a search from going on; it is over if there are none.
    fn raise(&mut self, hits: &Hits) {
        self.is_over = true;
        let mut raise = |bound: &mut Option<u32>, by: &dyn Fn(u32) -> u32| {
            if let Some(value) = bound {
                *value = by(*value);
                self.is_over = false;
            }
        };
        if hits.preemptions {
            raise(&mut self.bounds.preemptions, &|preemptions| preemptions + 1);
        }
        if hits.contexts {
            raise(&mut self.bounds.contexts, &|contexts| contexts + 1);
        }
        if !hits.unwind.is_empty() {
            raise(&mut self.bounds.unwind, &|iterations| iterations.saturating_mul(2));
        }
        if hits.samples && self.bounds.samples < MOST_SAMPLES {
            self.bounds.samples = self.bounds.samples.saturating_mul(2);
            self.is_over = false;
        }
    }
}

/// What was looked at completely, without an order of first steps if possible; else whatever was looked at last.
fn most(lanes: Vec<Mutex<Lane>>, program: &Program) -> Coverage {
    let mut lanes: Vec<Lane> = lanes.into_iter().map(taken).collect();
    lanes.sort_by_key(|lane| lane.way != Way::Preemptions);
    let covered = lanes.iter_mut().find_map(|lane| lane.covered.take());
    let coverage = covered.or_else(|| lanes.iter_mut().find_map(|lane| lane.last.take()));
    coverage.unwrap_or_else(|| {
        let mut none = Coverage::new(program, &Bounds::default(), crate::bounds::Hashing::Exact, false);
        none.gaps.insert(Gap::Cancelled);
        none
    })
}
