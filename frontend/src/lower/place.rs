//! Lvalues: where they are, and reading and writing scalars there.

use program::{Init, Span, Term, UbKind, VarId};

use super::build::ThreadBuilder;
use crate::cfg::{Access, Bytes, Step};
use crate::hir::{Expr, GlobalId, LocalId, Place, PlaceKind, Type};
use crate::memory::{Cells, FREED, Leaf, Located, ObjectId, Shape, Storage, point};
use crate::points_to::{Offset, gcd};

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
        self.place_up_to(place, 0)
    }

    /// The same; an index may be so much more than that of the last element, since only the address is taken.
    pub(super) fn place_up_to(&mut self, place: &Place, more: i128) -> Spot {
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
                self.check_index(base, index, more);
                spot.indexed(index, i128::from(self.low.unit.size_of(&place.ty)))
            }
            PlaceKind::Temporary(value) => self.materialise(value),
            PlaceKind::Literal(id, init) => {
                let object = self.begin_life(*id);
                self.initialise_local(object, &place.ty, Some(init));
                known(object)
            }
        }
    }

    /// An index stays in its array [C11, 6.5.6], also where the object goes on behind it. Arrays at the end of structs with no elements, or one,
    /// stand for as many as there is room for.
    fn check_index(&mut self, base: &Place, index: Term, more: i128) {
        let Type::Array(_, count) = base.ty.unatomic() else { return };
        let is_last = |record: &Place, field: usize| match record.ty.unatomic() {
            Type::Record(id) => self.low.unit.records[id.0 as usize].fields.len() == field + 1,
            _ => false,
        };
        let open = *count <= 1 && matches!(&base.kind, PlaceKind::Field(record, field) if is_last(record, *field));
        if self.follows_pointers() && !open {
            let most = i128::from(*count) - 1 + more;
            if !self.bounds(index).is_some_and(|(low, high)| low >= 0 && high <= most) {
                self.check(index.within(0, most), UbKind::OutOfBounds);
            }
        }
    }

    /// The place an address points to, exactly where the address says so itself.
    pub(super) fn spot_at(&mut self, address: Term) -> Spot {
        match point(&self.low.memory, address) {
            Some((object, offset, indices)) if self.is_there(object) => Spot::Known { object, offset, indices },
            _ => Spot::Pointed(address),
        }
    }

    /// The functions of string.h stay in the array that they are given a part of (C11 7.24.1).
    fn bound(&self, shape: Shape) -> Shape {
        Shape { loose: shape.loose && !self.in_library, ..shape }
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
    pub(super) fn materialise(&mut self, value: &Expr) -> Spot {
        let object = self.nameless(&value.ty);
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
        self.low.memory.realign(object, global.align);
        if let Some(init) = &global.init {
            // Refused once already, when the globals were allocated, if it cannot be done.
            let _ = self.low.initialise(object, init);
        }
        self.low.memory.objects[object.0 as usize].own = true;
        self.live_with_thread(object);
        self.note_storage(object);
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
        let align = local.align;
        let object = self.at(local.span, |this| this.allocate(&local.ty, &name, private));
        self.low.memory.realign(object, align);
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(id, object);
        }
        object
    }

    /// The value of a scalar.
    pub(super) fn read(&mut self, spot: &Spot, shape: Shape) -> Term {
        let shape = self.bound(shape);
        if let Some(text) = self.read_argument(spot, shape) {
            return text;
        }
        match &self.walked(spot, shape) {
            Spot::Known { object, .. } if shape != FREED => self.guarded(*object, |this| this.read_known(spot, shape)),
            Spot::Known { .. } => self.read_known(spot, shape),
            Spot::Pointed(address) => {
                let var = self.temporary(shape.ty, "read");
                self.emit(Step::Load(
                    var,
                    Access { address: *address, shape, bytes: Bytes::Seen, alive: self.alive.clone() },
                ));
                self.low.memory.term(var)
            }
            Spot::Nowhere => self.havoc(shape.ty, "any"),
        }
    }

    /// A place in a known object whose index goes by other steps than its arrays do, or may leave the array: which scalar is meant is
    /// decided when the program runs, as for pointers.
    fn walked(&mut self, spot: &Spot, shape: Shape) -> Spot {
        let Spot::Known { object, offset, indices } = spot else { return spot.clone() };
        if indices.is_empty() {
            return spot.clone();
        }
        let memory = &self.low.memory;
        let walks = match memory.locate(*object, *offset, indices, shape) {
            Located::Punned => memory.object(*object).leaves.iter().any(|leaf| leaf.fits(shape)),
            Located::Leaf(leaf, _) if shape.loose => {
                let step = indices.iter().fold(0, |step, (_, stride)| gcd(step, *stride));
                memory.has_gaps(*object, &[leaf], Offset { start: *offset, step }, shape)
            }
            _ => false,
        };
        if walks { Spot::Pointed(self.address(spot)) } else { spot.clone() }
    }

    fn read_known(&mut self, spot: &Spot, shape: Shape) -> Term {
        let Spot::Known { object, offset, indices } = spot else { return Term::int(0) };
        let object = *object;
        let Some((leaf, digits)) = self.locate(object, *offset, indices, shape) else { return Term::int(0) };
        self.touch(object, leaf);
        let leaf = self.low.memory.object(object).leaves[leaf].clone();
        match &leaf.cells {
            Cells::Split(_) => match self.only_cell(&leaf, &digits) {
                Some(var) => self.read_cell(object, var, shape),
                None => {
                    let result = self.temporary(shape.ty, "element");
                    self.split(&leaf, &digits, |this, var| {
                        let value = this.read_cell(object, var, shape);
                        this.emit(Step::Assign(result, value));
                    });
                    self.low.memory.term(result)
                }
            },
            Cells::Array(array) => {
                let index = leaf.number(&digits);
                if let (Some(values), Some(_)) = (self.constant_array(object, *array), index.as_int()) {
                    let ty = self.low.memory.cell(*array).ty;
                    return self.seen_as(values.select(index), ty, shape);
                }
                let name = self.low.memory.cell(*array).name.clone();
                let ty = self.low.memory.cell(*array).ty;
                let var = self.temporary(ty, &name);
                self.emit(Step::Assign(var, self.low.memory.term(*array).select(index)));
                let value = self.low.memory.term(var);
                self.seen_as(value, ty, shape)
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
        self.seen_as(value, ty, shape)
    }

    /// Stores a scalar; the value has the place's type.
    pub(super) fn write(&mut self, spot: &Spot, shape: Shape, value: Term) {
        self.put(spot, shape, value, Bytes::Seen);
    }

    /// Stores a scalar.
    pub(super) fn put(&mut self, spot: &Spot, shape: Shape, value: Term, bytes: Bytes) {
        let shape = self.bound(shape);
        match &self.walked(spot, shape) {
            Spot::Known { object, .. } if shape != FREED => {
                self.guarded(*object, |this| this.write_known(spot, shape, value, bytes));
            }
            Spot::Known { .. } => self.write_known(spot, shape, value, bytes),
            Spot::Pointed(address) => {
                let alive = self.alive.clone();
                self.emit(Step::Store(Access { address: *address, shape, bytes, alive }, value));
            }
            Spot::Nowhere => {}
        }
    }

    fn write_known(&mut self, spot: &Spot, shape: Shape, value: Term, bytes: Bytes) {
        let Spot::Known { object, offset, indices } = spot else { return };
        let object = *object;
        let Some((number, digits)) = self.locate(object, *offset, indices, shape) else { return };
        if bytes == Bytes::Seen {
            self.touch(object, number);
        }
        if self.low.memory.object(object).storage == Storage::Literal {
            return self.check(Term::bool(false), UbKind::InvalidPointer);
        }
        let leaf = self.low.memory.object(object).leaves[number].clone();
        let value = self.fit_shape(value, leaf.shape);
        let views = |this: &mut Self, element: Term| {
            if bytes == Bytes::Copied {
                return;
            }
            for (var, index, value) in this.low.memory.views(object, number, element, value) {
                match index {
                    None => this.assign(Some(object), var, value),
                    Some(index) => {
                        let stored = this.low.memory.term(var).store(index, value);
                        this.emit(Step::Assign(var, stored));
                    }
                }
            }
        };
        let several = bytes == Bytes::Seen && self.low.memory.is_viewed(object, number);
        if several {
            self.emit(Step::AtomicBegin);
        }
        match &leaf.cells {
            Cells::Split(vars) => {
                let one = |this: &mut Self, var: VarId| {
                    let element = vars.iter().position(|v| *v == var).unwrap_or(0);
                    views(this, Term::int(element as i128));
                    this.assign(Some(object), var, value);
                };
                match self.only_cell(&leaf, &digits) {
                    Some(var) => one(self, var),
                    None => self.split(&leaf, &digits, one),
                }
            }
            Cells::Array(array) => {
                let element = leaf.number(&digits);
                views(self, element);
                let stored = self.low.memory.term(*array).store(element, value);
                self.emit(Step::Assign(*array, stored));
            }
        }
        if several {
            self.emit(Step::AtomicEnd);
        }
    }

    /// A store of a floating-point number: its value is not tracked, so nobody may see its bytes as an integer.
    pub(super) fn store_float(&mut self, spot: &Spot, place: &Place) {
        if self.low.shares_bytes(place) {
            self.unsupported("floating point in a union with other members");
        }
        if let Some(cell) = self.float_cell(place) {
            self.touching(super::expr::manner(place), |this| this.write(spot, cell, Term::int(0)));
        }
    }

    /// A load of a floating-point number.
    pub(super) fn load_float(&mut self, spot: &Spot, place: &Place) {
        if let Some(cell) = self.float_cell(place) {
            self.touching(super::expr::manner(place), |this| this.read(spot, cell));
        }
    }

    fn float_cell(&mut self, place: &Place) -> Option<Shape> {
        let cell = self.low.float_of(place)?;
        if self.low.may_overlap(place) {
            self.unsupported("floating point in a union, where it matters who touches it");
        }
        Some(cell)
    }

    /// Notes the use of bytes that other members of a union see otherwise.
    fn touch(&mut self, object: ObjectId, leaf: usize) {
        if let Some(at) = self.here()
            && !self.low.memory.rivals(object, leaf).is_empty()
        {
            self.low.touched.push((self.number, at, object, leaf));
        }
    }

    /// The cells that the indices can mean, each with the condition under which they do.
    fn candidates_of(&self, leaf: &Leaf, digits: &[Term]) -> Vec<(Term, VarId)> {
        let Cells::Split(vars) = &leaf.cells else { return Vec::new() };
        let numbered = (0u64..).zip(vars).map(|(number, var)| {
            let equal = digits.iter().zip(leaf.digits(number)).map(|(d, k)| d.eq_to(Term::int(i128::from(k))));
            (Term::and(equal.collect::<Vec<_>>()), *var)
        });
        numbered.filter(|(cond, _)| cond.as_bool() != Some(false)).collect()
    }

    fn only_cell(&self, leaf: &Leaf, digits: &[Term]) -> Option<VarId> {
        match self.candidates_of(leaf, digits).as_slice() {
            [(_, var)] => Some(*var),
            _ => None,
        }
    }

    /// One case for each element that symbolic indices can mean. Their bounds have been checked: the last case needs no test.
    fn split(&mut self, leaf: &Leaf, digits: &[Term], mut each: impl FnMut(&mut Self, VarId)) {
        let done = self.label();
        let candidates = self.candidates_of(leaf, digits);
        for (number, (cond, var)) in candidates.iter().enumerate() {
            let (here, next) = (self.label(), self.label());
            let cond = if number + 1 == candidates.len() { Term::bool(true) } else { *cond };
            self.branch(cond, here, next);
            self.land(here);
            each(self, *var);
            self.jump(done);
            self.land(next);
        }
        self.land(done);
    }

    /// The leaf and the indices of an access to a known object; reports what falls outside or between.
    fn locate(
        &mut self,
        object: ObjectId,
        offset: i128,
        indices: &[(Term, i128)],
        shape: Shape,
    ) -> Option<(usize, Vec<Term>)> {
        if self.low.memory.object(object).opaque {
            self.unsupported("access to memory that the program did not allocate");
            return None;
        }
        let place =
            indices.iter().fold(Term::int(offset), |sum, (index, stride)| sum.add(index.mul(Term::int(*stride))));
        if let Some(inside) = self.low.memory.inside(object, place, shape.size).filter(|_| shape != FREED) {
            self.check(inside, UbKind::OutOfBounds);
        }
        match self.low.memory.locate(object, offset, indices, shape) {
            Located::Leaf(leaf, digits) => {
                let dims = self.low.memory.object(object).leaves[leaf].dims.clone();
                for (digit, (_, count)) in digits.iter().zip(dims) {
                    let most = i128::from(count) - 1;
                    if !self.bounds(*digit).is_some_and(|(low, high)| low >= 0 && high <= most) {
                        self.check(digit.within(0, most), shape.misuse(UbKind::OutOfBounds));
                    }
                }
                Some((leaf, digits))
            }
            Located::Outside => {
                self.check(Term::bool(false), shape.misuse(UbKind::OutOfBounds));
                None
            }
            Located::Punned => {
                let what = if self.low.memory.object(object).untracked {
                    "floating point seen as an integer"
                } else {
                    "access to part of an object through another type"
                };
                self.unsupported(what);
                None
            }
        }
    }

    /// A part of a place.
    pub(super) fn part(&self, spot: &Spot, offset: i128) -> Spot {
        spot.clone().shifted(offset)
    }

    /// Runs `body` with diagnostics at `span`.
    pub(super) fn at<T>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> T) -> T {
        let span = if self.in_library { self.span } else { span };
        let outer = std::mem::replace(&mut self.span, span);
        let result = body(self);
        self.span = outer;
        result
    }
}

pub(super) fn known(object: ObjectId) -> Spot {
    Spot::Known { object, offset: 0, indices: Vec::new() }
}
