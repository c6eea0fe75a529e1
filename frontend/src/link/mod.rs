//! Links the files of a program [C11, 5.1.1.1 and 6.2.2]: what they share by name becomes one, what is `static` stays apart.
//!
//! Each file has been analysed on its own. A program of one file needs no linking, and is left as it is.

mod records;
mod select;

use std::collections::HashMap;
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::{
    Callee, Expr, ExprKind, Function, FunctionId, FunctionType, Global, GlobalId, Linkage, Place, PlaceKind, RecordId,
    Type, Unit,
};
use crate::hir_walk::{Rewriter, rewrite_init, rewrite_stmt};
use crate::sema::{compatible, is_unprototyped};
use crate::source::library::PREFIX;
use records::{merge, with_records, with_signature};
pub use select::Selection;
pub(crate) use select::select;

/// What becomes of definitions without initialiser in several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tentative {
    /// They are one too many, as in C and for compilers since gcc 10.
    #[default]
    Separate,
    /// They are one: `-fcommon`.
    Common,
}

/// One unit of several.
pub(crate) fn link(mut units: Vec<Unit>, tentative: Tentative) -> Result<Unit, Failure> {
    if let [unit] = units.as_mut_slice() {
        return Ok(std::mem::take(unit));
    }
    let data_model = units.first().map(|unit| unit.data_model).unwrap_or_default();
    let (records, places) = merge(&units);
    let program = Unit { data_model, records, ..Unit::default() };
    let mut linker = Linker { program, tentative, functions: HashMap::new(), globals: HashMap::new() };
    let mut maps = Vec::new();
    for (unit, records) in units.iter_mut().zip(places) {
        let id = |record: RecordId| records[record.0 as usize];
        let globals = std::mem::take(&mut unit.globals);
        let globals = globals.into_iter().map(|global| linker.global(global, &id)).collect::<Result<_, _>>()?;
        let functions = std::mem::take(&mut unit.functions);
        let functions = functions.into_iter().map(|f| linker.function(f, &id)).collect::<Result<_, _>>()?;
        maps.push(Map { records, globals, functions });
    }
    Ok(linker.rewritten(&maps))
}

/// What the ids of a unit are in the program. What comes from the unit is marked by its index until all are known.
struct Map {
    records: Vec<RecordId>,
    globals: Vec<(GlobalId, Taken)>,
    functions: Vec<(FunctionId, Taken)>,
}

/// Whether what a unit says of a name is what the program says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Yes,
    No,
}

struct Linker {
    program: Unit,
    tentative: Tentative,
    functions: HashMap<String, FunctionId>,
    globals: HashMap<String, GlobalId>,
}

fn conflict(name: &str, here: program::Span, there: program::Span) -> Failure {
    let message = format!("conflicting types for `{name}` in different files");
    Diagnostic::new(Code::Invalid, message).at(here).note("the other declaration", there).into()
}

fn twice(name: &str, here: program::Span, there: program::Span) -> Diagnostic {
    let message = format!("`{name}` is defined in several files");
    Diagnostic::new(Code::Invalid, message).at(here).note("the first definition", there)
}

impl Linker {
    fn global(
        &mut self,
        mut global: Global,
        records: &dyn Fn(RecordId) -> RecordId,
    ) -> Result<(GlobalId, Taken), Failure> {
        global.ty = with_records(&global.ty, records);
        let next = GlobalId(program::number(self.program.globals.len()));
        if global.linkage == Linkage::Internal {
            self.program.globals.push(global);
            return Ok((next, Taken::Yes));
        }
        if let Some(function) = self.functions.get(&global.name) {
            return Err(conflict(&global.name, global.span, self.program.functions[function.0 as usize].span));
        }
        let Some(id) = self.globals.get(&global.name).copied() else {
            self.globals.insert(global.name.clone(), next);
            self.program.globals.push(global);
            return Ok((next, Taken::Yes));
        };
        let known = &mut self.program.globals[id.0 as usize];
        if !compatible(&known.ty, &global.ty) || known.thread_local != global.thread_local {
            return Err(conflict(&global.name, global.span, known.span));
        }
        let is_tentative = |g: &Global| !g.external && g.init.is_none();
        let common = self.tentative == Tentative::Common && (is_tentative(known) || is_tentative(&global));
        if !known.external && !global.external && !common {
            let diagnostic = twice(&global.name, global.span, known.span);
            return Err(diagnostic.help("declare it with `extern` in all files but one").into());
        }
        known.align = known.align.max(global.align);
        if matches!(known.ty, Type::Array(_, 0)) {
            known.ty = global.ty.clone();
        }
        let taken = known.external || (known.init.is_none() && global.init.is_some());
        if taken {
            (known.external, known.span, known.init) = (global.external, global.span, global.init);
        }
        Ok((id, if taken { Taken::Yes } else { Taken::No }))
    }

    fn function(
        &mut self,
        mut function: Function,
        records: &dyn Fn(RecordId) -> RecordId,
    ) -> Result<(FunctionId, Taken), Failure> {
        function.ty = with_signature(&function.ty, records);
        let next = FunctionId(program::number(self.program.functions.len()));
        if function.linkage == Linkage::Internal {
            self.program.functions.push(function);
            return Ok((next, Taken::Yes));
        }
        if let Some(global) = self.globals.get(&function.name) {
            return Err(conflict(&function.name, function.span, self.program.globals[global.0 as usize].span));
        }
        let Some(id) = self.functions.get(&function.name).copied() else {
            self.functions.insert(function.name.clone(), next);
            self.program.functions.push(function);
            return Ok((next, Taken::Yes));
        };
        let known = &mut self.program.functions[id.0 as usize];
        let [old, new] = [&*known, &function].map(|f| Type::Function(Rc::new(f.ty.clone())));
        if !compatible(&old, &new) {
            // The type of a function that nobody declares is a guess; if it is a library function, its name says what it does.
            if (function.implicit || known.implicit) && function.body.is_none() && known.body.is_none() {
                self.program.functions.push(function);
                return Ok((next, Taken::Yes));
            }
            return Err(conflict(&function.name, function.span, known.span));
        }
        if known.body.is_some() && function.body.is_some() {
            agree(known, &function)?;
        }
        let better = match (&known.body, &function.body) {
            (None, Some(_)) => true,
            (Some(_), Some(_)) => known.linkage == Linkage::Inline && function.linkage == Linkage::External,
            (None, None) => (known.implicit || is_unprototyped(&known.ty)) && !function.implicit,
            (Some(_), None) => false,
        };
        if better {
            *known = function;
        }
        Ok((id, if better { Taken::Yes } else { Taken::No }))
    }

    /// Puts the program's ids in place of those of the units.
    fn rewritten(mut self, maps: &[Map]) -> Unit {
        let types: Vec<Type> = self.program.globals.iter().map(|global| global.ty.clone()).collect();
        let defined = |f: &Function| f.body.is_some().then(|| (f.name.clone(), f.ty.clone()));
        let signatures: Vec<Option<(String, FunctionType)>> = self.program.functions.iter().map(defined).collect();
        // A later file may have said something better about a name: whoever is last has said what stands.
        let mut global_homes: HashMap<GlobalId, usize> = HashMap::new();
        let mut function_homes: HashMap<FunctionId, usize> = HashMap::new();
        for (index, map) in maps.iter().enumerate() {
            global_homes.extend(map.globals.iter().filter(|(_, t)| *t == Taken::Yes).map(|(id, _)| (*id, index)));
            function_homes.extend(map.functions.iter().filter(|(_, t)| *t == Taken::Yes).map(|(id, _)| (*id, index)));
        }
        for (id, home) in global_homes {
            let mut renaming = Renaming { map: &maps[home], types: &types, signatures: &signatures };
            if let Some(init) = &mut self.program.globals[id.0 as usize].init {
                rewrite_init(init, &mut renaming);
            }
        }
        for (id, home) in function_homes {
            let mut renaming = Renaming { map: &maps[home], types: &types, signatures: &signatures };
            let function = &mut self.program.functions[id.0 as usize];
            function.locals.iter_mut().for_each(|local| renaming.ty(&mut local.ty));
            if let Some(body) = &mut function.body {
                rewrite_stmt(body, &mut renaming);
            }
        }
        self.program
    }
}

/// Whether two bodies of one function may stand beside each other: if at most one is an external definition. C leaves open which of
/// them a call runs, so they must be the same text.
fn agree(known: &Function, function: &Function) -> Result<(), Failure> {
    if function.name.starts_with(PREFIX) {
        return Ok(());
    }
    if known.linkage == Linkage::External && function.linkage == Linkage::External {
        let diagnostic = twice(&function.name, function.span, known.span);
        return Err(diagnostic.help("make it `static` in each file, or define it in one alone").into());
    }
    if known.span != function.span {
        let message = format!("inline definitions of `{}` in different places", function.name);
        let diagnostic = Diagnostic::new(Code::Unsupported, message).at(function.span);
        return Err(diagnostic.note("the other definition", known.span).into());
    }
    Ok(())
}

struct Renaming<'a> {
    map: &'a Map,
    /// The types of the program's globals.
    types: &'a [Type],
    /// The names and types of the program's functions that have a body.
    signatures: &'a [Option<(String, FunctionType)>],
}

impl Rewriter for Renaming<'_> {
    fn ty(&mut self, ty: &mut Type) {
        *ty = with_records(ty, &|record| self.map.records[record.0 as usize]);
    }

    fn function(&mut self, id: &mut FunctionId) {
        *id = self.map.functions[id.0 as usize].0;
    }

    fn place(&mut self, place: &mut Place) {
        if let PlaceKind::Global(id) = &mut place.kind {
            *id = self.map.globals[id.0 as usize].0;
            // Another file may know how long an array is.
            place.ty = self.types[id.0 as usize].clone();
        }
    }

    /// A file that does not know a function's parameters may pass others than it has.
    fn expr(&mut self, expr: &mut Expr) {
        let ExprKind::Call(Callee::Function(id), arguments) = &expr.kind else { return };
        let Some((name, ty)) = &self.signatures[id.0 as usize] else { return };
        let same_kind = |(argument, parameter): (&Expr, &Type)| {
            let kind = |ty: &Type| matches!(ty.unatomic(), Type::Int(_) | Type::Pointer(_));
            argument.ty == *parameter || (kind(&argument.ty) && kind(parameter))
        };
        if arguments.len() < ty.parameters.len() || !arguments.iter().zip(&ty.parameters).all(same_kind) {
            let what = format!("a call of `{name}` that does not fit its definition in another file");
            expr.kind = ExprKind::Unsupported(what);
        }
    }
}
