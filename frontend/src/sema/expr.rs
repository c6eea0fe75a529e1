//! Expressions: names, constants, member access, sizeof and the like.

use std::rc::Rc;

use lang_c::ast::{
    CallExpression, CompoundLiteral, Constant, Expression, MemberExpression, MemberOperator, OffsetMember,
    OffsetOfExpression, Statement,
};
use lang_c::span::Node;
use program::Span;

use super::convert::{int, opaque, unsupported};
use super::literal::{self, Text};
use super::scope::Symbol;
use super::types::Declared;
use super::{CHAR, INT, R, Sema};
use crate::hir::{Expr, ExprKind, Global, GlobalId, Linkage, Local, LocalId, Place, PlaceKind, StmtKind, Type};

/// What an expression denotes, before lvalue conversion and decay.
#[derive(Clone, Debug)]
pub enum Operand {
    /// An object.
    Place(Place),
    /// A value.
    Value(Expr),
    /// A function, by its address.
    Function(Expr),
    /// A string literal: an array object that only decays, or initialises.
    Text(Text, Span),
}

impl<'a> Sema<'a> {
    /// The value of an expression.
    pub fn value(&mut self, node: &Node<Expression>) -> R<Expr> {
        let operand = self.operand(node)?;
        self.decay(operand)
    }

    /// A scalar value, as a condition.
    pub fn condition(&mut self, node: &Node<Expression>) -> R<Expr> {
        let value = self.value(node)?;
        self.scalar(value)
    }

    /// Rejects what has no truth value.
    pub fn scalar(&self, value: Expr) -> R<Expr> {
        match &value.ty {
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Opaque(_) => Ok(value),
            Type::Sync(_) => Ok(unsupported("the value of a pthread object", value.span)),
            Type::Void => self.invalid(value.span, "a void value is used where a value is needed"),
            other => {
                let message = format!("a value of type {} is used where a scalar is required", self.name_of(other));
                self.invalid(value.span, message)
            }
        }
    }

    /// What an expression denotes.
    pub fn operand(&mut self, node: &Node<Expression>) -> R<Operand> {
        if let Some(piece) = self.pieces.get(&node.node) {
            self.within += 1;
            let operand = self.operand(piece);
            self.within -= 1;
            return operand;
        }
        let span = self.at(node.span);
        let value = match &node.node {
            Expression::Identifier(name) => return self.identifier(&name.node.name, span),
            Expression::Constant(constant) => self.constant_literal(&constant.node, span)?,
            Expression::StringLiteral(text) => return Ok(Operand::Text(literal::string(&text.node), span)),
            Expression::GenericSelection(selection) => return self.generic_selection(&selection.node, span),
            Expression::Member(member) => return self.member_access(&member.node, span),
            Expression::Call(call) => return self.call_or_asm(&call.node, span),
            Expression::CompoundLiteral(literal) => return self.compound_literal(&literal.node, span),
            Expression::SizeOfTy(name) => {
                let ty = self.type_name(&name.node.0)?.ty;
                self.size_of(&ty, span)?
            }
            Expression::SizeOfVal(inner) => {
                let operand = self.operand(&inner.node.0)?;
                self.size_of_operand(&operand, span)?
            }
            // The rewriting gives the others another form.
            Expression::AlignOf(name) => self.type_alignof(&name.node.0, span)?,
            Expression::UnaryOperator(unary) => return self.unary(&unary.node, span),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?.ty;
                let value = self.value(&cast.node.expression)?;
                self.explicit_cast(value, &ty, span)?
            }
            Expression::BinaryOperator(binary) => return self.binary(&binary.node, span),
            Expression::Conditional(conditional) => self.conditional(&conditional.node, span)?,
            Expression::Comma(list) => self.comma(list, span)?,
            Expression::OffsetOf(offset) => self.offset_of(&offset.node, span)?,
            Expression::VaArg(va_arg) => {
                let ty = self.type_name(&va_arg.node.type_name)?.ty;
                let ty = ty.unatomic().clone();
                Expr { kind: ExprKind::Unsupported("va_arg".to_string()), ty, span }
            }
            Expression::Statement(statement) => self.statement_expression(statement, span)?,
        };
        Ok(Operand::Value(value))
    }

    /// The expression that is written here, for those who ask for its form.
    pub fn written<'n>(&self, node: &'n Node<Expression>) -> &'n Node<Expression>
    where
        'a: 'n,
    {
        self.pieces.get(&node.node).map_or(node, |piece| self.written(piece))
    }

    /// The type of what an expression denotes: arrays and functions have not decayed.
    pub fn operand_type(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Place(place) => place.ty.clone(),
            Operand::Value(_) if self.variable_array_size(operand).is_some() => Type::Opaque(super::types::VLA.into()),
            Operand::Value(expr) => expr.ty.clone(),
            Operand::Function(expr) => match &expr.ty {
                Type::Pointer(function) => (**function).clone(),
                other => other.clone(),
            },
            Operand::Text(text, _) => Type::Array(Rc::new(Type::Int(text.element)), text.units.len() as u64 + 1),
        }
    }

    fn identifier(&mut self, name: &str, span: Span) -> R<Operand> {
        let value = match self.scopes.symbol(name) {
            Some(&Symbol::Enumerator(value, ty)) => int(value, ty, span),
            Some(&Symbol::Local(id)) => return self.local_place(id, span),
            Some(&Symbol::Global(id)) => return Ok(Operand::Place(self.global_place(id, span))),
            Some(&Symbol::Function(id)) => return Ok(Operand::Function(self.function_address(id, span))),
            Some(Symbol::Parameter(ty)) => {
                let kind = ExprKind::Unsupported("a parameter used in its own prototype".to_string());
                Expr { kind, ty: ty.unatomic().clone(), span }
            }
            Some(Symbol::Typedef(_)) => return self.misused(span, format!("`{name}` is a type, not a value")),
            None => match name {
                "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                    let function = self.body.as_ref().map_or("", |body| body.name.as_str());
                    let units = function.bytes().map(u32::from).collect();
                    return Ok(Operand::Text(Text { element: CHAR, units }, span));
                }
                "__null" => {
                    let null = int(0, self.long(), span);
                    super::convert::cast(null, Type::Pointer(Rc::new(Type::Void)))
                }
                // CBMC's arrays of this length are indexed by unsigned numbers: as good as endless.
                "__CPROVER_constant_infinity_uint" => int(i128::from(u32::MAX), program::IntType::new(32, false), span),
                _ => return self.undeclared(name, span),
            },
        };
        Ok(Operand::Value(value))
    }

    fn undeclared<T>(&self, name: &str, span: Span) -> R<T> {
        let message = format!("`{name}` is undeclared");
        let header = match name {
            "NULL" => "stddef.h",
            "true" | "false" => "stdbool.h",
            "INT_MAX" | "INT_MIN" | "UINT_MAX" | "CHAR_BIT" | "LONG_MAX" => "limits.h",
            "errno" | "EBUSY" => "errno.h",
            "stderr" | "stdout" | "stdin" | "EOF" => "stdio.h",
            _ => return self.invalid(span, message),
        };
        self.invalid_help(span, message, format!("`{name}` is defined in <{header}>: include it"))
    }

    fn local_place(&self, id: LocalId, span: Span) -> R<Operand> {
        let local = self.body.as_ref().and_then(|body| body.locals.get(id.0 as usize));
        let is_array = self.body.as_ref().is_some_and(|body| body.variable_arrays.contains_key(&id));
        match local {
            // An array has decayed where it is used; sizeof is told apart below.
            Some(local) if is_array => {
                let ty = local.ty.clone();
                let place = Place { kind: PlaceKind::Local(id), ty: ty.clone(), span };
                Ok(Operand::Value(Expr { kind: ExprKind::Load(Box::new(place)), ty, span }))
            }
            Some(local) => Ok(Operand::Place(Place { kind: PlaceKind::Local(id), ty: local.ty.clone(), span })),
            None => self.invalid(span, "a local is used outside its function"),
        }
    }

    /// A global as an lvalue.
    pub fn global_place(&self, id: GlobalId, span: Span) -> Place {
        let ty = self.unit.globals[id.0 as usize].ty.clone();
        Place { kind: PlaceKind::Global(id), ty, span }
    }

    fn constant_literal(&self, constant: &Constant, span: Span) -> R<Expr> {
        match constant {
            Constant::Integer(integer) if integer.suffix.imaginary => Ok(unsupported("_Complex", span)),
            Constant::Integer(integer) => match literal::integer(integer, self.unit.data_model) {
                Some((value, ty)) => Ok(int(value, ty, span)),
                None => Ok(unsupported("an integer constant beyond 64 bits", span)),
            },
            Constant::Float(float) => {
                let ty = literal::float(float, self.unit.data_model);
                Ok(match &ty {
                    Type::Opaque(what) => unsupported(what, span),
                    _ => Expr { kind: ExprKind::FloatConst, ty, span },
                })
            }
            Constant::Character(text) => match literal::character(text) {
                Some((value, ty)) => Ok(int(value, ty, span)),
                None => self.invalid(span, "malformed character constant"),
            },
        }
    }

    /// `sizeof` of a type.
    pub fn size_of(&self, ty: &Type, span: Span) -> R<Expr> {
        if let Some(what) = self.unsized_part(ty) {
            return Ok(Expr {
                kind: ExprKind::Unsupported(format!("sizeof of {what}")),
                ty: Type::Int(self.size_type()),
                span,
            });
        }
        if !self.is_complete(ty) {
            let message = format!("sizeof is applied to the incomplete type {}", self.name_of(ty));
            return self.invalid(span, message);
        }
        Ok(int(i128::from(self.unit.size_of(ty)), self.size_type(), span))
    }

    fn size_of_operand(&self, operand: &Operand, span: Span) -> R<Expr> {
        if let Operand::Place(place) = operand
            && self.bit_field_width(place).is_some()
        {
            return self.invalid(span, "sizeof is applied to a bit-field");
        }
        if let Some(bytes) = self.variable_array_size(operand) {
            let ty = Type::Int(self.size_type());
            let place = Place { kind: PlaceKind::Local(bytes), ty: ty.clone(), span };
            return Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span });
        }
        self.size_of(&self.operand_type(operand), span)
    }

    /// The local that holds the size of a variable-length array, if the operand is one.
    fn variable_array_size(&self, operand: &Operand) -> Option<LocalId> {
        let Operand::Value(Expr { kind: ExprKind::Load(place), .. }) = operand else { return None };
        let PlaceKind::Local(id) = place.kind else { return None };
        self.body.as_ref()?.variable_arrays.get(&id).copied()
    }

    fn member_access(&mut self, member: &MemberExpression, span: Span) -> R<Operand> {
        let name = &member.identifier.node.name;
        let base = match member.operator.node {
            MemberOperator::Direct => self.operand(&member.expression)?,
            MemberOperator::Indirect => {
                let pointer = self.value(&member.expression)?;
                self.dereference(pointer, span)?
            }
        };
        let ty = self.operand_type(&base);
        let id = match ty.unatomic() {
            // C11 6.5.2.3 leaves it undefined. gcc accesses the member by itself, past the lock of a large struct.
            Type::Record(_) if ty.is_atomic() => {
                return Ok(Operand::Value(unsupported("access to a member of an `_Atomic` struct or union", span)));
            }
            Type::Record(id) => *id,
            Type::Opaque(what) => return Ok(Operand::Value(unsupported(what, span))),
            Type::Sync(_) => return Ok(Operand::Value(unsupported("a member of a pthread object", span))),
            other => {
                let message =
                    format!("request for member `{name}` in something of type {}, not a struct", self.name_of(other));
                return self.invalid(span, message);
            }
        };
        if !self.complete.contains(&id) {
            let message = format!("the members of {} are not known here", self.name_of(&ty));
            return self.invalid(span, message);
        }
        let Some(path) = self.find_member(id, name) else {
            return self.invalid(span, format!("{} has no member named `{name}`", self.name_of(ty.unatomic())));
        };
        let mut place = match base {
            Operand::Place(place) => place,
            other => {
                let value = self.decay(other)?;
                Place { ty: value.ty.clone(), kind: PlaceKind::Temporary(Box::new(value)), span }
            }
        };
        for field in path {
            place = self.field_place(place, field, span);
        }
        Ok(Operand::Place(place))
    }

    /// The n-th field of a record.
    pub fn field_place(&self, base: Place, field: usize, span: Span) -> Place {
        let ty = match base.ty.unatomic() {
            Type::Record(id) => self.unit.records[id.0 as usize].fields.get(field).map(|field| field.ty.clone()),
            _ => None,
        };
        Place { ty: ty.unwrap_or(Type::Void), kind: PlaceKind::Field(Box::new(base), field), span }
    }

    /// `*pointer`.
    pub fn dereference(&self, pointer: Expr, span: Span) -> R<Operand> {
        if let Some(what) = opaque(&pointer) {
            return Ok(Operand::Value(unsupported(&what, span)));
        }
        let Type::Pointer(pointee) = &pointer.ty else {
            let message = format!("a value of type {} is dereferenced", self.name_of(&pointer.ty));
            return self.invalid(span, message);
        };
        if matches!(**pointee, Type::Function(_)) {
            return Ok(Operand::Function(pointer));
        }
        let ty = (**pointee).clone();
        Ok(Operand::Place(Place { ty, kind: PlaceKind::Deref(Box::new(pointer)), span }))
    }

    fn compound_literal(&mut self, literal: &CompoundLiteral, span: Span) -> R<Operand> {
        let declared = self.type_name(&literal.type_name)?;
        if !self.is_complete(&declared.ty) || matches!(declared.ty, Type::Void | Type::Function(_)) {
            return self.invalid(span, "a compound literal has incomplete type");
        }
        if let Some(what) = self.is_opaque(&declared.ty) {
            return Ok(Operand::Value(unsupported(&what, span)));
        }
        let plan = self.list_plan(&declared, &literal.initializer_list, span)?;
        if self.body.is_none() {
            let id = GlobalId(program::number(self.unit.globals.len()));
            let name = format!("literal.{}", id.0);
            let ty = plan.ty.clone();
            let root = Place { kind: PlaceKind::Global(id), ty: ty.clone(), span };
            let init = Some(self.build_init(plan, &root));
            let align = self.object_align(&declared);
            self.unit.globals.push(Global {
                name,
                ty,
                align,
                init,
                thread_local: false,
                external: false,
                linkage: Linkage::Internal,
                span,
            });
            return Ok(Operand::Place(root));
        }
        let ty = plan.ty.clone();
        let id = self.aligned_local("literal", &Declared { ty: ty.clone(), ..declared }, span)?;
        let root = Place { kind: PlaceKind::Local(id), ty: ty.clone(), span };
        let init = self.build_init(plan, &root);
        Ok(Operand::Place(Place { kind: PlaceKind::Literal(id, Box::new(init)), ty, span }))
    }

    /// A new automatic local of the function at hand, aligned as its type.
    pub fn new_local(&mut self, name: &str, ty: Type, span: Span) -> R<LocalId> {
        self.aligned_local(name, &Declared::new(ty), span)
    }

    /// A new automatic local of the function at hand, aligned as declared.
    pub fn aligned_local(&mut self, name: &str, declared: &Declared, span: Span) -> R<LocalId> {
        let (ty, align) = (declared.ty.clone(), self.object_align(declared));
        match &mut self.body {
            Some(body) => {
                let id = LocalId(program::number(body.locals.len()));
                body.locals.push(Local { name: name.to_string(), ty, align, span });
                Ok(id)
            }
            None => self.invalid(span, "a local is declared outside a function"),
        }
    }

    fn offset_of(&mut self, offset: &OffsetOfExpression, span: Span) -> R<Expr> {
        let ty = self.type_name(&offset.type_name)?.ty;
        let designator = &offset.designator.node;
        // The null pointer stands for the record's start.
        let pointer = super::convert::cast(int(0, self.long(), span), Type::Pointer(Rc::new(ty.clone())));
        let mut place = Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, span };
        place = self.offset_member(place, &designator.base.node.name, span)?;
        for member in &designator.members {
            place = match &member.node {
                OffsetMember::Member(name) => self.offset_member(place, &name.node.name, span)?,
                OffsetMember::IndirectMember(name) => {
                    let zero = int(0, INT, span);
                    let element = self.offset_index(place, zero, span)?;
                    self.offset_member(element, &name.node.name, span)?
                }
                OffsetMember::Index(position) => {
                    let position = self.value(position)?;
                    self.offset_index(place, position, span)?
                }
            };
        }
        if self.bit_field_width(&place).is_some() {
            return self.invalid(span, "offsetof is applied to a bit-field");
        }
        let address =
            Expr { ty: Type::Pointer(Rc::new(place.ty.clone())), kind: ExprKind::AddressOf(Box::new(place)), span };
        let result = self.explicit_cast(address, &Type::Int(self.size_type()), span)?;
        Ok(match &result.kind {
            ExprKind::Const(_) => result,
            _ => Expr { kind: ExprKind::Unsupported("offsetof with a variable index".to_string()), ..result },
        })
    }

    fn offset_member(&self, base: Place, name: &str, span: Span) -> R<Place> {
        let path = match base.ty.unatomic() {
            Type::Record(id) => self.find_member(*id, name),
            _ => None,
        };
        match path {
            Some(path) => Ok(path.into_iter().fold(base, |place, field| self.field_place(place, field, span))),
            None => self.invalid(span, format!("{} has no member named `{name}`", self.name_of(&base.ty))),
        }
    }

    fn offset_index(&self, base: Place, position: Expr, span: Span) -> R<Place> {
        match base.ty.unatomic().clone() {
            Type::Array(element, _) => {
                let kind = PlaceKind::Index(Box::new(base), Box::new(position));
                Ok(Place { kind, ty: (*element).clone(), span })
            }
            _ => self.invalid(span, "the subscripted member is not an array"),
        }
    }

    fn comma(&mut self, list: &[Node<Expression>], span: Span) -> R<Expr> {
        let mut whole: Option<Expr> = None;
        for node in list {
            let value = self.value(node)?;
            whole = Some(match whole {
                None => value,
                Some(before) => {
                    let ty = value.ty.clone();
                    Expr { kind: ExprKind::Comma(Box::new(before), Box::new(value)), ty, span }
                }
            });
        }
        match whole {
            Some(value) => Ok(value),
            None => self.invalid(span, "empty expression"),
        }
    }

    fn statement_expression(&mut self, statement: &Node<Statement>, span: Span) -> R<Expr> {
        if self.body.is_none() {
            return Ok(unsupported("a statement expression outside a function", span));
        }
        let mut statements = Vec::new();
        match &statement.node {
            Statement::Compound(items) => self.block(items, &mut statements)?,
            _ => self.statement(statement, &mut statements)?,
        }
        let ty = match statements.last().map(|last| &last.kind) {
            Some(StmtKind::Expr(value)) => value.ty.clone(),
            _ => Type::Void,
        };
        Ok(Expr { kind: ExprKind::Block(statements), ty, span })
    }

    /// lang-c reads `asm("...")` as a call.
    fn call_or_asm(&mut self, call: &CallExpression, span: Span) -> R<Operand> {
        if let Expression::Identifier(name) = &call.callee.node
            && matches!(name.node.name.as_str(), "asm" | "__asm" | "__asm__")
            && self.scopes.symbol("asm").is_none()
        {
            let text = call.arguments.first().map(|argument| &argument.node);
            let empty = match text {
                Some(Expression::StringLiteral(parts)) => super::assembly::is_barrier(&parts.node),
                _ => false,
            };
            let nothing = super::convert::cast(int(0, INT, span), Type::Void);
            return Ok(Operand::Value(if empty { nothing } else { unsupported("inline assembly", span) }));
        }
        match self.alignment_question(call, span)? {
            Some(align) => Ok(Operand::Value(align)),
            None => Ok(Operand::Value(self.call(call, span)?)),
        }
    }
}
