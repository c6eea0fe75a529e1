//! Values after a step that equations determine by values before it.

use std::collections::BTreeMap;

use crate::model::VarId;
use crate::term::{Term, TermKind};

impl Term {
    /// The variable whose value after a step an equation determines by values before it, and that value.
    pub fn determines(self) -> Option<(VarId, Term)> {
        let TermKind::Eq(form, bound) = self.kind() else { return None };
        let primed = |(term, c): &(Term, i128)| match term.kind() {
            TermKind::Primed(var, _) => Some((*var, *c, *term)),
            _ => None,
        };
        let primed: Vec<(VarId, i128, Term)> = form.monomials().iter().filter_map(primed).collect();
        let [(var, c @ (1 | -1), leaf)] = primed.as_slice() else { return None };
        // c * x' + rest = bound, so x' = c * (bound - rest).
        let rest = Term::linear(form.clone()).sub(leaf.mul(Term::int(*c)));
        let value = Term::int(*c).mul(Term::int(*bound).sub(rest));
        (!value.speaks_of_after()).then_some((*var, value))
    }

    /// Whether values after a step occur.
    pub fn speaks_of_after(self) -> bool {
        let mut found = false;
        self.visit(&mut |leaf| found |= matches!(leaf.kind(), TermKind::Primed(..)));
        found
    }

    /// The term with these in the place of values after a step.
    pub fn with_after(self, values: &BTreeMap<VarId, Term>) -> Term {
        self.rewrite(&|leaf| match leaf.kind() {
            TermKind::Primed(var, _) => values.get(var).copied(),
            _ => None,
        })
    }
}

/// The values after a step that equations among the formulas determine; the first of a variable counts.
pub fn determined(formulas: impl IntoIterator<Item = Term>) -> BTreeMap<VarId, Term> {
    let mut values = BTreeMap::new();
    for (var, value) in formulas.into_iter().filter_map(Term::determines) {
        values.entry(var).or_insert(value);
    }
    values
}
