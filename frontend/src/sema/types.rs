//! Specifiers, declarators and type names.

use std::rc::Rc;

use lang_c::ast::{ArraySize, Ellipsis, FunctionDeclarator};
use lang_c::ast::{
    Attribute, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Extension,
    FunctionSpecifier, Identifier, ParameterDeclaration, PointerQualifier, SpecifierQualifier, StorageClassSpecifier,
    TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;
use program::{IntType, Span};

use super::scope::{Scope, Symbol};
use super::{BOOL, CHAR, INT, R, Sema, literal};
use crate::hir::{DataModel, FunctionType, Type};

/// The length that marks a variable-length array until its declaration is finished.
const VARIABLE: u64 = u64::MAX;

/// Bytes of the largest array: beyond any machine's memory, and far from overflowing our own arithmetic.
const LARGEST_OBJECT: u64 = 1 << 48;

/// What typedefs say about the alignment of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeAlign {
    /// Nothing: it is the type's own.
    Own,
    /// It is this one.
    Given(u64),
    /// An expression has the type, and there are typedefs that it may come from.
    Unknown,
}

/// The alignments that a declaration asks for. Objects and members get the greatest, types the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The greatest.
    pub greatest: u64,
    /// The last in the order of gcc, for which specifiers come after the declarator.
    pub last: u64,
}

impl Asked {
    fn after(before: Option<Asked>, align: u64) -> Asked {
        Asked { greatest: before.map_or(align, |asked| asked.greatest.max(align)), last: align }
    }
}

/// A declared type, with what [`Type`] does not say.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The type.
    pub ty: Type,
    /// The alignment of the type.
    pub type_align: TypeAlign,
    /// The alignment that an attribute or `_Alignas` of this declaration asks for.
    pub asked: Option<Asked>,
    /// Whether an attribute of this declaration says packed.
    pub packed: bool,
    /// `T x[]`: the initialiser or a later declaration gives the length.
    pub unsized_array: bool,
}

impl Declared {
    /// Just a type.
    pub fn new(ty: Type) -> Declared {
        Declared { ty, type_align: TypeAlign::Own, asked: None, packed: false, unsized_array: false }
    }
}

/// Storage classes that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// None, `auto` or `register`.
    None,
    /// `typedef`.
    Typedef,
    /// `extern`.
    Extern,
    /// `static`.
    Static,
}

/// What the specifiers of a declaration say.
pub struct Specifiers {
    /// The type so far.
    pub base: Declared,
    /// Where it is stored.
    pub storage: Storage,
    /// `_Thread_local`.
    pub thread_local: bool,
    /// `inline`.
    pub inline: bool,
    /// Whether an attribute says gnu_inline.
    pub gnu_inline: bool,
    /// An attribute that changes what runs or what a name means, and is not modelled.
    pub refused: Option<String>,
}

/// A declared name with its type.
pub struct Named {
    /// The name, if there is one.
    pub name: Option<(String, Span)>,
    /// Its type.
    pub declared: Declared,
    /// The parameters, if the name is a function's.
    pub parameters: Option<Parameters>,
    /// An attribute that changes what runs or what a name means, and is not modelled.
    pub refused: Option<String>,
}

/// The parameters of a function declarator.
pub struct Parameters {
    /// Names and types, in order.
    pub list: Vec<Parameter>,
    /// The tags and enumerators declared among them.
    pub scope: Scope,
    /// The identifiers of an old-style definition.
    pub identifiers: Vec<Node<Identifier>>,
    /// Whether there is a prototype.
    pub prototype: bool,
}

/// A parameter.
#[derive(Clone)]
pub struct Parameter {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type, adjusted.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// Specifiers and qualifiers, sorted by kind.
#[derive(Default)]
struct Raw<'a> {
    types: Vec<&'a Node<TypeSpecifier>>,
    /// Attributes that follow the members of a struct, union or enum: they belong to it.
    record_attributes: Vec<&'a Attribute>,
    attributes: Vec<&'a Attribute>,
    atomic: bool,
}

impl<'a> Raw<'a> {
    fn ty(&mut self, node: &'a Node<TypeSpecifier>) {
        self.types.push(node);
    }
    fn qualifier(&mut self, qualifier: &TypeQualifier) {
        self.atomic |= *qualifier == TypeQualifier::Atomic;
    }
    fn extensions(&mut self, list: &'a [Node<Extension>]) {
        let after_record = match self.types.last().map(|t| &t.node) {
            Some(TypeSpecifier::Struct(record)) => record.node.declarations.is_some(),
            Some(TypeSpecifier::Enum(node)) => !node.node.enumerators.is_empty(),
            _ => false,
        };
        for attribute in attributes(list) {
            if after_record {
                self.record_attributes.push(attribute);
            } else {
                self.attributes.push(attribute);
            }
        }
    }
}

/// The attributes among extensions.
pub fn attributes(list: &[Node<Extension>]) -> impl Iterator<Item = &Attribute> {
    list.iter().filter_map(|extension| match &extension.node {
        Extension::Attribute(attribute) => Some(attribute),
        _ => None,
    })
}

/// An attribute's name without the underscores around it.
pub fn attribute_name(attribute: &Attribute) -> &str {
    let name = attribute.name.node.as_str();
    name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name)
}

/// The first attribute that cannot be ignored.
pub fn refused_attribute<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Option<String> {
    let matters =
        |name: &&str| matches!(*name, "constructor" | "destructor" | "cleanup" | "alias" | "ifunc" | "weakref");
    attributes.into_iter().map(attribute_name).find(matters).map(str::to_string)
}

/// The words of an arithmetic type.
#[derive(Default)]
struct Words {
    void: bool,
    char: bool,
    short: bool,
    long: u32,
    signed: bool,
    unsigned: bool,
    boolean: bool,
    float: bool,
    double: bool,
    complex: bool,
}

impl Words {
    fn ty(&self, model: DataModel) -> Type {
        if self.complex {
            let name = match (self.float, self.long, self.double) {
                (true, ..) => "_Complex float",
                (_, 1, true) => "_Complex long double",
                (_, 0, true) => "_Complex double",
                (_, 0, false) if !self.char && !self.short => "_Complex int",
                _ => "_Complex",
            };
            return Type::Opaque(name.into());
        }
        if self.void {
            return Type::Void;
        }
        if self.float {
            return Type::Float(4);
        }
        if self.double {
            return if self.long > 0 { literal::long_double(model) } else { Type::Float(8) };
        }
        if self.boolean {
            return Type::Int(BOOL);
        }
        let bits = match (self.char, self.short, self.long) {
            (true, _, _) => 8,
            (_, true, _) => 16,
            (_, _, 0) => 32,
            (_, _, 1) if model == DataModel::Ilp32 => 32,
            _ => 64,
        };
        let signed = if self.char { self.signed || (!self.unsigned && CHAR.signed) } else { !self.unsigned };
        Type::Int(IntType::new(bits, signed))
    }
}

impl Sema<'_> {
    /// The specifiers of a declaration.
    pub fn specifiers(&mut self, list: &[Node<DeclarationSpecifier>]) -> R<Specifiers> {
        let mut raw = Raw::default();
        let mut storage = Storage::None;
        let (mut thread_local, mut inline) = (false, false);
        for specifier in list {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage = Storage::Typedef,
                    StorageClassSpecifier::Extern => storage = Storage::Extern,
                    StorageClassSpecifier::Static => storage = Storage::Static,
                    StorageClassSpecifier::ThreadLocal => thread_local = true,
                    StorageClassSpecifier::Auto | StorageClassSpecifier::Register => {}
                },
                DeclarationSpecifier::TypeSpecifier(node) => raw.ty(node),
                DeclarationSpecifier::TypeQualifier(node) => raw.qualifier(&node.node),
                DeclarationSpecifier::Function(node) => inline |= node.node == FunctionSpecifier::Inline,
                // The rewriting makes attributes of the others.
                DeclarationSpecifier::Alignment(node) => {
                    return self.invalid(self.at(node.span), "malformed `_Alignas`");
                }
                DeclarationSpecifier::Extension(list) => raw.extensions(list),
            }
        }
        let gnu_inline = raw.attributes.iter().any(|a| attribute_name(a) == "gnu_inline");
        let base = self.base_type(&raw)?;
        let refused = refused_attribute(raw.attributes.iter().copied());
        Ok(Specifiers { base, storage, thread_local, inline, gnu_inline, refused })
    }

    /// The specifiers of a member or type name.
    pub fn specifier_qualifiers(&mut self, list: &[Node<SpecifierQualifier>]) -> R<Declared> {
        let mut raw = Raw::default();
        for specifier in list {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(node) => raw.ty(node),
                SpecifierQualifier::TypeQualifier(node) => raw.qualifier(&node.node),
                SpecifierQualifier::Extension(list) => raw.extensions(list),
            }
        }
        self.base_type(&raw)
    }

    fn base_type(&mut self, raw: &Raw<'_>) -> R<Declared> {
        let mut words = Words::default();
        let mut named = None;
        for node in &raw.types {
            match &node.node {
                TypeSpecifier::Void => words.void = true,
                TypeSpecifier::Char => words.char = true,
                TypeSpecifier::Short => words.short = true,
                TypeSpecifier::Int => {}
                TypeSpecifier::Long => words.long += 1,
                TypeSpecifier::Float => words.float = true,
                TypeSpecifier::Double => words.double = true,
                TypeSpecifier::Signed => words.signed = true,
                TypeSpecifier::Unsigned => words.unsigned = true,
                TypeSpecifier::Bool => words.boolean = true,
                TypeSpecifier::Complex => words.complex = true,
                other => named = Some(self.named_type(other, node, &raw.record_attributes)?),
            }
        }
        let mut declared = match named {
            Some(declared) => declared,
            None => Declared::new(words.ty(self.unit.data_model)),
        };
        for attribute in &raw.attributes {
            self.type_attribute(attribute, &mut declared)?;
        }
        Ok(if raw.atomic { self.atomic(declared) } else { declared })
    }

    fn named_type(
        &mut self,
        specifier: &TypeSpecifier,
        node: &Node<TypeSpecifier>,
        attributes: &[&Attribute],
    ) -> R<Declared> {
        match specifier {
            TypeSpecifier::Atomic(name) => {
                let declared = self.type_name(name)?;
                Ok(self.atomic(declared))
            }
            TypeSpecifier::Struct(record) => {
                let id = self.record(record, attributes)?;
                Ok(Declared::new(Type::Record(id)))
            }
            TypeSpecifier::Enum(node) => Ok(Declared::new(Type::Int(self.enumeration(node, attributes)?))),
            TypeSpecifier::TypedefName(name) => self.typedef_name(&name.node.name, self.at(name.span)),
            TypeSpecifier::TypeOf(of) => {
                let declared = match &of.node {
                    TypeOf::Expression(expression) => {
                        let operand = self.operand(expression)?;
                        let ty = self.operand_type(&operand);
                        Declared { type_align: self.type_align_of_expression(&ty), ..Declared::new(ty) }
                    }
                    TypeOf::Type(name) => self.type_name(name)?,
                };
                // gcc removes _Atomic here, for its own <stdatomic.h>.
                Ok(Declared { ty: declared.ty.unatomic().clone(), ..declared })
            }
            TypeSpecifier::TS18661Float(float) => {
                Ok(Declared::new(literal::extended_float(&float.format, float.width)))
            }
            _ => self.invalid(self.at(node.span), "malformed type"),
        }
    }

    fn typedef_name(&self, name: &str, span: Span) -> R<Declared> {
        match self.scopes.symbol(name) {
            Some(Symbol::Typedef(declared)) => Ok(declared.clone()),
            _ => match name {
                // Passed on, but not looked into (`va_arg` is refused): not tracked, like floating point.
                "__builtin_va_list" => Ok(Declared::new(Type::Float(match self.unit.data_model {
                    DataModel::Lp64 => 24,
                    DataModel::Ilp32 => 4,
                }))),
                "__int128" | "__int128_t" | "__uint128_t" => Ok(Declared::new(Type::Opaque("__int128".into()))),
                "__auto_type" => Ok(Declared::new(Type::Opaque(AUTO_TYPE.into()))),
                _ => self.misused(span, format!("unknown type name `{name}`")),
            },
        }
    }

    /// A type name, as in a cast.
    pub fn type_name(&mut self, name: &Node<TypeName>) -> R<Declared> {
        let base = self.specifier_qualifiers(&name.node.specifiers)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator)?.declared),
            None => Ok(base),
        }
    }

    /// A declarator applied to the type of the specifiers.
    pub fn declarator(&mut self, base: Declared, node: &Node<Declarator>) -> R<Named> {
        let mut named = self.raw_declarator(base, node)?;
        let length = self.length.take();
        self.variable = match &named.declared.ty {
            Type::Array(element, VARIABLE) if settle(element) == **element => {
                length.map(|length| (element.as_ref().clone(), length))
            }
            _ => None,
        };
        named.declared.ty = settle(&named.declared.ty);
        Ok(named)
    }

    /// A parameter's declarator: its own array or function type becomes a pointer.
    fn parameter(&mut self, node: &Node<ParameterDeclaration>) -> R<Parameter> {
        let span = self.at(node.span);
        let base = self.specifiers(&node.node.specifiers)?.base;
        let (name, ty) = match &node.node.declarator {
            Some(declarator) => {
                let named = self.raw_declarator(base, declarator)?;
                (named.name.map(|(name, _)| name), named.declared.ty)
            }
            None => (None, base.ty),
        };
        Ok(Parameter { name, ty: settle(&adjusted(ty)), span })
    }

    fn raw_declarator(&mut self, base: Declared, node: &Node<Declarator>) -> R<Named> {
        let mut named = Named { name: None, declared: base, parameters: None, refused: None };
        self.apply(node, &mut named)?;
        Ok(named)
    }

    /// Wraps the type so far into what the declarator says, outermost derivation first.
    fn apply(&mut self, node: &Node<Declarator>, named: &mut Named) -> R<()> {
        let declarator = &node.node;
        let is_pointer = |d: &&Node<DerivedDeclarator>| {
            matches!(d.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
        };
        let pointers = declarator.derived.iter().take_while(is_pointer).count();
        let (prefix, suffix) = declarator.derived.split_at(pointers);
        for derived in prefix.iter().chain(suffix.iter().rev()) {
            self.derive(derived, named)?;
        }
        let before = named.declared.asked;
        for attribute in attributes(&declarator.extensions) {
            named.refused = named.refused.take().or_else(|| refused_attribute([attribute]));
            self.type_attribute(attribute, &mut named.declared)?;
        }
        if let (Some(asked), Some(before)) = (&mut named.declared.asked, before) {
            asked.last = before.last;
        }
        match &declarator.kind.node {
            DeclaratorKind::Abstract => Ok(()),
            DeclaratorKind::Identifier(name) => {
                named.name = Some((name.node.name.clone(), self.at(name.span)));
                Ok(())
            }
            DeclaratorKind::Declarator(inner) => self.apply(inner, named),
        }
    }

    fn derive(&mut self, derived: &Node<DerivedDeclarator>, named: &mut Named) -> R<()> {
        let span = self.at(derived.span);
        let before = named.declared.clone();
        named.declared.type_align = TypeAlign::Own;
        named.declared.unsized_array = false;
        let inner = before.ty;
        named.parameters = None;
        named.declared.ty = match &derived.node {
            DerivedDeclarator::Pointer(qualifiers) => {
                let pointer = Type::Pointer(Rc::new(inner));
                let is_atomic = |q: &Node<PointerQualifier>| match &q.node {
                    PointerQualifier::TypeQualifier(q) => q.node == TypeQualifier::Atomic,
                    PointerQualifier::Extension(_) => false,
                };
                for qualifier in qualifiers {
                    if let PointerQualifier::Extension(list) = &qualifier.node {
                        for attribute in attributes(list).filter(|a| attribute_name(a) == "aligned") {
                            named.declared.type_align = TypeAlign::Given(self.alignment(attribute)?);
                            self.aligned_typedefs = true;
                        }
                    }
                }
                if qualifiers.iter().any(is_atomic) { atomic(pointer) } else { pointer }
            }
            DerivedDeclarator::Block(_) => Type::Opaque("block".into()),
            DerivedDeclarator::Array(array) => {
                if matches!(inner, Type::Void | Type::Function(_)) {
                    return self.invalid(span, "an array's elements must be objects");
                }
                if !self.is_complete(&inner) {
                    return self.invalid(span, "array type has incomplete element type");
                }
                named.declared.type_align = match before.type_align {
                    // gcc forgets alignments of atomic elements.
                    TypeAlign::Given(_) if has_atomic_elements(&inner) => TypeAlign::Unknown,
                    other => other,
                };
                named.declared.unsized_array = matches!(array.node.size, ArraySize::Unknown);
                let length = self.array_length(&array.node.size, span)?;
                let size = self.unit.size_of(&settle(&inner));
                if length != VARIABLE && size.checked_mul(length).is_none_or(|bytes| bytes > LARGEST_OBJECT) {
                    return self.invalid(span, "the size of an array is too large");
                }
                Type::Array(Rc::new(inner), length)
            }
            DerivedDeclarator::Function(function) => self.function_type(inner, &function.node, named, span)?,
            DerivedDeclarator::KRFunction(identifiers) => {
                named.parameters = Some(Parameters {
                    list: Vec::new(),
                    scope: Scope::default(),
                    identifiers: identifiers.clone(),
                    prototype: false,
                });
                self.returnable(&inner, span)?;
                Type::Function(Rc::new(FunctionType { result: settle(&inner), parameters: vec![], variadic: true }))
            }
        };
        Ok(())
    }

    fn array_length(&mut self, size: &ArraySize, span: Span) -> R<u64> {
        let node = match size {
            ArraySize::Unknown => return Ok(0),
            ArraySize::VariableUnknown => return Ok(VARIABLE),
            ArraySize::VariableExpression(node) | ArraySize::StaticExpression(node) => node,
        };
        let value = self.value(node)?;
        if !matches!(value.ty, Type::Int(_) | Type::Opaque(_)) {
            return self.invalid(span, "the size of an array must have an integer type");
        }
        match super::const_value(&value) {
            None => {
                self.length = Some(value);
                Ok(VARIABLE)
            }
            Some(length) => match u64::try_from(length).ok().filter(|&n| n <= i64::MAX as u64) {
                Some(length) => Ok(length),
                None => self.invalid(span, "the size of an array is negative or too large"),
            },
        }
    }

    fn function_type(&mut self, result: Type, function: &FunctionDeclarator, named: &mut Named, span: Span) -> R<Type> {
        self.returnable(&result, span)?;
        self.scopes.push(Scope::default());
        let list = self.parameters(&function.parameters);
        let scope = self.scopes.pop();
        let list = list?;
        let ty = FunctionType {
            result: settle(&result),
            parameters: list.iter().map(|p| p.ty.clone()).collect(),
            variadic: function.ellipsis == Ellipsis::Some,
        };
        named.parameters = Some(Parameters { list, scope, identifiers: Vec::new(), prototype: true });
        Ok(Type::Function(Rc::new(ty)))
    }

    fn parameters(&mut self, nodes: &[Node<ParameterDeclaration>]) -> R<Vec<Parameter>> {
        let mut list: Vec<Parameter> = Vec::new();
        for node in nodes {
            let parameter = self.parameter(node)?;
            if nodes.len() == 1 && parameter.ty == Type::Void && parameter.name.is_none() {
                return Ok(list);
            }
            if parameter.ty == Type::Void {
                return self.invalid(parameter.span, "a parameter cannot have type void");
            }
            if let Some(name) = &parameter.name {
                if list.iter().any(|p| p.name.as_ref() == Some(name)) {
                    return self.invalid(parameter.span, format!("redefinition of parameter `{name}`"));
                }
                self.scopes.bind(name, Symbol::Parameter(parameter.ty.clone()));
            }
            list.push(parameter);
        }
        Ok(list)
    }

    /// The types that the declarations of an old-style definition give to its parameters; int if they say nothing.
    pub fn old_style(&mut self, names: &[Node<Identifier>], declarations: &[Node<Declaration>]) -> R<Vec<Parameter>> {
        let mut list: Vec<Parameter> = names
            .iter()
            .map(|name| Parameter { name: Some(name.node.name.clone()), ty: Type::Int(INT), span: self.at(name.span) })
            .collect();
        for declaration in declarations {
            let base = self.specifiers(&declaration.node.specifiers)?.base;
            for declarator in &declaration.node.declarators {
                let named = self.raw_declarator(base.clone(), &declarator.node.declarator)?;
                let Some((name, span)) = named.name else { continue };
                match list.iter_mut().find(|p| p.name.as_ref() == Some(&name)) {
                    Some(parameter) => parameter.ty = settle(&adjusted(named.declared.ty)),
                    None => {
                        return self.invalid(span, format!("declaration for parameter `{name}` but no such parameter"));
                    }
                }
            }
        }
        Ok(list)
    }

    fn returnable(&self, result: &Type, span: Span) -> R<()> {
        match result {
            Type::Array(..) => self.invalid(span, "a function cannot return an array"),
            Type::Function(_) => self.invalid(span, "a function cannot return a function"),
            _ => Ok(()),
        }
    }

    /// `_Atomic declared`.
    fn atomic(&self, declared: Declared) -> Declared {
        let type_align = match declared.type_align {
            TypeAlign::Given(align) => TypeAlign::Given(self.unit.atomic_align(&declared.ty, align)),
            other => other,
        };
        Declared { ty: atomic(declared.ty), type_align, ..declared }
    }

    /// Attributes that change a type.
    fn type_attribute(&mut self, attribute: &Attribute, declared: &mut Declared) -> R<()> {
        match attribute_name(attribute) {
            "aligned" => declared.asked = Some(Asked::after(declared.asked, self.alignment(attribute)?)),
            "packed" => declared.packed = true,
            "vector_size" => declared.ty = Type::Opaque("vector type".into()),
            "mode" => {
                if let (Some(mode), Type::Int(int)) = (mode_name(attribute), &declared.ty) {
                    declared.ty = self.with_mode(&mode, *int);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The argument of an `aligned` attribute; without one, the largest alignment of the machine.
    pub fn alignment(&mut self, attribute: &Attribute) -> R<u64> {
        let Some(argument) = attribute.arguments.first() else { return Ok(16) };
        let value = self.constant(argument)?.and_then(|value| u64::try_from(value).ok());
        match value.filter(|value| value.is_power_of_two()) {
            Some(align) => Ok(align),
            None => self.invalid(self.at(argument.span), "the requested alignment is not a positive power of 2"),
        }
    }

    fn with_mode(&self, mode: &str, int: IntType) -> Type {
        let bits = match mode {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "word" | "pointer" | "unwind_word" => self.word_bits(),
            _ => return Type::Opaque("machine mode".into()),
        };
        Type::Int(IntType::new(bits, int.signed))
    }
}

/// The name under which the type of `__auto_type` waits for its initialiser.
pub const AUTO_TYPE: &str = "__auto_type";

fn mode_name(attribute: &Attribute) -> Option<String> {
    match &attribute.arguments.first()?.node {
        lang_c::ast::Expression::Identifier(name) => {
            let name = name.node.name.as_str();
            Some(name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name).to_string())
        }
        _ => None,
    }
}

/// `_Atomic ty`.
fn atomic(ty: Type) -> Type {
    if ty.is_atomic() || matches!(ty, Type::Sync(_) | Type::Opaque(_)) { ty } else { Type::Atomic(Rc::new(ty)) }
}

/// Whether the type is atomic, or an array of what is.
fn has_atomic_elements(ty: &Type) -> bool {
    match ty {
        Type::Array(element, _) => has_atomic_elements(element),
        other => other.is_atomic(),
    }
}

/// The type of a parameter declared with this type.
fn adjusted(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function(_) => Type::Pointer(Rc::new(ty)),
        other => other,
    }
}

/// Replaces variable-length arrays, which are not modelled, wherever they are left in the type.
fn settle(ty: &Type) -> Type {
    match ty {
        Type::Array(element, length) => match (settle(element), *length) {
            (_, VARIABLE) => Type::Opaque(VLA.into()),
            (Type::Opaque(name), _) if &*name == VLA => Type::Opaque(name),
            (element, length) => Type::Array(Rc::new(element), length),
        },
        Type::Pointer(inner) => Type::Pointer(Rc::new(settle(inner))),
        other => other.clone(),
    }
}

/// The name of the type of variable-length arrays.
pub const VLA: &str = "variable-length array";
