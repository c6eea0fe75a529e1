//! Diagnostics as data. They are rendered once, in the command line.

use program::Span;

/// What a diagnostic is about, for `threader explain` and for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The file cannot be read (missing, a directory, no permission).
    Unreadable,
    /// The file is not UTF-8 text, or is empty.
    NotText,
    /// The preprocessor is missing or refused the file.
    Preprocessor,
    /// The text is not C as the parser knows it.
    Syntax,
    /// The text parses but is not valid C: an unknown name, a type error, a missing main.
    Invalid,
    /// A task or property file is malformed.
    Task,
    /// Valid C that is not modelled.
    Unsupported,
    /// Threads are created without bound, and each is to be a thread of its own.
    UnboundedCreation,
    /// Nothing in the file can fail.
    NoAssertion,
    /// Weak memory orders are verified as sequentially consistent.
    WeakOrder,
    /// The text accepts data races.
    AcceptedRace,
    /// A claim is proved to which no run was found to come.
    Vacuous,
    /// A file of a compilation database cannot be read, and is not part of the program.
    LeftOut,
    /// The frontend contradicts itself: a bug to report.
    Internal,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, if there is a place.
    pub span: Option<Span>,
    /// What to do about it, if there is something to do.
    pub help: Option<String>,
    /// Other places that belong to it, with what they are.
    pub notes: Vec<(String, Span)>,
    /// Others that were found with it.
    pub also: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A diagnostic without a place and without help.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into(), span: None, help: None, notes: Vec::new(), also: Vec::new() }
    }
    /// At this place.
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.span = Some(span);
        self
    }
    /// With another place that belongs to it.
    pub fn note(mut self, what: impl Into<String>, span: Span) -> Diagnostic {
        self.notes.push((what.into(), span));
        self
    }
    /// With this advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// The source files, to show a line with a caret under it.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<(String, Option<String>)>,
}

impl Sources {
    /// The index of the file with this name, entered (with its text, if it can be had) if it is new.
    pub fn file(&mut self, name: &str, text: impl FnOnce() -> Option<String>) -> u32 {
        let known = self.files.iter().position(|(n, _)| n == name);
        let index = known.unwrap_or_else(|| {
            self.files.push((name.to_string(), text()));
            self.files.len() - 1
        });
        program::number(index)
    }
    /// The index of the file with this name, if it has been entered.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.files.iter().position(|(n, _)| n == name).map(program::number)
    }
    /// A file's name.
    pub fn name(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("?", |(name, _)| name)
    }
    /// A file's text, if it could be had.
    pub fn text(&self, file: u32) -> Option<&str> {
        self.files.get(file as usize)?.1.as_deref()
    }
    /// All names, by index.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|(name, _)| name.clone()).collect()
    }
    /// The text of a line, counted from 1.
    pub fn line(&self, span: Span) -> Option<&str> {
        let text = self.files.get(span.file as usize)?.1.as_deref()?;
        text.lines().nth(span.line.checked_sub(1)? as usize)
    }
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Failure(pub Box<Diagnostic>);

impl Failure {
    /// Whether the input is valid C that is merely not modelled: the verdict is `unknown`, not an error.
    pub fn is_unsupported(&self) -> bool {
        matches!(self.0.code, Code::Unsupported | Code::UnboundedCreation)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure(Box::new(diagnostic))
    }
}
