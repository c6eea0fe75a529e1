//! From a file to a program: the frontend's one entry point.

use std::path::{Path, PathBuf};

use program::Program;

use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::hir::DataModel;

/// Which property is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PropertySource {
    /// What the task file says, else that no error is reachable.
    #[default]
    Default,
    /// The property of this name.
    Name(String),
    /// What this property file says.
    File(PathBuf),
}

/// Whether steps that touch nothing shared are fused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// They are.
    #[default]
    On,
    /// One step for each elementary operation.
    Off,
}

/// What the command line says about the input.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sizes of types; if not given, from the task file, else LP64.
    pub data_model: Option<DataModel>,
    /// Directories for `#include`.
    pub include_dirs: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Functions to run in parallel, for a file without main.
    pub threads: Option<Vec<String>>,
    /// What is to be verified.
    pub property: PropertySource,
    /// Size of steps.
    pub fusion: Fusion,
}

/// A program, and what is needed to speak about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The texts that its spans point into.
    pub sources: Sources,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no program, with the texts that the diagnostic points into.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// What is wrong.
    pub failure: Failure,
    /// The texts.
    pub sources: Sources,
}

/// The program that a file describes.
pub fn load(path: &Path, _options: &Options) -> Result<Loaded, LoadError> {
    let name = path.display();
    let diagnostic = match std::fs::read(path) {
        Err(error) => Diagnostic::new(Code::Unreadable, format!("cannot read {name}: {error}")),
        Ok(bytes) if bytes.is_empty() => Diagnostic::new(Code::NotText, format!("{name} is empty")),
        Ok(bytes) if std::str::from_utf8(&bytes).is_err() => {
            Diagnostic::new(Code::NotText, format!("{name} is not UTF-8 text"))
        }
        Ok(_) => Diagnostic::new(Code::Unsupported, "C"),
    };
    Err(LoadError { failure: diagnostic.into(), sources: Sources::default() })
}
