//! Where a thread has to wait, and for whom.
//!
//! What others can notice comes after the wait in its transition, so that whether a thread waits can be said of the state in which the
//! transition starts.

use program::{Holder, Span, Term, VarId};

use super::path::Path;
use super::region::Region;
use crate::cfg::{NodeId, Wait};

/// A wait before variables and locations are numbered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RawWait {
    /// Where the transition starts that would go on.
    pub(crate) source: NodeId,
    /// In which states it does not.
    pub(crate) when: Vec<Term>,
    pub(crate) holder: Holder,
    pub(crate) subject: Term,
    pub(crate) kind: &'static str,
    pub(crate) span: Span,
    /// Whether the thread is in an atomic section that is entered step by step: others wait for it, too.
    pub(crate) in_owned_section: bool,
}

impl RawWait {
    /// What a path that comes to a wait says of it; nothing if it always goes on.
    pub(super) fn on(path: &Path, wait: Wait, span: Span) -> Option<RawWait> {
        let wait = wait.map(|term| path.value(term));
        let mut met = path.clone();
        if !met.require(wait.blocked) {
            return None;
        }
        let mut when = met.guard;
        when.extend(met.defined.iter().map(|defined| defined.condition));
        let Wait { holder, subject, kind, .. } = wait;
        let in_owned_section = path.inside == Some(Region::Owned);
        Some(RawWait { source: path.source, when, holder, subject, kind, span, in_owned_section })
    }

    /// The variables that it depends on.
    pub(crate) fn reads(&self) -> impl Iterator<Item = VarId> + '_ {
        self.when.iter().copied().chain(self.holder.id()).chain([self.subject]).flat_map(Term::vars)
    }
}
