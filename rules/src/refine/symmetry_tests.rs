//! Exchanges of threads that are alike, assertions that are proved one after another, and the program's own words.

use abstraction::PredicateSet;
use check::{Certificate, Invariant};
use program::{
    Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term, Thread, ThreadId,
    Transition, Var, VarId, VarKind,
};

use crate::assertions::Assertions;
use crate::evidence::confirm;
use crate::options::Options;
use crate::refine::symmetry::exchanges;
use crate::refine::words;
use crate::system::System;

/// Globals: what each thread writes, and what both read.
const FLAGS: [VarId; 2] = [VarId(0), VarId(1)];
const BOTH: VarId = VarId(2);

fn term(var: VarId) -> Term {
    Term::var(var, Sort::Int)
}

/// Two threads over three globals: each sets its flag to a number, then fails if what it reads of `both` is too large.
fn program(numbers: [i128; 2], limits: [Term; 2]) -> Program {
    let var = |name: &str| Var {
        name: name.into(),
        sort: Sort::Int,
        owner: Owner::Global,
        kind: VarKind::User,
        ty: IntType::new(32, true),
        length: None,
        init: Init::Value(Term::int(0)),
        span: Span::default(),
    };
    let thread = |index: usize| {
        let step = |source: u32, guard: Vec<Term>, updates: Vec<(VarId, Term)>| Transition {
            source: LocationId(source),
            target: LocationId(source + 1),
            inputs: Vec::new(),
            guard,
            updates,
            defined: Vec::new(),
            span: Span { file: 0, line: index as u32 + 1, column: 1 },
        };
        let kinds = [LocationKind::Plain, LocationKind::Plain, LocationKind::Error(Property::UnreachCall)];
        Thread {
            name: format!("t{index}"),
            entry: LocationId(0),
            locations: kinds.map(|kind| Location { kind, span: Span::default() }).to_vec(),
            transitions: vec![
                step(0, Vec::new(), vec![(FLAGS[index], Term::int(numbers[index]))]),
                step(1, vec![limits[index].le(term(BOTH))], Vec::new()),
            ],
            span: Span::default(),
        }
    };
    let vars = ["one", "two", "both"].map(var).to_vec();
    let mut threads = vec![thread(0), thread(1)];
    program::confine(&vars, &mut threads);
    Program::new(vec!["f.c".into()], vars, threads).unwrap()
}

fn alike() -> Program {
    program([1, 2], FLAGS.map(term))
}

#[test]
fn threads_that_differ_in_names_and_numbers_are_exchanged_with_their_variables() {
    let program = alike();
    let [exchange] = exchanges(&program).try_into().unwrap();
    assert_eq!([0, 1, 2].map(|t| exchange.thread(ThreadId(t)).0), [1, 0, 2]);
    let (one, two, both) = (term(FLAGS[0]), term(FLAGS[1]), term(BOTH));
    assert_eq!(exchange.term(one.le(both)), two.le(both));
    assert_eq!(exchange.term(two.eq_to(Term::int(2))), one.eq_to(Term::int(2)));
    assert_eq!(exchange.term(one.le(two)), two.le(one));
    let primed = |var: VarId| Term::primed(var, Sort::Int);
    assert_eq!(exchange.term(primed(FLAGS[0]).eq_to(one)), primed(FLAGS[1]).eq_to(two));
}

#[test]
fn twice_exchanged_is_as_before() {
    let program = alike();
    let exchange = &exchanges(&program)[0];
    for formula in [term(FLAGS[0]).le(term(FLAGS[1])), term(BOTH).eq_to(term(FLAGS[1]))] {
        assert_eq!(exchange.term(exchange.term(formula)), formula);
    }
}

#[test]
fn threads_of_different_shape_are_not_exchanged() {
    // The second compares with a sum.
    let program = program([1, 2], [term(FLAGS[0]), term(FLAGS[1]).add(term(FLAGS[0]))]);
    assert!(exchanges(&program).is_empty());
}

#[test]
fn few_states_are_no_reason_to_prove_assertions_separately() {
    let program = alike();
    let system = System::new(&program);
    let mut assertions = Assertions::default();
    assert!(!assertions.separate(&system, 10) && !assertions.are_separate());
    assert!(assertions.elsewhere().is_empty());
    let proof = Certificate::OwickiGries(Vec::new());
    assert_eq!(assertions.add(&program, proof.clone()), Some(proof));
}

#[test]
fn separate_assertions_are_proved_in_turn_and_their_proofs_joined() {
    let program = alike();
    let system = System::new(&program);
    let mut assertions = Assertions::default();
    assert!(assertions.separate(&system, 1_000_000) && assertions.are_separate());
    // That is decided once.
    assert!(!assertions.separate(&system, 1_000_000));
    let others = |assertions: &Assertions| assertions.elsewhere().iter().map(|step| step.thread.0).collect::<Vec<_>>();
    assert_eq!(others(&assertions), [1]);
    assert!(assertions.next(&system).is_some(), "the second is the first with the threads exchanged");
    let proof = |formula: Term| {
        let invariant = |thread: u32| Invariant {
            threads: vec![ThreadId(thread)],
            at: [0, 1, 2].map(|l| (vec![LocationId(l)], formula)).into(),
        };
        Certificate::OwickiGries(vec![invariant(0), invariant(1)])
    };
    let (a, b) = (term(FLAGS[0]).le(Term::int(1)), term(FLAGS[1]).le(Term::int(2)));
    assert_eq!(assertions.add(&program, proof(a)), None);
    assert_eq!((others(&assertions), assertions.next(&system).is_none()), (vec![0], true));
    let whole = assertions.add(&program, proof(b)).unwrap();
    for invariant in whole.invariants() {
        let places: Vec<u32> = invariant.at.keys().map(|place| place[0].0).collect();
        // Errors, which each proof has excluded for one assertion alone, are not part of it.
        assert_eq!(places, [0, 1]);
        assert!(invariant.at.values().all(|formula| *formula == Term::and([a, b])));
    }
}

#[test]
fn words_are_about_variables_that_predicates_speak_of() {
    let program = alike();
    let system = System::new(&program);
    let guards = FLAGS.map(|flag| term(flag).le(term(BOTH)));
    assert_eq!(system.words, guards.into_iter().collect());
    let said = |known: &PredicateSet, formula: Term| words::about(&system, &[ThreadId(0)], known, formula);
    let mut known = PredicateSet::default();
    let about_one = term(FLAGS[0]).eq_to(Term::int(1));
    // Each word says something of `both`, which is not heard of yet.
    assert_eq!(said(&known, about_one), []);
    assert_eq!(said(&known, term(BOTH).le(Term::int(5))), []);
    known.insert(term(BOTH).le(Term::int(5)));
    assert_eq!(said(&known, about_one), [guards[0]]);
}

#[test]
fn a_check_that_is_cancelled_accepts_nothing() {
    let program = alike();
    // It admits the errors.
    let anywhere = |thread: u32| Invariant {
        threads: vec![ThreadId(thread)],
        at: [0, 1, 2].map(|l| (vec![LocationId(l)], Term::bool(true))).into(),
    };
    let certificate = Certificate::OwickiGries(vec![anywhere(0), anywhere(1)]);
    let options = Options::default();
    let rejected = |options: &Options| confirm(&program, certificate.clone(), options).unwrap_err().condition;
    assert!(matches!(rejected(&options), check::Condition::Safe(..)));
    options.cancel.cancel();
    assert!(matches!(rejected(&options), check::Condition::Safe(..)));
}
