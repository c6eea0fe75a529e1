//! The programs under tests/programs, one named test a file: `cargo test --test corpus dekker` runs some of them.
//!
//! Each file begins with its directives:
//!
//!     // property: what is asked for, if it is not that assertions hold
//!     // verdict: true|false|unknown
//!     // rules: all, none, or some of monolithic, owicki-gries, rely-guarantee: those that give the verdict in a few seconds
//!     // solver: houdini, if guesses alone give the verdict
//!     // why: soundness|precision|limitation
//!
//! and the comment goes on after an empty line. A test lowers its program; where the states are few, holds the verdict against
//! an exhaustive search (corpus and lowering check one another); and runs the prover under the rules named. Proofs are written,
//! read back, and checked by cvc5 as well. The other rules, all of them side by side, and Spacer on the rules' clauses run
//! within small limits: they may not know, but must not contradict the verdict.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use check::{Certificate, CertificateText, Origin, Trace, blank, check_certificate, write_certificate};
use frontend::{Options, PropertySource};
use libtest_mimic::{Arguments, Failed, Trial};
use program::{Init, IntType, LocationKind, Owner, Program, Sort, Value, Var, VarId};
use support::cvc5::second_opinion;
use support::explore::{Coverage, Domains, dead_locals, find_error};
use support::heads::corpus;
use support::lowered::lower;

/// Fewer files than this mean that some were lost, or are looked for in the wrong place.
const LEAST_FILES: usize = 529;
/// The search must settle at least so many of them: else it tests nothing.
const LEAST_SETTLED: usize = 140;
/// States after which a search gives up.
const STATES: usize = 30_000;

/// What a run of the prover may take: far more than the programs need that name the rule.
const PROVER_STATES: usize = 100_000;
const PROVER_REFINEMENTS: usize = 300;

/// Z3's resource units for Spacer: enough for small programs.
const SPACER_LIMIT: u32 = 100_000;

static SETTLED: AtomicUsize = AtomicUsize::new(0);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let files = corpus();
    let count = files.len();
    let mut trials: Vec<Trial> = files.into_iter().map(|file| trial(&root, file)).collect();
    trials.push(Trial::test("no_file_is_lost", move || require(count, LEAST_FILES, "files under tests/programs")));
    trials.extend(directive_trials());
    let everything = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    // Only after all of them can it be said how many were settled.
    if everything && !conclusion.has_failed() {
        let settled = SETTLED.load(Ordering::Relaxed);
        assert!(settled >= LEAST_SETTLED, "only {settled} of {count} verdicts were settled, {LEAST_SETTLED} before");
    }
    conclusion.exit_code()
}

fn require(found: usize, least: usize, what: &str) -> Result<(), Failed> {
    if found >= least { Ok(()) } else { Err(format!("only {found} {what}, and there were {least}").into()) }
}

fn trial(root: &Path, file: PathBuf) -> Trial {
    let name = file.strip_prefix(root).unwrap_or(&file).with_extension("");
    Trial::test(name.display().to_string(), move || Ok(check_file(&file)?))
}

fn check_file(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let directives = directives(&text)?;
    let property = match &directives.property {
        Some(names) => PropertySource::Names(names.clone()),
        None => PropertySource::Default,
    };
    let loaded = lower(file, &Options { property, ..Options::default() })?;
    if loaded.undecided.is_some() {
        // What is not claimed is not proved, but its violation may be claimed.
        let expected = directives.verdict != Verdict::True;
        return if expected { Ok(()) } else { Err("something that is asked for is not claimed".into()) };
    }
    let program = loaded.program;
    well_formed(&program)?;
    search(&program, directives.verdict)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let name = file.strip_prefix(root).unwrap_or(file).with_extension("").display().to_string();
    let verify = |rule: &rules::Rule| verify(&format!("{name}-{rule}"), &program, *rule, directives.verdict);
    directives.rules.iter().try_for_each(verify)?;
    if directives.is_guessed {
        let guesses = rules::Options { solver: rules::SolverKind::Houdini, ..rules::Options::default() };
        verify_with(&format!("{name}-houdini"), &program, &guesses, directives.verdict)?;
    }
    agree(&program, &directives)
}

/// Whatever else gives an answer gives the same one.
fn agree(program: &Program, directives: &Directives) -> Result<(), String> {
    let small = rules::Options { states: 400, refinements: 8, solver_queries: 300, ..rules::Options::default() };
    let mut runs = vec![("auto".to_string(), rules::Options { rule: None, workers: 2, ..small.clone() })];
    for rule in rules::Rule::ALL {
        let one = rules::Options { rule: Some(rule), ..small.clone() };
        if !directives.rules.contains(&rule) {
            runs.push((rule.to_string(), one.clone()));
        }
        let vocabulary = match rule {
            rules::Rule::RelyGuarantee => rules::Vocabulary::Modular,
            _ => rules::Vocabulary::Full,
        };
        let solver = rules::SolverKind::Spacer(vocabulary);
        runs.push((format!("spacer, {rule}"), rules::Options { solver, spacer_limit: SPACER_LIMIT, ..one }));
    }
    for (name, options) in runs {
        match (rules::prove(program, &options).verdict, directives.verdict) {
            (rules::Verdict::Safe(_), Verdict::False) => return Err(format!("{name}: a proof of an unsafe program")),
            (rules::Verdict::Unsafe(_), Verdict::True) => return Err(format!("{name}: an error of a safe program")),
            _ => {}
        }
    }
    Ok(())
}

/// Runs the prover, which checks its evidence, under a rule that is said to give the verdict. Limits are counts: they do not
/// depend on the machine.
fn verify(name: &str, program: &Program, rule: rules::Rule, verdict: Verdict) -> Result<(), String> {
    let options =
        rules::Options { states: PROVER_STATES, refinements: PROVER_REFINEMENTS, ..rules::Options::new(rule) };
    verify_with(name, program, &options, verdict)
}

fn verify_with(name: &str, program: &Program, options: &rules::Options, verdict: Verdict) -> Result<(), String> {
    let found = match rules::prove(program, options).verdict {
        rules::Verdict::Safe(certificate) => {
            survives(name, program, &certificate)?;
            Verdict::True
        }
        rules::Verdict::Unsafe(trace) if trace.doubtful().is_some() || ends_unmodelled(program, &trace) => {
            Verdict::Unknown
        }
        rules::Verdict::Unsafe(_) => Verdict::False,
        rules::Verdict::Unknown(reason) if verdict == Verdict::Unknown => {
            return if reason == rules::Reason::Cancelled { Err("cancelled".into()) } else { Ok(()) };
        }
        rules::Verdict::Unknown(reason) => return Err(format!("{name}: unknown ({reason})")),
    };
    if found == verdict { Ok(()) } else { Err(format!("{name}: {found:?} instead of {verdict:?}")) }
}

/// Whether a run ends where the program does what is not modelled: then it is no violation.
fn ends_unmodelled(program: &Program, trace: &Trace) -> bool {
    trace.steps.last().is_some_and(|last| {
        let thread = program.thread(last.thread);
        thread.location(thread.transitions[last.transition].target).kind == LocationKind::Unmodelled
    })
}

/// A proof is written, read back as it was, and is one for cvc5 as well.
fn survives(name: &str, program: &Program, certificate: &Certificate) -> Result<(), String> {
    let origin = Origin { producer: "a test".into(), files: vec![(name.into(), "00".into())], ..Origin::default() };
    let text = write_certificate(program, certificate, &origin);
    let read = CertificateText::parse(&text)?.certificate(program)?;
    if read != *certificate {
        // Not every term is read back in the form it had; then the proof is another one, and must be one.
        check_certificate(program, read.clone(), &mut rules::SolverEntailment::default())
            .map_err(|what| what.to_string())?;
    }
    second_opinion(name, program, &read)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    True,
    False,
    Unknown,
}

/// What the head of a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Directives {
    verdict: Verdict,
    /// The rules that give this verdict.
    rules: Vec<rules::Rule>,
    /// Whether guesses give it.
    is_guessed: bool,
    /// What is asked for, if it is not that assertions hold.
    property: Option<Vec<String>>,
}

fn directives(text: &str) -> Result<Directives, String> {
    let head = text.lines().map_while(|line| line.strip_prefix("// "));
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    for line in head {
        let (key, value) = line.split_once(": ").ok_or_else(|| format!("no directive: `{line}`"))?;
        if !["property", "verdict", "rules", "solver", "why"].contains(&key) {
            return Err(format!("unknown directive `{key}`"));
        }
        if found.insert(key, value).is_some() {
            return Err(format!("two directives `{key}`"));
        }
    }
    let get = |key: &str| found.get(key).copied().ok_or_else(|| format!("no directive `{key}`"));
    let unknown = |key: &str, value: &str| Err(format!("`{value}` is no value of `{key}`"));
    let verdict = match get("verdict")? {
        "true" => Verdict::True,
        "false" => Verdict::False,
        "unknown" => Verdict::Unknown,
        other => return unknown("verdict", other),
    };
    match get("why")? {
        "soundness" | "precision" | "limitation" => {}
        other => return unknown("why", other),
    }
    let property = found.get("property").map(|names| names.split(',').map(ToString::to_string).collect());
    let is_guessed = match found.get("solver") {
        None => false,
        Some(&"houdini") => true,
        Some(other) => return unknown("solver", other),
    };
    Ok(Directives { verdict, rules: named_rules(get("rules")?)?, is_guessed, property })
}

fn named_rules(value: &str) -> Result<Vec<rules::Rule>, String> {
    match value {
        "all" => return Ok(rules::Rule::ALL.to_vec()),
        "none" => return Ok(Vec::new()),
        _ => {}
    }
    let rule = |name: &str| rules::Rule::ALL.into_iter().find(|rule| rule.to_string() == name);
    value.split(", ").map(|name| rule(name).ok_or_else(|| format!("`{name}` is no value of `rules`"))).collect()
}

/// What the constructor of Programs does not ask for, but everybody may expect.
fn well_formed(program: &Program) -> Result<(), String> {
    for (_, thread) in program.threads() {
        let mut reached = vec![false; thread.locations.len()];
        let mut open = vec![thread.entry];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at.0 as usize], true) {
                open.extend(thread.from(at).map(|t| t.target));
            }
        }
        if let Some(lost) = reached.iter().position(|reached| !reached) {
            return Err(format!("thread {}: no way leads to L{lost}", thread.name));
        }
        if !thread.transitions.is_sorted_by_key(|t| t.source) {
            return Err(format!("thread {}: the transitions are not in order", thread.name));
        }
        for t in &thread.transitions {
            if thread.location(t.source).kind != LocationKind::Plain {
                return Err(format!("thread {}: a step from L{}, where it is over", thread.name, t.source.0));
            }
            if t.span.line == 0 || program.files().get(t.span.file as usize).is_none() {
                return Err(format!("thread {}: a step from L{} without a place", thread.name, t.source.0));
            }
        }
    }
    Ok(())
}

/// Some values of a type, all of them if it has few. `together` says how many variables take values at the same time.
fn samples(ty: IntType, together: usize) -> Vec<Value> {
    let some = [0, 1, 2, 3, -1, ty.least(), ty.greatest()];
    let few = if together <= 2 { &some[..] } else { &some[..2] };
    let values: BTreeSet<i128> = few.iter().copied().filter(|v| ty.contains(*v)).collect();
    values.into_iter().map(Value::Int).collect()
}

/// Searches all states and holds what it finds against the verdict.
///
/// An error is an error whatever the samples. That there is none is certain only where nothing was sampled.
fn search(program: &Program, verdict: Verdict) -> Result<(), String> {
    let free = free_starts(program);
    let inputs = program.threads().flat_map(|(_, thread)| &thread.transitions).map(|t| t.inputs.len()).max();
    let input = |_: VarId, var: &Var| samples(var.ty, inputs.unwrap_or(0));
    let start = |id: VarId, var: &Var| {
        let is_sampled = free.contains(&id) && var.sort == Sort::Int;
        if is_sampled { samples(var.ty, free.len()) } else { vec![blank(var.sort)] }
    };
    let (failure, coverage) = find_error(program, &Domains { input: &input, start: &start }, STATES)?;
    let mut sampled = program.vars().filter(|(id, var)| matches!(var.owner, Owner::Input(_)) || free.contains(id));
    let exact = coverage == Coverage::All && sampled.all(|(_, var)| var.sort == Sort::Int && var.ty.bits == 1);
    match (failure, verdict) {
        (Some(failure), Verdict::True) => {
            Err(format!("the verdict is true, but an error is reached at {}", program.place(failure.step)))
        }
        (None, Verdict::False) if exact => Err("the verdict is false, but no schedule reaches an error".into()),
        (Some(_), Verdict::False) => settled(),
        (None, Verdict::True) if exact => settled(),
        _ => Ok(()),
    }
}

fn settled() -> Result<(), String> {
    SETTLED.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// The variables that start with anything, and are read before they are written.
fn free_starts(program: &Program) -> Vec<VarId> {
    let dead: Vec<VarId> = program
        .threads()
        .flat_map(|(id, thread)| dead_locals(program, id, &[])[thread.entry.0 as usize].clone())
        .collect();
    let is_free = |id: &VarId| program.var(*id).init == Init::Arbitrary && !dead.contains(id);
    program.state_vars().map(|(id, _)| id).filter(is_free).collect()
}

/// The harness must see what is wrong with a head.
fn directive_trials() -> Vec<Trial> {
    let accepted = || {
        let text =
            "// verdict: false\n// rules: monolithic, owicki-gries\n// why: limitation\n//\n// note: none\nint x;\n";
        let rules = vec![rules::Rule::Monolithic, rules::Rule::OwickiGries];
        assert_eq!(
            directives(text),
            Ok(Directives { verdict: Verdict::False, rules, is_guessed: false, property: None })
        );
        let asked = format!("// property: valid-deref,valid-free\n{text}");
        let names = directives(&asked).expect("it is well-formed").property;
        assert_eq!(names, Some(vec!["valid-deref".into(), "valid-free".into()]));
        Ok(())
    };
    let rejected = || {
        for (text, message) in [
            ("// rules: all\n// why: precision\n", "no directive `verdict`"),
            ("// verdict: true\n// why: precision\n", "no directive `rules`"),
            ("// verdict: true\n// rules: all\nint x;\n", "no directive `why`"),
            ("\n// verdict: true\n// rules: all\n// why: precision\n", "no directive `verdict`"),
            ("// verdict: maybe\n// rules: all\n// why: precision\n", "`maybe` is no value of `verdict`"),
            ("// verdict: true\n// rules: some\n// why: precision\n", "`some` is no value of `rules`"),
            ("// verdict: true\n// rules: all\n// why: not\n", "`not` is no value of `why`"),
            ("// verdict: true\n// rules: all\n// why: precision\n// speed: 3\n", "unknown directive `speed`"),
            ("// verdict: true\n// verdict: true\n", "two directives `verdict`"),
            ("// verdict: true\n// and so on\n", "no directive: `and so on`"),
        ] {
            assert_eq!(directives(text), Err(message.to_string()), "{text}");
        }
        Ok(())
    };
    vec![Trial::test("directives_are_read", accepted), Trial::test("wrong_directives_are_rejected", rejected)]
}
