//! The states and effects that have been found, and what they are found by.

use std::collections::BTreeMap;
use std::sync::Arc;

use abstraction::{BitSet, Goals, Literal, Valuation};
use program::{LocationId, ThreadId, VarId};
use rustc_hash::FxHashMap;

use super::goals::GoalTable;
use super::{AbstractState, ComponentId, NodeId};
use crate::effect::{Effect, EffectId};
use crate::system::{StepId, System};
use crate::vocabulary::{Tracked, Vocabularies};
use crate::widest::Widest;

/// The effects that write the same to what their watcher sees. They differ only in when they happen.
pub(super) struct Group {
    pub(super) goals: Arc<Goals>,
    /// All of them.
    effects: Vec<EffectId>,
    /// Those that have been applied to the states that were there, by the thread that moves and where it is then.
    pub(super) active: BTreeMap<(ThreadId, LocationId), Vec<EffectId>>,
}

/// The states at a place.
#[derive(Default)]
pub(super) struct Peers {
    /// Those that no other stands for.
    pub(super) alive: Vec<NodeId>,
    /// All there have been, in order.
    pub(super) all: Vec<NodeId>,
}

/// The states of a component, by what they know of where another thread is.
#[derive(Default)]
pub(super) struct Located {
    pub(super) at: FxHashMap<LocationId, Vec<NodeId>>,
    /// Those that do not know.
    pub(super) anywhere: Vec<NodeId>,
}

/// What has been found. Workers look at it while nobody changes it.
pub(crate) struct Graph<'a> {
    pub(crate) components: &'a [Vec<ThreadId>],
    pub(crate) vocabularies: &'a Vocabularies,
    pub(super) tracked: Vec<Tracked>,
    /// By thread, the variable that stands for its location.
    location_vars: Vec<VarId>,
    pub(crate) nodes: Vec<AbstractState>,
    pub(crate) effects: Vec<Effect>,
    pub(super) by_place: FxHashMap<(ComponentId, Vec<LocationId>), usize>,
    pub(super) peers: Vec<Peers>,
    pub(super) of_component: Vec<Vec<NodeId>>,
    pub(super) located: FxHashMap<(ComponentId, ThreadId), Located>,
    pub(super) groups: Vec<Vec<Group>>,
    /// By watcher and the address of what is written.
    group_of: FxHashMap<(ComponentId, usize), usize>,
    by_mover: FxHashMap<(ComponentId, ThreadId), Vec<EffectId>>,
    pub(crate) goals: GoalTable,
    /// Under rely-guarantee, the abstract transition of a step where these premises matter to its watcher.
    pub(crate) transitions: FxHashMap<(StepId, ComponentId), FxHashMap<Vec<Literal>, Valuation>>,
    /// By state and group, what the group makes of it at most.
    pub(super) widest: Vec<Vec<Widest>>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(
        system: &System<'_>,
        vocabularies: &'a Vocabularies,
        components: &'a [Vec<ThreadId>],
    ) -> Graph<'a> {
        Graph {
            components,
            vocabularies,
            tracked: vocabularies.predicates.iter().zip(components).map(|(p, c)| p.tracked(system, c)).collect(),
            location_vars: system.threads().map(|thread| system.location_var(thread)).collect(),
            nodes: Vec::new(),
            effects: Vec::new(),
            by_place: FxHashMap::default(),
            peers: Vec::new(),
            of_component: vec![Vec::new(); components.len()],
            located: FxHashMap::default(),
            groups: components.iter().map(|_| Vec::new()).collect(),
            group_of: FxHashMap::default(),
            by_mover: FxHashMap::default(),
            goals: GoalTable::default(),
            transitions: FxHashMap::default(),
            widest: Vec::new(),
        }
    }

    /// The states that stand for R_i.
    pub fn alive(&self, component: ComponentId) -> impl Iterator<Item = &AbstractState> {
        self.of_component[component.0].iter().map(|id| &self.nodes[id.0]).filter(|state| !state.covered)
    }

    /// Whether an effect still says something: the state that covers its source has, or will have, one that stands for it,
    /// unless that was left out because of this one.
    pub fn is_live(&self, effect: EffectId) -> bool {
        let effect = &self.effects[effect.0];
        effect.pinned || !self.nodes[effect.source.0].covered
    }

    /// The predicates tracked at a state's place.
    pub fn tracked(&self, state: &AbstractState) -> &BitSet {
        self.tracked[state.component.0].at(&state.place)
    }

    /// The effects that write the same to what the watcher sees.
    pub(crate) fn effects_like(&self, watcher: ComponentId, goals: &Arc<Goals>) -> &[EffectId] {
        let group = self.group_of.get(&(watcher, address(goals)));
        group.map_or(&[], |group| &self.groups[watcher.0][*group].effects)
    }

    /// The effects of a thread's steps.
    pub(crate) fn effects_of(&self, watcher: ComponentId, mover: ThreadId) -> &[EffectId] {
        self.by_mover.get(&(watcher, mover)).map_or(&[], Vec::as_slice)
    }

    /// Adds an effect; its group.
    pub(super) fn add_effect(&mut self, effect: Effect) -> (EffectId, usize) {
        let id = EffectId(self.effects.len());
        let watcher = effect.watcher;
        self.by_mover.entry((watcher, effect.step.thread)).or_default().push(id);
        let groups = &mut self.groups[watcher.0];
        let group = *self.group_of.entry((watcher, address(&effect.goals))).or_insert_with(|| {
            groups.push(Group { goals: effect.goals.clone(), effects: Vec::new(), active: BTreeMap::new() });
            groups.len() - 1
        });
        groups[group].effects.push(id);
        self.effects.push(effect);
        (id, group)
    }

    /// The states of a component in which another thread may be at a location.
    pub(super) fn states_with(
        &self,
        component: ComponentId,
        thread: ThreadId,
        location: LocationId,
    ) -> impl Iterator<Item = NodeId> {
        let located = self.located.get(&(component, thread));
        let anywhere = located.into_iter().flat_map(|located| &located.anywhere);
        anywhere.chain(located.and_then(|located| located.at.get(&location)).into_iter().flatten()).copied()
    }

    /// Where a state knows a thread to be.
    pub(super) fn whereabouts(&self, state: &AbstractState, thread: ThreadId) -> Option<LocationId> {
        let place = state.bounds.value(self.location_vars[thread.0 as usize])?;
        u32::try_from(place).ok().map(LocationId)
    }
}

/// Goals that say the same are one ([`super::goals`]), so that their address tells them apart.
fn address(goals: &Arc<Goals>) -> usize {
    Arc::as_ptr(goals) as usize
}
