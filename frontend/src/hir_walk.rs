//! Walks over typed C: what a function assigns, calls, and takes addresses of; and what changes the ids in it.

use std::rc::Rc;

use crate::hir::{Callee, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Type, Update};

/// What a walk meets. The default methods do nothing; children are walked in any case.
pub(crate) trait Visitor {
    /// An expression, before its parts.
    fn expr(&mut self, _expr: &Expr) {}
    /// A statement, before its parts.
    fn stmt(&mut self, _stmt: &Stmt) {}
    /// A place, before its parts.
    fn place(&mut self, _place: &Place) {}
}

pub(crate) fn walk_stmt(stmt: &Stmt, visitor: &mut dyn Visitor) {
    visitor.stmt(stmt);
    match &stmt.kind {
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => walk_expr(expr, visitor),
        StmtKind::Declare(_, Some(init)) => walk_init(init, visitor),
        StmtKind::Block(items) => items.iter().for_each(|s| walk_stmt(s, visitor)),
        StmtKind::Async(inner) => walk_stmt(inner, visitor),
        StmtKind::If(cond, then, otherwise) => {
            walk_expr(cond, visitor);
            walk_stmt(then, visitor);
            otherwise.iter().for_each(|s| walk_stmt(s, visitor));
        }
        StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) | StmtKind::Switch(cond, body) => {
            walk_expr(cond, visitor);
            walk_stmt(body, visitor);
        }
        StmtKind::For(init, cond, step, body) => {
            init.iter().for_each(|s| walk_stmt(s, visitor));
            cond.iter().chain(step).for_each(|e| walk_expr(e, visitor));
            walk_stmt(body, visitor);
        }
        StmtKind::Empty
        | StmtKind::Declare(_, None)
        | StmtKind::Case(..)
        | StmtKind::Default
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Return(None)
        | StmtKind::Unsupported(_) => {}
    }
}

pub(crate) fn walk_init(init: &Init, visitor: &mut dyn Visitor) {
    for (place, value) in &init.items {
        walk_place(place, visitor);
        walk_expr(value, visitor);
    }
}

pub(crate) fn walk_place(place: &Place, visitor: &mut dyn Visitor) {
    visitor.place(place);
    match &place.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) => {}
        PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => walk_expr(expr, visitor),
        PlaceKind::Field(base, _) => walk_place(base, visitor),
        PlaceKind::Index(base, index) => {
            walk_place(base, visitor);
            walk_expr(index, visitor);
        }
        PlaceKind::Literal(_, init) => walk_init(init, visitor),
    }
}

pub(crate) fn walk_expr(expr: &Expr, visitor: &mut dyn Visitor) {
    visitor.expr(expr);
    match &expr.kind {
        ExprKind::Const(_)
        | ExprKind::FloatConst
        | ExprKind::String(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => walk_place(place, visitor),
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cast(a) => walk_expr(a, visitor),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PointerOffset { pointer: a, index: b, .. }
        | ExprKind::PointerDifference { left: a, right: b, .. } => {
            walk_expr(a, visitor);
            walk_expr(b, visitor);
        }
        ExprKind::Conditional(a, b, c) => [a, b, c].iter().for_each(|e| walk_expr(e, visitor)),
        ExprKind::Assign(place, value) => {
            walk_place(place, visitor);
            walk_expr(value, visitor);
        }
        ExprKind::Update(place, update, _) => {
            walk_place(place, visitor);
            match update {
                Update::Arithmetic { operand, .. } | Update::Pointer { operand, .. } => walk_expr(operand, visitor),
            }
        }
        ExprKind::Call(callee, arguments) => {
            if let Callee::Pointer(pointer) = callee {
                walk_expr(pointer, visitor);
            }
            arguments.iter().for_each(|a| walk_expr(a, visitor));
        }
        ExprKind::Block(items) => items.iter().for_each(|s| walk_stmt(s, visitor)),
    }
}

/// The variable that a place is part of, if it is part of a named one.
pub(crate) fn root(place: &Place) -> &Place {
    match &place.kind {
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => root(base),
        _ => place,
    }
}

/// What a rewriting walk changes: the ids and types that its unit gives a meaning to.
pub(crate) trait Rewriter {
    /// A type, whole.
    fn ty(&mut self, ty: &mut Type);
    /// A function that is called or whose address is taken.
    fn function(&mut self, id: &mut FunctionId);
    /// A place, before its parts.
    fn place(&mut self, place: &mut Place);
    /// An expression, after its parts.
    fn expr(&mut self, expr: &mut Expr);
}

pub(crate) fn rewrite_stmt(stmt: &mut Stmt, rewriter: &mut dyn Rewriter) {
    match &mut stmt.kind {
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => rewrite_expr(expr, rewriter),
        StmtKind::Declare(_, Some(init)) => rewrite_init(init, rewriter),
        StmtKind::Block(items) => items.iter_mut().for_each(|s| rewrite_stmt(s, rewriter)),
        StmtKind::Async(inner) => rewrite_stmt(Rc::make_mut(inner), rewriter),
        StmtKind::If(cond, then, otherwise) => {
            rewrite_expr(cond, rewriter);
            rewrite_stmt(then, rewriter);
            otherwise.iter_mut().for_each(|s| rewrite_stmt(s, rewriter));
        }
        StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) | StmtKind::Switch(cond, body) => {
            rewrite_expr(cond, rewriter);
            rewrite_stmt(body, rewriter);
        }
        StmtKind::For(init, cond, step, body) => {
            init.iter_mut().for_each(|s| rewrite_stmt(s, rewriter));
            cond.iter_mut().chain(step).for_each(|e| rewrite_expr(e, rewriter));
            rewrite_stmt(body, rewriter);
        }
        StmtKind::Empty
        | StmtKind::Declare(_, None)
        | StmtKind::Case(..)
        | StmtKind::Default
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Return(None)
        | StmtKind::Unsupported(_) => {}
    }
}

pub(crate) fn rewrite_init(init: &mut Init, rewriter: &mut dyn Rewriter) {
    for (place, value) in &mut init.items {
        rewrite_place(place, rewriter);
        rewrite_expr(value, rewriter);
    }
}

fn rewrite_place(place: &mut Place, rewriter: &mut dyn Rewriter) {
    rewriter.ty(&mut place.ty);
    rewriter.place(place);
    match &mut place.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) => {}
        PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => rewrite_expr(expr, rewriter),
        PlaceKind::Field(base, _) => rewrite_place(base, rewriter),
        PlaceKind::Index(base, index) => {
            rewrite_place(base, rewriter);
            rewrite_expr(index, rewriter);
        }
        PlaceKind::Literal(_, init) => rewrite_init(init, rewriter),
    }
}

fn rewrite_expr(expr: &mut Expr, rewriter: &mut dyn Rewriter) {
    rewriter.ty(&mut expr.ty);
    match &mut expr.kind {
        ExprKind::Const(_) | ExprKind::FloatConst | ExprKind::String(_) | ExprKind::Unsupported(_) => {}
        ExprKind::FunctionAddress(id) => rewriter.function(id),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => rewrite_place(place, rewriter),
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cast(a) => rewrite_expr(a, rewriter),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PointerOffset { pointer: a, index: b, .. }
        | ExprKind::PointerDifference { left: a, right: b, .. } => {
            rewrite_expr(a, rewriter);
            rewrite_expr(b, rewriter);
        }
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| rewrite_expr(e, rewriter)),
        ExprKind::Assign(place, value) => {
            rewrite_place(place, rewriter);
            rewrite_expr(value, rewriter);
        }
        ExprKind::Update(place, update, _) => {
            rewrite_place(place, rewriter);
            match update {
                Update::Arithmetic { operand, compute, .. } => {
                    rewriter.ty(compute);
                    rewrite_expr(operand, rewriter);
                }
                Update::Pointer { operand, .. } => rewrite_expr(operand, rewriter),
            }
        }
        ExprKind::Call(callee, arguments) => {
            match callee {
                Callee::Function(id) => rewriter.function(id),
                Callee::Pointer(pointer) => rewrite_expr(pointer, rewriter),
            }
            arguments.iter_mut().for_each(|a| rewrite_expr(a, rewriter));
        }
        ExprKind::Block(items) => items.iter_mut().for_each(|s| rewrite_stmt(s, rewriter)),
    }
    rewriter.expr(expr);
}
