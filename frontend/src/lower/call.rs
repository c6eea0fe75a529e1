//! Calls: library functions by name, everything else inlined.

use std::collections::HashMap;

use program::{Property, Term, UbKind};

use super::build::{Frame, ThreadBuilder};
use super::expr::Value;
use super::place::{Spot, known};
use super::{Fragment, Undefined};
use crate::calls::Inlined;
use crate::cfg::{NodeKind, Step};
use crate::hir::{Callee, Expr, FunctionId, FunctionType, Type};
use crate::source::library::PREFIX;

/// Activations beyond the first of each function that may be on the stack at a time. Where more are needed, the run ends at what
/// is not modelled: a proof shows that none does, so that the depth is enough.
const MAX_REPEATED: usize = 16;
/// The same in a thread that has more nodes than these: what calls itself twice grows fast.
const MAX_REPEATED_IN_LARGE: usize = 4;
const LARGE: usize = 20_000;

impl ThreadBuilder<'_, '_> {
    /// A call. Arguments are evaluated left to right.
    pub(super) fn call(&mut self, callee: &Callee, arguments: &[Expr], ty: &Type) -> Value {
        match callee {
            Callee::Function(id) => self.call_function(*id, arguments, ty),
            Callee::Pointer(pointer) => {
                let address = self.scalar(pointer);
                self.call_address(address, &pointer.ty, arguments, ty)
            }
        }
    }

    /// Calls the function at an address.
    pub(super) fn call_address(&mut self, address: Term, pointer: &Type, arguments: &[Expr], ty: &Type) -> Value {
        match self.low.function_at(address) {
            Some(id) => self.call_function(id, arguments, ty),
            None => self.call_pointer(address, pointer, arguments, ty),
        }
    }

    fn call_function(&mut self, id: FunctionId, arguments: &[Expr], ty: &Type) -> Value {
        if !self.is_live() {
            return self.placeholder(ty);
        }
        let function = &self.low.unit.functions[id.0 as usize];
        let name = function.name.clone();
        let wanted = self.wanted.take();
        if let Some(value) = self.special(&name, arguments, ty) {
            return value;
        }
        if function.body.is_some() {
            let values = self.values(arguments);
            self.wanted = wanted;
            return self.inline_as_named(id, &name, &values);
        }
        let wanted = wanted.or_else(|| self.frames.last().and_then(|frame| frame.wanted.clone()));
        if let Some(value) = self.heap_call(&name, arguments, wanted.clone()) {
            return value;
        }
        if let Some(value) = self.library(&name, arguments, ty) {
            return value;
        }
        match self.low.unit.function(&format!("{PREFIX}{name}")) {
            Some(definition) => {
                let values = self.values(arguments);
                self.wanted = wanted;
                let outer = std::mem::replace(&mut self.in_library, true);
                let value = self.inline(definition, &values);
                self.in_library = outer;
                value
            }
            None => self.unknown_function(&name, arguments, ty, wanted),
        }
    }

    /// A call of a function of which nothing is known but its type.
    fn unknown_function(&mut self, name: &str, arguments: &[Expr], ty: &Type, wanted: Option<Type>) -> Value {
        if self.low.config.undefined == Undefined::Nondet || self.is_cbmc_input(arguments, ty) {
            self.low.bodiless.entry(name.to_string()).or_insert(self.span);
        } else {
            self.unsupported(format!("call of `{name}`, which is not defined and not modelled"));
        }
        if !self.is_live() {
            return self.placeholder(ty);
        }
        arguments.iter().for_each(|a| drop(self.value(a)));
        match ty {
            Type::Pointer(pointee) => Value::Scalar(self.unknown_pointer(pointee, wanted)),
            _ => self.nondet(name, ty, program::Choice::Returned),
        }
    }

    /// The values of arguments. A struct is read before the next argument, which may change it.
    fn values(&mut self, arguments: &[Expr]) -> Vec<Value> {
        let Some((last, before)) = arguments.split_last() else { return Vec::new() };
        let mut values: Vec<Value> = before
            .iter()
            .map(|argument| match argument.ty {
                Type::Record(_) => Value::Record(self.materialise(argument)),
                _ => self.value(argument),
            })
            .collect();
        values.push(self.value(last));
        values
    }

    /// Whether a function without a body is one of CBMC's inputs: in a file that calls CBMC's primitives, it returns anything. With
    /// a pointer it might do more than that.
    fn is_cbmc_input(&self, arguments: &[Expr], ty: &Type) -> bool {
        let primitive = |function: &crate::hir::Function| function.name.starts_with("__CPROVER_");
        matches!(ty, Type::Int(_))
            && arguments.iter().all(|argument| matches!(argument.ty, Type::Int(_)))
            && self.low.unit.functions.iter().any(primitive)
    }

    /// Functions named `__VERIFIER_atomic_*` run as one atomic section.
    pub(super) fn inline_as_named(&mut self, id: FunctionId, name: &str, values: &[Value]) -> Value {
        if !name.starts_with("__VERIFIER_atomic_") {
            return self.inline(id, values);
        }
        self.begin_section();
        let value = self.inline(id, values);
        self.emit(Step::AtomicEnd);
        value
    }

    /// One case for each function that the pointer can mean.
    fn call_pointer(&mut self, address: Term, pointer: &Type, arguments: &[Expr], ty: &Type) -> Value {
        let values = self.values(arguments);
        let candidates: Vec<FunctionId> = self.candidates(pointer);
        let scalar = self.low.scalar_shape(ty).map(|shape| (self.temporary(shape.ty, "result"), shape));
        let record = matches!(ty, Type::Record(_)).then(|| self.allocate(ty, "result", true));
        let done = self.label();
        for id in candidates {
            let object = self.low.function_object(id);
            let target = self.low.memory.address_of(object);
            let (here, next) = (self.label(), self.label());
            self.dispatch(address, target, here, next);
            self.land(here);
            let name = self.low.unit.functions[id.0 as usize].name.clone();
            if self.low.config.error_functions.contains(&name) {
                self.violate(Property::UnreachCall);
            } else if super::library::is_special(&name) || self.low.unit.functions[id.0 as usize].body.is_none() {
                self.without_body(&name);
            }
            match (self.inline_as_named(id, &name, &values), scalar, record) {
                (Value::Scalar(term), Some((var, _)), _) => self.assign(None, var, term),
                (Value::Record(spot), _, Some(object)) => self.copy(&known(object), &spot, ty),
                _ => {}
            }
            self.jump(done);
            self.land(next);
        }
        self.check(Term::bool(false), UbKind::InvalidCall);
        self.land(done);
        match (scalar, record) {
            (Some((var, _)), _) => Value::Scalar(self.low.memory.term(var)),
            (_, Some(object)) => Value::Record(known(object)),
            _ => self.placeholder(ty),
        }
    }

    /// A library function, called through a pointer.
    fn without_body(&mut self, name: &str) {
        if super::library::never_returns(name) {
            self.finish(NodeKind::Stuck);
        } else {
            self.unsupported(format!("call of `{name}` through a pointer"));
        }
    }

    /// Functions whose address is taken and whose type has as many parameters as the pointer's.
    pub(super) fn candidates(&self, pointer: &Type) -> Vec<FunctionId> {
        let wanted: Option<&FunctionType> = match pointer {
            Type::Pointer(inner) => match inner.as_ref() {
                Type::Function(ty) => Some(ty),
                _ => None,
            },
            _ => None,
        };
        let fits = |id: &FunctionId| {
            let ty = &self.low.unit.functions[id.0 as usize].ty;
            wanted.is_none_or(|w| w.variadic || ty.variadic || w.parameters.len() == ty.parameters.len())
        };
        self.low.facts.addressed_functions.iter().filter(|id| fits(id)).copied().collect()
    }

    /// The body of a function in place of the call.
    pub(super) fn inline(&mut self, id: FunctionId, values: &[Value]) -> Value {
        let function = &self.low.unit.functions[id.0 as usize];
        if self.recursive(id) {
            self.unsupported(format!("recursion of `{}`", function.name));
            return self.placeholder(&function.ty.result);
        }
        let Some(body) = &function.body else { return self.placeholder(&function.ty.result) };
        let result = match &function.ty.result {
            Type::Void | Type::Float(_) => None,
            ty => Some(self.allocate(ty, &format!("{}::result", function.name), true)),
        };
        self.enter(id, result);
        for (parameter, value) in function.parameters.iter().zip(values) {
            let object = self.begin_life(*parameter);
            self.give(&known(object), &function.locals[parameter.0 as usize].ty, value);
        }
        self.stmt(body);
        let value = self.leave(&function.ty.result);
        match (value, result) {
            (Value::Scalar(_), Some(object)) => {
                let Some(shape) = self.low.scalar_shape(&function.ty.result) else { return Value::Void };
                Value::Scalar(self.read(&known(object), shape))
            }
            (Value::Record(_), Some(object)) => Value::Record(known(object)),
            (value, _) => value,
        }
    }

    /// A part of a function as the body of a thread.
    pub(super) fn inline_fragment(&mut self, function: FunctionId, fragment: &Fragment) -> Value {
        self.enter(function, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.locals = fragment.locals.clone();
        }
        self.stmt(&fragment.body);
        self.leave(&Type::Void)
    }

    /// Whether one more activation of the function is too much. A function may be active several times without recursion
    /// in the usual sense (`call(f)` where f itself uses `call`), or recurse a few times for certain.
    fn recursive(&self, id: FunctionId) -> bool {
        let most = if self.graph.nodes.len() > LARGE { MAX_REPEATED_IN_LARGE } else { MAX_REPEATED };
        let distinct: std::collections::BTreeSet<FunctionId> = self.frames.iter().map(|frame| frame.function).collect();
        distinct.contains(&id) && self.frames.len() - distinct.len() >= most
    }

    fn enter(&mut self, function: FunctionId, result: Option<crate::memory::ObjectId>) {
        let exit = self.label();
        let wanted = self.wanted.take().or_else(|| self.frames.last().and_then(|frame| frame.wanted.clone()));
        self.frames.push(Frame {
            function,
            locals: HashMap::new(),
            exit,
            result,
            labels: HashMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            wanted,
            labelled: false,
            scopes: Vec::new(),
            called: self.span,
        });
        let name = self.low.unit.functions[function.0 as usize].name.clone();
        self.graph.calls.enter(Inlined { function: name, at: self.span }, self.here(), self.graph.next());
        self.open_scope();
    }

    fn leave(&mut self, result: &Type) -> Value {
        if let Some(exit) = self.frames.last().map(|frame| frame.exit) {
            self.land(exit);
        }
        self.close_scope();
        self.frames.pop();
        self.graph.calls.leave(self.graph.next());
        self.placeholder(result)
    }

    /// Stores a value that was evaluated before.
    pub(super) fn give(&mut self, spot: &Spot, ty: &Type, value: &Value) {
        match value {
            Value::Scalar(term) => {
                if let Some(shape) = self.low.scalar_shape(ty) {
                    let term = self.fit_shape(*term, shape);
                    self.write(spot, shape, term);
                }
            }
            Value::Record(source) => self.copy(spot, source, ty),
            Value::Float | Value::Void => {}
        }
    }

    /// Goes on only if the condition holds.
    pub(super) fn assume(&mut self, cond: &Expr) {
        let (yes, no) = (self.label(), self.label());
        self.decide(cond, yes, no);
        self.land(no);
        self.finish(NodeKind::Stuck);
        self.land(yes);
    }
}
