//! Random small programs: loops, locks, an array, choices, and variables that start with anything.

use program::{
    Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term, Thread,
    ThreadId, Transition, UbKind, Var, VarId, VarKind,
};

/// The seeds of this run: `THREADER_CASES` of them from `THREADER_SEED` on.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (first, count) = (number("THREADER_SEED").unwrap_or(1), number("THREADER_CASES").unwrap_or(usual));
    first..first + count
}

/// A small deterministic generator (splitmix).
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((word ^ (word >> 31)) % u64::from(n)).expect("small")
    }
    pub fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }
}

/// Every variable has one of four values: all choices can be enumerated.
const RANGE: IntType = IntType::new(2, false);
const ARRAY_LENGTH: i128 = 2;

struct Generator {
    rng: Rng,
    vars: Vec<Var>,
    globals: Vec<VarId>,
    array: Option<VarId>,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator { rng: Rng(seed), vars: Vec::new(), globals: Vec::new(), array: None };
    for k in 0..2 + generator.rng.below(2) {
        let init = if generator.rng.chance(8) {
            Init::Arbitrary
        } else {
            Init::Value(Term::int(i128::from(generator.rng.below(2))))
        };
        let id = generator.var(format!("g{k}"), Sort::Int, Owner::Global, init);
        generator.globals.push(id);
    }
    if generator.rng.chance(3) {
        let zero = Init::Value(Term::const_array(Term::int(0)));
        generator.array = Some(generator.var("a".into(), Sort::Array, Owner::Global, zero));
    }
    let count = 2 + generator.rng.below(2);
    let threads: Vec<Thread> = (0..count).map(|t| generator.thread(ThreadId(t))).collect();
    Program::new(vec!["random".into()], generator.vars, threads).expect("well formed")
}

impl Generator {
    fn var(&mut self, name: String, sort: Sort, owner: Owner, init: Init) -> VarId {
        let (kind, span) = (VarKind::User, Span::default());
        self.vars.push(Var { name, sort, owner, kind, ty: RANGE, length: None, init, span });
        VarId(u32::try_from(self.vars.len() - 1).expect("few"))
    }

    fn thread(&mut self, id: ThreadId) -> Thread {
        let start = if self.rng.chance(4) { Init::Arbitrary } else { Init::Value(Term::int(0)) };
        let local = self.var(format!("l{}", id.0), Sort::Int, Owner::Local(id), start);
        let input = self.var(format!("i{}", id.0), Sort::Int, Owner::Input(id), Init::Arbitrary);
        let plain = 2 + self.rng.below(3);
        // The error, the end, and the others in order; spans tell the locations apart.
        let at = |line: u32| Span { file: 0, line: id.0 * 100 + line, column: 0 };
        let kinds = [LocationKind::Error(Property::UnreachCall), LocationKind::End].into_iter();
        let kinds = kinds.chain((0..plain).map(|_| LocationKind::Plain));
        let locations: Vec<Location> = (1..).zip(kinds).map(|(line, kind)| Location { kind, span: at(line) }).collect();
        let mut transitions = Vec::new();
        for source in 2..plain + 2 {
            for _ in 0..1 + self.rng.below(2) {
                let target = if self.rng.chance(5) { 2 + self.rng.below(plain) } else { source + 1 };
                let target = if target == plain + 2 { 1 } else { target };
                transitions.push(self.step(local, input, source, target));
            }
        }
        if id.0 == 0 || self.rng.chance(2) {
            let source = 2 + self.rng.below(plain);
            let guard = (0..3).map(|_| self.condition(local, None)).filter(|g| g.as_bool().is_none()).collect();
            transitions.push(Transition { guard, ..blank(source, 0) });
        }
        transitions.sort_by_key(|step| step.source);
        for (step, column) in transitions.iter_mut().zip(1..) {
            step.span = Span { column, ..at(step.source.0) };
        }
        Thread { name: format!("t{}", id.0), entry: LocationId(2), locations, transitions, span: at(0) }
    }

    fn step(&mut self, local: VarId, input: VarId, source: u32, target: u32) -> Transition {
        let mut step = blank(source, target);
        let chooses = self.rng.chance(5).then_some(input);
        if self.rng.chance(2) {
            let condition = self.condition(local, chooses);
            step.guard.extend(Some(condition).filter(|c| c.as_bool().is_none()));
        }
        for _ in 0..self.rng.below(3) {
            let target = if self.rng.chance(3) { local } else { self.global() };
            if step.update(target).is_none() {
                let value = self.value(local, chooses);
                self.define(&mut step, value);
                step.updates.push((target, value));
            }
        }
        if let Some(array) = self.array.filter(|_| self.rng.chance(3)) {
            let index = Term::int(i128::from(self.rng.below(2)));
            let value = self.value(local, None);
            self.define(&mut step, value);
            step.updates.push((array, Term::var(array, Sort::Array).store(index, value)));
        }
        let reads = step.reads();
        step.inputs = reads.into_iter().filter(|var| *var == input).collect();
        step
    }

    /// What is assigned must be in range, or the run ends.
    fn define(&self, step: &mut Transition, value: Term) {
        let condition = value.within(RANGE.least(), RANGE.greatest());
        if condition.as_bool() != Some(true) {
            step.defined.push(Definedness { condition, kind: UbKind::SignedOverflow, span: Span::default() });
        }
    }

    fn global(&mut self) -> VarId {
        let count = u32::try_from(self.globals.len()).expect("few");
        self.globals[self.rng.below(count) as usize]
    }

    fn operand(&mut self, local: VarId, input: Option<VarId>) -> Term {
        match (self.rng.below(6), input, self.array) {
            (0, _, _) => Term::var(local, Sort::Int),
            (1 | 2, Some(input), _) => Term::var(input, Sort::Int),
            (3, _, Some(array)) => {
                let index = Term::var(local, Sort::Int);
                let index = if self.rng.chance(2) { Term::int(0) } else { index.rem(Term::int(ARRAY_LENGTH)) };
                Term::var(array, Sort::Array).select(index)
            }
            _ => Term::var(self.global(), Sort::Int),
        }
    }

    fn value(&mut self, local: VarId, input: Option<VarId>) -> Term {
        match self.rng.below(8) {
            0 | 1 => Term::int(i128::from(self.rng.below(4))),
            2 | 3 => self.operand(local, input).add(Term::int(1)),
            4 => self.operand(local, input).mul(self.operand(local, None)),
            5 => {
                let condition = self.condition(local, input);
                Term::ite(condition, self.operand(local, input), Term::int(3))
            }
            _ => self.operand(local, input),
        }
    }

    fn condition(&mut self, local: VarId, input: Option<VarId>) -> Term {
        let left = self.operand(local, input);
        let right =
            if self.rng.chance(3) { self.operand(local, input) } else { Term::int(i128::from(self.rng.below(4))) };
        match self.rng.below(4) {
            0 => left.le(right),
            1 => left.eq_to(right),
            2 => Term::ne(left, right),
            _ => right.lt(left),
        }
    }
}

fn blank(source: u32, target: u32) -> Transition {
    Transition {
        source: LocationId(source),
        target: LocationId(target),
        inputs: vec![],
        guard: vec![],
        updates: vec![],
        defined: vec![],
        span: Span::default(),
    }
}
