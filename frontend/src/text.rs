//! From a file to its syntax, once: what it is lowered to is made of that.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::hir::DataModel;
use crate::load::Options;
use crate::source::{Language, Parsed, SourceOptions, Task, parse_file, read_task};

/// A file that has been read and parsed: it can be lowered in many ways.
#[derive(Debug)]
pub struct Text {
    pub(crate) task: Option<Task>,
    pub(crate) input: PathBuf,
    pub(crate) data_model: DataModel,
    /// There until the text is dropped.
    parsed: Option<Parsed>,
    pub(crate) sources: Sources,
}

impl Text {
    /// Reads C, preprocessed C, or an SV-COMP task. Of the options those matter that say how a file is read.
    pub fn read(path: &Path, options: &Options) -> Result<Text, LoadError> {
        with_stack(|| {
            let mut sources = Sources::default();
            match read_here(path, options, &mut sources) {
                Ok((task, input, data_model, parsed)) => {
                    Ok(Text { task, input, data_model, parsed: Some(parsed), sources })
                }
                Err(failure) => Err(LoadError { failure, sources }),
            }
        })
    }

    /// Its syntax, if it is not being dropped.
    pub(crate) fn parsed(&self) -> Option<&Parsed> {
        self.parsed.as_ref()
    }
}

impl Drop for Text {
    /// Deep syntax is dropped by a recursion over it, like everything that is done with it.
    fn drop(&mut self) {
        let parsed = Mutex::new(self.parsed.take());
        let take = || {
            drop(parsed.lock().unwrap_or_else(PoisonError::into_inner).take());
            Ok(())
        };
        if with_stack(take).is_err() {
            std::mem::forget(parsed);
        }
    }
}

/// Why there is no program, with the texts that the diagnostic points into.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// What is wrong.
    pub failure: Failure,
    /// The texts.
    pub sources: Sources,
}

type Read = (Option<Task>, PathBuf, DataModel, Parsed);

fn read_here(path: &Path, options: &Options, sources: &mut Sources) -> Result<Read, Failure> {
    let is_task = path.extension().is_some_and(|e| e == "yml" || e == "yaml");
    let task = if is_task { Some(read_task(path)?) } else { None };
    if let Some(Language::Other(name)) = task.as_ref().map(|t| &t.language) {
        return Err(Diagnostic::new(Code::Unsupported, format!("the language {name}")).into());
    }
    let data_model = options.data_model.or(task.as_ref().and_then(|t| t.data_model)).unwrap_or_default();
    let source = SourceOptions {
        data_model,
        include_dirs: options.include_dirs.clone(),
        defines: options.defines.clone(),
        observe: options.observe.clone(),
    };
    let input = task.as_ref().map_or(path, |t| t.input.as_path()).to_path_buf();
    let parsed = parse_file(&input, &source, sources)?;
    Ok((task, input, data_model, parsed))
}

/// C nests deeply, and every stage is a recursion over it. Only address space: what is not touched costs nothing. The
/// smaller ones are for machines that give out less.
const STACKS: [usize; 3] = [4 << 30, 512 << 20, 64 << 20];

/// Runs what recurses over C.
pub(crate) fn with_stack<R: Send>(work: impl FnOnce() -> Result<R, LoadError> + Send + Copy) -> Result<R, LoadError> {
    let outcome = std::thread::scope(|scope| {
        let start =
            |size| std::thread::Builder::new().name("frontend".into()).stack_size(size).spawn_scoped(scope, work);
        let [large, medium, small] = STACKS.map(|size| move || start(size));
        large().or_else(|_| medium()).or_else(|_| small()).map(|handle| handle.join())
    });
    let internal =
        |what: String| LoadError { failure: Diagnostic::new(Code::Internal, what).into(), sources: Sources::default() };
    match outcome {
        Ok(Ok(result)) => result,
        // Not swallowed: whoever called must see the bug as one.
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => Err(internal(format!("no thread can be started: {error}"))),
    }
}
