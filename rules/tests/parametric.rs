//! Proofs about any number of threads: which level they need, and that what has no proof gets none.

mod support;

use program::{Program, Template, ThreadId, VarId};
use rules::{Options, Prover, Reason, Rule, Verdict, counting};
use support::parse;

/// What it takes to prove a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Level(usize),
    Counters(usize),
    Nothing,
}

/// The program of a worker's text, in which `@` stands for the copy: `id@` is its identity.
fn workers(globals: &str, worker: &str) -> Program {
    let mut text = format!("{globals}\n");
    for copy in 1..=2 {
        text += &format!("thread w#{copy}\n{}\n", worker.replace('@', &format!("#{copy}")));
    }
    let program = parse(&text);
    let named = |name: &str| program.vars().find(|(_, var)| var.name == name).map(|(id, _)| id);
    let identities: Vec<VarId> = (1..=2).filter_map(|copy| named(&format!("id#{copy}"))).collect();
    let template = Template { name: "w".into(), copies: vec![ThreadId(0), ThreadId(1)], identities };
    program.with_templates(vec![template]).expect("the copies are alike")
}

fn verdict(program: &Program, rule: Rule) -> Verdict {
    let options = Options { states: 20_000, refinements: 60, ..Options::default() };
    Prover::new(program, rule).decide(&options).verdict
}

/// What a program needs under Owicki-Gries, and under rely-guarantee the same.
fn needs(program: &Program) -> Needs {
    let needs = needs_by(program, Rule::OwickiGries);
    assert_eq!(needs_by(program, Rule::RelyGuarantee), needs, "rely-guarantee");
    needs
}

fn needs_by(program: &Program, rule: Rule) -> Needs {
    for level in 1..=2 {
        let at_level = program.with_copies(level + 1);
        match verdict(&at_level, rule) {
            Verdict::Safe(_) => return Needs::Level(level),
            Verdict::Unsafe(_) | Verdict::Unknown(Reason::NoProof(_)) => {}
            Verdict::Unknown(reason) => panic!("{rule}, level {level}: {reason}"),
        }
        let Some(counted) = counting(&at_level) else { continue };
        match verdict(&counted, rule) {
            Verdict::Safe(_) => return Needs::Counters(level),
            Verdict::Unsafe(_) | Verdict::Unknown(Reason::NoProof(_)) => {}
            Verdict::Unknown(reason) => panic!("{rule}, level {level} with counters: {reason}"),
        }
    }
    Needs::Nothing
}

#[test]
fn a_counter_under_a_lock_that_knows_its_owner() {
    let worker = "local id@ = ?, t@ = ?
        0: [m == 0] m := id@ -> 1
        1: t@ := c -> 2
        2: c := t@ + 1 -> 3
        3: [c != t@ + 1] -> err
        3: [c == t@ + 1] m := 0 -> 0";
    assert_eq!(needs(&workers("global m = 0, c = 0", worker)), Needs::Level(1));
    let broken = worker.replace("[m == 0] m := id@", "m := id@");
    assert_eq!(needs(&workers("global m = 0, c = 0", &broken)), Needs::Nothing);
}

#[test]
fn a_lock_that_is_a_bit() {
    let worker = "0: [b == 0] b := 1 -> 1
        1: x := 1 -> 2
        2: x := 2 -> 3
        3: [x != 2] -> err
        3: [x == 2] b := 0 -> 0";
    assert_eq!(needs(&workers("global b = 0, x = 0", worker)), Needs::Level(2));
    let broken = worker.replace("[b == 0] b := 1", "[b <= 1] b := 1");
    assert_eq!(needs(&workers("global b = 0, x = 0", &broken)), Needs::Nothing);
}

#[test]
fn a_ticket_lock() {
    let worker = "local id@ = ?, t@ = 0
        0: t@ := next, next := next + 1 -> 1
        1: [serving == t@] -> 2
        2: x := id@ -> 3
        3: [x != id@] -> err
        3: [x == id@] serving := serving + 1 -> 0";
    assert_eq!(needs(&workers("global next = 0, serving = 0, x = 0", worker)), Needs::Level(2));
    let broken = worker.replace("[serving == t@]", "[serving <= t@]");
    assert_eq!(needs(&workers("global next = 0, serving = 0, x = 0", &broken)), Needs::Nothing);
}

#[test]
fn readers_are_counted() {
    let worker = "local id@ = ?
        0: [w == 0] r := r + 1 -> 1
        0: [r == 0, w == 0] w := 1 -> 3
        1: [x != 0] -> err
        1: [x == 0] r := r - 1 -> 0
        3: x := 1 -> 4
        4: x := 0 -> 5
        5: w := 0 -> 0";
    // The writer's bit does not say whose it is.
    assert_eq!(needs(&workers("global r = 0, w = 0, x = 0", worker)), Needs::Counters(2));
    let broken = worker.replace("[r == 0, w == 0]", "[w == 0]");
    assert_eq!(needs(&workers("global r = 0, w = 0, x = 0", &broken)), Needs::Nothing);
}

#[test]
fn a_count_of_references() {
    let worker = "0: [freed == 0] c := c + 1 -> 1
        1: [freed != 0] -> err
        1: [freed == 0, c == 1] c := c - 1, freed := 1 -> end
        1: [freed == 0, c != 1] c := c - 1 -> end";
    assert_eq!(needs(&workers("global c = 0, freed = 0", worker)), Needs::Counters(1));
    let broken = worker.replace("c == 1]", "c == 2]").replace("c != 1]", "c != 2]");
    assert_eq!(needs(&workers("global c = 0, freed = 0", &broken)), Needs::Nothing);
}

#[test]
fn a_proof_goes_on_where_a_limit_stopped_it() {
    let worker = "local id@ = ?, t@ = ?
        0: [m == 0] m := id@ -> 1
        1: t@ := c -> 2
        2: c := t@ + 1 -> 3
        3: [c != t@ + 1] -> err
        3: [c == t@ + 1] m := 0 -> 0";
    let program = workers("global m = 0, c = 0", worker);
    let few = Options { refinements: 1, ..Options::default() };
    for rule in [Rule::OwickiGries, Rule::RelyGuarantee] {
        let at_once = Prover::new(&program, rule).decide(&Options::default());
        assert!(matches!(at_once.verdict, Verdict::Safe(_)), "{rule}");
        let mut prover = Prover::new(&program, rule);
        let stopped = prover.decide(&few);
        assert!(matches!(stopped.verdict, Verdict::Unknown(Reason::Refinements(1))), "{rule}");
        let went_on = prover.decide(&Options::default());
        assert!(matches!(went_on.verdict, Verdict::Safe(_)), "{rule}");
        assert_eq!(went_on.statistics.refinements, at_once.statistics.refinements, "{rule}");
    }
}
