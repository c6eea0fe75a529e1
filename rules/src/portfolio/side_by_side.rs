//! One rule, or all of them side by side.

use std::sync::Mutex;
use std::sync::PoisonError;

use program::Program;

use super::STACK;
use crate::engine::Engine;
use crate::options::{Options, Outcome, Reason, SolverKind, Verdict};
use crate::rule::Rule;

/// The order in which rules are tried when there are fewer workers than rules.
const ORDER: [Rule; 3] = [Rule::OwickiGries, Rule::Monolithic, Rule::RelyGuarantee];

/// Proves the program, or finds a run to its error. Evidence has been checked before it is returned.
///
/// Without a rule, all of them run on up to [`Options::workers`] threads. The first answer wins and the others are stopped; all
/// answers have been checked, so which one it is does not change the verdict.
pub fn prove(program: &Program, options: &Options) -> Outcome {
    match asked(options)[..] {
        [engine] => on_workers(options.workers, || engine.decide(program, options)),
        ref engines => portfolio(program, engines, options),
    }
}

/// The engines that are asked for.
fn asked(options: &Options) -> Vec<Engine> {
    let rules = options.rule.map_or(ORDER.to_vec(), |rule| vec![rule]);
    match options.solver {
        SolverKind::Boxes => vec![Engine::Boxes],
        SolverKind::Houdini => vec![Engine::Houdini],
        SolverKind::Cegar => rules.into_iter().map(Engine::Cegar).collect(),
        SolverKind::Spacer(vocabulary) => rules.into_iter().map(|rule| Engine::Spacer(rule, vocabulary)).collect(),
    }
}

/// Runs `work` as one of so many workers, among whom it may share out what it does.
fn on_workers<R: Send>(workers: usize, work: impl FnOnce() -> R + Send) -> R {
    if workers < 2 {
        return work();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(workers).stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        Err(error) => {
            log::info!("one worker only: {error}");
            work()
        }
    }
}

fn portfolio(program: &Program, engines: &[Engine], options: &Options) -> Outcome {
    let stop = options.cancel.part();
    let queue = Mutex::new(engines.iter());
    let results: Mutex<Vec<Outcome>> = Mutex::new(Vec::new());
    let workers = options.workers.clamp(1, engines.len());
    // Engines side by side have one worker each, unless there are more workers than engines.
    let inner = Options { cancel: stop.clone(), workers: (options.workers / workers).max(1), ..options.clone() };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (queue, results, stop, inner) = (&queue, &results, &stop, &inner);
            scope.spawn(move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(engine) = next.filter(|_| !stop.is_cancelled()) else { break };
                    let outcome = on_workers(inner.workers, || engine.decide(program, inner));
                    if !matches!(outcome.verdict, Verdict::Unknown(_)) {
                        stop.cancel();
                    }
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
                }
            });
        }
    });
    best(results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A decided answer if there is one, else the most telling reason.
fn best(mut results: Vec<Outcome>) -> Outcome {
    results.sort_by_key(|outcome| match &outcome.verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => (0, outcome.found_by.rule()),
        Verdict::Unknown(Reason::Cancelled) => (2, outcome.found_by.rule()),
        Verdict::Unknown(_) => (1, outcome.found_by.rule()),
    });
    let nothing = Outcome {
        verdict: Verdict::Unknown(Reason::Cancelled),
        found_by: Engine::Cegar(Rule::OwickiGries),
        statistics: Default::default(),
    };
    results.into_iter().next().unwrap_or(nothing)
}
