//! Threads that are created again and again: one by one, as templates, and up to a bound.

mod support;

use std::path::PathBuf;

use frontend::{Fusion, Loaded, Options, Population, Templating};
use support::lowered::lower_text;

fn dir() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("threader-population-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for tests");
    dir
}

fn load(name: &str, text: &str, population: Population, templating: Templating) -> Result<Loaded, String> {
    let head = "#include <pthread.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";
    let options = Options { population, templating, fusion: Fusion::On, ..Options::default() };
    lower_text(&dir(), name, &format!("{head}{text}"), &options)
}

#[test]
fn scratch() {
    let file = std::env::var("SCRATCH").unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    for p in [Population::Each, Population::Templates, Population::Bounded(2)] {
        for t in [Templating::Unbounded, Templating::Repeated] {
            println!("---- {p:?} {t:?}");
            match load("scratch", &text, p, t) {
                Ok(l) => println!("{}\n{:?} {:?}", l.program, l.program.templates(), l.repeated),
                Err(e) => println!("{e}"),
            }
        }
    }
}
