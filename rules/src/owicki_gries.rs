//! The Owicki-Gries rule [T, Eq. 2]: init -> R_i; R_i and rho_i -> R_i'; R_i and R_j and rho_j -> R_i';
//! R_1 and .. and R_N and err -> false.
//!
//! An effect is rho_j with what R_j's state says when it is taken, seen through the watcher's predicates.
//! Deviation: an error is any state of R_i at an error location; that the other R_j admit it is not asked. With
//! R_i and (exists V_j. R_j) for R_i the two conditions have the same proofs.

use abstraction::{Literal, Premises, Tables};
use program::ThreadId;

use crate::effect::{Effect, EffectId, Observed, Taken};
use crate::reach::{ComponentId, Graph, NEVER, Reach};
use crate::system::{StepId, System};

/// Makes what a step does to the watcher's predicates, and what that depends on.
pub fn prepare(reach: &mut Reach<'_, '_>, step: StepId, watcher: ComponentId) {
    reach.prepare_step_goals(step, watcher);
    reach.prepare_visible(step, watcher);
}

/// R_j and rho_j: the premises of a step as far as the watcher's predicates are connected to them. The rest is satisfiable by
/// itself, and without influence; effects that differ only in what nobody sees become equal.
pub(crate) fn observe(
    graph: &Graph<'_>,
    tables: &Tables,
    step: StepId,
    premises: &Premises,
    watcher: ComponentId,
) -> Observed {
    if graph.goals.of_step(step, watcher).is_invisible() {
        return Observed::Nothing;
    }
    Observed::When(tables.cone(premises, graph.goals.visible(step, watcher)))
}

/// The first effect that does the same under weaker premises.
pub(crate) fn standing_for(
    graph: &Graph<'_>,
    step: StepId,
    watcher: ComponentId,
    premises: &[Literal],
) -> Option<EffectId> {
    let weaker = |e: &Effect| e.premises.iter().all(|literal| premises.binary_search(literal).is_ok());
    let known = |id: &EffectId| weaker(&graph.effects[id.0]) && graph.is_live(*id);
    graph.effects_like(watcher, graph.goals.of_step(step, watcher)).iter().copied().find(known)
}

/// The effect with these premises.
pub fn effect(reach: &mut Reach<'_, '_>, taken: Taken, watcher: ComponentId, premises: Vec<Literal>) -> Effect {
    Effect {
        watcher,
        source: taken.from,
        step: taken.step,
        start: reach.system.transition(taken.step).source,
        turn: NEVER,
        bounds: reach.engine.bounds(&premises),
        premises,
        goals: reach.graph.goals.of_step(taken.step, watcher).clone(),
        transition: Vec::new(),
        abstraction: None,
        pinned: false,
    }
}

/// One component a thread.
pub fn components(system: &System<'_>) -> Vec<Vec<ThreadId>> {
    system.threads().map(|thread| vec![thread]).collect()
}
