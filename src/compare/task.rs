//! What a run is, and the row that comes of it.

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::programs::{Member, Program};
use crate::values::{RuleChoice, SolverChoice, VocabularyChoice};
use clap::ValueEnum;

/// A proof rule and what solves its clauses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration {
    /// The rule, as the command line names it.
    pub rule: String,
    /// The solver, as the command line names it.
    pub solver: String,
    /// What Spacer's assertions may speak about; our own loop chooses by itself.
    pub vocabulary: Option<String>,
    /// How many of the threads of any number an assertion relates, if that was asked for.
    pub level: Option<u32>,
}

impl Configuration {
    /// A rule with each of these solvers, and vocabularies and levels where they make a difference.
    pub fn all(
        rules: &[RuleChoice],
        solvers: &[SolverChoice],
        vocabularies: &[VocabularyChoice],
        levels: &[u32],
    ) -> Vec<Configuration> {
        let mut all: Vec<Configuration> = Vec::new();
        for solver in solvers {
            for rule in rules {
                if solver.is_monolithic() && *rule != RuleChoice::Monolithic {
                    continue;
                }
                let vocabularies: &[VocabularyChoice] = match (solver, rule) {
                    (SolverChoice::Cegar | SolverChoice::Boxes | SolverChoice::Houdini, _) => &[],
                    // Its one assertion speaks about everything.
                    (SolverChoice::Spacer, RuleChoice::Monolithic) => &[VocabularyChoice::Full],
                    (SolverChoice::Spacer, _) => vocabularies,
                };
                // Others than our own loop, and the monolithic rule, know nothing of any number of threads.
                let levels: &[u32] = match (solver, rule) {
                    (SolverChoice::Spacer | SolverChoice::Boxes | SolverChoice::Houdini, _)
                    | (_, RuleChoice::Monolithic) => &[],
                    (SolverChoice::Cegar, _) => levels,
                };
                let (rule, solver) = (name(*rule), name(*solver));
                let of =
                    |vocabulary, level| Configuration { rule: rule.clone(), solver: solver.clone(), vocabulary, level };
                if vocabularies.is_empty() {
                    all.push(of(None, None));
                }
                all.extend(vocabularies.iter().map(|vocabulary| of(Some(name(*vocabulary)), None)));
                all.extend(levels.iter().map(|level| of(None, Some(*level))));
            }
        }
        // Named twice is meant once.
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|configuration| seen.insert(configuration.clone()));
        all
    }

    /// Whether this is our own loop, and not the baseline.
    pub fn is_ours(&self) -> bool {
        self.solver == name(SolverChoice::Cegar)
    }

    /// Whether a program is to be run under this one of them all: where its threads are of any number, at the levels that were
    /// asked for, and otherwise at none.
    fn fits(&self, program: &Program, all: &[Configuration]) -> bool {
        let levelled =
            |other: &Configuration| (&other.rule, &other.solver) == (&self.rule, &self.solver) && other.level.is_some();
        self.level.is_some() == (program.is_parametric && all.iter().any(levelled))
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
    /// Which of its family; nothing if it has none.
    pub member: Option<Member>,
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
                for configuration in configurations.iter().filter(|c| c.fits(program, configurations)) {
                    all.push(Task {
                        program: program.name(),
                        sha256: program.sha256.clone(),
                        member: program.member.clone(),
                        configuration: configuration.clone(),
                        repeat,
                    });
                }
            }
        }
        all
    }

    /// Whether both run the same text with the same definitions.
    pub fn is_of_same_program(&self, other: &Task) -> bool {
        (&self.program, &self.sha256, &self.member) == (&other.program, &other.sha256, &other.member)
    }

    /// The run in a few words.
    pub fn name(&self) -> String {
        let program = std::path::Path::new(&self.program).file_stem().unwrap_or_default().to_string_lossy();
        let Configuration { rule, solver, vocabulary, level } = &self.configuration;
        let mut name = program.into_owned();
        for word in [
            self.member.as_ref().map(Member::to_string).as_ref(),
            Some(rule),
            vocabulary.as_ref().and(Some(solver)),
            vocabulary.as_ref(),
            level.map(|level| format!("level {level}")).as_ref(),
        ] {
            name += &word.map(|word| format!(" {word}")).unwrap_or_default();
        }
        name
    }

    /// Where the run's page goes, below the output directory: readable, and different for programs of one name.
    pub fn page(&self) -> String {
        let stem = std::path::Path::new(&self.program).file_stem().unwrap_or_default().to_string_lossy();
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let stem: String = stem.chars().map(plain).collect();
        let hash: String = Sha256::digest(&self.program).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let Configuration { rule, solver, vocabulary, level } = &self.configuration;
        let member = self.member.as_ref().map(|Member { parameter, value }| format!("-{parameter}{value}"));
        let vocabulary = vocabulary.as_ref().map(|vocabulary| format!("-{vocabulary}"));
        let level = level.map(|level| format!("-level{level}")).unwrap_or_default();
        let (member, vocabulary) = (member.unwrap_or_default(), vocabulary.unwrap_or_default());
        format!("runs/{stem}-{hash}{member}-{rule}-{solver}{vocabulary}{level}-{}.html", self.repeat)
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
    /// Of all processors together, with the preprocessor.
    pub cpu_seconds: f64,
    /// The most memory that was in use.
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

    /// A few words for a table: `true`, `false`, `timeout`, `unsupported`, `malformed`, `no proof up to level 1`.
    pub fn short(&self) -> &str {
        let inner = ["unknown(", "error("].into_iter().find_map(|prefix| self.verdict.strip_prefix(prefix));
        let head = inner.unwrap_or(&self.verdict).split([':', '(', ')', ',']).next();
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
            "vocabulary": self.task.configuration.vocabulary,
            "level": self.task.configuration.level,
            "parameter": self.task.member.as_ref().map(|member| &member.parameter),
            "value": self.task.member.as_ref().map(|member| member.value),
            "repeat": self.task.repeat,
            "verdict": self.verdict,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
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
        let member = text("parameter").zip(object["value"].as_u64());
        Some(Row {
            task: Task {
                program: text("program")?,
                sha256: text("sha256")?,
                member: member.map(|(parameter, value)| Member { parameter, value }),
                configuration: Configuration {
                    rule: text("rule")?,
                    solver: text("solver")?,
                    vocabulary: text("vocabulary"),
                    level: object["level"].as_u64().and_then(|level| u32::try_from(level).ok()),
                },
                repeat: u32::try_from(object["repeat"].as_u64()?).ok()?,
            },
            verdict: text("verdict")?,
            seconds: object["seconds"].as_f64()?,
            cpu_seconds: object["cpu_seconds"].as_f64()?,
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
        Row {
            task: Task {
                program: "a/b c.c".into(),
                sha256: "00".into(),
                member: Some(Member { parameter: "N".into(), value: 4 }),
                configuration: Configuration {
                    rule: "owicki-gries".into(),
                    solver: "spacer".into(),
                    vocabulary: Some("full".into()),
                    level: None,
                },
                repeat: 2,
            },
            verdict: verdict.into(),
            seconds: 0.5,
            cpu_seconds: 0.25,
            megabytes: Some(4),
            modular: None,
            statistics: json!({ "refinements": 3 }),
            message: None,
            page: None,
        }
    }

    #[test]
    fn vocabularies_are_those_that_make_a_difference() {
        let rules = [RuleChoice::Monolithic, RuleChoice::OwickiGries];
        let solvers = [SolverChoice::Cegar, SolverChoice::Spacer, SolverChoice::Boxes];
        let both = [VocabularyChoice::Modular, VocabularyChoice::Full, VocabularyChoice::Modular];
        let shown = |c: &Configuration| format!("{} {} {}", c.rule, c.solver, c.vocabulary.as_deref().unwrap_or("-"));
        let all: Vec<String> = Configuration::all(&rules, &solvers, &both, &[]).iter().map(shown).collect();
        let expected = [
            "monolithic cegar -",
            "owicki-gries cegar -",
            "monolithic spacer full",
            "owicki-gries spacer modular",
            "owicki-gries spacer full",
            "monolithic boxes -",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn levels_are_of_programs_with_any_number_of_threads() {
        let rules = [RuleChoice::Monolithic, RuleChoice::OwickiGries];
        let configurations = Configuration::all(&rules, &[SolverChoice::Cegar], &[], &[1, 2, 1]);
        let names = |is_parametric| -> Vec<String> {
            let program = Program { path: "p.c".into(), sha256: String::new(), member: None, is_parametric };
            Task::all(&[program], &configurations, 1).iter().map(Task::name).collect()
        };
        assert_eq!(names(false), ["p monolithic", "p owicki-gries"]);
        assert_eq!(names(true), ["p monolithic", "p owicki-gries level 1", "p owicki-gries level 2"]);
    }

    #[test]
    fn rows_survive_their_text() {
        let mut levelled = row("true");
        levelled.task.configuration.level = Some(2);
        assert!(levelled.task.page().ends_with("-full-level2-2.html"));
        assert_eq!(Row::from_json(&levelled.json()), Some(levelled));
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
            ("unknown(no proof up to level 1, no error with up to 3 instances)", "no proof up to level 1"),
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
        assert!(one.page().starts_with("runs/b_c-") && one.page().ends_with("-N4-owicki-gries-spacer-full-2.html"));
        assert_ne!(one.page(), other.page());
    }
}
