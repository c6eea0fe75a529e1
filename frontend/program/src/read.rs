//! SMT-LIB expressions back into terms. What has no term is an error, never dropped.

use std::collections::HashMap;
use std::fmt;

use crate::sexpr::Sexpr;
use crate::term::{IntType, Sort, Term};

/// An expression that has no term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(pub String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot be read back as a term: {}", self.0)
    }
}
impl std::error::Error for ReadError {}

/// Reads expressions whose free symbols `names` knows.
pub struct Reader<'a> {
    names: &'a dyn Fn(&str) -> Option<Term>,
    bound: Vec<HashMap<String, Term>>,
}

impl<'a> Reader<'a> {
    /// A reader with these names.
    pub fn new(names: &'a dyn Fn(&str) -> Option<Term>) -> Reader<'a> {
        Reader { names, bound: Vec::new() }
    }

    /// The term of an expression.
    pub fn read(&mut self, expr: &Sexpr) -> Result<Term, ReadError> {
        match expr {
            Sexpr::Atom(text) => self.symbol(text),
            Sexpr::List(items) => match items.as_slice() {
                [Sexpr::Atom(op), rest @ ..] if op == "let" => self.read_let(expr, rest),
                [Sexpr::Atom(op), body, ..] if op == "!" => self.read(body),
                [Sexpr::Atom(op), args @ ..] => {
                    let args = args.iter().map(|arg| self.read(arg)).collect::<Result<Vec<_>, _>>()?;
                    apply(op, &args).ok_or_else(|| ReadError(expr.to_string()))
                }
                // ((as const (Array Int Int)) v)
                [Sexpr::List(head), value] if head.get(1).and_then(Sexpr::symbol) == Some("const") => {
                    Ok(Term::const_array(self.read(value)?))
                }
                _ => Err(ReadError(expr.to_string())),
            },
        }
    }

    fn symbol(&self, text: &str) -> Result<Term, ReadError> {
        if let Some(term) = self.bound.iter().rev().find_map(|scope| scope.get(text)) {
            return Ok(*term);
        }
        match text {
            "true" => return Ok(Term::bool(true)),
            "false" => return Ok(Term::bool(false)),
            _ => {}
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return text.parse().map(Term::int).map_err(|_| ReadError(text.to_string()));
        }
        (self.names)(text).ok_or_else(|| ReadError(text.to_string()))
    }

    fn read_let(&mut self, expr: &Sexpr, rest: &[Sexpr]) -> Result<Term, ReadError> {
        let [bindings, body] = rest else { return Err(ReadError(expr.to_string())) };
        let mut scope = HashMap::new();
        for binding in bindings.items().unwrap_or_default() {
            let Some([Sexpr::Atom(name), value]) = binding.items() else { return Err(ReadError(expr.to_string())) };
            scope.insert(name.clone(), self.read(value)?);
        }
        self.bound.push(scope);
        let result = self.read(body);
        self.bound.pop();
        result
    }
}

fn apply(op: &str, args: &[Term]) -> Option<Term> {
    let all = |sort: Sort| args.iter().all(|arg| arg.sort() == sort);
    let chain = |compare: fn(Term, Term) -> Term| {
        (all(Sort::Int) && args.len() >= 2).then(|| Term::and(args.windows(2).map(|pair| compare(pair[0], pair[1]))))
    };
    match (op, args) {
        ("and", _) if all(Sort::Bool) => Some(Term::and(args.iter().copied())),
        ("or", _) if all(Sort::Bool) => Some(Term::or(args.iter().copied())),
        ("not", [a]) if all(Sort::Bool) => Some(a.not()),
        ("=>", [a, b]) if all(Sort::Bool) => Some(a.implies(*b)),
        ("=", [a, b]) if all(Sort::Bool) => Some(iff(*a, *b)),
        ("=", [a, b]) if a.sort() == b.sort() => Some(a.eq_to(*b)),
        ("distinct", [a, b]) if all(Sort::Bool) => Some(iff(*a, *b).not()),
        ("distinct", [a, b]) if a.sort() == b.sort() => Some(a.eq_to(*b).not()),
        ("<=", _) => chain(Term::le),
        ("<", _) => chain(Term::lt),
        (">=", _) => chain(|a, b| b.le(a)),
        (">", _) => chain(|a, b| b.lt(a)),
        ("+", [first, rest @ ..]) if all(Sort::Int) => Some(rest.iter().fold(*first, |sum, arg| sum.add(*arg))),
        ("-", [a]) if all(Sort::Int) => Some(a.neg()),
        ("-", [first, rest @ ..]) if all(Sort::Int) => Some(rest.iter().fold(*first, |sum, arg| sum.sub(*arg))),
        ("*", [first, rest @ ..]) if all(Sort::Int) => Some(rest.iter().fold(*first, |sum, arg| sum.mul(*arg))),
        ("ite", [c, a, b]) if c.sort() == Sort::Bool && a.sort() == Sort::Bool && b.sort() == Sort::Bool => {
            Some(Term::and([c.implies(*a), Term::or([*c, *b])]))
        }
        ("ite", [c, a, b]) if c.sort() == Sort::Bool && a.sort() == b.sort() => Some(Term::ite(*c, *a, *b)),
        ("mod", [a, b]) if all(Sort::Int) => floor_mod(*a, b.as_int()?),
        ("div", [a, b]) if all(Sort::Int) => floor_div(*a, b.as_int()?),
        ("select", [a, i]) if a.sort() == Sort::Array && i.sort() == Sort::Int => Some(a.select(*i)),
        ("store", [a, i, v]) if a.sort() == Sort::Array && i.sort() == Sort::Int && v.sort() == Sort::Int => {
            Some(a.store(*i, *v))
        }
        _ => None,
    }
}

fn iff(a: Term, b: Term) -> Term {
    Term::and([a.implies(b), b.implies(a)])
}

/// SMT-LIB's `mod` by a positive constant: between 0 and it.
fn floor_mod(a: Term, n: i128) -> Option<Term> {
    if n <= 0 {
        return None;
    }
    if n.count_ones() == 1 && n.trailing_zeros() <= 64 && n > 1 {
        return Some(a.wrap(IntType::new(n.trailing_zeros(), false)));
    }
    let rem = a.rem(Term::int(n));
    Some(Term::ite(Term::int(0).le(rem), rem, rem.add(Term::int(n))))
}

/// SMT-LIB's `div` by a positive constant: rounded down.
fn floor_div(a: Term, n: i128) -> Option<Term> {
    if n <= 0 {
        return None;
    }
    let (quotient, rem) = (a.div(Term::int(n)), a.rem(Term::int(n)));
    Some(Term::ite(Term::int(0).le(rem), quotient, quotient.sub(Term::int(1))))
}
