//! Semaphores: the value, and who took it last. The latter means nothing to C; it lets a proof say whose critical section it is
//! where a semaphore is used as a lock.

use program::{Holder, IntType, Term};

use super::life::Beginning;
use super::{POSIX, STATE};
use crate::cfg::Wait;
use crate::hir::{Expr, SyncKind};
use crate::lower::build::ThreadBuilder;

/// Who took it last.
const TAKER: u32 = 1;

impl ThreadBuilder<'_, '_> {
    /// A call on a semaphore.
    pub(super) fn semaphore(&mut self, name: &str, semaphore: &Expr, rest: &[Expr]) -> Option<Term> {
        let object = self.object(semaphore, SyncKind::Semaphore);
        let errno = match (name, rest) {
            ("sem_init", [shared, value]) => {
                self.value(shared);
                let value = self.scalar(value);
                let value = self.convert(value, IntType::new(32, true));
                self.atomically(|this| {
                    this.reset(&object, value);
                    this.begin(&object);
                });
                return Some(Term::int(0));
            }
            ("sem_destroy", []) => {
                self.alter(&object);
                if self.follows_pointers() {
                    self.get(&object, STATE);
                }
                self.atomically(|this| this.destroy(&object, Beginning::Call));
                return Some(Term::int(0));
            }
            ("sem_post", []) => {
                self.atomically(|this| {
                    this.usable(&object, Beginning::Call);
                    let value = this.get(&object, STATE);
                    let more = this.count_up(value);
                    this.set(&object, STATE, more);
                });
                return Some(Term::int(0));
            }
            ("sem_getvalue", [target]) => {
                self.usable(&object, Beginning::Call);
                let value = self.get(&object, STATE);
                self.give_int(target, value);
                return Some(Term::int(0));
            }
            ("sem_wait", []) => None,
            ("sem_trywait", []) => Some(POSIX.again),
            ("sem_timedwait" | "sem_clockwait", time) => {
                self.lend_records(time);
                Some(POSIX.timed_out)
            }
            _ => return None,
        };
        let id = self.id();
        let result = self.atomically(|this| {
            this.usable(&object, Beginning::Call);
            let value = this.get(&object, STATE);
            this.choose(
                Term::int(1).le(value),
                |this| {
                    let less = this.count_down(value);
                    this.set(&object, STATE, less);
                    this.set(&object, TAKER, id);
                    Term::int(0)
                },
                |this| {
                    if errno.is_none() {
                        let (blocked, holder) = (Term::bool(true), Holder::Anyone);
                        this.blocks(Wait { blocked, holder, subject: value, kind: "semaphore" });
                    }
                    this.refuse(errno.map(|_| -1))
                },
            )
        });
        if let Some(errno) = errno {
            self.set_errno(result, errno);
        }
        Some(result)
    }
}
