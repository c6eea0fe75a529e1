//! Refinement [P]: from an abstract error to a run, or to predicates that exclude its derivation.

use std::collections::{BTreeMap, BTreeSet};

use check::Trace;
use horn::{Outcome, Solution};
use program::{LocationId, Term, ThreadId};
use smt::Cancel;

use crate::derivation::{ChainStep, Derivation, Item, chain};
use crate::effect::Taken;
use crate::encode::{Encoding, Environment, Rung};
use crate::path::{Feasibility, run};
use crate::preference::{interpolate, moved_constants};
use crate::reach::{AbstractState, ComponentId, NodeId, Origin, Reach};
use crate::search::{SearchLimits, search};
use crate::symmetry::Exchange;
use crate::system::StepId;
use crate::vocabulary::Vocabularies;
use crate::words;

/// Z3's resource units for one derivation's clauses.
const HORN_LIMIT: u32 = 60_000_000;
const SEARCH: SearchLimits = SearchLimits { states: 4_000, queries: 400 };

/// Where a predicate belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// P_i, at a location.
    State(ComponentId, LocationId),
    /// P_{j>i}.
    Transition(ThreadId, ComponentId),
}

impl Target {
    /// Where it belongs when two threads are exchanged. Components are threads here.
    fn exchanged(self, exchange: &Exchange) -> Target {
        let component = |c: ComponentId| {
            let thread = exchange.thread(ThreadId(program::number(c.0)));
            ComponentId(thread.0 as usize)
        };
        match self {
            Target::State(c, location) => Target::State(component(c), location),
            Target::Transition(thread, c) => Target::Transition(exchange.thread(thread), component(c)),
        }
    }
}

/// What refinement found.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// A run to the error.
    Trace(Trace),
    /// The run is undefined unless these conditions hold: they become guards.
    Require(Vec<(StepId, usize)>),
    /// Vocabularies in which the derivation is excluded.
    Learned(Vocabularies),
    /// Nothing; why.
    Stuck(String),
}

/// How refinement goes about it.
pub struct Plan<'a> {
    /// The vocabularies that unknowns may have, in the order in which they are tried.
    pub ladder: &'a [Rung],
    /// How environment steps are encoded.
    pub environment: Environment,
    /// Adds what becomes evident when predicates are added.
    pub seed: Box<dyn Fn(&mut Vocabularies) + 'a>,
    /// Whether to look for a run among the steps of a derivation that has no thread-modular proof.
    pub search: bool,
    /// Whether assertions are proved one by one, with as few predicates as can be: a thread then does not watch those like the
    /// one that it must, and the program's own words are left out.
    pub separate: bool,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

/// Finds a run that one of the errors' derivations stands for, or predicates that exclude them all.
pub fn refine(reach: &mut Reach<'_, '_>, errors: &[NodeId], plan: &Plan<'_>) -> Refinement {
    if let Some(found) = errors.iter().find_map(|error| concretise(reach, *error)) {
        return found;
    }
    let mut learned = reach.graph.vocabularies.clone();
    for (index, error) in errors.iter().enumerate() {
        // What excludes one derivation may exclude the next.
        if index > 0 && !survives(reach, &Recorded::new(reach, *error), &learned) {
            continue;
        }
        match exclude(reach, *error, &learned, plan) {
            Refinement::Learned(more) => learned = more,
            // The first error decides; what is known to exclude it is progress enough.
            Refinement::Stuck(_) if index > 0 => {}
            other => return other,
        }
    }
    Refinement::Learned(learned)
}

/// Tries to find a run that the derivation of `error` stands for.
fn concretise(reach: &Reach<'_, '_>, error: NodeId) -> Option<Refinement> {
    let steps = chain(reach, error);
    let exact: Vec<StepId> = steps.iter().map(|step| step.step).collect();
    let mut candidates = vec![exact];
    candidates.extend(filled_in(reach, &steps).filter(|filled| *filled != candidates[0]));
    for (k, schedule) in candidates.iter().enumerate() {
        match run(reach.system, schedule) {
            Feasibility::Trace(trace) => return Some(Refinement::Trace(trace)),
            // Only the derivation's own chain says anything about the derivation.
            Feasibility::Undefined(mut conditions) if k == 0 => {
                conditions.retain(|(step, index)| !reach.system.requires(*step, *index));
                if !conditions.is_empty() {
                    return Some(Refinement::Require(conditions));
                }
            }
            _ => {}
        }
    }
    None
}

/// The chain with the steps of other threads that its component did not see, taken from the chains of the states that
/// environment steps started from, as late as possible.
fn filled_in(reach: &Reach<'_, '_>, steps: &[ChainStep]) -> Option<Vec<StepId>> {
    let mut schedule: Vec<StepId> = Vec::new();
    for step in steps {
        if let Some(source) = step.source {
            let thread = step.step.thread;
            let past: Vec<StepId> =
                chain(reach, source).into_iter().filter(|s| s.source.is_none()).map(|s| s.step).collect();
            let done: Vec<StepId> = schedule.iter().filter(|s| s.thread == thread).copied().collect();
            if past.starts_with(&done) {
                schedule.extend(&past[done.len()..]);
            }
        }
        schedule.push(step.step);
    }
    Some(schedule)
}

/// Who solves the clauses of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solver {
    /// By substitution: quick, and the atoms are the program's; but partial.
    Substitution,
    /// Spacer.
    Spacer,
}

/// Predicates that exclude the derivation, from the first rung of the ladder that has them; all rungs are tried by substitution
/// before Spacer is asked. A solution whose predicates only move a constant further is a sign of divergence: it is taken only if
/// no other rung has a better one.
fn exclude(reach: &mut Reach<'_, '_>, error: NodeId, known: &Vocabularies, plan: &Plan<'_>) -> Refinement {
    let derivation = Derivation::of(reach, error);
    let recorded = Recorded::new(reach, error);
    let mut why = String::from("no proof in this vocabulary");
    let mut fallback: Option<(usize, Vocabularies)> = None;
    let mut refuted: BTreeSet<Rung> = BTreeSet::new();
    for solver in [Solver::Substitution, Solver::Spacer] {
        for rung in plan.ladder.iter().filter(|rung| !refuted.contains(rung)).copied().collect::<Vec<_>>() {
            if plan.cancel.is_cancelled() {
                return Refinement::Stuck("cancelled".into());
            }
            let encoding = Encoding::new(reach, &derivation, rung, plan.environment);
            let outcome = match solver {
                Solver::Substitution => interpolate(reach, &encoding),
                Solver::Spacer => horn::solve(&encoding.system, HORN_LIMIT),
            };
            log::debug!("{rung:?} by {solver:?}: {}", outcome.summary());
            match outcome {
                Outcome::Solved(solution) => {
                    let conjuncts = read_back(reach, &encoding, &solution);
                    let moved = moved_constants(reach, &conjuncts);
                    match learn(reach, &recorded, known, &conjuncts, plan) {
                        Some(learned) if moved == 0 => return Refinement::Learned(learned),
                        Some(learned) => {
                            if fallback.as_ref().is_none_or(|(least, _)| moved < *least) {
                                fallback = Some((moved, learned));
                            }
                        }
                        None => why = "the abstraction cannot express the solution".into(),
                    }
                }
                Outcome::Refuted => {
                    if rung == Rung::Modular
                        && let Some(shared) = share(reach, &encoding, known, plan)
                    {
                        return Refinement::Learned(shared);
                    }
                    why = format!("the derivation has no proof in the {rung:?} vocabulary");
                    if plan.search && refuted.is_empty() {
                        let steps = steps_of(reach, &derivation);
                        if let Some(Feasibility::Trace(trace)) = search(reach.system, &steps, SEARCH, plan.cancel) {
                            return Refinement::Trace(trace);
                        }
                    }
                    refuted.insert(rung);
                }
                Outcome::Unknown(reason) => why = reason,
            }
        }
        if let Some((_, learned)) = fallback {
            return Refinement::Learned(learned);
        }
    }
    Refinement::Stuck(why)
}

/// Tracks the shares of the counters that the derivation depends on; whether that is new.
fn share(reach: &Reach<'_, '_>, encoding: &Encoding, known: &Vocabularies, plan: &Plan<'_>) -> Option<Vocabularies> {
    if reach.graph.components.len() == 1 {
        return None;
    }
    let mut fresh = known.counters_only(reach.system, reach.graph.components);
    let relevant = reach.system.counters.iter().filter(|counter| encoding.relevant.contains(&counter.var));
    let new = relevant.filter(|counter| fresh.share(reach.system, reach.graph.components, counter)).count() > 0;
    new.then(|| {
        (plan.seed)(&mut fresh);
        fresh
    })
}

/// The vocabularies with the atoms of the conjuncts, if that excludes the derivation. A Cartesian state cannot know a
/// disjunction of atoms, but it can know one predicate that is it: whole conjuncts are the second try.
fn learn(
    reach: &mut Reach<'_, '_>,
    recorded: &Recorded,
    known: &Vocabularies,
    conjuncts: &[(Target, Term)],
    plan: &Plan<'_>,
) -> Option<Vocabularies> {
    let mut vocabularies = known.clone();
    for add in [add_atoms, add_whole] {
        if add(&mut vocabularies, conjuncts) == 0 {
            continue;
        }
        let mut all = conjuncts.to_vec();
        for exchange in reach.system.exchanges.iter().filter(|_| reach.graph.components.len() > 1) {
            let exchanged: Vec<(Target, Term)> = conjuncts
                .iter()
                .map(|(target, term)| (target.exchanged(exchange), exchange.term(*term)))
                .zip(conjuncts)
                .filter(|((target, _), (before, _))| !plan.separate || target != before)
                .map(|(exchanged, _)| exchanged)
                .collect();
            add(&mut vocabularies, &exchanged);
            all.extend(exchanged);
        }
        for (target, term) in all {
            let Target::State(component, location) = target else { continue };
            let predicates = &mut vocabularies.predicates[component.0];
            predicates.complete_locations(reach.system, location);
            if !plan.separate {
                let words = words::about(reach.system, &reach.graph.components[component.0], predicates.set(), term);
                words.into_iter().for_each(|word| _ = predicates.insert(word, location));
            }
        }
        (plan.seed)(&mut vocabularies);
        if !survives(reach, recorded, &vocabularies) {
            return Some(vocabularies);
        }
    }
    None
}

/// Whether a derivation still reaches its error with these predicates.
fn survives(reach: &mut Reach<'_, '_>, recorded: &Recorded, vocabularies: &Vocabularies) -> bool {
    let mut again = Reach::new(reach.system, &mut *reach.engine, vocabularies, reach.graph.components, reach.rule);
    recorded.survives(&mut again)
}

/// The solution's conjuncts as formulas over the program's variables, with where they belong.
fn read_back(reach: &Reach<'_, '_>, encoding: &Encoding, solution: &Solution) -> Vec<(Target, Term)> {
    let mut conjuncts = Vec::new();
    for (relation, item) in encoding.items.iter().enumerate() {
        let target = target(reach, *item);
        for formula in &solution.conjuncts[relation] {
            conjuncts.push((target, encoding.read_back(reach, relation, *formula)));
        }
    }
    conjuncts
}

pub(crate) fn target(reach: &Reach<'_, '_>, item: Item) -> Target {
    match item {
        Item::State(id) => Target::State(reach.node(id).component, reach.node(id).place[0]),
        Item::Effect(id) => {
            let effect = &reach.graph.effects[id.0];
            Target::Transition(effect.step.thread, effect.watcher)
        }
    }
}

fn steps_of(reach: &Reach<'_, '_>, derivation: &Derivation) -> BTreeSet<StepId> {
    let step = |item: &Item| match item {
        Item::State(id) => match reach.node(*id).origin {
            Origin::Step { step, .. } => Some(step),
            _ => None,
        },
        Item::Effect(id) => Some(reach.graph.effects[id.0].step),
    };
    derivation.items.iter().filter_map(step).collect()
}

/// A recorded derivation without the abstraction it was found in, to be run again in a later one.
#[derive(Clone, Debug)]
struct Recorded {
    items: Vec<RecordedItem>,
}

#[derive(Clone, Copy, Debug)]
enum RecordedItem {
    Initial(ComponentId),
    Step { parent: usize, position: usize, step: StepId },
    Environment { parent: usize, source: usize, step: StepId },
}

impl Recorded {
    /// Records the derivation of `error`.
    fn new(reach: &Reach<'_, '_>, error: NodeId) -> Recorded {
        let derivation = Derivation::of(reach, error);
        let mut index: BTreeMap<NodeId, usize> = BTreeMap::new();
        let mut items = Vec::new();
        for item in &derivation.items {
            let Item::State(id) = item else { continue };
            let state = reach.node(*id);
            let recorded = match state.origin {
                Origin::Initial => RecordedItem::Initial(state.component),
                Origin::Step { parent, step } => {
                    let threads = &reach.graph.components[state.component.0];
                    let position = threads.iter().position(|t| *t == step.thread).unwrap_or(0);
                    RecordedItem::Step { parent: index[&parent], position, step }
                }
                Origin::Environment { parent, effect } => {
                    let effect = &reach.graph.effects[effect.0];
                    RecordedItem::Environment {
                        parent: index[&parent],
                        source: index[&effect.source],
                        step: effect.step,
                    }
                }
            };
            index.insert(*id, items.len());
            items.push(recorded);
        }
        Recorded { items }
    }

    /// Whether the derivation still reaches its error in the abstraction of `reach`, which must not have run.
    fn survives(&self, reach: &mut Reach<'_, '_>) -> bool {
        reach.graph.nodes.clear();
        for item in &self.items {
            let Some(mut state) = self.replay(reach, *item) else {
                reach.graph.nodes.clear();
                return false;
            };
            reach.complete(&mut state);
            reach.graph.nodes.push(state);
        }
        reach.graph.nodes.clear();
        true
    }

    fn replay(&self, reach: &mut Reach<'_, '_>, item: RecordedItem) -> Option<AbstractState> {
        match item {
            RecordedItem::Initial(component) => Some(reach.initial(component)),
            RecordedItem::Step { parent, position, step } => {
                let state = reach.graph.nodes[parent].clone();
                reach.step(&state, position, step)
            }
            RecordedItem::Environment { parent, source, step } => {
                let state = reach.graph.nodes[parent].clone();
                let mover = reach.graph.nodes[source].clone();
                match reach.effect_of(Taken { from: NodeId(source), step }, &mover, state.component)? {
                    // What the watcher cannot see leaves it where it is.
                    None => Some(state),
                    Some(effect) if effect.goals.is_invisible_to(reach.graph.tracked(&state)) => Some(state),
                    Some(effect) => reach.disturbed(&state, &effect),
                }
            }
        }
    }
}

/// Adds the atoms of the conjuncts to the vocabularies; how many were new.
fn add_atoms(vocabularies: &mut Vocabularies, conjuncts: &[(Target, Term)]) -> usize {
    let mut new = 0;
    for (target, formula) in conjuncts {
        for atom in horn::atoms(*formula) {
            new += usize::from(insert(vocabularies, *target, atom));
        }
    }
    new
}

/// Adds the conjuncts themselves: a Cartesian state can then know a disjunction.
fn add_whole(vocabularies: &mut Vocabularies, conjuncts: &[(Target, Term)]) -> usize {
    conjuncts.iter().filter(|(target, formula)| insert(vocabularies, *target, *formula)).count()
}

fn insert(vocabularies: &mut Vocabularies, target: Target, term: Term) -> bool {
    match target {
        Target::State(component, location) => vocabularies.predicates[component.0].insert(term, location),
        Target::Transition(thread, component) => {
            vocabularies.transition.entry((thread, component)).or_default().insert(term)
        }
    }
}
