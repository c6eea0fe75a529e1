//! Function definitions.

use lang_c::ast::{FunctionDefinition, Statement};
use lang_c::span::Node;
use program::Span;

use super::scope::Symbol;
use super::stmt::Body;
use super::types::{Parameter, Parameters, Specifiers, Storage};
use super::{R, Sema};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{FunctionId, FunctionType, LocalId, Stmt, StmtKind, Type};

impl Sema<'_> {
    /// A function with its body.
    pub fn function_definition(&mut self, node: &Node<FunctionDefinition>) -> R<()> {
        let definition = &node.node;
        let specifiers = self.specifiers(&definition.specifiers)?;
        let named = self.declarator(specifiers.base.clone(), &definition.declarator)?;
        let (Some((name, span)), Some(mut parameters), Type::Function(ty)) =
            (named.name, named.parameters, named.declared.ty)
        else {
            // lang-c reads `struct __attribute__((..)) tag { .. };` as a function.
            let message = "an attribute between `struct` and its tag";
            let diagnostic = Diagnostic::new(Code::Unsupported, message).at(self.at(node.span));
            return Err(diagnostic.help("write the attribute after the closing brace").into());
        };
        self.runs_by_itself(specifiers.refused.as_ref().or(named.refused.as_ref()), &name, span)?;
        let mut ty = (*ty).clone();
        if !self.is_complete(&ty.result) {
            return self.invalid(span, "the return type is an incomplete type");
        }
        let list = if parameters.prototype {
            std::mem::take(&mut parameters.list)
        } else {
            self.old_style(&parameters.identifiers, &definition.declarations)?
        };
        for parameter in &list {
            if !self.is_complete(&parameter.ty) {
                let name = parameter.name.as_deref().unwrap_or("");
                return self.invalid(parameter.span, format!("parameter `{name}` has incomplete type"));
            }
        }
        if !parameters.prototype {
            ty = FunctionType { parameters: list.iter().map(|p| p.ty.clone()).collect(), variadic: false, ..ty };
        }
        let id = self.define_function(&name, ty, &specifiers, parameters.prototype, span)?;
        self.function_body(id, &name, list, parameters, &definition.statement)
    }

    fn define_function(
        &mut self,
        name: &str,
        ty: FunctionType,
        specifiers: &Specifiers,
        prototype: bool,
        span: Span,
    ) -> R<FunctionId> {
        // A definition with () agrees with any earlier prototype of the same result, which then stays in force.
        let unknown = FunctionType { variadic: true, parameters: Vec::new(), result: ty.result.clone() };
        let id = self.declare_function(name, if prototype { ty.clone() } else { unknown }, span)?;
        self.link_function(id, specifiers);
        self.bind_function(name, id, span)?;
        let function = &mut self.unit.functions[id.0 as usize];
        if function.body.is_some() && !self.replaceable.contains(&id) {
            return self.invalid(span, format!("redefinition of `{name}`"));
        }
        function.ty = ty;
        function.span = span;
        if !prototype {
            self.unprototyped.insert(id);
        }
        if specifiers.inline && specifiers.storage == Storage::Extern && specifiers.gnu_inline {
            self.replaceable.insert(id);
        } else {
            self.replaceable.remove(&id);
        }
        Ok(id)
    }

    fn function_body(
        &mut self,
        id: FunctionId,
        name: &str,
        list: Vec<Parameter>,
        parameters: Parameters,
        statement: &Node<Statement>,
    ) -> R<()> {
        let result = self.unit.functions[id.0 as usize].ty.result.clone();
        self.body = Some(Body::new(name.to_string(), result));
        self.scopes.push(parameters.scope);
        let mut ids: Vec<LocalId> = Vec::new();
        for parameter in list {
            let name = parameter.name.unwrap_or_default();
            let local = self.new_local(&name, parameter.ty, parameter.span)?;
            if !name.is_empty() {
                self.scopes.bind(&name, Symbol::Local(local));
            }
            ids.push(local);
        }
        let mut statements = Vec::new();
        match &statement.node {
            Statement::Compound(items) => self.block_items(items, &mut statements)?,
            _ => self.statement(statement, &mut statements)?,
        }
        self.scopes.pop();
        let Some(body) = self.body.take() else { return Ok(()) };
        let labels = match body.finish_labels() {
            Ok(labels) => labels,
            Err((label, span)) => return self.invalid(span, format!("label `{label}` used but not defined")),
        };
        let span = self.at(statement.span);
        let function = &mut self.unit.functions[id.0 as usize];
        function.parameters = ids;
        function.locals = body.locals;
        function.labels = labels;
        function.body = Some(Stmt { kind: StmtKind::Block(statements), span });
        Ok(())
    }
}
