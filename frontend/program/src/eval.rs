//! Concrete evaluation, bit-exact. Used to replay traces and to compare lowered programs with compiled ones.
//!
//! Arithmetic is modulo 2^128. That is exact for every value that is observed: unsigned values are wrapped to at most 64
//! bits before they are compared or divided, a signed result out of range fails its [`crate::Definedness`] condition,
//! and the product of two 64-bit values that decides such a condition fits.

use std::collections::BTreeMap;
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
    pub fn eval(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<Value, EvalError> {
        Ok(match self.kind() {
            TermKind::Int(v) => Value::Int(*v),
            TermKind::Bool(v) => Value::Bool(*v),
            TermKind::Var(var, _) => value(*var).ok_or(EvalError::Unassigned(*var))?,
            TermKind::Primed(var, _) => return Err(EvalError::Unassigned(*var)),
            TermKind::Sum(sum) => Value::Int(eval_sum(sum, value)?),
            TermKind::Add(a, b) => Value::Int(a.eval_int(value)?.wrapping_add(b.eval_int(value)?)),
            TermKind::Mul(a, b) => Value::Int(a.eval_int(value)?.wrapping_mul(b.eval_int(value)?)),
            TermKind::Div(a, b) => {
                Value::Int(a.eval_int(value)?.checked_div(b.eval_int(value)?).ok_or(EvalError::Undefined)?)
            }
            TermKind::Rem(a, b) => {
                Value::Int(a.eval_int(value)?.checked_rem(b.eval_int(value)?).ok_or(EvalError::Undefined)?)
            }
            TermKind::Wrap(ty, a) => Value::Int(ty.wrap(a.eval_int(value)?)),
            TermKind::Bits(op, ty, a, b) => {
                Value::Int(bit_op(*op, *ty, a.eval_int(value)?, b.eval_int(value)?).ok_or(EvalError::Undefined)?)
            }
            TermKind::Ite(c, a, b) => {
                if c.eval_bool(value)? {
                    a.eval(value)?
                } else {
                    b.eval(value)?
                }
            }
            TermKind::Le(form, bound) => Value::Bool(eval_sum(form, value)? <= *bound),
            TermKind::Eq(form, bound) => Value::Bool(eval_sum(form, value)? == *bound),
            TermKind::ArrayEq(a, b) => Value::Bool(a.eval(value)? == b.eval(value)?),
            TermKind::Not(a) => Value::Bool(!a.eval_bool(value)?),
            TermKind::And(items) => {
                let mut all = true;
                for item in items {
                    all &= item.eval_bool(value)?;
                }
                Value::Bool(all)
            }
            TermKind::Or(items) => {
                let mut any = false;
                for item in items {
                    any |= item.eval_bool(value)?;
                }
                Value::Bool(any)
            }
            TermKind::Select(a, i) => Value::Int(a.eval_array(value)?.get(i.eval_int(value)?)),
            TermKind::Store(a, i, v) => {
                let mut array = a.eval_array(value)?;
                array.set(i.eval_int(value)?, v.eval_int(value)?);
                Value::Array(array)
            }
            TermKind::ConstArray(v) => Value::Array(Array::filled(v.eval_int(value)?)),
        })
    }

    /// The value of an integer term.
    pub fn eval_int(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<i128, EvalError> {
        match self.eval(value)? {
            Value::Int(v) => Ok(v),
            _ => Err(EvalError::Sort),
        }
    }
    /// The value of a formula.
    pub fn eval_bool(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<bool, EvalError> {
        match self.eval(value)? {
            Value::Bool(v) => Ok(v),
            _ => Err(EvalError::Sort),
        }
    }
    fn eval_array(self, value: &impl Fn(VarId) -> Option<Value>) -> Result<Array, EvalError> {
        match self.eval(value)? {
            Value::Array(v) => Ok(v),
            _ => Err(EvalError::Sort),
        }
    }
}

fn eval_sum(sum: &Linear, value: &impl Fn(VarId) -> Option<Value>) -> Result<i128, EvalError> {
    let mut total = sum.offset();
    for (term, c) in sum.monomials() {
        total = total.wrapping_add(c.wrapping_mul(term.eval_int(value)?));
    }
    Ok(total)
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
