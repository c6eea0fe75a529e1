//! Expressions, evaluated left to right.

use program::{IntType, Term, Untracked, VarId};

use super::build::{Label, ThreadBuilder};
use super::place::Spot;
use crate::cfg::Manner;
use crate::hir::{Comparison, Expr, ExprKind, Place, StmtKind, Type, Update, Yield};
use crate::memory::Shape;

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing.
    Void,
    /// An integer or a pointer.
    Scalar(Term),
    /// A floating-point number: not tracked.
    Float,
    /// A struct or union, which can be read here.
    Record(Spot),
}

impl ThreadBuilder<'_, '_> {
    /// The value of an integer or pointer expression.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Term {
        match self.value(expr) {
            Value::Scalar(term) => term,
            Value::Float => self.at(expr.span, |this| this.untracked(IntType::new(32, true), Untracked::Float)),
            Value::Void | Value::Record(_) => Term::int(0),
        }
    }

    /// Evaluates an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        self.at(expr.span, |this| this.value_here(expr))
    }

    fn value_here(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Const(value) => Value::Scalar(Term::int(*value)),
            ExprKind::FloatConst => Value::Float,
            ExprKind::String(bytes) => {
                let object = self.low.string_object(bytes, expr.span);
                Value::Scalar(self.low.memory.address_of(object))
            }
            ExprKind::FunctionAddress(id) => {
                let object = self.low.function_object(*id);
                Value::Scalar(self.low.memory.address_of(object))
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddressOf(place) => {
                let spot = self.place_up_to(place, 1);
                self.name(place);
                Value::Scalar(self.address(&spot))
            }
            ExprKind::Unary(op, a) => match (self.value(a), &expr.ty) {
                (Value::Scalar(a), Type::Int(ty)) => Value::Scalar(self.unary(*op, *ty, a)),
                _ => Value::Float,
            },
            ExprKind::Binary(op, a, b) => match (self.value(a), self.value(b), &expr.ty) {
                (Value::Scalar(a), Value::Scalar(b), Type::Int(ty)) => Value::Scalar(self.binary(*op, *ty, a, b)),
                _ => Value::Float,
            },
            ExprKind::Compare(op, a, b) => {
                let outcome = match (self.value(a), self.value(b)) {
                    (Value::Scalar(a), Value::Scalar(b)) => compare(*op, a, b).as_c_int(),
                    _ => self.untracked(IntType::new(1, false), Untracked::Float),
                };
                Value::Scalar(outcome)
            }
            ExprKind::Not(_) | ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => self.truth_value(expr),
            ExprKind::Conditional(cond, a, b) => self.conditional(expr, cond, a, b),
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::PointerOffset { pointer, index, size, negative } => {
                let (pointer, index) = (self.scalar(pointer), self.scalar(index));
                Value::Scalar(moved(pointer, index, *size, *negative))
            }
            ExprKind::PointerDifference { left, right, size } => {
                let (left, right) = (self.scalar(left), self.scalar(right));
                Value::Scalar(left.sub(right).div(Term::int(i128::from((*size).max(1)))))
            }
            ExprKind::Cast(inner) => {
                if let (ExprKind::Call(..), Type::Pointer(target)) = (&inner.kind, &expr.ty) {
                    self.wanted = Some(target.as_ref().clone()).filter(|ty| *ty != Type::Void);
                }
                let value = self.value(inner);
                self.cast(value, &inner.ty, &expr.ty)
            }
            ExprKind::Assign(place, value) => {
                let spot = self.place(place);
                self.store(&spot, place, value)
            }
            ExprKind::Update(place, update, yields) => self.update(place, update, *yields),
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, &expr.ty),
            ExprKind::Block(items) => self.block_value(items),
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone());
                self.placeholder(&expr.ty)
            }
        }
    }

    /// A value to go on with after an error has been reported.
    pub(super) fn placeholder(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Void => Value::Void,
            Type::Float(_) => Value::Float,
            Type::Record(_) => Value::Record(Spot::Nowhere),
            _ => Value::Scalar(Term::int(0)),
        }
    }

    fn load(&mut self, place: &Place) -> Value {
        let spot = self.place(place);
        match (self.low.shape_of(place), place.ty.unatomic()) {
            (Some(shape), _) => Value::Scalar(self.touching(manner(place), |this| this.read(&spot, shape))),
            (None, Type::Float(_)) => {
                self.touch_float(&spot, &place.ty);
                self.load_float(&spot, place);
                Value::Float
            }
            (None, Type::Record(_)) if place.ty.is_atomic() => Value::Record(self.snapshot(&spot, &place.ty)),
            (None, Type::Record(_) | Type::Sync(_)) => Value::Record(spot),
            (None, Type::Void) => Value::Void,
            (None, _) => {
                self.unsupported("an object of this type");
                Value::Scalar(Term::int(0))
            }
        }
    }

    /// `!`, `&&`, `||` as a value: 1 on one way, 0 on the other.
    fn truth_value(&mut self, expr: &Expr) -> Value {
        if let ExprKind::Not(inner) = &expr.kind
            && !matches!(inner.kind, ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..))
        {
            let value = self.scalar(inner);
            return Value::Scalar(value.eq_to(Term::int(0)).as_c_int());
        }
        let result = self.temporary(program::IntType::new(32, true), "truth");
        let (yes, no, done) = (self.label(), self.label(), self.label());
        self.decide(expr, yes, no);
        for (label, value) in [(yes, 1), (no, 0)] {
            if self.is_target(label) {
                self.land(label);
                self.assign(None, result, Term::int(value));
                self.jump(done);
            }
        }
        self.land(done);
        Value::Scalar(self.current(result))
    }

    /// The value of a temporary, as a constant if it is one.
    fn current(&self, var: VarId) -> Term {
        self.constants.get(&var).copied().unwrap_or_else(|| self.low.memory.term(var))
    }

    /// Evaluates a condition and jumps.
    pub(super) fn decide(&mut self, expr: &Expr, then: Label, otherwise: Label) {
        self.at(expr.span, |this| match &expr.kind {
            ExprKind::Not(inner) => this.decide(inner, otherwise, then),
            ExprKind::LogicalAnd(a, b) => {
                let next = this.label();
                this.decide(a, next, otherwise);
                this.land(next);
                this.decide(b, then, otherwise);
            }
            ExprKind::LogicalOr(a, b) => {
                let next = this.label();
                this.decide(a, then, next);
                this.land(next);
                this.decide(b, then, otherwise);
            }
            // A conversion between integer types keeps 0 and 1 apart.
            ExprKind::Cast(inner) if matches!(expr.ty, Type::Int(_)) && is_truth(inner) => {
                this.decide(inner, then, otherwise);
            }
            _ => match this.value(expr) {
                Value::Scalar(term) => this.branch(term.ne(Term::int(0)), then, otherwise),
                _ => {
                    let truth = this.untracked(IntType::new(1, false), Untracked::Float);
                    this.branch(truth.ne(Term::int(0)), then, otherwise);
                }
            },
        });
    }

    fn conditional(&mut self, expr: &Expr, cond: &Expr, a: &Expr, b: &Expr) -> Value {
        let (yes, no, done) = (self.label(), self.label(), self.label());
        let record = matches!(expr.ty, Type::Record(_)).then(|| self.allocate(&expr.ty, "choice", true));
        let scalar = self.low.scalar_shape(&expr.ty).map(|shape| self.temporary(shape.ty, "choice"));
        self.decide(cond, yes, no);
        for (label, arm, (other, untaken)) in [(yes, a, (no, b)), (no, b, (yes, a))] {
            if !self.is_target(label) {
                continue;
            }
            self.land(label);
            if self.is_passed_by(other) {
                self.pass_by_expr(untaken);
            }
            match (record, scalar) {
                (Some(object), _) => self.assign_value(&super::place::known(object), &expr.ty, arm),
                (None, Some(var)) => {
                    let value = self.scalar(arm);
                    self.assign(None, var, value);
                }
                (None, None) => {
                    self.value(arm);
                }
            }
            self.jump(done);
        }
        self.land(done);
        match (record, scalar, &expr.ty) {
            (Some(object), ..) => Value::Record(super::place::known(object)),
            (None, Some(var), _) => Value::Scalar(self.current(var)),
            (None, None, Type::Float(_)) => Value::Float,
            _ => Value::Void,
        }
    }

    /// A conversion.
    pub(super) fn cast(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        match (value, to.unatomic()) {
            (_, Type::Void) => Value::Void,
            (_, Type::Float(_)) => Value::Float,
            (Value::Scalar(term), Type::Int(ty)) if ty.bits == 1 => Value::Scalar(term.ne(Term::int(0)).as_c_int()),
            (Value::Scalar(term), Type::Int(ty)) => Value::Scalar(self.convert(term, *ty)),
            (Value::Scalar(term), Type::Pointer(_)) => {
                let ty = self.low.memory.pointer_type();
                // Pointer arithmetic stays inside objects, or is undefined: only integers can be out of range here.
                let value = if matches!(from, Type::Pointer(_)) { term } else { self.convert(term, ty) };
                Value::Scalar(value)
            }
            (Value::Record(spot), Type::Record(_)) => Value::Record(spot),
            (Value::Float, Type::Int(ty)) => Value::Scalar(self.untracked(*ty, Untracked::Float)),
            _ => self.placeholder(to),
        }
    }

    /// Stores the value of an expression of the place's type; the result is what was stored.
    fn store(&mut self, spot: &Spot, place: &Place, value: &Expr) -> Value {
        match self.low.shape_of(place) {
            Some(shape) => {
                let term = self.scalar(value);
                let stored = self.fit_shape(term, shape);
                self.touching(manner(place), |this| this.write(spot, shape, stored));
                Value::Scalar(stored)
            }
            None if place.ty.is_atomic() && matches!(value.ty, Type::Record(_)) => {
                let stored = self.materialise(value);
                self.copy(spot, &stored, &place.ty);
                Value::Record(stored)
            }
            None => {
                self.assign_value(spot, &place.ty, value);
                if let Type::Float(_) = place.ty.unatomic() {
                    self.touch_float(spot, &place.ty);
                    self.store_float(spot, place);
                }
                match place.ty.unatomic() {
                    Type::Record(_) => Value::Record(spot.clone()),
                    Type::Float(_) => Value::Float,
                    _ => Value::Void,
                }
            }
        }
    }

    /// Assigns any value to an object of the type.
    pub(super) fn assign_value(&mut self, spot: &Spot, ty: &Type, value: &Expr) {
        match self.value(value) {
            Value::Scalar(term) => match self.low.scalar_shape(ty) {
                Some(shape) => {
                    let term = self.fit_shape(term, shape);
                    self.write(spot, shape, term);
                }
                None => self.unsupported("an assignment of this type"),
            },
            Value::Record(source) => self.copy(spot, &source, ty),
            Value::Float | Value::Void => {}
        }
    }

    /// `op=`, `++`, `--`. On an `_Atomic` object the read and the write are one step.
    fn update(&mut self, place: &Place, update: &Update, yields: Yield) -> Value {
        let spot = self.place(place);
        let Some(shape) = self.low.shape_of(place) else {
            let (Update::Arithmetic { operand, .. } | Update::Pointer { operand, .. }) = update;
            self.load_float(&spot, place);
            self.value(operand);
            match place.ty.unatomic() {
                Type::Float(_) => {
                    self.touch_float(&spot, &place.ty);
                    self.store_float(&spot, place);
                }
                _ => self.unsupported("an update of this type"),
            }
            return Value::Float;
        };
        let (Update::Arithmetic { operand, .. } | Update::Pointer { operand, .. }) = update;
        let (old, new) = if place.ty.is_atomic() {
            let operand = self.scalar(operand);
            self.touching(Manner::Atomic, |this| {
                this.atomically(|this| {
                    let old = this.read(&spot, shape);
                    let new = this.updated_atomically(place, update, old, operand);
                    let new = this.fit_shape(new, shape);
                    this.write(&spot, shape, new);
                    (old, new)
                })
            })
        } else {
            let old = self.read(&spot, shape);
            let operand = self.scalar(operand);
            let new = self.updated(place, update, old, operand, shape);
            self.write(&spot, shape, new);
            (old, new)
        };
        Value::Scalar(if yields == Yield::Old { old } else { new })
    }

    fn updated(&mut self, place: &Place, update: &Update, old: Term, operand: Term, shape: Shape) -> Term {
        let raw = match update {
            Update::Arithmetic { op, compute: Type::Int(ty), .. } => {
                let old = self.convert(old, *ty);
                self.binary(*op, *ty, old, operand)
            }
            Update::Arithmetic { .. } => self.untracked(shape.ty, Untracked::Float),
            Update::Pointer { size, negative, .. } => return moved(old, operand, *size, *negative),
        };
        match self.cast(Value::Scalar(raw), &place.ty, &place.ty) {
            Value::Scalar(term) => self.fit_shape(term, shape),
            _ => Term::int(0),
        }
    }

    /// Like `updated`, but sums and differences wrap, also for signed types (C11 7.17.7.5).
    fn updated_atomically(&mut self, place: &Place, update: &Update, old: Term, operand: Term) -> Term {
        use crate::hir::BinaryOp;
        match (update, self.low.scalar_shape(&place.ty)) {
            (Update::Arithmetic { op: BinaryOp::Add, .. }, Some(shape)) if shape.ty.bits > 1 => {
                self.convert(old.add(operand), shape.ty)
            }
            (Update::Arithmetic { op: BinaryOp::Sub, .. }, Some(shape)) if shape.ty.bits > 1 => {
                self.convert(old.sub(operand), shape.ty)
            }
            (_, Some(shape)) => self.updated(place, update, old, operand, shape),
            (_, None) => old,
        }
    }

    fn block_value(&mut self, items: &[crate::hir::Stmt]) -> Value {
        let Some((last, before)) = items.split_last() else { return Value::Void };
        self.in_scope(|this| {
            before.iter().for_each(|stmt| this.stmt(stmt));
            match &last.kind {
                StmtKind::Expr(expr) => {
                    let value = this.value(expr);
                    this.outliving(value, &expr.ty)
                }
                _ => {
                    this.stmt(last);
                    Value::Void
                }
            }
        })
    }

    /// A value that does not depend on the variables of a block that ends.
    fn outliving(&mut self, value: Value, ty: &Type) -> Value {
        if !self.low.config.follows_chains() {
            return value;
        }
        match (value, self.low.scalar_shape(ty)) {
            (Value::Scalar(term), Some(shape)) => {
                let var = self.temporary(shape.ty, "value");
                self.assign(None, var, term);
                Value::Scalar(self.low.memory.term(var))
            }
            (Value::Record(spot), _) => {
                self.unsupported("a block whose value is a struct, where it matters what variables lead to");
                Value::Record(spot)
            }
            (value, _) => value,
        }
    }
}

fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Not(_) | ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Compare(..) => true,
        ExprKind::Cast(inner) => matches!(expr.ty, Type::Int(_)) && is_truth(inner),
        _ => false,
    }
}

/// How an expression touches an object: one that is `_Atomic` by an atomic operation.
pub(super) fn manner(place: &Place) -> Manner {
    if place.ty.is_atomic() { Manner::Atomic } else { Manner::Plain }
}

fn moved(pointer: Term, index: Term, size: u64, negative: bool) -> Term {
    let bytes = index.mul(Term::int(i128::from(size)));
    if negative { pointer.sub(bytes) } else { pointer.add(bytes) }
}

/// A comparison as a formula.
pub(super) fn compare(op: Comparison, a: Term, b: Term) -> Term {
    match op {
        Comparison::Eq => a.eq_to(b),
        Comparison::Ne => a.ne(b),
        Comparison::Lt => a.lt(b),
        Comparison::Le => a.le(b),
        Comparison::Gt => b.lt(a),
        Comparison::Ge => b.le(a),
    }
}
