//! Our own C headers, part of the binary, so that results do not depend on the machine's C library.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Makes the table of headers: paths below `frontend/headers` and their texts.
macro_rules! headers {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../headers/", $path)))),*]
    };
}

const HEADERS: [(&str, &str); 42] = headers![
    "include/alloca.h",
    "include/ctype.h",
    "include/errno.h",
    "include/float.h",
    "include/inttypes.h",
    "include/iso646.h",
    "include/limits.h",
    "include/malloc.h",
    "include/math.h",
    "include/memory.h",
    "include/pthread.h",
    "include/sched.h",
    "include/semaphore.h",
    "include/signal.h",
    "include/stdalign.h",
    "include/stdarg.h",
    "include/stdbool.h",
    "include/stddef.h",
    "include/stdint.h",
    "include/stdio.h",
    "include/stdlib.h",
    "include/stdnoreturn.h",
    "include/string.h",
    "include/strings.h",
    "include/sys/cdefs.h",
    "include/sys/mman.h",
    "include/sys/time.h",
    "include/sys/types.h",
    "include/threader_types.h",
    "include/threads.h",
    "include/time.h",
    "include/unistd.h",
    "include/features.h",
    "include/locale.h",
    "include/err.h",
    "model/common.h",
    "model/ilp32.h",
    "model/lp64.h",
    "overlay/assert.h",
    "overlay/stdatomic.h",
    "stubs/gnu/stubs-32.h",
    "stubs/gnu/stubs-x32.h",
];

/// Where files are kept in memory, on systems that have such a place: forty small files on a disk take longer than a small proof.
const IN_MEMORY: &str = "/dev/shm";

/// The headers as files, for as long as the value lives.
#[derive(Debug)]
pub(super) struct Headers {
    directory: TempDir,
}

impl Headers {
    /// Writes them to a temporary directory: the one of TMPDIR, if that is set.
    pub(super) fn write() -> io::Result<Headers> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("threader-");
        let chosen = std::env::var_os("TMPDIR").is_some();
        let in_memory = if chosen { None } else { builder.tempdir_in(IN_MEMORY).ok() };
        let directory = in_memory.map_or_else(|| builder.tempdir(), Ok)?;
        for (path, text) in HEADERS {
            let file = directory.path().join(path);
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(file, text)?;
        }
        Ok(Headers { directory })
    }

    /// The directory of one group of headers.
    pub(super) fn group(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The whole directory.
    pub(super) fn root(&self) -> &Path {
        self.directory.path()
    }
}

/// The text of a header, by its path below the directory.
pub(super) fn text(path: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(p, _)| *p == path).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sources;
    use crate::hir::DataModel;
    use crate::source::{SourceOptions, parse_file};

    fn names() -> impl Iterator<Item = &'static str> {
        HEADERS.iter().filter_map(|(p, _)| p.strip_prefix("include/").or_else(|| p.strip_prefix("overlay/")))
    }

    fn parse(text: &str, data_model: DataModel) -> Sources {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.c");
        std::fs::write(&file, text).unwrap();
        let mut sources = Sources::default();
        let options = SourceOptions { data_model, ..SourceOptions::default() };
        if let Err(e) = parse_file(&file, &options, &mut sources) {
            panic!("{text}: {:?}", e.0);
        }
        sources
    }

    #[test]
    fn every_header_stands_on_its_own() {
        for name in names() {
            let sources = parse(&format!("#include <{name}>\n#include <{name}>\nint x;\n"), DataModel::Lp64);
            let foreign = sources.names().into_iter().skip(1).find(|n| !n.starts_with("<threader>/"));
            assert_eq!(foreign, None, "{name} needs the machine's headers");
        }
    }

    #[test]
    fn all_headers_go_together() {
        let text: String = names().map(|n| format!("#include <{n}>\n")).collect();
        parse(&text, DataModel::Lp64);
        parse(&text, DataModel::Ilp32);
    }

    #[test]
    fn a_compiler_finds_them_valid() {
        let headers = Headers::write().unwrap();
        let file = headers.root().join("a.c");
        let text: String = names().map(|n| format!("#include <{n}>\n")).collect();
        std::fs::write(&file, format!("{text}pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n")).unwrap();
        let mut command = std::process::Command::new("cc");
        command.args(["-fsyntax-only", "-nostdinc", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-std=gnu11"]);
        command.arg("-imacros").arg(headers.group("model").join("lp64.h"));
        command.arg("-I").arg(headers.group("overlay")).arg("-I").arg(headers.group("include")).arg(&file);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn they_disappear() {
        let headers = Headers::write().unwrap();
        let root = headers.root().to_path_buf();
        assert!(root.join("include/pthread.h").exists());
        drop(headers);
        assert!(!root.exists());
    }
}
