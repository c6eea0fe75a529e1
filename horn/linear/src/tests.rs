//! Decisions against Z3.

use program::{Sort, Term, VarId};
use smt::{Answer, Solver};

use crate::{Decider, Decision};

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
