//! What movers do to a view, as far as it can see: how each rule finds it.

use std::sync::Arc;

use abstraction::{Bounds, Entailment, Goals, Literal, Premises, Valuation};
use program::{LocationId, Term};

use crate::reach::{Graph, NodeId, Reach, Turn};
use crate::refine::derivation::Places;
use crate::rule::Environment;
use crate::rule::views::ViewId;
use crate::rule::{owicki_gries, rely_guarantee};
use crate::system::StepId;

/// An effect of this reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectId(pub usize);

/// A step of a mover next to a view.
#[derive(Clone, Debug)]
pub struct Deed {
    /// The view it happens to.
    pub watcher: ViewId,
    /// Which of its movers makes the step.
    pub mover: usize,
    /// The states it was taken from, by source of what is known of the mover.
    pub sources: Vec<NodeId>,
    /// The step.
    pub step: StepId,
    /// Where the mover is then.
    pub start: LocationId,
    /// Where the sources say that the watcher's threads are.
    pub place: Places,
}

impl Deed {
    /// Whether another deed of the same mover happens wherever this one does.
    pub(crate) fn is_within(&self, other: &Deed) -> bool {
        let mut places = self.place.iter().zip(&other.place);
        self.mover == other.mover && places.all(|(here, there)| there.is_none() || here == there)
    }
    /// Whether it can happen to a state at a place.
    pub(crate) fn fits(&self, place: &[LocationId]) -> bool {
        self.place.iter().zip(place).all(|(known, here)| known.is_none_or(|known| known == *here))
    }
}

/// What a deed does to the view that it happens to.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Who does what to whom.
    pub deed: Deed,
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

/// What a watcher sees of a deed.
#[derive(Clone, Debug)]
pub enum Observed {
    /// That it happens when this holds, sorted.
    When(Vec<Literal>),
    /// A transition that is abstracted like this, under premises for which that was not known.
    Transition(Valuation, Option<Vec<Literal>>),
    /// What an effect that is there stands for.
    Known(EffectId, Box<Observed>),
}

/// Makes what [`observe`] looks up.
pub fn prepare(reach: &mut Reach<'_, '_>, step: StepId, watcher: ViewId, mover: usize) {
    reach.prepare_guard(step);
    match reach.environment {
        Environment::Direct => owicki_gries::prepare(reach, step, watcher),
        Environment::Transitions => rely_guarantee::prepare(reach, step, watcher, mover),
    }
}

/// Whether a step that has been prepared changes what a watcher speaks of.
pub(crate) fn is_seen(graph: &Graph<'_>, environment: Environment, step: StepId, watcher: ViewId) -> bool {
    match environment {
        Environment::Direct => !graph.goals.of_step(step, watcher).is_invisible(),
        Environment::Transitions => graph.goals.changes(step, watcher),
    }
}

/// What a watcher sees of a deed that is possible with these premises.
pub(crate) fn observe<E: Entailment>(
    graph: &Graph<'_>,
    who: &mut E,
    environment: Environment,
    deed: &Deed,
    premises: &Premises,
) -> Result<Observed, E::Open> {
    let observed = match environment {
        Environment::Direct => owicki_gries::observe(graph, who.tables(), deed, premises),
        Environment::Transitions => rely_guarantee::observe(graph, who, deed, premises)?,
    };
    Ok(match standing_for(graph, deed, &observed) {
        Some(known) => Observed::Known(known, Box::new(observed)),
        None => observed,
    })
}

/// The first effect that stands for what is observed.
fn standing_for(graph: &Graph<'_>, deed: &Deed, observed: &Observed) -> Option<EffectId> {
    match observed {
        Observed::Known(id, _) => Some(*id),
        Observed::When(premises) => owicki_gries::standing_for(graph, deed, premises),
        Observed::Transition(value, _) => rely_guarantee::standing_for(graph, deed, value),
    }
}

/// The effect that a watcher observes; nothing if it has one that stands for it already.
pub(crate) fn effect(reach: &mut Reach<'_, '_>, deed: Deed, mut observed: Observed) -> Option<Effect> {
    rely_guarantee::remember(reach, &deed, &mut observed);
    if let Observed::Known(known, observed) = observed {
        // What stood for it when it was observed may have given way since.
        if !reach.graph.is_live(known) {
            return effect(reach, deed, *observed);
        }
        reach.graph.effects[known.0].pinned = true;
        return None;
    }
    if let Some(known) = standing_for(&reach.graph, &deed, &observed) {
        reach.graph.effects[known.0].pinned = true;
        return None;
    }
    match observed {
        Observed::Known(..) => None,
        Observed::When(premises) => Some(owicki_gries::effect(reach, deed, premises)),
        Observed::Transition(value, _) => Some(rely_guarantee::effect(reach, deed, value)),
    }
}
