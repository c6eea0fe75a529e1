//! The conditions of the three rules on a certificate, one implication at a time [T, Fig. 2].
//!
//! A transition is its guard, its definedness conditions and its assignment; ranges of variables are invariants of every
//! execution ([`program::Var::ty`]) and premises of every implication.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use program::{Init, LocationId, Owner, Program, Sort, Term, TermKind, ThreadId, Transition, VarId};

use crate::certificate::{Certificate, Invariant};
use crate::environment::Environment;
use crate::location::{at, location_var};
use crate::parametric;

/// Whether an implication is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// It is.
    Valid,
    /// It is not.
    Invalid,
    /// Nobody knows.
    Unknown,
}

/// What decides implications.
pub trait Entailment {
    /// Whether the premises together imply the conclusion, for all values of all variables.
    fn valid(&mut self, premises: &[Term], conclusion: Term) -> Validity;
}

/// Which condition of a rule an implication belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// init -> R_i. By index of the invariant.
    Initial(usize),
    /// R_i and rho_i -> R_i': the thread, its transition, and the invariant.
    Step(usize, ThreadId, usize),
    /// R_i and R_j and rho_j -> R_i': the invariant, where its thread is, and the other thread's transition.
    Interference(usize, LocationId, ThreadId, usize),
    /// R_j and rho_j -> E_i: the invariant whose environment it is, and the other thread's transition.
    Guarantee(usize, ThreadId, usize),
    /// R_i and E_i and V_i = V_i' -> R_i': the invariant, and where its thread is.
    Rely(usize, LocationId),
    /// R_1 and .. and R_N and err -> false: the thread at the error location.
    Safe(ThreadId, LocationId),
    /// A condition of a proof about any number of threads, in words.
    Parametric(String),
    /// The certificate is not one for this program.
    Form(String),
}

impl Condition {
    /// The condition in words.
    pub fn describe(&self, program: &Program) -> String {
        let line = |thread: &ThreadId, index: &usize| {
            program.thread(*thread).transitions.get(*index).map_or(0, |transition| transition.span.line)
        };
        let here = |invariant: &usize, location: &LocationId| {
            let thread = program.threads().nth(*invariant).map(|(_, thread)| thread);
            thread.and_then(|t| t.locations.get(location.0 as usize)).map_or(0, |location| location.span.line)
        };
        match self {
            Condition::Initial(i) => format!("the initial states are not within R_{}", i + 1),
            Condition::Step(i, thread, index) => {
                format!("thread {}'s transition at line {} leaves R_{}", thread.0 + 1, line(thread, index), i + 1)
            }
            Condition::Interference(i, location, thread, index) => format!(
                "interference of thread {}'s transition at line {} with R_{} at line {}",
                thread.0 + 1,
                line(thread, index),
                i + 1,
                here(i, location)
            ),
            Condition::Guarantee(i, thread, index) => {
                format!(
                    "thread {}'s transition at line {} is not within E_{}",
                    thread.0 + 1,
                    line(thread, index),
                    i + 1
                )
            }
            Condition::Rely(i, location) => {
                format!("the environment E_{} leaves R_{} at line {}", i + 1, i + 1, here(i, location))
            }
            Condition::Safe(thread, _) => format!("the invariants admit an error of thread {}", thread.0 + 1),
            Condition::Parametric(what) | Condition::Form(what) => what.clone(),
        }
    }
}

/// An implication that a certificate owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What it is for.
    pub condition: Condition,
    /// What is given.
    pub premises: Vec<Term>,
    /// What must follow.
    pub conclusion: Term,
}

/// A condition that a certificate violates, or that could not be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Which.
    pub condition: Condition,
    /// Invalid, or not decided.
    pub validity: Validity,
    /// In words.
    pub message: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let undecided = if self.validity == Validity::Unknown { " (not decided)" } else { "" };
        write!(f, "{}{undecided}", self.message)
    }
}
impl std::error::Error for Rejection {}

impl Obligation {
    /// Checks it.
    pub fn check(&self, program: &Program, entailment: &mut dyn Entailment) -> Result<(), Rejection> {
        match entailment.valid(&self.premises, self.conclusion) {
            Validity::Valid => Ok(()),
            validity => {
                let message = self.condition.describe(program);
                Err(Rejection { condition: self.condition.clone(), validity, message })
            }
        }
    }
}

/// Everything that must be valid for the certificate to be a proof.
pub fn obligations(program: &Program, certificate: &Certificate) -> Result<Vec<Obligation>, Rejection> {
    let owed = Owed { program, invariants: certificate.invariants() };
    let mut all = if program.templates().is_empty() {
        owed.of_threads(certificate)?
    } else {
        parametric::obligations(program, certificate)?
    };
    all.retain(|obligation| obligation.conclusion.as_bool() != Some(true));
    let mut ranges = Ranges { program, leaves: HashMap::new(), within: HashMap::new() };
    all.iter_mut().for_each(|obligation| ranges.add(obligation));
    Ok(all)
}

/// The ranges of variables, which are premises of every implication that speaks of them. Implications share most of their
/// premises, so what one speaks of is found once.
struct Ranges<'a> {
    program: &'a Program,
    leaves: HashMap<Term, BTreeSet<Term>>,
    within: HashMap<Term, Term>,
}

impl Ranges<'_> {
    fn add(&mut self, obligation: &mut Obligation) {
        let mut leaves: BTreeSet<Term> = BTreeSet::new();
        for formula in obligation.premises.iter().chain([&obligation.conclusion]) {
            leaves.extend(self.leaves.entry(*formula).or_insert_with(|| integers(*formula)).iter());
        }
        let program = self.program;
        for leaf in leaves {
            obligation.premises.push(*self.within.entry(leaf).or_insert_with(|| range(program, leaf)));
        }
    }
}

/// The integer variables, primed or not, of a formula.
fn integers(formula: Term) -> BTreeSet<Term> {
    let mut all = BTreeSet::new();
    formula.visit(&mut |leaf| {
        if let TermKind::Var(_, Sort::Int) | TermKind::Primed(_, Sort::Int) = leaf.kind() {
            all.insert(leaf);
        }
    });
    all
}

/// That a variable, or a thread's location, is in its range.
fn range(program: &Program, leaf: Term) -> Term {
    let (TermKind::Var(var, _) | TermKind::Primed(var, _)) = leaf.kind() else { return Term::bool(true) };
    match (var.0 as usize).checked_sub(program.var_count()) {
        Some(thread) => {
            let count = program.threads().nth(thread).map_or(0, |(_, t)| t.locations.len());
            leaf.within(0, i128::try_from(count).unwrap_or(i128::MAX) - 1)
        }
        None => {
            let ty = program.var(*var).ty;
            leaf.within(ty.least(), ty.greatest())
        }
    }
}

struct Owed<'a> {
    program: &'a Program,
    invariants: &'a [Invariant],
}

impl Owed<'_> {
    /// The conditions of the certificate's rule.
    fn of_threads(&self, certificate: &Certificate) -> Result<Vec<Obligation>, Rejection> {
        self.well_formed(certificate)?;
        let mut all = Vec::new();
        for (index, invariant) in self.invariants.iter().enumerate() {
            all.push(self.initial(index, invariant));
            for thread in &invariant.threads {
                all.extend(self.steps(index, invariant, *thread));
            }
        }
        match certificate {
            Certificate::Monolithic(_) => {}
            Certificate::OwickiGries(_) => all.extend(self.interference()),
            Certificate::RelyGuarantee { environment, .. } => {
                all.extend(self.guarantee(environment));
                all.extend(self.rely(environment));
            }
        }
        all.extend(self.safe());
        Ok(all)
    }

    /// init -> R_i.
    fn initial(&self, index: usize, invariant: &Invariant) -> Obligation {
        let mut premises = Vec::new();
        for (id, var) in self.program.state_vars() {
            if let Init::Value(value) = var.init {
                premises.push(self.program.term(id).eq_to(value));
            }
        }
        premises.extend(self.program.threads().map(|(id, thread)| at(self.program, id, thread.entry)));
        let entry: Vec<LocationId> = invariant.threads.iter().map(|t| self.program.thread(*t).entry).collect();
        Obligation { condition: Condition::Initial(index), premises, conclusion: invariant.here(&entry) }
    }

    /// R_i and rho_i -> R_i', for the transitions of one thread whose location is explicit.
    fn steps(&self, index: usize, invariant: &Invariant, thread: ThreadId) -> Vec<Obligation> {
        let mut all = Vec::new();
        let Some(position) = invariant.threads.iter().position(|t| *t == thread) else { return all };
        for (place, formula) in &invariant.at {
            for (t, transition) in self.program.thread(thread).transitions.iter().enumerate() {
                if transition.source != place[position] {
                    continue;
                }
                let mut premises = self.located(invariant, place, *formula);
                premises.extend(relation(transition));
                let mut after = place.clone();
                after[position] = transition.target;
                let conclusion = self.after(invariant.here(&after), thread, transition);
                all.push(Obligation { condition: Condition::Step(index, thread, t), premises, conclusion });
            }
        }
        all
    }

    /// R_i and R_j and rho_j -> R_i'.
    fn interference(&self) -> Vec<Obligation> {
        let mut all = Vec::new();
        for (i, invariant) in self.invariants.iter().enumerate() {
            for (place, formula) in &invariant.at {
                for (j, other) in self.invariants.iter().enumerate().filter(|(j, _)| *j != i) {
                    let thread = other.threads[0];
                    for (t, transition) in self.program.thread(thread).transitions.iter().enumerate() {
                        let conclusion = self.after(*formula, thread, transition);
                        // A step that touches nothing the formula speaks of keeps it.
                        if conclusion == *formula {
                            continue;
                        }
                        let mut premises = self.located(invariant, place, *formula);
                        let source = [transition.source];
                        premises.extend(self.located(&self.invariants[j], &source, other.here(&source)));
                        premises.extend(relation(transition));
                        let condition = Condition::Interference(i, place[0], thread, t);
                        all.push(Obligation { condition, premises, conclusion });
                    }
                }
            }
        }
        all
    }

    /// R_j and rho_j -> E_i.
    fn guarantee(&self, environment: &[Vec<Term>]) -> Vec<Obligation> {
        let mut all = Vec::new();
        for (i, allowed) in environment.iter().enumerate() {
            let allowed = Term::or(allowed.iter().copied());
            for (_, other) in self.invariants.iter().enumerate().filter(|(j, _)| *j != i) {
                let thread = other.threads[0];
                for (t, transition) in self.program.thread(thread).transitions.iter().enumerate() {
                    let source = [transition.source];
                    let mut premises = self.located(other, &source, other.here(&source));
                    premises.extend(relation(transition));
                    let conclusion = allowed.rewrite(&|leaf| match leaf.kind() {
                        TermKind::Primed(var, sort) => Some(value_after(self.program, *var, *sort, thread, transition)),
                        _ => None,
                    });
                    all.push(Obligation { condition: Condition::Guarantee(i, thread, t), premises, conclusion });
                }
            }
        }
        all
    }

    /// R_i and E_i and V_i = V_i' -> R_i'.
    fn rely(&self, environment: &[Vec<Term>]) -> Vec<Obligation> {
        let mut all = Vec::new();
        for (i, invariant) in self.invariants.iter().enumerate() {
            let environment = Environment::new(self.program, &invariant.threads, &environment[i]);
            for (place, formula) in &invariant.at {
                let mut premises = self.located(invariant, place, *formula);
                let (disturbance, conclusion) = environment.disturbs(*formula);
                premises.push(disturbance);
                all.push(Obligation { condition: Condition::Rely(i, place[0]), premises, conclusion });
            }
        }
        all
    }

    /// R_1 and .. and R_N and err -> false.
    fn safe(&self) -> Vec<Obligation> {
        let mut all = Vec::new();
        for (index, invariant) in self.invariants.iter().enumerate() {
            for (place, formula) in &invariant.at {
                for (thread, location) in invariant.threads.iter().zip(place) {
                    if !self.program.thread(*thread).location(*location).kind.is_error() {
                        continue;
                    }
                    let mut premises = self.located(invariant, place, *formula);
                    for (_, other) in self.invariants.iter().enumerate().filter(|(j, _)| *j != index) {
                        premises.push(Term::or(other.at.iter().map(|(p, f)| Term::and(self.located(other, p, *f)))));
                    }
                    let condition = Condition::Safe(*thread, *location);
                    all.push(Obligation { condition, premises, conclusion: Term::bool(false) });
                }
            }
        }
        all
    }

    /// The formula at a place, and the locations it is about.
    fn located(&self, invariant: &Invariant, place: &[LocationId], formula: Term) -> Vec<Term> {
        let mut all: Vec<Term> =
            invariant.threads.iter().zip(place).map(|(thread, l)| at(self.program, *thread, *l)).collect();
        all.extend(formula.conjuncts());
        if formula.as_bool() == Some(false) {
            all.push(formula);
        }
        all
    }

    /// What the formula says about the state after the step, as a formula about the state before.
    fn after(&self, formula: Term, thread: ThreadId, transition: &Transition) -> Term {
        after(self.program, formula, thread, transition)
    }

    fn is_location(&self, var: VarId) -> bool {
        var.0 as usize >= self.program.var_count()
    }

    /// Every thread has its invariant, and formulas speak of this program's state only.
    fn well_formed(&self, certificate: &Certificate) -> Result<(), Rejection> {
        let reject = |what: &str| {
            let condition = Condition::Form(what.to_string());
            Err(Rejection { message: condition.describe(self.program), condition, validity: Validity::Invalid })
        };
        let threads: Vec<ThreadId> = self.program.threads().map(|(id, _)| id).collect();
        let covered = match certificate {
            Certificate::Monolithic(invariant) => invariant.threads == threads,
            _ => self.invariants.iter().map(|i| i.threads.as_slice()).eq(threads.chunks(1)),
        };
        if !covered {
            return reject("the invariants are not one for each thread");
        }
        let environment: &[Vec<Term>] = match certificate {
            Certificate::RelyGuarantee { environment, .. } => environment,
            _ => &[],
        };
        if matches!(certificate, Certificate::RelyGuarantee { .. }) && environment.len() != threads.len() {
            return reject("the environments are not one for each thread");
        }
        let places = self.invariants.iter().flat_map(|i| i.at.keys().map(move |place| (i, place)));
        for (invariant, place) in places {
            let exists = |(t, l): (&ThreadId, &LocationId)| (l.0 as usize) < self.program.thread(*t).locations.len();
            if place.len() != invariant.threads.len() || !invariant.threads.iter().zip(place).all(exists) {
                return reject("an invariant speaks of a location that does not exist");
            }
        }
        let formulas = self.invariants.iter().flat_map(|i| i.at.values().copied());
        if !formulas.clone().all(|f| self.speaks_of_state(f, Moment::Before)) {
            return reject("an invariant speaks of something that is not part of the state");
        }
        if !environment.iter().flatten().all(|f| self.speaks_of_state(*f, Moment::BeforeAndAfter)) {
            return reject("an environment speaks of something that is not part of the state");
        }
        Ok(())
    }

    fn speaks_of_state(&self, formula: Term, moment: Moment) -> bool {
        let mut fine = formula.sort() == Sort::Bool;
        formula.visit(&mut |leaf| {
            let (var, sort, primed) = match leaf.kind() {
                TermKind::Var(var, sort) => (*var, *sort, false),
                TermKind::Primed(var, sort) => (*var, *sort, true),
                _ => return,
            };
            let known = if self.is_location(var) {
                (var.0 as usize - self.program.var_count()) < self.program.threads().count() && sort == Sort::Int
            } else {
                let declared = self.program.var(var);
                !matches!(declared.owner, Owner::Input(_)) && declared.sort == sort
            };
            fine &= known && (moment == Moment::BeforeAndAfter || !primed);
        });
        fine
    }
}

/// Which values a formula may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    BeforeAndAfter,
}

/// What the formula says about the state after the step, as a formula about the state before.
pub(crate) fn after(program: &Program, formula: Term, thread: ThreadId, transition: &Transition) -> Term {
    formula.substitute(&|var, sort| Some(value_after(program, var, sort, thread, transition)))
}

pub(crate) fn value_after(
    program: &Program,
    var: VarId,
    sort: Sort,
    thread: ThreadId,
    transition: &Transition,
) -> Term {
    if var == location_var(program, thread) {
        return Term::int(i128::from(transition.target.0));
    }
    transition.update(var).unwrap_or_else(|| Term::var(var, sort))
}

/// What a step requires: its guard, and that it is defined.
pub(crate) fn relation(transition: &Transition) -> Vec<Term> {
    transition.guard.iter().copied().chain(transition.defined.iter().map(|d| d.condition)).collect()
}
