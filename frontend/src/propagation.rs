//! Copy propagation: where a temporary certainly has the value of a variable that its thread alone touches, that variable is read
//! instead. Every read of an object goes into a temporary, and one that is kept across steps is one more variable of which a proof has
//! to speak: in `serving = ticket + 1` the copy of `ticket` lives while the store waits for its turn.
//!
//! No other thread writes the variable, so when it is read makes no difference to anybody.

use std::collections::BTreeMap;

use program::{Term, VarId, VarKind};

use crate::cfg::NodeId;
use crate::fuse::RawTransition;
use crate::fuse::accesses::RawAccess;
use crate::fuse::waits::RawWait;
use crate::memory::Memory;

/// Which temporaries have the values of which variables.
type Copies = BTreeMap<VarId, VarId>;

/// Reads variables instead of their copies, in a thread's transitions and in what is said of its locations.
pub(crate) fn propagate_copies(
    entry: NodeId,
    transitions: &mut Vec<RawTransition>,
    (accesses, waits): (&mut [RawAccess], &mut [RawWait]),
    (memory, shared): (&Memory, &[bool]),
) {
    let own = Own { memory, shared };
    let known = known_copies(entry, transitions, &own);
    let at = |node: NodeId| known.get(&node).filter(|copies| !copies.is_empty());
    for transition in transitions.iter_mut() {
        let Some(copies) = at(transition.source) else { continue };
        transition.guard.iter_mut().for_each(|term| *term = own.read(*term, copies));
        transition.guard.retain(|term| *term != Term::bool(true));
        transition.updates.values_mut().for_each(|term| *term = own.read(*term, copies));
        transition.defined.iter_mut().for_each(|defined| defined.condition = own.read(defined.condition, copies));
    }
    // What was asked of a copy may be plain of the variable.
    transitions.retain(|transition| !transition.guard.contains(&Term::bool(false)));
    for access in accesses {
        let Some(copies) = at(access.source) else { continue };
        access.when.iter_mut().for_each(|term| *term = own.read(*term, copies));
        access.index = access.index.map(|term| own.read(term, copies));
    }
    for wait in waits {
        let Some(copies) = at(wait.source) else { continue };
        wait.when.iter_mut().for_each(|term| *term = own.read(*term, copies));
        wait.holder = wait.holder.map(|term| own.read(term, copies));
        wait.subject = own.read(wait.subject, copies);
    }
}

/// The copies that hold at a node on whatever way a thread came there: those that all ways agree on. A node is first taken to have all
/// that the first way brings, and loses what another one does not.
fn known_copies(entry: NodeId, transitions: &[RawTransition], own: &Own<'_>) -> BTreeMap<NodeId, Copies> {
    let mut leaving: BTreeMap<NodeId, Vec<&RawTransition>> = BTreeMap::new();
    for transition in transitions {
        leaving.entry(transition.source).or_default().push(transition);
    }
    let mut known = BTreeMap::from([(entry, Copies::new())]);
    let mut work = vec![entry];
    while let Some(node) = work.pop() {
        let before = known.get(&node).cloned().unwrap_or_default();
        for transition in leaving.get(&node).into_iter().flatten() {
            let after = own.after(transition, &before);
            let target = transition.target;
            let changed = match known.get_mut(&target) {
                None => known.insert(target, after).is_none(),
                Some(there) => {
                    let size = there.len();
                    there.retain(|copy, source| after.get(copy) == Some(source));
                    there.len() != size
                }
            };
            if changed {
                work.push(target);
            }
        }
    }
    known
}

/// The variables that one thread alone touches.
struct Own<'a> {
    memory: &'a Memory,
    shared: &'a [bool],
}

impl Own<'_> {
    /// Whether it is a scalar that no other thread touches.
    fn is_own(&self, var: VarId) -> bool {
        let cell = self.memory.cell(var);
        let shared = self.shared.get(var.0 as usize).copied().unwrap_or(true);
        !shared && cell.length.is_none() && !matches!(cell.kind, VarKind::Input(_))
    }

    /// Whether `copy` may be replaced by `source`, if they are equal.
    fn may_replace(&self, copy: VarId, source: VarId) -> bool {
        let (from, to) = (self.memory.cell(source), self.memory.cell(copy));
        // Copies of addresses stay: proofs about blocks are found later without them (tests/parametric/requests.c).
        let is_kept = from.kind != VarKind::Temporary && from.ty != self.memory.pointer_type();
        is_kept && self.is_own(source) && from.sort == to.sort && from.ty == to.ty && from.length == to.length
    }

    fn read(&self, term: Term, copies: &Copies) -> Term {
        let renamed = |var: VarId, sort| copies.get(&var).map(|source| Term::var(*source, sort));
        term.substitute(&renamed)
    }

    /// The copies after a transition: temporaries with the same value as a variable afterwards.
    fn after(&self, transition: &RawTransition, before: &Copies) -> Copies {
        let value = |var: VarId| transition.updates.get(&var).map(|term| self.read(*term, before));
        let kept = before.iter().filter(|(copy, source)| {
            !transition.updates.contains_key(copy) && value(**source).is_none_or(|v| v.as_var() == Some(**source))
        });
        let mut after: Copies = kept.map(|(copy, source)| (*copy, *source)).collect();
        for copy in transition.updates.keys().copied() {
            if self.memory.cell(copy).kind != VarKind::Temporary || !self.is_own(copy) {
                continue;
            }
            let Some(written) = value(copy) else { continue };
            let unchanged = written.as_var().filter(|var| !transition.updates.contains_key(var));
            let written_too = || {
                transition
                    .updates
                    .keys()
                    .copied()
                    .find(|var| value(*var) == Some(written) && self.may_replace(copy, *var))
            };
            if let Some(source) = unchanged.filter(|var| self.may_replace(copy, *var)).or_else(written_too) {
                after.insert(copy, source);
            }
        }
        after
    }
}
