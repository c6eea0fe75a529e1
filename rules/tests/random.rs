//! Random small programs against a brute-force search of all their states: no rule may contradict it, and nearly all must be
//! decided.

use std::collections::{BTreeSet, VecDeque};

use check::{State, initial, is_error, step};
use program::{
    Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term, Thread,
    ThreadId, Transition, UbKind, Value, Var, VarId, VarKind,
};
use rules::{Options, Rule, Verdict, prove};

/// A small deterministic generator (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).expect("small")]
    }
}

struct Generator {
    rng: Rng,
    vars: Vec<Var>,
}

fn var(name: String, owner: Owner, ty: IntType, init: Init) -> Var {
    let kind = VarKind::User;
    Var { name, sort: Sort::Int, owner, kind, ty, length: None, init, span: Span::default() }
}

impl Generator {
    fn program(seed: u64) -> Program {
        let rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut generator = Generator { rng, vars: Vec::new() };
        let threads = 2 + generator.rng.below(2);
        let small = IntType::new(2, false);
        for k in 0..2 + generator.rng.below(2) {
            let arbitrary = generator.rng.below(5) == 0;
            let init =
                if arbitrary { Init::Arbitrary } else { Init::Value(Term::int(i128::from(generator.rng.below(2)))) };
            generator.vars.push(var(format!("g{k}"), Owner::Global, small, init));
        }
        for t in 0..threads {
            let owner = ThreadId(u32::try_from(t).expect("few"));
            generator.vars.push(var(format!("l{t}"), Owner::Local(owner), small, Init::Arbitrary));
            generator.vars.push(var(format!("i{t}"), Owner::Input(owner), IntType::new(1, false), Init::Arbitrary));
        }
        let mut threads: Vec<Thread> =
            (0..threads).map(|t| generator.thread(ThreadId(u32::try_from(t).expect("few")))).collect();
        program::confine(&generator.vars, &mut threads);
        Program::new(vec!["random".into()], generator.vars, threads).expect("well formed")
    }

    fn thread(&mut self, id: ThreadId) -> Thread {
        let plain = 3 + self.rng.below(3);
        let mut locations = vec![Location { kind: LocationKind::Error(Property::UnreachCall), span: Span::default() }];
        locations.extend((0..plain).map(|_| Location { kind: LocationKind::Plain, span: Span::default() }));
        let mut transitions = Vec::new();
        for source in 1..=plain {
            for _ in 0..1 + self.rng.below(2) {
                let target = 1 + self.rng.below(plain);
                transitions.push(self.transition(id, source, target));
            }
        }
        if id.0 == 0 || self.rng.below(2) == 0 {
            let source = 1 + self.rng.below(plain);
            let mut check = self.transition(id, source, 0);
            while check.guard.len() < 2 {
                let guard = self.guard(id);
                if guard.as_bool().is_none() {
                    check.guard.push(guard);
                }
            }
            check.updates.clear();
            check.defined.clear();
            check.inputs = self.inputs(&check);
            transitions.push(check);
        }
        transitions.sort_by_key(|t| t.source);
        Thread { name: format!("t{}", id.0), entry: LocationId(1), locations, transitions, span: Span::default() }
    }

    fn transition(&mut self, id: ThreadId, source: u64, target: u64) -> Transition {
        let location = |l: u64| LocationId(u32::try_from(l).expect("few"));
        let guard: Vec<Term> =
            (0..self.rng.below(3)).map(|_| self.guard(id)).filter(|g| g.as_bool().is_none()).collect();
        let mut updates = Vec::new();
        let mut defined = Vec::new();
        let written: BTreeSet<VarId> = (0..self.rng.below(3)).map(|_| self.written(id)).collect();
        for target in written {
            let value = self.value(id);
            let range = value.within(0, 3);
            if range.as_bool() != Some(true) {
                defined.push(Definedness { condition: range, kind: UbKind::SignedOverflow, span: Span::default() });
            }
            updates.push((target, value));
        }
        let (source, target) = (location(source), location(target));
        let mut t = Transition { source, target, inputs: vec![], guard, updates, defined, span: Span::default() };
        t.inputs = self.inputs(&t);
        t
    }

    fn inputs(&self, t: &Transition) -> Vec<VarId> {
        let is_input = |v: &VarId| matches!(self.vars[v.0 as usize].owner, Owner::Input(_));
        t.reads().into_iter().filter(is_input).collect()
    }

    fn readable(&mut self, id: ThreadId, inputs: bool) -> Term {
        let mine = |v: &Var| match v.owner {
            Owner::Global => true,
            Owner::Local(t) => t == id,
            Owner::Input(t) => inputs && t == id,
        };
        let all: Vec<u32> = (0u32..).zip(&self.vars).filter(|(_, v)| mine(v)).map(|(k, _)| k).collect();
        Term::var(VarId(self.rng.pick(&all)), Sort::Int)
    }

    fn written(&mut self, id: ThreadId) -> VarId {
        self.readable(id, false).as_var().expect("a variable")
    }

    fn value(&mut self, id: ThreadId) -> Term {
        let constant = Term::int(i128::from(self.rng.below(4)));
        match self.rng.below(5) {
            0 | 1 => constant,
            2 => self.readable(id, true),
            3 => self.readable(id, true).add(Term::int(1)),
            _ => self.readable(id, false).sub(self.readable(id, true)),
        }
    }

    fn guard(&mut self, id: ThreadId) -> Term {
        let left = self.readable(id, true);
        let right =
            if self.rng.below(3) == 0 { self.readable(id, false) } else { Term::int(i128::from(self.rng.below(4))) };
        match self.rng.below(4) {
            0 => left.le(right),
            1 => left.eq_to(right),
            2 => Term::ne(left, right),
            _ => right.lt(left),
        }
    }
}

/// Whether an error is reachable, by visiting every state.
fn brute_force(program: &Program) -> bool {
    let mut queue: VecDeque<State> = VecDeque::new();
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let arbitrary: Vec<VarId> =
        program.state_vars().filter(|(_, v)| v.init == Init::Arbitrary).map(|(id, _)| id).collect();
    for choice in 0..4u32.pow(u32::try_from(arbitrary.len()).expect("few")) {
        let value = |id: VarId| {
            let k = arbitrary.iter().position(|a| *a == id).expect("arbitrary");
            Value::Int(i128::from(choice >> (2 * k) & 3))
        };
        let state = initial(program, &mut |id, _| value(id)).expect("in range");
        if seen.insert(state.clone()) {
            queue.push_back(state);
        }
    }
    while let Some(state) = queue.pop_front() {
        if is_error(program, &state) {
            return true;
        }
        for (thread, graph) in program.threads() {
            for index in 0..graph.transitions.len() {
                for input in 0..2 {
                    if let Ok(next) = step(program, &state, thread, index, &|_| Value::Int(input))
                        && seen.insert(next.clone())
                    {
                        queue.push_back(next);
                    }
                }
            }
        }
    }
    false
}

#[test]
fn no_rule_contradicts_brute_force() {
    let first: u64 = std::env::var("THREADER_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("THREADER_RANDOM").ok().and_then(|s| s.parse().ok()).unwrap_or(60);
    let (mut decided, mut reachable) = (0, 0);
    let mut undecided = Vec::new();
    for seed in first..first + count {
        let program = Generator::program(seed);
        let error = brute_force(&program);
        reachable += u64::from(error);
        for rule in Rule::ALL {
            let options = Options { refinements: 60, states: 20_000, ..Options::new(rule) };
            match prove(&program, &options).verdict {
                Verdict::Safe(_) => assert!(!error, "seed {seed}, {rule}: a proof of an unsafe program\n{program}"),
                Verdict::Unsafe(_) => assert!(error, "seed {seed}, {rule}: a run of a safe program\n{program}"),
                Verdict::Unknown(reason) => {
                    undecided.push(format!("seed {seed}, {rule}: {reason}"));
                    continue;
                }
            }
            decided += 1;
        }
    }
    assert!(reachable * 10 > count && reachable * 10 < count * 9, "{reachable} of {count} programs are unsafe");
    assert!(decided * 100 >= count * 3 * 95, "{decided} of {}; {undecided:#?}", count * 3);
}
