//! What others, whenever they could do something, make of a state: asked once for all who write the same.

use std::sync::Arc;

use abstraction::Valuation;

/// What writing the same makes of a state, if nothing is known of when it happens.
#[derive(Clone, Debug, Default)]
pub(crate) enum Widest {
    /// Not known yet.
    #[default]
    Unknown,
    /// This, which none of the first so many states of the place stands for.
    New(Arc<Valuation>, usize),
    /// Nothing new: states that are there stand for it.
    Nowhere,
}

impl Widest {
    /// Whether states that are there stand for it. All there have been at the place are given, in order: states give way to more
    /// general ones only, so those that were asked before need not be asked again, and a yes is final.
    pub(crate) fn leads_nowhere<'v, S>(&mut self, all: &[S], value: impl Fn(&S) -> &'v Valuation) -> bool {
        let Widest::New(widest, asked) = self else { return matches!(self, Widest::Nowhere) };
        if all[*asked..].iter().any(|state| widest.refines(value(state))) {
            *self = Widest::Nowhere;
            return true;
        }
        *asked = all.len();
        false
    }
}
