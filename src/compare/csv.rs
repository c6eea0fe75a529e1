//! The study as CSV: one line a run, with every counter that any run has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value as Json;

use super::study::Study;
use super::task::Row;

const COLUMNS: [&str; 9] =
    ["program", "rule", "solver", "repeat", "verdict", "wall_seconds", "megabytes", "modular", "published"];

/// The table with its head.
pub fn text(study: &Study) -> String {
    let counters: Vec<BTreeMap<String, String>> = study.rows.iter().map(|row| counters(&row.statistics)).collect();
    let names: BTreeSet<&String> = counters.iter().flat_map(BTreeMap::keys).collect();
    let head = COLUMNS.iter().map(|name| (*name).to_string());
    let mut text = line(head.chain(names.iter().map(|name| (*name).clone())).chain(["page".into(), "message".into()]));
    for (row, counters) in study.rows.iter().zip(&counters) {
        let values = names.iter().map(|name| counters.get(*name).cloned().unwrap_or_default());
        let rest = [row.page.clone().unwrap_or_default(), row.message.clone().unwrap_or_default()];
        text += &line(fixed(study, row).into_iter().chain(values).chain(rest));
    }
    text
}

fn fixed(study: &Study, row: &Row) -> [String; 9] {
    let figure = study.figure(Path::new(&row.task.program), &row.task.configuration);
    [
        row.task.program.clone(),
        row.task.configuration.rule.clone(),
        row.task.configuration.solver.clone(),
        row.task.repeat.to_string(),
        row.verdict.clone(),
        format!("{:.6}", row.seconds),
        row.megabytes.map(|value| value.to_string()).unwrap_or_default(),
        row.modular.map(|value| value.to_string()).unwrap_or_default(),
        figure.unwrap_or_default().to_string(),
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
