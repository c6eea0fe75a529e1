//! How a harness is compiled: the command in its first lines, and the macros of the command line that it was made with.

use std::path::Path;

use frontend::{Loaded, Options};
use program::Owner;

use super::ending::Ending;
use super::fill::Fill;

/// What `<unistd.h>` declares, which comes in with other headers, and a program that does not include it may call a variable.
const SYSTEM_CALLS: &[&str] = &[
    "access", "close", "dup", "fork", "link", "lockf", "nice", "pipe", "read", "sleep", "swab", "sync", "truncate",
    "write",
];

/// The variables of the program that have the name of a system call: for its headers that is another one.
fn hidden(loaded: &Loaded) -> Vec<&'static str> {
    let names = loaded.program.vars().filter(|(_, var)| var.owner == Owner::Global && var.span.file == 0);
    let names: Vec<&str> = names.filter_map(|(_, var)| var.name.split(['.', '[']).next()).collect();
    SYSTEM_CALLS.iter().copied().filter(|name| names.contains(name)).collect()
}

/// The first lines, which say how to compile and run the harness.
pub fn head(loaded: &Loaded, options: &Options, fill: Fill, ending: Ending) -> String {
    let beside = loaded.input().parent().filter(|directory| !directory.as_os_str().is_empty());
    let beside = format!(" -iquote {}", quoted(beside.unwrap_or(Path::new("."))));
    let include = options.flags.include_dirs.iter().map(|directory| format!(" -I {}", quoted(directory)));
    let include: String = [beside].into_iter().chain(include).collect();
    let hidden = hidden(loaded);
    let hide: String = hidden.iter().map(|name| format!("#define {name} threader_system_{name}\n")).collect();
    let show: String = hidden.iter().map(|name| format!("#undef {name}\n")).collect();
    let file = loaded.input().display().to_string().replace("*/", "* /");
    format!(
        "/* A run of {file} that violates its property, made by {}.\n\n     \
         gcc -std=gnu11 -w -O0 -g -ffunction-sections -fsanitize=thread{}{}{include} -c HARNESS.c -o HARNESS.o\n     \
         gcc -pthread{} -Wl,--gc-sections HARNESS.o -o HARNESS && ./HARNESS\n\n   {} */\n\
         #define _GNU_SOURCE\n{hide}#include <assert.h>\n#include <errno.h>\n#include <malloc.h>\n#include <pthread.h>\n\
         #include <semaphore.h>\n#include <signal.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <sys/syscall.h>\n#include <threads.h>\n#include <time.h>\n#include <unistd.h>\n{show}\n",
        crate::origin::PRODUCER,
        ending.compiling(),
        fill.option(),
        ending.linking(),
        ending.promise(),
    )
}

/// The macros that the command line defines. They stand before the text, not in the compiler's command: there they would change
/// the scheduler as well.
pub fn defines(options: &Options) -> String {
    let define = |macro_: &String| match macro_.split_once('=') {
        Some((name, value)) => format!("#define {name} {value}\n"),
        None => format!("#define {macro_} 1\n"),
    };
    options.flags.defines.iter().map(define).collect()
}

/// A path as one word for a shell, and inside a comment.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./+@%,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''").replace("*/", "*''/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::source::Flags;

    #[test]
    fn paths_are_words_of_a_shell() {
        let quoted = |text: &str| quoted(Path::new(text));
        assert_eq!(quoted("a/b-1.c"), "a/b-1.c");
        assert_eq!(quoted("my files"), "'my files'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("a*/b"), "'a*''/b'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn macros_stand_in_the_text() {
        let options = Options {
            flags: Flags { defines: vec!["N=2".into(), "DEBUG".into(), "F(x)=(x)=1".into()], ..Flags::default() },
            ..Options::default()
        };
        assert_eq!(defines(&options), "#define N 2\n#define DEBUG 1\n#define F(x) (x)=1\n");
    }
}
