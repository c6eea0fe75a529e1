//! Integer constant expressions, exact for their types.

use program::IntType;

use crate::hir::{BinaryOp, Comparison, Expr, ExprKind, Type, UnaryOp};

/// The value of an expression that is an integer constant or a null pointer; None if it is not constant, or undefined
/// (division by zero, an oversized shift). Signed overflow wraps, as gcc does it.
pub fn const_value(expr: &Expr) -> Option<i128> {
    let raw = match &expr.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Unary(op, operand) => unary(*op, const_value(operand)?),
        ExprKind::Binary(op, left, right) => {
            let (l, r) = (const_value(left)?, const_value(right)?);
            binary(*op, l, r, int_type(&left.ty)?)?
        }
        ExprKind::Compare(op, left, right) => i128::from(compare(*op, const_value(left)?, const_value(right)?)),
        ExprKind::Not(operand) => i128::from(const_value(operand)? == 0),
        ExprKind::LogicalAnd(left, right) => match const_value(left)? {
            0 => 0,
            _ => i128::from(const_value(right)? != 0),
        },
        ExprKind::LogicalOr(left, right) => match const_value(left)? {
            0 => i128::from(const_value(right)? != 0),
            _ => 1,
        },
        ExprKind::Conditional(condition, then, other) => match const_value(condition)? {
            0 => const_value(other)?,
            _ => const_value(then)?,
        },
        ExprKind::Cast(operand) => {
            int_or_pointer(&operand.ty)?;
            let value = const_value(operand)?;
            if expr.ty == Type::Int(super::BOOL) { i128::from(value != 0) } else { value }
        }
        _ => return None,
    };
    match &expr.ty {
        Type::Int(ty) => Some(ty.wrap(raw)),
        // A pointer constant other than null is left to those who know what it points to.
        Type::Pointer(_) if raw == 0 => Some(0),
        _ => None,
    }
}

fn int_type(ty: &Type) -> Option<IntType> {
    match ty {
        Type::Int(int) => Some(*int),
        _ => None,
    }
}

fn int_or_pointer(ty: &Type) -> Option<()> {
    matches!(ty, Type::Int(_) | Type::Pointer(_)).then_some(())
}

/// A unary operator on a value, before wrapping.
fn unary(op: UnaryOp, value: i128) -> i128 {
    match op {
        UnaryOp::Neg => value.wrapping_neg(),
        UnaryOp::Complement => !value,
    }
}

/// A binary operator on two values of `ty` (the left operand's type), before wrapping.
fn binary(op: BinaryOp, l: i128, r: i128, ty: IntType) -> Option<i128> {
    let shift = || u32::try_from(r).ok().filter(|&amount| amount < ty.bits);
    Some(match op {
        BinaryOp::Add => l.wrapping_add(r),
        BinaryOp::Sub => l.wrapping_sub(r),
        BinaryOp::Mul => l.wrapping_mul(r),
        BinaryOp::Div => l.checked_div(r)?,
        BinaryOp::Rem => l.checked_rem(r)?,
        BinaryOp::Shl => l.wrapping_shl(shift()?),
        BinaryOp::Shr => l >> shift()?,
        BinaryOp::And => l & r,
        BinaryOp::Or => l | r,
        BinaryOp::Xor => l ^ r,
    })
}

fn compare(op: Comparison, l: i128, r: i128) -> bool {
    match op {
        Comparison::Eq => l == r,
        Comparison::Ne => l != r,
        Comparison::Lt => l < r,
        Comparison::Le => l <= r,
        Comparison::Gt => l > r,
        Comparison::Ge => l >= r,
    }
}
