//! What other threads do to a component, as far as it can see.

use std::rc::Rc;

use abstraction::{Bounds, Goals, Literal, Premises, Valuation};
use program::Term;

use crate::reach::{ComponentId, NodeId, Reach};
use crate::system::StepId;

/// An effect of this reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectId(pub usize);

/// What a step of another component does to one component.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Which component it happens to.
    pub watcher: ComponentId,
    /// The state it was taken from.
    pub source: NodeId,
    /// The step.
    pub step: StepId,
    /// When it can happen, sorted.
    pub premises: Vec<Literal>,
    /// The bounds among them.
    pub bounds: Bounds,
    /// What it does to the watcher's predicates.
    pub goals: Rc<Goals>,
    /// Under rely-guarantee, the abstract transition: a conjunction over V and V'.
    pub transition: Vec<Term>,
    /// The same as a valuation of P_{j>i}.
    pub abstraction: Option<Valuation>,
    /// Whether it stands for effects of other states too, so that it is needed even when its source is covered.
    pub pinned: bool,
}

/// A step that is possible from a state.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// The state.
    pub from: NodeId,
    /// The step.
    pub step: StepId,
    /// What the state says, and the step's guard.
    pub premises: &'a Premises,
}

/// How a rule finds the effects on a component.
pub trait Interference {
    /// The effect of a step on `watcher`; nothing if the watcher cannot see it, or has an effect
    /// that stands for it already.
    fn effect(&self, reach: &mut Reach<'_, '_>, taken: &Taken<'_>, watcher: ComponentId) -> Option<Effect>;
}

/// The premises of a step as far as the watcher's predicates are connected to them: the rest is satisfiable by itself, and
/// without influence. Effects that differ only in what nobody sees become equal.
pub(crate) fn visible_premises(reach: &mut Reach<'_, '_>, taken: &Taken<'_>, watcher: ComponentId) -> Vec<Literal> {
    let vars = reach.visible(taken.step, watcher);
    reach.engine.cone(taken.premises, &vars)
}
