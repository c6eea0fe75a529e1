//! One path of a graph, executed symbolically.

use std::collections::BTreeMap;

use program::{Definedness, Span, Term, VarId};

use super::region::Region;
use crate::cfg::NodeId;

/// What a path has done so far, in terms of the state it started from.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Where it started.
    pub(super) source: NodeId,
    pub(super) guard: Vec<Term>,
    pub(super) updates: BTreeMap<VarId, Term>,
    pub(super) defined: Vec<Definedness>,
    /// Whether it has left its first node.
    pub(super) moved: bool,
    /// Whether others may see what it did, so that nothing may follow that others must be able to come before.
    pub(super) committed: bool,
    /// Whether it made a shared access outside an atomic section that is entered step by step.
    pub(super) accessed_outside: bool,
    /// Whether other threads can see what it did.
    pub(super) wrote_shared: bool,
    /// Whether it has chosen something, or taken what others may take instead: what it does then cannot be told from its first state.
    pub(super) is_undecided: bool,
    /// The atomic section it is in.
    pub(super) inside: Option<Region>,
    first: Option<Span>,
    access: Option<Span>,
    last: Option<Span>,
    /// Where the atomic section began that it was in last.
    pub(super) section: Option<Span>,
    /// What it did right after what.
    pub(super) passed: Vec<(Span, Span)>,
}

impl Path {
    /// A path that starts inside a section that is entered step by step, or outside any.
    pub(super) fn new(source: NodeId, owned: bool) -> Path {
        Path { source, inside: owned.then_some(Region::Owned), ..Path::default() }
    }

    /// A term of the current state in terms of the first.
    pub(super) fn value(&self, term: Term) -> Term {
        term.substitute(&|var, _| self.updates.get(&var).copied())
    }

    pub(super) fn assign(&mut self, var: VarId, value: Term) {
        if value.as_var() == Some(var) {
            self.updates.remove(&var);
        } else {
            self.updates.insert(var, value);
        }
    }

    /// Adds a condition; false if the path has become impossible.
    pub(super) fn require(&mut self, cond: Term) -> bool {
        for literal in cond.conjuncts() {
            if literal.as_bool() == Some(false) || self.guard.contains(&literal.not()) {
                return false;
            }
            if !self.guard.contains(&literal) {
                self.guard.push(literal);
            }
        }
        true
    }

    /// Adds a definedness condition; false if it fails whatever the state.
    pub(super) fn demand(&mut self, definedness: Definedness) -> bool {
        match definedness.condition.as_bool() {
            Some(true) => return true,
            Some(false) => return false,
            None => {}
        }
        let known = self.guard.contains(&definedness.condition)
            || self.defined.iter().any(|d| d.condition == definedness.condition);
        if !known {
            self.defined.push(definedness);
        }
        true
    }

    pub(super) fn step(&mut self, span: Span) {
        self.moved = true;
        self.first.get_or_insert(span);
    }

    /// Remembers what comes after what.
    pub(super) fn pass(&mut self, span: Span) {
        self.passed.extend(self.last.filter(|last| *last != span).map(|last| (last, span)));
        self.last = Some(span);
    }

    pub(super) fn access(&mut self, span: Span) {
        self.accessed_outside = true;
        self.access.get_or_insert(span);
    }

    /// The place of the shared access, or of the first step.
    pub(super) fn span(&self) -> Span {
        self.access.or(self.first).unwrap_or_default()
    }
}
