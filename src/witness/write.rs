//! Witnesses as YAML. Strings are written as JSON strings, which YAML reads alike.

use std::fmt::Write;

use super::{InvariantKind, Place, WaypointKind, Witness};

/// What a witness says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// When: ISO 8601.
    pub creation_time: String,
    /// The tool's version.
    pub version: String,
    /// The program's file, as it was named.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The property.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// The witness's text. `uuid` gives a new identifier for each entry.
pub fn write(witness: &Witness, metadata: &Metadata, uuid: &mut dyn FnMut() -> String) -> String {
    let mut text = String::new();
    match witness {
        Witness::Correctness { ghosts, updates, invariants } => {
            if !ghosts.is_empty() {
                entry(&mut text, "ghost_instrumentation", "2.1", metadata, &uuid());
                text.push_str("  content:\n    ghost_variables:\n");
                for ghost in ghosts {
                    let _ = write!(
                        text,
                        "    - name: {}\n      type: {}\n      scope: global\n      initial:\n        value: {}\n        format: c_expression\n",
                        quoted(&ghost.name),
                        quoted(&ghost.ty),
                        quoted(&ghost.initial)
                    );
                }
                text.push_str("    ghost_updates:\n");
                for update in updates {
                    text.push_str("    - location:\n");
                    location(&mut text, &update.place, metadata, 8);
                    let _ = write!(
                        text,
                        "      updates:\n      - variable: {}\n        value: {}\n        format: c_expression\n",
                        quoted(&update.variable),
                        quoted(&update.value)
                    );
                }
                if updates.is_empty() {
                    text = text.trim_end().to_string() + " []\n";
                }
            }
            entry(&mut text, "invariant_set", "2.1", metadata, &uuid());
            text.push_str(if invariants.is_empty() { "  content: []\n" } else { "  content:\n" });
            for invariant in invariants {
                let kind = match invariant.kind {
                    InvariantKind::Location => "location_invariant",
                    InvariantKind::Loop => "loop_invariant",
                };
                let _ = write!(text, "  - invariant:\n      type: {kind}\n      location:\n");
                location(&mut text, &invariant.place, metadata, 8);
                let _ = write!(text, "      value: {}\n      format: c_expression\n", quoted(&invariant.value));
            }
        }
        Witness::Violation(waypoints) => {
            entry(&mut text, "violation_sequence", "2.2", metadata, &uuid());
            text.push_str("  content:\n");
            let mut before = None;
            for waypoint in waypoints {
                // Two targets are reached at once: they are in one segment.
                let together = before == Some(&WaypointKind::Target) && waypoint.kind == WaypointKind::Target;
                before = Some(&waypoint.kind);
                if !together {
                    text.push_str("  - segment:\n");
                }
                let (kind, constraint) = match &waypoint.kind {
                    WaypointKind::Assumption(value) => ("assumption", Some((value, "c_expression"))),
                    WaypointKind::FunctionEnter => ("function_enter", None),
                    WaypointKind::FunctionReturn(value) => ("function_return", Some((value, "ext_c_expression"))),
                    WaypointKind::Target => ("target", None),
                };
                let _ = write!(
                    text,
                    "    - waypoint:\n        type: {kind}\n        action: follow\n        thread_id: {}\n",
                    waypoint.thread
                );
                if let Some((value, format)) = constraint {
                    let _ = write!(
                        text,
                        "        constraint:\n          value: {}\n          format: {format}\n",
                        quoted(value)
                    );
                }
                text.push_str("        location:\n");
                location(&mut text, &waypoint.place, metadata, 10);
            }
        }
    }
    text
}

fn entry(text: &mut String, kind: &str, version: &str, metadata: &Metadata, uuid: &str) {
    let Metadata { creation_time, version: tool, file, sha256, specification, data_model } = metadata;
    let _ = write!(
        text,
        "- entry_type: {kind}
  metadata:
    format_version: {}
    uuid: {}
    creation_time: {}
    producer:
      name: threader
      version: {}
    task:
      input_files:
      - {}
      input_file_hashes:
        {}: {}
      specification: {}
      data_model: {data_model}
      language: C
",
        quoted(version),
        quoted(uuid),
        quoted(creation_time),
        quoted(tool),
        quoted(file),
        quoted(file),
        quoted(sha256),
        quoted(specification)
    );
}

fn location(text: &mut String, place: &Place, metadata: &Metadata, indent: usize) {
    let space = " ".repeat(indent);
    let _ = write!(text, "{space}file_name: {}\n{space}line: {}\n", quoted(&metadata.file), place.line);
    if place.column > 0 {
        let _ = writeln!(text, "{space}column: {}", place.column);
    }
    if !place.function.is_empty() {
        let _ = writeln!(text, "{space}function: {}", quoted(&place.function));
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
