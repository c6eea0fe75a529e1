//! Variables after a step, replaced by what a premise says they are.
//!
//! R_i and E_i -> R_i' speaks of the values before and after an environment's step. E_i is a disjunction of abstract transitions,
//! each of which gives most variables their new value: x' = e. Replaced by e, R_i' is about the values before, like R_i.

use std::collections::BTreeMap;
use std::rc::Rc;

use program::{Term, TermKind, VarId, determined};
use rustc_hash::FxHashMap;

/// Cases that give variables the same values after the step.
pub struct Group {
    after: BTreeMap<VarId, Term>,
    /// The disjunction they are some of, and what they say.
    part: Option<(Term, Term)>,
}

impl Group {
    fn new(after: BTreeMap<VarId, Term>, part: Option<(Term, Term)>) -> Group {
        let part = part.map(|(whole, cases)| (whole, cases.with_after(&after)));
        Group { after, part }
    }

    /// A premise in these cases.
    pub fn premise(&self, premise: Term) -> Term {
        match self.part {
            Some((whole, part)) if whole == premise => part,
            _ => self.after(premise),
        }
    }

    /// A formula in these cases.
    pub fn after(&self, formula: Term) -> Term {
        if self.after.is_empty() { formula } else { formula.with_after(&self.after) }
    }
}

/// Groups of cases that together are all there are.
type Groups = Rc<[Group]>;

/// What has been found out about premises: conditions share most of them.
#[derive(Default)]
pub struct After {
    spoken_of: FxHashMap<Term, bool>,
    groups: FxHashMap<(Term, Vec<Term>), Groups>,
}

impl After {
    /// Whether a formula speaks of values after a step.
    pub fn is_spoken_of(&mut self, formula: Term) -> bool {
        *self.spoken_of.entry(formula).or_insert_with(|| formula.speaks_of_after())
    }

    /// The ways to take the premises apart, one for each disjunction about values after a step.
    pub fn ways(&mut self, premises: &[Term]) -> Vec<Groups> {
        let relevant: Vec<Term> = premises.iter().copied().filter(|premise| self.is_spoken_of(*premise)).collect();
        let is_disjunction = |premise: &Term| matches!(premise.kind(), TermKind::Or(_));
        let (disjunctions, facts): (Vec<Term>, Vec<Term>) = relevant.into_iter().partition(is_disjunction);
        if disjunctions.is_empty() {
            return vec![[Group::new(determined(facts), None)].into()];
        }
        let mut groups =
            |whole: Term| self.groups.entry((whole, facts.clone())).or_insert_with(|| groups(&facts, whole)).clone();
        disjunctions.into_iter().map(&mut groups).collect()
    }
}

fn groups(facts: &[Term], whole: Term) -> Groups {
    let mut by_values: BTreeMap<BTreeMap<VarId, Term>, Vec<Term>> = BTreeMap::new();
    for case in whole.children() {
        let said = case.conjuncts().into_iter().chain(facts.iter().copied());
        by_values.entry(determined(said)).or_default().push(case);
    }
    by_values.into_iter().map(|(after, cases)| Group::new(after, Some((whole, Term::or(cases))))).collect()
}
