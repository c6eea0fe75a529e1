//! The constraint transition system that everything else speaks about.
//!
//! A [`Program`] is P = (V, init, err, rho_1 .. rho_N) of [T, Sec. 2]: global and thread-local variables, an initial value
//! for each, and for every thread a control-flow graph of guarded simultaneous assignments. This crate defines
//! sorts, hash-consed [`Term`]s, variables, threads and transitions, their concrete evaluation, their printers, and
//! the reader of SMT-LIB text.
//! It must never know C syntax, a solver, or a proof rule.

mod atom;
mod build;
mod claim;
mod conflict;
mod counter;
mod deadlock;
mod direction;
mod dot;
mod eval;
mod interner;
mod linear;
mod model;
mod number;
mod order;
mod population;
mod primed;
mod print;
mod ranges;
mod read;
mod relax;
mod sexpr;
mod share;
mod slots;
mod smtlib;
mod substitute;
mod tally;
mod template;
mod term;
mod wait;

pub use atom::negate;
pub use claim::{Claim, ClaimId, Need, Property};
pub use conflict::{Access, Conflict, Standing, Way};
pub use counter::Counter;
pub use deadlock::Untold;
pub use dot::dot;
pub use eval::{Array, EvalError, Value};
pub use linear::Linear;
pub use model::{
    Bookkeeping, Choice, Definedness, Init, Location, LocationId, LocationKind, Malformed, Owner, Program, Span,
    Thread, ThreadId, Transition, UbKind, Untracked, Var, VarId, VarKind,
};
pub use number::number;
pub use population::{Population, Templating};
pub use primed::determined;
pub use print::{DisplayTerm, display};
pub use ranges::{confine, leaving_range};
pub use read::{ReadError, Reader};
pub use sexpr::{Sexpr, SexprError};
pub use share::{Share, SharedCounter};
pub use smtlib::{smtlib_name, smtlib_sort, smtlib_term};
pub use tally::Tally;
pub use template::{FIRST_IDENTITY, Renaming, Template};
pub use term::{BitOp, IntType, Sort, Term, TermKind};
pub use wait::{Holder, Wait};
