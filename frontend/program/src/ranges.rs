//! That variables stay in the ranges of their types: every proof takes that for granted.
//!
//! A value is in its range if what it is made of says so, or if the step's guard or its definedness conditions bound it. What is left
//! open here is refused, also where it could be shown with more effort: who makes a program states the bounds it relies on.

use rustc_hash::FxHashMap;

use crate::linear::Linear;
use crate::model::{Definedness, Init, Thread, Transition, UbKind, Var, VarId};
use crate::term::{BitOp, IntType, Sort, Term, TermKind};

/// From the least to the greatest.
type Bounds = (i128, i128);

/// What is known of any number.
const ANY: Bounds = (i128::MIN, i128::MAX);

/// Whether a variable starts in its range.
pub(crate) fn starts_in_range(var: &Var) -> bool {
    match var.init {
        Init::Value(value) => Known::nothing(&[]).fits(value, var),
        Init::Arbitrary => true,
    }
}

/// The variables that a step may take out of their ranges, as far as can be told here.
pub fn leaving_range(vars: &[Var], step: &Transition) -> Vec<VarId> {
    let known = Known::of(vars, step);
    let leaves = |(var, value): &&(VarId, Term)| !known.fits(*value, &vars[var.0 as usize]);
    step.updates.iter().filter(leaves).map(|(var, _)| *var).collect()
}

/// Makes steps undefined, as a signed overflow is, where they would take a variable out of its range.
pub fn confine(vars: &[Var], threads: &mut [Thread]) {
    for step in threads.iter_mut().flat_map(|thread| &mut thread.transitions) {
        for var in leaving_range(vars, step) {
            let ty = vars[var.0 as usize].ty;
            let Some(value) = step.update(var) else { continue };
            let condition = within(value, ty);
            step.defined.push(Definedness { condition, kind: UbKind::SignedOverflow, span: step.span });
        }
    }
}

/// That a number, or what is stored in an array, is in a range.
fn within(value: Term, ty: IntType) -> Term {
    match value.kind() {
        TermKind::Store(array, _, element) => Term::and([within(*array, ty), within(*element, ty)]),
        _ if value.sort() == Sort::Int => value.within(ty.least(), ty.greatest()),
        _ => Term::bool(true),
    }
}

/// What holds before a step that is taken: variables are in their ranges, and linear forms have these bounds.
struct Known<'v> {
    vars: &'v [Var],
    forms: FxHashMap<&'static Linear, Bounds>,
}

impl<'v> Known<'v> {
    fn nothing(vars: &'v [Var]) -> Known<'v> {
        Known { vars, forms: FxHashMap::default() }
    }

    fn of(vars: &'v [Var], step: &Transition) -> Known<'v> {
        let mut known = Known::nothing(vars);
        let conditions = step.guard.iter().copied().chain(step.defined.iter().map(|d| d.condition));
        conditions.flat_map(Term::conjuncts).for_each(|condition| known.learn(condition));
        known
    }

    fn learn(&mut self, condition: Term) {
        if let Some((form, (low, high))) = bounded(condition) {
            let old = self.forms.entry(form).or_insert(ANY);
            *old = (old.0.max(low), old.1.min(high));
        }
    }

    /// Whether a value, or each element of an array, is in the range of a variable.
    fn fits(&self, value: Term, var: &Var) -> bool {
        match var.sort {
            Sort::Bool => true,
            Sort::Int => self.is_within(value, var.ty),
            Sort::Array => self.elements_are_within(value, var.ty),
        }
    }

    fn is_within(&self, value: Term, ty: IntType) -> bool {
        let (low, high) = self.bounds(value);
        let at_least = low >= ty.least() || self.implies(Term::int(ty.least()).le(value));
        let at_most = high <= ty.greatest() || self.implies(value.le(Term::int(ty.greatest())));
        at_least && at_most
    }

    fn elements_are_within(&self, array: Term, ty: IntType) -> bool {
        match array.kind() {
            TermKind::Store(inner, _, value) => self.is_within(*value, ty) && self.elements_are_within(*inner, ty),
            TermKind::ConstArray(value) => self.is_within(*value, ty),
            TermKind::Ite(_, a, b) => self.elements_are_within(*a, ty) && self.elements_are_within(*b, ty),
            TermKind::Var(var, _) => {
                let own = self.vars[var.0 as usize].ty;
                ty.contains(own.least()) && ty.contains(own.greatest())
            }
            _ => false,
        }
    }

    /// Whether a bound of a form is one of those known.
    fn implies(&self, literal: Term) -> bool {
        let known = |form: &Linear| self.forms.get(form).copied().unwrap_or(ANY);
        match bounded(literal) {
            Some((form, (low, high))) => low <= known(form).0 && known(form).1 <= high,
            None => literal.as_bool() == Some(true),
        }
    }

    /// Bounds of a number.
    fn bounds(&self, term: Term) -> Bounds {
        match term.kind() {
            TermKind::Int(value) => (*value, *value),
            TermKind::Var(var, _) => {
                let ty = self.vars[var.0 as usize].ty;
                let (low, high) = self.forms.get(&Linear::of(term)).copied().unwrap_or(ANY);
                (low.max(ty.least()), high.min(ty.greatest()))
            }
            TermKind::Sum(sum) => self.sum(sum),
            TermKind::Add(a, b) => total(self.bounds(*a), self.bounds(*b)),
            TermKind::Mul(a, b) => product(self.bounds(*a), self.bounds(*b)),
            TermKind::Div(a, b) => self.quotient(*a, *b),
            TermKind::Rem(a, b) => self.remainder(*a, *b),
            TermKind::Wrap(ty, _) => (ty.least(), ty.greatest()),
            TermKind::Bits(op, ty, a, b) => self.bits(*op, *ty, *a, *b),
            TermKind::Ite(_, a, b) => hull(self.bounds(*a), self.bounds(*b)),
            TermKind::Select(array, _) => self.element(*array),
            _ => ANY,
        }
    }

    fn sum(&self, sum: &Linear) -> Bounds {
        let cuts = cuts(sum);
        let part = |(term, factor): &(Term, i128)| {
            let cut = |(x, _, k): &(Term, Term, i128)| {
                let (low, high) = self.bounds(*x);
                ((low - low % k).min(0), (high - high % k).max(0))
            };
            let bounds = match cuts.iter().find(|(x, remainder, _)| x == term || remainder == term) {
                Some((_, remainder, _)) if remainder == term => (0, 0),
                Some(pair) => cut(pair),
                None => self.bounds(*term),
            };
            product(bounds, (*factor, *factor))
        };
        sum.monomials().iter().map(part).fold((sum.offset(), sum.offset()), total)
    }

    fn element(&self, array: Term) -> Bounds {
        match array.kind() {
            TermKind::Var(var, _) => {
                let ty = self.vars[var.0 as usize].ty;
                (ty.least(), ty.greatest())
            }
            TermKind::Store(inner, _, value) => hull(self.element(*inner), self.bounds(*value)),
            TermKind::ConstArray(value) => self.bounds(*value),
            TermKind::Ite(_, a, b) => hull(self.element(*a), self.element(*b)),
            _ => ANY,
        }
    }

    /// Division by anything but zero makes no number larger; by -1 it may change the sign.
    fn quotient(&self, a: Term, b: Term) -> Bounds {
        let (low, high) = self.bounds(a);
        match b.as_int() {
            Some(divisor) if divisor > 0 => (low / divisor, high / divisor),
            _ => hull((low, high), (high.saturating_neg(), low.saturating_neg())),
        }
    }

    /// A remainder has the sign of what is divided, and is smaller than both.
    fn remainder(&self, a: Term, b: Term) -> Bounds {
        let ((low, high), divisor) = (self.bounds(a), self.bounds(b));
        let most = divisor.0.saturating_abs().max(divisor.1.saturating_abs()).saturating_sub(1).max(0);
        (low.clamp(-most, 0), high.clamp(0, most))
    }

    fn bits(&self, op: BitOp, ty: IntType, a: Term, b: Term) -> Bounds {
        // Operands are values of the type, whatever they are made of, and so is the result.
        let natural = |bounds: Bounds| (bounds.0 >= 0).then_some(bounds.1.min(ty.greatest()));
        let (left, right) = (natural(self.bounds(a)), natural(self.bounds(b)));
        match (op, left, right) {
            // A mask that is not negative leaves nothing above itself.
            (BitOp::And, Some(high), None) | (BitOp::And, None, Some(high)) => (0, high),
            (BitOp::And, Some(a), Some(b)) => (0, a.min(b)),
            // No bit above the highest of both.
            (BitOp::Or | BitOp::Xor, Some(a), Some(b)) if a.max(b) < 1 << 100 => {
                (0, ((a.max(b) + 1) as u128).next_power_of_two() as i128 - 1)
            }
            (BitOp::Shr, Some(high), Some(_)) => (0, high),
            _ => (ty.least(), ty.greatest()),
        }
    }
}

/// The x, x % k and k of which a sum has c * x - c * (x % k): they are bounded together, since x - x % k is no number further from zero
/// than x is. Each x has one such remainder; others count by themselves.
fn cuts(sum: &Linear) -> Vec<(Term, Term, i128)> {
    let mut cuts: Vec<(Term, Term, i128)> = Vec::new();
    for (remainder, factor) in sum.monomials() {
        let TermKind::Rem(x, k) = remainder.kind() else { continue };
        let paired = sum.monomials().iter().any(|(term, other)| term == x && Some(*other) == factor.checked_neg());
        let taken = cuts.iter().any(|(other, taken, _)| other == x || taken == x || other == remainder);
        if let Some(k) = k.as_int().filter(|k| *k > 0 && paired && !taken) {
            cuts.push((*x, *remainder, k));
        }
    }
    cuts
}

/// The bounds that a literal gives a form.
fn bounded(literal: Term) -> Option<(&'static Linear, Bounds)> {
    match literal.kind() {
        TermKind::Le(form, bound) => Some((form, (i128::MIN, *bound))),
        TermKind::Eq(form, value) => Some((form, (*value, *value))),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => Some((form, (bound.checked_add(1)?, i128::MAX))),
            _ => None,
        },
        _ => None,
    }
}

fn hull(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Bounds of a sum; what does not fit into the machine's numbers is no bound.
fn total(a: Bounds, b: Bounds) -> Bounds {
    let low = if a.0 == i128::MIN || b.0 == i128::MIN { i128::MIN } else { a.0.checked_add(b.0).unwrap_or(i128::MIN) };
    let high = if a.1 == i128::MAX || b.1 == i128::MAX { i128::MAX } else { a.1.checked_add(b.1).unwrap_or(i128::MAX) };
    (low, high)
}

fn product(a: Bounds, b: Bounds) -> Bounds {
    let unbounded = |bounds: Bounds| bounds.0 == i128::MIN || bounds.1 == i128::MAX;
    if unbounded(a) || unbounded(b) {
        return ANY;
    }
    let corners = [a.0.checked_mul(b.0), a.0.checked_mul(b.1), a.1.checked_mul(b.0), a.1.checked_mul(b.1)];
    let corners: Option<Vec<i128>> = corners.into_iter().collect();
    corners.map_or(ANY, |c| c.iter().fold((c[0], c[0]), |all, one| hull(all, (*one, *one))))
}
