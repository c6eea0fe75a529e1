//! Exhaustive execution of generated multi-threaded programs from their syntax trees, without frontend and Program.
//!
//! Each thread's statements become instructions of a stack machine, one of which touches at most one shared object; operands
//! are evaluated left to right. All schedules are explored. Instructions that touch nothing shared are executed at once
//! after the one before them ([`Granularity::Shared`]), or one by one like all others ([`Granularity::Every`]).

use std::collections::{BTreeSet, HashSet};

use super::brute_pairs::PairOp;
use super::pairs::{Member, Pair, Record};
use super::thread_ast::{Binary, Expr, Function, Stmt, Target, Threads};

/// What a schedule switches between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    Shared,
    Every,
}

/// Local instructions without a shared one between them, after which a thread is in an endless loop.
const ENDLESS: usize = 1_000;

/// What all schedules together can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The assertions, by number, that can fail.
    pub failures: BTreeSet<usize>,
    /// The globals' values, and those of the shared structs' members, where every thread that was started has ended.
    pub finals: BTreeSet<Vec<i64>>,
    /// How many states were met.
    pub states: usize,
}

/// Explores all schedules; nothing if there are more states than the limit.
pub fn explore(program: &Threads, granularity: Granularity, limit: usize) -> Option<Outcome> {
    let machine = Machine::new(program);
    let mut outcome = Outcome::default();
    let mut start = machine.start(program);
    if granularity == Granularity::Shared && machine.settle(&mut start, 0, &mut outcome.failures).is_none() {
        return Some(outcome);
    }
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if state.threads.iter().enumerate().all(|(t, thread)| !thread.started || machine.code[t][thread.pc] == Op::End)
        {
            let members = state.pairs.iter().flatten();
            outcome.finals.insert(state.globals.iter().chain(members).copied().collect());
        }
        for t in 0..state.threads.len() {
            for mut next in machine.successors(&state, t, &mut outcome.failures) {
                let lives =
                    granularity == Granularity::Every || machine.settle(&mut next, t, &mut outcome.failures).is_some();
                if lives && seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    outcome.states = seen.len();
    Some(outcome)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Push(i64),
    Pop,
    Duplicate,
    Swap,
    LoadGlobal(usize),
    StoreGlobal(usize),
    /// Adds the top of the stack to an `_Atomic` object in one step, leaving the old value.
    FetchAdd(usize),
    LoadLocal(usize),
    StoreLocal(usize),
    LoadMember(usize, Member),
    StoreMember(usize, Member),
    LoadLocalMember(usize, Member),
    StoreLocalMember(usize, Member),
    /// On a shared struct as a whole.
    Pair(usize, PairOp),
    Binary(Binary),
    /// The sum, not taken modulo anything.
    Sum,
    Not,
    Jump(usize),
    JumpIfZero(usize),
    Nondet,
    Assume,
    Assert(usize),
    Lock(usize),
    /// Leaves 1 if the lock was taken, else 0.
    TryLock(usize),
    Unlock(usize),
    AtomicBegin,
    AtomicEnd,
    Create(usize),
    Join(usize),
    /// Never goes on.
    Block,
    End,
}

impl Op {
    /// Whether it touches nothing shared and has one outcome.
    fn is_local(self) -> bool {
        use Op::*;
        matches!(
            self,
            Push(_)
                | Pop
                | Duplicate
                | Swap
                | LoadLocal(_)
                | StoreLocal(_)
                | LoadLocalMember(..)
                | StoreLocalMember(..)
                | Binary(_)
                | Sum
                | Not
                | Jump(_)
                | JumpIfZero(_)
                | Assume
                | Assert(_)
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ThreadState {
    started: bool,
    pc: usize,
    locals: Vec<i64>,
    pairs: Vec<[i64; 2]>,
    stack: Vec<i64>,
}

/// Threads are numbered from 0, which is main: the n-th created thread has number n + 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<ThreadState>,
    globals: Vec<i64>,
    pairs: Vec<[i64; 2]>,
    /// The holder of each mutex.
    mutexes: Vec<Option<usize>>,
    /// Who is inside an atomic section.
    owner: Option<usize>,
}

struct Machine {
    code: Vec<Vec<Op>>,
}

impl Machine {
    fn new(program: &Threads) -> Machine {
        let functions = std::iter::once(&program.main).chain(program.threads.iter().map(|f| &program.functions[*f]));
        Machine { code: functions.map(|f| Compiler::function(program, f)).collect() }
    }

    fn start(&self, program: &Threads) -> State {
        let thread = |f: &Function, started| ThreadState {
            started,
            pc: 0,
            locals: f.locals.clone(),
            pairs: (1..).take(f.pairs).map(|value| [value; 2]).collect(),
            stack: vec![],
        };
        let mut threads = vec![thread(&program.main, true)];
        threads.extend(program.threads.iter().map(|f| thread(&program.functions[*f], false)));
        State {
            threads,
            globals: program.globals.iter().map(|g| g.initial).collect(),
            pairs: vec![[0, 0]; program.pairs.len()],
            mutexes: vec![None; program.mutexes],
            owner: None,
        }
    }

    /// Runs a thread's local instructions up to its next shared one; nothing if an assertion fails on the way.
    fn settle(&self, state: &mut State, t: usize, failures: &mut BTreeSet<usize>) -> Option<()> {
        for _ in 0..ENDLESS {
            let op = self.code[t][state.threads[t].pc];
            if !op.is_local() || !state.threads[t].started || !local(&mut state.threads[t], op, failures)? {
                return Some(());
            }
        }
        // Loops that end are short: this one waits for a local, for ever. So does the instruction after the last one.
        state.threads[t].pc = self.code[t].len() - 1;
        Some(())
    }

    /// What one instruction of a thread can lead to.
    fn successors(&self, state: &State, t: usize, failures: &mut BTreeSet<usize>) -> Vec<State> {
        let op = self.code[t][state.threads[t].pc];
        if !state.threads[t].started || state.owner.is_some_and(|owner| owner != t) {
            return vec![];
        }
        let mut next = state.clone();
        if op.is_local() {
            return match local(&mut next.threads[t], op, failures) {
                Some(true) => vec![next],
                _ => vec![],
            };
        }
        if op == Op::Nondet {
            let choice = |v| {
                let mut chosen = state.clone();
                chosen.threads[t].stack.push(v);
                chosen.threads[t].pc += 1;
                chosen
            };
            return (0..3).map(choice).collect();
        }
        if let Op::Pair(s, op) = op {
            let outcome = |(pair, stack): ([i64; 2], Vec<i64>)| {
                let mut next = state.clone();
                next.pairs[s] = pair;
                next.threads[t].stack = stack;
                next.threads[t].pc += 1;
                next
            };
            return op.outcomes(state.pairs[s], &state.threads[t].stack).into_iter().map(outcome).collect();
        }
        if !self.shared(&mut next, t, op) {
            return vec![];
        }
        next.threads[t].pc += 1;
        vec![next]
    }

    /// Executes an instruction on shared objects; false if it must wait.
    fn shared(&self, state: &mut State, t: usize, op: Op) -> bool {
        let stack = &mut state.threads[t].stack;
        match op {
            Op::LoadGlobal(g) => stack.push(state.globals[g]),
            Op::StoreGlobal(g) => state.globals[g] = pop(stack),
            Op::LoadMember(s, m) => stack.push(state.pairs[s][m as usize]),
            Op::StoreMember(s, m) => state.pairs[s][m as usize] = pop(stack),
            Op::FetchAdd(g) => {
                let addend = pop(stack);
                stack.push(state.globals[g]);
                state.globals[g] += addend;
            }
            Op::Lock(m) if state.mutexes[m].is_none() => state.mutexes[m] = Some(t),
            Op::TryLock(m) => {
                let free = state.mutexes[m].is_none();
                stack.push(i64::from(free));
                if free {
                    state.mutexes[m] = Some(t);
                }
            }
            Op::Unlock(m) => state.mutexes[m] = None,
            Op::AtomicBegin => state.owner = Some(t),
            Op::AtomicEnd => state.owner = None,
            Op::Create(n) => state.threads[n + 1].started = true,
            Op::Join(n) => return self.code[n + 1][state.threads[n + 1].pc] == Op::End,
            _ => return false,
        }
        true
    }
}

/// Executes a local instruction: false if it blocks, nothing if an assertion fails.
fn local(thread: &mut ThreadState, op: Op, failures: &mut BTreeSet<usize>) -> Option<bool> {
    let stack = &mut thread.stack;
    let mut next = thread.pc + 1;
    match op {
        Op::Push(v) => stack.push(v),
        Op::Pop => {
            pop(stack);
        }
        Op::Duplicate => {
            let top = pop(stack);
            stack.extend([top, top]);
        }
        Op::Swap => {
            let (top, below) = (pop(stack), pop(stack));
            stack.extend([top, below]);
        }
        Op::LoadLocalMember(v, m) => stack.push(thread.pairs[v][m as usize]),
        Op::StoreLocalMember(v, m) => thread.pairs[v][m as usize] = pop(stack),
        Op::LoadLocal(l) => stack.push(thread.locals[l]),
        Op::StoreLocal(l) => thread.locals[l] = pop(stack),
        Op::Binary(op) => {
            let (right, left) = (pop(stack), pop(stack));
            stack.push(binary(op, left, right));
        }
        Op::Sum => {
            let (right, left) = (pop(stack), pop(stack));
            stack.push(left + right);
        }
        Op::Not => {
            let top = pop(stack);
            stack.push(i64::from(top == 0));
        }
        Op::Jump(target) => next = target,
        Op::JumpIfZero(target) => {
            if pop(stack) == 0 {
                next = target;
            }
        }
        // The condition stays where it is: a thread that blocks here blocks for ever.
        Op::Assume if stack.last() == Some(&0) => return Some(false),
        Op::Assume => {
            pop(stack);
        }
        Op::Assert(number) => {
            if pop(stack) == 0 {
                failures.insert(number);
                return None;
            }
        }
        _ => unreachable!("{op:?} is not local"),
    }
    thread.pc = next;
    Some(true)
}

fn pop(stack: &mut Vec<i64>) -> i64 {
    stack.pop().expect("compiled code balances its stack")
}

fn binary(op: Binary, left: i64, right: i64) -> i64 {
    match op {
        Binary::Add => (left + right) % 3,
        Binary::Mul => (left * right) % 3,
        Binary::Eq => i64::from(left == right),
        Binary::Ne => i64::from(left != right),
        Binary::Lt => i64::from(left < right),
        Binary::Le => i64::from(left <= right),
    }
}

/// The instructions of one thread so far.
pub(super) struct Compiler<'a> {
    program: &'a Threads,
    code: Vec<Op>,
    /// Jumps to the function's end, to be patched.
    returns: Vec<usize>,
}

impl Compiler<'_> {
    fn function(program: &Threads, function: &Function) -> Vec<Op> {
        let mut compiler = Compiler { program, code: vec![], returns: vec![] };
        compiler.block(&function.body);
        let end = compiler.code.len();
        for at in std::mem::take(&mut compiler.returns) {
            compiler.code[at] = Op::Jump(end);
        }
        compiler.code.extend([Op::End, Op::Block]);
        compiler.code
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    pub(super) fn emit(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.code.len() - 1
    }

    pub(super) fn code_of(&mut self, ops: &[Op]) {
        self.code.extend(ops);
    }

    pub(super) fn patch(&mut self, at: usize, op: Op) {
        self.code[at] = op;
    }

    pub(super) fn pair(&self, number: usize) -> Pair {
        self.program.pairs[number]
    }

    pub(super) fn here(&self) -> usize {
        self.code.len()
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(e) => {
                self.expr(e);
                self.emit(Op::Pop);
            }
            Stmt::AddTo(x, e) => {
                self.add_to(*x, e);
                self.emit(Op::Pop);
            }
            Stmt::If(c, then, otherwise) => {
                self.choice(c, &|s: &mut Self| s.block(then), &|s: &mut Self| s.block(otherwise));
            }
            Stmt::Repeat { counter, bound, until, body } => self.repeat(*counter, *bound, until.as_ref(), body),
            Stmt::Await(e) => {
                let head = self.here();
                self.expr(e);
                self.emit(Op::JumpIfZero(head));
            }
            Stmt::Locked(m, body) => {
                self.emit(Op::Lock(*m));
                self.block(body);
                self.emit(Op::Unlock(*m));
            }
            Stmt::TryLocked(m, body) => {
                self.emit(Op::TryLock(*m));
                let skip = self.emit(Op::Block);
                self.block(body);
                self.emit(Op::Unlock(*m));
                self.code[skip] = Op::JumpIfZero(self.here());
            }
            Stmt::Atomic(body) => self.atomic(body),
            Stmt::AtomicCall(n) => self.atomic(&self.program.atomics[*n]),
            Stmt::Assume(e) => {
                self.expr(e);
                self.emit(Op::Assume);
            }
            Stmt::Assert(number, e) => {
                self.expr(e);
                self.emit(Op::Assert(*number));
            }
            Stmt::Return => {
                let at = self.emit(Op::Block);
                self.returns.push(at);
            }
            Stmt::Abort | Stmt::Exit => {
                self.emit(Op::Block);
            }
            Stmt::Create(n) => {
                self.emit(Op::Create(*n));
            }
            Stmt::Join(n) => {
                self.emit(Op::Join(*n));
            }
            Stmt::Whole(whole) => self.whole(whole),
        }
    }

    fn atomic(&mut self, body: &[Stmt]) {
        self.emit(Op::AtomicBegin);
        self.block(body);
        self.emit(Op::AtomicEnd);
    }

    fn repeat(&mut self, counter: usize, bound: i64, until: Option<&Expr>, body: &[Stmt]) {
        self.code.extend([Op::Push(0), Op::StoreLocal(counter)]);
        let head = self.here();
        self.code.extend([Op::LoadLocal(counter), Op::Push(bound), Op::Binary(Binary::Lt)]);
        let exit = self.emit(Op::Block);
        self.block(body);
        let leave = until.map(|e| {
            self.expr(e);
            self.emit(Op::Not);
            self.emit(Op::Block)
        });
        self.code.extend([Op::LoadLocal(counter), Op::Push(1), Op::Sum, Op::StoreLocal(counter), Op::Jump(head)]);
        let after = self.here();
        for at in [Some(exit), leave].into_iter().flatten() {
            self.code[at] = Op::JumpIfZero(after);
        }
    }

    pub(super) fn choice(&mut self, c: &Expr, then: &dyn Fn(&mut Self), otherwise: &dyn Fn(&mut Self)) {
        self.expr(c);
        let to_else = self.emit(Op::Block);
        then(self);
        let to_end = self.emit(Op::Block);
        self.code[to_else] = Op::JumpIfZero(self.here());
        otherwise(self);
        self.code[to_end] = Op::Jump(self.here());
    }

    /// Leaves the expression's value on the stack.
    pub(super) fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Const(v) => {
                self.emit(Op::Push(*v));
            }
            Expr::Read(x) => self.load(*x),
            Expr::Nondet => {
                self.emit(Op::Nondet);
            }
            Expr::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.emit(Op::Binary(*op));
            }
            Expr::Not(a) => {
                self.expr(a);
                self.emit(Op::Not);
            }
            Expr::And(a, b) => self.choice(a, &|s: &mut Self| s.truth(b), &|s: &mut Self| {
                s.emit(Op::Push(0));
            }),
            Expr::Or(a, b) => self.choice(
                a,
                &|s: &mut Self| {
                    s.emit(Op::Push(1));
                },
                &|s: &mut Self| s.truth(b),
            ),
            Expr::Conditional(c, a, b) => self.choice(c, &|s: &mut Self| s.expr(a), &|s: &mut Self| s.expr(b)),
            Expr::PostIncrement(x) => {
                self.add_to(*x, &Expr::Const(1));
                // The old value is the new one less what was added.
                self.code.extend([Op::Push(-1), Op::Sum]);
            }
            Expr::PreIncrement(x) => self.add_to(*x, &Expr::Const(1)),
            Expr::Assign(x, e) => {
                self.expr(e);
                self.emit(Op::Duplicate);
                self.store(*x);
            }
        }
    }

    fn truth(&mut self, e: &Expr) {
        self.expr(e);
        self.code.extend([Op::Not, Op::Not]);
    }

    /// `x += e`, leaving the new value: one step on an `_Atomic` object; else a load, the operand, and a store.
    fn add_to(&mut self, x: Target, e: &Expr) {
        match x {
            Target::Global(g) if self.program.globals[g].atomic => {
                self.expr(e);
                self.code.extend([Op::Duplicate, Op::FetchAdd(g), Op::Sum]);
            }
            _ => {
                self.load(x);
                self.expr(e);
                self.code.extend([Op::Sum, Op::Duplicate]);
                self.store(x);
            }
        }
    }

    fn load(&mut self, x: Target) {
        self.emit(match x {
            Target::Global(g) => Op::LoadGlobal(g),
            Target::Local(l) => Op::LoadLocal(l),
            Target::Member(Record::Shared(s), m) => Op::LoadMember(s, m),
            Target::Member(Record::Local(v), m) => Op::LoadLocalMember(v, m),
        });
    }

    fn store(&mut self, x: Target) {
        self.emit(match x {
            Target::Global(g) => Op::StoreGlobal(g),
            Target::Local(l) => Op::StoreLocal(l),
            Target::Member(Record::Shared(s), m) => Op::StoreMember(s, m),
            Target::Member(Record::Local(v), m) => Op::StoreLocalMember(v, m),
        });
    }
}
