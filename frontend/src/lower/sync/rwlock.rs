//! Read-write locks: the writer's id, 0 if there is none, and for each thread that reads how often it holds the lock. A writer
//! waits until all of these are zero. With one counter for all readers, a reader could not know that the count is its own.

use program::{Holder, Term, UbKind};

use super::life::Beginning;
use super::{Object, POSIX, Patience, STATE};
use crate::cfg::Wait;
use crate::hir::{Expr, SyncKind};
use crate::lower::build::ThreadBuilder;

/// The first reader's counter.
const READERS: u32 = 1;

impl ThreadBuilder<'_, '_> {
    pub(super) fn rwlock(&mut self, name: &str, first: &Expr, rest: &[Expr]) -> Option<Term> {
        let lock = self.object(first, SyncKind::RwLock);
        match (name, rest) {
            ("pthread_rwlock_init", [attribute]) => self.lend_attribute(attribute),
            _ => self.lend_records(rest),
        }
        let operation = name.strip_prefix("pthread_rwlock_")?;
        let patience = match operation {
            _ if operation.starts_with("try") => Patience::Try,
            _ if operation.starts_with("timed") || operation.starts_with("clock") => Patience::Timed,
            _ => Patience::Wait,
        };
        if !matches!(operation, "init" | "destroy") {
            self.usable(&lock, Beginning::Static);
        }
        match operation {
            "init" => self.atomically(|this| {
                this.reset(&lock, Term::int(0));
                this.begin(&lock);
            }),
            "destroy" => {
                self.alter(&lock);
                let fields = READERS + u32::try_from(self.low.unit.sync.readers.len()).ok()?;
                self.atomically(|this| {
                    for field in STATE..fields {
                        let held = this.get(&lock, field);
                        this.check(held.eq_to(Term::int(0)), UbKind::Synchronisation);
                    }
                    this.destroy(&lock, Beginning::Static);
                });
            }
            "rdlock" | "tryrdlock" | "timedrdlock" | "clockrdlock" => return self.read_lock(&lock, patience),
            "wrlock" | "trywrlock" | "timedwrlock" | "clockwrlock" => return Some(self.write_lock(&lock, patience)),
            "unlock" => self.unlock_either(&lock),
            _ => return None,
        }
        Some(Term::int(0))
    }

    /// The counter of this thread, if it ever reads.
    fn own_counter(&self) -> Option<u32> {
        let own = self.shared_number();
        let position = self.low.unit.sync.readers.iter().position(|number| *number == own)?;
        Some(READERS + u32::try_from(position).ok()?)
    }

    fn read_lock(&mut self, lock: &Object, patience: Patience) -> Option<Term> {
        let reader = self.shared_number();
        self.low.found.readers.insert(reader);
        // Before all readers are known there is nothing to say: the lowering is repeated.
        let Some(own) = self.own_counter() else { return Some(Term::int(0)) };
        Some(self.atomically(|this| {
            let writer = this.get(lock, STATE);
            this.choose(
                writer.eq_to(Term::int(0)),
                |this| {
                    let held = this.get(lock, own);
                    let more = this.count_up(held);
                    this.set(lock, own, more);
                    Term::int(0)
                },
                |this| {
                    if patience == Patience::Wait {
                        this.blocks_for(writer, "read-write lock");
                    }
                    this.refuse_lock(writer, patience)
                },
            )
        }))
    }

    /// Whether this thread ever locks for writing: one that does not is never the writer.
    fn writes(&self) -> bool {
        self.low.unit.sync.writers.contains(&self.number)
    }

    fn write_lock(&mut self, lock: &Object, patience: Patience) -> Term {
        self.low.found.writers.insert(self.number);
        let counters: Vec<(u32, usize)> = (READERS..).zip(self.low.unit.sync.readers.iter().copied()).collect();
        let id = self.id();
        self.atomically(|this| {
            let writer = this.get(lock, STATE);
            let mut free = vec![writer.eq_to(Term::int(0))];
            let mut readers = Vec::new();
            for (counter, number) in counters {
                let held = this.get(lock, counter);
                free.push(held.le(Term::int(0)));
                readers.push((held, crate::lower::id_of(number)));
            }
            this.choose(
                Term::and(free),
                |this| {
                    this.set(lock, STATE, id);
                    Term::int(0)
                },
                |this| {
                    if patience == Patience::Wait {
                        this.blocks_for(writer, "read-write lock");
                        // Each reader has to leave: that one of them never will is enough.
                        for (held, reader) in readers {
                            let (blocked, holder) = (Term::int(1).le(held), Holder::Owner(reader));
                            this.blocks(Wait { blocked, holder, subject: held, kind: "read-write lock" });
                        }
                    }
                    this.refuse_lock(writer, patience)
                },
            )
        })
    }

    /// What a lock answers that cannot be had. POSIX lets it find out that the thread itself is the writer; glibc does.
    fn refuse_lock(&mut self, writer: Term, patience: Patience) -> Term {
        if patience == Patience::Try {
            return Term::int(POSIX.busy);
        }
        let id = self.id();
        let failure = patience.failure(&POSIX);
        if !self.writes() {
            return self.refuse(failure);
        }
        self.choose(writer.eq_to(id), |_| Term::int(POSIX.deadlock), |this| this.refuse(failure))
    }

    fn unlock_either(&mut self, lock: &Object) {
        let id = self.id();
        self.atomically(|this| {
            let writer = this.get(lock, STATE);
            let Some(own) = this.own_counter() else {
                this.check(writer.eq_to(id), UbKind::Synchronisation);
                return this.set(lock, STATE, Term::int(0));
            };
            let leave = |this: &mut Self| {
                let held = this.get(lock, own);
                this.check(Term::int(1).le(held), UbKind::Synchronisation);
                let less = this.count_down(held);
                this.set(lock, own, less);
                Term::int(0)
            };
            if !this.writes() {
                leave(this);
                return;
            }
            this.choose(
                writer.eq_to(id),
                |this| {
                    this.set(lock, STATE, Term::int(0));
                    Term::int(0)
                },
                leave,
            );
        });
    }
}
