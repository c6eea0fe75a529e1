//! Refinement over views: from an abstract error to predicates that exclude its derivation, or to the insight that the level
//! has no proof of it.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::PredicateSet;
use horn::{Outcome, Solution};
use program::{Linear, Term};
use smt::Cancel;

use super::eliminate::eliminated;
use super::encode::Encoding;
use super::reach::{NodeId, Origin, Reach};
use super::views::ViewId;
use crate::encode::Rung;
use crate::preference::{Lexicon, Thrift, moves};
use crate::system::StepId;

/// Z3's resource units for one derivation's clauses.
const HORN_LIMIT: u32 = 60_000_000;

/// What refinement found.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// Predicates by view that exclude the derivation.
    Learned(Vec<PredicateSet>),
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
    let mut why = String::from("no proof in this vocabulary");
    let mut refuted = false;
    let mut fallback: Option<(usize, Vec<PredicateSet>)> = None;
    for rung in ladder {
        let encoding = Encoding::new(reach, &derivation, *rung);
        for solver in [Solver::Substitution, Solver::Spacer] {
            if cancel.is_cancelled() {
                return Refinement::Stuck("cancelled".into());
            }
            let outcome = match solver {
                Solver::Substitution => {
                    let known = Known { reach, encoding: &encoding };
                    horn::interpolate(&encoding.system, &BTreeSet::new(), &Thrift(known))
                }
                Solver::Spacer => horn::solve(&encoding.system, HORN_LIMIT),
            };
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
                        Some(learned) => {
                            if fallback.as_ref().is_none_or(|(least, _)| moved.len() < *least) {
                                fallback = Some((moved.len(), learned));
                            }
                            break;
                        }
                        None => why = "the abstraction cannot express the solution".into(),
                    }
                }
                Outcome::Refuted => break,
                Outcome::Unknown(reason) => why = reason,
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

/// The states that an error was made from, in order, itself last.
fn derivation(reach: &Reach<'_, '_>, error: NodeId) -> Vec<NodeId> {
    let mut found: BTreeSet<NodeId> = BTreeSet::new();
    let mut open = vec![error];
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(reach.node(id).origin.parents());
        }
    }
    found.into_iter().collect()
}

/// Conditions of the derivation's steps that are not part of their guards yet.
fn undefined(reach: &Reach<'_, '_>, derivation: &[NodeId]) -> Vec<(StepId, usize)> {
    let mut all = BTreeSet::new();
    for id in derivation {
        if let Origin::Step { step, .. } | Origin::Environment { step, .. } = reach.node(*id).origin {
            let conditions = 0..reach.system.transition(step).defined.len();
            all.extend(conditions.map(|k| (step, k)).filter(|(step, k)| !reach.system.requires(*step, *k)));
        }
    }
    all.into_iter().collect()
}

struct Known<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    encoding: &'r Encoding,
}

impl Lexicon for Known<'_, '_, '_> {
    fn predicates(&self, relation: usize) -> &PredicateSet {
        &self.reach.predicates[self.reach.node(self.encoding.nodes[relation]).view.0]
    }
    fn read_back(&self, relation: usize, formula: Term) -> Term {
        self.encoding.read_back(self.reach, relation, formula)
    }
    fn is_location(&self, form: &Linear) -> bool {
        is_location(self.reach, form)
    }
}

fn is_location(reach: &Reach<'_, '_>, form: &Linear) -> bool {
    form.atoms().all(|atom| atom.as_var().is_some_and(|var| reach.system.located_thread(var).is_some()))
}

fn conjuncts(reach: &Reach<'_, '_>, encoding: &Encoding, solution: &Solution) -> Vec<(ViewId, Term)> {
    let mut all = Vec::new();
    for (relation, id) in encoding.nodes.iter().enumerate() {
        let view = reach.node(*id).view;
        all.extend(solution.conjuncts[relation].iter().map(|f| (view, encoding.read_back(reach, relation, *f))));
    }
    all
}

/// The atoms that compare a form with yet another constant.
fn moved(reach: &Reach<'_, '_>, conjuncts: &[(ViewId, Term)]) -> BTreeSet<(ViewId, Term)> {
    let atoms = conjuncts.iter().flat_map(|(view, term)| horn::atoms(*term).into_iter().map(|a| (*view, a)));
    atoms.filter(|(view, atom)| moves(&reach.predicates[view.0], *atom, &|f| is_location(reach, f))).collect()
}

/// The predicates that come of eliminating what makes constants move, if they exclude the derivation.
fn learn_eliminated(
    reach: &mut Reach<'_, '_>,
    derivation: &[NodeId],
    moved: &BTreeSet<(ViewId, Term)>,
) -> Option<Vec<PredicateSet>> {
    let mut wanted = Vec::new();
    for view in reach.views.ids() {
        let atoms: Vec<Term> = moved.iter().filter(|(v, _)| *v == view).map(|(_, atom)| *atom).collect();
        wanted.extend(eliminated(&reach.predicates[view.0], &atoms).into_iter().map(|term| (view, term)));
    }
    let mut predicates = reach.predicates.to_vec();
    let new = insert(reach, &mut predicates, &wanted);
    (new && !survives(reach, derivation, &predicates)).then_some(predicates)
}

/// Adds predicates; whether any is new. What is said of some copies can be said of others in their place.
fn insert(reach: &Reach<'_, '_>, predicates: &mut [PredicateSet], wanted: &[(ViewId, Term)]) -> bool {
    let mut new = false;
    for (view, term) in wanted {
        new |= predicates[view.0].insert(*term);
        for symmetry in &reach.views.view(*view).symmetries {
            new |= predicates[view.0].insert(symmetry.renaming.term(*term));
        }
    }
    new
}

/// The predicates with the atoms of the conjuncts, else with whole conjuncts, if that excludes the derivation.
fn learn(reach: &mut Reach<'_, '_>, derivation: &[NodeId], conjuncts: &[(ViewId, Term)]) -> Option<Vec<PredicateSet>> {
    let mut predicates = reach.predicates.to_vec();
    let atoms: Vec<(ViewId, Term)> =
        conjuncts.iter().flat_map(|(view, f)| horn::atoms(*f).into_iter().map(|atom| (*view, atom))).collect();
    for wanted in [atoms, conjuncts.to_vec()] {
        let new = insert(reach, &mut predicates, &wanted);
        if new && !survives(reach, derivation, &predicates) {
            return Some(predicates);
        }
    }
    None
}

/// Whether a derivation still reaches its error with these predicates.
fn survives(reach: &mut Reach<'_, '_>, derivation: &[NodeId], predicates: &[PredicateSet]) -> bool {
    let origins: Vec<(ViewId, Origin)> =
        derivation.iter().map(|id| (reach.node(*id).view, reach.node(*id).origin.clone())).collect();
    let index: BTreeMap<NodeId, NodeId> = derivation.iter().copied().zip((0..).map(NodeId)).collect();
    let mut again = Reach::new(reach.system, &mut *reach.engine, reach.views, predicates);
    for (view, origin) in origins {
        let state = match origin {
            Origin::Initial => Some(again.initial(view)),
            Origin::Step { parent, slot, step } => again.step(index[&parent], slot, step),
            Origin::Symmetric { parent, symmetry } => Some(again.exchanged(index[&parent], symmetry)),
            Origin::Environment { parent, mover, sources, step } => {
                let parent = index[&parent];
                let sources: Vec<NodeId> = sources.iter().map(|id| index[id]).collect();
                if again.is_invisible(step, view) {
                    // What the view cannot see leaves it where it is.
                    Some(again.nodes[parent.0].clone())
                } else {
                    again.disturbed(parent, mover, &sources, step)
                }
            }
        };
        let Some(state) = state else { return false };
        again.nodes.push(state);
    }
    true
}
