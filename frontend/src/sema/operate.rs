//! Binary operators, assignment and the conditional operator.

use std::rc::Rc;

use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Expression};
use lang_c::span::Node;
use program::Span;

use super::convert::{Purpose, cast, common_type, is_null, opaque, promoted_int, unsupported};
use super::expr::Operand;
use super::init::Plan;
use super::{INT, R, Sema, const_value};
use crate::hir::{BinaryOp, Comparison, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind, Type, Update, Yield};

/// The families of binary operators.
enum Family {
    Index,
    Arithmetic(BinaryOp),
    Compare(Comparison),
    And,
    Or,
    Assign,
    Update(BinaryOp),
}

fn family(operator: &BinaryOperator) -> Family {
    use BinaryOperator as B;
    match operator {
        B::Index => Family::Index,
        B::Multiply => Family::Arithmetic(BinaryOp::Mul),
        B::Divide => Family::Arithmetic(BinaryOp::Div),
        B::Modulo => Family::Arithmetic(BinaryOp::Rem),
        B::Plus => Family::Arithmetic(BinaryOp::Add),
        B::Minus => Family::Arithmetic(BinaryOp::Sub),
        B::ShiftLeft => Family::Arithmetic(BinaryOp::Shl),
        B::ShiftRight => Family::Arithmetic(BinaryOp::Shr),
        B::BitwiseAnd => Family::Arithmetic(BinaryOp::And),
        B::BitwiseXor => Family::Arithmetic(BinaryOp::Xor),
        B::BitwiseOr => Family::Arithmetic(BinaryOp::Or),
        B::Less => Family::Compare(Comparison::Lt),
        B::Greater => Family::Compare(Comparison::Gt),
        B::LessOrEqual => Family::Compare(Comparison::Le),
        B::GreaterOrEqual => Family::Compare(Comparison::Ge),
        B::Equals => Family::Compare(Comparison::Eq),
        B::NotEquals => Family::Compare(Comparison::Ne),
        B::LogicalAnd => Family::And,
        B::LogicalOr => Family::Or,
        B::Assign => Family::Assign,
        B::AssignMultiply => Family::Update(BinaryOp::Mul),
        B::AssignDivide => Family::Update(BinaryOp::Div),
        B::AssignModulo => Family::Update(BinaryOp::Rem),
        B::AssignPlus => Family::Update(BinaryOp::Add),
        B::AssignMinus => Family::Update(BinaryOp::Sub),
        B::AssignShiftLeft => Family::Update(BinaryOp::Shl),
        B::AssignShiftRight => Family::Update(BinaryOp::Shr),
        B::AssignBitwiseAnd => Family::Update(BinaryOp::And),
        B::AssignBitwiseXor => Family::Update(BinaryOp::Xor),
        B::AssignBitwiseOr => Family::Update(BinaryOp::Or),
    }
}

/// Whether the operator takes integers only.
fn integers_only(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
}

impl Sema<'_> {
    /// A binary operator.
    pub fn binary(&mut self, binary: &BinaryOperatorExpression, span: Span) -> R<Operand> {
        let value = match family(&binary.operator.node) {
            Family::Index => return self.subscript(&binary.lhs, &binary.rhs, span),
            Family::Assign => self.assignment(&binary.lhs, &binary.rhs, span)?,
            Family::Update(op) => self.update(op, &binary.lhs, &binary.rhs, span)?,
            Family::Arithmetic(op) => {
                let (left, right) = (self.value(&binary.lhs)?, self.value(&binary.rhs)?);
                self.arithmetic(op, left, right, span)?
            }
            Family::Compare(op) => {
                let (left, right) = (self.value(&binary.lhs)?, self.value(&binary.rhs)?);
                self.comparison(op, left, right, span)?
            }
            Family::And => self.logical(ExprKind::LogicalAnd, binary, span)?,
            Family::Or => self.logical(ExprKind::LogicalOr, binary, span)?,
        };
        Ok(Operand::Value(value))
    }

    fn logical(
        &mut self,
        make: fn(Box<Expr>, Box<Expr>) -> ExprKind,
        binary: &BinaryOperatorExpression,
        span: Span,
    ) -> R<Expr> {
        let left = self.condition(&binary.lhs)?;
        let right = self.condition(&binary.rhs)?;
        Ok(Expr { kind: make(Box::new(left), Box::new(right)), ty: Type::Int(INT), span })
    }

    /// `left op right` on values.
    pub fn arithmetic(&self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> R<Expr> {
        if let Some(what) = opaque(&left).or_else(|| opaque(&right)) {
            return Ok(unsupported(&what, span));
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            if !matches!((&left.ty, &right.ty), (Type::Int(_), Type::Int(_))) {
                return self.invalid_operands(op, &left, &right, span);
            }
            let (left, right) = (self.promote(left), self.promote(right));
            let ty = left.ty.clone();
            return Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span });
        }
        match (op, &left.ty, &right.ty) {
            (BinaryOp::Add, Type::Pointer(_), Type::Int(_)) => self.pointer_offset(left, right, false, span),
            (BinaryOp::Add, Type::Int(_), Type::Pointer(_)) => self.pointer_offset(right, left, false, span),
            (BinaryOp::Sub, Type::Pointer(_), Type::Int(_)) => self.pointer_offset(left, right, true, span),
            (BinaryOp::Sub, Type::Pointer(pointee), Type::Pointer(_)) => {
                let size = match self.element_size(pointee, span)? {
                    Ok(size) => size,
                    Err(unsupported) => return Ok(unsupported),
                };
                let kind = ExprKind::PointerDifference { left: Box::new(left), right: Box::new(right), size };
                Ok(Expr { kind, ty: Type::Int(self.long()), span })
            }
            _ => match common_type(&left.ty, &right.ty) {
                Some(ty) if !(integers_only(op) && matches!(ty, Type::Float(_))) => {
                    let (left, right) = (cast(left, ty.clone()), cast(right, ty.clone()));
                    Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
                }
                _ => self.invalid_operands(op, &left, &right, span),
            },
        }
    }

    fn invalid_operands<T>(&self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> R<T> {
        let symbol = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
        };
        self.wrong_operands(symbol, left, right, span)
    }

    fn wrong_operands<T>(&self, symbol: &str, left: &Expr, right: &Expr, span: Span) -> R<T> {
        let (left, right) = (self.name_of(&left.ty), self.name_of(&right.ty));
        self.invalid(span, format!("invalid operands to binary {symbol} (have {left} and {right})"))
    }

    fn pointer_offset(&self, pointer: Expr, index: Expr, negative: bool, span: Span) -> R<Expr> {
        let ty = pointer.ty.clone();
        let Type::Pointer(pointee) = &ty else { return self.invalid(span, "a pointer is needed here") };
        let size = match self.element_size(pointee, span)? {
            Ok(size) => size,
            Err(unsupported) => return Ok(unsupported),
        };
        let index = self.promote(index);
        let kind = ExprKind::PointerOffset { pointer: Box::new(pointer), index: Box::new(index), size, negative };
        Ok(Expr { kind, ty, span })
    }

    /// `left op right` as an int.
    pub fn comparison(&self, op: Comparison, left: Expr, right: Expr, span: Span) -> R<Expr> {
        if let Some(what) = opaque(&left).or_else(|| opaque(&right)) {
            return Ok(unsupported(&what, span));
        }
        let (left, right) = match (&left.ty, &right.ty) {
            (Type::Pointer(_), Type::Pointer(_) | Type::Int(_)) => {
                let ty = left.ty.clone();
                (left, cast(right, ty))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                let ty = right.ty.clone();
                (cast(left, ty), right)
            }
            _ => match common_type(&left.ty, &right.ty) {
                Some(ty) => (cast(left, ty.clone()), cast(right, ty)),
                None => return self.wrong_operands("comparison", &left, &right, span),
            },
        };
        Ok(Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: Type::Int(INT), span })
    }

    /// `a[i]` or `i[a]`.
    fn subscript(&mut self, base: &Node<Expression>, index: &Node<Expression>, span: Span) -> R<Operand> {
        let (base, index) = (self.operand(base)?, self.operand(index)?);
        let is_index = |operand: &Operand| match operand {
            Operand::Value(value) => matches!(value.ty, Type::Int(_)),
            Operand::Place(place) => matches!(place.ty.unatomic(), Type::Int(_)),
            _ => false,
        };
        let (base, index) = if is_index(&base) { (index, base) } else { (base, index) };
        let index = self.decay(index)?;
        match base {
            Operand::Place(place) if matches!(place.ty.unatomic(), Type::Array(..)) => {
                self.index_place(place, index, span)
            }
            base => {
                let pointer = self.decay(base)?;
                if let Some(what) = opaque(&pointer).or_else(|| opaque(&index)) {
                    return Ok(Operand::Value(unsupported(&what, span)));
                }
                if !matches!((&pointer.ty, &index.ty), (Type::Pointer(_), Type::Int(_))) {
                    return self.invalid(
                        span,
                        "the subscripted value is neither array nor pointer, or the subscript no integer",
                    );
                }
                let moved = self.pointer_offset(pointer, index, false, span)?;
                self.dereference(moved, span)
            }
        }
    }

    fn index_place(&self, place: Place, index: Expr, span: Span) -> R<Operand> {
        if let Some(what) = opaque(&index) {
            return Ok(Operand::Value(unsupported(&what, span)));
        }
        let element = match place.ty.unatomic() {
            Type::Array(element, _) if matches!(index.ty, Type::Int(_)) => (**element).clone(),
            _ => return self.invalid(span, "an array subscript is not an integer"),
        };
        let index = self.promote(index);
        Ok(Operand::Place(Place { ty: element, kind: PlaceKind::Index(Box::new(place), Box::new(index)), span }))
    }

    fn assignment(&mut self, target: &Node<Expression>, source: &Node<Expression>, span: Span) -> R<Expr> {
        let target = self.operand(target)?;
        let source = self.value(source)?;
        let place = match self.modifiable(target, "assignment", span)? {
            Ok(place) => place,
            Err(unsupported) => return Ok(unsupported),
        };
        let value = self.convert(source, &place.ty, Purpose::Assign)?;
        let ty = place.ty.unatomic().clone();
        Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span })
    }

    fn update(&mut self, op: BinaryOp, target: &Node<Expression>, source: &Node<Expression>, span: Span) -> R<Expr> {
        let target = self.operand(target)?;
        let source = self.value(source)?;
        let place = match self.modifiable(target, "assignment", span)? {
            Ok(place) => place,
            Err(unsupported) => return Ok(unsupported),
        };
        if let Some(what) = opaque(&source) {
            return Ok(unsupported(&what, span));
        }
        let ty = place.ty.unatomic().clone();
        let update = match (&ty, &source.ty, op) {
            (Type::Pointer(pointee), Type::Int(_), BinaryOp::Add | BinaryOp::Sub) => {
                let size = match self.element_size(pointee, span)? {
                    Ok(size) => size,
                    Err(unsupported) => return Ok(unsupported),
                };
                let operand = Box::new(self.promote(source));
                Update::Pointer { operand, size, negative: op == BinaryOp::Sub }
            }
            _ => match self.arithmetic_update(op, &place, source, span)? {
                Ok(update) => update,
                Err(unsupported) => return Ok(unsupported),
            },
        };
        Ok(Expr { kind: ExprKind::Update(Box::new(place), update, Yield::New), ty, span })
    }

    fn arithmetic_update(&self, op: BinaryOp, place: &Place, source: Expr, span: Span) -> R<Result<Update, Expr>> {
        let old = self.place_type(place);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr)
            && let (Type::Int(int), Type::Int(_)) = (&old, &source.ty)
        {
            let compute = Type::Int(promoted_int(*int));
            let operand = Box::new(self.promote(source));
            return Ok(Ok(Update::Arithmetic { op, compute, operand }));
        }
        match common_type(&old, &source.ty) {
            Some(compute) if !(integers_only(op) && matches!(compute, Type::Float(_))) => {
                let operand = Box::new(cast(source, compute.clone()));
                Ok(Ok(Update::Arithmetic { op, compute, operand }))
            }
            _ => {
                let stand_in = Expr { kind: ExprKind::Const(0), ty: old, span };
                self.invalid_operands(op, &stand_in, &source, span)
            }
        }
    }

    /// `c ? a : b`.
    pub fn conditional(&mut self, conditional: &ConditionalExpression, span: Span) -> R<Expr> {
        let condition = self.condition(&conditional.condition)?;
        if is_condition_value(&conditional.then_expression.node) {
            return self.condition_or(condition, &conditional.else_expression, span);
        }
        let then = self.value(&conditional.then_expression)?;
        let other = self.value(&conditional.else_expression)?;
        self.choice(condition, then, other, span)
    }

    /// `a ?: b`: the condition is evaluated once, into a nameless local, and its value is the result unless it is zero.
    fn condition_or(&mut self, condition: Expr, other: &Node<Expression>, span: Span) -> R<Expr> {
        let other = self.value(other)?;
        if const_value(&condition).is_some() || opaque(&condition).is_some() {
            return self.choice(condition.clone(), condition, other, span);
        }
        let ty = condition.ty.clone();
        let id = self.new_local("condition", ty.clone(), span)?;
        let place = Place { kind: PlaceKind::Local(id), ty: ty.clone(), span };
        let value = Expr { kind: ExprKind::Load(Box::new(place.clone())), ty, span };
        let choice = self.choice(value.clone(), value, other, span)?;
        let init = self.build_init(Plan::whole(condition), &place);
        let ty = choice.ty.clone();
        let declare = Stmt { kind: StmtKind::Declare(id, Some(init)), span };
        let kind = ExprKind::Block(vec![declare, Stmt { kind: StmtKind::Expr(choice), span }]);
        Ok(Expr { kind, ty, span })
    }

    fn choice(&mut self, condition: Expr, then: Expr, other: Expr, span: Span) -> R<Expr> {
        let Some(ty) = self.conditional_type(&then, &other) else {
            let (then, other) = (self.name_of(&then.ty), self.name_of(&other.ty));
            return self.invalid(span, format!("type mismatch in conditional expression ({then} and {other})"));
        };
        let (then, other) = if ty == Type::Void {
            (cast(then, Type::Void), cast(other, Type::Void))
        } else {
            (self.convert(then, &ty, Purpose::Operand)?, self.convert(other, &ty, Purpose::Operand)?)
        };
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(other));
        Ok(Expr { kind, ty, span })
    }

    fn conditional_type(&self, then: &Expr, other: &Expr) -> Option<Type> {
        match (&then.ty, &other.ty) {
            (Type::Opaque(_), ty) | (ty, Type::Opaque(_)) => Some(ty.clone()),
            (Type::Void, _) | (_, Type::Void) => Some(Type::Void),
            (Type::Pointer(left), Type::Pointer(right)) => Some(if is_null(then) {
                other.ty.clone()
            } else if is_null(other) || **left == Type::Void {
                then.ty.clone()
            } else if **right == Type::Void {
                Type::Pointer(Rc::new(Type::Void))
            } else {
                then.ty.clone()
            }),
            (Type::Pointer(_), Type::Int(_)) => Some(then.ty.clone()),
            (Type::Int(_), Type::Pointer(_)) => Some(other.ty.clone()),
            (left, right) => common_type(left, right).or_else(|| (left == right).then(|| left.clone())),
        }
    }
}

/// What the rewriting of `a ?: b` puts in the place that is left empty.
fn is_condition_value(node: &Expression) -> bool {
    matches!(node, Expression::Call(call)
        if matches!(&call.node.callee.node, Expression::Identifier(name) if name.node.name == "__threader_condition_value"))
}
