//! The result as SARIF 2.1.0: a violation with one thread flow a thread, or a run without results.

use std::path::PathBuf;

use check::check_trace;
use frontend::Loaded;
use program::{Access, Claim, Program, Property, Span, ThreadId};
use rules::Verdict;
use serde_json::{Value as Json, json};

use crate::answers::{Answers, Standing};
use crate::origin;
use crate::prove::Found;
use crate::report::deadlock::{at_end, line};
use crate::report::{racing, step_lines};

/// The log of a run.
pub fn text(answers: &Answers, found: &Found) -> String {
    let loaded = &found.loaded;
    let results: Vec<Json> = answers.violations().filter_map(|(claim, found)| violation(claim, found)).collect();
    let mut notifications: Vec<Json> =
        answers.standings().filter_map(|(claim, standing)| open(loaded, claim, &standing)).collect();
    notifications.extend(answers.refused().iter().map(|refused| {
        let names: Vec<&str> = refused.properties.iter().map(|property| property.name()).collect();
        json!({ "level": "warning", "message": { "text": format!("no verdict: {}: {}", names.join(", "), refused.reason) } })
    }));
    let artifact = |path: &PathBuf| {
        json!({
            "location": { "uri": uri(&path.display().to_string()) },
            "hashes": { "sha-256": origin::sha256(path).unwrap_or_default() },
        })
    };
    let artifacts: Vec<Json> = loaded.inputs.iter().map(artifact).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "threader",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Property::ALL.map(|property| json!({
                    "id": property.name(),
                    "shortDescription": { "text": property.violation() },
                })),
            } },
            "artifacts": artifacts,
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// That there is no verdict about a claim.
fn open(loaded: &Loaded, claim: &Claim, standing: &Standing<'_>) -> Option<Json> {
    let Standing::Undecided(why) = standing else { return None };
    let text = format!("no verdict: {} at {}: {why}", claim.what, loaded.program.place(claim.id.span));
    Some(json!({
        "level": "warning",
        "message": { "text": text },
        "locations": [place(&loaded.program, claim.id.span)],
    }))
}

fn violation(claim: &Claim, found: &Found) -> Option<Json> {
    let (loaded, program) = (&found.loaded, &found.loaded.program);
    let Verdict::Unsafe(trace) = &found.outcome.verdict else { return None };
    let states = check_trace(program, trace).ok()?;
    let flow = |id: ThreadId| {
        let steps = trace.steps.iter().enumerate().filter(|(_, step)| step.thread == id);
        let locations: Vec<Json> = steps
            .filter_map(|(k, step)| {
                let transition = program.thread(id).transitions.get(step.transition)?;
                let lines = step_lines(loaded, step, &states[k], &states[k + 1]);
                let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
                let mut location = place(program, transition.span);
                location["message"] = json!({ "text": lines.join("; ") });
                let fails = program.thread(id).location(transition.target).kind.is_error();
                let importance = if fails { "essential" } else { "important" };
                Some(json!({ "location": location, "executionOrder": k + 1, "importance": importance }))
            })
            .collect();
        json!({ "id": program.thread(id).name, "locations": locations })
    };
    let moved = program.threads().map(|(id, _)| id).filter(|id| trace.steps.iter().any(|step| step.thread == *id));
    let flows: Vec<Json> = moved.map(flow).collect();
    let waiters = at_end(program, trace);
    let deadlock = waiters.iter().map(|waiter| line(program, waiter));
    let what = [claim.violation.clone()].into_iter().chain(deadlock).collect::<Vec<_>>().join("; ");
    let waits = waiters.iter().map(|waiter| {
        let mut location = place(program, waiter.span);
        location["message"] = json!({ "text": line(program, waiter) });
        location
    });
    let mut locations: Vec<Json> = waits.collect();
    if locations.is_empty() {
        locations = claim.id.places().map(|span| place(program, span)).collect();
    }
    let mut result = json!({
        "ruleId": claim.id.property.name(),
        "ruleIndex": Property::ALL.iter().position(|property| *property == claim.id.property),
        "level": "error",
        "message": { "text": format!("{what}, after {} steps.", trace.steps.len()) },
        "locations": locations,
        "codeFlows": [{ "message": { "text": "one schedule" }, "threadFlows": flows }],
    });
    let stacks: Vec<Json> = states
        .last()
        .map_or_else(Vec::new, |end| racing(program, trace, end))
        .iter()
        .map(|access| stack(program, access))
        .collect();
    if !stacks.is_empty() {
        result["stacks"] = Json::Array(stacks);
    }
    Some(result)
}

/// The calls that an access of a race is made within, the access first.
fn stack(program: &Program, (thread, access): &(ThreadId, &Access)) -> Json {
    let places = [access.span].into_iter().chain(access.calls.iter().copied());
    let frames: Vec<Json> = places.map(|span| json!({ "location": place(program, span) })).collect();
    json!({ "message": { "text": program.thread(*thread).name }, "frames": frames })
}

fn place(program: &Program, span: Span) -> Json {
    let file = program.files().get(span.file as usize).map_or("", String::as_str);
    let mut region = json!({ "startLine": span.line.max(1) });
    if span.column > 0 {
        region["startColumn"] = json!(span.column);
    }
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } })
}

/// A path as a URI reference: what has a meaning there is escaped.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
