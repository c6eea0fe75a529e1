//! `_Generic`.

use lang_c::ast::{GenericAssociation, GenericSelection};
use program::Span;

use super::convert::unsupported;
use super::expr::Operand;
use super::{CHAR, R, Sema};
use crate::hir::Type;

impl Sema<'_> {
    /// The association whose type is that of the controlling expression.
    pub fn generic_selection(&mut self, selection: &GenericSelection, span: Span) -> R<Operand> {
        let control = self.value(&selection.expression)?.ty;
        let mut chosen = None;
        let mut default = None;
        let mut matches = 0;
        for association in &selection.associations {
            match &association.node {
                GenericAssociation::Type(case) => {
                    if self.type_name(&case.node.type_name)?.ty == control {
                        matches += 1;
                        chosen = chosen.or(Some(&case.node.expression));
                    }
                }
                GenericAssociation::Default(expression) => default = Some(expression),
            }
        }
        if matches > 1 || (matches == 1 && default.is_some() && self.ambiguous(&control)) {
            return Ok(Operand::Value(unsupported("_Generic between types of the same representation", span)));
        }
        match chosen.or(default) {
            Some(expression) => self.operand(expression),
            None => {
                let message = format!("no association of _Generic fits the type {}", self.name_of(&control));
                self.invalid(span, message)
            }
        }
    }

    /// Whether C has several types where we have this one: long and long long, char and signed char, T * and const T *.
    fn ambiguous(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(int) => int.bits == self.word_bits() || int.bits == 64 || *int == CHAR,
            Type::Pointer(_) => true,
            _ => false,
        }
    }
}
