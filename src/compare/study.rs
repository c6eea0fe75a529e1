//! The rows of a study put together: one cell a program and configuration, and what they say about the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::baseline;
use super::programs::{Member, Program};
use super::published::Published;
use super::record::Header;
use super::scaling;
use super::task::{Configuration, Row};
use crate::render::one_line;

/// A study.
pub struct Study {
    /// The limits, and who ran it.
    pub header: Header,
    /// What was run, in order.
    pub programs: Vec<Studied>,
    /// Under what.
    pub configurations: Vec<Configuration>,
    /// All rows, in the order of tasks.
    pub rows: Vec<Row>,
    /// Rows by program and configuration, in the order of their times.
    runs: BTreeMap<(String, Option<Member>, Configuration), Vec<usize>>,
    published: Published,
}

/// A program, and what tables call it.
pub struct Studied {
    /// Its path.
    pub path: PathBuf,
    /// Which of its family.
    pub member: Option<Member>,
    /// The path without what all have in common: of a family, the name of all its members.
    pub family: String,
    /// The same, with the member.
    pub label: String,
}

/// The run that stands for all repetitions: that of median time.
#[derive(Clone, Copy)]
pub struct Cell<'a> {
    /// The run.
    pub row: &'a Row,
    /// Whether repetitions had other verdicts.
    pub varies: bool,
}

/// What a configuration did on all programs.
#[derive(Default)]
pub struct Total {
    /// Programs with a proof.
    pub proved: usize,
    /// Programs with a counterexample.
    pub refuted: usize,
    /// Programs with neither.
    pub undecided: usize,
    /// Time on decided programs.
    pub seconds: f64,
    /// Refinements on decided programs.
    pub refinements: u64,
    /// Predicates and transition predicates on decided programs.
    pub predicates: u64,
}

impl Study {
    /// Puts rows together.
    pub fn new(header: Header, programs: &[Program], configurations: Vec<Configuration>, rows: Vec<Row>) -> Study {
        let published = Published::of(programs.iter().map(|program| program.path.as_path()));
        let mut runs: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, Row { task, .. }) in rows.iter().enumerate() {
            runs.entry((task.program.clone(), task.member.clone(), task.configuration.clone()))
                .or_default()
                .push(index);
        }
        for list in runs.values_mut() {
            list.sort_by(|a, b| rows[*a].seconds.total_cmp(&rows[*b].seconds));
        }
        Study { header, programs: labelled(programs), configurations, rows, runs, published }
    }

    /// The cell of a program under a configuration; nothing if it was not run yet.
    pub fn cell(&self, program: &Studied, configuration: &Configuration) -> Option<Cell<'_>> {
        let key = (program.path.display().to_string(), program.member.clone(), configuration.clone());
        let rows = self.runs.get(&key)?;
        let row = self.rows.get(*rows.get(rows.len().saturating_sub(1) / 2)?)?;
        Some(Cell { row, varies: rows.iter().any(|other| self.rows[*other].verdict != row.verdict) })
    }

    /// What tables call a configuration: the rule and the level, and for Spacer beside our loop that it is, with its vocabulary
    /// if it has several.
    pub fn name(&self, configuration: &Configuration) -> String {
        let Configuration { rule, solver, vocabulary, level } = configuration;
        if let Some(level) = level {
            return format!("{rule} level {level}");
        }
        let alike = |other: &&Configuration| other.rule == *rule && other.solver == *solver;
        let mut more = Vec::new();
        if self.configurations.iter().any(|other| other.solver != *solver) {
            more.push(solver.as_str());
        }
        if self.configurations.iter().filter(alike).count() > 1 {
            more.extend(vocabulary.as_deref());
        }
        if more.is_empty() || configuration.is_ours() {
            return rule.clone();
        }
        format!("{rule} ({})", more.join(", "))
    }

    /// The published figure: of the method that ours follows, so not beside other solvers.
    pub fn figure(&self, program: &Path, configuration: &Configuration) -> Option<&str> {
        self.published.figure(program, &configuration.rule).filter(|_| configuration.is_ours())
    }

    /// Whether there is a published figure of any program under a configuration.
    pub fn has_figures(&self, configuration: &Configuration) -> bool {
        self.programs.iter().any(|program| self.figure(&program.path, configuration).is_some())
    }

    /// Where the published figures are from.
    pub fn sources(&self) -> Vec<&str> {
        self.published.sources()
    }

    /// What a configuration did.
    pub fn total(&self, configuration: &Configuration) -> Total {
        let mut total = Total::default();
        for row in self.programs.iter().filter_map(|program| self.cell(program, configuration)).map(|cell| cell.row) {
            match row.verdict.as_str() {
                "true" => total.proved += 1,
                verdict if verdict.starts_with("false") => total.refuted += 1,
                _ => total.undecided += 1,
            }
            if row.is_decided() {
                total.seconds += row.seconds;
                total.refinements += row.counter("refinements").unwrap_or(0);
                total.predicates += predicates(row).unwrap_or(0);
            }
        }
        total
    }

    /// The programs that some configurations decide and others do not. Rules are compared, so a baseline beside our own loop does
    /// not count.
    pub fn disagreements(&self) -> Vec<(&Studied, Vec<(&Configuration, Cell<'_>)>)> {
        let has_ours = self.configurations.iter().any(Configuration::is_ours);
        let compared = || self.configurations.iter().filter(move |c| c.is_ours() || !has_ours);
        let cells = |program| -> Vec<(&Configuration, Cell)> {
            let cell = |configuration| Some((configuration, self.cell(program, configuration)?));
            compared().filter_map(cell).collect()
        };
        let differ = |cells: &[(&Configuration, Cell)]| {
            cells.iter().any(|(_, cell)| cell.row.is_decided()) && cells.iter().any(|(_, cell)| !cell.row.is_decided())
        };
        self.programs.iter().map(|program| (program, cells(program))).filter(|(_, cells)| differ(cells)).collect()
    }

    /// A program that was both proved and refuted: one of the two is wrong.
    pub fn contradiction(&self) -> Option<String> {
        let program = |row: &Row| (row.task.program.clone(), row.task.member.clone());
        let mut proofs: BTreeMap<_, &Row> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.verdict == "true") {
            proofs.insert(program(row), row);
        }
        let traces = self.rows.iter().filter(|row| row.verdict.starts_with("false"));
        let (proof, trace) = traces.filter_map(|trace| Some((proofs.get(&program(trace))?, trace))).next()?;
        let name = |row: &Row| self.name(&row.task.configuration);
        let (program, by_proof, by_trace) = (&trace.task.program, name(proof), name(trace));
        Some(format!("{program} is true by {by_proof}, but false by {by_trace}: a bug of threader"))
    }

    /// Everything, for other programs.
    pub fn json(&self) -> Json {
        let program = |program: &Studied| {
            let figures: serde_json::Map<String, Json> = self
                .configurations
                .iter()
                .filter_map(|c| Some((c.rule.clone(), json!(self.figure(&program.path, c)?))))
                .collect();
            json!({
                "path": program.path.display().to_string(),
                "parameter": program.member.as_ref().map(|member| &member.parameter),
                "value": program.member.as_ref().map(|member| member.value),
                "label": program.label,
                "published": figures,
            })
        };
        let configuration = |c: &Configuration| json!({ "name": self.name(c), "rule": c.rule, "solver": c.solver, "vocabulary": c.vocabulary, "level": c.level });
        json!({
            "study": self.header.json(),
            "programs": self.programs.iter().map(program).collect::<Vec<_>>(),
            "configurations": self.configurations.iter().map(configuration).collect::<Vec<_>>(),
            "sources": self.sources(),
            "against_spacer": baseline::all(self).iter().map(|versus| versus.json()).collect::<Vec<_>>(),
            "families": scaling::all(self).iter().map(|family| family.json(self)).collect::<Vec<_>>(),
            "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
        })
    }
}

/// The share of entailment queries that were decided without Z3; nothing if there were none.
pub fn without_solver(row: &Row) -> Option<f64> {
    let queries = row.counter("entailment_queries").filter(|queries| *queries > 0)?;
    let by_solver = row.counter("entailment_by_solver")?;
    Some(1.0 - by_solver as f64 / queries as f64)
}

/// All predicates of a run.
pub fn predicates(row: &Row) -> Option<u64> {
    Some(row.counter("predicates")? + row.counter("transition_predicates").unwrap_or(0))
}

/// Labels leave out the directories that all programs share, and extensions where that leaves labels different.
fn labelled(programs: &[Program]) -> Vec<Studied> {
    let parents = || programs.iter().map(|program| program.path.parent().unwrap_or(&program.path));
    let shared = parents().next().into_iter().flat_map(|first| first.ancestors());
    let shared = shared.into_iter().find(|shared| parents().all(|parent| parent.starts_with(shared)));
    let shared = shared.map(PathBuf::from).unwrap_or_default();
    let within = |program: &Program| program.path.strip_prefix(&shared).unwrap_or(&program.path).to_path_buf();
    let different = |name: &dyn Fn(&Program) -> PathBuf| programs.iter().map(name).collect::<BTreeSet<_>>().len();
    let stems_suffice = different(&|p| within(p).with_extension("")) == different(&within);
    let label = |path: PathBuf| if stems_suffice { path.with_extension("") } else { path };
    let studied = |program: &Program| {
        let (path, member) = (program.path.clone(), program.member.clone());
        let family = one_line(&label(within(program)).display().to_string());
        let label = member.as_ref().map_or_else(|| family.clone(), |member| format!("{family} {member}"));
        Studied { path, member, family, label }
    };
    programs.iter().map(studied).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(paths: &[&str]) -> Vec<String> {
        let program =
            |path: &&str| Program { path: path.into(), sha256: String::new(), member: None, is_parametric: false };
        let programs: Vec<Program> = paths.iter().map(program).collect();
        labelled(&programs).into_iter().map(|studied| studied.label).collect()
    }

    #[test]
    fn labels_are_short_and_different() {
        assert_eq!(labels(&["a.c"]), ["a"]);
        assert_eq!(labels(&["p/q/a.c", "p/r/a.c", "p/b.c"]), ["q/a", "r/a", "b"]);
        assert_eq!(labels(&["p/a.c", "p/a.i"]), ["a.c", "a.i"]);
        assert_eq!(labels(&["/x/a.c", "y/a.c"]), ["/x/a", "y/a"]);
    }
}
