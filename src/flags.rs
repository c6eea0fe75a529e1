//! Flags as compilers take them: those that say what a file means are taken, those that do not are let pass, and those that
//! would change what C means are refused.

use std::ffi::OsString;

/// What a flag is to us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// One of ours, in our words.
    Ours(Vec<OsString>),
    /// Without effect on what is verified.
    Ignored,
    /// C would mean something else.
    Refused(String),
    /// No compiler's flag that we know.
    Unknown,
}

/// Flags with a value, behind them or as the next word, and what they are called here.
const WITH_VALUE: [(&str, &str); 6] = [
    ("-include", "--include-file"),
    ("-isystem", "--isystem"),
    ("-idirafter", "--isystem"),
    ("-iquote", "--iquote"),
    ("-I", "-I"),
    ("-U", "-U"),
];

/// Flags without effect that have a value.
const IGNORED_WITH_VALUE: [&str; 12] =
    ["-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-x", "-Xlinker", "-Xassembler", "-z", "-arch", "--param"];

/// Flags without effect, whole.
const IGNORED: [&str; 25] = [
    "-c",
    "-S",
    "-E",
    "-g",
    "-w",
    "-s",
    "-pipe",
    "-pthread",
    "-pthreads",
    "-pedantic",
    "-pedantic-errors",
    "-shared",
    "-static",
    "-static-libgcc",
    "-rdynamic",
    "-nostdlib",
    "-nostdinc",
    "-nodefaultlibs",
    "-nostartfiles",
    "-no-pie",
    "-pie",
    "-P",
    "-C",
    "-save-temps",
    "-Qunused-arguments",
];

/// Beginnings of flags without effect.
const IGNORED_FROM: [&str; 9] = ["-W", "-O", "-f", "-m", "-g", "-l", "-L", "-M", "-static"];

/// Flags among those that change what C means.
const REFUSED_FROM: [&str; 13] = [
    "-fopenmp",
    "-fopenacc",
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-ftrapv",
    "-fwrapv",
    "-fcilkplus",
    "-mx32",
    "-m16",
    "-fms-extensions",
];

/// What the first of these words is, with how many of them belong to it.
pub fn flag(words: &[OsString]) -> (Flag, usize) {
    let Some(word) = words.first().and_then(|word| word.to_str()) else { return (Flag::Unknown, 1) };
    let ours = |all: &[&str]| Flag::Ours(all.iter().map(OsString::from).collect());
    match word {
        "-m32" => return (ours(&["--m32"]), 1),
        "-m64" => return (ours(&["--m64"]), 1),
        "-ansi" => return (ours(&["--std=c90"]), 1),
        "-fcommon" => return (ours(&["--common"]), 1),
        _ if IGNORED.contains(&word) => return (Flag::Ignored, 1),
        _ if IGNORED_WITH_VALUE.contains(&word) => return (Flag::Ignored, 2),
        _ => {}
    }
    if let Some(standard) = word.strip_prefix("-std=") {
        return (ours(&[&format!("--std={standard}")]), 1);
    }
    if let Some(refused) = REFUSED_FROM.iter().find(|refused| word.starts_with(**refused)) {
        return (Flag::Refused(format!("{refused} changes what C means, which is not supported")), 1);
    }
    // Definitions for the preprocessor alone.
    if let Some(parts) = word.strip_prefix("-Wp,") {
        let taken = parts.split(',').filter(|part| ["-D", "-U", "-I"].iter().any(|flag| part.starts_with(flag)));
        return (Flag::Ours(taken.map(OsString::from).collect()), 1);
    }
    for (theirs, name) in WITH_VALUE.into_iter().chain([("-D", "-D")]) {
        if let Some(value) = word.strip_prefix(theirs) {
            let (value, count) = match value {
                "" => (words.get(1).cloned(), 2),
                value => (Some(OsString::from(value)), 1),
            };
            let all = [Some(OsString::from(name)), value];
            return (Flag::Ours(all.into_iter().flatten().collect()), count);
        }
    }
    let ignored = IGNORED_FROM.iter().any(|beginning| word.starts_with(beginning));
    (if ignored { Flag::Ignored } else { Flag::Unknown }, 1)
}

/// A command line of ours in which compilers' flags stand: those are put in our words, or left out.
pub fn translated(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut all: Vec<OsString> = Vec::new();
    let mut rest = words.as_slice();
    while let [first, ..] = rest {
        if first == "--" {
            all.extend(rest.iter().cloned());
            break;
        }
        let (flag, count) = flag(rest);
        let count = count.min(rest.len());
        match flag {
            Flag::Ours(ours) => add(&mut all, ours),
            Flag::Ignored => {}
            Flag::Refused(why) => return Err(why),
            Flag::Unknown => all.extend_from_slice(&rest[..count]),
        }
        rest = &rest[count..];
    }
    Ok(all)
}

/// Adds words of ours. Macros are undefined before others are defined: of a name for which both is said, the last counts.
pub fn add(all: &mut Vec<OsString>, ours: Vec<OsString>) {
    if let [flag, name] = ours.as_slice()
        && flag == "-U"
    {
        let name = name.to_string_lossy().into_owned();
        let defines = |word: &OsString| word.to_string_lossy().split('=').next() == Some(name.as_str());
        while let Some(at) = (1..all.len()).find(|at| all[at - 1] == "-D" && defines(&all[*at])) {
            all.drain(at - 1..=at);
        }
    }
    all.extend(ours);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        let words = text.split(' ').map(OsString::from).collect();
        let words = translated(words).unwrap_or_else(|why| vec![why.into()]);
        words.join(&OsString::from(" ")).into_string().unwrap()
    }

    #[test]
    fn what_a_file_means_is_taken() {
        assert_eq!(
            line("prove a.c -isystem d -iquote=x -include f.h"),
            "prove a.c --isystem d --iquote =x --include-file f.h"
        );
        assert_eq!(line("-std=c99 -m32 -ansi -fcommon"), "--std=c99 --m32 --std=c90 --common");
        assert_eq!(line("-DN=3 -D M -Iinc -I inc2 -UX"), "-D N=3 -D M -I inc -I inc2 -U X");
        assert_eq!(line("-Wp,-DN=3,-MMD,x.d"), "-DN=3");
    }

    #[test]
    fn what_build_files_pass_is_let_pass() {
        let flags = "-O2 -g -g3 -ggdb -Wall -Wextra -Wl,-z,now -fPIC -fno-strict-aliasing -march=native -pthread -lpthread -l m \
                     -L/lib -MMD -MP -MF x.d -c -pipe -static-libgcc";
        assert_eq!(line(&format!("prove {flags} a.c")), "prove a.c");
    }

    #[test]
    fn of_a_macro_the_last_word_counts() {
        assert_eq!(line("-DX=1 -DY -UX"), "-D Y -U X");
        assert_eq!(line("-UX -DX"), "-U X -D X");
    }

    #[test]
    fn what_changes_c_is_refused() {
        assert_eq!(line("-funsigned-char"), "-funsigned-char changes what C means, which is not supported");
        assert_eq!(line("-fopenmp a.c"), "-fopenmp changes what C means, which is not supported");
    }

    #[test]
    fn our_own_flags_stay() {
        let own = "threader -v prove a.c - --rule auto -j 2 -o f --json j -- -O2";
        assert_eq!(line(own), own);
    }
}
