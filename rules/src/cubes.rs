//! Fewer and larger cubes that say the same: what people read, and what the checker has to go through.

use std::collections::BTreeSet;

use program::{Linear, Term, TermKind};
use rustc_hash::FxHashSet;

/// A conjunction of literals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cube {
    /// What it says about each linear form.
    intervals: Vec<Interval>,
    /// Its other literals.
    others: BTreeSet<Term>,
}

/// What a cube says about one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    low: i128,
    high: i128,
}

const WHOLE: Interval = Interval { low: i128::MIN, high: i128::MAX };

/// An equivalent disjunction with cubes joined where they differ in one form only, and cover an interval of it together.
pub fn joined(cubes: impl IntoIterator<Item = Vec<Term>>) -> Vec<Vec<Term>> {
    let cubes: Vec<Vec<Term>> = cubes.into_iter().collect();
    let forms: BTreeSet<&'static Linear> = cubes.iter().flatten().filter_map(|l| Some(bounds(*l)?.0)).collect();
    let forms: Vec<&'static Linear> = forms.into_iter().collect();
    let mut all: Vec<Cube> = cubes.iter().map(|literals| Cube::new(&forms, literals)).collect();
    loop {
        let before = all.len();
        (0..forms.len()).for_each(|form| join_intervals(&mut all, form));
        cancel_opposites(&mut all);
        if all.len() == before {
            break;
        }
    }
    all.sort_unstable();
    drop_covered(&mut all);
    all.iter().map(|cube| cube.literals(&forms)).collect()
}

/// Of more cubes than this, those that others stand for are not looked for.
const MANY: usize = 2_000;

/// Drops cubes that another one stands for.
fn drop_covered(all: &mut Vec<Cube>) {
    if all.len() > MANY {
        return;
    }
    for k in (0..all.len()).rev() {
        if (0..all.len()).any(|other| other != k && all[k].is_within(&all[other])) {
            all.remove(k);
        }
    }
}

/// Joins cubes that agree but for one form, and cover an interval of it together.
fn join_intervals(all: &mut Vec<Cube>, form: usize) {
    all.sort_unstable_by(|a, b| {
        let apart = a.intervals[..form].cmp(&b.intervals[..form]);
        let apart = apart.then_with(|| a.intervals[form + 1..].cmp(&b.intervals[form + 1..]));
        apart.then_with(|| a.others.cmp(&b.others)).then_with(|| a.intervals[form].cmp(&b.intervals[form]))
    });
    all.dedup_by(|next, last| {
        let (left, right) = (last.intervals[form], next.intervals[form]);
        let touches = right.low <= left.high.saturating_add(1);
        let agrees = || {
            last.intervals[..form] == next.intervals[..form]
                && last.intervals[form + 1..] == next.intervals[form + 1..]
                && last.others == next.others
        };
        let joins = touches && agrees();
        if joins {
            last.intervals[form].high = left.high.max(right.high);
        }
        joins
    });
}

/// Drops a literal where the cube with its opposite, or without it, is there as well.
fn cancel_opposites(all: &mut Vec<Cube>) {
    let mut known: FxHashSet<Cube> = all.iter().cloned().collect();
    let mut work = std::mem::take(all);
    work.sort_unstable();
    while let Some(cube) = work.pop() {
        if !known.contains(&cube) {
            continue;
        }
        for literal in &cube.others {
            let mut weaker = cube.clone();
            weaker.others.remove(literal);
            let mut opposite = weaker.clone();
            opposite.others.insert(literal.not());
            if known.remove(&opposite) || known.contains(&weaker) {
                known.remove(&cube);
                if known.insert(weaker.clone()) {
                    work.push(weaker);
                }
                break;
            }
        }
    }
    all.extend(known);
}

/// The linear form and the bounds that a literal gives it.
pub fn bounds(literal: Term) -> Option<(&'static Linear, Interval)> {
    match literal.kind() {
        TermKind::Le(form, high) => Some((form, Interval { high: *high, ..WHOLE })),
        TermKind::Eq(form, value) => Some((form, Interval { low: *value, high: *value })),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => Some((form, Interval { low: bound + 1, ..WHOLE })),
            _ => None,
        },
        _ => None,
    }
}

/// The form and the value that a literal says it does not have.
fn other_than(literal: Term) -> Option<(&'static Linear, i128)> {
    let TermKind::Not(inner) = literal.kind() else { return None };
    let TermKind::Eq(form, value) = inner.kind() else { return None };
    Some((form, *value))
}

impl Cube {
    fn new(forms: &[&'static Linear], literals: &[Term]) -> Cube {
        let mut cube = Cube { intervals: vec![WHOLE; forms.len()], others: BTreeSet::new() };
        for literal in literals {
            match bounds(*literal).and_then(|(form, bounds)| Some((forms.binary_search(&form).ok()?, bounds))) {
                Some((form, bounds)) => {
                    let known = &mut cube.intervals[form];
                    *known = Interval { low: known.low.max(bounds.low), high: known.high.min(bounds.high) };
                }
                None => _ = cube.others.insert(*literal),
            }
        }
        let intervals = &cube.intervals;
        cube.others.retain(|literal| {
            let excluded = other_than(*literal)
                .and_then(|(form, value)| Some((intervals[forms.binary_search(&form).ok()?], value)))
                .is_some_and(|(interval, value)| value < interval.low || interval.high < value);
            !excluded
        });
        cube
    }

    /// Whether the other cube says nothing that this one does not.
    fn is_within(&self, other: &Cube) -> bool {
        let mut intervals = self.intervals.iter().zip(&other.intervals);
        intervals.all(|(own, other)| other.low <= own.low && own.high <= other.high)
            && other.others.is_subset(&self.others)
    }

    fn literals(&self, forms: &[&'static Linear]) -> Vec<Term> {
        let mut all: Vec<Term> = self.others.iter().copied().collect();
        for (form, interval) in forms.iter().zip(&self.intervals) {
            let form = Term::linear((*form).clone());
            if interval.low == interval.high {
                all.push(form.eq_to(Term::int(interval.low)));
                continue;
            }
            if interval.high != i128::MAX {
                all.push(form.le(Term::int(interval.high)));
            }
            if interval.low != i128::MIN {
                all.push(Term::int(interval.low).le(form));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use program::{Sort, VarId};

    use super::*;

    fn var(id: u32) -> Term {
        Term::var(VarId(id), Sort::Int)
    }

    #[test]
    fn cubes_that_cover_an_interval_together_are_joined() {
        let (x, y) = (var(0), var(1));
        let at = |k: i128| vec![x.eq_to(Term::int(k)), y.le(Term::int(3))];
        let all = joined([at(0), at(1), vec![Term::int(2).le(x), y.le(Term::int(3))]]);
        let sets: Vec<BTreeSet<Term>> = all.into_iter().map(|cube| cube.into_iter().collect()).collect();
        assert_eq!(sets, vec![BTreeSet::from([y.le(Term::int(3)), Term::int(0).le(x)])]);
    }

    #[test]
    fn cubes_that_differ_in_two_ways_stay() {
        let (x, y) = (var(0), var(1));
        let both = |k: i128| vec![x.eq_to(Term::int(k)), y.eq_to(Term::int(k))];
        assert_eq!(joined([both(0), both(1)]).len(), 2);
    }

    #[test]
    fn what_is_said_already_is_left_out() {
        let (x, y) = (var(0), var(1));
        let small = x.le(Term::int(3));
        // Of a cube: a value that its bounds exclude.
        assert_eq!(joined([vec![small, x.eq_to(Term::int(4)).not()]]), vec![vec![small]]);
        assert_eq!(joined([vec![small, x.eq_to(Term::int(2)).not()]])[0].len(), 2);
        // Of cubes: those within another.
        assert_eq!(joined([vec![small], vec![x.le(Term::int(1)), y.le(Term::int(0))]]), vec![vec![small]]);
    }

    #[test]
    fn a_literal_and_its_opposite_cancel() {
        let (x, y) = (var(0), var(1));
        let odd = x.eq_to(Term::int(0)).not();
        let all = joined([vec![odd, y.le(Term::int(0))], vec![odd, Term::int(1).le(y)]]);
        assert_eq!(all, vec![vec![odd]]);
    }
}
