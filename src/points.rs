//! Formulas where some variables have known values: of a long disjunction, little is left.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Linear, Term, TermKind, VarId};

/// The values of some variables.
pub struct Point(BTreeMap<VarId, i128>);

impl Point {
    /// What a formula says by equations of one variable and a number.
    pub fn of(formula: Term) -> Point {
        let equation = |conjunct: Term| {
            let (form, value) = equation(conjunct)?;
            let [(atom, 1)] = form.monomials() else { return None };
            Some((atom.as_var()?, value))
        };
        Point(formula.conjuncts().into_iter().filter_map(equation).collect())
    }

    /// What is left of a formula: it holds where the variables have these values iff the formula does.
    pub fn apply(&self, formula: Term) -> Term {
        formula.substitute(&|var, _| self.0.get(&var).map(|value| Term::int(*value)))
    }
}

/// A disjunction whose cases can be found by the value of a sum that most of them name.
pub struct Disjunction {
    whole: Term,
    /// The sum, and the cases by its value in them.
    index: Option<(Term, HashMap<i128, Vec<Term>>)>,
    /// The cases that do not name its value.
    others: Vec<Term>,
}

impl Disjunction {
    /// The cases of a formula; it is its only case if it is no disjunction.
    pub fn new(whole: Term) -> Disjunction {
        let cases = whole.disjuncts();
        let mut values: BTreeMap<&Linear, BTreeSet<i128>> = BTreeMap::new();
        let conjuncts: Vec<Vec<Term>> = cases.iter().map(|case| case.conjuncts()).collect();
        for (form, value) in conjuncts.iter().flatten().filter_map(|conjunct| equation(*conjunct)) {
            values.entry(form).or_default().insert(value);
        }
        // The one that tells most cases apart.
        let telling = values.into_iter().max_by_key(|(_, values)| values.len()).map(|(form, _)| form);
        let Some(telling) = telling.filter(|_| cases.len() > 1) else {
            return Disjunction { whole, index: None, others: cases };
        };
        let (mut by_value, mut others) = (HashMap::<i128, Vec<Term>>::new(), Vec::new());
        for (case, conjuncts) in cases.iter().zip(&conjuncts) {
            let named = conjuncts.iter().filter_map(|conjunct| equation(*conjunct)).find(|(form, _)| *form == telling);
            match named {
                Some((_, value)) => by_value.entry(value).or_default().push(*case),
                None => others.push(*case),
            }
        }
        Disjunction { whole, index: Some((Term::linear(telling.clone()), by_value)), others }
    }

    /// What is left of the disjunction where variables have these values; nothing if that does not tell its cases apart.
    pub fn at(&self, point: &Point) -> Option<Term> {
        let Some((sum, by_value)) = &self.index else { return Some(point.apply(self.whole)) };
        let value = point.apply(*sum).as_int()?;
        let alive = by_value.get(&value).into_iter().flatten().chain(&self.others);
        Some(Term::or(alive.map(|case| point.apply(*case))))
    }
}

/// The sum and the number that an equation is of.
fn equation(literal: Term) -> Option<(&'static Linear, i128)> {
    match literal.kind() {
        TermKind::Eq(form, value) => Some((form, *value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::Sort;

    fn var(index: u32) -> Term {
        Term::var(VarId(index), Sort::Int)
    }
    fn is(index: u32, value: i128) -> Term {
        var(index).eq_to(Term::int(value))
    }

    #[test]
    fn a_point_decides_what_it_speaks_of() {
        let point = Point::of(Term::and([is(0, 3), is(1, 4), var(2).le(Term::int(9))]));
        assert_eq!(point.apply(var(0).add(var(1)).eq_to(Term::int(7))), Term::bool(true));
        assert_eq!(point.apply(is(0, 4)), Term::bool(false));
        assert_eq!(point.apply(var(2).le(var(0))), var(2).le(Term::int(3)));
        // Two values of one variable are a contradiction, which is left.
        let nowhere = Term::and([is(0, 1), is(0, 2)]);
        assert_eq!(Point::of(nowhere).apply(nowhere), Term::bool(false));
    }

    #[test]
    fn of_a_disjunction_the_cases_are_left_that_the_point_admits() {
        let odd = var(2).le(Term::int(0));
        let cases = (0..100).map(|k| Term::and([is(0, k), is(1, 2 * k)]));
        let disjunction = Disjunction::new(Term::or(cases.chain([odd])));
        let at = |x, y| disjunction.at(&Point::of(Term::and([is(0, x), is(1, y)])));
        assert_eq!(at(7, 14), Some(Term::bool(true)));
        assert_eq!(at(7, 15), Some(odd), "a case that names no value is always left");
        assert_eq!(at(100, 200), Some(odd));
        assert_eq!(disjunction.at(&Point::of(is(2, 0))), None, "it does not tell the cases apart");
    }
}
