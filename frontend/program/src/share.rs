//! Counters that several threads add to: what each thread has added is an auxiliary variable [OG].
//!
//! A thread cannot know what others have added to a counter, unless by a case for each combination of the places where they are.
//! With a variable of each thread for its own share, one equation says it: the counter is its initial value and the sum of the
//! shares. Shares are written and never read, so a program with them has the same executions as one without.

use std::collections::BTreeMap;

use crate::model::{Bookkeeping, Init, LocationId, Owner, Program, Thread, ThreadId, Transition, Var, VarId, VarKind};
use crate::term::{IntType, Sort, Term};

/// A counter with the shares of the threads that add to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCounter {
    /// The counter.
    pub var: VarId,
    /// Its initial value.
    pub initial: i128,
    /// What each thread has added.
    pub shares: Vec<Share>,
}

/// What a thread has added to a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The thread.
    pub thread: ThreadId,
    /// The auxiliary variable.
    pub var: VarId,
    /// Its least value.
    pub least: i128,
    /// Its greatest value.
    pub greatest: i128,
}

impl SharedCounter {
    /// The equation that always holds: the counter is its initial value and the sum of the shares.
    pub fn equation(&self, program: &Program) -> Term {
        let sum = self.shares.iter().fold(Term::int(self.initial), |sum, share| sum.add(program.term(share.var)));
        program.term(self.var).eq_to(sum)
    }
}

impl Program {
    /// The program with a share for each thread that adds to a counter which another thread adds to as well. Threads that add
    /// without bound have none, nor have the counters they add to, nor the threads of templates.
    pub fn with_shares(self) -> Program {
        let mut program = self;
        // The copies of a template must stay alike.
        if !program.templates().is_empty() {
            return program;
        }
        let globals: Vec<VarId> = program.globals().collect();
        for var in globals {
            let Some((_, adding)) = adding(&program, var) else { continue };
            for (thread, _) in adding {
                let share = VarId(crate::number::number(program.vars.len()));
                let graph = &mut program.threads[thread.0 as usize];
                program.vars.push(Var {
                    name: format!("{}::added({})", graph.name, program.vars[var.0 as usize].name),
                    sort: Sort::Int,
                    owner: Owner::Local(thread),
                    kind: VarKind::Control(Bookkeeping::Other),
                    ty: IntType::new(32, true),
                    length: None,
                    init: Init::Value(Term::int(0)),
                    span: program.vars[var.0 as usize].span,
                });
                for transition in &mut graph.transitions {
                    if let Some(added) = added(transition, var).filter(|added| *added != 0) {
                        let value = Term::var(share, Sort::Int).add(Term::int(added));
                        transition.updates.push((share, value));
                    }
                }
            }
        }
        program
    }

    /// The counters whose shares the program has.
    pub fn shared_counters(&self) -> Vec<SharedCounter> {
        let mut all = Vec::new();
        for var in self.globals() {
            let Some((initial, adding)) = adding(self, var) else { continue };
            let share = |(thread, (least, greatest))| {
                let name = format!("{}::added({})", self.thread(thread).name, self.var(var).name);
                let (var, _) = self.vars().find(|(_, v)| matches!(v.kind, VarKind::Control(_)) && v.name == name)?;
                Some(Share { thread, var, least, greatest })
            };
            if let Some(shares) = adding.into_iter().map(share).collect() {
                all.push(SharedCounter { var, initial, shares });
            }
        }
        all
    }
}

/// The least and the greatest sum of what each thread adds.
type Added = BTreeMap<ThreadId, (i128, i128)>;

/// The initial value of a variable that several threads add constants to, and the bounds of what each adds; nothing if it is
/// written in another way, or by fewer threads.
fn adding(program: &Program, var: VarId) -> Option<(i128, Added)> {
    let declared = program.var(var);
    let Init::Value(initial) = declared.init else { return None };
    let initial = initial.as_int()?;
    let mut all = BTreeMap::new();
    for (id, thread) in program.threads() {
        let writes = thread.transitions.iter().any(|t| t.updates.iter().any(|(v, _)| *v == var));
        if writes {
            all.insert(id, bounds(thread, var)?);
        }
    }
    (all.len() > 1).then_some((initial, all))
}

/// What a step adds to a variable; nothing if it writes it in another way.
fn added(transition: &Transition, var: VarId) -> Option<i128> {
    match transition.updates.iter().find(|(v, _)| *v == var) {
        None => Some(0),
        Some((_, value)) => value.sub(Term::var(var, Sort::Int)).as_int(),
    }
}

/// The least and the greatest sum of what a thread has added, along any path; nothing if there is none.
fn bounds(thread: &Thread, var: VarId) -> Option<(i128, i128)> {
    let steps: Vec<(LocationId, LocationId, i128)> =
        thread.transitions.iter().map(|t| Some((t.source, t.target, added(t, var)?))).collect::<Option<_>>()?;
    // A path without a cycle that adds up to more than this does not exist.
    let limit: i128 = steps.iter().map(|(_, _, c)| c.abs()).sum();
    let mut at: BTreeMap<LocationId, (i128, i128)> = BTreeMap::from([(thread.entry, (0, 0))]);
    loop {
        let mut changed = false;
        for (source, target, c) in &steps {
            let Some((low, high)) = at.get(source).copied() else { continue };
            let (low, high) = (low + c, high + c);
            if low < -limit || high > limit {
                return None;
            }
            changed |= !at.contains_key(target);
            let known = at.entry(*target).or_insert((low, high));
            let wider = (known.0.min(low), known.1.max(high));
            changed |= wider != *known;
            *known = wider;
        }
        if !changed {
            break;
        }
    }
    let small = i128::from(i32::MAX);
    let low = at.values().map(|(low, _)| *low).min()?;
    let high = at.values().map(|(_, high)| *high).max()?;
    (limit <= small).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Location, LocationKind, Span};

    const X: VarId = VarId(0);

    fn x() -> Term {
        Term::var(X, Sort::Int)
    }

    /// A program of threads over x = 5, each a list of steps: from, to, and the new value of x.
    fn program(threads: &[&[(u32, u32, Term)]]) -> Program {
        let step = |(source, target, value): &(u32, u32, Term)| Transition {
            source: LocationId(*source),
            target: LocationId(*target),
            inputs: Vec::new(),
            guard: Vec::new(),
            updates: vec![(X, *value)],
            defined: Vec::new(),
            span: Span::default(),
        };
        let thread = |(index, steps): (usize, &&[(u32, u32, Term)])| Thread {
            name: format!("t{index}"),
            entry: LocationId(0),
            locations: vec![Location { kind: LocationKind::Plain, span: Span::default() }; 4],
            transitions: steps.iter().map(step).collect(),
            span: Span::default(),
        };
        let x = Var {
            name: "x".into(),
            sort: Sort::Int,
            owner: Owner::Global,
            kind: VarKind::User,
            ty: IntType::new(32, true),
            length: None,
            init: Init::Value(Term::int(5)),
            span: Span::default(),
        };
        let (vars, mut threads) = (vec![x], threads.iter().enumerate().map(thread).collect::<Vec<Thread>>());
        crate::confine(&vars, &mut threads);
        Program::new(vec!["f.c".into()], vars, threads).unwrap()
    }

    fn plus(source: u32, target: u32, amount: i128) -> (u32, u32, Term) {
        (source, target, x().add(Term::int(amount)))
    }

    #[test]
    fn a_counter_is_its_initial_value_and_the_shares() {
        let program = program(&[&[plus(0, 1, 1), plus(1, 2, 2)], &[plus(0, 1, -1)]]).with_shares();
        let [counter] = program.shared_counters().try_into().unwrap();
        let bounds: Vec<(i128, i128)> = counter.shares.iter().map(|share| (share.least, share.greatest)).collect();
        assert_eq!((counter.var, counter.initial, bounds), (X, 5, vec![(0, 3), (-1, 0)]));
        let shares: Vec<Term> = counter.shares.iter().map(|share| program.term(share.var)).collect();
        assert_eq!(counter.equation(&program), x().eq_to(Term::int(5).add(shares[0]).add(shares[1])));
    }

    #[test]
    fn a_share_is_written_with_the_counter_and_by_its_thread_alone() {
        let program = program(&[&[plus(0, 1, 1)], &[plus(0, 1, -1)]]).with_shares();
        for share in &program.shared_counters()[0].shares {
            assert_eq!(program.var(share.var).owner, Owner::Local(share.thread));
            for (id, thread) in program.threads() {
                for step in &thread.transitions {
                    let added = step.update(X).unwrap().sub(x());
                    let expected = (id == share.thread).then(|| program.term(share.var).add(added));
                    assert_eq!(step.update(share.var), expected);
                }
            }
        }
    }

    #[test]
    fn without_bound_or_alone_or_otherwise_written_there_are_no_shares() {
        let one = plus(0, 1, 1);
        for threads in [
            [&[one][..], &[][..]],
            [&[one], &[plus(0, 0, 1)]],
            [&[one], &[(0, 1, Term::int(7))]],
            [&[one], &[(0, 1, x().add(x()))]],
        ] {
            let program = program(&threads);
            let before = program.vars().count();
            let after = program.with_shares();
            assert_eq!((after.vars().count(), after.shared_counters()), (before, Vec::new()));
        }
    }

    #[test]
    fn what_comes_to_nothing_in_a_loop_has_a_bound() {
        let round = [plus(0, 1, 1), plus(1, 0, -1)];
        let program = program(&[&round, &round]).with_shares();
        let bounds = |share: &Share| (share.least, share.greatest);
        assert!(program.shared_counters()[0].shares.iter().all(|share| bounds(share) == (0, 1)));
    }
}
