//! Decisions against Z3.

use program::{IntType, Sort, Term, VarId};
use smt::{Answer, Solver};

use crate::{Decider, Decision, Literal, LiteralTable, satisfiable, solve};

fn x(k: u32) -> Term {
    Term::var(VarId(k), Sort::Int)
}

fn c(value: i128) -> Term {
    Term::int(value)
}

/// A small deterministic generator.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap_or(0) % n
    }

    fn constant(&mut self) -> Term {
        c(i128::from(self.below(7)) - 3)
    }

    fn sum(&mut self) -> Term {
        let mut sum = x(self.below(4));
        for _ in 0..self.below(3) {
            let other = x(self.below(4));
            sum = if self.below(2) == 0 { sum.sub(other) } else { sum.add(other) };
        }
        sum
    }

    fn literal(&mut self) -> Term {
        let (sum, constant) = (self.sum(), self.constant());
        let atom = if self.below(2) == 0 { sum.le(constant) } else { sum.eq_to(constant) };
        if self.below(3) == 0 { atom.not() } else { atom }
    }

    fn formula(&mut self) -> Term {
        match self.below(7) {
            0 => {
                let (flag, other) = (Term::var(VarId(10 + self.below(3)), Sort::Bool), self.literal());
                [flag, flag.not(), flag.implies(other), other.implies(flag)][self.below(4) as usize]
            }
            1 => Term::or([self.literal(), self.literal()]),
            _ => self.literal(),
        }
    }
}

#[test]
fn decisions_agree_with_z3_and_cores_are_minimal() {
    let mut rng = Rng(7);
    let (mut decided, mut conflicts) = (0, 0);
    for _ in 0..1_500 {
        let formulas: Vec<Term> = (0..1 + rng.below(9)).map(|_| rng.formula()).collect();
        let (hard, soft) = formulas.split_at(formulas.len() / 3);
        let mut decider = Decider::default();
        let mut solver = Solver::new(1_000_000);
        let Some(decision) = decider.core(hard, soft) else { continue };
        decided += 1;
        let answer = solver.check(&formulas);
        match decision {
            Decision::Satisfiable => assert_eq!(answer, Answer::Sat, "{formulas:?}"),
            Decision::Conflict(core) => {
                assert_eq!(answer, Answer::Unsat, "{formulas:?}");
                conflicts += 1;
                let with = |left_out: Option<usize>| -> Vec<Term> {
                    let kept = core.iter().filter(|k| Some(**k) != left_out).map(|k| soft[*k]);
                    hard.iter().copied().chain(kept).collect()
                };
                assert_eq!(solver.check(&with(None)), Answer::Unsat, "{formulas:?} {core:?}");
                for k in &core {
                    if decider.satisfiable(&with(Some(*k))).is_some() {
                        assert_eq!(solver.check(&with(Some(*k))), Answer::Sat, "{formulas:?} {core:?} without {k}");
                    }
                }
            }
        }
    }
    assert!(decided > 1_200, "{decided} decided");
    assert!(conflicts > 200, "{conflicts} conflicts");
}

/// Variables 0 to 3 have 8 bits, the first two with a sign.
fn ranges() -> impl Iterator<Item = (VarId, (i128, i128))> {
    (0..4).map(|k| (VarId(k), if k < 2 { (-128, 127) } else { (0, 255) }))
}

impl Rng {
    fn array(&mut self) -> Term {
        let array = VarId(20);
        let array = if self.below(3) == 0 { Term::primed(array, Sort::Array) } else { Term::var(array, Sort::Array) };
        match self.below(6) {
            0 => array.store(x(self.below(4)), self.sum()),
            1 => Term::ite(self.literal(), array, array.store(self.constant(), self.constant())),
            _ => array,
        }
    }

    /// A term that is not linear.
    fn named(&mut self, depth: u32) -> Term {
        let inner = |rng: &mut Rng| if depth > 0 && rng.below(3) == 0 { rng.named(depth - 1) } else { rng.sum() };
        match self.below(6) {
            0 | 1 => inner(self).add(self.constant()).wrap(IntType::new(8, self.below(2) == 0)),
            2 => inner(self).div(c(i128::from(1 + self.below(5)))),
            3 => inner(self).rem(c(i128::from(1 + self.below(5)))),
            4 => match self.below(2) {
                0 => Term::ite(self.literal(), inner(self), self.constant()),
                _ => Term::ite(self.literal(), self.constant(), self.constant()).add(self.sum()),
            },
            _ => self.array().select(inner(self)),
        }
    }

    fn about_named(&mut self) -> Term {
        let (left, right) = (self.named(1), if self.below(2) == 0 { self.named(1) } else { self.sum() });
        let atom = match self.below(4) {
            0 => left.le(right.add(self.constant())),
            1 => left.eq_to(right),
            2 => left.le(self.constant()),
            _ => left.eq_to(self.constant()),
        };
        match self.below(12) {
            0 => Term::var(VarId(20), Sort::Array).eq_to(Term::primed(VarId(20), Sort::Array)),
            1..=4 => atom.not(),
            _ => atom,
        }
    }
}

#[test]
fn what_is_not_linear_is_decided_by_its_definition_as_z3_does() {
    let mut rng = Rng(11);
    let (mut decided, mut without) = (0, 0);
    let mut table = LiteralTable::new(ranges());
    for round in 0..3_000 {
        // Names are for the whole of a table's life; few of them make more of the questions alike.
        if round % 20 == 0 {
            table = LiteralTable::new(ranges());
        }
        let formulas: Vec<Term> = (0..1 + rng.below(5))
            .map(|_| if rng.below(3) == 0 { rng.literal() } else { rng.about_named() })
            .filter(|formula| formula.as_bool().is_none())
            .collect();
        let literals: Vec<Literal> = formulas.iter().map(|formula| table.literal(*formula)).collect();
        let Some(answer) = solve(&table, &literals) else { continue };
        decided += 1;
        if let crate::Answer::Solution(model) = &answer {
            // Of whole arrays it says nothing.
            let satisfied = |literal: &Literal| model.satisfies(&table, *literal) != Some(false);
            assert!(literals.iter().all(satisfied), "{formulas:?} {model:?}");
        }
        let answer = answer.is_satisfiable();
        without += u32::from(!answer);
        let within = ranges().flat_map(|(var, (low, high))| {
            [Term::var(var, Sort::Int).within(low, high), Term::primed(var, Sort::Int).within(low, high)]
        });
        let all: Vec<Term> = formulas.iter().copied().chain(within).collect();
        let expected = if answer { Answer::Sat } else { Answer::Unsat };
        assert_eq!(Solver::new(5_000_000).check(&all), expected, "{formulas:?}");
    }
    assert!(decided > 2_400, "{decided} decided");
    assert!(without > 400, "{without} have no solution");
}

#[test]
fn a_choice_between_constants_is_one_of_them() {
    let flag = Term::var(VarId(10), Sort::Bool);
    let choice = flag.as_c_int();
    let mut table = LiteralTable::new(ranges());
    for (formulas, expected) in [
        (vec![choice.eq_to(x(0)), x(0).eq_to(c(2))], false),
        (vec![choice.eq_to(x(0)), x(0).eq_to(c(1))], true),
        (vec![choice.eq_to(x(0)), x(0).eq_to(c(1)), flag.not()], false),
    ] {
        let literals: Vec<Literal> = formulas.iter().map(|formula| table.literal(*formula)).collect();
        assert_eq!(satisfiable(&table, &literals), Some(expected), "{formulas:?}");
    }
}

impl Rng {
    /// Bounds and differences of eight variables, under conjunctions and disjunctions.
    fn differences(&mut self, depth: u32) -> Term {
        if depth > 0 && self.below(4) > 0 {
            let parts: Vec<Term> = (0..2 + self.below(3)).map(|_| self.differences(depth - 1)).collect();
            return if self.below(3) == 0 { Term::and(parts) } else { Term::or(parts) };
        }
        let (left, right) = (x(self.below(8)), if self.below(3) == 0 { c(0) } else { x(self.below(8)) });
        let difference = left.sub(right);
        let atom = if self.below(3) == 0 { difference.eq_to(self.constant()) } else { difference.le(self.constant()) };
        if self.below(3) == 0 { atom.not() } else { atom }
    }
}

#[test]
fn differences_under_disjunctions_are_decided_as_z3_does() {
    let mut rng = Rng(5);
    let (mut with, mut without) = (0, 0);
    for _ in 0..1_000 {
        let formulas: Vec<Term> = (0..4 + rng.below(20)).map(|_| rng.differences(2)).collect();
        let mut table = LiteralTable::default();
        let literals: Vec<Literal> = formulas.iter().map(|formula| table.literal(*formula)).collect();
        let expected = Solver::new(5_000_000).check(&formulas) == Answer::Sat;
        match solve(&table, &literals) {
            Some(crate::Answer::Contradiction) => assert!(!expected, "{formulas:?}"),
            Some(crate::Answer::Solution(model)) => {
                let satisfied = |literal: &Literal| model.satisfies(&table, *literal) == Some(true);
                assert!(expected && literals.iter().all(satisfied), "{formulas:?} {model:?}");
            }
            None => panic!("not decided: {formulas:?}"),
        }
        *if expected { &mut with } else { &mut without } += 1;
    }
    assert!(with > 200 && without > 200, "{with} have a solution, {without} have none");
}

#[test]
fn five_different_numbers_are_not_among_four() {
    let different = |count: u32| -> Vec<Term> {
        let pairs = (0..count).flat_map(|j| (0..j).map(move |i| x(i).eq_to(x(j)).not()));
        (0..count).map(|k| x(k).within(1, 4)).chain(pairs).collect()
    };
    assert_eq!(Decider::default().satisfiable(&different(4)), Some(true));
    assert_eq!(Decider::default().satisfiable(&different(5)), Some(false));
}
