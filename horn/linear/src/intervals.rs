//! Conjunctions decided by intervals: most of what is asked has no solution because some variable has none, or has one that is found
//! by giving the variables values one after the other.
//!
//! A contradiction between intervals is one of the constraints they come from. A solution is tried on every constraint before it
//! counts. Of a disjunction, what intervals contradict is left out; if more than one of its parts remain, each is tried. Whatever
//! is neither is left to others.

use std::ops::Range;

use smallvec::SmallVec;

use crate::literal::{Literal, LiteralTable, Relation, Shape, Symbol, ZERO};
use crate::model::{Answer, Model};
use crate::names::NAMES;

/// Rounds of propagation: what is not settled by then is seldom settled by more.
const ROUNDS: usize = 6;
/// More cases than this are left to others.
const CASES: usize = 60;
/// How far values are spread.
const APART: i128 = 1 << 10;

/// `sum of coefficients (<=, =) bound`, by index of the variable.
struct Row {
    terms: SmallVec<[(usize, i128); 4]>,
    relation: Relation,
    bound: i128,
}

/// A conjunction.
#[derive(Default)]
struct Case {
    rows: Vec<Row>,
    /// Disequalities, which intervals do not follow.
    unequal: Vec<Literal>,
    choices: Vec<Choice>,
}

/// A disjunction.
struct Choice(Vec<Case>);

/// The values that a variable may have: the outermost numbers stand for none.
#[derive(Clone, Copy)]
struct Interval {
    low: i128,
    high: i128,
}

/// No lower bound, no upper bound.
const ANY: Interval = Interval { low: i128::MIN, high: i128::MAX };

/// What is assumed at some point of the search.
struct Search<'a> {
    table: &'a LiteralTable,
    symbols: &'a [Symbol],
    intervals: SmallVec<[Interval; 16]>,
    /// Whose intervals have become narrower since all rows were looked at.
    narrower: SmallVec<[bool; 32]>,
    rows: Vec<&'a Row>,
    /// How many rows have been looked at.
    seen: usize,
    unequal: Vec<Literal>,
    /// Disjunctions of which no part has been chosen.
    open: Vec<&'a Choice>,
    /// How many parts of disjunctions have been tried.
    tried: usize,
}

/// A point of the search to come back to.
#[derive(Clone)]
struct Mark<'a> {
    intervals: SmallVec<[Interval; 16]>,
    open: Vec<&'a Choice>,
    rows: usize,
    unequal: usize,
}

/// Which values of their intervals variables are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// The least.
    Least,
    /// Such as are far from each other: what differs is then seen to.
    Spread,
}

/// Someone else must decide.
struct Unclear;

/// There is no solution.
struct Contradiction;

/// A solution of the conjunction with every symbol in its range, or that there is none; nothing if intervals cannot say.
pub(crate) fn solve(table: &LiteralTable, literals: &[Literal]) -> Option<Answer> {
    let mut symbols: SmallVec<[Symbol; 16]> =
        literals.iter().flat_map(|l| table.info(*l).symbols.iter().copied()).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let mut all = Case { rows: Vec::with_capacity(literals.len()), ..Case::default() };
    for literal in literals {
        match all.add(table, &symbols, *literal) {
            Ok(true) => {}
            Ok(false) => return Some(Answer::Contradiction),
            Err(Unclear) => return None,
        }
    }
    let interval = |symbol: &Symbol| table.range(*symbol).map_or(ANY, |(low, high)| Interval { low, high });
    let intervals = symbols.iter().map(interval).collect();
    let narrower = SmallVec::from_elem(false, symbols.len());
    let (rows, unequal, open) = (Vec::new(), Vec::new(), Vec::new());
    let mut search = Search { table, symbols: &symbols, intervals, narrower, rows, seen: 0, unequal, open, tried: 0 };
    search.assume(&all);
    match search.solve()? {
        true => Some(Answer::Solution(Model::new(&symbols, search.intervals.iter().map(|interval| interval.low)))),
        false => Some(Answer::Contradiction),
    }
}

impl Case {
    /// Adds a literal; false if it is constantly false.
    fn add(&mut self, table: &LiteralTable, symbols: &[Symbol], literal: Literal) -> Result<bool, Unclear> {
        let row = |terms: &[(Symbol, i128)], relation: Relation, bound: i128| {
            let known = terms.iter().filter(|(symbol, _)| *symbol != ZERO);
            let terms = known.filter_map(|(symbol, c)| Some((symbols.binary_search(symbol).ok()?, *c))).collect();
            Row { terms, relation, bound }
        };
        match &table.info(literal).shape {
            Shape::Le { plus, minus, bound } => self.rows.push(row(&[(*plus, 1), (*minus, -1)], Relation::Le, *bound)),
            Shape::Eq { plus, minus, bound } => self.rows.push(row(&[(*plus, 1), (*minus, -1)], Relation::Eq, *bound)),
            Shape::Sum { terms, relation: relation @ (Relation::Le | Relation::Eq), bound } => {
                self.rows.push(row(terms, *relation, *bound));
            }
            Shape::Ne { .. } | Shape::Sum { .. } => self.unequal.push(literal),
            Shape::And(items) => {
                for item in items {
                    if !self.add(table, symbols, *item)? {
                        return Ok(false);
                    }
                }
            }
            Shape::Or(items) => {
                let mut cases = Vec::with_capacity(items.len());
                for item in items {
                    let mut case = Case::default();
                    if case.add(table, symbols, *item)? {
                        cases.push(case);
                    }
                }
                self.choices.push(Choice(cases));
            }
            Shape::Constant(value) => return Ok(*value),
            Shape::Opaque => return Err(Unclear),
        }
        Ok(true)
    }
}

impl<'a> Search<'a> {
    fn assume(&mut self, case: &'a Case) {
        self.rows.extend(&case.rows);
        self.unequal.extend_from_slice(&case.unequal);
        self.open.extend(&case.choices);
    }

    fn mark(&self) -> Mark<'a> {
        let (rows, unequal) = (self.rows.len(), self.unequal.len());
        Mark { intervals: self.intervals.clone(), open: self.open.clone(), rows, unequal }
    }

    fn back_to(&mut self, mark: Mark<'a>) {
        (self.intervals, self.open) = (mark.intervals, mark.open);
        self.rows.truncate(mark.rows);
        self.unequal.truncate(mark.unequal);
        self.narrower.fill(false);
        self.seen = mark.rows;
    }

    /// Whether there is a solution, if that can be said: then every interval is its value.
    fn solve(&mut self) -> Option<bool> {
        if self.propagate().is_err() || self.choose_what_is_left().is_err() {
            return Some(false);
        }
        if self.open.is_empty() {
            return self.has_evident_solution(Values::Least).then_some(true);
        }
        let start = self.mark();
        for values in [Values::Least, Values::Spread] {
            if self.has_evident_solution(values) {
                return Some(true);
            }
            self.back_to(start.clone());
        }
        let Choice(cases) = self.open.pop()?;
        let mut unclear = false;
        for case in cases.iter().filter(|case| !refuted(&self.intervals, case)).collect::<Vec<_>>() {
            self.tried += 1;
            if self.tried > CASES {
                return None;
            }
            let start = self.mark();
            self.assume(case);
            match self.solve() {
                Some(true) => return Some(true),
                Some(false) => {}
                None => unclear = true,
            }
            self.back_to(start);
        }
        (!unclear).then_some(false)
    }

    /// Chooses parts of disjunctions where intervals leave only one, and drops disjunctions that hold in any case.
    fn choose_what_is_left(&mut self) -> Result<(), Contradiction> {
        loop {
            let (mut k, mut chosen) = (0, false);
            while let Some(Choice(cases)) = self.open.get(k) {
                let mut left = cases.iter().filter(|case| !refuted(&self.intervals, case));
                match (left.next(), left.next()) {
                    (None, _) => return Err(Contradiction),
                    (Some(only), None) => {
                        self.open.swap_remove(k);
                        self.assume(only);
                        self.propagate()?;
                        chosen = true;
                    }
                    _ if cases.iter().any(|case| certain(&self.intervals, case)) => {
                        self.open.swap_remove(k);
                    }
                    _ => k += 1,
                }
            }
            // What was chosen may leave less of the others.
            if !chosen {
                return Ok(());
            }
        }
    }

    /// Narrows the intervals by all rows that may make them narrower.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        for _ in 0..ROUNDS {
            let before = std::mem::replace(&mut self.narrower, SmallVec::from_elem(false, self.symbols.len()));
            let seen = std::mem::replace(&mut self.seen, self.rows.len());
            let mut changed = false;
            for (k, row) in self.rows.iter().enumerate() {
                if k < seen && !row.terms.iter().any(|(k, _)| before[*k] || self.narrower[*k]) {
                    continue;
                }
                changed |= narrow(&mut self.intervals, &mut self.narrower, row, 1)?;
                if row.relation == Relation::Eq {
                    changed |= narrow(&mut self.intervals, &mut self.narrower, row, -1)?;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Whether giving the variables values one after the other leads to a solution. What has a definition comes last: it then has
    /// its value already.
    fn has_evident_solution(&mut self, values: Values) -> bool {
        let variables = self.symbols.partition_point(|symbol| *symbol < NAMES);
        let valued = self.give_values(0..variables, values) && self.choose_what_is_left().is_ok();
        if !valued || !self.give_values(variables..self.symbols.len(), values) || self.choose_what_is_left().is_err() {
            return false;
        }
        let holds = |row: &Row| {
            let sum =
                row.terms.iter().try_fold(0i128, |sum, (k, c)| sum.checked_add(c.checked_mul(self.intervals[*k].low)?));
            sum.is_some_and(|sum| row.relation.holds(sum, row.bound))
        };
        self.open.is_empty()
            && self.rows.iter().all(|row| holds(row))
            && self.unequal.iter().all(|literal| self.holds(*literal))
    }

    /// Gives values to these variables; whether intervals admit them.
    fn give_values(&mut self, variables: Range<usize>, values: Values) -> bool {
        for k in variables {
            let Interval { low, high } = self.intervals[k];
            if low == high {
                continue;
            }
            let far = if values == Values::Spread { APART * (1 + k as i128) } else { 0 };
            let candidates = match (low, high) {
                (i128::MIN, i128::MAX) => [far, far + 1, far + 2],
                (i128::MIN, _) => [far, far + 1, far + 2].map(|far| high.saturating_sub(far)),
                _ => [far, far + 1, far + 2].map(|far| low.saturating_add(far).min(high)),
            };
            let Some(value) = candidates.into_iter().find(|value| !self.is_excluded(k, *value)) else { return false };
            self.intervals[k] = Interval { low: value, high: value };
            self.narrower[k] = true;
            if self.propagate().is_err() {
                return false;
            }
        }
        true
    }

    /// Whether a disequality forbids a value, those variables having theirs of which the intervals say so.
    fn is_excluded(&self, k: usize, value: i128) -> bool {
        let valued = |symbol: Symbol| match self.symbols.binary_search(&symbol) {
            _ if symbol == ZERO => Some(0),
            Ok(j) if j == k => Some(value),
            Ok(j) if self.intervals[j].low == self.intervals[j].high => Some(self.intervals[j].low),
            _ => None,
        };
        self.unequal.iter().any(|literal| match &self.table.info(*literal).shape {
            Shape::Ne { plus, minus, bound } => {
                let difference = valued(*plus).zip(valued(*minus)).and_then(|(x, y)| x.checked_sub(y));
                difference == Some(*bound)
            }
            _ => false,
        })
    }

    /// Whether a disequality holds where every variable has the one value of its interval; false if that cannot be said.
    fn holds(&self, literal: Literal) -> bool {
        let value = |symbol: Symbol| match self.symbols.binary_search(&symbol) {
            _ if symbol == ZERO => Some(0),
            Ok(k) if self.intervals[k].low == self.intervals[k].high => Some(self.intervals[k].low),
            _ => None,
        };
        let difference = |plus: Symbol, minus: Symbol| value(plus)?.checked_sub(value(minus)?);
        match &self.table.info(literal).shape {
            Shape::Ne { plus, minus, bound } => difference(*plus, *minus).is_some_and(|d| d != *bound),
            Shape::Sum { terms, relation, bound } => {
                let sum = terms.iter().try_fold(0i128, |sum, (s, c)| sum.checked_add(c.checked_mul(value(*s)?)?));
                sum.is_some_and(|sum| relation.holds(sum, *bound))
            }
            _ => false,
        }
    }
}

/// Whether no values within the intervals make a conjunction true, as far as its single rows tell.
fn refuted(intervals: &[Interval], case: &Case) -> bool {
    let beyond = |row: &Row, sign: i128| {
        least(intervals, row, sign).zip(row.bound.checked_mul(sign)).is_some_and(|(least, bound)| least > bound)
    };
    case.rows.iter().any(|row| beyond(row, 1) || row.relation == Relation::Eq && beyond(row, -1))
}

/// Whether all values within the intervals make a conjunction true.
fn certain(intervals: &[Interval], case: &Case) -> bool {
    let within = |row: &Row, sign: i128| {
        let greatest = least(intervals, row, -sign).and_then(i128::checked_neg);
        greatest.zip(row.bound.checked_mul(sign)).is_some_and(|(greatest, bound)| greatest <= bound)
    };
    let holds = |row: &Row| within(row, 1) && (row.relation != Relation::Eq || within(row, -1));
    case.unequal.is_empty() && case.choices.is_empty() && case.rows.iter().all(holds)
}

/// The least that `sign * row` can be, if there is one.
fn least(intervals: &[Interval], row: &Row, sign: i128) -> Option<i128> {
    row.terms.iter().try_fold(0i128, |sum, (k, c)| match least_of(intervals[*k], c * sign) {
        Least::Of(value) => sum.checked_add(value),
        Least::None | Least::Overflow => None,
    })
}

/// Narrows the intervals by `sign * row <= sign * bound`; whether that changed any, and which. What overflows narrows nothing.
fn narrow(intervals: &mut [Interval], narrower: &mut [bool], row: &Row, sign: i128) -> Result<bool, Contradiction> {
    // The least that the sum can be, without the terms that have no least.
    let (mut least, mut without) = (0i128, 0usize);
    for (k, c) in &row.terms {
        match least_of(intervals[*k], c * sign) {
            Least::Of(value) => match least.checked_add(value) {
                Some(sum) => least = sum,
                None => return Ok(false),
            },
            Least::None => without += 1,
            Least::Overflow => return Ok(false),
        }
    }
    let Some(slack) = row.bound.checked_mul(sign).and_then(|bound| bound.checked_sub(least)) else { return Ok(false) };
    if without == 0 && slack < 0 {
        return Err(Contradiction);
    }
    let mut changed = false;
    for (k, c) in &row.terms {
        let c = c * sign;
        let own = match (without, least_of(intervals[*k], c)) {
            (0, Least::Of(own)) => own,
            (1, Least::None) => 0,
            _ => continue,
        };
        // c x <= slack + own.
        let Some(room) = slack.checked_add(own) else { continue };
        let interval = &mut intervals[*k];
        if c > 0 {
            let high = if c == 1 { room } else { room.div_euclid(c) };
            if high < interval.high {
                *interval = Interval { high, ..*interval };
                (narrower[*k], changed) = (true, true);
            }
        } else if c < 0 {
            let low = if c == -1 { -room } else { -room.div_euclid(-c) };
            if low > interval.low {
                *interval = Interval { low, ..*interval };
                (narrower[*k], changed) = (true, true);
            }
        }
        if interval.low > interval.high {
            return Err(Contradiction);
        }
    }
    Ok(changed)
}

enum Least {
    Of(i128),
    None,
    Overflow,
}

/// The least that `c x` can be.
fn least_of(interval: Interval, c: i128) -> Least {
    let end = if c >= 0 { interval.low } else { interval.high };
    if end == i128::MIN || end == i128::MAX {
        return if c == 0 { Least::Of(0) } else { Least::None };
    }
    c.checked_mul(end).map_or(Least::Overflow, Least::Of)
}
