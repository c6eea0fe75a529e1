//! How an object is cut into scalars.

use program::IntType;

use super::Shape;
use crate::hir::{Field, RecordId, SyncKind, Type, Unit};

/// A part of an object while it is taken apart: `name` has a `[]` for every dimension.
#[derive(Clone, Default)]
pub(super) struct Part {
    pub(super) offset: u64,
    pub(super) dims: Vec<(u64, u64)>,
    pub(super) name: String,
    /// Arrays are kept in one piece.
    pub(super) whole: bool,
}

/// A scalar that an object is cut into.
#[derive(Clone)]
pub(super) struct Cut {
    pub(super) part: Part,
    pub(super) shape: Shape,
    pub(super) sync: Option<SyncKind>,
    pub(super) field: bool,
}

impl Cut {
    /// Whether both are the same bytes, cut alike.
    fn same(&self, other: &Cut) -> bool {
        let key = |cut: &Cut| (cut.part.offset, cut.part.dims.clone(), cut.shape.size, cut.shape.bit, cut.sync);
        // Bit-fields that start at the same bit may end at different ones.
        let width = |cut: &Cut| if cut.field { cut.shape.ty.bits } else { 0 };
        key(self) == key(other) && width(self) == width(other)
    }
}

pub(super) type Plan = Vec<Cut>;

pub(super) fn flatten(unit: &Unit, ty: &Type, part: &Part, plan: &mut Plan) {
    let word = u32::try_from(unit.data_model.word() * 8).unwrap_or(64);
    let size = unit.size_of(ty);
    let scalar = |ty: IntType, pointer: bool| {
        let shape = Shape { ty, size, bit: 0, pointer, loose: false };
        Cut { part: part.clone(), shape, sync: None, field: false }
    };
    match ty {
        Type::Int(int) => plan.push(scalar(*int, false)),
        Type::Pointer(_) => plan.push(scalar(IntType::new(word, false), true)),
        Type::Sync(kind) => {
            for (field, name) in (0u32..).zip(unit.sync_fields(*kind)) {
                let part = Part { name: format!("{}{name}", part.name), ..part.clone() };
                plan.push(Cut { part, shape: sync_shape(unit, *kind, field), sync: Some(*kind), field: false });
            }
        }
        Type::Atomic(inner) => flatten(unit, inner, part, plan),
        Type::Array(_, 0) => {}
        Type::Array(element, length) => {
            let mut part = part.clone();
            part.dims.push((unit.size_of(element), *length));
            part.name.push_str("[]");
            flatten(unit, element, &part, plan);
        }
        Type::Record(id) if unit.records[id.0 as usize].union => flatten_union(unit, *id, part, plan),
        Type::Record(id) => {
            unit.records[id.0 as usize].fields.iter().for_each(|field| flatten_field(unit, field, part, plan));
        }
        // Floating-point values are not tracked; where they have a cell, it is to be touched.
        Type::Float(size) if unit.float_cells => {
            plan.push(Cut { part: part.clone(), shape: float_shape(*size), sync: None, field: true });
        }
        // The others have no objects that could be looked at.
        Type::Float(_) | Type::Void | Type::Function(_) | Type::Opaque(_) => {}
    }
}

/// The cell of a floating-point number of so many bytes: one bit, which no integer begins with, so that nobody takes it for one.
pub(crate) fn float_shape(size: u64) -> Shape {
    Shape { ty: IntType::new(1, false), size, bit: 1 << 30, pointer: false, loose: false }
}

/// A part of the state of a pthread object. All parts lie in the same place, the whole object, which keeps C's own accesses
/// away from them; they differ in their bit.
pub(crate) fn sync_shape(unit: &Unit, kind: SyncKind, field: u32) -> Shape {
    let size = unit.size_of(&Type::Sync(kind));
    Shape { ty: IntType::new(32, true), size, bit: field, pointer: false, loose: false }
}

fn flatten_field(unit: &Unit, field: &Field, part: &Part, plan: &mut Plan) {
    let mut inner = part.clone();
    inner.offset += field.offset;
    if !field.name.is_empty() {
        inner.name = format!("{}.{}", part.name, field.name);
    }
    match (field.bits, &field.ty) {
        (Some((width, bit)), Type::Int(int)) => {
            let ty = IntType::new(width, int.signed);
            let shape = Shape { ty, size: unit.size_of(&field.ty), bit, pointer: false, loose: false };
            plan.push(Cut { part: inner, shape, sync: None, field: true });
        }
        _ => flatten(unit, &field.ty, &inner, plan),
    }
}

/// Every member of a union is cut on its own; what two of them cut alike is one scalar. The others are views of the same
/// bytes, which a write through one keeps in step.
fn flatten_union(unit: &Unit, id: RecordId, part: &Part, plan: &mut Plan) {
    let first = plan.len();
    for field in &unit.records[id.0 as usize].fields {
        let mut cuts = Plan::new();
        flatten_field(unit, field, part, &mut cuts);
        for cut in cuts {
            if !plan[first..].iter().any(|other| other.same(&cut)) {
                plan.push(cut);
            }
        }
    }
}

/// Whether an object of the type has contents that no leaf holds.
pub(super) fn is_untracked(unit: &Unit, ty: &Type) -> bool {
    match ty {
        Type::Float(_) => true,
        Type::Atomic(inner) | Type::Array(inner, _) => is_untracked(unit, inner),
        Type::Record(id) => unit.records[id.0 as usize].fields.iter().any(|field| is_untracked(unit, &field.ty)),
        _ => false,
    }
}
