//! The three proof rules [T, Fig. 2] and the refinement loop [P].
//!
//! A rule says whom assertions are about and how they see others ([`rule`]); abstract reachability ([`reach`]) and refinement
//! through Horn clauses ([`refine`]) are the same for all ([`engines::cegar`]). It knows the abstraction and the Horn solver,
//! which do not know each other. It must never know C.

mod assertions;
mod cubes;
mod engine;
mod engines;
mod environments;
mod evidence;
mod ghosts;
mod minimise;
mod monitor;
mod options;
mod portfolio;
mod reach;
mod refine;
mod rule;
mod system;

pub use abstraction::Counters;
pub use bounded::{Bounds, End, Hashing, Order, Progress, Search};
pub use engine::Engine;
pub use engines::cegar::Prover;
pub use evidence::{SolverEntailment, minimal};
pub use ghosts::counting;
pub use minimise::joined;
pub use monitor::{Growth, Monitor, Stage};
pub use options::{Modularity, Options, Outcome, Reason, Seeds, SolverKind, Statistics, Verdict};
pub use portfolio::{
    Found, Lower, Task, Visit, Visits, Within, decide, decide_each, ends, has_near_error, look, prove, refute,
    schedule, visit,
};
pub use rule::{Rule, Vocabulary, clauses};
pub use smt::Cancel;
