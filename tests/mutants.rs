//! Corrupted evidence: certificates with cvc5 as the judge, traces and violation witnesses by replay. What is no proof is rejected,
//! for the right reason; what is still one is accepted, whatever its hash says; nothing panics.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use check::{
    CertificateText, Condition, Origin, StepError, Trace, TraceError, Validity, check_certificate, check_trace,
    obligations, smtlib_script, write_certificate,
};
use frontend::Options;
use program::{Program, Value};
use support::cvc5::answers;
use support::lowered::lower;
use support::native::scratch;
use support::rng::{Rng, seed};

fn program_file(name: &str) -> String {
    format!("{}/tests/programs/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

fn program(name: &str) -> Program {
    lower(Path::new(&program_file(name)), &Options::default()).unwrap().program
}

/// Certificates that are small, so that hundreds of mutants take seconds.
const PROOFS: &[(&str, rules::Rule)] = &[
    ("table1/spin2003", rules::Rule::Monolithic),
    ("table1/spin2003", rules::Rule::OwickiGries),
    ("table1/spin2003", rules::Rule::RelyGuarantee),
    ("basics/message-passing", rules::Rule::OwickiGries),
    ("basics/message-passing", rules::Rule::RelyGuarantee),
    ("basics/compare-and-swap", rules::Rule::RelyGuarantee),
    ("basics/trylock", rules::Rule::Monolithic),
];
const MUTANTS_OF_EACH: usize = 30;

#[test]
fn corrupted_certificates_are_rejected_iff_cvc5_finds_them_invalid() {
    let mut random = Rng::for_case(seed(), 0);
    let mut fates = Fates::default();
    for (name, rule) in PROOFS {
        let program = program(name);
        let rules::Verdict::Safe(certificate) = rules::prove(&program, &rules::Options::new(*rule)).verdict else {
            panic!("{name} is not proved by {rule}");
        };
        let text = write_certificate(&program, &certificate, &nobody());
        let mutants: Vec<String> = (0..MUTANTS_OF_EACH).map(|_| corrupt(&text, &mut random)).collect();
        fates.judge(&format!("mutants-{name}-{rule}"), &program, mutants);
    }
    let Fates { unreadable, rejected, accepted } = fates;
    assert!(unreadable + rejected + accepted >= 200, "{unreadable} + {rejected} + {accepted}");
    assert!(rejected >= 60 && accepted >= 15, "{unreadable} unreadable, {rejected} rejected, {accepted} accepted");
}

/// Proofs about any number of threads: the level, and whether they need counters.
const PARAMETRIC: &[(&str, rules::Rule, usize, bool)] = &[
    ("counter", rules::Rule::OwickiGries, 1, false),
    ("counter", rules::Rule::RelyGuarantee, 1, false),
    ("reference_count", rules::Rule::OwickiGries, 1, true),
    ("held_flag", rules::Rule::OwickiGries, 1, true),
    ("test_and_set", rules::Rule::OwickiGries, 2, false),
];

#[test]
fn corrupted_proofs_about_any_number_of_threads_are_rejected_iff_cvc5_finds_them_invalid() {
    let mut random = Rng::for_case(seed(), 1);
    let mut fates = Fates::default();
    for (name, rule, level, counted) in PARAMETRIC {
        let options = Options { population: frontend::Population::Templates, ..Options::default() };
        let program = lower(Path::new(&parametric_file(name)), &options).unwrap().program;
        let mut populated = program.with_copies(level + 1);
        if *counted {
            populated = rules::counting(&populated).unwrap();
        }
        let proved = rules::Prover::new(&populated, *rule).decide(&rules::Options::new(*rule));
        let rules::Verdict::Safe(certificate) = proved.verdict else {
            panic!("{name} is not proved by {rule}");
        };
        let text = write_certificate(&populated, &certificate, &nobody());
        let mut mutants: Vec<String> = (0..MUTANTS_OF_EACH / 2).map(|_| corrupt(&text, &mut random)).collect();
        let function = &program.templates()[0].name;
        let (here, up, down) =
            (format!("(level {level} {function})"), format!("(level {} {function})", level + 1), "(level 1 ");
        mutants.extend([
            // Another level, one more counter, and the copies swapped.
            text.replacen(&here, &up, 1),
            text.replacen(&format!("(level {level} "), down, 1),
            text.replacen(&here, &format!("{here}\n  (counter {function} (1))"), 1),
            text.replace("#1", "#9").replace("#2", "#1").replace("#9", "#2"),
            text.replacen("(and (", "(and true (", 1),
        ]);
        mutants.extend(without_a_conjunct(&text));
        fates.judge(&format!("mutants-parametric-{name}-{rule}"), &program, mutants);
    }
    let Fates { unreadable, rejected, accepted } = fates;
    assert!(rejected >= 20 && accepted >= 5, "{unreadable} unreadable, {rejected} rejected, {accepted} accepted");
}

/// The text without the first literal of a conjunction, for some conjunctions.
fn without_a_conjunct(text: &str) -> Vec<String> {
    let cut = |(at, _): (usize, &str)| {
        let start = at + "(and ".len();
        let mut depth = 0;
        let end = text[start..].char_indices().find_map(|(offset, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (depth == 0 && c == ')').then_some(start + offset + 1)
        });
        end.map(|end| format!("{}{}", &text[..start], &text[end..]))
    };
    text.match_indices("(and ").step_by(3).take(6).filter_map(cut).collect()
}

fn parametric_file(name: &str) -> String {
    format!("{}/tests/parametric/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

fn nobody() -> Origin {
    Origin { producer: "a test".into(), files: vec![("f.c".into(), "00".into())], ..Origin::default() }
}

/// What became of mutants.
#[derive(Default)]
struct Fates {
    unreadable: usize,
    rejected: usize,
    accepted: usize,
}

impl Fates {
    /// Holds the checker's answers against cvc5's.
    fn judge(&mut self, name: &str, program: &Program, mutants: Vec<String>) {
        let mut ours = Vec::new();
        let mut sets = Vec::new();
        for mutant in mutants {
            let read = CertificateText::parse(&mutant).and_then(|text| {
                let program = text.program(program)?;
                Ok((text.certificate(&program)?, program))
            });
            let Ok((read, program)) = read else {
                self.unreadable += 1;
                continue;
            };
            let verdict = check_certificate(&program, read.clone(), &mut rules::SolverEntailment::default());
            match obligations(&program, &read) {
                Ok(all) => {
                    sets.push(all.iter().map(|obligation| smtlib_script(&program, obligation)).collect());
                    ours.push((mutant, all, verdict));
                }
                // Not even of the form of a proof.
                Err(rejection) => {
                    self.rejected += 1;
                    assert_eq!(verdict, Err(rejection), "{name}");
                }
            }
        }
        let theirs = answers(name, &sets).unwrap();
        for ((mutant, all, verdict), answers) in ours.into_iter().zip(theirs) {
            let invalid = answers.iter().position(|answer| answer != "unsat").map(|index| &all[index].condition);
            match (&verdict, invalid) {
                (Ok(_), None) => self.accepted += 1,
                (Err(rejection), Some(condition)) => {
                    self.rejected += 1;
                    assert_eq!((&rejection.condition, rejection.validity), (condition, Validity::Invalid), "{mutant}");
                    assert!(!matches!(rejection.condition, Condition::Form(_)));
                }
                _ => panic!("{name}: cvc5 says {invalid:?}, the checker {verdict:?}\n{mutant}"),
            }
        }
    }
}

/// What a certificate says of levels and counters is read with the same care.
#[test]
fn heads_of_proofs_about_any_number_of_threads_are_read_with_care() {
    let dir = scratch("mutants-heads");
    let (file, good, bad) = (parametric_file("reference_count"), dir.join("good"), dir.join("bad"));
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let shown = |path: &Path| path.display().to_string();
    let (code, ..) = run(&["prove", &file, "--rule", "owicki-gries", "--certificate", &shown(&good)]);
    assert_eq!(code, Some(0));
    let text = std::fs::read_to_string(&good).unwrap();
    let (level, counter) = ("(level 1 user)", "(counter user (3 4 5))");
    assert!(text.contains(level) && text.contains(counter), "{text}");
    let both = format!("{counter} {counter}");
    let forms = "the assertions are not one for each single thread and each choice of instances";
    let some = "threads are created without bound in it, and the proof is about some";
    for (from, to, code, message) in [
        (level, "(level 0 user)", 2, "there is no level 0"),
        (level, "(level 99 user)", 2, "there is no level 99"),
        (level, "(level 2 user)", 5, forms),
        (level, "(level 1 nobody)", 2, "it does not create any number of nobody"),
        (level, "(level 1)", 2, some),
        (level, "", 2, some),
        (counter, "(counter user (0 4))", 2, "a counter of instances that have not started"),
        (counter, "(counter user (3 500))", 2, "a counter of locations that do not exist"),
        (counter, "(counter user (3 99999999999))", 2, "these are no locations"),
        (counter, "(counter nobody (3))", 2, "there is no template nobody"),
        (counter, &both, 2, "two counters are named"),
        (counter, "", 2, "cannot be read back as a term: count(user at 3 4 5)"),
    ] {
        std::fs::write(&bad, text.replacen(from, to, 1)).unwrap();
        let (found, _, stderr) = run(&["check", &file, &shown(&bad)]);
        assert_eq!(found, Some(code), "{to}: {stderr}");
        assert!(stderr.contains(message), "{to}: {stderr}");
    }
}

/// One change of the text.
fn corrupt(text: &str, random: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let formulas: Vec<usize> = (0..lines.len()).filter(|k| lines[*k].trim_start().starts_with("(at (")).collect();
    let mut pick = |count: usize| random.below(count);
    let at = formulas[pick(formulas.len())];
    let line = lines[at].clone();
    let closing = |line: &str| {
        let extra = line.matches(')').count() - line.matches('(').count();
        ")".repeat(extra)
    };
    // `    (at (3) formula)` and the brackets that close more than it.
    let start = line.find(") ").map_or(0, |k| k + 2);
    let formula_end = line.len() - closing(&line).len() - 1;
    let with = |formula: &str| format!("{}{formula}){}", &line[..start], closing(&line));
    let formula = line[start..formula_end].to_string();
    match pick(12) {
        0 => lines[at] = with("true"),
        1 => lines[at] = with("false"),
        2 => lines[at] = with(&format!("(not {formula})")),
        3 => lines[at] = line.replacen("<=", ">=", 1),
        4 => lines[at] = line.replacen("(= ", "(distinct ", 1),
        5 => lines[at] = line.replacen("(and ", "(or ", 1),
        6 => {
            let digit = |c: char| c.is_ascii_digit();
            let other = formula.replacen(digit, "7", 1);
            lines[at] = with(&other);
        }
        7 => lines[at] = closing(&line),
        8 => return text.replacen(" 00)", " 11)", 1),
        9 => return text[..pick(text.len())].to_string(),
        10 => {
            // The same formula, said twice: still the same proof.
            lines[at] = with(&format!("(and {formula} {formula})"));
        }
        _ => {
            let number = pick(9);
            lines[at] = line.replacen("(at (", &format!("(at ({number}"), 1);
        }
    }
    lines.join("\n")
}

/// A trace of a program.
fn trace_of(name: &str) -> (Program, Trace) {
    let program = program(name);
    match rules::prove(&program, &rules::Options::new(rules::Rule::Monolithic)).verdict {
        rules::Verdict::Unsafe(found) => (program, Trace::clone(&found)),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn corrupted_traces_are_rejected_where_they_are_wrong() {
    let mut seen = 0;
    for name in ["table1/peterson-unsafe", "basics/lost-update", "basics/nondet-bounded-unsafe", "once/dekker-unsafe"] {
        let (program, trace) = trace_of(name);
        assert!(check_trace(&program, &trace).is_ok());
        for index in 0..trace.steps.len() {
            let mut cut = trace.clone();
            cut.steps.truncate(index);
            assert_eq!(check_trace(&program, &cut), Err(TraceError::NoError), "{name}, cut at {index}");
            let mut unknown = trace.clone();
            unknown.steps[index].transition = 9_999;
            assert_eq!(check_trace(&program, &unknown), Err(TraceError::Step(index, StepError::Unknown)), "{name}");
            let mut displaced = trace.clone();
            let step = &mut displaced.steps[index];
            let thread = program.thread(step.thread);
            let source = thread.transitions[step.transition].source;
            if let Some(other) = thread.transitions.iter().position(|t| t.source != source) {
                step.transition = other;
                let error = check_trace(&program, &displaced).expect_err("displaced");
                assert!(matches!(error, TraceError::Step(at, StepError::Location { .. }) if at == index), "{error:?}");
                seen += 1;
            }
            let mut twice = trace.clone();
            twice.steps.push(trace.steps[index].clone());
            assert!(check_trace(&program, &twice).is_err() || index + 1 < trace.steps.len(), "{name}");
            seen += 3;
            for input in
                program.thread(trace.steps[index].thread).transitions[trace.steps[index].transition].inputs.clone()
            {
                let mut chosen = trace.clone();
                chosen.steps[index].inputs = BTreeMap::from([(input, Value::Int(i128::MAX))]);
                assert_eq!(
                    check_trace(&program, &chosen),
                    Err(TraceError::Step(index, StepError::Input(input))),
                    "{name}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 60, "{seen}");
}

#[test]
fn corrupted_witnesses_are_replayed_or_rejected() {
    let dir = scratch("mutants-witness");
    let mut seen = 0;
    for name in ["table1/peterson-unsafe", "basics/lost-update", "basics/nondet-bounded-unsafe"] {
        let (file, witness) = (program_file(name), dir.join("w.yml").display().to_string());
        let threader =
            |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
        threader(&["prove", &file, "--rule", "monolithic", "--witness", &witness]);
        let text = std::fs::read_to_string(&witness).unwrap();
        let mut check = |mutant: &str| {
            seen += 1;
            std::fs::write(&witness, mutant).unwrap();
            let output = threader(&["check", &file, &witness]);
            (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
        };
        let hash = text.split('"').find(|part| part.len() == 64).unwrap().to_string();
        for valid in
            [text.clone(), text.replace(&hash, &"0".repeat(64)), text.replace("function: \"main\"", "function: \"f\"")]
        {
            assert_eq!(check(&valid).0, 10, "{name}");
        }
        // The target is what the witness is about: without it, or elsewhere, it is none.
        let (head, target) = text.rsplit_once("  - segment:").unwrap();
        assert_eq!(check(head).0, 2, "{name}: no target");
        let moved = target.replacen("line: ", "line: 9", 1);
        let (code, said) = check(&format!("{head}  - segment:{moved}"));
        assert_eq!(code, 5, "{name}: {said}");
        let other = target.replacen("thread_id: ", "thread_id: 7", 1);
        assert_eq!(check(&format!("{head}  - segment:{other}")).0, 5, "{name}: a thread that is none");
        for cut in 0..12 {
            let (code, said) = check(&text[..text.len() * cut / 12]);
            assert!(code == 2 && said.lines().count() == 1, "{name}: {code} {said}");
        }
        // Each segment left out: whatever comes of it, a verdict or a reason, and never a crash.
        let segments: Vec<&str> = text.split("  - segment:").collect();
        for left_out in 1..segments.len() {
            let kept: Vec<&str> =
                segments.iter().enumerate().filter(|(k, _)| *k != left_out).map(|(_, s)| *s).collect();
            let (code, said) = check(&kept.join("  - segment:"));
            let creates = segments[left_out].contains("function_enter");
            let last = left_out + 1 == segments.len();
            match (creates, last) {
                (true, _) => assert_eq!(code, 5, "{name}: a thread that nobody creates: {said}"),
                (_, true) => assert_eq!(code, 2, "{name}: {said}"),
                _ => assert!([5, 10].contains(&code), "{name}: {code} {said}"),
            }
        }
    }
    assert!(seen >= 60, "{seen}");
}

/// Correctness witnesses: with each invariant replaced by something that holds, by something that does not, and by something that
/// is no invariant. What does not hold is shown to fail by a run that has been replayed.
#[test]
fn corrupted_correctness_witnesses_are_proved_or_rejected() {
    let dir = scratch("mutants-correctness");
    let mut seen = 0;
    for file in [program_file("table1/spin2003"), program_file("basics/message-passing"), parametric_file("counter")] {
        let witness = dir.join("w.yml").display().to_string();
        let threader =
            |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_threader")).args(arguments).output().unwrap();
        threader(&["prove", &file, "--rule", "owicki-gries", "--witness", &witness]);
        let text = std::fs::read_to_string(&witness).unwrap();
        let mut check = |mutant: &str| {
            seen += 1;
            std::fs::write(&witness, mutant).unwrap();
            let output = threader(&["prove", &file, "--rule", "owicki-gries", "--validate-witness", &witness]);
            let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (output.status.code().unwrap_or(-1), said(output.stdout) + &said(output.stderr))
        };
        let heads: Vec<usize> = text.match_indices("  - invariant:").map(|(at, _)| at).collect();
        assert!(heads.len() >= 3, "{file}: {text}");
        for head in heads.into_iter().take(3) {
            let start = head + text[head..].find("value: \"").unwrap() + "value: \"".len();
            let end = start + text[start..].find('"').unwrap();
            let with = |value: &str| format!("{}{value}{}", &text[..start], &text[end..]);
            let value = &text[start..end];
            for holds in ["1".to_string(), format!("({value}) && ({value})"), format!("{value} || 0")] {
                let (code, said) = check(&with(&holds));
                assert_eq!(code, 0, "{file}: {holds}: {said}");
            }
            for fails in ["0".to_string(), format!("!({value})")] {
                let (code, said) = check(&with(&fails));
                assert_eq!(code, 5, "{file}: {fails}: {said}");
                assert!(said.contains("Result: unknown(witness rejected") && said.contains("ERROR"), "{said}");
            }
            // Nothing that acts, that can be undefined, or that is no expression comes into the program.
            for bad in
                ["nobody == 0", "x = 1", "x++ || 1", "exit(0)", "1 / 0 == 1 || 1", "(", "1) || (1", "1; return 0", ""]
            {
                let (code, said) = check(&with(bad));
                assert_eq!(code, 2, "{file}: {bad}: {said}");
            }
            let (code, said) = check(&text.replacen("line: ", "line: 9", 99));
            assert_eq!(code, 2, "{file}: {said}");
        }
        for cut in 1..8 {
            let (code, said) = check(&text[..text.len() * cut / 8]);
            assert!([0, 2].contains(&code), "{file}: {code} {said}");
        }
    }
    assert!(seen >= 140, "{seen}");
}

/// A witness that would make a safe program of an unsafe one.
#[test]
fn a_witness_cannot_change_the_program() {
    let dir = scratch("mutants-hostile");
    let (file, witness) = (dir.join("f.c"), dir.join("w.yml"));
    let program = "#include <assert.h>\nint x;\nint main(void) {\n  x = 1;\n  assert(x == 0);\n  return 0;\n}\n";
    std::fs::write(&file, program).unwrap();
    let place = "location: { file_name: f.c, line: 5, column: 3, function: main }";
    let metadata = "metadata: { format_version: '2.1' }";
    let invariant = |value: &str| {
        format!(
            "- entry_type: invariant_set\n  {metadata}\n  content:\n  - invariant: {{ type: location_invariant, {place}, value: \"{value}\", format: c_expression }}\n"
        )
    };
    let ghost = |name: &str, ty: &str, initial: &str, variable: &str, value: &str| {
        format!(
            "- entry_type: ghost_instrumentation\n  {metadata}\n  content:\n    ghost_variables:\n    - {{ name: {name}, type: \"{ty}\", scope: global, initial: {{ value: \"{initial}\", format: c_expression }} }}\n    ghost_updates:\n    - location: {{ file_name: f.c, line: 4, column: 3, function: main }}\n      updates:\n      - {{ variable: {variable}, value: \"{value}\", format: c_expression }}\n"
        )
    };
    let run = |text: &str| {
        std::fs::write(&witness, text).unwrap();
        let (file, witness) = (file.display().to_string(), witness.display().to_string());
        let output = Command::new(env!("CARGO_BIN_EXE_threader"))
            .args(["prove", &file, "--rule", "monolithic", "--validate-witness", &witness])
            .output()
            .unwrap();
        (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
    };
    // What is said of the program is true, and the program still fails.
    for harmless in [invariant("x == 1"), ghost("g", "int", "0", "g", "1") + &invariant("g == 1")] {
        let (code, said) = run(&harmless);
        assert_eq!(code, 5, "{harmless}: {said}");
    }
    for hostile in [
        invariant("(x = 0) == 0"),
        invariant("1 / 0 == 1 || 1"),
        invariant("2147483647 + x > 0 || 1"),
        invariant("1) || 1) {} return 0; if (!(1"),
        invariant("({ x = 0; 1; })"),
        ghost("x", "int", "0", "x", "0"),
        ghost("g", "int", "0", "x", "0"),
        ghost("g", "int", "0", "g", "x = 0"),
        ghost("g", "int", "1 / 0", "g", "1"),
        ghost("g", "int f(void); int", "0", "g", "1"),
        ghost("\"g, h\"", "int", "0", "g", "1"),
    ] {
        let (code, said) = run(&hostile);
        assert_eq!(code, 2, "{hostile}: {said}");
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
    }
}
