//! Runs the machine's C preprocessor over our own headers.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use program::Span;

use super::SourceOptions;
use super::headers::Headers;
use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::hir::DataModel;

/// Which headers `#include <..>` finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Library {
    /// Ours alone, if that will do.
    #[default]
    Own,
    /// The machine's, except for those of ours that stand on their own: a mixture would declare types twice.
    System,
}

/// The preprocessors to try, as commands with arguments: `$CC` alone if it is set.
pub(super) fn compilers(cc: Option<&str>) -> Vec<Vec<String>> {
    let words = |s: &str| s.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    match cc.map(words).filter(|w| !w.is_empty()) {
        Some(command) => vec![command],
        None => ["cc", "gcc", "clang"].map(|c| vec![c.to_string()]).to_vec(),
    }
}

/// The preprocessed text of a C file, and the headers that it was made with.
pub(super) fn preprocess(
    path: &Path,
    options: &SourceOptions,
    compilers: &[Vec<String>],
    headers: &Headers,
    sources: &mut Sources,
) -> Result<(String, Library), Failure> {
    let mut library = options.library;
    let mut output = run(path, options, compilers, headers, library)?;
    if library == Library::Own && !output.status.success() && lacks_header(&output) {
        // A header that is not ours.
        library = Library::System;
        output = run(path, options, compilers, headers, library)?;
    }
    if output.status.success() {
        return Ok((String::from_utf8_lossy(&output.stdout).into_owned(), library));
    }
    Err(refusal(&String::from_utf8_lossy(&output.stderr), sources).into())
}

fn run(
    path: &Path,
    options: &SourceOptions,
    compilers: &[Vec<String>],
    headers: &Headers,
    library: Library,
) -> Result<Output, Failure> {
    for command in compilers {
        let Some((program, arguments)) = command.split_first() else { continue };
        let mut command = Command::new(program);
        command.args(arguments);
        fill(&mut command, path, options, headers, library);
        match output(&mut command, path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => {
                let message = format!("the C preprocessor `{program}` cannot be run: {e}");
                return Err(Diagnostic::new(Code::Preprocessor, message).into());
            }
            Ok(output) => return Ok(output),
        }
    }
    let names: Vec<String> = compilers.iter().filter_map(|c| Some(format!("`{}`", c.first()?))).collect();
    let message = format!("no C preprocessor found: tried {}", names.join(", "));
    let help = "install gcc or clang, name one in the environment variable CC, or give a preprocessed .i file";
    Err(Diagnostic::new(Code::Preprocessor, message).help(help).into())
}

/// Runs a command; what stands on standard input has been read already, and is handed on.
fn output(command: &mut Command, path: &Path) -> io::Result<Output> {
    if !super::is_stdin(path) {
        return command.stdin(Stdio::null()).output();
    }
    let text = super::read_bytes(path)?;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pipe = child.stdin.take();
    std::thread::scope(|scope| {
        // A preprocessor that gives up early closes its end: what it says then is what counts.
        scope.spawn(move || pipe.map(|mut pipe| pipe.write_all(&text)));
        child.wait_with_output()
    })
}

fn fill(command: &mut Command, path: &Path, options: &SourceOptions, headers: &Headers, library: Library) {
    let model = match options.data_model {
        DataModel::Ilp32 => "ilp32.h",
        DataModel::Lp64 => "lp64.h",
    };
    // Messages are read: they must be in English and plain.
    command.env("LC_ALL", "C").env_remove("GCC_COLORS");
    let flags = &options.flags;
    let standard = flags.standard.as_deref().unwrap_or("gnu11");
    command.args(["-E", "-w", "-x", "c"]).arg(format!("-std={standard}"));
    command.arg("-imacros").arg(headers.group("model").join(model));
    let mut all = |flag: &str, values: &[PathBuf]| {
        for value in values {
            command.arg(flag).arg(value);
        }
    };
    all("-iquote", &flags.quote_dirs);
    all("-I", &flags.include_dirs);
    all("-isystem", &flags.system_dirs);
    command.arg("-D__THREADER__=1");
    command.args(flags.undefines.iter().flat_map(|name| ["-U", name]));
    command.args(flags.defines.iter().flat_map(|define| ["-D", define]));
    command.args(flags.include_files.iter().flat_map(|file| [Path::new("-include"), file]));
    command.arg("-isystem").arg(headers.group("overlay"));
    match library {
        Library::Own => command.arg("-nostdinc").arg("-isystem").arg(headers.group("include")),
        Library::System => command.arg("-isystem").arg(headers.group("stubs")),
    };
    if super::is_stdin(path) {
        command.arg("-");
    } else if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        command.arg(Path::new(".").join(path));
    } else {
        command.arg(path);
    }
}

/// Whether an `#include <..>` failed (gcc's and clang's words).
fn lacks_header(output: &Output) -> bool {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().any(|l| {
        l.contains("fatal error: ") && (l.ends_with(": No such file or directory") || l.ends_with("file not found"))
    })
}

/// The diagnostic for the preprocessor's first error.
fn refusal(stderr: &str, sources: &mut Sources) -> Diagnostic {
    if let Some((place, message)) = stderr.lines().find_map(error_line) {
        let diagnostic = Diagnostic::new(Code::Preprocessor, message.trim_end_matches('.'));
        return match place {
            Some((name, line, column)) => {
                let file = sources.file(name, || std::fs::read_to_string(name).ok());
                diagnostic.at(Span { file, line, column })
            }
            None => diagnostic,
        };
    }
    let first = stderr.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("no message");
    Diagnostic::new(Code::Preprocessor, format!("the C preprocessor failed: {first}"))
}

/// File, line and column.
type Place<'a> = (&'a str, u32, u32);

/// Takes `file:line:col: error: text` apart; the place may be missing.
fn error_line(line: &str) -> Option<(Option<Place<'_>>, &str)> {
    let (place, message) = line.split_once("fatal error: ").or_else(|| line.split_once("error: "))?;
    let mut parts = place.trim_end().trim_end_matches(':').rsplitn(3, ':');
    let column = parts.next().and_then(|c| c.parse().ok());
    let row = parts.next().and_then(|l| l.parse().ok());
    Some((parts.next().zip(row).zip(column).map(|((f, l), c)| (f, l, c)), message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cc_may_have_arguments() {
        assert_eq!(compilers(Some(" gcc -m32 ")), [["gcc", "-m32"]]);
        assert_eq!(compilers(None), [["cc"], ["gcc"], ["clang"]]);
        assert_eq!(compilers(Some("")), compilers(None));
    }

    #[test]
    fn errors_have_places() {
        let line = "C:/a b.c:3:2: error: #error \"stop\"";
        assert_eq!(error_line(line), Some((Some(("C:/a b.c", 3, 2)), "#error \"stop\"")));
        let line = "a.c:1:10: fatal error: x.h: No such file or directory";
        assert_eq!(error_line(line), Some((Some(("a.c", 1, 10)), "x.h: No such file or directory")));
        assert_eq!(error_line("gcc: error: unrecognized"), Some((None, "unrecognized")));
        assert_eq!(error_line("a.c:1:2: warning: x"), None);
    }

    #[test]
    fn without_a_preprocessor_there_is_advice() {
        let headers = Headers::write().unwrap();
        let compilers = [vec!["threader-no-such-compiler".to_string()]];
        let options = SourceOptions::default();
        let failure =
            preprocess(Path::new("a.c"), &options, &compilers, &headers, &mut Sources::default()).unwrap_err();
        assert_eq!(failure.0.code, Code::Preprocessor);
        assert_eq!(failure.0.message, "no C preprocessor found: tried `threader-no-such-compiler`");
        assert!(failure.0.help.is_some());
    }
}
