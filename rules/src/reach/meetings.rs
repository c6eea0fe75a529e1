//! States meet what others do.

use std::ops::Range;
use std::sync::Arc;

use abstraction::{Beyond, BitSet, Entailment, Literal, Tables, Valuation, abstract_by};

use super::graph::Graph;
use super::state::state;
use super::workers::each;
use super::{AbstractState, NodeId, Origin, Reach, Work};
use crate::reach::widest::Widest;
use crate::rule::effect::{Effect, EffectId};

/// When a state began to meet effects, or an effect states: each pair meets once, when the later of the two begins.
pub(crate) type Turn = u32;

/// The turn of what has not begun.
pub(crate) const NEVER: Turn = Turn::MAX;

/// A piece of work: what has begun earlier meets this.
enum Newcomer {
    /// A state meets effects of these groups.
    State(NodeId, Range<usize>),
    /// An effect of a group meets some of the states in which its mover may be where it starts.
    Effect(EffectId, usize, Range<usize>),
}

/// What came of it that a state met effects of a group.
struct Met {
    state: NodeId,
    group: usize,
    outcome: Outcome,
}

/// What a group makes of a state at most, and what effects of it do make.
type After = (Widest, Vec<(EffectId, Valuation)>);

enum Outcome {
    /// This.
    After(After),
    /// Only Z3 can tell.
    Beyond(Vec<EffectId>),
}

/// So few newcomers are not worth waking another worker.
const FEW: usize = 1;

/// Groups that a state meets in one piece of work, and states that an effect does.
const PIECE: usize = 256;

impl Graph<'_> {
    /// The value of a state after an effect, if the two are compatible and the effect can be seen: what cannot leads back to it.
    fn disturbed<E: Entailment>(
        &self,
        who: &mut E,
        state: &AbstractState,
        effect: &Effect,
        tracked: &BitSet,
    ) -> Result<Option<Valuation>, E::Open> {
        if effect.goals.is_invisible_to(tracked) || state.bounds.contradict(&effect.bounds) {
            return Ok(None);
        }
        let mut literals: Vec<Literal> = state.literals.iter().chain(&effect.premises).copied().collect();
        for axiom in self.counted(state, effect) {
            literals.push(who.literal_of(axiom)?);
        }
        let premises = who.tables().premises(literals);
        if !who.hold_together(&premises, &[&state.literals, &effect.premises])? {
            return Ok(None);
        }
        abstract_by(who, &premises, Some(&state.value), &effect.goals, tracked).map(Some)
    }

    /// All meetings of a newcomer, in order of states and groups.
    fn welcome(&self, tables: &Tables, newcomer: &Newcomer) -> Vec<Met> {
        let mut found = Vec::new();
        match newcomer {
            Newcomer::State(id, groups) => {
                let state = &self.nodes[id.0];
                for group in groups.clone() {
                    let there = self.groups[state.view.0][group].active.iter();
                    let there = there.filter(|((thread, location), _)| {
                        self.whereabouts(state, *thread).is_none_or(|known| known == *location)
                    });
                    let earlier = |id: &&EffectId| self.effects[id.0].turn < state.turn;
                    let mut effects: Vec<EffectId> =
                        there.flat_map(|(_, all)| all.iter().filter(earlier)).copied().collect();
                    effects.retain(|effect| self.may_meet(state, *effect));
                    effects.sort_unstable();
                    found.extend(self.meet(tables, *id, group, effects));
                }
            }
            Newcomer::Effect(id, group, range) => {
                let effect = &self.effects[id.0];
                let mut states: Vec<NodeId> = self
                    .states_with(effect.deed.watcher, effect.deed.step.thread, effect.deed.start)
                    .skip(range.start)
                    .take(range.len())
                    .filter(|id| self.nodes[id.0].turn < effect.turn)
                    .collect();
                states.retain(|state| !self.nodes[state.0].covered && self.may_meet(&self.nodes[state.0], *id));
                for state in states {
                    found.extend(self.meet(tables, state, *group, vec![*id]));
                }
            }
        }
        found
    }

    /// Whether a pair is not evidently incompatible. Most are, and told apart by their bounds.
    fn may_meet(&self, state: &AbstractState, effect: EffectId) -> bool {
        let what = &self.effects[effect.0];
        self.is_live(effect) && what.deed.fits(&state.place) && !state.bounds.contradict(&what.bounds)
    }

    fn meet(&self, mut tables: &Tables, state: NodeId, group: usize, effects: Vec<EffectId>) -> Option<Met> {
        if effects.is_empty() {
            return None;
        }
        let outcome = match self.after_meeting(&mut tables, state, group, &effects) {
            Ok(after) => Outcome::After(after),
            Err(Beyond) => Outcome::Beyond(effects),
        };
        Some(Met { state, group, outcome })
    }

    /// What a group makes of a state at most, and what these effects of it do.
    fn after_meeting<E: Entailment>(
        &self,
        who: &mut E,
        state: NodeId,
        group: usize,
        effects: &[EffectId],
    ) -> Result<After, E::Open> {
        let known = self.widest[state.0].get(group).unwrap_or(&Widest::Unknown).clone();
        let state = &self.nodes[state.0];
        let mut widest = self.ask(who, state, group, known)?;
        let mut all = Vec::new();
        for id in effects {
            let Widest::New(most, _) = &widest else { break };
            if let Some(value) = self.disturbed(who, state, &self.effects[id.0], self.tracked(state))? {
                let nothing_more = most.refines(&value);
                all.push((*id, value));
                if nothing_more {
                    widest = Widest::Nowhere;
                }
            }
        }
        Ok((widest, all))
    }

    /// What the group makes of a state at most, whenever it could happen: asked once for all its effects.
    fn ask<E: Entailment>(
        &self,
        who: &mut E,
        state: &AbstractState,
        group: usize,
        mut known: Widest,
    ) -> Result<Widest, E::Open> {
        if let Widest::Unknown = known {
            let (goals, tracked) = (&self.groups[state.view.0][group].goals, self.tracked(state));
            known = match goals.is_invisible_to(tracked) {
                true => Widest::Nowhere,
                false => {
                    let widest = abstract_by(who, &state.premises, Some(&state.value), goals, tracked)?;
                    Widest::New(Arc::new(widest), 0)
                }
            };
        }
        known.leads_nowhere(&self.peers[state.site].all, |peer| &self.nodes[peer.0].value);
        Ok(known)
    }
}

impl Reach<'_, '_> {
    /// Lets states meet effects: new states those that have been applied to others, new effects the states that have met others.
    pub(super) fn meet(&mut self, front: &[Work]) {
        let mut newcomers: Vec<Newcomer> = Vec::new();
        for work in front {
            match work {
                Work::State(id) => self.begin_state(*id, &mut newcomers),
                Work::Effect(id, group) => self.begin_effect(*id, *group, &mut newcomers),
            }
        }
        let (graph, tables) = (&self.graph, self.engine.tables());
        let found = each(self.workers, FEW, &newcomers, |newcomer| graph.welcome(tables, newcomer));
        for met in found.into_iter().flatten() {
            if self.graph.nodes[met.state.0].covered {
                continue;
            }
            let after = match met.outcome {
                Outcome::After(after) => after,
                Outcome::Beyond(effects) => {
                    let Ok(after) = self.graph.after_meeting(self.engine, met.state, met.group, &effects);
                    after
                }
            };
            self.accept(met.state, met.group, after);
        }
    }

    fn accept(&mut self, id: NodeId, group: usize, (widest, after): After) {
        let known = &mut self.graph.widest[id.0];
        if known.len() <= group {
            known.resize(group + 1, Widest::Unknown);
        }
        // Two meetings of one front may have found something: that the group leads nowhere is final.
        if !matches!(known[group], Widest::Nowhere) {
            known[group] = widest;
        }
        // Effects that have given way to more general ones since count all the same: others were left out because of them.
        for (effect, value) in after {
            let from = &self.graph.nodes[id.0];
            let origin = Origin::Environment { parent: id, effect };
            self.add(AbstractState { origin, ..state(from.view, from.place.clone(), value) });
        }
    }

    /// A state begins to meet effects.
    fn begin_state(&mut self, id: NodeId, newcomers: &mut Vec<Newcomer>) {
        let turn = self.next_turn();
        let state = &mut self.graph.nodes[id.0];
        if state.covered {
            return;
        }
        state.turn = turn;
        let groups = self.graph.groups[state.view.0].len();
        newcomers.extend(pieces(groups).map(|range| Newcomer::State(id, range)));
    }

    /// An effect begins to meet states.
    fn begin_effect(&mut self, id: EffectId, group: usize, newcomers: &mut Vec<Newcomer>) {
        let turn = self.next_turn();
        let effect = &mut self.graph.effects[id.0];
        effect.turn = turn;
        let (watcher, mover, start) = (effect.deed.watcher, effect.deed.step.thread, effect.deed.start);
        self.graph.groups[watcher.0][group].active.entry((mover, start)).or_default().push(id);
        let states = self.graph.states_with(watcher, mover, start).count();
        newcomers.extend(pieces(states).map(|range| Newcomer::Effect(id, group, range)));
    }

    pub(super) fn next_turn(&mut self) -> Turn {
        self.turn += 1;
        self.turn
    }

    /// The abstract state after an effect, if the two are compatible.
    pub(super) fn disturbed(&mut self, from: &AbstractState, effect: &Effect) -> Option<AbstractState> {
        let Ok(value) = self.graph.disturbed(self.engine, from, effect, self.graph.tracked(from));
        Some(state(from.view, from.place.clone(), value?))
    }
}

/// Pieces of work for so many things to meet.
fn pieces(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(PIECE).map(move |start| start..(start + PIECE).min(count))
}
