//! The study as tables on a terminal.

use super::baseline::{self, Clock, Pair, Versus};
use super::scaling;
use super::study::{Cell, Study, predicates, without_solver};
use super::task::Configuration;

/// How much is shown of each run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// One table: verdicts and seconds.
    Summary,
    /// A table a rule: also memory and counters, and Spacer's time and the ratio.
    All,
}

/// The table or tables, what each rule did in all, where they differ in strength, how families scale, and how Spacer does.
pub fn text(study: &Study, detail: Detail) -> String {
    let mut text = match detail {
        Detail::Summary => aligned(&summary(study)),
        Detail::All => details(study),
    };
    text.push('\n');
    text += &aligned(&totals(study));
    if study.configurations.iter().any(|configuration| configuration.level.is_some()) {
        text += "\nlevel against level: seconds, and abstract states\n";
        text += &aligned(&levels(study));
    }
    let disagreements = study.disagreements();
    if !disagreements.is_empty() {
        text += "\nwhere the rules differ in strength\n";
        let mut rows = Vec::new();
        for (program, cells) in &disagreements {
            let list = |decided: bool| -> String {
                let cells = cells.iter().filter(|(_, cell)| cell.row.is_decided() == decided);
                let name = |configuration: &Configuration| study.name(configuration);
                let entries = cells.map(|(configuration, cell)| match decided {
                    true => name(configuration),
                    false => format!("{} ({})", name(configuration), cell.row.short()),
                });
                entries.collect::<Vec<_>>().join(", ")
            };
            rows.push(vec![
                program.label.clone(),
                format!("decided by {}", list(true)),
                format!("not by {}", list(false)),
            ]);
        }
        text += &left_aligned(&rows);
    }
    if study.programs.iter().any(|program| program.member.is_some()) {
        text += "\nhow families scale: seconds, and how many times as long as the member before\n";
        text += &aligned(&families(study));
    }
    let versus = baseline::all(study);
    if !versus.is_empty() {
        text += "\nhow many times our time Spacer takes, who decides nothing counted at the limit\n";
        text += &aligned(&ratios(&versus));
    }
    for source in study.sources() {
        text += &format!("\npublished: {source}\n");
    }
    text += &format!("\n{}\n", study.header.machine);
    text
}

/// A table a rule: what our runs took and did, beside the baseline's time.
fn details(study: &Study) -> String {
    let versus = baseline::all(study);
    let mut tables = Vec::new();
    for configuration in study.configurations.iter().filter(|c| c.is_ours() || versus.is_empty()) {
        let against = versus.iter().find(|versus| versus.configuration == configuration);
        let columns = ["seconds", "cpu", "MB", "refinements", "predicates", "states", "entailments", "without Z3"];
        let mut head: Vec<String> = vec![study.name(configuration), String::new()];
        head.extend(columns.map(str::to_string));
        head.extend(study.has_figures(configuration).then(|| "published".into()));
        head.extend(against.iter().flat_map(|_| ["spacer".into(), "ratio".into()]));
        let mut rows = vec![head];
        for program in &study.programs {
            let Some(cell) = study.cell(program, configuration) else { continue };
            let mut row = vec![program.label.clone()];
            row.extend(measured(cell));
            if study.has_figures(configuration) {
                row.push(study.figure(&program.path, configuration).unwrap_or("").to_string());
            }
            let pair = against.and_then(|versus| versus.pairs.iter().find(|p| std::ptr::eq(p.program, program)));
            row.extend(pair.into_iter().flat_map(beside));
            rows.push(row);
        }
        tables.push(aligned(&rows));
    }
    tables.join("\n")
}

/// Verdict, time, memory and counters. A run that was ended says nothing of what it did.
fn measured(cell: Cell) -> [String; 9] {
    let row = cell.row;
    let count = |value: Option<u64>| value.map_or_else(|| "-".into(), |value| value.to_string());
    [
        row.short().to_string(),
        format!("{:.3}", row.seconds),
        format!("{:.3}", row.cpu_seconds),
        count(row.megabytes),
        count(row.counter("refinements")),
        count(predicates(row)),
        count(row.counter("states")),
        count(row.counter("entailment_queries")),
        without_solver(row).map_or_else(|| "-".into(), |share| format!("{:.1} %", 100.0 * share)),
    ]
}

/// The baseline's time and the ratio, with how it is bounded where one of the two decides nothing.
fn beside(pair: &Pair) -> [String; 2] {
    let theirs = pair.theirs.row;
    let by = theirs.task.configuration.vocabulary.as_deref().unwrap_or_default();
    let (bound, time) = match (pair.ours.row.is_decided(), theirs.is_decided()) {
        (true, true) => ("", format!("{by} {:.3}", theirs.seconds)),
        (false, true) => ("<", format!("{by} {:.3}", theirs.seconds)),
        (true, false) => (">", theirs.short().to_string()),
        (false, false) => ("both ", theirs.short().to_string()),
    };
    [time, format!("{bound}{:.1}", pair.ratio(Clock::Wall))]
}

fn ratios(versus: &[Versus]) -> Vec<Vec<String>> {
    let has_published = versus.iter().any(|versus| versus.pairs.iter().any(|pair| pair.is_published));
    let mut head = vec![String::new()];
    head.extend(has_published.then(|| ["published".into(), "cpu".into()]).into_iter().flatten());
    head.extend(["all programs", "cpu", "worst difference"].map(str::to_string));
    let mut rows = vec![head];
    for versus in versus {
        let mut row = vec![format!("{} (geometric mean)", versus.configuration.rule)];
        let mean = |clock, of: &dyn Fn(&Pair) -> bool| {
            versus.mean(clock, of).map_or_else(|| "-".into(), |mean| format!("{mean:.1}"))
        };
        if has_published {
            row.extend([Clock::Wall, Clock::Cpu].map(|clock| mean(clock, &|pair| pair.is_published)));
        }
        row.extend([Clock::Wall, Clock::Cpu].map(|clock| mean(clock, &|_| true)));
        let worst = versus.worst().map(|pair| format!("{:+.3} s, {}", pair.difference(), pair.program.label));
        row.push(worst.unwrap_or_default());
        rows.push(row);
    }
    rows
}

fn families(study: &Study) -> Vec<Vec<String>> {
    let mut head = vec!["family".to_string(), String::new()];
    head.extend(study.configurations.iter().flat_map(|c| [study.name(c), "cpu".into(), "growth".into(), "MB".into()]));
    let mut rows = vec![head];
    for family in scaling::all(study) {
        for (index, (value, program)) in family.members.iter().enumerate() {
            let name = if index == 0 { family.name } else { "" };
            let mut row = vec![name.to_string(), format!("{}={value}", family.parameter)];
            for configuration in &study.configurations {
                let cell = study.cell(program, configuration);
                let megabytes = cell.and_then(|cell| cell.row.megabytes).map(|value| value.to_string());
                row.push(cell.map_or_else(|| "-".into(), shown));
                row.push(cell.map(|cell| format!("{:.2}", cell.row.cpu_seconds)).unwrap_or_default());
                let growth = family.growth(study, index, configuration);
                row.push(growth.map(|growth| growth.to_string()).unwrap_or_default());
                row.push(megabytes.unwrap_or_default());
            }
            rows.push(row);
        }
    }
    rows
}

/// Programs with any number of threads at each level.
fn levels(study: &Study) -> Vec<Vec<String>> {
    let configurations = || study.configurations.iter().filter(|configuration| configuration.level.is_some());
    let mut head = vec!["program".to_string()];
    head.extend(configurations().flat_map(|configuration| [study.name(configuration), "states".into()]));
    let mut rows = vec![head];
    for program in &study.programs {
        let mut row = vec![program.label.clone()];
        for configuration in configurations() {
            let cell = study.cell(program, configuration);
            let states = cell.and_then(|cell| cell.row.counter("states")).map(|states| states.to_string());
            row.extend([cell.map_or_else(|| "-".into(), shown), states.unwrap_or_default()]);
        }
        if row.iter().skip(1).any(|field| field != "-" && !field.is_empty()) {
            rows.push(row);
        }
    }
    rows
}

fn summary(study: &Study) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = vec![head(study)];
    for program in &study.programs {
        let mut row = vec![program.label.clone()];
        for configuration in &study.configurations {
            row.push(study.cell(program, configuration).map_or_else(|| "-".into(), shown));
            if study.has_figures(configuration) {
                row.push(study.figure(&program.path, configuration).unwrap_or("").to_string());
            }
        }
        rows.push(row);
    }
    rows
}

fn head(study: &Study) -> Vec<String> {
    let mut head = vec!["program".to_string()];
    for configuration in &study.configurations {
        head.push(study.name(configuration));
        if study.has_figures(configuration) {
            head.push("published".into());
        }
    }
    head
}

/// Seconds where there is a proof, a word where there is not; `~` marks repetitions that differ.
fn shown(cell: Cell) -> String {
    let mark = if cell.varies { "~" } else { "" };
    if cell.row.is_decided() {
        format!("{mark}{} {:.2}", cell.row.short(), cell.row.seconds)
    } else {
        format!("{mark}{}", cell.row.short())
    }
}

fn totals(study: &Study) -> Vec<Vec<String>> {
    let head = ["", "proved", "refuted", "undecided", "seconds", "refinements", "predicates"];
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_string).to_vec()];
    for configuration in &study.configurations {
        let total = study.total(configuration);
        rows.push(vec![
            study.name(configuration),
            total.proved.to_string(),
            total.refuted.to_string(),
            total.undecided.to_string(),
            format!("{:.2}", total.seconds),
            total.refinements.to_string(),
            total.predicates.to_string(),
        ]);
    }
    rows
}

/// The first column to the left, figures to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    columns(rows, |column| column == 0)
}

fn left_aligned(rows: &[Vec<String>]) -> String {
    columns(rows, |_| true)
}

fn columns(rows: &[Vec<String>], is_left: impl Fn(usize) -> bool) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|t| t.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, field) in row.iter().enumerate() {
            let width = widths[column];
            let padded = if is_left(column) { format!("{field:<width$}") } else { format!("{field:>width$}") };
            line += if column == 0 { "" } else { "  " };
            line += &padded;
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
