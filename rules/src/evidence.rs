//! Certificates from a fixpoint, and what the checker asks.

use std::collections::BTreeMap;

use check::{Certificate, Checker, Entailment, Invariant, Proof, Rejection, Validity};
use program::{LocationId, Program, Term, VarId, determined};
use smt::{Answer, Cancel, Solver, interruptible};

use crate::cubes::joined;
use crate::effect::EffectId;
use crate::options::Options;
use crate::reach::{ComponentId, Reach};
use crate::rule::Rule;

/// Z3's resource units for one condition.
const LIMIT: u32 = 50_000_000;

/// The assertions that a fixpoint is.
pub fn certificate(reach: &Reach<'_, '_>, rule: Rule) -> Certificate {
    let mut invariants: Vec<Invariant> =
        (0..reach.graph.components.len()).map(|k| invariant(reach, ComponentId(k))).collect();
    match rule {
        Rule::Monolithic => Certificate::Monolithic(invariants.swap_remove(0)),
        Rule::OwickiGries => Certificate::OwickiGries(invariants),
        Rule::RelyGuarantee => {
            let environment = (0..reach.graph.components.len()).map(|k| environment(reach, ComponentId(k))).collect();
            Certificate::RelyGuarantee { invariants, environment }
        }
    }
}

fn invariant(reach: &Reach<'_, '_>, component: ComponentId) -> Invariant {
    let mut at: BTreeMap<Vec<LocationId>, Vec<Vec<Term>>> = BTreeMap::new();
    for state in reach.graph.alive(component) {
        let literals = state.value.literals(reach.graph.vocabularies.predicates[component.0].set());
        at.entry(state.place.clone()).or_default().push(literals);
    }
    let whole = |cubes: Vec<Vec<Term>>| Term::or(joined(cubes).into_iter().map(Term::and));
    let at = at.into_iter().map(|(place, cubes)| (place, whole(cubes))).collect();
    Invariant { threads: reach.graph.components[component.0].clone(), at }
}

/// E_i: the abstract transitions. What gives variables the same values after the step is said together: the values, and when.
fn environment(reach: &Reach<'_, '_>, component: ComponentId) -> Vec<Term> {
    let mut when: BTreeMap<BTreeMap<VarId, Term>, Vec<Vec<Term>>> = BTreeMap::new();
    let live = (0..reach.graph.effects.len())
        .map(EffectId)
        .filter(|id| reach.graph.is_live(*id))
        .map(|id| &reach.graph.effects[id.0]);
    for effect in live.filter(|effect| effect.watcher == component) {
        let after = determined(effect.transition.iter().copied());
        let premises = effect.transition.iter().flat_map(|term| term.with_after(&after).conjuncts());
        let premises = premises.filter(|term| term.as_bool() != Some(true)).collect();
        when.entry(after).or_default().push(premises);
    }
    let mut all = Vec::new();
    for (after, cubes) in when {
        let values = after.iter().map(|(var, value)| Term::primed(*var, value.sort()).eq_to(*value));
        let values: Vec<Term> = values.collect();
        all.extend(joined(cubes).into_iter().map(|cube| Term::and(values.iter().copied().chain(cube))));
    }
    all
}

/// Checks a certificate on as many threads as there are workers.
pub fn confirm(program: &Program, certificate: Certificate, options: &Options) -> Result<Proof, Rejection> {
    let checker = Checker {
        workers: options.workers,
        stopped: &|| options.cancel.is_cancelled(),
        solver: &|| Box::new(SolverEntailment::until(&options.cancel)),
    };
    checker.check(program, certificate)
}

/// Implications decided by Z3.
pub struct SolverEntailment {
    solver: Solver,
    cancel: Cancel,
}

impl SolverEntailment {
    /// Z3, until someone asks it to stop.
    fn until(cancel: &Cancel) -> SolverEntailment {
        SolverEntailment { solver: Solver::new(LIMIT), cancel: cancel.clone() }
    }
}

impl Default for SolverEntailment {
    fn default() -> Self {
        SolverEntailment::until(&Cancel::new())
    }
}

impl Entailment for SolverEntailment {
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        let mut formulas = premises.to_vec();
        formulas.push(conclusion.not());
        match interruptible(&self.cancel, || self.solver.check(&formulas)) {
            Answer::Unsat => Validity::Valid,
            Answer::Sat => Validity::Invalid,
            Answer::Unknown => Validity::Unknown,
        }
    }
}
