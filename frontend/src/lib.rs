//! From C text to a [`program::Program`].
//!
//! Knows C, its preprocessor and lang-c; knows no logic beyond building terms, no solver and no proof rule.
//! The stages, one module each: `source` (preprocess, rewrite, parse), `sema` (types and names, giving `hir`), `lower`
//! (one control-flow graph a thread, calls inlined), `memory` (who points where, what is shared), `fuse` (few, large steps).

pub mod diagnostic;
pub mod hir;
pub mod load;
