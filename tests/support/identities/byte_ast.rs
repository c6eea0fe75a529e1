//! Programs that read and write objects through pointers to other types, and their C text.

use std::fmt::Write;

use super::Op;

/// An integer type: its size in bytes, which is its alignment, and whether it is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    pub size: usize,
    pub signed: bool,
}

impl Int {
    pub fn c_text(self) -> String {
        format!("{}int{}_t", if self.signed { "" } else { "u" }, 8 * self.size)
    }
}

/// A member of a struct or union, or an array's only one: its name, type, number of elements (one for no array) and offset.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub name: &'static str,
    pub ty: Int,
    pub count: usize,
    pub offset: usize,
}

/// What an object is, without any padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Array,
    Struct,
    Union,
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Global,
    Local,
    Malloc,
}

/// An object that begins at a multiple of eight and is full of zeros.
#[derive(Clone, Debug)]
pub struct Object {
    pub place: Place,
    pub shape: Shape,
    pub members: Vec<Member>,
    pub size: usize,
}

/// Which element: a constant one, one that an input chooses, or the one that the loop is at.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    Const(usize),
    Input(usize),
    Loop,
}

/// How an element of an object is reached.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// By the name of a member.
    Member(usize),
    /// `((T *)&x)[i]`
    Cast,
    /// `*(T *)((char *)&x + i * sizeof(T))`
    Bytes,
    /// Through a pointer variable, which points to the beginning.
    Pointer(usize),
}

/// A scalar somewhere in an object.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub object: usize,
    pub ty: Int,
    pub way: Way,
    pub index: Index,
}

/// A value of 64 bits.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Const(i64),
    Read(Access),
    /// An input, which is an index.
    Input(usize),
    /// The sum so far.
    Sum,
    Loop,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Store(Access, Value),
    /// Adds to the sum.
    Add(Value),
    /// So many times, with the loop's index from zero.
    Repeat(usize, Box<Stmt>),
    /// Adds so many elements of an object to the sum, by a pointer that goes through them.
    Walk {
        object: usize,
        ty: Int,
        count: usize,
    },
    Assert(Op, Value, i64),
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    pub objects: Vec<Object>,
    /// Pointers to the beginning of an object.
    pub pointers: Vec<(usize, Int)>,
    /// The inputs, each less than its number.
    pub inputs: Vec<usize>,
    pub body: Vec<Stmt>,
}

const HEADER: &str = "#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
";

impl Bytes {
    /// The program as C.
    pub fn c_text(&self) -> String {
        let mut text = String::from(HEADER);
        for (n, object) in self.objects.iter().enumerate().filter(|(_, object)| object.shape != Shape::Array) {
            let keyword = if object.shape == Shape::Union { "union" } else { "struct" };
            let _ = writeln!(text, "{keyword} shape{n} {{");
            for member in &object.members {
                let bounds = if member.count > 1 { format!("[{}]", member.count) } else { String::new() };
                let _ = writeln!(text, "  {} {}{bounds};", member.ty.c_text(), member.name);
            }
            text.push_str("};\n");
        }
        self.declare(&mut text, Place::Global, "");
        text.push_str("int main(void) {\n");
        self.declare(&mut text, Place::Local, "  ");
        self.declare(&mut text, Place::Malloc, "  ");
        for (n, (object, ty)) in self.pointers.iter().enumerate() {
            let _ = writeln!(text, "  {0} *p{n} = ({0} *){1};", ty.c_text(), self.base(*object));
        }
        text.push_str("  uint64_t sum = 0;\n");
        for (n, bound) in self.inputs.iter().enumerate() {
            let _ = writeln!(
                text,
                "  int i{n} = __VERIFIER_nondet_int();\n  if (i{n} < 0 || i{n} >= {bound})\n    return 0;"
            );
        }
        self.body.iter().for_each(|stmt| self.stmt(&mut text, stmt, "  "));
        text.push_str("  return 0;\n}\n");
        text
    }

    fn type_of(&self, n: usize) -> String {
        match self.objects[n].shape {
            Shape::Array => self.objects[n].members[0].ty.c_text(),
            Shape::Struct => format!("struct shape{n}"),
            Shape::Union => format!("union shape{n}"),
        }
    }

    fn declare(&self, text: &mut String, place: Place, indent: &str) {
        for (n, object) in self.objects.iter().enumerate().filter(|(_, object)| object.place == place) {
            let ty = self.type_of(n);
            let bounds = match object.shape {
                Shape::Array => format!("[{}]", object.members[0].count),
                _ => String::new(),
            };
            let _ = match place {
                Place::Global => writeln!(text, "{indent}_Alignas(8) {ty} x{n}{bounds};"),
                Place::Local => writeln!(text, "{indent}_Alignas(8) {ty} x{n}{bounds} = {{0}};"),
                Place::Malloc => writeln!(text, "{indent}{ty} *x{n} = calloc(1, {});", object.size),
            };
        }
    }

    /// A pointer to the beginning of an object.
    fn base(&self, n: usize) -> String {
        let object = &self.objects[n];
        let is_pointer = object.place == Place::Malloc || object.shape == Shape::Array;
        if is_pointer { format!("x{n}") } else { format!("&x{n}") }
    }

    fn stmt(&self, text: &mut String, stmt: &Stmt, indent: &str) {
        let _ = match stmt {
            Stmt::Store(access, value) => writeln!(text, "{indent}{} = {};", self.access(access), self.value(value)),
            Stmt::Add(value) => writeln!(text, "{indent}sum += {};", self.value(value)),
            Stmt::Repeat(count, body) => {
                let _ = writeln!(text, "{indent}for (int j = 0; j < {count}; j++)");
                self.stmt(text, body, &format!("{indent}  "));
                Ok(())
            }
            Stmt::Walk { object, ty, count } => {
                let (ty, base) = (ty.c_text(), self.base(*object));
                let head = format!("for ({ty} *q = ({ty} *){base}; q != ({ty} *){base} + {count}; q++)");
                writeln!(text, "{indent}{head}\n{indent}  sum += *q;")
            }
            Stmt::Assert(op, value, bound) => {
                writeln!(text, "{indent}assert((int64_t){} {} {bound}l);", self.value(value), op.c_text())
            }
        };
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Const(number) => format!("{number}l"),
            Value::Read(access) => self.access(access),
            Value::Input(n) => format!("i{n}"),
            Value::Sum => "sum".into(),
            Value::Loop => "j".into(),
        }
    }

    fn access(&self, access: &Access) -> String {
        let index = match access.index {
            Index::Const(n) => n.to_string(),
            Index::Input(n) => format!("i{n}"),
            Index::Loop => "j".into(),
        };
        let (base, ty) = (self.base(access.object), access.ty.c_text());
        match access.way {
            Way::Member(n) => {
                let object = &self.objects[access.object];
                let member = &object.members[n];
                let element = if member.count > 1 { format!("[{index}]") } else { String::new() };
                match (object.shape, object.place) {
                    (Shape::Array, _) => format!("x{}[{index}]", access.object),
                    (_, Place::Malloc) => format!("x{}->{}{element}", access.object, member.name),
                    _ => format!("x{}.{}{element}", access.object, member.name),
                }
            }
            Way::Cast => format!("(({ty} *){base})[{index}]"),
            Way::Bytes => format!("*({ty} *)((char *){base} + {index} * {})", access.ty.size),
            Way::Pointer(n) => format!("p{n}[{index}]"),
        }
    }
}
