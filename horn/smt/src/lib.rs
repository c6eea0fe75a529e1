//! The one crate that names z3: contexts, solvers, the fixedpoint engine, models. It knows terms and nothing of threads or rules.
