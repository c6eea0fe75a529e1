//! Unary operators.

use std::rc::Rc;

use lang_c::ast::{Expression, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Node;
use program::Span;

use super::convert::{common_type, int, opaque, unsupported};
use super::expr::Operand;
use super::{INT, R, Sema};
use crate::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind, Type, UnaryOp, Update, Yield};

/// `++` or `--`.
#[derive(Clone, Copy)]
enum Step {
    Up,
    Down,
}

impl Sema<'_> {
    /// A prefix or postfix operator.
    pub fn unary(&mut self, unary: &UnaryOperatorExpression, span: Span) -> R<Operand> {
        let value = match unary.operator.node {
            UnaryOperator::PostIncrement => self.step(&unary.operand, Step::Up, Yield::Old, span)?,
            UnaryOperator::PostDecrement => self.step(&unary.operand, Step::Down, Yield::Old, span)?,
            UnaryOperator::PreIncrement => self.step(&unary.operand, Step::Up, Yield::New, span)?,
            UnaryOperator::PreDecrement => self.step(&unary.operand, Step::Down, Yield::New, span)?,
            UnaryOperator::Address => {
                let operand = self.operand(&unary.operand)?;
                self.address_of(operand, span)?
            }
            UnaryOperator::Indirection => {
                let pointer = self.value(&unary.operand)?;
                return self.dereference(pointer, span);
            }
            UnaryOperator::Negate => {
                let value = self.condition(&unary.operand)?;
                match opaque(&value) {
                    Some(what) => unsupported(&what, span),
                    None => Expr { kind: ExprKind::Not(Box::new(value)), ty: Type::Int(INT), span },
                }
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let value = self.value(&unary.operand)?;
                self.arithmetic_unary(&unary.operator.node, value, span)?
            }
        };
        Ok(Operand::Value(value))
    }

    fn arithmetic_unary(&self, operator: &UnaryOperator, value: Expr, span: Span) -> R<Expr> {
        if let Some(what) = opaque(&value) {
            return Ok(unsupported(&what, span));
        }
        let value = self.promote(value);
        let ty = value.ty.clone();
        let op = match (operator, &ty) {
            (UnaryOperator::Plus, Type::Int(_) | Type::Float(_)) => return Ok(value),
            (UnaryOperator::Minus, Type::Int(int_ty)) => {
                // Negative constants are constants; -INT_MIN stays an operation, whose overflow is an error.
                if let ExprKind::Const(number) = value.kind
                    && (!int_ty.signed || int_ty.contains(-number))
                {
                    return Ok(int(-number, *int_ty, span));
                }
                UnaryOp::Neg
            }
            (UnaryOperator::Minus, Type::Float(_)) => UnaryOp::Neg,
            (UnaryOperator::Complement, Type::Int(_)) => UnaryOp::Complement,
            _ => {
                let message = format!("wrong type of operand of a unary operator: {}", self.name_of(&ty));
                return self.invalid(span, message);
            }
        };
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(value)), ty, span })
    }

    /// `&operand`.
    pub fn address_of(&self, operand: Operand, span: Span) -> R<Expr> {
        match operand {
            Operand::Function(address) => Ok(address),
            Operand::Text(..) => {
                let ty = Type::Pointer(Rc::new(self.operand_type(&operand)));
                let decayed = self.decay(operand)?;
                self.explicit_cast(decayed, &ty, span)
            }
            Operand::Value(value) => match opaque(&value) {
                Some(what) => Ok(unsupported(&what, span)),
                None => self.invalid(span, "lvalue required as operand of `&`"),
            },
            Operand::Place(place) => {
                if self.bit_field_width(&place).is_some() {
                    return self.invalid(span, "cannot take the address of a bit-field");
                }
                // &*p is p, without an access [C11, 6.5.3.2].
                if let PlaceKind::Deref(pointer) = place.kind {
                    return Ok(Expr { span, ..*pointer });
                }
                let ty = Type::Pointer(Rc::new(place.ty.clone()));
                Ok(Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span })
            }
        }
    }

    fn step(&mut self, operand: &Node<Expression>, step: Step, result: Yield, span: Span) -> R<Expr> {
        let operand = self.operand(operand)?;
        let place = match self.modifiable(operand, "`++` or `--`", span)? {
            Ok(place) => place,
            Err(unsupported) => return Ok(unsupported),
        };
        let ty = place.ty.unatomic().clone();
        let down = matches!(step, Step::Down);
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        let update = match &ty {
            Type::Int(_) => {
                let old = self.place_type(&place);
                let compute = common_type(&old, &Type::Int(INT)).unwrap_or(Type::Int(INT));
                let operand = super::convert::cast(int(1, INT, span), compute.clone());
                Update::Arithmetic { op, compute, operand: Box::new(operand) }
            }
            Type::Float(_) => {
                let operand = Expr { kind: ExprKind::FloatConst, ty: ty.clone(), span };
                Update::Arithmetic { op, compute: ty.clone(), operand: Box::new(operand) }
            }
            Type::Pointer(pointee) => {
                let size = match self.element_size(pointee, span)? {
                    Ok(size) => size,
                    Err(unsupported) => return Ok(unsupported),
                };
                Update::Pointer { operand: Box::new(int(1, INT, span)), size, negative: down }
            }
            other => {
                let message = format!("wrong type of operand of `++` or `--`: {}", self.name_of(other));
                return self.invalid(span, message);
            }
        };
        Ok(Expr { kind: ExprKind::Update(Box::new(place), update, result), ty, span })
    }

    /// The promoted type of the integer at a place; None for odd bit-fields. Other types stay.
    pub fn place_type(&self, place: &Place) -> Type {
        match (place.ty.unatomic(), self.bit_field_width(place)) {
            (Type::Int(declared), Some(width)) => Type::Int(super::convert::bit_field_type(*declared, width)),
            (other, _) => other.clone(),
        }
    }

    /// The place that an operator writes; the inner error is an unsupported expression to use instead.
    pub fn modifiable(&self, operand: Operand, what: &str, span: Span) -> R<Result<Place, Expr>> {
        match operand {
            Operand::Place(place) => match place.ty.unatomic() {
                Type::Array(..) => self.invalid(span, "assignment to an expression with array type"),
                Type::Opaque(name) => Ok(Err(unsupported(name, span))),
                Type::Void => self.invalid(span, "assignment to an object of type void"),
                ty if !self.is_complete(ty) => self.invalid(span, "assignment to an object of incomplete type"),
                _ => Ok(Ok(place)),
            },
            Operand::Value(value) if opaque(&value).is_some() => Ok(Err(value)),
            _ => self.invalid(span, format!("lvalue required as operand of {what}")),
        }
    }

    /// Bytes of what a pointer steps over; the inner error is an unsupported expression to use instead.
    pub fn element_size(&self, pointee: &Type, span: Span) -> R<Result<u64, Expr>> {
        if let Some(what) = self.unsized_part(pointee) {
            return Ok(Err(unsupported(&what, span)));
        }
        if !self.is_complete(pointee) {
            return self.invalid(span, "arithmetic on a pointer to an incomplete type");
        }
        Ok(Ok(self.unit.size_of(pointee)))
    }
}
