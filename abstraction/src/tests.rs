//! Entailment against Z3, the satisfiability trap, canonical literals, and inheritance.

use program::{Sort, Term, VarId};
use smt::{Answer, Solver};

use crate::{Engine, Goals, PredicateSet, Valuation, abstract_state};

const RANGE: (i128, i128) = (-8, 7);

fn x(k: u32) -> Term {
    Term::var(VarId(k), Sort::Int)
}

fn c(value: i128) -> Term {
    Term::int(value)
}

fn engine() -> Engine {
    Engine::new((0..4).map(|k| (VarId(k), RANGE)))
}

fn premises(engine: &mut Engine, formulas: &[Term]) -> crate::Premises {
    let literals: Vec<_> = formulas.iter().map(|f| engine.literal(*f)).collect();
    engine.premises(literals)
}

fn decide(engine: &mut Engine, given: &crate::Premises, goal: Term) -> Option<bool> {
    let goal = engine.goal(goal);
    engine.decide(given, goal)
}

fn entails(engine: &mut Engine, given: &crate::Premises, goal: Term) -> bool {
    decide(engine, given, goal) == Some(true)
}

/// A small deterministic generator.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % n
    }
    fn literal(&mut self) -> Term {
        let (a, b, k) = (x(self.below(4)), x(self.below(4)), c(i128::from(self.below(7)) - 3));
        match self.below(8) {
            0 => a.le(k),
            1 => a.eq_to(k),
            2 => Term::ne(a, k),
            3 => a.le(b.add(k)),
            4 => a.eq_to(b.add(k)),
            5 => Term::ne(a, b.add(k)),
            6 => a.add(b).sub(x(self.below(4))).le(k),
            _ => Term::or([a.le(k), b.eq_to(k)]),
        }
    }
}

#[test]
fn direct_decisions_agree_with_z3() {
    let mut rng = Rng(7);
    let mut engine = engine();
    let mut solver = Solver::new(1_000_000);
    let mut unsatisfiable = 0;
    for _ in 0..2_000 {
        let formulas: Vec<Term> = (0..2 + rng.below(5)).map(|_| rng.literal()).collect();
        let ranges = (0..4).map(|k| x(k).within(RANGE.0, RANGE.1));
        let all: Vec<Term> = formulas.iter().copied().chain(ranges).collect();
        let expected = solver.check(&all) == Answer::Sat;
        let together = premises(&mut engine, &formulas);
        assert_eq!(engine.satisfiable(&together), expected, "{formulas:?}");
        unsatisfiable += u32::from(!expected);
    }
    assert!((100..1_900).contains(&unsatisfiable), "{unsatisfiable}");
    assert_eq!(engine.counters().solver, 0, "all of it is decided without Z3");
}

#[test]
fn what_is_not_linear_goes_to_z3() {
    let mut engine = engine();
    let given = premises(&mut engine, &[x(0).mul(x(1)).le(c(3)), c(2).le(x(1))]);
    assert!(engine.satisfiable(&given));
    assert!(entails(&mut engine, &given, x(0).le(c(1))));
    assert!(!entails(&mut engine, &given, x(0).le(c(0))));
    assert!(engine.counters().solver > 0);
    let before = engine.counters().solver;
    let given = premises(&mut engine, &[x(0).add(x(1)).le(c(3)), c(2).le(x(1))]);
    assert!(entails(&mut engine, &given, x(0).le(c(1))));
    assert!(!entails(&mut engine, &given, x(0).le(c(0))));
    assert_eq!(engine.counters().solver, before, "sums do not");
}

#[test]
fn ranges_are_premises() {
    let mut engine = engine();
    let nothing = premises(&mut engine, &[]);
    assert!(entails(&mut engine, &nothing, x(0).le(c(7))));
    assert!(!entails(&mut engine, &nothing, x(0).le(c(6))));
}

#[test]
fn a_contradiction_elsewhere_is_found() {
    let mut engine = engine();
    // Nothing connects the guard x0 = 0 to the contradiction about x1.
    let all = premises(&mut engine, &[x(0).eq_to(c(0)), x(1).le(c(0)), c(1).le(x(1))]);
    assert!(!engine.satisfiable(&all));
    let (first, second) = ([x(0).eq_to(c(0)), x(1).le(c(0))], [c(1).le(x(1))]);
    let sides = [&first[..], &second[..]].map(|side| {
        let mut literals: Vec<_> = side.iter().map(|f| engine.literal(*f)).collect();
        literals.sort_unstable();
        literals
    });
    assert!(!engine.compatible(&all, &sides[0], &sides[1]));
    assert!(engine.bounds(&sides[0]).contradict(&engine.bounds(&sides[1])));
    assert!(!engine.bounds(&sides[0]).contradict(&engine.bounds(&sides[0])));
}

#[test]
fn what_holds_by_itself_is_no_question() {
    let mut engine = engine();
    // Two parts, which x1 connects; x0 and x2 are in one of them only.
    let formulas = [x(0).eq_to(c(0)), x(1).le(c(3)), c(1).le(x(1)), x(2).eq_to(c(2))];
    let all = premises(&mut engine, &formulas);
    let mut literals: Vec<_> = formulas.iter().map(|formula| engine.literal(*formula)).collect();
    let mut second = literals.split_off(2);
    literals.sort_unstable();
    second.sort_unstable();
    let before = engine.counters().queries;
    assert!(engine.compatible(&all, &literals, &second));
    assert_eq!(engine.counters().queries, before + 1, "only whether x1 has a value");
    assert!(engine.satisfiable(&all));
    assert_eq!(engine.counters().queries, before + 4, "without parts, each of the three components");
}

#[test]
fn answers_are_remembered() {
    let mut engine = engine();
    let given = premises(&mut engine, &[x(0).eq_to(c(1)), x(2).eq_to(c(3))]);
    assert!(entails(&mut engine, &given, x(0).le(c(1))));
    let before = engine.counters();
    // Another premise about something else does not change the question.
    let given = premises(&mut engine, &[x(0).eq_to(c(1)), x(3).eq_to(c(0))]);
    assert!(entails(&mut engine, &given, x(0).le(c(1))));
    assert_eq!(engine.counters().hits, before.hits + 1);
}

#[test]
fn literals_over_one_form_become_an_interval() {
    let mut predicates = PredicateSet::default();
    for bound in [1, 3, 5] {
        assert!(predicates.insert(x(0).le(c(bound))));
    }
    assert!(predicates.insert(x(0).eq_to(c(4))));
    assert!(!predicates.insert(c(4).le(x(0))), "the negation of a known predicate is known");
    let mut value = Valuation::new(predicates.len());
    value.set(0, false);
    value.set(1, false);
    value.set(2, true);
    value.set(3, false);
    // 4 <= x0 <= 5 and x0 != 4.
    let mut expected = vec![c(4).le(x(0)), x(0).le(c(5)), Term::ne(x(0), c(4))];
    expected.sort_unstable();
    let mut said = value.literals(&predicates);
    said.sort_unstable();
    assert_eq!(said, expected);
}

#[test]
fn post_substitutes_and_inherits() {
    let mut engine = engine();
    let mut predicates = PredicateSet::default();
    for term in [x(0).le(c(0)), x(1).eq_to(c(2)), x(0).le(x(1))] {
        predicates.insert(term);
    }
    // x0 := x1 under the guard x1 = 2.
    let goals = Goals::new(&mut engine, &predicates, |term| term.substitute(&|v, _| (v == VarId(0)).then(|| x(1))));
    assert!(!goals.is_invisible());
    let given = premises(&mut engine, &[x(1).eq_to(c(2))]);
    let after = abstract_state(&mut engine, &given, None, &goals);
    assert_eq!([0, 1, 2].map(|k| after.get(k)), [Some(false), Some(true), Some(true)]);
    let mut weaker = Valuation::new(3);
    weaker.set(1, true);
    assert!(after.refines(&weaker) && !weaker.refines(&after));
    assert_eq!(decide(&mut engine, &given, x(0).le(c(0))), None);
}

/// Unsigned 64-bit variables have values beyond what bounds can hold: such a bound says less, never more.
#[test]
fn bounds_beyond_64_bits_say_less() {
    let mut engine = Engine::new([(VarId(0), (0, i128::from(u64::MAX)))]);
    let far = i128::from(i64::MAX) + 5;
    let mut bounds = |formula: Term| {
        let literal = engine.literal(formula);
        engine.bounds(&[literal])
    };
    let (at, beyond, below) = (bounds(x(0).eq_to(c(far))), bounds(c(far + 1).le(x(0))), bounds(x(0).le(c(far - 9))));
    assert_eq!(at.value(VarId(0)), None, "only the nearest number that fits is known");
    assert!(!at.contradict(&beyond), "they do, but that takes more than these bounds");
    assert!(at.contradict(&below), "what fits is compared");
    assert_eq!(bounds(x(0).eq_to(c(7))).value(VarId(0)), Some(7));
}
