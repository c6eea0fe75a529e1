//! What a run is, and the row that comes of it.

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::programs::Program;
use crate::values::{RuleChoice, SolverChoice};
use clap::ValueEnum;

/// A proof rule and what solves its clauses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration {
    /// The rule, as the command line names it.
    pub rule: String,
    /// The solver, as the command line names it.
    pub solver: String,
}

impl Configuration {
    /// The two together.
    pub fn new(rule: RuleChoice, solver: SolverChoice) -> Configuration {
        Configuration { rule: name(rule), solver: name(solver) }
    }
}

fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

/// A program under a configuration, once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// The program's path.
    pub program: String,
    /// What is in it.
    pub sha256: String,
    /// The rule and the solver.
    pub configuration: Configuration,
    /// Which of the repetitions, from 1.
    pub repeat: u32,
}

impl Task {
    /// All runs of a study. Repetitions are furthest apart: what disturbs the machine for a while does not disturb all of them.
    pub fn all(programs: &[Program], configurations: &[Configuration], repeat: u32) -> Vec<Task> {
        let mut all = Vec::new();
        for repeat in 1..=repeat {
            for program in programs {
                for configuration in configurations {
                    all.push(Task {
                        program: program.name(),
                        sha256: program.sha256.clone(),
                        configuration: configuration.clone(),
                        repeat,
                    });
                }
            }
        }
        all
    }

    /// Where the run's page goes, below the output directory: readable, and different for programs of one name.
    pub fn page(&self) -> String {
        let stem = std::path::Path::new(&self.program).file_stem().unwrap_or_default().to_string_lossy();
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let stem: String = stem.chars().map(plain).collect();
        let hash: String = Sha256::digest(&self.program).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let Configuration { rule, solver } = &self.configuration;
        format!("runs/{stem}-{hash}-{rule}-{solver}-{}.html", self.repeat)
    }
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was run.
    pub task: Task,
    /// What stands after `Result:`, or `error(..)` if there was no such line.
    pub verdict: String,
    /// From the start of the process to its end.
    pub seconds: f64,
    /// The most memory that was seen in use.
    pub megabytes: Option<u64>,
    /// Whether the proof is thread-modular; nothing if there is none.
    pub modular: Option<bool>,
    /// The run's counters, as `prove --json` gives them.
    pub statistics: Json,
    /// What was said about an error.
    pub message: Option<String>,
    /// The page of the proof or the trace, below the output directory.
    pub page: Option<String>,
}

impl Row {
    /// Whether there is a proof or a counterexample.
    pub fn is_decided(&self) -> bool {
        self.verdict == "true" || self.verdict.starts_with("false")
    }

    /// One word or two for a table: `true`, `false`, `timeout`, `memory`, `unsupported`, `malformed`.
    pub fn short(&self) -> &str {
        let inner = ["unknown(", "error("].into_iter().find_map(|prefix| self.verdict.strip_prefix(prefix));
        let head = inner.unwrap_or(&self.verdict).split([':', '(', ')']).next();
        head.unwrap_or(&self.verdict).trim()
    }

    /// A counter of the run.
    pub fn counter(&self, name: &str) -> Option<u64> {
        self.statistics[name].as_u64()
    }

    /// The row as an object.
    pub fn json(&self) -> Json {
        json!({
            "program": self.task.program,
            "sha256": self.task.sha256,
            "rule": self.task.configuration.rule,
            "solver": self.task.configuration.solver,
            "repeat": self.task.repeat,
            "verdict": self.verdict,
            "seconds": self.seconds,
            "megabytes": self.megabytes,
            "modular": self.modular,
            "statistics": self.statistics,
            "message": self.message,
            "page": self.page,
        })
    }

    /// The row of an object; nothing if it is none.
    pub fn from_json(object: &Json) -> Option<Row> {
        let text = |name: &str| object[name].as_str().map(str::to_string);
        Some(Row {
            task: Task {
                program: text("program")?,
                sha256: text("sha256")?,
                configuration: Configuration { rule: text("rule")?, solver: text("solver")? },
                repeat: u32::try_from(object["repeat"].as_u64()?).ok()?,
            },
            verdict: text("verdict")?,
            seconds: object["seconds"].as_f64()?,
            megabytes: object["megabytes"].as_u64(),
            modular: object["modular"].as_bool(),
            statistics: object["statistics"].clone(),
            message: text("message"),
            page: text("page"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(verdict: &str) -> Row {
        let configuration = Configuration::new(RuleChoice::OwickiGries, SolverChoice::Cegar);
        let task = Task { program: "a/b c.c".into(), sha256: "00".into(), configuration, repeat: 2 };
        let statistics = json!({ "refinements": 3 });
        let (megabytes, modular) = (Some(4), None);
        Row { task, verdict: verdict.into(), seconds: 0.5, megabytes, modular, statistics, message: None, page: None }
    }

    #[test]
    fn rows_survive_their_text() {
        let row = row("true");
        assert_eq!(Row::from_json(&row.json()), Some(row));
        assert_eq!(Row::from_json(&json!({ "program": "a.c" })), None);
    }

    #[test]
    fn verdicts_are_short_in_tables() {
        for (verdict, short) in [
            ("true", "true"),
            ("false(unreach-call)", "false"),
            ("unknown(timeout)", "timeout"),
            ("unknown(unsupported: recursion of `f(x)`)", "unsupported"),
            ("error(malformed)", "malformed"),
        ] {
            assert_eq!(row(verdict).short(), short);
        }
    }

    #[test]
    fn pages_have_plain_names_of_their_own() {
        let one = row("true").task;
        let other = Task { program: "other/b c.c".into(), ..one.clone() };
        assert!(one.page().starts_with("runs/b_c-") && one.page().ends_with("-owicki-gries-cegar-2.html"));
        assert_ne!(one.page(), other.page());
    }
}
