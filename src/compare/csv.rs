//! The study as CSV: one line a run, with every counter that any run has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value as Json;

use super::machine::Machine;
use super::record::Header;
use super::study::Study;
use super::task::Row;

const COLUMNS: [&str; 14] = [
    "program",
    "parameter",
    "value",
    "rule",
    "solver",
    "vocabulary",
    "level",
    "repeat",
    "verdict",
    "wall_seconds",
    "cpu_seconds",
    "megabytes",
    "modular",
    "published",
];
/// What all runs have in common, in each line, so that tables of several studies can be put together.
const STUDY: [&str; 8] =
    ["producer", "z3", "timeout", "memory", "machine_cpu", "machine_cores", "machine_megabytes", "machine_system"];

/// The table with its head.
pub fn text(study: &Study) -> String {
    let counters: Vec<BTreeMap<String, String>> = study.rows.iter().map(|row| counters(&row.statistics)).collect();
    let names: BTreeSet<&String> = counters.iter().flat_map(BTreeMap::keys).collect();
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>();
    let mut head = texts(&COLUMNS);
    head.extend(names.iter().map(|name| (*name).clone()));
    head.extend(texts(&["page", "message"]));
    head.extend(texts(&STUDY));
    let mut text = line(head.into_iter());
    for (row, counters) in study.rows.iter().zip(&counters) {
        let values = names.iter().map(|name| counters.get(*name).cloned().unwrap_or_default());
        let rest = [row.page.clone().unwrap_or_default(), row.message.clone().unwrap_or_default()];
        text += &line(fixed(study, row).into_iter().chain(values).chain(rest).chain(common(study)));
    }
    text
}

fn fixed(study: &Study, row: &Row) -> [String; 14] {
    let figure = study.figure(Path::new(&row.task.program), &row.task.configuration);
    let member = row.task.member.as_ref();
    [
        row.task.program.clone(),
        member.map(|member| member.parameter.clone()).unwrap_or_default(),
        member.map(|member| member.value.to_string()).unwrap_or_default(),
        row.task.configuration.rule.clone(),
        row.task.configuration.solver.clone(),
        row.task.configuration.vocabulary.clone().unwrap_or_default(),
        row.task.configuration.level.map(|level| level.to_string()).unwrap_or_default(),
        row.task.repeat.to_string(),
        row.verdict.clone(),
        format!("{:.6}", row.seconds),
        format!("{:.6}", row.cpu_seconds),
        row.megabytes.map(|value| value.to_string()).unwrap_or_default(),
        row.modular.map(|value| value.to_string()).unwrap_or_default(),
        figure.unwrap_or_default().to_string(),
    ]
}

fn common(study: &Study) -> [String; 8] {
    let Header { producer, z3, timeout, memory, machine, .. } = &study.header;
    let Machine { cpu, cores, megabytes, system } = machine;
    [
        producer.clone(),
        z3.clone(),
        timeout.to_string(),
        memory.to_string(),
        cpu.clone(),
        cores.to_string(),
        megabytes.map(|value| value.to_string()).unwrap_or_default(),
        system.clone(),
    ]
}

/// Counters by name; those in an inner object as `inner.name`.
fn counters(statistics: &Json) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (name, value) in statistics.as_object().into_iter().flatten() {
        match value.as_object() {
            Some(inner) => all.extend(inner.iter().map(|(key, value)| (format!("{name}.{key}"), value.to_string()))),
            None => {
                all.insert(name.clone(), value.to_string());
            }
        }
    }
    all
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.map(|field| quoted(&field)).collect::<Vec<_>>().join(",") + "\r\n"
}

/// RFC 4180: quoted where it must be.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let fields = ["plain", "a,b", "say \"x\""].map(String::from);
        assert_eq!(line(fields.into_iter()), "plain,\"a,b\",\"say \"\"x\"\"\"\r\n");
    }
}
