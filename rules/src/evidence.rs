//! Certificates from a fixpoint, and what the checker asks.

use std::collections::BTreeMap;

use check::{Certificate, Checker, Entailment, Invariant, Proof, Rejection, Validity};
use program::{LocationId, Program, Term, VarId, determined};
use smt::{Answer, Cancel, Solver, interruptible};

use crate::cubes::joined;
use crate::minimise::minimised;
use crate::options::Options;
use crate::reach::Reach;
use crate::rule::Rule;
use crate::rule::effect::EffectId;
use crate::rule::views::ViewId;

/// Z3's resource units for one condition.
const LIMIT: u32 = 50_000_000;

/// The assertions that a fixpoint is.
pub fn certificate(reach: &Reach<'_, '_>, rule: Rule) -> Certificate {
    let mut invariants: Vec<Invariant> = reach.graph.views.ids().map(|view| invariant(reach, view)).collect();
    match rule {
        Rule::Monolithic => Certificate::Monolithic(invariants.swap_remove(0)),
        Rule::OwickiGries => Certificate::OwickiGries(invariants),
        Rule::RelyGuarantee => {
            let environment = reach.graph.views.ids().map(|view| environment(reach, view)).collect();
            Certificate::RelyGuarantee { invariants, environment }
        }
    }
}

fn invariant(reach: &Reach<'_, '_>, view: ViewId) -> Invariant {
    let mut at: BTreeMap<Vec<LocationId>, Vec<Vec<Term>>> = BTreeMap::new();
    for state in reach.graph.alive(view) {
        let literals = state.value.literals(reach.graph.vocabulary.predicates[view.0].set());
        at.entry(state.place.clone()).or_default().push(literals);
    }
    let whole = |cubes: Vec<Vec<Term>>| Term::or(joined(cubes).into_iter().map(Term::and));
    let at = at.into_iter().map(|(place, cubes)| (place, whole(cubes))).collect();
    Invariant { threads: reach.graph.views.view(view).threads.clone(), at }
}

/// E_i: the abstract transitions. What gives variables the same values after the step is said together: the values, and when.
fn environment(reach: &Reach<'_, '_>, view: ViewId) -> Vec<Term> {
    let threads = &reach.graph.views.view(view).threads;
    let mut when: BTreeMap<BTreeMap<VarId, Term>, Vec<Vec<Term>>> = BTreeMap::new();
    let live = (0..reach.graph.effects.len())
        .map(EffectId)
        .filter(|id| reach.graph.is_live(*id))
        .map(|id| &reach.graph.effects[id.0]);
    for effect in live.filter(|effect| effect.deed.watcher == view) {
        let after = determined(effect.transition.iter().copied());
        let premises = effect.transition.iter().flat_map(|term| term.with_after(&after).conjuncts());
        let placed = threads.iter().zip(&effect.deed.place);
        let placed = placed.filter_map(|(thread, location)| Some(reach.system.at(*thread, (*location)?)));
        let premises = premises.filter(|term| term.as_bool() != Some(true)).chain(placed).collect();
        when.entry(after).or_default().push(premises);
    }
    if reach.graph.unseen.contains(&view) {
        when.entry(unchanged(reach, view)).or_default().push(Vec::new());
    }
    let mut all = Vec::new();
    for (after, cubes) in when {
        let values = after.iter().map(|(var, value)| Term::primed(*var, value.sort()).eq_to(*value));
        let values: Vec<Term> = values.collect();
        all.extend(joined(cubes).into_iter().map(|cube| Term::and(values.iter().copied().chain(cube))));
    }
    all
}

/// That nothing changes of what a view speaks of.
fn unchanged(reach: &Reach<'_, '_>, view: ViewId) -> BTreeMap<VarId, Term> {
    let threads = &reach.graph.views.view(view).threads;
    let foreign = |var: &&VarId| reach.system.owner(**var).is_none_or(|thread| !threads.contains(&thread));
    let seen = reach.graph.vocabulary.predicates[view.0].set().vars().iter();
    seen.filter(foreign).map(|var| (*var, Term::var(*var, reach.system.sort(*var)))).collect()
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

/// The proof with less in it, if that is one as well: checked again. Where the time is up it stays as it is.
pub fn minimal(program: &Program, proof: Proof, options: &Options) -> Proof {
    let smaller = minimised(program, &proof, options);
    if smaller == *proof || options.cancel.is_cancelled() {
        return proof;
    }
    match confirm(program, smaller, options) {
        Ok(smaller) => smaller,
        Err(rejection) => {
            log::info!("the smaller proof is not accepted: {rejection}");
            proof
        }
    }
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
