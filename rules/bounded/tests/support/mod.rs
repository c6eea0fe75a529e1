//! Random small programs, and a search of all their runs that shares nothing with the engine but the checker's interpreter.

pub mod brute;
pub mod generate;
