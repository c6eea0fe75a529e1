//! The multi-threaded programs that the generator makes, and their C text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::pairs::{Member, Pair, Record, Whole, member, statement};

/// A variable: an index into the program's globals, or into a thread's locals; or a member of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Global(usize),
    Local(usize),
    Member(Record, Member),
}

/// A binary operator without control flow. Values are small and not negative; sums and products are taken modulo 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Mul,
    Eq,
    Ne,
    Lt,
    Le,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(i64),
    Read(Target),
    /// `__VERIFIER_nondet_int()`: 0, 1 or 2 for every explorer here.
    Nondet,
    Binary(Binary, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `x++`.
    PostIncrement(Target),
    /// `++x`.
    PreIncrement(Target),
    /// `(x = e)`.
    Assign(Target, Box<Expr>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Expr(Expr),
    /// `x += e`.
    AddTo(Target, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `for (i = 0; i < bound; i++)`, the counter being a local that nothing else writes. A condition breaks out of it.
    Repeat {
        counter: usize,
        bound: i64,
        until: Option<Expr>,
        body: Vec<Stmt>,
    },
    /// `while (!e) {}`.
    Await(Expr),
    /// The body between lock and unlock.
    Locked(usize, Vec<Stmt>),
    /// The body between a successful trylock and unlock.
    TryLocked(usize, Vec<Stmt>),
    /// The body between `__VERIFIER_atomic_begin` and `end`.
    Atomic(Vec<Stmt>),
    /// A call of this atomic function: no locals occur in its body.
    AtomicCall(usize),
    Assume(Expr),
    /// With a number of its own.
    Assert(usize, Expr),
    Return,
    Abort,
    Exit,
    /// Starts the n-th thread. Only in main.
    Create(usize),
    /// Waits for the n-th thread. Only in main.
    Join(usize),
    Whole(Whole),
}

/// A global: its initial value, and whether it is `_Atomic`.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    pub initial: i64,
    pub atomic: bool,
}

/// A function that threads run.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Their initial values.
    pub locals: Vec<i64>,
    /// How many structs of its own it has. Both members are 1 at first in one of them, 2 in the next.
    pub pairs: usize,
    pub body: Vec<Stmt>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Threads {
    pub globals: Vec<Global>,
    pub pairs: Vec<Pair>,
    pub mutexes: usize,
    /// Bodies of `__VERIFIER_atomic_f0` and so on.
    pub atomics: Vec<Vec<Stmt>>,
    pub functions: Vec<Function>,
    /// Which function each thread runs: two may run the same.
    pub threads: Vec<usize>,
    pub main: Function,
}

impl Threads {
    /// The names of what some statement may write, with their indices in final states: globals, then members of structs.
    pub fn written(&self) -> Vec<(usize, String)> {
        let text = self.c_text();
        let names = (0..self.globals.len()).map(|g| (g, format!("g{g}")));
        let writes = |name: &str| {
            let forms = [format!("{name} = "), format!("{name}++"), format!("++{name}"), format!("{name} += ")];
            // Declarations of globals are not indented.
            let mut code = text.lines().filter(|line| line.starts_with("  "));
            code.any(|line| forms.iter().any(|form| line.contains(form.as_str())))
        };
        let members = (0..self.pairs.len()).flat_map(|s| [(s, Member::A), (s, Member::B)]);
        let members = members.map(|(s, m)| member(Record::Shared(s), m));
        names.filter(|(_, name)| writes(name)).chain((self.globals.len()..).zip(members)).collect()
    }

    /// The line of each assertion in the C text, by its number.
    pub fn assertion_lines(&self) -> BTreeMap<usize, u32> {
        let text = self.c_text();
        let marked = (1..).zip(text.lines()).filter_map(|(line, text)| Some((text.rsplit_once(MARK)?.1, line)));
        marked.map(|(number, line)| (number.parse().expect("a number follows the mark"), line)).collect()
    }

    /// The program as C. Each statement has its own line.
    pub fn c_text(&self) -> String {
        let mut printer = Printer { text: String::new(), indent: 1 };
        printer.text.push_str(HEADER);
        for (n, global) in self.globals.iter().enumerate() {
            let atomic = if global.atomic { "_Atomic " } else { "" };
            let _ = writeln!(printer.text, "{atomic}int g{n} = {};", global.initial);
        }
        if !self.pairs.is_empty() {
            printer.text.push_str("#include <stdatomic.h>\nstruct pair { int a, b; };\n");
        }
        for (n, pair) in self.pairs.iter().enumerate() {
            let atomic = if *pair == Pair::Atomic { "_Atomic " } else { "" };
            let _ = writeln!(printer.text, "{atomic}struct pair s{n};");
        }
        for m in 0..self.mutexes {
            let _ = writeln!(printer.text, "pthread_mutex_t m{m} = PTHREAD_MUTEX_INITIALIZER;");
        }
        for (n, body) in self.atomics.iter().enumerate() {
            printer.function(&format!("void __VERIFIER_atomic_f{n}(void)"), &Function::default(), body, Value::None);
        }
        for (n, f) in self.functions.iter().enumerate() {
            printer.function(&format!("void *t{n}(void *arg)"), f, &f.body, Value::Zero);
        }
        printer.main(self);
        printer.text
    }
}

const HEADER: &str = "#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
";

/// Marks an assertion's line, before its number.
const MARK: &str = " // assertion ";

/// What a function returns at its end.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    None,
    Zero,
}

struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn function(&mut self, head: &str, locals: &Function, body: &[Stmt], result: Value) {
        let _ = writeln!(self.text, "{head} {{");
        self.body_with(locals, body, &[]);
        if result == Value::Zero {
            self.line("return 0;");
        }
        self.text.push_str("}\n");
    }

    fn main(&mut self, program: &Threads) {
        self.text.push_str("int main(void) {\n");
        for n in 0..program.threads.len() {
            self.line(&format!("pthread_t h{n};"));
        }
        self.body_with(&program.main, &program.main.body, &program.threads);
        self.line("return 0;");
        self.text.push_str("}\n");
    }

    fn body_with(&mut self, function: &Function, body: &[Stmt], threads: &[usize]) {
        for (n, initial) in function.locals.iter().enumerate() {
            self.line(&format!("int l{n} = {initial};"));
        }
        for n in 0..function.pairs {
            self.line(&format!("struct pair v{n} = {{ {0}, {0} }};", n + 1));
        }
        self.block(body, threads);
    }

    fn block(&mut self, body: &[Stmt], threads: &[usize]) {
        body.iter().for_each(|s| self.stmt(s, threads));
    }

    fn nested(&mut self, head: &str, body: &[Stmt], threads: &[usize]) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.block(body, threads);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt, threads: &[usize]) {
        match stmt {
            Stmt::Expr(e) => self.line(&format!("{};", unwrapped(e))),
            Stmt::AddTo(x, e) => self.line(&format!("{} += {};", name(*x), expr(e))),
            Stmt::If(c, then, otherwise) => {
                self.nested(&format!("if ({})", expr(c)), then, threads);
                if !otherwise.is_empty() {
                    self.nested("} else", otherwise, threads);
                }
                self.line("}");
            }
            Stmt::Repeat { counter, bound, until, body } => {
                let i = format!("l{counter}");
                self.nested(&format!("for ({i} = 0; {i} < {bound}; {i}++)"), body, threads);
                if let Some(until) = until {
                    self.line(&format!("  if ({}) break;", expr(until)));
                }
                self.line("}");
            }
            Stmt::Await(e) => self.line(&format!("while (!({})) {{}}", expr(e))),
            Stmt::Locked(m, body) => {
                self.line(&format!("pthread_mutex_lock(&m{m});"));
                self.block(body, threads);
                self.line(&format!("pthread_mutex_unlock(&m{m});"));
            }
            Stmt::TryLocked(m, body) => {
                self.nested(&format!("if (pthread_mutex_trylock(&m{m}) == 0)"), body, threads);
                self.line(&format!("  pthread_mutex_unlock(&m{m});"));
                self.line("}");
            }
            Stmt::Atomic(body) => {
                self.line("__VERIFIER_atomic_begin();");
                self.block(body, threads);
                self.line("__VERIFIER_atomic_end();");
            }
            Stmt::AtomicCall(n) => self.line(&format!("__VERIFIER_atomic_f{n}();")),
            Stmt::Assume(e) => self.line(&format!("__VERIFIER_assume({});", expr(e))),
            Stmt::Assert(n, e) => self.line(&format!("assert({});{MARK}{n}", expr(e))),
            Stmt::Return => self.line("return 0;"),
            Stmt::Abort => self.line("abort();"),
            Stmt::Exit => self.line("exit(0);"),
            Stmt::Create(n) => self.line(&format!("pthread_create(&h{n}, 0, t{}, 0);", threads[*n])),
            Stmt::Join(n) => self.line(&format!("pthread_join(h{n}, 0);")),
            Stmt::Whole(whole) => self.line(&statement(whole)),
        }
    }
}

fn name(target: Target) -> String {
    match target {
        Target::Global(g) => format!("g{g}"),
        Target::Local(l) => format!("l{l}"),
        Target::Member(record, m) => member(record, m),
    }
}

/// An assignment statement reads better without parentheses around it.
fn unwrapped(e: &Expr) -> String {
    match e {
        Expr::Assign(x, e) => format!("{} = {}", name(*x), expr(e)),
        other => expr(other),
    }
}

/// An expression as C.
pub fn expr(e: &Expr) -> String {
    match e {
        Expr::Const(v) => v.to_string(),
        Expr::Read(x) => name(*x),
        Expr::Nondet => "__VERIFIER_nondet_int()".into(),
        Expr::Binary(Binary::Add, a, b) => format!("(({} + {}) % 3)", expr(a), expr(b)),
        Expr::Binary(Binary::Mul, a, b) => format!("(({} * {}) % 3)", expr(a), expr(b)),
        Expr::Binary(op, a, b) => {
            let op = match op {
                Binary::Eq => "==",
                Binary::Ne => "!=",
                Binary::Lt => "<",
                _ => "<=",
            };
            format!("({} {op} {})", expr(a), expr(b))
        }
        Expr::Not(a) => format!("!{}", expr(a)),
        Expr::And(a, b) => format!("({} && {})", expr(a), expr(b)),
        Expr::Or(a, b) => format!("({} || {})", expr(a), expr(b)),
        Expr::Conditional(c, a, b) => format!("({} ? {} : {})", expr(c), expr(a), expr(b)),
        Expr::PostIncrement(x) => format!("{}++", name(*x)),
        Expr::PreIncrement(x) => format!("++{}", name(*x)),
        Expr::Assign(x, e) => format!("({} = {})", name(*x), expr(e)),
    }
}
