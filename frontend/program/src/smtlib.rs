//! Terms as SMT-LIB 2 text.
//!
//! Exact wherever the term's value is defined: C's division is spelled out over SMT-LIB's Euclidean `div` and `mod`,
//! wrapping is `mod`, bitwise operators are arithmetic where an operand is a suitable constant and go through bit vectors
//! elsewhere. Where C leaves a value undefined (a zero divisor, an oversized shift) the text has some value: the
//! step's [`crate::Definedness`] conditions exclude such states.

use std::collections::HashMap;

use crate::linear::Linear;
use crate::model::VarId;
use crate::term::{BitOp, IntType, Sort, Term, TermKind};

/// The name as an SMT-LIB symbol, quoted with bars where it must be. Distinct names give distinct symbols.
///
/// A name that is a keyword or one of SMT-LIB's own functions gets a `!`, which no C name contains: quoting alone would
/// not keep a variable named `mod` apart from the function, nor, for every solver, `let` from the keyword.
pub fn smtlib_name(name: &str) -> String {
    if OWN_NAMES.contains(&name) {
        return format!("{name}!");
    }
    let simple = |c: char| c.is_ascii_alphanumeric() || "~@$%^&*_-+=<>.?/".contains(c);
    let plain = name.chars().all(simple) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if plain {
        return name.to_string();
    }
    // Neither a bar nor a backslash can be written in a quoted symbol; `!` is doubled so that nothing clashes.
    let mut quoted = String::from("|");
    for c in name.chars() {
        match c {
            '|' => quoted.push_str("!b"),
            '\\' => quoted.push_str("!s"),
            '!' => quoted.push_str("!!"),
            _ => quoted.push(c),
        }
    }
    quoted.push('|');
    quoted
}

/// The sort's name in SMT-LIB 2.
pub fn smtlib_sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Array => "(Array Int Int)",
    }
}

/// The term as an SMT-LIB 2 expression, exact: C's division, wrapping and bitwise operators are spelled out.
///
/// `names` gives plain names; they are quoted here, and a primed variable is `x'`. Large subterms that occur several times
/// are written once, in a `let`, so that the text is as small as the term's graph.
pub fn smtlib_term(term: Term, names: &impl Fn(VarId) -> String) -> String {
    let mut printer = Printer { names, uses: HashMap::new(), sizes: HashMap::new(), bound: HashMap::new() };
    printer.count(term);
    let mut bindings = Vec::new();
    let mut shared: Vec<Term> = Vec::new();
    term.visit(&mut |t| shared.push(t));
    for t in shared.into_iter().filter(|t| *t != term) {
        if printer.uses.get(&t).is_some_and(|n| *n > 1) && printer.size(t) > SHARED_SIZE {
            let text = printer.text(t);
            let name = format!("t!{}", bindings.len());
            bindings.push((name.clone(), text));
            printer.bound.insert(t, name);
        }
    }
    let mut out = String::new();
    for (name, text) in &bindings {
        out.push_str(&format!("(let (({name} {text})) "));
    }
    out.push_str(&printer.text(term));
    out.push_str(&")".repeat(bindings.len()));
    out
}

/// What means something in SMT-LIB's terms and could be a C identifier.
const OWN_NAMES: [&str; 41] = [
    "_", "abs", "and", "as", "bv2int", "bv2nat", "bvadd", "bvand", "bvashr", "bvlshr", "bvmul", "bvnot", "bvor",
    "bvshl", "bvsub", "bvxor", "concat", "const", "distinct", "div", "exists", "extract", "false", "forall", "implies",
    "int2bv", "is_int", "ite", "lambda", "let", "map", "match", "mod", "not", "or", "par", "rem", "select", "store",
    "true", "xor",
];

/// Terms up to this many nodes are repeated rather than named.
const SHARED_SIZE: u64 = 9;

/// At most this many runs of ones in a constant mask are taken apart arithmetically.
const MAX_RUNS: usize = 4;

struct Printer<'a, N: Fn(VarId) -> String> {
    names: &'a N,
    /// How often a term's text would be written, each parent counted once.
    uses: HashMap<Term, u32>,
    sizes: HashMap<Term, u64>,
    bound: HashMap<Term, String>,
}

impl<N: Fn(VarId) -> String> Printer<'_, N> {
    fn count(&mut self, term: Term) {
        let uses = self.uses.entry(term).or_insert(0);
        *uses += 1;
        if *uses == 1 {
            for child in term.children() {
                self.count(child);
            }
            // These are written with their operands twice.
            if let TermKind::Div(a, b) | TermKind::Rem(a, b) | TermKind::Bits(_, _, a, b) = term.kind() {
                for operand in [a, b] {
                    *self.uses.entry(*operand).or_insert(0) += 1;
                }
            }
        }
    }

    fn size(&mut self, term: Term) -> u64 {
        if let Some(size) = self.sizes.get(&term) {
            return *size;
        }
        let size = term.children().into_iter().fold(1u64, |sum, child| sum.saturating_add(self.size(child)));
        self.sizes.insert(term, size);
        size
    }

    fn text(&self, term: Term) -> String {
        if let Some(name) = self.bound.get(&term) {
            return name.clone();
        }
        match term.kind() {
            TermKind::Int(v) => int(*v),
            TermKind::Bool(v) => v.to_string(),
            TermKind::Var(v, _) => smtlib_name(&(self.names)(*v)),
            TermKind::Primed(v, _) => smtlib_name(&format!("{}'", (self.names)(*v))),
            TermKind::Sum(sum) => self.sum(sum.monomials(), sum.offset()),
            TermKind::Add(a, b) => apply("+", &[self.text(*a), self.text(*b)]),
            TermKind::Mul(a, b) => apply("*", &[self.text(*a), self.text(*b)]),
            TermKind::Div(a, b) => self.truncating("div", *a, *b),
            TermKind::Rem(a, b) => self.truncating("mod", *a, *b),
            TermKind::Wrap(ty, a) => wrap(*ty, self.text(*a)),
            TermKind::Bits(op, ty, a, b) => self.bits(*op, *ty, *a, *b),
            TermKind::Ite(c, a, b) => apply("ite", &[self.text(*c), self.text(*a), self.text(*b)]),
            TermKind::Le(form, bound) => self.comparison("<=", form, *bound),
            TermKind::Eq(form, bound) => self.comparison("=", form, *bound),
            TermKind::ArrayEq(a, b) => apply("=", &[self.text(*a), self.text(*b)]),
            TermKind::Not(inner) => match inner.kind() {
                TermKind::Le(form, bound) if !self.bound.contains_key(inner) => self.comparison(">", form, *bound),
                _ => apply("not", &[self.text(*inner)]),
            },
            TermKind::And(items) => apply("and", &self.texts(items)),
            TermKind::Or(items) => apply("or", &self.texts(items)),
            TermKind::Select(a, i) => apply("select", &[self.text(*a), self.text(*i)]),
            TermKind::Store(a, i, v) => apply("store", &[self.text(*a), self.text(*i), self.text(*v)]),
            TermKind::ConstArray(v) => apply("(as const (Array Int Int))", &[self.text(*v)]),
        }
    }

    fn texts(&self, terms: &[Term]) -> Vec<String> {
        terms.iter().map(|t| self.text(*t)).collect()
    }

    fn sum(&self, monomials: &[(Term, i128)], offset: i128) -> String {
        let monomial = |(term, c): &(Term, i128)| match c.unsigned_abs() {
            1 => self.text(*term),
            factor => apply("*", &[factor.to_string(), self.text(*term)]),
        };
        let constant = |sign: bool| (offset != 0 && (offset < 0) == sign).then(|| offset.unsigned_abs().to_string());
        let mut added: Vec<String> = monomials.iter().filter(|(_, c)| *c > 0).map(monomial).collect();
        added.extend(constant(false));
        let mut subtracted: Vec<String> = monomials.iter().filter(|(_, c)| *c < 0).map(monomial).collect();
        subtracted.extend(constant(true));
        match (added.is_empty(), subtracted.is_empty()) {
            (true, true) => "0".into(),
            (_, true) => sum_of(added),
            (true, _) => apply("-", &[sum_of(subtracted)]),
            (false, false) => {
                let mut operands = vec![sum_of(added)];
                operands.append(&mut subtracted);
                apply("-", &operands)
            }
        }
    }

    /// Positive monomials to the left, negative ones to the right, as the C printer has it.
    fn comparison(&self, op: &str, form: &Linear, bound: i128) -> String {
        let (left, right): (Vec<_>, Vec<_>) = form.monomials().iter().copied().partition(|(_, c)| *c > 0);
        let negated: Option<Vec<_>> = right.into_iter().map(|(t, c)| Some((t, c.checked_neg()?))).collect();
        // Over the integers; with only a constant to the right `x >= 0` reads better than `x > -1`, else `x < y`.
        let constant = negated.as_ref().is_none_or(Vec::is_empty);
        let (op, bound) = match (op, bound.checked_add(1)) {
            (">", Some(least)) if constant || bound != 0 => (">=", least),
            ("<=", Some(0)) if !constant => ("<", 0),
            _ => (op, bound),
        };
        match negated {
            Some(negated) => apply(op, &[self.sum(&left, 0), self.sum(&negated, bound)]),
            None => apply(op, &[self.sum(form.monomials(), 0), int(bound)]),
        }
    }

    /// C's `/` and `%`: for a dividend that is not negative they are SMT-LIB's, and both are odd in the dividend.
    fn truncating(&self, op: &str, a: Term, b: Term) -> String {
        let (x, y) = (self.text(a), self.text(b));
        let mirrored = match a.as_int() {
            Some(value) if value >= 0 => return apply(op, &[x, y]),
            Some(value) => value.unsigned_abs().to_string(),
            None => apply("-", std::slice::from_ref(&x)),
        };
        let negative = apply("-", &[apply(op, &[mirrored, y.clone()])]);
        if a.as_int().is_some() {
            return negative;
        }
        apply("ite", &[apply(">=", &[x.clone(), "0".into()]), apply(op, &[x, y]), negative])
    }

    fn bits(&self, op: BitOp, ty: IntType, a: Term, b: Term) -> String {
        match op {
            BitOp::Shl | BitOp::Shr => self.shift(op, ty, a, b),
            BitOp::And | BitOp::Or | BitOp::Xor => {
                let masked = match (a.as_int(), b.as_int()) {
                    (_, Some(mask)) => mask_runs(ty, mask).map(|runs| masked(op, ty, &self.text(a), mask, &runs)),
                    (Some(mask), _) => mask_runs(ty, mask).map(|runs| masked(op, ty, &self.text(b), mask, &runs)),
                    _ => None,
                };
                masked.unwrap_or_else(|| self.bit_vectors(op, ty, a, b))
            }
        }
    }

    /// A shift by a constant multiplies and wraps, or divides rounding down (which is C's arithmetic shift).
    fn shift(&self, op: BitOp, ty: IntType, a: Term, b: Term) -> String {
        let amount = b.as_int().and_then(|k| u32::try_from(k).ok()).filter(|k| *k < ty.bits);
        match (op, amount) {
            (_, Some(0)) => self.text(a),
            (BitOp::Shl, Some(k)) => wrap(ty, apply("*", &[int(1 << k), self.text(a)])),
            (_, Some(k)) => apply("div", &[self.text(a), int(1 << k)]),
            _ => self.bit_vectors(op, ty, a, b),
        }
    }

    fn bit_vectors(&self, op: BitOp, ty: IntType, a: Term, b: Term) -> String {
        let name = match op {
            BitOp::And => "bvand",
            BitOp::Or => "bvor",
            BitOp::Xor => "bvxor",
            BitOp::Shl => "bvshl",
            BitOp::Shr if ty.signed => "bvashr",
            BitOp::Shr => "bvlshr",
        };
        let vector = |t: Term| apply(&format!("(_ int2bv {})", ty.bits), &[self.text(t)]);
        let value = apply("bv2nat", &[apply(name, &[vector(a), vector(b)])]);
        if ty.signed { wrap(ty, value) } else { value }
    }
}

/// A run of ones in a two's-complement pattern: from bit `low` up to, not including, `high`, or without end.
#[derive(Clone, Copy)]
struct Run {
    low: u32,
    high: Option<u32>,
}

/// The runs of a constant operand, if there are few. The pattern of a negative constant is sign-extended without end,
/// and so is that of an unsigned constant up to the type's width: the operand has no higher bits.
fn mask_runs(ty: IntType, mask: i128) -> Option<Vec<Run>> {
    if !ty.contains(mask) {
        return None;
    }
    let bit = |k: u32| (mask >> k) & 1 == 1;
    let mut runs = Vec::new();
    let mut k = 0;
    while k < ty.bits {
        if bit(k) {
            let low = k;
            while k < ty.bits && bit(k) {
                k += 1;
            }
            runs.push(Run { low, high: (k < ty.bits).then_some(k) });
        }
        k += 1;
    }
    (runs.len() <= MAX_RUNS).then_some(runs)
}

/// `x op mask` for a value `x` of the type, in arithmetic. With `x & mask` a sum over the runs of ones,
/// `x | mask = x + mask - (x & mask)` and `x ^ mask = x + mask - 2 (x & mask)`.
fn masked(op: BitOp, ty: IntType, x: &str, mask: i128, runs: &[Run]) -> String {
    let pieces: Vec<String> = runs.iter().map(|run| piece(x, *run)).collect();
    let all_ones = matches!(runs, [Run { low: 0, high: None }]);
    match op {
        _ if runs.is_empty() => {
            if op == BitOp::And {
                "0".into()
            } else {
                x.to_string()
            }
        }
        BitOp::And if all_ones => x.to_string(),
        BitOp::And => sum_of(pieces),
        BitOp::Or if all_ones => int(mask),
        BitOp::Xor if all_ones => apply("-", &[int(if ty.signed { -1 } else { ty.greatest() }), x.to_string()]),
        BitOp::Or => apply("-", &[apply("+", &[x.to_string(), int(mask)]), sum_of(pieces)]),
        _ => apply("-", &[apply("+", &[x.to_string(), int(mask)]), apply("*", &["2".into(), sum_of(pieces)])]),
    }
}

/// The bits of `x` in one run, in place.
fn piece(x: &str, run: Run) -> String {
    let power = |k: u32| int(1 << k);
    let shifted = if run.low == 0 { x.to_string() } else { apply("div", &[x.to_string(), power(run.low)]) };
    let cut = match run.high {
        Some(high) => apply("mod", &[shifted, power(high - run.low)]),
        None => shifted,
    };
    if run.low == 0 { cut } else { apply("*", &[power(run.low), cut]) }
}

fn sum_of(mut pieces: Vec<String>) -> String {
    if pieces.len() == 1 { pieces.remove(0) } else { apply("+", &pieces) }
}

/// The value modulo 2^bits; for a signed type shifted by half the range and back.
fn wrap(ty: IntType, value: String) -> String {
    let modulus = int(1 << ty.bits);
    if !ty.signed {
        return apply("mod", &[value, modulus]);
    }
    let half = int(1 << (ty.bits - 1));
    apply("-", &[apply("mod", &[apply("+", &[value, half.clone()]), modulus]), half])
}

fn int(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

fn apply(function: &str, arguments: &[String]) -> String {
    format!("({function} {})", arguments.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: IntType = IntType::new(32, true);
    const UNSIGNED: IntType = IntType::new(32, false);

    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }
    fn y() -> Term {
        Term::var(VarId(1), Sort::Int)
    }
    fn text(term: Term) -> String {
        smtlib_term(term, &|v: VarId| ["x", "t::y", "a"][v.0 as usize].to_string())
    }

    #[test]
    fn names_are_quoted_where_they_must_be_and_stay_distinct() {
        for (name, symbol) in [
            ("x", "x"),
            ("_tmp1", "_tmp1"),
            ("s.f", "s.f"),
            ("pc.0", "pc.0"),
            ("f::x", "|f::x|"),
            ("a[2]", "|a[2]|"),
            ("x'", "|x'|"),
            ("let", "let!"),
            ("mod", "mod!"),
            ("2x", "|2x|"),
            ("", "||"),
            ("a|b", "|a!bb|"),
            ("mod!", "|mod!!|"),
        ] {
            assert_eq!(smtlib_name(name), symbol, "{name}");
        }
    }

    #[test]
    fn linear_terms_read_as_written() {
        assert_eq!(text(x().add(Term::int(1))), "(+ x 1)");
        assert_eq!(text(x().sub(y())), "(- x |t::y|)");
        assert_eq!(text(x().mul(Term::int(-3))), "(- (* 3 x))");
        assert_eq!(text(y().sub(x()).sub(Term::int(4))), "(- |t::y| x 4)");
        assert_eq!(text(Term::int(-4).sub(x())), "(- (+ x 4))");
        assert_eq!(text(Term::int(0).le(x())), "(>= x 0)");
        assert_eq!(text(y().lt(x())), "(> x |t::y|)");
        assert_eq!(text(x().le(y()).not()), "(> x |t::y|)");
        assert_eq!(text(y().add(Term::int(2)).le(x())), "(>= x (+ |t::y| 2))");
        assert_eq!(text(x().le(y().add(Term::int(2)))), "(<= x (+ |t::y| 2))");
        assert_eq!(text(x().lt(y())), "(< x |t::y|)");
        assert_eq!(text(x().ne(Term::int(-5))), "(not (= x (- 5)))");
        assert_eq!(text(Term::primed(VarId(0), Sort::Int).eq_to(x())), "(= x |x'|)");
    }

    #[test]
    fn division_truncates_and_wrapping_is_mod() {
        assert_eq!(text(x().div(Term::int(2))), "(ite (>= x 0) (div x 2) (- (div (- x) 2)))");
        assert_eq!(text(x().rem(y())), "(ite (>= x 0) (mod x |t::y|) (- (mod (- x) |t::y|)))");
        assert_eq!(text(Term::int(7).div(x())), "(div 7 x)");
        assert_eq!(text(Term::int(-7).rem(x())), "(- (mod 7 x))");
        assert_eq!(text(x().wrap(UNSIGNED)), "(mod x 4294967296)");
        assert_eq!(text(x().wrap(IntType::new(8, true))), "(- (mod (+ x 128) 256) 128)");
    }

    #[test]
    fn constant_masks_and_shifts_are_arithmetic() {
        let bits = |op, ty, mask| text(Term::bits(op, ty, x(), Term::int(mask)));
        assert_eq!(bits(BitOp::And, UNSIGNED, 7), "(mod x 8)");
        assert_eq!(bits(BitOp::And, INT, 7), "(mod x 8)");
        assert_eq!(bits(BitOp::And, INT, -8), "(* 8 (div x 8))");
        assert_eq!(bits(BitOp::And, UNSIGNED, 16), "(* 16 (mod (div x 16) 2))");
        assert_eq!(bits(BitOp::And, INT, -1), "x");
        assert_eq!(bits(BitOp::Or, INT, 1), "(- (+ x 1) (mod x 2))");
        assert_eq!(bits(BitOp::Xor, INT, -1), "(- (- 1) x)");
        assert_eq!(bits(BitOp::Shl, UNSIGNED, 3), "(mod (* 8 x) 4294967296)");
        assert_eq!(bits(BitOp::Shr, INT, 3), "(div x 8)");
        assert_eq!(
            text(Term::bits(BitOp::And, UNSIGNED, x(), y())),
            "(bv2nat (bvand ((_ int2bv 32) x) ((_ int2bv 32) |t::y|)))"
        );
    }

    #[test]
    fn arrays_and_choices() {
        let a = Term::var(VarId(2), Sort::Array);
        assert_eq!(text(a.store(x(), Term::int(1)).select(y())), "(select (store a x 1) |t::y|)");
        assert_eq!(text(Term::const_array(Term::int(0)).eq_to(a)), "(= a ((as const (Array Int Int)) 0))");
        assert_eq!(text(x().le(y()).as_c_int()), "(ite (<= x |t::y|) 1 0)");
    }

    #[test]
    fn repeated_subterms_are_written_once() {
        let mut term = x();
        for _ in 0..60 {
            term = term.mul(term).add(y());
        }
        let text = text(term);
        assert!(text.len() < 5_000, "{} characters", text.len());
        assert!(text.starts_with("(let ((t!0 "), "{text}");
        assert_eq!(text.matches('(').count(), text.matches(')').count());
    }
}
