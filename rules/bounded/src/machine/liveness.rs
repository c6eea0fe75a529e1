//! Which variables can have an influence on whether an error is reached: the others are not executed.

use std::collections::BTreeSet;

use program::{Owner, Program, Term, Thread, ThreadId, Transition, VarId};

/// What matters at all, and which locals matter where.
#[derive(Default)]
pub(crate) struct Liveness {
    matters: Vec<bool>,
    /// By thread and location: the locals that may be read for something that matters before they are written.
    live: Vec<Vec<BTreeSet<VarId>>>,
}

impl Liveness {
    pub(crate) fn new(program: &Program, observed: &[Term]) -> Liveness {
        let mut liveness = Liveness { matters: vec![false; program.var_count()], live: Vec::new() };
        let seen: BTreeSet<VarId> = observed.iter().flat_map(|term| term.vars()).collect();
        liveness.find_what_matters(program, &seen);
        for (id, thread) in program.threads() {
            let live = liveness.live_locals(program, id, thread, &seen);
            liveness.live.push(live);
        }
        liveness
    }

    /// Whether the variable's value can matter anywhere.
    pub(crate) fn matters(&self, var: VarId) -> bool {
        self.matters[var.0 as usize]
    }

    /// Whether it matters what `thread` assigns to the variable on its way to `location`.
    pub(crate) fn is_live(
        &self,
        program: &Program,
        var: VarId,
        thread: ThreadId,
        location: program::LocationId,
    ) -> bool {
        match program.var(var).owner {
            Owner::Local(_) => self.locals(thread, location).contains(&var),
            _ => self.matters(var),
        }
    }

    /// The locals that matter at a location.
    pub(crate) fn locals(&self, thread: ThreadId, location: program::LocationId) -> &BTreeSet<VarId> {
        &self.live[thread.0 as usize][location.0 as usize]
    }

    /// What conditions read, and what flows into that.
    fn find_what_matters(&mut self, program: &Program, seen: &BTreeSet<VarId>) {
        let steps: Vec<&Transition> = program.threads().flat_map(|(_, thread)| &thread.transitions).collect();
        let mut written: Vec<Vec<Term>> = vec![Vec::new(); program.var_count()];
        let mut open: Vec<VarId> = seen.iter().copied().collect();
        for step in steps {
            open.extend(conditions(step));
            for (var, value) in &step.updates {
                written[var.0 as usize].push(*value);
            }
        }
        while let Some(var) = open.pop() {
            if !std::mem::replace(&mut self.matters[var.0 as usize], true) {
                open.extend(std::mem::take(&mut written[var.0 as usize]).into_iter().flat_map(Term::vars));
            }
        }
    }

    fn live_locals(
        &self,
        program: &Program,
        id: ThreadId,
        thread: &Thread,
        seen: &BTreeSet<VarId>,
    ) -> Vec<BTreeSet<VarId>> {
        let is_local = |var: &VarId| program.var(*var).owner == Owner::Local(id);
        let always: BTreeSet<VarId> = seen.iter().copied().filter(is_local).collect();
        let mut live = vec![always; thread.locations.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for step in thread.transitions.iter().rev() {
                let after = &live[step.target.0 as usize];
                let mut needed: BTreeSet<VarId> = conditions(step);
                for (var, value) in &step.updates {
                    if if is_local(var) { after.contains(var) } else { self.matters(*var) } {
                        needed.extend(value.vars());
                    }
                }
                needed.extend(after.iter().copied().filter(|var| step.update(*var).is_none()));
                needed.retain(is_local);
                let known = &mut live[step.source.0 as usize];
                let before = known.len();
                known.extend(needed);
                changed |= known.len() > before;
            }
        }
        live
    }
}

/// What decides whether a step is possible.
fn conditions(step: &Transition) -> BTreeSet<VarId> {
    step.guard.iter().copied().chain(step.defined.iter().map(|d| d.condition)).flat_map(Term::vars).collect()
}
