//! Random mutations of the corpus: whatever the text, the frontend answers with a program or a message, and soon.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use frontend::{Options, load};
use support::heads::corpus;
use support::native::{compiler, scratch};
use support::rng::{Rng, cases, seed};

/// No text of this size takes longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The stack of a main thread: what is too deep for it is too deep for the program.
const STACK: usize = 8 << 20;

#[test]
fn mutated_preprocessed_files_are_answered() {
    let dir = scratch("mutation_i");
    let texts: Vec<String> = corpus().iter().map(|file| preprocessed(file)).collect();
    answer_all(&dir, "i", &texts, cases(5_000));
}

#[test]
fn mutated_files_are_answered() {
    let dir = scratch("mutation_c");
    let texts: Vec<String> = corpus().iter().map(|file| std::fs::read_to_string(file).expect("a text file")).collect();
    answer_all(&dir, "c", &texts, cases(5_000).div_ceil(50));
}

/// The file after the preprocessor, over our own headers: they are small, so that mutations hit the program.
fn preprocessed(file: &Path) -> String {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/headers");
    let output = Command::new(compiler())
        .args(["-E", "-w", "-std=gnu11", "-nostdinc", "-imacros"])
        .arg(headers.join("model/lp64.h"))
        .arg("-isystem")
        .arg(headers.join("overlay"))
        .arg("-isystem")
        .arg(headers.join("include"))
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}", compiler()));
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the preprocessor writes text")
}

/// Loads `count` mutants on a thread of its own, and waits for each answer for a limited time.
fn answer_all(dir: &Path, extension: &str, texts: &[String], count: u64) {
    let (sender, answers) = channel();
    let path = |n: u64| dir.join(format!("m{n}.{extension}"));
    std::thread::scope(|scope| {
        let worker = move || {
            for n in 0..count {
                let mut rng = Rng::for_case(seed(), n);
                let mutant = mutate(&mut rng, texts);
                std::fs::write(path(n), mutant).expect("the directory is writable");
                let start = Instant::now();
                let answer = answer(&path(n));
                if answer.is_ok() {
                    let _ = std::fs::remove_file(path(n));
                }
                if sender.send((n, answer, start.elapsed())).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread");
        let (mut slowest, mut wrong) = ((Duration::ZERO, 0), Vec::new());
        for expected in 0..count {
            match answers.recv_timeout(2 * PATIENCE) {
                Ok((n, answer, time)) => {
                    slowest = slowest.max((time, n));
                    wrong.extend(answer.err().map(|error| format!("{}: {error}", path(n).display())));
                }
                Err(RecvTimeoutError::Timeout) => hang(&path(expected)),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("seed {}, {}: no answer", seed(), path(expected).display())
                }
            }
        }
        note(&format!("slowest mutant: {}, {:?}", slowest.1, slowest.0));
        let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
        assert!(wrong.is_empty(), "seed {}: {} of {count} mutants\n{shown}", seed(), wrong.len());
        assert!(slowest.0 < PATIENCE, "seed {}, case {} takes {:?}", seed(), slowest.1, slowest.0);
    });
}

/// Shown by `cargo test -- --nocapture`, and when the test fails.
#[allow(clippy::print_stderr)]
fn note(text: &str) {
    eprintln!("{text}");
}

/// A thread cannot be stopped, and the scope would wait for it for ever.
#[allow(clippy::exit)]
fn hang(path: &Path) -> ! {
    note(&format!("seed {}: {} takes more than {:?}", seed(), path.display(), 2 * PATIENCE));
    std::process::exit(101)
}

fn answer(path: &Path) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(|| load(path, &Options::default()))) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if error.failure.0.message.trim().is_empty() => Err("an empty message".into()),
        Ok(Err(_)) => Ok(()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Err(format!("a panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
        }
    }
}

/// One to four changes of bytes or tokens of one of the texts.
fn mutate(rng: &mut Rng, texts: &[String]) -> Vec<u8> {
    let mut text = rng.pick(texts).clone().into_bytes();
    for _ in 0..rng.between(1, 4) {
        if rng.chance(70) {
            mutate_tokens(rng, &mut text, texts);
        } else {
            mutate_bytes(rng, &mut text);
        }
    }
    text
}

fn mutate_bytes(rng: &mut Rng, text: &mut Vec<u8>) {
    if text.is_empty() {
        return;
    }
    let at = rng.below(text.len());
    let end = (at + rng.between(1, 40)).min(text.len());
    match rng.below(5) {
        0 => drop(text.drain(at..end)),
        1 => {
            let copy = text[at..end].to_vec();
            text.splice(at..at, copy);
        }
        2 => {
            let other = rng.below(text.len());
            text.swap(at, other);
        }
        3 => text[at] = rng.next() as u8,
        _ => text.truncate(at),
    }
}

const TOKENS: [&str; 48] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "==",
    "+",
    "-",
    "++",
    "->",
    ".",
    "?",
    ":",
    "...",
    "0",
    "-1",
    "1.5",
    "18446744073709551616",
    "0xffffffffffffffff",
    "'",
    "\"",
    "int",
    "void",
    "unsigned",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "if",
    "while",
    "for",
    "switch",
    "case",
    "return",
    "goto",
    "sizeof",
    "float",
    "asm",
    "pthread_create",
    "_Atomic",
];

/// Works on the tokens of the whole text: identifiers, numbers, and single other characters.
fn mutate_tokens(rng: &mut Rng, text: &mut Vec<u8>, texts: &[String]) {
    let spans = tokens(text);
    if spans.len() < 2 {
        return;
    }
    let (start, end) = *rng.pick(&spans);
    let (from, to) = *rng.pick(&spans);
    let other = text[from..to].to_vec();
    match rng.below(6) {
        0 => drop(text.drain(start..end)),
        1 => {
            let copy = text[start..end].to_vec();
            insert(text, end, &copy);
        }
        2 => drop(text.splice(start..end, other)),
        3 => insert(text, start, rng.pick(&TOKENS).as_bytes()),
        4 => drop(text.splice(start..end, rng.pick(&TOKENS).bytes())),
        _ => {
            // A piece of another program, which may use what is not declared here.
            let donor = rng.pick(texts).as_bytes();
            let lines: Vec<&[u8]> = donor.split(|b| *b == b'\n').collect();
            let line = rng.pick(&lines).to_vec();
            insert(text, start, &line);
        }
    }
}

fn insert(text: &mut Vec<u8>, at: usize, what: &[u8]) {
    let spaced: Vec<u8> = [b" ", what, b" "].concat();
    text.splice(at..at, spaced);
}

fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        while word(text[start]) && at < text.len() && word(text[at]) {
            at += 1;
        }
        if !text[start].is_ascii_whitespace() {
            spans.push((start, at));
        }
    }
    spans
}
