//! How far the refinement loops have come, for whoever waits for them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use abstraction::PredicateSet;
use check::variable_name;
use program::{Linear, Program, Term, TermKind, display};

use crate::rule::Rule;

/// A form that is compared with fewer values than this does not grow.
const MANY: usize = 4;

/// What each rule's loop has done so far. Copies look at the same.
#[derive(Clone, Debug, Default)]
pub struct Monitor(Arc<Mutex<BTreeMap<&'static str, Stage>>>);

/// Where a rule's loop is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Derivations refuted.
    pub refinements: usize,
    /// Abstract states of the last reachability.
    pub states: usize,
    /// Predicates so far.
    pub predicates: usize,
    /// What is compared with ever more values, that with most of them first.
    pub growing: Vec<Growth>,
}

/// An expression that predicates compare with many values: the loop that changes it is unrolled instead of understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The expression, in the words of the program.
    pub expression: String,
    /// The values.
    pub values: Vec<i128>,
}

impl Monitor {
    /// What is known of each rule, by its name.
    pub fn stages(&self) -> BTreeMap<&'static str, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A loop has refined once more.
    pub(crate) fn note<'s>(
        &self,
        program: &Program,
        rule: Rule,
        (refinements, states): (usize, usize),
        sets: impl Iterator<Item = &'s PredicateSet>,
    ) {
        let terms: BTreeSet<Term> = sets.flat_map(|set| set.items().iter().copied()).collect();
        let stage = Stage { refinements, states, predicates: terms.len(), growing: growing(program, &terms) };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(rule.name(), stage);
    }
}

fn growing(program: &Program, terms: &BTreeSet<Term>) -> Vec<Growth> {
    let mut forms: BTreeMap<&'static Linear, BTreeSet<i128>> = BTreeMap::new();
    for term in terms {
        if let TermKind::Le(form, value) | TermKind::Eq(form, value) = term.kind() {
            forms.entry(form).or_default().insert(*value);
        }
    }
    let of_program = |form: &Linear| {
        let vars = Term::linear(form.clone()).vars();
        vars.iter().all(|var| (var.0 as usize) < program.var_count())
    };
    let many = forms.into_iter().filter(|(form, values)| values.len() >= MANY && of_program(form));
    let mut all: Vec<Growth> = many
        .map(|(form, values)| Growth {
            expression: display(Term::linear(form.clone()), &|var| variable_name(program, var)).to_string(),
            values: values.into_iter().collect(),
        })
        .collect();
    all.sort_by(|a, b| b.values.len().cmp(&a.values.len()).then_with(|| a.expression.cmp(&b.expression)));
    all.truncate(3);
    all
}
