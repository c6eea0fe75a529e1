//! The three proof rules [T, Fig. 2] and the refinement loop [P].
//!
//! Abstract reachability per rule, derivations of errors, refinement through Horn clauses, and evidence. It knows the
//! abstraction and the Horn solver, which do not know each other. It must never know C.

mod assertions;
mod boxes;
pub mod clauses;
mod cubes;
mod derivation;
mod effect;
mod eliminate;
mod encode;
mod engine;
mod evidence;
mod explore;
mod options;
mod owicki_gries;
mod path;
mod portfolio;
mod preference;
mod prove;
mod reach;
mod refine;
mod rely_guarantee;
mod remedies;
mod rule;
mod search;
mod seeds;
mod setting;
mod spacer;
mod symmetry;
#[cfg(test)]
mod symmetry_tests;
mod system;
mod template;
mod views;
mod vocabulary;
mod widest;
mod words;

pub use abstraction::Counters;
pub use bounded::{Bounds, Hashing, Order, Progress, Search};
pub use engine::Engine;
pub use evidence::SolverEntailment;
pub use options::{Modularity, Options, Outcome, Reason, Seeds, SolverKind, Statistics, Verdict};
pub use portfolio::{Found, Lower, Task, Within, decide, decide_each, look, prove, refute, schedule};
pub use prove::{ParametricOutcome, ParametricProver, ParametricVerdict, prove_parametric};
pub use rule::{Rule, Vocabulary};
pub use smt::Cancel;
pub use template::counting;
