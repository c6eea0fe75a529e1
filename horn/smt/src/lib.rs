//! The one crate that names z3: contexts, solvers, the fixedpoint engine, models. It knows terms and nothing of threads or rules.

/// The version of the Z3 library in use, as Z3 itself names it.
pub fn z3_version() -> String {
    z3::full_version().to_string()
}
