//! Against divergence: where differences with one variable meet ever new constants, the variable is eliminated. From x - z and y - z,
//! which may grow for ever, comes x - y, which may not: tickets that are served in turn are different, whatever is served now.

use std::collections::BTreeSet;

use abstraction::PredicateSet;
use program::{Linear, Term, TermKind, VarId};

/// Comparisons of variables whose differences with a third are known predicates, where one of the differences is of `moved`.
pub fn eliminated(known: &PredicateSet, moved: &[Term]) -> Vec<Term> {
    let moved: BTreeSet<(VarId, VarId)> = moved.iter().filter_map(|atom| difference(*atom)).collect();
    let all: BTreeSet<(VarId, VarId)> =
        known.items().iter().filter_map(|atom| difference(*atom)).chain(moved.iter().copied()).collect();
    let mut found = BTreeSet::new();
    for (a, b) in &moved {
        for (c, d) in all.iter().filter(|other| *other != &(*a, *b)) {
            let (x, y) = match () {
                () if a == c => (b, d),
                () if a == d => (b, c),
                () if b == c => (a, d),
                () if b == d => (a, c),
                () => continue,
            };
            let (x, y) = (Term::var(*x, program::Sort::Int), Term::var(*y, program::Sort::Int));
            found.extend([x.eq_to(y), x.le(y), y.le(x)]);
        }
    }
    found.into_iter().collect()
}

/// Whether an atom compares two variables.
pub fn is_difference(atom: Term) -> bool {
    difference(atom).is_some()
}

/// The two variables that an atom compares.
fn difference(atom: Term) -> Option<(VarId, VarId)> {
    let (TermKind::Le(form, _) | TermKind::Eq(form, _)) = atom.kind() else { return None };
    variables(form)
}

fn variables(form: &Linear) -> Option<(VarId, VarId)> {
    match form.monomials() {
        [(a, 1), (b, -1)] | [(a, -1), (b, 1)] => Some((a.as_var()?, b.as_var()?)),
        _ => None,
    }
}
