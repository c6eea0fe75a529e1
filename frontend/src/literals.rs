//! Guards as conjunctions of literals: disjunctions and disequalities become several transitions, so that the abstraction can
//! follow them.

use program::{Term, TermKind};

use crate::lower::bounds::sum_bounds;
use crate::memory::Memory;

/// More transitions than this are not made of one: what is left stays a disequality.
const MAX_SPLITS: usize = 16;

/// Conjunctions of literals that together say what the guard says.
pub(crate) fn split_guard(guard: &[Term], memory: &Memory) -> Vec<Vec<Term>> {
    let mut conjunctions: Vec<Vec<Term>> = vec![Vec::new()];
    for formula in guard {
        match decided_by_equality(*formula, guard) {
            Some(true) => continue,
            Some(false) => return Vec::new(),
            None => {}
        }
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

/// A literal over a form that another literal of the guard fixes: `p == 8` makes `p != 4` true, which need not be split.
fn decided_by_equality(literal: Term, guard: &[Term]) -> Option<bool> {
    let value = |form: &program::Linear| {
        guard.iter().filter(|other| **other != literal).find_map(|other| match other.kind() {
            TermKind::Eq(fixed, value) if fixed == form => Some(*value),
            _ => None,
        })
    };
    let holds = |atom: Term| match atom.kind() {
        TermKind::Le(form, bound) => value(form).map(|value| value <= *bound),
        TermKind::Eq(form, bound) => value(form).map(|value| value == *bound),
        _ => None,
    };
    match literal.kind() {
        TermKind::Not(inner) => holds(*inner).map(|value| !value),
        _ => holds(literal),
    }
}

/// The conjunction of both, or nothing if they contradict each other.
fn joined(left: &[Term], right: &[Term]) -> Option<Vec<Term>> {
    right.iter().try_fold(left.to_vec(), |all, literal| with(all, *literal))
}

/// The conjunction with one more literal, which may make others superfluous, or nothing if they contradict it.
fn with(mut all: Vec<Term>, literal: Term) -> Option<Vec<Term>> {
    match literal.as_bool() {
        Some(true) => return Some(all),
        Some(false) => return None,
        None => {}
    }
    for other in &all {
        match implied(*other, literal) {
            Some(true) => return Some(all),
            Some(false) => return None,
            None => {}
        }
    }
    all.retain(|other| implied(literal, *other) != Some(true));
    all.push(literal);
    Some(all)
}

/// Whether one literal makes another one over the same form true, or false.
fn implied(known: Term, literal: Term) -> Option<bool> {
    if known == literal {
        return Some(true);
    }
    if known == literal.not() {
        return Some(false);
    }
    let ((form, low, high), (other, least, greatest)) = (interval(known)?, interval(literal)?);
    let (low, high) = (low.unwrap_or(i128::MIN), high.unwrap_or(i128::MAX));
    let (least, greatest) = (least.unwrap_or(i128::MIN), greatest.unwrap_or(i128::MAX));
    match form == other {
        true if least <= low && high <= greatest => Some(true),
        true if high < least || greatest < low => Some(false),
        _ => None,
    }
}

/// A form and the bounds that a literal gives it.
fn interval(literal: Term) -> Option<(&'static program::Linear, Option<i128>, Option<i128>)> {
    match literal.kind() {
        TermKind::Le(form, bound) => Some((form, None, Some(*bound))),
        TermKind::Eq(form, value) => Some((form, Some(*value), Some(*value))),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => Some((form, Some(bound + 1), None)),
            _ => None,
        },
        _ => None,
    }
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
            TermKind::Eq(form, bound) if folded(*inner).is_none() => {
                let sum = Term::linear(form.clone());
                let below = decided(sum.le(Term::int(bound - 1)), memory);
                let above = decided(Term::int(bound + 1).le(sum), memory);
                match (below.as_bool(), above.as_bool()) {
                    (Some(false), _) => vec![vec![above]],
                    (_, Some(false)) => vec![vec![below]],
                    _ if room >= 2 => vec![vec![below], vec![above]],
                    _ => vec![vec![formula]],
                }
            }
            _ => match folded(*inner) {
                Some(condition) => alternatives(condition.not(), memory, room),
                None => vec![vec![decided(formula, memory)]],
            },
        },
        _ => match folded(formula) {
            Some(condition) => alternatives(condition, memory, room),
            None => vec![vec![decided(formula, memory)]],
        },
    }
}

/// What a comparison of a conditional value with a number says of the condition.
fn folded(atom: Term) -> Option<Term> {
    let (form, TermKind::Le(_, bound) | TermKind::Eq(_, bound)) = (interval(atom)?.0, atom.kind()) else { return None };
    let value = Term::linear(form.clone());
    let again = match atom.kind() {
        TermKind::Le(..) => value.le(Term::int(*bound)),
        _ => value.eq_to(Term::int(*bound)),
    };
    (again != atom).then_some(again)
}

/// A definedness condition without the parts that the types of its variables settle.
pub(crate) fn simplified(condition: Term, memory: &Memory) -> Term {
    match condition.kind() {
        TermKind::And(items) => Term::and(items.iter().map(|item| decided(*item, memory)).collect::<Vec<_>>()),
        _ => decided(condition, memory),
    }
}

/// The literal, or its truth value where the types of its variables settle it.
fn decided(literal: Term, memory: &Memory) -> Term {
    let holds = |literal: Term| match literal.kind() {
        TermKind::Le(form, bound) => sum_bounds(memory, form).and_then(|(low, high)| match () {
            () if high <= *bound => Some(true),
            () if low > *bound => Some(false),
            () => None,
        }),
        TermKind::Eq(form, bound) => {
            sum_bounds(memory, form).filter(|(low, high)| bound < low || high < bound).map(|_| false)
        }
        _ => literal.as_bool(),
    };
    let value = match literal.kind() {
        TermKind::Not(inner) => holds(*inner).map(|value| !value),
        _ => holds(literal),
    };
    value.map_or(literal, Term::bool)
}
