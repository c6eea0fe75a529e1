//! The refinement loop over views [P].

use std::collections::{BTreeMap, BTreeSet};

use abstraction::{Engine, PredicateSet};
use check::{Certificate, Invariant};
use program::{LocationId, Program, Term};
use smt::interruptible;

use super::counters::seeds;
use super::effect::Effect;
use super::indices::same_indices;
use super::reach::{Environment, Reach, Stop};
use super::refine::{Refinement, refine};
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
    /// No error is reachable, with any number of instances: a proof, checked.
    Safe(Certificate),
    /// There is no proof at this level: there is one at a higher level or with counters, or an error.
    NoProof,
    /// Not decided.
    Unknown(Reason),
}

/// The verdict, and what it cost.
#[derive(Clone, Debug)]
pub struct ParametricOutcome {
    /// What was found.
    pub verdict: ParametricVerdict,
    /// What it cost.
    pub statistics: Statistics,
}

/// Proves a program with templates, of which there is one copy more than the level says, under a rule: Owicki-Gries or rely-guarantee.
pub fn prove_parametric(program: &Program, rule: Rule, options: &Options) -> ParametricOutcome {
    let level = program.templates().iter().map(|t| t.copies.len()).min().unwrap_or(2) - 1;
    interruptible(&options.cancel, || {
        let mut prover = Prover::new(program, level, rule, options);
        let verdict = prover.run();
        ParametricOutcome { verdict, statistics: prover.statistics() }
    })
}

struct Prover<'p> {
    system: System<'p>,
    views: Views,
    options: &'p Options,
    engine: Engine,
    vocabulary: Vocabulary,
    environment: Environment,
    statistics: Statistics,
}

impl<'p> Prover<'p> {
    fn new(program: &'p Program, level: usize, rule: Rule, options: &'p Options) -> Prover<'p> {
        let system = System::new(program);
        let engine = Engine::new(system.ranges());
        let views = Views::new(&system, level);
        let mut vocabulary = Vocabulary::new(&system, &views, seeds(program).into_iter().chain(same_indices(program)));
        let environment = match rule {
            Rule::RelyGuarantee => Environment::Transitions,
            _ => Environment::Direct,
        };
        if environment == Environment::Transitions {
            vocabulary.seed(&system, &views);
        }
        Prover { system, views, options, engine, vocabulary, environment, statistics: Statistics::default() }
    }

    fn run(&mut self) -> ParametricVerdict {
        let ladder: &[Rung] = match self.options.modularity {
            Modularity::Only => &[Rung::Modular],
            Modularity::Preferred => &[Rung::Modular, Rung::Locations, Rung::Full],
        };
        loop {
            let vocabulary = self.vocabulary.clone();
            let mut reach = Reach::new(&self.system, &mut self.engine, &self.views, &vocabulary, self.environment);
            let start = (self.options.clock)();
            let stop = reach.run(self.options.states, &self.options.cancel);
            self.statistics.reach_time += (self.options.clock)().saturating_sub(start);
            self.statistics.states = reach.nodes.len();
            self.statistics.effects = reach.effects.len();
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
                Stop::States => return ParametricVerdict::Unknown(Reason::States(self.options.states)),
                Stop::Fixpoint => {
                    let certificate = certificate(&reach);
                    return self.checked(certificate);
                }
                Stop::Error(error) => error,
            };
            if self.statistics.refinements >= self.options.refinements {
                return ParametricVerdict::Unknown(Reason::Refinements(self.options.refinements));
            }
            if reach.engine.counters().solver > self.options.solver_queries {
                return ParametricVerdict::Unknown(Reason::SolverQueries(self.options.solver_queries));
            }
            let start = (self.options.clock)();
            let refinement = refine(&mut reach, error, ladder, &self.options.cancel);
            self.statistics.refine_time += (self.options.clock)().saturating_sub(start);
            self.statistics.refinements += 1;
            match refinement {
                Refinement::Learned(vocabulary) => self.vocabulary = vocabulary,
                Refinement::Require(conditions) => {
                    for (step, index) in conditions {
                        self.system.require(step, index);
                    }
                }
                Refinement::Refuted => return ParametricVerdict::NoProof,
                Refinement::Stuck(_) if self.options.cancel.is_cancelled() => {
                    return ParametricVerdict::Unknown(Reason::Cancelled);
                }
                Refinement::Stuck(why) => return ParametricVerdict::Unknown(Reason::Stuck(why)),
            }
        }
    }

    fn checked(&mut self, certificate: Certificate) -> ParametricVerdict {
        let start = (self.options.clock)();
        let checked = confirm(self.system.program, &certificate, self.options);
        self.statistics.check_time += (self.options.clock)().saturating_sub(start);
        match checked {
            Ok(()) => ParametricVerdict::Safe(certificate),
            Err(_) if self.options.cancel.is_cancelled() => ParametricVerdict::Unknown(Reason::Cancelled),
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
    let mut all: Vec<BTreeSet<Term>> = reach.effects.iter().filter(|e| e.watcher == view).map(whole).collect();
    all.sort_by_key(BTreeSet::len);
    let mut kept: Vec<BTreeSet<Term>> = Vec::new();
    for transition in all {
        if !kept.iter().any(|weaker| weaker.is_subset(&transition)) {
            kept.push(transition);
        }
    }
    kept.into_iter().map(Term::and).collect()
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
