//! A step from everything in a box.

use program::{Linear, Program, Term, TermKind, Transition, VarId};

use crate::engines::boxes::value::{Held, Truth, evaluate, plus, product, truth};

/// What every variable may hold, inputs included, by [`VarId`].
pub type Values = Vec<Held>;

/// Bounds found in one guard may help another, but not for ever.
const PASSES: usize = 2;

/// What variables may hold after the step; nothing if it is impossible.
pub fn after(program: &Program, values: &Values, transition: &Transition) -> Option<Values> {
    let mut before = values.clone();
    for _ in 0..PASSES {
        let defined = transition.defined.iter().map(|d| d.condition);
        for condition in transition.guard.iter().copied().chain(defined) {
            assume(program, &mut before, condition)?;
        }
    }
    let mut next = before.clone();
    for (var, term) in &transition.updates {
        next[var.0 as usize] = evaluate(*term, &|var| before[var.0 as usize].clone()).within(program.var(*var))?;
    }
    for input in &transition.inputs {
        next[input.0 as usize] = Held::anything(program.var(*input));
    }
    Some(next)
}

/// Whether some of the values may satisfy all conditions.
pub fn admits(program: &Program, values: &Values, conditions: &[Term]) -> bool {
    let mut left = values.clone();
    (0..PASSES).all(|_| conditions.iter().all(|condition| assume(program, &mut left, *condition).is_some()))
}

/// Leaves out what violates the condition, as far as bounds say it; nothing if everything does.
fn assume(program: &Program, values: &mut Values, condition: Term) -> Option<()> {
    match truth(condition, &|var| values[var.0 as usize].clone()) {
        Truth::True => return Some(()),
        Truth::False => return None,
        Truth::Unknown => {}
    }
    match condition.kind() {
        TermKind::Le(form, bound) => bounded(program, values, form, i128::MIN, *bound),
        TermKind::Eq(form, bound) => bounded(program, values, form, *bound, *bound),
        TermKind::And(items) => items.iter().try_for_each(|item| assume(program, values, *item)),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => bounded(program, values, form, bound + 1, i128::MAX),
            TermKind::Eq(form, bound) => {
                if let [(term, 1)] = form.monomials()
                    && let Some(var) = term.as_var()
                    && let Held::Range(low, high) = &mut values[var.0 as usize]
                {
                    *low += i128::from(low == bound);
                    *high -= i128::from(high == bound);
                }
                Some(())
            }
            _ => Some(()),
        },
        _ => Some(()),
    }
}

/// Makes the variables of a form that is within bounds not larger and not smaller than that allows.
fn bounded(program: &Program, values: &mut Values, form: &Linear, low: i128, high: i128) -> Option<()> {
    for (index, (term, factor)) in form.monomials().iter().enumerate() {
        let Some(var) = term.as_var() else { continue };
        let others = form.monomials().iter().enumerate().filter(|(other, _)| *other != index);
        let rest = others.fold((0, 0), |total, (_, (term, factor))| {
            plus(total, product(*term, *factor, &|var: VarId| values[var.0 as usize].clone()))
        });
        let own = plus((low, high), (opposite(rest.1), opposite(rest.0)));
        let Held::Range(least, greatest) = values[var.0 as usize] else { continue };
        let (from, to) = quotients(own, *factor);
        values[var.0 as usize] = Held::Range(least.max(from), greatest.min(to)).within(program.var(var))?;
    }
    Some(())
}

/// The integers whose product with the factor is within the bounds.
fn quotients((low, high): (i128, i128), factor: i128) -> (i128, i128) {
    let bound = |value: i128, up: bool| match value {
        i128::MIN | i128::MAX => value,
        value if up => -(-value).div_euclid(factor.abs()),
        value => value.div_euclid(factor.abs()),
    };
    match factor > 0 {
        true => (bound(low, true), bound(high, false)),
        false => (bound(opposite(high), true), bound(opposite(low), false)),
    }
}

/// The negation; that of no bound is no bound.
fn opposite(bound: i128) -> i128 {
    match bound {
        i128::MAX => i128::MIN,
        bound => bound.saturating_neg(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_inwards() {
        assert_eq!(quotients((-7, 7), 2), (-3, 3));
        assert_eq!(quotients((1, 7), 2), (1, 3));
        assert_eq!(quotients((1, 7), -2), (-3, -1));
        assert_eq!(quotients((i128::MIN, 7), 2), (i128::MIN, 3));
        assert_eq!(quotients((i128::MIN, 7), -2), (-3, i128::MAX));
        assert_eq!(quotients((7, i128::MAX), -2), (i128::MIN, -4));
    }
}
