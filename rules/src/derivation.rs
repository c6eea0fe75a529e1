//! The derivation of an abstract state: everything it was made from.

use std::collections::BTreeMap;

use crate::effect::EffectId;
use crate::reach::{NodeId, Origin, Reach};
use crate::system::StepId;

/// An abstract state or an environment effect of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A state.
    State(NodeId),
    /// What a step of another component does.
    Effect(EffectId),
}

/// The items that a state was made from, itself last; each after those it was made from.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The items.
    pub items: Vec<Item>,
}

impl Derivation {
    /// Walks the parents back from `error`.
    pub fn of(reach: &Reach<'_, '_>, error: NodeId) -> Derivation {
        let mut items = Vec::new();
        let mut state: BTreeMap<Item, bool> = BTreeMap::new();
        let mut stack = vec![Item::State(error)];
        while let Some(item) = stack.last().copied() {
            match state.get(&item) {
                Some(true) => {
                    stack.pop();
                }
                Some(false) => {
                    state.insert(item, true);
                    items.push(item);
                    stack.pop();
                }
                None => {
                    state.insert(item, false);
                    stack.extend(parents(reach, item).into_iter().filter(|p| state.get(p) != Some(&true)));
                }
            }
        }
        Derivation { items }
    }
}

/// What an item was made from.
pub fn parents(reach: &Reach<'_, '_>, item: Item) -> Vec<Item> {
    match item {
        Item::State(id) => match reach.node(id).origin {
            Origin::Initial => Vec::new(),
            Origin::Step { parent, .. } => vec![Item::State(parent)],
            Origin::Environment { parent, effect } => vec![Item::Effect(effect), Item::State(parent)],
        },
        Item::Effect(id) => vec![Item::State(reach.graph.effects[id.0].source)],
    }
}

/// One step on the way to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainStep {
    /// Who does what.
    pub step: StepId,
    /// If another component does it, the state that it was taken from.
    pub source: Option<NodeId>,
}

/// The steps on a state's own chain, in order: those of its component, and those of the environment.
pub fn chain(reach: &Reach<'_, '_>, mut id: NodeId) -> Vec<ChainStep> {
    let mut steps = Vec::new();
    loop {
        match reach.node(id).origin {
            Origin::Initial => break,
            Origin::Step { parent, step } => {
                steps.push(ChainStep { step, source: None });
                id = parent;
            }
            Origin::Environment { parent, effect } => {
                let effect = &reach.graph.effects[effect.0];
                steps.push(ChainStep { step: effect.step, source: Some(effect.source) });
                id = parent;
            }
        }
    }
    steps.reverse();
    steps
}
