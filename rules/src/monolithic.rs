//! The monolithic rule [T, Eq. 1]: init -> R; R and (rho_1 or .. or rho_N) -> R'; R and err -> false.
//!
//! One component has every thread's location explicit, so there is no environment.

use program::ThreadId;

use crate::system::System;

/// One component with all threads.
pub fn components(system: &System<'_>) -> Vec<Vec<ThreadId>> {
    vec![system.threads().collect()]
}
