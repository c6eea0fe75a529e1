//! `threader completions` and `threader manual`: what shells and man know of the command line, made from its grammar.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments, ManualArguments};
use crate::output;
use crate::status::Status;

/// Prints the completions for a shell.
pub fn completions(arguments: &CompletionsArguments) -> Status {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "threader", &mut text);
    output::print(&String::from_utf8_lossy(&text), Status::Success)
}

/// Writes threader.1 and a page for each command, into a directory that is made if it is missing.
pub fn pages(arguments: &ManualArguments) -> Status {
    let directory = &arguments.directory;
    let written = match std::fs::create_dir(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => clap_mangen::generate_to(Arguments::command(), directory),
    };
    match written {
        Ok(()) => Status::Success,
        Err(error) => {
            let message = format!("{} is no directory that can be written: {error}", directory.display());
            output::complain(&message, Status::Usage)
        }
    }
}
