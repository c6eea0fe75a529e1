//! The truth of a formula whose variables are all known: exact, or nothing. [`Term::eval`] computes modulo 2^128, which suits runs,
//! whose values are those of C; a certificate may say anything.

use std::cell::Cell;

use program::{Linear, Term, TermKind, VarId};

/// Subterms looked at before a formula is given up: as a tree, a term can be far larger than as a graph.
const VISITS: u32 = 10_000;

/// Whether the formula holds, where `known` gives the values of variables.
pub fn truth(formula: Term, known: &impl Fn(VarId) -> Option<i128>) -> Option<bool> {
    Point { known, left: Cell::new(VISITS) }.truth(formula)
}

struct Point<'k, K> {
    known: &'k K,
    left: Cell<u32>,
}

impl<K: Fn(VarId) -> Option<i128>> Point<'_, K> {
    fn value(&self, term: Term) -> Option<i128> {
        self.left.set(self.left.get().checked_sub(1)?);
        let of = |term: &Term| self.value(*term);
        match term.kind() {
            TermKind::Int(value) => Some(*value),
            TermKind::Var(var, _) => (self.known)(*var),
            TermKind::Sum(form) => self.sum(form),
            TermKind::Add(a, b) => of(a)?.checked_add(of(b)?),
            TermKind::Mul(a, b) => of(a)?.checked_mul(of(b)?),
            // Without a value by zero.
            TermKind::Div(a, b) => of(a)?.checked_div(of(b)?),
            TermKind::Rem(a, b) => of(a)?.checked_rem(of(b)?),
            TermKind::Wrap(ty, a) => Some(ty.wrap(of(a)?)),
            TermKind::Bits(op, ty, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let operands = ty.contains(a) && ty.contains(b);
                operands.then(|| Term::bits(*op, *ty, Term::int(a), Term::int(b)).as_int()).flatten()
            }
            TermKind::Ite(condition, then, otherwise) => of(if self.truth(*condition)? { then } else { otherwise }),
            _ => None,
        }
    }

    fn truth(&self, formula: Term) -> Option<bool> {
        self.left.set(self.left.get().checked_sub(1)?);
        match formula.kind() {
            TermKind::Bool(truth) => Some(*truth),
            TermKind::Le(form, bound) => Some(self.sum(form)? <= *bound),
            TermKind::Eq(form, bound) => Some(self.sum(form)? == *bound),
            TermKind::Not(inner) => Some(!self.truth(*inner)?),
            TermKind::And(items) => items.iter().try_fold(true, |all, item| Some(self.truth(*item)? && all)),
            TermKind::Or(items) => items.iter().try_fold(false, |some, item| Some(self.truth(*item)? || some)),
            _ => None,
        }
    }

    fn sum(&self, form: &Linear) -> Option<i128> {
        form.monomials()
            .iter()
            .try_fold(form.offset(), |total, (term, factor)| total.checked_add(factor.checked_mul(self.value(*term)?)?))
    }
}

#[cfg(test)]
mod tests {
    use program::{BitOp, IntType, Sort};

    use super::*;

    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }

    #[test]
    fn values_are_exact_or_none() {
        let at = |term: Term, x: i128| Point { known: &|_| Some(x), left: Cell::new(VISITS) }.value(term);
        let uint8 = IntType::new(8, false);
        assert_eq!(at(x().mul(x()).sub(Term::int(1)), 5), Some(24));
        assert_eq!(at(x().div(Term::int(2)), -7), Some(-3));
        assert_eq!(at(Term::int(1).div(x()), 0), None);
        assert_eq!(at(x().mul(x()).mul(x()), 1 << 60), None);
        assert_eq!(at(x().wrap(uint8), -1), Some(255));
        assert_eq!(at(Term::bits(BitOp::Xor, uint8, x(), Term::int(3)), 6), Some(5));
        assert_eq!(at(Term::bits(BitOp::Xor, uint8, x(), Term::int(3)), 256), None);
        assert_eq!(at(Term::ite(x().le(Term::int(3)), Term::int(1), x()), 4), Some(4));
        let large = (0..200).fold(x(), |t, _| Term::bits(BitOp::Xor, uint8, t, t.add(Term::int(1)).wrap(uint8)));
        assert_eq!(at(large, 5), None);
    }

    #[test]
    fn a_formula_with_an_unknown_part_is_not_decided() {
        let y = Term::var(VarId(1), Sort::Int);
        let known = |var: VarId| (var == VarId(0)).then_some(2);
        let small = x().le(Term::int(2));
        assert_eq!(truth(small, &known), Some(true));
        assert_eq!(truth(Term::and([small, x().eq_to(Term::int(3)).not()]), &known), Some(true));
        assert_eq!(truth(Term::or([small, y.le(Term::int(2))]), &known), None);
    }
}
