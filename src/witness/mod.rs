//! SV-COMP witnesses in the YAML format: correctness witnesses 2.1 (invariants, with ghost variables) and violation witnesses 2.2
//! (waypoints with the thread that passes them).
//!
//! `correctness` and `violation` make them of a proof and of a trace, `write` and `read` are the format, `instrument` puts a
//! correctness witness into the C text, so that its invariants can be proved like any assertion, and `replay` follows a violation
//! witness to the error. Nothing here knows the prover.

mod cases;
mod correctness;
mod elementary;
mod expression;
mod ghosts;
mod harmless;
mod inputs;
mod instrument;
mod passages;
mod places;
mod read;
mod replay;
mod scope;
mod unknown_function;
mod violation;
mod write;

pub use correctness::correctness;
pub use elementary::{NotElementary, elementary};
pub use inputs::called;
pub use instrument::instrument;
pub use places::{Places, StatementId};
pub use read::read;
pub use replay::replay;
pub use violation::{started, violation};
pub use write::{Metadata, write};

/// A place in the C text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if it is not said.
    pub column: u32,
    /// The function around it; empty if it is not said.
    pub function: String,
}

/// What an invariant is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    /// Holds before the statement.
    Location,
    /// Holds before each evaluation of the loop's condition.
    Loop,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessInvariant {
    /// What it is for.
    pub kind: InvariantKind,
    /// Where.
    pub place: Place,
    /// What holds, a C expression.
    pub value: String,
}

/// A variable of the witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GhostVariable {
    /// Its name, that of no variable of the program.
    pub name: String,
    /// Its type, in C.
    pub ty: String,
    /// Its first value, in C.
    pub initial: String,
}

/// A new value of a ghost variable, given in one step with the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GhostUpdate {
    /// The statement.
    pub place: Place,
    /// The variable.
    pub variable: String,
    /// The value, in C.
    pub value: String,
}

/// What a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// The thread is before the statement, and this C expression holds.
    Assumption(String),
    /// The call is entered; a thread is created by it if it is `pthread_create`.
    FunctionEnter,
    /// The call returns a value with this property, `\result` being the value.
    FunctionReturn(String),
    /// The property is violated.
    Target,
}

/// A place that a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// What happens.
    pub kind: WaypointKind,
    /// Where.
    pub place: Place,
    /// Who: 0 is the main thread, k the k-th that was created.
    pub thread: u32,
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// Invariants of a program that is safe.
    Correctness {
        /// Variables of the witness.
        ghosts: Vec<GhostVariable>,
        /// How they change.
        updates: Vec<GhostUpdate>,
        /// What holds.
        invariants: Vec<WitnessInvariant>,
    },
    /// A run to the error. Of an error of two threads, the last two waypoints are targets, of one segment.
    Violation(Vec<Waypoint>),
}

impl Witness {
    /// Whether it is one of a proof, without an invariant.
    pub fn says_nothing(&self) -> bool {
        matches!(self, Witness::Correctness { invariants, .. } if invariants.is_empty())
    }
}
