//! What is asked of a text: by name, by a property file, or by a task.

use std::collections::BTreeSet;
use std::path::PathBuf;

use program::{Population, Property};

use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::lower::heap::{Allocation, Blocks};
use crate::lower::{Config, Creation, Refusal, Undefined};
use crate::reuse::Reuse;
use crate::source::{Formula, read_property};
use crate::visits::Goal;

/// Which properties are verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PropertySource {
    /// What the task file says, else that no assertion fails and no error function is called.
    #[default]
    Default,
    /// The properties of these names.
    Names(Vec<String>),
    /// What this property file says.
    File(PathBuf),
}

/// A label that must not be reached, by the name that SV-COMP had for it.
const UNREACH_LABEL: &str = "unreach-label";

/// Properties that have a name and are not built yet.
const PLANNED: &[&str] = &["termination"];

/// SV-COMP's name for several at once.
const MEMSAFETY: &str = "valid-memsafety";
/// Every property that a program can have for as long as it runs.
const ALL: &str = "all";

/// What a name of several properties stands for.
fn several(name: &str) -> Option<Vec<Property>> {
    match name {
        MEMSAFETY => Some(vec![Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack]),
        // A server need not end, so what it leaves then is not asked for.
        ALL => Some(Property::ALL.into_iter().filter(|property| *property != Property::ValidMemcleanup).collect()),
        _ => None,
    }
}

/// All names that can be verified.
fn built() -> impl Iterator<Item = &'static str> {
    let names = Property::ALL.iter().map(|property| property.name()).chain([UNREACH_LABEL, MEMSAFETY, ALL]);
    names.filter(|name| !PLANNED.contains(name))
}

/// Whether there is a property of this name; if not, the one that may be meant.
pub fn is_property(name: &str) -> Result<(), Option<&'static str>> {
    let names: Vec<&'static str> = built().chain(PLANNED.iter().copied()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let near = names.into_iter().map(|known| (distance(name, known), known)).min();
    Err(near.filter(|(distance, known)| *distance * 3 <= known.len()).map(|(_, known)| known))
}

/// How many letters have to be inserted, removed or changed to make one word the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let changed = corner + usize::from(from != *to);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

/// Functions whose call is an error unless a property file says otherwise: the conventions of SV-COMP, and what the
/// `assert` of the usual C libraries calls.
const ERROR_FUNCTIONS: &[&str] = &[
    "reach_error",
    "__VERIFIER_error",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert_rtn",
    "__assert",
    "_assert",
];

/// What is asked: by the command line, else by the task's property files, the first that can be verified.
pub(crate) fn config(source: &PropertySource, task: &[PathBuf]) -> Result<Config, Failure> {
    match source {
        PropertySource::File(file) => {
            supported(&read_property(file)?).ok_or_else(|| unsupported(&file.display().to_string()))
        }
        PropertySource::Names(names) => named(names),
        PropertySource::Default if task.is_empty() => named(&[Property::UnreachCall.name().to_string()]),
        PropertySource::Default => {
            for file in task {
                if let Some(config) = supported(&read_property(file)?) {
                    return Ok(config);
                }
            }
            Err(unsupported(&task[0].display().to_string()))
        }
    }
}

/// All properties of a list at once: `true` speaks of each of them.
fn named(names: &[String]) -> Result<Config, Failure> {
    let mut config = nothing();
    for name in names {
        if PLANNED.contains(&name.as_str()) {
            return Err(unsupported(name));
        }
        let one = || Some(vec![Property::ALL.into_iter().find(|property| property.name() == name)?]);
        match several(name).or_else(one) {
            Some(properties) => {
                let calls = ERROR_FUNCTIONS.iter().filter(|_| properties.contains(&Property::UnreachCall));
                config.error_functions.extend(calls.map(ToString::to_string));
                properties.into_iter().for_each(|property| config.ask(property));
            }
            None if name == UNREACH_LABEL => {
                config.ask(Property::UnreachCall);
                config.error_labels = true;
            }
            None => return Err(unsupported(name)),
        }
    }
    Ok(config)
}

/// The same of formulas, if all can be verified.
fn supported(formulas: &[Formula]) -> Option<Config> {
    let mut config = nothing();
    for formula in formulas {
        let property = match formula {
            Formula::UnreachCall { function } => {
                config.error_functions.insert(function.clone());
                Property::UnreachCall
            }
            Formula::UnreachLabel { label } if label == "ERROR" => {
                config.error_labels = true;
                Property::UnreachCall
            }
            Formula::NoOverflow => Property::NoOverflow,
            Formula::NoDataRace => Property::NoDataRace,
            Formula::Other(text) => {
                let memory = Property::ALL.into_iter().filter(|property| property.name().starts_with("valid-"));
                let name = text.strip_prefix("G ")?;
                memory.into_iter().find(|property| property.name() == name && !PLANNED.contains(&name))?
            }
            _ => return None,
        };
        config.ask(property);
    }
    Some(config)
}

fn nothing() -> Config {
    Config {
        error_functions: BTreeSet::new(),
        error_labels: false,
        properties: Vec::new(),
        elsewhere: Vec::new(),
        threads: None,
        allocation: Allocation::default(),
        creation: Creation::Succeeds,
        population: Population::Each,
        blocks: Blocks::Own,
        templates: BTreeSet::new(),
        unasked: BTreeSet::new(),
        goal: Goal::default(),
        reuse: Reuse::default(),
        reused: BTreeSet::new(),
        observers: Vec::new(),
        refusal: Refusal::default(),
        undefined: Undefined::default(),
    }
}

fn unsupported(property: &str) -> Failure {
    let names: Vec<&str> = built().collect();
    Diagnostic::new(Code::Unsupported, format!("the property {property}"))
        .help(format!("{} can be verified, and property files that say the same", names.join(", ")))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_none_are_guessed() {
        assert_eq!(is_property("no-overflow"), Ok(()));
        assert_eq!(is_property("valid-deref"), Ok(()));
        assert_eq!(is_property("no-overflw"), Err(Some("no-overflow")));
        assert_eq!(is_property("unreach_call"), Err(Some("unreach-call")));
        assert_eq!(is_property("frobnicate"), Err(None));
        assert_eq!((distance("kitten", "sitting"), distance("", "abc"), distance("abc", "abc")), (3, 3, 0));
    }

    #[test]
    fn names_and_files_may_ask_for_several() {
        let memory = [Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack];
        assert_eq!(several("valid-memsafety").as_deref(), Some(memory.as_slice()));
        let all = several("all").expect("it is known");
        assert!(all.len() == Property::ALL.len() - 1 && !all.contains(&Property::ValidMemcleanup));
        let names = ["valid-deref", "valid-free", "valid-deref"].map(ToString::to_string);
        assert_eq!(named(&names).expect("both are known").properties, [Property::ValidDeref, Property::ValidFree]);
        let lines = ["G valid-free", "G valid-deref", "G valid-memtrack"].map(|text| Formula::Other(text.into()));
        assert_eq!(supported(&lines).expect("both are known").properties, memory);
        assert!(supported(&[Formula::Other("G no-misuse".into())]).is_none());
    }

    #[test]
    fn what_is_not_built_is_refused() {
        for name in PLANNED {
            let refused = named(&[(*name).to_string()]).expect_err(name);
            assert_eq!(refused.0.code, Code::Unsupported, "{name}");
        }
        let both = named(&["no-overflow".into(), "unreach-call".into()]).expect("both are known");
        assert!(both.properties.contains(&Property::NoOverflow) && both.error_functions.contains("reach_error"));
    }
}
