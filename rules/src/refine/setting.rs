//! What a refinement looks at besides a derivation: the program, what assertions are about, and what is known.

use crate::refine::vocabulary::Vocabulary;
use crate::rule::Rule;
use crate::rule::views::Views;
use crate::system::System;

/// A program seen through views and predicates.
#[derive(Clone, Copy)]
pub struct Setting<'a, 'p> {
    /// The program.
    pub system: &'a System<'p>,
    /// What assertions are about.
    pub views: &'a Views,
    /// What they are made of.
    pub vocabulary: &'a Vocabulary,
}

impl Setting<'_, '_> {
    /// Logs the predicates of all views.
    pub fn log(&self, rule: Rule) {
        if log::log_enabled!(log::Level::Trace) {
            for (view, predicates) in self.views.all.iter().zip(&self.vocabulary.predicates) {
                let shown: Vec<String> = predicates.set().items().iter().map(|term| self.system.show(*term)).collect();
                log::trace!("{rule}: predicates of {:?}: {}", view.threads, shown.join(", "));
            }
        }
    }
}
