//! The Owicki-Gries rule [T, Eq. 2]: init -> R_i; R_i and rho_i -> R_i'; R_i and R_j and rho_j -> R_i';
//! R_1 and .. and R_N and err -> false.
//!
//! An effect is rho_j with what the states that it is taken from say, seen through the watcher's predicates.
//! Deviation: an error is any state of R_i at an error location; that the other R_j admit it is not asked. With
//! R_i and (exists V_j. R_j) for R_i the two conditions have the same proofs.

use abstraction::{Literal, Premises, Tables};

use crate::reach::{Graph, NEVER, Reach};
use crate::rule::effect::{Deed, Effect, EffectId, Observed};
use crate::rule::views::ViewId;
use crate::system::StepId;

/// Makes what a step does to the watcher's predicates, and what that depends on.
pub fn prepare(reach: &mut Reach<'_, '_>, step: StepId, watcher: ViewId) {
    reach.prepare_step_goals(step, watcher);
    reach.prepare_visible(step, watcher);
}

/// R_j and rho_j: the premises of a step as far as the watcher's predicates are connected to them. The rest is satisfiable by
/// itself, and without influence; effects that differ only in what nobody sees become equal.
pub(crate) fn observe(graph: &Graph<'_>, tables: &Tables, deed: &Deed, premises: &Premises) -> Observed {
    Observed::When(tables.cone(premises, graph.goals.visible(deed.step, deed.watcher)))
}

/// The first effect that does the same under weaker premises. What is known of instances besides depends on who moves from where.
pub(crate) fn standing_for(graph: &Graph<'_>, deed: &Deed, premises: &[Literal]) -> Option<EffectId> {
    let alike =
        |e: &Effect| graph.program.templates().is_empty() || e.deed.start == deed.start && deed.is_within(&e.deed);
    let weaker = |e: &Effect| e.premises.iter().all(|literal| premises.binary_search(literal).is_ok());
    let known = |id: &EffectId| {
        let e = &graph.effects[id.0];
        alike(e) && weaker(e) && graph.is_live(*id)
    };
    graph.effects_like(deed.watcher, graph.goals.of_step(deed.step, deed.watcher)).iter().copied().find(known)
}

/// The effect with these premises.
pub fn effect(reach: &mut Reach<'_, '_>, deed: Deed, premises: Vec<Literal>) -> Effect {
    Effect {
        turn: NEVER,
        bounds: reach.engine.bounds(&premises),
        premises,
        goals: reach.graph.goals.of_step(deed.step, deed.watcher).clone(),
        transition: Vec::new(),
        abstraction: None,
        pinned: false,
        deed,
    }
}
