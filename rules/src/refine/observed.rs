//! What runs have in common: linear relations between variables that hold in all states seen at a place.
//!
//! They are guesses. Refinement takes them up where its own predicates only move a constant further: `x == i` says at once what
//! `x == 0`, `x == 1`, .. never will. Those that do not hold of all states are predicates like any others.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use bounded::{Sample, sample};
use program::{Linear, LocationId, Term, ThreadId, VarId};
use smt::Cancel;

use crate::refine::hull::hull;
use crate::refine::vocabulary::Target;
use crate::rule::views::{View, Views};
use crate::system::System;

/// States that are looked at.
const STATES: usize = 4_000;
/// More variables than this at a place are not compared.
const WIDEST: usize = 48;
/// A relation has so many variables at most, with coefficients up to the other.
const TERMS: usize = 4;
const COEFFICIENT: i128 = 8;
/// States at a place of which all but so many may be needed to tell what varies there: with fewer, anything is a relation.
const SPARE: usize = 3;

/// The relations of a program, once somebody asks for them.
#[derive(Debug, Default)]
pub struct Observed {
    relations: OnceCell<Vec<(Target, Term)>>,
}

impl Observed {
    /// The relations among which are those of the given predicates' variables, and of what is related to them.
    pub fn about(
        &self,
        system: &System<'_>,
        views: &Views,
        predicates: &BTreeSet<(Target, Term)>,
        cancel: &Cancel,
    ) -> Vec<(Target, Term)> {
        let all = self.relations.get_or_init(|| relations(system, views, cancel));
        let mut vars: BTreeSet<VarId> = predicates.iter().flat_map(|(_, term)| term.vars()).collect();
        let mut found = BTreeSet::new();
        loop {
            let known = found.len();
            for (target, relation) in all {
                if relation.vars().iter().any(|var| vars.contains(var)) && found.insert((*target, *relation)) {
                    vars.extend(relation.vars());
                }
            }
            if found.len() == known {
                return found.into_iter().collect();
            }
        }
    }
}

/// What holds in all states that short runs come to, by view and place. Programs with templates have no runs.
fn relations(system: &System<'_>, views: &Views, cancel: &Cancel) -> Vec<(Target, Term)> {
    if !system.program.templates().is_empty() {
        return Vec::new();
    }
    let samples = sample(system.program, STATES, &|| cancel.is_cancelled());
    let mut all = BTreeSet::new();
    for id in views.ids() {
        let view = views.view(id);
        for (place, there) in by_place(view, &samples) {
            let target = Target::State(id, place.first().copied());
            all.extend(
                at_place(system, &|thread| view.threads.contains(&thread), &there)
                    .into_iter()
                    .map(|relation| (target, relation)),
            );
        }
    }
    for (_, relation) in &all {
        log::debug!("observed: {}", system.show(*relation));
    }
    all.into_iter().collect()
}

/// The states by where a view's threads are.
fn by_place<'s>(view: &View, samples: &'s [Sample]) -> BTreeMap<Vec<LocationId>, Vec<&'s Sample>> {
    let mut all: BTreeMap<Vec<LocationId>, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        let place = view.threads.iter().map(|thread| sample.place[thread.0 as usize]).collect();
        all.entry(place).or_default().push(sample);
    }
    all
}

/// The relations between what varies in some states, among globals and the variables of the threads that are seen.
pub fn at_place(system: &System<'_>, sees: &dyn Fn(ThreadId) -> bool, states: &[&Sample]) -> Vec<Term> {
    let Some(first) = states.first() else { return Vec::new() };
    let seen = |var: VarId| system.owner(var).is_none_or(sees);
    let mut vars: Vec<(VarId, i128)> = first.values.iter().copied().filter(|(var, _)| seen(*var)).collect();
    vars.retain(|(var, _)| states.iter().all(|state| state.value(*var).is_some()));
    vars.retain(|(var, start)| states.iter().any(|state| state.value(*var) != Some(*start)));
    // What a thread counts by itself is what others are expressed in.
    vars.sort_by_key(|(var, _)| (system.owner(*var).is_none(), *var));
    if vars.len() > WIDEST {
        return Vec::new();
    }
    let differences = |state: &&Sample| -> Vec<i128> {
        vars.iter().map(|(var, start)| state.value(*var).unwrap_or(*start) - start).collect()
    };
    let Some((rank, relations)) = hull(states.iter().map(differences), vars.len()) else { return Vec::new() };
    if states.len() < rank + 1 + SPARE {
        return Vec::new();
    }
    relations.iter().filter_map(|coefficients| relation(system, &vars, coefficients)).collect()
}

/// The equation with these coefficients, which holds of the first values.
fn relation(system: &System<'_>, vars: &[(VarId, i128)], coefficients: &[i128]) -> Option<Term> {
    let terms = vars.iter().zip(coefficients).filter(|(_, c)| **c != 0);
    if !(2..=TERMS).contains(&terms.clone().count()) || coefficients.iter().any(|c| c.abs() > COEFFICIENT) {
        return None;
    }
    let (mut sum, mut constant) = (Linear::constant(0), 0i128);
    for ((var, start), c) in terms {
        sum = sum.add_scaled(*c, &Linear::of(system.program.term(*var)))?;
        constant = constant.checked_add(c.checked_mul(*start)?)?;
    }
    Some(Term::linear(sum).eq_to(Term::int(constant)))
}
