//! The study as a table on a terminal.

use super::study::{Cell, Study};
use super::task::Configuration;

/// The table, what each rule did in all, and where they differ in strength.
pub fn text(study: &Study) -> String {
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
    let mut text = aligned(&rows);
    text.push('\n');
    text += &aligned(&totals(study));
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
    for source in study.sources() {
        text += &format!("\npublished: {source}\n");
    }
    text
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
