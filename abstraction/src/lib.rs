//! Predicate abstraction: predicates and transition predicates, abstract states, entailment, abstract post.
//!
//! States are Cartesian: which predicates hold and which fail. This crate knows programs and the solver; it must never know
//! a proof rule or a Horn clause.

mod bitset;
mod engine;
mod post;
mod predicate;
mod premises;
mod sharded;
mod tables;
#[cfg(test)]
mod tests;

pub use bitset::BitSet;
pub use engine::{Counters, Engine, Goal};
pub use linear::Literal;
pub use post::{Goals, abstract_all_by, abstract_by, abstract_state};
pub use predicate::{FormConstants, Predicate, PredicateSet, TransitionPredicate, Valuation};
pub use premises::{Bounds, Premises};
pub use tables::{Beyond, Entailment, Solution, Solutions, Tables};
