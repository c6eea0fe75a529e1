//! Looking at many things at once.

use rayon::prelude::*;

/// What `look` finds at each item, in order. Few items are looked at by the caller alone.
pub(super) fn each<T: Sync, R: Send>(
    workers: usize,
    few: usize,
    items: &[T],
    look: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    if workers < 2 || items.len() <= few {
        return items.iter().map(look).collect();
    }
    // Neighbours ask similar questions: they go to the same worker, in pieces small enough to share the work evenly.
    items.par_iter().with_min_len(items.len().div_ceil(8 * workers)).map(look).collect()
}
