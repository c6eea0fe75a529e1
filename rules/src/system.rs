//! The program as the rules see it: which locations a component makes explicit, steps by id, and their guards.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use check::{at, location_var};
use program::{
    Init, Linear, LocationId, Owner, Program, SharedCounter, Sort, Term, TermKind, ThreadId, Transition, VarId,
};

use crate::engines::boxes::{Held, evaluate};
use crate::ghosts::counted;
use crate::refine::symmetry::{Exchange, exchanges};
use crate::refine::words::words;

/// A transition of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId {
    /// Whose.
    pub thread: ThreadId,
    /// Index into the thread's transitions.
    pub index: usize,
}

/// A substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rewrite {
    /// Variables by their values after a step.
    Before(StepId),
    /// Primed variables by their values after a step.
    OfStep(StepId),
    /// Primed variables by what a transition says they are, by its number.
    Solved(u32),
    /// Variables that are not a component's own by what a transition says they become.
    Disturbed(u32, usize),
}

/// A program, with the definedness conditions that proofs have been found to need.
pub struct System<'p> {
    /// The program.
    pub program: &'p Program,
    /// Conditions of [`Transition::defined`], by step and index, that count as guards: range guards of design section 5.
    required: BTreeSet<(StepId, usize)>,
    /// What formulas became under substitutions: each is asked for in every round.
    rewritten: RefCell<FxHashMap<(Rewrite, Term), Term>>,
    /// What literals about transitions determine: they recur in every round.
    determined: RefCell<FxHashMap<Term, Option<(VarId, Term)>>>,
    /// The numbers of what variables are after transitions.
    values_after: RefCell<FxHashMap<BTreeMap<VarId, Term>, u32>>,
    /// The counters of a program with a known number of threads.
    pub counters: Vec<SharedCounter>,
    /// The threads that are alike, where their number is known. Instances are exchanged within views.
    pub exchanges: Vec<Exchange>,
    /// What has as many values as there are instances: constants say little of it.
    counted: BTreeSet<VarId>,
    /// The atoms of the program's guards.
    pub words: BTreeSet<Term>,
}

impl<'p> System<'p> {
    /// The program without its definedness conditions: an over-approximation.
    pub fn new(program: &'p Program) -> System<'p> {
        let is_fixed = program.templates().is_empty();
        System {
            program,
            required: BTreeSet::new(),
            rewritten: RefCell::default(),
            determined: RefCell::default(),
            values_after: RefCell::default(),
            counters: if is_fixed { program.shared_counters() } else { Vec::new() },
            exchanges: if is_fixed { exchanges(program) } else { Vec::new() },
            counted: counted(program),
            words: words(program),
        }
    }
    /// Makes a definedness condition part of its step's guard; whether that is new.
    pub fn require(&mut self, step: StepId, condition: usize) -> bool {
        self.required.insert((step, condition))
    }
    /// Whether a definedness condition is part of its step's guard.
    pub fn requires(&self, step: StepId, condition: usize) -> bool {
        self.required.contains(&(step, condition))
    }
    /// A transition.
    pub fn transition(&self, step: StepId) -> &'p Transition {
        &self.program.thread(step.thread).transitions[step.index]
    }
    /// The steps of a thread from a location, without those that are never taken.
    pub fn steps_from(&self, thread: ThreadId, source: LocationId) -> impl Iterator<Item = StepId> {
        let transitions = self.program.thread(thread).transitions.iter().enumerate();
        let from = transitions.filter(move |(_, t)| t.source == source && !t.is_undefined());
        from.map(move |(index, _)| StepId { thread, index })
    }
    /// All steps of all threads, without those that are never taken.
    pub fn all_steps(&self) -> BTreeSet<StepId> {
        let steps = self
            .program
            .threads()
            .flat_map(|(thread, graph)| (0..graph.transitions.len()).map(move |index| StepId { thread, index }));
        steps.filter(|step| !self.transition(*step).is_undefined()).collect()
    }
    /// What the step requires, as far as proofs know.
    pub fn guard(&self, step: StepId) -> Vec<Term> {
        let transition = self.transition(step);
        let range = (step, 0)..=(step, usize::MAX);
        let required = self.required.range(range).filter_map(|(_, k)| transition.defined.get(*k));
        transition.guard.iter().copied().chain(required.map(|d| d.condition)).collect()
    }
    /// A variable's value after the step; nothing if it keeps its value. Locations are variables here.
    pub fn value_after(&self, step: StepId, var: VarId) -> Option<Term> {
        let transition = self.transition(step);
        if var == self.location_var(step.thread) {
            return Some(Term::int(i128::from(transition.target.0)));
        }
        transition.update(var)
    }
    /// What a formula about the state after the step says about the state before.
    pub fn before(&self, step: StepId, term: Term) -> Term {
        self.rewritten(Rewrite::Before(step), term, || term.substitute(&|var, _| self.value_after(step, var)))
    }
    /// What a formula about a transition says about the state before, where the transition is the step.
    pub fn of_step(&self, step: StepId, transition: Term) -> Term {
        self.rewritten(Rewrite::OfStep(step), transition, || {
            transition.rewrite(&|leaf| match leaf.kind() {
                TermKind::Primed(var, sort) => {
                    Some(self.value_after(step, *var).unwrap_or_else(|| Term::var(*var, *sort)))
                }
                _ => None,
            })
        })
    }
    /// The number of what variables are after a transition.
    pub fn number_of(&self, after: &BTreeMap<VarId, Term>) -> u32 {
        let mut numbers = self.values_after.borrow_mut();
        if let Some(known) = numbers.get(after) {
            return *known;
        }
        let next = program::number(numbers.len());
        numbers.insert(after.clone(), next);
        next
    }
    /// The variable that a literal about a transition determines, and its value.
    pub fn determined(&self, literal: Term) -> Option<(VarId, Term)> {
        *self.determined.borrow_mut().entry(literal).or_insert_with(|| literal.determines())
    }
    /// What a formula becomes under a substitution.
    pub fn rewritten(&self, by: Rewrite, term: Term, make: impl FnOnce() -> Term) -> Term {
        if let Some(known) = self.rewritten.borrow().get(&(by, term)) {
            return *known;
        }
        let made = make();
        self.rewritten.borrow_mut().insert((by, term), made);
        made
    }
    /// The variable that stands for a thread's location.
    pub fn location_var(&self, thread: ThreadId) -> VarId {
        location_var(self.program, thread)
    }
    /// The thread whose location the variable stands for.
    pub fn located_thread(&self, var: VarId) -> Option<ThreadId> {
        let count = self.program.var_count();
        (var.0 as usize >= count).then(|| ThreadId(var.0 - u32::try_from(count).unwrap_or(0)))
    }
    /// The thread that alone writes the variable, if it is not global.
    pub fn owner(&self, var: VarId) -> Option<ThreadId> {
        match self.located_thread(var) {
            Some(thread) => Some(thread),
            None => match self.program.var(var).owner {
                Owner::Global => None,
                Owner::Local(thread) | Owner::Input(thread) => Some(thread),
            },
        }
    }
    /// The sort of a variable, locations included.
    pub fn sort(&self, var: VarId) -> Sort {
        if self.located_thread(var).is_some() { Sort::Int } else { self.program.var(var).sort }
    }
    /// Whether a linear form is how many there are of something.
    pub fn is_count(&self, form: &Linear) -> bool {
        let mut atoms = form.atoms();
        let single = atoms.next().and_then(Term::as_var).is_some_and(|var| self.counted.contains(&var));
        single && atoms.next().is_none()
    }
    /// The formula in C syntax, with locations as `pc_i`.
    pub fn show(&self, term: Term) -> String {
        let name = |var: VarId| match self.located_thread(var) {
            Some(thread) => format!("pc_{}", thread.0),
            None => self.program.var(var).name.clone(),
        };
        program::display(term, &name).to_string()
    }
    /// `pc_i = location`.
    pub fn at(&self, thread: ThreadId, location: LocationId) -> Term {
        at(self.program, thread, location)
    }
    /// All threads.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + use<'p> {
        self.program.threads().map(|(id, _)| id)
    }
    /// Whether a place is an error.
    pub fn is_error(&self, thread: ThreadId, location: LocationId) -> bool {
        self.program.thread(thread).location(location).kind.is_error()
    }
    /// The initial states as equalities. Values that may be anything are not mentioned.
    pub fn initial(&self) -> Vec<Term> {
        let mut all = Vec::new();
        for (id, var) in self.program.state_vars() {
            if let Init::Value(value) = var.init {
                all.push(self.program.term(id).eq_to(value));
            }
        }
        all
    }
    /// The formula without casts that change nothing, whatever variables of their types hold: what is left may be linear.
    pub fn without_casts(&self, formula: Term) -> Term {
        let held = |var: VarId| match self.located_thread(var) {
            Some(_) => Held::Range(0, i128::from(u32::MAX)),
            None => Held::anything(self.program.var(var)),
        };
        formula.rewrite(&|term| match term.kind() {
            TermKind::Wrap(ty, inner) => {
                let changes_nothing = Held::Range(ty.least(), ty.greatest()).contains(&evaluate(*inner, &held));
                changes_nothing.then_some(*inner)
            }
            _ => None,
        })
    }
    /// The ranges of all variables, inputs and locations included.
    pub fn ranges(&self) -> Vec<(VarId, (i128, i128))> {
        let declared = self.program.vars().filter(|(_, var)| var.sort == Sort::Int);
        let mut all: Vec<_> = declared.map(|(id, var)| (id, (var.ty.least(), var.ty.greatest()))).collect();
        for (id, thread) in self.program.threads() {
            let last = i128::try_from(thread.locations.len()).unwrap_or(i128::MAX) - 1;
            all.push((self.location_var(id), (0, last)));
        }
        all
    }
    /// The range of a variable as a formula, where it is an integer of the program.
    pub fn range(&self, var: VarId) -> Option<Term> {
        let declared = self.program.var(var);
        let range = || self.program.term(var).within(declared.ty.least(), declared.ty.greatest());
        (declared.sort == Sort::Int).then(range)
    }
}
