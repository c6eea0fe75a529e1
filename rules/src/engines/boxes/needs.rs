//! Which bounds of which variables matter.
//!
//! A step is excluded by a bound: `x >= 5` by an upper one on x. So a variable needs upper bounds if a guard reads it like that, or
//! if another one that needs them gets its value from it. What nothing needs is forgotten, which makes one box of many; and where
//! variables only grow towards an error, only the largest of them are left.

use std::collections::BTreeSet;

use program::{Conflict, Linear, LocationId, Owner, Program, Term, TermKind, ThreadId, Transition, VarId};

/// The bounds that a variable needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Lower ones.
    pub lower: bool,
    /// Upper ones.
    pub upper: bool,
}

impl Need {
    const BOTH: Need = Need { lower: true, upper: true };

    fn opposite(self) -> Need {
        Need { lower: self.upper, upper: self.lower }
    }
    fn is_none(self) -> bool {
        self == Need::default()
    }
}

/// What matters, and where.
pub struct Needs {
    /// By [`VarId`].
    bounds: Vec<Need>,
    /// By thread and location: its variables whose value there may be read.
    live: Vec<Vec<BTreeSet<VarId>>>,
    /// By thread and location: whether the thread can come to an error.
    can_fail: Vec<Vec<bool>>,
}

/// Whether one of a variable's bounds may be forgotten while the other is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Both are kept.
    Together,
    /// Each by itself.
    Apart,
}

impl Needs {
    /// What matters in a program.
    pub fn of(program: &Program, sides: Sides) -> Needs {
        let mut bounds = bounds(program);
        if sides == Sides::Together {
            bounds.iter_mut().filter(|need| !need.is_none()).for_each(|need| *need = Need::BOTH);
        }
        let live = program.threads().map(|(thread, _)| live(program, thread, &bounds)).collect();
        let can_fail = program.threads().map(|(thread, _)| can_fail(program, thread)).collect();
        Needs { bounds, live, can_fail }
    }

    /// Whether some variable needs bounds on one side only.
    pub fn are_apart(&self) -> bool {
        self.bounds.iter().any(|need| need.lower != need.upper)
    }

    /// What the variable needs somewhere.
    pub fn anywhere(&self, var: VarId) -> Need {
        self.bounds[var.0 as usize]
    }

    /// What the variable needs where the threads are at these locations.
    pub fn at(&self, program: &Program, place: &[LocationId], var: VarId) -> Need {
        match program.var(var).owner {
            Owner::Local(t) if !self.live[t.0 as usize][place[t.0 as usize].0 as usize].contains(&var) => {
                Need::default()
            }
            _ => self.bounds[var.0 as usize],
        }
    }

    /// Whether an error can be reached from there, as far as control flow says.
    pub fn can_fail(&self, place: &[LocationId]) -> bool {
        place.iter().zip(&self.can_fail).any(|(location, can_fail)| can_fail[location.0 as usize])
    }
}

fn bounds(program: &Program) -> Vec<Need> {
    let mut needs = vec![Need::default(); program.var_count()];
    for (_, thread) in program.threads() {
        for transition in &thread.transitions {
            for guard in transition.guard.iter().filter(|guard| !is_passed_assertion(thread, transition, **guard)) {
                exclude(*guard, &mut needs);
            }
        }
    }
    program.conflicts().iter().flat_map(Conflict::terms).for_each(|term| exclude(term, &mut needs));
    let updates = || program.threads().flat_map(|(_, thread)| &thread.transitions).flat_map(|t| &t.updates);
    loop {
        let before = needs.clone();
        for (var, term) in updates() {
            let need = needs[var.0 as usize];
            require(*term, need, &mut needs);
        }
        if before == needs {
            return needs;
        }
    }
}

/// Whether the guard says that an assertion holds: beyond it, nothing depends on that.
fn is_passed_assertion(thread: &program::Thread, transition: &Transition, guard: Term) -> bool {
    let fails = |other: &Transition| thread.location(other.target).kind.is_error();
    !fails(transition) && thread.from(transition.source).any(|other| fails(other) && other.guard.contains(&guard.not()))
}

/// What excludes a guard.
fn exclude(guard: Term, needs: &mut [Need]) {
    let (lower, upper) = (Need { lower: true, upper: false }, Need { lower: false, upper: true });
    match guard.kind() {
        TermKind::Le(form, _) => require_form(form, lower, needs),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, _) => require_form(form, upper, needs),
            _ => require_all(guard, needs),
        },
        _ => require_all(guard, needs),
    }
}

/// What bounds on a term need.
fn require(term: Term, need: Need, needs: &mut [Need]) {
    match term.kind() {
        _ if need.is_none() => {}
        TermKind::Var(var, _) => {
            let known = &mut needs[var.0 as usize];
            *known = Need { lower: known.lower || need.lower, upper: known.upper || need.upper };
        }
        TermKind::Sum(form) => require_form(form, need, needs),
        _ => require_all(term, needs),
    }
}

fn require_form(form: &Linear, need: Need, needs: &mut [Need]) {
    for (term, factor) in form.monomials() {
        require(*term, if *factor > 0 { need } else { need.opposite() }, needs);
    }
}

fn require_all(term: Term, needs: &mut [Need]) {
    term.vars().into_iter().for_each(|var| needs[var.0 as usize] = Need::BOTH);
}

/// For each location of a thread, its variables that guards, or what is needed, may read later.
fn live(program: &Program, id: ThreadId, needs: &[Need]) -> Vec<BTreeSet<VarId>> {
    let thread = program.thread(id);
    let own = |var: &VarId| program.var(*var).owner == Owner::Local(id);
    let mut live: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); thread.locations.len()];
    for (conflict, location) in conflicts_at(program, id) {
        live[location.0 as usize].extend(conflict.terms().flat_map(Term::vars).filter(own));
    }
    loop {
        let mut changed = false;
        for transition in &thread.transitions {
            let after = live[transition.target.0 as usize].clone();
            let matters = |var: &VarId| if own(var) { after.contains(var) } else { !needs[var.0 as usize].is_none() };
            let read = transition.updates.iter().filter(|(var, _)| matters(var)).map(|(_, term)| *term);
            let read =
                read.chain(transition.guard.iter().copied()).chain(transition.defined.iter().map(|d| d.condition));
            let mut before: BTreeSet<VarId> = read.flat_map(|term| term.vars()).filter(own).collect();
            before.extend(after.iter().filter(|var| transition.update(**var).is_none()));
            let known = &mut live[transition.source.0 as usize];
            changed |= !before.is_subset(known);
            known.extend(before);
        }
        if !changed {
            return live;
        }
    }
}

/// The conflicts that a thread may be in, and where it is then.
fn conflicts_at(program: &Program, id: ThreadId) -> impl Iterator<Item = (&Conflict, LocationId)> {
    program.conflicts().iter().flat_map(move |conflict| {
        let ways = conflict.standing(id).into_iter().flat_map(|standing| &standing.ways);
        ways.map(move |way| (conflict, way.location))
    })
}

fn can_fail(program: &Program, id: ThreadId) -> Vec<bool> {
    let thread = program.thread(id);
    let mut can: Vec<bool> = thread.locations.iter().map(|location| location.kind.is_error()).collect();
    conflicts_at(program, id).for_each(|(_, location)| can[location.0 as usize] = true);
    loop {
        let before = can.clone();
        for transition in &thread.transitions {
            can[transition.source.0 as usize] |= can[transition.target.0 as usize];
        }
        if before == can {
            return can;
        }
    }
}
