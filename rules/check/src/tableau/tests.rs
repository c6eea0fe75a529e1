//! The tableau by itself, and beside Z3.

use program::{Sort, Term, VarId};
use smt::{Answer, Solver};

use super::Tableau;

fn proves(premises: &[Term], conclusion: Term) -> bool {
    Tableau::default().proves(premises, conclusion)
}

fn var(id: u32) -> Term {
    Term::var(VarId(id), Sort::Int)
}
fn int(value: i128) -> Term {
    Term::int(value)
}

#[test]
fn cases_of_disjunctions_are_gone_through() {
    let (x, y) = (var(0), var(1));
    let either =
        Term::or([Term::and([x.eq_to(int(1)), y.eq_to(int(2))]), Term::and([x.eq_to(int(2)), y.eq_to(int(1))])]);
    assert!(proves(&[either, x.le(int(1))], y.eq_to(int(2))));
    assert!(proves(&[either], Term::or([x.eq_to(int(1)), y.eq_to(int(1))])));
    assert!(!proves(&[either], y.eq_to(int(2))));
    assert!(proves(&[either, int(3).le(x)], Term::bool(false)));
    assert!(!proves(&[either], Term::bool(false)));
}

#[test]
fn values_that_are_left_decide() {
    let (x, y) = (var(0), var(1));
    let known = [x.eq_to(int(3)), y.within(4, 9), y.le(int(4))];
    assert!(proves(&known, x.mul(y).eq_to(int(12))));
    assert!(proves(&known, x.add(y).le(int(7))));
    assert!(!proves(&known, x.add(y).le(int(6))));
    assert!(proves(&known[..2], x.add(y).le(int(12))));
    assert!(!proves(&known[..2], x.add(y).le(int(11))));
}

#[test]
fn a_disequality_follows_from_bounds_and_excludes_a_value() {
    let x = var(0);
    let unequal = x.eq_to(int(3)).not();
    assert!(proves(&[x.le(int(2))], unequal));
    assert!(!proves(&[x.le(int(3))], unequal));
    assert!(proves(&[x.eq_to(int(3)), unequal], Term::bool(false)));
    assert!(proves(&[unequal, x.le(int(4))], unequal));
}

#[test]
fn cases_that_a_union_of_alternatives_covers_are_split_further() {
    let (x, y) = (var(0), var(1));
    let low = Term::and([x.le(int(3)), y.eq_to(int(1))]);
    let high = Term::and([int(4).le(x), y.le(int(1))]);
    assert!(proves(&[y.eq_to(int(1))], Term::or([low, high])));
    assert!(!proves(&[y.eq_to(int(2))], Term::or([low, high])));
}

#[test]
fn a_sum_is_bounded_by_its_parts_and_bounds_them() {
    let (x, y, z) = (var(0), var(1), var(2));
    let sum = z.eq_to(x.add(y));
    assert!(proves(&[sum, x.within(0, 1), y.within(0, 1)], z.le(int(2))));
    assert!(proves(&[sum, z.le(int(0)), x.within(0, 1), int(0).le(y)], x.eq_to(int(0))));
    assert!(!proves(&[sum, x.within(0, 1), y.within(0, 1)], z.le(int(1))));
    // Bounds that would lower each other for a long time are given up.
    let within = [x, y, z].map(|v| v.within(0, 1 << 40));
    assert!(!proves(&[&within[..], &[x.lt(y), y.lt(z), z.lt(x)]].concat(), Term::bool(false)));
}

#[test]
fn values_after_a_step_are_replaced_case_by_case() {
    let (x, y) = (var(0), var(1));
    let [after_x, after_y] = [0, 1].map(|id| Term::primed(VarId(id), Sort::Int));
    let keeps = Term::and([after_x.eq_to(x), after_y.eq_to(y)]);
    let moves = Term::and([after_x.eq_to(x.add(int(1))), after_y.eq_to(y), x.le(int(3))]);
    let environment = Term::or([keeps, moves]);
    let ordered = |x: Term, y: Term| Term::and([x.le(int(4)), Term::or([x.le(y), int(9).le(y)])]);
    assert!(proves(&[x.le(int(4)), environment], after_x.le(int(4))));
    assert!(!proves(&[x.le(int(4)), environment], after_x.le(int(3))));
    assert!(!proves(&[ordered(x, y), environment], ordered(after_x, after_y)));
    let guarded = Term::or([keeps, Term::and([moves, x.lt(y)])]);
    assert!(proves(&[ordered(x, y), guarded], ordered(after_x, after_y)));
}

/// What is proved is valid, and most of what is valid is proved.
#[test]
fn the_solver_agrees() {
    let mut seed = 12_345u64;
    let mut next = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut literal = move || {
        let (a, b) = (var(next(3) as u32), var(next(3) as u32));
        let constant = int(i128::from(next(5)) - 2);
        match next(7) {
            0 => a.le(constant),
            1 => constant.le(a),
            2 => a.eq_to(constant),
            3 => a.eq_to(constant).not(),
            4 => a.le(b.add(constant)),
            5 => a.eq_to(b.add(constant)),
            _ => a.add(b).le(constant),
        }
    };
    let mut formula = || {
        let cubes: Vec<Term> = (0..3).map(|_| Term::and([literal(), literal()])).collect();
        Term::or(cubes)
    };
    let mut solver = Solver::new(10_000_000);
    let (mut proved, mut valid) = (0, 0);
    for _ in 0..600 {
        let (premises, conclusion) = ([formula(), formula(), formula()], formula());
        let proves = proves(&premises, conclusion);
        let is_valid = solver.check(&[&premises[..], &[conclusion.not()]].concat()) == Answer::Unsat;
        assert!(!proves || is_valid, "{premises:?} -> {conclusion:?}");
        proved += usize::from(proves);
        valid += usize::from(is_valid);
    }
    assert!(valid > 60 && proved * 10 >= valid * 9, "{proved} of {valid} are proved");
}
