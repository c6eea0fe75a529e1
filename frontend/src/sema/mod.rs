//! Semantic analysis: from lang-c's syntax tree to [`crate::hir`].
//!
//! Resolves names, computes types, makes conversions explicit and flattens initialisers, as C11 says and gcc on x86
//! does it. What is valid C but not modelled becomes an `Unsupported` node; what is not valid C ends the analysis.

mod align;
mod assembly;
mod builtins;
mod call;
pub mod consteval;
mod convert;
mod declare;
mod define;
mod expr;
mod generic;
mod init;
mod literal;
mod operate;
mod record;
mod scope;
mod stmt;
mod types;
mod unary;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_invalid;
#[cfg(test)]
mod tests_layout;
#[cfg(test)]
mod tests_print;

use std::collections::{BTreeMap, HashMap, HashSet};

use lang_c::ast::{Expression, ExternalDeclaration, StaticAssert, TranslationUnit};
use lang_c::span::Node;
use program::{IntType, Span};

use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::{DataModel, Function, FunctionId, FunctionType, GlobalId, Linkage, RecordId, Type, Unit};
use crate::source::{Pieces, TOO_DEEP};
use scope::Scopes;
use stmt::Body;

pub(crate) use call::is_unprototyped;
pub use consteval::const_value;
pub(crate) use declare::compatible;

/// The result of a step of the analysis.
type R<T> = Result<T, Failure>;

/// `int`.
const INT: IntType = IntType::new(32, true);
/// `_Bool`.
const BOOL: IntType = IntType::new(1, false);
/// `char`, which is signed on x86.
const CHAR: IntType = IntType::new(8, true);

/// Types the unit, whose expressions may stand for `pieces`. `span` maps a byte offset of the parsed text to a place in the
/// original file.
pub fn analyse(
    unit: &TranslationUnit,
    pieces: &Pieces,
    data_model: DataModel,
    span: &dyn Fn(usize) -> Span,
) -> Result<Unit, Failure> {
    let mut sema = Sema::new(pieces, data_model, span);
    for external in &unit.0 {
        match &external.node {
            ExternalDeclaration::Declaration(declaration) => sema.file_declaration(declaration)?,
            ExternalDeclaration::StaticAssert(assertion) => sema.static_assert(assertion)?,
            ExternalDeclaration::FunctionDefinition(definition) => sema.function_definition(definition)?,
        }
    }
    sema.finish()
}

/// The state of the analysis.
struct Sema<'a> {
    unit: Unit,
    pieces: &'a Pieces,
    /// How many pieces are around the current expression.
    within: usize,
    locate: &'a dyn Fn(usize) -> Span,
    scopes: Scopes,
    /// Functions by name, whatever the scope of their declaration.
    function_names: HashMap<String, FunctionId>,
    /// Objects with linkage by name.
    global_names: HashMap<String, GlobalId>,
    /// Functions known only from a call: a later declaration decides their type.
    implicit: HashSet<FunctionId>,
    /// Functions whose linkage a declaration has decided.
    linked: HashSet<FunctionId>,
    /// Functions whose definition has no prototype: calls may pass what they like.
    unprototyped: HashSet<FunctionId>,
    /// Definitions that a later one replaces (`extern inline` with gnu_inline).
    replaceable: HashSet<FunctionId>,
    /// Globals declared as arrays of unknown length so far.
    unsized_globals: HashSet<GlobalId>,
    /// Globals defined without initialiser, with the place of their definition: their type must be complete at the end.
    tentative: BTreeMap<GlobalId, Span>,
    /// Which records have their members.
    complete: HashSet<RecordId>,
    /// Records for whose alignment attributes are responsible.
    aligned_records: HashSet<RecordId>,
    /// Records that are in memory even where they would fit a register.
    in_memory: HashSet<RecordId>,
    /// Whether typedefs give types another alignment than their own.
    aligned_typedefs: bool,
    /// How many static locals share a name.
    statics: HashMap<String, u32>,
    /// The length of the variable-length array that was read last.
    length: Option<crate::hir::Expr>,
    /// The elements and the length of the variable-length array that was declared last.
    variable: Option<(Type, crate::hir::Expr)>,
    /// The function at hand.
    body: Option<Body>,
}

impl<'a> Sema<'a> {
    fn new(pieces: &'a Pieces, data_model: DataModel, locate: &'a dyn Fn(usize) -> Span) -> Sema<'a> {
        Sema {
            unit: Unit { data_model, ..Unit::default() },
            pieces,
            within: 0,
            locate,
            scopes: Scopes::new(),
            function_names: HashMap::new(),
            global_names: HashMap::new(),
            implicit: HashSet::new(),
            linked: HashSet::new(),
            unprototyped: HashSet::new(),
            replaceable: HashSet::new(),
            unsized_globals: HashSet::new(),
            tentative: BTreeMap::new(),
            complete: HashSet::new(),
            aligned_records: HashSet::new(),
            in_memory: HashSet::new(),
            aligned_typedefs: false,
            statics: HashMap::new(),
            length: None,
            variable: None,
            body: None,
        }
    }

    /// Where a node of the syntax tree starts.
    fn at(&self, span: lang_c::span::Span) -> Span {
        (self.locate)(span.start)
    }

    /// The text is not valid C.
    fn invalid<T>(&self, span: Span, message: impl Into<String>) -> R<T> {
        Err(Diagnostic::new(Code::Invalid, message).at(span).into())
    }

    /// Like [`Sema::invalid`], with advice.
    fn invalid_help<T>(&self, span: Span, message: impl Into<String>, help: impl Into<String>) -> R<T> {
        Err(Diagnostic::new(Code::Invalid, message).at(span).help(help).into())
    }

    /// A name is not used as what it is. In a piece that may be due to the parser, which reads it in the scope of the file.
    fn misused<T>(&self, span: Span, message: String) -> R<T> {
        match self.within {
            0 => self.invalid(span, message),
            _ => Err(Diagnostic::new(Code::Unsupported, TOO_DEEP).at(span).into()),
        }
    }

    /// Completes tentative definitions once the whole file is known.
    fn finish(mut self) -> Result<Unit, Failure> {
        for (&id, &span) in &self.tentative {
            let global = &self.unit.globals[id.0 as usize];
            if !self.is_complete(&global.ty) {
                return self.invalid(span, format!("the storage size of `{}` is not known", global.name));
            }
        }
        for &id in self.tentative.keys() {
            let global = &mut self.unit.globals[id.0 as usize];
            if let (true, Type::Array(element, 0)) = (self.unsized_globals.contains(&id), &global.ty) {
                global.ty = Type::Array(element.clone(), 1);
            }
        }
        for id in 0..self.unit.globals.len() {
            if self.unit.globals[id].align == 0 {
                self.unit.globals[id].align = self.unit.preferred_align(&self.unit.globals[id].ty);
            }
        }
        for id in &self.implicit {
            self.unit.functions[id.0 as usize].implicit = true;
        }
        Ok(self.unit)
    }

    /// `long`.
    fn long(&self) -> IntType {
        IntType::new(self.word_bits(), true)
    }

    /// `size_t`.
    fn size_type(&self) -> IntType {
        IntType::new(self.word_bits(), false)
    }

    fn word_bits(&self) -> u32 {
        match self.unit.data_model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// Enters a function without a body, or finds the one with that name.
    fn declare_name(&mut self, name: &str, ty: FunctionType, span: Span) -> FunctionId {
        if let Some(&id) = self.function_names.get(name) {
            return id;
        }
        let id = FunctionId(program::number(self.unit.functions.len()));
        self.unit.functions.push(Function {
            name: name.to_string(),
            ty,
            parameters: Vec::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            body: None,
            linkage: Linkage::External,
            implicit: false,
            span,
        });
        self.function_names.insert(name.to_string(), id);
        id
    }

    fn static_assert(&mut self, assertion: &Node<StaticAssert>) -> R<()> {
        let span = self.at(assertion.span);
        match self.constant(&assertion.node.expression)? {
            Some(0) => {
                let text = literal::string(&assertion.node.message.node);
                let message: String = text.units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
                self.invalid(span, format!("static assertion failed: {message}"))
            }
            Some(_) => Ok(()),
            None => self.invalid(span, "the expression in a static assertion is not constant"),
        }
    }

    /// The value of an integer constant expression, or None if it is not constant.
    fn constant(&mut self, node: &Node<Expression>) -> R<Option<i128>> {
        let value = self.value(node)?;
        Ok(if matches!(value.ty, Type::Int(_)) { const_value(&value) } else { None })
    }
}
