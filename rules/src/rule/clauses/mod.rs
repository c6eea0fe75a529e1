//! The recursive Horn clauses of the proof rules [T, Fig. 2], one file a rule.
//!
//! A solution of the clauses is a proof of the program under the rule. Over the full vocabulary the clauses have a solution
//! iff the program is safe; over the modular one, a solution is still a proof, but a refutation is none.
//!
//! pc_i is an integer among the arguments. rho_j is taken apart into its transitions, one clause each. A step needs its guard
//! and its definedness conditions, as [`program::Transition`] says; one that is always undefined has no clause. A value
//! that a step leaves alone is the same variable before and after, so that frames need no equations.

mod monolithic;
mod owicki_gries;
mod rely_guarantee;
mod state;

use horn::HornSystem;
use program::Program;

use crate::rule::{Rule, Vocabulary};

/// The Horn clauses of `rule` for `program`. The monolithic rule has only the full vocabulary.
pub fn clauses(program: &Program, rule: Rule, vocabulary: Vocabulary) -> HornSystem {
    match rule {
        Rule::Monolithic => monolithic::clauses(program),
        Rule::OwickiGries => owicki_gries::clauses(program, vocabulary),
        Rule::RelyGuarantee => rely_guarantee::clauses(program, vocabulary),
    }
}
