//! Pointers that are lent to functions of the library whose effects are not modelled: where invalid pointers are a matter of the
//! property, what such a function reads or writes is looked at, or the call is refused.

use program::{IntType, Property, Term, UbKind};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::heap::pointee;
use super::place::Spot;
use super::sync::STATE;
use crate::cfg::Step;
use crate::facts::Changes;
use crate::hir::{Expr, ExprKind, PlaceKind, SyncKind, Type};
use crate::memory::Shape;

/// What a function does with its pointers.
enum Lent {
    /// The argument at this position is a format, and those behind it are what it asks for.
    Format(usize),
    /// Its pointers are strings.
    Strings,
    /// It reads or writes so many bytes at the argument: the product of the arguments at these positions.
    Bytes(usize, &'static [usize]),
    /// It looks at none of them.
    Nothing,
    /// Its first argument is an attribute object.
    Attribute,
    /// Nobody knows.
    Unknown,
}

fn lent(name: &str) -> Lent {
    match name {
        "printf" => Lent::Format(0),
        "fprintf" | "dprintf" | "syslog" | "__printf_chk" | "err" | "errx" => Lent::Format(1),
        "__fprintf_chk" => Lent::Format(2),
        "puts" | "fputs" | "perror" | "setlocale" | "pthread_setname_np" => Lent::Strings,
        "__assert_fail" | "__assert_perror_fail" | "__assert_rtn" | "__assert" | "_assert" => Lent::Strings,
        "write" => Lent::Bytes(1, &[2]),
        "fwrite" => Lent::Bytes(0, &[1, 2]),
        "__builtin_prefetch" | "putc" | "fputc" | "fflush" | "fclose" => Lent::Nothing,
        _ if name.starts_with("pthread_") && name.contains("attr_") => Lent::Attribute,
        _ => Lent::Unknown,
    }
}

impl ThreadBuilder<'_, '_> {
    /// Whether it matters where pointers point.
    pub(super) fn follows_pointers(&self) -> bool {
        self.low.config.asks(Property::ValidDeref)
    }

    /// Whether it is asked who touches what at the same time. Else only values matter.
    pub(super) fn tells_accesses(&self) -> bool {
        self.low.config.asks(Property::NoDataRace)
    }

    /// Whether what such a function reads or writes matters.
    fn looks_through(&self) -> bool {
        self.follows_pointers() || self.tells_accesses()
    }

    /// Evaluates the arguments of a call that has no effect, and looks where its pointers point.
    pub(super) fn lend(&mut self, name: &str, arguments: &[Expr]) {
        if !self.looks_through() {
            return self.evaluate(arguments);
        }
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
        let pointers = arguments.iter().zip(&values).filter_map(|(argument, value)| match (&argument.ty, value) {
            (Type::Pointer(_), Value::Scalar(address)) if !is_stream(argument) => Some((argument, *address)),
            _ => None,
        });
        let pointers: Vec<(&Expr, Term)> = pointers.collect();
        if pointers.is_empty() {
            return;
        }
        match lent(name) {
            Lent::Nothing => {}
            Lent::Strings => pointers.iter().for_each(|(argument, address)| self.read_string(argument, *address)),
            Lent::Format(position) => self.read_formatted(name, position, arguments, &values),
            Lent::Bytes(position, factors) => {
                let scalar = |at: &usize| match values.get(*at) {
                    Some(Value::Scalar(term)) => term.as_int(),
                    _ => None,
                };
                let bytes = factors.iter().map(scalar).try_fold(1, |product, factor| Some(product * factor?));
                match (values.get(position), bytes) {
                    (Some(Value::Scalar(_)), _) if arguments.get(position).and_then(literal).is_some() => {}
                    (Some(Value::Scalar(address)), Some(bytes)) => {
                        if self.follows_pointers() {
                            self.touch_bytes(*address, bytes);
                        }
                        if self.tells_accesses() {
                            self.read_bytes(*address, &pointee(&arguments[position]), Term::int(bytes));
                        }
                    }
                    _ => self.unsupported(format!("what `{name}` does with a pointer")),
                }
            }
            Lent::Attribute => {
                if let Some((_, address)) = pointers.first() {
                    let object = self.object_at(*address, SyncKind::Attribute);
                    self.alter(&object);
                    self.get(&object, STATE);
                }
            }
            Lent::Unknown => self.unsupported(format!("what `{name}` does with a pointer")),
        }
    }

    /// An attribute object, or a null pointer.
    pub(super) fn lend_attribute(&mut self, attribute: &Expr) {
        if let Value::Scalar(address) = self.value(attribute) {
            self.lend_attribute_at(address);
        }
    }

    /// The same, where it is known where it is.
    pub(super) fn lend_attribute_at(&mut self, address: Term) {
        if !self.looks_through() || address.as_int() == Some(0) {
            return;
        }
        let object = self.object_at(address, SyncKind::Attribute);
        self.choose(address.ne(Term::int(0)), |this| this.get(&object, STATE), |_| Term::int(0));
    }

    /// What a call reads that is given a struct to look at: a time to wait for.
    pub(super) fn lend_records(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            let value = self.value(argument);
            let (true, Value::Scalar(address), Type::Pointer(_)) = (self.looks_through(), value, &argument.ty) else {
                continue;
            };
            if address.as_int() == Some(0) {
                continue;
            }
            let spot = self.spot_at(address);
            match self.low.scalars(&pointee(argument)).filter(|groups| !groups.is_empty()) {
                Some(groups) => drop(self.read_all(&spot, &groups)),
                None => self.unsupported("what a call reads through this pointer"),
            }
        }
    }

    /// The arguments that a format asks for: those of `%s` are strings, the others are not looked at through.
    fn read_formatted(&mut self, name: &str, position: usize, arguments: &[Expr], values: &[Value]) {
        let conversions = arguments.get(position).and_then(literal).and_then(|format| conversions(&format));
        let Some(conversions) = conversions else {
            return self.unsupported(format!("`{name}` with a format that is not known"));
        };
        let rest = arguments.iter().zip(values).skip(position + 1);
        for (conversion, (argument, value)) in conversions.into_iter().zip(rest) {
            if let ('s', Value::Scalar(address)) = (conversion, value) {
                self.read_string(argument, *address);
            }
        }
    }

    /// Reads a string up to its end.
    fn read_string(&mut self, argument: &Expr, address: Term) {
        if literal(argument).is_some() || self.is_from_outside(address) {
            return;
        }
        let byte = Shape { ty: IntType::new(8, true), size: 1, bit: 0, pointer: false, loose: false };
        let at = self.temporary(self.low.memory.pointer_type(), "text");
        self.emit(Step::Assign(at, address));
        let (head, more, done) = (self.label(), self.label(), self.label());
        self.loops += 1;
        self.land_head(head, &Changes::default());
        let place = self.low.memory.term(at);
        let letter = self.read(&Spot::Pointed(place), byte);
        self.branch(letter.eq_to(Term::int(0)), done, more);
        self.land(more);
        self.emit(Step::Assign(at, place.add(Term::int(1))));
        self.jump(head);
        self.loops -= 1;
        self.land(done);
    }

    /// So many bytes are read or written, whatever they are: of an object that is known.
    pub(super) fn touch_bytes(&mut self, address: Term, bytes: i128) {
        let spot = self.spot_at(address);
        self.touch_part(&spot, bytes, "an access through this pointer whose bytes are not followed");
    }

    /// The same at a place.
    fn touch_part(&mut self, spot: &Spot, bytes: i128, what: &str) {
        let Spot::Known { object, offset, indices } = spot else { return self.unsupported(what) };
        let known = self.low.memory.object(*object);
        if known.heap.is_some() || known.opaque {
            return self.unsupported(what);
        }
        let most = i128::from(known.size) - bytes;
        let place =
            indices.iter().fold(Term::int(*offset), |sum, (index, stride)| sum.add(index.mul(Term::int(*stride))));
        self.check(place.within(0, most), UbKind::OutOfBounds);
    }

    /// An access to a floating-point number, whose value is not tracked.
    pub(super) fn touch_float(&mut self, spot: &Spot, ty: &Type) {
        if self.follows_pointers() {
            let bytes = i128::from(self.low.unit.size_of(ty));
            self.touch_part(spot, bytes, "floating point through a pointer");
        }
    }
}

/// One of the streams that are there from the start.
fn is_stream(argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Cast(inner) => is_stream(inner),
        ExprKind::Load(place) => {
            matches!(place.kind, PlaceKind::Global(_))
                && matches!(&argument.ty, Type::Pointer(inner) if matches!(**inner, Type::Opaque(_)))
        }
        _ => false,
    }
}

/// The bytes of a string literal.
pub(super) fn literal(argument: &Expr) -> Option<Vec<u8>> {
    match &argument.kind {
        ExprKind::Cast(inner) => literal(inner),
        ExprKind::String(bytes) => Some(bytes.to_vec()),
        _ => None,
    }
}

/// What a format asks for, argument by argument; nothing if that cannot be told, or something is stored.
fn conversions(format: &[u8]) -> Option<Vec<char>> {
    let text = String::from_utf8_lossy(format);
    let mut letters = text.trim_end_matches('\0').chars();
    let mut found = Vec::new();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let mut precise = false;
        loop {
            match letters.next()? {
                '%' => break,
                '*' => found.push('d'),
                '.' => precise = true,
                '0'..='9' | '-' | '+' | ' ' | '#' | '\'' | 'h' | 'l' | 'j' | 'z' | 't' | 'L' | 'q' => {}
                // A string with a precision need not end; what `%n` does is no reading; `$` chooses arguments.
                's' if precise => return None,
                'n' | '$' => return None,
                conversion => {
                    found.push(conversion);
                    break;
                }
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn formats_ask_for_arguments() {
        assert_eq!(conversions(b"%d of %5.2f%% %*lu %s\0"), Some(vec!['d', 'f', 'd', 'u', 's']));
        assert_eq!(conversions(b"plain"), Some(vec![]));
        assert_eq!((conversions(b"%.3s"), conversions(b"%n"), conversions(b"%")), (None, None, None));
    }
}
