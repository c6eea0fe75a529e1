//! Satisfiability of conjunctions of linear constraints over the integers by elimination of variables (Fourier and Motzkin),
//! without a solver.
//!
//! Eliminating a variable is exact over the integers where of each pair of an upper and a lower bound one has the coefficient 1;
//! sums of counters, which are what programs compare, are of that kind. Where it is not exact, only a contradiction counts.
//! Disequalities and disjunctions that the solution found violates are split upon.

use crate::literal::{Literal, LiteralTable, Relation, Shape, Symbol, ZERO};
use crate::model::{Answer, Model};

/// More case splits than this go to Z3.
const SPLITS: usize = 100;
/// As do systems that grow beyond this many constraints.
const ROWS: usize = 400;

/// `sum of coefficients <= bound` (or `=`, or `!=`, by where it is kept). The coefficients are by variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    coefficients: Vec<i128>,
    bound: i128,
}

struct Problem<'a> {
    table: &'a LiteralTable,
    symbols: Vec<Symbol>,
    upper: Vec<Row>,
    equal: Vec<Row>,
    unequal: Vec<Row>,
    choices: Vec<&'a [Literal]>,
    splits: usize,
}

/// What is known of the constraints without disequalities.
enum Found {
    Solution(Vec<i128>),
    Contradiction,
    Unclear,
}

/// A solution of the conjunction with every symbol in its range, or that there is none; nothing if this fragment cannot say.
pub(crate) fn solve(table: &LiteralTable, literals: &[Literal]) -> Option<Answer> {
    let mut symbols: Vec<Symbol> = literals.iter().flat_map(|l| table.info(*l).symbols.iter().copied()).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let (upper, equal, unequal, choices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut problem = Problem { table, symbols, upper, equal, unequal, choices, splits: 0 };
    for k in 0..problem.symbols.len() {
        let symbol = problem.symbols[k];
        if let Some((low, high)) = table.range(symbol) {
            let above = problem.row(&[(symbol, 1)], high);
            let below = problem.row(&[(symbol, -1)], -low);
            problem.upper.extend([above, below]);
        }
    }
    for literal in literals {
        if !problem.add(*literal)? {
            return Some(Answer::Contradiction);
        }
    }
    problem.solve()
}

impl<'a> Problem<'a> {
    fn row(&self, terms: &[(Symbol, i128)], bound: i128) -> Row {
        let mut coefficients = vec![0; self.symbols.len()];
        for (symbol, c) in terms.iter().filter(|(symbol, _)| *symbol != ZERO) {
            if let Ok(k) = self.symbols.binary_search(symbol) {
                coefficients[k] += c;
            }
        }
        Row { coefficients, bound }
    }

    /// Adds a literal: false if it is constantly false, nothing if it is outside the fragment.
    fn add(&mut self, literal: Literal) -> Option<bool> {
        let table = self.table;
        match &table.info(literal).shape {
            Shape::Le { plus, minus, bound } => self.upper.push(self.row(&[(*plus, 1), (*minus, -1)], *bound)),
            Shape::Eq { plus, minus, bound } => self.equal.push(self.row(&[(*plus, 1), (*minus, -1)], *bound)),
            Shape::Ne { plus, minus, bound } => self.unequal.push(self.row(&[(*plus, 1), (*minus, -1)], *bound)),
            Shape::Sum { terms, relation, bound } => {
                let row = self.row(terms, *bound);
                match relation {
                    Relation::Le => self.upper.push(row),
                    Relation::Eq => self.equal.push(row),
                    Relation::Ne => self.unequal.push(row),
                }
            }
            Shape::And(items) => {
                for item in items {
                    if !self.add(*item)? {
                        return Some(false);
                    }
                }
            }
            Shape::Or(items) => self.choices.push(items),
            Shape::Constant(value) => return Some(*value),
            Shape::Opaque => return None,
        }
        Some(true)
    }

    fn solve(&mut self) -> Option<Answer> {
        self.splits += 1;
        if self.splits > SPLITS {
            return None;
        }
        let solution = match find(self.upper.clone(), self.equal.clone(), self.symbols.len()) {
            Found::Contradiction => return Some(Answer::Contradiction),
            Found::Unclear => None,
            Found::Solution(solution) => Some((Model::new(&self.symbols, solution.iter().copied()), solution)),
        };
        let satisfied = |literal: &Literal| {
            solution.as_ref().is_some_and(|(model, _)| model.satisfies(self.table, *literal) == Some(true))
        };
        if let Some(k) = self.choices.iter().rposition(|items| !items.iter().any(satisfied)) {
            let items = self.choices.remove(k);
            let result = self.try_each(items);
            self.choices.insert(k, items);
            return result;
        }
        let (model, solution) = solution?;
        let violated = self.unequal.iter().find(|row| value(row, &solution) == Some(row.bound)).cloned();
        let Some(Row { coefficients, bound }) = violated else { return Some(Answer::Solution(model)) };
        let negated = coefficients.iter().map(|c| -c).collect();
        for row in [Row { coefficients, bound: bound - 1 }, Row { coefficients: negated, bound: -bound - 1 }] {
            self.upper.push(row);
            let result = self.solve();
            self.upper.pop();
            if result != Some(Answer::Contradiction) {
                return result;
            }
        }
        Some(Answer::Contradiction)
    }

    fn try_each(&mut self, items: &'a [Literal]) -> Option<Answer> {
        for item in items {
            let sizes = (self.upper.len(), self.equal.len(), self.unequal.len(), self.choices.len());
            let result = if self.add(*item)? { self.solve() } else { Some(Answer::Contradiction) };
            self.upper.truncate(sizes.0);
            self.equal.truncate(sizes.1);
            self.unequal.truncate(sizes.2);
            self.choices.truncate(sizes.3);
            if result != Some(Answer::Contradiction) {
                return result;
            }
        }
        Some(Answer::Contradiction)
    }
}

fn value(row: &Row, solution: &[i128]) -> Option<i128> {
    row.coefficients.iter().zip(solution).try_fold(0i128, |sum, (c, x)| sum.checked_add(c.checked_mul(*x)?))
}

/// How a variable was eliminated: what its value is when those of the later ones are known.
enum Eliminated {
    /// By an equality in which its coefficient is 1 or -1.
    Equal(usize, Row),
    /// By its bounds.
    Bounded(usize, Vec<Row>),
}

/// A solution of upper bounds and equalities.
fn find(mut upper: Vec<Row>, mut equal: Vec<Row>, count: usize) -> Found {
    let mut order: Vec<Eliminated> = Vec::new();
    let mut exact = true;
    while !equal.is_empty() {
        let unit = |row: &Row| row.coefficients.iter().position(|c| c.abs() == 1);
        let Some((at, k)) = equal.iter().enumerate().find_map(|(at, row)| Some((at, unit(row)?))) else { break };
        let row = equal.swap_remove(at);
        let Some(()) = upper.iter_mut().chain(&mut equal).try_for_each(|other| replace(other, &row, k)) else {
            return Found::Unclear;
        };
        order.push(Eliminated::Equal(k, row));
    }
    for row in equal {
        let divisor = row.coefficients.iter().fold(0i128, |d, c| gcd(d, c.abs()));
        if if divisor == 0 { row.bound != 0 } else { row.bound % divisor != 0 } {
            return Found::Contradiction;
        }
        exact &= divisor == 0;
        upper.push(Row { coefficients: row.coefficients.iter().map(|c| -c).collect(), bound: -row.bound });
        upper.push(row);
    }
    loop {
        if upper.iter_mut().any(|row| !tighten(row)) {
            return Found::Contradiction;
        }
        upper.sort_unstable();
        upper.dedup_by(|later, kept| later.coefficients == kept.coefficients);
        upper.retain(|row| row.coefficients.iter().any(|c| *c != 0));
        let Some(k) = cheapest(&upper, count) else { break };
        let (with, mut rest): (Vec<Row>, Vec<Row>) = upper.into_iter().partition(|row| row.coefficients[k] != 0);
        for above in with.iter().filter(|row| row.coefficients[k] > 0) {
            for below in with.iter().filter(|row| row.coefficients[k] < 0) {
                let (a, b) = (above.coefficients[k], -below.coefficients[k]);
                exact &= a == 1 || b == 1;
                let Some(row) = combine(above, b, below, a) else { return Found::Unclear };
                rest.push(row);
            }
        }
        if rest.len() > ROWS {
            return Found::Unclear;
        }
        order.push(Eliminated::Bounded(k, with));
        upper = rest;
    }
    match solution(&order, count) {
        Some(solution) if exact => Found::Solution(solution),
        _ => Found::Unclear,
    }
}

/// Replaces the variable in a row by what the equality says it is.
fn replace(row: &mut Row, equality: &Row, k: usize) -> Option<()> {
    let factor = row.coefficients[k].checked_mul(equality.coefficients[k])?;
    if factor == 0 { Some(()) } else { add(row, equality, factor.checked_neg()?) }
}

/// `row + factor * other`, in place.
fn add(row: &mut Row, other: &Row, factor: i128) -> Option<()> {
    for (x, y) in row.coefficients.iter_mut().zip(&other.coefficients) {
        if *y != 0 {
            *x = x.checked_add(y.checked_mul(factor)?)?;
        }
    }
    row.bound = row.bound.checked_add(other.bound.checked_mul(factor)?)?;
    Some(())
}

/// `a * first + b * second`.
fn combine(first: &Row, a: i128, second: &Row, b: i128) -> Option<Row> {
    let mut row = first.clone();
    if a != 1 {
        for x in &mut row.coefficients {
            *x = x.checked_mul(a)?;
        }
        row.bound = row.bound.checked_mul(a)?;
    }
    add(&mut row, second, b)?;
    Some(row)
}

/// Divides by the common divisor of the coefficients; false if the row is a contradiction.
fn tighten(row: &mut Row) -> bool {
    let divisor = row.coefficients.iter().fold(0i128, |d, c| gcd(d, c.abs()));
    match divisor {
        0 => row.bound >= 0,
        1 => true,
        _ => {
            row.coefficients.iter_mut().for_each(|c| *c /= divisor);
            row.bound = row.bound.div_euclid(divisor);
            true
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The variable whose elimination leaves fewest rows.
fn cheapest(rows: &[Row], count: usize) -> Option<usize> {
    let cost = |k: &usize| {
        let above = rows.iter().filter(|row| row.coefficients[*k] > 0).count();
        let below = rows.iter().filter(|row| row.coefficients[*k] < 0).count();
        (above * below) as isize - (above + below) as isize
    };
    (0..count).filter(|k| rows.iter().any(|row| row.coefficients[*k] != 0)).min_by_key(cost)
}

/// Values of all variables, the last eliminated first.
fn solution(order: &[Eliminated], count: usize) -> Option<Vec<i128>> {
    let mut values = vec![0; count];
    for eliminated in order.iter().rev() {
        match eliminated {
            Eliminated::Equal(k, row) => {
                values[*k] = 0;
                values[*k] = row.bound.checked_sub(value(row, &values)?)?.checked_mul(row.coefficients[*k])?;
            }
            Eliminated::Bounded(k, rows) => {
                values[*k] = 0;
                let (mut low, mut high) = (None::<i128>, None::<i128>);
                for row in rows {
                    let (c, rest) = (row.coefficients[*k], row.bound.checked_sub(value(row, &values)?)?);
                    if c > 0 {
                        let bound = rest.div_euclid(c);
                        high = Some(high.map_or(bound, |h| h.min(bound)));
                    } else {
                        // c x <= rest with c < 0 is x >= rest / c, rounded up.
                        let bound = -rest.div_euclid(-c);
                        low = Some(low.map_or(bound, |l| l.max(bound)));
                    }
                }
                if low.zip(high).is_some_and(|(low, high)| low > high) {
                    return None;
                }
                values[*k] = low.or(high).unwrap_or(0);
            }
        }
    }
    Some(values)
}
