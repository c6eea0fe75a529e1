//! The checker of certificates and traces, and the interpreter that replays them. It depends on the program alone and shares no code with what it checks.

mod interpret;
#[cfg(test)]
mod interpret_tests;
mod state;

pub use interpret::{RunEnd, RunError, StepError, enabled, run, step};
pub use state::{InitError, State, blank, in_range, initial, is_error};
