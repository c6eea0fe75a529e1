//! What the assertions of a proof are about.
//!
//! A *view* is what one assertion sees: all threads (monolithic), a single thread (Owicki-Gries and rely-guarantee), or as many
//! instances of templates as the level says, written as the first copies of each. What holds of a view's copies holds of any
//! instances in their place, by renaming. So what is known about a mover next to a view are the views that contain the mover and
//! otherwise threads of the view. What is known about a single thread is its own view.

use program::{Program, Renaming, ThreadId};

use crate::rule::Rule;
use crate::system::System;

/// A view: an index into [`Views::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ViewId(pub usize);

/// A view.
#[derive(Clone, Debug)]
pub struct View {
    /// Its threads; of a template the first copies.
    pub threads: Vec<ThreadId>,
    /// Ways to exchange its copies of one template, other than leaving them where they are.
    pub symmetries: Vec<Symmetry>,
    /// Who may move next to it.
    pub movers: Vec<Mover>,
}

/// An exchange of copies.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// By slot, the slot whose copy takes its place.
    pub slots: Vec<usize>,
    /// The same for formulas.
    pub renaming: Renaming,
}

/// A thread that is not of a view, and what is known about it there.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The thread.
    pub thread: ThreadId,
    /// Assertions that hold of it and of threads of the view.
    pub sources: Vec<Source>,
}

/// A view with other threads in the place of its own.
#[derive(Clone, Debug)]
pub struct Source {
    /// The view.
    pub view: ViewId,
    /// What makes the view's formulas speak of them.
    pub renaming: Renaming,
    /// By slot, the slot of the watching view with the same thread.
    pub shared: Vec<Option<usize>>,
    /// The mover's slot.
    pub mover: usize,
}

/// A thread of a view as one of the sources of a mover next to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Role {
    /// The view next to which it moves.
    pub watcher: ViewId,
    /// Which of its movers.
    pub mover: usize,
    /// Which of the mover's sources.
    pub source: usize,
}

impl Source {
    /// Whether it is its view as it is, with no other threads in the place of its own.
    pub fn is_as_it_is(&self) -> bool {
        self.renaming == Renaming::default()
    }
}

/// All views of a program under a rule.
#[derive(Clone, Debug)]
pub struct Views {
    /// The views: single threads first.
    pub all: Vec<View>,
}

impl Views {
    /// The views of a rule. Of each template a program has a copy more than the level says.
    pub fn new(system: &System<'_>, rule: Rule) -> Views {
        let program = system.program;
        if rule == Rule::Monolithic {
            let threads = system.threads().collect();
            return Views { all: vec![View { threads, symmetries: Vec::new(), movers: Vec::new() }] };
        }
        let level = level(program);
        let mut threads: Vec<Vec<ThreadId>> =
            system.threads().filter(|t| program.template_of(*t).is_none()).map(|t| vec![t]).collect();
        threads.extend(multisets(program.templates().len(), level).iter().map(|kinds| copies(program, kinds)));
        let all = threads.iter().map(|own| View {
            threads: own.clone(),
            symmetries: symmetries(system, own),
            movers: movers(system, own, &threads),
        });
        Views { all: all.collect() }
    }
    /// A view.
    pub fn view(&self, id: ViewId) -> &View {
        &self.all[id.0]
    }
    /// The index of a thread among those that may move next to a view.
    pub fn mover(&self, watcher: ViewId, thread: ThreadId) -> Option<usize> {
        self.view(watcher).movers.iter().position(|mover| mover.thread == thread)
    }
    /// What a thread of a view is known by next to other views.
    pub fn roles(&self, view: ViewId, slot: usize) -> Vec<Role> {
        let mut all = Vec::new();
        for watcher in self.ids() {
            for (mover, what) in self.view(watcher).movers.iter().enumerate() {
                let known = what.sources.iter().enumerate();
                let here = known.filter(|(_, source)| source.view == view && source.mover == slot);
                all.extend(here.map(|(source, _)| Role { watcher, mover, source }));
            }
        }
        all
    }
    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = ViewId> + use<> {
        (0..self.all.len()).map(ViewId)
    }
}

/// How many instances an assertion is about.
pub fn level(program: &Program) -> usize {
    program.templates().iter().map(|template| template.copies.len()).min().unwrap_or(2) - 1
}

/// Sorted lists of `size` of the numbers below `count`.
fn multisets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let smaller = multisets(count, size - 1);
    let grow = |list: &Vec<usize>| -> Vec<Vec<usize>> {
        let least = list.last().copied().unwrap_or(0);
        (least..count).map(|next| list.iter().copied().chain([next]).collect()).collect()
    };
    smaller.iter().flat_map(grow).collect()
}

/// The first copies of templates, one for each mention.
fn copies(program: &Program, kinds: &[usize]) -> Vec<ThreadId> {
    let nth = |slot: usize| kinds[..slot].iter().filter(|kind| **kind == kinds[slot]).count();
    (0..kinds.len()).map(|slot| program.templates()[kinds[slot]].copies[nth(slot)]).collect()
}

fn renaming(system: &System<'_>, from: &[ThreadId], to: &[ThreadId]) -> Renaming {
    let pairs: Vec<(ThreadId, ThreadId)> = from.iter().copied().zip(to.iter().copied()).collect();
    system.program.renaming(&pairs, &|thread| system.location_var(thread))
}

fn symmetries(system: &System<'_>, own: &[ThreadId]) -> Vec<Symmetry> {
    let kind = |slot: usize| system.program.template_of(own[slot]).map(|(template, _)| template);
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for slot in 0..own.len() {
        let fits = |order: &Vec<usize>, next: &usize| !order.contains(next) && kind(*next) == kind(slot);
        orders = orders
            .iter()
            .flat_map(|order| {
                let next = (0..own.len()).filter(move |next| fits(order, next));
                next.map(move |next| order.iter().copied().chain([next]).collect::<Vec<_>>())
            })
            .collect();
    }
    orders.retain(|order| !order.is_sorted());
    let symmetry = |slots: Vec<usize>| {
        let to: Vec<ThreadId> = slots.iter().map(|slot| own[*slot]).collect();
        Symmetry { renaming: renaming(system, own, &to), slots }
    };
    orders.into_iter().map(symmetry).collect()
}

fn movers(system: &System<'_>, own: &[ThreadId], views: &[Vec<ThreadId>]) -> Vec<Mover> {
    let program = system.program;
    let is_single = program.template_of(own[0]).is_none();
    let source = |threads: Vec<ThreadId>, mover: ThreadId| {
        let kind =
            |thread: &ThreadId| program.template_of(*thread).map_or((true, thread.0 as usize), |(t, _)| (false, t));
        let mut threads = threads;
        threads.sort_by_key(|thread| (kind(thread), thread.0));
        let view = views.iter().position(|v| v.iter().map(kind).eq(threads.iter().map(kind)))?;
        Some(Source {
            view: ViewId(view),
            renaming: renaming(system, &views[view], &threads),
            shared: threads.iter().map(|t| own.iter().position(|o| o == t)).collect(),
            mover: threads.iter().position(|t| *t == mover)?,
        })
    };
    let mut all = Vec::new();
    for thread in system.threads().filter(|t| program.template_of(*t).is_none() && !own.contains(t)) {
        all.push(Mover { thread, sources: source(vec![thread], thread).into_iter().collect() });
    }
    for template in program.templates() {
        let Some(thread) = template.copies.iter().find(|copy| !own.contains(copy)).copied() else { continue };
        let sources = if is_single {
            // Any view with the mover will do: its companions are strangers.
            let size = views.last().map_or(1, Vec::len);
            vec![source(template.copies[..size].to_vec(), thread)]
        } else {
            let replaced = |slot: usize| {
                let mut threads = own.to_vec();
                threads[slot] = thread;
                source(threads, thread)
            };
            (0..own.len()).map(replaced).collect()
        };
        all.push(Mover { thread, sources: sources.into_iter().flatten().collect() });
    }
    all
}
