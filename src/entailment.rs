//! What `threader check` trusts besides the checker itself: implications decided by Z3, those with many cases one case at a time.

use check::{Entailment, Validity};
use program::Term;
use smt::{Answer, Cancel, Solver};

use crate::points::{Disjunction, Point};

/// Z3's resource units for one implication: generous, since a proof is at stake and nothing else waits.
const LIMIT: u32 = 500_000_000;
/// A disjunction with more cases than this is no question for Z3, which takes quadratic time and more to go through them.
const MANY: usize = 32;

/// Implications decided by Z3, until somebody cancels that.
pub struct ByZ3 {
    solver: Solver,
    cancel: Cancel,
}

impl Entailment for ByZ3 {
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        if self.cancel.is_cancelled() {
            return Validity::Unknown;
        }
        self.by_cases(premises, conclusion).unwrap_or_else(|| self.ask(premises, conclusion))
    }
}

impl ByZ3 {
    /// Asks until it is cancelled; what is asked after that is not decided.
    pub fn new(cancel: &Cancel) -> ByZ3 {
        ByZ3 { solver: Solver::new(LIMIT), cancel: cancel.clone() }
    }

    fn ask(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        let mut formulas = premises.to_vec();
        formulas.push(conclusion.not());
        match self.solver.check(&formulas) {
            Answer::Unsat => Validity::Valid,
            Answer::Sat => Validity::Invalid,
            Answer::Unknown => Validity::Unknown,
        }
    }

    /// The implication for each case of the premise that has most, if they are many and say of so many variables what they are that
    /// little is left of the other formulas. It is valid if it is valid in each case.
    fn by_cases(&mut self, premises: &[Term], conclusion: Term) -> Option<Validity> {
        let (widest, cases) = premises
            .iter()
            .map(|premise| premise.disjuncts())
            .enumerate()
            .max_by_key(|(_, cases)| cases.len())
            .filter(|(_, cases)| cases.len() > MANY)?;
        let others = premises.iter().enumerate().filter(|(index, _)| *index != widest);
        let others: Vec<Disjunction> = others.map(|(_, premise)| Disjunction::new(*premise)).collect();
        let conclusion = Disjunction::new(conclusion);
        for case in cases {
            if self.cancel.is_cancelled() {
                return Some(Validity::Unknown);
            }
            let point = Point::of(case);
            let mut here = vec![point.apply(case)];
            for other in &others {
                here.push(other.at(&point).filter(|left| left.disjuncts().len() <= MANY)?);
            }
            let left = conclusion.at(&point).filter(|left| left.disjuncts().len() <= MANY)?;
            let is = |value: bool| move |term: &Term| term.as_bool() == Some(value);
            if here.iter().any(is(false)) || is(true)(&left) {
                continue;
            }
            match self.ask(&here, left) {
                Validity::Valid => {}
                other => return Some(other),
            }
        }
        Some(Validity::Valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Sort, VarId};

    /// Many cases are judged as Z3 judges them all at once.
    #[test]
    fn cases_are_gone_through_one_by_one() {
        let (x, y) = (Term::var(VarId(0), Sort::Int), Term::var(VarId(1), Sort::Int));
        let is = |term: Term, value: i128| term.eq_to(Term::int(value));
        let doubles = |from: i128, to: i128| Term::or((from..to).map(|k| Term::and([is(x, k), is(y, 2 * k)])));
        let after = doubles(0, 101)
            .substitute(&|var, _| Some(if var == VarId(0) { x.add(Term::int(1)) } else { y.add(Term::int(2)) }));
        let mut z3 = ByZ3::new(&Cancel::new());
        for (premises, conclusion, expected) in [
            (vec![doubles(0, 100)], after, Validity::Valid),
            (vec![doubles(0, 102)], after, Validity::Invalid),
            (vec![doubles(0, 102), x.le(Term::int(99))], after, Validity::Valid),
            (vec![doubles(0, 100)], x.le(y), Validity::Valid),
            (vec![doubles(-1, 100)], x.le(y), Validity::Invalid),
            (vec![doubles(0, 100)], Term::bool(false), Validity::Invalid),
            (vec![doubles(0, 100), y.lt(x)], Term::bool(false), Validity::Valid),
        ] {
            assert_eq!(z3.by_cases(&premises, conclusion), Some(expected));
            assert_eq!(z3.ask(&premises, conclusion), expected);
        }
        assert_eq!(z3.by_cases(&[x.le(y)], x.le(y)), None, "there are not many cases");
    }
}
