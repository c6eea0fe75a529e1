//! What a variable may hold, and what a term may then be: intervals, and arrays known element by element.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{BitOp, IntType, Linear, Sort, Term, TermKind, Var, VarId};

/// The values that something may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// An integer from the first to the second. The least and the greatest machine integer stand for no bound.
    Range(i128, i128),
    /// An array.
    Cells(Arc<Cells>),
}

/// An array of which some elements are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells {
    /// Known elements.
    pub known: BTreeMap<i128, i128>,
    /// What all others hold, if that is known.
    pub others: Option<i128>,
}

/// Whether a formula holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    True,
    False,
    Unknown,
}

const ANYTHING: (i128, i128) = (i128::MIN, i128::MAX);

impl Held {
    /// Everything that the variable can hold.
    pub fn anything(var: &Var) -> Held {
        match var.sort {
            Sort::Array => Held::Cells(Arc::default()),
            Sort::Int => Held::Range(var.ty.least(), var.ty.greatest()),
            Sort::Bool => Held::Range(0, 1),
        }
    }

    /// The one integer that it is.
    pub fn point(&self) -> Option<i128> {
        match self {
            Held::Range(low, high) if low == high => Some(*low),
            _ => None,
        }
    }

    /// Whether everything in `other` is in here.
    pub fn contains(&self, other: &Held) -> bool {
        match (self, other) {
            (Held::Range(a, b), Held::Range(c, d)) => a <= c && d <= b,
            (Held::Cells(a), Held::Cells(b)) => {
                let element = |(index, value): (&i128, &i128)| b.get(*index) == Some(*value);
                let outside = |(index, value): (&i128, &i128)| a.known.contains_key(index) || a.others == Some(*value);
                let rest = a.others.is_none() || (a.others == b.others && b.known.iter().all(outside));
                a.known.iter().all(element) && rest
            }
            _ => false,
        }
    }

    /// This and what the variable can hold at all; nothing if they exclude each other.
    pub fn within(self, var: &Var) -> Option<Held> {
        match (self, Held::anything(var)) {
            (Held::Range(a, b), Held::Range(c, d)) => (a.max(c) <= b.min(d)).then(|| Held::Range(a.max(c), b.min(d))),
            (cells @ Held::Cells(_), Held::Cells(_)) => Some(cells),
            (_, anything) => Some(anything),
        }
    }
}

impl Cells {
    fn get(&self, index: i128) -> Option<i128> {
        self.known.get(&index).copied().or(self.others)
    }
}

/// What the term may be, where `value` says what variables may hold.
pub fn evaluate(term: Term, value: &dyn Fn(VarId) -> Held) -> Held {
    match term.kind() {
        TermKind::Var(var, _) => value(*var),
        TermKind::Store(array, index, new) => {
            let mut cells = elements(*array, value);
            match (evaluate(*index, value).point(), evaluate(*new, value).point()) {
                (Some(index), Some(new)) => {
                    Arc::make_mut(&mut cells).known.insert(index, new);
                }
                // An element that may hold several values is not known, and then nor are those not listed.
                (Some(index), None) => {
                    let cells = Arc::make_mut(&mut cells);
                    cells.known.remove(&index);
                    cells.others = None;
                }
                (None, _) => cells = Arc::default(),
            }
            Held::Cells(cells)
        }
        TermKind::ConstArray(element) => {
            Held::Cells(Arc::new(Cells { known: BTreeMap::new(), others: evaluate(*element, value).point() }))
        }
        TermKind::Ite(condition, then, otherwise) => match truth(*condition, value) {
            Truth::True => evaluate(*then, value),
            Truth::False => evaluate(*otherwise, value),
            Truth::Unknown => either(evaluate(*then, value), evaluate(*otherwise, value)),
        },
        _ => {
            let (low, high) = integer(term, value);
            Held::Range(low, high)
        }
    }
}

fn either(a: Held, b: Held) -> Held {
    match (a, b) {
        (Held::Range(a, b), Held::Range(c, d)) => Held::Range(a.min(c), b.max(d)),
        (a, b) if a == b => a,
        _ => Held::Cells(Arc::default()),
    }
}

fn elements(term: Term, value: &dyn Fn(VarId) -> Held) -> Arc<Cells> {
    match evaluate(term, value) {
        Held::Cells(cells) => cells,
        Held::Range(..) => Arc::default(),
    }
}

fn integer(term: Term, value: &dyn Fn(VarId) -> Held) -> (i128, i128) {
    let range = |term: &Term| match evaluate(*term, value) {
        Held::Range(low, high) => (low, high),
        Held::Cells(_) => ANYTHING,
    };
    match term.kind() {
        TermKind::Int(value) => (*value, *value),
        TermKind::Sum(form) => sum(form, value),
        TermKind::Add(a, b) => plus(range(a), range(b)),
        TermKind::Mul(a, b) => {
            let ((a, b), (c, d)) = (range(a), range(b));
            let corners = [a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)];
            (corners.into_iter().min().unwrap_or(i128::MIN), corners.into_iter().max().unwrap_or(i128::MAX))
        }
        // Division truncates, which keeps the order of dividends.
        TermKind::Div(a, b) => match (range(a), range(b)) {
            ((low, high), (c, d)) if c == d && c > 0 => (low / c, high / c),
            _ => ANYTHING,
        },
        TermKind::Rem(a, b) => match (range(a), range(b)) {
            ((low, high), (c, d)) if c == d && c > 0 && low == high => (low % c, low % c),
            ((low, high), (c, d)) if c == d && c > 0 && 0 <= low && high < c => (low, high),
            ((low, _), (c, d)) if c == d && c > 0 => (if low < 0 { 1 - c } else { 0 }, c - 1),
            _ => ANYTHING,
        },
        TermKind::Wrap(ty, a) => wrapped(*ty, range(a)),
        TermKind::Bits(op, ty, a, b) => bits(*op, *ty, range(a), range(b)),
        TermKind::Select(array, index) => {
            let cells = elements(*array, value);
            let index = evaluate(*index, value).point();
            index.and_then(|index| cells.get(index)).map_or(ANYTHING, |element| (element, element))
        }
        _ => ANYTHING,
    }
}

/// What a linear sum may be.
pub fn sum(form: &Linear, value: &dyn Fn(VarId) -> Held) -> (i128, i128) {
    let start = (form.offset(), form.offset());
    form.monomials().iter().fold(start, |total, (term, factor)| plus(total, product(*term, *factor, value)))
}

/// What a term times a constant may be.
pub fn product(term: Term, factor: i128, value: &dyn Fn(VarId) -> Held) -> (i128, i128) {
    let Held::Range(low, high) = evaluate(term, value) else { return ANYTHING };
    let (a, b) = (low.saturating_mul(factor), high.saturating_mul(factor));
    (a.min(b), a.max(b))
}

/// The sum of two ranges; no bound and anything is no bound.
pub fn plus((a, b): (i128, i128), (c, d): (i128, i128)) -> (i128, i128) {
    let low = if a == i128::MIN || c == i128::MIN { i128::MIN } else { a.saturating_add(c) };
    let high = if b == i128::MAX || d == i128::MAX { i128::MAX } else { b.saturating_add(d) };
    (low, high)
}

fn wrapped(ty: IntType, (low, high): (i128, i128)) -> (i128, i128) {
    let narrow = high.checked_sub(low).is_some_and(|width| width <= ty.greatest() - ty.least());
    let (a, b) = (ty.wrap(low), ty.wrap(high));
    if narrow && a <= b { (a, b) } else { (ty.least(), ty.greatest()) }
}

fn bits(op: BitOp, ty: IntType, a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    if a.0 == a.1 && b.0 == b.1 {
        let folded = Term::bits(op, ty, Term::int(a.0), Term::int(b.0)).as_int();
        return folded.map_or(ANYTHING, |value| (value, value));
    }
    match op {
        // The result has no bit that an operand which is not negative lacks.
        BitOp::And if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        BitOp::And if a.0 >= 0 => (0, a.1),
        BitOp::And if b.0 >= 0 => (0, b.1),
        _ => (ty.least(), ty.greatest()),
    }
}

/// Whether the formula holds, where `value` says what variables may hold.
pub fn truth(formula: Term, value: &dyn Fn(VarId) -> Held) -> Truth {
    match formula.kind() {
        TermKind::Bool(true) => Truth::True,
        TermKind::Bool(false) => Truth::False,
        TermKind::Le(form, bound) => match sum(form, value) {
            (_, high) if high <= *bound => Truth::True,
            (low, _) if low > *bound => Truth::False,
            _ => Truth::Unknown,
        },
        TermKind::Eq(form, bound) => match sum(form, value) {
            (low, high) if low == *bound && high == *bound => Truth::True,
            (low, high) if *bound < low || high < *bound => Truth::False,
            _ => Truth::Unknown,
        },
        TermKind::Not(inner) => match truth(*inner, value) {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
        },
        TermKind::And(items) => all(items, Truth::True, Truth::False, value),
        TermKind::Or(items) => all(items, Truth::False, Truth::True, value),
        _ => Truth::Unknown,
    }
}

/// `every` if it is that of all items, `some` if it is that of one.
fn all(items: &[Term], every: Truth, some: Truth, value: &dyn Fn(VarId) -> Held) -> Truth {
    let mut result = every;
    for item in items {
        match truth(*item, value) {
            found if found == some => return some,
            found if found == every => {}
            _ => result = Truth::Unknown,
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Term {
        Term::var(VarId(0), Sort::Int)
    }
    fn within(low: i128, high: i128) -> impl Fn(VarId) -> Held {
        move |_| Held::Range(low, high)
    }

    /// Every value that a term takes on a range is within what is said of it.
    #[test]
    fn ranges_contain_all_values() {
        let (int8, uint8) = (IntType::new(8, true), IntType::new(8, false));
        let five = Term::int(5);
        let terms = [
            x().add(x()).sub(five),
            x().mul(x()),
            x().div(five),
            x().rem(five),
            x().mul(Term::int(40)).wrap(uint8),
            x().mul(Term::int(40)).wrap(int8),
            Term::bits(BitOp::And, int8, x(), Term::int(6)),
            Term::bits(BitOp::Or, int8, x(), Term::int(6)),
            Term::ite(x().le(five), x().neg(), x()),
        ];
        for (low, high) in [(0, 0), (-7, -7), (-7, 7), (2, 6), (4, 13)] {
            for term in terms {
                let range = evaluate(term, &within(low, high));
                for at in low..=high {
                    let value = term.eval_int(&|_| Some(program::Value::Int(at))).unwrap();
                    assert!(range.contains(&Held::Range(value, value)), "{term:?} at {at}: {value}, {range:?}");
                }
            }
        }
    }

    #[test]
    fn formulas_are_decided_where_bounds_do() {
        let four = Term::int(4);
        assert_eq!(truth(x().le(four), &within(1, 4)), Truth::True);
        assert_eq!(truth(x().le(four), &within(5, 9)), Truth::False);
        assert_eq!(truth(x().le(four), &within(4, 5)), Truth::Unknown);
        assert_eq!(truth(x().eq_to(four).not(), &within(5, 6)), Truth::True);
        assert_eq!(truth(Term::or([x().le(four), x().eq_to(Term::int(7))]), &within(5, 6)), Truth::False);
    }

    #[test]
    fn arrays_contain_those_of_which_more_is_known() {
        let cells = |known: &[(i128, i128)], others| {
            Held::Cells(Arc::new(Cells { known: known.iter().copied().collect(), others }))
        };
        assert!(cells(&[], None).contains(&cells(&[(1, 2)], None)));
        assert!(cells(&[(1, 2)], None).contains(&cells(&[], Some(2))));
        assert!(!cells(&[(1, 2)], None).contains(&cells(&[], None)));
        assert!(cells(&[(1, 2)], Some(0)).contains(&cells(&[(1, 2)], Some(0))));
        assert!(!cells(&[], Some(0)).contains(&cells(&[(1, 2)], Some(0))));
        assert!(!cells(&[], Some(0)).contains(&cells(&[], None)));
    }
}
