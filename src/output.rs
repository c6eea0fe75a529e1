//! Writing: stdout that may be closed early, files that are complete or absent.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use program::Property;

use crate::render::one_line;
use crate::status::Status;

/// Prints `text` and ends with `status`. A reader that has had enough (`| head`) is no error.
pub fn print(text: &str, status: Status) -> Status {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => status,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => status,
        Err(error) => complain(&format!("cannot write to standard output: {error}"), Status::Usage),
    }
}

/// Prints the line that ends stdout when there is no verdict.
pub fn print_unknown(reason: &str) -> Status {
    print(&format!("Result: unknown({})\n", one_line(reason)), Status::Unknown)
}

/// Prints the line that ends stdout when the property is violated.
pub fn print_false(property: Property) -> Status {
    print(&format!("Result: false({property})\n"), Status::Violated)
}

/// Prints `error: message` on stderr and ends with `status`.
pub fn complain(message: &str, status: Status) -> Status {
    report(&format!("error: {}\n", one_line(message)));
    status
}

/// Prints on stderr; if that is closed there is nobody to tell.
pub fn report(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Makes room for a report where progress was shown.
pub fn wipe() {
    if std::io::stderr().is_terminal() {
        report(&format!("\r{:<76}\r", ""));
    }
}

/// Writes a file beside `path` and renames it, so that `path` never holds half a text.
pub fn write_file(path: &Path, text: &str) -> std::io::Result<()> {
    // Through a link, to what it names; a device or a pipe cannot be replaced.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if std::fs::metadata(&target).is_ok_and(|data| !data.is_file()) {
        return std::fs::write(&target, text);
    }
    let beside = beside(&target)?;
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &target));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn beside(path: &Path) -> std::io::Result<PathBuf> {
    let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("threader-output-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let directory = directory("replace");
        let path = directory.join("model.txt");
        write_file(&path, "one").unwrap();
        write_file(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
        std::fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let directory = directory("fail");
        assert!(write_file(&directory.join("missing/model.txt"), "text").is_err());
        assert!(write_file(&directory, "text").is_err());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
