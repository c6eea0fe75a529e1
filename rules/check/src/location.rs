//! Locations in formulas: pc_i as a variable beyond the program's own.

use program::{LocationId, Program, Sort, Term, ThreadId, VarId};

/// The variable that stands for pc_i: an id that no variable of the program has.
pub fn location_var(program: &Program, thread: ThreadId) -> VarId {
    VarId(program::number(program.var_count() + thread.0 as usize))
}

/// `pc_i = location`.
pub fn at(program: &Program, thread: ThreadId, location: LocationId) -> Term {
    Term::var(location_var(program, thread), Sort::Int).eq_to(Term::int(i128::from(location.0)))
}
