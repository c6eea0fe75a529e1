//! Small programs, built by hand.

use program::{
    BitOp, Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term,
    Thread, ThreadId, Transition, UbKind, Var, VarId, VarKind,
};

const INT: IntType = IntType::new(32, true);
const BYTE: IntType = IntType::new(8, false);

/// Collects variables and threads. Lines are made up: one for each step.
struct Builder {
    vars: Vec<Var>,
    threads: Vec<Thread>,
}

impl Builder {
    fn new() -> Builder {
        Builder { vars: Vec::new(), threads: Vec::new() }
    }

    fn var(&mut self, name: &str, owner: Owner, sort: Sort, ty: IntType, init: Init) -> VarId {
        let id = VarId(self.vars.len() as u32);
        let (kind, length, span) = (VarKind::User, (sort == Sort::Array).then_some(4), line(1));
        self.vars.push(Var { name: name.into(), sort, owner, kind, ty, length, init, span });
        id
    }

    fn global(&mut self, name: &str) -> VarId {
        self.var(name, Owner::Global, Sort::Int, INT, Init::Value(Term::int(0)))
    }

    /// A thread with as many plain locations as `steps` use, then an error and an end.
    fn thread(&mut self, name: &str, plain: u32, steps: Vec<Transition>) {
        let at = |k| Location { kind: LocationKind::Plain, span: line(10 + k) };
        let mut locations: Vec<Location> = (0..plain).map(at).collect();
        locations.push(Location { kind: LocationKind::Error(Property::UnreachCall), span: line(50) });
        locations.push(Location { kind: LocationKind::End, span: line(60) });
        let (name, entry, span) = (name.into(), LocationId(0), line(2));
        self.threads.push(Thread { name, entry, locations, transitions: steps, span });
    }

    fn build(mut self, file: &str) -> Program {
        program::confine(&self.vars, &mut self.threads);
        Program::new(vec![file.into()], self.vars, self.threads).unwrap()
    }
}

fn line(line: u32) -> Span {
    Span { file: 0, line, column: 1 }
}

fn int(var: VarId) -> Term {
    Term::var(var, Sort::Int)
}

fn step(source: u32, target: u32, guard: Vec<Term>, updates: Vec<(VarId, Term)>) -> Transition {
    let (source, target, span) = (LocationId(source), LocationId(target), line(10 + source));
    Transition { source, target, inputs: vec![], guard, updates, defined: vec![], span }
}

fn requires(mut t: Transition, condition: Term, kind: UbKind) -> Transition {
    t.defined.push(Definedness { condition, kind, span: t.span });
    t
}

/// Two threads count up and down in turns: safe, and thread-modularly so because the lock names its owner.
pub fn lock() -> Program {
    counting("lock.c", true)
}

/// The same without waiting for the lock: unsafe.
pub fn race() -> Program {
    counting("race.c", false)
}

fn counting(file: &str, waiting: bool) -> Program {
    let mut b = Builder::new();
    let (lock, x) = (b.global("lock"), b.global("x"));
    let one = Term::int(1);
    for id in 1..=2 {
        let free = if waiting { vec![int(lock).eq_to(Term::int(0))] } else { vec![] };
        let up = step(1, 2, vec![], vec![(x, int(x).add(one))]);
        let steps = vec![
            step(0, 1, free, vec![(lock, Term::int(id))]),
            requires(up, int(x).lt(Term::int(INT.greatest())), UbKind::SignedOverflow),
            step(2, 5, vec![int(x).ne(one)], vec![]),
            step(2, 3, vec![int(x).eq_to(one)], vec![]),
            step(3, 4, vec![], vec![(x, int(x).sub(one))]),
            step(4, 0, vec![], vec![(lock, Term::int(0))]),
        ];
        b.thread(&format!("t{id}"), 5, steps);
    }
    b.build(file)
}

/// Peterson's algorithm; the critical section writes and reads `busy`.
pub fn peterson() -> Program {
    let mut b = Builder::new();
    let flags = [b.global("flag[0]"), b.global("flag[1]")];
    let (turn, busy) = (b.global("turn"), b.global("busy"));
    for me in 0..2 {
        let (own, other) = (flags[me], flags[1 - me]);
        let (me, you) = (Term::int(me as i128), Term::int(1 - me as i128));
        let zero = Term::int(0);
        let steps = vec![
            step(0, 1, vec![], vec![(own, Term::int(1))]),
            step(1, 2, vec![], vec![(turn, you)]),
            step(2, 4, vec![int(other).eq_to(zero)], vec![]),
            step(2, 3, vec![int(other).ne(zero)], vec![]),
            step(3, 4, vec![int(turn).eq_to(me)], vec![]),
            step(3, 2, vec![int(turn).ne(me)], vec![]),
            step(4, 5, vec![], vec![(busy, me)]),
            step(5, 7, vec![int(busy).ne(me)], vec![]),
            step(5, 6, vec![int(busy).eq_to(me)], vec![]),
            step(6, 0, vec![], vec![(own, zero)]),
        ];
        b.thread(&format!("p{}", me.as_int().unwrap()), 7, steps);
    }
    b.build("peterson.c")
}

/// Inputs, arbitrary initial values, an arbitrary array, wrapping, bits, division, an always undefined step: safe.
pub fn values() -> Program {
    let mut b = Builder::new();
    let bytes = b.var("bytes", Owner::Global, Sort::Array, BYTE, Init::Arbitrary);
    let sum = b.var("sum", Owner::Global, Sort::Int, BYTE, Init::Arbitrary);
    let own = Owner::Local(ThreadId(0));
    let local = b.var("main::i", own, Sort::Int, INT, Init::Arbitrary);
    let input = b.var("main::nondet", Owner::Input(ThreadId(0)), Sort::Int, BYTE, Init::Arbitrary);
    let array = Term::var(bytes, Sort::Array);
    let read = requires(
        step(1, 2, vec![], vec![(sum, int(sum).add(array.select(int(local))).wrap(BYTE))]),
        int(local).within(0, 3),
        UbKind::OutOfBounds,
    );
    let mut choose = step(0, 1, vec![int(input).le(Term::int(3))], vec![(local, int(input))]);
    choose.inputs.push(input);
    let halved = int(sum).div(Term::int(2));
    let masked = Term::bits(BitOp::And, BYTE, int(sum), Term::int(7));
    let mut never = step(2, 0, vec![], vec![]);
    never = requires(never, Term::bool(false), UbKind::Shift);
    let steps = vec![
        choose,
        read,
        step(2, 3, vec![], vec![(bytes, array.store(int(local), halved)), (sum, array.select(int(local)))]),
        never,
        step(3, 4, vec![int(sum).gt_byte()], vec![]),
        step(3, 5, vec![int(sum).gt_byte().not()], vec![(sum, masked)]),
    ];
    b.thread("main", 4, steps);
    b.build("values.c")
}

trait GreaterThanByte {
    fn gt_byte(self) -> Term;
}
impl GreaterThanByte for Term {
    /// That the value is greater than any byte.
    fn gt_byte(self) -> Term {
        Term::int(BYTE.greatest()).lt(self)
    }
}
