//! Constructors of terms. They fold constants and keep the normal forms of [`TermKind`].

use crate::interner::intern;
use crate::linear::Linear;
use crate::model::VarId;
use crate::term::{BitOp, IntType, Sort, Term, TermKind};

impl Term {
    /// An integer constant.
    pub fn int(value: i128) -> Term {
        intern(TermKind::Int(value), Sort::Int)
    }
    /// A truth value.
    pub fn bool(value: bool) -> Term {
        intern(TermKind::Bool(value), Sort::Bool)
    }
    /// A variable of this sort.
    pub fn var(var: VarId, sort: Sort) -> Term {
        intern(TermKind::Var(var, sort), sort)
    }
    /// A variable's value after the step.
    pub fn primed(var: VarId, sort: Sort) -> Term {
        intern(TermKind::Primed(var, sort), sort)
    }

    /// The term that a sum is.
    pub fn linear(sum: Linear) -> Term {
        match sum.monomials() {
            [] => Term::int(sum.offset()),
            [(term, 1)] if sum.offset() == 0 => *term,
            _ => intern(TermKind::Sum(sum), Sort::Int),
        }
    }

    /// `self + factor * other`. Coefficients that would overflow are kept apart as an opaque product.
    fn add_scaled(self, factor: i128, other: Term) -> Term {
        match Linear::of(self).add_scaled(factor, &Linear::of(other)) {
            Some(sum) => Term::linear(sum),
            None => {
                let scaled =
                    if factor == 1 { other } else { intern(TermKind::Mul(Term::int(factor), other), Sort::Int) };
                intern(TermKind::Add(self.min(scaled), self.max(scaled)), Sort::Int)
            }
        }
    }
    /// The quotient of a sum all of whose coefficients are multiples of the divisor: nothing is cut off.
    fn divided_exactly(self, divisor: i128) -> Option<Term> {
        let TermKind::Sum(sum) = self.kind() else { return None };
        let exact = |c: i128| (divisor != 0 && c % divisor == 0).then(|| c / divisor);
        let mut total = Term::int(exact(sum.offset())?);
        for (term, c) in sum.monomials() {
            total = total.add(Term::int(exact(*c)?).mul(*term));
        }
        Some(total)
    }
    fn opaque_div(self, other: Term) -> Term {
        intern(TermKind::Div(self, other), Sort::Int)
    }
    /// The value modulo 2^bits in the type's range.
    pub fn wrap(self, ty: IntType) -> Term {
        match self.kind() {
            TermKind::Int(value) => Term::int(ty.wrap(*value)),
            // A value of a type that fits wholly is unchanged; one of the same or a greater width is cut once.
            TermKind::Wrap(inner, _) if ty.least() <= inner.least() && inner.greatest() <= ty.greatest() => self,
            TermKind::Wrap(inner, value) if inner.bits >= ty.bits => value.wrap(ty),
            TermKind::Bits(_, inner, _, _) if ty.least() <= inner.least() && inner.greatest() <= ty.greatest() => self,
            TermKind::Ite(c, a, b) if a.as_int().is_some() && b.as_int().is_some() => {
                Term::ite(*c, a.wrap(ty), b.wrap(ty))
            }
            TermKind::Sum(sum) => match unwrapped(sum, ty) {
                Some(value) => value.wrap(ty),
                None => intern(TermKind::Wrap(ty, self), Sort::Int),
            },
            _ => intern(TermKind::Wrap(ty, self), Sort::Int),
        }
    }
    /// A bitwise operation on values of `ty`.
    pub fn bits(op: BitOp, ty: IntType, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int())
            && let Some(value) = crate::eval::bit_op(op, ty, x, y)
        {
            return Term::int(value);
        }
        intern(TermKind::Bits(op, ty, a, b), Sort::Int)
    }
    /// If-then-else.
    pub fn ite(cond: Term, then: Term, otherwise: Term) -> Term {
        match cond.as_bool() {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => match cond.kind() {
                TermKind::Not(inner) => Term::ite(*inner, otherwise, then),
                _ => intern(TermKind::Ite(cond, then, otherwise), then.sort()),
            },
        }
    }
    /// An array's element.
    pub fn select(self, index: Term) -> Term {
        match self.kind() {
            TermKind::ConstArray(value) => *value,
            TermKind::Store(_, at, value) if *at == index => *value,
            TermKind::Store(inner, at, _) if at.as_int().is_some() && index.as_int().is_some() => inner.select(index),
            _ => intern(TermKind::Select(self, index), Sort::Int),
        }
    }
    /// The array with one element replaced.
    pub fn store(self, index: Term, value: Term) -> Term {
        let base = match self.kind() {
            TermKind::Store(inner, at, _) if *at == index => *inner,
            _ => self,
        };
        intern(TermKind::Store(base, index, value), Sort::Array)
    }
    /// The array that holds `value` everywhere.
    pub fn const_array(value: Term) -> Term {
        intern(TermKind::ConstArray(value), Sort::Array)
    }
    /// 1 if `self` holds, else 0: C's value of a condition.
    pub fn as_c_int(self) -> Term {
        Term::ite(self, Term::int(1), Term::int(0))
    }
}

/// The operators have methods, not only traits, so that code that builds terms reads the same for all of them.
#[allow(clippy::should_implement_trait)]
impl Term {
    /// Sum.
    pub fn add(self, other: Term) -> Term {
        self.add_scaled(1, other)
    }
    /// Difference.
    pub fn sub(self, other: Term) -> Term {
        self.add_scaled(-1, other)
    }
    /// Product.
    pub fn mul(self, other: Term) -> Term {
        let scaled = match (self.as_int(), other.as_int()) {
            (Some(c), _) => Linear::of(other).scaled(c),
            (_, Some(c)) => Linear::of(self).scaled(c),
            _ => None,
        };
        match scaled {
            Some(sum) => Term::linear(sum),
            None => intern(TermKind::Mul(self.min(other), self.max(other)), Sort::Int),
        }
    }
    /// C's division, truncating toward zero.
    pub fn div(self, other: Term) -> Term {
        match (self.as_int(), other.as_int()) {
            (Some(a), Some(b)) if b != 0 => a.checked_div(b).map_or_else(|| self.opaque_div(other), Term::int),
            (_, Some(1)) => self,
            (_, Some(b)) => match self.divided_exactly(b) {
                Some(quotient) => quotient,
                None => self.opaque_div(other),
            },
            _ => self.opaque_div(other),
        }
    }
    /// C's remainder: `self - (self / other) * other`.
    pub fn rem(self, other: Term) -> Term {
        match (self.as_int(), other.as_int()) {
            (Some(a), Some(b)) if b != 0 && b != -1 => Term::int(a % b),
            (_, Some(1 | -1)) => Term::int(0),
            (_, Some(b)) if self.divided_exactly(b).is_some() => Term::int(0),
            _ => intern(TermKind::Rem(self, other), Sort::Int),
        }
    }
    /// Negation of an integer.
    pub fn neg(self) -> Term {
        Term::int(0).sub(self)
    }
}

/// The sum without casts that wrapping it to the type makes anyway; nothing if it has none.
fn unwrapped(sum: &Linear, ty: IntType) -> Option<Term> {
    let inner = |term: Term| match term.kind() {
        TermKind::Wrap(inner, value) if inner.bits >= ty.bits => Some(*value),
        _ => None,
    };
    sum.atoms().find_map(inner)?;
    let mut total = Linear::constant(sum.offset());
    for (term, c) in sum.monomials() {
        total = total.add_scaled(*c, &Linear::of(inner(*term).unwrap_or(*term)))?;
    }
    Some(Term::linear(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: IntType = IntType::new(32, true);
    const UNSIGNED: IntType = IntType::new(32, false);
    const CHAR: IntType = IntType::new(8, true);

    fn int(value: i128) -> Term {
        Term::int(value)
    }
    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }
    fn y() -> Term {
        Term::var(VarId(1), Sort::Int)
    }
    fn array() -> Term {
        Term::var(VarId(2), Sort::Array)
    }

    #[test]
    fn equal_sums_are_one_term() {
        assert_eq!(x().add(y()), y().add(x()));
        assert_eq!(x().add(y()).sub(x()), y());
        assert_eq!(x().sub(x()), int(0));
        assert_eq!(int(2).mul(x().add(int(3))), x().add(x()).add(int(6)));
        assert_eq!(x().neg().neg(), x());
        assert_eq!(x().mul(y()), y().mul(x()));
    }

    #[test]
    fn coefficients_beyond_the_machine_stay_apart() {
        let large = int(1 << 100);
        let product = x().mul(large).mul(large);
        assert!(matches!(product.kind(), TermKind::Mul(..)), "{product:?}");
        let sum = int(i128::MAX).mul(x()).add(int(i128::MAX).mul(x()));
        assert!(matches!(sum.kind(), TermKind::Add(..)), "{sum:?}");
        // -2^127 fits, but its negation does not: normal forms negate.
        let least = x().mul(int(-(1 << 126))).mul(int(2));
        assert!(matches!(least.kind(), TermKind::Mul(..)), "{least:?}");
        assert_eq!(least.le(int(0)).not().not(), least.le(int(0)));
    }

    #[test]
    fn division_is_folded_only_where_it_is_exact() {
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3)] {
            assert_eq!((int(a).div(int(b)), int(a).rem(int(b))), (int(a / b), int(a % b)), "{a} / {b}");
        }
        let even = x().mul(int(4)).add(int(6));
        assert_eq!(even.div(int(2)), x().mul(int(2)).add(int(3)));
        assert_eq!(even.rem(int(2)), int(0));
        assert!(matches!(even.div(int(4)).kind(), TermKind::Div(..)));
        assert!(matches!(even.rem(int(4)).kind(), TermKind::Rem(..)));
        assert_eq!(x().div(int(1)), x());
        assert_eq!((x().rem(int(1)), x().rem(int(-1))), (int(0), int(0)));
        // By zero there is no value, and no folding to one.
        assert!(matches!(int(1).div(int(0)).kind(), TermKind::Div(..)));
        assert!(matches!(even.rem(int(0)).kind(), TermKind::Rem(..)));
    }

    #[test]
    fn wrapping_is_folded_where_nothing_is_lost() {
        assert_eq!((int(128).wrap(CHAR), int(-129).wrap(CHAR)), (int(-128), int(127)));
        assert_eq!(int(-1).wrap(UNSIGNED), int(0xffff_ffff));
        assert_eq!(int(2).wrap(IntType::new(1, false)), int(0));
        let narrow = x().wrap(CHAR);
        assert_eq!(narrow.wrap(INT), narrow);
        assert_eq!(x().wrap(INT).wrap(CHAR), narrow);
        assert_eq!(x().wrap(UNSIGNED).wrap(INT), x().wrap(INT));
        // What is wrapped anyway need not be wrapped before; what is narrower must.
        assert_eq!(x().wrap(UNSIGNED).add(int(1)).wrap(INT), x().add(int(1)).wrap(INT));
        assert_ne!(narrow.add(int(1)).wrap(INT), x().add(int(1)).wrap(INT));
        // A negative char becomes a large unsigned: two steps, not one.
        assert_eq!(narrow.wrap(UNSIGNED).kind(), &TermKind::Wrap(UNSIGNED, narrow));
        assert_eq!(narrow.wrap(UNSIGNED).wrap(CHAR), narrow);
    }

    #[test]
    fn choices_are_folded() {
        let positive = int(1).le(x());
        assert_eq!(Term::ite(Term::bool(true), x(), y()), x());
        assert_eq!(Term::ite(positive, y(), y()), y());
        assert_eq!(Term::ite(positive.not(), x(), y()), Term::ite(positive, y(), x()));
        assert_eq!(Term::bits(BitOp::And, INT, int(-1), int(6)), int(6));
        let shift = Term::bits(BitOp::Shl, INT, int(1), int(32));
        assert!(matches!(shift.kind(), TermKind::Bits(..)), "{shift:?} has no value");
    }

    #[test]
    fn reads_see_through_writes_to_known_elements() {
        let stored = array().store(int(1), x()).store(int(2), y());
        assert_eq!((stored.select(int(1)), stored.select(int(2))), (x(), y()));
        assert_eq!(stored.select(int(3)), array().select(int(3)));
        assert!(matches!(stored.select(x()).kind(), TermKind::Select(..)), "x may be 1, 2 or another");
        assert_eq!(array().store(int(1), x()).store(int(1), y()), array().store(int(1), y()));
        assert_eq!(Term::const_array(int(7)).select(x()), int(7));
    }
}
