//! Steps of several threads side by side: one column a thread, as wide as the terminal allows, or one below the other.

use std::io::IsTerminal;

/// Characters in a line where nobody says how many there are: three threads fit beside each other.
const DEFAULT: usize = 128;
/// A column that is narrower shows too little of a statement: then threads stand one below the other.
const NARROWEST: usize = 24;
/// What stands before the columns: the number of the step.
const MARGIN: usize = 7;

/// A line of the table: the step's number, if it begins one, whose it is, and what it says.
pub struct Row {
    /// What stands before it.
    pub label: String,
    /// What each of some threads says, by the number of its column.
    pub cells: Vec<(usize, String)>,
}

impl Row {
    /// The line of one thread.
    pub fn of(label: impl Into<String>, column: usize, cell: String) -> Row {
        Row { label: label.into(), cells: vec![(column, cell)] }
    }
}

/// How wide the terminal is: `COLUMNS` says so, or the terminal.
pub fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || {
        let stderr = std::io::stderr();
        stderr.is_terminal().then(|| terminal_size::terminal_size_of(stderr)).flatten().map(|(width, _)| width.0.into())
    };
    told.or_else(seen).filter(|columns| *columns >= 40).unwrap_or(DEFAULT)
}

/// The table of the threads that have something to say, in a line of so many characters.
pub fn text(names: &[&str], rows: &[Row], columns: usize) -> String {
    let speaks = |column: &usize| rows.iter().any(|row| row.cells.iter().any(|(of, _)| of == column));
    let shown: Vec<usize> = (0..names.len()).filter(speaks).collect();
    let share = (columns - MARGIN).checked_div(shown.len()).unwrap_or(0).saturating_sub(2);
    let idle: Vec<&str> =
        (0..names.len()).filter(|column| !shown.contains(column)).map(|column| names[column]).collect();
    let table = if share >= NARROWEST {
        side_by_side(names, &shown, &wrapped(rows, share), share)
    } else {
        let longest = longest(names);
        below(names, &wrapped(rows, columns.saturating_sub(MARGIN + longest + 2)), longest, columns)
    };
    match idle.as_slice() {
        [] => table,
        _ if shown.is_empty() => String::new(),
        idle => format!("{table}no step of {}\n", idle.join(", ")),
    }
}

fn side_by_side(names: &[&str], shown: &[usize], rows: &[Row], share: usize) -> String {
    let cell = |row: &Row, column: usize| {
        let of_thread = row.cells.iter().find(|(of, _)| *of == column);
        cut(of_thread.map_or("", |(_, text)| text), share)
    };
    let width = |column: &usize| {
        let longest = rows.iter().map(|row| cell(row, *column).chars().count()).max().unwrap_or(0);
        longest.max(names[*column].chars().count()).min(share)
    };
    let widths: Vec<usize> = shown.iter().map(width).collect();
    let line = |label: &str, cells: Vec<String>| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("{label:>5}  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_string() + "\n"
    };
    let mut text = line("step", shown.iter().map(|column| cut(names[*column], share)).collect());
    for row in rows {
        text += &line(&row.label, shown.iter().map(|column| cell(row, *column)).collect());
    }
    text
}

fn longest(names: &[&str]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(NARROWEST)
}

/// Rows in which what a step does, which is indented, is broken into lines that fit; the line of the text is cut instead.
fn wrapped(rows: &[Row], width: usize) -> Vec<Row> {
    let mut all = Vec::new();
    for row in rows {
        let cells: Vec<(usize, Vec<String>)> =
            row.cells.iter().map(|(column, cell)| (*column, broken(cell, width))).collect();
        let lines = cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
        for line in 0..lines {
            let there = cells.iter().filter_map(|(column, lines)| Some((*column, lines.get(line)?.clone())));
            let label = if line == 0 { row.label.clone() } else { String::new() };
            all.push(Row { label, cells: there.collect() });
        }
    }
    all
}

fn broken(cell: &str, width: usize) -> Vec<String> {
    if !cell.starts_with(' ') || cell.chars().count() <= width {
        return vec![cell.to_string()];
    }
    let mut lines = vec![String::from(" ")];
    for word in cell.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.trim().is_empty() || line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("    {word}")),
        }
    }
    lines
}

/// One thread's lines after another's, each behind the thread's name.
fn below(names: &[&str], rows: &[Row], longest: usize, columns: usize) -> String {
    let mut text = format!("{:>5}  {:<longest$}\n", "step", "thread").trim_end().to_string() + "\n";
    let room = columns.saturating_sub(MARGIN + longest + 2);
    for row in rows {
        for (column, cell) in row.cells.iter().filter(|(_, cell)| !cell.is_empty()) {
            // A step's first line names its thread, what follows is indented.
            let name = if cell.starts_with(' ') { String::new() } else { cut(names[*column], longest) };
            let line = format!("{:>5}  {name:<longest$}  {}", row.label, cut(cell, room));
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(threads: usize) -> Vec<Row> {
        let row =
            |column: usize| Row::of((column + 1).to_string(), column, format!("{column}: x = {}", "1 + ".repeat(20)));
        (0..threads).map(row).collect()
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let names = ["main", "one", "two", "three", "four", "five"];
        for columns in [40, 60, 80, 100, 128, 200] {
            for threads in 1..=names.len() {
                let text = text(&names[..threads], &rows(threads), columns);
                let widest = text.lines().map(|line| line.chars().count()).max();
                assert!(widest <= Some(columns), "{columns} {threads}:\n{text}");
            }
        }
    }

    #[test]
    fn threads_that_do_nothing_have_no_column() {
        let text = text(&["main", "one", "two"], &rows(1), 80);
        assert!(text.starts_with(" step  main\n") && text.ends_with("no step of one, two\n"), "{text}");
    }

    #[test]
    fn many_threads_stand_one_below_the_other() {
        let text = text(&["main", "one", "two", "three"], &rows(4), 80);
        assert!(text.starts_with(" step  thread\n    1  main   0: x = 1 + "), "{text}");
    }
}
