//! Printers: terms in C syntax, programs as text. Total and stable: the same program gives the same bytes.

use std::fmt::{self, Write};

use crate::linear::Linear;
use crate::model::{Init, LocationId, LocationKind, Owner, Program, Span, Thread, Transition, Var, VarId};
use crate::term::{BitOp, IntType, Sort, Term, TermKind};

/// A term to be printed in C syntax, with names from `names`. See [`display`].
pub struct DisplayTerm<'a, N: Fn(VarId) -> String> {
    term: Term,
    names: &'a N,
}

/// The term in C syntax. `x'` is a value after the step; `a[i := v]` is an updated array.
pub fn display<N: Fn(VarId) -> String>(term: Term, names: &N) -> DisplayTerm<'_, N> {
    DisplayTerm { term, names }
}

impl<N: Fn(VarId) -> String> fmt::Display for DisplayTerm<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(self.term, self.names, Binding::Loose))
    }
}

/// How tightly the context binds: whether an operator needs parentheses around it.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Loose,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Tight,
}

fn render(term: Term, names: &impl Fn(VarId) -> String, context: Binding) -> String {
    let (text, binding) = render_open(term, names);
    if binding < context { format!("({text})") } else { text }
}

fn render_open(term: Term, names: &impl Fn(VarId) -> String) -> (String, Binding) {
    let infix = |a: Term, op: &str, b: Term, own: Binding, inner: Binding| {
        (format!("{} {op} {}", render(a, names, own), render(b, names, inner)), own)
    };
    match term.kind() {
        TermKind::Int(v) if *v < 0 => (v.to_string(), Binding::Product),
        TermKind::Int(v) => (v.to_string(), Binding::Tight),
        TermKind::Bool(v) => (v.to_string(), Binding::Tight),
        TermKind::Var(v, _) => (names(*v), Binding::Tight),
        TermKind::Primed(v, _) => (format!("{}'", names(*v)), Binding::Tight),
        TermKind::Sum(sum) => (render_sum(sum, names), Binding::Sum),
        TermKind::Add(a, b) => infix(*a, "+", *b, Binding::Sum, Binding::Product),
        TermKind::Mul(a, b) => infix(*a, "*", *b, Binding::Product, Binding::Tight),
        TermKind::Div(a, b) => infix(*a, "/", *b, Binding::Product, Binding::Tight),
        TermKind::Rem(a, b) => infix(*a, "%", *b, Binding::Product, Binding::Tight),
        TermKind::Wrap(ty, a) => {
            (format!("({}){}", type_name(*ty), render(*a, names, Binding::Tight)), Binding::Product)
        }
        TermKind::Bits(op, ty, a, b) => {
            let op = match op {
                BitOp::And => "&",
                BitOp::Or => "|",
                BitOp::Xor => "^",
                BitOp::Shl => "<<",
                BitOp::Shr => ">>",
            };
            let text = format!("{} {op} {}", render(*a, names, Binding::Tight), render(*b, names, Binding::Tight));
            (format!("({})({text})", type_name(*ty)), Binding::Product)
        }
        TermKind::Ite(c, a, b) => {
            let arm = |t: &Term| render(*t, names, Binding::Or);
            (format!("{} ? {} : {}", arm(c), arm(a), arm(b)), Binding::Loose)
        }
        TermKind::Le(form, bound) => (comparison(form, "<=", *bound, names), Binding::Comparison),
        TermKind::Eq(form, bound) => (comparison(form, "==", *bound, names), Binding::Comparison),
        TermKind::ArrayEq(a, b) => infix(*a, "==", *b, Binding::Comparison, Binding::Sum),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => (comparison(form, ">=", bound.saturating_add(1), names), Binding::Comparison),
            TermKind::Eq(form, bound) => (comparison(form, "!=", *bound, names), Binding::Comparison),
            _ => (format!("!{}", render(*inner, names, Binding::Tight)), Binding::Tight),
        },
        TermKind::And(items) => (join(items, " && ", names, Binding::Comparison), Binding::And),
        TermKind::Or(items) => (join(items, " || ", names, Binding::And), Binding::Or),
        TermKind::Select(a, i) => {
            (format!("{}[{}]", render(*a, names, Binding::Tight), render(*i, names, Binding::Loose)), Binding::Tight)
        }
        TermKind::Store(a, i, v) => {
            let (a, i) = (render(*a, names, Binding::Tight), render(*i, names, Binding::Loose));
            (format!("{a}[{i} := {}]", render(*v, names, Binding::Loose)), Binding::Tight)
        }
        TermKind::ConstArray(v) => (format!("{{{}, ..}}", render(*v, names, Binding::Loose)), Binding::Tight),
    }
}

fn join(items: &[Term], separator: &str, names: &impl Fn(VarId) -> String, inner: Binding) -> String {
    items.iter().map(|t| render(*t, names, inner)).collect::<Vec<_>>().join(separator)
}

/// Positive monomials go to the left, negative ones to the right: `x <= y + 1`, not `x - y <= 1`.
fn comparison(form: &Linear, op: &str, bound: i128, names: &impl Fn(VarId) -> String) -> String {
    let (left, right): (Vec<_>, Vec<_>) = form.monomials().iter().copied().partition(|(_, c)| *c > 0);
    let negated: Vec<_> = right.into_iter().map(|(t, c)| (t, -c)).collect();
    if left.is_empty() || (negated.is_empty() && left.len() > 1) {
        return format!("{} {op} {bound}", render_sum(form, names));
    }
    // Over the integers; `x < y` reads better than `x <= y - 1`.
    let (op, bound) = match (op, bound) {
        ("<=", -1) if !negated.is_empty() => ("<", 0),
        (">=", 1) if !negated.is_empty() => (">", 0),
        other => other,
    };
    format!("{} {op} {}", render_monomials(&left, 0, names), render_monomials(&negated, bound, names))
}

fn render_sum(sum: &Linear, names: &impl Fn(VarId) -> String) -> String {
    render_monomials(sum.monomials(), sum.offset(), names)
}

fn render_monomials(monomials: &[(Term, i128)], offset: i128, names: &impl Fn(VarId) -> String) -> String {
    let mut text = String::new();
    // A positive monomial first reads better than a leading minus.
    let first = monomials.iter().position(|(_, c)| *c > 0).unwrap_or(0);
    let ordered = monomials
        .iter()
        .skip(first)
        .take(1)
        .chain(monomials.iter().take(first))
        .chain(monomials.iter().skip(first + 1));
    for (term, c) in ordered {
        let sign = match (text.is_empty(), *c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        if c.unsigned_abs() != 1 {
            let _ = write!(text, "{} * ", c.unsigned_abs());
        }
        text.push_str(&render(*term, names, Binding::Product));
    }
    match (text.is_empty(), offset) {
        (true, _) => text.push_str(&offset.to_string()),
        (false, 0) => {}
        (false, _) => {
            let _ = write!(text, " {} {}", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
        }
    }
    text
}

/// The C name of a type, by width.
pub(crate) fn type_name(ty: IntType) -> String {
    match (ty.bits, ty.signed) {
        (1, false) => "_Bool".into(),
        (bits, true) => format!("int{bits}"),
        (bits, false) => format!("uint{bits}"),
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "globals")?;
        for id in self.globals() {
            writeln!(f, "  {}", self.declaration(self.var(id)))?;
        }
        for (id, thread) in self.threads() {
            writeln!(f, "\nthread {} {}  // {}", id.0, thread.name, self.place(thread.span))?;
            for local in self.locals(id) {
                writeln!(f, "  {}", self.declaration(self.var(local)))?;
            }
            writeln!(f, "  start at L{}", thread.entry.0)?;
            for (location, _) in thread.locations() {
                self.write_location(f, thread, location)?;
            }
        }
        Ok(())
    }
}

impl Program {
    /// `file:line` of a span, or `file:line:column`'s first two parts if the column is unknown.
    pub fn place(&self, span: Span) -> String {
        let file = self.files().get(span.file as usize).map_or("?", String::as_str);
        format!("{file}:{}", span.line)
    }
    /// The term in C syntax with this program's names.
    pub fn show(&self, term: Term) -> String {
        display(term, &|var: VarId| self.var(var).name.clone()).to_string()
    }

    /// The variable's declaration as the text form has it: type, name, extent and initial value.
    pub(crate) fn declaration(&self, var: &Var) -> String {
        let extent = match (var.sort, var.length) {
            (Sort::Array, Some(n)) => format!("[{n}]"),
            (Sort::Array, None) => "[]".into(),
            _ => String::new(),
        };
        let init = match var.init {
            Init::Value(value) => format!(" = {}", self.show(value)),
            Init::Arbitrary if matches!(var.owner, Owner::Local(_)) => String::new(),
            Init::Arbitrary => " = nondet".into(),
        };
        format!("{} {}{extent}{init}", type_name(var.ty), var.name)
    }

    fn write_location(&self, f: &mut fmt::Formatter<'_>, thread: &Thread, id: LocationId) -> fmt::Result {
        let location = thread.location(id);
        match location.kind {
            LocationKind::Error(_) => return writeln!(f, "  L{}: error", id.0),
            LocationKind::Unmodelled => return writeln!(f, "  L{}: unmodelled", id.0),
            LocationKind::End => return writeln!(f, "  L{}: end", id.0),
            LocationKind::Plain => writeln!(f, "  L{}:  // {}", id.0, self.place(location.span))?,
        }
        for transition in thread.from(id) {
            self.write_transition(f, thread, transition)?;
        }
        Ok(())
    }

    fn write_transition(&self, f: &mut fmt::Formatter<'_>, thread: &Thread, t: &Transition) -> fmt::Result {
        let mut parts = Vec::new();
        if !t.inputs.is_empty() {
            let named: Vec<String> = t.inputs.iter().map(|v| self.typed_name(*v)).collect();
            parts.push(format!("any {};", named.join(", ")));
        }
        if !t.guard.is_empty() {
            let guard: Vec<String> = t.guard.iter().map(|g| self.show(*g)).collect();
            parts.push(format!("[{}]", guard.join(", ")));
        }
        let updates: Vec<String> =
            t.updates.iter().map(|(v, value)| format!("{} := {}", self.var(*v).name, self.show(*value))).collect();
        if !updates.is_empty() {
            parts.push(updates.join(", "));
        }
        let goal = match (t.is_undefined(), thread.location(t.target).kind) {
            (true, _) => "undefined".to_string(),
            (_, LocationKind::Error(_)) => "error".to_string(),
            (_, LocationKind::Unmodelled) => "unmodelled".to_string(),
            (_, LocationKind::End) => "end".to_string(),
            (_, LocationKind::Plain) => format!("L{}", t.target.0),
        };
        parts.push(format!("-> {goal}"));
        write!(f, "    {}", parts.join(" "))?;
        let conditions: Vec<String> = t
            .defined
            .iter()
            .filter(|d| d.condition.as_bool().is_none())
            .map(|d| format!("{}: {}", d.kind, self.show(d.condition)))
            .collect();
        write!(f, "  // {}", t.span.line)?;
        if !conditions.is_empty() {
            write!(f, "; requires no {}", conditions.join("; "))?;
        }
        writeln!(f)
    }

    fn typed_name(&self, id: VarId) -> String {
        format!("{} {}", type_name(self.var(id).ty), self.var(id).name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i128) -> Term {
        Term::int(value)
    }
    fn var(index: u32) -> Term {
        Term::var(VarId(index), Sort::Int)
    }
    fn shown(term: Term) -> String {
        display(term, &|var: VarId| ["x", "y", "z", "a"][var.0 as usize].to_string()).to_string()
    }

    #[test]
    fn terms_are_c() {
        let (x, y, z, a) = (var(0), var(1), var(2), Term::var(VarId(3), Sort::Array));
        let (int32, uint8) = (IntType::new(32, true), IntType::new(8, false));
        for (term, text) in [
            (int(-3), "-3"),
            (x.add(y.mul(int(2))).sub(int(1)), "x + 2 * y - 1"),
            (y.sub(x), "y - x"),
            (x.neg(), "-x"),
            (x.add(y).mul(z), "z * (x + y)"),
            (x.div(y.div(z)), "x / (y / z)"),
            (x.rem(int(-2)), "x % (-2)"),
            (x.add(y).wrap(uint8), "(uint8)(x + y)"),
            (x.wrap(IntType::new(1, false)), "(_Bool)x"),
            (Term::bits(BitOp::Shl, int32, x, y.add(int(1))), "(int32)(x << (y + 1))"),
            (Term::ite(x.le(y), x, y.add(int(1))), "x <= y ? x : y + 1"),
            (x.le(int(3)), "x <= 3"),
            (x.le(int(3)).not(), "x >= 4"),
            (x.lt(y), "x < y"),
            (y.lt(x), "x > y"),
            (x.add(y).le(int(3)), "x + y <= 3"),
            (x.eq_to(y.add(int(2))), "x == y + 2"),
            (x.ne(int(0)), "x != 0"),
            (Term::or([x.eq_to(int(0)), Term::and([y.le(int(1)), z.le(int(2))])]), "x == 0 || y <= 1 && z <= 2"),
            (a.select(x.add(int(1))), "a[x + 1]"),
            (a.store(x, y).select(z), "a[x := y][z]"),
            (Term::const_array(int(0)), "{0, ..}"),
            (a.eq_to(Term::const_array(int(0))).not(), "!(a == {0, ..})"),
            (x.add(y).prime(), "x' + y'"),
        ] {
            assert_eq!(shown(term), text);
        }
    }
}
