//! The engines behind [`crate::Engine::decide`]: abstraction refinement, boxes, guesses, Spacer on a rule's recursive clauses, and execution.

pub(crate) mod boxes;
pub(crate) mod cegar;
pub(crate) mod explicit;
pub(crate) mod houdini;
pub(crate) mod spacer;
pub(crate) mod values;
