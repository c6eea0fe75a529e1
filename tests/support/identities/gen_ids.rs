//! Random programs about ids of threads and keys, without undefined behaviour.
//!
//! Of each handle it is known what it may hold, so that nobody joins or detaches a thread that is gone: only one that is there, or
//! zero, which is no thread. What a thread stores is looked at only after it has been joined.

use super::super::rng::Rng;
use super::id_ast::{Cond, Id, Ids, Stmt, Worker};
use super::{Case, Op, balanced, id_runs};

/// The case with this number.
pub fn case(seed: u64, number: u64) -> Case {
    balanced(seed, number, |rng| {
        let program = Maker::new(rng).program();
        (program.c_text(), id_runs::explore(&program))
    })
}

/// What a handle holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Zero,
    /// The id of this thread, or zero if it was not created.
    Thread(usize),
    Other,
}

/// What is known of a thread.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Whether it may be joined or detached.
    joinable: bool,
    stores: Option<usize>,
}

struct Maker<'a> {
    rng: &'a mut Rng,
    program: Ids,
    handles: Vec<Content>,
    threads: Vec<Known>,
    /// Whether somebody may be about to store there.
    pending: Vec<bool>,
    /// The keys, and whether they still exist.
    keys: Vec<bool>,
    /// How many ids may still be created: keeps the number of executions small.
    budget: usize,
}

impl<'a> Maker<'a> {
    fn new(rng: &'a mut Rng) -> Maker<'a> {
        let handles = rng.between(2, 3);
        let stored = rng.below(3);
        let constants = match rng.chance(25) {
            true => vec![*rng.pick(&[1, 2, 100, 100_000, u64::MAX])],
            false => vec![],
        };
        let budget = if constants.is_empty() { 4 } else { 3 };
        let program = Ids { handles, stored, in_array: rng.chance(30), constants, ..Ids::default() };
        let (handles, pending) = (vec![Content::Zero; handles], vec![false; stored]);
        Maker { rng, program, handles, threads: vec![], pending, keys: vec![], budget }
    }

    fn program(mut self) -> Ids {
        let mut main = Vec::new();
        for _ in 0..self.rng.between(3, 7) {
            let stmt = self.stmt();
            main.push(stmt);
            if self.rng.chance(15) {
                let cond = self.assertion();
                main.push(Stmt::Assert(cond));
            }
        }
        let cond = self.assertion();
        main.push(Stmt::Assert(cond));
        Ids { main, keys: self.keys.len(), ..self.program }
    }

    fn stmt(&mut self) -> Stmt {
        match self.rng.weighted(&[45, 12, 10, 10]) {
            0 => self.simple(),
            1 => self.sometimes(),
            2 => self.run(),
            _ => self.key(),
        }
    }

    fn simple(&mut self) -> Stmt {
        match self.rng.weighted(&[40, 30, 15, 8]) {
            0 => self.create(),
            1 => self.end(Stmt::Join),
            2 => self.end(Stmt::Detach),
            _ => self.set(),
        }
    }

    fn spend(&mut self) -> bool {
        let some = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        some
    }

    fn create(&mut self) -> Stmt {
        if !self.spend() {
            return self.end(Stmt::Join);
        }
        // Mostly where no thread would be forgotten.
        let idle: Vec<usize> = (0..self.handles.len()).filter(|n| !self.is_joinable(*n)).collect();
        let handle = if idle.is_empty() || self.rng.chance(20) {
            self.rng.below(self.handles.len())
        } else {
            *self.rng.pick(&idle)
        };
        let free: Vec<usize> = (0..self.pending.len()).filter(|n| !self.pending[*n]).collect();
        let stores = (!free.is_empty() && self.rng.chance(50)).then(|| *self.rng.pick(&free));
        if let Some(n) = stores {
            self.pending[n] = true;
        }
        self.threads.push(Known { joinable: true, stores });
        self.handles[handle] = Content::Thread(self.threads.len() - 1);
        Stmt::Create(handle, stores.map_or(Worker::Nothing, Worker::Stores))
    }

    fn is_joinable(&self, handle: usize) -> bool {
        matches!(self.handles[handle], Content::Thread(n) if self.threads[n].joinable)
    }

    /// Joins or detaches a thread, or what is none.
    fn end(&mut self, make: fn(usize, usize) -> Stmt) -> Stmt {
        let possible = |n: &usize| self.handles[*n] == Content::Zero || self.is_joinable(*n);
        let possible: Vec<usize> = (0..self.handles.len()).filter(possible).collect();
        let threads: Vec<usize> = possible.iter().copied().filter(|n| self.is_joinable(*n)).collect();
        let handle = match (threads.is_empty(), possible.is_empty()) {
            (false, _) if self.rng.chance(85) => *self.rng.pick(&threads),
            (_, false) => *self.rng.pick(&possible),
            _ => return self.set(),
        };
        let result = self.program.results;
        self.program.results += 1;
        let stmt = make(handle, result);
        if let Content::Thread(n) = self.handles[handle] {
            self.threads[n].joinable = false;
            if let (Stmt::Join(..), Some(stored)) = (&stmt, self.threads[n].stores) {
                self.pending[stored] = false;
            }
        }
        stmt
    }

    /// Copies a handle, or makes it zero.
    fn set(&mut self) -> Stmt {
        let handle = self.rng.below(self.handles.len());
        let from = self.rng.below(self.handles.len());
        if from == handle {
            self.handles[handle] = Content::Zero;
            return Stmt::Set(handle, Id::Const(0));
        }
        self.handles[handle] = self.handles[from];
        Stmt::Set(handle, Id::Handle(from))
    }

    /// Something that happens for some inputs only.
    fn sometimes(&mut self) -> Stmt {
        let (handles, pending) = (self.handles.clone(), self.pending.clone());
        let body = vec![self.simple()];
        for (now, before) in self.handles.iter_mut().zip(handles) {
            *now = match (before, *now) {
                (before, now) if before == now => now,
                (Content::Zero, Content::Thread(n)) => Content::Thread(n),
                _ => Content::Other,
            };
        }
        self.pending.iter_mut().zip(pending).for_each(|(now, before)| *now |= before);
        self.program.inputs += 1;
        Stmt::If(self.program.inputs - 1, body)
    }

    /// A thread that asserts something about its own id.
    fn run(&mut self) -> Stmt {
        if !self.spend() {
            return self.end(Stmt::Join);
        }
        let cond = self.assertion();
        // Results are main's own.
        let cond = if mentions_results(&cond) { Cond::Compare(Op::Ne, Id::Own, Id::Handle(0)) } else { cond };
        self.program.asserted.push(cond);
        Stmt::Run(self.program.asserted.len() - 1)
    }

    fn key(&mut self) -> Stmt {
        if let Some(n) = self.keys.iter().position(|exists| *exists)
            && self.rng.chance(10)
        {
            self.keys[n] = false;
            return Stmt::DeleteKey(n);
        }
        if self.keys.len() >= 2 || !self.spend() {
            return self.create();
        }
        self.keys.push(true);
        Stmt::CreateKey(self.keys.len() - 1)
    }

    fn assertion(&mut self) -> Cond {
        if self.rng.chance(35) {
            return self.atom();
        }
        if self.rng.chance(20) {
            return self.chain();
        }
        let (a, b) = if self.rng.chance(60) {
            let (p, q) = self.pair();
            (self.comparison(p, q), self.comparison(q, p))
        } else {
            (self.atom(), self.atom())
        };
        let a = if self.rng.chance(30) { Cond::Not(Box::new(a)) } else { a };
        let (a, b) = (Box::new(a), Box::new(b));
        match self.rng.weighted(&[50, 20, 30]) {
            0 => Cond::Or(a, b),
            1 => Cond::And(a, b),
            _ => Cond::Same(a, b),
        }
    }

    /// Two ids of which one number can be one, but not both.
    fn chain(&mut self) -> Cond {
        let ((a, _), (b, _)) = (self.pair(), self.pair());
        let number = self.number();
        let op = *self.rng.pick(&[Op::Ne, Op::Ne, Op::Lt]);
        Cond::Or(Box::new(Cond::Compare(op, a, number)), Box::new(Cond::Compare(op, b, number)))
    }

    fn atom(&mut self) -> Cond {
        if self.program.results > 0 && self.rng.chance(20) {
            return Cond::Failed(self.rng.below(self.program.results));
        }
        let (a, b) = self.pair();
        self.comparison(a, b)
    }

    /// Two ids of one kind, or an id and a number.
    fn pair(&mut self) -> (Id, Id) {
        if !self.keys.is_empty() && self.rng.chance(30) {
            let a = Id::Key(self.rng.below(self.keys.len()));
            let b = if self.rng.chance(60) { Id::Key(self.rng.below(self.keys.len())) } else { self.number() };
            return (a, b);
        }
        let a = self.thread();
        let b = if self.rng.chance(75) { self.thread() } else { self.number() };
        (a, b)
    }

    fn thread(&mut self) -> Id {
        let readable: Vec<usize> = (0..self.pending.len()).filter(|n| !self.pending[*n]).collect();
        match self.rng.weighted(&[60, 20, 20]) {
            1 => Id::Own,
            2 if !readable.is_empty() => Id::Stored(*self.rng.pick(&readable)),
            _ => Id::Handle(self.rng.below(self.handles.len())),
        }
    }

    fn number(&mut self) -> Id {
        match self.program.constants.first() {
            Some(constant) if self.rng.chance(75) => Id::Const(*constant),
            _ => Id::Const(0),
        }
    }

    fn comparison(&mut self, a: Id, b: Id) -> Cond {
        let is_key = |id: Id| matches!(id, Id::Key(_));
        if !is_key(a) && !is_key(b) && self.rng.chance(35) {
            return Cond::Equal(a, b);
        }
        Cond::Compare(*self.rng.pick(&[Op::Ne, Op::Ne, Op::Eq, Op::Lt, Op::Le]), a, b)
    }
}

fn mentions_results(cond: &Cond) -> bool {
    match cond {
        Cond::Failed(_) => true,
        Cond::Compare(..) | Cond::Equal(..) => false,
        Cond::Not(a) => mentions_results(a),
        Cond::And(a, b) | Cond::Or(a, b) | Cond::Same(a, b) => mentions_results(a) || mentions_results(b),
    }
}
