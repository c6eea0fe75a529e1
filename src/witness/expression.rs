//! Formulas as C expressions: exact where possible, else weaker. What C cannot say is left out, never guessed.

use program::{Linear, Term, TermKind, VarId};

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
    /// This C expression follows from the conditions; nothing if they say nothing that it knows.
    Says(Option<String>),
}

/// A C expression that the formula implies; nothing if that is only `1`.
pub fn weaker(formula: Term, vocabulary: &dyn Vocabulary) -> Option<String> {
    match formula.kind() {
        TermKind::Bool(true) => None,
        TermKind::Bool(false) => Some("0".into()),
        TermKind::Or(items) => {
            let mut all: Vec<String> = Vec::new();
            for item in items.iter() {
                let text = weaker(*item, vocabulary)?;
                if !all.contains(&text) {
                    all.push(text);
                }
            }
            Some(if all.len() == 1 { all.remove(0) } else { format!("({})", all.join(" || ")) })
        }
        _ => conjunction(&formula.conjuncts(), vocabulary),
    }
}

fn conjunction(items: &[Term], vocabulary: &dyn Vocabulary) -> Option<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut done: Vec<VarId> = Vec::new();
    for item in items {
        let vars = item.vars();
        let single = vars.iter().next().copied().filter(|_| vars.len() == 1);
        if let Some(var) = single {
            if done.contains(&var) {
                continue;
            }
            let about: Vec<Term> = items.iter().copied().filter(|t| t.vars() == vars).collect();
            if let Ghost::Says(text) = vocabulary.ghost(var, &about) {
                done.push(var);
                texts.extend(text);
                continue;
            }
        }
        let text = match item.kind() {
            TermKind::Or(_) => weaker(*item, vocabulary),
            _ => literal(*item, vocabulary),
        };
        texts.extend(text);
    }
    if texts.is_empty() { None } else { Some(texts.join(" && ")) }
}

fn literal(item: Term, vocabulary: &dyn Vocabulary) -> Option<String> {
    match item.kind() {
        TermKind::Le(form, bound) => comparison(form, "<=", *bound, vocabulary),
        TermKind::Eq(form, bound) => comparison(form, "==", *bound, vocabulary),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => comparison(form, ">", *bound, vocabulary),
            TermKind::Eq(form, bound) => comparison(form, "!=", *bound, vocabulary),
            _ => None,
        },
        _ => None,
    }
}

/// Larger coefficients could overflow.
const LARGEST: i128 = 1 << 20;

fn comparison(form: &Linear, op: &str, bound: i128, vocabulary: &dyn Vocabulary) -> Option<String> {
    if i64::try_from(bound).is_err() || bound == i128::from(i64::MIN) {
        return None;
    }
    let bound = if i32::try_from(bound).is_ok() && bound != i128::from(i32::MIN) {
        bound.to_string()
    } else {
        format!("{bound}LL")
    };
    if let [(atom, 1)] = form.monomials() {
        let (name, width) = vocabulary.value(atom.as_var()?)?;
        return Some(if width == Width::Narrow {
            format!("(long long){name} {op} {bound}")
        } else {
            format!("{name} {op} {bound}")
        });
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
    Some(format!("{text} {op} {bound}"))
}
