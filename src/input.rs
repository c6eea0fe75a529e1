//! Loading a program, and what is said when there is none.

use std::path::Path;
use std::sync::Arc;

use check::Replayed;
use frontend::diagnostic::{Code, Diagnostic, Sources};
use frontend::{LoadError, Loaded, Options, Population, Text};

use program::{Choice, Program, VarId, VarKind};

use crate::output;
use crate::render::{Severity, Style, render};
use crate::status::Status;

/// The program of a file, its warnings shown. If there is none, the reason has been shown: what is left is to end
/// with the status. Input that is valid but not modelled has the verdict `unknown`.
pub fn program(path: &Path, options: &Options) -> Result<Loaded, Status> {
    let loaded = load(path, options).map_err(|error| explain_failure(&error))?;
    warn(&loaded);
    Ok(loaded)
}

/// Shows the warnings about a program.
pub fn warn(loaded: &Loaded) {
    for warning in &loaded.warnings {
        output::report(&render(warning, Severity::Warning, &loaded.sources, Style::of_stderr()));
    }
    let locations: usize = loaded.program.threads().map(|(_, thread)| thread.locations.len()).sum();
    log::info!("{} threads, {locations} locations", loaded.program.threads().count());
}

/// The program of a file; where threads are created without bound, with templates.
pub fn load(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    lower(&read(path, options)?, options)
}

/// A file, read and parsed.
pub fn read(path: &Path, options: &Options) -> Result<Arc<Text>, LoadError> {
    log::info!("reading {}", path.display());
    Text::read(path, options).map(Arc::new)
}

/// The program of a text; where threads are created without bound, with templates.
pub fn lower(text: &Arc<Text>, options: &Options) -> Result<Loaded, LoadError> {
    text.lower(options).or_else(|error| {
        if error.failure.0.code != Code::UnboundedCreation || options.population != Population::Each {
            return Err(error);
        }
        text.lower(&Options { population: Population::Templates, ..options.clone() })
    })
}

/// Says why there is no program.
pub fn explain_failure(error: &LoadError) -> Status {
    refuse(&error.failure.0, &error.sources)
}

/// The answer about a run that ends where the program does what is not modelled; nothing for one that ends in an error.
pub fn refuse_run(loaded: &Loaded, trace: &Replayed) -> Option<Status> {
    if let Some((claim, var)) = trace.doubtful() {
        let place = loaded.program.place(claim.span);
        let refusal = Diagnostic::new(Code::Unsupported, not_followed(&loaded.program, var))
            .at(loaded.program.var(var).span)
            .help(format!("a run that would violate the claim at {place} depends on this value"));
        return Some(refuse(&refusal, &loaded.sources));
    }
    let last = trace.steps.last()?;
    let thread = loaded.program.thread(last.thread);
    let refusal = loaded.refusal(thread.location(thread.transitions.get(last.transition)?.target))?;
    Some(refuse(&refusal, &loaded.sources))
}

/// What is not followed that a run chose the value of.
pub fn not_followed(program: &Program, var: VarId) -> String {
    match program.var(var).kind {
        VarKind::Input(Choice::Untracked(what)) => what.to_string(),
        _ => "a value that is not followed".into(),
    }
}

fn refuse(diagnostic: &Diagnostic, sources: &Sources) -> Status {
    output::report(&render(diagnostic, Severity::Error, sources, Style::of_stderr()));
    match diagnostic.code {
        Code::Unsupported => output::print_unknown(&format!("unsupported: {}", diagnostic.message)),
        Code::UnboundedCreation => output::print_unknown(&diagnostic.message),
        Code::Internal => Status::Internal,
        _ => Status::Malformed,
    }
}
