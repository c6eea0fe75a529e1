//! From a file to a program. A stand-in until the stages exist: it refuses everything.

use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::hir::DataModel;

/// Which property counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PropertySource {
    /// Whatever the file asserts.
    #[default]
    Default,
    /// A property by name.
    Name(String),
    /// A property file.
    File(PathBuf),
}

/// Whether steps that touch nothing shared are fused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// Yes.
    #[default]
    On,
    /// No: for tests of fusion.
    Off,
}

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The sizes of types, if not the task's or the default.
    pub data_model: Option<DataModel>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `-D`.
    pub defines: Vec<String>,
    /// Functions to run in parallel, in a file without main.
    pub threads: Option<Vec<String>>,
    /// Which property counts.
    pub property: PropertySource,
    /// Fusion of steps.
    pub fusion: Fusion,
}

/// A program with what is needed to speak about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: program::Program,
    /// Its sources.
    pub sources: Sources,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// What is wrong.
    pub failure: Failure,
    /// The sources read so far.
    pub sources: Sources,
}

/// The program of a file.
pub fn load(_path: &Path, _options: &Options) -> Result<Loaded, LoadError> {
    let failure = Diagnostic::new(Code::Unsupported, "the frontend is not here yet").into();
    Err(LoadError { failure, sources: Sources::default() })
}
