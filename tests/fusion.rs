//! Random multi-threaded programs: fused Programs, unfused ones and the generator's syntax trees have the same behaviour.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use frontend::{Fusion, Options};
use program::ClaimId;
use support::brute::{self, Granularity, Outcome};
use support::explore::{self, Exploration, SMALL};
use support::gen_threads;
use support::lowered::lower_text;
use support::native::scratch;
use support::rng::{cases, seed};
use support::thread_ast::Threads;

/// More states than this, and a program is left out: there is another one.
const BRUTE_STATES: usize = 2_000;
/// Unfused programs stop after every instruction: they have many times the states of the syntax trees.
const PROGRAM_STATES: usize = 400_000;

/// Programs with at most [`BRUTE_STATES`] states, with their numbers, and what they do.
fn generated() -> impl Iterator<Item = (u64, Threads, Outcome)> {
    (0u64..).filter_map(|n| {
        let program = gen_threads::program(seed(), n);
        let outcome = brute::explore(&program, Granularity::Shared, BRUTE_STATES)?;
        Some((n, program, outcome))
    })
}

/// The programs are worth comparing: some fail and some do not, some have several final states, few are too large.
#[test]
fn the_generated_programs_are_of_all_sorts() {
    let all: Vec<_> = generated().take(300).collect();
    let count = |wanted: &dyn Fn(&Outcome) -> bool| all.iter().filter(|(_, _, o)| wanted(o)).count();
    let (failing, several) = (count(&|o| !o.failures.is_empty()), count(&|o| o.finals.len() > 1));
    let blocking = count(&|o| o.finals.is_empty());
    assert!((90..=210).contains(&failing), "{failing} of 300 can fail");
    assert!(several >= 90, "{several} of 300 have several final states");
    assert!(blocking <= 110, "{blocking} of 300 have no final state");
    let tried = all.last().expect("some").0 + 1;
    assert!(tried <= 400, "{tried} programs were needed for 300 small ones");
}

/// Executing local instructions at once is a shortcut of the brute-force explorer; here it is checked against going without. A
/// thread that may stop before its failing assertion lets others fail, too, who see what it wrote before.
#[test]
fn brute_force_does_not_depend_on_granularity() {
    let mut compared = 0;
    for (n, program, outcome) in generated().take(100) {
        let Some(every) = brute::explore(&program, Granularity::Every, 10_000) else { continue };
        assert_eq!(every.finals, outcome.finals, "seed {}, case {n}", seed());
        assert!(outcome.failures.is_subset(&every.failures), "seed {}, case {n}", seed());
        assert_eq!(every.failures.is_empty(), outcome.failures.is_empty(), "seed {}, case {n}", seed());
        compared += 1;
    }
    assert!(compared >= 50, "only {compared} of 100 programs were small enough");
}

#[test]
fn fused_and_unfused_programs_agree_with_brute_force() {
    let dir = scratch("fusion");
    let wanted = cases(300) as usize;
    let wrong: Vec<String> = generated()
        .take(wanted)
        .filter_map(|(n, program, outcome)| {
            let error = compare(&dir, n, &program, &outcome).err()?;
            Some(format!("seed {}, case {n}: {error}\n{}", seed(), program.c_text()))
        })
        .collect();
    let shown = wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {wanted} programs differ\n{shown}", wrong.len());
}

fn compare(dir: &Path, n: u64, program: &Threads, outcome: &Outcome) -> Result<(), String> {
    let observed = program.written();
    let names: Vec<String> = observed.iter().map(|(_, name)| name.clone()).collect();
    let finals: BTreeSet<Vec<i128>> =
        outcome.finals.iter().map(|values| observed.iter().map(|(g, _)| i128::from(values[*g])).collect()).collect();
    let lines = program.assertion_lines();
    let failures: BTreeSet<u32> = outcome.failures.iter().map(|number| lines[number]).collect();
    for fusion in [Fusion::On, Fusion::Local, Fusion::Off] {
        let options = Options { fusion, ..Options::default() };
        let loaded = lower_text(dir, &format!("case{n}"), &program.c_text(), &options)?;
        let found = explore::explore(&loaded.program, &names, &SMALL, PROGRAM_STATES)
            .map_err(|error| format!("fusion {fusion:?}: {error}"))?;
        if let Some((kind, span)) = found.undefined.first() {
            return Err(format!("fusion {fusion:?}: undefined behaviour in line {}: {kind}", span.line));
        }
        for failure in &found.failures {
            explore::replay(&loaded.program, &failure.trace).map_err(|error| format!("fusion {fusion:?}: {error}"))?;
        }
        let failing = failing_lines(&found, lines.values().copied().collect())?;
        // A failure of one assertion may come before another one could: a step that is fused with a failing assertion is not
        // seen without the failure.
        let agree = match fusion {
            Fusion::On => failing.is_subset(&failures) && failing.is_empty() == failures.is_empty(),
            Fusion::Local => failing == failures,
            Fusion::Off => failing == failures || Some(failing.clone()) == failing_one_by_one(program),
        };
        if !agree {
            return Err(format!("fusion {fusion:?}: assertions in lines {failing:?} can fail, not {failures:?}"));
        }
        if found.finals != finals {
            return Err(format!("fusion {fusion:?}: final {names:?} are {:?}, not {finals:?}", found.finals));
        }
    }
    Ok(())
}

/// Asked by itself, an assertion fails where one that may fail before it does not hide it, whatever is fused.
#[test]
fn each_claim_by_itself_agrees_with_brute_force() {
    let dir = scratch("claims");
    let mut compared = 0;
    for (n, program, _) in generated().take(cases(100) as usize) {
        let Some(failures) = failing_one_by_one(&program) else { continue };
        for fusion in [Fusion::On, Fusion::Local, Fusion::Off] {
            let failing = failing_by_themselves(&dir, &format!("claim{n}"), &program.c_text(), fusion);
            assert_eq!(failing.as_ref(), Ok(&failures), "{fusion:?}, seed {}, case {n}\n{}", seed(), program.c_text());
        }
        compared += 1;
    }
    assert!(compared >= 50, "only {compared} programs were small enough");
}

/// What is one step with a creation fails before the new thread can, but does not hide that it can; what a section does before an
/// assertion in it fails nobody sees.
#[test]
fn a_failure_hides_no_other() {
    let dir = scratch("hidden");
    let created = "#include <pthread.h>\n#include <assert.h>\nint x;\n\
         void *t(void *a) { assert(x == 7); return 0; }\n\
         int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);\nassert(0); }\n";
    let section = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid __VERIFIER_atomic_begin(void);\n\
         void __VERIFIER_atomic_end(void);\nvoid *t(void *a) { assert(x == 0); return 0; }\n\
         int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); __VERIFIER_atomic_begin(); x = 1;\n\
         assert(0); x = 0; __VERIFIER_atomic_end(); }\n";
    for fusion in [Fusion::On, Fusion::Local, Fusion::Off] {
        let failing = |name: &str, text: &str| failing_by_themselves(&dir, name, text, fusion);
        assert_eq!(failing("created", created), Ok(BTreeSet::from([4, 6])), "{fusion:?}");
        assert_eq!(failing("section", section), Ok(BTreeSet::from([8])), "{fusion:?}");
    }
    let together = lower_text(&dir, "together", created, &Options::default()).expect("lowered");
    let together = explore::explore(&together.program, &[], &SMALL, PROGRAM_STATES).expect("explored");
    let lines: Vec<u32> = together.failures.iter().map(|failure| failure.location.line).collect();
    assert_eq!(lines, [6], "together, the first failure ends all");
}

/// The lines of the assertions that can fail in programs that ask one of them.
fn failing_by_themselves(dir: &Path, name: &str, text: &str, fusion: Fusion) -> Result<BTreeSet<u32>, String> {
    let all = lower_text(dir, name, text, &Options { fusion, ..Options::default() })?;
    let all: BTreeSet<ClaimId> = all.program.claims().iter().map(|claim| claim.id).collect();
    let mut failing = BTreeSet::new();
    for claim in &all {
        let unasked = all.iter().copied().filter(|other| other != claim).collect();
        let one = lower_text(dir, name, text, &Options { fusion, unasked, ..Options::default() })?;
        let asked: Vec<ClaimId> = one.program.claims().iter().map(|claim| claim.id).collect();
        assert_eq!(asked, [*claim]);
        let found = explore::explore(&one.program, &[], &SMALL, PROGRAM_STATES)?;
        failing.extend(found.failures.iter().map(|failure| failure.location.line));
    }
    Ok(failing)
}

/// The lines of the assertions that can fail if a thread may stop before an assertion; nothing if there are too many states.
fn failing_one_by_one(program: &Threads) -> Option<BTreeSet<u32>> {
    let lines = program.assertion_lines();
    let outcome = brute::explore(program, Granularity::Every, PROGRAM_STATES)?;
    Some(outcome.failures.iter().map(|number| lines[number]).collect())
}

/// The lines of the assertions that fail: where the error location is, or else the step to it.
fn failing_lines(found: &Exploration, lines: BTreeSet<u32>) -> Result<BTreeSet<u32>, String> {
    let line = |f: &explore::Failure| {
        [f.location.line, f.step.line].into_iter().find(|line| lines.contains(line)).ok_or_else(|| {
            format!("an error in line {}, reached from line {}: no assertion", f.location.line, f.step.line)
        })
    };
    found.failures.iter().map(line).collect()
}
