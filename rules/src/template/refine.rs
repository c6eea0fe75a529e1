//! Refinement over views: from an abstract error to predicates that exclude its derivation, or to the insight that the level
//! has no proof of it.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::PredicateSet;
use horn::{Outcome, Solution};
use program::{Linear, Term, TermKind};
use smt::Cancel;

use super::effect::EffectId;
use super::eliminate::{eliminated, is_difference};
use super::encode::{Encoding, step_of};
use super::reach::{Environment, Item, NodeId, Origin, Reach};
use super::views::ViewId;
use super::vocabulary::Vocabulary;
use crate::encode::Rung;
use crate::preference::{Lexicon, Reluctance, Thrift, moves};
use crate::system::StepId;
use crate::words;

/// Z3's resource units for one derivation's clauses.
const HORN_LIMIT: u32 = 60_000_000;

/// What refinement found.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// Predicates that exclude the derivation.
    Learned(Vocabulary),
    /// The derivation stands unless these conditions of steps, without which they are undefined, hold.
    Require(Vec<(StepId, usize)>),
    /// The derivation's clauses have no solution at this level.
    Refuted,
    /// Nothing helps.
    Stuck(String),
}

/// Excludes the derivation of an error.
pub fn refine(reach: &mut Reach<'_, '_>, error: NodeId, ladder: &[Rung], cancel: &Cancel) -> Refinement {
    let derivation = derivation(reach, error);
    if log::log_enabled!(log::Level::Trace) {
        trace(reach, &derivation);
    }
    let mut why = String::from("no proof in this vocabulary");
    let mut refuted = false;
    let mut fallback: Option<(usize, Vocabulary)> = None;
    for rung in ladder {
        let encoding = Encoding::new(reach, &derivation, *rung);
        for solver in [Solver::Substitution, Solver::Spacer] {
            if cancel.is_cancelled() {
                return Refinement::Stuck("cancelled".into());
            }
            let outcome = match solver {
                Solver::Substitution => interpolate(reach, &encoding, Reluctance::Usual),
                Solver::Spacer => horn::solve(&encoding.system, HORN_LIMIT),
            };
            log::debug!("{rung:?} by {solver:?}: {}", outcome.summary());
            refuted = outcome == Outcome::Refuted;
            match outcome {
                Outcome::Solved(solution) => {
                    let conjuncts = conjuncts(reach, &encoding, &solution);
                    let moved = moved(reach, &conjuncts);
                    if let Some(learned) = learn_eliminated(reach, &derivation, &moved) {
                        return Refinement::Learned(learned);
                    }
                    match learn(reach, &derivation, &conjuncts) {
                        Some(learned) if moved.is_empty() => return Refinement::Learned(learned),
                        Some(mut learned) => {
                            if let Some(resting) = learn_resting(reach, &derivation, &encoding) {
                                return Refinement::Learned(resting);
                            }
                            // What the program compares them with may be what they stop at.
                            if compare(reach, &mut learned, &moved) {
                                return Refinement::Learned(learned);
                            }
                            if fallback.as_ref().is_none_or(|(least, _)| moved.len() < *least) {
                                fallback = Some((moved.len(), learned));
                            }
                            break;
                        }
                        None => why = "the abstraction cannot express the solution".into(),
                    }
                }
                Outcome::Refuted => break,
                Outcome::Unknown(reason) => {
                    why = reason;
                    // Where no literal of the derivation refutes it, one that follows from two of them may.
                    if solver == Solver::Substitution
                        && let Some(learned) = learn_eliminated(reach, &derivation, &differences(reach))
                    {
                        return Refinement::Learned(learned);
                    }
                }
            }
        }
    }
    if let Some((_, learned)) = fallback {
        return Refinement::Learned(learned);
    }
    if !refuted {
        return Refinement::Stuck(why);
    }
    let conditions = undefined(reach, &derivation);
    if conditions.is_empty() { Refinement::Refuted } else { Refinement::Require(conditions) }
}

/// Who solves the clauses of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solver {
    /// By substitution: quick, and the atoms are the program's; but partial.
    Substitution,
    /// Spacer.
    Spacer,
}

fn interpolate(reach: &Reach<'_, '_>, encoding: &Encoding, reluctance: Reluctance) -> Outcome {
    let is_effect = |k: &usize| matches!(encoding.items[*k], Item::Effect(_));
    let effects: BTreeSet<usize> = (0..encoding.items.len()).filter(is_effect).collect();
    let known = Known { reach, encoding, reluctance, empty: PredicateSet::default() };
    horn::interpolate(&encoding.system, &effects, &Thrift(known))
}

/// The items that an error was made from, each after those it was made from, the error last.
fn derivation(reach: &Reach<'_, '_>, error: NodeId) -> Vec<Item> {
    let mut items = Vec::new();
    let mut done: BTreeMap<Item, bool> = BTreeMap::new();
    let mut stack = vec![Item::State(error)];
    while let Some(item) = stack.last().copied() {
        match done.get(&item) {
            None => {
                done.insert(item, false);
                stack.extend(reach.parents(item).into_iter().filter(|parent| done.get(parent) != Some(&true)));
            }
            Some(finished) => {
                stack.pop();
                if !finished {
                    done.insert(item, true);
                    items.push(item);
                }
            }
        }
    }
    items
}

fn trace(reach: &Reach<'_, '_>, derivation: &[Item]) {
    for item in derivation {
        match item {
            Item::State(id) => {
                let state = reach.node(*id);
                let known = state.value.literals(&reach.vocabulary.predicates[state.view.0]);
                let known: Vec<String> = known.into_iter().map(|term| reach.system.show(term)).collect();
                let threads = &reach.views.view(state.view).threads;
                log::trace!("{id:?} {threads:?} at {:?}, {:?}: {}", state.place, state.origin, known.join(", "));
            }
            Item::Effect(id) => {
                let effect = &reach.effects.all[id.0];
                let told: Vec<String> = effect.transition.iter().map(|term| reach.system.show(*term)).collect();
                log::trace!("{id:?} {:?} from {:?}: {}", effect.step, effect.sources, told.join(", "));
            }
        }
    }
}

/// Conditions of the derivation's steps that are not part of their guards yet.
fn undefined(reach: &Reach<'_, '_>, derivation: &[Item]) -> Vec<(StepId, usize)> {
    let mut all = BTreeSet::new();
    for step in derivation.iter().filter_map(|item| step_of(reach, *item)) {
        let conditions = 0..reach.system.transition(step).defined.len();
        all.extend(conditions.map(|k| (step, k)).filter(|(step, k)| !reach.system.requires(*step, *k)));
    }
    all.into_iter().collect()
}

/// Where a predicate belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    State(ViewId),
    Transition(ViewId, usize),
}

fn target(reach: &Reach<'_, '_>, item: Item) -> Target {
    match item {
        Item::State(id) => Target::State(reach.node(id).view),
        Item::Effect(id) => Target::Transition(reach.effects.all[id.0].watcher, reach.effects.all[id.0].mover),
    }
}

struct Known<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    encoding: &'r Encoding,
    reluctance: Reluctance,
    empty: PredicateSet,
}

impl Lexicon for Known<'_, '_, '_> {
    fn predicates(&self, relation: usize) -> &PredicateSet {
        match target(self.reach, self.encoding.items[relation]) {
            Target::State(view) => &self.reach.vocabulary.predicates[view.0],
            Target::Transition(view, mover) => {
                self.reach.vocabulary.transition.get(&(view, mover)).unwrap_or(&self.empty)
            }
        }
    }
    fn read_back(&self, relation: usize, formula: Term) -> Term {
        self.encoding.read_back(self.reach, relation, formula)
    }
    fn is_location(&self, form: &Linear) -> bool {
        is_location(self.reach, form)
    }
    fn reluctance(&self, form: &Linear) -> Reluctance {
        match self.reluctance {
            Reluctance::Strong if self.reach.vocabulary.is_count(form) => Reluctance::Strongest,
            other => other,
        }
    }
}

fn is_location(reach: &Reach<'_, '_>, form: &Linear) -> bool {
    form.atoms().all(|atom| atom.as_var().is_some_and(|var| reach.system.located_thread(var).is_some()))
}

fn conjuncts(reach: &Reach<'_, '_>, encoding: &Encoding, solution: &Solution) -> Vec<(Target, Term)> {
    let mut all = Vec::new();
    for (relation, item) in encoding.items.iter().enumerate() {
        let target = target(reach, *item);
        let read = |formula: &Term| reach.system.without_casts(encoding.read_back(reach, relation, *formula));
        all.extend(solution.conjuncts[relation].iter().map(|f| (target, read(f))));
    }
    all
}

/// The atoms that compare a form with yet another constant.
fn moved(reach: &Reach<'_, '_>, conjuncts: &[(Target, Term)]) -> BTreeSet<(ViewId, Term)> {
    let mut all = BTreeSet::new();
    for (target, term) in conjuncts {
        let Target::State(view) = target else { continue };
        let known = &reach.vocabulary.predicates[view.0];
        let new = horn::atoms(*term).into_iter().filter(|atom| is_moving(reach, known, *atom));
        all.extend(new.map(|atom| (*view, atom)));
    }
    all
}

/// Whether an atom compares a form with yet another constant. Of a count two are natural: none, and one.
fn is_moving(reach: &Reach<'_, '_>, known: &PredicateSet, atom: Term) -> bool {
    let many = |form: &Linear| known.constants(form).is_some_and(|c| c.bounds.len() + c.points.len() >= 2);
    let counts = match atom.kind() {
        TermKind::Le(form, _) | TermKind::Eq(form, _) => reach.vocabulary.is_count(form) && many(form),
        _ => false,
    };
    counts && !known.contains(atom) || moves(known, atom, &|form| is_location(reach, form))
}

/// Adds the program's own comparisons of the variables whose constants move, and its words about what they are compared with;
/// whether there are new ones.
fn compare(reach: &Reach<'_, '_>, vocabulary: &mut Vocabulary, moved: &BTreeSet<(ViewId, Term)>) -> bool {
    let mut wanted = Vec::new();
    for (view, atom) in moved {
        let words = words::beyond(reach.system, &reach.views.view(*view).threads, *atom);
        wanted.extend(words.into_iter().map(|word| (Target::State(*view), word)));
    }
    insert(reach, vocabulary, &wanted)
}

/// More differences than this have too many consequences.
const FEW: usize = 16;

/// The known predicates that are differences of variables, of views with few of them.
fn differences(reach: &Reach<'_, '_>) -> BTreeSet<(ViewId, Term)> {
    let mut all = BTreeSet::new();
    for view in reach.views.ids() {
        let items = reach.vocabulary.predicates[view.0].items();
        let found: Vec<Term> = items.iter().copied().filter(|term| is_difference(*term)).collect();
        if found.len() <= FEW {
            all.extend(found.into_iter().map(|term| (view, term)));
        }
    }
    all
}

/// The predicates that come of eliminating what makes constants move, if they exclude the derivation.
fn learn_eliminated(
    reach: &mut Reach<'_, '_>,
    derivation: &[Item],
    moved: &BTreeSet<(ViewId, Term)>,
) -> Option<Vocabulary> {
    let mut wanted = Vec::new();
    for view in reach.views.ids() {
        let atoms: Vec<Term> = moved.iter().filter(|(v, _)| *v == view).map(|(_, atom)| *atom).collect();
        let all = eliminated(&reach.vocabulary.predicates[view.0], &atoms);
        wanted.extend(all.into_iter().map(|term| (Target::State(view), term)));
    }
    let mut vocabulary = reach.vocabulary.clone();
    excludes(reach, derivation, &mut vocabulary, &wanted).then_some(vocabulary)
}

/// The predicates of a solution in which no constant moves, however many they are, if there is one that excludes the derivation.
fn learn_resting(reach: &mut Reach<'_, '_>, derivation: &[Item], encoding: &Encoding) -> Option<Vocabulary> {
    let Outcome::Solved(solution) = interpolate(reach, encoding, Reluctance::Strong) else { return None };
    let conjuncts = conjuncts(reach, encoding, &solution);
    if rests(reach, &conjuncts) { learn(reach, derivation, &conjuncts) } else { None }
}

/// Whether conjuncts compare no form with many constants, all together.
fn rests(reach: &Reach<'_, '_>, conjuncts: &[(Target, Term)]) -> bool {
    let mut known = reach.vocabulary.predicates.clone();
    conjuncts.iter().all(|(target, term)| {
        let Target::State(view) = target else { return true };
        horn::atoms(*term).into_iter().all(|atom| {
            let moving = is_moving(reach, &known[view.0], atom);
            known[view.0].insert(atom);
            !moving
        })
    })
}

/// The predicates with the atoms of the conjuncts, else with whole conjuncts, if that excludes the derivation.
fn learn(reach: &mut Reach<'_, '_>, derivation: &[Item], conjuncts: &[(Target, Term)]) -> Option<Vocabulary> {
    let mut vocabulary = reach.vocabulary.clone();
    let mut atoms: Vec<(Target, Term)> =
        conjuncts.iter().flat_map(|(target, f)| horn::atoms(*f).into_iter().map(|atom| (*target, atom))).collect();
    // Where a count does not wrap, what is known of it is linear.
    atoms.extend(atoms.iter().map(|(target, atom)| (*target, linear(*atom))).collect::<Vec<_>>());
    let excluded =
        excludes(reach, derivation, &mut vocabulary, &atoms) || excludes(reach, derivation, &mut vocabulary, conjuncts);
    excluded.then_some(vocabulary)
}

/// The formula without casts.
fn linear(formula: Term) -> Term {
    formula.rewrite(&|term| match term.kind() {
        TermKind::Wrap(_, inner) => Some(*inner),
        _ => None,
    })
}

/// Adds predicates; whether they are new, and exclude the derivation.
fn excludes(
    reach: &mut Reach<'_, '_>,
    derivation: &[Item],
    vocabulary: &mut Vocabulary,
    wanted: &[(Target, Term)],
) -> bool {
    insert(reach, vocabulary, wanted) && !survives(reach, derivation, vocabulary)
}

/// Adds predicates; whether there are new ones. What is said of some copies can be said of others in their place.
fn insert(reach: &Reach<'_, '_>, vocabulary: &mut Vocabulary, wanted: &[(Target, Term)]) -> bool {
    let mut new = false;
    for (target, term) in wanted {
        let (view, set) = match target {
            Target::State(view) => (view, &mut vocabulary.predicates[view.0]),
            Target::Transition(view, mover) => (view, vocabulary.transition.entry((*view, *mover)).or_default()),
        };
        new |= set.insert(*term);
        for symmetry in &reach.views.view(*view).symmetries {
            new |= set.insert(symmetry.renaming.term(*term));
        }
    }
    if reach.environment == Environment::Transitions {
        vocabulary.seed(reach.system, reach.views);
    }
    new
}

/// Whether a derivation still reaches its error with these predicates.
fn survives(reach: &mut Reach<'_, '_>, derivation: &[Item], vocabulary: &Vocabulary) -> bool {
    let (mut nodes, mut effects) = (BTreeMap::new(), BTreeMap::new());
    let made: Vec<Made> = derivation.iter().map(|item| made(reach, *item)).collect();
    let mut again = Reach::new(reach.system, &mut *reach.engine, reach.views, vocabulary, reach.environment);
    for (item, made) in derivation.iter().zip(made) {
        let state = match made {
            Made::State(view, Origin::Initial) => Some(again.initial(view)),
            Made::State(_, Origin::Step { parent, slot, step }) => again.step(nodes[&parent], slot, step),
            Made::State(_, Origin::Symmetric { parent, symmetry }) => Some(again.exchanged(nodes[&parent], symmetry)),
            Made::State(view, Origin::Environment { parent, mover, sources, step }) => {
                let parent: NodeId = nodes[&parent];
                let sources: Vec<NodeId> = sources.iter().map(|id| nodes[id]).collect();
                if again.is_invisible(step, view) {
                    // What the view cannot see leaves it where it is.
                    Some(again.nodes[parent.0].clone())
                } else {
                    again.disturbed(parent, mover, &sources, step)
                }
            }
            Made::State(_, Origin::Rely { parent, effect }) => {
                let (parent, effect): (NodeId, EffectId) = (nodes[&parent], effects[&effect]);
                if again.is_unseen(effect) { Some(again.nodes[parent.0].clone()) } else { again.relied(parent, effect) }
            }
            Made::Effect { watcher, mover, sources, step } => {
                let sources: Vec<NodeId> = sources.iter().map(|id| nodes[id]).collect();
                let Some(effect) = again.effect(watcher, mover, &sources, step) else { return false };
                if let Item::Effect(id) = item {
                    effects.insert(*id, EffectId(again.effects.all.len()));
                }
                again.effects.all.push(effect);
                continue;
            }
        };
        let Some(mut state) = state else { return false };
        again.complete(&mut state);
        if let Item::State(id) = item {
            nodes.insert(*id, NodeId(again.nodes.len()));
        }
        again.nodes.push(state);
    }
    true
}

/// How an item was made.
enum Made {
    State(ViewId, Origin),
    Effect { watcher: ViewId, mover: usize, sources: Vec<NodeId>, step: StepId },
}

fn made(reach: &Reach<'_, '_>, item: Item) -> Made {
    match item {
        Item::State(id) => Made::State(reach.node(id).view, reach.node(id).origin.clone()),
        Item::Effect(id) => {
            let effect = &reach.effects.all[id.0];
            let sources = effect.sources.clone();
            Made::Effect { watcher: effect.watcher, mover: effect.mover, sources, step: effect.step }
        }
    }
}
