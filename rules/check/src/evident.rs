//! Implications that need no solver: after a case split over the premises' disjunctions, every literal of some alternative
//! of the conclusion follows from a bound on the same linear form, or is true of the values that its variables must have.

use std::collections::{BTreeSet, HashMap};

use program::{Linear, Term, TermKind, VarId};

use crate::obligation::{Entailment, Validity};
use crate::point::truth;

/// More cases than this are left to the solver.
const CASES: usize = 20_000;

/// Decides evident implications itself, and asks `E` for the others.
pub struct Evident<E>(pub E);

impl<E: Entailment> Entailment for Evident<E> {
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        if conclusion.as_bool() == Some(false) {
            return if is_evident(premises, conclusion) { Validity::Valid } else { self.0.valid(premises, conclusion) };
        }
        for conjunct in conclusion.conjuncts() {
            if !is_evident(premises, conjunct) {
                match self.0.valid(premises, conjunct) {
                    Validity::Valid => {}
                    other => return other,
                }
            }
        }
        Validity::Valid
    }
}

/// Whether the implication is valid for a simple reason. `false` says nothing.
pub fn is_evident(premises: &[Term], conclusion: Term) -> bool {
    if conclusion.as_bool() == Some(false) {
        return is_evident_conjunct(premises, conclusion);
    }
    let evident = |conjunct: Term| premises.contains(&conjunct) || is_evident_conjunct(premises, conjunct);
    conclusion.conjuncts().into_iter().all(evident)
}

fn is_evident_conjunct(premises: &[Term], conclusion: Term) -> bool {
    let mut facts = Facts::default();
    let mut disjunctions = Vec::new();
    for premise in premises.iter().flat_map(|premise| premise.conjuncts()) {
        match premise.kind() {
            TermKind::Or(_) => disjunctions.push(premise),
            _ => facts.add(premise),
        }
    }
    facts.contradictory |= premises.iter().any(|premise| premise.as_bool() == Some(false));
    // Those that speak of what the conclusion speaks of come first, and of these the ones with few cases.
    let wanted = conclusion.vars();
    let cases = |premise: &Term| premise.children().len();
    disjunctions.sort_by_cached_key(|premise| (premise.vars().difference(&wanted).count(), cases(premise)));
    let splits: Vec<Vec<Vec<Term>>> = disjunctions
        .iter()
        .map(|premise| premise.children().into_iter().map(|case| case.conjuncts()).collect())
        .collect();
    let alternatives: Vec<Vec<Term>> = match conclusion.kind() {
        TermKind::Or(items) => items.iter().map(|item| item.conjuncts()).collect(),
        _ => vec![conclusion.conjuncts()],
    };
    // Of a false conclusion no literal is left.
    let alternatives: Vec<Vec<Term>> = match conclusion.as_bool() {
        Some(true) => return true,
        Some(false) => Vec::new(),
        None => alternatives,
    };
    let mut cases = CASES;
    // Where few disjunctions suffice, the others only multiply the cases.
    (0..=splits.len()).any(|count| follows(&facts, &splits[..count], &alternatives, &mut cases))
}

fn follows(facts: &Facts, splits: &[Vec<Vec<Term>>], alternatives: &[Vec<Term>], cases: &mut usize) -> bool {
    if facts.contradictory {
        return true;
    }
    if alternatives.iter().any(|literals| literals.iter().all(|literal| facts.imply(*literal))) {
        return true;
    }
    let Some((first, rest)) = splits.split_first() else { return false };
    first.iter().all(|literals| {
        *cases = cases.saturating_sub(1);
        if *cases == 0 {
            return false;
        }
        let mut more = facts.clone();
        literals.iter().for_each(|literal| more.add(*literal));
        follows(&more, rest, alternatives, cases)
    })
}

/// What a conjunction says, form by form.
#[derive(Clone, Debug, Default)]
struct Facts {
    bounds: HashMap<&'static Linear, (i128, i128)>,
    /// The variables that have one value left.
    points: HashMap<VarId, i128>,
    literals: BTreeSet<Term>,
    contradictory: bool,
}

impl Facts {
    fn add(&mut self, literal: Term) {
        match literal.as_bool() {
            Some(true) => return,
            Some(false) => {
                self.contradictory = true;
                return;
            }
            None => {}
        }
        match bounds(literal) {
            Some((form, low, high)) => {
                let known = self.bounds.entry(form).or_insert((i128::MIN, i128::MAX));
                *known = (known.0.max(low), known.1.min(high));
                self.contradictory |= known.0 > known.1;
                if let ([(term, 1)], true) = (form.monomials(), known.0 == known.1) {
                    self.points.extend(term.as_var().map(|var| (var, known.0)));
                }
            }
            None => {
                self.contradictory |= self.refute(literal);
                self.literals.insert(literal);
            }
        }
    }

    /// Whether a literal that gives no bounds is excluded.
    fn refute(&self, literal: Term) -> bool {
        self.literals.contains(&literal.not()) || matches!(literal.kind(), TermKind::Not(atom) if self.imply(*atom))
    }

    fn imply(&self, literal: Term) -> bool {
        if literal.as_bool() == Some(true) || self.literals.contains(&literal) {
            return true;
        }
        if let TermKind::Not(atom) = literal.kind()
            && let TermKind::Eq(form, value) = atom.kind()
        {
            return self.bounds.get(form).is_some_and(|(low, high)| value < low || high < value) || self.holds(literal);
        }
        let bounded = |(form, low, high): (&Linear, i128, i128)| {
            self.bounds.get(form).is_some_and(|known| low <= known.0 && known.1 <= high)
        };
        bounds(literal).is_some_and(bounded) || self.holds(literal)
    }

    /// Whether the literal is true of the values that its variables must have.
    fn holds(&self, literal: Term) -> bool {
        truth(literal, &|var| self.points.get(&var).copied()) == Some(true)
    }
}

/// The linear form and the bounds that a literal gives it.
fn bounds(literal: Term) -> Option<(&'static Linear, i128, i128)> {
    match literal.kind() {
        TermKind::Le(form, bound) => Some((form, i128::MIN, *bound)),
        TermKind::Eq(form, value) => Some((form, *value, *value)),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => Some((form, bound + 1, i128::MAX)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use program::{Sort, VarId};

    use super::*;

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
        assert!(is_evident(&[either, x.le(int(1))], y.eq_to(int(2))));
        assert!(is_evident(&[either], Term::or([x.eq_to(int(1)), y.eq_to(int(1))])));
        assert!(!is_evident(&[either], y.eq_to(int(2))));
        assert!(is_evident(&[either, int(3).le(x)], Term::bool(false)));
        assert!(!is_evident(&[either], Term::bool(false)));
    }

    #[test]
    fn values_that_are_left_decide() {
        let (x, y) = (var(0), var(1));
        let known = [x.eq_to(int(3)), y.within(4, 9), y.le(int(4))];
        assert!(is_evident(&known, x.mul(y).eq_to(int(12))));
        assert!(is_evident(&known, x.add(y).le(int(7))));
        assert!(!is_evident(&known, x.add(y).le(int(6))));
        assert!(!is_evident(&known[..2], x.add(y).le(int(12))));
    }

    #[test]
    fn a_disequality_follows_from_bounds_and_excludes_a_value() {
        let x = var(0);
        let unequal = x.eq_to(int(3)).not();
        assert!(is_evident(&[x.le(int(2))], unequal));
        assert!(!is_evident(&[x.le(int(3))], unequal));
        assert!(is_evident(&[x.eq_to(int(3)), unequal], Term::bool(false)));
        assert!(is_evident(&[unequal, x.le(int(4))], unequal));
    }
}
