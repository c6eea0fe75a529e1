//! The baseline: a rule's recursive clauses handed to Spacer. Its proofs are checked like ours, and a refutation counts only if
//! a run is found for it.

use check::{Certificate, Invariant, location_var, replay};
use horn::{RecursiveAnswer, RelationId, instantiate, solve_recursive};
use program::{LocationId, Program, Sort, Term, TermKind, ThreadId, VarId};
use smt::interruptible;
use std::collections::BTreeMap;

use crate::engine::Engine;
use crate::engines::explicit::find_run;
use crate::evidence::confirm;
use crate::options::{Options, Outcome, Reason, Statistics, Verdict};
use crate::refine::path::Feasibility;
use crate::refine::search::{SearchLimits, search};
use crate::rule::clauses::clauses;
use crate::rule::{Rule, Vocabulary};
use crate::system::System;

/// Limits on the search for a run, by execution and symbolically.
const STATES: usize = 500_000;
const SEARCH: SearchLimits = SearchLimits { states: 50_000, queries: 5_000 };

/// Solves the rule's clauses with Spacer.
pub fn decide(program: &Program, rule: Rule, vocabulary: Vocabulary, options: &Options) -> Outcome {
    interruptible(&options.cancel, || {
        let mut statistics = Statistics::default();
        let start = (options.clock)();
        let answer = solve_recursive(&clauses(program, rule, vocabulary), options.spacer_limit);
        statistics.refine_time = (options.clock)().saturating_sub(start);
        let start = (options.clock)();
        let verdict = match answer {
            _ if options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
            RecursiveAnswer::Unknown(why) => Verdict::Unknown(Reason::Stuck(why)),
            RecursiveAnswer::Refuted if vocabulary == Vocabulary::Modular && rule != Rule::Monolithic => {
                Verdict::Unknown(Reason::NoProof("the modular clauses have no solution".into()))
            }
            RecursiveAnswer::Refuted => run(program, options),
            RecursiveAnswer::Solved(found) => {
                let certificate = certificate(program, rule, vocabulary, &found);
                match confirm(program, certificate, options) {
                    Ok(proof) => Verdict::Safe(proof),
                    Err(_) if options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
                    Err(rejection) => Verdict::Unknown(Reason::CertificateRejected(rejection)),
                }
            }
        };
        statistics.check_time = (options.clock)().saturating_sub(start);
        Outcome { verdict, found_by: Engine::Spacer(rule, vocabulary), statistics }
    })
}

/// A run that shows the refutation.
fn run(program: &Program, options: &Options) -> Verdict {
    if let Some((run, _)) = find_run(program, STATES.min(options.states), &options.cancel) {
        return Verdict::Unsafe(run);
    }
    let system = System::new(program);
    let found = match search(&system, &system.all_steps(), SEARCH, &options.cancel) {
        Some(Feasibility::Trace(trace)) => Some(trace),
        _ => None,
    };
    match found.map(|trace| replay(program, trace)) {
        Some(Ok(replayed)) => Verdict::Unsafe(replayed),
        Some(Err(error)) => Verdict::Unknown(Reason::TraceRejected(error)),
        None if options.cancel.is_cancelled() => Verdict::Unknown(Reason::Cancelled),
        None => Verdict::Unknown(Reason::Stuck("the clauses have no solution, but no run was found".into())),
    }
}

/// A place of the rule's relations, in the order in which [`clauses`] declares them.
fn places(program: &Program, thread: Option<ThreadId>, vocabulary: Vocabulary) -> Vec<Term> {
    let var = |id: VarId| program.term(id);
    let location = |t: ThreadId| Term::var(location_var(program, t), Sort::Int);
    match (thread, vocabulary) {
        (Some(thread), Vocabulary::Modular) => {
            let vars = program.globals().chain(program.locals(thread)).map(var);
            vars.chain([location(thread)]).collect()
        }
        _ => {
            let vars = program.state_vars().map(|(id, _)| var(id));
            vars.chain(program.threads().map(|(id, _)| location(id))).collect()
        }
    }
}

fn certificate(
    program: &Program,
    rule: Rule,
    vocabulary: Vocabulary,
    found: &BTreeMap<RelationId, Term>,
) -> Certificate {
    let define = |k: usize, arguments: &[Term]| {
        let id = RelationId(program::number(k));
        // A relation that Spacer does not speak of is unreachable or unconstrained; the checker decides whether `true` will do.
        found.get(&id).map_or_else(|| Term::bool(true), |term| instantiate(*term, arguments))
    };
    let threads: Vec<ThreadId> = program.threads().map(|(id, _)| id).collect();
    if rule == Rule::Monolithic {
        let formula = define(0, &places(program, None, Vocabulary::Full));
        return Certificate::Monolithic(by_place(program, threads, formula));
    }
    let invariants: Vec<Invariant> = threads
        .iter()
        .enumerate()
        .map(|(k, thread)| by_place(program, vec![*thread], define(k, &places(program, Some(*thread), vocabulary))))
        .collect();
    if rule == Rule::OwickiGries {
        return Certificate::OwickiGries(invariants);
    }
    let shared: Vec<Term> = match vocabulary {
        Vocabulary::Modular => program.globals().map(|id| program.term(id)).collect(),
        Vocabulary::Full => places(program, None, Vocabulary::Full),
    };
    let both: Vec<Term> = shared.iter().copied().chain(shared.iter().map(|term| prime(*term))).collect();
    let environment = (0..threads.len()).map(|k| vec![define(threads.len() + k, &both)]).collect();
    Certificate::RelyGuarantee { invariants, environment }
}

fn prime(term: Term) -> Term {
    term.prime()
}

/// The formula at each place, with the explicit locations put in.
fn by_place(program: &Program, threads: Vec<ThreadId>, formula: Term) -> Invariant {
    let mut places: Vec<Vec<LocationId>> = vec![Vec::new()];
    for thread in &threads {
        let locations = || program.thread(*thread).locations().map(|(id, _)| id);
        places = places.into_iter().flat_map(|p| locations().map(move |l| [p.clone(), vec![l]].concat())).collect();
    }
    let mut at = BTreeMap::new();
    for place in places {
        let here = formula.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, _) => {
                let known = threads.iter().position(|thread| location_var(program, *thread) == *var)?;
                Some(Term::int(i128::from(place[known].0)))
            }
            _ => None,
        });
        if here.as_bool() != Some(false) {
            at.insert(place, here);
        }
    }
    Invariant { threads, at }
}
