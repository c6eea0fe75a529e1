//! A compact printer for typed C, and helpers for the tests.

use lang_c::driver::{Config, parse_preprocessed};
use program::Span;

use crate::diagnostic::Diagnostic;
use crate::hir::*;
use crate::source::Pieces;

/// Types a text for LP64.
pub fn analysed(text: &str) -> Unit {
    analysed_for(text, DataModel::Lp64)
}

/// Types a text that must be valid.
pub fn analysed_for(text: &str, model: DataModel) -> Unit {
    match try_analyse(text, model) {
        Ok(unit) => unit,
        Err(diagnostic) => panic!("{}: {text}", diagnostic.message),
    }
}

/// Types a text that must be rejected.
pub fn rejected(text: &str) -> Diagnostic {
    match try_analyse(text, DataModel::Lp64) {
        Ok(_) => panic!("accepted: {text}"),
        Err(diagnostic) => diagnostic,
    }
}

fn try_analyse(text: &str, model: DataModel) -> Result<Unit, Diagnostic> {
    let parsed = match parse_preprocessed(&Config::with_gcc(), text.to_string()) {
        Ok(parsed) => parsed,
        Err(error) => panic!("syntax error at {}:{}: {text}", error.line, error.column),
    };
    let locate = |offset: usize| {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = offset - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
        Span { file: 0, line: line as u32, column: column as u32 }
    };
    super::analyse(&parsed.unit, &Pieces::default(), model, &locate).map_err(|failure| *failure.0)
}

/// Prints with the names of one unit and function.
pub struct Printer<'a> {
    pub unit: &'a Unit,
    pub function: Option<&'a Function>,
}

/// The body of a function, one line.
pub fn body(unit: &Unit, name: &str) -> String {
    let function = &unit.functions[unit.function(name).expect("function").0 as usize];
    let printer = Printer { unit, function: Some(function) };
    match &function.body.as_ref().expect("body").kind {
        StmtKind::Block(list) => printer.statements(list),
        _ => panic!("a body is a block"),
    }
}

/// The initialiser of a global, one line.
pub fn initialiser(unit: &Unit, name: &str) -> String {
    let global = unit.globals.iter().find(|global| global.name == name).expect("global");
    Printer { unit, function: None }.init(global.init.as_ref().expect("initialiser"))
}

impl Printer<'_> {
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".into(),
            Type::Int(int) if int.bits == 1 => "bool".into(),
            Type::Int(int) => format!("{}{}", if int.signed { 'i' } else { 'u' }, int.bits),
            Type::Float(size) => format!("f{}", size * 8),
            Type::Pointer(inner) => format!("{}*", self.ty(inner)),
            Type::Array(inner, length) => format!("{}[{length}]", self.ty(inner)),
            Type::Record(id) => self.unit.records[id.0 as usize].name.clone(),
            Type::Function(function) => {
                let parameters: Vec<String> = function.parameters.iter().map(|p| self.ty(p)).collect();
                let dots = if function.variadic { ".." } else { "" };
                format!("fn({}{dots})->{}", parameters.join(","), self.ty(&function.result))
            }
            Type::Sync(kind) => format!("{kind:?}"),
            Type::Atomic(inner) => format!("atomic {}", self.ty(inner)),
            Type::Opaque(what) => format!("?{what}"),
        }
    }

    pub fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Global(id) => self.unit.globals[id.0 as usize].name.clone(),
            PlaceKind::Local(id) => self.local(*id),
            PlaceKind::Deref(pointer) => format!("*{}", self.expr(pointer)),
            PlaceKind::Field(base, field) => {
                let Type::Record(id) = base.ty.unatomic() else { panic!("a field of a record") };
                let name = &self.unit.records[id.0 as usize].fields[*field].name;
                let name = if name.is_empty() { format!("#{field}") } else { name.clone() };
                format!("{}.{name}", self.place(base))
            }
            PlaceKind::Index(base, index) => format!("{}[{}]", self.place(base), self.expr(index)),
            PlaceKind::Temporary(value) => format!("temp({})", self.expr(value)),
            PlaceKind::Literal(id, init) => format!("{}{{{}}}", self.local(*id), self.init(init)),
        }
    }

    fn local(&self, id: LocalId) -> String {
        let name = self.function.map(|function| function.locals[id.0 as usize].name.clone()).unwrap_or_default();
        format!("{name}%{}", id.0)
    }

    pub fn init(&self, init: &Init) -> String {
        let mut parts: Vec<String> =
            init.items.iter().map(|(place, value)| format!("{}={}", self.place(place), self.expr(value))).collect();
        if init.zero_rest {
            parts.push("0..".into());
        }
        parts.join(" ")
    }

    pub fn expr(&self, expr: &Expr) -> String {
        let e = |inner: &Expr| self.expr(inner);
        match &expr.kind {
            ExprKind::Const(value) => format!("{value}:{}", self.ty(&expr.ty)),
            ExprKind::FloatConst => format!("float:{}", self.ty(&expr.ty)),
            ExprKind::String(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddress(id) => format!("&{}", self.unit.functions[id.0 as usize].name),
            ExprKind::Unary(op, inner) => format!("{op:?}({})", e(inner)),
            ExprKind::Binary(op, l, r) => format!("{op:?}({}, {})", e(l), e(r)),
            ExprKind::Compare(op, l, r) => format!("{op:?}({}, {})", e(l), e(r)),
            ExprKind::Not(inner) => format!("!{}", e(inner)),
            ExprKind::LogicalAnd(l, r) => format!("({} && {})", e(l), e(r)),
            ExprKind::LogicalOr(l, r) => format!("({} || {})", e(l), e(r)),
            ExprKind::Conditional(c, t, f) => format!("({} ? {} : {})", e(c), e(t), e(f)),
            ExprKind::Comma(l, r) => format!("({}, {})", e(l), e(r)),
            ExprKind::PointerOffset { pointer, index, size, negative } => {
                format!("({} {} {}*{size})", e(pointer), if *negative { '-' } else { '+' }, e(index))
            }
            ExprKind::PointerDifference { left, right, size } => format!("({} - {})/{size}", e(left), e(right)),
            ExprKind::Cast(inner) => format!("({}){}", self.ty(&expr.ty), e(inner)),
            ExprKind::Assign(place, value) => format!("{} = {}", self.place(place), e(value)),
            ExprKind::Update(place, update, result) => {
                let update = match update {
                    Update::Arithmetic { op, compute, operand } => {
                        format!("{op:?}:{} {}", self.ty(compute), e(operand))
                    }
                    Update::Pointer { operand, size, negative } => {
                        format!("{}{}*{size}", if *negative { '-' } else { '+' }, e(operand))
                    }
                };
                format!("{} {result:?} {update}", self.place(place))
            }
            ExprKind::Call(callee, arguments) => {
                let callee = match callee {
                    Callee::Function(id) => self.unit.functions[id.0 as usize].name.clone(),
                    Callee::Pointer(pointer) => format!("[{}]", e(pointer)),
                };
                let arguments: Vec<String> = arguments.iter().map(e).collect();
                format!("{callee}({}):{}", arguments.join(", "), self.ty(&expr.ty))
            }
            ExprKind::Block(list) => format!("({{{}}})", self.statements(list)),
            ExprKind::Unsupported(what) => format!("<{what}>"),
        }
    }

    pub fn statements(&self, list: &[Stmt]) -> String {
        list.iter().map(|statement| self.statement(statement)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&self, statement: &Stmt) -> String {
        let label = |id: &LabelId| self.function.map_or(String::new(), |f| f.labels[id.0 as usize].clone());
        match &statement.kind {
            StmtKind::Empty => ";".into(),
            StmtKind::Expr(value) => format!("{};", self.expr(value)),
            StmtKind::Declare(id, None) => format!("let {};", self.local(*id)),
            StmtKind::Declare(id, Some(init)) => format!("let {} {{{}}};", self.local(*id), self.init(init)),
            StmtKind::Block(list) => format!("{{{}}}", self.statements(list)),
            StmtKind::If(c, t, None) => format!("if {} {}", self.expr(c), self.statement(t)),
            StmtKind::If(c, t, Some(f)) => {
                format!("if {} {} else {}", self.expr(c), self.statement(t), self.statement(f))
            }
            StmtKind::While(c, s) => format!("while {} {}", self.expr(c), self.statement(s)),
            StmtKind::DoWhile(s, c) => format!("do {} while {};", self.statement(s), self.expr(c)),
            StmtKind::For(first, c, step, s) => {
                let optional = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| self.expr(e));
                let first = self.statements(first);
                format!("for ({first} {}; {}) {}", optional(c), optional(step), self.statement(s))
            }
            StmtKind::Switch(value, s) => format!("switch {} {}", self.expr(value), self.statement(s)),
            StmtKind::Case(low, high) if low == high => format!("case {low}:"),
            StmtKind::Case(low, high) => format!("case {low}..{high}:"),
            StmtKind::Default => "default:".into(),
            StmtKind::Break => "break;".into(),
            StmtKind::Continue => "continue;".into(),
            StmtKind::Goto(id) => format!("goto {};", label(id)),
            StmtKind::Async(body) => format!("async {}", self.statement(body)),
            StmtKind::Label(id) => format!("{}:", label(id)),
            StmtKind::Return(None) => "return;".into(),
            StmtKind::Return(Some(value)) => format!("return {};", self.expr(value)),
            StmtKind::Unsupported(what) => format!("<{what}>"),
        }
    }
}
