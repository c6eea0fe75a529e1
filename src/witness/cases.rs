//! What holds, as a disjunction of cases: in each of them some quantities are in some ranges. A proof's disjunctions are made smaller
//! without changing what they mean: cases that others contain are dropped, those that differ in one range are one.

use std::collections::BTreeMap;

/// A set of integers: disjoint intervals in order, none adjacent to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range(Vec<(i128, i128)>);

const LEAST: i128 = i128::MIN;
const MOST: i128 = i128::MAX;

impl Range {
    /// All from one number to another, both included.
    pub fn between(from: i128, to: i128) -> Range {
        Range(if from <= to { vec![(from, to)] } else { Vec::new() })
    }
    /// All up to a number.
    pub fn at_most(bound: i128) -> Range {
        Range::between(LEAST, bound)
    }
    /// All from a number on.
    pub fn at_least(bound: i128) -> Range {
        Range::between(bound, MOST)
    }
    /// These numbers.
    pub fn of(values: impl IntoIterator<Item = i128>) -> Range {
        values.into_iter().fold(Range(Vec::new()), |all, value| all.union(&Range::between(value, value)))
    }

    /// The numbers in one of both.
    pub fn union(&self, other: &Range) -> Range {
        let mut all: Vec<(i128, i128)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut joined: Vec<(i128, i128)> = Vec::new();
        for (from, to) in all {
            match joined.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        Range(joined)
    }

    /// The numbers in both.
    pub fn intersection(&self, other: &Range) -> Range {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
        let mut all: Vec<(i128, i128)> = pairs.filter(|(from, to)| from <= to).collect();
        all.sort_unstable();
        Range(all)
    }

    /// The numbers that are not in it.
    pub fn complement(&self) -> Range {
        let mut all = Vec::new();
        let mut from = Some(LEAST);
        for (first, last) in &self.0 {
            if let Some(start) = from.filter(|start| start < first) {
                all.push((start, first - 1));
            }
            from = last.checked_add(1);
        }
        all.extend(from.map(|start| (start, MOST)));
        Range(all)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    fn is_within(&self, other: &Range) -> bool {
        self.intersection(other) == *self
    }
}

/// What is compared with numbers: a C expression, and what it can be at all.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The expression.
    pub text: String,
    /// All its values, if they are few.
    pub domain: Option<Range>,
}

/// Ranges of quantities, by their texts.
type Case = BTreeMap<String, (Range, Option<Range>)>;

/// A disjunction of cases.
#[derive(Clone, Debug, Default)]
pub struct Cases(Vec<Case>);

/// Conjunctions with more cases than this are left out.
const MANY: usize = 512;

impl Cases {
    /// One case without a condition: true.
    pub fn anything() -> Cases {
        Cases(vec![Case::new()])
    }
    /// The cases in which a quantity is in a range.
    pub fn within(quantity: Quantity, range: Range) -> Cases {
        let Quantity { text, domain } = quantity;
        match domain {
            _ if range.is_empty() => Cases::default(),
            Some(all) if all.is_within(&range) => Cases::anything(),
            domain => Cases(vec![Case::from([(text, (range, domain))])]),
        }
    }

    /// One or the other.
    pub fn or(mut self, other: Cases) -> Cases {
        self.0.extend(other.0);
        self
    }

    /// Both; only the first if both together are too many cases, which is weaker.
    pub fn and(self, other: &Cases) -> Cases {
        if self.0.len() * other.0.len() > MANY {
            return self;
        }
        Cases(self.0.iter().flat_map(|one| other.0.iter().filter_map(|two| both(one, two))).collect())
    }

    /// The same with fewer and shorter cases.
    pub fn simplified(mut self) -> Cases {
        if self.0.len() > MANY {
            return self;
        }
        loop {
            let before: usize = self.0.iter().map(|case| case.len() + 1).sum();
            self.absorb();
            self.shorten();
            self.join();
            if self.0.iter().map(|case| case.len() + 1).sum::<usize>() == before {
                return self;
            }
        }
    }

    /// Drops cases that others contain.
    fn absorb(&mut self) {
        let mut at = 0;
        while at < self.0.len() {
            let case = &self.0[at];
            if (0..self.0.len()).any(|other| other != at && implies(case, &self.0[other])) {
                self.0.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Drops a condition where another case has what it excludes.
    fn shorten(&mut self) {
        for at in 0..self.0.len() {
            let names: Vec<String> = self.0[at].keys().cloned().collect();
            for name in names {
                let mut case = self.0[at].clone();
                let Some((range, domain)) = case.remove(&name) else { continue };
                let others = self.0.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
                let covered = others.filter_map(|other| {
                    let mut rest = other.clone();
                    let (theirs, _) = rest.remove(&name)?;
                    implies(&case, &rest).then_some(theirs)
                });
                let all = covered.fold(range, |all, theirs| all.union(&theirs));
                if domain.map_or_else(|| all.complement().is_empty(), |domain| domain.is_within(&all)) {
                    self.0[at] = case;
                }
            }
        }
    }

    /// Makes one case of two that differ in one range.
    fn join(&mut self) {
        let mut at = 0;
        while at < self.0.len() {
            let found = (at + 1..self.0.len()).find_map(|other| Some((other, joined(&self.0[at], &self.0[other])?)));
            match found {
                Some((other, case)) => {
                    self.0.remove(other);
                    self.0[at] = case;
                }
                None => at += 1,
            }
        }
    }

    /// The C expression; nothing if it is always true.
    pub fn text(&self) -> Option<String> {
        let Some(first) = self.0.first() else { return Some("0".into()) };
        let common: Case =
            first.iter().filter(|(n, r)| self.0.iter().all(|c| c.get(*n) == Some(*r))).map(owned).collect();
        let rest = |case: &Case| case.iter().filter(|(n, _)| !common.contains_key(*n)).map(owned).collect::<Case>();
        let mut parts: Vec<String> =
            common.iter().map(|(name, (range, domain))| condition(name, range, domain.as_ref())).collect();
        let others: Vec<Case> = self.0.iter().map(rest).collect();
        if others.iter().all(|case| !case.is_empty()) {
            let texts: Vec<String> = others.iter().map(conjunction).collect();
            let whole = texts.join(" || ");
            parts.push(if parts.is_empty() && texts.len() == 1 { whole } else { format!("({whole})") });
        }
        (!parts.is_empty()).then(|| parts.join(" && "))
    }
}

fn owned<K: Clone, V: Clone>((name, value): (&K, &V)) -> (K, V) {
    (name.clone(), value.clone())
}

fn both(one: &Case, two: &Case) -> Option<Case> {
    let mut case = one.clone();
    for (name, (range, domain)) in two {
        let narrowed = case.get(name).map_or_else(|| range.clone(), |(before, _)| before.intersection(range));
        let impossible = domain.as_ref().map_or_else(|| narrowed.is_empty(), |d| d.intersection(&narrowed).is_empty());
        if impossible {
            return None;
        }
        case.insert(name.clone(), (narrowed, domain.clone()));
    }
    Some(case)
}

fn implies(one: &Case, other: &Case) -> bool {
    other.iter().all(|(name, (range, _))| one.get(name).is_some_and(|(own, _)| own.is_within(range)))
}

fn joined(one: &Case, other: &Case) -> Option<Case> {
    if one.len() != other.len() || !one.keys().eq(other.keys()) {
        return None;
    }
    let mut different = one.iter().filter(|(name, range)| other.get(*name) != Some(*range));
    let (name, (range, domain)) = different.next()?;
    if different.next().is_some() {
        return None;
    }
    let all = range.union(&other.get(name)?.0);
    let mut case = one.clone();
    let universal = domain.as_ref().map_or_else(|| all.complement().is_empty(), |domain| domain.is_within(&all));
    if universal {
        case.remove(name);
    } else {
        case.insert(name.clone(), (all, domain.clone()));
    }
    Some(case)
}

fn conjunction(case: &Case) -> String {
    let all: Vec<String> = case.iter().map(|(name, (range, domain))| condition(name, range, domain.as_ref())).collect();
    all.join(" && ")
}

fn condition(name: &str, range: &Range, domain: Option<&Range>) -> String {
    let excluded = match domain {
        Some(all) => range.complement().intersection(all),
        None => range.complement(),
    };
    if let [(value, last)] = excluded.0.as_slice()
        && value == last
        && range.0.len() > 1
    {
        return format!("{name} != {}", number(*value));
    }
    let texts: Vec<String> = range
        .0
        .iter()
        .map(|(from, to)| match (*from, *to) {
            (LEAST, to) => format!("{name} <= {}", number(to)),
            (from, MOST) => format!("{name} >= {}", number(from)),
            (from, to) if from == to => format!("{name} == {}", number(from)),
            (from, to) => format!("{name} >= {} && {name} <= {}", number(from), number(to)),
        })
        .collect();
    if texts.len() == 1 { texts[0].clone() } else { format!("({})", texts.join(" || ")) }
}

fn number(value: i128) -> String {
    let is_int = i32::try_from(value).is_ok_and(|v| v != i32::MIN);
    if is_int { value.to_string() } else { format!("{value}LL") }
}

#[cfg(test)]
mod tests {
    use super::{Cases, Quantity, Range};

    fn x(range: Range) -> Cases {
        Cases::within(Quantity { text: "x".into(), domain: None }, range)
    }
    fn y(range: Range) -> Cases {
        Cases::within(Quantity { text: "y".into(), domain: None }, range)
    }
    fn ghost(values: &[i128]) -> Cases {
        let domain = Some(Range::of([0, 1, 2]));
        Cases::within(Quantity { text: "g".into(), domain }, Range::of(values.iter().copied()))
    }
    fn text(cases: Cases) -> Option<String> {
        cases.simplified().text()
    }

    #[test]
    fn cases_that_make_up_everything_say_nothing() {
        let (small, large) = (Range::at_most(0), Range::at_least(1));
        let all = x(small.clone()).and(&y(small.clone())).or(x(small.clone()).and(&y(large.clone())));
        let all = all.or(x(large.clone()).and(&y(large))).or(x(Range::at_least(1)).and(&y(small)));
        assert_eq!(text(all), None);
        assert_eq!(text(ghost(&[0, 1]).or(ghost(&[2]))), None);
    }

    #[test]
    fn what_all_cases_say_is_said_once() {
        let one = x(Range::of([1])).and(&y(Range::at_most(3))).and(&ghost(&[0]));
        let two = x(Range::of([1])).and(&y(Range::at_least(7))).and(&ghost(&[1]));
        assert_eq!(text(one.or(two)).as_deref(), Some("x == 1 && (g == 0 && y <= 3 || g == 1 && y >= 7)"));
    }

    #[test]
    fn ranges_are_written_shortly() {
        assert_eq!(text(x(Range::of([4]).complement())).as_deref(), Some("x != 4"));
        assert_eq!(text(x(Range::of([4, 6]))).as_deref(), Some("(x == 4 || x == 6)"));
        assert_eq!(text(x(Range::between(2, 1 << 40))).as_deref(), Some("x >= 2 && x <= 1099511627776LL"));
        assert_eq!(text(ghost(&[0, 2])).as_deref(), Some("g != 1"));
        assert_eq!(text(x(Range::at_most(1)).and(&x(Range::at_least(2)))).as_deref(), Some("0"));
    }

    /// A condition goes where another case allows what it excludes, even if that case says more of nothing else.
    #[test]
    fn conditions_go_where_another_case_has_the_rest() {
        let one = x(Range::at_most(0)).and(&y(Range::of([5])));
        let two = x(Range::at_least(1));
        assert_eq!(text(one.or(two)).as_deref(), Some("(y == 5 || x >= 1)"));
    }
}
