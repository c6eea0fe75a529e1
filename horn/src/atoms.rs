//! The atoms of a formula: what a solution offers as predicates.

use std::collections::BTreeSet;

use program::{Term, TermKind};

/// The formulas without connectives that a formula is made of, none negated, none constant.
pub fn atoms(formula: Term) -> BTreeSet<Term> {
    let mut all = BTreeSet::new();
    collect(formula, &mut all);
    all
}

fn collect(formula: Term, all: &mut BTreeSet<Term>) {
    match formula.kind() {
        TermKind::Bool(_) => {}
        TermKind::Not(inner) => collect(*inner, all),
        TermKind::And(items) | TermKind::Or(items) => items.iter().for_each(|item| collect(*item, all)),
        _ => {
            all.insert(formula);
        }
    }
}
