//! What the environment E_i may do to an assertion R_i.

use std::collections::BTreeSet;

use program::{Owner, Program, Term, TermKind, ThreadId, VarId};

/// E_i as its threads see it: their own variables keep their values.
pub(crate) struct Environment<'a> {
    program: &'a Program,
    own: &'a [ThreadId],
    /// The disjuncts, each with the variables that it says keep their values.
    disjuncts: Vec<(Term, BTreeSet<VarId>)>,
}

impl<'a> Environment<'a> {
    pub(crate) fn new(program: &'a Program, own: &'a [ThreadId], disjuncts: &[Term]) -> Environment<'a> {
        let mut environment = Environment { program, own, disjuncts: Vec::new() };
        for disjunct in disjuncts {
            let disjunct = disjunct.rewrite(&|leaf| match leaf.kind() {
                TermKind::Primed(var, sort) if environment.keeps(*var) => Some(Term::var(*var, *sort)),
                _ => None,
            });
            environment.disjuncts.push((disjunct, frames(disjunct)));
        }
        environment
    }

    /// Whether the variable is the threads' own.
    fn keeps(&self, var: VarId) -> bool {
        match (var.0 as usize).checked_sub(self.program.var_count()) {
            Some(thread) => self.own.iter().any(|t| t.0 as usize == thread),
            None => matches!(self.program.var(var).owner, Owner::Local(thread) if self.own.contains(&thread)),
        }
    }

    /// What the environment may do that touches a formula, and what the formula says afterwards. A transition that changes nothing
    /// the formula speaks of keeps it.
    pub(crate) fn disturbs(&self, formula: Term) -> (Term, Term) {
        let after = formula.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, sort) if !self.keeps(*var) => Some(Term::primed(*var, *sort)),
            TermKind::Primed(var, sort) if self.keeps(*var) => Some(Term::var(*var, *sort)),
            _ => None,
        });
        let foreign: BTreeSet<VarId> = formula.vars().into_iter().filter(|var| !self.keeps(*var)).collect();
        let touching = self.disjuncts.iter().filter(|(_, unchanged)| !foreign.is_subset(unchanged));
        (Term::or(touching.map(|(disjunct, _)| *disjunct)), after)
    }
}

/// The variables that a conjunction says keep their value: those of each conjunct x' = x.
fn frames(formula: Term) -> BTreeSet<VarId> {
    let same = |a: Term, b: Term| match (a.kind(), b.kind()) {
        (TermKind::Primed(after, _), TermKind::Var(before, _)) if after == before => Some(*before),
        _ => None,
    };
    let frame = |conjunct: Term| match conjunct.kind() {
        TermKind::Eq(form, 0) => match form.monomials() {
            [(a, 1), (b, -1)] => same(*a, *b).or(same(*b, *a)),
            _ => None,
        },
        TermKind::ArrayEq(a, b) => same(*a, *b).or(same(*b, *a)),
        _ => None,
    };
    formula.conjuncts().into_iter().filter_map(frame).collect()
}
