//! The engines: each gets a program and limits, and returns a checked proof, a replayed run, or a reason.

use std::fmt;

use program::Program;

use crate::engines::cegar::Prover;
use crate::engines::{boxes, explicit, houdini, spacer};
use crate::options::{Options, Outcome};
use crate::rule::{Rule, Vocabulary};

/// What looks for proofs, or for runs to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Abstraction and refinement under a rule.
    Cegar(Rule),
    /// The search over boxes.
    Boxes,
    /// Guesses that are kept as long as they hold.
    Houdini,
    /// A rule's clauses over a vocabulary, solved by Spacer.
    Spacer(Rule, Vocabulary),
    /// Execution within bounds, state by state.
    Explicit,
}

impl Engine {
    /// Asks it about all claims of the program together. Evidence has been checked before it is returned.
    pub fn decide(self, program: &Program, options: &Options) -> Outcome {
        match self {
            Engine::Cegar(rule) => Prover::new(program, rule).decide(options),
            Engine::Boxes => boxes::decide(program, options),
            Engine::Houdini => houdini::decide(program, options),
            Engine::Spacer(rule, vocabulary) => spacer::decide(program, rule, vocabulary, options),
            Engine::Explicit => explicit::decide(program, options),
        }
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Cegar(_) => "cegar",
            Engine::Boxes => "boxes",
            Engine::Houdini => "houdini",
            Engine::Spacer(..) => "spacer",
            Engine::Explicit => "explicit",
        }
    }

    /// The proof rule that it follows.
    pub fn rule(self) -> Option<Rule> {
        match self {
            Engine::Cegar(rule) | Engine::Spacer(rule, _) => Some(rule),
            Engine::Boxes | Engine::Houdini => Some(Rule::Monolithic),
            Engine::Explicit => None,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Engine::Cegar(rule) | Engine::Spacer(rule, _) => write!(f, "{} under {rule}", self.name()),
            Engine::Boxes | Engine::Houdini | Engine::Explicit => f.write_str(self.name()),
        }
    }
}
