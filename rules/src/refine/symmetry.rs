//! Threads that are alike: what is learned about one is learned about the others.
//!
//! Two threads are alike if their graphs are the same up to a renaming of variables. The renaming is used to guess predicates,
//! never to conclude anything, so it need not be a symmetry of the whole program: another thread may look at the two in turn.

use std::collections::BTreeMap;

use program::{Owner, Program, Term, TermKind, Thread, ThreadId, VarId};

use check::location_var;

use crate::rule::views::{ViewId, Views};

/// An exchange of two threads that are alike, with all that goes with them.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The threads.
    threads: (ThreadId, ThreadId),
    vars: BTreeMap<VarId, VarId>,
}

impl Exchange {
    /// The thread that takes the place of a thread.
    pub fn thread(&self, thread: ThreadId) -> ThreadId {
        match self.threads {
            (a, b) if thread == a => b,
            (a, b) if thread == b => a,
            _ => thread,
        }
    }
    /// The view that takes the place of a view of one thread.
    pub fn view(&self, views: &Views, view: ViewId) -> Option<ViewId> {
        let exchanged: Vec<ThreadId> = views.view(view).threads.iter().map(|thread| self.thread(*thread)).collect();
        views.ids().find(|other| views.view(*other).threads == exchanged)
    }
    /// Who takes the place of a mover next to a view.
    pub fn mover(&self, views: &Views, watcher: ViewId, mover: usize) -> Option<(ViewId, usize)> {
        let to = self.view(views, watcher)?;
        Some((to, views.mover(to, self.thread(views.view(watcher).movers[mover].thread))?))
    }
    /// The formula with the threads exchanged.
    pub fn term(&self, term: Term) -> Term {
        term.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, sort) => self.vars.get(var).map(|other| Term::var(*other, *sort)),
            TermKind::Primed(var, sort) => self.vars.get(var).map(|other| Term::primed(*other, *sort)),
            _ => None,
        })
    }
}

/// The exchanges of any two threads of the program that are alike.
pub fn exchanges(program: &Program) -> Vec<Exchange> {
    let threads: Vec<(ThreadId, &Thread)> = program.threads().collect();
    let mut all = Vec::new();
    for (k, (a, first)) in threads.iter().enumerate() {
        for (b, second) in &threads[k + 1..] {
            let Some(mut vars) = renaming(first, second) else { continue };
            vars.insert(location_var(program, *a), location_var(program, *b));
            // The exchange works both ways; what would have to become two things stays as it is.
            let back: Vec<(VarId, VarId)> = vars.iter().map(|(x, y)| (*y, *x)).collect();
            for (y, x) in back {
                if *vars.entry(y).or_insert(x) != x {
                    vars.clear();
                    break;
                }
            }
            vars.retain(|x, y| x != y);
            let mut exchange = Exchange { threads: (*a, *b), vars };
            exchange.companions(program);
            all.push(exchange);
        }
    }
    all
}

impl Exchange {
    /// Variables of other threads that are set from exchanged ones, side by side in one step, are exchanged as well.
    fn companions(&mut self, program: &Program) {
        for (id, thread) in program.threads() {
            let own = |var: &VarId| program.var(*var).owner == Owner::Local(id);
            for transition in &thread.transitions {
                for (v, value) in transition.updates.iter().filter(|(v, _)| own(v)) {
                    let exchanged = self.term(*value);
                    let twin = transition.updates.iter().find(|(w, other)| own(w) && w != v && *other == exchanged);
                    if let Some((w, _)) = twin.filter(|_| exchanged != *value) {
                        self.vars.entry(*v).or_insert(*w);
                        self.vars.entry(*w).or_insert(*v);
                    }
                }
            }
        }
    }
}

/// The renaming that makes the second thread of the first, if there is one.
fn renaming(first: &Thread, second: &Thread) -> Option<BTreeMap<VarId, VarId>> {
    let same_size = first.locations.len() == second.locations.len()
        && first.transitions.len() == second.transitions.len()
        && first.entry == second.entry;
    if !same_size {
        return None;
    }
    let mut vars = BTreeMap::new();
    for (one, other) in first.transitions.iter().zip(&second.transitions) {
        let same_size = one.source == other.source
            && one.target == other.target
            && one.guard.len() == other.guard.len()
            && one.updates.len() == other.updates.len();
        if !same_size {
            return None;
        }
        for (a, b) in one.guard.iter().zip(&other.guard) {
            matches(*a, *b, &mut vars)?;
        }
        for ((x, a), (y, b)) in one.updates.iter().zip(&other.updates) {
            matched(*x, *y, &mut vars)?;
            matches(*a, *b, &mut vars)?;
        }
    }
    Some(vars)
}

fn matched(x: VarId, y: VarId, vars: &mut BTreeMap<VarId, VarId>) -> Option<()> {
    (*vars.entry(x).or_insert(y) == y).then_some(())
}

/// Extends the renaming so that it makes the second term of the first. Constants may differ: a lock holds its owner's number.
fn matches(first: Term, second: Term, vars: &mut BTreeMap<VarId, VarId>) -> Option<()> {
    if let (TermKind::Var(x, _), TermKind::Var(y, _)) = (first.kind(), second.kind()) {
        return matched(*x, *y, vars);
    }
    let (one, other) = (first.children(), second.children());
    let alike = std::mem::discriminant(first.kind()) == std::mem::discriminant(second.kind());
    if !alike || one.len() != other.len() {
        return None;
    }
    one.into_iter().zip(other).try_for_each(|(a, b)| matches(a, b, vars))
}
