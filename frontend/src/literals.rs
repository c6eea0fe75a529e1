//! Guards as conjunctions of literals: disjunctions and disequalities become several transitions, so that the abstraction can
//! follow them.

use program::{Term, TermKind};

use crate::memory::Memory;

/// More transitions than this are not made of one: what is left stays a disequality.
const MAX_SPLITS: usize = 16;

/// Conjunctions of literals that together say what the guard says.
pub(crate) fn split_guard(guard: &[Term], memory: &Memory) -> Vec<Vec<Term>> {
    let mut conjunctions: Vec<Vec<Term>> = vec![Vec::new()];
    for formula in guard {
        let room = MAX_SPLITS / conjunctions.len().max(1);
        let alternatives = alternatives(*formula, memory, room);
        let mut next = Vec::new();
        for conjunction in &conjunctions {
            for alternative in &alternatives {
                next.extend(joined(conjunction, alternative));
            }
        }
        conjunctions = next;
    }
    conjunctions
}

/// The conjunction of both, or nothing if they contradict each other.
fn joined(left: &[Term], right: &[Term]) -> Option<Vec<Term>> {
    let mut all = left.to_vec();
    for literal in right {
        if all.contains(&literal.not()) || literal.as_bool() == Some(false) {
            return None;
        }
        if !all.contains(literal) && literal.as_bool().is_none() {
            all.push(*literal);
        }
    }
    Some(all)
}

/// A formula as a disjunction of conjunctions of literals.
fn alternatives(formula: Term, memory: &Memory, room: usize) -> Vec<Vec<Term>> {
    match formula.kind() {
        TermKind::Or(items) => items.iter().flat_map(|item| alternatives(*item, memory, room)).collect(),
        TermKind::And(items) => items.iter().fold(vec![Vec::new()], |conjunctions: Vec<Vec<Term>>, item| {
            let options = alternatives(*item, memory, room);
            conjunctions.iter().flat_map(|c| options.iter().filter_map(|o| joined(c, o))).collect()
        }),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Eq(form, bound) => {
                let sum = Term::linear(form.clone());
                let below = sum.le(Term::int(bound - 1));
                let above = Term::int(bound + 1).le(sum);
                let (low, high) = range(sum, memory);
                if low >= *bound {
                    vec![vec![above]]
                } else if high <= *bound {
                    vec![vec![below]]
                } else if room >= 2 {
                    vec![vec![below], vec![above]]
                } else {
                    vec![vec![formula]]
                }
            }
            _ => vec![vec![formula]],
        },
        _ => vec![vec![formula]],
    }
}

/// The range of a single variable, from its type.
fn range(sum: Term, memory: &Memory) -> (i128, i128) {
    match sum.as_var() {
        Some(var) => (memory.cell(var).ty.least(), memory.cell(var).ty.greatest()),
        None => (i128::MIN, i128::MAX),
    }
}
