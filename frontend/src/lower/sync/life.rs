//! The lives of synchronisation objects: where misuse is a matter of the property, each says whether it has been initialised or
//! destroyed. The zeros of an object with static storage are as good as a static initialiser, for those that have one.

use program::{Holder, Property, Term, UbKind};

use super::{Object, Patience};
use crate::cfg::{Step, Wait};
use crate::hir::SyncKind;
use crate::lower::build::ThreadBuilder;

/// It has been initialised by a call.
const BEGUN: i128 = 1;
/// It has been destroyed.
const GONE: i128 = -1;

/// How objects of a type come to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// By an initialiser that is all zeros, or by a call.
    Static,
    /// By a call only.
    Call,
}

impl ThreadBuilder<'_, '_> {
    /// Whether misuse is looked for.
    pub(in crate::lower) fn follows_misuse(&self) -> bool {
        self.low.config.asks(Property::NoMisuse)
    }

    /// Where an object says whether it is there; nothing if it does not, or not yet: then the lowering is repeated.
    fn life_field(&mut self, kind: SyncKind) -> Option<u32> {
        let has_life = self.follows_misuse() && self.low.unit.sync.lives;
        has_life.then(|| u32::try_from(self.low.unit.sync_fields(kind).len()).unwrap_or_default() - 1)
    }

    /// An object is used: it must have been initialised, and not destroyed since.
    pub(super) fn usable(&mut self, object: &Object, beginning: Beginning) {
        if let Some(field) = self.life_field(object.kind) {
            let life = self.get(object, field);
            self.misuse_unless(match beginning {
                Beginning::Static => life.within(0, BEGUN),
                Beginning::Call => life.eq_to(Term::int(BEGUN)),
            });
        }
    }

    /// An object has been initialised.
    pub(super) fn begin(&mut self, object: &Object) {
        if let Some(field) = self.life_field(object.kind) {
            self.set(object, field, Term::int(BEGUN));
        }
    }

    /// An object is destroyed, in whose use nobody is.
    pub(super) fn destroy(&mut self, object: &Object, beginning: Beginning) {
        self.usable(object, beginning);
        if let Some(field) = self.life_field(object.kind) {
            self.set(object, field, Term::int(GONE));
        }
    }

    pub(super) fn misuse_unless(&mut self, condition: Term) {
        self.check(condition, UbKind::Synchronisation);
    }

    /// This thread's bit among those that wait for a condition; nothing if nobody destroys one, or it is not known yet that it waits.
    fn sleeping_field(&mut self) -> Option<u32> {
        if !self.follows_misuse() && !self.follows_deadlocks() {
            return None;
        }
        self.low.found.ends_conditions |= self.follows_deadlocks();
        if self.is_copy() && self.low.unit.sync.ends_conditions {
            self.unsupported("waiting for a condition by any number of threads, where it matters who waits");
            return None;
        }
        self.low.found.sleepers.insert(self.number);
        let position = self.low.unit.sync.sleepers.iter().position(|number| *number == self.number)?;
        let known = self.low.unit.sync.ends_conditions;
        known.then(|| 1 + u32::try_from(position).unwrap_or_default())
    }

    fn sleeping_fields(&self) -> Vec<u32> {
        let count = if self.low.unit.sync.ends_conditions { self.low.unit.sync.sleepers.len() } else { 0 };
        (1u32..).take(count).collect()
    }

    /// This thread begins to wait for a condition, or has been woken.
    pub(super) fn sleeps(&mut self, condition: &Object, value: i128) {
        if let Some(field) = self.sleeping_field() {
            self.set(condition, field, Term::int(value));
        }
    }

    /// Waits for a signal. To wake up without one is possible, but never owed; time that is up is.
    pub(super) fn wake(&mut self, condition: &Object, patience: Patience) {
        let Some(field) = self.sleeping_field() else { return };
        self.atomically(|this| {
            let asleep = this.get(condition, field);
            let blocked = asleep.ne(Term::int(0));
            if patience == Patience::Wait {
                let holder = Holder::Anyone;
                this.blocks(Wait { blocked, holder, subject: asleep, kind: "condition variable" });
            }
            let (still, done) = (this.label(), this.label());
            this.branch(blocked, still, done);
            this.land(still);
            this.set(condition, field, Term::int(0));
            this.land(done);
        });
    }

    /// Wakes all threads that wait for a condition.
    pub(super) fn wake_all(&mut self, condition: &Object) {
        let fields = self.sleeping_fields();
        if !fields.is_empty() {
            self.atomically(|this| fields.iter().for_each(|field| this.set(condition, *field, Term::int(0))));
        }
    }

    /// Wakes one of the threads that wait for a condition, if there are any.
    pub(super) fn wake_one(&mut self, condition: &Object) {
        let fields = self.sleeping_fields();
        if fields.is_empty() {
            return;
        }
        let done = self.label();
        self.emit(Step::AtomicBegin);
        let mut waiting = Term::int(0);
        for field in &fields {
            let bit = self.get(condition, *field);
            waiting = waiting.add(bit);
            let (set, this_one, next) = (self.label(), self.label(), self.label());
            self.branch(bit.eq_to(Term::int(1)), set, next);
            self.land(set);
            let chosen = self.either();
            self.branch(chosen, this_one, next);
            self.land(this_one);
            self.set(condition, *field, Term::int(0));
            self.jump(done);
            self.land(next);
        }
        // Nobody was chosen: nobody waits.
        self.emit(Step::Assume(waiting.le(Term::int(0))));
        self.land(done);
        self.emit(Step::AtomicEnd);
    }

    /// A condition variable is destroyed, for which nobody waits.
    pub(super) fn destroy_condition(&mut self, condition: &Object, beginning: Beginning) {
        if !self.follows_misuse() {
            return;
        }
        self.low.found.ends_conditions = true;
        let fields = self.sleeping_fields();
        self.atomically(|this| {
            for field in fields {
                let waits = this.get(condition, field);
                this.misuse_unless(waits.eq_to(Term::int(0)));
            }
            this.destroy(condition, beginning);
        });
    }
}
