//! The three proof rules and the refinement loop.
//!
//! Abstract reachability per rule, derivations of errors, refinement through Horn clauses, and evidence. It knows the
//! abstraction and the Horn solver, which do not know each other. It must never know C.

mod derivation;
mod effect;
mod encode;
mod evidence;
mod monolithic;
mod options;
mod owicki_gries;
mod path;
mod preference;
mod prove;
mod reach;
mod refine;
mod rely_guarantee;
mod search;
mod system;

pub use evidence::SolverEntailment;
pub use options::{Method, Modularity, Options, Reason, Report, Seeds, Statistics, Verdict};
pub use prove::prove;
