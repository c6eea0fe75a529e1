//! The data model against the compiler's: sizes, alignments, offsets, bit-fields, promotions and conversions of random
//! declarations, for both data models. Nothing is run, so that the 32-bit half needs no 32-bit libc.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

#![allow(clippy::print_stdout, reason = "what was asked, and what was skipped, is said")]

#[path = "../../../tests/support/native.rs"]
#[allow(dead_code, reason = "nothing is run here")]
mod native;
#[path = "../../../tests/support/rng.rs"]
mod rng;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use frontend::diagnostic::{Code, Diagnostic, Sources};
use frontend::hir::{DataModel, Type, Unit};
use frontend::sema::{analyse, const_value};
use frontend::source::{SourceOptions, parse_file};
use native::{compiler, scratch};
use rng::{cases, seed};
use types::{Case, case};

/// Cases a file.
const BATCH: u64 = 250;

/// What one side says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Value(u64),
    /// First bit and width.
    Bits(u64, u64),
    /// Not modelled.
    Unsupported,
}

/// A file of some cases, and which case each line belongs to.
struct Text {
    text: String,
    lines: Vec<u64>,
}

impl Text {
    fn new() -> Text {
        Text { text: String::new(), lines: Vec::new() }
    }
    fn line(&mut self, case: u64, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(case);
    }
    fn case_at(&self, line: usize) -> u64 {
        self.lines[line - 1]
    }
}

type Cases = BTreeMap<u64, Case>;

fn file(cases: &Cases, bit_fields: impl Fn(&mut Text, u64, usize, &(String, String))) -> Text {
    let mut text = Text::new();
    for (number, case) in cases {
        for declaration in &case.declarations {
            text.line(*number, declaration);
        }
        for (index, question) in case.questions.iter().enumerate() {
            text.line(*number, &format!("unsigned long long q{number}_{index} = {question};"));
        }
        for (index, bit_field) in case.bit_fields.iter().enumerate() {
            bit_fields(&mut text, *number, index, bit_field);
        }
    }
    text
}

/// The compiler's bytes of all initialised objects, by name; or the cases that it rejects.
fn compiled(dir: &Path, model: DataModel, text: &Text) -> Result<BTreeMap<String, Vec<u8>>, BTreeSet<u64>> {
    let (source, assembly) = (dir.join("types.c"), dir.join("types.s"));
    std::fs::write(&source, &text.text).expect("the directory is writable");
    let output = Command::new(compiler())
        .args(["-std=gnu11", "-w", "-fno-diagnostics-show-caret", "-fno-zero-initialized-in-bss", "-S", "-o"])
        .args([&assembly, &source])
        .arg(if model == DataModel::Lp64 { "-m64" } else { "-m32" })
        .env("LC_ALL", "C")
        .output()
        .expect("the compiler starts");
    if output.status.success() {
        return Ok(data(&std::fs::read_to_string(&assembly).expect("assembly")));
    }
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = messages
        .lines()
        .filter(|line| line.contains("error:"))
        .filter_map(|line| line.split("types.c:").nth(1)?.split(':').next()?.parse::<usize>().ok());
    let rejected: BTreeSet<u64> = lines.map(|line| text.case_at(line)).collect();
    assert!(!rejected.is_empty(), "{messages}");
    Err(rejected)
}

/// The data of an assembler file, by label.
fn data(assembly: &str) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut label = String::new();
    for line in assembly.lines() {
        if let Some(name) = line.strip_suffix(':') {
            label = name.to_string();
            found.insert(label.clone(), Vec::new());
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(directive), Some(operand)) = (words.next(), words.next()) else { continue };
        let width = match directive {
            ".byte" => 1,
            ".value" | ".short" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => 0,
            ".ascii" | ".string" => panic!("text in the data: {line}"),
            _ => continue,
        };
        let bytes = found.entry(label.clone()).or_default();
        match width {
            0 => bytes.resize(bytes.len() + operand.parse::<usize>().expect("a length"), 0),
            width => bytes.extend(&operand.parse::<i128>().expect("a number").to_le_bytes()[..width]),
        }
    }
    found
}

fn gcc_answers(dir: &Path, model: DataModel, cases: &mut Cases) -> BTreeMap<String, Answer> {
    let all_ones = |text: &mut Text, number: u64, index: usize, (ty, path): &(String, String)| {
        text.line(number, &format!("{ty} b{number}_{index} = {{ .{path} = -1 }};"));
    };
    let bytes = loop {
        match compiled(dir, model, &file(cases, all_ones)) {
            Ok(bytes) => break bytes,
            Err(rejected) => cases.retain(|number, _| !rejected.contains(number)),
        }
    };
    let mut answers = BTreeMap::new();
    for (name, bytes) in bytes {
        if name.starts_with('q') {
            answers.insert(name, Answer::Value(u64::from_le_bytes(bytes.try_into().expect("eight bytes"))));
        } else if name.starts_with('b') {
            let bit = |n: u64| bytes[(n / 8) as usize] >> (n % 8) & 1 == 1;
            let set: Vec<u64> = (0..bytes.len() as u64 * 8).filter(|n| bit(*n)).collect();
            answers.insert(name, Answer::Bits(set[0], set.len() as u64));
        }
    }
    answers
}

fn typed(dir: &Path, model: DataModel, text: &Text) -> Result<Unit, Diagnostic> {
    let path = dir.join("types.i");
    std::fs::write(&path, &text.text).expect("the directory is writable");
    let options = SourceOptions { data_model: model, ..SourceOptions::default() };
    let parsed = parse_file(&path, &options, &mut Sources::default()).map_err(|failure| *failure.0)?;
    analyse(&parsed.unit, &parsed.pieces, model, &|offset| parsed.lines.span(offset)).map_err(|failure| *failure.0)
}

/// What the frontend says about a case, or why it refuses it.
fn our_answers(dir: &Path, model: DataModel, number: u64, case: &Case) -> Result<BTreeMap<String, Answer>, Diagnostic> {
    let object = |text: &mut Text, number: u64, index: usize, (ty, _): &(String, String)| {
        text.line(number, &format!("{ty} b{number}_{index};"));
    };
    let unit = typed(dir, model, &file(&BTreeMap::from([(number, case.clone())]), object))?;
    let mut answers = BTreeMap::new();
    for global in &unit.globals {
        let (kind, rest) = global.name.split_at(1);
        let value = match (kind, rest.split_once('_')) {
            ("q", _) => match global.init.as_ref().and_then(|init| init.items.first()).map(|(_, value)| value) {
                Some(value) if const_value(value).is_some() => Answer::Value(const_value(value).unwrap_or(0) as u64),
                _ => Answer::Unsupported,
            },
            ("b", Some((_, index))) => {
                let (_, path) = &case.bit_fields[index.parse::<usize>().expect("an index")];
                bits(&unit, &global.ty, path).unwrap_or(Answer::Unsupported)
            }
            _ => continue,
        };
        answers.insert(global.name.clone(), value);
    }
    Ok(answers)
}

/// Where the bit-field at the end of the path is, from the beginning of the record.
fn bits(unit: &Unit, ty: &Type, path: &str) -> Option<Answer> {
    let Type::Record(id) = ty.unatomic() else { return None };
    let record = &unit.records[id.0 as usize];
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    for field in &record.fields {
        let inner = match (field.name.as_str(), field.bits) {
            ("", _) => bits(unit, &field.ty, path),
            (name, Some((width, bit))) if name == path => Some(Answer::Bits(u64::from(bit), u64::from(width))),
            (name, _) if name == first && !rest.is_empty() => bits(unit, &field.ty, rest),
            _ => None,
        };
        if let Some(Answer::Bits(bit, width)) = inner {
            return Some(Answer::Bits(field.offset * 8 + bit, width));
        }
    }
    None
}

/// Whether the compiler makes code for the data model.
fn has_model(dir: &Path, model: DataModel) -> bool {
    let mut text = Text::new();
    text.line(0, "int x;");
    let works = std::panic::catch_unwind(|| compiled(dir, model, &text).is_ok()).unwrap_or(false);
    assert!(works || std::env::var("CI").is_err(), "the compiler has no {model:?}");
    works
}

fn compare(name: &str, model: DataModel) {
    let dir = scratch(name);
    if !has_model(&dir, model) {
        println!("skipped: the compiler makes no code for {model:?}");
        return;
    }
    let total = cases(2_500);
    let (mut asked, mut unsupported, mut rejected) = (0_u64, 0_u64, 0_u64);
    let mut refused = 0_u64;
    let mut wrong = Vec::new();
    for first in (0..total).step_by(BATCH as usize) {
        let mut cases: Cases = (first..total.min(first + BATCH)).map(|n| (n, case(seed(), n))).collect();
        let before = cases.len();
        let theirs = gcc_answers(&dir, model, &mut cases);
        rejected += (before - cases.len()) as u64;
        for (number, case) in &cases {
            let declarations = case.declarations.join("\n");
            let ours = match our_answers(&dir, model, *number, case) {
                Ok(answers) => answers,
                Err(diagnostic) => {
                    refused += 1;
                    if diagnostic.code != Code::Unsupported {
                        wrong.push(format!("case {number}: {}\n{declarations}", diagnostic.message));
                    }
                    continue;
                }
            };
            for (name, answer) in &ours {
                asked += 1;
                match answer {
                    Answer::Unsupported => unsupported += 1,
                    answer if *answer == theirs[name] => {}
                    answer => {
                        let index: usize = name.rsplit('_').next().and_then(|n| n.parse().ok()).expect("an index");
                        let what = match name.starts_with('q') {
                            true => case.questions[index].clone(),
                            false => format!("{:?}", case.bit_fields[index]),
                        };
                        let theirs = &theirs[name];
                        wrong.push(format!("case {number}: {what}: {answer:?}, not {theirs:?}\n{declarations}"));
                        break;
                    }
                }
            }
        }
    }
    println!("{model:?}: {total} cases, of which the compiler rejects {rejected} and we refuse {refused}");
    println!("{asked} questions, of which {unsupported} have no answer");
    // What is refused is not compared: it must stay the exception.
    assert!(rejected * 5 < total && refused * 50 < total && unsupported * 5 < asked);
    wrong.sort_by_key(String::len);
    let shown = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "seed {}: {} answers differ\n{shown}", seed(), wrong.len());
}

#[test]
fn types_are_the_compilers_for_lp64() {
    compare("types-lp64", DataModel::Lp64);
}

#[test]
fn types_are_the_compilers_for_ilp32() {
    compare("types-ilp32", DataModel::Ilp32);
}
