//! Declarations of types, objects and functions.

use std::rc::Rc;

use lang_c::ast::{Declaration, DeclarationSpecifier, InitDeclarator, Initializer, TypeSpecifier};
use lang_c::span::Node;
use program::Span;

use super::builtins::library_type;
use super::call::is_unprototyped;
use super::convert::{cast, int};
use super::init::Plan;
use super::scope::Symbol;
use super::types::{AUTO_TYPE, Declared, Specifiers, Storage, TypeAlign, VLA};
use super::{R, Sema};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionType, Global, GlobalId, Init, Linkage, LocalId, Place,
    PlaceKind, Stmt, StmtKind, Type,
};

/// A declared object.
struct Object<'a> {
    name: String,
    declared: Declared,
    storage: Storage,
    thread_local: bool,
    init: Option<&'a Node<Initializer>>,
    span: Span,
}

impl Sema<'_> {
    /// A declaration at file scope.
    pub fn file_declaration(&mut self, node: &Node<Declaration>) -> R<()> {
        let mut nothing = Vec::new();
        self.declaration(node, &mut nothing)
    }

    /// A declaration in a block.
    pub fn local_declaration(&mut self, node: &Node<Declaration>, out: &mut Vec<Stmt>) -> R<()> {
        self.declaration(node, out)
    }

    fn declaration(&mut self, node: &Node<Declaration>, out: &mut Vec<Stmt>) -> R<()> {
        if node.node.declarators.is_empty()
            && let [specifier] = node.node.specifiers.as_slice()
        {
            self.forward_tag(&specifier.node);
        }
        let specifiers = self.specifiers(&node.node.specifiers)?;
        for declarator in &node.node.declarators {
            self.init_declarator(&specifiers, declarator, out)?;
        }
        Ok(())
    }

    fn forward_tag(&mut self, specifier: &DeclarationSpecifier) {
        if let DeclarationSpecifier::TypeSpecifier(node) = specifier
            && let TypeSpecifier::Struct(record) = &node.node
            && record.node.declarations.is_none()
        {
            self.forward_record(&record.node);
        }
    }

    fn init_declarator(&mut self, specifiers: &Specifiers, node: &Node<InitDeclarator>, out: &mut Vec<Stmt>) -> R<()> {
        let named = self.declarator(specifiers.base.clone(), &node.node.declarator)?;
        let Some((name, span)) = named.name else {
            return self.invalid(self.at(node.span), "a declaration without a name");
        };
        let mut declared = named.declared;
        if specifiers.storage == Storage::Typedef {
            return self.typedef(&name, declared, span);
        }
        let refused = specifiers.refused.as_ref().or(named.refused.as_ref());
        if let Type::Function(ty) = &declared.ty {
            self.runs_by_itself(refused, &name, span)?;
            let id = self.declare_function(&name, (**ty).clone(), span)?;
            self.link_function(id, specifiers);
            return self.bind_function(&name, id, span);
        }
        if let Type::Opaque(what) = &declared.ty
            && &**what == AUTO_TYPE
        {
            return self.auto_typed(&name, node.node.initializer.as_ref(), span, out);
        }
        if declared.ty == Type::Void {
            return self.invalid(span, format!("variable `{name}` declared void"));
        }
        if matches!(declared.ty, Type::Array(_, length) if length != 0) {
            declared.unsized_array = false;
        }
        let object = Object {
            name,
            declared,
            storage: specifiers.storage,
            thread_local: specifiers.thread_local,
            init: node.node.initializer.as_ref(),
            span,
        };
        match refused.map(String::as_str) {
            None => {}
            Some("cleanup") => {
                let what = "the attribute cleanup".to_string();
                out.push(Stmt { kind: StmtKind::Unsupported(what), span });
            }
            Some(other) => {
                let message = format!("the attribute {other} of `{}`", object.name);
                return Err(Diagnostic::new(Code::Unsupported, message).at(span).into());
            }
        }
        if self.scopes.at_file() || object.storage == Storage::Extern {
            self.global(object)
        } else if object.storage == Storage::Static || object.thread_local {
            self.static_local(object)
        } else {
            self.local(object, out)
        }
    }

    /// Refuses functions that run without being called.
    pub fn runs_by_itself(&self, attribute: Option<&String>, name: &str, span: Span) -> R<()> {
        match attribute.map(String::as_str) {
            Some(attribute @ ("constructor" | "destructor")) => {
                let message = format!("the {attribute} `{name}`");
                let help = "call it where it is to run, and leave the attribute out";
                Err(Diagnostic::new(Code::Unsupported, message).at(span).help(help).into())
            }
            // Names that mean something else are refused where they are used: they have no body here.
            _ => Ok(()),
        }
    }

    fn typedef(&mut self, name: &str, declared: Declared, span: Span) -> R<()> {
        let library = if self.scopes.at_file() { library_type(name, self.unit.data_model) } else { None };
        let declared = match library {
            Some(ty) => Declared::new(ty),
            None => self.named(declared),
        };
        match self.scopes.symbol_here(name) {
            None => {}
            Some(Symbol::Typedef(before)) if compatible(&before.ty, &declared.ty) => {}
            Some(Symbol::Typedef(_)) => return self.invalid(span, format!("conflicting types for `{name}`")),
            Some(_) => return self.different_kind(name, span),
        }
        self.scopes.bind(name, Symbol::Typedef(declared));
        Ok(())
    }

    /// What a typedef gives a name to: the alignment that it asks for is the type's.
    fn named(&mut self, declared: Declared) -> Declared {
        let type_align = declared.asked.map_or(declared.type_align, |asked| TypeAlign::Given(asked.last));
        self.aligned_typedefs |= type_align != TypeAlign::Own;
        Declared { type_align, asked: None, packed: false, ..declared }
    }

    fn different_kind<T>(&self, name: &str, span: Span) -> R<T> {
        self.invalid(span, format!("`{name}` redeclared as different kind of symbol"))
    }

    /// Enters a function's declaration, or merges it with earlier ones.
    pub fn declare_function(&mut self, name: &str, ty: FunctionType, span: Span) -> R<FunctionId> {
        let Some(&id) = self.function_names.get(name) else {
            if self.global_names.contains_key(name) {
                return self.different_kind(name, span);
            }
            return Ok(self.declare_name(name, ty, span));
        };
        let before = &self.unit.functions[id.0 as usize].ty;
        if self.implicit.remove(&id) {
            let function = &mut self.unit.functions[id.0 as usize];
            (function.ty, function.span) = (ty, span);
            return Ok(id);
        }
        let old = Type::Function(Rc::new(before.clone()));
        let new = Type::Function(Rc::new(ty.clone()));
        if !compatible(&old, &new) && !self.unprototyped.contains(&id) {
            return self.invalid(span, format!("conflicting types for `{name}`"));
        }
        if is_unprototyped(before) && !is_unprototyped(&ty) {
            self.unit.functions[id.0 as usize].ty = ty;
        }
        Ok(id)
    }

    /// What one more declaration says about a function's linkage: the first one says whether it is `static`, and a body is an
    /// inline definition if none of them is without `inline`, or with `extern` [C11, 6.7.4].
    pub fn link_function(&mut self, id: FunctionId, specifiers: &Specifiers) {
        let inline = specifiers.inline && (specifiers.storage == Storage::Extern) == specifiers.gnu_inline;
        let first = self.linked.insert(id);
        let function = &mut self.unit.functions[id.0 as usize];
        function.linkage = match (function.linkage, specifiers.storage) {
            (_, Storage::Static) if first => Linkage::Internal,
            (Linkage::Internal, _) => Linkage::Internal,
            (Linkage::External, _) if first && inline => Linkage::Inline,
            (Linkage::Inline, _) if inline => Linkage::Inline,
            _ => Linkage::External,
        };
    }

    /// Makes a function's name visible in the innermost block.
    pub fn bind_function(&mut self, name: &str, id: FunctionId, span: Span) -> R<()> {
        match self.scopes.symbol_here(name) {
            None | Some(Symbol::Function(_)) => {
                self.scopes.bind(name, Symbol::Function(id));
                Ok(())
            }
            Some(_) => self.different_kind(name, span),
        }
    }

    /// `__auto_type name = value;`
    fn auto_typed(&mut self, name: &str, init: Option<&Node<Initializer>>, span: Span, out: &mut Vec<Stmt>) -> R<()> {
        let value = match init.map(|init| &init.node) {
            Some(Initializer::Expression(expression)) => self.value(expression)?,
            _ => return self.invalid(span, "__auto_type needs an initialiser that is an expression"),
        };
        if self.scopes.symbol_here(name).is_some() {
            return self.invalid(span, format!("redeclaration of `{name}`"));
        }
        let ty = value.ty.clone();
        let plan = Plan::whole(value);
        if self.scopes.at_file() {
            let id = self.new_global(name.to_string(), &Declared::new(ty), span);
            self.unit.globals[id.0 as usize].linkage = Linkage::External;
            self.global_names.insert(name.to_string(), id);
            self.scopes.bind(name, Symbol::Global(id));
            self.initialise_global(id, plan);
            return Ok(());
        }
        let id = self.new_local(name, ty.clone(), span)?;
        self.scopes.bind(name, Symbol::Local(id));
        let init = self.build_init(plan, &Place { kind: PlaceKind::Local(id), ty, span });
        out.push(Stmt { kind: StmtKind::Declare(id, Some(init)), span });
        Ok(())
    }

    fn new_global(&mut self, name: String, declared: &Declared, span: Span) -> GlobalId {
        let id = GlobalId(program::number(self.unit.globals.len()));
        let ty = declared.ty.clone();
        // The alignment of a struct whose members follow is known at the end of the file: see `Sema::finish`.
        let align = if self.is_complete(&ty) {
            self.object_align(declared)
        } else {
            declared.asked.map_or(0, |asked| asked.greatest)
        };
        let linkage = Linkage::Internal;
        self.unit.globals.push(Global {
            name,
            ty,
            align,
            init: None,
            thread_local: false,
            external: false,
            linkage,
            span,
        });
        id
    }

    fn initialise_global(&mut self, id: GlobalId, plan: Plan) {
        let global = &mut self.unit.globals[id.0 as usize];
        global.ty = plan.ty.clone();
        let root = Place { kind: PlaceKind::Global(id), ty: global.ty.clone(), span: global.span };
        let mut init = self.build_init(plan, &root);
        init.zero_rest = true;
        self.unit.globals[id.0 as usize].init = Some(init);
    }

    /// An object with linkage.
    fn global(&mut self, object: Object<'_>) -> R<()> {
        let (name, span) = (object.name.as_str(), object.span);
        if self.function_names.contains_key(name) {
            return self.different_kind(name, span);
        }
        let id = match self.global_names.get(name) {
            Some(&id) => self.merge_global(id, &object)?,
            None => {
                let id = self.new_global(object.name.clone(), &object.declared, span);
                self.unit.globals[id.0 as usize].external = true;
                self.unit.globals[id.0 as usize].linkage = match object.storage {
                    Storage::Static => Linkage::Internal,
                    _ => Linkage::External,
                };
                self.global_names.insert(object.name.clone(), id);
                if object.declared.unsized_array {
                    self.unsized_globals.insert(id);
                }
                id
            }
        };
        match self.scopes.symbol_here(name) {
            None | Some(Symbol::Global(_)) => self.scopes.bind(name, Symbol::Global(id)),
            Some(_) => return self.different_kind(name, span),
        }
        let global = &mut self.unit.globals[id.0 as usize];
        global.thread_local |= object.thread_local;
        if object.storage != Storage::Extern || object.init.is_some() {
            global.external = false;
            global.span = span;
            self.tentative.entry(id).or_insert(span);
        }
        if let Some(init) = object.init {
            if self.unit.globals[id.0 as usize].init.is_some() {
                return self.invalid(span, format!("redefinition of `{name}`"));
            }
            self.sized(&object)?;
            let plan = self.plan(&object.declared, init)?;
            self.initialise_global(id, plan);
        }
        Ok(())
    }

    fn merge_global(&mut self, id: GlobalId, object: &Object<'_>) -> R<GlobalId> {
        let ty = &self.unit.globals[id.0 as usize].ty;
        if !compatible(ty, &object.declared.ty) {
            return self.invalid(object.span, format!("conflicting types for `{}`", object.name));
        }
        if self.unsized_globals.contains(&id) && !object.declared.unsized_array {
            self.unit.globals[id.0 as usize].ty = object.declared.ty.clone();
            self.unsized_globals.remove(&id);
        }
        let align = self.object_align(&object.declared);
        let global = &mut self.unit.globals[id.0 as usize];
        global.align = global.align.max(align);
        Ok(id)
    }

    /// Rejects objects whose size is not known.
    fn sized(&self, object: &Object<'_>) -> R<()> {
        let unknown = object.declared.unsized_array && object.init.is_none();
        if !self.is_complete(&object.declared.ty) || unknown {
            return self.invalid(object.span, format!("the storage size of `{}` is not known", object.name));
        }
        Ok(())
    }

    /// A static local: a global with a name of its own.
    fn static_local(&mut self, object: Object<'_>) -> R<()> {
        self.sized(&object)?;
        self.fresh_name(&object)?;
        let function = self.body.as_ref().map_or("", |body| body.name.as_str());
        let base = format!("{function}::{}", object.name);
        let count = self.statics.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base}.{count}") };
        let id = self.new_global(name, &object.declared, object.span);
        self.unit.globals[id.0 as usize].thread_local = object.thread_local;
        self.scopes.bind(&object.name, Symbol::Global(id));
        if let Some(init) = object.init {
            let plan = self.plan(&object.declared, init)?;
            self.initialise_global(id, plan);
        }
        Ok(())
    }

    fn fresh_name(&self, object: &Object<'_>) -> R<()> {
        match self.scopes.symbol_here(&object.name) {
            Some(_) => self.invalid(object.span, format!("redeclaration of `{}`", object.name)),
            None => Ok(()),
        }
    }

    /// A variable-length array: a block of the function's own, a pointer to it, and its size.
    fn variable_array(&mut self, object: &Object<'_>, element: Type, length: Expr, out: &mut Vec<Stmt>) -> R<()> {
        let span = object.span;
        let size = Type::Int(self.size_type());
        let pointer = Type::Pointer(Rc::new(element.clone()));
        let each = int(i128::from(self.unit.size_of(&element)), self.size_type(), span);
        let length = cast(length, size.clone());
        let bytes =
            Expr { kind: ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(each)), ty: size.clone(), span };
        let count = self.new_local(&format!("sizeof({})", object.name), size.clone(), span)?;
        let place = |id: LocalId, ty: &Type| Place { kind: PlaceKind::Local(id), ty: ty.clone(), span };
        let set = |id: LocalId, ty: &Type, value: Expr| {
            let init = Init { items: vec![(place(id, ty), value)], zero_rest: false };
            Stmt { kind: StmtKind::Declare(id, Some(init)), span }
        };
        out.push(set(count, &size, bytes));
        let function = self.implicit_function("__builtin_alloca", span);
        let argument = Expr { kind: ExprKind::Load(Box::new(place(count, &size))), ty: size, span };
        let any = Type::Pointer(Rc::new(Type::Void));
        let block = Expr { kind: ExprKind::Call(Callee::Function(function), vec![argument]), ty: any, span };
        let id = self.new_local(&object.name, pointer.clone(), span)?;
        self.scopes.bind(&object.name, Symbol::Local(id));
        out.push(set(id, &pointer, cast(block, pointer.clone())));
        if let Some(body) = &mut self.body {
            body.variable_arrays.insert(id, count);
        }
        Ok(())
    }

    fn local(&mut self, object: Object<'_>, out: &mut Vec<Stmt>) -> R<()> {
        self.sized(&object)?;
        self.fresh_name(&object)?;
        let span = object.span;
        if matches!(&object.declared.ty, Type::Opaque(what) if &**what == VLA)
            && object.init.is_none()
            && let Some((element, length)) = self.variable.take()
        {
            return self.variable_array(&object, element, length, out);
        }
        let id = self.aligned_local(&object.name, &object.declared, span)?;
        self.scopes.bind(&object.name, Symbol::Local(id));
        if matches!(&object.declared.ty, Type::Opaque(what) if &**what == VLA) {
            out.push(Stmt { kind: StmtKind::Unsupported(VLA.to_string()), span });
            return Ok(());
        }
        let init = match object.init {
            Some(init) => {
                let plan = self.plan(&object.declared, init)?;
                let ty = plan.ty.clone();
                if let Some(local) = self.body.as_mut().and_then(|body| body.locals.get_mut(id.0 as usize)) {
                    local.ty = ty.clone();
                }
                Some(self.build_init(plan, &Place { kind: PlaceKind::Local(id), ty, span }))
            }
            None => None,
        };
        out.push(Stmt { kind: StmtKind::Declare(id, init), span });
        Ok(())
    }
}

/// Whether two declarations may give these types to one name [C11, 6.2.7].
pub fn compatible(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Pointer(l), Type::Pointer(r)) | (Type::Atomic(l), Type::Atomic(r)) => compatible(l, r),
        (Type::Array(l, m), Type::Array(r, n)) => compatible(l, r) && (m == n || *m == 0 || *n == 0),
        (Type::Function(l), Type::Function(r)) => {
            let parameters = is_unprototyped(l)
                || is_unprototyped(r)
                || (l.variadic == r.variadic
                    && l.parameters.len() == r.parameters.len()
                    && l.parameters.iter().zip(&r.parameters).all(|(l, r)| compatible(l, r)));
            compatible(&l.result, &r.result) && parameters
        }
        _ => left == right,
    }
}
