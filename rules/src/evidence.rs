//! Certificates from a fixpoint, and what the checker asks.

use std::collections::BTreeMap;

use check::{Certificate, Entailment, Invariant, Obligation, Rejection, Validity, obligations};
use program::{LocationId, Program, Term, VarId};
use rayon::prelude::*;
use smt::{Answer, Solver, interruptible};

use crate::cubes::joined;
use crate::effect::EffectId;
use crate::options::Options;
use crate::reach::{ComponentId, Reach};
use crate::rely_guarantee::{solved_form, substitute_primed};
use crate::rule::Rule;
use crate::tableau::Tableau;

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
        let after = solved_form(&effect.transition, &|_| false);
        let premises = effect.transition.iter().flat_map(|term| substitute_primed(*term, &after).conjuncts());
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

/// Conditions that one worker puts to its solver at a time: enough to be worth starting one.
const SHARE: usize = 32;

/// Checks every condition of a certificate's rule on the program, on as many threads as there are workers: first without a solver,
/// then, those that are left, with Z3. The first violated condition is reported, whoever finds it.
pub fn confirm(program: &Program, certificate: &Certificate, options: &Options) -> Result<(), Rejection> {
    let owed = obligations(program, certificate)?;
    // What has not been looked at is open.
    let is_open = |tableau: &mut Tableau, obligation: &Obligation| {
        options.cancel.is_cancelled() || !tableau.proves(&obligation.premises, obligation.conclusion)
    };
    let by_solver = |some: &[&Obligation]| {
        let mut entailment = InPart { tableau: Tableau::default(), solver: SolverEntailment::default() };
        some.iter().try_for_each(|obligation| obligation.check(program, &mut entailment))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.workers).build();
    let Ok(pool) = pool.map_err(|error| log::info!("checking without threads: {error}")) else {
        return by_solver(&owed.iter().collect::<Vec<_>>());
    };
    let judged = owed.par_iter().map_init(Tableau::default, |tableau, one| is_open(tableau, one).then_some(one));
    let open: Vec<&Obligation> = pool.install(|| judged.flatten().collect());
    log::debug!("{} conditions, {} of them for Z3", owed.len(), open.len());
    if open.len() <= SHARE {
        return by_solver(&open);
    }
    let share = |some: &[&Obligation]| interruptible(&options.cancel, || by_solver(some)).err();
    pool.install(|| open.par_chunks(SHARE).find_map_first(share)).map_or(Ok(()), Err)
}

/// Implications of which Z3 gets only the conjuncts that need it.
struct InPart {
    tableau: Tableau,
    solver: SolverEntailment,
}

impl Entailment for InPart {
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        if conclusion.as_bool() == Some(false) {
            return self.solver.valid(premises, conclusion);
        }
        for conjunct in conclusion.conjuncts() {
            if !self.tableau.proves(premises, conjunct) {
                match self.solver.valid(premises, conjunct) {
                    Validity::Valid => {}
                    other => return other,
                }
            }
        }
        Validity::Valid
    }
}

/// Implications decided by Z3.
pub struct SolverEntailment(Solver);

impl Default for SolverEntailment {
    fn default() -> Self {
        SolverEntailment(Solver::new(LIMIT))
    }
}

impl Entailment for SolverEntailment {
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity {
        let mut formulas = premises.to_vec();
        formulas.push(conclusion.not());
        match self.0.check(&formulas) {
            Answer::Unsat => Validity::Valid,
            Answer::Sat => Validity::Invalid,
            Answer::Unknown => Validity::Unknown,
        }
    }
}
