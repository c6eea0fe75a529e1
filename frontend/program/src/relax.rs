//! Programs that do more than a program does, and say less.
//!
//! What arrays hold is the dearest thing to reason about, and often no claim needs it: that indices of different threads are in different
//! ranges, or that locks are taken by rising indices, is said of the indices alone. So a program can be had whose arrays are forgotten, and
//! with them each variable that is ever given a value which depends on one: no step writes what is forgotten, and a condition that mentions
//! it is left out. It has every run of the original as far as the other variables tell, and an error wherever the original has one;
//! variables, locations and threads are the same, so that assertions about the others which prove it prove the original.

use std::collections::BTreeSet;

use crate::conflict::Conflict;
use crate::model::{Init, Program, Transition, VarId};
use crate::term::{Sort, Term};

impl Program {
    /// The program with its arrays forgotten; nothing if it has none.
    pub fn without_arrays(&self) -> Option<Program> {
        let forgotten = self.depending_on_arrays();
        if forgotten.is_empty() {
            return None;
        }
        let mut program = self.clone();
        let transitions = program.threads.iter_mut().flat_map(|thread| &mut thread.transitions);
        transitions.for_each(|step| forget_in(step, &forgotten));
        program.conflicts.iter_mut().for_each(|conflict| forget_in_conflict(conflict, &forgotten));
        forgotten.iter().for_each(|var| program.vars[var.0 as usize].init = Init::Arbitrary);
        program.observed.clear();
        Some(program)
    }

    /// The arrays, and what is given values that depend on what is in them.
    fn depending_on_arrays(&self) -> BTreeSet<VarId> {
        let arrays = self.state_vars().filter(|(_, var)| var.sort == Sort::Array);
        let mut found: BTreeSet<VarId> = arrays.map(|(id, _)| id).collect();
        loop {
            let updates = self.threads().flat_map(|(_, thread)| &thread.transitions).flat_map(|step| &step.updates);
            let given = updates.filter(|(_, value)| mentions(*value, &found)).map(|(var, _)| *var);
            let more: BTreeSet<VarId> = given.filter(|var| !found.contains(var)).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }
}

fn mentions(term: Term, forgotten: &BTreeSet<VarId>) -> bool {
    term.vars().iter().any(|var| forgotten.contains(var))
}

fn forget_in(step: &mut Transition, forgotten: &BTreeSet<VarId>) {
    step.guard.retain(|literal| !mentions(*literal, forgotten));
    // The conditions keep their numbers.
    let lost = step.defined.iter_mut().filter(|defined| mentions(defined.condition, forgotten));
    lost.for_each(|defined| defined.condition = Term::bool(true));
    step.updates.retain(|(var, _)| !forgotten.contains(var));
}

fn forget_in_conflict(conflict: &mut Conflict, forgotten: &BTreeSet<VarId>) {
    let ways = conflict.at.iter_mut().flat_map(|standing| &mut standing.ways);
    let conditions = ways.map(|way| &mut way.when).chain([&mut conflict.condition]);
    conditions.for_each(|all| all.retain(|literal| !mentions(*literal, forgotten)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Location, LocationId, LocationKind, Owner, Span, Thread, ThreadId, Var, VarKind};
    use crate::term::IntType;

    fn var(name: &str, sort: Sort, length: Option<u64>) -> Var {
        let zero = Term::int(0);
        let init = Init::Value(if sort == Sort::Array { Term::const_array(zero) } else { zero });
        let ty = IntType::new(32, true);
        let (owner, kind) = (Owner::Global, VarKind::User);
        Var { name: name.into(), sort, owner, kind, ty, length, init, span: Span::default() }
    }

    /// `[a[i] == 0] x := a[i], i := 1`, then `[x == 0, i == 1] y := x`.
    #[test]
    fn what_depends_on_an_array_is_forgotten_and_nothing_else() {
        let vars = vec![
            var("a", Sort::Array, Some(4)),
            var("i", Sort::Int, None),
            var("x", Sort::Int, None),
            var("y", Sort::Int, None),
        ];
        let [i, x] = [1, 2].map(|id| Term::var(VarId(id), Sort::Int));
        let element = Term::var(VarId(0), Sort::Array).select(i);
        let is = |term: Term, value: i128| term.eq_to(Term::int(value));
        let step = |source: u32, guard: Vec<Term>, updates: Vec<(VarId, Term)>| Transition {
            source: LocationId(source),
            target: LocationId(source + 1),
            inputs: Vec::new(),
            guard,
            updates,
            defined: Vec::new(),
            span: Span::default(),
        };
        let first = step(0, vec![is(element, 0)], vec![(VarId(2), element), (VarId(1), Term::int(1))]);
        let second = step(1, vec![is(x, 0), is(i, 1)], vec![(VarId(3), x)]);
        let location = Location { kind: LocationKind::Plain, span: Span::default() };
        let thread = Thread {
            name: "main".into(),
            entry: LocationId(0),
            locations: vec![location; 3],
            transitions: vec![first, second],
            span: Span::default(),
        };
        let program = Program::new(vec!["a.c".into()], vars, vec![thread]).unwrap();
        let relaxed = program.without_arrays().unwrap();
        let steps = &relaxed.thread(ThreadId(0)).transitions;
        assert_eq!(
            (steps[0].guard.as_slice(), steps[0].updates.as_slice()),
            (&[][..], &[(VarId(1), Term::int(1))][..])
        );
        assert_eq!((steps[1].guard.as_slice(), steps[1].updates.as_slice()), (&[is(i, 1)][..], &[][..]));
    }
}
