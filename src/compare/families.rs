//! Families of programs: one C text, and the values of a macro in it, as `--family NAME=VALUE,..` or a file `families.csv`
//! beside the programs says.
//!
//! Its lines that begin with `#` are comments; the first other line is `program,parameter,values`, and each of the rest has a
//! program's name without extension, the macro, and its values.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::Failure;
use super::programs::{Member, Program};
use crate::values::{Family, identifier};

const NAME: &str = "families.csv";
const HEAD: &str = "program,parameter,values";

/// The programs with each that stands for a family replaced by its members. What the command line says goes for all programs.
pub fn members(programs: Vec<Program>, asked: Option<&Family>) -> Result<Vec<Program>, Failure> {
    let mut tables: BTreeMap<PathBuf, BTreeMap<String, Family>> = BTreeMap::new();
    let mut all = Vec::new();
    for program in programs {
        let family = match asked {
            Some(family) => Some(family.clone()),
            None => {
                let directory = program.path.parent().unwrap_or(Path::new("")).to_path_buf();
                if !tables.contains_key(&directory) {
                    tables.insert(directory.clone(), read(&directory.join(NAME))?);
                }
                let stem = program.path.file_stem().unwrap_or_default().to_string_lossy();
                tables[&directory].get(stem.as_ref()).cloned()
            }
        };
        let Some(Family { parameter, values }) = family else {
            all.push(program);
            continue;
        };
        let member = |value| Some(Member { parameter: parameter.clone(), value });
        all.extend(values.into_iter().map(|value| Program { member: member(value), ..program.clone() }));
    }
    Ok(all)
}

fn read(path: &Path) -> Result<BTreeMap<String, Family>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => table(&text).map_err(|(line, why)| Failure::input(format!("{}:{line}: {why}", path.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(Failure::input(format!("cannot read {}: {error}", path.display()))),
    }
}

/// The families by program, or the line that is wrong.
fn table(text: &str) -> Result<BTreeMap<String, Family>, (usize, String)> {
    let mut families = BTreeMap::new();
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    match lines.next() {
        None => return Ok(families),
        Some((_, HEAD)) => {}
        Some((number, _)) => return Err((number, format!("expected `{HEAD}`"))),
    }
    for (number, line) in lines {
        let mut fields = line.splitn(3, ',').map(str::trim);
        let (program, parameter, values) = (fields.next(), fields.next(), fields.next());
        let (Some(program), Some(parameter), Some(values)) = (program, parameter, values) else {
            return Err((number, "expected a program, a macro and its values".into()));
        };
        let parameter = identifier(parameter).map_err(|why| (number, why))?;
        let values = Family::values(values).map_err(|why| (number, why))?;
        if families.insert(program.to_string(), Family { parameter, values }).is_some() {
            return Err((number, format!("a second family of {program}")));
        }
    }
    Ok(families)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read() {
        let families = table("# ours\n\nprogram,parameter,values\nlock, N, 2, 4,8\n").unwrap();
        assert_eq!(families["lock"], Family { parameter: "N".into(), values: vec![2, 4, 8] });
        assert_eq!(table("").unwrap().len(), 0);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, line, why) in [
            ("lock,N,2", 1, "expected `program,parameter,values`"),
            ("program,parameter,values\n\nlock,N", 3, "expected a program, a macro and its values"),
            ("program,parameter,values\nlock,2,3", 2, "expected a C identifier"),
            ("program,parameter,values\nlock,N,two", 2, "expected whole numbers greater than 0, each once"),
            ("program,parameter,values\nlock,N,2,2", 2, "expected whole numbers greater than 0, each once"),
            ("program,parameter,values\nlock,N,2\nlock,N,3", 3, "a second family of lock"),
        ] {
            assert_eq!(table(text), Err((line, why.to_string())));
        }
    }
}
