//! Values that are kept in the ranges of their variables, which every proof takes for granted.
//!
//! Integers of C are converted to their types when they are made, so what cannot be seen to be in its range has a form that hides
//! it: converted once more it is the same. Pointers are not, lest sums of addresses become opaque. One that is moved by less than a
//! margin can leave the address space only if it pointed to nothing before, which is undefined behaviour; one that is moved
//! further is converted like an integer.

use program::{Bookkeeping, Definedness, IntType, Sort, Term, TermKind, Thread, Transition, UbKind, Var, VarKind};

use crate::memory::MARGIN;

/// Sees to it that no step takes a variable out of its range. Addresses are of type `word`.
pub(crate) fn keep(vars: &[Var], threads: &mut [Thread], word: IntType) {
    for step in threads.iter_mut().flat_map(|thread| &mut thread.transitions) {
        for var in program::leaving_range(vars, step) {
            let ty = vars[var.0 as usize].ty;
            let Some(position) = step.updates.iter().position(|(written, _)| *written == var) else { continue };
            let value = step.updates[position].1;
            step.updates[position].1 = kept(value, ty, &|value| ty == word && is_near(vars, value), step);
        }
    }
}

fn kept(value: Term, ty: IntType, is_address: &dyn Fn(Term) -> bool, step: &mut Transition) -> Term {
    match value.kind() {
        TermKind::Store(array, index, element) => {
            let element = kept(*element, ty, is_address, step);
            kept(*array, ty, is_address, step).store(*index, element)
        }
        TermKind::ConstArray(element) => Term::const_array(kept(*element, ty, is_address, step)),
        _ if is_address(value) => {
            let condition = value.within(ty.least(), ty.greatest());
            step.defined.push(Definedness { condition, kind: UbKind::InvalidPointer, span: step.span });
            value
        }
        _ if value.sort() == Sort::Int => value.wrap(ty),
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
