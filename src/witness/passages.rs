//! How executions pass statements. In the Program without fusion every part of a statement is a step of its own; in others an
//! execution may pass a statement in the middle of a step. What holds at the locations before a statement is what holds before the
//! statement only if every execution that comes to it stops there.

use std::collections::BTreeSet;

use frontend::Loaded;
use frontend::source::StatementKind;
use program::{LocationId, Owner, Program, Span, ThreadId, Transition};

use super::places::{Places, StatementId, innermost};

/// The passages of a program's statements.
pub struct Passages<'a> {
    fine: Places<'a>,
}

impl<'a> Passages<'a> {
    /// Of the Program without fusion.
    pub fn new(fine: Places<'a>) -> Passages<'a> {
        Passages { fine }
    }

    /// Whether all who come to a statement stop at a location before it, in a Program with larger steps.
    pub fn all_stop(&self, coarse: &Loaded, statement: StatementId) -> bool {
        let of = |span: Span| innermost(&coarse.statements, span);
        let enters = |(from, to): &(Span, Span)| of(*to) == Some(statement) && of(*from) != Some(statement);
        let vanishes = self.may_vanish(statement) && self.is_in_peeled_loop(statement);
        !vanishes && !coarse.passed.iter().any(enters)
    }

    /// Rounds of a loop that are known beforehand are peeled off it: what is decided by the number of the round is no step there.
    /// In a while loop the rounds have other steps to be seen by.
    fn is_in_peeled_loop(&self, statement: StatementId) -> bool {
        let place = self.fine.statement(statement);
        let around = |kind: fn(&StatementKind) -> bool| {
            let found = self.fine.statements().filter(move |(_, s)| kind(&s.kind) && s.contains(place.first));
            found.map(|(id, _)| id)
        };
        let mut loops = around(|kind| matches!(kind, StatementKind::While(_)));
        around(|kind| *kind == StatementKind::OtherLoop).next().is_some() || loops.any(|id| self.is_peeled(id))
    }

    /// Whether there seem to be several copies of a loop or of something in it.
    fn is_peeled(&self, whole: StatementId) -> bool {
        let whole = self.fine.statement(whole);
        let inside = || self.fine.statements().filter(|(_, s)| whole.contains(s.first));
        let several = |id: ThreadId| inside().any(|(s, _)| entries(&self.fine, id, s).len() > 1);
        self.fine.program().threads().any(|(id, _)| several(id))
    }

    /// Whether an execution may pass a statement without a step. Calls may be macros.
    fn may_vanish(&self, statement: StatementId) -> bool {
        let decides = |text: &str| ["&&", "||", "?", "("].iter().any(|sign| text.contains(sign));
        match self.fine.statement(statement).kind {
            StatementKind::Declaration => false,
            StatementKind::Expression => !self.is_one_access(statement) && decides(&self.fine.text_of(statement)),
            _ => true,
        }
    }

    /// Whether all who pass a statement make exactly one access to what is shared, and call nothing.
    pub fn is_one_access(&self, statement: StatementId) -> bool {
        self.accesses(statement).is_some_and(|numbers| numbers.iter().all(|number| *number == 1))
    }

    /// Whether nobody who passes a statement makes more than one access, or calls anything: nobody can look into the middle of it.
    pub fn is_at_most_one_access(&self, statement: StatementId) -> bool {
        self.accesses(statement).is_some()
    }

    /// The numbers of accesses that executions make in a statement; nothing if more than one, or with a call.
    fn accesses(&self, statement: StatementId) -> Option<BTreeSet<usize>> {
        let is_one =
            self.fine.statement(statement).kind == StatementKind::Expression && self.fine.is_in_text(statement);
        let mut all = BTreeSet::new();
        for (id, _) in self.fine.program().threads().filter(|_| is_one) {
            for first in entries(&self.fine, id, statement) {
                all.extend(self.accesses_from(id, statement, first)?);
            }
        }
        is_one.then_some(all)
    }

    fn accesses_from(&self, id: ThreadId, statement: StatementId, first: LocationId) -> Option<BTreeSet<usize>> {
        let thread = self.fine.program().thread(id);
        let function = &self.fine.statement(statement).function;
        let mut seen = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        let mut work = vec![(first, 0)];
        while let Some((at, before)) = work.pop() {
            if !seen.insert((at, before)) {
                continue;
            }
            for step in thread.from(at) {
                let accesses = before + usize::from(is_access(self.fine.program(), step));
                let next = self.fine.next(id, step.target);
                let called = next.is_some_and(|next| self.fine.statement(next).function != *function);
                if accesses > 1 || called {
                    return None;
                }
                if next == Some(statement) && step.target != first {
                    work.push((step.target, accesses));
                } else {
                    numbers.insert(accesses);
                }
            }
        }
        Some(numbers)
    }
}

/// Whether a step reads or writes what threads share.
fn is_access(program: &Program, step: &Transition) -> bool {
    let written = step.updates.iter().map(|(var, _)| *var);
    step.reads().into_iter().chain(written).any(|var| program.var(var).owner == Owner::Global)
}

/// The locations at which a thread comes to a statement.
fn entries(places: &Places<'_>, id: ThreadId, statement: StatementId) -> BTreeSet<LocationId> {
    let thread = places.program().thread(id);
    let before = |location: LocationId| places.next(id, location) == Some(statement);
    let coming = thread.transitions.iter().filter(|step| before(step.target) && !before(step.source));
    coming.map(|step| step.target).chain([thread.entry].into_iter().filter(|entry| before(*entry))).collect()
}
