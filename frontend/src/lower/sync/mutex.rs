//! Mutexes and spin locks. A mutex holds its owner's id, 0 when it is free: with a bit instead, a proof could not tell whose
//! critical section it is without looking at the other threads' locations. Depth and type are there only if the program makes
//! a mutex of another type than the normal one; which one that is, is then decided when it runs.

use program::{Term, UbKind};

use super::life::Beginning;
use super::{C11, Codes, Object, POSIX, Patience, STATE};
use crate::hir::{Expr, SyncKind, Type};
use crate::lower::build::ThreadBuilder;
use crate::memory::{Shape, sync_shape};

/// How often the owner has locked a recursive mutex again.
const DEPTH: u32 = 1;
/// Its type.
const TYPE: u32 = 2;
/// `PTHREAD_MUTEX_RECURSIVE`; 0 is normal and default.
const RECURSIVE: i128 = 1;
/// `PTHREAD_MUTEX_ERRORCHECK`.
const ERRORCHECK: i128 = 2;
/// `PTHREAD_MUTEX_NORMAL`, which is the same number as the default type, but locking such a mutex twice is no misuse: where that matters,
/// a type that was asked for is told from one that was not.
const NORMAL: i128 = 4;

impl crate::lower::Lowering<'_> {
    /// Where a mutex keeps its type. Nothing if that is not known to matter yet: then the lowering is repeated.
    pub(in crate::lower) fn mutex_type_shape(&mut self, kind: SyncKind) -> Option<Shape> {
        self.found.mutex_types |= kind == SyncKind::Mutex;
        (kind == SyncKind::Mutex && self.unit.sync.mutex_types).then(|| sync_shape(self.unit, kind, TYPE))
    }
}

impl ThreadBuilder<'_, '_> {
    /// A call on mutexes, spin locks or their attributes.
    pub(super) fn mutex_call(&mut self, name: &str, first: &Expr, rest: &[Expr]) -> Option<Term> {
        if let Some(operation) = name.strip_prefix("pthread_mutexattr_") {
            return self.mutex_attribute(operation, first, rest);
        }
        let (operation, codes) = match name.split_once("_mutex_").or_else(|| name.split_once("_spin_")) {
            Some((_, operation)) => (operation, &POSIX),
            None => (name.strip_prefix("mtx_")?, &C11),
        };
        let beginning = if name.starts_with("pthread_mutex_") { Beginning::Static } else { Beginning::Call };
        let patience = match operation {
            "lock" => Patience::Wait,
            "trylock" => Patience::Try,
            "timedlock" | "clocklock" => Patience::Timed,
            "init" | "destroy" | "unlock" => {
                let mutex = self.object(first, SyncKind::Mutex);
                return match (operation, rest) {
                    ("init", [how]) => Some(self.initialise_mutex(name, &mutex, how)),
                    ("destroy", []) => Some(self.destroy_mutex(&mutex, beginning)),
                    ("unlock", []) => {
                        self.usable(&mutex, beginning);
                        Some(self.release(&mutex, codes))
                    }
                    _ => None,
                };
            }
            _ => return None,
        };
        let mutex = self.object(first, SyncKind::Mutex);
        self.usable(&mutex, beginning);
        self.lend_records(rest);
        Some(self.acquire(&mutex, patience, codes))
    }

    fn initialise_mutex(&mut self, name: &str, mutex: &Object, how: &Expr) -> Term {
        let how_value = self.scalar(how);
        if let Type::Pointer(_) = how.ty {
            self.lend_attribute_at(how_value);
        }
        let ty = match name {
            "pthread_spin_init" => Term::int(0),
            // mtx_plain, or that and mtx_timed.
            "mtx_init" => match how_value.as_int() {
                Some(ty) => Term::int(ty & RECURSIVE),
                None => how_value.rem(Term::int(2)),
            },
            _ if how_value.as_int() == Some(0) => Term::int(0),
            _ => self.mutex_type_of(how, how_value),
        };
        let typed = self.low.unit.sync.mutex_types;
        self.low.found.mutex_types |= typed || (name == "mtx_init" && ty.as_int() != Some(0));
        self.atomically(|this| {
            this.set(mutex, STATE, Term::int(0));
            if typed {
                this.set(mutex, DEPTH, Term::int(0));
                this.set(mutex, TYPE, ty);
            }
            this.begin(mutex);
        });
        Term::int(0)
    }

    /// The type that an attribute object asks for, if types matter at all.
    fn mutex_type_of(&mut self, attribute: &Expr, address: Term) -> Term {
        if !self.low.unit.sync.mutex_types {
            self.lend_attribute_at(address);
            return Term::int(0);
        }
        self.at(attribute.span, |this| {
            let given = address.ne(Term::int(0));
            let object = this.object_at(address, SyncKind::Attribute);
            this.choose(given, |this| this.get(&object, STATE), |_| Term::int(0))
        })
    }

    fn mutex_attribute(&mut self, operation: &str, attribute: &Expr, rest: &[Expr]) -> Option<Term> {
        match (operation, rest) {
            ("init", []) => {
                let object = self.object(attribute, SyncKind::Attribute);
                self.set(&object, STATE, Term::int(0));
            }
            ("settype", [ty]) => {
                let object = self.object(attribute, SyncKind::Attribute);
                let ty = self.scalar(ty);
                let ty = match self.follows_misuse() {
                    true => Term::ite(ty.eq_to(Term::int(0)), Term::int(NORMAL), ty),
                    false => ty,
                };
                self.low.found.mutex_types |= ty.as_int() != Some(0) || self.low.unit.sync.mutex_types;
                self.set(&object, STATE, ty);
            }
            ("gettype", [target]) => {
                let object = self.object(attribute, SyncKind::Attribute);
                let value = self.get(&object, STATE);
                let value = Term::ite(value.eq_to(Term::int(NORMAL)), Term::int(0), value);
                self.give_int(target, value);
            }
            ("destroy", []) | ("setpshared" | "setprotocol" | "setprioceiling", [_]) => {
                let object = self.object(attribute, SyncKind::Attribute);
                self.alter(&object);
                if self.follows_pointers() {
                    self.get(&object, STATE);
                }
                self.evaluate(rest);
            }
            _ => return None,
        }
        Some(Term::int(0))
    }

    fn destroy_mutex(&mut self, mutex: &Object, beginning: Beginning) -> Term {
        self.alter(mutex);
        self.atomically(|this| {
            let owner = this.get(mutex, STATE);
            this.check(owner.eq_to(Term::int(0)), UbKind::Synchronisation);
            this.destroy(mutex, beginning);
        });
        Term::int(0)
    }

    /// Takes the mutex when it is free; says whether it did.
    fn acquire(&mut self, mutex: &Object, patience: Patience, codes: &Codes) -> Term {
        let id = self.id();
        let typed = self.low.unit.sync.mutex_types;
        if patience == Patience::Wait && !typed {
            self.atomically(|this| {
                let owner = this.get(mutex, STATE);
                if this.follows_misuse() {
                    this.check(owner.ne(id), UbKind::Synchronisation);
                }
                this.blocks_for(owner, "mutex");
                this.wait_until(owner.eq_to(Term::int(0)));
                this.set(mutex, STATE, id);
            });
            return Term::int(0);
        }
        self.atomically(|this| {
            let owner = this.get(mutex, STATE);
            let free = match patience {
                Patience::Try if codes.fickle => Term::and([owner.eq_to(Term::int(0)), this.either()]),
                _ => owner.eq_to(Term::int(0)),
            };
            this.choose(
                free,
                |this| {
                    this.set(mutex, STATE, id);
                    Term::int(0)
                },
                |this| match typed {
                    true => this.choose(
                        owner.eq_to(id),
                        |this| this.acquire_again(mutex, patience, codes),
                        |this| this.refuse_held(owner, patience, codes),
                    ),
                    false => this.refuse_held(owner, patience, codes),
                },
            )
        })
    }

    /// A mutex that somebody holds.
    fn refuse_held(&mut self, owner: Term, patience: Patience, codes: &Codes) -> Term {
        if patience == Patience::Wait {
            self.blocks_for(owner, "mutex");
        }
        self.refuse(patience.failure(codes))
    }

    /// Locks a mutex that the thread holds already.
    fn acquire_again(&mut self, mutex: &Object, patience: Patience, codes: &Codes) -> Term {
        let ty = self.get(mutex, TYPE);
        self.choose(
            ty.eq_to(Term::int(RECURSIVE)),
            |this| {
                let depth = this.get(mutex, DEPTH);
                let more = this.count_up(depth);
                this.set(mutex, DEPTH, more);
                Term::int(0)
            },
            |this| {
                this.choose(
                    ty.eq_to(Term::int(ERRORCHECK)),
                    |_| Term::int(if patience == Patience::Try { codes.busy } else { codes.deadlock }),
                    |this| {
                        if patience == Patience::Wait && this.follows_misuse() {
                            this.check(ty.eq_to(Term::int(NORMAL)), UbKind::Synchronisation);
                        }
                        let owner = this.get(mutex, STATE);
                        this.refuse_held(owner, patience, codes)
                    },
                )
            },
        )
    }

    fn release(&mut self, mutex: &Object, codes: &Codes) -> Term {
        let id = self.id();
        if !self.low.unit.sync.mutex_types {
            self.atomically(|this| {
                let owner = this.get(mutex, STATE);
                this.check(owner.eq_to(id), UbKind::Synchronisation);
                this.set(mutex, STATE, Term::int(0));
            });
            return Term::int(0);
        }
        self.atomically(|this| {
            let owner = this.get(mutex, STATE);
            let free = |this: &mut Self| {
                let depth = this.get(mutex, DEPTH);
                this.choose(
                    depth.le(Term::int(0)),
                    |this| {
                        this.set(mutex, STATE, Term::int(0));
                        Term::int(0)
                    },
                    |this| {
                        let less = this.count_down(depth);
                        this.set(mutex, DEPTH, less);
                        Term::int(0)
                    },
                )
            };
            let wrong = |this: &mut Self| {
                let ty = this.get(mutex, TYPE);
                this.check(ty.within(RECURSIVE, ERRORCHECK), UbKind::Synchronisation);
                Term::int(codes.not_owner)
            };
            this.choose(owner.eq_to(id), free, wrong)
        })
    }

    /// Gives the mutex up, and takes it back at some later time.
    pub(super) fn sleep_on(&mut self, mutex: &Object, condition: &Object, patience: Patience) {
        let id = self.id();
        let typed = self.low.unit.sync.mutex_types;
        self.atomically(|this| {
            let owner = this.get(mutex, STATE);
            this.check(owner.eq_to(id), UbKind::Synchronisation);
            if typed {
                // A mutex that was locked twice would not be free: POSIX leaves open what a wait does then.
                let depth = this.get(mutex, DEPTH);
                this.check(depth.eq_to(Term::int(0)), UbKind::Synchronisation);
            }
            this.set(mutex, STATE, Term::int(0));
            this.sleeps(condition, 1);
        });
        if self.follows_deadlocks() {
            self.wake(condition, patience);
        }
        self.atomically(|this| {
            let owner = this.get(mutex, STATE);
            this.blocks_for(owner, "mutex");
            this.wait_until(owner.eq_to(Term::int(0)));
            this.set(mutex, STATE, id);
            this.sleeps(condition, 0);
        });
    }
}
