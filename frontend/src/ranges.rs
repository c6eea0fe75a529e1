//! Values that are kept in the ranges of their variables, which every proof takes for granted.
//!
//! Signed results were checked when they were computed, perhaps in a step before this one: to leave the range would be undefined
//! behaviour, and is said to be so again. Unsigned integers of C are converted to their types when they are made, so what cannot be
//! seen to be in its range has a form that hides it: converted once more it is the same. Pointers are not, lest sums of addresses
//! become opaque. One that is moved by less than a margin can leave the address space only if it pointed to nothing before, which is
//! undefined behaviour; one that is moved further is converted like an integer.

use program::{
    Bookkeeping, Definedness, IntType, Sort, Term, TermKind, Thread, Transition, UbKind, Var, VarId, VarKind,
};

use crate::memory::MARGIN;

/// What becomes of a pointer that points to nothing and leaves the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Astray {
    /// That is undefined behaviour.
    Ends,
    /// It comes back at the other end, as machines have it: what is asked for is that nothing is accessed through it.
    Wraps,
}

/// Sees to it that no step takes a variable out of its range. Addresses are of type `word`.
pub(crate) fn keep(vars: &[Var], threads: &mut [Thread], word: IntType, astray: Astray) {
    for step in threads.iter_mut().flat_map(|thread| &mut thread.transitions) {
        for var in program::leaving_range(vars, step) {
            let ty = vars[var.0 as usize].ty;
            let undefined = |value: Term| match ty.signed {
                true => Some(UbKind::SignedOverflow),
                false => {
                    (astray == Astray::Ends && ty == word && is_near(vars, value)).then_some(UbKind::InvalidPointer)
                }
            };
            let checked = kept(step, var, ty, &undefined);
            // A condition about choices may be too much to be seen through.
            let is_seen = !program::leaving_range(vars, &checked).contains(&var);
            *step = if is_seen { checked } else { kept(step, var, ty, &|_| None) };
        }
    }
}

/// The step, with a value for the variable that is in the range of its type. `undefined` says what it would be to leave it, if that
/// is undefined.
fn kept(step: &Transition, var: VarId, ty: IntType, undefined: &dyn Fn(Term) -> Option<UbKind>) -> Transition {
    let mut conditions = Vec::new();
    let mut kept = step.clone();
    for (_, value) in kept.updates.iter_mut().filter(|(written, _)| *written == var) {
        *value = in_range(*value, ty, undefined, &mut conditions);
    }
    let defined = |(condition, kind)| Definedness { condition, kind, span: step.span };
    kept.defined.extend(conditions.into_iter().map(defined));
    kept
}

fn in_range(
    value: Term,
    ty: IntType,
    undefined: &dyn Fn(Term) -> Option<UbKind>,
    conditions: &mut Vec<(Term, UbKind)>,
) -> Term {
    match (value.kind(), value.sort()) {
        (TermKind::Store(array, index, element), _) => {
            let element = in_range(*element, ty, undefined, conditions);
            in_range(*array, ty, undefined, conditions).store(*index, element)
        }
        (TermKind::ConstArray(element), _) => Term::const_array(in_range(*element, ty, undefined, conditions)),
        (_, Sort::Int) => match undefined(value) {
            Some(kind) => {
                let condition = value.within(ty.least(), ty.greatest());
                conditions.extend((condition.as_bool() != Some(true)).then_some((condition, kind)));
                value
            }
            None => value.wrap(ty),
        },
        _ => value,
    }
}

/// Whether a value is a variable, or the beginning of an object, and few bytes.
fn is_near(vars: &[Var], value: Term) -> bool {
    let TermKind::Sum(sum) = value.kind() else { return false };
    let is_place =
        |term: Term| term.as_var().is_some_and(|var| vars[var.0 as usize].kind == VarKind::Control(Bookkeeping::Place));
    match sum.monomials() {
        [(term, 1)] => term.as_var().is_some() && sum.offset().abs() <= MARGIN,
        [(term, _)] => is_place(*term),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use program::{Init, LocationId, Owner, Span};

    use super::*;

    const WORD: IntType = IntType::new(64, false);

    /// What a step that gives `x` of a type a value becomes: the value, and what it would be to leave the range.
    fn written(ty: IntType, value: impl Fn(Term, Term) -> Term) -> (Term, Vec<UbKind>) {
        let (span, init, kind) = (Span::default(), Init::Arbitrary, VarKind::User);
        let var = |name: &str| Var {
            name: name.into(),
            sort: Sort::Int,
            owner: Owner::Global,
            kind,
            ty,
            length: None,
            init,
            span,
        };
        let (x, y) = (Term::var(VarId(0), Sort::Int), Term::var(VarId(1), Sort::Int));
        let step = Transition {
            source: LocationId(0),
            target: LocationId(0),
            inputs: vec![],
            guard: vec![],
            updates: vec![(VarId(0), value(x, y))],
            defined: vec![],
            span,
        };
        let vars = [var("x"), var("y")];
        let mut threads =
            [Thread { name: "t".into(), entry: LocationId(0), locations: vec![], transitions: vec![step], span }];
        keep(&vars, &mut threads, WORD, Astray::Ends);
        let step = &threads[0].transitions[0];
        assert!(program::leaving_range(&vars, step).is_empty());
        (step.updates[0].1, step.defined.iter().map(|d| d.kind).collect())
    }

    #[test]
    fn values_stay_in_range_or_are_undefined() {
        let (x, y) = (Term::var(VarId(0), Sort::Int), Term::var(VarId(1), Sort::Int));
        let (int, uint) = (IntType::new(32, true), IntType::new(32, false));
        assert_eq!(written(int, |x, _| x.rem(Term::int(8))), (x.rem(Term::int(8)), vec![]));
        assert_eq!(written(int, |x, y| x.mul(y)), (x.mul(y), vec![UbKind::SignedOverflow]));
        assert_eq!(written(uint, |x, y| x.add(y)), (x.add(y).wrap(uint), vec![]));
        // A pointer that is moved by an element, and by any number of them.
        assert_eq!(written(WORD, |x, _| x.add(Term::int(4))), (x.add(Term::int(4)), vec![UbKind::InvalidPointer]));
        assert_eq!(written(WORD, |x, y| x.add(y)), (x.add(y).wrap(WORD), vec![]));
        let far = Term::int(MARGIN + 1);
        assert_eq!(written(WORD, |x, _| x.add(far)), (x.add(far).wrap(WORD), vec![]));
        // A choice is seen through, or converted.
        let choice = |x: Term, y: Term| Term::ite(x.le(y), x.add(Term::int(1)), y);
        let (value, kinds) = written(int, choice);
        assert!(value == choice(x, y).wrap(int) && kinds.is_empty() || kinds == [UbKind::SignedOverflow], "{value:?}");
    }
}
