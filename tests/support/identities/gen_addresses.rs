//! Random programs about addresses, without undefined behaviour.
//!
//! Of each pointer it is known what it may point to, so that it is moved only within its objects, has tags only in bits that are
//! zero, and is dereferenced only where there is something. Orders between objects are what the design says of them.

use super::super::rng::Rng;
use super::address_ast::{Addresses, Cond, Inner, Num, Object, Place, Ptr, Scalar, Sight, Stmt, Type};
use super::{Case, Op, balanced, layouts};

/// The case with this number.
pub fn case(seed: u64, number: u64) -> Case {
    balanced(seed, number, |rng| {
        let program = Maker::new(rng).program();
        (program.c_text(), layouts::explore(&program))
    })
}

/// What a pointer may point to, and how far it can be moved from there.
#[derive(Clone, Copy, Debug)]
struct Target {
    object: usize,
    offset: u64,
    back: i64,
    ahead: i64,
}

/// A pointer with its type and all that it may point to.
#[derive(Clone, Debug)]
struct Known {
    ptr: Ptr,
    ty: Type,
    targets: Vec<Target>,
}

/// A variable that holds a pointer with a tag.
#[derive(Clone, Debug)]
struct Tagged {
    pointer: Known,
    /// The bits that are free, and those that are set.
    free: u64,
    tag: u64,
}

struct Maker<'a> {
    rng: &'a mut Rng,
    objects: Vec<Object>,
    pointers: Vec<Known>,
    tagged: Vec<Tagged>,
    flags: usize,
    inputs: usize,
    /// Whether the inner object may be named.
    inside: bool,
    /// Whether addresses are compared with constants: then only two objects, since layouts are many.
    anchored: bool,
    sight: Sight,
}

impl<'a> Maker<'a> {
    fn new(rng: &'a mut Rng) -> Maker<'a> {
        let anchored = rng.chance(25);
        let count = if anchored || rng.chance(70) { 2 } else { 3 };
        let common = element(rng);
        let mut objects: Vec<Object> = Vec::new();
        for _ in 0..count {
            let inner = objects.iter().any(|object| object.place == Place::Inner);
            let element = if rng.chance(65) { common } else { element(rng) };
            objects.push(object(rng, element, inner));
        }
        let sight = Sight { modulus: 1, reach: 0, constants: vec![], far: false };
        let (pointers, tagged) = (vec![], vec![]);
        Maker { rng, objects, pointers, tagged, flags: 0, inputs: 0, inside: true, anchored, sight }
    }

    fn program(mut self) -> Addresses {
        let nested = self.objects.iter().any(|object| object.place == Place::Inner);
        let inner = match nested {
            true if self.rng.chance(50) => Inner::Call,
            true => Inner::Thread,
            false => Inner::None,
        };
        let mut outer_body = Vec::new();
        if nested {
            self.inside = false;
            self.statements(&mut outer_body, 2);
            self.inside = true;
        }
        let mut body = Vec::new();
        let length = self.rng.between(0, 3);
        self.statements(&mut body, length);
        for _ in 0..self.rng.between(1, 2) {
            let assertion = self.assertion();
            body.push(Stmt::Assert(assertion));
        }
        let pointers = self.pointers.iter().map(|known| known.ty).collect();
        Addresses {
            objects: self.objects,
            pointers,
            numbers: self.tagged.len(),
            flags: self.flags,
            inputs: self.inputs,
            inner,
            outer_body,
            body,
            sight: self.sight,
        }
    }

    fn statements(&mut self, body: &mut Vec<Stmt>, length: usize) {
        for _ in 0..length {
            let stmt = self.stmt();
            body.push(stmt);
        }
    }

    fn stmt(&mut self) -> Stmt {
        match self.rng.weighted(&[30, 15, 20, 10, 15, 15]) {
            0 => {
                let known = self.source();
                self.set(known)
            }
            1 => self.choose(),
            2 => self.tag(),
            3 => self.set_flag(),
            4 => self.replace(),
            _ => match self.scalar_pointer() {
                Some(known) => Stmt::Store(known.ptr, self.rng.between(1, 3) as i64),
                None => self.tag(),
            },
        }
    }

    /// A variable gets the pointer.
    fn set(&mut self, known: Known) -> Stmt {
        let number = self.pointers.len();
        let ptr = known.ptr.clone();
        self.pointers.push(Known { ptr: Ptr::Var(number), ..known });
        Stmt::SetPtr(number, ptr)
    }

    fn set_flag(&mut self) -> Stmt {
        let cond = self.decision();
        self.flags += 1;
        Stmt::SetFlag(self.flags - 1, cond)
    }

    /// A variable gets one of two pointers.
    fn choose(&mut self) -> Stmt {
        let (a, b) = (self.source(), self.source());
        if a.ty != b.ty {
            return self.set(a);
        }
        let cond = Box::new(self.decision());
        let targets = [a.targets, b.targets].concat();
        self.set(Known { ptr: Ptr::Choose(cond, Box::new(a.ptr), Box::new(b.ptr)), ty: a.ty, targets })
    }

    /// A variable sometimes gets another pointer than it has.
    fn replace(&mut self) -> Stmt {
        if self.pointers.is_empty() {
            return self.choose();
        }
        let number = self.rng.below(self.pointers.len());
        let other = self.source();
        if other.ty != self.pointers[number].ty {
            return self.set(other);
        }
        let cond = self.decision();
        self.pointers[number].targets.extend(other.targets);
        Stmt::If(cond, vec![Stmt::SetPtr(number, other.ptr)])
    }

    /// A number gets a pointer with a tag in bits that are zero.
    fn tag(&mut self) -> Stmt {
        let pointer = self.source();
        let zeros = |target: &Target| {
            let known = self.objects[target.object].align() | target.offset;
            known & known.wrapping_neg()
        };
        let most = if self.anchored { 4 } else { 8 };
        let free = pointer.targets.iter().map(zeros).min().unwrap_or(1).min(most) - 1;
        let tag = self.rng.next() & free;
        self.sight.modulus = self.sight.modulus.max(free + 1);
        let number = Num::Of(pointer.ptr.clone());
        let number = match tag {
            0 => number,
            tag if self.rng.chance(70) => Num::Or(Box::new(number), tag),
            tag => Num::Add(Box::new(number), tag as i64),
        };
        self.sight.reach = self.sight.reach.max(tag);
        self.tagged.push(Tagged { pointer, free, tag });
        Stmt::SetNum(self.tagged.len() - 1, number)
    }

    /// A pointer without inputs in it, so that it can be written twice.
    fn source(&mut self) -> Known {
        let known = match self.rng.weighted(&[40, 35, 15]) {
            1 if !self.pointers.is_empty() => self.rng.pick(&self.pointers).clone(),
            2 if !self.tagged.is_empty() => self.untagged(),
            _ => self.element(),
        };
        let (back, ahead) = known
            .targets
            .iter()
            .fold((i64::MAX, i64::MAX), |(back, ahead), target| (back.min(target.back), ahead.min(target.ahead)));
        let by = match self.rng.below(5) {
            0 if ahead > 0 => self.rng.between(1, ahead as usize) as i64,
            1 if back > 0 => -1,
            _ => return known,
        };
        let moved = |target: &Target| Target {
            object: target.object,
            offset: target.offset.wrapping_add_signed(by * known.ty.size() as i64),
            back: target.back + by,
            ahead: target.ahead - by,
        };
        let targets = known.targets.iter().map(moved).collect();
        Known { ptr: Ptr::Moved(Box::new(known.ptr), known.ty, by), ty: known.ty, targets }
    }

    fn element(&mut self) -> Known {
        let visible = |n: &usize| self.inside || self.objects[*n].place != Place::Inner;
        let visible: Vec<usize> = (0..self.objects.len()).filter(visible).collect();
        let n = *self.rng.pick(&visible);
        let Object { element, count, .. } = self.objects[n];
        let index = if self.rng.chance(60) { 0 } else { self.rng.between(0, count as usize) as u64 };
        let offset = index * element.size();
        if !element.members().is_empty() && index < count && self.rng.chance(40) {
            let member = self.rng.below(element.members().len());
            let (_, scalar, at) = element.members()[member];
            let target = Target { object: n, offset: offset + at, back: 0, ahead: 1 };
            let ptr = Ptr::Element { object: n, index, member: Some(member) };
            return Known { ptr, ty: Type::Scalar(scalar), targets: vec![target] };
        }
        let target = Target { object: n, offset, back: index as i64, ahead: (count - index) as i64 };
        let ptr = Ptr::Element { object: n, index, member: None };
        Known { ptr, ty: element, targets: vec![target] }
    }

    /// A pointer made from a number whose tag is taken off.
    fn untagged(&mut self) -> Known {
        let number = self.rng.below(self.tagged.len());
        let Tagged { pointer, free, tag } = self.tagged[number].clone();
        let var = Box::new(Num::Var(number));
        let num = match tag {
            0 => var,
            tag if self.rng.chance(30) => Box::new(Num::Add(var, -(tag as i64))),
            _ => Box::new(Num::And(var, !free)),
        };
        Known { ptr: Ptr::Of(pointer.ty, num), ..pointer }
    }

    /// A pointer to a number that is there.
    fn scalar_pointer(&mut self) -> Option<Known> {
        (0..4)
            .map(|_| self.source())
            .find(|known| matches!(known.ty, Type::Scalar(_)) && known.targets.iter().all(|target| target.ahead > 0))
    }

    /// What a choice depends on: an input or addresses.
    fn decision(&mut self) -> Cond {
        if self.inputs < (if self.anchored { 1 } else { 3 }) && self.rng.chance(50) {
            self.inputs += 1;
            return Cond::Input(self.inputs - 1);
        }
        self.atom()
    }

    fn assertion(&mut self) -> Cond {
        match self.rng.weighted(&[25, 35, 15, 10, 15]) {
            0 => self.atom(),
            1 => self.related(),
            2 => self.apart(),
            3 => self.chain(),
            _ => {
                let (a, b) = (self.atom(), self.atom());
                self.joined(a, b)
            }
        }
    }

    fn joined(&mut self, a: Cond, b: Cond) -> Cond {
        let a = if self.rng.chance(30) { Cond::Not(Box::new(a)) } else { a };
        let (a, b) = (Box::new(a), Box::new(b));
        match self.rng.weighted(&[50, 10, 40]) {
            0 => Cond::Or(a, b),
            1 => Cond::And(a, b),
            _ => Cond::Same(a, b),
        }
    }

    /// Two statements about the same two addresses.
    fn related(&mut self) -> Cond {
        let (p, q) = (self.source(), self.source());
        let a = self.comparison(&p, &q);
        let b = if self.rng.chance(50) { self.comparison(&p, &q) } else { self.comparison(&q, &p) };
        self.joined(a, b)
    }

    /// Two objects of which one address, the end of a third or a number, may be the beginning, but not of both.
    fn chain(&mut self) -> Cond {
        let first = self.rng.below(self.objects.len());
        let two = [first, (first + 1) % self.objects.len()];
        let two = two.map(|object| Ptr::Element { object, index: 0, member: None });
        let middle = if self.anchored {
            Num::Const(self.constant())
        } else {
            let object = (first + 2) % self.objects.len();
            Num::Of(Ptr::Element { object, index: self.objects[object].count, member: None })
        };
        let op = *self.rng.pick(&[Op::Ne, Op::Ne, Op::Ne, Op::Lt, Op::Le]);
        let [a, b] = two.map(|ptr| Box::new(Cond::Numbers(op, Num::Of(ptr), middle.clone())));
        Cond::Or(a, b)
    }

    /// That objects do not overlap; or almost that.
    fn apart(&mut self) -> Cond {
        let (p, q) = (self.element(), self.element());
        let op = *self.rng.pick(&[Op::Le, Op::Le, Op::Lt]);
        let mut before = |p: &Known, q: &Known| {
            let Target { object, offset, .. } = p.targets[0];
            let extent = self.objects[object].extent();
            let size = if self.rng.chance(70) { extent } else { self.rng.between(0, 4) as u64 };
            self.sight.reach = self.sight.reach.max((offset + size).saturating_sub(extent));
            let end = Num::Add(Box::new(Num::Of(p.ptr.clone())), size as i64);
            Cond::Numbers(op, end, Num::Of(q.ptr.clone()))
        };
        Cond::Or(Box::new(before(&p, &q)), Box::new(before(&q, &p)))
    }

    fn atom(&mut self) -> Cond {
        let known = self.source();
        let constant = if self.anchored { 30 } else { 0 };
        match self.rng.weighted(&[30, 15, 6, constant, 15, 8, 6, 8, 5]) {
            0 => {
                let other = self.source();
                self.comparison(&known, &other)
            }
            1 => self.remainder(known),
            2 => Cond::IsNull(known.ptr),
            3 => self.with_constant(known),
            4 => match self.scalar_pointer() {
                Some(known) => Cond::Reads(known.ptr, self.rng.below(4) as i64),
                None => self.remainder(known),
            },
            5 if !self.tagged.is_empty() => self.tag_bits(),
            6 if self.flags > 0 => Cond::Flag(self.rng.below(self.flags)),
            7 => self.buckets(known),
            8 => self.distance(known),
            _ => {
                let other = self.element();
                self.comparison(&known, &other)
            }
        }
    }

    fn comparison(&mut self, a: &Known, b: &Known) -> Cond {
        let op = *self.rng.pick(&Op::ALL);
        if self.anchored && self.rng.chance(30) {
            self.sight.far = true;
            return Cond::Ahead(Num::Of(a.ptr.clone()), Num::Of(b.ptr.clone()));
        }
        if self.rng.chance(50) {
            return Cond::Pointers(op, a.ptr.clone(), b.ptr.clone());
        }
        let (a, b) = (self.number(a), self.number(b));
        Cond::Numbers(op, a, b)
    }

    /// An address as a number, perhaps a few bytes away.
    fn number(&mut self, known: &Known) -> Num {
        let number = Num::Of(known.ptr.clone());
        match self.rng.below(8) {
            0 | 1 => {
                let by = self.rng.between(1, if self.anchored { 2 } else { 4 }) as i64;
                self.sight.reach = self.sight.reach.max(by as u64);
                Num::Add(Box::new(number), if self.rng.chance(70) { by } else { -by })
            }
            2 if !self.tagged.is_empty() => Num::Var(self.rng.below(self.tagged.len())),
            3 => {
                self.sight.modulus = self.sight.modulus.max(2);
                Num::Or(Box::new(number), 1)
            }
            _ => number,
        }
    }

    fn remainder(&mut self, known: Known) -> Cond {
        if self.objects.len() == 2 && !self.anchored && self.rng.chance(10) {
            self.sight.modulus = 256;
            let rest = self.rng.next() % 256;
            let byte = Num::Byte(Box::new(Num::Of(known.ptr)));
            return Cond::Numbers(*self.rng.pick(&Op::ALL), byte, Num::Const(rest));
        }
        let greatest = if self.anchored { 2 } else { 5 };
        let modulus = 1 << self.rng.between(1, greatest);
        self.sight.modulus = self.sight.modulus.max(modulus);
        let offset = known.targets.first().map_or(0, |target| target.offset);
        let rest = if self.rng.chance(60) { offset % modulus } else { self.rng.next() % modulus };
        let number = Box::new(self.number(&known));
        let left = if self.rng.chance(50) { Num::Rem(number, modulus) } else { Num::And(number, modulus - 1) };
        Cond::Numbers(*self.rng.pick(&Op::ALL), left, Num::Const(rest))
    }

    /// A comparison of the pieces of memory of a certain size that addresses are in, or of what they are hashed to.
    fn buckets(&mut self, known: Known) -> Cond {
        let by = self.rng.between(1, 2) as u32;
        let other = self.source();
        let hashed = !self.anchored && self.rng.chance(50);
        self.sight.modulus = self.sight.modulus.max(if hashed { 4 << by } else { 1 << by });
        let [left, right] = [known, other].map(|known| {
            let shifted = Num::Shift(Box::new(Num::Of(known.ptr)), by);
            if hashed { Num::And(Box::new(shifted), 3) } else { shifted }
        });
        Cond::Numbers(*self.rng.pick(&Op::ALL), left, right)
    }

    /// How far two pointers are apart, if that is defined.
    fn distance(&mut self, known: Known) -> Cond {
        let object = known.targets[0].object;
        let inside = |known: &Known| known.targets.iter().all(|target| target.object == object);
        // Elements and members are different arrays.
        let whole = known.ty == self.objects[object].element && inside(&known);
        let other = (0..4).map(|_| self.source()).find(|other| whole && other.ty == known.ty && inside(other));
        let Some(other) = other else { return self.remainder(known) };
        let difference = known.targets[0].offset as i64 - other.targets[0].offset as i64;
        let by = if self.rng.chance(70) { difference / known.ty.size() as i64 } else { 1 };
        Cond::Apart(*self.rng.pick(&Op::ALL), known.ty, known.ptr, other.ptr, by)
    }

    fn tag_bits(&mut self) -> Cond {
        let number = self.rng.below(self.tagged.len());
        let Tagged { free, tag, .. } = self.tagged[number];
        let op = *self.rng.pick(&[Op::Eq, Op::Eq, Op::Ne, Op::Le]);
        Cond::Numbers(op, Num::And(Box::new(Num::Var(number)), free), Num::Const(tag))
    }

    fn with_constant(&mut self, known: Known) -> Cond {
        let constant = Num::Const(self.constant());
        let (op, left) = (*self.rng.pick(&Op::ALL), self.number(&known));
        if self.rng.chance(50) { Cond::Numbers(op, left, constant) } else { Cond::Numbers(op, constant, left) }
    }

    /// Often the same, so that several addresses are compared with it.
    fn constant(&mut self) -> u64 {
        let constants = [0, 1, 100, 4095, 4096, 4100, 100_000, 1 << 63, u64::MAX - 4096, u64::MAX - 4095, u64::MAX];
        let constant = match self.sight.constants.last() {
            Some(same) if self.rng.chance(60) => *same,
            _ => *self.rng.pick(&constants),
        };
        self.sight.constants.push(constant);
        constant
    }
}

fn element(rng: &mut Rng) -> Type {
    match rng.below(6) {
        0 => Type::Mixed,
        1 => Type::Tail,
        _ => Type::Scalar(*rng.pick(&Scalar::ALL)),
    }
}

fn object(rng: &mut Rng, element: Type, inner: bool) -> Object {
    let inner = if inner { 0 } else { 15 };
    let places = [Place::Global, Place::Local, Place::Inner, Place::Malloc, Place::AlignedAlloc];
    let place = places[rng.weighted(&[30, 25, inner, 20, 10])];
    let most = if element.size() > 4 { 2 } else { 3 };
    let least = element.align();
    let asked = match place {
        Place::Malloc => None,
        Place::AlignedAlloc => Some(*rng.pick(&[16, 32, 64])),
        _ => rng.chance(20).then(|| least * *rng.pick(&[2, 4, 8])),
    };
    Object { place, element, count: rng.between(1, most) as u64, asked }
}
