//! The hand-written corpus under the three rules: every verdict is right and has checked evidence.

mod support;

use check::{Certificate, Trace, TraceError, check_trace, obligations};
use rules::{Cancel, Modularity, Options, Outcome, Reason, Rule, Seeds, SolverKind, Verdict, Vocabulary, prove};
use support::corpus::corpus;
use support::parse;

/// Programs that take a rule longer than a quick test should.
const SLOW: [(&str, Rule); 8] = [
    ("lamport", Rule::RelyGuarantee),
    ("bakery", Rule::RelyGuarantee),
    ("szymanski", Rule::RelyGuarantee),
    ("qrcu3", Rule::Monolithic),
    ("qrcu3", Rule::OwickiGries),
    ("qrcu3", Rule::RelyGuarantee),
    ("qrcu4", Rule::Monolithic),
    ("qrcu4", Rule::OwickiGries),
];

fn text(name: &str) -> String {
    corpus().into_iter().find(|entry| entry.name == name).expect("in the corpus").text
}

fn solve(name: &str, options: &Options) -> Outcome {
    prove(&parse(&text(name)), options)
}

fn check_rule(rule: Rule) {
    for entry in corpus() {
        if entry.name == "qrcu4" || SLOW.contains(&(entry.name, rule)) {
            continue;
        }
        let outcome = prove(&parse(&entry.text), &Options::new(rule));
        match (&outcome.verdict, entry.safe) {
            (Verdict::Safe(_), true) | (Verdict::Unsafe(_), false) => {}
            (verdict, _) => panic!("{} under {rule}: {verdict:?}", entry.name),
        }
    }
}

#[test]
fn monolithic_decides_the_corpus() {
    check_rule(Rule::Monolithic);
}

#[test]
fn owicki_gries_decides_the_corpus() {
    check_rule(Rule::OwickiGries);
}

#[test]
fn rely_guarantee_decides_the_corpus() {
    check_rule(Rule::RelyGuarantee);
}

#[test]
fn the_portfolio_decides() {
    for (name, safe) in [("peterson", true), ("dekker-bad", false), ("ticket", true)] {
        let outcome = solve(name, &Options { workers: 2, ..Options::default() });
        let right = matches!((&outcome.verdict, safe), (Verdict::Safe(_), true) | (Verdict::Unsafe(_), false));
        assert!(right, "{name}: {:?}", outcome.verdict);
    }
}

#[test]
fn runs_repeat() {
    for rule in Rule::ALL {
        for name in ["peterson", "bakery-bad", "ticket"] {
            let run = |workers: usize| solve(name, &Options { workers, ..Options::new(rule) });
            let runs: Vec<Outcome> = [1, 1, 2, 2].into_iter().map(run).collect();
            assert_eq!(runs[0].statistics.entailment, runs[1].statistics.entailment, "{name} under {rule}");
            // Two workers may ask the same at once, and then both look for the answer: how often is a matter of chance.
            let asked =
                |outcome: &Outcome| (outcome.statistics.entailment.queries, outcome.statistics.entailment.solver);
            for other in &runs[1..] {
                assert_eq!(format!("{:?}", runs[0].verdict), format!("{:?}", other.verdict), "{name} under {rule}");
                assert_eq!(asked(&runs[0]), asked(other), "{name} under {rule}");
            }
        }
    }
}

#[test]
fn a_lock_with_an_owner_has_a_modular_proof() {
    for rule in [Rule::OwickiGries, Rule::RelyGuarantee] {
        let options = Options { modularity: Modularity::Only, ..Options::new(rule) };
        let outcome = solve("mutex3", &options);
        let Verdict::Safe(certificate) = outcome.verdict else { panic!("{rule}: {:?}", outcome.verdict) };
        assert!(certificate.is_modular(&parse(&text("mutex3"))), "{rule}");
    }
}

#[test]
fn a_ticket_lock_has_none() {
    let options = Options { modularity: Modularity::Only, refinements: 12, ..Options::new(Rule::OwickiGries) };
    assert!(matches!(solve("ticket", &options).verdict, Verdict::Unknown(_)));
    let Verdict::Safe(certificate) = solve("ticket", &Options::new(Rule::OwickiGries)).verdict else { panic!() };
    assert!(!certificate.is_modular(&parse(&text("ticket"))));
}

#[test]
fn rely_guarantee_can_start_without_seeds() {
    let options = Options { seeds: Seeds::None, ..Options::new(Rule::RelyGuarantee) };
    for name in ["spin2003", "mutex3"] {
        let outcome = solve(name, &options);
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{name}: {:?}", outcome.verdict);
    }
}

#[test]
fn a_run_never_overflows() {
    // x + 1 leaves the range only by undefined behaviour, after which nothing counts.
    for rule in Rule::ALL {
        assert!(matches!(solve("overflow", &Options::new(rule)).verdict, Verdict::Safe(_)));
    }
}

#[test]
fn disjunctions_are_proved_at_once() {
    for rule in Rule::ALL {
        let outcome = solve("disjunction", &Options::new(rule));
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
        assert!(outcome.statistics.refinements <= 3);
    }
}

#[test]
fn spacer_agrees() {
    let kinds = [(Vocabulary::Full, Rule::Monolithic), (Vocabulary::Modular, Rule::OwickiGries)];
    for (vocabulary, rule) in kinds {
        let options = Options { solver: SolverKind::Spacer(vocabulary), ..Options::new(rule) };
        let outcome = solve("spin2003", &options);
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{rule}: {:?}", outcome.verdict);
    }
    let options = Options { solver: SolverKind::Spacer(Vocabulary::Full), ..Options::new(Rule::Monolithic) };
    assert!(matches!(solve("spin2003-bad", &options).verdict, Verdict::Unsafe(_)));
    let modular = Options { solver: SolverKind::Spacer(Vocabulary::Modular), ..Options::new(Rule::OwickiGries) };
    assert!(matches!(solve("spin2003-bad", &modular).verdict, Verdict::Unknown(Reason::NoProof(_))));
}

#[test]
fn a_cancelled_run_says_so() {
    let cancel = Cancel::new();
    cancel.cancel();
    for rule in [Some(Rule::OwickiGries), None] {
        let options = Options { rule, cancel: cancel.clone(), ..Options::default() };
        assert!(matches!(solve("peterson", &options).verdict, Verdict::Unknown(Reason::Cancelled)));
    }
}

#[test]
fn limits_are_reported() {
    let options = Options { refinements: 1, ..Options::new(Rule::OwickiGries) };
    assert!(matches!(solve("peterson", &options).verdict, Verdict::Unknown(Reason::Refinements(1))));
    let options = Options { states: 5, ..Options::new(Rule::OwickiGries) };
    assert!(matches!(solve("peterson", &options).verdict, Verdict::Unknown(Reason::States(5))));
}

#[test]
fn a_cut_trace_is_rejected() {
    let program = parse(&text("peterson-bad"));
    let Verdict::Unsafe(found) = prove(&program, &Options::new(Rule::OwickiGries)).verdict else { panic!() };
    let mut trace = Trace::clone(&found);
    assert!(check_trace(&program, &trace).is_ok());
    let last = trace.steps.pop().expect("steps");
    assert_eq!(check_trace(&program, &trace), Err(TraceError::NoError));
    trace.steps.push(last);
    trace.steps.remove(0);
    assert!(matches!(check_trace(&program, &trace), Err(TraceError::Step(..))));
}

#[test]
fn obligations_can_be_listed() {
    let program = parse(&text("spin2003"));
    let Verdict::Safe(certificate) = prove(&program, &Options::new(Rule::OwickiGries)).verdict else { panic!() };
    assert!(matches!(*certificate, Certificate::OwickiGries(_)));
    assert!(obligations(&program, &certificate).expect("well formed").len() > 10);
}
