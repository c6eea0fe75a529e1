//! Published figures, to be shown beside ours: a file `published.csv` in the programs' directory.
//!
//! Its lines that begin with `#` say where the figures are from; the first other line is `program,RULE,..`, and each of the rest has a
//! program's name without extension and a figure a rule. A figure is text: seconds, or `T/O`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const NAME: &str = "published.csv";

/// What is known of the programs of some directories.
#[derive(Default)]
pub struct Published {
    tables: BTreeMap<PathBuf, Table>,
}

#[derive(Default)]
struct Table {
    source: String,
    /// By program and rule.
    figures: BTreeMap<(String, String), String>,
}

impl Published {
    /// What the directories of these programs hold.
    pub fn of<'a>(programs: impl Iterator<Item = &'a Path>) -> Published {
        let mut published = Published::default();
        for directory in programs.filter_map(Path::parent) {
            if !published.tables.contains_key(directory) {
                let text = std::fs::read_to_string(directory.join(NAME)).unwrap_or_default();
                published.tables.insert(directory.to_path_buf(), table(&text));
            }
        }
        published
    }

    /// The figure of a program under a rule.
    pub fn figure(&self, program: &Path, rule: &str) -> Option<&str> {
        let name = program.file_stem()?.to_string_lossy().into_owned();
        let figures = &self.tables.get(program.parent()?)?.figures;
        figures.get(&(name, rule.to_string())).map(String::as_str)
    }

    /// Where the figures are from.
    pub fn sources(&self) -> Vec<&str> {
        self.tables.values().map(|table| table.source.as_str()).filter(|source| !source.is_empty()).collect()
    }
}

fn table(text: &str) -> Table {
    let mut table = Table::default();
    let (comments, lines): (Vec<&str>, Vec<&str>) =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
    table.source = comments.iter().map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join(" ");
    let mut lines = lines.into_iter().map(|line| line.split(',').map(str::trim));
    let rules: Vec<&str> = lines.next().into_iter().flatten().skip(1).collect();
    for mut fields in lines {
        let Some(program) = fields.next() else { continue };
        for (rule, figure) in rules.iter().zip(fields) {
            table.figures.insert((program.to_string(), (*rule).to_string()), figure.to_string());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read() {
        let table = table("# from\n# a paper\nprogram,monolithic, owicki-gries\na,1,T/O\nb,2\n\n");
        let figure = |program: &str, rule: &str| table.figures.get(&(program.into(), rule.into())).map(String::as_str);
        assert_eq!(table.source, "from a paper");
        assert_eq!(figure("a", "owicki-gries"), Some("T/O"));
        assert_eq!((figure("b", "monolithic"), figure("b", "owicki-gries")), (Some("2"), None));
    }
}
