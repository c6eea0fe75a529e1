//! The result as one self-contained page: the source with its invariants, or the trace as a table to step through.

use std::collections::{BTreeMap, BTreeSet};

use check::{Certificate, Trace, check_trace};
use frontend::{END_OF_MAIN, Loaded};
use program::{Claim, LocationKind, Program, Span, VarKind};
use rules::{Verdict, Visit};
use serde_json::{Value as Json, json};

use crate::answers::{Answers, Standing};
use crate::json::{deadlock, violated};
use crate::prove::Found;
use crate::report::{conflict, counters, number, show, step_lines, value};
use crate::vacuity;

const PAGE: &str = include_str!("page.html");

/// The page of a run.
pub fn text(answers: &Answers, found: &Found) -> String {
    let Found { loaded, population, outcome, .. } = found;
    let shown = Shown::of(loaded);
    let mut data = json!({
        "file": loaded.inputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" "),
        "found_by": outcome.found_by.to_string(),
        "producer": crate::origin::PRODUCER,
        "source": shown.text,
        "numbers": shown.numbers,
        "threads": loaded.program.threads().map(|(_, t)| t.name.clone()).collect::<Vec<_>>(),
    });
    data["claims"] =
        answers.standings().map(|(claim, standing)| self::claim(answers, loaded, &shown, claim, &standing)).collect();
    data["ends"] = json!(answers.visits().and_then(|visits| vacuity::ends(&loaded.program, visits)));
    let end = answers.end().filter(|(reach, _)| *reach != Visit::Reached);
    data["end"] = json!(end.map(|(reach, _)| format!("{END_OF_MAIN} is {reach}")));
    match &outcome.verdict {
        Verdict::Safe(_) => {
            let (verdict, why) = answers.if_proved();
            data["verdict"] = json!(why.map_or_else(|| verdict.into(), |why| format!("{verdict}({why})")));
            let proofs: Vec<(&Found, &check::Proof)> = answers.proofs().collect();
            let rules: BTreeSet<&str> = proofs.iter().map(|(_, proof)| proof.rule_name()).collect();
            data["rule"] = json!(rules.into_iter().collect::<Vec<_>>().join(" and "));
            data["modular"] = json!(proofs.iter().all(|(found, proof)| proof.is_modular(&found.loaded.program)));
            data["number"] = json!(number(loaded));
            data["counters"] = json!(counters(&loaded.program));
            // What several proofs say holds all the same.
            let of = |what: &dyn Fn(&Program, &Certificate) -> Vec<Json>| -> Vec<Json> {
                proofs.iter().flat_map(|(found, proof)| what(&found.loaded.program, proof)).collect()
            };
            data["invariants"] = json!(of(&|program, proof| invariants(program, &shown, proof)));
            data["environment"] = json!(of(&environment));
        }
        Verdict::Unsafe(trace) => {
            data["verdict"] = json!(violated(trace));
            data["steps"] = steps(loaded, &shown, trace);
            data["deadlock"] = json!(deadlock(&loaded.program, trace));
            data["race"] = if data["deadlock"] == json!([]) { race(loaded, trace) } else { Json::Null };
            if let Some(instances) = population.moving() {
                data["instances"] = json!(instances);
            }
        }
        Verdict::Unknown(reason) => data["verdict"] = json!(format!("unknown({reason})")),
    }
    // Inside a script element only `</` could end it, and `<!--` change how it is read.
    let data = data.to_string().replace('<', "\\u003c");
    PAGE.replace("/*DATA*/null", &data)
}

/// The text on the page: that of the file, or of each of several files behind its name.
struct Shown<'a> {
    text: Vec<&'a str>,
    /// What stands before each line.
    numbers: Vec<String>,
    /// How many lines of the page are before those of a file, by its index.
    before: BTreeMap<u32, usize>,
}

impl<'a> Shown<'a> {
    fn of(loaded: &'a Loaded) -> Shown<'a> {
        let mut shown = Shown { text: Vec::new(), numbers: Vec::new(), before: BTreeMap::new() };
        let names = loaded.sources.names();
        for path in &loaded.inputs {
            let name = path.display().to_string();
            // The first file is the first that was read, also where it is shown under another name.
            let file = names.iter().position(|other| *other == name).unwrap_or(0);
            let file = program::number(file);
            if loaded.inputs.len() > 1 {
                shown.text.push(loaded.sources.name(file));
                shown.numbers.push(String::new());
            }
            shown.before.insert(file, shown.text.len());
            let lines: Vec<&str> = loaded.sources.text(file).unwrap_or("").lines().collect();
            shown.numbers.extend((1..=lines.len()).map(|number| number.to_string()));
            shown.text.extend(lines);
        }
        shown
    }

    /// The line of the page, counted from 1, on which a place is; 0 for none.
    fn line(&self, span: Span) -> usize {
        self.before.get(&span.file).map_or(0, |before| before + span.line as usize)
    }
}

/// A claim for the list of all.
fn claim(answers: &Answers, loaded: &Loaded, shown: &Shown<'_>, claim: &Claim, standing: &Standing<'_>) -> Json {
    let why = match standing {
        Standing::Undecided(why) => why.clone(),
        Standing::Holds(_) => answers.reach(claim).map_or_else(String::new, |reach| reach.to_string()),
        Standing::Fails(_) => String::new(),
    };
    let line = shown.line(claim.id.span);
    let place = loaded.program.place(claim.id.span);
    json!({ "place": place, "line": line, "what": claim.what, "verdict": standing.word(), "why": why })
}

/// What holds, by line: a list of places with what they say.
fn invariants(program: &Program, shown: &Shown<'_>, certificate: &Certificate) -> Vec<Json> {
    let mut all = Vec::new();
    for invariant in certificate.invariants() {
        for (place, formula) in &invariant.at {
            let at: Vec<Json> = invariant
                .threads
                .iter()
                .zip(place)
                .map(|(thread, location)| {
                    let t = program.thread(*thread);
                    let found = t.location(*location);
                    let line = if found.kind == LocationKind::Plain { shown.line(found.span) } else { 0 };
                    json!({ "thread": t.name, "line": line, "location": location.0 })
                })
                .collect();
            all.push(json!({ "at": at, "formula": show(program, *formula) }));
        }
    }
    all
}

fn environment(program: &Program, certificate: &Certificate) -> Vec<Json> {
    let Certificate::RelyGuarantee { invariants, environment } = certificate else { return Vec::new() };
    let of = |(invariant, all): (&check::Invariant, &Vec<program::Term>)| json!({ "thread": crate::json::names(program, invariant), "transitions": all.iter().map(|e| show(program, *e)).collect::<Vec<_>>() });
    invariants.iter().zip(environment).map(of).collect()
}

/// The two accesses of a race: who makes each, where, and what it does.
fn race(loaded: &Loaded, trace: &Trace) -> Json {
    let states = check_trace(&loaded.program, trace).unwrap_or_default();
    let Some(cells) = states.last().and_then(|end| conflict(loaded, trace, end)) else { return Json::Null };
    let names = loaded.program.threads().map(|(_, thread)| thread.name.as_str());
    let access = |(thread, told): (&str, &Vec<String>)| {
        let [source, deed, calls @ ..] = told.as_slice() else { return None };
        let calls: Vec<&str> = calls.iter().map(|call| call.trim()).collect();
        Some(json!({ "thread": thread, "source": source, "deed": deed.trim(), "calls": calls }))
    };
    names.zip(&cells).filter_map(access).collect()
}

fn steps(loaded: &Loaded, shown: &Shown<'_>, trace: &Trace) -> Json {
    let program = &loaded.program;
    let Ok(states) = check_trace(program, trace) else { return json!([]) };
    let steps = trace.steps.iter().enumerate().map(|(k, step)| {
        let transition = program.thread(step.thread).transitions.get(step.transition);
        let values: Json = program
            .state_vars()
            .filter(|(_, var)| matches!(var.kind, VarKind::User | VarKind::Lock))
            .filter_map(|(id, var)| Some((var.name.clone(), json!(value::text(loaded, id, states[k + 1].value(id)?)))))
            .collect();
        json!({
            "thread": step.thread.0,
            "line": transition.map_or(0, |t| shown.line(t.span)),
            "text": step_lines(loaded, step, &states[k], &states[k + 1]),
            "values": values,
        })
    });
    Json::Array(steps.collect())
}
