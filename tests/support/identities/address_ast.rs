//! Programs without loops that compute with addresses, and their C text.

use std::fmt::Write;

use super::Op;

/// An integer type; its size is its alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Char,
    Short,
    Int,
    Long,
}

impl Scalar {
    pub const ALL: [Scalar; 4] = [Scalar::Char, Scalar::Short, Scalar::Int, Scalar::Long];

    pub fn size(self) -> u64 {
        match self {
            Scalar::Char => 1,
            Scalar::Short => 2,
            Scalar::Int => 4,
            Scalar::Long => 8,
        }
    }

    fn c_text(self) -> &'static str {
        match self {
            Scalar::Char => "char",
            Scalar::Short => "short",
            Scalar::Int => "int",
            Scalar::Long => "long",
        }
    }
}

/// What objects are made of, and pointers point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    /// `struct mixed { char a; int b; }`
    Mixed,
    /// `struct tail { long a; short b; }`
    Tail,
}

const STRUCTS: &str = "struct mixed { char a; int b; };\nstruct tail { long a; short b; };\n";

impl Type {
    /// The members of a struct, with their offsets.
    pub fn members(self) -> &'static [(&'static str, Scalar, u64)] {
        match self {
            Type::Scalar(_) => &[],
            Type::Mixed => &[("a", Scalar::Char, 0), ("b", Scalar::Int, 4)],
            Type::Tail => &[("a", Scalar::Long, 0), ("b", Scalar::Short, 8)],
        }
    }

    pub fn size(self) -> u64 {
        match self {
            Type::Scalar(scalar) => scalar.size(),
            Type::Mixed => 8,
            Type::Tail => 16,
        }
    }

    pub fn align(self) -> u64 {
        match self {
            Type::Scalar(scalar) => scalar.size(),
            Type::Mixed => 4,
            Type::Tail => 8,
        }
    }

    fn c_text(self) -> &'static str {
        match self {
            Type::Scalar(scalar) => scalar.c_text(),
            Type::Mixed => "struct mixed",
            Type::Tail => "struct tail",
        }
    }
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Global,
    /// In main.
    Local,
    /// In the function that main calls or that a thread runs.
    Inner,
    Malloc,
    AlignedAlloc,
}

/// An array of one element is declared as a plain variable.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    pub place: Place,
    pub element: Type,
    pub count: u64,
    /// The alignment that is asked for, if it is not that of the type.
    pub asked: Option<u64>,
}

impl Object {
    /// How many bytes no other object has.
    pub fn extent(&self) -> u64 {
        let bytes = self.element.size() * self.count;
        if self.place == Place::AlignedAlloc { bytes.next_multiple_of(self.align()) } else { bytes }
    }

    /// What its address is a multiple of.
    pub fn align(&self) -> u64 {
        let natural = if self.place == Place::Malloc { 16 } else { self.element.align() };
        self.asked.unwrap_or(natural)
    }
}

/// A pointer.
#[derive(Clone, Debug)]
pub enum Ptr {
    /// To an element of an object or behind its last one, or to a member of an element.
    Element {
        object: usize,
        index: u64,
        member: Option<usize>,
    },
    Var(usize),
    /// Moved by so many elements of its type.
    Moved(Box<Ptr>, Type, i64),
    Choose(Box<Cond>, Box<Ptr>, Box<Ptr>),
    /// Made from a number.
    Of(Type, Box<Num>),
}

/// A number of type `uintptr_t`.
#[derive(Clone, Debug)]
pub enum Num {
    Of(Ptr),
    Var(usize),
    Const(u64),
    Add(Box<Num>, i64),
    And(Box<Num>, u64),
    Or(Box<Num>, u64),
    Rem(Box<Num>, u64),
    /// Shifted right by so many bits.
    Shift(Box<Num>, u32),
    /// Converted to `uint8_t`.
    Byte(Box<Num>),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    /// An input, by its number.
    Input(usize),
    /// A variable that holds what a condition was.
    Flag(usize),
    Numbers(Op, Num, Num),
    Pointers(Op, Ptr, Ptr),
    IsNull(Ptr),
    /// That the difference is positive as a signed number.
    Ahead(Num, Num),
    /// How far two pointers into one object are apart, in elements.
    Apart(Op, Type, Ptr, Ptr, i64),
    /// That this is the value which the pointer points to.
    Reads(Ptr, i64),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
    Same(Box<Cond>, Box<Cond>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    SetPtr(usize, Ptr),
    SetNum(usize, Num),
    SetFlag(usize, Cond),
    Store(Ptr, i64),
    If(Cond, Vec<Stmt>),
    Assert(Cond),
}

/// How the function is run that has the inner object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    None,
    Call,
    Thread,
}

/// What assertions can tell of addresses: layouts that differ in nothing else need not be told apart.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The greatest number of which remainders are taken.
    pub modulus: u64,
    /// The greatest offset in a comparison.
    pub reach: u64,
    /// The numbers that addresses are compared with.
    pub constants: Vec<u64>,
    /// Whether differences are taken as signed numbers.
    pub far: bool,
}

/// A program: all objects are alive until its end.
#[derive(Clone, Debug)]
pub struct Addresses {
    pub objects: Vec<Object>,
    pub pointers: Vec<Type>,
    pub numbers: usize,
    pub flags: usize,
    pub inputs: usize,
    pub inner: Inner,
    /// What main does before it runs the inner function, which does the rest; without one, main does all.
    pub outer_body: Vec<Stmt>,
    pub body: Vec<Stmt>,
    pub sight: Sight,
}

const HEADER: &str = "#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
";

impl Addresses {
    /// The program as C.
    pub fn c_text(&self) -> String {
        let mut printer = Printer { program: self, text: format!("{HEADER}{STRUCTS}") };
        printer.objects(Place::Global, 0);
        let nested = self.inner != Inner::None;
        if nested {
            printer.variables(0);
            for (n, object) in self.objects.iter().enumerate().filter(|(_, object)| object.place == Place::Local) {
                printer.line(0, &format!("{} *x{n};", object.element.c_text()));
            }
            printer.text.push_str("void *inner(void *arg) {\n");
            printer.objects(Place::Inner, 1);
            printer.block(&self.body, 1);
            printer.text.push_str("  return 0;\n}\n");
        }
        printer.text.push_str("int main(void) {\n");
        printer.objects(Place::Local, 1);
        if !nested {
            printer.variables(1);
        }
        printer.start_blocks();
        printer.block(&self.outer_body, 1);
        match self.inner {
            Inner::None => printer.block(&self.body, 1),
            Inner::Call => printer.line(1, "inner(0);"),
            Inner::Thread => {
                for line in ["pthread_t thread;", "pthread_create(&thread, 0, inner, 0);", "pthread_join(thread, 0);"] {
                    printer.line(1, line);
                }
            }
        }
        printer.text.push_str("  return 0;\n}\n");
        printer.text
    }
}

struct Printer<'a> {
    program: &'a Addresses,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(indent));
    }

    /// Whether the object's name is that of a pointer to it: blocks, and locals that another function must reach.
    fn is_by_pointer(&self, object: &Object) -> bool {
        match object.place {
            Place::Malloc | Place::AlignedAlloc => true,
            Place::Local => self.program.inner != Inner::None,
            Place::Global | Place::Inner => false,
        }
    }

    fn objects(&mut self, place: Place, indent: usize) {
        for (n, object) in self.program.objects.iter().enumerate().filter(|(_, object)| object.place == place) {
            let asked = object.asked.map_or(String::new(), |align| format!("_Alignas({align}) "));
            let by_pointer = self.is_by_pointer(object);
            let name = if by_pointer { format!("local{n}") } else { format!("x{n}") };
            let bounds = if object.count > 1 { format!("[{}]", object.count) } else { String::new() };
            let element = object.element.c_text();
            self.line(indent, &format!("{asked}{element} {name}{bounds} = {{0}};"));
            if by_pointer {
                let address = if object.count > 1 { name } else { format!("&{name}") };
                self.line(indent, &format!("x{n} = {address};"));
            }
        }
    }

    fn variables(&mut self, indent: usize) {
        for (n, ty) in self.program.pointers.iter().enumerate() {
            self.line(indent, &format!("{} *p{n};", ty.c_text()));
        }
        (0..self.program.numbers).for_each(|n| self.line(indent, &format!("uintptr_t u{n};")));
        (0..self.program.flags).for_each(|n| self.line(indent, &format!("int f{n};")));
        let blocks = |object: &Object| matches!(object.place, Place::Malloc | Place::AlignedAlloc);
        for (n, object) in self.program.objects.iter().enumerate().filter(|(_, object)| blocks(object)) {
            self.line(indent, &format!("{} *x{n};", object.element.c_text()));
        }
    }

    /// Allocates the blocks and fills them with zeros.
    fn start_blocks(&mut self) {
        for (n, object) in self.program.objects.iter().enumerate() {
            match object.place {
                Place::Malloc => self.line(1, &format!("x{n} = malloc({});", object.extent())),
                Place::AlignedAlloc => {
                    self.line(1, &format!("x{n} = aligned_alloc({}, {});", object.align(), object.extent()));
                }
                _ => continue,
            }
            for index in 0..object.count {
                match object.element.members() {
                    [] => self.line(1, &format!("x{n}[{index}] = 0;")),
                    all => all.iter().for_each(|(name, ..)| self.line(1, &format!("x{n}[{index}].{name} = 0;"))),
                }
            }
        }
    }

    fn block(&mut self, body: &[Stmt], indent: usize) {
        for stmt in body {
            match stmt {
                Stmt::SetPtr(n, ptr) => self.line(indent, &format!("p{n} = {};", self.ptr(ptr))),
                Stmt::SetNum(n, num) => self.line(indent, &format!("u{n} = {};", self.num(num))),
                Stmt::SetFlag(n, cond) => self.line(indent, &format!("f{n} = {};", self.cond(cond))),
                Stmt::Store(ptr, value) => self.line(indent, &format!("*{} = {value};", self.ptr(ptr))),
                Stmt::If(cond, then) => {
                    self.line(indent, &format!("if ({}) {{", self.cond(cond)));
                    self.block(then, indent + 1);
                    self.line(indent, "}");
                }
                Stmt::Assert(cond) => self.line(indent, &format!("assert({});", self.cond(cond))),
            }
        }
    }

    fn ptr(&self, ptr: &Ptr) -> String {
        match ptr {
            Ptr::Element { object, index, member } => self.element(*object, *index, *member),
            Ptr::Var(n) => format!("p{n}"),
            Ptr::Moved(ptr, _, by) if *by < 0 => format!("({} - {})", self.ptr(ptr), -by),
            Ptr::Moved(ptr, _, by) => format!("({} + {by})", self.ptr(ptr)),
            Ptr::Choose(cond, a, b) => format!("({} ? {} : {})", self.cond(cond), self.ptr(a), self.ptr(b)),
            Ptr::Of(ty, num) => format!("(({} *){})", ty.c_text(), self.num(num)),
        }
    }

    fn element(&self, n: usize, index: u64, member: Option<usize>) -> String {
        let object = &self.program.objects[n];
        let single = object.count == 1 && !self.is_by_pointer(object);
        match member {
            Some(member) => {
                let name = object.element.members()[member].0;
                if single { format!("(&x{n}.{name})") } else { format!("(&x{n}[{index}].{name})") }
            }
            None if single && index == 0 => format!("(&x{n})"),
            None if single => format!("(&x{n} + {index})"),
            None if index.is_multiple_of(2) => format!("(x{n} + {index})"),
            None => format!("(&x{n}[{index}])"),
        }
    }

    fn num(&self, num: &Num) -> String {
        match num {
            Num::Of(ptr) => format!("(uintptr_t){}", self.ptr(ptr)),
            Num::Var(n) => format!("u{n}"),
            Num::Const(value) => format!("{value}ul"),
            Num::Add(num, by) if *by < 0 => format!("({} - {})", self.num(num), -by),
            Num::Add(num, by) => format!("({} + {by})", self.num(num)),
            Num::And(num, mask) if *mask > u64::MAX / 2 => format!("({} & ~{}ul)", self.num(num), !mask),
            Num::And(num, mask) => format!("({} & {mask})", self.num(num)),
            Num::Or(num, bits) => format!("({} | {bits})", self.num(num)),
            Num::Rem(num, modulus) => format!("({} % {modulus})", self.num(num)),
            Num::Shift(num, by) => format!("({} >> {by})", self.num(num)),
            Num::Byte(num) => format!("(uint8_t){}", self.num(num)),
        }
    }

    fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::Input(_) => "(__VERIFIER_nondet_int() != 0)".into(),
            Cond::Flag(n) => format!("(f{n} != 0)"),
            Cond::Numbers(op, a, b) => format!("({} {} {})", self.num(a), op.c_text(), self.num(b)),
            Cond::Pointers(op, a, b) => {
                format!("((char *){} {} (char *){})", self.ptr(a), op.c_text(), self.ptr(b))
            }
            Cond::IsNull(ptr) => format!("({} == 0)", self.ptr(ptr)),
            Cond::Ahead(a, b) => format!("((intptr_t)({} - {}) > 0)", self.num(a), self.num(b)),
            Cond::Apart(op, _, a, b, by) => format!("({} - {} {} {by})", self.ptr(a), self.ptr(b), op.c_text()),
            Cond::Reads(ptr, value) => format!("(*{} == {value})", self.ptr(ptr)),
            Cond::Not(a) => format!("!{}", self.cond(a)),
            Cond::And(a, b) => format!("({} && {})", self.cond(a), self.cond(b)),
            Cond::Or(a, b) => format!("({} || {})", self.cond(a), self.cond(b)),
            Cond::Same(a, b) => format!("({} == {})", self.cond(a), self.cond(b)),
        }
    }
}
