//! Counters that several threads add to: what each thread has added is an auxiliary variable [OG].
//!
//! A thread cannot know what others have added to a counter, unless by a case for each combination of the places where they are.
//! With a variable of each thread for its own share, one equation says it: the counter is its initial value and the sum of the
//! shares. Shares are written and never read, so a program with them has the same executions as one without.

use std::collections::BTreeMap;

use crate::model::{Init, LocationId, Owner, Program, Thread, ThreadId, Transition, Var, VarId, VarKind};
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
                let share = VarId(u32::try_from(program.vars.len()).unwrap_or(u32::MAX));
                let graph = &mut program.threads[thread.0 as usize];
                program.vars.push(Var {
                    name: format!("{}::added({})", graph.name, program.vars[var.0 as usize].name),
                    sort: Sort::Int,
                    owner: Owner::Local(thread),
                    kind: VarKind::Control,
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
                let (var, _) = self.vars().find(|(_, v)| v.kind == VarKind::Control && v.name == name)?;
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
