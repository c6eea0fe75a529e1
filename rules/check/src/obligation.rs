//! The conditions of the three rules on a certificate, one implication at a time [T, Fig. 2]: what they are, what they say, and
//! how they are decided. Which ones a certificate owes is found in [`crate::owed`].

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use program::{LocationId, Program, Sort, Term, TermKind, ThreadId};

use crate::certificate::Certificate;
use crate::form::{about, well_formed};
use crate::owed::Owed;

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

/// Which condition of a rule an implication belongs to. Assertions are meant by their index in the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// init -> R.
    Initial(usize),
    /// R and rho_i -> R': the thread, and its transition.
    Step(usize, ThreadId, usize),
    /// R and what is known of m and rho_m -> R': where the first thread of R is, and m's transition.
    Interference(usize, LocationId, ThreadId, usize),
    /// What is known of m and rho_m -> E: the assertion whose environment it is, and m's transition.
    Guarantee(usize, ThreadId, usize),
    /// R and E and V_R = V_R' -> R': where the first thread of R is.
    Rely(usize, LocationId),
    /// R and err -> false: the thread at the error location.
    Safe(ThreadId, LocationId),
    /// R_i and R_j and .. and err -> false, where err is about several threads: the program's conflict.
    Apart(usize),
    /// The certificate is not one for this program.
    Form(String),
}

impl Condition {
    /// The condition in words.
    pub fn describe(&self, program: &Program) -> String {
        let words = Words(program);
        match self {
            Condition::Initial(i) => format!("the initial states are not within {}", words.assertion(*i)),
            Condition::Step(i, thread, index) => {
                format!("{} leaves {}", words.step(*thread, *index), words.assertion(*i))
            }
            Condition::Interference(i, location, thread, index) => {
                let (step, line) = (words.step(*thread, *index), words.line(*i, *location));
                format!("interference of {step} with {} at line {line}", words.assertion(*i))
            }
            Condition::Guarantee(i, thread, index) => {
                format!("{} is not within {}", words.step(*thread, *index), words.environment(*i))
            }
            Condition::Rely(i, location) => {
                let line = words.line(*i, *location);
                format!("{} leaves {} at line {line}", words.environment(*i), words.assertion(*i))
            }
            Condition::Safe(thread, _) => format!("the assertions admit an error of {}", words.thread(*thread)),
            Condition::Apart(index) => {
                let threads =
                    self.conflicting(program, *index).map(|(thread, line)| format!("{thread} at line {line}"));
                format!("the assertions admit that {} are in conflict", threads.collect::<Vec<_>>().join(" and "))
            }
            Condition::Form(what) => what.clone(),
        }
    }

    /// The threads of a conflict, and their lines.
    fn conflicting<'p>(&self, program: &'p Program, index: usize) -> impl Iterator<Item = (String, u32)> + use<'p> {
        let at = program.conflicts().get(index).into_iter().flat_map(|conflict| &conflict.at);
        at.filter_map(|standing| {
            let (thread, first) = (standing.thread, standing.ways.first()?);
            Some((Words(program).thread(thread), program.thread(thread).location(first.location).span.line))
        })
    }
}

/// What conditions speak of. Threads of a known number have numbers, others names.
struct Words<'a>(&'a Program);

impl Words<'_> {
    fn assertion(&self, index: usize) -> String {
        if self.0.templates().is_empty() {
            return format!("R_{}", index + 1);
        }
        let threads = about(self.0).into_iter().nth(index).unwrap_or_default();
        let names: Vec<String> = threads.iter().map(|thread| self.thread(*thread)).collect();
        format!("the assertion about {}", names.join(", "))
    }
    fn environment(&self, index: usize) -> String {
        if self.0.templates().is_empty() {
            return format!("E_{}", index + 1);
        }
        format!("the environment of {}", self.assertion(index))
    }
    fn thread(&self, thread: ThreadId) -> String {
        if self.0.templates().is_empty() {
            return format!("thread {}", thread.0 + 1);
        }
        self.0.thread(thread).name.clone()
    }
    fn step(&self, thread: ThreadId, index: usize) -> String {
        let Some(transition) = self.0.thread(thread).transitions.get(index) else { return "a step".into() };
        let (name, line) = (self.thread(thread), transition.span.line);
        match self.0.created_by(transition) {
            Some(template) => format!("the creation of {} by {name} at line {line}", template.name),
            None => format!("{name}'s transition at line {line}"),
        }
    }
    /// Where the first thread of an assertion is.
    fn line(&self, index: usize, location: LocationId) -> u32 {
        let first = about(self.0).get(index).and_then(|threads| threads.first().copied());
        let place = first.and_then(|thread| self.0.thread(thread).locations.get(location.0 as usize));
        place.map_or(0, |location| location.span.line)
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
    well_formed(program, certificate)?;
    Ok(with_ranges(program, Owed::new(program, certificate).all()))
}

/// What must be valid besides, where a proof's assertions have changed at some places, by index and place; not all that must be.
pub fn obligations_of(
    program: &Program,
    certificate: &Certificate,
    changed: &dyn Fn(usize, &[LocationId]) -> bool,
) -> Vec<Obligation> {
    with_ranges(program, Owed::new(program, certificate).only_of(changed).all())
}

fn with_ranges(program: &Program, mut all: Vec<Obligation>) -> Vec<Obligation> {
    all.retain(|obligation| obligation.conclusion.as_bool() != Some(true));
    let mut ranges = Ranges { program, leaves: HashMap::new(), within: HashMap::new() };
    all.iter_mut().for_each(|obligation| ranges.add(obligation));
    all
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
