//! `threader prove`: find a proof or a counterexample.

use crate::arguments::ProveArguments;
use crate::status::Status;
use crate::{input, output};

/// Loads the program, so that what is wrong with it is reported, and says honestly that there is no prover yet.
pub fn run(arguments: &ProveArguments) -> Status {
    match input::program(&arguments.input.file, &arguments.options()) {
        Ok(_) => output::print_unknown("not implemented: prove"),
        Err(status) => status,
    }
}
