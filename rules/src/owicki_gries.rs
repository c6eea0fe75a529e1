//! The Owicki-Gries rule [T, Eq. 2]: init -> R_i; R_i and rho_i -> R_i'; R_i and R_j and rho_j -> R_i';
//! R_1 and .. and R_N and err -> false.
//!
//! An effect is rho_j with what R_j's state says when it is taken, seen through the watcher's predicates.
//! Deviation: an error is any state of R_i at an error location; that the other R_j admit it is not asked. With
//! R_i and (exists V_j. R_j) for R_i the two conditions have the same proofs.

use program::ThreadId;

use crate::effect::{Effect, EffectId, Interference, Taken, visible_premises};
use crate::reach::{ComponentId, Reach};
use crate::system::System;

/// R_j and rho_j.
pub struct OwickiGries;

impl Interference for OwickiGries {
    fn effect(&self, reach: &mut Reach<'_, '_>, taken: &Taken<'_>, watcher: ComponentId) -> Option<Effect> {
        let goals = reach.step_goals(taken.step, watcher);
        if goals.is_invisible() {
            return None;
        }
        let mut premises = visible_premises(reach, taken, watcher);
        premises.sort_unstable();
        let weaker = |e: &Effect| e.premises.iter().all(|literal| premises.binary_search(literal).is_ok());
        let known = |id: &EffectId| weaker(&reach.effects[id.0]) && reach.is_live(*id);
        if let Some(known) = reach.effects_like(watcher, &goals).iter().copied().find(known) {
            reach.effects[known.0].pinned = true;
            return None;
        }
        let bounds = reach.engine.bounds(&premises);
        let transition = Vec::new();
        Some(Effect {
            watcher,
            source: taken.from,
            step: taken.step,
            premises,
            bounds,
            goals,
            transition,
            abstraction: None,
            pinned: false,
        })
    }
}

/// One component a thread.
pub fn components(system: &System<'_>) -> Vec<Vec<ThreadId>> {
    system.threads().map(|thread| vec![thread]).collect()
}
