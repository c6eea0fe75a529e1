//! A main for a library: it sets up one object of each type, and creates any number of threads that repeat sequences of calls on
//! them. It is made of typed C, after linking: types without a name have objects, too.

use std::rc::Rc;

use program::{IntType, Span};

use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::{
    Callee, Comparison, Expr, ExprKind, Function, FunctionId, FunctionType, Global, GlobalId, Init, Linkage, Local,
    LocalId, Place, PlaceKind, Stmt, StmtKind, Type, Unit,
};

/// How a library is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// What its threads repeat: any of these sequences.
    pub sequences: Vec<Vec<Call>>,
    /// What is called before there are threads.
    pub setup: Vec<String>,
    /// How many objects there are of each type.
    pub objects: u32,
}

/// A call of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: String,
    /// When the sequence goes on.
    pub then: Then,
}

/// When a sequence goes on after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Whatever the result is.
    Always,
    /// If it is not zero: `try?`.
    Nonzero,
    /// If it is zero: `try!`.
    Zero,
}

/// What the texts of clients are said to be from.
pub(crate) const SOURCE: &str = "--client";

impl Client {
    /// Its text, to be shown where its steps are: the setup, then a line for each sequence.
    pub(crate) fn text(&self) -> String {
        let mark = |call: &Call| match call.then {
            Then::Always => call.function.clone(),
            Then::Nonzero => format!("{}?", call.function),
            Then::Zero => format!("{}!", call.function),
        };
        let line = |calls: &Vec<Call>| calls.iter().map(mark).collect::<Vec<_>>().join("; ");
        let setup = format!("setup: {}", self.setup.join("; "));
        [setup].into_iter().chain(self.sequences.iter().map(line)).collect::<Vec<_>>().join("\n")
    }

    /// What is assumed of those who use the library.
    pub(crate) fn assumption(&self) -> String {
        let lines = self.text().lines().skip(1).map(|line| format!("`{line}`")).collect::<Vec<_>>().join(", ");
        let objects = match self.objects {
            1 => "one object of each type, which starts with zeros".to_string(),
            several => format!("{several} objects of each type, which start with zeros"),
        };
        format!("threads repeat nothing but {lines}, on {objects}")
    }
}

/// Adds main and what its threads run. `file` is the text of the client.
pub(crate) fn add(unit: &mut Unit, client: &Client, file: u32) -> Result<(), Failure> {
    if unit.functions.iter().any(|f| f.name == "main" && f.body.is_some()) {
        let diagnostic =
            Diagnostic::new(Code::Invalid, "the program has a main: --client is for a library without one");
        return Err(diagnostic.into());
    }
    let span = Span { file, line: 1, column: 1 };
    let mut maker = Maker { unit, objects: client.objects.max(1), shared: Vec::new(), locals: Vec::new(), span };
    let mut main = Vec::new();
    for name in &client.setup {
        maker.setup(name, &mut main)?;
    }
    let setup_locals = std::mem::take(&mut maker.locals);
    let unused = maker.local("unused", Type::Pointer(Rc::new(Type::Void)));
    let mut cases = Vec::new();
    for (index, sequence) in client.sequences.iter().enumerate() {
        maker.span = Span { file, line: program::number(index + 2), column: 1 };
        let number = index as i128;
        cases.push(maker.stmt(StmtKind::Case(number, number)));
        let calls = maker.sequence(sequence)?;
        cases.push(maker.stmt(StmtKind::Block(calls)));
        cases.push(maker.stmt(StmtKind::Break));
    }
    maker.span = span;
    cases.push(maker.stmt(StmtKind::Default));
    cases.push(maker.stmt(StmtKind::Break));
    let chosen = maker.any(&INT, "chosen");
    let cases = maker.stmt(StmtKind::Block(cases));
    let repeated = maker.stmt(StmtKind::Switch(chosen, Box::new(cases)));
    let body = maker.forever(vec![repeated]);
    let pointer = Type::Pointer(Rc::new(Type::Void));
    let ty = FunctionType { result: pointer.clone(), parameters: vec![pointer], variadic: false };
    let run = maker.define("client", ty, vec![unused], body);
    maker.locals = setup_locals;
    let create = maker.creation(run);
    let forever = maker.forever(vec![create]);
    main.push(forever);
    let body = maker.stmt(StmtKind::Block(main));
    let ty = FunctionType { result: INT, parameters: Vec::new(), variadic: false };
    maker.define("main", ty, Vec::new(), body);
    Ok(())
}

const INT: Type = Type::Int(IntType::new(32, true));

struct Maker<'a> {
    unit: &'a mut Unit,
    objects: u32,
    /// What stands for a pointer to the type.
    shared: Vec<(Type, Shared)>,
    /// Those of the function at hand.
    locals: Vec<Local>,
    span: Span,
}

/// What is handed to functions that take a pointer.
#[derive(Clone, Copy)]
enum Shared {
    /// The address of this object, or of an element of this array.
    Object(GlobalId),
    /// The value of this pointer, which the setup has returned.
    Made(GlobalId),
}

impl Maker<'_> {
    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span }
    }
    fn expr(&self, kind: ExprKind, ty: Type) -> Expr {
        Expr { kind, ty, span: self.span }
    }
    fn place(&self, kind: PlaceKind, ty: Type) -> Place {
        Place { kind, ty, span: self.span }
    }
    fn forever(&self, body: Vec<Stmt>) -> Stmt {
        let body = self.stmt(StmtKind::Block(body));
        self.stmt(StmtKind::While(self.expr(ExprKind::Const(1), INT), Box::new(body)))
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        let align = self.unit.align_of(&ty);
        self.locals.push(Local { name: name.to_string(), ty, align, span: self.span });
        LocalId(program::number(self.locals.len() - 1))
    }

    fn global(&mut self, name: String, ty: Type) -> GlobalId {
        let align = self.unit.align_of(&ty);
        let linkage = Linkage::Internal;
        let span = self.span;
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
        GlobalId(program::number(self.unit.globals.len() - 1))
    }

    fn define(&mut self, name: &str, ty: FunctionType, parameters: Vec<LocalId>, body: Stmt) -> FunctionId {
        let locals = std::mem::take(&mut self.locals);
        self.function(Function {
            name: name.to_string(),
            ty,
            parameters,
            locals,
            labels: Vec::new(),
            body: Some(body),
            linkage: Linkage::External,
            implicit: false,
            span: self.span,
        })
    }

    fn declare(&mut self, name: &str, ty: FunctionType) -> FunctionId {
        if let Some(known) = self.unit.function(name) {
            return known;
        }
        let (linkage, span) = (Linkage::External, self.span);
        let (parameters, locals, labels) = Default::default();
        let name = name.to_string();
        self.function(Function { name, ty, parameters, locals, labels, body: None, linkage, implicit: false, span })
    }

    fn function(&mut self, function: Function) -> FunctionId {
        self.unit.functions.push(function);
        FunctionId(program::number(self.unit.functions.len() - 1))
    }

    /// The function that is called, and its type.
    fn callee(&self, name: &str) -> Result<(FunctionId, FunctionType), Failure> {
        let defined = |f: &Function| f.name == name && f.body.is_some();
        let Some(index) = self.unit.functions.iter().position(defined) else {
            let message = format!("no file defines a function `{name}`");
            return Err(Diagnostic::new(Code::Invalid, message)
                .help("--client and --setup take functions of the library")
                .into());
        };
        Ok((FunctionId(program::number(index)), self.unit.functions[index].ty.clone()))
    }

    /// Any value of a type.
    fn any(&mut self, ty: &Type, name: &str) -> Expr {
        let result = FunctionType { result: ty.clone(), parameters: Vec::new(), variadic: false };
        let (linkage, span) = (Linkage::Internal, self.span);
        let (parameters, locals, labels) = Default::default();
        let name = format!("__VERIFIER_nondet_{name}");
        let id = self.function(Function {
            name,
            ty: result,
            parameters,
            locals,
            labels,
            body: None,
            linkage,
            implicit: false,
            span,
        });
        self.expr(ExprKind::Call(Callee::Function(id), Vec::new()), ty.clone())
    }

    /// What is shared by all who need a pointer to a type.
    fn shared(&mut self, pointee: &Type) -> Result<Shared, Failure> {
        if let Some((_, shared)) = self.shared.iter().find(|(ty, _)| ty == pointee) {
            return Ok(*shared);
        }
        let (name, ty) = match pointee.unatomic() {
            Type::Void => ("shared_byte".to_string(), Type::Int(IntType::new(8, true))),
            Type::Record(id) => {
                let record = &self.unit.records[id.0 as usize];
                if record.size == 0 && record.fields.is_empty() {
                    let message = format!("the type `{}`, whose members no file knows, in a client", record.name);
                    return Err(Diagnostic::new(Code::Unsupported, message)
                        .help("let a function of --setup return it")
                        .into());
                }
                (format!("shared_{}", record.name.replace('.', "_")), pointee.clone())
            }
            Type::Int(int) => (format!("shared_int{}", int.bits), pointee.clone()),
            Type::Pointer(_) => ("shared_pointer".to_string(), pointee.clone()),
            Type::Sync(_) => ("shared_lock".to_string(), pointee.clone()),
            _ => {
                let message = "a pointer to a function, an array or floating point as an argument of a client";
                return Err(Diagnostic::new(Code::Unsupported, message).into());
            }
        };
        let ty = if self.objects == 1 { ty } else { Type::Array(Rc::new(ty), u64::from(self.objects)) };
        let shared = Shared::Object(self.global(name, ty));
        self.shared.push((pointee.clone(), shared));
        Ok(shared)
    }

    /// The argument for a parameter. Of several objects it is that with this index.
    fn argument(&mut self, parameter: &Type, index: &dyn Fn(&Self) -> Expr) -> Result<Expr, Failure> {
        match parameter {
            Type::Int(_) | Type::Float(_) => Ok(self.any(parameter, "argument")),
            Type::Pointer(pointee) => {
                let shared = self.shared(pointee)?;
                Ok(match shared {
                    Shared::Made(id) => {
                        let place = self.place(PlaceKind::Global(id), parameter.clone());
                        self.expr(ExprKind::Load(Box::new(place)), parameter.clone())
                    }
                    Shared::Object(id) => self.address(id, parameter, index),
                })
            }
            _ => {
                let message = "a struct, a union or an array by value as an argument of a client";
                Err(Diagnostic::new(Code::Unsupported, message).into())
            }
        }
    }

    fn address(&self, id: GlobalId, pointer: &Type, index: &dyn Fn(&Self) -> Expr) -> Expr {
        let ty = self.unit.globals[id.0 as usize].ty.clone();
        let whole = self.place(PlaceKind::Global(id), ty.clone());
        let place = match ty {
            Type::Array(element, _) if self.objects > 1 => {
                self.place(PlaceKind::Index(Box::new(whole), Box::new(index(self))), element.as_ref().clone())
            }
            _ => whole,
        };
        let own = Type::Pointer(Rc::new(place.ty.clone()));
        let address = self.expr(ExprKind::AddressOf(Box::new(place)), own.clone());
        if own == *pointer { address } else { self.expr(ExprKind::Cast(Box::new(address)), pointer.clone()) }
    }

    /// A call before there are threads, for each of the objects. A pointer that it returns is what the others are given.
    fn setup(&mut self, name: &str, out: &mut Vec<Stmt>) -> Result<(), Failure> {
        let (id, ty) = self.callee(name)?;
        let takes_pointers = ty.parameters.iter().any(|ty| matches!(ty, Type::Pointer(_)));
        let times = if takes_pointers { self.objects } else { 1 };
        for number in 0..times {
            let index = move |this: &Self| this.expr(ExprKind::Const(i128::from(number)), INT);
            let arguments: Result<Vec<Expr>, Failure> =
                ty.parameters.iter().map(|ty| self.argument(ty, &index)).collect();
            let call = self.expr(ExprKind::Call(Callee::Function(id), arguments?), ty.result.unatomic().clone());
            let made = match &ty.result {
                Type::Pointer(pointee) if **pointee != Type::Void && times == 1 => Some(pointee.as_ref().clone()),
                _ => None,
            };
            let effect = match made {
                Some(pointee) => {
                    let global = self.global(format!("made_by_{name}"), ty.result.clone());
                    self.shared.retain(|(ty, _)| *ty != pointee);
                    self.shared.push((pointee, Shared::Made(global)));
                    let place = self.place(PlaceKind::Global(global), ty.result.clone());
                    self.expr(ExprKind::Assign(Box::new(place), Box::new(call)), ty.result.clone())
                }
                None => call,
            };
            out.push(self.stmt(StmtKind::Expr(effect)));
        }
        Ok(())
    }

    /// The calls of a sequence, on one choice of objects.
    fn sequence(&mut self, calls: &[Call]) -> Result<Vec<Stmt>, Failure> {
        let mut out = Vec::new();
        let chosen = (self.objects > 1).then(|| self.choice(&mut out));
        let index = |this: &Self| {
            let place = chosen.map(|local| this.place(PlaceKind::Local(local), INT));
            let kind = place.map_or(ExprKind::Const(0), |place| ExprKind::Load(Box::new(place)));
            this.expr(kind, INT)
        };
        for call in calls {
            let (id, ty) = self.callee(&call.function)?;
            let arguments: Result<Vec<Expr>, Failure> =
                ty.parameters.iter().map(|ty| self.argument(ty, &index)).collect();
            let result = ty.result.unatomic().clone();
            let value = self.expr(ExprKind::Call(Callee::Function(id), arguments?), result.clone());
            let comparison = match call.then {
                Then::Always => {
                    out.push(self.stmt(StmtKind::Expr(value)));
                    continue;
                }
                Then::Nonzero => Comparison::Eq,
                Then::Zero => Comparison::Ne,
            };
            if !matches!(result, Type::Int(_) | Type::Pointer(_)) {
                let message = format!("`{}` returns nothing that could be zero", call.function);
                return Err(Diagnostic::new(Code::Invalid, message).at(self.span).into());
            }
            let zero = self.expr(ExprKind::Const(0), result);
            let fails = self.expr(ExprKind::Compare(comparison, Box::new(value), Box::new(zero)), INT);
            let leave = self.stmt(StmtKind::Continue);
            out.push(self.stmt(StmtKind::If(fails, Box::new(leave), None)));
        }
        Ok(out)
    }

    /// A local with the index of the objects that a sequence is about.
    fn choice(&mut self, out: &mut Vec<Stmt>) -> LocalId {
        let local = self.local("object", INT);
        let place = |this: &Self| this.place(PlaceKind::Local(local), INT);
        let any = self.any(&INT, "object");
        let init = Init { items: vec![(place(self), any)], zero_rest: false };
        out.push(self.stmt(StmtKind::Declare(local, Some(init))));
        for (comparison, bound) in [(Comparison::Lt, 0), (Comparison::Ge, i128::from(self.objects))] {
            let value = self.expr(ExprKind::Load(Box::new(place(self))), INT);
            let bound = self.expr(ExprKind::Const(bound), INT);
            let outside = self.expr(ExprKind::Compare(comparison, Box::new(value), Box::new(bound)), INT);
            let leave = self.stmt(StmtKind::Continue);
            out.push(self.stmt(StmtKind::If(outside, Box::new(leave), None)));
        }
        local
    }

    /// `pthread_create(&handle, NULL, client, NULL);`
    fn creation(&mut self, run: FunctionId) -> Stmt {
        let handle_type = Type::Int(IntType::new(u32::try_from(self.unit.data_model.word() * 8).unwrap_or(64), false));
        let handle = self.local("handle", handle_type.clone());
        let void = Type::Pointer(Rc::new(Type::Void));
        let start = Type::Pointer(Rc::new(Type::Function(Rc::new(self.unit.functions[run.0 as usize].ty.clone()))));
        let parameters = vec![Type::Pointer(Rc::new(handle_type.clone())), void.clone(), start.clone(), void.clone()];
        let ty = FunctionType { result: INT, parameters, variadic: false };
        let create = self.declare("pthread_create", ty);
        let place = self.place(PlaceKind::Local(handle), handle_type.clone());
        let null = || self.expr(ExprKind::Const(0), void.clone());
        let arguments = vec![
            self.expr(ExprKind::AddressOf(Box::new(place)), Type::Pointer(Rc::new(handle_type))),
            null(),
            self.expr(ExprKind::FunctionAddress(run), start),
            null(),
        ];
        self.stmt(StmtKind::Expr(self.expr(ExprKind::Call(Callee::Function(create), arguments), INT)))
    }
}
