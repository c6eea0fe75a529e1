//! Whole objects: copies of structs, memset, memcpy, memmove and memcmp, scalar by scalar.

use std::rc::Rc;

use program::{IntType, Term, VarId, VarKind};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::heap::pointee;
use super::parts::{Group, MAX_PARTS, Scalar, object_groups};
use super::place::{Spot, known};
use crate::cfg::{Bytes, Manner, Step};
use crate::hir::{Expr, Type};
use crate::memory::Shape;

/// The values of an object's scalars, group by group.
pub(super) type Contents = Vec<Vec<Term>>;

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

pub(super) const TOO_LARGE: &str = "a copy of so large an object";

impl ThreadBuilder<'_, '_> {
    /// Copies a struct field by field: each field is read, then written. An `_Atomic` struct is written in one step, when
    /// all fields have been read.
    pub(super) fn copy(&mut self, target: &Spot, source: &Spot, ty: &Type) {
        let Some(groups) = self.low.scalars(ty) else { return self.unsupported(TOO_LARGE) };
        if self.follows_pointers() && self.low.memory.is_untracked(self.low.unit, ty) {
            [target, source].into_iter().for_each(|spot| self.touch_float(spot, ty));
        }
        if ty.is_atomic() {
            let contents = self.read_all(source, &groups);
            contents.iter().for_each(|values| self.note_copied(values));
            let write = |this: &mut Self| this.write_all(target, &groups, &contents);
            return self.touching(Manner::Atomic, |this| this.atomically(write));
        }
        for group in groups {
            let values = self.read_group(source, &group);
            self.note_copied(&values);
            self.write_group(target, &group, &values);
        }
    }

    /// Notes that values are copied, whether they are there or not.
    fn note_copied(&mut self, values: &[Term]) {
        let vars = values.iter().flat_map(|value| value.vars());
        let temporary = |var: &VarId| self.low.memory.cell(*var).kind == VarKind::Temporary;
        let copied: Vec<VarId> = vars.filter(temporary).collect();
        self.low.unwritten.copied.extend(copied);
    }

    /// The value of an `_Atomic` struct, read in one step.
    pub(super) fn snapshot(&mut self, source: &Spot, ty: &Type) -> Spot {
        let held = known(self.nameless(ty));
        self.touching(Manner::Atomic, |this| this.atomically(|this| this.copy(&held, source, ty.unatomic())));
        held
    }

    /// Reads an object, one group of scalars after the other.
    pub(super) fn read_all(&mut self, source: &Spot, groups: &[Group]) -> Contents {
        groups.iter().map(|group| self.read_group(source, group)).collect()
    }

    /// Writes an object, one group of scalars after the other.
    pub(super) fn write_all(&mut self, target: &Spot, groups: &[Group], contents: &Contents) {
        for (group, values) in groups.iter().zip(contents) {
            self.write_group(target, group, values);
        }
    }

    /// What shares bits is read in one step: else it could come from two different writes.
    fn read_group(&mut self, source: &Spot, group: &Group) -> Vec<Term> {
        let read = |this: &mut Self, scalar: &Scalar| this.read(&this.part(source, scalar.offset), scalar.shape);
        match group.as_slice() {
            [scalar] => vec![read(self, scalar)],
            several => self.atomically(|this| several.iter().map(|scalar| read(this, scalar)).collect()),
        }
    }

    /// The first is the widest: what it means for other members that are not copied is seen by them.
    fn write_group(&mut self, target: &Spot, group: &Group, values: &[Term]) {
        let write = |this: &mut Self, scalar: &Scalar, value: Term, bytes: Bytes| {
            this.put(&this.part(target, scalar.offset), scalar.shape, value, bytes);
        };
        match (group.as_slice(), values) {
            ([scalar], [value]) => write(self, scalar, *value, Bytes::Seen),
            _ => self.atomically(|this| {
                for (number, (scalar, value)) in group.iter().zip(values).enumerate() {
                    write(this, scalar, *value, if number == 0 { Bytes::Seen } else { Bytes::Copied });
                }
            }),
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
        if self.follows_pointers() && types.iter().any(|ty| self.low.memory.is_untracked(self.low.unit, ty)) {
            self.unsupported("floating point as bytes");
        }
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
            self.write_group(&spot, &group, &values);
        }
    }

    /// Reads so many bytes, or as many elements of the type.
    pub(super) fn read_bytes(&mut self, at: Term, ty: &Type, bytes: Term) {
        let Some(groups) = self.bytes_as(&[at], std::slice::from_ref(ty), bytes) else { return };
        let spot = self.spot_at(at);
        self.read_all(&spot, &groups);
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
        let contents = self.read_all(&source, &groups);
        contents.iter().for_each(|values| self.note_copied(values));
        self.write_all(&target, &groups, &contents);
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
            self.note_copied(&[x, y]);
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
