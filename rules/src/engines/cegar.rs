//! The refinement loop [P]: abstract, find errors' derivations, refute them or run one, and again.

use abstraction::PredicateSet;
use check::{Certificate, replay};
use program::Program;
use smt::interruptible;

use crate::assertions::Assertions;
use crate::engine::Engine;
use crate::engines::boxes;
use crate::engines::explicit::{Searched, look};
use crate::engines::houdini;
use crate::evidence::{certificate, confirm};
use crate::ghosts;
use crate::options::{Modularity, Options, Outcome, Reason, Statistics, Verdict};
use crate::portfolio::schedule;
use crate::reach::{Limits, Reach, Stop};
use crate::refine::derivation::Derivation;
use crate::refine::encode::Rung;
use crate::refine::observed::Observed;
use crate::refine::setting::Setting;
use crate::refine::vocabulary::Vocabulary;
use crate::refine::{Plan, Refinement, refine};
use crate::rule::Rule;
use crate::rule::views::Views;
use crate::system::System;

/// Where abstract reachability ended.
enum Reached {
    Proof(Certificate),
    Errors(Vec<Derivation>),
    Limit(Reason),
}

/// Abstraction and refinement of a program under a rule. Where a limit stopped it, it can go on with another.
pub struct Prover<'p> {
    system: System<'p>,
    views: Views,
    rule: Rule,
    engine: abstraction::Engine,
    /// What is known before anything is learned.
    start: Vocabulary,
    vocabulary: Vocabulary,
    assertions: Assertions,
    found_by: Engine,
    /// Whether execution has met every state, and no error.
    looked_at_all: bool,
    /// What runs have in common.
    observed: Observed,
    statistics: Statistics,
}

impl<'p> Prover<'p> {
    /// One that has not started. A program with templates has one copy of each more than the level says.
    pub fn new(program: &'p Program, rule: Rule) -> Prover<'p> {
        Prover::in_place_of(program, program, rule)
    }

    /// One that looks at a program in the place of another one, which does less: what to speak of is taken from that.
    pub fn in_place_of(original: &Program, program: &'p Program, rule: Rule) -> Prover<'p> {
        let mut system = System::new(program);
        ghosts::require(&mut system);
        let engine = abstraction::Engine::new(system.ranges());
        let views = Views::new(&system, rule);
        let start = ghosts::start(original, &system, &views, rule);
        Prover {
            system,
            views,
            rule,
            engine,
            vocabulary: start.clone(),
            start,
            assertions: Assertions::default(),
            found_by: Engine::Cegar(rule),
            looked_at_all: false,
            observed: Observed::default(),
            statistics: Statistics::default(),
        }
    }

    /// Refines until there is checked evidence, none is to be had, or a limit is reached: limits are on all that was done.
    pub fn decide(&mut self, options: &Options) -> Outcome {
        let verdict = interruptible(&options.cancel, || self.run(options));
        Outcome { verdict, found_by: self.found_by, statistics: self.statistics() }
    }

    fn run(&mut self, options: &Options) -> Verdict {
        loop {
            let errors = match self.reach(options) {
                Reached::Limit(reason) => return Verdict::Unknown(reason),
                Reached::Proof(certificate) => match self.assertions.add(self.system.program, certificate) {
                    Some(certificate) => return self.checked(certificate, options),
                    None => continue,
                },
                Reached::Errors(errors) => errors,
            };
            if self.statistics.refinements >= options.refinements {
                return Verdict::Unknown(Reason::Refinements(options.refinements));
            }
            if self.views.all.len() > 1 && self.assertions.separate(&self.system, self.statistics.states) {
                self.vocabulary = self.vocabulary.afresh(&self.system, &self.views, &self.start);
                continue;
            }
            if let Some(verdict) = self.refine(&errors, options) {
                return verdict;
            }
        }
    }

    /// Abstract reachability with what is known.
    fn reach(&mut self, options: &Options) -> Reached {
        let vocabulary = self.vocabulary.clone();
        let setting = Setting { system: &self.system, views: &self.views, vocabulary: &vocabulary };
        let mut reach = Reach::new(setting, &mut self.engine, self.rule.environment());
        reach.elsewhere = self.assertions.elsewhere();
        reach.tolerated = self.assertions.tolerated(self.system.program);
        let start = (options.clock)();
        let limits = Limits {
            states: options.states,
            solver_queries: options.solver_queries,
            workers: options.workers,
            cancel: &options.cancel,
        };
        // Once Z3 is in use, one watcher for many questions.
        let stop = interruptible(&options.cancel, || reach.run(&limits));
        self.statistics.reach_time += (options.clock)().saturating_sub(start);
        self.statistics.states = reach.graph.nodes.len();
        self.statistics.effects = reach.graph.effects.len();
        let alive = reach.graph.nodes.iter().filter(|state| !state.covered).count();
        log::debug!("{}: {stop:?}, {alive} states not covered, {:?}", self.rule, self.statistics);
        setting.log(self.rule);
        match stop {
            Stop::Cancelled => Reached::Limit(Reason::Cancelled),
            Stop::States => Reached::Limit(Reason::States(options.states)),
            Stop::SolverQueries => Reached::Limit(Reason::SolverQueries(options.solver_queries)),
            Stop::Errors(errors) => Reached::Errors(errors.iter().map(|error| reach.derivation(*error)).collect()),
            Stop::Fixpoint => {
                let certificate = certificate(&reach, self.rule);
                if let Some(exchange) = self.assertions.next(&self.system) {
                    self.vocabulary = vocabulary.exchanged(&self.views, exchange);
                }
                Reached::Proof(certificate)
            }
        }
    }

    /// Changes the abstraction so that it excludes errors' derivations, or gives the final answer.
    fn refine(&mut self, errors: &[Derivation], options: &Options) -> Option<Verdict> {
        let start = (options.clock)();
        if let Some(verdict) = self.box_search(options) {
            self.found_by = Engine::Boxes;
            return Some(verdict);
        }
        if let Some(verdict) = self.guess(options) {
            self.found_by = Engine::Houdini;
            return Some(verdict);
        }
        let refinement = self.search_or_refine(errors, options);
        self.statistics.refine_time += (options.clock)().saturating_sub(start);
        self.statistics.refinements += 1;
        let sets = self.vocabulary.predicates.iter().map(|known| known.set());
        options.monitor.note(
            self.system.program,
            self.rule,
            (self.statistics.refinements, self.statistics.states),
            sets,
        );
        match refinement {
            Refinement::Learned(vocabulary) => self.vocabulary = vocabulary,
            Refinement::Require(conditions) => {
                conditions.into_iter().for_each(|(step, index)| _ = self.system.require(step, index));
            }
            Refinement::Trace(trace) => {
                return Some(match replay(self.system.program, trace) {
                    Ok(replayed) => Verdict::Unsafe(replayed),
                    Err(error) => Verdict::Unknown(Reason::TraceRejected(error)),
                });
            }
            Refinement::Stuck(_) | Refinement::Refuted(_) if options.cancel.is_cancelled() => {
                return Some(Verdict::Unknown(Reason::Cancelled));
            }
            Refinement::Refuted(why) => return Some(Verdict::Unknown(Reason::NoProof(why))),
            Refinement::Stuck(why) => return Some(Verdict::Unknown(Reason::Stuck(why))),
        }
        None
    }

    /// A search for a run by execution, when it has a turn; else, refinement. The limit of the search doubles from one to the next.
    fn search_or_refine(&mut self, errors: &[Derivation], options: &Options) -> Refinement {
        let (rounds, is_fixed) = (self.statistics.refinements, self.system.program.templates().is_empty());
        if is_fixed && !self.looked_at_all && schedule::executes(rounds) {
            match look(self.system.program, schedule::EXECUTED * rounds, &options.cancel) {
                Searched::Found(found) => {
                    self.found_by = Engine::Explicit;
                    return Refinement::Trace(check::Trace::clone(&found.0));
                }
                Searched::Everything => self.looked_at_all = true,
                Searched::Part => {}
            }
        }
        let ladder: &[Rung] = match (self.rule, options.modularity) {
            (Rule::Monolithic, _) | (_, Modularity::Only) => &[Rung::Modular],
            _ => &[Rung::Modular, Rung::Locations, Rung::Full],
        };
        let plan = Plan {
            rule: self.rule,
            ladder,
            seeds: options.seeds,
            search: is_fixed && schedule::searches(rounds),
            separate: self.assertions.are_separate(),
            observed: &self.observed,
            cancel: &options.cancel,
        };
        let setting = Setting { system: &self.system, views: &self.views, vocabulary: &self.vocabulary };
        interruptible(&options.cancel, || refine(setting, &mut self.engine, errors, &plan))
    }

    /// A search over boxes, when it has a turn. Its limit doubles from one to the next. Whoever asks for a rule wants to see what that
    /// rule's abstraction can do, and does without.
    fn box_search(&self, options: &Options) -> Option<Verdict> {
        let rounds = self.statistics.refinements;
        let wanted = options.rule.is_none() && self.rule == Rule::Monolithic;
        if !wanted || !schedule::makes_boxes(rounds) {
            return None;
        }
        boxes::search(&self.system, schedule::BOXES * rounds, options, &mut 0).ok()
    }

    /// A proof by guesses, when they have a turn, likewise.
    fn guess(&self, options: &Options) -> Option<Verdict> {
        let is_fixed = self.system.program.templates().is_empty();
        let wanted = options.rule.is_none() && is_fixed && self.rule != Rule::RelyGuarantee;
        if !wanted || !schedule::guesses(self.statistics.refinements) {
            return None;
        }
        let limits = houdini::Limits {
            places: schedule::GUESSED,
            queries: schedule::GUESSED_QUERIES,
            solver_queries: schedule::GUESSED_SOLVER,
        };
        houdini::prove(self.system.program, &limits, options).0.ok().map(Verdict::Safe)
    }

    fn checked(&mut self, certificate: Certificate, options: &Options) -> Verdict {
        let start = (options.clock)();
        let checked = confirm(self.system.program, certificate, options);
        self.statistics.check_time += (options.clock)().saturating_sub(start);
        match checked {
            Ok(proof) => Verdict::Safe(proof),
            Err(_) if options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
            Err(rejection) => Verdict::Unknown(Reason::CertificateRejected(rejection)),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            predicates: self.vocabulary.predicates.iter().map(|p| p.set().len()).sum(),
            transition_predicates: self.vocabulary.transition.values().map(PredicateSet::len).sum(),
            entailment: self.engine.counters(),
            ..self.statistics.clone()
        }
    }
}
