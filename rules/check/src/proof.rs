//! Evidence that has been checked. Nobody but the checker makes it.

use std::ops::Deref;

use program::{Choice, ClaimId, Program, VarId, VarKind};
use rayon::prelude::*;

use crate::certificate::Certificate;
use crate::obligation::{Entailment, Obligation, Rejection, Validity, obligations};
use crate::state::violated;
use crate::tableau::Tableau;
use crate::trace::{Trace, TraceError, check_trace};

/// A certificate whose every condition was found valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof(Certificate);

impl Deref for Proof {
    type Target = Certificate;
    fn deref(&self) -> &Certificate {
        &self.0
    }
}

/// A trace that was executed to its error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    trace: Trace,
    violated: Option<ClaimId>,
    guess: Option<VarId>,
}

impl Replayed {
    /// The claim that it violates; none where it ends at what is not modelled, or rests on a value that nobody follows.
    pub fn violated(&self) -> Option<ClaimId> {
        self.violated.filter(|_| self.guess.is_none())
    }

    /// The claim that it would violate if C computed the values that were chosen for it, and the first of these.
    pub fn doubtful(&self) -> Option<(ClaimId, VarId)> {
        self.violated.zip(self.guess)
    }
}

impl Deref for Replayed {
    type Target = Trace;
    fn deref(&self) -> &Trace {
        &self.trace
    }
}

/// Executes the trace on the program as lowered: it must end in an error.
pub fn replay(program: &Program, trace: Trace) -> Result<Replayed, TraceError> {
    let states = check_trace(program, &trace)?;
    let violated = states.last().and_then(|state| violated(program, state));
    let guess = guess(program, &trace);
    Ok(Replayed { trace, violated, guess })
}

/// The first value that a run chooses of those that C determines and the program does not follow.
fn guess(program: &Program, trace: &Trace) -> Option<VarId> {
    let mut inputs = trace.steps.iter().flat_map(|step| {
        let transition = program.thread(step.thread).transitions.get(step.transition);
        transition.into_iter().flat_map(|transition| transition.inputs.iter().copied())
    });
    inputs.find(|var| matches!(program.var(*var).kind, VarKind::Input(Choice::Untracked(_))))
}

/// Checks every condition of the certificate's rule on the program, one after the other. The first violated one is reported.
pub fn check_certificate(
    program: &Program,
    certificate: Certificate,
    entailment: &mut dyn Entailment,
) -> Result<Proof, Rejection> {
    obligations(program, &certificate)?.iter().try_for_each(|obligation| obligation.check(program, entailment))?;
    Ok(Proof(certificate))
}

/// Checks certificates on several threads: first without a solver, then, what is left, with one.
pub struct Checker<'c> {
    /// How many threads.
    pub workers: usize,
    /// Whether to stop: what has not been looked at by then is left to the solver, which is to give up as well.
    pub stopped: &'c (dyn Fn() -> bool + Sync),
    /// Makes a solver, on the thread that asks it.
    pub solver: &'c (dyn Fn() -> Box<dyn Entailment> + Sync),
}

/// Conditions that one worker puts to its solver at a time: enough to be worth making one.
const SHARE: usize = 32;

impl Checker<'_> {
    /// Checks every condition of the certificate's rule on the program. The first violated one is reported, whoever finds it.
    pub fn check(&self, program: &Program, certificate: Certificate) -> Result<Proof, Rejection> {
        let owed = obligations(program, &certificate)?;
        self.check_all(program, &owed)?;
        Ok(Proof(certificate))
    }

    fn check_all(&self, program: &Program, owed: &[Obligation]) -> Result<(), Rejection> {
        let by_solver = |some: &[&Obligation]| {
            let mut entailment = InPart { tableau: Tableau::default(), solver: (self.solver)() };
            some.iter().try_for_each(|obligation| obligation.check(program, &mut entailment))
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.workers).build();
        let Ok(pool) = pool.map_err(|error| log::info!("checking without threads: {error}")) else {
            return by_solver(&owed.iter().collect::<Vec<_>>());
        };
        // What has not been looked at is open.
        let is_open = |tableau: &mut Tableau, obligation: &Obligation| {
            (self.stopped)() || !tableau.proves(&obligation.premises, obligation.conclusion)
        };
        let judged = owed.par_iter().map_init(Tableau::default, |tableau, one| is_open(tableau, one).then_some(one));
        let open: Vec<&Obligation> = pool.install(|| judged.flatten().collect());
        log::debug!("{} conditions, {} of them for a solver", owed.len(), open.len());
        if open.len() <= SHARE {
            return by_solver(&open);
        }
        let share = |some: &[&Obligation]| by_solver(some).err();
        pool.install(|| open.par_chunks(SHARE).find_map_first(share)).map_or(Ok(()), Err)
    }
}

/// Implications of which the solver gets only the conjuncts that need it.
struct InPart {
    tableau: Tableau,
    solver: Box<dyn Entailment>,
}

impl Entailment for InPart {
    fn valid(&mut self, premises: &[program::Term], conclusion: program::Term) -> Validity {
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
