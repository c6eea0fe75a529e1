//! Abstract post by substitution: which predicates hold after a step is which weakest preconditions hold before it.

use program::Term;

use crate::bitset::BitSet;
use crate::engine::{Engine, Goal};
use crate::predicate::{PredicateSet, Valuation};
use crate::premises::Premises;
use crate::tables::{Entailment, Solutions, closed};

/// For each predicate of a set, the formula before a step that makes it hold afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goals {
    goals: Vec<Goal>,
    /// The predicates that the step touches.
    touched: BitSet,
}

impl Goals {
    /// The preconditions of `predicates` under the substitution `after`, which maps a formula to what it says before the step.
    pub fn new(engine: &mut Engine, predicates: &PredicateSet, after: impl Fn(Term) -> Term) -> Goals {
        let mut touched = BitSet::new(predicates.len());
        let mut goals = Vec::with_capacity(predicates.len());
        for (index, term) in predicates.items().iter().enumerate() {
            let before = after(*term);
            if before != *term {
                touched.insert(index);
            }
            goals.push(engine.goal(before));
        }
        Goals { goals, touched }
    }
    /// Whether the step touches no predicate: the state after it is one of those before.
    pub fn is_invisible(&self) -> bool {
        self.is_invisible_to(&BitSet::full(self.goals.len()))
    }
    /// Whether the step touches none of these predicates.
    pub fn is_invisible_to(&self, tracked: &BitSet) -> bool {
        !self.touched.intersects(tracked)
    }
}

/// The Cartesian value after a step, of all predicates: see [`abstract_by`].
pub fn abstract_state(
    engine: &mut Engine,
    premises: &Premises,
    before: Option<&Valuation>,
    goals: &Goals,
) -> Valuation {
    closed(abstract_all_by(engine, premises, before, goals))
}

/// The Cartesian value after a step, of all predicates, as far as `who` can tell: see [`abstract_by`].
pub fn abstract_all_by<E: Entailment>(
    who: &mut E,
    premises: &Premises,
    before: Option<&Valuation>,
    goals: &Goals,
) -> Result<Valuation, E::Open> {
    abstract_by(who, premises, before, goals, &BitSet::full(goals.goals.len()))
}

/// The Cartesian value of the `tracked` predicates after a step, as far as `who` can tell: `premises` are satisfiable and describe the
/// state before it, of which `before` is part. A predicate that was decided and is not touched keeps its value; one that was
/// undecided is asked, since a guard may decide it.
pub fn abstract_by<E: Entailment>(
    who: &mut E,
    premises: &Premises,
    before: Option<&Valuation>,
    goals: &Goals,
    tracked: &BitSet,
) -> Result<Valuation, E::Open> {
    let mut after = Valuation::new(goals.goals.len());
    let mut met = Solutions::default();
    for index in tracked.iter() {
        let known = before.filter(|_| !goals.touched.contains(index)).and_then(|valuation| valuation.get(index));
        let value = match known {
            Some(value) => Some(value),
            None => who.entails(premises, goals.goals[index], &mut met)?,
        };
        if let Some(value) = value {
            after.set(index, value);
        }
    }
    Ok(after)
}
