//! Horn systems: relations, clauses, their printing, solution and the clean-up of solutions into predicates. Knows no threads and no abstraction.

mod smtlib;
mod system;

pub use system::{Application, Argument, HornClause, HornSystem, Relation, RelationId, Variables};
