//! Initial values of objects with static storage: C demands constants, addresses included.

use program::{Init, Term};

use super::Lowering;
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::{self, Expr, ExprKind, Place, PlaceKind, Type};
use crate::memory::{Cells, Located, ObjectId, Shape, point};

impl Lowering<'_> {
    /// Gives an object's cells the values of a static initialiser.
    pub(super) fn initialise(&mut self, object: ObjectId, init: &hir::Init) -> Result<(), Failure> {
        for (place, value) in &init.items {
            let unsupported =
                |what: &str| Failure::from(Diagnostic::new(Code::Unsupported, what.to_string()).at(value.span));
            if let ExprKind::Unsupported(what) = &value.kind {
                return Err(unsupported(what));
            }
            let shape = match (self.shape_of(place), place.ty.unatomic()) {
                (Some(shape), _) => shape,
                // The type of a mutex; anything else about a pthread object starts at zero.
                (None, Type::Sync(kind)) => match self.mutex_type_shape(*kind) {
                    Some(shape) => shape,
                    None => continue,
                },
                (None, Type::Float(_)) if self.shares_bytes(place) => {
                    return Err(unsupported("floating point in a union with other members"));
                }
                (None, Type::Float(_)) => continue,
                (None, _) => return Err(unsupported("this initialiser of a static object")),
            };
            let constant = self.constant(value).ok_or_else(|| unsupported("this initialiser of a static object"))?;
            let offset =
                self.constant_offset(place).ok_or_else(|| unsupported("this initialiser of a static object"))?;
            match self.memory.locate(object, offset, &[], shape) {
                Located::Leaf(leaf, digits) => {
                    let index = self.memory.object(object).leaves[leaf].number(&digits);
                    let rivals = self.memory.rivals(object, leaf);
                    if constant.as_int() != Some(0) && !rivals.is_empty() {
                        return Err(unsupported("this initialiser of a union"));
                    }
                    self.set_initial_views(object, leaf, index, constant);
                    self.set_initial(object, leaf, index, constant);
                }
                Located::Outside => {}
                Located::Punned => return Err(unsupported("this initialiser of a union")),
            }
        }
        Ok(())
    }

    pub(super) fn set_initial_element(&mut self, object: ObjectId, leaf: usize, index: usize, value: i128) {
        self.set_initial(object, leaf, Term::int(index as i128), Term::int(value));
    }

    /// What other members of a union show.
    fn set_initial_views(&mut self, object: ObjectId, leaf: usize, index: Term, value: Term) {
        for (var, index, shown) in self.memory.views(object, leaf, index, value) {
            let shown = shown.substitute(&|var, _| match self.memory.cell(var).init {
                Init::Value(value) if self.memory.addressed(var).is_none() => Some(value),
                _ => None,
            });
            if let Init::Value(array) = self.memory.cell(var).init {
                let stored = index.map_or(shown, |index| array.store(index, shown));
                self.memory.cell_mut(var).init = Init::Value(stored);
            }
        }
    }

    fn set_initial(&mut self, object: ObjectId, leaf: usize, index: Term, value: Term) {
        match &self.memory.object(object).leaves[leaf].cells {
            Cells::Split(vars) => {
                let number = index.as_int().and_then(|i| usize::try_from(i).ok()).unwrap_or(usize::MAX);
                if let Some(var) = vars.get(number).copied() {
                    let ty = self.memory.cell(var).ty;
                    self.memory.cell_mut(var).init = Init::Value(convert_constant(value, ty));
                }
            }
            Cells::Array(var) => {
                let var = *var;
                let ty = self.memory.cell(var).ty;
                if let Init::Value(array) = self.memory.cell(var).init {
                    self.memory.cell_mut(var).init = Init::Value(array.store(index, convert_constant(value, ty)));
                }
            }
        }
    }

    /// Whether a floating-point place lies in a union with members that are something else.
    pub(super) fn shares_bytes(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Field(base, _) => {
                let Type::Record(id) = base.ty.unatomic() else { return false };
                let record = &self.unit.records[id.0 as usize];
                let other = |ty: &Type| !matches!(ty, Type::Float(_));
                (record.union && record.fields.iter().any(|field| other(&field.ty))) || self.shares_bytes(base)
            }
            PlaceKind::Index(base, _) => self.shares_bytes(base),
            // What a pointer to a floating-point number points to may be part of anything.
            PlaceKind::Deref(_) => self.unit.records.iter().any(|record| {
                let float = |ty: &Type| matches!(ty, Type::Float(_));
                record.union
                    && record.fields.iter().any(|f| float(&f.ty))
                    && !record.fields.iter().all(|f| float(&f.ty))
            }),
            _ => false,
        }
    }

    /// Whether a floating-point place may lie in a union with other members.
    pub(super) fn may_overlap(&self, place: &Place) -> bool {
        let several = |record: &crate::hir::Record| record.union && record.fields.len() > 1;
        match &place.kind {
            PlaceKind::Field(base, _) => {
                let Type::Record(id) = base.ty.unatomic() else { return true };
                several(&self.unit.records[id.0 as usize]) || self.may_overlap(base)
            }
            PlaceKind::Index(base, _) => self.may_overlap(base),
            PlaceKind::Deref(_) => (0u32..)
                .zip(&self.unit.records)
                .any(|(id, record)| several(record) && !self.is_tracked(&Type::Record(crate::hir::RecordId(id)))),
            _ => false,
        }
    }

    /// The scalar shape of a place, if its type is scalar.
    pub(crate) fn shape_of(&self, place: &Place) -> Option<Shape> {
        let size = self.unit.size_of(&place.ty);
        if let PlaceKind::Field(base, index) = &place.kind
            && let Type::Record(id) = base.ty.unatomic()
        {
            let field = &self.unit.records[id.0 as usize].fields[*index];
            if let (Some((width, bit)), Type::Int(int)) = (field.bits, &field.ty) {
                let ty = program::IntType::new(width, int.signed);
                return Some(Shape { ty, size, bit, pointer: false, loose: false });
            }
        }
        let loose = matches!(place.kind, PlaceKind::Deref(_));
        self.scalar_shape(&place.ty).map(|shape| Shape { loose, ..shape })
    }

    /// The cell of a floating-point place, if there are such cells.
    pub(super) fn float_of(&self, place: &Place) -> Option<Shape> {
        let Type::Float(size) = place.ty.unatomic() else { return None };
        let loose = matches!(place.kind, PlaceKind::Deref(_));
        self.unit.float_cells.then(|| Shape { loose, ..crate::memory::float_shape(*size) })
    }

    /// The shape of a scalar type.
    pub(crate) fn scalar_shape(&self, ty: &Type) -> Option<Shape> {
        let size = self.unit.size_of(ty);
        match ty.unatomic() {
            Type::Int(int) => Some(Shape { ty: *int, size, bit: 0, pointer: false, loose: false }),
            Type::Pointer(_) => {
                Some(Shape { ty: self.memory.pointer_type(), size, bit: 0, pointer: true, loose: false })
            }
            _ => None,
        }
    }

    /// Bytes from the start of the object a place is rooted at, if they are constant.
    fn constant_offset(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => Some(0),
            PlaceKind::Field(base, index) => {
                let Type::Record(id) = base.ty.unatomic() else { return None };
                let field = self.unit.records[id.0 as usize].fields.get(*index)?;
                Some(self.constant_offset(base)? + i128::from(field.offset))
            }
            PlaceKind::Index(base, index) => {
                let index = crate::sema::const_value(index)?;
                Some(self.constant_offset(base)? + index * i128::from(self.unit.size_of(&place.ty)))
            }
            _ => None,
        }
    }

    /// The value of a constant expression: an integer, or an address plus an integer.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<Term> {
        if let Some(value) = crate::sema::const_value(expr) {
            return Some(Term::int(value));
        }
        match &expr.kind {
            ExprKind::Cast(inner) => {
                let value = self.constant(inner)?;
                // An address fits every type that C lets a constant address be cast to.
                point(&self.memory, value).map(|_| value)
            }
            ExprKind::FunctionAddress(id) => {
                let object = self.function_object(*id);
                Some(self.memory.address_of(object))
            }
            ExprKind::String(bytes) => {
                let object = self.string_object(bytes, expr.span);
                Some(self.memory.address_of(object))
            }
            ExprKind::AddressOf(place) => {
                let PlaceKind::Global(id) = crate::hir_walk::root(place).kind else { return None };
                let offset = self.constant_offset(place)?;
                Some(self.memory.address_of(self.globals[id.0 as usize]).add(Term::int(offset)))
            }
            ExprKind::PointerOffset { pointer, index, size, negative } => {
                let index = crate::sema::const_value(index)? * i128::from(*size);
                Some(self.constant(pointer)?.add(Term::int(if *negative { -index } else { index })))
            }
            _ => None,
        }
    }
}

/// Integers are cut to the cell's type; addresses are kept.
fn convert_constant(value: Term, ty: program::IntType) -> Term {
    match value.as_int() {
        Some(int) => Term::int(ty.wrap(int)),
        None => value,
    }
}
