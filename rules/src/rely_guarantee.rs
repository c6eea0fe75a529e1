//! The rely-guarantee rule [T, Eq. 3]: init -> R_i; R_i and (rho_i or (E_i and V_i = V_i')) -> R_i'; R_j and rho_j -> E_i;
//! R_1 and .. and R_N and err -> false.
//!
//! E_i is a set of abstract transitions: conjunctions of literals over the transition predicates P_{j>i}.
//! Deviation: an error is any state of R_i at an error location, as for Owicki-Gries.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::{Entailment, Literal, PredicateSet, Premises, Valuation, abstract_all_by};
use program::{Sort, Term, ThreadId, VarId};

use crate::effect::{Effect, EffectId, Observed, Taken};
use crate::reach::{ComponentId, Graph, NEVER, Reach};
use crate::system::{Rewrite, StepId, System};
use crate::vocabulary::Vocabularies;

/// Makes what the transition predicates say of a step, and what that depends on.
pub fn prepare(reach: &mut Reach<'_, '_>, step: StepId, watcher: ComponentId) {
    reach.prepare_transition_goals(step, watcher);
    reach.prepare_spoken_of(step, watcher);
}

/// R_j and rho_j -> E_i: the literals of P_{j>i} that hold of every step from a state.
pub(crate) fn observe<E: Entailment>(
    graph: &Graph<'_>,
    who: &mut E,
    step: StepId,
    premises: &Premises,
    watcher: ComponentId,
) -> Result<Observed, E::Open> {
    let goals = graph.goals.of_transition(step, watcher);
    if !graph.vocabularies.transition.contains_key(&(step.thread, watcher)) {
        return abstract_all_by(who, premises, None, goals).map(|value| Observed::Transition(value, None));
    }
    // States that differ only in what the transition predicates do not speak of make the same transition.
    let when = who.tables().cone(premises, graph.goals.visible(step, watcher));
    let known = graph.transitions.get(&(step, watcher)).and_then(|known| known.get(&when));
    match known {
        Some(value) => Ok(Observed::Transition(value.clone(), None)),
        None => Ok(Observed::Transition(abstract_all_by(who, premises, None, goals)?, Some(when))),
    }
}

/// Keeps what a transition is abstracted like, for states that differ only in what its predicates do not speak of.
pub fn remember(reach: &mut Reach<'_, '_>, step: StepId, watcher: ComponentId, observed: &mut Observed) {
    match observed {
        Observed::Known(_, inner) => remember(reach, step, watcher, inner),
        Observed::Transition(value, when) => {
            if let Some(when) = when.take() {
                reach.graph.transitions.entry((step, watcher)).or_default().insert(when, value.clone());
            }
        }
        Observed::Nothing | Observed::When(_) => {}
    }
}

/// The first effect of the same thread that is more general.
pub(crate) fn standing_for(
    graph: &Graph<'_>,
    step: StepId,
    watcher: ComponentId,
    value: &Valuation,
) -> Option<EffectId> {
    let known = |id: &EffectId| {
        let e = &graph.effects[id.0];
        e.abstraction.as_ref().is_some_and(|other| value.refines(other)) && graph.is_live(*id)
    };
    graph.effects_of(watcher, step.thread).iter().copied().find(known)
}

/// The effect that is abstracted like this.
pub fn effect(reach: &mut Reach<'_, '_>, taken: Taken, watcher: ComponentId, value: Valuation) -> Effect {
    let (source, step) = (taken.from, taken.step);
    let graph = &reach.graph;
    let transition = match graph.vocabularies.transition.get(&(step.thread, watcher)) {
        Some(predicates) => value.literals(predicates),
        None => Vec::new(),
    };
    let own = &graph.components[watcher.0];
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
    let goals = reach.environment_goals(watcher, after);
    let abstraction = Some(value);
    let (start, turn) = (system.transition(step).source, NEVER);
    Effect { watcher, source, step, start, turn, premises, bounds, goals, transition, abstraction, pinned: false }
}

/// The values after a step that these say, each of a variable, without those to leave out; the first counts.
pub(crate) fn kept(
    determined: impl Iterator<Item = (VarId, Term)>,
    left_out: &impl Fn(VarId) -> bool,
) -> BTreeMap<VarId, Term> {
    let mut values = BTreeMap::new();
    for (var, value) in determined.filter(|(var, _)| !left_out(*var)) {
        values.entry(var).or_insert(value);
    }
    values
}

/// Adds to every P_{j>i} what thread j's steps evidently do to what became visible.
pub fn seed(system: &System<'_>, components: &[Vec<ThreadId>], vocabularies: &mut Vocabularies) {
    for (index, watcher) in components.iter().enumerate() {
        for mover in system.threads().filter(|thread| !watcher.contains(thread)) {
            let mut seeds = seeds(system, mover, watcher, vocabularies.predicates[index].set());
            seeds.extend(shared_predicates(mover, index, components, vocabularies));
            let set = vocabularies.transition.entry((mover, ComponentId(index))).or_default();
            for seed in seeds {
                set.insert(seed);
            }
        }
    }
}

/// What thread j knows about variables that the watcher can see: it is often why a step is harmless.
fn shared_predicates(
    mover: ThreadId,
    watcher: usize,
    components: &[Vec<ThreadId>],
    vocabularies: &Vocabularies,
) -> Vec<Term> {
    let seen = vocabularies.predicates[watcher].set().vars();
    let known = components.iter().zip(&vocabularies.predicates).filter(|(threads, _)| threads.contains(&mover));
    let items = known.flat_map(|(_, predicates)| predicates.set().items());
    items.copied().filter(|predicate| predicate.vars().is_subset(seen)).collect()
}

/// What thread j's steps evidently do to what the watcher can see: frames x' = x, updates x' = e or their direction, guards.
pub(crate) fn seeds(system: &System<'_>, mover: ThreadId, watcher: &[ThreadId], seen: &PredicateSet) -> Vec<Term> {
    let foreign = |var: &VarId| system.owner(*var).is_none_or(|thread| !watcher.contains(&thread));
    let visible: BTreeSet<VarId> = seen.vars().iter().copied().filter(foreign).collect();
    let speaks = |term: Term| term.vars().iter().all(|v| system.owner(*v).is_none() || visible.contains(v));
    let mut all = Vec::new();
    for var in &visible {
        let sort = system.sort(*var);
        let next = Term::primed(*var, sort);
        all.push(next.eq_to(Term::var(*var, sort)));
        if *var == system.location_var(mover) {
            for (location, _) in system.program.thread(mover).locations() {
                all.push(system.at(mover, location));
                all.push(next.eq_to(Term::int(i128::from(location.0))));
            }
        }
        for value in system.program.thread(mover).transitions.iter().filter_map(|transition| transition.update(*var)) {
            if speaks(value) {
                all.push(next.eq_to(value));
            } else if sort == Sort::Int {
                // What it becomes cannot be said; whether it grows can.
                let before = Term::var(*var, sort);
                all.extend([next.le(before), before.le(next)]);
            }
        }
    }
    for transition in &system.program.thread(mover).transitions {
        let sees = |term: &Term| speaks(*term) && term.vars().iter().any(|v| visible.contains(v));
        all.extend(transition.guard.iter().copied().filter(sees));
    }
    all
}
