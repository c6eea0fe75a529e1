//! Derivations: read off a reachability, and run again in another abstraction.

use std::collections::BTreeMap;

use abstraction::Engine;

use super::encounters::Told;
use super::{AbstractState, Encounter, NodeId, Origin, Reach};
use crate::refine::derivation::{Derivation, Item, Made};
use crate::refine::setting::Setting;
use crate::rule::effect::{Deed, Effect, EffectId};
use crate::rule::views::ViewId;
use crate::rule::{Environment, Rule};

/// What a derivation is made of. Where others are seen directly, effects are no items of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    State(NodeId),
    Effect(EffectId),
}

impl Reach<'_, '_> {
    /// The derivation of an error: its parents walked back.
    pub fn derivation(&self, error: NodeId) -> Derivation {
        let mut items = Vec::new();
        let mut index: BTreeMap<Key, Option<usize>> = BTreeMap::new();
        let mut stack = vec![Key::State(error)];
        while let Some(key) = stack.last().copied() {
            match index.get(&key) {
                None => {
                    index.insert(key, None);
                    let parents = self.parents(key).into_iter();
                    stack.extend(parents.filter(|parent| index.get(parent).is_none_or(Option::is_none)));
                }
                Some(None) => {
                    stack.pop();
                    index.insert(key, Some(items.len()));
                    items.push(self.item(key, &|key| index.get(&key).copied().flatten().unwrap_or(0)));
                }
                Some(Some(_)) => _ = stack.pop(),
            }
        }
        Derivation { items }
    }

    fn parents(&self, key: Key) -> Vec<Key> {
        let sources = |id: EffectId| self.graph.effects[id.0].deed.sources.iter().copied().map(Key::State);
        match key {
            Key::Effect(id) => sources(id).collect(),
            Key::State(id) => match (self.node(id).origin, self.environment) {
                (Origin::Initial, _) => Vec::new(),
                (Origin::Step { parent, .. } | Origin::Symmetric { parent, .. }, _) => vec![Key::State(parent)],
                (Origin::Environment { parent, effect }, Environment::Direct) => {
                    sources(effect).chain([Key::State(parent)]).collect()
                }
                (Origin::Environment { parent, effect }, Environment::Transitions) => {
                    vec![Key::Effect(effect), Key::State(parent)]
                }
                (Origin::Encounter(index), _) => {
                    let Encounter { parent, others, .. } = &self.encounters[index];
                    let sources = others.iter().flat_map(|(_, sources)| sources);
                    sources.chain([parent]).copied().map(Key::State).collect()
                }
            },
        }
    }

    fn item(&self, key: Key, index: &dyn Fn(Key) -> usize) -> Item {
        let sources = |effect: &Effect| effect.deed.sources.iter().map(|id| index(Key::State(*id))).collect();
        let id = match key {
            Key::State(id) => id,
            Key::Effect(id) => {
                let effect = &self.graph.effects[id.0];
                let made =
                    Made::Transition { mover: effect.deed.mover, sources: sources(effect), step: effect.deed.step };
                return Item { view: effect.deed.watcher, place: effect.deed.place.clone(), made };
            }
        };
        let state = self.node(id);
        let made = match state.origin {
            Origin::Initial => Made::Initial,
            Origin::Step { parent, slot, step } => Made::Step { parent: index(Key::State(parent)), slot, step },
            Origin::Symmetric { parent, symmetry } => Made::Symmetric { parent: index(Key::State(parent)), symmetry },
            Origin::Environment { parent, effect: id } => {
                let (parent, effect) = (index(Key::State(parent)), &self.graph.effects[id.0]);
                let (mover, step) = (effect.deed.mover, effect.deed.step);
                match self.environment {
                    Environment::Direct => Made::Interference { parent, mover, sources: sources(effect), step },
                    Environment::Transitions => Made::Rely { parent, transition: index(Key::Effect(id)), step },
                }
            }
            Origin::Encounter(number) => {
                let Encounter { parent, others, conflict, ways } = &self.encounters[number];
                let sources = |ids: &[NodeId]| ids.iter().map(|id| index(Key::State(*id))).collect();
                let others = others.iter().map(|(mover, ids)| (*mover, sources(ids))).collect();
                Made::Encounter { parent: index(Key::State(*parent)), others, conflict: *conflict, ways: ways.clone() }
            }
        };
        Item { view: state.view, place: state.place.iter().copied().map(Some).collect(), made }
    }

    /// A state or an effect of a derivation, in the abstraction of this reachability; nothing if it does not exist there.
    fn again(&mut self, item: &Item, before: &[Replayed]) -> Option<Replayed> {
        let state = |index: usize| before[index].state();
        let state = match &item.made {
            Made::Initial => self.initial(item.view),
            Made::Step { parent, slot, step } => self.step(state(*parent)?, *slot, *step)?,
            Made::Symmetric { parent, symmetry } => self.exchanged(state(*parent)?, *symmetry),
            Made::Transition { .. } => return self.effect_again(item, before).map(Replayed::Effect),
            Made::Interference { parent, .. } => {
                let effect = self.effect_again(item, before)?;
                self.after_effect(state(*parent)?, effect.as_ref())?
            }
            Made::Rely { parent, transition, .. } => {
                let Replayed::Effect(effect) = &before[*transition] else { return None };
                self.after_effect(state(*parent)?, effect.as_ref())?
            }
            Made::Encounter { parent, others, conflict, ways } => {
                let states = |sources: &[usize]| sources.iter().map(|index| state(*index)).collect::<Option<Vec<_>>>();
                let known = others.iter().map(|(mover, sources)| Some((*mover, states(sources)?)));
                let known: Option<Vec<Told<'_>>> = known.collect();
                let parent = state(*parent)?;
                self.in_conflict(*conflict, ways, parent, &known?).then(|| parent.clone())?
            }
        };
        Some(Replayed::State(state))
    }

    fn effect_again(&mut self, item: &Item, before: &[Replayed]) -> Option<Option<Effect>> {
        let (Made::Interference { mover, sources, step, .. } | Made::Transition { mover, sources, step }) = &item.made
        else {
            return None;
        };
        let watcher: ViewId = item.view;
        let known: Vec<&AbstractState> = sources.iter().filter_map(|index| before[*index].state()).collect();
        let start = self.system.transition(*step).source;
        let deed = Deed { watcher, mover: *mover, sources: Vec::new(), step: *step, start, place: item.place.clone() };
        self.effect_of(deed, &known)
    }

    /// The state after an effect. What the view cannot see leaves it where it is.
    fn after_effect(&mut self, from: &AbstractState, effect: Option<&Effect>) -> Option<AbstractState> {
        match effect {
            Some(effect) if !effect.goals.is_invisible_to(self.graph.tracked(from)) => self.disturbed(from, effect),
            _ => Some(from.clone()),
        }
    }
}

/// An item of a derivation that exists in an abstraction.
enum Replayed {
    State(AbstractState),
    Effect(Option<Effect>),
}

impl Replayed {
    fn state(&self) -> Option<&AbstractState> {
        match self {
            Replayed::State(state) => Some(state),
            Replayed::Effect(_) => None,
        }
    }
}

/// Whether a derivation still reaches its error in an abstraction.
pub(crate) fn survives(setting: Setting<'_, '_>, engine: &mut Engine, rule: Rule, derivation: &Derivation) -> bool {
    let mut reach = Reach::new(setting, engine, rule.environment());
    let mut before = Vec::new();
    for item in &derivation.items {
        let Some(mut next) = reach.again(item, &before) else { return false };
        if let Replayed::State(state) = &mut next {
            reach.complete(state);
        }
        before.push(next);
    }
    true
}
