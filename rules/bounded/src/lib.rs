//! A search for errors by execution, within bounds [S].
//!
//! A [`program::Program`] is compiled once into a compact executable form, and its runs are explored over concrete states:
//! [`search()`] within given [`Bounds`], [`climb()`] with smaller ones first, [`deepen()`] with bounds that are raised step by step. What is found is a
//! [`check::Replayed`] run, or a [`Coverage`]: a statement that names every bound in force, never a proof. [`states()`] is what a proof can be made of.
//! This crate knows programs and the checker's traces; it must never know C, a solver, or a proof rule.

mod arrays;
mod bounds;
mod breadth;
mod climb;
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
mod solve;
mod states;
mod turns;
mod visited;

pub use bounds::{Bounds, Fresh, Hashing, Order, Reduction, Schedule, Search};
pub use climb::climb;
pub use coverage::{Coverage, Gap, Hits};
pub use deepen::{Deepening, deepen};
pub use gather::{End, Gathered, Notes};
pub use search::{Cancel, Outcome, Progress, Report, search};
pub use solve::Solve;
pub use states::{Sample, States, sample, states};
