//! Searches that go on after an error: which claims are violated at all, and where runs end that violate none.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use program::{ClaimId, Program, Span, ThreadId, UbKind};

use crate::coverage::Coverage;
use crate::explorer::Explorer;

/// Where a run ended that came to no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// In undefined behaviour.
    Undefined(UbKind, Span),
    /// Where a thread cannot go on, nor can anybody else.
    Stuck(Span),
    /// Where a thread stops whatever the state: with exit, abort, or an assumption that never holds.
    Stopped(Span),
    /// With the end of all its threads.
    Normally,
}

/// What several searches of one program have found, beyond the first error.
#[derive(Debug, Default)]
pub struct Gathered {
    notes: Mutex<Notes>,
}

/// See [`Gathered`].
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The claims that a run violates, which the checker has replayed.
    pub violated: BTreeSet<ClaimId>,
    /// Those that a run would violate whose values nobody follows.
    pub doubtful: BTreeSet<ClaimId>,
    /// Where runs ended.
    pub ends: BTreeSet<End>,
    /// Steps that all searches executed.
    pub steps: u64,
}

impl Gathered {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has been found so far.
    pub fn found(&self) -> Notes {
        self.notes().clone()
    }

    /// Whether it is known that the claim is violated.
    pub(crate) fn knows(&self, claim: ClaimId) -> bool {
        self.notes().violated.contains(&claim)
    }

    /// Notes a claim that is violated; true if no claim of the program is left.
    pub(crate) fn add(&self, claim: ClaimId, program: &Program) -> bool {
        let mut notes = self.notes();
        notes.violated.insert(claim);
        let mut locations = program.threads().flat_map(|(_, thread)| &thread.locations);
        locations.all(|location| location.violates().is_none_or(|claim| notes.violated.contains(&claim)))
    }

    /// Notes a claim that a run would violate if C computed the values that were chosen for it.
    pub(crate) fn doubt(&self, claim: ClaimId) {
        self.notes().doubtful.insert(claim);
    }

    /// Notes what a search that is over has come to.
    pub(crate) fn close(&self, coverage: &Coverage) {
        let mut notes = self.notes();
        notes.steps += coverage.steps;
        notes.ends.extend(coverage.undefined.iter().map(|(kind, span)| End::Undefined(*kind, *span)));
        notes.ends.extend(&coverage.ends);
    }
}

impl Explorer<'_> {
    /// Notes where the threads are that have begun and not ended, in a state in which nobody can move.
    pub(crate) fn note_stuck(&mut self) {
        let awake: BTreeSet<u32> = self.memory.awake().collect();
        let mut has_ended = true;
        for (number, code) in (0..).zip(&self.machine.threads) {
            let thread = self.machine.program.thread(ThreadId(number));
            let at = self.memory.words()[code.location as usize];
            let Some((id, location)) = thread.locations().nth(usize::try_from(at).unwrap_or(usize::MAX)) else {
                continue;
            };
            let has_begun = awake.contains(&number) || !self.memory.is_fresh(number);
            if !has_begun || location.kind == program::LocationKind::End {
                continue;
            }
            has_ended = false;
            // Undefined behaviour has been noted as such.
            let undefined = &self.coverage.undefined;
            let mut defined = thread.from(id).flat_map(|step| &step.defined);
            if defined.all(|d| !undefined.contains(&(d.kind, d.span))) {
                let end = thread.from(id).next().map_or(End::Stopped(location.span), |step| End::Stuck(step.span));
                self.coverage.ends.insert(end);
            }
        }
        if has_ended {
            self.coverage.ends.insert(End::Normally);
        }
    }
}
