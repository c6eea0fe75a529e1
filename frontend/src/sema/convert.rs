//! Decay, promotions and conversions.

use std::rc::Rc;

use program::{IntType, Span};

use super::expr::Operand;
use super::{BOOL, CHAR, INT, R, Sema, const_value};
use crate::hir::{Expr, ExprKind, Place, PlaceKind, Type};

/// Why a value is converted, for the message if it cannot be.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// `a = b`.
    Assign,
    /// `T a = b`.
    Initialise,
    /// An argument.
    Argument,
    /// `return a`.
    Return,
    /// An operand.
    Operand,
}

impl Purpose {
    fn verb(self) -> &'static str {
        match self {
            Purpose::Assign => "assigning to",
            Purpose::Initialise => "initialising",
            Purpose::Argument => "passing an argument of",
            Purpose::Return => "returning",
            Purpose::Operand => "converting to",
        }
    }
}

/// An integer constant.
pub fn int(value: i128, ty: IntType, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(ty.wrap(value)), ty: Type::Int(ty), span }
}

/// Something that is not modelled. Its type says what, and makes everything done with it unsupported too.
pub fn unsupported(what: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Unsupported(what.to_string()), ty: Type::Opaque(what.into()), span }
}

/// What is unsupported about a value, if anything is.
pub fn opaque(expr: &Expr) -> Option<Rc<str>> {
    match &expr.ty {
        Type::Opaque(what) => Some(what.clone()),
        _ => None,
    }
}

/// A conversion node, folded where both sides are plain integer constants.
pub fn cast(expr: Expr, ty: Type) -> Expr {
    if expr.ty == ty {
        return expr;
    }
    let span = expr.span;
    if let (ExprKind::Const(value), Type::Int(_)) = (&expr.kind, &expr.ty) {
        match &ty {
            Type::Int(BOOL) => return int(i128::from(*value != 0), BOOL, span),
            Type::Int(target) => return int(*value, *target, span),
            Type::Pointer(_) if *value == 0 => return Expr { kind: ExprKind::Const(0), ty, span },
            _ => {}
        }
    }
    if let (ExprKind::Const(0), Type::Pointer(_)) = (&expr.kind, &ty) {
        return Expr { kind: ExprKind::Const(0), ty, span };
    }
    Expr { kind: ExprKind::Cast(Box::new(expr)), ty, span }
}

/// The promoted type of a bit-field: beyond the width of int, gcc computes in the field's own.
pub fn bit_field_type(declared: IntType, width: u32) -> IntType {
    if width < INT.bits { INT } else { IntType::new(width, declared.signed) }
}

/// The type of an integer after the integer promotions.
pub fn promoted_int(ty: IntType) -> IntType {
    if ty.bits < INT.bits { INT } else { ty }
}

/// The type that the usual arithmetic conversions give, if both are arithmetic.
pub fn common_type(left: &Type, right: &Type) -> Option<Type> {
    match (left, right) {
        (Type::Float(l), Type::Float(r)) => Some(Type::Float(*l.max(r))),
        (Type::Float(size), Type::Int(_)) | (Type::Int(_), Type::Float(size)) => Some(Type::Float(*size)),
        (Type::Int(l), Type::Int(r)) => {
            let (l, r) = (promoted_int(*l), promoted_int(*r));
            Some(Type::Int(match l.bits.cmp(&r.bits) {
                std::cmp::Ordering::Less => r,
                std::cmp::Ordering::Greater => l,
                std::cmp::Ordering::Equal => IntType::new(l.bits, l.signed && r.signed),
            }))
        }
        _ => None,
    }
}

/// Whether a value is a null pointer constant.
pub fn is_null(expr: &Expr) -> bool {
    let fitting = match &expr.ty {
        Type::Int(_) => true,
        Type::Pointer(pointee) => **pointee == Type::Void,
        _ => false,
    };
    fitting && const_value(expr) == Some(0)
}

impl Sema<'_> {
    /// The value of an operand: lvalue conversion, array and function decay.
    pub fn decay(&self, operand: Operand) -> R<Expr> {
        match operand {
            Operand::Value(expr) | Operand::Function(expr) => Ok(expr),
            Operand::Place(place) => self.load(place),
            Operand::Text(text, span) => {
                if text.element != CHAR {
                    return Ok(unsupported("wide string literal", span));
                }
                let bytes: Vec<u8> = text.units.iter().map(|&unit| (unit & 0xff) as u8).collect();
                let ty = Type::Pointer(Rc::new(Type::Int(CHAR)));
                Ok(Expr { kind: ExprKind::String(bytes.into()), ty, span })
            }
        }
    }

    /// The value of an object.
    pub fn load(&self, place: Place) -> R<Expr> {
        let span = place.span;
        match place.ty.unatomic().clone() {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element);
                Ok(Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span })
            }
            Type::Opaque(what) => Ok(unsupported(&what, span)),
            Type::Void => Ok(match place.kind {
                PlaceKind::Deref(pointer) => Expr { kind: ExprKind::Cast(pointer), ty: Type::Void, span },
                _ => unsupported("an object of type void", span),
            }),
            ty => {
                if !self.is_complete(&ty) {
                    return self.invalid(span, "a value of incomplete type is used");
                }
                let bits = self.bit_field_width(&place);
                let loaded = Expr { kind: ExprKind::Load(Box::new(place)), ty, span };
                Ok(self.promoted_bit_field(loaded, bits))
            }
        }
    }

    /// gcc gives a bit-field a type of its own width.
    fn promoted_bit_field(&self, loaded: Expr, width: Option<u32>) -> Expr {
        let (Some(width), Type::Int(int)) = (width, &loaded.ty) else { return loaded };
        let promoted = bit_field_type(*int, width);
        cast(loaded, Type::Int(promoted))
    }

    /// The width of the bit-field at a place, if it is one.
    pub fn bit_field_width(&self, place: &Place) -> Option<u32> {
        let PlaceKind::Field(base, field) = &place.kind else { return None };
        let Type::Record(id) = base.ty.unatomic() else { return None };
        let field = self.unit.records[id.0 as usize].fields.get(*field)?;
        field.bits.map(|(width, _)| width)
    }

    /// The integer promotions; other types stay.
    pub fn promote(&self, expr: Expr) -> Expr {
        match &expr.ty {
            Type::Int(ty) => {
                let promoted = promoted_int(*ty);
                cast(expr, Type::Int(promoted))
            }
            _ => expr,
        }
    }

    /// Converts implicitly, as by assignment. Lenient where gcc merely warns.
    pub fn convert(&self, expr: Expr, target: &Type, purpose: Purpose) -> R<Expr> {
        let target = target.unatomic();
        let span = expr.span;
        if expr.ty == *target {
            return Ok(expr);
        }
        match (&expr.ty, target) {
            (Type::Opaque(what), _) => {
                Ok(Expr { kind: ExprKind::Unsupported(what.to_string()), ty: target.clone(), span })
            }
            (_, Type::Opaque(what)) => Ok(unsupported(what, span)),
            (Type::Void, _) => self.invalid(span, "a void value is used where a value is needed"),
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_))
            | (Type::Int(_) | Type::Pointer(_), Type::Int(_) | Type::Pointer(_)) => {
                Ok(self.scalar_cast(expr, target.clone()))
            }
            (Type::Int(_), Type::Sync(_)) => {
                let kind = ExprKind::Unsupported("assigning a number to a pthread object".to_string());
                Ok(Expr { kind, ty: target.clone(), span })
            }
            (from, to) => {
                let (from, to) = (self.name_of(from), self.name_of(to));
                self.invalid(span, format!("incompatible types when {} type {to} from type {from}", purpose.verb()))
            }
        }
    }

    /// `(ty) expr` as written.
    pub fn explicit_cast(&self, expr: Expr, ty: &Type, span: Span) -> R<Expr> {
        let ty = ty.unatomic();
        let what = match (&expr.ty, ty) {
            (_, Type::Void) => return Ok(cast(expr, Type::Void)),
            (Type::Record(from), Type::Record(to)) if from == to => return Ok(expr),
            (Type::Sync(from), Type::Sync(to)) if from == to => return Ok(expr),
            (Type::Opaque(_), _) | (_, Type::Opaque(_)) => return self.convert(expr, ty, Purpose::Operand),
            (_, Type::Record(id)) if self.unit.records[id.0 as usize].union => {
                let kind = ExprKind::Unsupported("a cast to a union".to_string());
                return Ok(Expr { kind, ty: ty.clone(), span });
            }
            (_, Type::Array(..)) => "a cast cannot give an array",
            (_, Type::Function(_)) => "a cast cannot give a function",
            (_, Type::Record(_)) | (Type::Record(_), _) => "conversion between a struct and another type",
            (Type::Pointer(_), Type::Float(_)) | (Type::Float(_), Type::Pointer(_)) => {
                "conversion between a pointer and a floating type"
            }
            (Type::Int(_), Type::Sync(_)) | (Type::Sync(_), Type::Int(_)) => {
                let kind = ExprKind::Unsupported("conversion of a pthread object".to_string());
                return Ok(Expr { kind, ty: ty.clone(), span });
            }
            (Type::Sync(_), _) | (_, Type::Sync(_)) => "conversion of a pthread object",
            (Type::Void, _) => "a void value is used where a value is needed",
            _ => return Ok(Expr { span, ..self.scalar_cast(expr, ty.clone()) }),
        };
        self.invalid(span, what)
    }

    /// A conversion between scalars; `(size_t)&((T *)0)->member` is a constant.
    fn scalar_cast(&self, expr: Expr, ty: Type) -> Expr {
        if let (ExprKind::AddressOf(place), Type::Int(int_ty)) = (&expr.kind, &ty)
            && let Some(offset) = self.address_constant(place)
        {
            return int(offset, *int_ty, expr.span);
        }
        cast(expr, ty)
    }

    /// The address of a part of an object at a constant address.
    fn address_constant(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Const(value) => Some(*value),
                ExprKind::Cast(inner) if matches!(inner.ty, Type::Int(_)) => const_value(inner),
                _ => None,
            },
            PlaceKind::Field(base, field) => {
                let Type::Record(id) = base.ty.unatomic() else { return None };
                if self.unsized_part(&base.ty).is_some() {
                    return None;
                }
                let field = self.unit.records[id.0 as usize].fields.get(*field)?;
                Some(self.address_constant(base)? + i128::from(field.offset))
            }
            PlaceKind::Index(base, position) => {
                let size = i128::from(self.unit.size_of(&place.ty));
                self.address_constant(base)?.checked_add(const_value(position)?.checked_mul(size)?)
            }
            _ => None,
        }
    }

    /// Whether objects of the type have a size.
    pub fn is_complete(&self, ty: &Type) -> bool {
        match ty.unatomic() {
            Type::Record(id) => self.complete.contains(id),
            Type::Array(element, _) => self.is_complete(element),
            _ => true,
        }
    }

    /// Which part of the type is not modelled, if any.
    pub fn is_opaque(&self, ty: &Type) -> Option<Rc<str>> {
        match ty.unatomic() {
            Type::Opaque(what) => Some(what.clone()),
            Type::Array(element, _) => self.is_opaque(element),
            Type::Record(id) => {
                let fields = &self.unit.records[id.0 as usize].fields;
                fields.iter().find_map(|field| self.is_opaque(&field.ty))
            }
            _ => None,
        }
    }

    /// What keeps the size of a type from being known.
    pub fn unsized_part(&self, ty: &Type) -> Option<Rc<str>> {
        match ty.unatomic() {
            Type::Opaque(what) => self.unit.opaque_layout(what).is_none().then(|| what.clone()),
            Type::Array(element, _) => self.unsized_part(element),
            Type::Record(id) => {
                let fields = &self.unit.records[id.0 as usize].fields;
                fields.iter().find_map(|field| self.unsized_part(&field.ty))
            }
            _ => None,
        }
    }

    /// A type as C spells it, roughly: for messages.
    pub fn name_of(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_string(),
            Type::Int(BOOL) => "_Bool".to_string(),
            Type::Int(int) => {
                let word = match int.bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long",
                };
                if int.signed { word.to_string() } else { format!("unsigned {word}") }
            }
            Type::Float(4) => "float".to_string(),
            Type::Float(8) => "double".to_string(),
            Type::Float(_) => "long double".to_string(),
            Type::Pointer(inner) => format!("{} *", self.name_of(inner)),
            Type::Array(inner, length) => format!("{}[{length}]", self.name_of(inner)),
            Type::Record(id) => {
                let record = &self.unit.records[id.0 as usize];
                format!("{} {}", if record.union { "union" } else { "struct" }, record.name)
            }
            Type::Function(function) => format!("function returning {}", self.name_of(&function.result)),
            Type::Sync(_) => "pthread object".to_string(),
            Type::Atomic(inner) => format!("_Atomic {}", self.name_of(inner)),
            Type::Opaque(what) => what.to_string(),
        }
    }
}
