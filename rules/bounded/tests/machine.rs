//! What programs written out by hand do: wide values, arrays that start with anything, choices, many threads, and what is refused.

use bounded::{Bounds, Fresh, Gap, Outcome, Search, search};
use program::{
    Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term, Thread,
    ThreadId, Transition, UbKind, Value, Var, VarId, VarKind,
};

const INT: IntType = IntType::new(32, true);
const ULONG: IntType = IntType::new(64, false);
const LONG: IntType = IntType::new(64, true);

fn var(name: &str, ty: IntType, owner: Owner, init: Init) -> Var {
    let (sort, kind, span) = (Sort::Int, VarKind::User, Span::default());
    Var { name: name.into(), sort, owner, kind, ty, length: None, init, span }
}

fn zero() -> Init {
    Init::Value(Term::int(0))
}

fn global(name: &str, ty: IntType) -> Var {
    var(name, ty, Owner::Global, zero())
}

fn get(var: u32) -> Term {
    Term::var(VarId(var), Sort::Int)
}

fn go(source: u32, target: u32, guard: Vec<Term>, updates: Vec<(u32, Term)>) -> Transition {
    Transition {
        source: LocationId(source),
        target: LocationId(target),
        inputs: vec![],
        guard,
        updates: updates.into_iter().map(|(var, value)| (VarId(var), value)).collect(),
        defined: vec![],
        span: Span { file: 0, line: source + 1, column: 1 },
    }
}

/// Locations 0, 1, .. with these kinds; the thread starts at 0.
fn thread(name: &str, kinds: &[LocationKind], transitions: Vec<Transition>) -> Thread {
    let locations = kinds.iter().map(|kind| Location { kind: *kind, span: Span::default() }).collect();
    Thread { name: name.into(), entry: LocationId(0), locations, transitions, span: Span::default() }
}

const KINDS: [LocationKind; 4] =
    [LocationKind::Plain, LocationKind::Plain, LocationKind::Plain, LocationKind::Error(Property::UnreachCall)];

fn single(vars: Vec<Var>, transitions: Vec<Transition>) -> Program {
    Program::new(vec!["hand".into()], vars, vec![thread("t", &KINDS, transitions)]).expect("well formed")
}

fn run(program: &Program, bounds: &Bounds) -> Outcome {
    search(program, bounds, &Search::default(), &|| false, &|_| {})
}

fn finds(program: &Program) -> bool {
    let outcome = run(program, &Bounds::default());
    assert!(outcome.error().is_some() || outcome.coverage().is_exhaustive(), "{:?}", outcome.coverage());
    outcome.error().is_some()
}

#[test]
fn values_beyond_signed_words_are_exact() {
    let top = ULONG.greatest();
    for (value, expected) in [(top, true), (top - 1, false), (i128::from(i64::MAX), false)] {
        let largest = get(0).eq_to(Term::int(top));
        let steps = vec![go(0, 1, vec![], vec![(0, Term::int(value))]), go(1, 3, vec![largest], vec![])];
        assert_eq!(finds(&single(vec![global("x", ULONG)], steps)), expected, "{value}");
    }
    // (2^64 - 1)^2 modulo 2^64 is 1.
    let square = get(0).mul(get(0)).wrap(ULONG);
    let steps = vec![
        go(0, 1, vec![], vec![(0, Term::int(top))]),
        go(1, 2, vec![], vec![(0, square)]),
        go(2, 3, vec![get(0).eq_to(Term::int(1))], vec![]),
    ];
    assert!(finds(&single(vec![global("x", ULONG)], steps)));
}

#[test]
fn the_value_that_has_no_word_is_a_gap() {
    let least = go(0, 1, vec![], vec![(0, Term::int(LONG.least()))]);
    let reads = go(1, 3, vec![get(0).lt(Term::int(0))], vec![]);
    let outcome = run(&single(vec![global("x", LONG)], vec![least, reads]), &Bounds::default());
    assert!(matches!(outcome.coverage().gaps.first(), Some(Gap::Value(_))));
    assert!(!outcome.coverage().is_exhaustive());
}

#[test]
fn undefined_behaviour_ends_a_run() {
    let mut divides = go(0, 3, vec![Term::int(6).div(get(0)).le(Term::int(3))], vec![]);
    let condition = Term::ne(get(0), Term::int(0));
    divides.defined = vec![Definedness { condition, kind: UbKind::DivisionByZero, span: Span::default() }];
    let outcome = run(&single(vec![global("x", INT)], vec![divides]), &Bounds::default());
    assert!(outcome.coverage().is_exhaustive());
    assert_eq!(outcome.coverage().undefined.first().map(|(kind, _)| *kind), Some(UbKind::DivisionByZero));
}

#[test]
fn choices_are_what_conditions_tell_apart() {
    // x starts with anything; 123456 is nowhere near what would be tried by chance.
    let x = var("x", INT, Owner::Global, Init::Arbitrary);
    let y = var("y", INT, Owner::Global, Init::Value(Term::int(654)));
    let steps = vec![go(0, 3, vec![get(0).sub(get(1)).eq_to(Term::int(123_456))], vec![])];
    let outcome = run(&single(vec![x, y], steps), &Bounds::default());
    let run = outcome.error().expect("a run");
    assert_eq!(run.initial.get(&VarId(0)), Some(&Value::Int(124_110)));
}

#[test]
fn an_input_that_is_copied_is_chosen_when_it_is_read() {
    let input = var("i", INT, Owner::Input(ThreadId(0)), Init::Arbitrary);
    let mut reads = go(0, 1, vec![], vec![(0, get(1))]);
    reads.inputs = vec![VarId(1)];
    let steps = vec![
        reads,
        go(1, 2, vec![Term::int(7000).lt(get(0))], vec![]),
        go(2, 3, vec![get(0).lt(Term::int(7002))], vec![]),
    ];
    let outcome = run(&single(vec![global("x", INT), input], steps), &Bounds::default());
    let run = outcome.error().expect("a run");
    assert_eq!(run.steps[0].inputs.get(&VarId(1)), Some(&Value::Int(7001)));
}

#[test]
fn an_input_that_only_decides_is_no_sample() {
    let input = var("i", INT, Owner::Input(ThreadId(0)), Init::Arbitrary);
    let mut reads = go(0, 3, vec![get(1).eq_to(get(0).add(Term::int(77_777))), get(1).le(Term::int(77_776))], vec![]);
    reads.inputs = vec![VarId(1)];
    assert!(!finds(&single(vec![global("x", INT), input], vec![reads])));
}

#[test]
fn elements_are_chosen_one_by_one() {
    let mut array = var("a", INT, Owner::Global, Init::Arbitrary);
    array.sort = Sort::Array;
    let element = |index: i128| Term::var(VarId(0), Sort::Array).select(Term::int(index));
    let steps = vec![
        go(0, 1, vec![element(5).eq_to(Term::int(99))], vec![]),
        go(1, 2, vec![element(1_000_000).eq_to(element(5).add(Term::int(1)))], vec![]),
        go(2, 3, vec![Term::ne(element(0), element(5))], vec![]),
    ];
    let outcome = run(&single(vec![array], steps), &Bounds::default());
    let run = outcome.error().expect("a run");
    let Some(Value::Array(chosen)) = run.initial.get(&VarId(0)) else { panic!("{run:?}") };
    assert_eq!((chosen.get(5), chosen.get(1_000_000)), (99, 100));
}

#[test]
fn what_is_not_modelled_is_a_gap() {
    let kinds = [LocationKind::Plain, LocationKind::Unmodelled];
    let threads = vec![thread("t", &kinds, vec![go(0, 1, vec![], vec![])])];
    let program = Program::new(vec!["hand".into()], vec![], threads).expect("well formed");
    let outcome = run(&program, &Bounds::default());
    assert!(outcome.error().is_none() && !outcome.coverage().is_exhaustive());
    assert!(matches!(outcome.coverage().gaps.first(), Some(Gap::Unmodelled(_))));
}

#[test]
fn an_endless_loop_of_one_thread_does_not_keep_others_from_moving() {
    let counts = go(0, 0, vec![], vec![(0, get(0).add(Term::int(1)).wrap(INT))]);
    let busy = thread("busy", &KINDS, vec![counts]);
    let fails = thread("fails", &KINDS, vec![go(0, 3, vec![get(0).eq_to(Term::int(3))], vec![])]);
    let program = Program::new(vec!["hand".into()], vec![global("x", INT)], vec![busy, fails]).expect("well formed");
    let bounds = |unwind| Bounds { unwind: Some(unwind), preemptions: Some(1), ..Bounds::default() };
    let outcome = run(&program, &bounds(2));
    assert_eq!(
        outcome.coverage().statement(&program),
        "no error with 2 iterations of the loop at hand:0, up to 1 thread"
    );
    assert!(run(&program, &bounds(3)).error().is_some());
}

/// Main starts `count` threads one by one, then sets a flag and takes it back; only the last thread looks at it.
fn crowd(count: u32) -> Program {
    let mut vars = vec![global("flag", INT)];
    vars.extend((1..=count).map(|k| global(&format!("started{k}"), INT)));
    let set = |flag: i128| vec![(0, Term::int(flag))];
    let mut main: Vec<Transition> = (0..count).map(|k| go(k, k + 1, vec![], vec![(k + 1, Term::int(1))])).collect();
    main.push(go(count, count + 1, vec![], set(1)));
    main.push(go(count + 1, count + 2, vec![], set(2)));
    let kinds = vec![LocationKind::Plain; count as usize + 3];
    let mut threads = vec![thread("main", &kinds, main)];
    for k in 1..=count {
        let mut local = var(&format!("l{k}"), INT, Owner::Local(ThreadId(k)), zero());
        local.span.line = k;
        let own = u32::try_from(vars.len()).expect("few");
        vars.push(local);
        let started = get(k).eq_to(Term::int(1));
        let looks = if k == count { get(0).eq_to(Term::int(1)) } else { get(own).eq_to(Term::int(1)) };
        let steps = vec![go(0, 1, vec![started], vec![(own, Term::int(2))]), go(1, 3, vec![looks], vec![])];
        let mut made = thread(&format!("t{k}"), &KINDS, steps);
        made.span.line = if k == count { 2 } else { 1 };
        threads.push(made);
    }
    Program::new(vec!["hand".into()], vars, threads).expect("well formed")
}

#[test]
fn an_error_behind_many_threads_is_found() {
    let bounds = Bounds { preemptions: Some(1), fresh: Fresh::First, states: 10_000, ..Bounds::default() };
    assert!(run(&crowd(300), &bounds).error().is_some());
}

#[test]
fn threads_that_do_not_move_cost_nothing() {
    // Main takes as many steps as it would alone, though each of the others could be next.
    let bounds = Bounds { preemptions: Some(0), contexts: Some(0), ..Bounds::default() };
    let outcome = run(&crowd(10_000), &bounds);
    let coverage = outcome.coverage();
    assert_eq!((coverage.steps, coverage.threads, coverage.states), (10_002, 1, 10_003));
    assert!(coverage.bytes < 1000 * coverage.states, "{} bytes for {} states", coverage.bytes, coverage.states);
}

#[test]
fn a_search_can_be_stopped() {
    let outcome = search(&crowd(10), &Bounds::default(), &Search::default(), &|| true, &|_| {});
    assert!(outcome.coverage().gaps.contains(&Gap::Cancelled) && !outcome.coverage().is_exhaustive());
}

#[test]
fn what_is_not_observed_is_not_told_apart() {
    // x counts to 3; y stays as it is, and who looks at y alone sees one state.
    let counts = go(0, 0, vec![get(0).le(Term::int(2))], vec![(0, get(0).add(Term::int(1)))]);
    let fails = go(0, 3, vec![get(0).eq_to(Term::int(3))], vec![]);
    let program = single(vec![global("x", INT), global("y", INT)], vec![counts, fails]);
    let observing = |var: u32| {
        let how = Search { observe: Some(vec![get(var)]), ..Search::default() };
        search(&program, &Bounds::default(), &how, &|| false, &|_| {})
    };
    assert!(observing(0).error().is_some());
    let blind = observing(1);
    assert!(blind.error().is_none() && !blind.coverage().is_exhaustive());
    assert_eq!(blind.coverage().statement(&program), "no error, up to 1 thread, states recognised by what is observed");
}
