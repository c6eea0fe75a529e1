//! A search for errors by execution, within bounds [S].
//!
//! A [`program::Program`] is compiled once into a compact executable form, and its runs are explored over concrete states:
//! [`search()`] within given [`Bounds`], [`deepen()`] with bounds that are raised step by step. What is found is a
//! [`check::Replayed`] run, or a [`Coverage`]: a statement that names every bound in force, never a proof. [`states()`] is what a proof can be made of.
//! This crate knows programs and the checker's traces; it must never know C, a solver, or a proof rule.

mod arrays;
mod bounds;
mod breadth;
mod coverage;
mod deepen;
mod depth;
mod eval;
mod expand;
mod explorer;
mod gather;
mod inputs;
mod interner;
mod machine;
mod memory;
mod path;
mod search;
mod states;
mod visited;

pub use bounds::{Bounds, Fresh, Hashing, Order, Reduction, Schedule, Search};
pub use coverage::{Coverage, Gap, Hits};
pub use deepen::{Deepening, deepen};
pub use gather::{End, Gathered, Notes};
pub use search::{Cancel, Outcome, Progress, Report, search};
pub use states::{States, states};
