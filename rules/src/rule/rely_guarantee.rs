//! The rely-guarantee rule [T, Eq. 3]: init -> R_i; R_i and (rho_i or (E_i and V_i = V_i')) -> R_i'; R_j and rho_j -> E_i;
//! R_1 and .. and R_N and err -> false.
//!
//! E_i is a set of abstract transitions: conjunctions of literals over the transition predicates P_{j>i}. Next to instances it
//! speaks of these as well, as far as what is known of the mover does: of the mover it says nothing but what it does.
//! Deviation: an error is any state of R_i at an error location, as for Owicki-Gries.

use std::collections::BTreeMap;

use abstraction::{Entailment, Literal, Premises, Valuation, abstract_all_by};
use program::{Term, VarId};

use crate::reach::{Graph, NEVER, Reach};
use crate::rule::effect::{Deed, Effect, EffectId, Observed};
use crate::rule::views::ViewId;
use crate::system::{Rewrite, StepId};

/// Makes what the transition predicates say of a step, and what that depends on.
pub fn prepare(reach: &mut Reach<'_, '_>, step: StepId, watcher: ViewId, mover: usize) {
    reach.prepare_transition_goals(step, watcher, mover);
    reach.prepare_spoken_of(step, watcher, mover);
    reach.prepare_changes(step, watcher);
}

/// R_j and rho_j -> E_i: the literals of P_{j>i} that hold of every step from a state.
pub(crate) fn observe<E: Entailment>(
    graph: &Graph<'_>,
    who: &mut E,
    deed: &Deed,
    premises: &Premises,
) -> Result<Observed, E::Open> {
    let goals = graph.goals.of_transition(deed.step, deed.watcher);
    if !graph.vocabulary.transition.contains_key(&(deed.watcher, deed.mover)) {
        return abstract_all_by(who, premises, None, goals).map(|value| Observed::Transition(value, None));
    }
    // States that differ only in what the transition predicates do not speak of make the same transition.
    let when = who.tables().cone(premises, graph.goals.visible(deed.step, deed.watcher));
    let known = graph.transitions.get(&(deed.step, deed.watcher)).and_then(|known| known.get(&when));
    match known {
        Some(value) => Ok(Observed::Transition(value.clone(), None)),
        None => Ok(Observed::Transition(abstract_all_by(who, premises, None, goals)?, Some(when))),
    }
}

/// Keeps what a transition is abstracted like, for states that differ only in what its predicates do not speak of.
pub fn remember(reach: &mut Reach<'_, '_>, deed: &Deed, observed: &mut Observed) {
    match observed {
        Observed::Known(_, inner) => remember(reach, deed, inner),
        Observed::Transition(value, when) => {
            if let Some(when) = when.take() {
                let known = reach.graph.transitions.entry((deed.step, deed.watcher)).or_default();
                known.insert(when, value.clone());
            }
        }
        Observed::When(_) => {}
    }
}

/// The first effect of the same thread that is more general.
pub(crate) fn standing_for(graph: &Graph<'_>, deed: &Deed, value: &Valuation) -> Option<EffectId> {
    let known = |id: &EffectId| {
        let e = &graph.effects[id.0];
        let general = e.abstraction.as_ref().is_some_and(|other| value.refines(other));
        general && deed.is_within(&e.deed) && graph.is_live(*id)
    };
    graph.effects_of(deed.watcher, deed.mover).iter().copied().find(known)
}

/// The effect that is abstracted like this.
pub fn effect(reach: &mut Reach<'_, '_>, deed: Deed, value: Valuation) -> Effect {
    let graph = &reach.graph;
    let transition = match graph.vocabulary.transition.get(&(deed.watcher, deed.mover)) {
        Some(predicates) => value.literals(predicates),
        None => Vec::new(),
    };
    let own = &graph.views.view(deed.watcher).threads;
    let system = reach.system;
    let left_out = |var| system.owner(var).is_some_and(|thread| own.contains(&thread));
    let after = kept(transition.iter().filter_map(|term| system.determined(*term)), &left_out);
    let number = Rewrite::Solved(system.number_of(&after));
    let next = |term: Term| system.rewritten(number, term, || term.with_after(&after));
    let mut premises: Vec<Literal> =
        transition.iter().flat_map(|term| next(*term).conjuncts()).map(|term| reach.engine.literal(term)).collect();
    premises.sort_unstable();
    premises.dedup();
    let bounds = reach.engine.bounds(&premises);
    let goals = reach.environment_goals(deed.watcher, after);
    Effect { deed, turn: NEVER, premises, bounds, goals, transition, abstraction: Some(value), pinned: false }
}

/// The values after a step that these say, each of a variable, without those to leave out; the first counts.
fn kept(determined: impl Iterator<Item = (VarId, Term)>, left_out: &impl Fn(VarId) -> bool) -> BTreeMap<VarId, Term> {
    let mut values = BTreeMap::new();
    for (var, value) in determined.filter(|(var, _)| !left_out(*var)) {
        values.entry(var).or_insert(value);
    }
    values
}
