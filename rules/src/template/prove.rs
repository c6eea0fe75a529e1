//! The refinement loop over views [P].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use abstraction::{Engine, PredicateSet};
use check::{Certificate, Invariant, Proof};
use program::{LocationId, Program, Term, VarId};
use smt::interruptible;

use super::counters::seeds;
use super::effect::Effect;
use super::handed::handed;
use super::indices::same_indices;
use super::reach::{Environment, Reach, Stop};
use super::refine::{Refinement, refine};
use super::scans::{scans, within_bounds};
use super::views::{ViewId, Views};
use super::vocabulary::Vocabulary;
use crate::cubes::joined;
use crate::encode::Rung;
use crate::evidence::confirm;
use crate::options::{Modularity, Options, Reason, Statistics};
use crate::rule::Rule;
use crate::system::System;

/// What became of an attempt at one level.
#[derive(Clone, Debug)]
pub enum ParametricVerdict {
    /// No error is reachable, with any number of instances.
    Safe(Proof),
    /// There is no proof at this level: there is one at a higher level or with counters, or an error.
    NoProof,
    /// Not decided.
    Unknown(Reason),
}

impl fmt::Display for ParametricVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParametricVerdict::Safe(_) => f.write_str("proved"),
            ParametricVerdict::NoProof => f.write_str("no proof"),
            ParametricVerdict::Unknown(reason) => write!(f, "{reason}"),
        }
    }
}

/// The verdict, and what it cost.
#[derive(Clone, Debug)]
pub struct ParametricOutcome {
    /// What was found.
    pub verdict: ParametricVerdict,
    /// What it cost.
    pub statistics: Statistics,
}

/// Proves a program with templates within limits: see [`ParametricProver`].
pub fn prove_parametric(program: &Program, rule: Rule, options: &Options) -> ParametricOutcome {
    ParametricProver::new(program, rule).prove(options)
}

/// Proves a program with templates, of which there is one copy more than the level says, under a rule: Owicki-Gries or rely-guarantee.
/// Where a limit stopped it, it can go on with another.
pub struct ParametricProver<'p> {
    system: System<'p>,
    views: Views,
    engine: Engine,
    vocabulary: Vocabulary,
    environment: Environment,
    statistics: Statistics,
}

impl<'p> ParametricProver<'p> {
    /// A proof that has not started.
    pub fn new(program: &'p Program, rule: Rule) -> ParametricProver<'p> {
        let level = program.templates().iter().map(|t| t.copies.len()).min().unwrap_or(2) - 1;
        let mut system = System::new(program);
        if level > 1 {
            within_bounds(program).into_iter().for_each(|(step, condition)| _ = system.require(step, condition));
        }
        let engine = Engine::new(system.ranges());
        let views = Views::new(&system, level);
        let mut vocabulary = Vocabulary::new(&system, &views, seeds(program).into_iter().chain(same_indices(program)));
        for (view, known) in views.all.iter().zip(&mut vocabulary.predicates) {
            let all = handed(program, &view.threads).into_iter().chain(scans(program, &view.threads));
            all.for_each(|term| _ = known.insert(term));
        }
        let environment = match rule {
            Rule::RelyGuarantee => Environment::Transitions,
            _ => Environment::Direct,
        };
        if environment == Environment::Transitions {
            vocabulary.seed(&system, &views);
        }
        ParametricProver { system, views, engine, vocabulary, environment, statistics: Statistics::default() }
    }

    /// Refines until there is a proof, none is to be had, or a limit is reached: limits are on all that was done.
    pub fn prove(&mut self, options: &Options) -> ParametricOutcome {
        interruptible(&options.cancel, || {
            let verdict = self.run(options);
            ParametricOutcome { verdict, statistics: self.statistics() }
        })
    }

    fn run(&mut self, options: &Options) -> ParametricVerdict {
        let ladder: &[Rung] = match options.modularity {
            Modularity::Only => &[Rung::Modular],
            Modularity::Preferred => &[Rung::Modular, Rung::Locations, Rung::Full],
        };
        loop {
            let vocabulary = self.vocabulary.clone();
            let mut reach = Reach::new(&self.system, &mut self.engine, &self.views, &vocabulary, self.environment);
            let start = (options.clock)();
            // Once Z3 is in use, one watcher for many questions.
            let stop = interruptible(&options.cancel, || reach.run(options.states, &options.cancel));
            self.statistics.reach_time += (options.clock)().saturating_sub(start);
            self.statistics.states = reach.nodes.len();
            self.statistics.effects = reach.effects.all.len();
            log::debug!(
                "parametric: {stop:?}, {:?}",
                Statistics { entailment: reach.engine.counters(), ..self.statistics.clone() }
            );
            if log::log_enabled!(log::Level::Trace) {
                for (view, set) in self.views.all.iter().zip(&vocabulary.predicates) {
                    let shown: Vec<String> = set.items().iter().map(|term| self.system.show(*term)).collect();
                    log::trace!("parametric: predicates of {:?}: {}", view.threads, shown.join(", "));
                }
            }
            let error = match stop {
                Stop::Cancelled => return ParametricVerdict::Unknown(Reason::Cancelled),
                Stop::States => return ParametricVerdict::Unknown(Reason::States(options.states)),
                Stop::Fixpoint => {
                    let certificate = certificate(&reach);
                    return self.checked(certificate, options);
                }
                Stop::Error(error) => error,
            };
            if self.statistics.refinements >= options.refinements {
                return ParametricVerdict::Unknown(Reason::Refinements(options.refinements));
            }
            if reach.engine.counters().solver > options.solver_queries {
                return ParametricVerdict::Unknown(Reason::SolverQueries(options.solver_queries));
            }
            let start = (options.clock)();
            let refinement = interruptible(&options.cancel, || refine(&mut reach, error, ladder, &options.cancel));
            self.statistics.refine_time += (options.clock)().saturating_sub(start);
            self.statistics.refinements += 1;
            match refinement {
                Refinement::Learned(vocabulary) => self.vocabulary = vocabulary,
                Refinement::Require(conditions) => {
                    for (step, index) in conditions {
                        self.system.require(step, index);
                    }
                }
                Refinement::Refuted => return ParametricVerdict::NoProof,
                Refinement::Stuck(_) if options.cancel.is_cancelled() => {
                    return ParametricVerdict::Unknown(Reason::Cancelled);
                }
                Refinement::Stuck(why) => return ParametricVerdict::Unknown(Reason::Stuck(why)),
            }
        }
    }

    fn checked(&mut self, certificate: Certificate, options: &Options) -> ParametricVerdict {
        let start = (options.clock)();
        let checked = confirm(self.system.program, certificate, options);
        self.statistics.check_time += (options.clock)().saturating_sub(start);
        match checked {
            Ok(proof) => ParametricVerdict::Safe(proof),
            Err(_) if options.cancel.is_cancelled() => ParametricVerdict::Unknown(Reason::Cancelled),
            Err(rejection) => ParametricVerdict::Unknown(Reason::CertificateRejected(rejection)),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            predicates: self.vocabulary.predicates.iter().map(PredicateSet::len).sum(),
            transition_predicates: self.vocabulary.transition.values().map(PredicateSet::len).sum(),
            entailment: self.engine.counters(),
            ..self.statistics.clone()
        }
    }
}

/// The assertions that a fixpoint is.
fn certificate(reach: &Reach<'_, '_>) -> Certificate {
    let invariants = reach.views.ids().map(|view| invariant(reach, view)).collect();
    match reach.environment {
        Environment::Direct => Certificate::OwickiGries(invariants),
        Environment::Transitions => {
            let environment = reach.views.ids().map(|view| environment(reach, view)).collect();
            Certificate::RelyGuarantee { invariants, environment }
        }
    }
}

/// E_W: the abstract transitions, without those that others stand for.
fn environment(reach: &Reach<'_, '_>, view: ViewId) -> Vec<Term> {
    let threads = &reach.views.view(view).threads;
    let whole = |effect: &Effect| -> BTreeSet<Term> {
        let placed = threads.iter().zip(&effect.place);
        let placed = placed.filter_map(|(thread, location)| Some(reach.system.at(*thread, (*location)?)));
        effect.transition.iter().copied().chain(placed).collect()
    };
    let standing = reach.effects.all.iter().filter(|effect| effect.watcher == view && !effect.covered);
    let mut all: Vec<BTreeSet<Term>> = standing.map(whole).collect();
    if reach.effects.unseen.contains(&view) {
        all.push(unchanged(reach, view));
    }
    all.sort_by_key(BTreeSet::len);
    let mut kept: Vec<BTreeSet<Term>> = Vec::new();
    for transition in all {
        if !kept.iter().any(|weaker| weaker.is_subset(&transition)) {
            kept.push(transition);
        }
    }
    kept.into_iter().map(Term::and).collect()
}

/// That nothing changes of what a view speaks of.
fn unchanged(reach: &Reach<'_, '_>, view: ViewId) -> BTreeSet<Term> {
    let threads = &reach.views.view(view).threads;
    let foreign = |var: &&VarId| reach.system.owner(**var).is_none_or(|thread| !threads.contains(&thread));
    let same = |var: &VarId| {
        let sort = reach.system.sort(*var);
        Term::primed(*var, sort).eq_to(Term::var(*var, sort))
    };
    reach.vocabulary.predicates[view.0].vars().iter().filter(foreign).map(same).collect()
}

fn invariant(reach: &Reach<'_, '_>, view: ViewId) -> Invariant {
    let mut at: BTreeMap<Vec<LocationId>, Vec<Vec<Term>>> = BTreeMap::new();
    for state in reach.alive(view) {
        let literals = state.value.literals(&reach.vocabulary.predicates[view.0]);
        at.entry(state.place.clone()).or_default().push(literals);
    }
    let whole = |cubes: Vec<Vec<Term>>| Term::or(joined(cubes).into_iter().map(Term::and));
    let at = at.into_iter().map(|(place, cubes)| (place, whole(cubes))).collect();
    Invariant { threads: reach.views.view(view).threads.clone(), at }
}
