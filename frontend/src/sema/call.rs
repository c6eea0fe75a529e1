//! Calls.

use std::rc::Rc;

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;
use program::Span;

use super::builtins::{self, Atomic, AtomicResult};
use super::convert::{Purpose, cast, int, opaque, unsupported};
use super::scope::Symbol;
use super::{BOOL, INT, R, Sema, const_value};
use crate::hir::{Callee, Expr, ExprKind, FunctionId, FunctionType, Init, Place, PlaceKind, Type};

impl Sema<'_> {
    /// A call.
    pub fn call(&mut self, call: &CallExpression, span: Span) -> R<Expr> {
        if let Expression::Identifier(name) = &self.written(&call.callee).node {
            let name = name.node.name.as_str();
            if self.is_free(name) {
                if let Some(value) = self.compile_time(name, &call.arguments, span)? {
                    return Ok(value);
                }
                if let Some(atomic) = builtins::atomic(name) {
                    return self.atomic_call(name, atomic, &call.arguments, span);
                }
            }
            if self.scopes.symbol(name).is_none() {
                let id = self.implicit_function(name, span);
                return self.direct_call(id, &call.arguments, span);
            }
        }
        let callee = self.value(&call.callee)?;
        if let Some(what) = opaque(&callee) {
            return Ok(unsupported(&what, span));
        }
        if let ExprKind::FunctionAddress(id) = callee.kind {
            return self.direct_call(id, &call.arguments, span);
        }
        let ty = match &callee.ty {
            Type::Pointer(pointee) => match &**pointee {
                Type::Function(function) => function.clone(),
                _ => return self.invalid(span, "the called object is not a function"),
            },
            _ => return self.invalid(span, "the called object is not a function"),
        };
        let arguments = self.arguments(&ty, &call.arguments, "function", ty.variadic, span)?;
        let result = ty.result.unatomic().clone();
        Ok(Expr { kind: ExprKind::Call(Callee::Pointer(Box::new(callee)), arguments), ty: result, span })
    }

    fn direct_call(&mut self, id: FunctionId, nodes: &[Node<Expression>], span: Span) -> R<Expr> {
        let function = &self.unit.functions[id.0 as usize];
        let (ty, name) = (function.ty.clone(), function.name.clone());
        let any = ty.variadic || self.unprototyped.contains(&id);
        let arguments = self.arguments(&ty, nodes, &format!("function `{name}`"), any, span)?;
        let result = ty.result.unatomic().clone();
        if !self.is_complete(&result) {
            return self.invalid(span, format!("the result of function `{name}` has incomplete type"));
        }
        Ok(Expr { kind: ExprKind::Call(Callee::Function(id), arguments), ty: result, span })
    }

    /// Whether a name means the compiler's function of that name: not a local, nor a function the file describes.
    fn is_free(&self, name: &str) -> bool {
        match self.scopes.symbol(name) {
            None => true,
            Some(Symbol::Function(id)) => {
                let function = &self.unit.functions[id.0 as usize];
                let reserved = ["__builtin_", "__atomic_", "__sync_", "__c11_"];
                function.body.is_none()
                    && (reserved.iter().any(|prefix| name.starts_with(prefix)) || is_unprototyped(&function.ty))
            }
            Some(_) => false,
        }
    }

    /// A function that nobody declared.
    pub fn implicit_function(&mut self, name: &str, span: Span) -> FunctionId {
        if let Some(&id) = self.function_names.get(name) {
            return id;
        }
        let unknown = || FunctionType { result: Type::Int(INT), parameters: Vec::new(), variadic: true };
        let ty = builtins::library_function(name, self.unit.data_model).unwrap_or_else(unknown);
        let id = self.declare_name(name, ty, span);
        self.implicit.insert(id);
        id
    }

    /// Arguments, converted. `any` number beyond the parameters is fine for variadic functions.
    fn arguments(
        &mut self,
        ty: &FunctionType,
        nodes: &[Node<Expression>],
        what: &str,
        any: bool,
        span: Span,
    ) -> R<Vec<Expr>> {
        if nodes.len() < ty.parameters.len() {
            return self.invalid(span, format!("too few arguments to {what}"));
        }
        if nodes.len() > ty.parameters.len() && !any {
            return self.invalid(span, format!("too many arguments to {what}"));
        }
        let mut arguments = Vec::new();
        for (position, node) in nodes.iter().enumerate() {
            let value = self.value(node)?;
            arguments.push(match ty.parameters.get(position) {
                Some(parameter) => {
                    let value = self.member_of_union(value, parameter)?;
                    self.convert(value, parameter, Purpose::Argument)?
                }
                None => self.default_promotion(value)?,
            });
        }
        Ok(arguments)
    }

    /// An argument for a `transparent_union` is one of its members: the union with that member. Whether the type has the attribute is
    /// left to the compiler, which would not take the argument otherwise.
    fn member_of_union(&mut self, value: Expr, parameter: &Type) -> R<Expr> {
        let Type::Record(id) = parameter else { return Ok(value) };
        let record = &self.unit.records[id.0 as usize];
        let member = record.fields.iter().position(|field| field.ty == value.ty).filter(|_| record.union);
        let (Some(field), true) = (member, self.body.is_some() && value.ty != *parameter) else { return Ok(value) };
        let span = value.span;
        let local = self.new_local("argument", parameter.clone(), span)?;
        let root = Place { kind: PlaceKind::Local(local), ty: parameter.clone(), span };
        let init = Init { items: vec![(self.field_place(root, field, span), value)], zero_rest: true };
        let kind = PlaceKind::Literal(local, Box::new(init));
        let place = Place { kind, ty: parameter.clone(), span };
        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty: parameter.clone(), span })
    }

    fn default_promotion(&self, value: Expr) -> R<Expr> {
        match &value.ty {
            Type::Void => self.invalid(value.span, "a void value is passed as an argument"),
            Type::Float(4) => Ok(cast(value, Type::Float(8))),
            _ => Ok(self.promote(value)),
        }
    }

    /// Builtins that are not calls at all.
    fn compile_time(&mut self, name: &str, nodes: &[Node<Expression>], span: Span) -> R<Option<Expr>> {
        let long = self.long();
        Ok(Some(match (name, nodes) {
            ("__builtin_expect", [value, hint]) | ("__builtin_expect_with_probability", [value, hint, _]) => {
                let value = self.value(value)?;
                let value = self.convert(value, &Type::Int(long), Purpose::Argument)?;
                let hint = self.value(hint)?;
                if const_value(&hint).is_some() {
                    return Ok(Some(value));
                }
                let ty = value.ty.clone();
                Expr { kind: ExprKind::Comma(Box::new(hint), Box::new(value)), ty, span }
            }
            ("__builtin_constant_p", [value]) => {
                let value = self.value(value)?;
                let constant = const_value(&value).is_some() || matches!(value.kind, ExprKind::FloatConst);
                int(i128::from(constant), INT, span)
            }
            ("__atomic_always_lock_free", [size, object]) => {
                self.value(object)?;
                let size = self.constant(size)?;
                int(i128::from(matches!(size, Some(1 | 2 | 4 | 8))), BOOL, span)
            }
            ("__builtin_choose_expr", [condition, then, other]) => match self.constant(condition)? {
                Some(0) => self.value(other)?,
                Some(_) => self.value(then)?,
                None => return self.invalid(span, "the first argument of __builtin_choose_expr is not constant"),
            },
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [object, kind]) => {
                self.value(object)?;
                let unknown = if self.constant(kind)?.is_some_and(|kind| kind >= 2) { 0 } else { -1 };
                int(unknown, self.size_type(), span)
            }
            ("__builtin_types_compatible_p", _) => {
                Expr { kind: ExprKind::Unsupported(name.to_string()), ty: Type::Int(INT), span }
            }
            ("__threader_label_address", _) => {
                let ty = Type::Pointer(Rc::new(Type::Void));
                Expr { kind: ExprKind::Unsupported("the address of a label".to_string()), ty, span }
            }
            ("__threader_computed_goto", _) => {
                Expr { kind: ExprKind::Unsupported("computed goto".to_string()), ty: Type::Void, span }
            }
            // What the list holds is not tracked.
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy", _) => int(0, INT, span),
            ("__builtin_va_arg_pack", _) => {
                let kind = ExprKind::Unsupported(name.trim_start_matches("__builtin_").to_string());
                Expr { kind, ty: Type::Void, span }
            }
            _ => return Ok(None),
        }))
    }

    /// A type-generic atomic operation: typed by what its first argument points to.
    fn atomic_call(&mut self, name: &str, atomic: Atomic, nodes: &[Node<Expression>], span: Span) -> R<Expr> {
        let mut arguments = Vec::new();
        for node in nodes {
            arguments.push(self.value(node)?);
        }
        self.atomic_of(name, atomic, arguments, span)
    }

    /// The same, of arguments that are typed already.
    pub(super) fn atomic_of(&mut self, name: &str, atomic: Atomic, arguments: Vec<Expr>, span: Span) -> R<Expr> {
        let pointee = match arguments.first().map(|first| &first.ty) {
            Some(Type::Pointer(pointee)) => pointee.unatomic().clone(),
            Some(Type::Opaque(what)) => return Ok(unsupported(what, span)),
            _ if atomic.result == AtomicResult::Pointee || !atomic.values.is_empty() => {
                return self.invalid(span, format!("the first argument of `{name}` must be a pointer"));
            }
            _ => Type::Void,
        };
        if atomic.values.iter().any(|&position| position >= arguments.len()) {
            return self.invalid(span, format!("too few arguments to function `{name}`"));
        }
        let operand = match &pointee {
            Type::Pointer(_) if atomic.moves => Type::Int(self.long()),
            other => other.clone(),
        };
        let mut converted = Vec::new();
        for (position, argument) in arguments.into_iter().enumerate() {
            converted.push(if atomic.values.contains(&position) {
                self.convert(argument, &operand, Purpose::Argument)?
            } else {
                self.default_promotion(argument)?
            });
        }
        let result = match atomic.result {
            AtomicResult::Pointee => pointee,
            AtomicResult::Bool => Type::Int(BOOL),
            AtomicResult::Void => Type::Void,
        };
        let declared = FunctionType { result: result.clone(), parameters: Vec::new(), variadic: true };
        let known = self.function_names.contains_key(name);
        let id = self.declare_name(name, declared, span);
        if !known {
            self.implicit.insert(id);
        }
        Ok(Expr { kind: ExprKind::Call(Callee::Function(id), converted), ty: result, span })
    }

    /// A function as a value.
    pub fn function_address(&self, id: FunctionId, span: Span) -> Expr {
        let ty = self.unit.functions[id.0 as usize].ty.clone();
        let ty = Type::Pointer(Rc::new(Type::Function(Rc::new(ty))));
        Expr { kind: ExprKind::FunctionAddress(id), ty, span }
    }
}

/// Declared with `()`: nothing is known about the parameters.
pub fn is_unprototyped(ty: &FunctionType) -> bool {
    ty.variadic && ty.parameters.is_empty()
}
