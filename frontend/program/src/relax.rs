//! Programs that do more than a program does, and say less.
//!
//! What arrays hold is the dearest thing to reason about, and often no claim needs it: that indices of different threads are in different
//! ranges, or that locks are taken by rising indices, is said of the indices alone. So a program can be had whose arrays are forgotten: a
//! condition that mentions one is left out, and a value that does is any of its variable's type. It has every run of the original, and an
//! error wherever the original has one; variables, locations and threads are the same, so that assertions which prove it prove the original.

use crate::conflict::Conflict;
use crate::model::{Choice, Init, Owner, Program, ThreadId, Transition, Var, VarId, VarKind};
use crate::number::number;
use crate::term::{Sort, Term};

impl Program {
    /// The program with its arrays forgotten; nothing if it has none, or says less than it has to.
    pub fn without_arrays(&self) -> Option<Program> {
        let mut program = self.clone();
        if !program.state_vars().any(|(_, var)| var.sort == Sort::Array) {
            return None;
        }
        for index in 0..program.threads.len() {
            let mut transitions = std::mem::take(&mut program.threads[index].transitions);
            transitions.iter_mut().for_each(|step| program.forget_in(ThreadId(number(index)), step));
            program.threads[index].transitions = transitions;
        }
        let mut conflicts = std::mem::take(&mut program.conflicts);
        conflicts.iter_mut().for_each(|conflict| program.forget_in_conflict(conflict));
        program.conflicts = conflicts;
        program.observed.clear();
        // The copies of a template must be alike, new inputs included.
        let templates = std::mem::take(&mut program.templates);
        program.with_templates(templates).ok()
    }

    fn mentions_array(&self, term: Term) -> bool {
        term.vars().into_iter().any(|var| self.var(var).sort == Sort::Array)
    }

    fn forget_in(&mut self, thread: ThreadId, step: &mut Transition) {
        step.guard.retain(|literal| !self.mentions_array(*literal));
        for defined in &mut step.defined {
            if self.mentions_array(defined.condition) {
                defined.condition = Term::bool(true);
            }
        }
        step.updates.retain(|(var, _)| self.var(*var).sort != Sort::Array);
        for (var, value) in &mut step.updates {
            if self.mentions_array(*value) {
                let any = self.add_input(thread, *var);
                step.inputs.push(any);
                *value = self.term(any);
            }
        }
    }

    /// A value that a thread chooses for one of this variable.
    fn add_input(&mut self, thread: ThreadId, like: VarId) -> VarId {
        let Var { ty, span, .. } = *self.var(like);
        let id = VarId(number(self.vars.len()));
        self.vars.push(Var {
            name: self.fresh_name(&format!("{}::any", self.thread(thread).name)),
            sort: Sort::Int,
            owner: Owner::Input(thread),
            kind: VarKind::Input(Choice::Other),
            ty,
            length: None,
            init: Init::Arbitrary,
            span,
        });
        id
    }

    fn forget_in_conflict(&self, conflict: &mut Conflict) {
        let ways = conflict.at.iter_mut().flat_map(|standing| &mut standing.ways);
        let conditions = ways.map(|way| &mut way.when).chain([&mut conflict.condition]);
        conditions.for_each(|all| all.retain(|literal| !self.mentions_array(*literal)));
    }
}
