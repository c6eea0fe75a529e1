//! The refinement loop [P]: abstract, find an error's derivation, refute it or run it, and again.

use std::time::Instant;

use abstraction::{Engine, PredicateSet};
use check::{check_certificate, check_trace};
use program::{Program, ThreadId};
use smt::interruptible;

use crate::effect::Interference;
use crate::encode::{Environment, Rung};
use crate::evidence::{SolverEntailment, certificate};
use crate::monolithic::{self, Monolithic};
use crate::options::{Modularity, Options, Outcome, Reason, Seeds, Statistics, Verdict};
use crate::owicki_gries::{self, OwickiGries};
use crate::reach::{ComponentId, NodeId, Reach, Stop, Vocabularies};
use crate::refine::{Recorded, Refinement, add_atoms, add_whole, concretise, refute};
use crate::rely_guarantee::{self, RelyGuarantee};
use crate::rule::Rule;
use crate::system::System;

/// Proves the program under a rule, or finds a run to its error. The evidence has been checked.
pub fn prove_by(program: &Program, rule: Rule, options: &Options) -> Outcome {
    interruptible(&options.cancel, || {
        let mut prover = Prover::new(program, rule, options);
        let verdict = prover.run();
        Outcome { verdict, rule, statistics: prover.statistics() }
    })
}

struct Prover<'p> {
    system: System<'p>,
    rule: Rule,
    options: &'p Options,
    engine: Engine,
    vocabularies: Vocabularies,
    components: Vec<Vec<ThreadId>>,
    interference: Box<dyn Interference>,
    statistics: Statistics,
}

impl<'p> Prover<'p> {
    fn new(program: &'p Program, rule: Rule, options: &'p Options) -> Prover<'p> {
        let system = System::new(program);
        let engine = Engine::new(system.ranges());
        let (components, interference): (_, Box<dyn Interference>) = match rule {
            Rule::Monolithic => (monolithic::components(&system), Box::new(Monolithic)),
            Rule::OwickiGries => (owicki_gries::components(&system), Box::new(OwickiGries)),
            Rule::RelyGuarantee => (owicki_gries::components(&system), Box::new(RelyGuarantee)),
        };
        let vocabularies =
            Vocabularies { predicates: vec![PredicateSet::default(); components.len()], ..Vocabularies::default() };
        let statistics = Statistics::default();
        Prover { system, rule, options, engine, vocabularies, components, interference, statistics }
    }

    fn run(&mut self) -> Verdict {
        loop {
            self.seed();
            let start = Instant::now();
            let mut reach = Reach::new(
                &self.system,
                &mut self.engine,
                &self.vocabularies,
                &self.components,
                self.interference.as_ref(),
            );
            let stop = reach.run(self.options.states, &self.options.cancel);
            self.statistics.reach_time += start.elapsed();
            self.statistics.states = reach.nodes.len();
            self.statistics.effects = reach.effects.len();
            log(&reach, stop, &self.statistics);
            let refinement = match stop {
                Stop::Cancelled => return Verdict::Unknown(Reason::Cancelled),
                Stop::Limit => return Verdict::Unknown(Reason::States(self.options.states)),
                Stop::Fixpoint => {
                    let certificate = certificate(&reach, self.rule);
                    let start = Instant::now();
                    let checked =
                        check_certificate(self.system.program, &certificate, &mut SolverEntailment::default());
                    self.statistics.check_time += start.elapsed();
                    return match checked {
                        Ok(()) => Verdict::Safe(certificate),
                        Err(_) if self.options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
                        Err(rejection) => Verdict::Unknown(Reason::CertificateRejected(rejection)),
                    };
                }
                Stop::Error(error) => {
                    let start = Instant::now();
                    let refinement = refine(&reach, error, self.rule, self.options);
                    self.statistics.horn_time += start.elapsed();
                    (refinement, Recorded::new(&reach, error))
                }
            };
            if let Some(verdict) = self.learn(refinement.0, &refinement.1) {
                return verdict;
            }
        }
    }

    /// Changes the abstraction so that the derivation does not come back, or gives the final verdict.
    fn learn(&mut self, refinement: Refinement, recorded: &Recorded) -> Option<Verdict> {
        self.statistics.refinements += 1;
        match refinement {
            _ if self.options.cancel.is_cancelled() => Some(Verdict::Unknown(Reason::Cancelled)),
            Refinement::Trace(trace) => Some(match check_trace(self.system.program, &trace) {
                Ok(_) => Verdict::Unsafe(trace),
                Err(error) => Verdict::Unknown(Reason::TraceRejected(error)),
            }),
            Refinement::Require(conditions) => {
                let new = conditions.into_iter().filter(|(step, k)| self.system.require(*step, *k)).count();
                (new == 0).then(|| Verdict::Unknown(Reason::Stuck("a range guard does not help".into())))
            }
            Refinement::Stuck(why) => Some(Verdict::Unknown(Reason::Stuck(why))),
            _ if self.statistics.refinements > self.options.refinements => {
                Some(Verdict::Unknown(Reason::Refinements(self.options.refinements)))
            }
            Refinement::Predicates { conjuncts, .. } => {
                add_atoms(&mut self.vocabularies, &conjuncts);
                self.seed();
                if self.survives(recorded) {
                    // A Cartesian state cannot know a disjunction of atoms, but it can know one predicate that is it.
                    add_whole(&mut self.vocabularies, &conjuncts);
                    self.seed();
                    if self.survives(recorded) {
                        return Some(Verdict::Unknown(Reason::Stuck("a refuted derivation came back".into())));
                    }
                }
                None
            }
        }
    }

    fn survives(&mut self, recorded: &Recorded) -> bool {
        let mut reach = Reach::new(
            &self.system,
            &mut self.engine,
            &self.vocabularies,
            &self.components,
            self.interference.as_ref(),
        );
        recorded.survives(&mut reach)
    }

    /// Adds what steps evidently do to what became visible.
    fn seed(&mut self) {
        if self.rule != Rule::RelyGuarantee || self.options.seeds == Seeds::None {
            return;
        }
        for (index, watcher) in self.components.iter().enumerate() {
            for mover in self.system.threads().filter(|thread| !watcher.contains(thread)) {
                let seeds =
                    rely_guarantee::seeds(&self.system, mover, watcher, &self.vocabularies.predicates[index]);
                let set = self.vocabularies.transition.entry((mover, ComponentId(index))).or_default();
                for seed in seeds {
                    set.insert(seed);
                }
            }
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            predicates: self.vocabularies.predicates.iter().map(PredicateSet::len).sum(),
            transition_predicates: self.vocabularies.transition.values().map(PredicateSet::len).sum(),
            entailment: self.engine.counters(),
            ..self.statistics.clone()
        }
    }
}

fn refine(reach: &Reach<'_, '_>, error: NodeId, rule: Rule, options: &Options) -> Refinement {
    if let Some(found) = concretise(reach, error) {
        return found;
    }
    let environment = match rule {
        Rule::RelyGuarantee => Environment::Transitions,
        _ => Environment::Direct,
    };
    let ladder: &[Rung] = match (rule, options.modularity) {
        (Rule::Monolithic, _) | (_, Modularity::Only) => &[Rung::Modular],
        _ => &[Rung::Modular, Rung::Locations, Rung::Full],
    };
    refute(reach, error, ladder, environment, &options.cancel)
}

fn log(reach: &Reach<'_, '_>, stop: Stop, statistics: &Statistics) {
    if std::env::var_os("THREADER_TRACE_REACH").is_none() {
        return;
    }
    let message = format!("{stop:?} states {} effects {} {:?}", reach.nodes.len(), reach.effects.len(), statistics);
    #[allow(clippy::print_stderr)]
    {
        eprintln!("{message}");
        for (k, set) in reach.vocabularies.predicates.iter().enumerate() {
            let shown: Vec<String> = set.items().iter().map(|t| reach.system.show(*t)).collect();
            eprintln!("  P{k}: {}", shown.join(", "));
        }
    }
}
