//! The three proof rules [T, Fig. 2] and the refinement loop [P]. Turns derivations into Horn clauses and solutions into predicates.

pub mod clauses;
mod rule;

pub use rule::{Rule, Vocabulary};
