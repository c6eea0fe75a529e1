//! The one crate that names z3: terms into and out of the solver, satisfiability with models and cores, and the fixedpoint
//! engine Spacer. It knows terms and variables; it must never know a proof rule, an abstraction or C.
//!
//! Z3 objects belong to the context of the thread that made them. Nothing here may cross threads; each worker makes its own.

mod interrupt;
mod solver;
mod spacer;
#[cfg(test)]
mod tests;
mod translate;
mod version;

pub use interrupt::{Cancel, interruptible};
pub use solver::{Answer, Model, Solver};
pub use spacer::{Atom, Clause, Preprocessing, Spacer, SpacerAnswer, SpacerOptions};
pub use translate::Translator;
pub use version::{PINNED_Z3, Z3_ORIGIN, Z3Origin, is_pinned, z3_version};
