//! Programs written as text, for tests of the rules without a frontend.
//!
//! `global x = 0` and, inside a thread, `local t = ?` (anything) or `input n` declare variables; `3: [x == 0] x := x + 1 -> 4`
//! is a transition; `-> err` reaches the error, `-> end` the end. Sums carry their signed-overflow condition.

#![allow(dead_code)]

pub mod corpus;

use std::collections::BTreeMap;

use program::{
    Definedness, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span, Term, Thread,
    ThreadId, Transition, UbKind, Var, VarId, VarKind,
};

const INT: IntType = IntType::new(32, true);

struct Builder {
    vars: Vec<Var>,
    names: BTreeMap<String, VarId>,
    threads: Vec<Thread>,
}

/// The program that the text describes.
pub fn parse(text: &str) -> Program {
    let mut builder = Builder { vars: Vec::new(), names: BTreeMap::new(), threads: Vec::new() };
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        if !line.is_empty() {
            builder.line(line, u32::try_from(number + 1).expect("few lines"));
        }
    }
    program::confine(&builder.vars, &mut builder.threads);
    Program::new(vec!["test".into()], builder.vars, builder.threads).expect("well formed")
}

impl Builder {
    fn line(&mut self, line: &str, number: u32) {
        let span = Span { file: 0, line: number, column: 0 };
        let thread = ThreadId(u32::try_from(self.threads.len()).expect("few").wrapping_sub(1));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "global" => rest.split(',').for_each(|d| self.declare(d, Owner::Global, span)),
            "local" => rest.split(',').for_each(|d| self.declare(d, Owner::Local(thread), span)),
            "input" => rest.split(',').for_each(|d| self.declare(d, Owner::Input(thread), span)),
            "thread" => {
                let locations = vec![
                    Location { kind: LocationKind::Error(Property::UnreachCall), span },
                    Location { kind: LocationKind::End, span },
                ];
                let entry = LocationId(2);
                self.threads.push(Thread { name: rest.into(), entry, locations, transitions: vec![], span });
            }
            _ => self.transition(line, span),
        }
    }

    fn declare(&mut self, text: &str, owner: Owner, span: Span) {
        let (name, init) = text.split_once('=').unwrap_or((text, "?"));
        let init = match init.trim() {
            "?" => Init::Arbitrary,
            value => Init::Value(Term::int(value.parse().expect("a number"))),
        };
        let name = name.trim().to_string();
        self.names.insert(name.clone(), VarId(u32::try_from(self.vars.len()).expect("few")));
        let kind = VarKind::User;
        self.vars.push(Var { name, sort: Sort::Int, owner, kind, ty: INT, length: None, init, span });
    }

    fn location(&mut self, text: &str, span: Span) -> LocationId {
        let thread = self.threads.last_mut().expect("a thread");
        let id = match text.trim() {
            "err" => 0,
            "end" => 1,
            number => number.parse::<u32>().expect("a location") + 2,
        };
        while thread.locations.len() <= id as usize {
            thread.locations.push(Location { kind: LocationKind::Plain, span });
        }
        LocationId(id)
    }

    fn transition(&mut self, line: &str, span: Span) {
        let (source, rest) = line.split_once(':').expect("source: step");
        let (rest, target) = rest.rsplit_once("->").expect("step -> target");
        let (source, target) = (self.location(source, span), self.location(target, span));
        let (guard, updates) = match rest.trim().strip_prefix('[') {
            Some(rest) => rest.split_once(']').expect("a closed guard"),
            None => ("", rest),
        };
        let guard: Vec<Term> = parts(guard).map(|g| self.comparison(g)).collect();
        let updates: Vec<(VarId, Term)> = parts(updates)
            .map(|u| {
                let (name, value) = u.split_once(":=").expect("x := e");
                (self.names[name.trim()], self.sum(value))
            })
            .collect();
        let defined = updates
            .iter()
            .filter(|(_, value)| value.as_int().is_none() && value.as_var().is_none())
            .map(|(_, value)| Definedness {
                condition: value.within(INT.least(), INT.greatest()),
                kind: UbKind::SignedOverflow,
                span,
            })
            .collect();
        let mut t = Transition { source, target, inputs: vec![], guard, updates, defined, span };
        let is_input = |v: &VarId| matches!(self.vars[v.0 as usize].owner, Owner::Input(_));
        t.inputs = t.reads().into_iter().filter(is_input).collect();
        self.threads.last_mut().expect("a thread").transitions.push(t);
    }

    fn comparison(&self, text: &str) -> Term {
        for op in ["==", "!=", "<=", ">=", "<", ">"] {
            if let Some((a, b)) = text.split_once(op) {
                let (a, b) = (self.sum(a), self.sum(b));
                return match op {
                    "==" => a.eq_to(b),
                    "!=" => Term::ne(a, b),
                    "<=" => Term::le(a, b),
                    ">=" => Term::le(b, a),
                    "<" => Term::lt(a, b),
                    _ => Term::lt(b, a),
                };
            }
        }
        panic!("no comparison: {text}")
    }

    fn sum(&self, text: &str) -> Term {
        let text = text.replace('-', "+-");
        let products = text.split('+').map(str::trim).filter(|part| !part.is_empty());
        products.fold(Term::int(0), |sum, part| {
            let (sign, part) = part.strip_prefix('-').map_or((1, part), |rest| (-1, rest));
            let product =
                part.split('*').map(|factor| self.factor(factor.trim())).fold(Term::int(sign), |a, b| a.mul(b));
            sum.add(product)
        })
    }

    fn factor(&self, text: &str) -> Term {
        match text.parse::<i128>() {
            Ok(value) => Term::int(value),
            Err(_) => Term::var(*self.names.get(text).unwrap_or_else(|| panic!("unknown {text}")), Sort::Int),
        }
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}
