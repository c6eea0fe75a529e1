//! From a path to lang-c's syntax tree with exact places: read, preprocess, rewrite, parse. Also the competition's task
//! and property files.
//!
//! A `.i` file is taken as preprocessed; anything else goes through the machine's C preprocessor with our own headers.

mod headers;
pub(crate) mod library;
mod limits;
mod lines;
mod pieces;
mod preprocess;
mod rewrite;
mod size_type;
mod statements;
mod syntax;
mod task;
mod token;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lang_c::ast::TranslationUnit;
use program::Span;

use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::hir::DataModel;
pub(crate) use limits::TOO_DEEP;
pub use lines::LineMap;
pub use pieces::Pieces;
pub use preprocess::Library;
pub(crate) use size_type::inferred_model;
pub use statements::{StatementKind, StatementPlace, statements};
pub use task::{Formula, Language, Task, TaskProperty, read_property, read_task};

/// What a compiler would be told about a file, as far as its preprocessor asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Directories for `#include`, searched first.
    pub include_dirs: Vec<PathBuf>,
    /// Directories for `#include ".."` alone.
    pub quote_dirs: Vec<PathBuf>,
    /// Directories for `#include`, searched after the others.
    pub system_dirs: Vec<PathBuf>,
    /// Macros that are not defined; those of `defines` come later.
    pub undefines: Vec<String>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Files that are included before the first line.
    pub include_files: Vec<PathBuf>,
    /// The language, as in `-std=c99`.
    pub standard: Option<String>,
}

impl Flags {
    /// These and more.
    pub fn and(mut self, more: &Flags) -> Flags {
        self.include_dirs.extend(more.include_dirs.iter().cloned());
        self.quote_dirs.extend(more.quote_dirs.iter().cloned());
        self.system_dirs.extend(more.system_dirs.iter().cloned());
        self.undefines.extend(more.undefines.iter().cloned());
        self.defines.extend(more.defines.iter().cloned());
        self.include_files.extend(more.include_files.iter().cloned());
        self.standard = more.standard.clone().or(self.standard);
        self
    }
}

/// How to read a C file.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The sizes of types, which limits.h and its like depend on.
    pub data_model: DataModel,
    /// What a compiler would be told.
    pub flags: Flags,
    /// Which headers are looked for first.
    pub library: Library,
    /// Expressions that become functions of their own, named by [`observer`].
    pub observe: Vec<String>,
}

/// A parsed C file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Its syntax tree. Spans are byte offsets in a text that is not kept: [`LineMap::span`] makes places of them.
    pub unit: TranslationUnit,
    /// What is not in the tree because it would be too deep there.
    pub pieces: Pieces,
    /// Where the nodes are in the files that the user wrote.
    pub lines: LineMap,
    /// The headers that it was read with.
    pub headers: Library,
    /// Definitions of library functions that it names. Their spans mean nothing: they stand where they are called.
    library: Option<TranslationUnit>,
}

impl Parsed {
    /// The syntax tree together with that of the library.
    pub(crate) fn with_library(&self) -> TranslationUnit {
        let mut unit = self.unit.clone();
        unit.0.extend(self.library.iter().flat_map(|library| library.0.clone()));
        unit
    }
}

/// Reads and parses a C file, and enters it and what it includes into `sources`.
pub fn parse_file(path: &Path, options: &SourceOptions, sources: &mut Sources) -> Result<Parsed, Failure> {
    let original = read_text(path)?;
    let name = shown(path);
    sources.file(&name, || Some(original.clone()));
    if path.extension().is_some_and(|e| e == "i") {
        let base = path.parent().unwrap_or(Path::new(""));
        return parse_text(
            &(original + &observers(&options.observe, sources)),
            &name,
            &mut Finder { sources, base, headers: None },
        );
    }
    let cc = std::env::var("CC").ok();
    let headers = headers::Headers::write().map_err(|e| {
        Diagnostic::new(Code::Preprocessor, format!("the C headers cannot be written to a temporary directory: {e}"))
    })?;
    let compilers = preprocess::compilers(cc.as_deref());
    let (text, library) = preprocess::preprocess(path, options, &compilers, &headers, sources)?;
    let text = text + &observers(&options.observe, sources);
    let root = headers.root().display().to_string();
    let parsed = parse_text(&text, &name, &mut Finder { sources, base: Path::new(""), headers: Some(root) })?;
    Ok(Parsed { headers: library, ..parsed })
}

/// What observed expressions are said to be from.
const OBSERVE: &str = "--observe";

/// The name of the function that consists of the k-th observed expression.
pub(crate) fn observer(k: usize) -> String {
    format!("{}{OBSERVER}{k}", library::PREFIX)
}

/// What such names have after [`library::PREFIX`].
const OBSERVER: &str = "observe_";

/// Whether a function is one of the C library that is written in C.
pub(crate) fn is_library_definition(name: &str) -> bool {
    name.strip_prefix(library::PREFIX).is_some_and(|rest| !rest.starts_with(OBSERVER))
}

/// Definitions of functions that consist of an expression each. An expression is a line of a text of its own, for the sake of its place.
fn observers(expressions: &[String], sources: &mut Sources) -> String {
    let lines: Vec<String> = expressions.iter().map(|text| text.replace(['\n', '\r'], " ")).collect();
    if lines.is_empty() {
        return String::new();
    }
    sources.file(OBSERVE, || Some(lines.join("\n")));
    let define = |(k, line): (usize, &String)| {
        let (name, number) = (observer(k), k + 1);
        format!(
            "\n# {number} \"{OBSERVE}\"\nvoid {name}(void) {{\n# {number} \"{OBSERVE}\"\n{line}\n# {number} \"{OBSERVE}\"\n; }}\n"
        )
    };
    lines.iter().enumerate().map(define).collect()
}

/// Whether a path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How a path is shown: standard input as preprocessors show it.
pub(crate) fn shown(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_string() } else { path.display().to_string() }
}

/// What is in a file. Standard input can be read but once, and is kept: a program is made of its text in several ways.
pub fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    static STDIN: Mutex<Option<Vec<u8>>> = Mutex::new(None);
    if !is_stdin(path) {
        return std::fs::read(path);
    }
    let mut kept = STDIN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = &*kept {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes)?;
    *kept = Some(bytes.clone());
    Ok(bytes)
}

/// The text of a file that must be text.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let name = shown(path);
    let unreadable =
        |why: String| Failure::from(Diagnostic::new(Code::Unreadable, format!("cannot read {name}: {why}")));
    if !is_stdin(path) {
        let metadata = std::fs::metadata(path).map_err(|e| unreadable(reason(&e)))?;
        if metadata.is_dir() {
            return Err(unreadable("it is a directory".to_string()));
        }
        if metadata.len() > LONGEST {
            return Err(unreadable(format!("it is longer than {LONGEST} bytes")));
        }
    }
    let bytes = read_bytes(path).map_err(|e| unreadable(reason(&e)))?;
    if bytes.len() as u64 > LONGEST {
        return Err(unreadable(format!("it is longer than {LONGEST} bytes")));
    }
    let not_text = |why: &str| Failure::from(Diagnostic::new(Code::NotText, format!("{name} {why}")));
    if bytes.contains(&0) {
        return Err(not_text("is not a text file: it contains NUL bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| not_text("is not a text file: it is not UTF-8"))?;
    // A byte order mark is no part of the text.
    let text = text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(not_text("is empty"));
    }
    Ok(text)
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => error.to_string(),
    }
}

/// Parses a preprocessed text.
fn parse_text(text: &str, name: &str, files: &mut dyn lines::Files) -> Result<Parsed, Failure> {
    let tokens = token::tokenize(text);
    let map = lines::line_map(text, &tokens, name, files);
    let syntax = |at: Span, message: String| Failure::from(Diagnostic::new(Code::Syntax, message).at(at));
    if let Some(stray) = tokens.tokens.iter().find(|t| t.kind == token::Kind::Stray) {
        let what = text[stray.start..stray.end].escape_debug().to_string();
        return Err(syntax(map.place(stray.start), format!("stray `{what}`")));
    }
    let partner = limits::brackets(text, &tokens.tokens).map_err(|refusal| {
        let code = match refusal.problem {
            limits::Problem::Brackets => Code::Syntax,
            limits::Problem::Depth => Code::Unsupported,
        };
        Diagnostic::new(code, refusal.message).at(map.place(tokens.tokens[refusal.token].start))
    })?;
    let rewritten = rewrite::rewrite(text, &tokens, &partner)
        .map_err(|u| Diagnostic::new(Code::Unsupported, format!("{} is not supported", u.what)).at(map.place(u.at)))?;
    let too_deep = |at: Span| Failure::from(Diagnostic::new(Code::Unsupported, TOO_DEEP).at(at));
    let (rewritten, cuts) = pieces::cut(rewritten).map_err(|at| too_deep(map.place(at)))?;
    let map = map.rewritten(rewritten.segments);
    let mut unit = syntax::parse(rewritten.text).map_err(|complaint| match &cuts {
        Some(cuts) if complaint.at >= cuts.first => too_deep(map.span(complaint.at)),
        _ => syntax(map.span(complaint.at), complaint.message),
    })?;
    let pieces = match cuts {
        Some(cuts) => {
            let first = map.span(cuts.first);
            cuts.take(&mut unit).ok_or_else(|| too_deep(first))?
        }
        None => Pieces::default(),
    };
    let library = library::definitions(text, &tokens);
    Ok(Parsed { unit, pieces, lines: map, headers: Library::Own, library })
}

/// Finds the files that line markers name.
struct Finder<'a> {
    sources: &'a mut Sources,
    /// What relative names are relative to.
    base: &'a Path,
    /// The temporary directory of our headers, whose name must not show.
    headers: Option<String>,
}

/// Files longer than this are not read: no program of a size that can be verified is near it.
const LONGEST: u64 = 64 << 20;

impl lines::Files for Finder<'_> {
    fn file(&mut self, name: &str) -> (u32, Option<Vec<String>>) {
        let ours = self.headers.as_deref().and_then(|h| name.strip_prefix(h)).map(|p| p.trim_start_matches('/'));
        let text = || match ours {
            Some(path) => headers::text(path).map(str::to_string),
            None => {
                let path = self.base.join(name);
                let metadata = std::fs::metadata(&path).ok().filter(|m| m.is_file() && m.len() <= LONGEST);
                metadata.and_then(|_| std::fs::read_to_string(path).ok())
            }
        };
        let shown = match ours {
            Some(path) => format!("<threader>/{path}"),
            None => name.to_string(),
        };
        let file = self.sources.file(&shown, text);
        (file, self.sources.text(file).map(|t| t.lines().map(str::to_string).collect()))
    }
}
