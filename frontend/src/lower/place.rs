//! Lvalues: where they are, and reading and writing scalars there.

use program::{Init, Span, Term, UbKind, VarId};

use super::build::ThreadBuilder;
use crate::cfg::{Access, Step};
use crate::hir::{Expr, GlobalId, LocalId, Place, PlaceKind, Type};
use crate::memory::{Cells, Located, ObjectId, Shape, point};

/// Where an lvalue is.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// In this object, at a constant offset plus symbolic parts (term, bytes per unit).
    Known { object: ObjectId, offset: i128, indices: Vec<(Term, i128)> },
    /// Wherever this address points.
    Pointed(Term),
    /// In something whose value is not tracked or not modelled; an error has been reported if that matters.
    Nowhere,
}

impl Spot {
    fn shifted(self, bytes: i128) -> Spot {
        match self {
            Spot::Known { object, offset, indices } => Spot::Known { object, offset: offset + bytes, indices },
            Spot::Pointed(address) => Spot::Pointed(address.add(Term::int(bytes))),
            Spot::Nowhere => Spot::Nowhere,
        }
    }
    fn indexed(self, index: Term, stride: i128) -> Spot {
        match (self, index.as_int()) {
            (spot, Some(index)) => spot.shifted(index * stride),
            (Spot::Known { object, offset, mut indices }, None) => {
                indices.push((index, stride));
                Spot::Known { object, offset, indices }
            }
            (Spot::Pointed(address), None) => Spot::Pointed(address.add(index.mul(Term::int(stride)))),
            (Spot::Nowhere, None) => Spot::Nowhere,
        }
    }
}

impl ThreadBuilder<'_, '_> {
    /// Evaluates an lvalue, with the side effects in it.
    pub(super) fn place(&mut self, place: &Place) -> Spot {
        match &place.kind {
            PlaceKind::Global(id) => known(self.global(*id)),
            PlaceKind::Local(id) => known(self.local(*id)),
            PlaceKind::Deref(pointer) => {
                let address = self.scalar(pointer);
                self.spot_at(address)
            }
            PlaceKind::Field(base, index) => {
                let spot = self.place(base);
                let Type::Record(id) = base.ty.unatomic() else { return Spot::Nowhere };
                let offset = self.low.unit.records[id.0 as usize].fields[*index].offset;
                spot.shifted(i128::from(offset))
            }
            PlaceKind::Index(base, index) => {
                let spot = self.place(base);
                let index = self.scalar(index);
                spot.indexed(index, i128::from(self.low.unit.size_of(&place.ty)))
            }
            PlaceKind::Temporary(value) => self.materialise(value),
            PlaceKind::Literal(id, init) => {
                let object = self.local(*id);
                self.initialise_local(object, &place.ty, Some(init));
                known(object)
            }
        }
    }

    /// The place an address points to, exactly where the address says so itself.
    pub(super) fn spot_at(&mut self, address: Term) -> Spot {
        match point(&self.low.memory, address) {
            Some((object, offset, indices)) => Spot::Known { object, offset, indices },
            None => Spot::Pointed(address),
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, spot: &Spot) -> Term {
        match spot {
            Spot::Known { object, offset, indices } => {
                let base = self.low.memory.address_of(*object).add(Term::int(*offset));
                indices.iter().fold(base, |sum, (index, stride)| sum.add(index.mul(Term::int(*stride))))
            }
            Spot::Pointed(address) => *address,
            Spot::Nowhere => Term::int(0),
        }
    }

    /// A struct-valued expression as a nameless object.
    fn materialise(&mut self, value: &Expr) -> Spot {
        let object = self.allocate(&value.ty, "value", true);
        self.assign_value(&known(object), &value.ty, value);
        known(object)
    }

    pub(super) fn global(&mut self, id: GlobalId) -> ObjectId {
        let global = &self.low.unit.globals[id.0 as usize];
        if !global.thread_local {
            return self.low.globals[id.0 as usize];
        }
        if let Some(object) = self.thread_locals.get(&id) {
            return *object;
        }
        let named = crate::memory::Named {
            name: &global.name,
            span: global.span,
            kind: program::VarKind::User,
            private: self.low.facts.is_private_global(id),
        };
        let object = self.low.memory.allocate(self.low.unit, &global.ty, &named, Init::Value(Term::int(0)));
        if let Some(init) = &global.init {
            // Refused once already, when the globals were allocated, if it cannot be done.
            let _ = self.low.initialise(object, init);
        }
        self.thread_locals.insert(id, object);
        object
    }

    pub(super) fn local(&mut self, id: LocalId) -> ObjectId {
        let Some(frame) = self.frames.last() else { return self.allocate(&Type::Void, "?", true) };
        if let Some(object) = frame.locals.get(&id) {
            return *object;
        }
        let function = frame.function;
        let info = &self.low.unit.functions[function.0 as usize];
        let local = &info.locals[id.0 as usize];
        let outer = self.frames.len() > 1;
        let name = if outer { format!("{}::{}", info.name, local.name) } else { local.name.clone() };
        let private = self.low.facts.is_private_local(function, id);
        let outer_span = std::mem::replace(&mut self.span, local.span);
        let object = self.allocate(&local.ty, &name, private);
        self.span = outer_span;
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(id, object);
        }
        object
    }

    /// The value of a scalar.
    pub(super) fn read(&mut self, spot: &Spot, shape: Shape) -> Term {
        match spot {
            Spot::Known { object, offset, indices } => self.read_known(*object, *offset, indices, shape),
            Spot::Pointed(address) => {
                let var = self.temporary(shape.ty, "read");
                self.emit(Step::Load(var, Access { address: *address, shape }));
                self.low.memory.term(var)
            }
            Spot::Nowhere => self.havoc(shape.ty, "any"),
        }
    }

    fn read_known(&mut self, object: ObjectId, offset: i128, indices: &[(Term, i128)], shape: Shape) -> Term {
        let Some((leaf, index)) = self.locate(object, offset, indices, shape) else { return Term::int(0) };
        let cells = self.low.memory.object(object).leaves[leaf].cells.clone();
        match (cells, index.as_int()) {
            (Cells::Split(vars), Some(index)) => {
                let Some(var) = usize::try_from(index).ok().and_then(|i| vars.get(i)) else { return Term::int(0) };
                self.read_cell(object, *var, shape)
            }
            (Cells::Split(vars), None) => {
                let result = self.temporary(shape.ty, "element");
                self.split(&vars, index, |this, var| {
                    let value = this.read_cell(object, var, shape);
                    this.emit(Step::Assign(result, value));
                });
                self.low.memory.term(result)
            }
            (Cells::Array(array), Some(_)) if self.constant_array(object, array).is_some() => {
                let values = self.constant_array(object, array).unwrap_or_else(|| self.low.memory.term(array));
                values.select(index)
            }
            (Cells::Array(array), _) => {
                let name = self.low.memory.cell(array).name.clone();
                let var = self.temporary(self.low.memory.cell(array).ty, &name);
                self.emit(Step::Assign(var, self.low.memory.term(array).select(index)));
                let value = self.low.memory.term(var);
                self.fit_shape(value, shape)
            }
        }
    }

    /// The contents of an array that is never written.
    fn constant_array(&self, object: ObjectId, array: VarId) -> Option<Term> {
        match self.low.memory.cell(array).init {
            Init::Value(values) if self.low.memory.object(object).constant => Some(values),
            _ => None,
        }
    }

    /// Reads one cell, in a step of its own, unless its value is known.
    fn read_cell(&mut self, object: ObjectId, var: VarId, shape: Shape) -> Term {
        let cell = self.low.memory.cell(var);
        let (ty, name) = (cell.ty, cell.name.clone());
        let initial = match cell.init {
            Init::Value(value) if self.low.memory.object(object).constant => Some(value),
            _ => None,
        };
        let value = match self.constants.get(&var).copied().or(initial) {
            Some(constant) => constant,
            None => {
                let temporary = self.temporary(ty, &name);
                self.emit(Step::Assign(temporary, self.low.memory.term(var)));
                self.low.memory.term(temporary)
            }
        };
        self.fit_shape(value, shape)
    }

    /// Stores a scalar; the value has the place's type.
    pub(super) fn write(&mut self, spot: &Spot, shape: Shape, value: Term) {
        match spot {
            Spot::Known { object, offset, indices } => {
                let Some((leaf, index)) = self.locate(*object, *offset, indices, shape) else { return };
                let leaf = &self.low.memory.object(*object).leaves[leaf];
                let (cells, shape) = (leaf.cells.clone(), leaf.shape);
                let value = self.fit_shape(value, shape);
                self.write_cells(*object, &cells, index, value);
            }
            Spot::Pointed(address) => {
                self.emit(Step::Store(Access { address: *address, shape }, value));
            }
            Spot::Nowhere => {}
        }
    }

    fn write_cells(&mut self, object: ObjectId, cells: &Cells, index: Term, value: Term) {
        match (cells, index.as_int()) {
            (Cells::Split(vars), Some(index)) => {
                let Some(var) = usize::try_from(index).ok().and_then(|i| vars.get(i)).copied() else { return };
                self.assign(Some(object), var, value);
            }
            (Cells::Split(vars), None) => {
                self.split(vars, index, |this, var| this.assign(Some(object), var, value));
            }
            (Cells::Array(array), _) => {
                let stored = self.low.memory.term(*array).store(index, value);
                self.emit(Step::Assign(*array, stored));
            }
        }
    }

    /// One case for each element that a symbolic index can mean.
    fn split(&mut self, vars: &[VarId], index: Term, mut each: impl FnMut(&mut Self, VarId)) {
        let done = self.label();
        for (number, var) in vars.iter().enumerate() {
            let here = self.label();
            let next = self.label();
            if number + 1 == vars.len() {
                // The bounds were checked: nothing else is left.
                self.jump(here);
            } else {
                self.branch(index.eq_to(Term::int(number as i128)), here, next);
            }
            self.land(here);
            each(self, *var);
            self.jump(done);
            self.land(next);
        }
        self.land(done);
    }

    /// The leaf and element of an access to a known object; reports what falls outside or between.
    fn locate(
        &mut self,
        object: ObjectId,
        offset: i128,
        indices: &[(Term, i128)],
        shape: Shape,
    ) -> Option<(usize, Term)> {
        if self.low.memory.object(object).opaque {
            self.unsupported("access to memory that the program did not allocate");
            return None;
        }
        match self.low.memory.locate(object, offset, indices, shape) {
            Located::Leaf(leaf, index) => {
                let count = i128::from(self.low.memory.object(object).leaves[leaf].count());
                if index.as_int().is_none() {
                    let (low, high) = self.bounds(index).unwrap_or((i128::MIN, i128::MAX));
                    if low < 0 || high >= count {
                        self.check(index.within(0, count - 1), UbKind::OutOfBounds);
                    }
                }
                Some((leaf, index))
            }
            Located::Outside => {
                self.check(Term::bool(false), UbKind::OutOfBounds);
                None
            }
            Located::Punned => {
                self.unsupported("access to part of an object through another type");
                None
            }
        }
    }

    /// Runs `body` with diagnostics at `span`.
    pub(super) fn at<T>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.span, span);
        let result = body(self);
        self.span = outer;
        result
    }
}

pub(super) fn known(object: ObjectId) -> Spot {
    Spot::Known { object, offset: 0, indices: Vec::new() }
}

/// The parts of a type that are copied one by one: (byte offset, type), floating-point parts left out.
pub(super) fn scalars(unit: &crate::hir::Unit, ty: &Type) -> Option<Vec<(i128, Type, Option<Shape>)>> {
    let mut parts = Vec::new();
    collect(unit, ty, 0, &mut parts)?;
    Some(parts)
}

/// Copies of more scalars than this are not modelled one by one.
const MAX_PARTS: usize = 4096;

fn collect(
    unit: &crate::hir::Unit,
    ty: &Type,
    offset: i128,
    parts: &mut Vec<(i128, Type, Option<Shape>)>,
) -> Option<()> {
    match ty.unatomic() {
        Type::Record(id) => {
            let record = &unit.records[id.0 as usize];
            let fields = if record.union { record.fields.get(..1)? } else { &record.fields[..] };
            for field in fields {
                let at = offset + i128::from(field.offset);
                match (field.bits, &field.ty) {
                    (Some((width, bit)), Type::Int(int)) => {
                        let ty = program::IntType::new(width, int.signed);
                        let shape = Shape { ty, size: unit.size_of(&field.ty), bit, pointer: false };
                        parts.push((at, field.ty.clone(), Some(shape)));
                    }
                    _ => collect(unit, &field.ty, at, parts)?,
                }
            }
        }
        Type::Array(element, length) => {
            let size = i128::from(unit.size_of(element));
            for index in 0..*length {
                collect(unit, element, offset + i128::from(index) * size, parts)?;
            }
        }
        Type::Float(_) | Type::Void | Type::Function(_) => {}
        Type::Opaque(_) => return None,
        other => parts.push((offset, other.clone(), None)),
    }
    (parts.len() <= MAX_PARTS).then_some(())
}

impl ThreadBuilder<'_, '_> {
    /// A part of a place.
    pub(super) fn part(&self, spot: &Spot, offset: i128) -> Spot {
        spot.clone().shifted(offset)
    }
}
