//! Random programs that access objects through other types, within the objects and aligned.
//!
//! A member is indexed within its own bounds only; pointers that go through a whole object are made from the object's address.

use super::super::rng::Rng;
use super::byte_ast::{Access, Bytes, Index, Int, Member, Object, Place, Shape, Stmt, Value, Way};
use super::byte_runs::{self, Machine};
use super::{Case, Op, balanced};

/// The case with this number.
pub fn case(seed: u64, number: u64) -> Case {
    balanced(seed, number, |rng| {
        let program = Maker::new(rng).program();
        (program.c_text(), byte_runs::explore(&program))
    })
}

struct Maker<'a> {
    rng: &'a mut Rng,
    program: Bytes,
    accesses: Accesses,
}

/// Which types objects are accessed through.
#[derive(Clone, Copy, PartialEq)]
enum Accesses {
    /// Those of the size of the object's members.
    Alike,
    Any,
}

/// Whether there is an index of a loop.
#[derive(Clone, Copy, PartialEq)]
enum Nesting {
    None,
    Loop(usize),
}

impl<'a> Maker<'a> {
    fn new(rng: &'a mut Rng) -> Maker<'a> {
        let count = if rng.chance(75) { 1 } else { 2 };
        // Accesses of part of a member are refused mostly, so that many programs shall do without them.
        let accesses = if rng.chance(65) { Accesses::Alike } else { Accesses::Any };
        let objects: Vec<Object> = (0..count).map(|_| object(rng, accesses)).collect();
        let mut pointers = Vec::new();
        for _ in 0..rng.below(3) {
            let n = rng.below(count);
            let ty = other_type(rng, &objects[n], accesses);
            pointers.push((n, ty));
        }
        let inputs = (0..rng.below(3)).map(|_| rng.between(2, 4)).collect();
        Maker { rng, program: Bytes { objects, pointers, inputs, body: vec![] }, accesses }
    }

    fn program(mut self) -> Bytes {
        for _ in 0..self.rng.between(1, 4) {
            let stmt = self.stmt();
            self.program.body.push(stmt);
        }
        for _ in 0..self.rng.between(1, 2) {
            let stmt = self.assertion();
            self.program.body.push(stmt);
        }
        self.program
    }

    fn stmt(&mut self) -> Stmt {
        match self.rng.weighted(&[55, 12, 12, 12]) {
            0 => self.store(Nesting::None),
            1 => Stmt::Add(Value::Read(self.access(Nesting::None))),
            2 => {
                let count = self.rng.between(2, 4);
                let body = if self.rng.chance(50) {
                    self.store(Nesting::Loop(count))
                } else {
                    Stmt::Add(Value::Read(self.access(Nesting::Loop(count))))
                };
                Stmt::Repeat(count, Box::new(body))
            }
            _ => {
                let object = self.rng.below(self.program.objects.len());
                let ty = other_type(self.rng, &self.program.objects[object], self.accesses);
                let most = (self.program.objects[object].size / ty.size).min(8);
                Stmt::Walk { object, ty, count: self.rng.between(1, most) }
            }
        }
    }

    fn store(&mut self, nesting: Nesting) -> Stmt {
        let access = self.access(nesting);
        let value = match self.rng.weighted(&[60, 20, 15, 15]) {
            1 => Value::Read(self.access(nesting)),
            2 if !self.program.inputs.is_empty() => Value::Input(self.rng.below(self.program.inputs.len())),
            3 if nesting != Nesting::None => Value::Loop,
            _ => Value::Const(*self.rng.pick(&[1, 2, 7, -1, 255, 256, 0x0102, 0x8001, -2, 0x01020304, 1 << 40])),
        };
        Stmt::Store(access, value)
    }

    fn access(&mut self, nesting: Nesting) -> Access {
        let object = self.rng.below(self.program.objects.len());
        let shape = &self.program.objects[object];
        let pointers: Vec<usize> =
            (0..self.program.pointers.len()).filter(|n| self.program.pointers[*n].0 == object).collect();
        let (way, ty, count) = match self.rng.weighted(&[35, 25, 10, 30]) {
            0 => {
                let n = self.rng.below(shape.members.len());
                (Way::Member(n), shape.members[n].ty, shape.members[n].count)
            }
            3 if !pointers.is_empty() => {
                let n = *self.rng.pick(&pointers);
                let ty = self.program.pointers[n].1;
                (Way::Pointer(n), ty, shape.size / ty.size)
            }
            way => {
                let ty = other_type(self.rng, shape, self.accesses);
                (if way == 2 { Way::Bytes } else { Way::Cast }, ty, shape.size / ty.size)
            }
        };
        let inputs: Vec<usize> = (0..self.program.inputs.len()).filter(|n| self.program.inputs[*n] <= count).collect();
        let index = match nesting {
            Nesting::Loop(bound) if bound <= count && self.rng.chance(80) => Index::Loop,
            _ if !inputs.is_empty() && self.rng.chance(30) => Index::Input(*self.rng.pick(&inputs)),
            _ => Index::Const(self.rng.below(count)),
        };
        Access { object, ty, way, index }
    }

    /// Often about the value that is there in one execution: else nearly every assertion fails.
    fn assertion(&mut self) -> Stmt {
        let value = if self.rng.chance(30) { Value::Sum } else { Value::Read(self.access(Nesting::None)) };
        let inputs = self.program.inputs.iter().map(|bound| self.rng.below(*bound)).collect();
        let mut machine = Machine::new(&self.program, inputs);
        machine.runs();
        let there = machine.value(&value);
        let bound = if self.rng.chance(80) { there } else { *self.rng.pick(&[0, 1, 255, 256, -1]) };
        let op = *self.rng.pick(&[Op::Eq, Op::Eq, Op::Ne, Op::Le, Op::Lt]);
        // Less than the least number there is would be hard to write in C.
        Stmt::Assert(op, value, bound.max(-i64::MAX))
    }
}

fn int(rng: &mut Rng) -> Int {
    Int { size: 1 << rng.below(4), signed: rng.chance(50) }
}

fn other_type(rng: &mut Rng, object: &Object, accesses: Accesses) -> Int {
    let other = int(rng);
    let alike = accesses == Accesses::Alike || rng.chance(30);
    if alike { Int { size: object.members[0].ty.size, ..other } } else { other }
}

fn object(rng: &mut Rng, accesses: Accesses) -> Object {
    let place = *rng.pick(&[Place::Global, Place::Global, Place::Local, Place::Malloc]);
    let signed = rng.chance(60);
    let member = |name, size: usize, count: usize, offset: usize| {
        let ty = Int { size, signed };
        Member { name, ty, count, offset }
    };
    // The first have members of one size.
    let shapes = if accesses == Accesses::Alike { 5 } else { 9 };
    let (shape, members) = match rng.below(shapes) {
        0 => (Shape::Struct, vec![member("a", 4, 1, 0), member("b", 4, 1, 4)]),
        1 => (Shape::Struct, vec![member("a", 2, 1, 0), member("b", 2, 2, 2), member("c", 2, 1, 6)]),
        2..5 => {
            let size = 1 << rng.below(4);
            let count = if size == 8 { rng.between(1, 2) } else { 8 / size * rng.between(1, 2) };
            (Shape::Array, vec![member("", size, count, 0)])
        }
        5 => (Shape::Struct, vec![member("a", 2, 1, 0), member("b", 2, 1, 2), member("c", 4, 1, 4)]),
        6 => (Shape::Struct, vec![member("a", 1, 4, 0), member("b", 4, 1, 4)]),
        7 => (Shape::Struct, vec![member("a", 4, 1, 0), member("b", 2, 2, 4), member("c", 8, 1, 8)]),
        _ => (Shape::Union, vec![member("a", 8, 1, 0), member("b", 1, 8, 0), member("c", 2, 4, 0)]),
    };
    let size = members.iter().map(|m| m.offset + m.count * m.ty.size).max().unwrap_or(0);
    Object { place, shape, members, size }
}
