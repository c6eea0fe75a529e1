//! What the integration tests share: random generators of C with answers known by construction, and oracles.
//!
//! Nothing here knows how the frontend works: C text goes in, values and schedules come out.

// Each test crate uses a part of it.
#![allow(dead_code)]

pub mod browser;
pub mod brute;
pub mod brute_pairs;
pub mod ctype;
pub mod cvc5;
pub mod explore;
pub mod gen_expr;
pub mod gen_pairs;
pub mod gen_program;
pub mod gen_threads;
pub mod heads;
pub mod identities;
pub mod lowered;
pub mod native;
pub mod pairs;
pub mod rng;
pub mod schema;
pub mod thread_ast;
pub mod violations;
