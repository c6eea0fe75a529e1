//! Substitution of terms for variables.

use std::collections::HashMap;

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

    /// The term rebuilt bottom-up with `leaf` deciding what becomes of variables, primed and unprimed.
    pub fn rewrite(self, leaf: &impl Fn(Term) -> Option<Term>) -> Term {
        rebuild(self, leaf, &mut HashMap::new())
    }
}

fn rebuild(term: Term, leaf: &impl Fn(Term) -> Option<Term>, done: &mut HashMap<Term, Term>) -> Term {
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
        TermKind::Wrap(ty, a) => go(*a).wrap(*ty),
        TermKind::Bits(op, ty, a, b) => Term::bits(*op, *ty, go(*a), go(*b)),
        TermKind::Ite(c, a, b) => Term::ite(go(*c), go(*a), go(*b)),
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
    sum.monomials().iter().fold(Term::int(sum.offset()), |acc, (term, c)| acc.add(Term::int(*c).mul(go(*term))))
}
