//! Synchronisation objects of POSIX and C11: which calls there are, and the small language in which their models are written.
//!
//! A model is a few atomic sections over the object's state. The state is chosen so that thread-modular proofs exist: a proof
//! about one thread must see from the shared state alone what the others can do. So whatever a thread can hold has that
//! thread's mark on it: a mutex its owner's id, a read-write lock a counter for each reader, a barrier a bit for each thread
//! that waits, a semaphore the id of the last thread that took it. Counts alone would not do: from "one reader" no reader can
//! conclude that it is that one, and that nobody else can leave.
//!
//! What may fail is what the standards let fail: tries, timed calls, and what the type of a mutex makes an error. A timed call
//! fails where a try would: it may wait for as long as it likes, and give up at any moment at which it cannot go on.

mod barrier;
mod keys;
mod life;
mod mutex;
mod once;
mod rwlock;
mod semaphore;

use program::{Holder, Init, IntType, Property, Term, UbKind, VarKind};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::place::Spot;
use crate::cfg::{Manner, Step, Wait};
use crate::hir::{Expr, SyncKind, Type};
use crate::memory::{Named, ObjectId, sync_shape};
use life::Beginning;

/// What calls answer.
pub(super) struct Codes {
    /// A lock that is taken.
    pub(super) busy: i128,
    /// A timed call that gave up.
    pub(super) timed_out: i128,
    /// An unlock by a thread that does not hold the mutex.
    pub(super) not_owner: i128,
    /// A lock that the thread itself holds.
    pub(super) deadlock: i128,
    /// A thread that cannot be created.
    pub(super) again: i128,
    /// A handle of no thread.
    pub(super) no_thread: i128,
    /// Whether a try may fail although the lock is free [C11, 7.26.4.5].
    pub(super) fickle: bool,
}

/// errno's values on Linux.
pub(super) const POSIX: Codes =
    Codes { busy: 16, timed_out: 110, not_owner: 1, deadlock: 35, again: 11, no_thread: 3, fickle: false };
/// `thrd_busy`, `thrd_timedout`, `thrd_error`, `thrd_nomem`.
pub(super) const C11: Codes =
    Codes { busy: 1, timed_out: 4, not_owner: 2, deadlock: 2, again: 3, no_thread: 2, fickle: true };

/// What a call does while it cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// It waits.
    Wait,
    /// It fails.
    Try,
    /// It waits or fails.
    Timed,
}

impl Patience {
    /// What a failing call answers; nothing for one that waits for ever.
    pub(super) fn failure(self, codes: &Codes) -> Option<i128> {
        match self {
            Patience::Wait => None,
            Patience::Try => Some(codes.busy),
            Patience::Timed => Some(codes.timed_out),
        }
    }
}

/// A synchronisation object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    spot: Spot,
    kind: SyncKind,
}

/// The state of objects that have a single number, and the first part of the others: an owner, a writer, a count.
pub(super) const STATE: u32 = 0;

impl ThreadBuilder<'_, '_> {
    /// A call on synchronisation objects, if it is one that is modelled.
    pub(super) fn sync_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        if name.ends_with("_init") || name.ends_with("_destroy") || name.contains("attr_") {
            return self.plainly(|this| this.synchronise(name, arguments, ty));
        }
        self.synchronise(name, arguments, ty)
    }

    fn synchronise(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let result = match (name.split_once('_')?.0, arguments) {
            ("pthread", _) if name.contains("_key_") || name.ends_with("specific") => {
                return self.key_call(name, arguments, ty);
            }
            ("pthread", [first, rest @ ..]) if name.starts_with("pthread_cond_") => {
                self.condition(name, first, rest)?
            }
            ("pthread", [first, rest @ ..]) if name.starts_with("pthread_rwlock_") => self.rwlock(name, first, rest)?,
            ("pthread", [first, rest @ ..]) if name.starts_with("pthread_barrier_") => {
                self.barrier(name, first, rest)?
            }
            ("pthread" | "mtx", [first, rest @ ..]) => match self.mutex_call(name, first, rest) {
                Some(result) => result,
                None => self.once_call(name, first, rest)?,
            },
            ("cnd", [first, rest @ ..]) => self.condition(name, first, rest)?,
            ("call", [first, rest @ ..]) => self.once_call(name, first, rest)?,
            ("sem", [first, rest @ ..]) => self.semaphore(name, first, rest)?,
            ("tss", _) => return self.key_call(name, arguments, ty),
            _ => return None,
        };
        Some(if *ty == Type::Void { Value::Void } else { Value::Scalar(result) })
    }

    /// The object that an argument points to.
    pub(super) fn object(&mut self, pointer: &Expr, kind: SyncKind) -> Object {
        let address = self.scalar(pointer);
        self.object_at(address, kind)
    }

    pub(super) fn object_at(&mut self, address: Term, kind: SyncKind) -> Object {
        Object { spot: self.spot_at(address), kind }
    }

    /// Stores an int where an argument points to.
    pub(super) fn give_int(&mut self, target: &Expr, value: Term) {
        let address = self.scalar(target);
        let spot = self.spot_at(address);
        if let Some(shape) = self.low.scalar_shape(&Type::Int(IntType::new(32, true))) {
            self.write(&spot, shape, value);
        }
    }

    /// A part of an object's state.
    pub(super) fn get(&mut self, object: &Object, field: u32) -> Term {
        let shape = sync_shape(self.low.unit, object.kind, field);
        self.touching(self.sync_manner, |this| this.read(&object.spot, shape))
    }

    pub(super) fn set(&mut self, object: &Object, field: u32, value: Term) {
        let shape = sync_shape(self.low.unit, object.kind, field);
        self.touching(self.sync_manner, |this| this.write(&object.spot, shape, value));
    }

    /// Runs `body`, a call that initialises or destroys synchronisation objects: that orders nothing.
    pub(super) fn plainly<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.sync_manner, Manner::Plain);
        let result = body(self);
        self.sync_manner = outer;
        result
    }

    /// Writes an object without a change, where it is asked who touches it.
    pub(super) fn alter(&mut self, object: &Object) {
        if self.tells_accesses() {
            self.plainly(|this| {
                this.atomically(|this| {
                    let state = this.get(object, STATE);
                    this.set(object, STATE, state);
                });
            });
        }
    }

    pub(super) fn wait_until(&mut self, cond: Term) {
        self.emit(Step::Assume(cond));
    }

    /// Whether deadlocks are looked for.
    pub(in crate::lower) fn follows_deadlocks(&self) -> bool {
        self.low.config.asks(Property::NoDeadlock)
    }

    /// Says that the thread waits here while this holds, if somebody wants to know.
    pub(in crate::lower) fn blocks(&mut self, wait: Wait) {
        if self.follows_deadlocks() {
            self.emit(Step::Wait(wait));
        }
    }

    /// Says that the thread waits here for what the thread with this id holds, 0 for none.
    pub(super) fn blocks_for(&mut self, owner: Term, kind: &'static str) {
        let blocked = owner.ne(Term::int(0));
        self.blocks(Wait { blocked, holder: Holder::Owner(owner), subject: owner, kind });
    }

    /// The value of `then` if the condition holds, else that of `otherwise`. A side that never goes on gives nothing.
    pub(super) fn choose(
        &mut self,
        cond: Term,
        then: impl FnOnce(&mut Self) -> Term,
        otherwise: impl FnOnce(&mut Self) -> Term,
    ) -> Term {
        let result = self.temporary(IntType::new(32, true), "result");
        let (yes, no, done) = (self.label(), self.label(), self.label());
        self.branch(cond, yes, no);
        self.land(yes);
        let value = then(self);
        self.emit(Step::Assign(result, value));
        self.jump(done);
        self.land(no);
        if self.is_live() {
            let value = otherwise(self);
            self.emit(Step::Assign(result, value));
        }
        self.land(done);
        self.low.memory.term(result)
    }

    /// Anything may be the case.
    pub(super) fn either(&mut self) -> Term {
        self.decision(IntType::new(1, false), "chance", program::Choice::Chance).eq_to(Term::int(1))
    }

    /// Waits for ever, or fails.
    pub(super) fn refuse(&mut self, failure: Option<i128>) -> Term {
        if failure.is_none() {
            self.wait_until(Term::bool(false));
        }
        Term::int(failure.unwrap_or(0))
    }

    /// A counter that goes up by one. More than fits is misuse.
    pub(super) fn count_up(&mut self, value: Term) -> Term {
        let most = i128::from(i32::MAX);
        self.check(value.within(0, most - 1), UbKind::Synchronisation);
        self.in_range(value.add(Term::int(1)), 1, most)
    }

    /// A counter that is not zero goes down by one.
    pub(super) fn count_down(&mut self, value: Term) -> Term {
        self.in_range(value.sub(Term::int(1)), 0, i128::from(i32::MAX) - 1)
    }

    /// Notes what is known about a term, so that it is not cut to its width.
    fn in_range(&mut self, term: Term, least: i128, most: i128) -> Term {
        self.checked.insert(term, (least, most));
        term
    }

    /// All parts of an object's state to zero, but for the first.
    pub(super) fn reset(&mut self, object: &Object, state: Term) {
        let fields = self.low.unit.sync_fields(object.kind).len();
        self.set(object, STATE, state);
        for field in (1u32..).take(fields - 1) {
            self.set(object, field, Term::int(0));
        }
    }

    /// A condition variable. Waiters may wake up at any time without a signal [POSIX, pthread_cond_wait; C11, 7.26.3.6], so what
    /// a signal adds is nothing: a wait is an unlock and a lock, and the variable has no state. But where deadlocks are looked for it
    /// matters who waits: no wake-up is owed without a signal.
    fn condition(&mut self, name: &str, condition: &Expr, rest: &[Expr]) -> Option<Term> {
        let codes = if name.starts_with("cnd_") { &C11 } else { &POSIX };
        let operation = name.trim_start_matches("pthread_cond_").trim_start_matches("cnd_");
        let condition = self.object(condition, SyncKind::Condition);
        match operation {
            "init" | "destroy" => self.alter(&condition),
            _ if self.tells_accesses() => drop(self.get(&condition, STATE)),
            _ => {}
        }
        if self.follows_pointers() {
            self.get(&condition, STATE);
        }
        let beginning = if name.starts_with("cnd_") { Beginning::Call } else { Beginning::Static };
        if !matches!(operation, "init" | "destroy") {
            self.usable(&condition, beginning);
        }
        match (operation, rest) {
            ("init", _) => {
                rest.iter().for_each(|attribute| self.lend_attribute(attribute));
                self.wake_all(&condition);
                self.begin(&condition);
                Some(Term::int(0))
            }
            ("destroy", []) => {
                self.destroy_condition(&condition, beginning);
                Some(Term::int(0))
            }
            ("signal", []) => {
                self.wake_one(&condition);
                Some(Term::int(0))
            }
            ("broadcast", []) => {
                self.wake_all(&condition);
                Some(Term::int(0))
            }
            ("wait", [mutex]) => {
                let mutex = self.object(mutex, SyncKind::Mutex);
                self.sleep_on(&mutex, &condition, Patience::Wait);
                Some(Term::int(0))
            }
            ("timedwait" | "clockwait", [mutex, time @ ..]) => {
                let mutex = self.object(mutex, SyncKind::Mutex);
                self.lend_records(time);
                self.sleep_on(&mutex, &condition, Patience::Timed);
                let late = self.either();
                Some(self.choose(late, |_| Term::int(codes.timed_out), |_| Term::int(0)))
            }
            _ => None,
        }
    }

    /// errno, if the call has failed and the file can look at it.
    pub(super) fn set_errno(&mut self, result: Term, code: i128) {
        let (failed, done) = (self.label(), self.label());
        self.branch(result.eq_to(Term::int(0)), done, failed);
        self.land(failed);
        let object = self.errno();
        if let Some(shape) = self.low.scalar_shape(&Type::Int(IntType::new(32, true))) {
            self.write(&super::place::known(object), shape, Term::int(code));
        }
        self.land(done);
    }

    /// This thread's errno: the variable of our header, or what glibc's `__errno_location` points to.
    pub(super) fn errno(&mut self) -> ObjectId {
        let index = self.low.unit.globals.iter().position(|global| global.name == "errno");
        if let Some(index) = index.and_then(|index| u32::try_from(index).ok()) {
            return self.global(crate::hir::GlobalId(index));
        }
        if let Some(object) = self.errno {
            return object;
        }
        let named = Named { name: "errno", span: self.span, kind: VarKind::User, private: false };
        let int = Type::Int(IntType::new(32, true));
        let object = self.low.memory.allocate(self.low.unit, &int, &named, Init::Value(Term::int(0)));
        self.low.memory.objects[object.0 as usize].own = true;
        self.errno = Some(object);
        object
    }
}
