//! Linear sums of terms, kept sorted, so that equal sums are equal values.

use crate::term::{Term, TermKind};

/// c_1 t_1 + .. + c_n t_n + constant, with t_1 < .. < t_n and no c_k zero. The t_k are not themselves sums or constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    monomials: Box<[(Term, i128)]>,
    constant: i128,
}

impl Linear {
    /// The constant sum.
    pub fn constant(constant: i128) -> Linear {
        Linear { monomials: Box::new([]), constant }
    }

    /// The sum that `term` is.
    pub fn of(term: Term) -> Linear {
        match term.kind() {
            TermKind::Int(value) => Linear::constant(*value),
            TermKind::Sum(sum) => sum.clone(),
            _ => Linear { monomials: Box::new([(term, 1)]), constant: 0 },
        }
    }

    /// The terms with their coefficients, in order.
    pub fn monomials(&self) -> &[(Term, i128)] {
        &self.monomials
    }
    /// The terms, in order.
    pub fn atoms(&self) -> impl Iterator<Item = Term> + '_ {
        self.monomials.iter().map(|(term, _)| *term)
    }
    /// The constant summand.
    pub fn offset(&self) -> i128 {
        self.constant
    }
    /// The sum without its constant.
    pub fn without_offset(&self) -> Linear {
        Linear { monomials: self.monomials.clone(), constant: 0 }
    }

    /// `self + factor * other`, or nothing if a coefficient leaves the machine's integers, or cannot be negated in them.
    pub fn add_scaled(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let mut out: Vec<(Term, i128)> = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let (mut left, mut right) = (self.monomials.iter().peekable(), other.monomials.iter().peekable());
        loop {
            let entry = match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) if a == b => {
                    let (term, x) = *left.next()?;
                    let (_, y) = *right.next()?;
                    (term, x.checked_add(y.checked_mul(factor)?)?)
                }
                (Some((a, _)), Some((b, _))) if a < b => *left.next()?,
                (Some(_), None) => *left.next()?,
                (_, Some(_)) => {
                    let (term, y) = *right.next()?;
                    (term, y.checked_mul(factor)?)
                }
                (None, None) => break,
            };
            if entry.1 != 0 {
                out.push(entry);
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        if constant == i128::MIN || out.iter().any(|(_, c)| *c == i128::MIN) {
            return None;
        }
        Some(Linear { monomials: out.into(), constant })
    }

    /// Every coefficient and the constant times `factor`.
    pub fn scaled(&self, factor: i128) -> Option<Linear> {
        Linear::constant(0).add_scaled(factor, self)
    }

    /// The form divided by the greatest common divisor of its coefficients, made positive in its first coefficient; and
    /// that divisor with the sign that was divided out. The constant must be zero. Nothing if there is no monomial.
    pub(crate) fn primitive(&self) -> Option<(Linear, i128)> {
        let first = self.monomials.first()?.1;
        let divisor = self.monomials.iter().fold(0, |acc, (_, c)| gcd(acc, *c)) * first.signum();
        let monomials = self.monomials.iter().map(|(term, c)| (*term, c / divisor)).collect();
        Some((Linear { monomials, constant: 0 }, divisor))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Coefficients are far below 2^127: they come from C constants and from checked arithmetic on them.
    i128::try_from(a).unwrap_or(1)
}
