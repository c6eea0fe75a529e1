//! Terms: integers, truth values and arrays, hash-consed and normalised on construction.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHashSet;

use crate::linear::Linear;
use crate::model::VarId;

/// The sort of a term. Integers are mathematical; C's widths are ranges of variables and explicit [`TermKind::Wrap`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A mathematical integer.
    Int,
    /// An array from integers to integers.
    Array,
}

/// A C integer type, as far as values are concerned: a width and a signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntType {
    /// Width in bits, 1 to 64 (1 unsigned is `_Bool`).
    pub bits: u32,
    /// Two's complement if set.
    pub signed: bool,
}

impl IntType {
    /// The type with this width and signedness.
    pub const fn new(bits: u32, signed: bool) -> Self {
        IntType { bits, signed }
    }
    /// The least value.
    pub const fn least(self) -> i128 {
        if self.signed { -(1i128 << (self.bits - 1)) } else { 0 }
    }
    /// The greatest value.
    pub const fn greatest(self) -> i128 {
        if self.signed { (1i128 << (self.bits - 1)) - 1 } else { (1i128 << self.bits) - 1 }
    }
    /// Whether `value` is one of this type's.
    pub const fn contains(self, value: i128) -> bool {
        self.least() <= value && value <= self.greatest()
    }
    /// `value` modulo 2^bits, as a value of this type. Exact also where `value` is only known modulo 2^128.
    pub const fn wrap(self, value: i128) -> i128 {
        let low = value & ((1i128 << self.bits) - 1);
        if self.signed && low > self.greatest() { low - (1i128 << self.bits) } else { low }
    }
}

/// Operators on two's-complement bit patterns; their operands are values of one [`IntType`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BitOp {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift: the value times 2^k, before any wrapping is applied, is `a * 2^k` modulo 2^bits.
    Shl,
    /// Right shift, arithmetic for signed types (as gcc and clang define it).
    Shr,
}

/// What a term is. Built only through the constructors of [`Term`], which keep the normal forms named here.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// An integer constant.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A variable's value (before the step, where that matters).
    Var(VarId, Sort),
    /// A variable's value after the step: V' of the transition relations.
    Primed(VarId, Sort),
    /// A linear sum with at least one monomial, and not just a monomial with coefficient 1.
    Sum(Linear),
    /// A sum whose coefficients would leave the machine's integers if it were merged into one [`Linear`].
    Add(Term, Term),
    /// A product of two terms, not linear (or with a coefficient that does not fit); operands in order.
    Mul(Term, Term),
    /// C's division, truncating toward zero. Division by zero is undefined.
    Div(Term, Term),
    /// C's remainder, with the sign of the dividend. By zero it is undefined.
    Rem(Term, Term),
    /// The value modulo 2^bits, in the range of the type.
    Wrap(IntType, Term),
    /// A bitwise operation on two values of the type.
    Bits(BitOp, IntType, Term, Term),
    /// If-then-else over integers or arrays.
    Ite(Term, Term, Term),
    /// `form <= bound`: the form has no constant, coprime coefficients and a positive first coefficient.
    Le(Linear, i128),
    /// `form = bound`, with the same normal form.
    Eq(Linear, i128),
    /// Equality of arrays, operands in order.
    ArrayEq(Term, Term),
    /// Negation of something that is not itself a negation, a constant, a conjunction or a disjunction.
    Not(Term),
    /// At least two conjuncts: sorted, distinct, none a conjunction.
    And(Box<[Term]>),
    /// At least two disjuncts: sorted, distinct, none a disjunction.
    Or(Box<[Term]>),
    /// An array's element.
    Select(Term, Term),
    /// An array with one element replaced.
    Store(Term, Term, Term),
    /// The array that holds one value everywhere.
    ConstArray(Term),
}

pub(crate) struct Node {
    pub(crate) kind: TermKind,
    pub(crate) sort: Sort,
}

/// A hash-consed term. Equality is identity; the order is structural, so that it does not depend on the order of creation.
#[derive(Clone, Copy)]
pub struct Term(pub(crate) &'static Node);

impl Term {
    /// What the term is.
    pub fn kind(self) -> &'static TermKind {
        &self.0.kind
    }
    /// Its sort.
    pub fn sort(self) -> Sort {
        self.0.sort
    }
    /// The constant it is, if it is an integer constant.
    pub fn as_int(self) -> Option<i128> {
        match self.kind() {
            TermKind::Int(value) => Some(*value),
            _ => None,
        }
    }
    /// The truth value it is, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            TermKind::Bool(value) => Some(*value),
            _ => None,
        }
    }
    /// The variable it is, if it is an unprimed variable.
    pub fn as_var(self) -> Option<VarId> {
        match self.kind() {
            TermKind::Var(var, _) => Some(*var),
            _ => None,
        }
    }
    /// The immediate subterms, in order.
    pub fn children(self) -> Vec<Term> {
        match self.kind() {
            TermKind::Int(_) | TermKind::Bool(_) | TermKind::Var(..) | TermKind::Primed(..) => Vec::new(),
            TermKind::Sum(form) | TermKind::Le(form, _) | TermKind::Eq(form, _) => form.atoms().collect(),
            TermKind::Add(a, b)
            | TermKind::Mul(a, b)
            | TermKind::Div(a, b)
            | TermKind::Rem(a, b)
            | TermKind::Bits(_, _, a, b)
            | TermKind::ArrayEq(a, b)
            | TermKind::Select(a, b) => vec![*a, *b],
            TermKind::Wrap(_, a) | TermKind::Not(a) | TermKind::ConstArray(a) => vec![*a],
            TermKind::Ite(a, b, c) | TermKind::Store(a, b, c) => vec![*a, *b, *c],
            TermKind::And(items) | TermKind::Or(items) => items.to_vec(),
        }
    }
    /// Calls `visit` on every subterm once, the term itself last.
    pub fn visit(self, visit: &mut impl FnMut(Term)) {
        fn walk(term: Term, seen: &mut FxHashSet<Term>, visit: &mut impl FnMut(Term)) {
            if seen.insert(term) {
                for child in term.children() {
                    walk(child, seen, visit);
                }
                visit(term);
            }
        }
        walk(self, &mut FxHashSet::default(), visit);
    }
    /// The unprimed variables that occur, in order.
    pub fn vars(self) -> std::collections::BTreeSet<VarId> {
        let mut vars = std::collections::BTreeSet::new();
        self.visit(&mut |term| {
            if let TermKind::Var(var, _) = term.kind() {
                vars.insert(*var);
            }
        });
        vars
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Term {}
impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}
impl Ord for Term {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other { Ordering::Equal } else { self.0.kind.cmp(&other.0.kind) }
    }
}
impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", crate::print::display(*self, &|var: VarId| format!("v{}", var.0)))
    }
}
