//! The rely-guarantee rule [T, Eq. 3]: init -> R_i; R_i and (rho_i or (E_i and V_i = V_i')) -> R_i'; R_j and rho_j -> E_i;
//! R_1 and .. and R_N and err -> false.
//!
//! E_i is a set of abstract transitions: conjunctions of literals over the transition predicates P_{j>i}.
//! Deviation: an error is any state of R_i at an error location, as for Owicki-Gries.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::{Literal, PredicateSet, Valuation, abstract_state};
use program::{Sort, Term, TermKind, ThreadId, VarId};

use crate::effect::{Effect, EffectId, Interference, Taken};
use crate::reach::{ComponentId, Reach};
use crate::system::{Rewrite, System};
use crate::vocabulary::Vocabularies;

/// R_j and rho_j, abstracted by transition predicates.
pub struct RelyGuarantee;

impl Interference for RelyGuarantee {
    fn effect(&self, reach: &mut Reach<'_, '_>, taken: &Taken<'_>, watcher: ComponentId) -> Option<Effect> {
        let (source, step) = (taken.from, taken.step);
        let value = env_transition(reach, taken, watcher);
        let known = |id: &EffectId| {
            let e = &reach.effects[id.0];
            e.abstraction.as_ref().is_some_and(|other| value.refines(other)) && reach.is_live(*id)
        };
        if let Some(known) = reach.effects_of(watcher, step.thread).iter().copied().find(known) {
            reach.effects[known.0].pinned = true;
            return None;
        }
        let transition = match reach.vocabularies.transition.get(&(step.thread, watcher)) {
            Some(predicates) => value.literals(predicates),
            None => Vec::new(),
        };
        let own = &reach.components[watcher.0];
        let system = reach.system;
        let after = solved_form(&transition, &|var| system.owner(var).is_some_and(|thread| own.contains(&thread)));
        let number = Rewrite::Solved(system.number_of(&after));
        let next = |term: Term| system.rewritten(number, term, || substitute_primed(term, &after));
        let mut premises: Vec<Literal> =
            transition.iter().flat_map(|term| next(*term).conjuncts()).map(|term| reach.engine.literal(term)).collect();
        premises.sort_unstable();
        premises.dedup();
        let bounds = reach.engine.bounds(&premises);
        let goals = reach.environment_goals(watcher, after);
        let abstraction = Some(value);
        Some(Effect { watcher, source, step, premises, bounds, goals, transition, abstraction, pinned: false })
    }
}

/// The literals of P_{j>i} that hold of every step from this state: R_j and rho_j -> E_i.
fn env_transition(reach: &mut Reach<'_, '_>, taken: &Taken<'_>, watcher: ComponentId) -> Valuation {
    let Taken { step, premises, .. } = *taken;
    let goals = reach.transition_goals(step, watcher);
    if !reach.vocabularies.transition.contains_key(&(step.thread, watcher)) {
        return abstract_state(reach.engine, premises, None, &goals);
    }
    // States that differ only in what the transition predicates do not speak of make the same transition.
    let vars = reach.spoken_of(step, watcher);
    let key = (step, watcher, reach.engine.cone(premises, &vars));
    if let Some(value) = reach.transitions.get(&key) {
        return value.clone();
    }
    let value = abstract_state(reach.engine, premises, None, &goals);
    reach.transitions.insert(key, value.clone());
    value
}

/// x' = e for the variables whose value after the transition it determines by values before it, without those to leave out.
pub(crate) fn solved_form(transition: &[Term], left_out: &impl Fn(VarId) -> bool) -> BTreeMap<VarId, Term> {
    let mut solved = BTreeMap::new();
    for term in transition {
        let TermKind::Eq(form, bound) = term.kind() else { continue };
        let primed: Vec<(VarId, i128, Term)> = form
            .monomials()
            .iter()
            .filter_map(|(term, c)| match term.kind() {
                TermKind::Primed(var, _) => Some((*var, *c, *term)),
                _ => None,
            })
            .collect();
        let [(var, c @ (1 | -1), leaf)] = primed.as_slice() else { continue };
        if left_out(*var) || solved.contains_key(var) {
            continue;
        }
        // c * x' + rest = bound, so x' = c * (bound - rest).
        let rest = Term::linear(form.clone()).sub(leaf.mul(Term::int(*c)));
        let value = Term::int(*c).mul(Term::int(*bound).sub(rest));
        if primed_vars(value).is_empty() {
            solved.insert(*var, value);
        }
    }
    solved
}

fn primed_vars(term: Term) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    term.visit(&mut |leaf| {
        if let TermKind::Primed(var, _) = leaf.kind() {
            vars.insert(*var);
        }
    });
    vars
}

pub(crate) fn substitute_primed(term: Term, after: &BTreeMap<VarId, Term>) -> Term {
    term.rewrite(&|leaf| match leaf.kind() {
        TermKind::Primed(var, _) => after.get(var).copied(),
        _ => None,
    })
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
