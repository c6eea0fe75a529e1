//! The states and effects that have been found, and what they are found by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use abstraction::{BitSet, Goals, Literal, Valuation};
use program::{LocationId, Program, ThreadId, VarId};
use rustc_hash::FxHashMap;

use super::company::Told;
use super::goals::GoalTable;
use super::{AbstractState, NodeId};
use crate::reach::widest::Widest;
use crate::refine::setting::Setting;
use crate::refine::vocabulary::{Tracked, Vocabulary};
use crate::rule::effect::{Effect, EffectId};
use crate::rule::views::{Role, ViewId, Views};
use crate::system::StepId;

/// The effects that write the same to what their watcher sees. They differ only in when they happen.
pub(super) struct Group {
    pub(super) goals: Arc<Goals>,
    /// All of them.
    effects: Vec<EffectId>,
    /// Those that have been applied to the states that were there, by the thread that moves and where it is then.
    pub(super) active: BTreeMap<(ThreadId, LocationId), Vec<EffectId>>,
}

/// The states of a view at a place.
pub(super) struct Peers {
    /// Where its threads are.
    pub(super) place: Vec<LocationId>,
    /// Those that no other stands for.
    pub(super) alive: Vec<NodeId>,
    /// All there have been, in order.
    pub(super) all: Vec<NodeId>,
}

/// The states of a view, by what they know of where another thread is.
#[derive(Default)]
pub(super) struct Located {
    pub(super) at: FxHashMap<LocationId, Vec<NodeId>>,
    /// Those that do not know.
    pub(super) anywhere: Vec<NodeId>,
}

/// What has been found. Workers look at it while nobody changes it.
pub(crate) struct Graph<'a> {
    pub(crate) program: &'a Program,
    pub(crate) views: &'a Views,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(super) tracked: Vec<Tracked>,
    /// By thread, the variable that stands for its location.
    location_vars: Vec<VarId>,
    pub(crate) nodes: Vec<AbstractState>,
    pub(crate) effects: Vec<Effect>,
    pub(super) by_place: FxHashMap<(ViewId, Vec<LocationId>), usize>,
    pub(super) peers: Vec<Peers>,
    /// The places of each view.
    pub(super) places: Vec<Vec<usize>>,
    pub(super) of_view: Vec<Vec<NodeId>>,
    pub(super) located: FxHashMap<(ViewId, ThreadId), Located>,
    pub(super) groups: Vec<Vec<Group>>,
    /// By watcher and the address of what is written.
    group_of: FxHashMap<(ViewId, usize), usize>,
    by_mover: FxHashMap<(ViewId, usize), Vec<EffectId>>,
    pub(crate) goals: GoalTable,
    /// What states say where other instances stand in the place of their threads.
    pub(super) told: FxHashMap<(NodeId, Role), Arc<Told>>,
    /// Under rely-guarantee, the abstract transition of a step where these premises matter to its watcher.
    pub(crate) transitions: FxHashMap<(StepId, ViewId), FxHashMap<Vec<Literal>, Valuation>>,
    /// Under rely-guarantee, the views next to which steps were seen that change nothing they speak of: of these no more is said.
    pub(crate) unseen: BTreeSet<ViewId>,
    /// By state and group, what the group makes of it at most.
    pub(super) widest: Vec<Vec<Widest>>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(setting: Setting<'a, 'a>) -> Graph<'a> {
        let Setting { system, views, vocabulary } = setting;
        let tracked = vocabulary.predicates.iter().zip(&views.all);
        let count = views.all.len();
        Graph {
            program: system.program,
            views,
            vocabulary,
            tracked: tracked.map(|(predicates, view)| predicates.tracked(system, &view.threads)).collect(),
            location_vars: system.threads().map(|thread| system.location_var(thread)).collect(),
            nodes: Vec::new(),
            effects: Vec::new(),
            by_place: FxHashMap::default(),
            peers: Vec::new(),
            places: vec![Vec::new(); count],
            of_view: vec![Vec::new(); count],
            located: FxHashMap::default(),
            groups: views.all.iter().map(|_| Vec::new()).collect(),
            group_of: FxHashMap::default(),
            by_mover: FxHashMap::default(),
            goals: GoalTable::default(),
            told: FxHashMap::default(),
            transitions: FxHashMap::default(),
            unseen: BTreeSet::new(),
            widest: Vec::new(),
        }
    }

    /// The number of a place of a view.
    pub(super) fn site(&mut self, view: ViewId, place: &[LocationId]) -> usize {
        let (peers, places) = (&mut self.peers, &mut self.places[view.0]);
        *self.by_place.entry((view, place.to_vec())).or_insert_with(|| {
            places.push(peers.len());
            peers.push(Peers { place: place.to_vec(), alive: Vec::new(), all: Vec::new() });
            peers.len() - 1
        })
    }

    /// The states that stand for R_i.
    pub fn alive(&self, view: ViewId) -> impl Iterator<Item = &AbstractState> {
        self.of_view[view.0].iter().map(|id| &self.nodes[id.0]).filter(|state| !state.covered)
    }

    /// Whether an effect still says something: the state that covers its source has, or will have, one that stands for it,
    /// unless that was left out because of this one.
    pub fn is_live(&self, effect: EffectId) -> bool {
        let effect = &self.effects[effect.0];
        effect.pinned || !effect.deed.sources.iter().any(|source| self.nodes[source.0].covered)
    }

    /// The predicates tracked at a state's place.
    pub fn tracked(&self, state: &AbstractState) -> &BitSet {
        self.tracked[state.view.0].at(&state.place)
    }

    /// The effects that write the same to what the watcher sees.
    pub(crate) fn effects_like(&self, watcher: ViewId, goals: &Arc<Goals>) -> &[EffectId] {
        let group = self.group_of.get(&(watcher, address(goals)));
        group.map_or(&[], |group| &self.groups[watcher.0][*group].effects)
    }

    /// The effects of a mover's steps.
    pub(crate) fn effects_of(&self, watcher: ViewId, mover: usize) -> &[EffectId] {
        self.by_mover.get(&(watcher, mover)).map_or(&[], Vec::as_slice)
    }

    /// Adds an effect; its group.
    pub(super) fn add_effect(&mut self, effect: Effect) -> (EffectId, usize) {
        let id = EffectId(self.effects.len());
        let watcher = effect.deed.watcher;
        self.by_mover.entry((watcher, effect.deed.mover)).or_default().push(id);
        let groups = &mut self.groups[watcher.0];
        let group = *self.group_of.entry((watcher, address(&effect.goals))).or_insert_with(|| {
            groups.push(Group { goals: effect.goals.clone(), effects: Vec::new(), active: BTreeMap::new() });
            groups.len() - 1
        });
        groups[group].effects.push(id);
        self.effects.push(effect);
        (id, group)
    }

    /// The states of a view in which another thread may be at a location.
    pub(super) fn states_with(
        &self,
        view: ViewId,
        thread: ThreadId,
        location: LocationId,
    ) -> impl Iterator<Item = NodeId> {
        let located = self.located.get(&(view, thread));
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
