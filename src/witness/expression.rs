//! Formulas as C expressions: exact where possible, else weaker. What C cannot say is left out, never guessed.

use program::{Linear, Term, TermKind, VarId};

use super::cases::{Cases, Quantity, Range};

/// What the text can say of variables.
pub trait Vocabulary {
    /// A C expression with the variable's value, whose type holds at most 32 bits, or 64 signed.
    fn value(&self, var: VarId) -> Option<(String, Width)>;
    /// Whether the variable is known by a ghost only: what several conditions on it together mean.
    fn ghost(&self, var: VarId, conditions: &[Term]) -> Ghost;
}

/// How a value is used in sums without overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Fits `int`: comparisons are exact as they are.
    Int,
    /// Fits `long long` after a cast, sums included.
    Narrow,
    /// Fits `long long`, but sums do not.
    Long,
}

/// What a ghost says.
pub enum Ghost {
    /// The variable is no ghost's business.
    None,
    /// It follows from the conditions that a ghost is in this range; nothing if they say nothing that it knows.
    Says(Option<(Quantity, Range)>),
}

/// What the formula implies, in C's words.
pub fn weaker(formula: Term, vocabulary: &dyn Vocabulary) -> Cases {
    match formula.kind() {
        TermKind::Bool(true) => Cases::anything(),
        TermKind::Bool(false) => Cases::default(),
        TermKind::Or(items) => {
            items.iter().fold(Cases::default(), |all, item| all.or(weaker(*item, vocabulary))).simplified()
        }
        _ => conjunction(&formula.conjuncts(), vocabulary),
    }
}

fn conjunction(items: &[Term], vocabulary: &dyn Vocabulary) -> Cases {
    let mut all = Cases::anything();
    let mut done: Vec<VarId> = Vec::new();
    for item in items {
        let vars = item.vars();
        let single = vars.iter().next().copied().filter(|_| vars.len() == 1);
        if let Some(var) = single {
            if done.contains(&var) {
                continue;
            }
            let about: Vec<Term> = items.iter().copied().filter(|t| t.vars() == vars).collect();
            if let Ghost::Says(said) = vocabulary.ghost(var, &about) {
                done.push(var);
                all = said.map_or(all.clone(), |(quantity, range)| all.and(&Cases::within(quantity, range)));
                continue;
            }
        }
        let said = match item.kind() {
            TermKind::Or(_) => Some(weaker(*item, vocabulary)),
            _ => literal(*item, vocabulary),
        };
        all = said.map_or(all.clone(), |said| all.and(&said));
    }
    all
}

fn literal(item: Term, vocabulary: &dyn Vocabulary) -> Option<Cases> {
    let (form, bound, range) = match item.kind() {
        TermKind::Le(form, bound) => (form, bound, Range::at_most(*bound)),
        TermKind::Eq(form, bound) => (form, bound, Range::between(*bound, *bound)),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => (form, bound, Range::at_least(bound.saturating_add(1))),
            TermKind::Eq(form, bound) => (form, bound, Range::between(*bound, *bound).complement()),
            _ => return None,
        },
        _ => return None,
    };
    // Neighbours are written as well.
    let fits = i64::try_from(bound.abs() + 2).is_ok();
    let text = quantity(form, vocabulary).filter(|_| fits)?;
    Some(Cases::within(Quantity { text, domain: None }, range))
}

/// Larger coefficients could overflow.
const LARGEST: i128 = 1 << 20;

fn quantity(form: &Linear, vocabulary: &dyn Vocabulary) -> Option<String> {
    if let [(atom, 1)] = form.monomials() {
        let (name, width) = vocabulary.value(atom.as_var()?)?;
        return Some(if width == Width::Narrow { format!("(long long){name}") } else { name });
    }
    let mut text = String::new();
    for (atom, factor) in form.monomials() {
        let (name, width) = vocabulary.value(atom.as_var()?)?;
        if width == Width::Long || factor.abs() > LARGEST || form.monomials().len() > 64 {
            return None;
        }
        let sign = match (text.is_empty(), *factor < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let times = if factor.abs() == 1 { String::new() } else { format!("{} * ", factor.abs()) };
        text.push_str(&format!("{sign}{times}(long long){name}"));
    }
    Some(text)
}
