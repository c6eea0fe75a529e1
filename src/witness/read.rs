//! Witnesses from YAML, whoever made them.

use saphyr::{LoadableYamlNode, Yaml};

use super::{GhostUpdate, GhostVariable, InvariantKind, Place, Waypoint, WaypointKind, Witness, WitnessInvariant};

/// A witness, and the SHA-256 that it names for the program, if it does.
pub struct Read {
    /// What it says.
    pub witness: Witness,
    /// The hashes of its input files.
    pub hashes: Vec<String>,
}

const VERSIONS: &[&str] = &["2.0", "2.1", "2.2"];

/// What is nested deeper is not read: the parser goes down as deep as the text.
const DEEPEST: usize = 200;

/// Whether a text may be nested too deep: by indentation and marks of lists at the beginnings of lines, or by brackets.
fn is_deep(text: &str) -> bool {
    let indented = |line: &str| line.chars().take_while(|c| " \t-?:".contains(*c)).count() > DEEPEST;
    let mut open = 0_usize;
    let mut brackets = text.chars().map(|c| {
        match c {
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        open
    });
    text.lines().any(indented) || brackets.any(|open| open > DEEPEST)
}

/// The witness that a text is, or what is wrong with it.
pub fn read(text: &str) -> Result<Read, String> {
    if is_deep(text) {
        return Err(format!("it is nested more than {DEEPEST} deep"));
    }
    let documents = Yaml::load_from_str(text).map_err(|error| format!("it is not YAML: {error}"))?;
    let entries = documents.first().and_then(Yaml::as_vec).ok_or("it is no list of entries")?;
    let (mut ghosts, mut updates, mut invariants, mut waypoints) = (Vec::new(), Vec::new(), Vec::new(), None);
    let mut hashes = Vec::new();
    if entries.is_empty() {
        return Err("it has no entry".into());
    }
    for entry in entries {
        let metadata = get(entry, "metadata")?;
        let version = scalar(get(metadata, "format_version")?).ok_or("the format's version is missing")?;
        if !VERSIONS.contains(&version.as_str()) {
            return Err(format!("it is of version {version}, and only {} are known", VERSIONS.join(", ")));
        }
        if let Ok(files) = get(metadata, "task").and_then(|task| get(task, "input_file_hashes")) {
            let found = files.as_mapping().into_iter().flat_map(|map| map.iter().map(|(_, hash)| scalar(hash)));
            hashes.extend(found.flatten());
        }
        let content = get(entry, "content")?;
        let kind = string(entry, "entry_type")?;
        match kind.as_str() {
            "invariant_set" => {
                for item in list(content, "content")? {
                    invariants.push(invariant(
                        get(item, "invariant").map_err(|_| "only invariants are supported in an invariant_set")?,
                    )?);
                }
            }
            "ghost_instrumentation" => {
                for item in list(get(content, "ghost_variables")?, "ghost_variables")? {
                    ghosts.push(ghost(item)?);
                }
                for item in list(get(content, "ghost_updates")?, "ghost_updates")? {
                    let place = place(get(item, "location")?)?;
                    for update in list(get(item, "updates")?, "updates")? {
                        c_expression(update)?;
                        let (variable, value) = (string(update, "variable")?, string(update, "value")?);
                        updates.push(GhostUpdate { place: place.clone(), variable, value });
                    }
                }
            }
            "violation_sequence" if waypoints.is_none() => {
                let segments = list(content, "content")?.iter().map(segment);
                let segments = segments.collect::<Result<Vec<_>, _>>()?;
                if segments.iter().rev().skip(1).any(|segment| segment.len() > 1) {
                    return Err("a segment before the last one follows two waypoints".into());
                }
                waypoints = Some(segments.concat());
            }
            "violation_sequence" => return Err("it has two violation sequences".into()),
            other => return Err(format!("there is no entry of type {other}")),
        }
    }
    let witness = match waypoints {
        Some(waypoints) if ghosts.is_empty() && invariants.is_empty() => {
            if waypoints.last().map(|w| &w.kind) != Some(&WaypointKind::Target) {
                return Err("its last waypoint is not the target".into());
            }
            Witness::Violation(waypoints)
        }
        Some(_) => return Err("it is a violation witness and a correctness witness at once".into()),
        None => Witness::Correctness { ghosts, updates, invariants },
    };
    Ok(Read { witness, hashes })
}

/// A segment: one waypoint to follow, or two targets, of an error of two threads. Those to avoid only exclude other runs, which a replay
/// need not do.
fn segment(item: &Yaml) -> Result<Vec<Waypoint>, String> {
    let waypoints = list(get(item, "segment")?, "segment")?;
    let mut followed: Vec<Waypoint> = Vec::new();
    for item in waypoints {
        let item = get(item, "waypoint")?;
        match string(item, "action")?.as_str() {
            "follow" => followed.push(waypoint(item)?),
            "avoid" => {}
            other => return Err(format!("a waypoint's action is {other}")),
        }
    }
    match followed.as_slice() {
        [] => Err("a segment follows no waypoint".into()),
        [_] => Ok(followed),
        [one, two] if one.kind == WaypointKind::Target && two.kind == WaypointKind::Target => Ok(followed),
        _ => Err("a segment follows several waypoints that are not the two targets of a race".into()),
    }
}

fn waypoint(item: &Yaml) -> Result<Waypoint, String> {
    let constraint = || get(item, "constraint").and_then(|c| string(c, "value"));
    let kind = match string(item, "type")?.as_str() {
        "assumption" => WaypointKind::Assumption(constraint()?),
        "function_enter" => WaypointKind::FunctionEnter,
        "function_return" => WaypointKind::FunctionReturn(constraint()?),
        "target" => WaypointKind::Target,
        other => return Err(format!("waypoints of type {other} are not supported")),
    };
    let thread = match get(item, "thread_id") {
        Ok(number) => number.as_integer().and_then(|n| u32::try_from(n).ok()).ok_or("a thread_id is no number")?,
        Err(_) => 0,
    };
    Ok(Waypoint { kind, place: place(get(item, "location")?)?, thread })
}

fn invariant(item: &Yaml) -> Result<WitnessInvariant, String> {
    let kind = match string(item, "type")?.as_str() {
        "location_invariant" => InvariantKind::Location,
        "loop_invariant" => InvariantKind::Loop,
        other => return Err(format!("invariants of type {other} are not supported")),
    };
    c_expression(item)?;
    Ok(WitnessInvariant { kind, place: place(get(item, "location")?)?, value: string(item, "value")? })
}

fn ghost(item: &Yaml) -> Result<GhostVariable, String> {
    if string(item, "scope")? != "global" {
        return Err("a ghost variable is not global".into());
    }
    let initial = get(item, "initial")?;
    c_expression(initial)?;
    Ok(GhostVariable { name: string(item, "name")?, ty: string(item, "type")?, initial: string(initial, "value")? })
}

fn c_expression(item: &Yaml) -> Result<(), String> {
    match string(item, "format")?.as_str() {
        "c_expression" => Ok(()),
        other => Err(format!("expressions in the format {other} are not supported")),
    }
}

fn place(item: &Yaml) -> Result<Place, String> {
    let number = |key: &str| get(item, key).ok().and_then(Yaml::as_integer).and_then(|n| u32::try_from(n).ok());
    let line = number("line").ok_or("a location has no line")?;
    Ok(Place { line, column: number("column").unwrap_or(0), function: string(item, "function").unwrap_or_default() })
}

fn get<'a, 'b>(item: &'a Yaml<'b>, key: &str) -> Result<&'a Yaml<'b>, String> {
    item.as_mapping_get(key).ok_or_else(|| format!("`{key}` is missing"))
}

fn list<'a, 'b>(item: &'a Yaml<'b>, what: &str) -> Result<&'a [Yaml<'b>], String> {
    item.as_vec().map(Vec::as_slice).ok_or_else(|| format!("`{what}` is no list"))
}

fn string(item: &Yaml, key: &str) -> Result<String, String> {
    scalar(get(item, key)?).ok_or_else(|| format!("`{key}` is no string"))
}

/// A string, or a number that was written without quotes.
fn scalar(item: &Yaml) -> Option<String> {
    item.as_str()
        .map(str::to_string)
        .or_else(|| item.as_integer().map(|n| n.to_string()))
        .or_else(|| item.as_floating_point().map(|n| format!("{n:.1}")))
}
