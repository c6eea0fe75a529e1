//! Conjunctions decided by intervals: most of what is asked has no solution because some variable has none, or has one that is found
//! by giving the variables values one after the other.
//!
//! A contradiction between intervals is one of the constraints they come from. A solution is tried on every constraint before it
//! counts. Whatever is neither is left to others.

use smallvec::SmallVec;

use crate::literal::{Literal, LiteralTable, Relation, Shape, Symbol, ZERO};

/// Rounds of propagation: what is not settled by then is seldom settled by more.
const ROUNDS: usize = 6;

/// `sum of coefficients (<=, =) bound`, by index of the variable.
struct Row {
    terms: SmallVec<[(usize, i128); 4]>,
    relation: Relation,
    bound: i128,
}

/// The values that a variable may have: the outermost numbers stand for none.
#[derive(Clone, Copy)]
struct Interval {
    low: i128,
    high: i128,
}

/// No lower bound, no upper bound.
const ANY: Interval = Interval { low: i128::MIN, high: i128::MAX };

struct Problem<'a> {
    table: &'a LiteralTable,
    symbols: SmallVec<[Symbol; 16]>,
    intervals: SmallVec<[Interval; 16]>,
    rows: Vec<Row>,
    /// What intervals do not follow.
    others: Vec<Literal>,
}

/// Someone else must decide.
struct Unclear;

/// There is no solution.
struct Contradiction;

/// Whether the conjunction has a solution with every symbol in its range; nothing if intervals cannot say.
pub(crate) fn satisfiable(
    table: &LiteralTable,
    literals: &[Literal],
    range: &impl Fn(Symbol) -> Option<(i128, i128)>,
) -> Option<bool> {
    let mut symbols: SmallVec<[Symbol; 16]> =
        literals.iter().flat_map(|l| table.info(*l).symbols.iter().copied()).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let interval = |symbol: &Symbol| range(*symbol).map_or(ANY, |(low, high)| Interval { low, high });
    let intervals = symbols.iter().map(interval).collect();
    let mut problem =
        Problem { table, symbols, intervals, rows: Vec::with_capacity(literals.len()), others: Vec::new() };
    for literal in literals {
        match problem.add(*literal) {
            Ok(true) => {}
            Ok(false) => return Some(false),
            Err(Unclear) => return None,
        }
    }
    match problem.propagate() {
        Err(Contradiction) => Some(false),
        Ok(()) => problem.has_evident_solution().then_some(true),
    }
}

impl Problem<'_> {
    /// Adds a literal; false if it is constantly false.
    fn add(&mut self, literal: Literal) -> Result<bool, Unclear> {
        let table = self.table;
        match &table.info(literal).shape {
            Shape::Le { plus, minus, bound } => self.row(&[(*plus, 1), (*minus, -1)], Relation::Le, *bound),
            Shape::Eq { plus, minus, bound } => self.row(&[(*plus, 1), (*minus, -1)], Relation::Eq, *bound),
            Shape::Sum { terms, relation: relation @ (Relation::Le | Relation::Eq), bound } => {
                self.row(terms, *relation, *bound);
            }
            Shape::Ne { .. } | Shape::Sum { .. } | Shape::Or(_) => self.others.push(literal),
            Shape::And(items) => {
                for item in items {
                    if !self.add(*item)? {
                        return Ok(false);
                    }
                }
            }
            Shape::Constant(value) => return Ok(*value),
            Shape::Opaque => return Err(Unclear),
        }
        Ok(true)
    }

    fn row(&mut self, terms: &[(Symbol, i128)], relation: Relation, bound: i128) {
        let known = terms.iter().filter(|(symbol, _)| *symbol != ZERO);
        let terms = known.filter_map(|(symbol, c)| Some((self.symbols.binary_search(symbol).ok()?, *c))).collect();
        self.rows.push(Row { terms, relation, bound });
    }

    /// Narrows the intervals by all rows.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for row in &self.rows {
                changed |= narrow(&mut self.intervals, row, 1)?;
                if row.relation == Relation::Eq {
                    changed |= narrow(&mut self.intervals, row, -1)?;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Whether giving the variables values one after the other, at an end of their interval, leads to a solution.
    fn has_evident_solution(&mut self) -> bool {
        for k in 0..self.intervals.len() {
            let Interval { low, high } = self.intervals[k];
            if low == high {
                continue;
            }
            let candidates = match (low, high) {
                (i128::MIN, i128::MAX) => [0, 1, 2],
                (i128::MIN, _) => [high, high - 1, high - 2],
                _ => [low, low + 1, high.min(low + 2)],
            };
            let Some(value) = candidates.into_iter().find(|value| !self.is_excluded(k, *value)) else { return false };
            self.intervals[k] = Interval { low: value, high: value };
            if self.propagate().is_err() {
                return false;
            }
        }
        let holds = |row: &Row| {
            let sum =
                row.terms.iter().try_fold(0i128, |sum, (k, c)| sum.checked_add(c.checked_mul(self.intervals[*k].low)?));
            sum.is_some_and(|sum| compare(sum, row.relation, row.bound))
        };
        self.rows.iter().all(holds) && self.others.iter().all(|literal| self.holds(*literal))
    }

    /// Whether a disequality forbids a value, those variables having theirs of which the intervals say so.
    fn is_excluded(&self, k: usize, value: i128) -> bool {
        let valued = |symbol: Symbol| match self.symbols.binary_search(&symbol) {
            _ if symbol == ZERO => Some(0),
            Ok(j) if j == k => Some(value),
            Ok(j) if self.intervals[j].low == self.intervals[j].high => Some(self.intervals[j].low),
            _ => None,
        };
        self.others.iter().any(|literal| match &self.table.info(*literal).shape {
            Shape::Ne { plus, minus, bound } => {
                let difference = valued(*plus).zip(valued(*minus)).and_then(|(x, y)| x.checked_sub(y));
                difference == Some(*bound)
            }
            _ => false,
        })
    }

    /// Whether a literal holds where every variable has the one value of its interval; false if that cannot be said.
    fn holds(&self, literal: Literal) -> bool {
        let value = |symbol: Symbol| match self.symbols.binary_search(&symbol) {
            _ if symbol == ZERO => Some(0),
            Ok(k) if self.intervals[k].low == self.intervals[k].high => Some(self.intervals[k].low),
            _ => None,
        };
        let difference = |plus: Symbol, minus: Symbol| value(plus)?.checked_sub(value(minus)?);
        match &self.table.info(literal).shape {
            Shape::Le { plus, minus, bound } => difference(*plus, *minus).is_some_and(|d| d <= *bound),
            Shape::Eq { plus, minus, bound } => difference(*plus, *minus).is_some_and(|d| d == *bound),
            Shape::Ne { plus, minus, bound } => difference(*plus, *minus).is_some_and(|d| d != *bound),
            Shape::Sum { terms, relation, bound } => {
                let sum = terms.iter().try_fold(0i128, |sum, (s, c)| sum.checked_add(c.checked_mul(value(*s)?)?));
                sum.is_some_and(|sum| compare(sum, *relation, *bound))
            }
            Shape::And(items) => items.iter().all(|item| self.holds(*item)),
            Shape::Or(items) => items.iter().any(|item| self.holds(*item)),
            Shape::Constant(value) => *value,
            Shape::Opaque => false,
        }
    }
}

fn compare(sum: i128, relation: Relation, bound: i128) -> bool {
    match relation {
        Relation::Le => sum <= bound,
        Relation::Eq => sum == bound,
        Relation::Ne => sum != bound,
    }
}

/// Narrows the intervals by `sign * row <= sign * bound`; whether that changed any. What overflows narrows nothing.
fn narrow(intervals: &mut [Interval], row: &Row, sign: i128) -> Result<bool, Contradiction> {
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
            let high = room.div_euclid(c);
            if high < interval.high {
                *interval = Interval { high, ..*interval };
                changed = true;
            }
        } else if c < 0 {
            let low = -room.div_euclid(-c);
            if low > interval.low {
                *interval = Interval { low, ..*interval };
                changed = true;
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
