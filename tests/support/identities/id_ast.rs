//! Programs whose main creates, joins and detaches threads and looks at their ids, and their C text.

use std::fmt::Write;

use super::Op;

/// An id of a thread or a key, or a number to compare it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    Handle(usize),
    /// The id of the thread that asks.
    Own,
    /// What a thread has stored of its own.
    Stored(usize),
    Key(usize),
    Const(u64),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    Compare(Op, Id, Id),
    /// `pthread_equal`.
    Equal(Id, Id),
    /// That a call gave this result an error.
    Failed(usize),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
    Same(Box<Cond>, Box<Cond>),
}

/// What a thread does.
#[derive(Clone, Debug)]
pub enum Worker {
    Nothing,
    /// Stores its id.
    Stores(usize),
}

/// A statement of main.
#[derive(Clone, Debug)]
pub enum Stmt {
    Create(usize, Worker),
    /// Waits for the thread with this handle; the result is kept.
    Join(usize, usize),
    Detach(usize, usize),
    Set(usize, Id),
    /// Creates a thread that asserts the condition, by its number, and waits for it.
    Run(usize),
    CreateKey(usize),
    DeleteKey(usize),
    If(usize, Vec<Stmt>),
    Assert(Cond),
}

/// A program. Handles, stored ids and results are zero at first.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    pub handles: usize,
    pub stored: usize,
    pub keys: usize,
    pub results: usize,
    pub inputs: usize,
    /// Whether the handles are elements of one array.
    pub in_array: bool,
    /// What threads assert.
    pub asserted: Vec<Cond>,
    pub main: Vec<Stmt>,
    /// The numbers that ids are compared with.
    pub constants: Vec<u64>,
}

const HEADER: &str = "#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
";

impl Ids {
    /// The program as C.
    pub fn c_text(&self) -> String {
        let mut text = String::from(HEADER);
        if self.in_array {
            let _ = writeln!(text, "pthread_t t[{}];", self.handles);
        } else {
            (0..self.handles).for_each(|n| text.push_str(&format!("pthread_t t{n};\n")));
        }
        (0..self.stored).for_each(|n| text.push_str(&format!("pthread_t s{n};\n")));
        (0..self.keys).for_each(|n| text.push_str(&format!("pthread_key_t k{n};\n")));
        text.push_str("void *nothing(void *arg) { return 0; }\n");
        for n in 0..self.stored {
            let _ = writeln!(text, "void *stores{n}(void *arg) {{\n  s{n} = pthread_self();\n  return 0;\n}}");
        }
        for (n, cond) in self.asserted.iter().enumerate() {
            let _ = writeln!(text, "void *asserts{n}(void *arg) {{\n  assert({});\n  return 0;\n}}", self.cond(cond));
        }
        text.push_str("int main(void) {\n");
        if !self.asserted.is_empty() {
            text.push_str("  pthread_t asserting;\n");
        }
        (0..self.results).for_each(|n| text.push_str(&format!("  int r{n} = 0;\n")));
        self.block(&mut text, &self.main, 1);
        text.push_str("  return 0;\n}\n");
        text
    }

    fn block(&self, text: &mut String, body: &[Stmt], indent: usize) {
        let space = "  ".repeat(indent);
        for stmt in body {
            let line = match stmt {
                Stmt::Create(handle, worker) => {
                    let function = match worker {
                        Worker::Nothing => "nothing".to_string(),
                        Worker::Stores(n) => format!("stores{n}"),
                    };
                    format!("pthread_create(&{}, 0, {function}, 0);", self.handle(*handle))
                }
                Stmt::Join(handle, result) => format!("r{result} = pthread_join({}, 0);", self.handle(*handle)),
                Stmt::Detach(handle, result) => format!("r{result} = pthread_detach({});", self.handle(*handle)),
                Stmt::Set(handle, id) => format!("{} = {};", self.handle(*handle), self.id(*id)),
                Stmt::Run(n) => {
                    let _ = writeln!(text, "{space}pthread_create(&asserting, 0, asserts{n}, 0);");
                    "pthread_join(asserting, 0);".to_string()
                }
                Stmt::CreateKey(n) => format!("pthread_key_create(&k{n}, 0);"),
                Stmt::DeleteKey(n) => format!("pthread_key_delete(k{n});"),
                Stmt::If(_, then) => {
                    let _ = writeln!(text, "{space}if (__VERIFIER_nondet_int()) {{");
                    self.block(text, then, indent + 1);
                    "}".to_string()
                }
                Stmt::Assert(cond) => format!("assert({});", self.cond(cond)),
            };
            let _ = writeln!(text, "{space}{line}");
        }
    }

    fn handle(&self, n: usize) -> String {
        if self.in_array { format!("t[{n}]") } else { format!("t{n}") }
    }

    fn id(&self, id: Id) -> String {
        match id {
            Id::Handle(n) => self.handle(n),
            Id::Own => "pthread_self()".into(),
            Id::Stored(n) => format!("s{n}"),
            Id::Key(n) => format!("k{n}"),
            Id::Const(number) => format!("{number}ul"),
        }
    }

    fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::Compare(op, a, b) => format!("({} {} {})", self.id(*a), op.c_text(), self.id(*b)),
            Cond::Equal(a, b) => format!("(pthread_equal({}, {}) != 0)", self.id(*a), self.id(*b)),
            Cond::Failed(n) => format!("(r{n} != 0)"),
            Cond::Not(a) => format!("!{}", self.cond(a)),
            Cond::And(a, b) => format!("({} && {})", self.cond(a), self.cond(b)),
            Cond::Or(a, b) => format!("({} || {})", self.cond(a), self.cond(b)),
            Cond::Same(a, b) => format!("({} == {})", self.cond(a), self.cond(b)),
        }
    }
}
