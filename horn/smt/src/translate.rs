//! Terms into Z3 expressions, exactly.

use std::collections::HashMap;
use std::str::FromStr;

use program::{BitOp, IntType, Linear, Sort, Term, TermKind, VarId};
use z3::ast::{Array, BV, Bool, Dynamic, Int};

/// Translates terms, each subterm once.
#[derive(Default)]
pub struct Translator {
    done: HashMap<Term, Dynamic>,
}

/// A variable's name inside Z3.
pub(crate) fn var_name(var: VarId) -> String {
    format!("v{}", var.0)
}

/// The name of a variable's value after the step.
pub(crate) fn primed_name(var: VarId) -> String {
    format!("w{}", var.0)
}

pub(crate) fn z3_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int => z3::Sort::int(),
        Sort::Array => z3::Sort::array(&z3::Sort::int(), &z3::Sort::int()),
    }
}

impl Translator {
    /// The Z3 expression of a term.
    pub(crate) fn term(&mut self, term: Term) -> Dynamic {
        if let Some(done) = self.done.get(&term) {
            return done.clone();
        }
        let result = self.translate(term);
        self.done.insert(term, result.clone());
        result
    }

    /// A formula. What is not of the sort that it should be is a bug of who made it, and may have any value: then nothing follows
    /// from it, and it follows from nothing.
    pub(crate) fn formula(&mut self, term: Term) -> Bool {
        self.term(term).as_bool().unwrap_or_else(|| Bool::fresh_const("ill-sorted"))
    }

    fn int(&mut self, term: Term) -> Int {
        self.term(term).as_int().unwrap_or_else(|| Int::fresh_const("ill-sorted"))
    }

    fn array(&mut self, term: Term) -> Array {
        let (index, element) = (z3::Sort::int(), z3::Sort::int());
        self.term(term).as_array().unwrap_or_else(|| Array::fresh_const("ill-sorted", &index, &element))
    }

    fn translate(&mut self, term: Term) -> Dynamic {
        match term.kind() {
            TermKind::Int(value) => numeral(*value).into(),
            TermKind::Bool(value) => Bool::from_bool(*value).into(),
            TermKind::Var(var, sort) => Dynamic::new_const(var_name(*var), &z3_sort(*sort)),
            TermKind::Primed(var, sort) => Dynamic::new_const(primed_name(*var), &z3_sort(*sort)),
            TermKind::Sum(sum) => self.sum(sum).into(),
            TermKind::Add(a, b) => Int::add(&[self.int(*a), self.int(*b)]).into(),
            TermKind::Mul(a, b) => Int::mul(&[self.int(*a), self.int(*b)]).into(),
            TermKind::Div(a, b) => truncated(&self.int(*a), &self.int(*b), |a, b| a.div(b)).into(),
            TermKind::Rem(a, b) => truncated(&self.int(*a), &self.int(*b), |a, b| a.modulo(b)).into(),
            TermKind::Wrap(ty, a) => wrap(*ty, &self.int(*a)).into(),
            TermKind::Bits(op, ty, a, b) => self.bits(*op, *ty, *a, *b).into(),
            TermKind::Ite(c, a, b) => {
                let (c, a, b) = (self.formula(*c), self.term(*a), self.term(*b));
                c.ite(&a, &b)
            }
            TermKind::Le(form, bound) => self.sum(form).le(numeral(*bound)).into(),
            TermKind::Eq(form, bound) => self.sum(form).eq(numeral(*bound)).into(),
            TermKind::ArrayEq(a, b) => self.array(*a).eq(self.array(*b)).into(),
            TermKind::Not(a) => self.formula(*a).not().into(),
            TermKind::And(items) => Bool::and(&self.formulas(items)).into(),
            TermKind::Or(items) => Bool::or(&self.formulas(items)).into(),
            TermKind::Select(a, i) => self.array(*a).select(&self.int(*i)),
            TermKind::Store(a, i, v) => {
                let (a, i, v) = (self.array(*a), self.int(*i), self.int(*v));
                a.store(&i, &v).into()
            }
            TermKind::ConstArray(v) => Array::const_array(&z3::Sort::int(), &self.int(*v)).into(),
        }
    }

    fn formulas(&mut self, items: &[Term]) -> Vec<Bool> {
        items.iter().map(|item| self.formula(*item)).collect()
    }

    fn sum(&mut self, sum: &Linear) -> Int {
        let mut parts: Vec<Int> = Vec::new();
        for (term, c) in sum.monomials() {
            let term = self.int(*term);
            parts.push(if *c == 1 { term } else { Int::mul(&[numeral(*c), term]) });
        }
        if sum.offset() != 0 {
            parts.push(numeral(sum.offset()));
        }
        if parts.len() == 1 { parts.swap_remove(0) } else { Int::add(&parts) }
    }

    /// Shifts by constants and masks of low bits are arithmetic, which combines with the rest; others go through bit-vectors.
    fn bits(&mut self, op: BitOp, ty: IntType, a: Term, b: Term) -> Int {
        match (op, a.as_int(), b.as_int()) {
            (BitOp::Shl, _, Some(k)) if (0..i128::from(ty.bits)).contains(&k) => {
                let shifted = Int::mul(&[self.int(a), numeral(1 << k)]);
                return wrap(ty, &shifted);
            }
            // SMT-LIB's division by a positive number rounds down, as an arithmetic shift does.
            (BitOp::Shr, _, Some(k)) if (0..i128::from(ty.bits)).contains(&k) => {
                return self.int(a).div(numeral(1 << k));
            }
            (BitOp::And, _, Some(mask)) if low_mask(mask) => return self.int(a).modulo(numeral(mask + 1)),
            (BitOp::And, Some(mask), _) if low_mask(mask) => return self.int(b).modulo(numeral(mask + 1)),
            _ => {}
        }
        let (a, b) = (BV::from_int(&self.int(a), ty.bits), BV::from_int(&self.int(b), ty.bits));
        let result = match op {
            BitOp::And => a.bvand(&b),
            BitOp::Or => a.bvor(&b),
            BitOp::Xor => a.bvxor(&b),
            BitOp::Shl => a.bvshl(&b),
            BitOp::Shr if ty.signed => a.bvashr(&b),
            BitOp::Shr => a.bvlshr(&b),
        };
        result.to_int(ty.signed)
    }
}

fn low_mask(mask: i128) -> bool {
    mask > 0 && mask < i128::from(u64::MAX) && (mask + 1).count_ones() == 1
}

fn numeral(value: i128) -> Int {
    match i64::try_from(value) {
        Ok(value) => Int::from_i64(value),
        Err(_) => Int::from_str(&value.to_string()).unwrap_or_else(|()| Int::from_i64(0)),
    }
}

/// C's division or remainder from SMT-LIB's, whose remainder is never negative: they agree on a dividend >= 0, and
/// (-a) / b = -(a / b) and (-a) % b = -(a % b) in C.
fn truncated(a: &Int, b: &Int, op: impl Fn(&Int, &Int) -> Int) -> Int {
    let negative = op(&a.unary_minus(), b).unary_minus();
    a.ge(Int::from_i64(0)).ite(&op(a, b), &negative)
}

/// The value modulo 2^bits in the range of the type.
fn wrap(ty: IntType, a: &Int) -> Int {
    let size = numeral(1i128 << ty.bits);
    if !ty.signed {
        return a.modulo(size);
    }
    let half = numeral(1i128 << (ty.bits - 1));
    Int::sub(&[Int::add(&[a.clone(), half.clone()]).modulo(size), half])
}
