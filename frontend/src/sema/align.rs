//! Alignments: those of declared types and objects, and the questions that `_Alignof` and its relatives ask.

use lang_c::ast::{CallExpression, Expression, TypeName};
use lang_c::span::Node;
use program::Span;

use super::convert::int;
use super::expr::Operand;
use super::types::{Declared, TypeAlign};
use super::{R, Sema};
use crate::hir::{Expr, ExprKind, Place, PlaceKind, Type};

/// What is asked about a type.
#[derive(Clone, Copy)]
enum Question {
    /// `_Alignof`: the alignment as a member.
    Least,
    /// `__alignof__`: the alignment on its own.
    Preferred,
}

impl Sema<'_> {
    /// Bytes that a member of the declared type is aligned to, without attributes of its own.
    pub fn member_align(&self, declared: &Declared) -> Option<u64> {
        self.answer(declared, Question::Least)
    }

    /// Bytes that a declared object is aligned to. What an attribute asks for may also be less than the type's.
    pub fn object_align(&self, declared: &Declared) -> u64 {
        // Where the type's alignment is not known, nothing may be concluded from it.
        let asked = declared.asked.map(|asked| asked.greatest);
        asked.or_else(|| self.answer(declared, Question::Preferred)).unwrap_or(1)
    }

    fn answer(&self, declared: &Declared, question: Question) -> Option<u64> {
        match (declared.type_align, question) {
            (TypeAlign::Given(align), _) => Some(align),
            (TypeAlign::Unknown, _) => None,
            (TypeAlign::Own, _) if self.unsized_part(&declared.ty).is_some() => None,
            (TypeAlign::Own, Question::Least) => Some(self.unit.align_of(&declared.ty)),
            (TypeAlign::Own, Question::Preferred) => Some(self.unit.preferred_align(&declared.ty)),
        }
    }

    /// The forms that the rewriting gives to questions about alignments, `name(sizeof(x))`, since lang-c tells types from
    /// expressions behind `sizeof` only.
    pub fn alignment_question(&mut self, call: &CallExpression, span: Span) -> R<Option<Expr>> {
        let Expression::Identifier(name) = &call.callee.node else { return Ok(None) };
        let question = match name.node.name.as_str() {
            "__threader_alignas" | "__threader_alignof" => Question::Least,
            "__threader_preferred_alignof" => Question::Preferred,
            _ => return Ok(None),
        };
        let align = match call.arguments.first().map(|argument| &argument.node) {
            Some(Expression::SizeOfTy(name)) => self.type_alignment(&name.node.0, question)?,
            Some(Expression::SizeOfVal(value)) if name.node.name == "__threader_alignas" => {
                return self.value(&value.node.0).map(Some);
            }
            Some(Expression::SizeOfVal(value)) => {
                let operand = self.operand(&value.node.0)?;
                self.operand_alignment(&operand)
            }
            _ => None,
        };
        Ok(Some(self.alignment_value(align, span)))
    }

    /// `_Alignof(type)`.
    pub fn type_alignof(&mut self, name: &Node<TypeName>, span: Span) -> R<Expr> {
        let align = self.type_alignment(name, Question::Least)?;
        Ok(self.alignment_value(align, span))
    }

    fn alignment_value(&self, align: Option<u64>, span: Span) -> Expr {
        let ty = self.size_type();
        match align {
            Some(align) => int(i128::from(align), ty, span),
            None => {
                let kind = ExprKind::Unsupported("the alignment of such a type".to_string());
                Expr { kind, ty: Type::Int(ty), span }
            }
        }
    }

    fn type_alignment(&mut self, name: &Node<TypeName>, question: Question) -> R<Option<u64>> {
        let declared = self.type_name(name)?;
        if !self.is_complete(&declared.ty) {
            return self.invalid(self.at(name.span), "the alignment of an incomplete type");
        }
        Ok(self.answer(&declared, question))
    }

    /// The alignment of what an expression denotes: a variable's or a member's own, else its type's.
    fn operand_alignment(&self, operand: &Operand) -> Option<u64> {
        if self.unsized_part(&self.operand_type(operand)).is_some() {
            return None;
        }
        // An object's 1 may mean that nothing is known.
        let known = |align: &u64| *align > 1 || !self.aligned_typedefs;
        match operand {
            Operand::Place(Place { kind: PlaceKind::Global(id), .. }) => {
                Some(self.unit.globals[id.0 as usize].align).filter(known)
            }
            Operand::Place(Place { kind: PlaceKind::Local(id), .. }) => self
                .body
                .as_ref()
                .and_then(|body| body.locals.get(id.0 as usize))
                .map(|local| local.align)
                .filter(known),
            Operand::Place(Place { kind: PlaceKind::Field(base, field), .. }) => match base.ty.unatomic() {
                Type::Record(id) => self.unit.records[id.0 as usize].fields.get(*field).map(|field| field.align),
                _ => None,
            },
            // gcc looks through conversions of the pointer.
            Operand::Place(Place { kind: PlaceKind::Deref(pointer), .. })
                if matches!(pointer.kind, ExprKind::Cast(_) | ExprKind::AddressOf(_)) =>
            {
                None
            }
            _ => {
                let declared = Declared::new(self.operand_type(operand));
                if self.aligned_typedefs { None } else { self.answer(&declared, Question::Preferred) }
            }
        }
    }

    /// What is known of the alignment of an expression's type: typedefs that it comes from are not recorded, and gcc
    /// takes `_Atomic` from it, but not the alignment that comes with that.
    pub fn type_align_of_expression(&self, ty: &Type) -> TypeAlign {
        let changed = self.unit.align_of(ty) != self.unit.align_of(ty.unatomic());
        if self.aligned_typedefs || changed { TypeAlign::Unknown } else { TypeAlign::Own }
    }
}
