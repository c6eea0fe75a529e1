//! Proves the hand-written corpus under each rule and prints what it cost: `measure [NAME] [RULE]`.

#![allow(clippy::print_stdout)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use rules::{Options, Rule, Verdict, prove};
use support::{corpus::corpus, parse};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds: u64 = std::env::var("LIMIT").ok().and_then(|s| s.parse().ok()).unwrap_or(20);
    let wanted = |k: usize, name: &str| arguments.get(k).is_none_or(|a| a == "all" || a == name);
    println!(
        "{:16} {:4} {:28} {:>7} {:>4} {:>4} {:>4} {:>5} {:>5} {:>8} {:>5} {:>6} {:>6} {:>6}",
        "program", "rule", "verdict", "ms", "ref", "prd", "tprd", "st", "eff", "queries", "%dir", "z3", "horn", "check"
    );
    for entry in corpus().into_iter().filter(|e| wanted(0, e.name)) {
        let program = parse(&entry.text);
        for (name, method) in [("mono", Rule::Monolithic), ("og", Rule::OwickiGries), ("rg", Rule::RelyGuarantee)] {
            if !wanted(1, name) {
                continue;
            }
            let options = Options::new(method);
            let cancel = options.cancel.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(seconds));
                cancel.cancel();
            });
            let start = Instant::now();
            let report = prove(&program, &options);
            let time = start.elapsed().as_millis();
            let verdict = match &report.verdict {
                Verdict::Safe(_) => "safe".to_string(),
                Verdict::Unsafe(trace) => format!("unsafe {}", trace.steps.len()),
                Verdict::Unknown(reason) => format!("? {reason}"),
            };
            let right = match &report.verdict {
                Verdict::Safe(_) => entry.safe,
                Verdict::Unsafe(_) => !entry.safe,
                Verdict::Unknown(_) => true,
            };
            let s = &report.statistics;
            let e = s.entailment;
            let direct = 100.0 * (e.queries - e.solver) as f64 / e.queries.max(1) as f64;
            println!(
                "{:16} {:4} {:28.60} {:>7} {:>4} {:>4} {:>4} {:>5} {:>5} {:>8} {:>5.1} {:>6} {:>6} {:>6}{}",
                entry.name,
                name,
                verdict,
                time,
                s.refinements,
                s.predicates,
                s.transition_predicates,
                s.states,
                s.effects,
                e.queries,
                direct,
                e.solver,
                s.refine_time.as_millis(),
                s.check_time.as_millis(),
                if right { "" } else { "  WRONG" }
            );
        }
    }
}
