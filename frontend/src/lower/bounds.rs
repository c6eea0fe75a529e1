//! Static bounds of terms, from the types of the variables in them: they spare most overflow checks and conversions.

use program::{IntType, Linear, Term, TermKind};

use super::build::ThreadBuilder;
use crate::memory::{Memory, Shape};

/// An inclusive interval.
type Interval = (i128, i128);

/// An interval that holds the term's value in every state.
pub(crate) fn bounds(memory: &Memory, term: Term) -> Option<Interval> {
    let bounds = |term: Term| bounds(memory, term);
    match term.kind() {
        TermKind::Int(value) => Some((*value, *value)),
        TermKind::Var(var, _) => {
            let cell = memory.cell(*var);
            match memory.addressed(*var) {
                Some(object) => Some(memory.address_range(object)),
                None => Some((cell.ty.least(), cell.ty.greatest())),
            }
        }
        TermKind::Sum(sum) => sum_bounds(memory, sum),
        TermKind::Mul(a, b) => product(bounds(*a)?, bounds(*b)?),
        TermKind::Wrap(ty, _) | TermKind::Bits(_, ty, _, _) => Some((ty.least(), ty.greatest())),
        TermKind::Ite(_, a, b) => {
            let (a, b) = (bounds(*a)?, bounds(*b)?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        TermKind::Div(a, b) => {
            let (low, high) = bounds(*a)?;
            let divisor = b.as_int().filter(|d| *d > 0)?;
            Some((low / divisor, high / divisor))
        }
        TermKind::Rem(a, b) => {
            let (low, high) = bounds(*a)?;
            let most = b.as_int()?.checked_abs()? - 1;
            Some((if low < 0 { low.max(-most) } else { 0 }, if high > 0 { high.min(most) } else { 0 }))
        }
        TermKind::Select(array, _) => {
            let cell = memory.cell(array.as_var()?);
            Some((cell.ty.least(), cell.ty.greatest()))
        }
        _ => None,
    }
}

/// An interval for a linear sum.
pub(crate) fn sum_bounds(memory: &Memory, sum: &Linear) -> Option<Interval> {
    let mut total = (sum.offset(), sum.offset());
    for (term, factor) in sum.monomials() {
        let (low, high) = product(bounds(memory, *term)?, (*factor, *factor))?;
        total = (total.0.checked_add(low)?, total.1.checked_add(high)?);
    }
    Some(total)
}

impl ThreadBuilder<'_, '_> {
    /// An interval that holds the term's value in every state that control can be in here.
    pub(super) fn bounds(&self, term: Term) -> Option<Interval> {
        self.checked.get(&term).copied().or_else(|| bounds(&self.low.memory, term))
    }

    /// Whether the term's value is one of the type's in every state.
    pub(super) fn fits(&self, term: Term, ty: IntType) -> bool {
        self.bounds(term).is_some_and(|(low, high)| ty.contains(low) && ty.contains(high))
    }

    /// The value converted to an integer type, by wrapping.
    pub(super) fn convert(&self, term: Term, ty: IntType) -> Term {
        if self.fits(term, ty) { term } else { term.wrap(ty) }
    }

    /// The value as a scalar of this shape holds it.
    pub(super) fn fit_shape(&self, term: Term, shape: Shape) -> Term {
        if shape.pointer { term } else { self.convert(term, shape.ty) }
    }

    /// The value of a cell as a scalar of this shape shows it: an integer seen as a pointer is converted.
    pub(super) fn seen_as(&self, value: Term, cell: IntType, shape: Shape) -> Term {
        if cell == shape.ty { value } else { self.convert(value, shape.ty) }
    }
}

fn product(a: Interval, b: Interval) -> Option<Interval> {
    let corners = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((corners.iter().copied().min()?, corners.iter().copied().max()?))
}
