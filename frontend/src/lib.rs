//! From C text to a [`program::Program`].
//!
//! Knows C, its preprocessor and lang-c; knows no logic beyond building terms, no solver and no proof rule. The stages, in
//! order: `source` (preprocess, rewrite, parse), `sema` (names and types, giving `hir`), `link` (several files become
//! one unit; `client` adds a main to a library), `lower` (one graph a thread, calls
//! inlined), `prepare` (`points_to` and `resolve`: pointers become case splits; `addresses`, `ids` and `reuse`: what can be told of them),
//! `finish` (`fuse`: few, large steps; then `literals`, `propagation`, `liveness`, `naming`). [`load()`] runs them all.

mod addresses;
mod assumptions;
mod calls;
mod cfg;
mod claims;
mod client;
mod consistency;
mod copies;
pub mod diagnostic;
mod escape;
mod facts;
mod finish;
mod fuse;
pub mod hir;
mod hir_layout;
mod hir_walk;
mod ids;
mod leaks;
mod legend;
mod link;
mod literals;
mod liveness;
mod lives;
mod load;
mod lower;
mod memory;
mod naming;
mod parts;
mod points_to;
mod prepare;
mod propagation;
mod properties;
mod ranges;
mod resolve;
mod reuse;
pub mod sema;
mod settled;
pub mod source;
mod text;
mod uninitialised;
mod visits;

pub use assumptions::Assumption;
pub use calls::Inlined;
pub use client::{Call, Client, Then};
pub use consistency::Obstacle;
pub use fuse::Fusion;
pub use legend::{Legend, Region, RegionKind};
pub use link::{Selection, Tentative};
pub use load::{Loaded, Options, load, load_files};
pub use lower::heap::Allocation;
pub use lower::{Creation, Undefined};
pub use parts::parts;
pub use program::{Population, Templating};
pub use properties::{PropertySource, is_property};
pub use reuse::Reuse;
pub use text::{Input, LoadError, Text};
pub use visits::{END_OF_MAIN, Goal};
