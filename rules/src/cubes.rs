//! Fewer and larger cubes that say the same: what people read, and what the checker has to go through.

use std::collections::{BTreeMap, BTreeSet};

use program::{Linear, Term, TermKind};

/// A conjunction of literals, by linear form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cube {
    intervals: BTreeMap<&'static Linear, Interval>,
    others: BTreeSet<Term>,
}

/// What a cube says about one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Interval {
    low: i128,
    high: i128,
}

const WHOLE: Interval = Interval { low: i128::MIN, high: i128::MAX };

/// An equivalent disjunction with cubes joined where they differ in one form only, and cover an interval of it together.
pub fn joined(cubes: impl IntoIterator<Item = Vec<Term>>) -> Vec<Vec<Term>> {
    let mut all: BTreeSet<Cube> = cubes.into_iter().map(|literals| Cube::new(&literals)).collect();
    while let Some((left, right, both)) = find(&all) {
        all.remove(&left);
        all.remove(&right);
        all.insert(both);
    }
    all.iter().map(Cube::literals).collect()
}

/// Two cubes that can be joined, and what they are together. Cubes that agree but for one form meet in a table.
fn find(all: &BTreeSet<Cube>) -> Option<(Cube, Cube, Cube)> {
    let forms: BTreeSet<&'static Linear> = all.iter().flat_map(|cube| cube.intervals.keys().copied()).collect();
    for form in forms {
        let mut rest: BTreeMap<Cube, Vec<(Interval, &Cube)>> = BTreeMap::new();
        for cube in all {
            let mut without = cube.clone();
            let interval = without.intervals.remove(form).unwrap_or(WHOLE);
            rest.entry(without).or_default().push((interval, cube));
        }
        for (without, mut intervals) in rest {
            intervals.sort_unstable();
            for pair in intervals.windows(2) {
                let [(left, one), (right, other)] = pair else { continue };
                if right.low <= left.high.saturating_add(1) {
                    let both = Interval { low: left.low.min(right.low), high: left.high.max(right.high) };
                    let mut cube = without;
                    if both != WHOLE {
                        cube.intervals.insert(form, both);
                    }
                    return Some(((*one).clone(), (*other).clone(), cube));
                }
            }
        }
    }
    let others: BTreeSet<Term> = all.iter().flat_map(|cube| cube.others.iter().copied()).collect();
    for literal in others {
        for cube in all.iter().filter(|cube| cube.others.contains(&literal)) {
            let mut weaker = cube.clone();
            weaker.others.remove(&literal);
            let mut opposite = weaker.clone();
            opposite.others.insert(literal.not());
            if all.contains(&opposite) {
                return Some((cube.clone(), opposite, weaker));
            }
            if all.contains(&weaker) {
                return Some((cube.clone(), weaker.clone(), weaker));
            }
        }
    }
    None
}

impl Cube {
    fn new(literals: &[Term]) -> Cube {
        let mut cube = Cube::default();
        for literal in literals {
            let (form, bounds) = match literal.kind() {
                TermKind::Le(form, high) => (form, Interval { high: *high, ..WHOLE }),
                TermKind::Eq(form, value) => (form, Interval { low: *value, high: *value }),
                TermKind::Not(inner) => match inner.kind() {
                    TermKind::Le(form, bound) => (form, Interval { low: bound + 1, ..WHOLE }),
                    _ => {
                        cube.others.insert(*literal);
                        continue;
                    }
                },
                _ => {
                    cube.others.insert(*literal);
                    continue;
                }
            };
            let known = cube.intervals.entry(form).or_insert(WHOLE);
            *known = Interval { low: known.low.max(bounds.low), high: known.high.min(bounds.high) };
        }
        cube
    }

    fn literals(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.others.iter().copied().collect();
        for (form, interval) in &self.intervals {
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
    fn a_literal_and_its_opposite_cancel() {
        let (x, y) = (var(0), var(1));
        let odd = x.eq_to(Term::int(0)).not();
        let all = joined([vec![odd, y.le(Term::int(0))], vec![odd, Term::int(1).le(y)]]);
        assert_eq!(all, vec![vec![odd]]);
    }
}
