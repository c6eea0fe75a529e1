//! Steps and runs of programs built by hand.

use program::{
    Array, Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term,
    Thread, ThreadId, Transition, UbKind, Value, Var, VarId, VarKind,
};

use crate::{InitError, RunEnd, RunError, State, StepError, enabled, initial, is_error, run, step};

const MAIN: ThreadId = ThreadId(0);
const INT: IntType = IntType::new(32, true);
const X: VarId = VarId(0);
const INPUT: VarId = VarId(1);
const A: VarId = VarId(2);

fn x() -> Term {
    Term::var(X, Sort::Int)
}

fn var(name: &str, sort: Sort, owner: Owner, init: Init) -> Var {
    let length = (sort == Sort::Array).then_some(4);
    Var { name: name.into(), sort, owner, kind: VarKind::User, ty: INT, length, init, span: Span::default() }
}

/// From L`source` to L`target` if `guard`, with `updates`.
fn transition(source: u32, target: u32, guard: Vec<Term>, updates: Vec<(VarId, Term)>) -> Transition {
    Transition {
        source: LocationId(source),
        target: LocationId(target),
        inputs: Vec::new(),
        guard,
        updates,
        defined: Vec::new(),
        span: Span::default(),
    }
}

fn requires(mut t: Transition, kind: UbKind, condition: Term) -> Transition {
    t.defined.push(Definedness { condition, kind, span: Span { file: 0, line: 7, column: 1 } });
    t
}

/// One thread over `int x` (initially 0), an input and `int a[4]`; L0 is the entry, L1 plain, L2 an error, L3 the end.
fn program(transitions: Vec<Transition>) -> Program {
    program_from(Init::Value(Term::int(0)), transitions)
}

fn program_from(x: Init, transitions: Vec<Transition>) -> Program {
    let kinds =
        [LocationKind::Plain, LocationKind::Plain, LocationKind::Error(Property::UnreachCall), LocationKind::End];
    let thread = Thread {
        name: "main".into(),
        entry: LocationId(0),
        locations: kinds.map(|kind| Location { kind, span: Span::default() }).to_vec(),
        transitions,
        span: Span::default(),
    };
    let vars = vec![
        var("x", Sort::Int, Owner::Global, x),
        var("in", Sort::Int, Owner::Input(MAIN), Init::Arbitrary),
        var("a", Sort::Array, Owner::Global, Init::Value(Term::const_array(Term::int(0)))),
    ];
    let mut threads = vec![thread];
    program::confine(&vars, &mut threads);
    Program::new(vec!["t.c".into()], vars, threads).expect("well formed")
}

fn start(program: &Program) -> State {
    initial(program, &mut |_, _| Value::Int(0)).expect("an initial state")
}

fn zero(_: VarId) -> Value {
    Value::Int(0)
}

#[test]
fn a_step_assigns_simultaneously() {
    let a = Term::var(A, Sort::Array);
    let t =
        transition(0, 1, vec![], vec![(X, x().add(Term::int(5))), (A, a.store(Term::int(2), x().sub(Term::int(1))))]);
    let p = program(vec![t]);
    let next = step(&p, &start(&p), MAIN, 0, &zero).expect("a step");
    assert_eq!(next.location(MAIN), Some(LocationId(1)));
    assert_eq!(next.value(X), Some(&Value::Int(5)));
    let mut expected = Array::filled(0);
    expected.set(2, -1);
    assert_eq!(next.value(A), Some(&Value::Array(expected)), "the old value of x is stored");
}

#[test]
fn impossible_steps_say_why() {
    let guard = vec![x().le(Term::int(3)), x().eq_to(Term::int(1))];
    let divide = transition(0, 1, vec![], vec![(X, Term::int(1).div(x()))]);
    let p = program(vec![
        transition(1, 0, vec![], vec![]),
        transition(0, 1, guard, vec![]),
        requires(divide.clone(), UbKind::DivisionByZero, x().ne(Term::int(0))),
        divide,
        transition(0, 1, vec![], vec![(X, x().add(Term::int(1 << 31)))]),
    ]);
    let state = start(&p);
    let error = |index| step(&p, &state, MAIN, index, &zero).expect_err("impossible");
    assert_eq!(error(0), StepError::Location { at: LocationId(0), source: LocationId(1) });
    assert_eq!(error(1), StepError::Guard(1));
    let span = Span { file: 0, line: 7, column: 1 };
    assert_eq!(error(2), StepError::Undefined { kind: UbKind::DivisionByZero, span });
    assert_eq!(error(3), StepError::Evaluation(program::EvalError::Undefined));
    assert_eq!(error(4), StepError::Undefined { kind: UbKind::SignedOverflow, span: Span::default() });
    assert_eq!(error(5), StepError::Unknown);
    assert_eq!(step(&p, &state, ThreadId(1), 0, &zero), Err(StepError::Unknown));
}

#[test]
fn a_false_guard_disables_whatever_else_is_undefined() {
    let quotient = Term::int(6).div(x()).le(Term::int(3));
    let t = transition(0, 1, vec![quotient, x().ne(Term::int(0))], vec![]);
    let p = program(vec![t]);
    assert_eq!(step(&p, &start(&p), MAIN, 0, &zero), Err(StepError::Guard(1)));
}

#[test]
fn inputs_are_chosen_by_each_step_within_their_range() {
    let input = Term::var(INPUT, Sort::Int);
    let mut t = transition(0, 1, vec![Term::int(1).le(input)], vec![(X, input)]);
    t.inputs.push(INPUT);
    let p = program(vec![t]);
    let state = start(&p);
    let with = |value: i128| step(&p, &state, MAIN, 0, &move |_| Value::Int(value));
    assert_eq!(with(9).expect("a step").value(X), Some(&Value::Int(9)));
    assert_eq!(with(0), Err(StepError::Guard(0)));
    assert_eq!(with(1 << 31), Err(StepError::Input(INPUT)));
    assert_eq!(step(&p, &state, MAIN, 0, &|_| Value::Bool(true)), Err(StepError::Input(INPUT)));
    assert_eq!(with(9).expect("a step").value(INPUT), Some(&Value::Int(0)), "inputs are no part of the state");
}

#[test]
fn enabled_leaves_out_disabled_and_undefined_steps_only() {
    let undefined = requires(transition(0, 1, vec![], vec![]), UbKind::Shift, Term::bool(false));
    let p = program(vec![
        transition(0, 1, vec![x().eq_to(Term::int(0))], vec![]),
        transition(0, 1, vec![x().eq_to(Term::int(1))], vec![]),
        undefined,
        transition(0, 2, vec![], vec![]),
    ]);
    assert_eq!(enabled(&p, &start(&p), MAIN, &zero), Ok(vec![0, 3]));
    let broken = program(vec![transition(0, 1, vec![], vec![(X, Term::int(1).div(x()))])]);
    assert_eq!(
        enabled(&broken, &start(&broken), MAIN, &zero),
        Err(StepError::Evaluation(program::EvalError::Undefined))
    );
}

#[test]
fn initial_values_are_checked() {
    let p = program_from(Init::Arbitrary, vec![]);
    let from = |value: Value| initial(&p, &mut |_, _| value.clone());
    assert_eq!(from(Value::Int(-3)).expect("in range").value(X), Some(&Value::Int(-3)));
    assert_eq!(from(Value::Int(1 << 40)), Err(InitError::Range(X)));
    assert_eq!(from(Value::Bool(false)), Err(InitError::Range(X)));
    let p = program_from(Init::Value(Term::int(1).div(Term::int(0))), vec![]);
    assert_eq!(initial(&p, &mut |_, _| Value::Int(0)), Err(InitError::Evaluation(X, program::EvalError::Undefined)));
}

/// while (x < 10) x++; then to `goal`.
fn counting(goal: u32) -> Program {
    program(vec![
        transition(0, 0, vec![x().lt(Term::int(10))], vec![(X, x().add(Term::int(1)))]),
        transition(0, goal, vec![Term::int(10).le(x())], vec![]),
    ])
}

#[test]
fn runs_end_in_each_way() {
    for (goal, end) in [(3, RunEnd::Ended), (2, RunEnd::Error), (1, RunEnd::Blocked)] {
        let p = counting(goal);
        let (state, how) = run(&p, start(&p), MAIN, 100, &zero);
        assert_eq!((how, state.value(X)), (Ok(end), Some(&Value::Int(10))));
        assert_eq!(is_error(&p, &state), end == RunEnd::Error);
    }
}

#[test]
fn runs_without_an_end_say_why() {
    let p = counting(3);
    assert_eq!(run(&p, start(&p), MAIN, 5, &zero).1, Err(RunError::Limit));
    let p = program(vec![transition(0, 1, vec![], vec![]), transition(0, 3, vec![], vec![])]);
    assert_eq!(run(&p, start(&p), MAIN, 5, &zero).1, Err(RunError::Choice(LocationId(0), 0, 1)));
    let p = program(vec![requires(transition(0, 1, vec![], vec![]), UbKind::Shift, x().ne(Term::int(0)))]);
    let (_, outcome) = run(&p, start(&p), MAIN, 5, &zero);
    let span = Span { file: 0, line: 7, column: 1 };
    assert_eq!(outcome, Err(RunError::Step(LocationId(0), 0, StepError::Undefined { kind: UbKind::Shift, span })));
}
