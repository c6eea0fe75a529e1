//! The proof rules: their names, whom their assertions are about ([`views`]), how these see what others do ([`effect`]), and the
//! recursive clauses that a rule is ([`clauses`]).

pub mod clauses;
pub(crate) mod effect;
pub(crate) mod owicki_gries;
pub(crate) mod rely_guarantee;
pub(crate) mod views;

use std::fmt;

/// A proof rule of [T, Fig. 2].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// (1): one assertion for the whole program.
    Monolithic,
    /// (2): one assertion a thread, stable under the other threads' steps.
    OwickiGries,
    /// (3): one assertion a thread, and one on what the others may do to it.
    RelyGuarantee,
}

impl Rule {
    /// All rules, in the order of their equations.
    pub const ALL: [Rule; 3] = [Rule::Monolithic, Rule::OwickiGries, Rule::RelyGuarantee];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Monolithic => "monolithic",
            Rule::OwickiGries => "owicki-gries",
            Rule::RelyGuarantee => "rely-guarantee",
        }
    }
}

/// How a rule's assertions see what others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// By their steps and all that is known of them: R_i and R_j and rho_j -> R_i' [T, Eq. 2].
    Direct,
    /// By abstract transitions: R_j and rho_j -> E_i and R_i and E_i -> R_i' [T, Eq. 3].
    Transitions,
}

impl Rule {
    /// How its assertions see what others do. Whom they are about is said by [`crate::rule::views::Views::new`].
    pub fn environment(self) -> Environment {
        match self {
            Rule::Monolithic | Rule::OwickiGries => Environment::Direct,
            Rule::RelyGuarantee => Environment::Transitions,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a thread's assertion may speak about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vocabulary {
    /// G and V_i: the proof is thread-modular.
    Modular,
    /// All of V, the other threads' locals and locations included.
    Full,
}
