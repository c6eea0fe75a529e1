//! The command line: the only code that prints, reads the clock or exits.
//!
//! `main` parses and dispatches; each subcommand has a file; `input` loads programs, `render` shows diagnostics, `output`
//! writes. What a run ends with is a [`status::Status`], and its exit code is mapped once, here.

mod answers;
mod arguments;
mod assumptions;
mod baseline;
mod check;
mod child;
mod compare;
mod database;
mod entailment;
mod explain;
mod flags;
mod guard;
mod harness;
mod html;
mod input;
mod json;
mod layouts;
mod limits;
mod logger;
mod manual;
mod metadata;
mod model;
mod origin;
mod output;
mod parts;
mod points;
mod prove;
mod render;
mod report;
mod sarif;
mod status;
mod temporary;
mod vacuity;
mod validate;
mod values;
mod witness;

use std::process::ExitCode;

use arguments::Command;
use status::Status;

fn main() -> ExitCode {
    guard::report_panics();
    guard::with_large_stack(run).into()
}

fn run() -> Status {
    let arguments = match arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to stdout and are no errors; nothing can be done about a closed pipe.
            let _ = error.print();
            return if error.use_stderr() { Status::Usage } else { Status::Success };
        }
    };
    if let Err(message) = logger::start(arguments.verbose, std::env::var("THREADER_LOG").ok().as_deref()) {
        return output::complain(&message, Status::Usage);
    }
    match &arguments.command {
        Command::Prove(arguments) => prove::run(arguments),
        Command::Refute(arguments) => prove::run(&arguments.as_prove()),
        Command::Check(arguments) => check::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Model(arguments) => model::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Completions(arguments) => manual::completions(arguments),
        Command::Manual(arguments) => manual::pages(arguments),
    }
}
