//! What library functions read through the pointers they are given, where it is asked who touches what.

use program::{Property, Term};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::heap::pointee;
use crate::hir::{Expr, ExprKind, Type};
use crate::source::library::PREFIX;

/// How a function reads what its arguments point to.
enum Reads {
    /// The argument with this number is text.
    Text(usize),
    /// This one is a format for those after it.
    Format(usize),
    /// This one points to as many bytes as the product of these says.
    Bytes(usize, &'static [usize]),
    /// Not modelled.
    Unknown,
    Nothing,
}

fn reads(name: &str) -> Reads {
    match name {
        "puts" | "fputs" | "perror" => Reads::Text(0),
        "setlocale" | "pthread_setname_np" => Reads::Text(1),
        "printf" => Reads::Format(0),
        "fprintf" | "dprintf" | "syslog" | "sprintf" | "__printf_chk" => Reads::Format(1),
        "snprintf" | "__fprintf_chk" => Reads::Format(2),
        "__builtin___sprintf_chk" => Reads::Format(3),
        "__builtin___snprintf_chk" => Reads::Format(4),
        "fwrite" => Reads::Bytes(0, &[1, 2]),
        "write" => Reads::Bytes(1, &[2]),
        "vprintf" | "vfprintf" | "vsprintf" | "vsnprintf" | "setbuf" | "setvbuf" => Reads::Unknown,
        _ => Reads::Nothing,
    }
}

impl ThreadBuilder<'_, '_> {
    /// Whether it is asked who touches what at the same time. Else only values matter.
    pub(super) fn tells_accesses(&self) -> bool {
        self.low.config.properties.contains(&Property::NoDataRace)
    }

    /// The values of arguments of a function that looks at the objects they point to, unless they are null.
    pub(super) fn inspect(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            if let (Value::Scalar(at), Type::Pointer(_)) = (self.value(argument), &argument.ty) {
                self.look_at(at, &pointee(argument));
            }
        }
    }

    /// Reads the object of this type there, unless the pointer is null.
    pub(super) fn look_at(&mut self, at: Term, ty: &Type) {
        if !self.tells_accesses() {
            return;
        }
        self.if_given(at, |this| match this.low.scalars(ty).filter(|_| *ty != Type::Void) {
            Some(groups) => {
                let spot = this.spot_at(at);
                this.read_all(&spot, &groups);
            }
            None => this.unsupported("a library function that reads an object of this type"),
        });
    }

    /// The values of a function's arguments, and the reads that it makes through them.
    pub(super) fn evaluate_for(&mut self, name: &str, arguments: &[Expr]) -> Vec<Value> {
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
        if self.tells_accesses() && self.is_live() {
            self.read_for(name, arguments, &values);
        }
        values
    }

    fn read_for(&mut self, name: &str, arguments: &[Expr], values: &[Value]) {
        match reads(name) {
            Reads::Text(number) => self.read_text(arguments, values, number),
            Reads::Format(number) => self.read_formatted(arguments, values, number),
            Reads::Bytes(number, sizes) => {
                let size = sizes.iter().try_fold(Term::int(1), |product, size| match values.get(*size) {
                    Some(Value::Scalar(size)) => Some(product.mul(*size)),
                    _ => None,
                });
                match (arguments.get(number).map(literal), values.get(number), size) {
                    (Some(Some(_)), ..) => {}
                    (Some(None), Some(Value::Scalar(at)), Some(size)) => {
                        self.read_bytes(*at, &pointee(&arguments[number]), size);
                    }
                    _ => self.unsupported(format!("what `{name}` reads")),
                }
            }
            Reads::Unknown => self.unsupported(format!("what `{name}` reads and writes")),
            Reads::Nothing => {}
        }
    }

    /// Text ends with a zero.
    fn read_text(&mut self, arguments: &[Expr], values: &[Value], number: usize) {
        let (Some(argument), Some(Value::Scalar(at))) = (arguments.get(number), values.get(number)) else { return };
        if literal(argument).is_some() {
            return;
        }
        let Some(length) = self.low.unit.function(&format!("{PREFIX}strlen")) else {
            return self.unsupported("text that a library function reads");
        };
        let at = *at;
        self.if_given(at, |this| {
            let outer = std::mem::replace(&mut this.in_library, true);
            this.inline(length, &[Value::Scalar(at)]);
            this.in_library = outer;
        });
    }

    /// The format, and the texts that it asks for.
    fn read_formatted(&mut self, arguments: &[Expr], values: &[Value], format: usize) {
        let Some(text) = arguments.get(format).and_then(literal) else {
            let is_pointer = |argument: &Expr| matches!(argument.ty, Type::Pointer(_)) && literal(argument).is_none();
            if arguments.iter().skip(format + 1).any(is_pointer) {
                self.unsupported("a format that is no literal, with pointers");
            }
            return self.read_text(arguments, values, format);
        };
        let mut number = format + 1;
        for (stars, precise, conversion) in conversions(text) {
            number += stars;
            let is_literal = arguments.get(number).and_then(literal).is_some();
            match conversion {
                b'%' | b'm' => continue,
                b's' if precise && !is_literal => self.unsupported("text that is read up to a precision"),
                b's' => self.read_text(arguments, values, number),
                b'n' => self.unsupported("the conversion %n"),
                _ => {}
            }
            number += 1;
        }
    }

    fn if_given(&mut self, at: Term, body: impl FnOnce(&mut Self)) {
        let (given, done) = (self.label(), self.label());
        self.branch(at.ne(Term::int(0)), given, done);
        self.land(given);
        if self.is_live() {
            body(self);
        }
        self.land(done);
    }
}

/// The bytes of a string literal.
fn literal(argument: &Expr) -> Option<&[u8]> {
    match &argument.kind {
        ExprKind::Cast(inner) => literal(inner),
        ExprKind::String(bytes) => Some(bytes),
        _ => None,
    }
}

/// The conversions of a format: how many `*` are before the letter, whether there is a precision, and the letter.
fn conversions(format: &[u8]) -> Vec<(usize, bool, u8)> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().take_while(|byte| *byte != 0);
    while rest.by_ref().any(|byte| byte == b'%') {
        let (mut stars, mut precise) = (0, false);
        for byte in rest.by_ref() {
            match byte {
                b'*' => stars += 1,
                b'.' => precise = true,
                b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'\'' | b'h' | b'l' | b'L' | b'j' | b'z' | b't' | b'q' => {}
                letter => {
                    found.push((stars, precise, letter));
                    break;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn formats_are_taken_apart() {
        let letters = conversions(b"%d: %-*s|%.3s%%%lld%n\0%s");
        assert_eq!(
            letters,
            [(0, false, b'd'), (1, false, b's'), (0, true, b's'), (0, false, b'%'), (0, false, b'd'), (0, false, b'n')]
        );
    }
}
