//! C's arithmetic: exact for unsigned types, mathematical with a definedness condition for signed ones.

use program::{BitOp, IntType, Term, UbKind};

use super::build::ThreadBuilder;
use crate::hir::{BinaryOp, UnaryOp};

/// A result that depends on more variables gets a name, lest the terms of a long sum grow with each of its operands.
const WIDE: usize = 32;

impl ThreadBuilder<'_, '_> {
    /// A result that is exact before it is fitted into its type: unsigned types wrap, leaving a signed one is undefined.
    fn fit(&mut self, exact: Term, ty: IntType, kind: UbKind) -> Term {
        let fitted = self.fitted(exact, ty, kind);
        if fitted.vars().len() > WIDE { self.named(fitted, ty) } else { fitted }
    }

    /// A temporary with this value.
    fn named(&mut self, value: Term, ty: IntType) -> Term {
        let sum = self.temporary(ty, "_sum");
        self.assign(None, sum, value);
        Term::var(sum, program::Sort::Int)
    }

    fn fitted(&mut self, exact: Term, ty: IntType, kind: UbKind) -> Term {
        if self.fits(exact, ty) {
            return exact;
        }
        if ty.signed {
            self.check(exact.within(ty.least(), ty.greatest()), kind);
            // Its variables are temporaries of this evaluation: wherever the term occurs, the check has been passed.
            self.checked.insert(exact, (ty.least(), ty.greatest()));
            exact
        } else {
            exact.wrap(ty)
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, ty: IntType, a: Term) -> Term {
        match op {
            UnaryOp::Neg => self.fit(a.neg(), ty, UbKind::SignedOverflow),
            // ~a is -a - 1 in two's complement.
            UnaryOp::Complement => self.convert(a.neg().sub(Term::int(1)), ty),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, ty: IntType, a: Term, b: Term) -> Term {
        match op {
            BinaryOp::Add => self.fit(a.add(b), ty, UbKind::SignedOverflow),
            BinaryOp::Sub => self.fit(a.sub(b), ty, UbKind::SignedOverflow),
            BinaryOp::Mul => self.fit(a.mul(b), ty, UbKind::SignedOverflow),
            BinaryOp::Div => {
                self.check(b.ne(Term::int(0)), UbKind::DivisionByZero);
                self.check_quotient(ty, a, b);
                if b.as_int() == Some(0) { Term::int(0) } else { a.div(b) }
            }
            BinaryOp::Rem => {
                self.check(b.ne(Term::int(0)), UbKind::DivisionByZero);
                self.check_quotient(ty, a, b);
                if b.as_int() == Some(0) { Term::int(0) } else { a.rem(b) }
            }
            BinaryOp::Shl => self.shift_left(ty, a, b),
            BinaryOp::Shr => self.shift_right(ty, a, b),
            BinaryOp::And => self.bitwise(BitOp::And, ty, a, b),
            BinaryOp::Or => self.bitwise(BitOp::Or, ty, a, b),
            BinaryOp::Xor => self.bitwise(BitOp::Xor, ty, a, b),
        }
    }

    /// The least value divided by -1 is out of range, the only quotient that is.
    fn check_quotient(&mut self, ty: IntType, a: Term, b: Term) {
        let can_be = |this: &Self, term: Term, value: i128| {
            this.bounds(term).is_none_or(|(low, high)| low <= value && value <= high)
        };
        if ty.signed && can_be(self, b, -1) && can_be(self, a, ty.least()) {
            let fine = Term::or([a.ne(Term::int(ty.least())), b.ne(Term::int(-1))]);
            self.check(fine, UbKind::SignedOverflow);
        }
    }

    fn check_amount(&mut self, ty: IntType, amount: Term) {
        let most = i128::from(ty.bits) - 1;
        if !self.bounds(amount).is_some_and(|(low, high)| low >= 0 && high <= most) {
            self.check(amount.within(0, most), UbKind::Shift);
        }
    }

    fn shift_left(&mut self, ty: IntType, a: Term, amount: Term) -> Term {
        self.check_amount(ty, amount);
        if let Some(k) = amount.as_int() {
            if !(0..i128::from(ty.bits)).contains(&k) {
                return Term::int(0);
            }
            let exact = a.mul(Term::int(1 << k));
            if ty.signed {
                self.check_not_negative(a);
            }
            return self.fit(exact, ty, UbKind::Shift);
        }
        let shifted = Term::bits(BitOp::Shl, ty, a, amount);
        if ty.signed {
            // C11 6.5.7: the value must not be negative, and value * 2^amount must be representable.
            self.check_not_negative(a);
            self.check(Term::bits(BitOp::Shr, ty, shifted, amount).eq_to(a), UbKind::Shift);
        }
        shifted
    }

    fn check_not_negative(&mut self, a: Term) {
        if self.bounds(a).is_none_or(|(low, _)| low < 0) {
            self.check(Term::int(0).le(a), UbKind::Shift);
        }
    }

    fn shift_right(&mut self, ty: IntType, a: Term, amount: Term) -> Term {
        self.check_amount(ty, amount);
        let natural = self.bounds(a).is_some_and(|(low, _)| low >= 0);
        match amount.as_int() {
            Some(k) if natural && (0..i128::from(ty.bits)).contains(&k) => a.div(Term::int(1 << k)),
            Some(k) if !(0..i128::from(ty.bits)).contains(&k) => Term::int(0),
            _ => Term::bits(BitOp::Shr, ty, a, amount),
        }
    }

    fn bitwise(&mut self, op: BitOp, ty: IntType, a: Term, b: Term) -> Term {
        let truth = |this: &Self, t: Term| this.bounds(t).is_some_and(|(low, high)| low >= 0 && high <= 1);
        if truth(self, a) && truth(self, b) {
            // On 0 and 1 these are the logical operators.
            let (p, q) = (a.eq_to(Term::int(1)), b.eq_to(Term::int(1)));
            let formula = match op {
                BitOp::And => Term::and([p, q]),
                BitOp::Or => Term::or([p, q]),
                _ => Term::or([Term::and([p, q.not()]), Term::and([p.not(), q])]),
            };
            return formula.as_c_int();
        }
        for (value, mask) in [(a, b), (b, a)] {
            let natural = self.bounds(value).is_some_and(|(low, _)| low >= 0);
            if let Some(mask) = mask.as_int().filter(|mask| natural && *mask >= 0)
                && let Some(common) = masked(ty, value, mask)
            {
                // In terms of the common bits: a | m = a + m - (a & m), and a ^ m once less.
                let exact = match op {
                    BitOp::And => common,
                    BitOp::Or => value.add(Term::int(mask)).sub(common),
                    _ => value.add(Term::int(mask)).sub(common.mul(Term::int(2))),
                };
                self.checked.insert(exact, (0, ty.greatest()));
                return exact;
            }
        }
        Term::bits(op, ty, a, b)
    }
}

/// The bits that a natural number has in common with a mask, by arithmetic: each run of ones in the mask is a division and a
/// remainder. Nothing for masks with many runs, for which that would be no simplification.
fn masked(ty: IntType, value: Term, mask: i128) -> Option<Term> {
    const MOST: usize = 2;
    let all = ty.greatest();
    let (ones, zeros) = (runs(mask), runs(all & !mask));
    let sum = |runs: &[(u32, u32)]| {
        runs.iter().fold(Term::int(0), |sum, (low, high)| {
            let upper = if *low == 0 { value } else { value.div(Term::int(1 << low)) };
            let field = if all >> high == 0 { upper } else { upper.rem(Term::int(1 << (high - low))) };
            sum.add(field.mul(Term::int(1 << low)))
        })
    };
    match (ones.len(), zeros.len()) {
        // Low bits that are cleared are a remainder that is taken away: so a tagged address is seen to be one.
        (_, 1) if zeros[0].0 == 0 => Some(value.sub(sum(&zeros))),
        (n, m) if n <= m && n <= MOST => Some(sum(&ones)),
        (_, m) if m <= MOST => Some(value.sub(sum(&zeros))),
        _ => None,
    }
}

/// The runs of ones in a number: where each begins, and ends.
fn runs(number: i128) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    let mut at = 0;
    while number >> at != 0 {
        let low = at + (number >> at).trailing_zeros();
        at = low + (number >> low).trailing_ones();
        all.push((low, at));
    }
    all
}
