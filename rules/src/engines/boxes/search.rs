//! The boxes that can be reached.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use check::{Certificate, Invariant};
use program::{Init, LocationId, Sort, Term, ThreadId, VarId};
use smt::Cancel;

use crate::engines::boxes::needs::{Need, Needs};
use crate::engines::boxes::post::{Values, admits, after};
use crate::engines::boxes::value::{Cells, Held, evaluate};
use crate::system::{StepId, System};

/// Where every thread is.
type Place = Vec<LocationId>;

/// How a search ended.
pub enum End {
    /// Every step from a box leads into one.
    Closed,
    /// These steps lead to an error, as far as boxes can tell.
    Error(Vec<StepId>),
    /// The limit is reached, or someone asked to stop.
    Stopped,
}

impl End {
    /// For logs.
    pub fn name(&self) -> &'static str {
        match self {
            End::Closed => "closed under steps",
            End::Error(_) => "with an error",
            End::Stopped => "stopped",
        }
    }
}

struct Node {
    place: Place,
    /// By position in [`Search::tracked`].
    held: Box<[Held]>,
    parent: Option<(usize, StepId)>,
    /// Whether a larger one has been found.
    covered: bool,
}

/// Boxes are only compared where they agree on this: the place, and the variables that are known exactly and need to be.
type Key = (Place, Box<[Option<i128>]>);

/// A search and its boxes.
pub struct Search<'s, 'p> {
    system: &'s System<'p>,
    needs: Needs,
    /// The variables that are needed somewhere.
    tracked: Vec<VarId>,
    threads: Vec<ThreadId>,
    nodes: Vec<Node>,
    groups: FxHashMap<Key, Vec<usize>>,
}

impl<'s, 'p> Search<'s, 'p> {
    /// A search that has not begun.
    pub fn new(system: &'s System<'p>, needs: Needs) -> Search<'s, 'p> {
        let vars = system.program.state_vars().map(|(id, _)| id);
        let tracked = vars.filter(|var| needs.anywhere(*var) != Need::default()).collect();
        let threads = system.program.threads().map(|(id, _)| id).collect();
        Search { system, needs, tracked, threads, nodes: Vec::new(), groups: FxHashMap::default() }
    }

    /// How many boxes there are, larger ones and those within them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds boxes until every step leads into one of them.
    pub fn run(&mut self, limit: usize, cancel: &Cancel) -> End {
        let (place, values) = self.initial();
        let mut queue = VecDeque::new();
        queue.extend(self.add(place, values, None));
        if self.in_conflict(0) {
            return End::Error(Vec::new());
        }
        while let Some(next) = queue.pop_front() {
            if self.nodes[next].covered {
                continue;
            }
            if self.nodes.len() > limit || cancel.is_cancelled() {
                return End::Stopped;
            }
            for (step, place, values) in self.successors(next) {
                let failed = self.is_error(&place);
                let added = self.add(place, values, Some((next, step)));
                if failed || added.is_some_and(|added| self.in_conflict(added)) {
                    return End::Error(self.steps_to(self.nodes.len() - 1));
                }
                queue.extend(added);
            }
        }
        End::Closed
    }

    fn initial(&self) -> (Place, Values) {
        let program = self.system.program;
        let value = |init: Init| match init {
            Init::Value(term) => Some(evaluate(term, &|var| Held::anything(program.var(var)))),
            Init::Arbitrary => None,
        };
        let values = program.vars().map(|(_, var)| value(var.init).unwrap_or_else(|| Held::anything(var)));
        (program.threads().map(|(_, thread)| thread.entry).collect(), values.collect())
    }

    fn is_error(&self, place: &[LocationId]) -> bool {
        let kind =
            |(thread, location): (&ThreadId, &LocationId)| self.system.program.thread(*thread).location(*location).kind;
        self.threads.iter().zip(place).any(|at| kind(at).is_error())
    }

    /// Whether threads may be in conflict in a box.
    fn in_conflict(&self, index: usize) -> bool {
        let (program, node) = (self.system.program, &self.nodes[index]);
        let location = |thread: ThreadId| node.place.get(thread.0 as usize).copied();
        let mut there = program.conflicts().iter().filter_map(|conflict| conflict.when(location)).peekable();
        if there.peek().is_none() {
            return false;
        }
        let values = self.values(index);
        there.any(|when| admits(program, &values, &when))
    }

    /// What a box says of all variables.
    fn values(&self, index: usize) -> Values {
        let mut values: Values = self.system.program.vars().map(|(_, var)| Held::anything(var)).collect();
        for (var, held) in self.tracked.iter().zip(&self.nodes[index].held) {
            values[var.0 as usize] = held.clone();
        }
        values
    }

    /// What each step leads to.
    fn successors(&self, index: usize) -> Vec<(StepId, Place, Values)> {
        let node = &self.nodes[index];
        let program = self.system.program;
        let values = self.values(index);
        let mut all = Vec::new();
        for (position, thread) in self.threads.iter().enumerate() {
            for step in self.system.steps_from(*thread, node.place[position]) {
                let transition = self.system.transition(step);
                if let Some(next) = after(program, &values, transition) {
                    let mut place = node.place.clone();
                    place[position] = transition.target;
                    all.push((step, place, next));
                }
            }
        }
        all
    }

    /// Forgets what is not needed.
    fn generalised(&self, place: &[LocationId], values: &Values) -> Box<[Held]> {
        let program = self.system.program;
        let can_fail = self.needs.can_fail(place);
        let held = |var: &VarId| {
            let need = if can_fail { self.needs.at(program, place, *var) } else { Need::default() };
            let declared = program.var(*var);
            match (&values[var.0 as usize], Held::anything(declared)) {
                (Held::Range(low, high), Held::Range(least, greatest)) => {
                    let low = if need.lower { *low } else { least };
                    Held::Range(low, if need.upper { *high } else { greatest })
                }
                (held, _) if need != Need::default() => held.clone(),
                (_, anything) => anything,
            }
        };
        self.tracked.iter().map(held).collect()
    }

    fn key(&self, place: &Place, held: &[Held]) -> Key {
        let exact = |(var, held): (&VarId, &Held)| {
            let need = self.needs.anywhere(*var);
            if need.lower && need.upper { held.point() } else { None }
        };
        (place.clone(), self.tracked.iter().zip(held).map(exact).collect())
    }

    /// Adds a box, unless one that is there contains it; those that it contains are left out.
    fn add(&mut self, place: Place, values: Values, parent: Option<(usize, StepId)>) -> Option<usize> {
        let held = self.generalised(&place, &values);
        let key = self.key(&place, &held);
        let group = self.groups.entry(key).or_default();
        let contains = |a: &[Held], b: &[Held]| a.iter().zip(b).all(|(a, b)| a.contains(b));
        if group.iter().any(|other| contains(&self.nodes[*other].held, &held)) {
            return None;
        }
        let nodes = &mut self.nodes;
        group.retain(|other| {
            nodes[*other].covered = contains(&held, &nodes[*other].held);
            !nodes[*other].covered
        });
        let index = nodes.len();
        group.push(index);
        nodes.push(Node { place, held, parent, covered: false });
        Some(index)
    }

    fn steps_to(&self, index: usize) -> Vec<StepId> {
        let mut steps = Vec::new();
        let mut at = index;
        while let Some((parent, step)) = self.nodes[at].parent {
            steps.push(step);
            at = parent;
        }
        steps.reverse();
        steps
    }

    /// The boxes as a proof. Those that only ones since covered lead to are left out.
    pub fn certificate(&self) -> Certificate {
        let mut at: BTreeMap<Place, Vec<Term>> = BTreeMap::new();
        let mut used = vec![false; self.nodes.len()];
        let (place, values) = self.initial();
        let mut todo: Vec<usize> = self.containing(&place, &values).into_iter().collect();
        while let Some(next) = todo.pop() {
            if std::mem::replace(&mut used[next], true) {
                continue;
            }
            let node = &self.nodes[next];
            at.entry(node.place.clone()).or_default().push(self.formula(&node.held));
            todo.extend(self.successors(next).iter().filter_map(|(_, place, values)| self.containing(place, values)));
        }
        let at = at.into_iter().map(|(place, boxes)| (place, Term::or(boxes))).collect();
        Certificate::Monolithic(Invariant { threads: self.threads.clone(), at })
    }

    fn containing(&self, place: &Place, values: &Values) -> Option<usize> {
        let held = self.generalised(place, values);
        let group = self.groups.get(&self.key(place, &held))?;
        let contains = |other: &&usize| self.nodes[**other].held.iter().zip(&held).all(|(a, b)| a.contains(b));
        group.iter().find(contains).copied()
    }

    fn formula(&self, held: &[Held]) -> Term {
        let program = self.system.program;
        Term::and(self.tracked.iter().zip(held).flat_map(|(var, held)| {
            let (declared, term) = (program.var(*var), program.term(*var));
            match held {
                Held::Range(..) if declared.sort != Sort::Int => Vec::new(),
                Held::Range(low, high) if low == high => vec![term.eq_to(Term::int(*low))],
                Held::Range(low, high) => {
                    let lower = (*low > declared.ty.least()).then(|| Term::int(*low).le(term));
                    let upper = (*high < declared.ty.greatest()).then(|| term.le(Term::int(*high)));
                    lower.into_iter().chain(upper).collect()
                }
                Held::Cells(cells) => elements(term, cells),
            }
        }))
    }
}

fn elements(array: Term, cells: &Cells) -> Vec<Term> {
    let element = |(index, value): (&i128, &i128)| array.select(Term::int(*index)).eq_to(Term::int(*value));
    match cells.others {
        None => cells.known.iter().map(element).collect(),
        Some(value) => {
            let start = Term::const_array(Term::int(value));
            let whole = cells.known.iter().fold(start, |a, (i, v)| a.store(Term::int(*i), Term::int(*v)));
            vec![array.eq_to(whole)]
        }
    }
}
