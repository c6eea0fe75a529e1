//! The engines' names: who found an answer.

use std::fmt;

use crate::rule::Rule;

/// What looks for proofs, or for runs to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Abstraction and refinement under a rule.
    Cegar(Rule),
    /// The search over boxes.
    Boxes,
    /// A rule's clauses, solved by Spacer.
    Spacer(Rule),
    /// Execution within bounds, state by state.
    Explicit,
}

impl Engine {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Cegar(_) => "cegar",
            Engine::Boxes => "boxes",
            Engine::Spacer(_) => "spacer",
            Engine::Explicit => "explicit",
        }
    }

    /// The proof rule that it follows.
    pub fn rule(self) -> Option<Rule> {
        match self {
            Engine::Cegar(rule) | Engine::Spacer(rule) => Some(rule),
            Engine::Boxes => Some(Rule::Monolithic),
            Engine::Explicit => None,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Engine::Cegar(rule) | Engine::Spacer(rule) => write!(f, "{} under {rule}", self.name()),
            Engine::Boxes | Engine::Explicit => f.write_str(self.name()),
        }
    }
}
