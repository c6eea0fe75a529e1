//! Predicate abstraction: predicates and transition predicates, abstract states, entailment, abstract post.
//!
//! States are Cartesian: which predicates hold and which fail. This crate knows programs and the solver; it must never know
//! a proof rule or a Horn clause.

mod bitset;
mod engine;
mod post;
mod predicate;
#[cfg(test)]
mod tests;

pub use bitset::BitSet;
pub use engine::{Bounds, Counters, Engine, Goal, Premises};
pub use linear::Literal;
pub use post::{Goals, abstract_state, abstract_tracked};
pub use predicate::{FormConstants, Predicate, PredicateSet, TransitionPredicate, Valuation};
