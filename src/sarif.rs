//! The result as SARIF 2.1.0: a violation with one thread flow a thread, or a run without results.

use check::{Trace, check_trace};
use frontend::Loaded;
use program::{Program, Span, ThreadId};
use rules::{Outcome, Verdict};
use serde_json::{Value as Json, json};

use crate::origin;
use crate::report::step_lines;

/// The log of a run.
pub fn text(loaded: &Loaded, outcome: &Outcome) -> String {
    let (results, notification) = match &outcome.verdict {
        Verdict::Safe(_) => (Vec::new(), None),
        Verdict::Unsafe(trace) => (vec![violation(loaded, trace)], None),
        Verdict::Unknown(reason) => (Vec::new(), Some(reason.to_string())),
    };
    let notifications: Vec<Json> = notification
        .into_iter()
        .map(|text| json!({ "level": "warning", "message": { "text": format!("no verdict: {text}") } }))
        .collect();
    let artifact = json!({
        "location": { "uri": uri(&loaded.input.display().to_string()) },
        "hashes": { "sha-256": origin::sha256(&loaded.input).unwrap_or_default() },
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "threader",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": "unreach-call",
                    "shortDescription": { "text": "An assertion fails, or an error function is called." },
                }],
            } },
            "artifacts": [artifact],
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn violation(loaded: &Loaded, trace: &Trace) -> Json {
    let program = &loaded.program;
    let Ok(states) = check_trace(program, trace) else { return Json::Null };
    let last = trace.steps.last().and_then(|s| program.thread(s.thread).transitions.get(s.transition));
    let at = last.map_or_else(Span::default, |t| t.span);
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
    json!({
        "ruleId": "unreach-call",
        "ruleIndex": 0,
        "level": "error",
        "message": { "text": format!("An error is reached in {} steps.", trace.steps.len()) },
        "locations": [place(program, at)],
        "codeFlows": [{ "message": { "text": "one schedule" }, "threadFlows": flows }],
    })
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
