//! C's integer types, conversions and operators on exact values: the generators' own opinion of what C computes.

use frontend::hir::DataModel;

/// An integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
}

use Kind::*;

pub const ALL: [Kind; 12] = [Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LLong => "long long",
            ULLong => "unsigned long long",
        }
    }
    fn rank(self) -> u32 {
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LLong | ULLong => 5,
        }
    }
    pub fn signed(self) -> bool {
        matches!(self, Char | SChar | Short | Int | Long | LLong)
    }
    /// Bits of the value.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Bool => 1,
            Long | ULong if model == DataModel::Ilp32 => 32,
            _ => [1, 8, 16, 32, 64, 64][self.rank() as usize],
        }
    }
    /// Bytes of an object.
    pub fn bytes(self, model: DataModel) -> u32 {
        self.bits(model).div_ceil(8)
    }
    pub fn least(self, model: DataModel) -> i128 {
        if self.signed() { -(1 << (self.bits(model) - 1)) } else { 0 }
    }
    pub fn greatest(self, model: DataModel) -> i128 {
        (1 << (self.bits(model) - u32::from(self.signed()))) - 1
    }
    pub fn contains(self, value: i128, model: DataModel) -> bool {
        self.least(model) <= value && value <= self.greatest(model)
    }
    /// The unsigned type of the same rank.
    pub fn unsigned(self) -> Kind {
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LLong => ULLong,
            other => other,
        }
    }
}

/// The type of sizeof's results.
pub fn size_type(model: DataModel) -> Kind {
    if model == DataModel::Ilp32 { UInt } else { ULong }
}

/// A value converted to a type: modulo 2^bits, as gcc defines it for signed types too; to `_Bool` by comparison with zero.
pub fn convert(value: i128, to: Kind, model: DataModel) -> i128 {
    if to == Bool {
        return i128::from(value != 0);
    }
    let modulus = 1i128 << to.bits(model);
    let low = value.rem_euclid(modulus);
    if to.contains(low, model) { low } else { low - modulus }
}

/// Integer promotion: every type of lower rank than int fits an int, in both data models.
pub fn promote(kind: Kind) -> Kind {
    if kind.rank() < Int.rank() { Int } else { kind }
}

/// The usual arithmetic conversions.
pub fn common(a: Kind, b: Kind, model: DataModel) -> Kind {
    let (a, b) = (promote(a), promote(b));
    if a.signed() == b.signed() {
        return if a.rank() >= b.rank() { a } else { b };
    }
    let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.bits(model) > unsigned.bits(model) {
        signed
    } else {
        signed.unsigned()
    }
}

/// A binary operator without control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

use Op::*;

pub const ARITHMETIC: [Op; 10] = [Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor];
pub const COMPARISONS: [Op; 6] = [Eq, Ne, Lt, Le, Gt, Ge];

impl Op {
    pub fn text(self) -> &'static str {
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            And => "&",
            Or => "|",
            Xor => "^",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
    pub fn is_shift(self) -> bool {
        matches!(self, Shl | Shr)
    }
    pub fn is_comparison(self) -> bool {
        COMPARISONS.contains(&self)
    }
    /// C's precedence, from 6 (`|`) to 13 (`*`).
    pub fn precedence(self) -> u32 {
        match self {
            Or => 6,
            Xor => 7,
            And => 8,
            Eq | Ne => 9,
            Lt | Le | Gt | Ge => 10,
            Shl | Shr => 11,
            Add | Sub => 12,
            Mul | Div | Rem => 13,
        }
    }
    /// The type in which it is computed, of operands of these types (before conversion).
    pub fn compute(self, left: Kind, right: Kind, model: DataModel) -> Kind {
        if self.is_shift() { promote(left) } else { common(left, right, model) }
    }
    /// The type of the result, given the type it is computed in.
    pub fn result(self, compute: Kind) -> Kind {
        if self.is_comparison() { Int } else { compute }
    }
}

/// The result on operands already converted (a shift's right operand: promoted); nothing if it is undefined behaviour.
pub fn apply(op: Op, compute: Kind, left: i128, right: i128, model: DataModel) -> Option<i128> {
    let exact = match op {
        Add => left + right,
        Sub => left - right,
        // Two unsigned 64-bit factors can leave i128, but only modulo 2^128, of which 2^64 is a divisor.
        Mul => left.wrapping_mul(right),
        Div if right != 0 => left / right,
        // The quotient overflows for the least value and -1, and then so does the remainder's definition.
        Rem if right != 0 && !(compute.signed() && left == compute.least(model) && right == -1) => left % right,
        Div | Rem => return None,
        Shl | Shr if !(0..i128::from(compute.bits(model))).contains(&right) => return None,
        Shl if left < 0 => return None,
        Shl => left << right,
        Shr => left >> right,
        And => left & right,
        Or => left | right,
        Xor => left ^ right,
        Eq => i128::from(left == right),
        Ne => i128::from(left != right),
        Lt => i128::from(left < right),
        Le => i128::from(left <= right),
        Gt => i128::from(left > right),
        Ge => i128::from(left >= right),
    };
    if op.is_comparison() {
        return Some(exact);
    }
    match compute.signed() {
        true => compute.contains(exact, model).then_some(exact),
        false => Some(convert(exact, compute, model)),
    }
}
