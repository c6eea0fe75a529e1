//! Predicates, and what an abstract state knows about them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use program::{Linear, Term, TermKind, VarId};

use crate::bitset::BitSet;

/// A formula over the state that an abstract state may know to hold or to fail: an atom, or where a Cartesian state must
/// know a disjunction, that. Never negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate(Term);

impl Predicate {
    /// The predicate of a formula: a negation is stripped, since a state knows predicates in both signs.
    pub fn new(formula: Term) -> Option<Predicate> {
        match formula.kind() {
            TermKind::Bool(_) => None,
            TermKind::Not(inner) => Some(Predicate(*inner)),
            _ => Some(Predicate(formula)),
        }
    }
    /// Its formula.
    pub fn term(self) -> Term {
        self.0
    }
}

/// A formula over the states before and after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransitionPredicate(Term);

impl TransitionPredicate {
    /// The transition predicate of a formula over V and V'.
    pub fn new(formula: Term) -> Option<TransitionPredicate> {
        Predicate::new(formula).map(|p| TransitionPredicate(p.term()))
    }
    /// Its formula.
    pub fn term(self) -> Term {
        self.0
    }
}

/// An ordered set of predicates, fixed during one abstract reachability.
#[derive(Clone, Debug, Default)]
pub struct PredicateSet {
    items: Vec<Term>,
    negated: Vec<Term>,
    index: FxHashMap<Term, usize>,
    vars: BTreeSet<VarId>,
    forms: BTreeMap<Linear, FormConstants>,
    /// The linear forms that predicates compare with constants, and for each predicate the number of its own.
    compared: Vec<&'static Linear>,
    form: Vec<Option<usize>>,
}

/// The constants that a linear form is compared with.
#[derive(Clone, Debug, Default)]
pub struct FormConstants {
    /// Those of `form <= c`.
    pub bounds: BTreeSet<i128>,
    /// Those of `form = c`.
    pub points: BTreeSet<i128>,
}

impl PredicateSet {
    /// Adds a predicate; whether it is new.
    pub fn insert(&mut self, term: Term) -> bool {
        let Some(predicate) = Predicate::new(term) else { return false };
        let next = self.items.len();
        let new = *self.index.entry(predicate.term()).or_insert(next) == next;
        if new {
            self.items.push(predicate.term());
            self.negated.push(predicate.term().not());
            self.vars.extend(all_vars(predicate.term()));
            let form = match predicate.term().kind() {
                TermKind::Le(form, _) | TermKind::Eq(form, _) => {
                    let known = self.compared.iter().position(|other| *other == form);
                    Some(known.unwrap_or_else(|| {
                        self.compared.push(form);
                        self.compared.len() - 1
                    }))
                }
                _ => None,
            };
            self.form.push(form);
            match predicate.term().kind() {
                TermKind::Le(form, c) => {
                    self.forms.entry(form.clone()).or_default().bounds.insert(*c);
                }
                TermKind::Eq(form, c) => {
                    self.forms.entry(form.clone()).or_default().points.insert(*c);
                }
                _ => {}
            }
        }
        new
    }
    /// The predicates, in order of insertion.
    pub fn items(&self) -> &[Term] {
        &self.items
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The variables, primed or not, that occur in them: what their owner can see.
    pub fn vars(&self) -> &BTreeSet<VarId> {
        &self.vars
    }
    /// The constants that the predicates compare a form with.
    pub fn constants(&self, form: &Linear) -> Option<&FormConstants> {
        self.forms.get(form)
    }
    /// The position of the predicate, if it is among them.
    pub fn position(&self, term: Term) -> Option<usize> {
        self.index.get(&Predicate::new(term)?.term()).copied()
    }
    /// Whether the predicate is among them.
    pub fn contains(&self, term: Term) -> bool {
        self.position(term).is_some()
    }
}

/// The variables of a term, primed or not.
pub(crate) fn all_vars(term: Term) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    term.visit(&mut |sub| {
        if let TermKind::Var(var, _) | TermKind::Primed(var, _) = sub.kind() {
            vars.insert(*var);
        }
    });
    vars
}

/// Which predicates of a [`PredicateSet`] hold and which fail: a Cartesian abstract value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Valuation {
    holds: BitSet,
    fails: BitSet,
}

impl Valuation {
    /// Nothing known about `size` predicates.
    pub fn new(size: usize) -> Valuation {
        Valuation { holds: BitSet::new(size), fails: BitSet::new(size) }
    }
    /// Records that the predicate holds, or fails.
    pub fn set(&mut self, index: usize, value: bool) {
        if value { self.holds.insert(index) } else { self.fails.insert(index) }
    }
    /// What is known about the predicate.
    pub fn get(&self, index: usize) -> Option<bool> {
        match (self.holds.contains(index), self.fails.contains(index)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
    /// Whether `self` knows all that `other` knows: it stands for no more states.
    pub fn refines(&self, other: &Valuation) -> bool {
        other.holds.is_subset(&self.holds) && other.fails.is_subset(&self.fails)
    }
    /// The literals that say the same, without those that others over the same linear form make redundant.
    pub fn literals(&self, predicates: &PredicateSet) -> Vec<Term> {
        let mut bounds: Vec<Option<Bounds>> = Vec::new();
        bounds.resize_with(predicates.compared.len(), || None);
        let mut out = Vec::new();
        for (index, term) in predicates.items().iter().enumerate() {
            let Some(value) = self.get(index) else { continue };
            let Some(form) = predicates.form[index] else {
                if value {
                    out.push(*term)
                } else {
                    out.extend(predicates.negated[index].conjuncts())
                }
                continue;
            };
            let bound = bounds[form].get_or_insert_with(Bounds::default);
            match (term.kind(), value) {
                (TermKind::Le(_, c), true) => bound.at_most(*c, *term),
                (TermKind::Le(_, c), false) => bound.at_least(c + 1, predicates.negated[index]),
                (TermKind::Eq(_, c), true) => {
                    bound.at_most(*c, *term);
                    bound.at_least(*c, *term);
                }
                (TermKind::Eq(_, c), false) => bound.not.push((*c, predicates.negated[index])),
                _ => {}
            }
        }
        for (form, bound) in predicates.compared.iter().zip(bounds) {
            if let Some(bound) = bound {
                bound.literals(form, &mut out);
            }
        }
        out
    }
}

/// What is known about one linear form, with the literals that say so.
#[derive(Default)]
struct Bounds {
    low: Option<(i128, Term)>,
    high: Option<(i128, Term)>,
    not: Vec<(i128, Term)>,
}

impl Bounds {
    fn at_most(&mut self, c: i128, literal: Term) {
        if self.high.is_none_or(|(high, _)| c <= high) {
            self.high = Some((c, literal));
        }
    }
    fn at_least(&mut self, c: i128, literal: Term) {
        if self.low.is_none_or(|(low, _)| low <= c) {
            self.low = Some((c, literal));
        }
    }
    fn literals(self, form: &Linear, out: &mut Vec<Term>) {
        if let (Some((low, literal)), Some((high, other))) = (self.low, self.high)
            && low == high
        {
            let same = literal == other;
            out.push(if same { literal } else { Term::linear(form.clone()).eq_to(Term::int(low)) });
            return;
        }
        out.extend(self.high.map(|(_, literal)| literal));
        out.extend(self.low.map(|(_, literal)| literal));
        let inside = |c: i128| self.low.is_none_or(|(low, _)| low <= c) && self.high.is_none_or(|(high, _)| c <= high);
        out.extend(self.not.iter().filter(|(c, _)| inside(*c)).map(|(_, literal)| *literal));
    }
}
