//! Where objects may lie, and which ids threads may have, where nothing says so: a few choices that differ in what programs can tell.

use program::{Bookkeeping, Init, Program, Var, VarId, VarKind};

/// How the unknown addresses and ids of a program are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In the order of declaration, far from one another.
    Ascending,
    /// The other way round, and aligned no better than they must be.
    Descending,
    /// One after the other without a gap, as far as they have the size of their alignment.
    Adjacent,
}

impl Layout {
    /// All of them.
    pub const ALL: [Layout; 3] = [Layout::Ascending, Layout::Descending, Layout::Adjacent];

    /// What the variable is that says where the object with this number is.
    pub fn place(self, number: i128) -> i128 {
        /// Far from both ends of all ranges, of addresses as well as of ids.
        const MIDDLE: i128 = 1 << 29;
        const APART: i128 = 1 << 20;
        match self {
            Layout::Ascending => MIDDLE + number * APART,
            Layout::Descending => 2 * MIDDLE - 1 - number * APART,
            Layout::Adjacent => MIDDLE + number,
        }
    }
}

/// The variables that stand for addresses and ids, in order; of ids that are used again those that say so.
pub fn places(program: &Program) -> Vec<VarId> {
    program.vars().filter(|(_, var)| is_place(var)).map(|(id, _)| id).collect()
}

/// Whether ids of threads may be used again.
pub fn reuses_ids(program: &Program) -> bool {
    program.vars().any(|(_, var)| is_place(var) && var.init != Init::Arbitrary)
}

fn is_place(var: &Var) -> bool {
    var.kind == VarKind::Control(Bookkeeping::Place)
}
