//! The refinement loop [P]: abstract, find an error's derivation, refute it or run it, and again.

use abstraction::PredicateSet;
use check::{Certificate, Trace, replay};
use program::{Program, ThreadId};
use smt::interruptible;

use crate::assertions::Assertions;
use crate::boxes;
use crate::encode::{Environment, Rung};
use crate::engine::Engine;
use crate::evidence::{certificate, confirm};
use crate::explore::Exploration;
use crate::monolithic;
use crate::options::{Modularity, Options, Outcome, Reason, Seeds, Statistics, Verdict};
use crate::owicki_gries;
use crate::portfolio::schedule;
use crate::reach::{Limits, Reach, Stop};
use crate::refine::{Plan, Refinement, refine};
use crate::rely_guarantee;
use crate::rule::Rule;
use crate::system::System;
use crate::vocabulary::{StatePredicates, Vocabularies};

/// Proves the program under a rule, or finds a run to its error. The evidence has been checked.
pub fn prove_by(program: &Program, rule: Rule, options: &Options) -> Outcome {
    interruptible(&options.cancel, || {
        let mut prover = Prover::new(program, rule, options);
        let verdict = prover.run();
        Outcome { verdict, found_by: prover.found_by, statistics: prover.statistics() }
    })
}

struct Prover<'p> {
    system: System<'p>,
    rule: Rule,
    options: &'p Options,
    engine: abstraction::Engine,
    vocabularies: Vocabularies,
    components: Vec<Vec<ThreadId>>,
    assertions: Assertions,
    exploration: Exploration<'p>,
    found_by: Engine,
    statistics: Statistics,
}

impl<'p> Prover<'p> {
    fn new(program: &'p Program, rule: Rule, options: &'p Options) -> Prover<'p> {
        let system = System::new(program);
        let engine = abstraction::Engine::new(system.ranges());
        let components = match rule {
            Rule::Monolithic => monolithic::components(&system),
            Rule::OwickiGries | Rule::RelyGuarantee => owicki_gries::components(&system),
        };
        let vocabularies =
            Vocabularies { predicates: vec![StatePredicates::default(); components.len()], ..Vocabularies::default() };
        let statistics = Statistics::default();
        let assertions = Assertions::default();
        let exploration = Exploration::new(program);
        let found_by = Engine::Cegar(rule);
        Prover {
            system,
            rule,
            options,
            engine,
            vocabularies,
            components,
            assertions,
            exploration,
            found_by,
            statistics,
        }
    }

    fn run(&mut self) -> Verdict {
        loop {
            let vocabularies = self.vocabularies.clone();
            let mut reach = Reach::new(&self.system, &mut self.engine, &vocabularies, &self.components, self.rule);
            reach.elsewhere = self.assertions.elsewhere();
            let start = (self.options.clock)();
            let limits = Limits {
                states: self.options.states,
                solver_queries: self.options.solver_queries,
                workers: self.options.workers,
                cancel: &self.options.cancel,
            };
            // Once Z3 is in use, one watcher for many questions.
            let stop = interruptible(&self.options.cancel, || reach.run(&limits));
            self.statistics.reach_time += (self.options.clock)().saturating_sub(start);
            self.statistics.states = reach.graph.nodes.len();
            self.statistics.effects = reach.graph.effects.len();
            let alive = reach.graph.nodes.iter().filter(|state| !state.covered).count();
            log::debug!("{}: {stop:?}, {alive} states not covered, {:?}", self.rule, self.statistics);
            if log::log_enabled!(log::Level::Trace) {
                for (threads, set) in self.components.iter().zip(&vocabularies.predicates) {
                    let shown: Vec<String> = set.set().items().iter().map(|term| self.system.show(*term)).collect();
                    log::trace!("{}: predicates of {threads:?}: {}", self.rule, shown.join(", "));
                }
            }
            let errors = match stop {
                Stop::Cancelled => return Verdict::Unknown(Reason::Cancelled),
                Stop::States => return Verdict::Unknown(Reason::States(self.options.states)),
                Stop::SolverQueries => return Verdict::Unknown(Reason::SolverQueries(self.options.solver_queries)),
                Stop::Fixpoint => {
                    let certificate = certificate(&reach, self.rule);
                    if let Some(exchange) = self.assertions.next(&self.system) {
                        self.vocabularies = vocabularies.exchanged(exchange);
                    }
                    match self.assertions.add(self.system.program, certificate) {
                        Some(certificate) => return self.checked(certificate),
                        None => continue,
                    }
                }
                Stop::Errors(errors) => errors,
            };
            if self.statistics.refinements >= self.options.refinements {
                return Verdict::Unknown(Reason::Refinements(self.options.refinements));
            }
            let several = self.components.len() > 1;
            if several && self.assertions.separate(&self.system, reach.graph.nodes.len()) {
                self.vocabularies = vocabularies.counters_only(&self.system, &self.components);
                continue;
            }
            let start = (self.options.clock)();
            let rounds = self.statistics.refinements;
            if let Some(verdict) = box_search(&self.system, self.rule, rounds, self.options) {
                self.found_by = Engine::Boxes;
                return verdict;
            }
            let refinement = match deep_search(&mut self.exploration, rounds, self.options) {
                Some(trace) => {
                    self.found_by = Engine::Execution;
                    Refinement::Trace(trace)
                }
                None => {
                    let search = schedule::searches(rounds);
                    let mut plan = plan(&self.system, self.rule, &self.components, search, self.options);
                    plan.separate = self.assertions.are_separate();
                    interruptible(&self.options.cancel, || refine(&mut reach, &errors, &plan))
                }
            };
            self.statistics.refine_time += (self.options.clock)().saturating_sub(start);
            self.statistics.refinements += 1;
            if let Some(verdict) = self.learn(refinement) {
                return verdict;
            }
        }
    }

    /// Changes the abstraction, or gives the final verdict.
    fn learn(&mut self, refinement: Refinement) -> Option<Verdict> {
        match refinement {
            Refinement::Trace(trace) => Some(match replay(self.system.program, trace) {
                Ok(replayed) => Verdict::Unsafe(replayed),
                Err(error) => Verdict::Unknown(Reason::TraceRejected(error)),
            }),
            Refinement::Require(conditions) => {
                for (step, index) in conditions {
                    self.system.require(step, index);
                }
                None
            }
            Refinement::Learned(vocabularies) => {
                self.vocabularies = vocabularies;
                None
            }
            Refinement::Stuck(_) if self.options.cancel.is_cancelled() => Some(Verdict::Unknown(Reason::Cancelled)),
            Refinement::Stuck(why) => Some(Verdict::Unknown(Reason::Stuck(why))),
        }
    }

    fn checked(&mut self, certificate: Certificate) -> Verdict {
        let start = (self.options.clock)();
        let checked = confirm(self.system.program, certificate, self.options);
        self.statistics.check_time += (self.options.clock)().saturating_sub(start);
        match checked {
            Ok(proof) => Verdict::Safe(proof),
            Err(_) if self.options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
            Err(rejection) => Verdict::Unknown(Reason::CertificateRejected(rejection)),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            predicates: self.vocabularies.predicates.iter().map(|p| p.set().len()).sum(),
            transition_predicates: self.vocabularies.transition.values().map(PredicateSet::len).sum(),
            entailment: self.engine.counters(),
            ..self.statistics.clone()
        }
    }
}

/// A search for a run by execution, when it has a turn. Its limit doubles from one to the next.
fn deep_search(exploration: &mut Exploration<'_>, refinements: usize, options: &Options) -> Option<Trace> {
    let now = schedule::executes(refinements);
    now.then(|| exploration.advance(schedule::EXECUTED * refinements, &options.cancel)).flatten()
}

/// A search over boxes, when it has a turn. Its limit doubles from one to the next. Whoever asks for a rule wants to see what that
/// rule's abstraction can do, and does without.
fn box_search(system: &System<'_>, rule: Rule, refinements: usize, options: &Options) -> Option<Verdict> {
    let wanted = options.rule.is_none() && rule == Rule::Monolithic;
    let now = wanted && schedule::makes_boxes(refinements);
    now.then(|| boxes::search(system, schedule::BOXES * refinements, options, &mut 0).ok()).flatten()
}

/// How a rule refines.
fn plan<'a>(
    system: &'a System<'_>,
    rule: Rule,
    components: &'a [Vec<ThreadId>],
    search: bool,
    options: &'a Options,
) -> Plan<'a> {
    let environment = match rule {
        Rule::RelyGuarantee => Environment::Transitions,
        _ => Environment::Direct,
    };
    let ladder: &[Rung] = match (rule, options.modularity) {
        (Rule::Monolithic, _) | (_, Modularity::Only) => &[Rung::Modular],
        _ => &[Rung::Modular, Rung::Locations, Rung::Full],
    };
    let seeded = rule == Rule::RelyGuarantee && options.seeds == Seeds::Evident;
    let seed: Box<dyn Fn(&mut Vocabularies) + 'a> = if seeded {
        Box::new(|vocabularies| rely_guarantee::seed(system, components, vocabularies))
    } else {
        Box::new(|_| ())
    };
    Plan { ladder, environment, seed, search, separate: false, cancel: &options.cancel }
}
