//! Constants and string literals as lang-c leaves them: raw text.

use lang_c::ast::{Float, FloatFormat, Integer, IntegerBase, IntegerSize, TS18661FloatFormat};
use program::IntType;

use super::{CHAR, INT};
use crate::hir::{DataModel, Type};

/// A string literal, decoded, without the terminating zero.
#[derive(Clone, Debug)]
pub struct Text {
    /// The type of an element.
    pub element: IntType,
    /// The elements, as unsigned numbers.
    pub units: Vec<u32>,
}

/// Value and type of an integer constant [C11, 6.4.4.1]; None if no type can hold it.
pub fn integer(constant: &Integer, model: DataModel) -> Option<(i128, IntType)> {
    let (radix, decimal) = match constant.base {
        IntegerBase::Decimal => (10, true),
        IntegerBase::Octal => (8, false),
        IntegerBase::Hexadecimal => (16, false),
        IntegerBase::Binary => (2, false),
    };
    // lang-c strips the prefix, so octal zero may be left without a digit.
    let value =
        if constant.number.is_empty() { 0 } else { i128::from(u64::from_str_radix(&constant.number, radix).ok()?) };
    let long = u32::try_from(model.word()).ok()? * 8;
    let widths: &[u32] = match constant.suffix.size {
        IntegerSize::Int => &[32, long, 64],
        IntegerSize::Long => &[long, 64],
        IntegerSize::LongLong => &[64],
    };
    let candidates = widths.iter().flat_map(|&bits| [IntType::new(bits, true), IntType::new(bits, false)]);
    let allowed = |ty: &IntType| {
        if constant.suffix.unsigned { !ty.signed } else { ty.signed || !decimal }
    };
    // gcc takes a decimal constant beyond long long as __int128, which is not modelled.
    candidates.filter(allowed).find(|ty| ty.contains(value)).map(|ty| (value, ty))
}

/// The type of a floating constant.
pub fn float(constant: &Float, model: DataModel) -> Type {
    if constant.suffix.imaginary {
        return Type::Opaque("_Complex".into());
    }
    match &constant.suffix.format {
        FloatFormat::Float => Type::Float(4),
        FloatFormat::Double => Type::Float(8),
        FloatFormat::LongDouble => long_double(model),
        FloatFormat::TS18661Format(format) => extended_float(&format.format, format.width),
    }
}

/// `long double`.
pub fn long_double(model: DataModel) -> Type {
    match model {
        DataModel::Ilp32 => Type::Float(12),
        DataModel::Lp64 => Type::Float(16),
    }
}

/// `_Float32` and its relatives.
pub fn extended_float(format: &TS18661FloatFormat, width: usize) -> Type {
    match (format, width) {
        (TS18661FloatFormat::BinaryInterchange, 16) => Type::Float(2),
        (TS18661FloatFormat::BinaryInterchange, 32) => Type::Float(4),
        (TS18661FloatFormat::BinaryInterchange, 64) | (TS18661FloatFormat::BinaryExtended, 32) => Type::Float(8),
        (TS18661FloatFormat::BinaryInterchange, 128) | (TS18661FloatFormat::BinaryExtended, 64) => Type::Float(16),
        _ => Type::Opaque("decimal floating type".into()),
    }
}

/// Value and type of a character constant, given with its quotes; None if it is malformed.
pub fn character(text: &str) -> Option<(i128, IntType)> {
    let (prefix, rest) = text.split_at(text.find('\'')?);
    let inner = rest.strip_prefix('\'')?.strip_suffix('\'')?;
    let wide = element_type(prefix);
    let units = decode(inner, wide.bits > 8);
    if wide.bits > 8 {
        return Some((wide.wrap(i128::from(*units.last()?)), wide));
    }
    if units.len() == 1 {
        return Some((CHAR.wrap(i128::from(units[0])), INT));
    }
    // gcc: each further character shifts the value by eight bits.
    let value = units.iter().fold(0i128, |value, &unit| (value << 8) | i128::from(unit & 0xff));
    (!units.is_empty()).then(|| (INT.wrap(value), INT))
}

/// Adjacent string literals, given with their quotes, joined. Any wide part makes the whole wide.
pub fn string(parts: &[String]) -> Text {
    let mut element = CHAR;
    let mut split = Vec::new();
    for part in parts {
        let quote = part.find('"').unwrap_or(0);
        let (prefix, rest) = part.split_at(quote);
        let ty = element_type(prefix);
        if ty.bits > 8 {
            element = ty;
        }
        let inner = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or("");
        split.push(inner);
    }
    let units = split.into_iter().flat_map(|inner| decode(inner, element.bits > 8)).collect();
    Text { element, units }
}

/// A literal as text.
pub fn text(parts: &[String]) -> String {
    string(parts).units.iter().filter_map(|unit| char::from_u32(*unit)).collect()
}

/// The element type that an encoding prefix says.
fn element_type(prefix: &str) -> IntType {
    match prefix {
        "L" => INT,
        "u" => IntType::new(16, false),
        "U" => IntType::new(32, false),
        _ => CHAR,
    }
}

/// The characters between the quotes, escapes resolved: bytes of UTF-8 for narrow literals, code points for wide ones.
fn decode(inner: &str, wide: bool) -> Vec<u32> {
    let mut units = Vec::new();
    let mut chars = inner.chars().peekable();
    let push = |units: &mut Vec<u32>, c: char| {
        if wide {
            units.push(c as u32);
        } else {
            let mut buffer = [0; 4];
            units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(&mut units, c);
            continue;
        }
        let Some(escape) = chars.next() else { break };
        match escape {
            'n' => units.push(10),
            't' => units.push(9),
            'r' => units.push(13),
            'a' => units.push(7),
            'b' => units.push(8),
            'f' => units.push(12),
            'v' => units.push(11),
            'e' | 'E' => units.push(27),
            'x' => {
                let value = digits(&mut chars, 16, usize::MAX, 0);
                units.push(if wide { value } else { value & 0xff });
            }
            '0'..='7' => {
                let value = digits(&mut chars, 8, 2, escape.to_digit(8).unwrap_or(0));
                units.push(if wide { value } else { value & 0xff });
            }
            'u' | 'U' => {
                let value = digits(&mut chars, 16, if escape == 'u' { 4 } else { 8 }, 0);
                push(&mut units, char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            '\n' => {}
            other => push(&mut units, other),
        }
    }
    units
}

/// At most `limit` further digits of an escape.
fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, limit: usize, start: u32) -> u32 {
    let mut value = start;
    let mut count = 0;
    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)).filter(|_| count < limit) {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        chars.next();
        count += 1;
    }
    value
}
