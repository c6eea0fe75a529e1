//! `pthread_once` and `call_once`: nobody goes on before the routine has returned. The flag holds who runs it.

use program::{Holder, Term};

use super::STATE;
use crate::cfg::Wait;
use crate::hir::{Expr, SyncKind, Type};
use crate::lower::build::ThreadBuilder;

/// What the flag holds when the routine has returned.
const DONE: i128 = -1;

impl ThreadBuilder<'_, '_> {
    /// A call that runs a routine the first time.
    pub(super) fn once_call(&mut self, name: &str, flag: &Expr, rest: &[Expr]) -> Option<Term> {
        let ("pthread_once" | "call_once", [routine]) = (name, rest) else { return None };
        let flag = self.object(flag, SyncKind::Once);
        let address = self.scalar(routine);
        let id = self.id();
        let first = self.atomically(|this| {
            let state = this.get(&flag, STATE);
            this.choose(
                state.eq_to(Term::int(0)),
                |this| {
                    this.set(&flag, STATE, id);
                    Term::int(1)
                },
                |this| {
                    let (blocked, holder) = (state.ne(Term::int(DONE)), Holder::Owner(state));
                    this.blocks(Wait { blocked, holder, subject: state, kind: "once flag" });
                    this.wait_until(state.eq_to(Term::int(DONE)));
                    Term::int(0)
                },
            )
        });
        let (run, done) = (self.label(), self.label());
        self.branch(first.eq_to(Term::int(1)), run, done);
        self.land(run);
        self.call_address(address, &routine.ty, &[], &Type::Void);
        self.set(&flag, STATE, Term::int(DONE));
        self.land(done);
        Some(Term::int(0))
    }
}
