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
    /// Negation of an integer.
    pub fn neg(self) -> Term {
        Term::int(0).sub(self)
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
    /// C's remainder: `self - (self / other) * other`.
    pub fn rem(self, other: Term) -> Term {
        match (self.as_int(), other.as_int()) {
            (Some(a), Some(b)) if b != 0 && b != -1 => Term::int(a % b),
            (_, Some(1 | -1)) => Term::int(0),
            (_, Some(b)) if self.divided_exactly(b).is_some() => Term::int(0),
            _ => intern(TermKind::Rem(self, other), Sort::Int),
        }
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
            _ => intern(TermKind::Wrap(ty, self), Sort::Int),
        }
    }
    /// A bitwise operation on values of `ty`.
    pub fn bits(op: BitOp, ty: IntType, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
            if let Some(value) = crate::eval::bit_op(op, ty, x, y) {
                return Term::int(value);
            }
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
}
