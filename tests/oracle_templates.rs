//! Any number of threads against brute force: random functions that are created without bound, held against all schedules of
//! 1 to 4 instances of each. `THREADER_SEED` and `THREADER_CASES` choose other programs, and more of them.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::brute::{self, Granularity};
use support::gen_threads;
use support::native::scratch;
use support::rng::{cases, seed};
use support::thread_ast::{Binary, Expr, Function, Global, Stmt, Target, Threads};

/// More states than this, and so many instances are left out.
const BRUTE_STATES: usize = 4_000;
/// Instances of all templates together, at most.
const INSTANCES: usize = 4;
/// Seconds for a program: far more than most need.
const TIMEOUT: &str = "10";

/// How instances come to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Birth {
    /// Main creates them in a loop, and goes on after it.
    Loop,
    /// The same, and main waits for some of them before it creates the next.
    JoinedLoop,
    /// The same, and main waits for each: there is one at a time.
    Served,
    /// Main creates one, and each may create the next.
    Chain,
}

/// What instances are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    Nothing,
    /// A choice that main makes for each of them.
    Argument,
}

/// A program with templates: the functions with these numbers.
struct Case {
    program: Threads,
    templates: usize,
    birth: Birth,
    given: Given,
    /// What main does before it creates threads, and after.
    prelude: Vec<Stmt>,
    rest: Vec<Stmt>,
}

impl Case {
    fn new(number: u64) -> Case {
        let mut program = gen_threads::program(seed(), number);
        let birth = match number % 7 {
            0 | 1 => Birth::Chain,
            2 => Birth::JoinedLoop,
            3 => Birth::Served,
            _ => Birth::Loop,
        };
        let two = !matches!(birth, Birth::Chain | Birth::Served) && number.is_multiple_of(3);
        let templates = program.functions.len().min(1 + usize::from(two));
        let given = if birth != Birth::Chain && number % 4 == 1 { Given::Argument } else { Given::Nothing };
        if given == Given::Argument {
            program.functions.iter_mut().take(templates).for_each(depend_on_argument);
        }
        if number.is_multiple_of(5) {
            count_users(&mut program, templates);
        }
        let is_birth = |stmt: &Stmt| matches!(stmt, Stmt::Create(_) | Stmt::Join(_));
        let body = &program.main.body;
        let prelude = body.iter().take_while(|stmt| !is_birth(stmt)).cloned().collect();
        let rest = body.iter().skip_while(|stmt| !is_birth(stmt)).filter(|stmt| !is_birth(stmt)).cloned().collect();
        Case { program, templates, birth, given, prelude, rest }
    }

    /// The program with so many instances of each template.
    fn with(&self, instances: usize) -> Threads {
        let threads: Vec<usize> = (0..instances * self.templates).map(|n| n % self.templates).collect();
        let birth = |n: usize| match self.birth {
            Birth::Loop => vec![Stmt::Create(n)],
            Birth::JoinedLoop => vec![Stmt::Create(n), Stmt::If(Expr::Nondet, vec![Stmt::Join(n)], vec![])],
            Birth::Served => vec![Stmt::If(Expr::Nondet, vec![Stmt::Create(n), Stmt::Join(n)], vec![])],
            Birth::Chain if n == 0 => vec![Stmt::Create(0)],
            Birth::Chain => vec![],
        };
        let births = (0..threads.len()).flat_map(birth);
        let body = self.prelude.iter().cloned().chain(births).chain(self.rest.iter().cloned()).collect();
        let main = Function { body, ..self.program.main.clone() };
        let program = Threads { threads, main, ..self.program.clone() };
        if self.birth == Birth::Chain { chained(program) } else { program }
    }

    /// The C text with any number of them. Choices are limited to the 0, 1 and 2 that the explorer tries.
    fn text(&self) -> String {
        let helper = "static int choice(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= v && v <= 2); return v; }";
        let declared = "extern void __VERIFIER_assume(int);";
        let births = (0..self.templates).map(Stmt::Create);
        let body = self.prelude.iter().cloned().chain(births).chain(self.rest.iter().cloned()).collect();
        let main = Function { body, ..self.program.main.clone() };
        let program = Threads { threads: (0..self.templates).collect(), main, ..self.program.clone() };
        let text = program.c_text().replace("__VERIFIER_nondet_int()", "choice()");
        let mut text = text.replacen(declared, &format!("{declared}\n{helper}"), 1);
        if self.birth == Birth::Chain {
            let head = "void *t0(void *arg) {";
            let next = "pthread_t next;\n  if (choice()) pthread_create(&next, 0, t0, 0);";
            return text.replacen(head, &format!("{head}\n  {next}"), 1);
        }
        for template in 0..self.templates {
            let create = format!("pthread_create(&h{template}, 0, t{template}, 0);");
            let join = match self.birth {
                Birth::JoinedLoop => format!(" if (choice()) pthread_join(h{template}, 0);"),
                Birth::Served => format!(" pthread_join(h{template}, 0);"),
                _ => String::new(),
            };
            let (before, function) = text.split_at(text.find(&format!("void *t{template}(")).unwrap_or(0));
            if self.given == Given::Argument {
                let argument = function.replacen(" = choice();", " = (int)(long)arg;", 1);
                text = format!("{before}{}", argument.replacen(&create, &create.replace(", 0);", ARGUMENT), 1));
            }
            let create = if self.given == Given::Argument { create.replace(", 0);", ARGUMENT) } else { create };
            let open = if template == 0 { "while (choice()) {\n" } else { "" };
            let close = if template + 1 == self.templates { "\n}" } else { "" };
            text = text.replacen(&create, &format!("{open}if (choice()) {{ {create}{join} }}{close}"), 1);
        }
        text
    }

    /// The first number of instances that can fail, and the most that were explored.
    fn brute(&self) -> (Option<usize>, usize) {
        for instances in 1..=INSTANCES / self.templates {
            match brute::explore(&self.with(instances), Granularity::Shared, BRUTE_STATES) {
                None => return (None, instances - 1),
                Some(outcome) if !outcome.failures.is_empty() => return (Some(instances), instances),
                Some(_) => {}
            }
        }
        (None, INSTANCES / self.templates)
    }
}

/// The end of a creation with an argument.
const ARGUMENT: &str = ", (void *)(long)choice());";

/// Has an instance do the first thing it does only if its argument says so, which is a choice like any other.
fn depend_on_argument(function: &mut Function) {
    let argument = Target::Local(function.locals.len());
    function.locals.push(0);
    let first = function.body.drain(..1.min(function.body.len())).collect();
    function.body.insert(0, Stmt::If(Expr::Read(argument), first, vec![]));
    function.body.insert(0, Stmt::Expr(Expr::Assign(argument, Box::new(Expr::Nondet))));
}

/// The program with each thread creating the next, at its start and if it likes to.
fn chained(program: Threads) -> Threads {
    let count = program.threads.len();
    let function = |n: usize| {
        let original = &program.functions[program.threads[n]];
        let next = (n + 1 < count).then(|| Stmt::If(Expr::Nondet, vec![Stmt::Create(n + 1)], vec![]));
        Function { body: next.into_iter().chain(original.body.iter().cloned()).collect(), ..original.clone() }
    };
    Threads { functions: (0..count).map(function).collect(), threads: (0..count).collect(), ..program }
}

/// Has instances count themselves while they do what they do, and say that they are counted.
fn count_users(program: &mut Threads, templates: usize) {
    let users = Target::Global(program.globals.len());
    program.globals.push(Global { initial: 0, atomic: false });
    let add = |amount: i64| Stmt::Atomic(vec![Stmt::AddTo(users, Expr::Const(amount))]);
    let counted = Expr::Binary(Binary::Le, Box::new(Expr::Const(1)), Box::new(Expr::Read(users)));
    for (n, function) in program.functions.iter_mut().enumerate().take(templates) {
        function.body.insert(0, add(1));
        function.body.extend([Stmt::Assert(1_000 + n, counted.clone()), add(-1)]);
    }
}

#[derive(Default)]
struct Tally {
    decided: usize,
    proofs: usize,
    undecided: Vec<u64>,
    wrong: Vec<String>,
}

#[test]
fn any_number_of_threads_includes_a_few() {
    let dir = scratch("oracle-templates");
    let wanted = cases(60) as usize;
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // Programs whose explored instances are fewer than two say nothing about several threads.
    let telling = |n: &u64| Case::new(*n).brute().1 >= 2 || Case::new(*n).brute().0.is_some();
    let numbers: Vec<u64> = (0..).filter(telling).take(wanted).collect();
    let share = |worker: usize| -> Tally {
        let mut tally = Tally::default();
        numbers.iter().skip(worker).step_by(workers).for_each(|n| compare(&dir, *n, &mut tally));
        tally
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> = (0..workers).map(|w| scope.spawn(move || share(w))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker")).collect()
    });
    let wrong: Vec<&String> = tallies.iter().flat_map(|t| &t.wrong).collect();
    assert!(wrong.is_empty(), "seed {}: {} wrong answers\n{}", seed(), wrong.len(), wrong[0]);
    let decided: usize = tallies.iter().map(|t| t.decided).sum();
    let proofs: usize = tallies.iter().map(|t| t.proofs).sum();
    let undecided: Vec<&u64> = tallies.iter().flat_map(|t| &t.undecided).collect();
    assert!(decided * 10 >= wanted * 9, "seed {}: {decided} of {wanted} decided, not {undecided:?}", seed());
    assert!(proofs * 10 >= wanted, "only {proofs} proofs: the programs test little");
}

fn compare(dir: &Path, number: u64, tally: &mut Tally) {
    let case = Case::new(number);
    let text = case.text();
    let file: PathBuf = dir.join(format!("case{number}.c"));
    std::fs::write(&file, &text).expect("it can be written");
    let rule = if number.is_multiple_of(2) { "owicki-gries" } else { "rely-guarantee" };
    let output = Command::new(env!("CARGO_BIN_EXE_threader"))
        .args(["prove", "--rule", rule, "--timeout", TIMEOUT, "-j", "1"])
        .arg(&file)
        .output()
        .expect("it runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let (fails, explored) = case.brute();
    let mut wrong = |what: &str| tally.wrong.push(format!("case {number}, {rule}: {what}\n{text}\n{stdout}{stderr}"));
    match stdout.lines().last().unwrap_or_default() {
        "Result: true" => {
            if let Some(instances) = fails {
                wrong(&format!("a proof, but {instances} instances fail"));
            }
            if !["any number of t0", "as many t0 as are created"].iter().any(|number| stderr.contains(number)) {
                wrong("not a proof for all of them");
            }
            (tally.decided, tally.proofs) = (tally.decided + 1, tally.proofs + 1);
        }
        "Result: false(unreach-call)" => {
            let found: Option<usize> =
                stderr.split("an error with ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            match (found, fails) {
                (None, _) => wrong("no number of instances"),
                (Some(found), Some(first)) if found < first => {
                    wrong(&format!("{first} instances are the first to fail"))
                }
                (Some(found), None) if found <= explored => wrong("no schedule fails"),
                _ => {}
            }
            tally.decided += 1;
        }
        last if last.starts_with("Result: unknown(unsupported") => wrong("refused"),
        last if last.starts_with("Result: unknown(") => tally.undecided.push(number),
        _ => wrong("no result"),
    }
}
