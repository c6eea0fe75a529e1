//! Conjunctions of linear constraints over the integers, decided without a solver where that is possible: what abstraction
//! and refinement ask is nearly always of this kind, and Z3 takes a thousand times longer to answer. It knows terms; it must
//! never know a solver, a predicate or a proof rule.

mod decider;
mod difference;
mod elimination;
mod intervals;
mod literal;
mod model;
mod names;
#[cfg(test)]
mod tests;

pub use decider::{Decider, Decision};
pub use literal::{Info, Literal, LiteralTable, Relation, Shape, Symbol, ZERO};
pub use model::{Answer, Model};

/// Whether the conjunction has a solution with every symbol in its range; nothing if it is outside what is decided here.
pub fn satisfiable(table: &LiteralTable, literals: &[Literal]) -> Option<bool> {
    solve(table, literals).map(|answer| answer.is_satisfiable())
}

/// A solution of the conjunction with every symbol in its range, or that there is none; nothing if it is outside what is decided here.
pub fn solve(table: &LiteralTable, literals: &[Literal]) -> Option<Answer> {
    match table.defined(literals) {
        None => solve_linear(table, literals),
        Some(defined) => {
            solve_linear(table, &defined.literals).filter(|answer| defined.exact || *answer == Answer::Contradiction)
        }
    }
}

/// Why a conjunction is not decided.
pub(crate) enum Open {
    /// It would take too long.
    TooLong,
    /// It is not of the kind that is decided.
    Outside,
}

/// Intervals are the quickest; but of disjunctions, as long as only differences are compared, those decide more.
fn solve_linear(table: &LiteralTable, literals: &[Literal]) -> Option<Answer> {
    let intervals = || intervals::solve(table, literals).ok_or(Open::Outside);
    let differences = || difference::solve(table, literals);
    let answer = match literals.iter().any(|literal| table.has_choice(*literal)) {
        true => otherwise(differences(), intervals),
        false => otherwise(intervals(), differences),
    };
    otherwise(answer, || elimination::solve(table, literals).ok_or(Open::Outside)).ok()
}

/// Asks another about what is outside of what the first decides.
fn otherwise(answer: Result<Answer, Open>, other: impl FnOnce() -> Result<Answer, Open>) -> Result<Answer, Open> {
    match answer {
        Err(Open::Outside) => other(),
        answer => answer,
    }
}
