//! Conjunctions of linear constraints over the integers, decided without a solver where that is possible: what abstraction
//! and refinement ask is nearly always of this kind, and Z3 takes a thousand times longer to answer. It knows terms; it must
//! never know a solver, a predicate or a proof rule.

mod decider;
mod difference;
mod elimination;
mod intervals;
mod literal;
mod names;
#[cfg(test)]
mod tests;

pub use decider::{Decider, Decision};
pub use literal::{Info, Literal, LiteralTable, Relation, Shape, Symbol, ZERO};

/// Whether the conjunction has a solution with every symbol in its range; nothing if it is outside what is decided here.
pub fn satisfiable(table: &LiteralTable, literals: &[Literal]) -> Option<bool> {
    match table.defined(literals) {
        None => linear_satisfiable(table, literals),
        Some(defined) => {
            linear_satisfiable(table, &defined.literals).filter(|satisfiable| !satisfiable || defined.exact)
        }
    }
}

fn linear_satisfiable(table: &LiteralTable, literals: &[Literal]) -> Option<bool> {
    intervals::satisfiable(table, literals).or_else(|| match difference::satisfiable(table, literals) {
        difference::Answer::Satisfiable(answer) => Some(answer),
        difference::Answer::TooLong => None,
        difference::Answer::Outside => elimination::satisfiable(table, literals),
    })
}
