//! Values of command-line arguments, validated when they are parsed.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use frontend::hir::DataModel;
use frontend::{Call, Fusion, PropertySource, Then, Undefined, is_property};
use rules::{Rule, Vocabulary};

/// Defines an enum for the command line, and what its values mean to the other crates.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident -> $target:ty { $($(#[$variant_doc:meta])* $variant:ident = $text:literal => $value:expr),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum $name {
            $($(#[$variant_doc])* #[value(name = $text)] $variant),+
        }
        impl From<$name> for $target {
            fn from(choice: $name) -> $target {
                match choice {
                    $($name::$variant => $value),+
                }
            }
        }
    };
}

choice! {
    /// A proof rule.
    RuleChoice -> Rule {
        /// One assertion for the whole program
        Monolithic = "monolithic" => Rule::Monolithic,
        /// One assertion a thread, stable under the others' steps
        OwickiGries = "owicki-gries" => Rule::OwickiGries,
        /// One assertion a thread, and one on what the others may do to it
        RelyGuarantee = "rely-guarantee" => Rule::RelyGuarantee,
    }
}

choice! {
    /// A proof rule, or all of them in a portfolio: nothing.
    ProveRule -> Option<Rule> {
        /// All rules at once; the first checked answer wins
        Auto = "auto" => None,
        /// One assertion for the whole program
        Monolithic = "monolithic" => Some(Rule::Monolithic),
        /// One assertion a thread, stable under the others' steps
        OwickiGries = "owicki-gries" => Some(Rule::OwickiGries),
        /// One assertion a thread, and one on what the others may do to it
        RelyGuarantee = "rely-guarantee" => Some(Rule::RelyGuarantee),
    }
}

choice! {
    /// What a thread's assertion may speak about.
    VocabularyChoice -> Vocabulary {
        /// Globals and the thread's own variables
        Modular = "modular" => Vocabulary::Modular,
        /// All variables and locations of all threads
        Full = "full" => Vocabulary::Full,
    }
}

choice! {
    /// The sizes of C's types.
    DataModelChoice -> DataModel {
        /// 32-bit int, long and pointers
        Ilp32 = "ILP32" => DataModel::Ilp32,
        /// 32-bit int, 64-bit long and pointers
        Lp64 = "LP64" => DataModel::Lp64,
    }
}

choice! {
    /// Whether local steps are fused.
    FusionChoice -> Fusion {
        /// Few, large steps: what is verified
        On = "on" => Fusion::On,
        /// One step for each elementary operation
        Off = "off" => Fusion::Off,
    }
}

/// What transition predicates start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Seeds {
    /// What the threads' steps evidently do
    Evident,
    /// Nothing
    None,
}

/// What solves the rule's clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverChoice {
    /// Abstraction refinement
    Cegar,
    /// The recursive clauses handed to Z3's Spacer as they are
    Spacer,
    /// No clauses: a search over boxes, whose proofs are monolithic
    Boxes,
    /// No clauses: guesses from runs, kept as long as they hold; proofs are monolithic
    Houdini,
}

impl SolverChoice {
    /// Whether its proofs are monolithic, whatever rule there is.
    pub fn is_monolithic(self) -> bool {
        matches!(self, SolverChoice::Boxes | SolverChoice::Houdini)
    }
}

/// What looks for errors within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// The one there is
    Auto,
    /// Execution, state by state
    Explicit,
}

/// Seconds, more than none.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 1e9;
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= LONGEST => Ok(Duration::from_secs_f64(value)),
        _ => Err("expected a number of seconds greater than 0".into()),
    }
}

/// A macro and its values, `NAME=VALUE,..`: a family of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The macro.
    pub parameter: String,
    /// Its values, in the order given.
    pub values: Vec<u64>,
}

impl Family {
    /// Values that are separated by commas.
    pub fn values(text: &str) -> Result<Vec<u64>, String> {
        let wrong = || "expected whole numbers greater than 0, each once".to_string();
        let mut values = Vec::new();
        for value in text.split(',') {
            let value = value.trim().parse().map_err(|_| wrong())?;
            if value == 0 || values.contains(&value) {
                return Err(wrong());
            }
            values.push(value);
        }
        Ok(values)
    }
}

/// A family.
pub fn family(text: &str) -> Result<Family, String> {
    let (parameter, values) = text.split_once('=').ok_or("expected NAME=VALUE,..")?;
    Ok(Family { parameter: identifier(parameter)?, values: Family::values(values)? })
}

/// A C identifier.
pub fn identifier(text: &str) -> Result<String, String> {
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if starts && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
        Ok(text.to_string())
    } else {
        Err("expected a C identifier".into())
    }
}

/// The name of a C standard, as compilers know it.
pub fn standard(text: &str) -> Result<String, String> {
    let year = text.strip_prefix("gnu").or_else(|| text.strip_prefix('c')).or_else(|| text.strip_prefix("iso9899:"));
    let years = [
        "89", "90", "9x", "99", "11", "1x", "17", "18", "2x", "23", "1990", "199409", "199x", "1999", "2011", "2017",
        "2018",
    ];
    match year.filter(|year| years.contains(year)) {
        Some(_) => Ok(text.to_string()),
        None => Err("expected a C standard such as c99 or gnu11".into()),
    }
}

/// What functions do that are neither defined nor modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UndefinedChoice {
    /// They are not supported
    Refuse,
    /// They return anything, and do nothing else
    Nondet,
}

impl From<UndefinedChoice> for Undefined {
    fn from(choice: UndefinedChoice) -> Undefined {
        match choice {
            UndefinedChoice::Refuse => Undefined::Refused,
            UndefinedChoice::Nondet => Undefined::Nondet,
        }
    }
}

/// The sequences of calls that a client repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences(pub Vec<Vec<Call>>);

/// `f;g,h?;k`: sequences of calls; after `h?` it goes on if the result is not zero, after `h!` if it is.
pub fn sequences(text: &str) -> Result<Sequences, String> {
    let call = |text: &str| {
        let text = text.trim();
        let (name, then) = match (text.strip_suffix('?'), text.strip_suffix('!')) {
            (Some(name), _) => (name, Then::Nonzero),
            (_, Some(name)) => (name, Then::Zero),
            _ => (text, Then::Always),
        };
        let wrong = |_| format!("expected sequences of functions such as `lock;unlock, try?;unlock`, and not `{text}`");
        Ok(Call { function: identifier(name).map_err(wrong)?, then })
    };
    let sequence = |text: &str| text.split(';').map(call).collect::<Result<Vec<Call>, String>>();
    text.split(',').map(sequence).collect::<Result<_, _>>().map(Sequences)
}

/// `NAME` or `NAME=VALUE`.
pub fn definition(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    identifier(name).map(|_| text.to_string()).map_err(|_| "expected NAME or NAME=VALUE".into())
}

/// A property file (`.prp`), or the names of properties.
pub fn property(text: &str) -> Result<PropertySource, String> {
    if text.ends_with(".prp") {
        return Ok(PropertySource::File(PathBuf::from(text)));
    }
    let names: Vec<String> = text.split(',').map(str::to_string).collect();
    match names.iter().find_map(|name| is_property(name).err().map(|near| (name, near))) {
        None => Ok(PropertySource::Names(names)),
        Some((name, Some(near))) => Err(format!("there is no property `{name}`; is `{near}` meant?")),
        Some((name, None)) => Err(format!("there is no property `{name}`, and it is no .prp file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_positive() {
        assert_eq!(seconds("60"), Ok(Duration::from_secs(60)));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "x", "", "nan", "inf", "1e300"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn definitions_are_macros() {
        for good in ["N", "N=3", "_x=", "N=a=b"] {
            assert_eq!(definition(good), Ok(good.to_string()));
        }
        for bad in ["", "=3", "3N", "a b=1", "-x"] {
            assert!(definition(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn properties_are_files_or_names() {
        assert_eq!(property("p/unreach-call.prp"), Ok(PropertySource::File("p/unreach-call.prp".into())));
        let names = |names: &[&str]| Ok(PropertySource::Names(names.iter().map(ToString::to_string).collect()));
        assert_eq!(property("no-overflow"), names(&["no-overflow"]));
        assert_eq!(property("no-overflow,unreach-call"), names(&["no-overflow", "unreach-call"]));
        assert_eq!(property("no-overfow"), Err("there is no property `no-overfow`; is `no-overflow` meant?".into()));
        for bad in ["a b", "", "no-overflow,", "x.c"] {
            assert!(property(bad).is_err(), "{bad}");
        }
    }
}
