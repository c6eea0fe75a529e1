//! Horn systems: relations, clauses, their printing, solution, and the clean-up of solutions into predicates. It knows terms and
//! the solver; it must never know threads, the abstraction or a proof rule.

mod atoms;
mod interpolate;
#[cfg(test)]
mod interpolate_tests;
mod questions;
mod recursive;
mod smtlib;
mod solve;
mod system;
mod tuples;
mod unfold;

pub use atoms::atoms;
pub use interpolate::{Preference, interpolate};
pub use recursive::{RecursiveAnswer, solve_recursive};
pub use smt::{Atom, Clause};
pub use solve::{Outcome, RecursionFree, Solution, instantiate, satisfies, solve};
pub use system::{Application, Argument, HornClause, HornSystem, Relation, RelationId, Variables};
