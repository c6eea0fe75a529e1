//! Refinement [P]: from abstract errors to a run, or to predicates that exclude their derivations.

pub(crate) mod derivation;
pub(crate) mod eliminate;
pub(crate) mod encode;
pub(crate) mod hull;
pub(crate) mod observed;
pub(crate) mod path;
pub(crate) mod preference;
pub(crate) mod remedies;
pub(crate) mod search;
pub(crate) mod seeds;
pub(crate) mod setting;
pub(crate) mod symmetry;
#[cfg(test)]
mod symmetry_tests;
pub(crate) mod vocabulary;
pub(crate) mod words;

use std::collections::BTreeSet;

use abstraction::Engine;
use check::Trace;
use horn::{Outcome, Solution};
use program::{Term, TermKind};
use smt::Cancel;

use crate::options::Seeds;
use crate::reach::survives;
use crate::refine::derivation::{ChainStep, Derivation, Item, Made};
use crate::refine::encode::{Encoding, Rung};
use crate::refine::observed::Observed;
use crate::refine::path::{Feasibility, run};
use crate::refine::preference::{Reluctance, interpolate, moved};
use crate::refine::search::{SearchLimits, search};
use crate::refine::seeds::seed;
use crate::refine::setting::Setting;
use crate::refine::vocabulary::{Target, Vocabulary};
use crate::rule::{Environment, Rule};
use crate::system::{StepId, System};

/// Z3's resource units for one derivation's clauses.
const HORN_LIMIT: u32 = 60_000_000;
const SEARCH: SearchLimits = SearchLimits { states: 4_000, queries: 400 };

/// What refinement found.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// A run to the error.
    Trace(Trace),
    /// The derivation stands unless these conditions of steps, without which they are undefined, hold: they become guards.
    Require(Vec<(StepId, usize)>),
    /// A vocabulary in which the derivations are excluded.
    Learned(Vocabulary),
    /// The derivation's clauses have no solution in any vocabulary; in words. Of instances that means that the level is too low,
    /// or that there is an error.
    Refuted(String),
    /// Nothing; why.
    Stuck(String),
}

/// How refinement goes about it.
pub struct Plan<'a> {
    /// The proof rule.
    pub rule: Rule,
    /// The vocabularies that unknowns may have, in the order in which they are tried.
    pub ladder: &'a [Rung],
    /// What transition predicates start with.
    pub seeds: Seeds,
    /// Whether to look for a run among the steps of a derivation that has no thread-modular proof.
    pub search: bool,
    /// Whether assertions are proved one by one, with as few predicates as can be: a thread then does not watch those like the
    /// one that it must, and the program's own words are left out.
    pub separate: bool,
    /// What runs have in common.
    pub observed: &'a Observed,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

/// Finds a run that one of the errors' derivations stands for, or predicates that exclude them all.
pub fn refine(setting: Setting<'_, '_>, engine: &mut Engine, errors: &[Derivation], plan: &Plan<'_>) -> Refinement {
    if let Some(found) = errors.iter().find_map(|error| concretise(setting.system, error)) {
        return found;
    }
    let mut refiner = Refiner { setting, engine, plan, known: setting.vocabulary.clone() };
    for (index, error) in errors.iter().enumerate() {
        // What excludes one derivation may exclude the next.
        if index > 0 && !refiner.survives(error, &refiner.known.clone()) {
            continue;
        }
        match refiner.exclude(error) {
            Refinement::Learned(more) => refiner.known = more,
            // The first error decides; what is known to exclude it is progress enough.
            Refinement::Stuck(_) | Refinement::Refuted(_) if index > 0 => {}
            other => return other,
        }
    }
    Refinement::Learned(refiner.known)
}

/// Tries to find a run that a derivation stands for. One about copies of templates is left to a search with as many instances.
fn concretise(system: &System<'_>, derivation: &Derivation) -> Option<Refinement> {
    if !system.program.templates().is_empty() {
        return None;
    }
    let steps = derivation.chain();
    let exact: Vec<StepId> = steps.iter().map(|step| step.step).collect();
    let filled = filled_in(derivation, &steps);
    let conflict = derivation.conflict().map(|(index, _)| &system.program.conflicts()[index]);
    let filled = (filled != exact).then_some(filled);
    for (k, schedule) in [Some(exact), filled].into_iter().flatten().enumerate() {
        match run(system, &schedule, conflict) {
            Feasibility::Trace(trace) => return Some(Refinement::Trace(trace)),
            // Only the derivation's own chain says anything about the derivation.
            Feasibility::Undefined(mut conditions) if k == 0 => {
                conditions.retain(|(step, index)| !system.requires(*step, *index));
                if !conditions.is_empty() {
                    return Some(Refinement::Require(conditions));
                }
            }
            _ => {}
        }
    }
    None
}

/// The chain with the steps of other threads that its view did not see, taken from the chains of the states that movers' steps
/// started from, as late as possible; then the chains of the others that are in a conflict.
fn filled_in(derivation: &Derivation, steps: &[ChainStep]) -> Vec<StepId> {
    let mut schedule: Vec<StepId> = Vec::new();
    // Lets a thread go on to the end of these steps, if it is on the way there.
    let advance = |schedule: &mut Vec<StepId>, wanted: &[StepId]| {
        let Some(thread) = wanted.first().map(|step| step.thread) else { return };
        let done: Vec<StepId> = schedule.iter().filter(|s| s.thread == thread).copied().collect();
        if wanted.starts_with(&done) {
            schedule.extend(&wanted[done.len()..]);
        }
    };
    let own = |state: usize| -> Vec<StepId> {
        let own = derivation.chain_to(state).into_iter().filter(|s| s.source.is_none());
        own.map(|s| s.step).collect()
    };
    for step in steps {
        step.source.into_iter().for_each(|source| advance(&mut schedule, &own(source)));
        schedule.push(step.step);
    }
    for state in derivation.strangers() {
        let mut past = Vec::new();
        for ChainStep { step, source } in derivation.chain_to(state) {
            match source {
                Some(source) => advance(&mut schedule, &[own(source), vec![step]].concat()),
                None => {
                    past.push(step);
                    advance(&mut schedule, &past);
                }
            }
        }
    }
    schedule
}

/// Who solves the clauses of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solver {
    /// By substitution: quick, and the atoms are the program's; but partial.
    Substitution,
    /// Spacer.
    Spacer,
}

/// What came of one attempt to exclude a derivation.
enum Attempt {
    /// Predicates that exclude it.
    Learned(Vocabulary),
    /// The same, but so many of them only move a constant further.
    Moving(usize, Vocabulary),
    /// The clauses have no solution in this vocabulary.
    Refuted,
    /// Nothing; why.
    Open(String),
}

/// One refinement.
pub(crate) struct Refiner<'r, 'a, 'p> {
    pub(crate) setting: Setting<'a, 'p>,
    engine: &'r mut Engine,
    plan: &'r Plan<'r>,
    /// What has been learned so far.
    pub(crate) known: Vocabulary,
}

impl Refiner<'_, '_, '_> {
    /// Predicates that exclude the derivation, from the first rung of the ladder that has them; all rungs are tried by substitution
    /// before Spacer is asked. A solution whose predicates only move a constant further is a sign of divergence: it is taken only
    /// if there is neither a remedy nor a better one on another rung.
    fn exclude(&mut self, derivation: &Derivation) -> Refinement {
        let mut why = String::from("no proof in this vocabulary");
        let mut fallback: Option<(usize, Vocabulary)> = None;
        let mut refuted: BTreeSet<Rung> = BTreeSet::new();
        for solver in [Solver::Substitution, Solver::Spacer] {
            for rung in self.plan.ladder {
                if refuted.contains(rung) {
                    continue;
                }
                if self.plan.cancel.is_cancelled() {
                    return Refinement::Stuck("cancelled".into());
                }
                let encoding = Encoding::new(self.setting, derivation, *rung);
                match self.attempt(derivation, &encoding, solver) {
                    Attempt::Learned(learned) => return Refinement::Learned(learned),
                    Attempt::Moving(moved, learned) => {
                        if fallback.as_ref().is_none_or(|(least, _)| moved < *least) {
                            fallback = Some((moved, learned));
                        }
                    }
                    Attempt::Refuted => {
                        why = format!("the derivation has no proof in the {rung:?} vocabulary");
                        if refuted.is_empty()
                            && let Some(found) = self.without_modular_proof(derivation, &encoding)
                        {
                            return found;
                        }
                        refuted.insert(*rung);
                    }
                    Attempt::Open(reason) => why = reason,
                }
            }
            if let Some((_, learned)) = fallback {
                return Refinement::Learned(learned);
            }
            // Where no literal of the derivation refutes it, one that follows from two of them may.
            if solver == Solver::Substitution
                && refuted.len() < self.plan.ladder.len()
                && let Some(learned) = self.learn_eliminated(derivation, &self.differences())
            {
                return Refinement::Learned(learned);
            }
        }
        if self.plan.ladder.last().is_none_or(|last| !refuted.contains(last)) {
            return Refinement::Stuck(why);
        }
        let conditions = undefined(self.setting.system, derivation);
        if conditions.is_empty() { Refinement::Refuted(why) } else { Refinement::Require(conditions) }
    }

    /// One solver's solution of the clauses in one vocabulary, and what comes of it.
    fn attempt(&mut self, derivation: &Derivation, encoding: &Encoding, solver: Solver) -> Attempt {
        let outcome = match solver {
            Solver::Substitution => {
                interpolate(self.setting, derivation, encoding, Reluctance::Usual, self.plan.cancel)
            }
            Solver::Spacer => horn::solve(&encoding.system, HORN_LIMIT),
        };
        log::debug!("{:?} by {solver:?}: {}", encoding.rung, outcome.summary());
        let solution = match outcome {
            Outcome::Solved(solution) => solution,
            Outcome::Refuted => return Attempt::Refuted,
            Outcome::Unknown(reason) => return Attempt::Open(reason),
        };
        let conjuncts = self.read_back(derivation, encoding, &solution);
        let moved = moved(self.setting, &conjuncts);
        if let Some(learned) = self.learn_eliminated(derivation, &moved) {
            return Attempt::Learned(learned);
        }
        let Some(learned) = self.learn(derivation, &conjuncts) else {
            return Attempt::Open("the abstraction cannot express the solution".into());
        };
        if moved.is_empty() {
            return Attempt::Learned(learned);
        }
        if let Some(observed) = self.learn_observed(derivation, &moved) {
            return Attempt::Learned(observed);
        }
        match self.learn_resting(derivation, encoding, &learned, &moved) {
            Some(better) => Attempt::Learned(better),
            None => Attempt::Moving(moved.len(), learned),
        }
    }

    /// What to do about a derivation that the first rung of the ladder cannot refute: count, or look for a run.
    fn without_modular_proof(&self, derivation: &Derivation, encoding: &Encoding) -> Option<Refinement> {
        if encoding.rung == Rung::Modular
            && let Some(shared) = self.share(encoding)
        {
            return Some(Refinement::Learned(shared));
        }
        if !self.plan.search {
            return None;
        }
        match search(self.setting.system, &derivation.steps(), SEARCH, self.plan.cancel) {
            Some(Feasibility::Trace(trace)) => Some(Refinement::Trace(trace)),
            _ => None,
        }
    }

    /// Tracks the shares of the counters that the derivation depends on; whether that is new.
    fn share(&self, encoding: &Encoding) -> Option<Vocabulary> {
        let Setting { system, views, .. } = self.setting;
        if views.all.len() == 1 {
            return None;
        }
        let mut fresh = self.known.afresh(system, views, &Vocabulary::empty(views));
        let relevant = system.counters.iter().filter(|counter| encoding.relevant.contains(&counter.var));
        let new = relevant.filter(|counter| fresh.share(system, views, counter)).count() > 0;
        new.then(|| {
            self.seed(&mut fresh);
            fresh
        })
    }

    /// The solution's conjuncts as formulas over the program's variables, with where they belong.
    pub(crate) fn read_back(
        &self,
        derivation: &Derivation,
        encoding: &Encoding,
        solution: &Solution,
    ) -> Vec<(Target, Term)> {
        let mut all = Vec::new();
        for (relation, item) in derivation.items.iter().enumerate() {
            let read = |formula: &Term| {
                self.setting.system.without_casts(encoding.read_back(self.setting, relation, *formula))
            };
            all.extend(solution.conjuncts[relation].iter().map(|formula| (target(item), read(formula))));
        }
        all
    }

    /// The vocabulary with the atoms of the conjuncts, if that excludes the derivation. A Cartesian state cannot know a
    /// disjunction of atoms, but it can know one predicate that is it: whole conjuncts are the second try.
    pub(crate) fn learn(&mut self, derivation: &Derivation, conjuncts: &[(Target, Term)]) -> Option<Vocabulary> {
        let mut all = conjuncts.to_vec();
        all.extend(self.exchanged(conjuncts));
        let parts = all.iter().flat_map(|(target, f)| horn::atoms(*f).into_iter().map(|atom| (*target, atom)));
        let mut atoms: Vec<(Target, Term)> = parts.collect();
        // Where a count does not wrap, what is known of it is linear.
        atoms.extend(atoms.iter().map(|(target, atom)| (*target, linear(*atom))).collect::<Vec<_>>());
        let mut vocabulary = self.known.clone();
        let excluded = self.excludes(derivation, &mut vocabulary, &atoms, &all)
            || self.excludes(derivation, &mut vocabulary, &all, &all);
        excluded.then_some(vocabulary)
    }

    /// Adds predicates that come of conjuncts, and those that go with them; whether there are new ones, and they exclude the
    /// derivation.
    fn excludes(
        &mut self,
        derivation: &Derivation,
        vocabulary: &mut Vocabulary,
        wanted: &[(Target, Term)],
        conjuncts: &[(Target, Term)],
    ) -> bool {
        if !self.insert(vocabulary, wanted) {
            return false;
        }
        self.complete(vocabulary, conjuncts);
        self.seed(vocabulary);
        !self.survives(derivation, vocabulary)
    }

    /// Adds predicates that exclude a derivation, if they do.
    pub(crate) fn excluded_by(&mut self, derivation: &Derivation, wanted: &[(Target, Term)]) -> Option<Vocabulary> {
        let mut vocabulary = self.known.clone();
        self.excludes(derivation, &mut vocabulary, wanted, &[]).then_some(vocabulary)
    }

    /// Adds predicates; whether there are new ones. What is said of some copies can be said of others in their place.
    pub(crate) fn insert(&self, vocabulary: &mut Vocabulary, wanted: &[(Target, Term)]) -> bool {
        let Setting { system, views, .. } = self.setting;
        let mut new = false;
        for (target, term) in wanted {
            new |= vocabulary.insert(system, views, *target, *term);
            let (Target::State(view, _) | Target::Transition(view, _)) = *target;
            for symmetry in &views.view(view).symmetries {
                new |= vocabulary.insert(system, views, *target, symmetry.renaming.term(*term));
            }
        }
        new
    }

    /// What is said of threads, of the threads that are like them.
    fn exchanged(&self, wanted: &[(Target, Term)]) -> Vec<(Target, Term)> {
        let Setting { system, views, .. } = self.setting;
        let mut all = Vec::new();
        for exchange in system.exchanges.iter().filter(|_| views.all.len() > 1) {
            for (target, term) in wanted {
                let to = match *target {
                    Target::State(view, at) => exchange.view(views, view).map(|view| Target::State(view, at)),
                    Target::Transition(view, mover) => {
                        exchange.mover(views, view, mover).map(|(view, mover)| Target::Transition(view, mover))
                    }
                };
                let kept = to.filter(|to| !self.plan.separate || to != target);
                all.extend(kept.map(|to| (to, exchange.term(*term))));
            }
        }
        all
    }

    /// Adds what goes with conjuncts: the other locations where one is told apart, and the program's own words.
    fn complete(&self, vocabulary: &mut Vocabulary, conjuncts: &[(Target, Term)]) {
        let Setting { system, views, .. } = self.setting;
        for (target, term) in conjuncts {
            let Target::State(view, Some(location)) = *target else { continue };
            let predicates = &mut vocabulary.predicates[view.0];
            // Of several threads at once, this makes more states than it saves refinements.
            let is_alone = views.view(view).threads.len() == 1;
            if is_alone {
                predicates.complete_locations(system, location);
            }
            if !self.plan.separate && (is_alone || views.all.len() == 1) {
                let words = words::about(system, &views.view(view).threads, predicates.set(), *term);
                words.into_iter().for_each(|word| _ = predicates.insert(word, location));
            }
        }
    }

    /// Adds what becomes evident when predicates are added.
    pub(crate) fn seed(&self, vocabulary: &mut Vocabulary) {
        if self.plan.rule.environment() == Environment::Transitions && self.plan.seeds == Seeds::Evident {
            seed(self.setting.system, self.setting.views, vocabulary);
        }
    }

    /// Whether a derivation still reaches its error with these predicates.
    fn survives(&mut self, derivation: &Derivation, vocabulary: &Vocabulary) -> bool {
        survives(Setting { vocabulary, ..self.setting }, self.engine, self.plan.rule, derivation)
    }
}

/// Where the predicates of an item belong.
pub(crate) fn target(item: &Item) -> Target {
    match item.made {
        Made::Transition { mover, .. } => Target::Transition(item.view, mover),
        _ => Target::State(item.view, item.place.first().copied().flatten()),
    }
}

/// Conditions of the derivation's steps that are not part of their guards yet.
fn undefined(system: &System<'_>, derivation: &Derivation) -> Vec<(StepId, usize)> {
    let conditions = |step: StepId| (0..system.transition(step).defined.len()).map(move |k| (step, k));
    let all = derivation.steps().into_iter().flat_map(conditions);
    all.filter(|(step, k)| !system.requires(*step, *k)).collect()
}

/// The formula without casts.
fn linear(formula: Term) -> Term {
    formula.rewrite(&|term| match term.kind() {
        TermKind::Wrap(_, inner) => Some(*inner),
        _ => None,
    })
}
