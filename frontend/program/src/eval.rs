//! Concrete evaluation, bit-exact. Used to replay traces and to compare lowered programs with compiled ones.
//!
//! Arithmetic is modulo 2^128. That is exact for every value that is observed: unsigned values are wrapped to at most 64
//! bits before they are compared or divided, a signed result out of range fails its [`crate::Definedness`] condition,
//! and the product of two 64-bit values that decides such a condition fits.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::linear::Linear;
use crate::model::VarId;
use crate::term::{BitOp, IntType, Term, TermKind};

/// A concrete array: a default and the elements that differ from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Array {
    /// The value of every element not listed.
    pub default: i128,
    /// The others.
    pub elements: BTreeMap<i128, i128>,
}

impl Array {
    /// The array that holds `default` everywhere.
    pub fn filled(default: i128) -> Array {
        Array { default, elements: BTreeMap::new() }
    }
    /// An element.
    pub fn get(&self, index: i128) -> i128 {
        self.elements.get(&index).copied().unwrap_or(self.default)
    }
    /// Replaces an element.
    pub fn set(&mut self, index: i128, value: i128) {
        if value == self.default {
            self.elements.remove(&index);
        } else {
            self.elements.insert(index, value);
        }
    }
}

/// A concrete value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An array.
    Array(Array),
}

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A variable without a value.
    Unassigned(VarId),
    /// Division or remainder by zero, or a shift by an amount out of range: the step's definedness says so too.
    Undefined,
    /// A value of the wrong sort was supplied.
    Sort,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unassigned(var) => write!(f, "variable {} has no value", var.0),
            EvalError::Undefined => f.write_str("the value is undefined"),
            EvalError::Sort => f.write_str("a value has the wrong sort"),
        }
    }
}
impl std::error::Error for EvalError {}

impl Term {
    /// The term's value where `value` gives those of its variables.
    ///
    /// A conjunction with a false conjunct is false and a disjunction with a true disjunct is true, even if another item
    /// is undefined: connectives are sorted, so C's order of evaluation is not theirs, and `y == 0 || x / y < 3` has a value.
    pub fn eval(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<Value, EvalError> {
        Evaluation { value, visits: 0, known: HashMap::new() }.eval(self)
    }
    /// The value of an integer term.
    pub fn eval_int(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<i128, EvalError> {
        as_int(self.eval(value)?)
    }
    /// The value of a formula.
    pub fn eval_bool(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<bool, EvalError> {
        as_bool(self.eval(value)?)
    }
}

/// Visits after which values of subterms are remembered: terms share subterms, and a fused piece of straight code can be
/// exponentially larger as a tree than as a graph. Most terms are small, and remembering would cost more than it saves.
const SMALL: u32 = 64;

struct Evaluation<'a, F> {
    value: &'a F,
    visits: u32,
    known: HashMap<Term, Value>,
}

impl<F: Fn(VarId) -> Option<Value>> Evaluation<'_, F> {
    fn eval(&mut self, term: Term) -> Result<Value, EvalError> {
        match term.kind() {
            TermKind::Int(v) => return Ok(Value::Int(*v)),
            TermKind::Bool(v) => return Ok(Value::Bool(*v)),
            TermKind::Var(var, _) => return (self.value)(*var).ok_or(EvalError::Unassigned(*var)),
            _ => {}
        }
        self.visits = self.visits.saturating_add(1);
        if self.visits < SMALL {
            return self.eval_compound(term);
        }
        if let Some(known) = self.known.get(&term) {
            return Ok(known.clone());
        }
        let result = self.eval_compound(term)?;
        self.known.insert(term, result.clone());
        Ok(result)
    }

    fn eval_compound(&mut self, term: Term) -> Result<Value, EvalError> {
        Ok(match term.kind() {
            TermKind::Int(v) => Value::Int(*v),
            TermKind::Bool(v) => Value::Bool(*v),
            TermKind::Var(var, _) | TermKind::Primed(var, _) => return Err(EvalError::Unassigned(*var)),
            TermKind::Sum(sum) => Value::Int(self.sum(sum)?),
            TermKind::Add(a, b) => Value::Int(self.int(*a)?.wrapping_add(self.int(*b)?)),
            TermKind::Mul(a, b) => Value::Int(self.int(*a)?.wrapping_mul(self.int(*b)?)),
            TermKind::Div(a, b) => Value::Int(self.int(*a)?.checked_div(self.int(*b)?).ok_or(EvalError::Undefined)?),
            TermKind::Rem(a, b) => Value::Int(self.int(*a)?.checked_rem(self.int(*b)?).ok_or(EvalError::Undefined)?),
            TermKind::Wrap(ty, a) => Value::Int(ty.wrap(self.int(*a)?)),
            TermKind::Bits(op, ty, a, b) => {
                Value::Int(bit_op(*op, *ty, self.int(*a)?, self.int(*b)?).ok_or(EvalError::Undefined)?)
            }
            TermKind::Ite(c, a, b) => {
                let arm = if self.bool(*c)? { *a } else { *b };
                self.eval(arm)?
            }
            TermKind::Le(form, bound) => Value::Bool(self.sum(form)? <= *bound),
            TermKind::Eq(form, bound) => Value::Bool(self.sum(form)? == *bound),
            TermKind::ArrayEq(a, b) => Value::Bool(self.eval(*a)? == self.eval(*b)?),
            TermKind::Not(a) => Value::Bool(!self.bool(*a)?),
            TermKind::And(items) => Value::Bool(!self.some(items, false)?),
            TermKind::Or(items) => Value::Bool(self.some(items, true)?),
            TermKind::Select(a, i) => Value::Int(self.array(*a)?.get(self.int(*i)?)),
            TermKind::Store(a, i, v) => {
                let mut array = self.array(*a)?;
                array.set(self.int(*i)?, self.int(*v)?);
                Value::Array(array)
            }
            TermKind::ConstArray(v) => Value::Array(Array::filled(self.int(*v)?)),
        })
    }

    /// Whether some item has the wanted value, if that does not depend on undefined ones.
    fn some(&mut self, items: &[Term], wanted: bool) -> Result<bool, EvalError> {
        let mut result = Ok(false);
        for item in items {
            match self.bool(*item) {
                Ok(value) if value == wanted => return Ok(true),
                Ok(_) => {}
                Err(EvalError::Undefined) => result = Err(EvalError::Undefined),
                Err(other) => return Err(other),
            }
        }
        result
    }

    fn sum(&mut self, sum: &Linear) -> Result<i128, EvalError> {
        let mut total = sum.offset();
        for (term, c) in sum.monomials() {
            total = total.wrapping_add(c.wrapping_mul(self.int(*term)?));
        }
        Ok(total)
    }
    fn int(&mut self, term: Term) -> Result<i128, EvalError> {
        as_int(self.eval(term)?)
    }
    fn bool(&mut self, term: Term) -> Result<bool, EvalError> {
        as_bool(self.eval(term)?)
    }
    fn array(&mut self, term: Term) -> Result<Array, EvalError> {
        match self.eval(term)? {
            Value::Array(v) => Ok(v),
            _ => Err(EvalError::Sort),
        }
    }
}

fn as_int(value: Value) -> Result<i128, EvalError> {
    match value {
        Value::Int(v) => Ok(v),
        _ => Err(EvalError::Sort),
    }
}

fn as_bool(value: Value) -> Result<bool, EvalError> {
    match value {
        Value::Bool(v) => Ok(v),
        _ => Err(EvalError::Sort),
    }
}

/// A bitwise operation on values of `ty`; nothing for a shift amount outside 0 .. bits.
pub(crate) fn bit_op(op: BitOp, ty: IntType, a: i128, b: i128) -> Option<i128> {
    let amount = || u32::try_from(b).ok().filter(|b| *b < ty.bits);
    Some(match op {
        BitOp::And => ty.wrap(a & b),
        BitOp::Or => ty.wrap(a | b),
        BitOp::Xor => ty.wrap(a ^ b),
        BitOp::Shl => ty.wrap(a << amount()?),
        BitOp::Shr => ty.wrap(a >> amount()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }
    fn with_x(x: i128) -> impl Fn(VarId) -> Option<Value> {
        move |_| Some(Value::Int(x))
    }

    #[test]
    fn a_decided_connective_does_not_depend_on_undefined_items() {
        let quotient_small = Term::int(6).div(x()).lt(Term::int(3));
        let guarded = Term::or([x().eq_to(Term::int(0)), quotient_small]);
        assert_eq!(guarded.eval_bool(&with_x(0)), Ok(true));
        assert_eq!(guarded.not().eval_bool(&with_x(0)), Ok(false));
        assert_eq!(guarded.eval_bool(&with_x(2)), Ok(false));
        let open = Term::or([x().eq_to(Term::int(1)), quotient_small]);
        assert_eq!(open.eval_bool(&with_x(0)), Err(EvalError::Undefined));
    }

    #[test]
    fn values_are_those_of_c() {
        let (int32, uint8) = (IntType::new(32, true), IntType::new(8, false));
        let array = Term::const_array(Term::int(9)).store(x(), Term::int(4));
        for (term, at, expected) in [
            (x().div(Term::int(2)), -7, -3),
            (x().rem(Term::int(2)), -7, -1),
            (x().mul(x()).sub(x()), 5, 20),
            (x().wrap(uint8), -1, 255),
            (Term::bits(BitOp::Shr, int32, x(), Term::int(1)), -3, -2),
            (Term::bits(BitOp::Shl, uint8, x(), Term::int(7)), 3, 128),
            (Term::bits(BitOp::And, int32, x(), Term::int(0xff)), -2, 0xfe),
            (Term::ite(x().le(Term::int(0)), Term::int(1), x()), 3, 3),
            (array.select(Term::int(2)), 2, 4),
            (array.select(Term::int(3)), 2, 9),
            (array.eq_to(Term::const_array(Term::int(9))).as_c_int(), 2, 0),
        ] {
            assert_eq!(term.eval_int(&with_x(at)), Ok(expected), "{term:?} at {at}");
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        let shift = |ty| Term::bits(BitOp::Shl, ty, Term::int(1), x());
        assert_eq!(Term::int(1).rem(x()).eval_int(&with_x(0)), Err(EvalError::Undefined));
        assert_eq!(shift(IntType::new(32, true)).eval_int(&with_x(32)), Err(EvalError::Undefined));
        assert_eq!(shift(IntType::new(32, true)).eval_int(&with_x(-1)), Err(EvalError::Undefined));
        assert_eq!(x().eval_int(&|_| None), Err(EvalError::Unassigned(VarId(0))));
        assert_eq!(x().prime().eval_int(&with_x(1)), Err(EvalError::Unassigned(VarId(0))));
        assert_eq!(x().eval_bool(&with_x(1)), Err(EvalError::Sort));
        assert_eq!(x().add(Term::int(1)).eval_int(&|_| Some(Value::Bool(true))), Err(EvalError::Sort));
    }

    #[test]
    fn equal_arrays_are_equal_values() {
        let mut array = Array::filled(1);
        array.set(5, 2);
        assert_eq!((array.get(5), array.get(6)), (2, 1));
        array.set(5, 1);
        assert_eq!(array, Array::filled(1));
    }

    #[test]
    fn shared_subterms_are_evaluated_once() {
        // As a tree this has 2^200 leaves.
        let ty = IntType::new(64, false);
        let term = (0..200).fold(x(), |t, _| Term::bits(BitOp::Xor, ty, t, t.add(Term::int(1)).wrap(ty)));
        let expected = (0..200).fold(5u64, |v, _| v ^ v.wrapping_add(1));
        assert_eq!(term.eval_int(&with_x(5)), Ok(i128::from(expected)));
    }
}
