//! What other threads do to a component, as far as it can see: how each rule finds it.

use std::sync::Arc;

use abstraction::{Bounds, Entailment, Goals, Literal, Premises, Valuation};
use program::{LocationId, Term};

use crate::reach::{ComponentId, Graph, NodeId, Reach, Turn};
use crate::rule::Rule;
use crate::system::StepId;
use crate::{owicki_gries, rely_guarantee};

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
    /// Where its thread is then.
    pub start: LocationId,
    /// When it began to meet states.
    pub turn: Turn,
    /// When it can happen, sorted.
    pub premises: Vec<Literal>,
    /// The bounds among them.
    pub bounds: Bounds,
    /// What it does to the watcher's predicates.
    pub goals: Arc<Goals>,
    /// Under rely-guarantee, the abstract transition: a conjunction over V and V'.
    pub transition: Vec<Term>,
    /// The same as a valuation of P_{j>i}.
    pub abstraction: Option<Valuation>,
    /// Whether it stands for effects of other states too, so that it is needed even when its source is covered.
    pub pinned: bool,
}

/// A step that is possible from a state.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The state.
    pub from: NodeId,
    /// The step.
    pub step: StepId,
}

/// What a watcher sees of a step from a state.
#[derive(Clone, Debug)]
pub enum Observed {
    /// Nothing.
    Nothing,
    /// That the step happens when this holds, sorted.
    When(Vec<Literal>),
    /// A transition that is abstracted like this, under premises for which that was not known.
    Transition(Valuation, Option<Vec<Literal>>),
    /// What an effect that is there stands for.
    Known(EffectId, Box<Observed>),
}

/// Makes what [`observe`] looks up.
pub fn prepare(reach: &mut Reach<'_, '_>, step: StepId, watcher: ComponentId) {
    match reach.rule {
        // One component has every thread, so there is no environment.
        Rule::Monolithic => {}
        Rule::OwickiGries => owicki_gries::prepare(reach, step, watcher),
        Rule::RelyGuarantee => rely_guarantee::prepare(reach, step, watcher),
    }
}

/// What a watcher sees of a step that is possible with these premises.
pub(crate) fn observe<E: Entailment>(
    graph: &Graph<'_>,
    who: &mut E,
    rule: Rule,
    step: StepId,
    premises: &Premises,
    watcher: ComponentId,
) -> Result<Observed, E::Open> {
    let observed = match rule {
        Rule::Monolithic => Observed::Nothing,
        Rule::OwickiGries => owicki_gries::observe(graph, who.tables(), step, premises, watcher),
        Rule::RelyGuarantee => rely_guarantee::observe(graph, who, step, premises, watcher)?,
    };
    Ok(match standing_for(graph, step, watcher, &observed) {
        Some(known) => Observed::Known(known, Box::new(observed)),
        None => observed,
    })
}

/// The first effect that stands for what is observed.
fn standing_for(graph: &Graph<'_>, step: StepId, watcher: ComponentId, observed: &Observed) -> Option<EffectId> {
    match observed {
        Observed::Nothing => None,
        Observed::Known(id, _) => Some(*id),
        Observed::When(premises) => owicki_gries::standing_for(graph, step, watcher, premises),
        Observed::Transition(value, _) => rely_guarantee::standing_for(graph, step, watcher, value),
    }
}

/// The effect that a watcher observes; nothing if it sees none, or has one that stands for it already.
pub(crate) fn effect(
    reach: &mut Reach<'_, '_>,
    taken: Taken,
    watcher: ComponentId,
    mut observed: Observed,
) -> Option<Effect> {
    rely_guarantee::remember(reach, taken.step, watcher, &mut observed);
    if let Observed::Known(known, observed) = observed {
        // What stood for it when it was observed may have given way since.
        if !reach.graph.is_live(known) {
            return effect(reach, taken, watcher, *observed);
        }
        reach.graph.effects[known.0].pinned = true;
        return None;
    }
    if let Some(known) = standing_for(&reach.graph, taken.step, watcher, &observed) {
        reach.graph.effects[known.0].pinned = true;
        return None;
    }
    match observed {
        Observed::Nothing | Observed::Known(..) => None,
        Observed::When(premises) => Some(owicki_gries::effect(reach, taken, watcher, premises)),
        Observed::Transition(value, _) => Some(rely_guarantee::effect(reach, taken, watcher, value)),
    }
}
