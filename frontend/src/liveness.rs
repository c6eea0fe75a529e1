//! Temporaries that nobody will read are not part of the state.

use std::collections::{BTreeMap, BTreeSet};

use program::{Term, VarId, VarKind};

use crate::cfg::NodeId;
use crate::fuse::RawTransition;
use crate::memory::Memory;

/// What is looked at where a thread is at a node, besides what its transitions read: errors about several threads do.
pub(crate) type Look = (NodeId, BTreeSet<VarId>);

/// Drops updates that cannot be observed: temporaries and arbitrary values of locals that are dead afterwards, and
/// bookkeeping that no thread ever reads. C variables keep their assignments: traces show them.
pub(crate) fn drop_dead_updates(
    threads: &mut [Vec<RawTransition>],
    looks: &[Vec<Look>],
    memory: &Memory,
    shared: &[bool],
) {
    loop {
        let mut read: BTreeSet<VarId> = threads.iter().flatten().flat_map(reads).collect();
        read.extend(looks.iter().flatten().flat_map(|(_, vars)| vars));
        let mut changed = false;
        for (transitions, looks) in threads.iter_mut().zip(looks) {
            let live = live_variables(transitions, looks);
            for transition in transitions.iter_mut() {
                let before = transition.updates.len();
                let after = live.get(&transition.target);
                transition.updates.retain(|var, value| {
                    let kind = memory.cell(*var).kind;
                    if shared.get(var.0 as usize).copied().unwrap_or(true) {
                        return read.contains(var) || kind == VarKind::User || kind == VarKind::Lock;
                    }
                    let chosen = memory.cell(*var).home.is_some()
                        && value.as_var().is_some_and(|v| matches!(memory.cell(v).kind, VarKind::Input(_)));
                    let droppable = chosen || matches!(kind, VarKind::Temporary | VarKind::Control(_));
                    !droppable || after.is_some_and(|live| live.contains(var))
                });
                changed |= transition.updates.len() != before;
            }
        }
        if !changed {
            return;
        }
    }
}

fn reads(transition: &RawTransition) -> BTreeSet<VarId> {
    let terms = transition.guard.iter().chain(transition.updates.values()).copied();
    terms.chain(transition.defined.iter().map(|d| d.condition)).flat_map(Term::vars).collect()
}

/// The variables that may be read from each location on, before they are written.
fn live_variables(transitions: &[RawTransition], looks: &[Look]) -> BTreeMap<NodeId, BTreeSet<VarId>> {
    let mut live: BTreeMap<NodeId, BTreeSet<VarId>> = BTreeMap::new();
    for (source, vars) in looks {
        live.entry(*source).or_default().extend(vars);
    }
    loop {
        let mut changed = false;
        for transition in transitions.iter().rev() {
            let mut needed = reads(transition);
            if let Some(after) = live.get(&transition.target) {
                needed.extend(after.iter().filter(|var| !transition.updates.contains_key(var)));
            }
            let at = live.entry(transition.source).or_default();
            let before = at.len();
            at.extend(needed);
            changed |= at.len() != before;
        }
        if !changed {
            return live;
        }
    }
}
