//! Formulas: comparisons in normal form, and the connectives.

use crate::interner::intern;
use crate::linear::Linear;
use crate::term::{Sort, Term, TermKind};

impl Term {
    /// `self <= other`.
    pub fn le(self, other: Term) -> Term {
        if let Some(split) = compare_with_choice(self, other, Term::le) {
            return split;
        }
        match Linear::of(self).add_scaled(-1, &Linear::of(other)) {
            Some(difference) => at_most_zero(&difference),
            // Not linear in machine integers: compare the difference as one opaque term.
            None => at_most_zero(&Linear::of(self.sub(other))),
        }
    }
    /// `self < other`, over the integers `self + 1 <= other`.
    pub fn lt(self, other: Term) -> Term {
        other.le(self).not()
    }
    /// `self = other`, for integers and arrays.
    pub fn eq_to(self, other: Term) -> Term {
        if self == other {
            return Term::bool(true);
        }
        if self.sort() == Sort::Array {
            // Replacing an element changes nothing if it is what was there.
            for (array, changed) in [(self, other), (other, self)] {
                if let TermKind::Store(rest, at, value) = changed.kind()
                    && *rest == array
                {
                    return array.select(*at).eq_to(*value);
                }
            }
            return intern(TermKind::ArrayEq(self.min(other), self.max(other)), Sort::Bool);
        }
        compare_with_choice(self, other, Term::eq_to).unwrap_or_else(|| self.equation(other))
    }
    /// `self = other` for integers as an equation, also where a choice between constants could be replaced by its condition: what
    /// defines the choice must not be.
    pub fn equation(self, other: Term) -> Term {
        let difference =
            Linear::of(self).add_scaled(-1, &Linear::of(other)).unwrap_or_else(|| Linear::of(self.sub(other)));
        let Some((form, divisor)) = difference.without_offset().primitive() else {
            return Term::bool(difference.offset() == 0);
        };
        // divisor * form + offset = 0 has a solution only if the divisor divides the offset.
        if difference.offset() % divisor != 0 {
            return Term::bool(false);
        }
        intern(TermKind::Eq(form, -difference.offset() / divisor), Sort::Bool)
    }
    /// `self != other`.
    pub fn ne(self, other: Term) -> Term {
        self.eq_to(other).not()
    }
    /// Negation, pushed through the connectives.
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Term {
        match self.kind() {
            TermKind::Bool(value) => Term::bool(!value),
            TermKind::Not(inner) => *inner,
            TermKind::And(items) => Term::or(items.iter().map(|item| item.not())),
            TermKind::Or(items) => Term::and(items.iter().map(|item| item.not())),
            _ => intern(TermKind::Not(self), Sort::Bool),
        }
    }
    /// Conjunction.
    pub fn and(items: impl IntoIterator<Item = Term>) -> Term {
        match connect(items, Connective::And) {
            Ok(items) => intern(TermKind::And(items), Sort::Bool),
            Err(single) => single,
        }
    }
    /// Disjunction.
    pub fn or(items: impl IntoIterator<Item = Term>) -> Term {
        match connect(items, Connective::Or) {
            Ok(items) => intern(TermKind::Or(items), Sort::Bool),
            Err(single) => single,
        }
    }
    /// `self -> other`.
    pub fn implies(self, other: Term) -> Term {
        Term::or([self.not(), other])
    }
    /// The conjuncts of a conjunction, or the term alone; none for `true`.
    pub fn conjuncts(self) -> Vec<Term> {
        match self.kind() {
            TermKind::Bool(true) => Vec::new(),
            TermKind::And(items) => items.to_vec(),
            _ => vec![self],
        }
    }
    /// The disjuncts of a disjunction, or the term alone; none for `false`.
    pub fn disjuncts(self) -> Vec<Term> {
        match self.kind() {
            TermKind::Bool(false) => Vec::new(),
            TermKind::Or(items) => items.to_vec(),
            _ => vec![self],
        }
    }
    /// `low <= self <= high`.
    pub fn within(self, low: i128, high: i128) -> Term {
        Term::and([Term::int(low).le(self), self.le(Term::int(high))])
    }
}

/// The complement of a literal: same atom, other sign.
pub fn negate(literal: Term) -> Term {
    literal.not()
}

/// `sum <= 0` as an atom: divided by the common divisor, the bound rounded toward the integers it admits.
fn at_most_zero(sum: &Linear) -> Term {
    let Some((form, divisor)) = sum.without_offset().primitive() else {
        return Term::bool(sum.offset() <= 0);
    };
    // divisor * form <= -offset.
    let bound = -sum.offset();
    if divisor > 0 {
        intern(TermKind::Le(form, bound.div_euclid(divisor)), Sort::Bool)
    } else {
        // form >= bound / divisor, rounded up; that is not (form <= that - 1).
        let least = -((bound).div_euclid(-divisor));
        intern(TermKind::Le(form, least - 1), Sort::Bool).not()
    }
}

/// A comparison of a choice between constants with a constant is the choice's condition, its negation, or constant.
fn compare_with_choice(a: Term, b: Term, compare: fn(Term, Term) -> Term) -> Option<Term> {
    let arms = |term: Term| match term.kind() {
        TermKind::Ite(c, x, y) if x.as_int().is_some() && y.as_int().is_some() => Some((*c, *x, *y)),
        _ => None,
    };
    let (cond, then, otherwise) = if let (Some((c, x, y)), Some(_)) = (arms(a), b.as_int()) {
        (c, compare(x, b), compare(y, b))
    } else if let (Some(_), Some((c, x, y))) = (a.as_int(), arms(b)) {
        (c, compare(a, x), compare(a, y))
    } else {
        return None;
    };
    match (then.as_bool()?, otherwise.as_bool()?) {
        (true, false) => Some(cond),
        (false, true) => Some(cond.not()),
        (value, _) => Some(Term::bool(value)),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Connective {
    And,
    Or,
}

/// Flattens, sorts and folds; `Err` holds the result if it is no longer a connective.
fn connect(items: impl IntoIterator<Item = Term>, connective: Connective) -> Result<Box<[Term]>, Term> {
    let neutral = connective == Connective::And;
    let mut flat = Vec::new();
    for item in items {
        match item.kind() {
            TermKind::Bool(value) if *value == neutral => {}
            TermKind::Bool(_) => return Err(item),
            TermKind::And(inner) if connective == Connective::And => flat.extend_from_slice(inner),
            TermKind::Or(inner) if connective == Connective::Or => flat.extend_from_slice(inner),
            _ => flat.push(item),
        }
    }
    flat.sort_unstable();
    flat.dedup();
    if flat.iter().any(|item| matches!(item.kind(), TermKind::Not(inner) if flat.binary_search(inner).is_ok())) {
        return Err(Term::bool(!neutral));
    }
    match flat.as_slice() {
        [] => Err(Term::bool(neutral)),
        [single] => Err(*single),
        _ => Ok(flat.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::VarId;

    fn int(value: i128) -> Term {
        Term::int(value)
    }
    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }
    fn y() -> Term {
        Term::var(VarId(1), Sort::Int)
    }
    fn at_most(bound: i128) -> Term {
        x().le(int(bound))
    }

    #[test]
    fn comparisons_are_divided_and_rounded() {
        let twice = x().mul(int(2));
        assert_eq!(twice.add(int(4)).le(int(7)), at_most(1));
        assert_eq!(int(3).le(twice), at_most(1).not());
        assert_eq!(twice.neg().le(int(3)), at_most(-2).not());
        assert_eq!(x().lt(int(2)), at_most(1));
        assert_eq!(int(1).lt(x()), at_most(1).not());
        assert_eq!(x().le(x().add(int(1))), Term::bool(true));
        assert_eq!(x().add(int(1)).le(x()), Term::bool(false));
    }

    /// All atoms over one form are one chain, whichever side they were written on.
    #[test]
    fn a_form_has_one_sign() {
        let form = Linear::of(x().sub(y()));
        assert_eq!(x().sub(y()).le(int(3)).kind(), &TermKind::Le(form.clone(), 3));
        let flipped = y().sub(x()).le(int(-5)).not();
        assert_eq!(flipped.kind(), &TermKind::Le(form, 4));
    }

    #[test]
    fn bounds_agree_with_arithmetic() {
        for factor in [-3, -2, 2, 3] {
            for offset in -4..4 {
                let sum = x().mul(int(factor)).add(int(offset));
                let (le, eq) = (sum.le(int(0)), sum.eq_to(int(0)));
                for value in -5..5 {
                    let at = |term: Term| term.substitute(&|_, _| Some(int(value))).as_bool();
                    let exact = factor * value + offset;
                    assert_eq!((at(le), at(eq)), (Some(exact <= 0), Some(exact == 0)), "{factor} * {value} + {offset}");
                }
            }
        }
    }

    #[test]
    fn equations_without_a_solution_are_false() {
        let even = x().mul(int(2)).add(y().mul(int(4)));
        assert_eq!(even.eq_to(int(3)), Term::bool(false));
        assert_eq!(even.ne(int(3)), Term::bool(true));
        assert_eq!(even.eq_to(int(6)), x().add(y().mul(int(2))).eq_to(int(3)));
        assert_eq!(x().eq_to(y()), y().eq_to(x()));
        assert_eq!(int(3).eq_to(int(3)), Term::bool(true));
    }

    #[test]
    fn choices_between_constants_give_their_condition() {
        let condition = at_most(0);
        let truth = condition.as_c_int();
        assert_eq!(truth.ne(int(0)), condition);
        assert_eq!(truth.eq_to(int(0)), condition.not());
        assert_eq!(truth.eq_to(int(2)), Term::bool(false));
        assert_eq!(int(1).le(truth), condition);
        assert_eq!(truth.le(int(1)), Term::bool(true));
    }

    #[test]
    fn connectives_are_flat_sorted_and_folded() {
        let (a, b, c) = (at_most(1), at_most(2), y().le(int(3)));
        assert_eq!(Term::and([a, Term::and([b, c])]), Term::and([c, b, a, a]));
        assert_eq!(Term::and([]), Term::bool(true));
        assert_eq!(Term::or([]), Term::bool(false));
        assert_eq!(Term::and([a, Term::bool(true)]), a);
        assert_eq!(Term::or([a, Term::bool(true)]), Term::bool(true));
        assert_eq!(Term::and([a, c, a.not()]), Term::bool(false));
        assert_eq!(Term::or([a, c, a.not()]), Term::bool(true));
        assert_eq!(Term::and([a, b]).not(), Term::or([a.not(), b.not()]));
        assert_eq!(a.implies(b), Term::or([a.not(), b]));
        assert_eq!(Term::and([a, b]).conjuncts(), [a, b]);
        assert_eq!((Term::bool(true).conjuncts(), a.conjuncts()), (vec![], vec![a]));
        assert_eq!(x().within(1, 2), Term::and([at_most(0).not(), at_most(2)]));
    }
}
