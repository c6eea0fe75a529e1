//! Our loop against the baseline: Spacer with its default settings on the same clauses, the better of its vocabularies.
//!
//! Of the baseline only a proof counts: it is not run where our loop has found a counterexample. Who decides nothing, for whatever
//! reason, is counted at the limit.

use serde_json::{Value as Json, json};

use super::study::{Cell, Studied, Study};
use super::task::Configuration;

/// Our runs under a rule, each beside the baseline's.
pub struct Versus<'a> {
    /// Ours.
    pub configuration: &'a Configuration,
    /// Programs that both have run.
    pub pairs: Vec<Pair<'a>>,
}

/// A program that both have run.
pub struct Pair<'a> {
    /// The program.
    pub program: &'a Studied,
    /// Our run.
    pub ours: Cell<'a>,
    /// The baseline's fastest that decides it, or one that does not.
    pub theirs: Cell<'a>,
    /// Whether the literature has a figure for it.
    pub is_published: bool,
    /// What an undecided run counts.
    limit: f64,
}

/// What time is meant.
#[derive(Clone, Copy)]
pub enum Clock {
    /// From start to end.
    Wall,
    /// Of the processors.
    Cpu,
}

impl Pair<'_> {
    /// How many times as long the baseline takes. In CPU time, its time-out counts what it took: on a busy machine that is less
    /// than the limit.
    pub fn ratio(&self, clock: Clock) -> f64 {
        let theirs = match (clock, self.theirs.row.short()) {
            (Clock::Cpu, "timeout") => self.theirs.row.cpu_seconds.min(self.limit),
            _ => self.counted(self.theirs, clock),
        };
        theirs / self.counted(self.ours, clock)
    }

    /// The seconds that we take more, less than none if we take less.
    pub fn difference(&self) -> f64 {
        self.counted(self.ours, Clock::Wall) - self.counted(self.theirs, Clock::Wall)
    }

    fn counted(&self, cell: Cell, clock: Clock) -> f64 {
        match clock {
            _ if !cell.row.is_decided() => self.limit,
            Clock::Wall => cell.row.seconds,
            // The clock of processors has ticks; a run that needs none of them is no run that takes no time.
            Clock::Cpu => cell.row.cpu_seconds.max(1e-3),
        }
    }
}

impl<'a> Versus<'a> {
    /// The geometric mean of the ratios; nothing without programs.
    pub fn mean(&self, clock: Clock, of: impl Fn(&Pair) -> bool) -> Option<f64> {
        let logarithms: Vec<f64> = self.pairs.iter().filter(|pair| of(pair)).map(|p| p.ratio(clock).ln()).collect();
        let count = logarithms.len();
        (count > 0).then(|| (logarithms.into_iter().sum::<f64>() / count as f64).exp())
    }

    /// Where we do worst by seconds, among what at least one of the two decides.
    pub fn worst(&self) -> Option<&Pair<'a>> {
        let decided = |pair: &&Pair| pair.ours.row.is_decided() || pair.theirs.row.is_decided();
        self.pairs.iter().filter(decided).max_by(|a, b| a.difference().total_cmp(&b.difference()))
    }

    /// The comparison as an object.
    pub fn json(&self) -> Json {
        let pair = |pair: &Pair| {
            json!({
                "program": pair.program.label,
                "ours": pair.ours.row.verdict,
                "seconds": pair.ours.row.seconds,
                "spacer": pair.theirs.row.verdict,
                "spacer_seconds": pair.theirs.row.seconds,
                "vocabulary": pair.theirs.row.task.configuration.vocabulary,
                "ratio": pair.ratio(Clock::Wall),
                "ratio_cpu": pair.ratio(Clock::Cpu),
                "difference": pair.difference(),
            })
        };
        json!({
            "rule": self.configuration.rule,
            "pairs": self.pairs.iter().map(pair).collect::<Vec<_>>(),
            "mean": self.mean(Clock::Wall, |_| true),
            "mean_cpu": self.mean(Clock::Cpu, |_| true),
            "mean_published": self.mean(Clock::Wall, |pair| pair.is_published),
            "mean_published_cpu": self.mean(Clock::Cpu, |pair| pair.is_published),
            "worst": self.worst().map(|pair| json!({ "program": pair.program.label, "difference": pair.difference() })),
        })
    }
}

/// All rules under which both were run.
pub fn all(study: &Study) -> Vec<Versus<'_>> {
    let ours = study.configurations.iter().filter(|configuration| configuration.is_ours());
    ours.map(|configuration| versus(study, configuration)).filter(|versus| !versus.pairs.is_empty()).collect()
}

fn versus<'a>(study: &'a Study, configuration: &'a Configuration) -> Versus<'a> {
    let others = |other: &&Configuration| other.rule == configuration.rule && !other.is_ours();
    let others: Vec<&Configuration> = study.configurations.iter().filter(others).collect();
    let pair = |program: &'a Studied| {
        let theirs = others.iter().filter_map(|other| study.cell(program, other));
        let order = |cell: &Cell| (!cell.row.is_decided(), cell.row.seconds);
        Some(Pair {
            program,
            ours: study.cell(program, configuration)?,
            theirs: theirs.min_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal))?,
            is_published: study.figure(&program.path, configuration).is_some(),
            limit: study.header.timeout,
        })
    };
    Versus { configuration, pairs: study.programs.iter().filter_map(pair).collect() }
}
