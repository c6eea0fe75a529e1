//! `threader check`: check a certificate again.

use crate::arguments::CheckArguments;
use crate::status::Status;
use crate::{input, output};

/// Loads the program, so that what is wrong with it is reported.
pub fn run(arguments: &CheckArguments) -> Status {
    match input::program(&arguments.input.file, &arguments.input.options()) {
        Ok(_) => output::complain("`threader check` is not available in this version", Status::Unknown),
        Err(status) => status,
    }
}
