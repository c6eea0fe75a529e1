//! Z3's reading of a term's SMT-LIB text agrees with the term's concrete evaluation, on random terms and values.

use program::{Array, BitOp, IntType, Sort, Term, Value, VarId, smtlib_sort, smtlib_term};
use z3::{SatResult, Solver};

/// A small generator (xorshift), so that runs repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 8) % n
    }
    /// A value of the type: small, extreme or anything.
    fn value(&mut self, ty: IntType) -> i128 {
        let near = i128::from(self.below(9)) - 4;
        match self.below(4) {
            0 => ty.wrap(near),
            1 => ty.wrap(ty.greatest() + near),
            2 => ty.wrap(1i128 << self.below(u64::from(ty.bits))),
            _ => ty.wrap(i128::from(self.next())),
        }
    }
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// Variables 0 to 2 are integers, 3 and 4 arrays.
const INTS: u64 = 3;
const VARS: u64 = 5;

fn int_term(r: &mut Random, ty: IntType, depth: u32) -> Term {
    if depth == 0 {
        return match r.below(2) {
            0 => Term::int(r.value(ty)),
            _ => Term::var(VarId(r.below(INTS) as u32), Sort::Int),
        };
    }
    let mut sub = |ty: IntType| int_term(r, ty, depth - 1).wrap(ty);
    let (a, b) = (sub(ty), sub(ty));
    match r.below(9) {
        0 => a.add(b.mul(Term::int(r.value(IntType::new(8, true))))),
        // The exact product of two unsigned 64-bit values may leave 128 bits, and the evaluator is exact only up to there.
        1 if ty.signed => a.mul(b),
        1 => a.mul(b).wrap(ty),
        2 => a.div(b),
        3 => a.rem(b),
        4 => Term::ite(formula(r, ty, depth - 1), a, b),
        5 => array_term(r, ty, depth - 1).select(if r.below(2) == 0 { a } else { Term::int(1) }),
        6 => {
            let op = r.pick(&[BitOp::And, BitOp::Or, BitOp::Xor]);
            // Constant masks of few and of many runs of ones, on either side.
            let mask = Term::int(r.value(ty));
            match r.below(4) {
                0 => Term::bits(op, ty, a, b),
                1 => Term::bits(op, ty, mask, a),
                _ => Term::bits(op, ty, a, mask),
            }
        }
        7 => {
            let amount = match r.below(2) {
                0 => Term::int(i128::from(r.below(u64::from(ty.bits)))),
                _ => b.wrap(IntType::new(ty.bits.trailing_zeros().max(1), false)),
            };
            Term::bits(r.pick(&[BitOp::Shl, BitOp::Shr]), ty, a, amount)
        }
        _ => a.sub(b).wrap(r.pick(&TYPES)),
    }
}

fn array_term(r: &mut Random, ty: IntType, depth: u32) -> Term {
    if depth == 0 || r.below(3) == 0 {
        return Term::var(VarId((INTS + r.below(VARS - INTS)) as u32), Sort::Array);
    }
    let (index, value) = (int_term(r, ty, depth - 1), int_term(r, ty, depth - 1));
    match r.below(4) {
        0 => Term::const_array(value),
        1 => Term::ite(formula(r, ty, depth - 1), array_term(r, ty, depth - 1), array_term(r, ty, depth - 1)),
        _ => array_term(r, ty, depth - 1).store(index, value),
    }
}

fn formula(r: &mut Random, ty: IntType, depth: u32) -> Term {
    let (a, b) = (int_term(r, ty, depth), int_term(r, ty, depth));
    match r.below(if depth == 0 { 3 } else { 7 }) {
        0 => a.le(b),
        1 => a.lt(b),
        2 => a.eq_to(b),
        3 => Term::and([formula(r, ty, depth - 1), formula(r, ty, depth - 1)]),
        4 => Term::or([formula(r, ty, depth - 1), formula(r, ty, depth - 1)]),
        5 => array_term(r, ty, depth - 1).eq_to(array_term(r, ty, depth - 1)),
        _ => formula(r, ty, depth - 1).not(),
    }
}

const TYPES: [IntType; 7] = [
    IntType::new(1, false),
    IntType::new(8, true),
    IntType::new(8, false),
    IntType::new(32, true),
    IntType::new(32, false),
    IntType::new(64, true),
    IntType::new(64, false),
];

fn literal(value: &Value) -> String {
    let int = |v: i128| smtlib_term(Term::int(v), &|_| String::new());
    match value {
        Value::Bool(v) => v.to_string(),
        Value::Int(v) => int(*v),
        Value::Array(array) => array
            .elements
            .iter()
            .fold(format!("((as const (Array Int Int)) {})", int(array.default)), |text, (index, element)| {
                format!("(store {text} {} {})", int(*index), int(*element))
            }),
    }
}

fn random_value(r: &mut Random, ty: IntType, var: u64) -> Value {
    if var < INTS {
        return Value::Int(r.value(ty));
    }
    let mut array = Array::filled(r.value(ty));
    for _ in 0..r.below(4) {
        array.set(r.value(ty), r.value(ty));
    }
    Value::Array(array)
}

/// Names that need quoting or renaming.
fn name(var: VarId) -> String {
    ["f::x", "mod", "y[2]", "select", "s.f"][var.0 as usize].to_string()
}

#[test]
fn random_terms_mean_the_same_to_z3() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut compared = 0;
    for round in 0..600 {
        let ty = random.pick(&TYPES);
        let values: Vec<Value> = (0..VARS).map(|var| random_value(&mut random, ty, var)).collect();
        let depth = 1 + random.below(3) as u32;
        let term =
            if random.below(3) == 0 { formula(&mut random, ty, depth) } else { int_term(&mut random, ty, depth) };
        let Ok(expected) = term.eval(&|var| values.get(var.0 as usize).cloned()) else { continue };
        let mut script = String::new();
        for (var, value) in values.iter().enumerate() {
            let sort = if (var as u64) < INTS { Sort::Int } else { Sort::Array };
            let symbol = smtlib_term(Term::var(VarId(var as u32), sort), &name);
            script += &format!("(define-fun {symbol} () {} {})\n", smtlib_sort(sort), literal(value));
        }
        script += &format!("(assert (not (= {} {})))\n", smtlib_term(term, &name), literal(&expected));
        let solver = Solver::new();
        solver.from_string(script.as_str());
        assert_eq!(solver.get_assertions().len(), 1, "round {round}: Z3 rejects\n{script}");
        assert_eq!(solver.check(), SatResult::Unsat, "round {round}: Z3 disagrees on\n{script}");
        compared += 1;
    }
    assert!(compared > 400, "only {compared} terms had a value");
}
