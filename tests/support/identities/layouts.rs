//! Executes programs about addresses on all layouts of their objects that their assertions can tell from one another.
//!
//! A layout gives each object an address: a multiple of its alignment, at least a page away from either end of the address
//! space, and no byte of it in another object. Comparisons see how far objects are apart only up to a reach, and remainders see
//! addresses only modulo a number, so gaps up to that reach and one more period suffice.

use std::collections::BTreeMap;

use super::Outcome;
use super::address_ast::{Addresses, Cond, Num, Object, Ptr, Stmt};

/// No object has a byte so near to either end of the address space.
const MARGIN: i128 = 4096;
const TOP: i128 = 1 << 64;

/// Far from all that programs compare addresses with.
const NOWHERE: i128 = 1 << 40;

/// Whether an assertion can fail.
pub fn explore(program: &Addresses) -> Outcome {
    let mut search = Search { program, bases: vec![0; program.objects.len()], outcome: Outcome::default() };
    if program.sight.constants.is_empty() && !program.sight.far {
        search.in_rows(&mut Vec::new());
    } else {
        search.around_anchors(0);
    }
    search.outcome
}

struct Search<'a> {
    program: &'a Addresses,
    bases: Vec<u64>,
    outcome: Outcome,
}

impl Search<'_> {
    /// Gaps up to here show all that the program can see of a distance.
    fn gap(&self) -> i128 {
        2 * i128::from(self.program.sight.reach + self.program.sight.modulus)
    }

    /// Addresses that differ by this have the same remainders, and the same objects fit beside them.
    fn period(&self) -> i128 {
        let greatest = self.program.objects.iter().map(Object::align).max().unwrap_or(1);
        i128::from(greatest.max(self.program.sight.modulus))
    }

    /// Nothing is known of where all objects together are: they follow one another in any order.
    fn in_rows(&mut self, placed: &mut Vec<usize>) {
        let (first, last) = match placed.last() {
            Some(before) => {
                let end = i128::from(self.bases[*before] + self.program.objects[*before].extent());
                (end, end + self.gap())
            }
            None => (NOWHERE, NOWHERE + self.period() - 1),
        };
        for object in 0..self.program.objects.len() {
            if placed.contains(&object) {
                continue;
            }
            for base in places(&self.program.objects[object], first, last) {
                if self.outcome.fails_ascending {
                    return;
                }
                self.bases[object] = base;
                placed.push(object);
                if placed.len() == self.bases.len() {
                    self.execute()
                } else {
                    self.in_rows(placed)
                }
                placed.pop();
            }
        }
    }

    /// The numbers that addresses are compared with matter: each object may be anywhere near one of them.
    fn around_anchors(&mut self, object: usize) {
        if object == self.bases.len() {
            let disjoint = |a: usize, b: usize| {
                let end = |n: usize| self.bases[n] + self.program.objects[n].extent();
                end(a) <= self.bases[b] || end(b) <= self.bases[a]
            };
            if (0..object).all(|a| (0..a).all(|b| disjoint(a, b))) {
                self.execute();
            }
            return;
        }
        // All of them fit on either side of a number, each as far from the next as its alignment asks.
        let room = |object: &Object| i128::from(object.extent() + object.align());
        let width = 2 * self.gap() + self.program.objects.iter().map(room).sum::<i128>();
        let mut anchors: Vec<i128> = self.program.sight.constants.iter().map(|number| i128::from(*number)).collect();
        anchors.extend([MARGIN, TOP - MARGIN]);
        if self.program.sight.far {
            anchors.push(MARGIN + TOP / 2);
        }
        let near = |anchor: &i128| places(&self.program.objects[object], anchor - width, anchor + width);
        let mut bases: Vec<u64> = anchors.iter().flat_map(near).collect();
        bases.sort_unstable();
        bases.dedup();
        for base in bases {
            if self.outcome.fails_ascending {
                return;
            }
            self.bases[object] = base;
            self.around_anchors(object + 1);
        }
    }

    fn execute(&mut self) {
        let ascending = self.bases.is_sorted();
        if self.outcome.fails && !ascending {
            return;
        }
        for inputs in 0..1 << self.program.inputs {
            if !Machine::new(self.program, &self.bases, inputs).runs() {
                self.outcome.fails = true;
                self.outcome.fails_ascending |= ascending;
            }
        }
    }
}

/// The addresses between these that the object can have, and the next one, so that there is always one more than can be seen.
fn places(object: &Object, first: i128, last: i128) -> Vec<u64> {
    let align = i128::from(object.align());
    let least = first.max(MARGIN);
    let greatest = (last + align - 1).min(TOP - MARGIN - i128::from(object.extent()));
    let start = (least + align - 1) / align;
    (start..=greatest.div_euclid(align)).map(|unit| (unit * align) as u64).collect()
}

/// One execution.
struct Machine<'a> {
    program: &'a Addresses,
    bases: &'a [u64],
    inputs: u32,
    pointers: Vec<u64>,
    numbers: Vec<u64>,
    flags: Vec<bool>,
    /// What is not zero, by its address.
    values: BTreeMap<u64, i64>,
}

impl<'a> Machine<'a> {
    fn new(program: &'a Addresses, bases: &'a [u64], inputs: u32) -> Machine<'a> {
        Machine {
            program,
            bases,
            inputs,
            pointers: vec![0; program.pointers.len()],
            numbers: vec![0; program.numbers],
            flags: vec![false; program.flags],
            values: BTreeMap::new(),
        }
    }

    /// Runs to the end, which is not where an assertion fails.
    fn runs(&mut self) -> bool {
        let program = self.program;
        self.block(&program.outer_body) && self.block(&program.body)
    }

    fn block(&mut self, body: &[Stmt]) -> bool {
        body.iter().all(|stmt| {
            match stmt {
                Stmt::SetPtr(n, ptr) => self.pointers[*n] = self.ptr(ptr),
                Stmt::SetNum(n, num) => self.numbers[*n] = self.num(num),
                Stmt::SetFlag(n, cond) => self.flags[*n] = self.cond(cond),
                Stmt::Store(ptr, value) => {
                    let at = self.ptr(ptr);
                    self.values.insert(at, *value);
                }
                Stmt::If(cond, then) => return !self.cond(cond) || self.block(then),
                Stmt::Assert(cond) => return self.cond(cond),
            }
            true
        })
    }

    fn ptr(&self, ptr: &Ptr) -> u64 {
        match ptr {
            Ptr::Element { object, index, member } => {
                let element = self.program.objects[*object].element;
                let offset = member.map_or(0, |member| element.members()[member].2);
                self.bases[*object] + index * element.size() + offset
            }
            Ptr::Var(n) => self.pointers[*n],
            Ptr::Moved(ptr, ty, by) => self.ptr(ptr).wrapping_add_signed(by * ty.size() as i64),
            Ptr::Choose(cond, a, b) => self.ptr(if self.cond(cond) { a } else { b }),
            Ptr::Of(_, num) => self.num(num),
        }
    }

    fn num(&self, num: &Num) -> u64 {
        match num {
            Num::Of(ptr) => self.ptr(ptr),
            Num::Var(n) => self.numbers[*n],
            Num::Const(value) => *value,
            Num::Add(num, by) => self.num(num).wrapping_add_signed(*by),
            Num::And(num, mask) => self.num(num) & mask,
            Num::Or(num, bits) => self.num(num) | bits,
            Num::Rem(num, modulus) => self.num(num) % modulus,
            Num::Shift(num, by) => self.num(num) >> by,
            Num::Byte(num) => self.num(num) & 0xff,
        }
    }

    fn cond(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Input(n) => self.inputs >> n & 1 == 1,
            Cond::Flag(n) => self.flags[*n],
            Cond::Numbers(op, a, b) => op.holds(self.num(a), self.num(b)),
            Cond::Pointers(op, a, b) => op.holds(self.ptr(a), self.ptr(b)),
            Cond::IsNull(ptr) => self.ptr(ptr) == 0,
            Cond::Ahead(a, b) => self.num(a).wrapping_sub(self.num(b)) as i64 > 0,
            Cond::Apart(op, ty, a, b, by) => {
                let bytes = self.ptr(a).wrapping_sub(self.ptr(b)) as i64;
                op.holds(bytes / ty.size() as i64, *by)
            }
            Cond::Reads(ptr, value) => self.values.get(&self.ptr(ptr)).copied().unwrap_or(0) == *value,
            Cond::Not(a) => !self.cond(a),
            Cond::And(a, b) => self.cond(a) && self.cond(b),
            Cond::Or(a, b) => self.cond(a) || self.cond(b),
            Cond::Same(a, b) => self.cond(a) == self.cond(b),
        }
    }
}
