//! Executes programs that access objects through other types, on bytes: the lowest of a number comes first.

use super::byte_ast::{Access, Bytes, Index, Int, Stmt, Value, Way};
use super::{Choices, Outcome};

/// Whether an assertion can fail.
pub fn explore(program: &Bytes) -> Outcome {
    let mut choices = Choices::default();
    loop {
        choices.restart();
        let inputs = program.inputs.iter().map(|bound| choices.below(*bound)).collect();
        if !Machine::new(program, inputs).runs() {
            // Nothing here depends on where an object is.
            return Outcome { fails: true, fails_ascending: true };
        }
        if !choices.advance() {
            return Outcome::default();
        }
    }
}

/// One execution.
pub struct Machine<'a> {
    program: &'a Bytes,
    inputs: Vec<usize>,
    objects: Vec<Vec<u8>>,
    sum: u64,
    at: usize,
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Bytes, inputs: Vec<usize>) -> Machine<'a> {
        let objects = program.objects.iter().map(|object| vec![0; object.size]).collect();
        Machine { program, inputs, objects, sum: 0, at: 0 }
    }

    /// Runs to the end, which is not where an assertion fails.
    pub fn runs(&mut self) -> bool {
        let program = self.program;
        program.body.iter().all(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Store(access, value) => {
                let bytes = self.value(value).to_le_bytes();
                let (object, at) = (access.object, self.offset(access));
                self.objects[object][at..at + access.ty.size].copy_from_slice(&bytes[..access.ty.size]);
            }
            Stmt::Add(value) => self.sum = self.sum.wrapping_add_signed(self.value(value)),
            Stmt::Repeat(count, body) => {
                return (0..*count).all(|at| {
                    self.at = at;
                    self.stmt(body)
                });
            }
            Stmt::Walk { object, ty, count } => {
                for index in 0..*count {
                    self.sum = self.sum.wrapping_add_signed(self.load(*object, *ty, index * ty.size));
                }
            }
            Stmt::Assert(op, value, bound) => return op.holds(self.value(value), *bound),
        }
        true
    }

    fn offset(&self, access: &Access) -> usize {
        let index = match access.index {
            Index::Const(n) => n,
            Index::Input(n) => self.inputs[n],
            Index::Loop => self.at,
        };
        let start = match access.way {
            Way::Member(n) => self.program.objects[access.object].members[n].offset,
            Way::Cast | Way::Bytes | Way::Pointer(_) => 0,
        };
        start + index * access.ty.size
    }

    fn load(&self, object: usize, ty: Int, at: usize) -> i64 {
        let mut bytes = [0; 8];
        bytes[..ty.size].copy_from_slice(&self.objects[object][at..at + ty.size]);
        if ty.signed && bytes[ty.size - 1] >= 0x80 {
            bytes[ty.size..].fill(0xff);
        }
        i64::from_le_bytes(bytes)
    }

    /// The value as a signed number of 64 bits.
    pub fn value(&self, value: &Value) -> i64 {
        match value {
            Value::Const(number) => *number,
            Value::Read(access) => self.load(access.object, access.ty, self.offset(access)),
            Value::Input(n) => self.inputs[*n] as i64,
            Value::Sum => self.sum as i64,
            Value::Loop => self.at as i64,
        }
    }
}
