//! Substitution of terms for variables.

use rustc_hash::FxHashMap;

use crate::linear::Linear;
use crate::model::VarId;
use crate::term::{Sort, Term, TermKind};

impl Term {
    /// The term with every unprimed variable `v` replaced by `map(v)`, where that is something; renormalised.
    pub fn substitute(self, map: &impl Fn(VarId, Sort) -> Option<Term>) -> Term {
        self.rewrite(&|term| match term.kind() {
            TermKind::Var(var, sort) => map(*var, *sort),
            _ => None,
        })
    }

    /// The term with every variable primed.
    pub fn prime(self) -> Term {
        self.substitute(&|var, sort| Some(Term::primed(var, sort)))
    }

    /// The term rebuilt bottom-up with `leaf` deciding what becomes of variables, primed and unprimed, of conditional values and of
    /// casts, of which what it gives is rebuilt in turn.
    pub fn rewrite(self, leaf: &impl Fn(Term) -> Option<Term>) -> Term {
        rebuild(self, leaf, &mut FxHashMap::default())
    }
}

fn rebuild(term: Term, leaf: &impl Fn(Term) -> Option<Term>, done: &mut FxHashMap<Term, Term>) -> Term {
    if let Some(result) = done.get(&term) {
        return *result;
    }
    let mut go = |t: Term| rebuild(t, leaf, done);
    let result = match term.kind() {
        TermKind::Int(_) | TermKind::Bool(_) => term,
        TermKind::Var(..) | TermKind::Primed(..) => leaf(term).unwrap_or(term),
        TermKind::Sum(sum) => sum_of(sum, &mut go),
        TermKind::Add(a, b) => go(*a).add(go(*b)),
        TermKind::Mul(a, b) => go(*a).mul(go(*b)),
        TermKind::Div(a, b) => go(*a).div(go(*b)),
        TermKind::Rem(a, b) => go(*a).rem(go(*b)),
        TermKind::Wrap(ty, a) => match leaf(term) {
            Some(chosen) => go(chosen),
            None => go(*a).wrap(*ty),
        },
        TermKind::Bits(op, ty, a, b) => Term::bits(*op, *ty, go(*a), go(*b)),
        TermKind::Ite(c, a, b) => match leaf(term) {
            Some(chosen) => go(chosen),
            None => Term::ite(go(*c), go(*a), go(*b)),
        },
        TermKind::Le(form, bound) => sum_of(form, &mut go).le(Term::int(*bound)),
        TermKind::Eq(form, bound) => sum_of(form, &mut go).eq_to(Term::int(*bound)),
        TermKind::ArrayEq(a, b) => go(*a).eq_to(go(*b)),
        TermKind::Not(a) => go(*a).not(),
        TermKind::And(items) => Term::and(items.iter().map(|t| go(*t)).collect::<Vec<_>>()),
        TermKind::Or(items) => Term::or(items.iter().map(|t| go(*t)).collect::<Vec<_>>()),
        TermKind::Select(a, i) => go(*a).select(go(*i)),
        TermKind::Store(a, i, v) => go(*a).store(go(*i), go(*v)),
        TermKind::ConstArray(v) => Term::const_array(go(*v)),
    };
    done.insert(term, result);
    result
}

fn sum_of(sum: &Linear, go: &mut impl FnMut(Term) -> Term) -> Term {
    let summands: Vec<Term> = sum.monomials().iter().map(|(term, c)| Term::int(*c).mul(go(*term))).collect();
    total(&summands).add(Term::int(sum.offset()))
}

/// The sum of terms, half by half: one after the other, each would be merged into all before it.
fn total(summands: &[Term]) -> Term {
    match summands {
        [] => Term::int(0),
        [only] => *only,
        _ => {
            let (left, right) = summands.split_at(summands.len() / 2);
            total(left).add(total(right))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }
    fn y() -> Term {
        Term::var(VarId(1), Sort::Int)
    }
    fn x_becomes(value: Term) -> impl Fn(VarId, Sort) -> Option<Term> {
        move |var, _| (var == VarId(0)).then_some(value)
    }

    #[test]
    fn the_result_is_in_normal_form() {
        let atom = x().add(y()).le(Term::int(3));
        assert_eq!(atom.substitute(&x_becomes(y())), y().le(Term::int(1)));
        assert_eq!(atom.substitute(&x_becomes(y().neg())), Term::bool(true));
        assert_eq!(x().mul(y()).substitute(&x_becomes(Term::int(2))), y().add(y()));
        assert_eq!(y().div(x()).substitute(&x_becomes(Term::int(1))), y());
    }

    #[test]
    fn it_is_simultaneous() {
        let swap = |var: VarId, sort| Some(Term::var(VarId(1 - var.0), sort));
        assert_eq!(x().sub(y()).substitute(&swap), y().sub(x()));
    }

    #[test]
    fn primed_variables_are_others() {
        let primed = x().add(y()).prime();
        assert_eq!(primed.vars(), std::collections::BTreeSet::new());
        assert_eq!(primed.substitute(&x_becomes(Term::int(0))), primed);
        let back = primed.rewrite(&|leaf| match leaf.kind() {
            TermKind::Primed(var, sort) => Some(Term::var(*var, *sort)),
            _ => None,
        });
        assert_eq!(back, x().add(y()));
    }

    #[test]
    fn every_kind_of_term_is_rebuilt() {
        let (ty, array) = (crate::term::IntType::new(32, true), Term::var(VarId(2), Sort::Array));
        let terms = [
            x().rem(y()),
            x().wrap(ty),
            Term::bits(crate::term::BitOp::Xor, ty, x(), y()),
            Term::ite(x().le(y()), x(), y()),
            array.store(x(), y()).select(y()),
            array.eq_to(Term::const_array(x())).as_c_int(),
            Term::or([x().eq_to(y()), Term::and([x().le(Term::int(0)), y().ne(Term::int(1))])]).as_c_int(),
        ];
        for term in terms {
            let there = |var: VarId, sort| Some(Term::var(VarId(var.0 + 10), sort));
            let back = |var: VarId, sort| Some(Term::var(VarId(var.0 - 10), sort));
            let moved = term.substitute(&there);
            assert!(moved.vars().iter().all(|var| var.0 >= 10), "{term:?} became {moved:?}");
            assert_eq!(moved.substitute(&back), term);
        }
    }
}
