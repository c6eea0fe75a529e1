//! Horn systems, their solution, and predicates from solutions. It knows terms and the solver; it must never know the
//! abstraction or a proof rule.

mod atoms;
mod interpolate;
mod solve;
mod tuples;
mod unfold;

pub use atoms::atoms;
pub use interpolate::{Preference, interpolate};
pub use smt::{Atom, Clause};
pub use solve::{Outcome, RecursionFree, Solution, instantiate, satisfies, solve};
