//! Which files of a project one of its programs is made of, as a linker takes them from an archive.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::{Callee, Expr, ExprKind, FunctionId, Linkage, Place, PlaceKind, Unit};
use crate::hir_walk::{Visitor, walk_init, walk_stmt};

/// What chooses among the files of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The file whose main is meant, if several have one.
    pub main: Option<PathBuf>,
}

/// The files that main's program needs, by index: its own, and those that define what these use and do not define.
pub(crate) fn select(paths: &[PathBuf], units: &[Option<Unit>], selection: &Selection) -> Result<Vec<usize>, Failure> {
    let names: Vec<Names> = units.iter().map(|unit| unit.as_ref().map(Names::of).unwrap_or_default()).collect();
    let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let first = main_file(paths, &names, selection)?;
    for (index, names) in names.iter().enumerate().filter(|(k, names)| *k == first || !names.defined.contains("main")) {
        names.defined.iter().for_each(|name| definers.entry(name).or_default().push(index));
    }
    let mut chosen = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(index) = open.pop() {
        for name in names[index].used.difference(&names[index].defined) {
            match definers.get(name.as_str()).map_or(&[][..], Vec::as_slice) {
                [] => {}
                all if all.iter().any(|k| chosen.contains(k)) => {}
                [one] => {
                    chosen.insert(*one);
                    open.push(*one);
                }
                [one, other, ..] => {
                    let (one, other) = (paths[*one].display(), paths[*other].display());
                    let message = format!("`{name}` is defined in {one} and in {other}");
                    let help = "name the files of the program instead of the compilation database";
                    return Err(Diagnostic::new(Code::Invalid, message).help(help).into());
                }
            }
        }
    }
    // Main's file comes first, then the others in their order.
    Ok([first].into_iter().chain(chosen.into_iter().filter(|index| *index != first)).collect())
}

fn main_file(paths: &[PathBuf], names: &[Names], selection: &Selection) -> Result<usize, Failure> {
    let refused = |message: String, help: &str| Err(Diagnostic::new(Code::Invalid, message).help(help).into());
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    if let Some(main) = &selection.main {
        return match paths.iter().position(|path| real(path) == real(main)) {
            Some(index) => Ok(index),
            None => refused(format!("{} is none of the project's files", main.display()), "--main takes one of them"),
        };
    }
    let with_main: Vec<usize> = (0..names.len()).filter(|k| names[*k].defined.contains("main")).collect();
    match with_main.as_slice() {
        [one] => Ok(*one),
        [] => refused(
            "no file of the project defines main, or the one that does cannot be read".into(),
            "see --client, --threads",
        ),
        several => {
            let shown: Vec<String> = several.iter().map(|k| paths[*k].display().to_string()).collect();
            refused(format!("several files define main: {}", shown.join(", ")), "choose one with --main FILE")
        }
    }
}

/// The names with external linkage that a file defines, and those that it uses.
#[derive(Default)]
struct Names {
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Names {
    fn of(unit: &Unit) -> Names {
        let mut uses = Uses { unit, used: BTreeSet::new() };
        unit.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|body| walk_stmt(body, &mut uses));
        unit.globals.iter().filter_map(|g| g.init.as_ref()).for_each(|init| walk_init(init, &mut uses));
        let functions = unit.functions.iter().filter(|f| f.linkage == Linkage::External && f.body.is_some());
        let globals = unit.globals.iter().filter(|g| g.linkage == Linkage::External && !g.external);
        let defined = functions.map(|f| f.name.clone()).chain(globals.map(|g| g.name.clone())).collect();
        Names { defined, used: uses.used }
    }
}

struct Uses<'a> {
    unit: &'a Unit,
    used: BTreeSet<String>,
}

impl Uses<'_> {
    fn function(&mut self, id: FunctionId) {
        let function = &self.unit.functions[id.0 as usize];
        if function.linkage != Linkage::Internal {
            self.used.insert(function.name.clone());
        }
    }
}

impl Visitor for Uses<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::FunctionAddress(id) | ExprKind::Call(Callee::Function(id), _) => self.function(*id),
            _ => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if let PlaceKind::Global(id) = &place.kind {
            let global = &self.unit.globals[id.0 as usize];
            if global.linkage != Linkage::Internal {
                self.used.insert(global.name.clone());
            }
        }
    }
}
