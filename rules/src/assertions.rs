//! Assertions proved one after another, where proving them together takes too many states.
//!
//! As long as states are few, a program's assertions are proved together, and in the program's own words (see [`crate::refine::words`]):
//! that saves refinements. From many states on it is states that must be saved. What one assertion needs to know multiplies with what another needs to know. Assertions R^a and R^b that a rule accepts, each
//! without the steps to the other's errors, are accepted together: R^a and R^b is as inductive, and has neither error.

use std::collections::{BTreeMap, BTreeSet};

use check::{Certificate, Invariant};
use program::{ClaimId, LocationKind, Program, Span, Term};

use crate::refine::symmetry::Exchange;
use crate::system::{StepId, System};

/// More abstract states than this are a reason to prove assertions separately.
const MANY_STATES: usize = 2_000;

/// What is to be proved.
#[derive(Debug, Default)]
pub struct Assertions {
    /// The steps to errors, by assertion; empty as long as all are proved together. Claims about two threads come last, together.
    separate: Vec<BTreeSet<StepId>>,
    /// Proofs of the first of them.
    proved: Vec<Certificate>,
}

impl Assertions {
    /// Whether to begin again, with each assertion on its own and as few predicates as can be. That is decided once.
    pub fn separate(&mut self, system: &System<'_>, states: usize) -> bool {
        if states < MANY_STATES || !self.separate.is_empty() {
            return false;
        }
        let mut by_place: BTreeMap<Span, BTreeSet<StepId>> = BTreeMap::new();
        for step in system.all_steps() {
            let transition = system.transition(step);
            if system.is_error(step.thread, transition.target) {
                by_place.entry(transition.span).or_default().insert(step);
            }
        }
        self.separate = by_place.into_values().collect();
        if !system.program.conflicts().is_empty() && !self.separate.is_empty() {
            self.separate.push(BTreeSet::new());
        }
        !self.separate.is_empty()
    }

    /// The claims about two threads, where it is not their turn.
    pub fn tolerated(&self, program: &Program) -> BTreeSet<ClaimId> {
        if self.separate.is_empty() || self.proved.len() + 1 == self.separate.len() {
            return BTreeSet::new();
        }
        program.conflicts().iter().map(|conflict| conflict.claim).collect()
    }

    /// Whether each assertion is proved on its own.
    pub fn are_separate(&self) -> bool {
        !self.separate.is_empty()
    }

    /// The steps to the errors of other assertions than the one that is being proved.
    pub fn elsewhere(&self) -> BTreeSet<StepId> {
        let others = self.separate.iter().enumerate().filter(|(k, _)| *k != self.proved.len());
        others.flat_map(|(_, steps)| steps.iter().copied()).collect()
    }

    /// The exchange of threads that makes the next assertion of the one that is being proved.
    pub fn next<'s>(&self, system: &'s System<'_>) -> Option<&'s Exchange> {
        let condition = |step: &StepId| system.transition(*step).guard.last().copied();
        let here: BTreeSet<Term> = self.separate.get(self.proved.len())?.iter().filter_map(condition).collect();
        let next: BTreeSet<Term> = self.separate.get(self.proved.len() + 1)?.iter().filter_map(condition).collect();
        system.exchanges.iter().find(|exchange| here.iter().any(|term| next.contains(&exchange.term(*term))))
    }

    /// Adds a proof; the whole one when none is missing.
    pub fn add(&mut self, program: &Program, certificate: Certificate) -> Option<Certificate> {
        self.proved.push(certificate);
        if self.proved.len() < self.separate.len() {
            return None;
        }
        if self.proved.len() == 1 { self.proved.pop() } else { together(program, &self.proved) }
    }
}

/// The conjunction of proofs of different assertions.
fn together(program: &Program, proofs: &[Certificate]) -> Option<Certificate> {
    let first = proofs.first()?;
    let invariants: Vec<Invariant> = (0..first.invariants().len()).map(|k| conjunction(program, proofs, k)).collect();
    match first {
        Certificate::Monolithic(_) => invariants.into_iter().next().map(Certificate::Monolithic),
        Certificate::OwickiGries(_) => Some(Certificate::OwickiGries(invariants)),
        Certificate::RelyGuarantee { environment, .. } => {
            let all = |k: usize| {
                proofs.iter().map(move |proof| match proof {
                    Certificate::RelyGuarantee { environment, .. } => Term::or(environment[k].iter().copied()),
                    _ => Term::bool(true),
                })
            };
            let environment = (0..environment.len()).map(|k| vec![Term::and(all(k))]).collect();
            Some(Certificate::RelyGuarantee { invariants, environment })
        }
    }
}

/// R_i as all proofs have it. No error is reached: each proof excludes its own.
fn conjunction(program: &Program, proofs: &[Certificate], index: usize) -> Invariant {
    let all: Vec<&Invariant> = proofs.iter().map(|proof| &proof.invariants()[index]).collect();
    let threads = all[0].threads.clone();
    let mut at = BTreeMap::new();
    for place in all[0].at.keys() {
        let kinds =
            threads.iter().zip(place).map(|(thread, location)| program.thread(*thread).location(*location).kind);
        if kinds.into_iter().any(LocationKind::is_error) {
            continue;
        }
        let formula = Term::and(all.iter().map(|invariant| invariant.here(place)));
        if formula.as_bool() != Some(false) {
            at.insert(place.clone(), formula);
        }
    }
    Invariant { threads, at }
}
