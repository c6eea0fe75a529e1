//! The result as JSON.

use check::{Certificate, Replayed, check_trace};
use frontend::{Assumption, Loaded};
use program::{Claim, Counter, Program, Span, ThreadId, Value, VarId, VarKind};
use rules::{End, Outcome, Rule, Verdict};
use serde_json::{Value as Json, json};

use crate::answers::{Answers, Refused, Standing};
use crate::assumptions;
use crate::prove::Found;
use crate::report::deadlock::{Now, Until, Waiter, at_end, line};
use crate::report::{Number, level, numbers, show};

/// Everything that is known about a run, as one object.
pub fn text(answers: &Answers, found: &Found) -> String {
    let Found { loaded, population, outcome, .. } = found;
    let program = &loaded.program;
    let mut object = json!({
        "format": 1,
        "rule": rule(outcome),
        "found_by": outcome.found_by.name(),
        "statistics": statistics(outcome),
    });
    let (verdict, evidence) = match &outcome.verdict {
        Verdict::Safe(certificate) => (answers.if_proved().0.to_string(), proof(program, certificate)),
        Verdict::Unsafe(trace) => (violated(trace), run(program, trace)),
        Verdict::Unknown(reason) => ("unknown".to_string(), json!({ "reason": reason.to_string() })),
    };
    object["verdict"] = json!(verdict);
    object["claims"] =
        answers.standings().map(|(claim, standing)| self::claim(answers, program, claim, &standing)).collect();
    if let Some(visits) = answers.visits() {
        object["end_of_main"] = json!(answers.end().map(|(reach, _)| reach.to_string()));
        object["ends"] = visits.ends.iter().map(|end| self::end(program, *end)).collect();
    }
    let proofs: Vec<(&Found, &check::Proof)> = answers.proofs().collect();
    if verdict == "true" {
        let assumption = |(_, a): &(&Loaded, &Assumption)| json!({ "number": a.number, "text": a.text, "place": a.span.map(|s| place(program, s)) });
        let proved: Vec<&Loaded> = proofs.iter().map(|(found, _)| &found.loaded).collect();
        object["assumptions"] = assumptions::united(&proved).iter().map(assumption).collect();
    }
    if proofs.len() > 1 {
        object["proofs"] = proofs.iter().map(|(found, certificate)| part(found, certificate)).collect();
    }
    if !answers.refused().is_empty() {
        let refused = |refused: &Refused| {
            let names: Vec<&str> = refused.properties.iter().map(|property| property.name()).collect();
            json!({ "properties": names, "reason": refused.reason })
        };
        object["refused"] = answers.refused().iter().map(refused).collect();
    }
    if verdict == "true" && !program.templates().is_empty() {
        object["parametric"] = parametric(loaded);
    }
    if let (Verdict::Unsafe(_), Some(instances)) = (&outcome.verdict, population.moving()) {
        object["instances"] = json!(instances);
    }
    object["evidence"] = evidence;
    format!("{object:#}\n")
}

/// A proof of one of several parts of what is asked for.
fn part(found: &Found, certificate: &Certificate) -> Json {
    let Found { loaded, outcome, .. } = found;
    let properties = loaded.part.as_ref().unwrap_or(&loaded.properties);
    json!({
        "properties": properties.iter().map(|property| property.name()).collect::<Vec<_>>(),
        "rule": rule(outcome),
        "found_by": outcome.found_by.name(),
        "statistics": statistics(outcome),
        "evidence": proof(&loaded.program, certificate),
    })
}

/// What an answer took.
fn statistics(outcome: &Outcome) -> Json {
    let s = &outcome.statistics;
    json!({
        "refinements": s.refinements,
        "predicates": s.predicates,
        "transition_predicates": s.transition_predicates,
        "states": s.states,
        "steps": s.steps,
        "environment_transitions": s.effects,
        "entailment_queries": s.entailment.queries,
        "entailment_by_solver": s.entailment.solver,
        "seconds": {
            "abstraction": s.reach_time.as_secs_f64(),
            "refinement": s.refine_time.as_secs_f64(),
            "check": s.check_time.as_secs_f64(),
        },
    })
}

/// The verdict of a run.
pub fn violated(run: &Replayed) -> String {
    run.violated().map_or_else(|| "unknown".into(), |claim| format!("false({})", claim.property))
}

/// A claim with what is known of it.
fn claim(answers: &Answers, program: &Program, claim: &Claim, standing: &Standing<'_>) -> Json {
    let mut object = json!({
        "property": claim.id.property.name(),
        "place": place(program, claim.id.span),
        "what": claim.what,
        "function": claim.function,
        "verdict": standing.word(),
    });
    if let Some(other) = claim.id.other {
        object["other_place"] = place(program, other);
    }
    match standing {
        Standing::Undecided(why) => object["reason"] = json!(why),
        Standing::Holds(found) => {
            object["found_by"] = json!(found.outcome.found_by.name());
            object["reach"] = json!(answers.reach(claim).map(|reach| reach.to_string()));
        }
        Standing::Fails(found) => {
            object["found_by"] = json!(found.outcome.found_by.name());
            if let Verdict::Unsafe(run) = &found.outcome.verdict {
                object["evidence"] = self::run(&found.loaded.program, run);
            }
        }
    }
    object
}

/// Where runs ended that were looked for to see whether proofs say anything.
fn end(program: &Program, end: End) -> Json {
    match end {
        End::Undefined(kind, span) => json!({ "end": kind.to_string(), "place": place(program, span) }),
        End::Stuck(span) => json!({ "end": "stuck", "place": place(program, span) }),
        End::Stopped(span) => json!({ "end": "stopped", "place": place(program, span) }),
        End::Normally => json!({ "end": "normal" }),
    }
}

/// The rule of the proof, or the one under which something else was found or given up.
fn rule(outcome: &Outcome) -> Option<&'static str> {
    match &outcome.verdict {
        Verdict::Safe(proof) => Some(proof.rule_name()),
        _ => outcome.found_by.rule().map(Rule::name),
    }
}

/// What a proof about any number of threads speaks of.
fn parametric(loaded: &Loaded) -> Json {
    let program = &loaded.program;
    let number = |(name, number): &(&str, Number)| match number {
        Number::Any => json!({ "template": name, "instances": "any" }),
        Number::Created(None) => json!({ "template": name, "instances": "as created" }),
        Number::Created(Some(count)) => json!({ "template": name, "instances": count }),
    };
    let counter = |(counter, var): &(Counter, VarId)| {
        let locations: Vec<u32> = counter.locations.iter().map(|location| location.0).collect();
        json!({
            "name": program.var(*var).name,
            "template": program.templates().get(counter.template).map(|template| &template.name),
            "locations": locations,
        })
    };
    json!({
        "level": level(program),
        "templates": program.templates().iter().map(|template| &template.name).collect::<Vec<_>>(),
        "numbers": numbers(loaded).iter().map(number).collect::<Vec<_>>(),
        "counters": program.counters().iter().map(counter).collect::<Vec<_>>(),
    })
}

fn place(program: &Program, span: Span) -> Json {
    json!({ "file": program.files().get(span.file as usize), "line": span.line, "column": span.column })
}

fn proof(program: &Program, certificate: &Certificate) -> Json {
    let invariants: Vec<Json> = certificate
        .invariants()
        .iter()
        .flat_map(|invariant| {
            invariant.at.iter().map(move |(at, formula)| {
                let threads: Vec<Json> = invariant
                    .threads
                    .iter()
                    .zip(at)
                    .map(|(thread, location)| {
                        let t = program.thread(*thread);
                        json!({
                            "thread": t.name,
                            "location": location.0,
                            "place": place(program, t.location(*location).span),
                        })
                    })
                    .collect();
                json!({ "at": threads, "invariant": show(program, *formula) })
            })
        })
        .collect();
    let environment: Vec<Json> = match certificate {
        Certificate::RelyGuarantee { invariants, environment } => invariants
            .iter()
            .zip(environment)
            .map(|(invariant, all)| {
                let all: Vec<String> = all.iter().map(|e| show(program, *e)).collect();
                json!({ "thread": names(program, invariant), "transitions": all })
            })
            .collect(),
        _ => Vec::new(),
    };
    json!({ "modular": certificate.is_modular(program), "invariants": invariants, "environment": environment })
}

/// The threads that an assertion is about.
pub fn names(program: &Program, invariant: &check::Invariant) -> String {
    let names: Vec<&str> = invariant.threads.iter().map(|thread| program.thread(*thread).name.as_str()).collect();
    names.join(", ")
}

/// A run, and who waits for whom at its end where that is a deadlock.
fn run(program: &Program, run: &Replayed) -> Json {
    let mut object = steps(program, run);
    let deadlock = deadlock(program, run);
    if !deadlock.is_empty() {
        object["deadlock"] = json!(deadlock);
    }
    object
}

/// Who waits where for what at the end of a run, and who holds it: nobody for what anyone could end.
pub fn deadlock(program: &Program, run: &Replayed) -> Vec<Json> {
    let one = |waiter: &Waiter| {
        let name = |thread: ThreadId| program.thread(thread).name.as_str();
        let (holder, ended) = match waiter.until {
            Until::Holder(thread, now) => (Some(name(thread)), now == Now::Ended),
            Until::End(thread) => (Some(name(thread)), false),
            Until::Nobody => (None, false),
        };
        json!({
            "thread": name(waiter.thread),
            "place": place(program, waiter.span),
            "waits_for": waiter.what(program),
            "held_by": holder,
            "holder_has_ended": ended,
            "text": line(program, waiter),
        })
    };
    at_end(program, run).iter().map(one).collect()
}

fn steps(program: &Program, trace: &check::Trace) -> Json {
    let Ok(states) = check_trace(program, trace) else { return Json::Null };
    let value = |value: &Value| match value {
        Value::Int(v) => json!(v.to_string()),
        Value::Bool(v) => json!(v),
        Value::Array(array) => json!({ "default": array.default.to_string(),
            "elements": array.elements.iter().map(|(i, v)| json!([i.to_string(), v.to_string()])).collect::<Vec<_>>() }),
    };
    let named = |state: &check::State| -> Json {
        let user = program.state_vars().filter(|(_, var)| matches!(var.kind, VarKind::User | VarKind::Lock));
        user.filter_map(|(id, var)| Some((var.name.clone(), value(state.value(id)?)))).collect()
    };
    let steps: Vec<Json> = trace
        .steps
        .iter()
        .zip(states.iter().skip(1))
        .map(|(step, after)| {
            let thread = program.thread(step.thread);
            let inputs: Json = step.inputs.iter().map(|(id, v)| (program.var(*id).name.clone(), value(v))).collect();
            json!({
                "thread": thread.name,
                "transition": step.transition,
                "place": thread.transitions.get(step.transition).map(|t| place(program, t.span)),
                "inputs": inputs,
                "state": named(after),
            })
        })
        .collect();
    json!({ "initial": states.first().map(named), "steps": steps })
}
