//! Schedules executed symbolically: is there a run that takes exactly these steps?

use std::collections::BTreeMap;

use check::{Trace, TraceStep};
use program::{Conflict, Init, LocationId, Owner, Sort, Term, TermKind, VarId};
use smt::{Answer, Solver};

use crate::system::{StepId, System};

/// Z3's resource units for one path.
const LIMIT: u32 = 20_000_000;

/// What became of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// A run.
    Trace(Trace),
    /// No run is defined throughout; these definedness conditions, by step and index, exclude them.
    Undefined(Vec<(StepId, usize)>),
    /// No run.
    Infeasible,
    /// The solver gave up.
    Unknown,
}

/// A symbolic state after some steps: values over initial values and inputs that may be anything.
#[derive(Clone)]
pub struct Symbolic {
    /// Where each thread is.
    pub locations: Vec<LocationId>,
    /// Each variable's value.
    pub values: Vec<Term>,
    /// What the guards required of the free values so far, constants left out.
    pub conditions: Vec<Term>,
    /// The same for definedness, with the step and index of each.
    pub defined: Vec<(Term, StepId, usize)>,
    /// The free values: the variable each stands for, and the position of its step (none for initial values).
    pub free: Vec<(VarId, VarId, Option<usize>)>,
    /// The steps so far.
    pub steps: Vec<StepId>,
}

impl Symbolic {
    /// The initial states.
    pub fn initial(system: &System<'_>) -> Symbolic {
        let mut state = Symbolic {
            locations: system.threads().map(|t| system.program.thread(t).entry).collect(),
            values: Vec::new(),
            conditions: Vec::new(),
            defined: Vec::new(),
            free: Vec::new(),
            steps: Vec::new(),
        };
        for (id, var) in system.program.vars() {
            let value = match (var.owner, var.init) {
                (Owner::Input(_), _) => blank(var.sort),
                (_, Init::Value(value)) => value,
                (_, Init::Arbitrary) => state.fresh(system, id, None),
            };
            state.values.push(value);
        }
        state
    }

    fn fresh(&mut self, system: &System<'_>, var: VarId, position: Option<usize>) -> Term {
        let count = system.program.var_count() + self.free.len();
        let id = VarId(program::number(count));
        let declared = system.program.var(var);
        let term = Term::var(id, declared.sort);
        self.free.push((id, var, position));
        if declared.sort == Sort::Int {
            self.conditions.push(term.within(declared.ty.least(), declared.ty.greatest()));
        }
        term
    }

    /// The state after a step; nothing if the thread is elsewhere or a guard is plainly false.
    pub fn after(&self, system: &System<'_>, step: StepId) -> Option<Symbolic> {
        let transition = system.transition(step);
        if self.locations[step.thread.0 as usize] != transition.source || transition.is_undefined() {
            return None;
        }
        let mut next = self.clone();
        let position = next.steps.len();
        for input in &transition.inputs {
            next.values[input.0 as usize] = next.fresh(system, *input, Some(position));
        }
        let now = next.values.clone();
        let value = |term: Term| term.substitute(&|var, _| now.get(var.0 as usize).copied());
        for guard in &transition.guard {
            match value(*guard) {
                truth if truth.as_bool() == Some(true) => {}
                truth if truth.as_bool() == Some(false) => return None,
                condition => next.conditions.push(condition),
            }
        }
        for (index, defined) in transition.defined.iter().enumerate() {
            let condition = value(defined.condition);
            if condition.as_bool() != Some(true) {
                next.defined.push((condition, step, index));
            }
        }
        for (var, term) in &transition.updates {
            next.values[var.0 as usize] = value(*term);
        }
        for input in &transition.inputs {
            next.values[input.0 as usize] = blank(system.program.var(*input).sort);
        }
        next.locations[step.thread.0 as usize] = transition.target;
        next.steps.push(step);
        Some(next)
    }

    /// Whether there are free values that satisfy the conditions, and the run they make.
    pub fn concretise(&self) -> Feasibility {
        let mut solver = Solver::new(LIMIT);
        let defined: Vec<Term> = self.defined.iter().map(|(term, _, _)| *term).collect();
        let all: Vec<Term> = self.conditions.iter().chain(&defined).copied().collect();
        let wanted: Vec<(VarId, Sort)> = self.free_sorts();
        let (answer, model) = solver.model(&all, &wanted);
        match answer {
            Answer::Unknown => return Feasibility::Unknown,
            Answer::Sat => return Feasibility::Trace(self.trace(&model)),
            Answer::Unsat => {}
        }
        if self.defined.is_empty() {
            return Feasibility::Infeasible;
        }
        match solver.core(&self.conditions, &defined) {
            (Answer::Unsat, core) if core.is_empty() => Feasibility::Infeasible,
            (Answer::Unsat, core) => {
                Feasibility::Undefined(core.iter().map(|k| (self.defined[*k].1, self.defined[*k].2)).collect())
            }
            _ => Feasibility::Unknown,
        }
    }

    /// The free values that the run depends on; the others may be anything.
    fn free_sorts(&self) -> Vec<(VarId, Sort)> {
        let mut sorts: BTreeMap<VarId, Sort> = BTreeMap::new();
        for term in self.conditions.iter().chain(&self.values).chain(self.defined.iter().map(|(term, _, _)| term)) {
            term.visit(&mut |leaf| {
                if let TermKind::Var(var, sort) = leaf.kind() {
                    sorts.insert(*var, *sort);
                }
            });
        }
        sorts.into_iter().collect()
    }

    fn trace(&self, model: &smt::Model) -> Trace {
        let mut trace = Trace::default();
        for step in &self.steps {
            trace.steps.push(TraceStep { thread: step.thread, transition: step.index, inputs: BTreeMap::new() });
        }
        for (id, var, position) in &self.free {
            let Some(value) = model.get(id) else { continue };
            match position {
                None => trace.initial.insert(*var, value.clone()),
                Some(position) => trace.steps[*position].inputs.insert(*var, value.clone()),
            };
        }
        trace
    }

    /// Whether a thread is at an error location.
    pub fn is_error(&self, system: &System<'_>) -> bool {
        system.threads().any(|t| system.is_error(t, self.locations[t.0 as usize]))
    }

    /// The same state where threads are in conflict, if they are where it says.
    pub fn in_conflict(&self, conflict: &Conflict) -> Option<Symbolic> {
        let when = conflict.when(|thread| self.locations.get(thread.0 as usize).copied())?;
        let mut state = self.clone();
        for term in when {
            match term.substitute(&|var, _| self.values.get(var.0 as usize).copied()) {
                truth if truth.as_bool() == Some(true) => {}
                truth if truth.as_bool() == Some(false) => return None,
                condition => state.conditions.push(condition),
            }
        }
        Some(state)
    }
}

/// What inputs hold between steps, where nobody reads them.
fn blank(sort: Sort) -> Term {
    match sort {
        Sort::Bool => Term::bool(false),
        Sort::Int => Term::int(0),
        Sort::Array => Term::const_array(Term::int(0)),
    }
}

/// Whether the schedule can be run, to a conflict if there is to be one.
pub fn run(system: &System<'_>, schedule: &[StepId], conflict: Option<&Conflict>) -> Feasibility {
    let mut state = Symbolic::initial(system);
    for step in schedule {
        match state.after(system, *step) {
            Some(next) => state = next,
            None => return Feasibility::Infeasible,
        }
    }
    match conflict {
        Some(conflict) => state.in_conflict(conflict).map_or(Feasibility::Infeasible, |state| state.concretise()),
        None => state.concretise(),
    }
}
