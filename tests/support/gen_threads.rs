//! Random multi-threaded programs over small finite domains, without undefined behaviour.
//!
//! Values stay small: sums and products are taken modulo 3, and increments happen a bounded number of times. Locks are
//! released by those who hold them and not taken twice. Operands that C does not sequence have no side effects. Some programs
//! have a discipline: most globals are touched under a mutex of theirs only, as real programs do it.

use super::gen_pairs;
use super::pairs::Pair;
use super::rng::Rng;
use super::thread_ast::{Binary, Expr, Function, Global, Stmt, Target, Threads};

/// The program with this number.
pub fn program(seed: u64, number: u64) -> Threads {
    let mut rng = Rng::for_case(seed, number);
    let count = if rng.chance(75) { 2 } else { 3 };
    let globals = (0..rng.between(1, 3))
        .map(|_| Global { initial: rng.below(2) as i64, atomic: rng.chance(15) })
        .collect::<Vec<_>>();
    let mutexes = rng.below(3);
    let pairs = gen_pairs::pairs(seed, number);
    // Under a mutex nobody would see that a struct is torn.
    let disciplined = mutexes > 0 && rng.chance(60) && pairs.is_empty();
    let guards: Vec<Option<usize>> =
        globals.iter().map(|_| (disciplined && rng.chance(80)).then(|| rng.below(mutexes))).collect();
    let mut maker = Maker {
        rng: &mut rng,
        globals: globals.len(),
        pairs: pairs.clone(),
        guards,
        mutexes,
        atomics: 0,
        assertions: 0,
    };
    let atomics: Vec<_> = (0..maker.rng.below(2)).map(|_| maker.atomic_function()).collect();
    maker.atomics = atomics.len();
    // Two threads in five run the same function as another one.
    let kinds = if maker.rng.chance(60) { count } else { count - 1 };
    let functions: Vec<_> = (0..kinds).map(|_| maker.function(if count == 2 { 5 } else { 3 })).collect();
    let threads: Vec<usize> = (0..count).map(|t| t.min(kinds - 1)).collect();
    let main = maker.main(count);
    Threads { globals, pairs, mutexes, atomics, functions, threads, main }
}

/// Makes one program.
pub struct Maker<'a> {
    pub rng: &'a mut Rng,
    globals: usize,
    /// Shared structs.
    pub pairs: Vec<Pair>,
    /// The mutex under which a global is touched, if there is a discipline.
    guards: Vec<Option<usize>>,
    mutexes: usize,
    atomics: usize,
    assertions: usize,
}

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Plain,
    /// Inside an atomic section, where nothing waits or leaves.
    Atomic,
}

/// What a function has so far.
pub struct Frame {
    locals: Vec<i64>,
    /// Locals that expressions may use; the others are loop counters.
    pub usable: usize,
    /// Structs of its own.
    pub pairs: usize,
    /// Statements that may still be made: keeps the number of schedules small.
    budget: usize,
    held: Vec<usize>,
    /// Nesting of bounded loops.
    loops: usize,
}

impl Maker<'_> {
    fn function(&mut self, budget: usize) -> Function {
        let least = usize::from(self.guards.iter().all(Option::is_some));
        let locals = vec![0; self.rng.below(3).max(least)];
        let pairs = if self.pairs.is_empty() { 0 } else { 2 };
        let mut frame = Frame { usable: locals.len(), locals, pairs, budget, held: vec![], loops: 0 };
        let length = self.rng.between(2, 4);
        let body = self.block(&mut frame, length, 2, Place::Plain);
        Function { locals: frame.locals, pairs, body }
    }

    /// Without locals, so that it can be called anywhere.
    fn atomic_function(&mut self) -> Vec<Stmt> {
        let mut frame = Frame { locals: vec![], usable: 0, pairs: 0, budget: 3, held: vec![], loops: 2 };
        self.block(&mut frame, 2, 1, Place::Atomic)
    }

    /// Creates all threads, waits for most of them, and does a little before, between and after.
    fn main(&mut self, threads: usize) -> Function {
        let locals = vec![0; self.rng.below(2)];
        let pairs = usize::from(!self.pairs.is_empty());
        let mut frame = Frame { usable: locals.len(), locals, pairs, budget: 1, held: vec![], loops: 2 };
        let mut body = self.first_values();
        if self.rng.chance(30) {
            let x = self.target(&frame);
            let value = self.rng.below(3) as i64;
            body.push(Stmt::Expr(Expr::Assign(x, Box::new(Expr::Const(value)))));
        }
        for t in 0..threads {
            body.push(Stmt::Create(t));
            if self.rng.chance(15) {
                body.extend(self.block(&mut frame, 1, 1, Place::Plain));
            }
        }
        let mut joined = 0;
        for t in 0..threads {
            if self.rng.chance(85) {
                body.push(Stmt::Join(t));
                joined += 1;
            }
        }
        if joined == threads || self.rng.chance(20) {
            let stmt = self.assertion(&frame);
            body.push(stmt);
        }
        Function { locals: frame.locals, pairs, body }
    }

    fn block(&mut self, frame: &mut Frame, length: usize, depth: u32, place: Place) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..length {
            if frame.budget == 0 {
                break;
            }
            frame.budget -= 1;
            let stmt = self.stmt(frame, depth, place);
            let look = self.look(&stmt);
            body.extend([Some(stmt), look].into_iter().flatten());
        }
        if body.is_empty() {
            body.push(self.simple(frame));
        }
        body
    }

    fn stmt(&mut self, frame: &mut Frame, depth: u32, place: Place) -> Stmt {
        let nested = if depth > 0 { 1 } else { 0 };
        let plain = if place == Place::Plain { nested } else { 0 };
        let repeat = if frame.loops < 1 { nested } else { 0 };
        let call = if place == Place::Plain && self.atomics > 0 { 1 } else { 0 };
        let leave = if place == Place::Plain { 1 } else { 0 };
        let lock = if self.guards.iter().any(Option::is_some) && frame.held.is_empty() { 120 } else { 14 };
        let simple = if self.pairs.is_empty() { 40 } else { 160 };
        let weights =
            [simple, 16 * nested, 8 * repeat, lock * plain, 4 * plain, 12 * plain, 6 * call, 4, 12, leave, 2 * leave];
        match self.rng.weighted(&weights) {
            0 => self.simple(frame),
            1 => self.branch(frame, depth, place),
            2 => self.repeat(frame, depth, place),
            3 => self.locked(frame, depth),
            4 => self.locked_if_free(frame, depth),
            5 => {
                let length = self.rng.between(1, 3);
                Stmt::Atomic(self.block(frame, length, depth - 1, Place::Atomic))
            }
            6 => Stmt::AtomicCall(self.rng.below(self.atomics)),
            7 => Stmt::Assume(if self.rng.chance(30) { self.expr(frame, 1) } else { self.comparison(frame) }),
            8 => self.assertion(frame),
            9 => Stmt::Await(self.comparison(frame)),
            _ => self.leaving(frame),
        }
    }

    /// An early end, mostly under a condition: else nothing after it matters.
    fn leaving(&mut self, frame: &Frame) -> Stmt {
        let stmt = match self.rng.below(5) {
            0 => Stmt::Abort,
            1 => Stmt::Exit,
            _ => Stmt::Return,
        };
        if self.rng.chance(90) { Stmt::If(self.comparison(frame), vec![stmt], vec![]) } else { stmt }
    }

    fn simple(&mut self, frame: &Frame) -> Stmt {
        if !self.pairs.is_empty() && self.rng.chance(75) {
            return self.whole(frame);
        }
        let x = self.target(frame);
        match self.rng.below(10) {
            0 => Stmt::AddTo(x, self.expr(frame, 0)),
            1 => Stmt::Expr(Expr::PostIncrement(x)),
            2 if frame.usable > 0 => {
                let local = Target::Local(self.rng.below(frame.usable));
                Stmt::Expr(Expr::Assign(local, Box::new(self.effect(frame))))
            }
            _ => Stmt::Expr(Expr::Assign(x, Box::new(self.expr(frame, 1)))),
        }
    }

    fn branch(&mut self, frame: &mut Frame, depth: u32, place: Place) -> Stmt {
        let cond = if self.rng.chance(15) { self.effect(frame) } else { self.expr(frame, 1) };
        let then = self.block(frame, 2, depth - 1, place);
        let otherwise = if self.rng.chance(40) { self.block(frame, 1, depth - 1, place) } else { vec![] };
        Stmt::If(cond, then, otherwise)
    }

    fn repeat(&mut self, frame: &mut Frame, depth: u32, place: Place) -> Stmt {
        let counter = frame.locals.len();
        frame.locals.push(0);
        frame.loops += 1;
        let body = self.block(frame, 1, depth - 1, place);
        frame.loops -= 1;
        let until = self.rng.chance(30).then(|| self.comparison(frame));
        Stmt::Repeat { counter, bound: 2, until, body }
    }

    fn locked(&mut self, frame: &mut Frame, depth: u32) -> Stmt {
        match self.free_mutex(frame) {
            Some(m) => Stmt::Locked(m, self.holding(frame, m, depth)),
            None => self.simple(frame),
        }
    }

    fn locked_if_free(&mut self, frame: &mut Frame, depth: u32) -> Stmt {
        match self.free_mutex(frame) {
            Some(m) => Stmt::TryLocked(m, self.holding(frame, m, depth)),
            None => self.simple(frame),
        }
    }

    fn holding(&mut self, frame: &mut Frame, m: usize, depth: u32) -> Vec<Stmt> {
        frame.held.push(m);
        let body = self.block(frame, 2, depth - 1, Place::Plain);
        frame.held.pop();
        body
    }

    fn free_mutex(&mut self, frame: &Frame) -> Option<usize> {
        let free: Vec<usize> = (0..self.mutexes).filter(|m| !frame.held.contains(m)).collect();
        (!free.is_empty()).then(|| *self.rng.pick(&free))
    }

    fn assertion(&mut self, frame: &Frame) -> Stmt {
        // Often something that holds most of the time: else every program has a failing assertion.
        let e = match self.rng.below(4) {
            0 => self.expr(frame, 1),
            1 => {
                let (x, bound) = (self.target(frame), self.rng.between(2, 3));
                Expr::Binary(Binary::Lt, Box::new(Expr::Read(x)), Box::new(Expr::Const(bound as i64)))
            }
            _ => {
                let (a, b) = (self.comparison(frame), self.comparison(frame));
                Expr::Or(Box::new(a), Box::new(b))
            }
        };
        self.assert(e)
    }

    pub fn assert(&mut self, e: Expr) -> Stmt {
        self.assertions += 1;
        Stmt::Assert(self.assertions - 1, e)
    }

    /// Mostly a global: locals are less interesting.
    fn target(&mut self, frame: &Frame) -> Target {
        if !self.pairs.is_empty()
            && self.rng.chance(25)
            && let Some(member) = self.member(frame)
        {
            return member;
        }
        let permitted = |g: &usize| self.guards[*g].is_none_or(|mutex| frame.held.contains(&mutex));
        let globals: Vec<usize> = (0..self.globals).filter(permitted).collect();
        if frame.usable > 0 && (globals.is_empty() || self.rng.chance(25)) {
            Target::Local(self.rng.below(frame.usable))
        } else if globals.is_empty() {
            Target::Global(self.rng.below(self.globals))
        } else {
            Target::Global(*self.rng.pick(&globals))
        }
    }

    fn comparison(&mut self, frame: &Frame) -> Expr {
        let op = *self.rng.pick(&[Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le]);
        let (left, right) = (self.target(frame), self.expr(frame, 0));
        Expr::Binary(op, Box::new(Expr::Read(left)), Box::new(right))
    }

    /// An expression with a side effect, sequenced with whatever else it does.
    fn effect(&mut self, frame: &Frame) -> Expr {
        let x = self.target(frame);
        let effect = match self.rng.below(3) {
            0 => Expr::PostIncrement(x),
            1 => Expr::PreIncrement(x),
            _ => Expr::Assign(x, Box::new(self.expr(frame, 0))),
        };
        match self.rng.below(4) {
            0 => Expr::And(Box::new(effect), Box::new(self.expr(frame, 0))),
            1 => Expr::Or(Box::new(self.expr(frame, 0)), Box::new(effect)),
            _ => effect,
        }
    }

    /// A pure expression.
    pub fn expr(&mut self, frame: &Frame, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(30) {
            return match self.rng.below(10) {
                0 => Expr::Nondet,
                1..=4 => Expr::Const(self.rng.below(3) as i64),
                _ => Expr::Read(self.target(frame)),
            };
        }
        let (a, b) = (Box::new(self.expr(frame, depth - 1)), Box::new(self.expr(frame, depth - 1)));
        match self.rng.below(12) {
            0..=3 => Expr::Binary(Binary::Add, a, b),
            4 => Expr::Binary(Binary::Mul, a, b),
            5 => Expr::And(a, b),
            6 => Expr::Or(a, b),
            7 => Expr::Not(a),
            8 => Expr::Conditional(a, b, Box::new(self.expr(frame, depth - 1))),
            _ => Expr::Binary(*self.rng.pick(&[Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le]), a, b),
        }
    }
}
