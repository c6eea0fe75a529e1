//! The refinement loop [P]: abstract, find errors' derivations, refute them or run one, and again.

use std::fmt;

use abstraction::PredicateSet;
use check::{Certificate, Proof, Replayed, replay};
use program::Program;
use smt::interruptible;

use crate::assertions::Assertions;
use crate::engine::Engine;
use crate::engines::boxes;
use crate::engines::explicit::{Searched, look};
use crate::evidence::{certificate, confirm};
use crate::ghosts;
use crate::options::{Modularity, Options, Outcome, Reason, Statistics, Verdict};
use crate::portfolio::schedule;
use crate::reach::{Limits, Reach, Stop};
use crate::refine::derivation::Derivation;
use crate::refine::encode::Rung;
use crate::refine::setting::Setting;
use crate::refine::vocabulary::Vocabulary;
use crate::refine::{Plan, Refinement, refine};
use crate::rule::Rule;
use crate::rule::views::Views;
use crate::system::System;

/// Proves the program under a rule, or finds a run to its error. The evidence has been checked.
pub fn prove_by(program: &Program, rule: Rule, options: &Options) -> Outcome {
    let mut prover = Prover::new(program, rule);
    let verdict = match prover.prove(options) {
        Answer::Safe(proof) => Verdict::Safe(proof),
        Answer::Unsafe(replayed) => Verdict::Unsafe(replayed),
        Answer::NoProof(why) => Verdict::Unknown(Reason::Stuck(why)),
        Answer::Unknown(reason) => Verdict::Unknown(reason),
    };
    Outcome { verdict, found_by: prover.found_by, statistics: prover.statistics() }
}

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
pub struct ParametricProver<'p>(Prover<'p>);

impl<'p> ParametricProver<'p> {
    /// A proof that has not started.
    pub fn new(program: &'p Program, rule: Rule) -> ParametricProver<'p> {
        ParametricProver(Prover::new(program, rule))
    }

    /// Refines until there is a proof, none is to be had, or a limit is reached: limits are on all that was done.
    pub fn prove(&mut self, options: &Options) -> ParametricOutcome {
        let verdict = match self.0.prove(options) {
            Answer::Safe(proof) => ParametricVerdict::Safe(proof),
            // A run of copies is one of instances: how many it takes is found out by who looks for it.
            Answer::Unsafe(_) | Answer::NoProof(_) => ParametricVerdict::NoProof,
            Answer::Unknown(reason) => ParametricVerdict::Unknown(reason),
        };
        ParametricOutcome { verdict, statistics: self.0.statistics() }
    }
}

/// What a proof attempt comes to.
enum Answer {
    Safe(Proof),
    Unsafe(Replayed),
    /// A derivation that no vocabulary of these views excludes; in words.
    NoProof(String),
    Unknown(Reason),
}

/// Where abstract reachability ended.
enum Reached {
    Proof(Certificate),
    Errors(Vec<Derivation>),
    Limit(Reason),
}

struct Prover<'p> {
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
    statistics: Statistics,
}

impl<'p> Prover<'p> {
    fn new(program: &'p Program, rule: Rule) -> Prover<'p> {
        let mut system = System::new(program);
        ghosts::require(&mut system);
        let engine = abstraction::Engine::new(system.ranges());
        let views = Views::new(&system, rule);
        let start = ghosts::start(&system, &views, rule);
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
            statistics: Statistics::default(),
        }
    }

    fn prove(&mut self, options: &Options) -> Answer {
        interruptible(&options.cancel, || self.run(options))
    }

    fn run(&mut self, options: &Options) -> Answer {
        loop {
            let errors = match self.reach(options) {
                Reached::Limit(reason) => return Answer::Unknown(reason),
                Reached::Proof(certificate) => match self.assertions.add(self.system.program, certificate) {
                    Some(certificate) => return self.checked(certificate, options),
                    None => continue,
                },
                Reached::Errors(errors) => errors,
            };
            if self.statistics.refinements >= options.refinements {
                return Answer::Unknown(Reason::Refinements(options.refinements));
            }
            if self.views.all.len() > 1 && self.assertions.separate(&self.system, self.statistics.states) {
                self.vocabulary = self.vocabulary.afresh(&self.system, &self.views, &self.start);
                continue;
            }
            if let Some(answer) = self.refine(&errors, options) {
                return answer;
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
    fn refine(&mut self, errors: &[Derivation], options: &Options) -> Option<Answer> {
        let start = (options.clock)();
        if let Some(verdict) = self.box_search(options) {
            self.found_by = Engine::Boxes;
            return Some(verdict);
        }
        let refinement = self.search_or_refine(errors, options);
        self.statistics.refine_time += (options.clock)().saturating_sub(start);
        self.statistics.refinements += 1;
        match refinement {
            Refinement::Learned(vocabulary) => self.vocabulary = vocabulary,
            Refinement::Require(conditions) => {
                conditions.into_iter().for_each(|(step, index)| _ = self.system.require(step, index));
            }
            Refinement::Trace(trace) => {
                return Some(match replay(self.system.program, trace) {
                    Ok(replayed) => Answer::Unsafe(replayed),
                    Err(error) => Answer::Unknown(Reason::TraceRejected(error)),
                });
            }
            Refinement::Stuck(_) | Refinement::Refuted(_) if options.cancel.is_cancelled() => {
                return Some(Answer::Unknown(Reason::Cancelled));
            }
            Refinement::Refuted(why) => return Some(Answer::NoProof(why)),
            Refinement::Stuck(why) => return Some(Answer::Unknown(Reason::Stuck(why))),
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
            cancel: &options.cancel,
        };
        let setting = Setting { system: &self.system, views: &self.views, vocabulary: &self.vocabulary };
        interruptible(&options.cancel, || refine(setting, &mut self.engine, errors, &plan))
    }

    /// A search over boxes, when it has a turn. Its limit doubles from one to the next. Whoever asks for a rule wants to see what that
    /// rule's abstraction can do, and does without.
    fn box_search(&self, options: &Options) -> Option<Answer> {
        let rounds = self.statistics.refinements;
        let wanted = options.rule.is_none() && self.rule == Rule::Monolithic;
        if !wanted || !schedule::makes_boxes(rounds) {
            return None;
        }
        match boxes::search(&self.system, schedule::BOXES * rounds, options, &mut 0).ok()? {
            Verdict::Safe(proof) => Some(Answer::Safe(proof)),
            Verdict::Unsafe(replayed) => Some(Answer::Unsafe(replayed)),
            Verdict::Unknown(reason) => Some(Answer::Unknown(reason)),
        }
    }

    fn checked(&mut self, certificate: Certificate, options: &Options) -> Answer {
        let start = (options.clock)();
        let checked = confirm(self.system.program, certificate, options);
        self.statistics.check_time += (options.clock)().saturating_sub(start);
        match checked {
            Ok(proof) => Answer::Safe(proof),
            Err(_) if options.cancel.is_cancelled() => Answer::Unknown(Reason::Cancelled),
            Err(rejection) => Answer::Unknown(Reason::CertificateRejected(rejection)),
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
