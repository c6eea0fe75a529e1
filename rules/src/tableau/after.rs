//! Variables after a step, replaced by what a premise says they are.
//!
//! R_i and E_i -> R_i' speaks of the values before and after an environment's step. E_i is a disjunction of abstract transitions,
//! each of which gives most variables their new value: x' = e. Replaced by e, R_i' is about the values before, like R_i.

use std::collections::BTreeMap;

use program::{Term, TermKind, VarId};

use crate::rely_guarantee::{solved_form, substitute_primed};

/// Cases that give variables the same values after the step.
pub struct Group {
    after: BTreeMap<VarId, Term>,
    /// The cases as one formula, and the premise that it is a part of.
    part: Option<(usize, Term)>,
}

impl Group {
    /// The premises in these cases.
    pub fn premises(&self, premises: &[Term]) -> Vec<Term> {
        let here = |(k, premise): (usize, &Term)| match self.part {
            Some((split, part)) if split == k => part,
            _ => *premise,
        };
        premises.iter().enumerate().map(here).map(|premise| self.after(premise)).collect()
    }

    /// A formula in these cases.
    pub fn after(&self, formula: Term) -> Term {
        if self.after.is_empty() { formula } else { substitute_primed(formula, &self.after) }
    }
}

/// The ways to take the premises apart, one for each disjunction about values after a step: each gives groups of cases that
/// together are all there are.
pub fn ways(premises: &[Term]) -> Vec<std::vec::IntoIter<Group>> {
    let about_after = |k: &usize| speaks_of_after(premises[*k]);
    let relevant: Vec<usize> = (0..premises.len()).filter(about_after).collect();
    let facts: Vec<Term> = relevant.iter().map(|k| premises[*k]).filter(|p| !is_disjunction(*p)).collect();
    let disjunctions: Vec<usize> = relevant.into_iter().filter(|k| is_disjunction(premises[*k])).collect();
    if disjunctions.is_empty() {
        return vec![vec![Group { after: solved_form(&facts, &|_| false), part: None }].into_iter()];
    }
    disjunctions.into_iter().map(|k| groups(&facts, premises[k], k)).collect()
}

fn groups(facts: &[Term], disjunction: Term, index: usize) -> std::vec::IntoIter<Group> {
    let mut by_values: BTreeMap<BTreeMap<VarId, Term>, Vec<Term>> = BTreeMap::new();
    for case in disjunction.children() {
        let said: Vec<Term> = case.conjuncts().into_iter().chain(facts.iter().copied()).collect();
        by_values.entry(solved_form(&said, &|_| false)).or_default().push(case);
    }
    let group = |(after, cases)| Group { after, part: Some((index, Term::or(cases))) };
    by_values.into_iter().map(group).collect::<Vec<_>>().into_iter()
}

fn is_disjunction(formula: Term) -> bool {
    matches!(formula.kind(), TermKind::Or(_))
}

fn speaks_of_after(formula: Term) -> bool {
    let mut found = false;
    formula.visit(&mut |leaf| found |= matches!(leaf.kind(), TermKind::Primed(..)));
    found
}
