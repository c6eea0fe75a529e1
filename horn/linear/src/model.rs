//! Solutions, by which further questions about the same conjunction are answered without another search.

use crate::literal::{Literal, LiteralTable, Relation, Shape, Symbol, ZERO};

/// A value for every symbol that a conjunction and its definitions speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model(Vec<(Symbol, i128)>);

/// What is known of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has this solution, among others.
    Solution(Model),
    /// It has none.
    Contradiction,
}

impl Answer {
    /// Whether there is a solution.
    pub fn is_satisfiable(&self) -> bool {
        matches!(self, Answer::Solution(_))
    }
}

impl Model {
    /// These values of these symbols, which are sorted.
    pub(crate) fn new(symbols: &[Symbol], values: impl IntoIterator<Item = i128>) -> Model {
        Model(symbols.iter().copied().zip(values).collect())
    }

    /// Whether a literal holds; nothing if it speaks of what the model does not.
    pub fn satisfies(&self, table: &LiteralTable, literal: Literal) -> Option<bool> {
        let difference = |plus: &Symbol, minus: &Symbol| self.value(*plus)?.checked_sub(self.value(*minus)?);
        Some(match &table.info(literal).shape {
            Shape::Le { plus, minus, bound } => difference(plus, minus)? <= *bound,
            Shape::Eq { plus, minus, bound } => difference(plus, minus)? == *bound,
            Shape::Ne { plus, minus, bound } => difference(plus, minus)? != *bound,
            Shape::Sum { terms, relation, bound } => {
                let add =
                    |sum: i128, (symbol, c): &(Symbol, i128)| sum.checked_add(c.checked_mul(self.value(*symbol)?)?);
                relation.holds(terms.iter().try_fold(0, add)?, *bound)
            }
            Shape::And(items) => self.is_among(table, items, false).map(|found| !found)?,
            Shape::Or(items) => self.is_among(table, items, true)?,
            Shape::Constant(value) => *value,
            Shape::Opaque => return None,
        })
    }

    /// Whether one of the literals has this value; nothing if none of those that have one does, and some have none.
    fn is_among(&self, table: &LiteralTable, literals: &[Literal], value: bool) -> Option<bool> {
        let mut all = true;
        for literal in literals {
            match self.satisfies(table, *literal) {
                Some(holds) if holds == value => return Some(true),
                Some(_) => {}
                None => all = false,
            }
        }
        all.then_some(false)
    }

    fn value(&self, symbol: Symbol) -> Option<i128> {
        if symbol == ZERO {
            return Some(0);
        }
        self.0.binary_search_by_key(&symbol, |(s, _)| *s).ok().map(|k| self.0[k].1)
    }
}

impl Relation {
    pub(crate) fn holds(self, sum: i128, bound: i128) -> bool {
        match self {
            Relation::Le => sum <= bound,
            Relation::Eq => sum == bound,
            Relation::Ne => sum != bound,
        }
    }
}
