//! The study as a LaTeX table that needs no package.

use super::study::{Cell, Study};

/// The table, to be read with \input.
pub fn text(study: &Study) -> String {
    let mut text = format!(
        "% {}, Z3 {}: {} s and {} MB a run; seconds of wall time, M/O out of memory, T/O out of time.\n",
        study.header.producer, study.header.z3, study.header.timeout, study.header.memory
    );
    let columns: usize = study.configurations.iter().map(|c| if study.has_figures(c) { 2 } else { 1 }).sum();
    text += &format!("\\begin{{tabular}}{{l{}}}\n\\hline\n", "r".repeat(columns));
    text += "Program";
    for configuration in &study.configurations {
        text += &format!(" & {}", escaped(&study.name(configuration)));
        if study.has_figures(configuration) {
            text += " & published";
        }
    }
    text += " \\\\\n\\hline\n";
    for program in &study.programs {
        text += &escaped(&program.label);
        for configuration in &study.configurations {
            let cell = study.cell(program, configuration);
            text += &format!(" & {}", cell.map_or_else(|| "--".into(), shown));
            if study.has_figures(configuration) {
                text += &format!(" & {}", escaped(study.figure(&program.path, configuration).unwrap_or("")));
            }
        }
        text += " \\\\\n";
    }
    text + "\\hline\n\\end{tabular}\n"
}

/// Seconds, with a mark where the program is wrong.
fn shown(cell: Cell) -> String {
    match cell.row.short() {
        "true" => format!("{:.2}", cell.row.seconds),
        "false" => format!("{:.2}$^{{\\times}}$", cell.row.seconds),
        "timeout" => "T/O".into(),
        "memory" => "M/O".into(),
        other => escaped(other),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_to_latex() {
        assert_eq!(escaped("a_b/50%{~}\\"), "a\\_b/50\\%\\{\\textasciitilde{}\\}\\textbackslash{}");
    }
}
