//! Whole objects: copies of structs, memset, memcpy, memmove and memcmp, scalar by scalar.

use std::rc::Rc;

use program::{IntType, Term};

use super::Lowering;
use super::build::ThreadBuilder;
use super::expr::Value;
use super::heap::pointee;
use super::place::Spot;
use crate::cfg::{Bytes, Step};
use crate::hir::{Expr, Type};
use crate::memory::Shape;

/// Copies of more scalars than this are not modelled one by one.
const MAX_PARTS: usize = 4096;

/// A scalar of an object: bytes from the object's start, and its shape.
#[derive(Clone, Copy, PartialEq)]
struct Scalar {
    offset: i128,
    shape: Shape,
}

impl Scalar {
    /// The first bit, and the first bit behind it.
    fn bits(&self) -> (i128, i128) {
        let first = self.offset * 8 + i128::from(self.shape.bit);
        (first, first + i128::from(self.shape.ty.bits))
    }
}

/// Scalars that share bits, as members of a union do: they are copied in one step, the widest first.
type Group = Vec<Scalar>;

/// Whether a library function may store anything through its arguments.
pub(crate) fn stores_bytes(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    matches!(
        plain,
        "memset"
            | "memcpy"
            | "memmove"
            | "bzero"
            | "explicit_bzero"
            | "bcopy"
            | "mempcpy"
            | "posix_memalign"
            | "sprintf"
            | "snprintf"
            | "vsprintf"
            | "vsnprintf"
    )
}

impl Lowering<'_> {
    /// The parts of a type that are copied one by one, floating-point parts left out; nothing if they are too many.
    fn scalars(&self, ty: &Type) -> Option<Vec<Group>> {
        let mut groups = Vec::new();
        self.collect(ty, 0, &mut groups)?;
        Some(groups)
    }

    /// The first scalar of a type.
    pub(super) fn first_scalar(&self, ty: &Type) -> Option<Shape> {
        self.scalars(ty)?.first()?.first().map(|scalar| scalar.shape)
    }

    fn collect(&self, ty: &Type, offset: i128, groups: &mut Vec<Group>) -> Option<()> {
        match ty.unatomic() {
            Type::Record(id) => {
                let record = &self.unit.records[id.0 as usize];
                let mut found = Vec::new();
                for field in &record.fields {
                    let at = offset + i128::from(field.offset);
                    match (field.bits, &field.ty) {
                        (Some((width, bit)), Type::Int(int)) => {
                            let ty = IntType::new(width, int.signed);
                            let size = self.unit.size_of(&field.ty);
                            let shape = Shape { ty, size, bit, pointer: false, loose: false };
                            found.push(vec![Scalar { offset: at, shape }]);
                        }
                        _ => self.collect(&field.ty, at, &mut found)?,
                    }
                }
                groups.extend(if record.union { regroup(found) } else { found });
            }
            Type::Array(element, length) => {
                let size = i128::from(self.unit.size_of(element));
                for index in 0..*length {
                    self.collect(element, offset + i128::from(index) * size, groups)?;
                }
            }
            Type::Sync(kind) => {
                let fields = (0u32..).take(self.unit.sync_fields(*kind).len());
                let shapes = fields.map(|field| crate::memory::sync_shape(self.unit, *kind, field));
                groups.extend(shapes.map(|shape| vec![Scalar { offset, shape }]));
            }
            Type::Float(_) | Type::Void | Type::Function(_) => {}
            Type::Opaque(_) => return None,
            other => groups.extend(self.scalar_shape(other).map(|shape| vec![Scalar { offset, shape }])),
        }
        (groups.len() <= MAX_PARTS).then_some(())
    }
}

/// The scalars of a union's members, those together that share bits.
fn regroup(found: Vec<Group>) -> Vec<Group> {
    let mut all: Vec<Scalar> = Vec::new();
    for scalar in found.into_iter().flatten() {
        let same = |other: &Scalar| other.bits() == scalar.bits() && other.shape.size == scalar.shape.size;
        if !all.iter().any(same) {
            all.push(scalar);
        }
    }
    all.sort_by_key(|scalar| (scalar.bits().0, -scalar.bits().1));
    let mut groups: Vec<Group> = Vec::new();
    for scalar in all {
        match groups.last_mut() {
            Some(group) if group.iter().any(|other| other.bits().1 > scalar.bits().0) => group.push(scalar),
            _ => groups.push(vec![scalar]),
        }
    }
    groups.iter_mut().for_each(|group| group.sort_by_key(|scalar| scalar.bits().0 - scalar.bits().1));
    groups
}

const TOO_LARGE: &str = "a copy of so large an object";

impl ThreadBuilder<'_, '_> {
    /// Copies a struct field by field: each field is read, then written.
    pub(super) fn copy(&mut self, target: &Spot, source: &Spot, ty: &Type) {
        let Some(groups) = self.low.scalars(ty) else { return self.unsupported(TOO_LARGE) };
        for group in groups {
            let several = group.len() > 1;
            if several {
                self.emit(Step::AtomicBegin);
            }
            let values = self.read_group(source, &group);
            self.write_group(target, &group, &values);
            if several {
                self.emit(Step::AtomicEnd);
            }
        }
    }

    /// Stores arbitrary values in all scalars of an object.
    pub(super) fn scramble(&mut self, target: &Spot, ty: &Type, name: &str) {
        let Some(groups) = self.low.scalars(ty) else { return self.unsupported(TOO_LARGE) };
        for scalar in groups.iter().filter_map(|group| group.first()) {
            let value = self.havoc(scalar.shape.ty, name);
            self.write(&self.part(target, scalar.offset), scalar.shape, value);
        }
    }

    fn read_group(&mut self, source: &Spot, group: &Group) -> Vec<Term> {
        group.iter().map(|scalar| self.read(&self.part(source, scalar.offset), scalar.shape)).collect()
    }

    /// The first is the widest: what it means for other members that are not copied is seen by them.
    fn write_group(&mut self, target: &Spot, group: &Group, values: &[Term]) {
        for (number, (scalar, value)) in group.iter().zip(values).enumerate() {
            let bytes = if number == 0 { Bytes::Seen } else { Bytes::Copied };
            self.put(&self.part(target, scalar.offset), scalar.shape, *value, bytes);
        }
    }

    /// The functions of string.h that work on bytes of any object, where the number of bytes is constant.
    pub(super) fn bytes_call(&mut self, name: &str, arguments: &[Expr]) -> Option<Value> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if self.counts_bytes(arguments) {
            return None;
        }
        let result = match (plain, arguments) {
            ("memset", [target, byte, size]) => {
                let (at, byte, bytes) = (self.scalar(target), self.scalar(byte), self.scalar(size));
                self.fill(at, &[pointee(target)], byte, bytes);
                at
            }
            ("bzero" | "explicit_bzero", [target, size]) => {
                let (at, bytes) = (self.scalar(target), self.scalar(size));
                self.fill(at, &[pointee(target)], Term::int(0), bytes);
                return Some(Value::Void);
            }
            ("memcpy" | "memmove" | "mempcpy", [target, source, size]) => {
                let (to, from, bytes) = (self.scalar(target), self.scalar(source), self.scalar(size));
                self.transfer(to, from, &[pointee(target), pointee(source)], bytes);
                if plain == "mempcpy" { to.add(bytes) } else { to }
            }
            ("memcmp" | "bcmp", [a, b, size]) => {
                let (left, right, bytes) = (self.scalar(a), self.scalar(b), self.scalar(size));
                self.compare_bytes(left, right, &[pointee(a), pointee(b)], bytes)
            }
            _ => return None,
        };
        Some(Value::Scalar(result))
    }

    /// Whether the last argument is no constant, and the others point to bytes: these are gone through one by one.
    fn counts_bytes(&mut self, arguments: &[Expr]) -> bool {
        let Some((size, pointers)) = arguments.split_last() else { return false };
        let byte = |ty: &Type| matches!(ty, Type::Int(int) if int.bits == 8) || *ty == Type::Void;
        let pointers = pointers.iter().filter(|a| matches!(a.ty, Type::Pointer(_)));
        if !pointers.clone().all(|pointer| byte(&pointee(pointer))) {
            return false;
        }
        let saved = self.save();
        let constant = self.scalar(size).as_int().is_some();
        self.restore(saved);
        !constant
    }

    /// The type that so many bytes have: elements of one of the types that the arguments point to.
    fn bytes_as(&mut self, places: &[Term], types: &[Type], bytes: Term) -> Option<Vec<Group>> {
        let Some(bytes) = bytes.as_int().and_then(|n| u64::try_from(n).ok()) else {
            self.unsupported("a number of bytes that is not constant");
            return None;
        };
        let byte = Type::Int(IntType::new(8, true));
        let typed = types.iter().filter(|ty| !matches!(ty, Type::Void | Type::Function(_)));
        let sized = |ty: &&Type| {
            let size = self.low.unit.size_of(ty);
            size > 1 && bytes.is_multiple_of(size)
        };
        // A whole object that is known tells best what it is made of.
        let whole = places.iter().find_map(|place| match self.spot_at(*place) {
            Spot::Known { object, offset: 0, indices } if indices.is_empty() => {
                let object = self.low.memory.object(object);
                (object.size == bytes && object.leaves.len() < MAX_PARTS).then(|| object_groups(object))
            }
            _ => None,
        });
        let element = typed.clone().find(sized).cloned();
        let groups = match (element, whole) {
            (Some(ty), _) => {
                let count = bytes / self.low.unit.size_of(&ty).max(1);
                self.low.scalars(&Type::Array(Rc::new(ty), count))
            }
            (None, Some(Some(groups))) => Some(groups),
            (None, _) => self.low.scalars(&Type::Array(Rc::new(byte), bytes)),
        };
        if groups.is_none() {
            self.unsupported(TOO_LARGE);
        }
        groups
    }

    fn fill(&mut self, at: Term, types: &[Type], byte: Term, bytes: Term) {
        let Some(groups) = self.bytes_as(&[at], types, bytes) else { return };
        let spot = self.spot_at(at);
        let byte = self.convert(byte, IntType::new(8, false));
        for group in groups {
            let values: Vec<Term> = group.iter().map(|scalar| self.repeated(byte, scalar.shape)).collect();
            let several = group.len() > 1;
            if several {
                self.emit(Step::AtomicBegin);
            }
            self.write_group(&spot, &group, &values);
            if several {
                self.emit(Step::AtomicEnd);
            }
        }
    }

    /// What a scalar shows if each of its bytes is this one.
    fn repeated(&mut self, byte: Term, shape: Shape) -> Term {
        if byte.as_int() == Some(0) {
            return byte;
        }
        let width = shape.bit + shape.ty.bits;
        let ones = (0..width.div_ceil(8)).fold(0_i128, |sum, k| sum + (1_i128 << (8 * k)));
        let raw = byte.mul(Term::int(ones));
        let cut = if shape.bit == 0 { raw } else { raw.div(Term::int(1 << shape.bit)) };
        self.convert(cut, shape.ty)
    }

    fn transfer(&mut self, to: Term, from: Term, types: &[Type], bytes: Term) {
        let Some(groups) = self.bytes_as(&[to, from], types, bytes) else { return };
        let (target, source) = (self.spot_at(to), self.spot_at(from));
        // All is read before anything is written: memmove allows both to overlap.
        let values: Vec<Vec<Term>> = groups.iter().map(|group| self.read_group(&source, group)).collect();
        for (group, values) in groups.iter().zip(values) {
            self.write_group(&target, group, &values);
        }
    }

    /// memcmp: the difference of the first bytes that differ.
    fn compare_bytes(&mut self, left: Term, right: Term, types: &[Type], bytes: Term) -> Term {
        let Some(groups) = self.bytes_as(&[left, right], types, bytes) else { return Term::int(0) };
        if groups.iter().any(|group| group.iter().any(|s| s.shape.bit > 0 || s.shape.pointer)) {
            self.unsupported("memcmp of pointers or bit-fields");
            return Term::int(0);
        }
        let (a, b) = (self.spot_at(left), self.spot_at(right));
        let result = self.temporary(IntType::new(32, true), "order");
        let done = self.label();
        for scalar in groups.iter().filter_map(|group| group.first()) {
            let x = self.read(&self.part(&a, scalar.offset), scalar.shape);
            let y = self.read(&self.part(&b, scalar.offset), scalar.shape);
            let (differ, next) = (self.label(), self.label());
            self.branch(x.eq_to(y), next, differ);
            self.land(differ);
            let natural = IntType::new(scalar.shape.ty.bits.max(8), false);
            let (x, y) = (self.convert(x, natural), self.convert(y, natural));
            for k in 0..scalar.shape.size {
                let byte = |term: Term| term.div(Term::int(1 << (8 * k))).rem(Term::int(256));
                let (p, q) = (byte(x), byte(y));
                let (here, after) = (self.label(), self.label());
                self.branch(p.eq_to(q), after, here);
                self.land(here);
                self.emit(Step::Assign(result, p.sub(q)));
                self.jump(done);
                self.land(after);
            }
            self.jump(next);
            self.land(next);
        }
        self.emit(Step::Assign(result, Term::int(0)));
        self.land(done);
        self.low.memory.term(result)
    }
}

/// The scalars of a whole object; nothing if they are too many.
fn object_groups(object: &crate::memory::Object) -> Option<Vec<Group>> {
    let mut found = Vec::new();
    for leaf in object.leaves.iter().filter(|leaf| leaf.shape.size > 0) {
        if leaf.count() > MAX_PARTS as u64 {
            return None;
        }
        for number in 0..leaf.count() {
            let bytes: u64 =
                leaf.digits(number).iter().zip(&leaf.dims).map(|(digit, (stride, _))| digit * stride).sum();
            found.push(vec![Scalar { offset: i128::from(leaf.offset + bytes), shape: leaf.shape }]);
        }
    }
    Some(regroup(found))
}
