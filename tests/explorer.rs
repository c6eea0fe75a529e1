//! The explicit-state explorer, on Programs built by hand: an oracle must itself be right.

mod support;

use std::collections::BTreeSet;

use program::{
    Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term, Thread,
    ThreadId, Transition, UbKind, Value, Var, VarId, VarKind,
};
use support::explore::{Domains, SMALL, explore, replay};

const X: VarId = VarId(0);

fn x() -> Term {
    Term::var(X, Sort::Int)
}

fn var(name: &str, owner: Owner, init: Init) -> Var {
    let (kind, span) = (VarKind::User, Span::default());
    Var { name: name.into(), sort: Sort::Int, owner, kind, ty: IntType::new(8, true), length: None, init, span }
}

fn step(source: u32, target: u32, guard: Vec<Term>, updates: Vec<(VarId, Term)>) -> Transition {
    let span = Span { file: 0, line: source + 1, column: 1 };
    let (source, target) = (LocationId(source), LocationId(target));
    Transition { source, target, inputs: vec![], guard, updates, defined: vec![], span }
}

/// A thread with plain locations L0 to L2, the error L3 and the end L4.
fn thread(name: &str, transitions: Vec<Transition>) -> Thread {
    let kinds = [
        LocationKind::Plain,
        LocationKind::Plain,
        LocationKind::Plain,
        LocationKind::Error(Property::UnreachCall),
        LocationKind::End,
    ];
    let locations = kinds.map(|kind| Location { kind, span: Span::default() }).to_vec();
    Thread { name: name.into(), entry: LocationId(0), locations, transitions, span: Span::default() }
}

/// Each thread: t := x; x := t + 1. x is the first variable, the threads' temporaries are next.
fn two_increments() -> (Vec<Var>, Vec<Thread>) {
    let mut vars = vec![var("x", Owner::Global, Init::Value(Term::int(0)))];
    let mut threads = Vec::new();
    for n in 0..2 {
        let t = VarId(n + 1);
        vars.push(var(&format!("t{n}"), Owner::Local(ThreadId(n)), Init::Arbitrary));
        let write = (X, Term::var(t, Sort::Int).add(Term::int(1)));
        threads
            .push(thread(&format!("a#{n}"), vec![step(0, 1, vec![], vec![(t, x())]), step(1, 4, vec![], vec![write])]));
    }
    (vars, threads)
}

fn finals(values: &[i128]) -> BTreeSet<Vec<i128>> {
    values.iter().map(|v| vec![*v]).collect()
}

/// The program in which it is undefined to leave a variable's range.
fn confined(vars: Vec<Var>, mut threads: Vec<Thread>) -> Program {
    program::confine(&vars, &mut threads);
    Program::new(vec!["t.c".into()], vars, threads).expect("well formed")
}

#[test]
fn all_schedules_are_explored() {
    let (vars, threads) = two_increments();
    let p = confined(vars, threads);
    let found = explore(&p, &["x".into()], &SMALL, 100).expect("few states");
    assert_eq!(found.finals, finals(&[1, 2]));
    assert!(found.failures.is_empty() && found.undefined.is_empty());
    // By locations, with the values that differ: 00; 10, 01; 11, 40, 04; 14 (t = 0 or 1), 41 (the same); 44 (x = 1 or 2).
    // The temporaries are forgotten at the end: with them there would be more final states.
    assert_eq!(found.states, 1 + 2 + 3 + 4 + 2);
}

#[test]
fn what_starts_arbitrary_is_explored_only_where_it_matters() {
    let (vars, threads) = two_increments();
    let p = confined(vars, threads);
    let start = |_: VarId, _: &Var| vec![Value::Int(3), Value::Int(-7)];
    let found = explore(&p, &["x".into()], &Domains { start: &start, ..SMALL }, 100).expect("few states");
    assert_eq!((found.finals, found.states), (finals(&[1, 2]), 12), "temporaries are written before they are read");
}

/// A third thread waits for x = 2 and fails; a shortest trace has the four steps of the others and its own.
#[test]
fn errors_come_with_a_shortest_trace() {
    let (vars, mut threads) = two_increments();
    threads.push(thread("watch", vec![step(0, 3, vec![x().eq_to(Term::int(2))], vec![])]));
    let p = confined(vars, threads);
    let found = explore(&p, &["x".into()], &SMALL, 1_000).expect("few states");
    let [failure] = found.failures.as_slice() else { panic!("{} failures", found.failures.len()) };
    assert_eq!((failure.trace.len(), failure.step.line), (5, 1));
    assert_eq!(replay(&p, &failure.trace), Ok(()));
    assert!(replay(&p, &failure.trace[1..]).is_err(), "without its first step it is no trace");
    assert!(replay(&p, &failure.trace[..4]).is_err(), "without its last step it reaches no error");
    assert!(found.finals.is_empty(), "the third thread never ends");
}

#[test]
fn inputs_range_over_their_domain_and_undefined_steps_are_noted() {
    let input = VarId(1);
    let vars =
        vec![var("x", Owner::Global, Init::Value(Term::int(0))), var("in", Owner::Input(ThreadId(0)), Init::Arbitrary)];
    let chosen = Term::var(input, Sort::Int);
    let mut t = step(0, 4, vec![], vec![(X, Term::int(6).div(chosen))]);
    t.inputs.push(input);
    t.defined.push(Definedness { condition: chosen.ne(Term::int(0)), kind: UbKind::DivisionByZero, span: t.span });
    let p = confined(vars, vec![thread("main", vec![t])]);
    let found = explore(&p, &["x".into()], &SMALL, 100).expect("few states");
    assert_eq!(found.finals, finals(&[6, 3]));
    assert_eq!(found.undefined.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [UbKind::DivisionByZero]);
}

#[test]
fn limits_and_unknown_names_are_reported() {
    let (vars, threads) = two_increments();
    let p = confined(vars, threads);
    assert_eq!(
        explore(&p, &["x".into()], &SMALL, 5).expect_err("too many"),
        "more than 5 states, or 80 elements in them"
    );
    let error = explore(&p, &["z".into()], &SMALL, 100).expect_err("unknown");
    assert_eq!(error, "no variable z among x, t0, t1");
}

/// A loop that fills an array: few states, but each is larger than the one before.
#[test]
fn states_that_grow_count_for_more() {
    let explored = |rounds: i128| {
        let (i, a) = (VarId(0), VarId(1));
        let array = Var { sort: Sort::Array, ..var("a", Owner::Global, Init::Value(Term::const_array(Term::int(0)))) };
        let vars = vec![var("i", Owner::Global, Init::Value(Term::int(0))), array];
        let filled = Term::var(a, Sort::Array).store(x(), Term::int(1));
        let fill = step(0, 0, vec![x().lt(Term::int(rounds))], vec![(i, x().add(Term::int(1))), (a, filled)]);
        let p = confined(vars, vec![thread("main", vec![fill])]);
        explore(&p, &[], &SMALL, 100).map(|found| found.states)
    };
    assert_eq!(explored(40), Ok(41));
    // 0 + 1 + .. + 80 are more than 100 * 16.
    assert_eq!(explored(80), Err("more than 100 states, or 1600 elements in them".into()));
}
