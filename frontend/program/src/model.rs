//! Programs: variables, threads, locations and transitions, well formed by construction.

use std::collections::BTreeSet;
use std::fmt;

use crate::claim::{Claim, ClaimId, Property};
use crate::conflict::{Access, Conflict};
use crate::counter::Counter;
use crate::ranges::{leaving_range, starts_in_range};
use crate::tally::{Place, Tally};
use crate::template::Template;
use crate::term::{IntType, Sort, Term, TermKind};
use crate::wait::Wait;

/// A variable of a [`Program`]: an index into [`Program::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A thread of a [`Program`]: an index into [`Program::threads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// A control location of one thread: an index into [`Thread::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// A place in the C text. Lines and columns count from 1; column 0 means that only the line is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Index into [`Program::files`].
    pub file: u32,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// Who may write a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// G: every thread.
    Global,
    /// V_i: this thread only.
    Local(ThreadId),
    /// Not part of the state: a value chosen afresh by each step of this thread that lists it among its inputs.
    Input(ThreadId),
}

/// What a variable stands for, for printers and heuristics; it has no influence on the semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarKind {
    /// A C object, or a scalar part of one.
    User,
    /// A value on its way between two steps.
    Temporary,
    /// A lock: its owner's id, 0 when free.
    Lock,
    /// Bookkeeping, which no C text can name.
    Control(Bookkeeping),
    /// A nondeterministic choice.
    Input(Choice),
}

/// What a variable of ours keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bookkeeping {
    /// Whether a thread, or the next instance of a template, may start.
    Started,
    /// Whether a thread has ended.
    Ended,
    /// Which thread is in an atomic section, 0 for none.
    AtomicSection,
    /// Whether a block, or which blocks, have been freed.
    Freed,
    /// The values of a function of which nothing is known, by its argument.
    Function,
    /// Where an object is, or the id of a thread or a key: what no program can choose.
    Place,
    /// Anything else: arguments, results, lengths, counts.
    Other,
}

/// What a nondeterministic choice decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// What a function returns that may return anything.
    Returned,
    /// A random number of the C library.
    Random,
    /// Whether a call takes one of the two ways that are open to it.
    Chance,
    /// Whether a weak compare-and-exchange is tried at all.
    Exchange,
    /// Whether an allocation gets memory that has been freed.
    Reuse,
    /// How many arguments the program is given, its name among them.
    Arguments,
    /// A value that C determines and the program does not follow, such as that of a floating-point comparison: proofs hold for
    /// any, but a run that chose one shows nothing.
    Untracked(Untracked),
    /// Anything else.
    Other,
}

/// What is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Untracked {
    /// A comparison or conversion of floating-point numbers.
    Float,
    /// What a text says that the system provides or a library function made.
    Text,
    /// What a library function computes.
    Result,
}

impl std::fmt::Display for Untracked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Untracked::Float => "floating point where its value matters",
            Untracked::Text => "a text where it matters what it says",
            Untracked::Result => "a library function where its exact result matters",
        })
    }
}

impl VarKind {
    /// The position among the kinds, whatever is kept or chosen.
    pub fn rank(self) -> u8 {
        match self {
            VarKind::User => 0,
            VarKind::Temporary => 1,
            VarKind::Lock => 2,
            VarKind::Control(_) => 3,
            VarKind::Input(_) => 4,
        }
    }
}

/// The value a variable starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// Exactly this constant.
    Value(Term),
    /// Anything in the variable's range.
    Arbitrary,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Unique within the program; a C identifier, or one with suffixes such as `a[2]`, `s.f`, `f::x`.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// Who may write it.
    pub owner: Owner,
    /// What it stands for.
    pub kind: VarKind,
    /// The range of its value, or of its elements for an array: an invariant of every execution.
    pub ty: IntType,
    /// For an array, its number of elements: indices outside are undefined behaviour.
    pub length: Option<u64>,
    /// Its initial value.
    pub init: Init,
    /// Its declaration.
    pub span: Span,
}

/// What a location means for the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocationKind {
    /// Nothing special.
    Plain,
    /// A claim of this property is violated: err holds.
    Error(Property),
    /// From here on the program does what the transition system does not say: err holds, so that a proof shows that no execution
    /// comes here, but one that does is no violation.
    Unmodelled,
    /// The thread has ended.
    End,
}

impl LocationKind {
    /// Whether err holds.
    pub fn is_error(self) -> bool {
        matches!(self, LocationKind::Error(_) | LocationKind::Unmodelled)
    }
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// What it means.
    pub kind: LocationKind,
    /// The C text that runs next.
    pub span: Span,
}

/// The kinds of undefined behaviour that the lowering knows, and of memory that is left: that is looked at only where it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UbKind {
    /// A signed operation whose exact result is out of range.
    SignedOverflow,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative or oversized amount, or of a negative value to the left.
    Shift,
    /// An array index out of bounds.
    OutOfBounds,
    /// A dereference of a pointer that is null, dangling or points to nothing of the type.
    InvalidPointer,
    /// A call through a pointer that is no function of the type.
    InvalidCall,
    /// Unlocking a mutex that the thread does not hold, locking one that it holds already, joining no thread.
    Synchronisation,
    /// Freeing what is not the start of a block, or has been freed.
    InvalidFree,
    /// A read of what has no value.
    Uninitialised,
    /// Control at what the text says it never comes to.
    Unreachable,
    /// A block that nothing leads to.
    Lost,
    /// A block that is there when the program ends.
    Kept,
}

impl fmt::Display for UbKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UbKind::SignedOverflow => "signed overflow",
            UbKind::DivisionByZero => "division by zero",
            UbKind::Shift => "shift out of range",
            UbKind::OutOfBounds => "index out of bounds",
            UbKind::InvalidPointer => "invalid pointer",
            UbKind::InvalidCall => "invalid function pointer",
            UbKind::Synchronisation => "misuse of a synchronisation object",
            UbKind::InvalidFree => "invalid free",
            UbKind::Uninitialised => "read of an uninitialised object",
            UbKind::Unreachable => "coming to what is said to be unreachable",
            UbKind::Lost => "lost memory",
            UbKind::Kept => "memory left at the end",
        })
    }
}

/// A condition without which a step is undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definedness {
    /// Over the state before the step, and its inputs.
    pub condition: Term,
    /// What happens if it fails.
    pub kind: UbKind,
    /// Where.
    pub span: Span,
}

/// A guarded simultaneous assignment of one thread.
///
/// The step is possible from a state iff there are values of `inputs`, in their ranges, such that all of `guard` and all of
/// `defined` hold. Undefined behaviour thus ends an execution before the step. Leaving `defined` out over-approximates:
/// sound for a proof, not for a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where the thread is before.
    pub source: LocationId,
    /// Where it is after.
    pub target: LocationId,
    /// Values chosen afresh by this step ([`Owner::Input`]).
    pub inputs: Vec<VarId>,
    /// A conjunction of literals over G, V_i and the inputs.
    pub guard: Vec<Term>,
    /// New values, each over the state before the step. A variable not listed keeps its value.
    pub updates: Vec<(VarId, Term)>,
    /// What must hold for the step to be defined.
    pub defined: Vec<Definedness>,
    /// The C text of the step: the shared access or the deciding statement.
    pub span: Span,
}

impl Transition {
    /// Whether the step is undefined behaviour whatever the state: it is never taken.
    pub fn is_undefined(&self) -> bool {
        self.defined.iter().any(|d| d.condition.as_bool() == Some(false))
    }
    /// The new value of `var`.
    pub fn update(&self, var: VarId) -> Option<Term> {
        self.updates.iter().find(|(v, _)| *v == var).map(|(_, value)| *value)
    }
    /// The variables that the step reads, inputs included.
    pub fn reads(&self) -> BTreeSet<VarId> {
        let terms = self.guard.iter().copied().chain(self.updates.iter().map(|(_, value)| *value));
        terms.chain(self.defined.iter().map(|d| d.condition)).flat_map(Term::vars).collect()
    }
}

/// A thread: a control-flow graph.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The start function's name, with `#k` for the k-th of several instances.
    pub name: String,
    /// Where it starts.
    pub entry: LocationId,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its steps, ordered by source.
    pub transitions: Vec<Transition>,
    /// Its declaration.
    pub span: Span,
}

impl Thread {
    /// A location.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }
    /// All locations with their ids.
    pub fn locations(&self) -> impl Iterator<Item = (LocationId, &Location)> {
        (0..).map(LocationId).zip(&self.locations)
    }
    /// The steps from `source`.
    pub fn from(&self, source: LocationId) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(move |t| t.source == source)
    }
}

/// Why a program was refused by its constructor. Each is a bug of whoever built it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed program: {}", self.0)
    }
}
impl std::error::Error for Malformed {}

/// P = (V, init, err, rho_1 .. rho_N) of [T, Sec. 2]. err: some thread is at a location that [is one](LocationKind::is_error), or
/// threads [are in conflict](Program::conflicts).
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) files: Vec<String>,
    pub(crate) vars: Vec<Var>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) templates: Vec<Template>,
    pub(crate) counters: Vec<(Counter, VarId)>,
    /// Tallies, with the places that locations of their templates are.
    pub(crate) tallies: Vec<(Tally, Vec<Place>)>,
    pub(crate) claims: Vec<Claim>,
    /// By thread, what it may touch that others touch too.
    pub(crate) accesses: Vec<Vec<Access>>,
    /// By thread, where it may have to wait.
    pub(crate) waits: Vec<Vec<Wait>>,
    /// The ids that threads are known by there.
    pub(crate) ids: Vec<Term>,
    /// Waits that may never end.
    pub(crate) deadlocks: Vec<Conflict>,
    /// Conflicts that are none of the program's errors.
    pub(crate) tolerated: BTreeSet<ClaimId>,
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) observed: Vec<Term>,
}

impl Program {
    /// A program, if it is well formed: ids in range, names unique, sorts right, guards made of literals, every transition of
    /// thread i reads G, V_i and its inputs, and writes G and V_i once each, and variables stay in their ranges.
    pub fn new(files: Vec<String>, vars: Vec<Var>, threads: Vec<Thread>) -> Result<Program, Malformed> {
        let program = Program {
            accesses: vec![Vec::new(); threads.len()],
            waits: vec![Vec::new(); threads.len()],
            ids: Vec::new(),
            deadlocks: Vec::new(),
            files,
            vars,
            threads,
            templates: Vec::new(),
            counters: Vec::new(),
            tallies: Vec::new(),
            claims: Vec::new(),
            tolerated: BTreeSet::new(),
            conflicts: Vec::new(),
            observed: Vec::new(),
        };
        program.validate()?;
        Ok(Program { claims: program.bare_claims(), ..program })
    }

    /// The same, with terms by which a search may recognise states. They say nothing about the program.
    pub fn observing(self, observed: Vec<Term>) -> Program {
        Program { observed, ..self }
    }
    /// What a search may recognise states by; empty if nobody has chosen anything.
    pub fn observed(&self) -> &[Term] {
        &self.observed
    }
    /// Names of the source files, by [`Span::file`].
    pub fn files(&self) -> &[String] {
        &self.files
    }
    /// All variables with their ids.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, &Var)> {
        (0..).map(VarId).zip(&self.vars)
    }
    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }
    /// All variables that are part of the state: G and the V_i.
    pub fn state_vars(&self) -> impl Iterator<Item = (VarId, &Var)> {
        self.vars().filter(|(_, var)| !matches!(var.owner, Owner::Input(_)))
    }
    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }
    /// The term that is a variable's value.
    pub fn term(&self, id: VarId) -> Term {
        Term::var(id, self.var(id).sort)
    }
    /// All threads with their ids.
    pub fn threads(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        (0..).map(ThreadId).zip(&self.threads)
    }
    /// A thread.
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.0 as usize]
    }
    /// G, in order.
    pub fn globals(&self) -> impl Iterator<Item = VarId> {
        self.vars().filter(|(_, v)| v.owner == Owner::Global).map(|(id, _)| id)
    }
    /// V_i without the location, in order.
    pub fn locals(&self, thread: ThreadId) -> impl Iterator<Item = VarId> {
        self.vars().filter(move |(_, v)| v.owner == Owner::Local(thread)).map(|(id, _)| id)
    }

    fn validate(&self) -> Result<(), Malformed> {
        let mut names = BTreeSet::new();
        for (_, var) in self.vars() {
            if !names.insert(&var.name) {
                return Err(Malformed(format!("two variables are named {}", var.name)));
            }
            if let Init::Value(value) = var.init
                && (value.sort() != var.sort || !value.vars().is_empty())
            {
                return Err(Malformed(format!("the initial value of {} is not a constant of its sort", var.name)));
            }
            if !starts_in_range(var) {
                return Err(Malformed(format!("the initial value of {} is not in its range", var.name)));
            }
            if let Owner::Local(t) | Owner::Input(t) = var.owner
                && t.0 as usize >= self.threads.len()
            {
                return Err(Malformed(format!("{} belongs to no thread", var.name)));
            }
        }
        for (id, thread) in self.threads() {
            if thread.entry.0 as usize >= thread.locations.len() {
                return Err(Malformed(format!("thread {} has no entry", thread.name)));
            }
            for transition in &thread.transitions {
                self.validate_transition(id, thread, transition).map_err(|what| {
                    Malformed(format!("thread {}, line {}: {what}", thread.name, transition.span.line))
                })?;
            }
        }
        Ok(())
    }

    fn validate_transition(&self, id: ThreadId, thread: &Thread, t: &Transition) -> Result<(), String> {
        let located = |l: LocationId| (l.0 as usize) < thread.locations.len();
        if !located(t.source) || !located(t.target) {
            return Err("a transition between unknown locations".into());
        }
        for var in t.reads().into_iter().chain(t.updates.iter().map(|(v, _)| *v)) {
            if var.0 as usize >= self.vars.len() {
                return Err("an unknown variable".into());
            }
        }
        for var in t.reads() {
            let readable = match self.var(var).owner {
                Owner::Global => true,
                Owner::Local(owner) => owner == id,
                Owner::Input(owner) => owner == id && t.inputs.contains(&var),
            };
            if !readable {
                return Err(format!("it reads {}, which is not its own", self.var(var).name));
            }
        }
        let mut written = BTreeSet::new();
        for (var, value) in &t.updates {
            if !matches!(self.var(*var).owner, Owner::Global) && self.var(*var).owner != Owner::Local(id) {
                return Err(format!("it writes {}, which is not its own", self.var(*var).name));
            }
            if !written.insert(*var) || value.sort() != self.var(*var).sort {
                return Err(format!("it writes {} twice or with another sort", self.var(*var).name));
            }
        }
        let formulas = t.guard.iter().copied().chain(t.defined.iter().map(|d| d.condition));
        if formulas.into_iter().any(|f| f.sort() != Sort::Bool) {
            return Err("a guard is not a formula".into());
        }
        if t.guard.iter().any(|g| matches!(g.kind(), TermKind::And(_) | TermKind::Or(_))) {
            return Err("a guard is not a literal".into());
        }
        match leaving_range(&self.vars, t).first() {
            Some(var) => Err(format!("it may take {} out of its range", self.var(*var).name)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: VarId = VarId(0);
    const LOCAL: VarId = VarId(1);
    const INPUT: VarId = VarId(2);
    const OTHERS: VarId = VarId(3);
    const INT: IntType = IntType::new(32, true);

    fn var(name: &str, owner: Owner) -> Var {
        let (sort, kind, ty) = (Sort::Int, VarKind::User, IntType::new(32, true));
        Var { name: name.into(), sort, owner, kind, ty, length: None, init: Init::Arbitrary, span: Span::default() }
    }
    fn value(id: VarId) -> Term {
        Term::var(id, Sort::Int)
    }
    fn step(guard: Vec<Term>, updates: Vec<(VarId, Term)>) -> Transition {
        let (source, target) = (LocationId(0), LocationId(1));
        let span = Span { file: 0, line: 9, column: 1 };
        Transition { source, target, inputs: vec![INPUT], guard, updates, defined: vec![], span }
    }
    fn parts(steps: Vec<Transition>) -> (Vec<Var>, Vec<Thread>) {
        let owners = [Owner::Global, Owner::Local(ThreadId(0)), Owner::Input(ThreadId(0)), Owner::Local(ThreadId(1))];
        let vars =
            ["x", "local", "input", "other's"].iter().zip(owners).map(|(name, owner)| var(name, owner)).collect();
        let thread = |name: &str, transitions| {
            let locations = vec![Location { kind: LocationKind::Plain, span: Span::default() }; 2];
            Thread { name: name.into(), entry: LocationId(0), locations, transitions, span: Span::default() }
        };
        (vars, vec![thread("t", steps), thread("u", vec![])])
    }
    fn refusal(change: impl FnOnce(&mut Vec<Var>, &mut Vec<Thread>)) -> String {
        let (mut vars, mut threads) = parts(vec![step(vec![], vec![])]);
        change(&mut vars, &mut threads);
        Program::new(vec!["f.c".into()], vars, threads).map_or_else(|error| error.to_string(), |_| "accepted".into())
    }
    fn refused_step(step: Transition) -> String {
        let whole = refusal(|_, threads| threads[0].transitions[0] = step);
        whole.strip_prefix("malformed program: thread t, line 9: ").unwrap_or(&whole).to_string()
    }

    #[test]
    fn a_thread_may_touch_what_is_shared_and_its_own() {
        let sum = value(X).add(value(LOCAL)).add(value(INPUT));
        let updates = vec![(X, sum.wrap(INT)), (LOCAL, Term::int(0))];
        assert_eq!(refused_step(step(vec![value(X).le(value(INPUT))], updates)), "accepted");
    }

    /// What a variable may be is a premise of every proof, so it must be so.
    #[test]
    fn variables_stay_in_their_ranges() {
        let out = "it may take x out of its range";
        let (low, high) = (Term::int(INT.least()), Term::int(INT.greatest()));
        let next = value(X).add(Term::int(1));
        let write = |guard: Vec<Term>, value: Term| refused_step(step(guard, vec![(X, value)]));
        assert_eq!(write(vec![], next), out);
        assert_eq!(write(vec![value(X).lt(high)], next), "accepted");
        assert_eq!(write(vec![value(LOCAL).lt(high)], next), out);
        assert_eq!(write(vec![value(X).eq_to(Term::int(7))], next), "accepted");
        let sum = value(X).add(value(LOCAL));
        assert_eq!(write(vec![sum.le(high), low.le(sum)], sum), "accepted");
        assert_eq!(write(vec![sum.le(high)], sum), out);
        let condition = Term::and([sum.le(high), low.le(sum)]);
        let defined = vec![Definedness { condition, kind: UbKind::SignedOverflow, span: Span::default() }];
        assert_eq!(refused_step(Transition { defined, ..step(vec![], vec![(X, sum)]) }), "accepted");
        assert_eq!(write(vec![], sum.wrap(INT)), "accepted");
        assert_eq!(write(vec![], value(X).neg()), out);
        assert_eq!(write(vec![], value(X).div(Term::int(2))), "accepted");
        assert_eq!(write(vec![], value(X).div(value(LOCAL))), out);
        assert_eq!(write(vec![], value(X).rem(Term::int(8))), "accepted");
        let cut = value(X).sub(value(X).rem(Term::int(8)));
        assert_eq!(write(vec![], cut), "accepted");
        assert_eq!(write(vec![value(X).le(Term::int(-1)).not()], cut.add(Term::int(7))), "accepted");
        assert_eq!(write(vec![], cut.add(Term::int(8))), out);
        // Only one remainder goes with a number: 7 - 7 % 4 - 7 % 8 is negative.
        let natural = vec![value(X).le(Term::int(-1)).not()];
        let twice =
            |k| value(X).sub(value(X).rem(Term::int(4))).sub(value(X).rem(Term::int(k))).sub(Term::int(1 << 31));
        assert_eq!(write(natural, twice(8)), out);
        let initial = |value: i128| refusal(|vars, _| vars[0].init = Init::Value(Term::int(value)));
        assert_eq!(initial(INT.greatest()), "accepted");
        assert_eq!(initial(INT.greatest() + 1), "malformed program: the initial value of x is not in its range");
        let element = |element: Term| {
            let array = Term::var(X, Sort::Array);
            refusal(|vars, threads| {
                (vars[0].sort, vars[0].ty) = (Sort::Array, IntType::new(8, false));
                threads[0].transitions[0].updates = vec![(X, array.store(value(LOCAL), element))];
            })
        };
        assert_eq!(element(Term::int(255)), "accepted");
        assert!(element(Term::int(256)).ends_with(out));
        assert_eq!(element(Term::var(X, Sort::Array).select(Term::int(3))), "accepted");
    }

    #[test]
    fn malformed_variables_and_threads_are_refused() {
        let refused = |what: &str| format!("malformed program: {what}");
        assert_eq!(refusal(|vars, _| vars[1].name = "x".into()), refused("two variables are named x"));
        let constant = refused("the initial value of x is not a constant of its sort");
        assert_eq!(refusal(|vars, _| vars[0].init = Init::Value(value(LOCAL))), constant);
        assert_eq!(refusal(|vars, _| vars[0].init = Init::Value(Term::bool(true))), constant);
        assert_eq!(refusal(|vars, _| vars[1].owner = Owner::Local(ThreadId(2))), refused("local belongs to no thread"));
        assert_eq!(refusal(|vars, _| vars[2].owner = Owner::Input(ThreadId(7))), refused("input belongs to no thread"));
        assert_eq!(refusal(|_, threads| threads[1].entry = LocationId(2)), refused("thread u has no entry"));
    }

    #[test]
    fn malformed_steps_are_refused() {
        let write = |var, value| step(vec![], vec![(var, value)]);
        let zero = Term::int(0);
        for (step, message) in [
            (Transition { target: LocationId(2), ..step(vec![], vec![]) }, "a transition between unknown locations"),
            (write(VarId(9), zero), "an unknown variable"),
            (step(vec![value(VarId(9)).le(zero)], vec![]), "an unknown variable"),
            (write(X, value(OTHERS)), "it reads other's, which is not its own"),
            (Transition { inputs: vec![], ..write(X, value(INPUT)) }, "it reads input, which is not its own"),
            (write(OTHERS, zero), "it writes other's, which is not its own"),
            (write(INPUT, zero), "it writes input, which is not its own"),
            (step(vec![], vec![(X, zero), (X, zero)]), "it writes x twice or with another sort"),
            (write(X, Term::bool(true)), "it writes x twice or with another sort"),
            (step(vec![zero], vec![]), "a guard is not a formula"),
            (step(vec![Term::or([value(X).le(zero), value(LOCAL).le(zero)])], vec![]), "a guard is not a literal"),
        ] {
            assert_eq!(refused_step(step), message);
        }
        let defined = vec![Definedness { condition: zero, kind: UbKind::Shift, span: Span::default() }];
        assert_eq!(refused_step(Transition { defined, ..step(vec![], vec![]) }), "a guard is not a formula");
    }
}
