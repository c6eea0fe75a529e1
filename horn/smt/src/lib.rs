//! The one crate that names z3: contexts, solvers, the fixedpoint engine, models. It knows terms and nothing of threads or rules.

mod version;

pub use version::{PINNED_Z3, Z3_ORIGIN, Z3Origin, is_pinned, z3_version};
