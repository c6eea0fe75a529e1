//! The result as one self-contained page: the source with its invariants, or the trace as a table to step through.

use check::{Certificate, Trace, check_trace};
use frontend::Loaded;
use program::{Claim, LocationKind, Program, VarKind};
use rules::Verdict;
use serde_json::{Value as Json, json};

use crate::answers::{Answers, Standing};
use crate::json::{deadlock, violated};
use crate::prove::Found;
use crate::report::{conflict, counters, number, show, step_lines, value_text};
use crate::vacuity;

const PAGE: &str = include_str!("page.html");

/// The page of a run.
pub fn text(answers: &Answers, found: &Found) -> String {
    let Found { loaded, population, outcome, .. } = found;
    let source: Vec<&str> = loaded.sources.text(0).unwrap_or("").lines().collect();
    let mut data = json!({
        "file": loaded.input.display().to_string(),
        "found_by": outcome.found_by.to_string(),
        "producer": crate::origin::PRODUCER,
        "source": source,
        "threads": loaded.program.threads().map(|(_, t)| t.name.clone()).collect::<Vec<_>>(),
    });
    data["claims"] =
        answers.standings().map(|(claim, standing)| self::claim(answers, &loaded.program, claim, &standing)).collect();
    data["ends"] = json!(answers.visits().and_then(|visits| vacuity::ends(&loaded.program, visits)));
    match &outcome.verdict {
        Verdict::Safe(certificate) => {
            data["verdict"] = json!("true");
            data["rule"] = json!(certificate.rule_name());
            data["modular"] = json!(certificate.is_modular(&loaded.program));
            data["number"] = json!(number(loaded));
            data["counters"] = json!(counters(&loaded.program));
            data["invariants"] = invariants(&loaded.program, certificate);
            data["environment"] = environment(&loaded.program, certificate);
        }
        Verdict::Unsafe(trace) => {
            data["verdict"] = json!(violated(trace));
            data["steps"] = steps(loaded, trace);
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

/// A claim for the list of all.
fn claim(answers: &Answers, program: &Program, claim: &Claim, standing: &Standing<'_>) -> Json {
    let why = match standing {
        Standing::Undecided(why) => why.clone(),
        Standing::Holds(_) => answers.reach(claim).map_or_else(String::new, |reach| reach.to_string()),
        Standing::Fails(_) => String::new(),
    };
    let line = if claim.id.span.file == 0 { claim.id.span.line } else { 0 };
    let place = program.place(claim.id.span);
    json!({ "place": place, "line": line, "what": claim.what, "verdict": standing.word(), "why": why })
}

/// What holds, by line: a list of places with what they say.
fn invariants(program: &Program, certificate: &Certificate) -> Json {
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
                    let line =
                        if found.kind == LocationKind::Plain && found.span.file == 0 { found.span.line } else { 0 };
                    json!({ "thread": t.name, "line": line, "location": location.0 })
                })
                .collect();
            all.push(json!({ "at": at, "formula": show(program, *formula) }));
        }
    }
    Json::Array(all)
}

fn environment(program: &Program, certificate: &Certificate) -> Json {
    let Certificate::RelyGuarantee { invariants, environment } = certificate else { return json!([]) };
    let of = |(invariant, all): (&check::Invariant, &Vec<program::Term>)| json!({ "thread": crate::json::names(program, invariant), "transitions": all.iter().map(|e| show(program, *e)).collect::<Vec<_>>() });
    invariants.iter().zip(environment).map(of).collect()
}

/// The two accesses of a race: who makes each, where, and what it does.
fn race(loaded: &Loaded, trace: &Trace) -> Json {
    let states = check_trace(&loaded.program, trace).unwrap_or_default();
    let Some(cells) = states.last().and_then(|end| conflict(loaded, trace, end)) else { return Json::Null };
    let names = loaded.program.threads().map(|(_, thread)| thread.name.as_str());
    let racing = names.zip(&cells).filter(|(_, [source, _])| !source.is_empty());
    racing.map(|(thread, [source, deed])| json!({ "thread": thread, "source": source, "deed": deed.trim() })).collect()
}

fn steps(loaded: &Loaded, trace: &Trace) -> Json {
    let program = &loaded.program;
    let Ok(states) = check_trace(program, trace) else { return json!([]) };
    let steps = trace.steps.iter().enumerate().map(|(k, step)| {
        let transition = program.thread(step.thread).transitions.get(step.transition);
        let values: Json = program
            .state_vars()
            .filter(|(_, var)| matches!(var.kind, VarKind::User | VarKind::Lock))
            .filter_map(|(id, var)| Some((var.name.clone(), json!(value_text(states[k + 1].value(id)?)))))
            .collect();
        json!({
            "thread": step.thread.0,
            "line": transition.map_or(0, |t| if t.span.file == 0 { t.span.line } else { 0 }),
            "text": step_lines(loaded, step, &states[k], &states[k + 1]),
            "values": values,
        })
    });
    Json::Array(steps.collect())
}
