//! Executes programs about ids with all ids that their assertions can tell from one another.
//!
//! A thread's id is not zero and not that of another thread whose id lives. It lives until the thread has been joined, or has been
//! detached and has ended. Threads never wait for anything, so one that was detached may have ended at any later time: its id
//! may be given out again at once, and need not be. A key is any number that no other key is.

use super::id_ast::{Cond, Id, Ids, Stmt, Worker};
use super::{Choices, Outcome};

/// Whether an assertion can fail.
pub fn explore(program: &Ids) -> Outcome {
    let numbers = numbers(program);
    let mut choices = Choices::default();
    let mut outcome = Outcome::default();
    loop {
        let mut run = Run::new(program, &numbers, &mut choices);
        let own = run.fresh(Kind::Thread);
        run.own = own;
        if !run.block(&program.main) {
            outcome.fails = true;
            outcome.fails_ascending |= run.given.is_sorted_by(|a, b| a < b);
        }
        if outcome.fails_ascending || !choices.advance() {
            return outcome;
        }
    }
}

/// Enough numbers below, between and above those that ids are compared with.
fn numbers(program: &Ids) -> Vec<u64> {
    let ids = (1 + count(&program.main)) as u64;
    let mut numbers: Vec<u64> = (0..=ids).collect();
    for constant in &program.constants {
        numbers.extend(constant.saturating_sub(ids)..=constant.saturating_add(ids));
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// How many ids the statements create at most.
fn count(body: &[Stmt]) -> usize {
    let each = |stmt: &Stmt| match stmt {
        Stmt::Create(..) | Stmt::Run(_) | Stmt::CreateKey(_) => 1,
        Stmt::If(_, then) => count(then),
        _ => 0,
    };
    body.iter().map(each).sum()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Thread,
    Key,
}

/// One execution.
struct Run<'a> {
    program: &'a Ids,
    numbers: &'a [u64],
    choices: &'a mut Choices,
    own: u64,
    handles: Vec<u64>,
    stored: Vec<u64>,
    keys: Vec<u64>,
    failed: Vec<bool>,
    /// The ids that live.
    living: Vec<(Kind, u64)>,
    /// All ids of threads, and all keys, in the order in which they were given out; keys count from far above, so that both ascend.
    given: Vec<u128>,
}

impl<'a> Run<'a> {
    fn new(program: &'a Ids, numbers: &'a [u64], choices: &'a mut Choices) -> Run<'a> {
        choices.restart();
        Run {
            program,
            numbers,
            choices,
            own: 0,
            handles: vec![0; program.handles],
            stored: vec![0; program.stored],
            keys: vec![0; program.keys],
            failed: vec![false; program.results],
            living: vec![],
            given: vec![],
        }
    }

    fn fresh(&mut self, kind: Kind) -> u64 {
        let is_free = |number: &&u64| {
            let possible = match kind {
                Kind::Thread => **number != 0,
                Kind::Key => **number <= u64::from(u32::MAX),
            };
            possible && !self.living.contains(&(kind, **number))
        };
        let free: Vec<u64> = self.numbers.iter().filter(is_free).copied().collect();
        let id = free[self.choices.below(free.len())];
        self.living.push((kind, id));
        self.given.push(u128::from(id) + if kind == Kind::Key { 1 << 64 } else { 0 });
        id
    }

    /// The id may be given out again. Whether there was a thread with it.
    fn release(&mut self, kind: Kind, id: u64) -> bool {
        let before = self.living.len();
        self.living.retain(|living| *living != (kind, id));
        self.living.len() < before
    }

    /// Runs to the end, which is not where an assertion fails.
    fn block(&mut self, body: &[Stmt]) -> bool {
        for stmt in body {
            match stmt {
                Stmt::Create(handle, worker) => {
                    let id = self.fresh(Kind::Thread);
                    self.handles[*handle] = id;
                    // Nobody looks at what it stores before it has been joined.
                    if let Worker::Stores(n) = worker {
                        self.stored[*n] = id;
                    }
                }
                Stmt::Join(handle, result) | Stmt::Detach(handle, result) => {
                    self.failed[*result] = !self.release(Kind::Thread, self.handles[*handle]);
                }
                Stmt::Set(handle, id) => self.handles[*handle] = self.id(*id, self.own),
                Stmt::Run(n) => {
                    let id = self.fresh(Kind::Thread);
                    if !self.cond(&self.program.asserted[*n], id) {
                        return false;
                    }
                    self.release(Kind::Thread, id);
                }
                Stmt::CreateKey(n) => self.keys[*n] = self.fresh(Kind::Key),
                Stmt::DeleteKey(n) => {
                    self.release(Kind::Key, self.keys[*n]);
                }
                Stmt::If(_, then) => {
                    if self.choices.below(2) == 1 && !self.block(then) {
                        return false;
                    }
                }
                Stmt::Assert(cond) => {
                    if !self.cond(cond, self.own) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn id(&self, id: Id, own: u64) -> u64 {
        match id {
            Id::Handle(n) => self.handles[n],
            Id::Own => own,
            Id::Stored(n) => self.stored[n],
            Id::Key(n) => self.keys[n],
            Id::Const(number) => number,
        }
    }

    fn cond(&self, cond: &Cond, own: u64) -> bool {
        match cond {
            Cond::Compare(op, a, b) => op.holds(self.id(*a, own), self.id(*b, own)),
            Cond::Equal(a, b) => self.id(*a, own) == self.id(*b, own),
            Cond::Failed(n) => self.failed[*n],
            Cond::Not(a) => !self.cond(a, own),
            Cond::And(a, b) => self.cond(a, own) && self.cond(b, own),
            Cond::Or(a, b) => self.cond(a, own) || self.cond(b, own),
            Cond::Same(a, b) => self.cond(a, own) == self.cond(b, own),
        }
    }
}
