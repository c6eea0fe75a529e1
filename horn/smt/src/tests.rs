//! Translation against concrete evaluation, and reading back.

use program::{BitOp, IntType, Reader, Sexpr, Sort, Term, Value, VarId};

use crate::{Answer, Solver};

fn x(k: u32) -> Term {
    Term::var(VarId(k), Sort::Int)
}

/// Z3 agrees that `term` has the value that evaluation gives it.
fn agrees(term: Term, values: &[i128]) {
    let value = |var: VarId| values.get(var.0 as usize).copied().map(Value::Int);
    let expected = term.eval_int(&value).expect("a value");
    let mut formulas: Vec<Term> = (0..).zip(values).map(|(k, v)| x(k).eq_to(Term::int(*v))).collect();
    formulas.push(Term::ne(term, Term::int(expected)));
    assert_eq!(Solver::new(5_000_000).check(&formulas), Answer::Unsat, "{term:?} = {expected} for {values:?}");
}

#[test]
fn arithmetic_is_c() {
    for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (0, 5)] {
        agrees(x(0).div(x(1)), &[a, b]);
        agrees(x(0).rem(x(1)), &[a, b]);
        agrees(x(0).mul(x(1)).add(Term::int(3)), &[a, b]);
    }
    for value in [0, 127, 128, 255, 256, -1, -128, -129, 1 << 40] {
        agrees(x(0).wrap(IntType::new(8, true)), &[value]);
        agrees(x(0).wrap(IntType::new(8, false)), &[value]);
    }
}

#[test]
fn bits_are_twos_complement() {
    for signed in [true, false] {
        let ty = IntType::new(8, signed);
        for (a, b) in [(0, 0), (5, 3), (100, 77), (ty.least(), ty.greatest()), (ty.greatest(), 1)] {
            for op in [BitOp::And, BitOp::Or, BitOp::Xor] {
                agrees(Term::bits(op, ty, x(0), x(1)), &[a, b]);
            }
            agrees(Term::bits(BitOp::And, ty, x(0), Term::int(15)), &[a]);
            for shift in [0, 1, 3] {
                agrees(Term::bits(BitOp::Shl, ty, x(0), Term::int(shift)), &[a]);
                agrees(Term::bits(BitOp::Shr, ty, x(0), Term::int(shift)), &[a]);
                agrees(Term::bits(BitOp::Shr, ty, x(0), x(1)), &[a, shift]);
            }
        }
    }
}

#[test]
fn models_give_values() {
    let array = Term::var(VarId(1), Sort::Array);
    let formulas = [x(0).eq_to(Term::int(1 << 70)), array.select(Term::int(3)).eq_to(Term::int(9))];
    let (answer, model) = Solver::new(1_000_000).model(&formulas, &[(VarId(0), Sort::Int), (VarId(1), Sort::Array)]);
    assert_eq!(answer, Answer::Sat);
    assert_eq!(model[&VarId(0)], Value::Int(1 << 70));
    let Value::Array(array) = &model[&VarId(1)] else { panic!("{model:?}") };
    assert_eq!(array.get(3), 9);
}

#[test]
fn cores_name_what_is_needed() {
    let soft = [x(1).eq_to(Term::int(0)), x(0).le(Term::int(3)), Term::int(5).le(x(0))];
    let (answer, core) = Solver::new(1_000_000).core(&[], &soft);
    assert_eq!((answer, core), (Answer::Unsat, vec![1, 2]));
}

#[test]
fn expressions_are_read_back() {
    let names = |name: &str| name.strip_prefix('x').and_then(|k| k.parse().ok()).map(x);
    let read = |text: &str| Reader::new(&names).read(&Sexpr::parse(text).expect("an expression"));
    assert_eq!(read("(let ((a (+ x0 1))) (not (<= a x1)))"), Ok(x(1).lt(x(0).add(Term::int(1)))));
    assert_eq!(
        read("(! (=> (= x0 (- 1)) (>= x1 0)) :weight 0)"),
        Ok(x(0).eq_to(Term::int(-1)).implies(Term::int(0).le(x(1))))
    );
    assert_eq!(read("(mod x0 256)"), Ok(x(0).wrap(IntType::new(8, false))));
    assert_eq!(read("((as const (Array Int Int)) 4)"), Ok(Term::const_array(Term::int(4))));
    // SMT-LIB rounds down, C toward zero.
    let down = read("(div x0 3)").expect("a term");
    let rest = read("(mod x0 3)").expect("a term");
    for (value, quotient, remainder) in [(7, 2, 1), (-7, -3, 2), (-6, -2, 0)] {
        let at = |_: VarId| Some(Value::Int(value));
        assert_eq!((down.eval_int(&at), rest.eval_int(&at)), (Ok(quotient), Ok(remainder)));
    }
    assert!(read("(exists ((y Int)) (= y x0))").is_err());
    assert!(read("(f x0)").is_err());
    assert!(read("unknown").is_err());
}

/// A bug that makes a term of another sort must not make a premise that everything follows from, nor a conclusion that follows.
#[test]
fn what_is_not_of_its_sort_may_be_anything() {
    let (number, formula) = (x(0), x(1).le(Term::int(0)));
    let holds = |formulas: &[Term]| Solver::new(5_000_000).check(formulas) != Answer::Unsat;
    assert!(holds(&[number]));
    assert!(holds(&[number.not()]));
    assert!(holds(&[formula.add(Term::int(1)).le(Term::int(0))]));
    assert!(holds(&[Term::int(1).le(formula)]));
    assert!(holds(&[x(0).select(Term::int(1)).eq_to(Term::int(5))]));
    assert!(holds(&[number, formula, x(1).select(Term::int(0)).le(Term::int(3)).not()]));
}
