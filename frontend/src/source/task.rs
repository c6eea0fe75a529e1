//! SV-COMP's task definitions (`.yml`, format 1.0 and 2.x) and property files (`.prp`).

use std::path::{Path, PathBuf};

use saphyr::{LoadableYamlNode, Yaml};

use super::read_text;
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::DataModel;

/// The language of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, also if the file does not say.
    C,
    /// Another one, by name.
    Other(String),
}

/// A property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    /// The property file.
    pub file: PathBuf,
    /// What the answer should be, if the task tells.
    pub expected: Option<bool>,
}

/// A verification task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program.
    pub input: PathBuf,
    /// What to verify of it.
    pub properties: Vec<TaskProperty>,
    /// The sizes of types, if the task tells.
    pub data_model: Option<DataModel>,
    /// The language.
    pub language: Language,
}

/// What a property file asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// `G ! call(f())`: the function is never called.
    UnreachCall {
        /// The function's name.
        function: String,
    },
    /// `G ! label(L)` or `G ! label(ERROR)`: the label is never reached.
    UnreachLabel {
        /// The label.
        label: String,
    },
    /// `G ! data-race`.
    NoDataRace,
    /// `G ! overflow`.
    NoOverflow,
    /// `F end`.
    Termination,
    /// Any other formula, with its white space normalised.
    Other(String),
}

/// Reads a task definition. Paths in it are relative to it.
pub fn read_task(path: &Path) -> Result<Task, Failure> {
    let text = read_text(path)?;
    let malformed = |why: String| task_failure(path, &why);
    let documents = Yaml::load_from_str(&text).map_err(|e| malformed(format!("it is not YAML: {e}")))?;
    let Some(root) = documents.first().filter(|d| d.is_mapping()) else {
        return Err(malformed("it is not a mapping".to_string()));
    };
    let version = root.as_mapping_get("format_version").and_then(scalar);
    match version.as_deref() {
        Some(v) if v == "1.0" || v == "2" || v.starts_with("2.") => {}
        Some(v) => return Err(malformed(format!("format_version `{v}` is not known"))),
        None => return Err(malformed("it has no format_version".to_string())),
    }
    let directory = path.parent().unwrap_or(Path::new(""));
    let input = directory.join(single_input(root).map_err(malformed)?);
    let options = root.as_mapping_get("options");
    let option = |name: &str| options.and_then(|o| o.as_mapping_get(name)).and_then(scalar);
    let data_model = match option("data_model").as_deref() {
        None => None,
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        Some(other) => return Err(malformed(format!("data_model `{other}` is not known"))),
    };
    let language = match option("language") {
        Some(other) if other != "C" => Language::Other(other),
        _ => Language::C,
    };
    let properties = properties(root, directory).map_err(malformed)?;
    Ok(Task { input, properties, data_model, language })
}

fn task_failure(path: &Path, why: &str) -> Failure {
    let message = format!("{} is not a task definition: {why}", path.display());
    Diagnostic::new(Code::Task, message).into()
}

/// A scalar as text, however YAML types it.
fn scalar(node: &Yaml<'_>) -> Option<String> {
    if let Some(text) = node.as_str() {
        return Some(text.to_string());
    }
    if let Some(number) = node.as_integer() {
        return Some(number.to_string());
    }
    // 2.0 without quotes is a number; it is printed with its digit behind the point.
    node.as_floating_point().map(|f| format!("{f:?}"))
}

fn single_input(root: &Yaml<'_>) -> Result<String, String> {
    let node = root.as_mapping_get("input_files").ok_or("it has no input_files")?;
    let mut files = match node.as_vec() {
        Some(list) => list.iter().filter_map(scalar).collect(),
        None => scalar(node).into_iter().collect::<Vec<_>>(),
    };
    match (files.pop(), files.is_empty()) {
        (Some(file), true) => Ok(file),
        (None, _) => Err("input_files names no file".to_string()),
        (Some(_), false) => Err("it has more than one input file, which is not supported".to_string()),
    }
}

fn properties(root: &Yaml<'_>, directory: &Path) -> Result<Vec<TaskProperty>, String> {
    let Some(node) = root.as_mapping_get("properties") else { return Ok(Vec::new()) };
    if node.is_null() {
        return Ok(Vec::new());
    }
    let list = node.as_vec().ok_or("properties is not a list")?;
    let property = |entry: &Yaml<'_>| {
        let file = entry.as_mapping_get("property_file").and_then(scalar).or_else(|| scalar(entry))?;
        let expected = entry.as_mapping_get("expected_verdict").and_then(Yaml::as_bool);
        Some(TaskProperty { file: directory.join(file), expected })
    };
    list.iter().map(|e| property(e).ok_or_else(|| "a property has no property_file".to_string())).collect()
}

/// Reads a property file: one `CHECK( init(main()), LTL(..) )` a line, comments and empty lines aside.
pub fn read_property(path: &Path) -> Result<Vec<Formula>, Failure> {
    let text = read_text(path)?;
    let mut properties = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !(l.is_empty() || l.starts_with('#') || l.starts_with("//"))) {
        let property = parse_check(line).ok_or_else(|| {
            let message = format!("{} is not a property file: `{line}`", path.display());
            Diagnostic::new(Code::Task, message)
                .help("a property reads CHECK( init(main()), LTL(G ! call(reach_error())) )")
        })?;
        properties.push(property);
    }
    if properties.is_empty() {
        return Err(Diagnostic::new(Code::Task, format!("{} names no property", path.display())).into());
    }
    Ok(properties)
}

fn parse_check(line: &str) -> Option<Formula> {
    let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = bare.strip_prefix("CHECK(init(main()),LTL(")?.strip_suffix("))")?;
    let named = |prefix: &str, suffix: &str| {
        let name = formula.strip_prefix(prefix)?.strip_suffix(suffix)?;
        let word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'));
        word.then(|| name.to_string())
    };
    if let Some(function) = named("G!call(", "())") {
        return Some(Formula::UnreachCall { function });
    }
    if let Some(label) = named("G!label(", ")") {
        return Some(Formula::UnreachLabel { label });
    }
    Some(match formula {
        "G!data-race" => Formula::NoDataRace,
        "G!overflow" => Formula::NoOverflow,
        "Fend" => Formula::Termination,
        _ => {
            let inside = line.split_once("LTL(")?.1.trim_end().strip_suffix(')')?.trim_end().strip_suffix(')')?;
            Formula::Other(inside.split_whitespace().collect::<Vec<_>>().join(" "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_read_whatever_their_spaces() {
        let call = |f: &str| Some(Formula::UnreachCall { function: f.to_string() });
        assert_eq!(parse_check("CHECK( init(main()), LTL(G ! call(reach_error())) )"), call("reach_error"));
        assert_eq!(parse_check("CHECK(init(main()),LTL(G!call(__VERIFIER_error())))"), call("__VERIFIER_error"));
        let label = Some(Formula::UnreachLabel { label: "ERROR".to_string() });
        assert_eq!(parse_check("CHECK( init(main()), LTL(G ! label(ERROR)) )"), label);
        assert_eq!(parse_check("CHECK( init(main()), LTL(G ! data-race) )"), Some(Formula::NoDataRace));
        assert_eq!(parse_check("CHECK( init(main()), LTL(F end) )"), Some(Formula::Termination));
        let other = Some(Formula::Other("G valid-free".to_string()));
        assert_eq!(parse_check("CHECK( init(main()), LTL(G  valid-free) )"), other);
        assert_eq!(parse_check("CHECK( init(f()), LTL(G ! overflow) )"), None);
        assert_eq!(parse_check("hello"), None);
    }
}
