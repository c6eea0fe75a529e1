//! The checker against corrupted certificates: each is rejected for the condition that it violates.

mod support;

use std::collections::BTreeMap;

use check::{
    Certificate, CertificateText, Condition, Invariant, Origin, Rejection, Validity, check_certificate,
    write_certificate,
};
use program::{LocationId, Program, Sort, Term, ThreadId, VarId};
use rules::{Options, Rule, SolverEntailment, Verdict, prove};
use support::corpus::corpus;
use support::parse;

fn proof(name: &str, rule: Rule) -> (Program, Certificate) {
    let text = corpus().into_iter().find(|entry| entry.name == name).expect("in the corpus").text;
    let program = parse(&text);
    match prove(&program, &Options::new(rule)).verdict {
        Verdict::Safe(proof) => (program, Certificate::clone(&proof)),
        other => panic!("{name}: {other:?}"),
    }
}

fn check(program: &Program, certificate: &Certificate) -> Result<(), Rejection> {
    check_certificate(program, certificate.clone(), &mut SolverEntailment::default()).map(|_| ())
}

fn invariants(certificate: &mut Certificate) -> &mut Vec<Invariant> {
    match certificate {
        Certificate::OwickiGries(invariants) | Certificate::RelyGuarantee { invariants, .. } => invariants,
        Certificate::Monolithic(_) => panic!("no invariant a thread"),
    }
}

#[test]
fn an_initial_state_that_is_left_out_is_noticed() {
    for rule in [Rule::OwickiGries, Rule::RelyGuarantee] {
        let (program, mut certificate) = proof("spin2003", rule);
        check(&program, &certificate).expect("a proof");
        invariants(&mut certificate)[1].at.remove(&vec![program.thread(ThreadId(1)).entry]);
        assert_eq!(check(&program, &certificate).expect_err("corrupt").condition, Condition::Initial(1));
    }
}

#[test]
fn an_assertion_that_is_too_strong_is_left_by_a_step() {
    let (program, mut certificate) = proof("spin2003", Rule::OwickiGries);
    let m = Term::var(VarId(0), Sort::Int);
    // After `m := 1` at L3, m is 1 and not 2.
    invariants(&mut certificate)[0].at.insert(vec![LocationId(3)], m.eq_to(Term::int(2)));
    let rejection = check(&program, &certificate).expect_err("corrupt");
    assert!(matches!(rejection.condition, Condition::Step(0, ThreadId(0), _)), "{rejection:?}");
    assert_eq!(rejection.validity, Validity::Invalid);
}

#[test]
fn a_dropped_conjunct_opens_the_way_to_the_error_or_to_interference() {
    let (program, mut certificate) = proof("spin2003", Rule::OwickiGries);
    for formula in invariants(&mut certificate)[0].at.values_mut() {
        *formula = Term::bool(true);
    }
    let rejection = check(&program, &certificate).expect_err("corrupt");
    // With nothing known about thread 1, its step to the error is possible, or it interferes with thread 2.
    assert!(matches!(rejection.condition, Condition::Step(0, ..) | Condition::Interference(1, ..)), "{rejection:?}");
}

#[test]
fn interference_is_named() {
    let (program, mut certificate) = proof("spin2003", Rule::OwickiGries);
    // Thread 1 claims at its entry that the lock is free; thread 2 may take it.
    let m = Term::var(VarId(0), Sort::Int);
    let entry = vec![program.thread(ThreadId(0)).entry];
    let said = invariants(&mut certificate)[0].here(&entry);
    invariants(&mut certificate)[0].at.insert(entry, Term::and([said, m.eq_to(Term::int(0))]));
    let rejection = check(&program, &certificate).expect_err("corrupt");
    assert!(matches!(rejection.condition, Condition::Interference(0, _, ThreadId(1), _)), "{rejection:?}");
    assert!(rejection.to_string().starts_with("interference of thread 2's transition at line"), "{rejection}");
}

#[test]
fn swapped_threads_are_noticed() {
    let (program, mut certificate) = proof("spin2003", Rule::OwickiGries);
    let all = invariants(&mut certificate);
    let first = all[0].at.clone();
    all[0].at = std::mem::replace(&mut all[1].at, first);
    assert!(check(&program, &certificate).is_err());
    invariants(&mut certificate).swap(0, 1);
    let rejection = check(&program, &certificate).expect_err("corrupt");
    assert!(matches!(rejection.condition, Condition::Form(_)));
}

#[test]
fn an_environment_that_is_too_strong_is_not_guaranteed() {
    let (program, mut certificate) = proof("spin2003", Rule::RelyGuarantee);
    if let Certificate::RelyGuarantee { environment, .. } = &mut certificate {
        environment[0] = Vec::new();
    }
    let rejection = check(&program, &certificate).expect_err("corrupt");
    assert!(matches!(rejection.condition, Condition::Guarantee(0, ThreadId(1), _)), "{rejection:?}");
}

#[test]
fn an_environment_that_is_too_weak_is_not_stable() {
    let (program, mut certificate) = proof("spin2003", Rule::RelyGuarantee);
    if let Certificate::RelyGuarantee { environment, .. } = &mut certificate {
        environment[1] = vec![Term::bool(true)];
    }
    let rejection = check(&program, &certificate).expect_err("corrupt");
    assert!(matches!(rejection.condition, Condition::Rely(1, _)), "{rejection:?}");
}

#[test]
fn a_reachable_error_is_noticed() {
    let text = "global x = 0\nthread A\n0: [x == 0] -> err";
    let program = parse(text);
    let at = BTreeMap::from([(vec![LocationId(2)], Term::bool(true)), (vec![LocationId(0)], Term::bool(true))]);
    let certificate = Certificate::OwickiGries(vec![Invariant { threads: vec![ThreadId(0)], at }]);
    let rejection = check(&program, &certificate).expect_err("unsafe");
    assert_eq!(rejection.condition, Condition::Safe(ThreadId(0), LocationId(0)));
}

#[test]
fn formulas_over_something_else_are_refused() {
    let (program, mut certificate) = proof("spin2003", Rule::Monolithic);
    let alien = Term::var(VarId(99), Sort::Int).eq_to(Term::int(0));
    if let Certificate::Monolithic(invariant) = &mut certificate {
        for formula in invariant.at.values_mut() {
            *formula = Term::or([*formula, alien]);
        }
    }
    assert!(matches!(check(&program, &certificate).expect_err("alien").condition, Condition::Form(_)));
}

#[test]
fn certificates_survive_being_written() {
    for (name, rule) in
        [("spin2003", Rule::Monolithic), ("ticket", Rule::OwickiGries), ("spin2003", Rule::RelyGuarantee)]
    {
        let (program, certificate) = proof(name, rule);
        let origin = Origin {
            producer: "a test".into(),
            files: vec![("some where.c".into(), "0f".into())],
            ..Origin::default()
        };
        let text = write_certificate(&program, &certificate, &origin);
        let parsed = CertificateText::parse(&text).expect("readable");
        assert_eq!(parsed.origin, origin);
        let read = parsed.certificate(&program).expect("of this program");
        assert_eq!(read, certificate, "{text}");
        check(&program, &read).expect("still a proof");
    }
}

#[test]
fn broken_certificate_texts_say_what_is_wrong() {
    let (program, _) = proof("spin2003", Rule::OwickiGries);
    let read =
        |text: &str| CertificateText::parse(text).and_then(|read| read.certificate(&program)).expect_err("broken");
    let body = |body: &str| read(&format!("(threader-certificate 2 (source f.c 00) {body})"));
    assert_eq!(read("(something else)"), "it is something else");
    assert_eq!(read("(threader-certificate 9)"), "it is of version 9, and only version 2 is known");
    assert_eq!(
        read("(threader-certificate 2 (rule magic)"),
        "it ends too early: it was cut off, or brackets are missing"
    );
    assert_eq!(body("(rule magic)"), "there is no rule `magic`");
    assert_eq!(body("(rule owicki-gries) (lemma)"), "it has an unknown part: (lemma)");
    assert_eq!(body("(rule owicki-gries) (invariant (nobody))"), "there is no thread nobody");
    assert!(body("(rule owicki-gries) (invariant () (at (2) (= nobody 1)))").contains("nobody"));
    assert_eq!(
        body("(rule owicki-gries) (invariant () (at (2) true) (at (2) false))"),
        "two formulas are given for the locations (2)"
    );
    assert_eq!(body("(rule monolithic)"), "a monolithic proof has one invariant");
    assert_eq!(read(&"(".repeat(20_000)), "it is nested more than 10000 deep");
}
