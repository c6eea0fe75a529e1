//! Abstract post by substitution: which predicates hold after a step is which weakest preconditions hold before it.

use program::Term;

use crate::bitset::BitSet;
use crate::engine::{Engine, Premises};
use crate::predicate::{PredicateSet, Valuation};

/// For each predicate of a set, the formula before a step that makes it hold afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goals {
    goals: Vec<Goal>,
    touched: BitSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    /// The step does not touch the predicate.
    Same(Term),
    /// wp of the predicate.
    Changed(Term),
}

impl Goals {
    /// The preconditions of `predicates` under the substitution `after`, which maps a formula to what it says before the step.
    pub fn new(predicates: &PredicateSet, after: impl Fn(Term) -> Term) -> Goals {
        let goal = |term: &Term| match after(*term) {
            same if same == *term => Goal::Same(same),
            changed => Goal::Changed(changed),
        };
        let goals: Vec<Goal> = predicates.items().iter().map(goal).collect();
        let mut touched = BitSet::new(goals.len());
        let changed = goals.iter().enumerate().filter(|(_, goal)| matches!(goal, Goal::Changed(_)));
        changed.for_each(|(index, _)| touched.insert(index));
        Goals { goals, touched }
    }
    /// Whether the step touches none of these predicates: the state after it is one of those before.
    pub fn is_invisible(&self, tracked: &BitSet) -> bool {
        !self.touched.intersects(tracked)
    }
}

/// The Cartesian value of the `tracked` predicates after a step: `premises` are satisfiable and describe the state before it, of which `before` is part.
/// A predicate that was decided and is not touched keeps its value; one that was undecided is asked, since a guard may decide it.
pub fn abstract_state(
    engine: &mut Engine,
    premises: &Premises,
    before: Option<&Valuation>,
    goals: &Goals,
    tracked: &BitSet,
) -> Valuation {
    let mut after = Valuation::new(goals.goals.len());
    for index in tracked.iter() {
        let value = match &goals.goals[index] {
            Goal::Same(term) => match before.and_then(|valuation| valuation.get(index)) {
                Some(value) => Some(value),
                None => decide(engine, premises, *term),
            },
            Goal::Changed(term) => decide(engine, premises, *term),
        };
        if let Some(value) = value {
            after.set(index, value);
        }
    }
    after
}

/// Whether the premises entail the formula, or its negation.
pub fn decide(engine: &mut Engine, premises: &Premises, goal: Term) -> Option<bool> {
    if let Some(value) = goal.as_bool() {
        return Some(value);
    }
    if engine.entails(premises, goal) {
        return Some(true);
    }
    engine.entails(premises, goal.not()).then_some(false)
}
