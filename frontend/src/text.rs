//! From a file to its syntax, once: what it is lowered to is made of that.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::client;
use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::hir::DataModel;
use crate::link::select;
use crate::load::{Options, analysed};
use crate::source::{
    Flags, Language, Library, Parsed, SourceOptions, Task, inferred_model, is_stdin, parse_file, read_task, read_text,
    shown,
};

/// A file of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Where it is; `-` for standard input.
    pub path: PathBuf,
    /// What a compiler would be told about this file alone.
    pub flags: Flags,
}

impl From<&Path> for Input {
    fn from(path: &Path) -> Input {
        Input { path: path.to_path_buf(), flags: Flags::default() }
    }
}

/// Files that have been read and parsed: they can be lowered in many ways.
#[derive(Debug)]
pub struct Text {
    pub(crate) task: Option<Task>,
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) data_model: DataModel,
    /// There until the text is dropped.
    parsed: Vec<Parsed>,
    /// Files of a compilation database that could not be read, and why.
    pub(crate) left_out: Vec<Diagnostic>,
    pub(crate) sources: Sources,
}

impl Text {
    /// Reads the files of a program: C, preprocessed C, or an SV-COMP task on its own. Of the options those matter that say how a file
    /// is read.
    pub fn read(files: &[Input], options: &Options) -> Result<Text, LoadError> {
        with_stack(|| {
            let mut sources = Sources::default();
            match read_here(files, options, &mut sources) {
                Ok(Read { task, inputs, data_model, parsed, left_out }) => {
                    Ok(Text { task, inputs, data_model, parsed, left_out, sources })
                }
                Err(failure) => Err(LoadError { failure, sources }),
            }
        })
    }

    /// The names of its files.
    pub(crate) fn shown(&self) -> String {
        self.inputs.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ")
    }

    /// The syntax of each file.
    pub(crate) fn parsed(&self) -> &[Parsed] {
        &self.parsed
    }
}

impl Drop for Text {
    /// Deep syntax is dropped by a recursion over it, like everything that is done with it.
    fn drop(&mut self) {
        let parsed = Mutex::new(std::mem::take(&mut self.parsed));
        let take = || {
            parsed.lock().unwrap_or_else(PoisonError::into_inner).clear();
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

struct Read {
    task: Option<Task>,
    inputs: Vec<PathBuf>,
    data_model: DataModel,
    parsed: Vec<Parsed>,
    left_out: Vec<Diagnostic>,
}

fn read_here(files: &[Input], options: &Options, sources: &mut Sources) -> Result<Read, Failure> {
    distinct(files)?;
    let is_task = |path: &Path| path.extension().is_some_and(|e| e == "yml" || e == "yaml");
    let task = match files {
        [file] if is_task(&file.path) => Some(read_task(&file.path)?),
        _ => None,
    };
    if let Some(Language::Other(name)) = task.as_ref().map(|t| &t.language) {
        return Err(Diagnostic::new(Code::Unsupported, format!("the language {name}")).into());
    }
    if let Some(file) = files.iter().find(|file| task.is_none() && is_task(&file.path)) {
        let message = format!("{} is a task, which is verified on its own", file.path.display());
        return Err(Diagnostic::new(Code::Task, message).into());
    }
    let path = |file: &Input| task.as_ref().map_or_else(|| file.path.clone(), |task| task.input.clone());
    let inputs: Vec<PathBuf> = files.iter().map(path).collect();
    let data_model = match options.data_model.or(task.as_ref().and_then(|t| t.data_model)) {
        Some(given) => given,
        None => common_model(&inputs)?.unwrap_or_default(),
    };
    let source = |file: &Input, library, observe: &[String]| SourceOptions {
        data_model,
        flags: file.flags.clone().and(&options.flags),
        library,
        observe: observe.to_vec(),
    };
    let mut left_out = Vec::new();
    let chosen: Vec<usize> = match &options.selection {
        None => (0..files.len()).collect(),
        Some(selection) => {
            // A file that cannot be read is none that the program needs, or what it would define is missing: then it is named.
            let unit = |file: &Input| {
                let mut sources = Sources::default();
                let read = parse_file(&file.path, &source(file, Library::Own, &[]), &mut sources)
                    .and_then(|parsed| analysed(&parsed, data_model));
                read.map_err(|failure| left_out.push(without(&file.path, &failure, &sources))).ok()
            };
            select(&inputs, &files.iter().map(unit).collect::<Vec<_>>(), selection)?
        }
    };
    let read_all = |library, sources: &mut Sources| -> Result<Vec<Parsed>, Failure> {
        let mut parsed = Vec::new();
        for index in &chosen {
            // What is observed is a matter of the first file.
            let observe = if parsed.is_empty() { options.observe.as_slice() } else { &[] };
            parsed.push(parse_file(&inputs[*index], &source(&files[*index], library, observe), sources)?);
        }
        Ok(parsed)
    };
    let mut parsed = read_all(Library::Own, sources)?;
    if parsed.len() > 1 && parsed.iter().any(|file| file.headers == Library::System) {
        // The types of two libraries are different ones: all files get the headers that one of them needs.
        *sources = Sources::default();
        parsed = read_all(Library::System, sources)?;
    }
    if let Some(client) = &options.client {
        sources.file(client::SOURCE, || Some(client.text()));
    }
    let inputs = chosen.into_iter().map(|index| inputs[index].clone()).collect();
    Ok(Read { task, inputs, data_model, parsed, left_out })
}

/// Says that a file is not part of the program because of a failure.
fn without(path: &Path, failure: &Failure, sources: &Sources) -> Diagnostic {
    let place = failure.0.span.map(|span| format!(" ({}:{})", sources.name(span.file), span.line)).unwrap_or_default();
    let message = format!("{} is left out: {}{place}", shown(path), failure.0.message);
    let help = "what it defines is missing, if the program needs it";
    Diagnostic::new(Code::LeftOut, message).help(help)
}

/// Refuses to take one file for two: all that it defines would be there twice.
fn distinct(files: &[Input]) -> Result<(), Failure> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for Input { path, .. } in files {
        let real = if is_stdin(path) { path.clone() } else { path.canonicalize().unwrap_or_else(|_| path.clone()) };
        if seen.contains(&real) {
            return Err(Diagnostic::new(Code::Invalid, format!("{} is given twice", shown(path))).into());
        }
        seen.push(real);
    }
    Ok(())
}

/// The data model that preprocessed files were made for, if one of them tells.
fn common_model(inputs: &[PathBuf]) -> Result<Option<DataModel>, Failure> {
    let mut first: Option<(&PathBuf, DataModel)> = None;
    for input in inputs.iter().filter(|input| input.extension().is_some_and(|e| e == "i")) {
        let Some(model) = inferred_model(&read_text(input)?) else { continue };
        match first {
            Some((other, before)) if before != model => {
                let message = format!("{} and {} have different types size_t", shown(other), shown(input));
                let help = "preprocess them for one machine, or say which with --data-model";
                return Err(Diagnostic::new(Code::Invalid, message).help(help).into());
            }
            _ => first = Some((input, model)),
        }
    }
    Ok(first.map(|(_, model)| model))
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
