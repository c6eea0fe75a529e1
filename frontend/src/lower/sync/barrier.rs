//! Barriers: how many threads it waits for, whether one of those that have come is the one to be told so, and for each thread
//! whether it waits. The last one to come lets the others go by clearing their bits. Which thread is told is open in POSIX: each
//! may claim it when it comes, and the last must if nobody has.

use program::{Holder, IntType, Term, UbKind};

use super::STATE;
use super::life::Beginning;
use crate::cfg::Wait;
use crate::hir::{Expr, SyncKind};
use crate::lower::build::ThreadBuilder;

/// Whether the serial thread of this round has been chosen.
const SERIAL: u32 = 1;
/// `PTHREAD_BARRIER_SERIAL_THREAD`.
const SERIAL_THREAD: i128 = -1;

impl ThreadBuilder<'_, '_> {
    /// A call on a barrier.
    pub(super) fn barrier(&mut self, name: &str, barrier: &Expr, rest: &[Expr]) -> Option<Term> {
        let object = self.object(barrier, SyncKind::Barrier);
        match (name, rest) {
            ("pthread_barrier_init", [attribute, count]) => {
                self.lend_attribute(attribute);
                let count = self.scalar(count);
                let count = self.convert(count, IntType::new(32, true));
                self.atomically(|this| {
                    this.reset(&object, count);
                    this.begin(&object);
                });
                return Some(Term::int(0));
            }
            ("pthread_barrier_destroy", []) => {
                self.alter(&object);
                if !self.follows_misuse() && !self.follows_pointers() {
                    return Some(Term::int(0));
                }
                let waiting = self.low.unit.sync.arriving.len();
                self.atomically(|this| {
                    this.get(&object, STATE);
                    for bit in (SERIAL + 1..).take(waiting) {
                        let waits = this.get(&object, bit);
                        this.check(waits.eq_to(Term::int(0)), UbKind::Synchronisation);
                    }
                    this.destroy(&object, Beginning::Call);
                });
                return Some(Term::int(0));
            }
            ("pthread_barrier_wait", []) if self.is_copy() => {
                self.unsupported("a barrier at which any number of threads wait");
                return Some(Term::int(0));
            }
            ("pthread_barrier_wait", []) => self.usable(&object, Beginning::Call),
            _ => return None,
        }
        let threads = self.low.unit.sync.arriving.clone();
        self.low.found.arriving.insert(self.number);
        // Before all waiting threads are known there is nothing to say: the lowering is repeated.
        let Some(position) = threads.iter().position(|number| *number == self.number) else {
            return Some(Term::int(0));
        };
        let own = SERIAL + 1 + u32::try_from(position).ok()?;
        let bits = SERIAL + 1..SERIAL + 1 + u32::try_from(threads.len()).ok()?;
        let result = self.atomically(|this| {
            let count = this.get(&object, STATE);
            this.check(Term::int(1).le(count), UbKind::Synchronisation);
            let others: Vec<u32> = bits.filter(|bit| *bit != own).collect();
            let waiting = others.iter().fold(Term::int(1), |sum, bit| {
                let bit = this.get(&object, *bit);
                sum.add(bit)
            });
            let claimed = this.get(&object, SERIAL);
            let nobody = claimed.eq_to(Term::int(0));
            this.choose(
                count.le(waiting),
                |this| {
                    others.iter().for_each(|bit| this.set(&object, *bit, Term::int(0)));
                    this.set(&object, SERIAL, Term::int(0));
                    this.choose(nobody, |_| Term::int(SERIAL_THREAD), |_| Term::int(0))
                },
                |this| {
                    this.set(&object, own, Term::int(1));
                    let claim = this.either();
                    this.choose(
                        Term::and([claim, nobody]),
                        |this| {
                            this.set(&object, SERIAL, Term::int(1));
                            Term::int(SERIAL_THREAD)
                        },
                        |_| Term::int(0),
                    )
                },
            )
        });
        self.atomically(|this| {
            let waits = this.get(&object, own);
            let blocked = waits.ne(Term::int(0));
            this.blocks(Wait { blocked, holder: Holder::Anyone, subject: waits, kind: "barrier" });
            this.wait_until(waits.eq_to(Term::int(0)));
        });
        Some(result)
    }
}
