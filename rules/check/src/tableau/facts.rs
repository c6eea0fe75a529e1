//! What a conjunction of literals says: bounds of linear forms, each a sum of symbols. A bound of a sum bounds its symbols, and the
//! other way round.

use program::{Linear, Sort, Term, TermKind, VarId};
use rustc_hash::FxHashMap;

use super::point::truth;

/// Bounds derived from one new literal, at most: `x < y` and `y < x` would lower each other for ever.
const DERIVED: usize = 64;

/// No bound.
const NONE: (i128, i128) = (i128::MIN, i128::MAX);

/// A linear form: an index.
type Form = u32;

/// A literal: a form is within bounds, or (with `outside`) has another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    form: Form,
    low: i128,
    high: i128,
    outside: bool,
    /// The formula, if it is about more than sums of variables.
    beyond: Option<Term>,
}

impl Literal {
    /// What it is about, without the numbers.
    pub fn form(&self) -> u32 {
        self.form
    }
}

/// What a form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A variable, or anything that is not taken apart. A formula is 0 or 1.
    Symbol(Term),
    /// A sum of at least two.
    Sum(&'static Linear),
}

/// The bounds of forms, with what must be undone on the way back.
#[derive(Default)]
pub struct Facts {
    forms: FxHashMap<Key, Form>,
    vars: FxHashMap<VarId, Form>,
    /// The symbols of a sum with their factors; none of a symbol.
    parts: Vec<Box<[(Form, i128)]>>,
    /// The sums in which a symbol occurs.
    sums: Vec<Vec<Form>>,
    bounds: Vec<(i128, i128)>,
    /// The values that a form does not have.
    unequal: Vec<Vec<i128>>,
    /// The forms that were given such a value, in order.
    denied: Vec<Form>,
    changes: Vec<(Form, (i128, i128))>,
}

/// Where to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    changes: usize,
    denied: usize,
}

impl Facts {
    /// The literal that a formula without conjunctions and disjunctions is.
    pub fn literal(&mut self, term: Term) -> Literal {
        let (atom, positive) = match term.kind() {
            TermKind::Not(inner) => (*inner, false),
            _ => (term, true),
        };
        let (form, low, high, outside) = match (atom.kind(), positive) {
            (TermKind::Le(form, bound), true) => (self.sum(form), i128::MIN, *bound, false),
            (TermKind::Le(form, bound), false) => (self.sum(form), bound.saturating_add(1), i128::MAX, false),
            (TermKind::Eq(form, value), _) => (self.sum(form), *value, *value, !positive),
            (_, true) => (self.symbol(atom), 1, 1, false),
            (_, false) => (self.symbol(atom), 0, 0, false),
        };
        let plain = |t: Term| matches!(t.kind(), TermKind::Var(..) | TermKind::Primed(..));
        let is_plain = match atom.kind() {
            TermKind::Le(form, _) | TermKind::Eq(form, _) => form.atoms().all(plain),
            _ => plain(atom),
        };
        Literal { form, low, high, outside, beyond: (!is_plain).then_some(term) }
    }

    fn sum(&mut self, sum: &'static Linear) -> Form {
        if let [(symbol, 1)] = sum.monomials() {
            return self.symbol(*symbol);
        }
        if let Some(known) = self.forms.get(&Key::Sum(sum)) {
            return *known;
        }
        let parts: Box<[(Form, i128)]> = sum.monomials().iter().map(|(term, c)| (self.symbol(*term), *c)).collect();
        let form = self.add_form(Key::Sum(sum), NONE);
        for (part, _) in &parts {
            self.sums[*part as usize].push(form);
        }
        self.parts[form as usize] = parts;
        form
    }

    fn symbol(&mut self, symbol: Term) -> Form {
        if let Some(known) = self.forms.get(&Key::Symbol(symbol)) {
            return *known;
        }
        let form = self.add_form(Key::Symbol(symbol), if symbol.sort() == Sort::Bool { (0, 1) } else { NONE });
        self.vars.extend(symbol.as_var().map(|var| (var, form)));
        form
    }

    fn add_form(&mut self, key: Key, bounds: (i128, i128)) -> Form {
        let form = program::number(self.bounds.len());
        self.forms.insert(key, form);
        self.bounds.push(bounds);
        self.parts.push(Box::default());
        self.sums.push(Vec::new());
        self.unequal.push(Vec::new());
        form
    }

    /// Whether the literal follows, or its negation.
    pub fn decide(&self, literal: &Literal) -> Option<bool> {
        let (low, high) = self.interval(literal.form);
        let decided = if literal.outside {
            let value = literal.low;
            if value < low || high < value || self.denies(literal.form, value) {
                Some(true)
            } else {
                (low == high).then_some(false)
            }
        } else if literal.low <= low && high <= literal.high {
            Some(true)
        } else if high < literal.low || literal.high < low {
            Some(false)
        } else {
            (literal.low == literal.high && self.denies(literal.form, literal.low)).then_some(false)
        };
        decided.or_else(|| truth(literal.beyond?, &|var| self.value(var)))
    }

    fn denies(&self, form: Form, value: i128) -> bool {
        self.unequal[form as usize].contains(&value)
    }

    fn value(&self, var: VarId) -> Option<i128> {
        let (low, high) = self.bounds[*self.vars.get(&var)? as usize];
        (low == high).then_some(low)
    }

    fn interval(&self, form: Form) -> (i128, i128) {
        let own = self.bounds[form as usize];
        let parts = &self.parts[form as usize];
        if parts.is_empty() {
            return own;
        }
        let (low, high) = self.sum_without(parts, usize::MAX);
        (low.map_or(own.0, |low| low.max(own.0)), high.map_or(own.1, |high| high.min(own.1)))
    }

    /// The least and the greatest value of a sum, one part left out.
    fn sum_without(&self, parts: &[(Form, i128)], left_out: usize) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high) = (Some(0), Some(0));
        for (_, (part, factor)) in parts.iter().enumerate().filter(|(k, _)| *k != left_out) {
            let bounds = self.bounds[*part as usize];
            let (least, greatest) = if *factor > 0 { bounds } else { (bounds.1, bounds.0) };
            low = low.and_then(|sum: i128| sum.checked_add(finite(least)?.checked_mul(*factor)?));
            high = high.and_then(|sum: i128| sum.checked_add(finite(greatest)?.checked_mul(*factor)?));
        }
        (low, high)
    }

    /// Adds a literal; whether the facts may still hold together.
    pub fn assume(&mut self, literal: &Literal) -> bool {
        let mut work = Vec::new();
        let fine = if literal.outside {
            self.unequal[literal.form as usize].push(literal.low);
            self.denied.push(literal.form);
            self.tighten(literal.form, NONE, &mut work)
        } else {
            self.tighten(literal.form, (literal.low, literal.high), &mut work)
        };
        fine && self.derive(work)
    }

    fn tighten(&mut self, form: Form, to: (i128, i128), work: &mut Vec<Form>) -> bool {
        let old = self.bounds[form as usize];
        let mut new = (old.0.max(to.0), old.1.min(to.1));
        while new.0 < new.1 && self.denies(form, new.0) {
            new.0 += 1;
        }
        while new.0 < new.1 && self.denies(form, new.1) {
            new.1 -= 1;
        }
        if new != old {
            self.changes.push((form, old));
            self.bounds[form as usize] = new;
            work.push(form);
        }
        new.0 < new.1 || new.0 == new.1 && !self.denies(form, new.0)
    }

    /// What new bounds say about other forms.
    fn derive(&mut self, mut work: Vec<Form>) -> bool {
        let mut left = DERIVED;
        while let Some(form) = work.pop() {
            let sums = if self.parts[form as usize].is_empty() { self.sums[form as usize].clone() } else { vec![form] };
            for sum in sums.into_iter().filter(|sum| self.bounds[*sum as usize] != NONE).collect::<Vec<_>>() {
                let Some(less) = left.checked_sub(1) else { return true };
                left = less;
                if !self.derive_parts(sum, &mut work) {
                    return false;
                }
            }
        }
        true
    }

    fn derive_parts(&mut self, sum: Form, work: &mut Vec<Form>) -> bool {
        let parts = std::mem::take(&mut self.parts[sum as usize]);
        let (least, greatest) = self.bounds[sum as usize];
        let mut fine = true;
        for (k, (part, factor)) in parts.iter().enumerate() {
            let (low, high) = self.sum_without(&parts, k);
            // factor * part is at most greatest - low, and at least least - high.
            let most = low.and_then(|low| finite(greatest)?.checked_sub(low)).and_then(finite);
            let fewest = high.and_then(|high| finite(least)?.checked_sub(high)).and_then(finite);
            let (from, to) = if *factor > 0 {
                (fewest.map(|v| ceiling(v, *factor)), most.map(|v| v.div_euclid(*factor)))
            } else {
                (most.map(|v| ceiling(-v, -factor)), fewest.map(|v| (-v).div_euclid(-factor)))
            };
            let to = (from.unwrap_or(i128::MIN), to.unwrap_or(i128::MAX));
            fine = fine && self.tighten(*part, to, work);
        }
        self.parts[sum as usize] = parts;
        fine
    }

    /// The present facts.
    pub fn mark(&self) -> Mark {
        Mark { changes: self.changes.len(), denied: self.denied.len() }
    }

    /// Forgets all that was assumed since.
    pub fn back_to(&mut self, mark: Mark) {
        for (form, bounds) in self.changes.drain(mark.changes..).rev() {
            self.bounds[form as usize] = bounds;
        }
        for form in self.denied.drain(mark.denied..) {
            self.unequal[form as usize].pop();
        }
    }
}

/// A bound that can be computed with.
fn finite(bound: i128) -> Option<i128> {
    (bound.unsigned_abs() < 1 << 100).then_some(bound)
}

/// The least integer that is at least value / divisor.
fn ceiling(value: i128, divisor: i128) -> i128 {
    -(-value).div_euclid(divisor)
}
