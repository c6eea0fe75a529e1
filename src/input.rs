//! Loading a program, and what is said when there is none.

use std::collections::BTreeSet;
use std::sync::Arc;

use check::Replayed;
use frontend::diagnostic::{Code, Diagnostic, Sources};
use frontend::{Input, LoadError, Loaded, Options, Population, Selection, Text};

use program::{Choice, Program, VarId, VarKind};

use crate::arguments::InputArguments;
use crate::render::{Severity, Style, render};
use crate::status::Status;
use crate::{database, output};

/// The program of a file, its warnings shown. If there is none, the reason has been shown: what is left is to end
/// with the status. Input that is valid but not modelled has the verdict `unknown`.
pub fn program(files: &[Input], options: &Options) -> Result<Loaded, Status> {
    let loaded = load(files, options).map_err(|error| explain_failure(&error))?;
    warn([&loaded]);
    Ok(loaded)
}

/// Shows the warnings about programs of one text, each once.
pub fn warn<'a>(all: impl IntoIterator<Item = &'a Loaded>) {
    let mut shown = BTreeSet::new();
    for loaded in all {
        for warning in &loaded.warnings {
            let text = render(warning, Severity::Warning, &loaded.sources, Style::of_stderr());
            if shown.insert(text.clone()) {
                output::report(&text);
            }
        }
        let locations: usize = loaded.program.threads().map(|(_, thread)| thread.locations.len()).sum();
        log::info!("{} threads, {locations} locations", loaded.program.threads().count());
    }
}

/// The program of files; where threads are created without bound, with templates.
pub fn load(files: &[Input], options: &Options) -> Result<Loaded, LoadError> {
    lower(&read(files, options)?, options)
}

/// Files, read and parsed.
pub fn read(files: &[Input], options: &Options) -> Result<Arc<Text>, LoadError> {
    for file in files {
        log::info!("reading {}", file.path.display());
    }
    Text::read(files, options).map(Arc::new)
}

impl InputArguments {
    /// The files that are named, or those of the compilation database.
    pub fn inputs(&self) -> Result<Vec<Input>, LoadError> {
        let refused =
            |why: String| LoadError { failure: Diagnostic::new(Code::Task, why).into(), sources: Sources::default() };
        let Some(database) = self.files.iter().find(|path| database::is_database(path)) else {
            return match &self.main {
                None => Ok(self.files.iter().map(|path| path.as_path().into()).collect()),
                Some(_) => Err(refused("--main is for compilation databases: name the files of the program".into())),
            };
        };
        if self.files.len() > 1 {
            return Err(refused(format!("{} names the files: others beside it are not taken", database.display())));
        }
        let entries = database::read(database).map_err(refused)?;
        let told = |entry: &database::Entry| (entry.flags.data_model(), entry.flags.tentative());
        if let [first, rest @ ..] = entries.as_slice()
            && rest.iter().any(|entry| told(entry) != told(first))
        {
            return Err(refused(format!(
                "{}: -m32, -m64 or -fcommon is not the same for all files",
                database.display()
            )));
        }
        Ok(entries.into_iter().map(|entry| entry.input).collect())
    }

    /// What the frontend needs to know, also from the compilation database.
    pub fn told(&self, options: Options) -> Options {
        let Some(path) = self.files.iter().find(|path| database::is_database(path)) else { return options };
        let first = database::read(path).ok().and_then(|entries| entries.into_iter().next());
        let model = first.as_ref().and_then(|entry| entry.flags.data_model());
        let tentative = first.map_or(options.tentative, |entry| entry.flags.tentative());
        let selection = Some(Selection { main: self.main.clone() });
        Options { data_model: options.data_model.or(model), tentative, selection, ..options }
    }
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
    show(diagnostic, sources);
    match (not_modelled(diagnostic), diagnostic.code) {
        (Some(reason), _) => output::print_unknown(&reason),
        (None, Code::Internal) => Status::Internal,
        (None, _) => Status::Malformed,
    }
}

/// Shows what is wrong, and all else that was found to be.
pub fn show(diagnostic: &Diagnostic, sources: &Sources) {
    for diagnostic in [diagnostic].into_iter().chain(&diagnostic.also) {
        output::report(&render(diagnostic, Severity::Error, sources, Style::of_stderr()));
    }
}

/// Why there is no verdict about input that is valid C, but not modelled; nothing if it is something else that is wrong.
pub fn not_modelled(diagnostic: &Diagnostic) -> Option<String> {
    match diagnostic.code {
        Code::Unsupported => Some(format!("unsupported: {}", diagnostic.message)),
        Code::UnboundedCreation => Some(diagnostic.message.clone()),
        _ => None,
    }
}
