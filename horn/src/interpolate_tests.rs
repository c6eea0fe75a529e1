//! Solutions by substitution: they satisfy the clauses, and prefer what is known.

use std::collections::BTreeSet;

use program::{Sort, Term, VarId};
use smt::Cancel;

use crate::{Atom, Clause, Outcome, Preference, RecursionFree, interpolate, satisfies, solve};

fn x(k: u32) -> Term {
    Term::var(VarId(k), Sort::Int)
}

fn atom(relation: usize, arguments: &[Term]) -> Atom {
    Atom { relation, arguments: arguments.to_vec() }
}

fn clause(body: &[Atom], constraint: &[Term], head: Option<Atom>) -> Clause {
    Clause { body: body.to_vec(), constraint: constraint.to_vec(), head }
}

/// Everything costs the same, except what is known.
struct Knows(Vec<Term>);

impl Preference for Knows {
    fn cost(&self, _: usize, literal: Term) -> u32 {
        let atom = crate::atoms(literal);
        10 * u32::from(!atom.iter().all(|a| self.0.contains(a)))
    }
    fn weaker(&self, _: usize, _: Term) -> Vec<Term> {
        Vec::new()
    }
}

/// x = 0, y = 0; x := x + 1; y := y + 2; x >= 5 and y >= 7 is the error.
fn chain(bound: i128) -> RecursionFree {
    let (one, two) = (Term::int(1), Term::int(2));
    RecursionFree {
        relations: vec![vec![Sort::Int, Sort::Int]; 3],
        clauses: vec![
            clause(&[], &[], Some(atom(0, &[Term::int(0), Term::int(0)]))),
            clause(&[atom(0, &[x(5), x(6)])], &[], Some(atom(1, &[x(5).add(one), x(6)]))),
            clause(&[atom(1, &[x(5), x(6)])], &[], Some(atom(2, &[x(5), x(6).add(two)]))),
            clause(&[atom(2, &[x(5), x(6)])], &[Term::int(bound).le(x(5)), Term::int(7).le(x(6))], None),
        ],
    }
}

fn solved(system: &RecursionFree, knows: &Knows) -> Vec<Vec<Term>> {
    match interpolate(system, &BTreeSet::new(), knows, &Cancel::new()) {
        Outcome::Solved(solution) => {
            assert!(satisfies(system, &solution), "{solution:?}");
            solution.conjuncts
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_literal_is_followed_backwards() {
    let conjuncts = solved(&chain(5), &Knows(Vec::new()));
    // Either x <= 4 at the end, or y <= 6; both are constant along the chain but for one step.
    assert!(conjuncts.iter().all(|c| c.len() == 1), "{conjuncts:?}");
}

#[test]
fn what_is_known_is_preferred() {
    let known = |k: u32, bound: i128| x(k).le(Term::int(bound));
    let by_y = solved(&chain(5), &Knows(vec![known(1, 6), known(1, 4)]));
    assert_eq!(by_y, vec![vec![known(1, 4)], vec![known(1, 4)], vec![known(1, 6)]]);
    let by_x = solved(&chain(5), &Knows(vec![known(0, 4), known(0, 3)]));
    assert_eq!(by_x, vec![vec![known(0, 3)], vec![known(0, 4)], vec![known(0, 4)]]);
}

#[test]
fn a_feasible_derivation_is_refuted() {
    let mut system = chain(1);
    system.clauses[3].constraint[1] = Term::int(2).le(x(6));
    assert_eq!(interpolate(&system, &BTreeSet::new(), &Knows(Vec::new()), &Cancel::new()), Outcome::Refuted);
    assert_eq!(solve(&system, 10_000_000), Outcome::Refuted);
}

#[test]
fn relations_that_disagree_exclude_each_other() {
    // R0(1), R1(2); R0(g) and R1(g) -> false.
    let system = RecursionFree {
        relations: vec![vec![Sort::Int]; 2],
        clauses: vec![
            clause(&[], &[], Some(atom(0, &[Term::int(1)]))),
            clause(&[], &[], Some(atom(1, &[Term::int(2)]))),
            clause(&[atom(0, &[x(3)]), atom(1, &[x(3)])], &[], None),
        ],
    };
    let conjuncts = solved(&system, &Knows(Vec::new()));
    assert!(conjuncts.iter().all(|c| c.len() == 1), "{conjuncts:?}");
}

#[test]
fn spacer_drops_what_it_does_not_need() {
    let Outcome::Solved(solution) = solve(&chain(5), 10_000_000) else { panic!() };
    assert!(satisfies(&chain(5), &solution));
    assert!(solution.conjuncts.iter().all(|c| c.len() <= 1), "{solution:?}");
}
