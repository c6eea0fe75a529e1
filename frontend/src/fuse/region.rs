//! Atomic sections: which nodes lie in one, and which sections fit into one transition.

use std::collections::{BTreeMap, BTreeSet};

use program::Span;

use crate::cfg::{Graph, NodeId, NodeKind, Step};

/// How a section runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// In one transition.
    Whole,
    /// Step by step, while a variable keeps all other threads waiting: it has loops, or too many paths.
    Owned,
}

/// Sections with more paths than this are entered step by step.
const MAX_SECTION_PATHS: usize = 32;

/// The atomic sections of a graph.
#[derive(Debug)]
pub(super) struct Regions {
    /// The depth of nesting before each reachable node.
    depth: BTreeMap<NodeId, usize>,
    /// Outermost begins, with the nodes of the section (the begin itself included).
    sections: BTreeMap<NodeId, (Region, BTreeSet<NodeId>)>,
    owned: BTreeSet<NodeId>,
    whole: BTreeSet<NodeId>,
    ends: BTreeSet<NodeId>,
}

impl Regions {
    /// Finds the sections; an error if begins and ends do not match on every path.
    pub(super) fn of(graph: &Graph) -> Result<Regions, (Span, String)> {
        let depth = depths(graph)?;
        let mut regions = Regions {
            depth,
            sections: BTreeMap::new(),
            owned: BTreeSet::new(),
            whole: BTreeSet::new(),
            ends: BTreeSet::new(),
        };
        let begins: Vec<NodeId> = regions
            .depth
            .iter()
            .filter(|(id, depth)| **depth == 0 && is(graph, **id, &Step::AtomicBegin))
            .map(|(id, _)| *id)
            .collect();
        let heads = super::loop_heads(graph);
        for begin in begins {
            regions.section(graph, begin, &heads);
        }
        regions.ends = regions
            .depth
            .iter()
            .filter(|(id, d)| **d == 1 && is(graph, **id, &Step::AtomicEnd))
            .map(|(id, _)| *id)
            .collect();
        // Sections that share nodes (a jump from one into the other's end) must run alike.
        regions.unify();
        Ok(regions)
    }

    fn section(&mut self, graph: &Graph, begin: NodeId, heads: &BTreeSet<NodeId>) {
        let mut nodes = BTreeSet::from([begin]);
        let mut work: Vec<NodeId> = graph.node(begin).successors();
        while let Some(at) = work.pop() {
            if self.depth.get(&at).copied().unwrap_or(0) == 0 || !nodes.insert(at) {
                continue;
            }
            work.extend(graph.node(at).successors());
        }
        // A cut inside: two sections share nodes, and a loop leads through both.
        let cut = nodes.iter().any(|node| *node != begin && heads.contains(node));
        let simple = !cut && count_paths(graph, begin, &nodes).is_some_and(|n| n <= MAX_SECTION_PATHS);
        self.sections.insert(begin, (if simple { Region::Whole } else { Region::Owned }, nodes));
    }

    fn unify(&mut self) {
        loop {
            let owned: BTreeSet<NodeId> = self
                .sections
                .values()
                .filter(|(r, _)| *r == Region::Owned)
                .flat_map(|(_, n)| n.iter().copied())
                .collect();
            let mut changed = false;
            for (region, nodes) in self.sections.values_mut() {
                if *region == Region::Whole && !nodes.is_disjoint(&owned) {
                    *region = Region::Owned;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (begin, (region, nodes)) in &self.sections {
            // The begin itself stands outside: a path may stop before it.
            let inner = nodes.iter().filter(|n| *n != begin).copied();
            match region {
                Region::Owned => self.owned.extend(inner),
                Region::Whole => self.whole.extend(inner),
            }
        }
    }

    /// Whether an outermost section begins at the node.
    pub(super) fn begins(&self, at: NodeId) -> bool {
        self.sections.contains_key(&at)
    }
    /// Whether an outermost section ends at the node.
    pub(super) fn ends(&self, at: NodeId) -> bool {
        self.ends.contains(&at)
    }
    /// How the section that begins at the node runs.
    pub(super) fn kind(&self, begin: NodeId) -> Region {
        self.sections.get(&begin).map_or(Region::Whole, |(region, _)| *region)
    }
    /// The nodes of the section that begins at the node.
    pub(super) fn inside(&self, begin: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.sections.get(&begin).into_iter().flat_map(|(_, nodes)| nodes.iter().copied())
    }
    /// How many sections are open before the node.
    pub(super) fn depth(&self, at: NodeId) -> usize {
        self.depth.get(&at).copied().unwrap_or(0)
    }
    /// Whether the section that begins at the node runs step by step.
    pub(super) fn is_stepwise(&self, begin: NodeId) -> bool {
        self.kind(begin) == Region::Owned
    }
    /// Whether the node is inside a section that runs step by step.
    pub(super) fn is_owned(&self, at: NodeId) -> bool {
        self.owned.contains(&at)
    }
    /// Whether the node is inside a section that runs in one transition.
    pub(super) fn is_whole(&self, at: NodeId) -> bool {
        self.whole.contains(&at)
    }
    /// Whether some section runs step by step.
    pub(super) fn any_owned(&self) -> bool {
        !self.owned.is_empty()
    }
}

fn is(graph: &Graph, id: NodeId, step: &Step) -> bool {
    matches!(&graph.node(id).kind, NodeKind::Step(s, _) if std::mem::discriminant(s) == std::mem::discriminant(step))
}

fn depths(graph: &Graph) -> Result<BTreeMap<NodeId, usize>, (Span, String)> {
    let mut depth: BTreeMap<NodeId, usize> = BTreeMap::from([(graph.entry, 0)]);
    let mut work = vec![graph.entry];
    while let Some(at) = work.pop() {
        let before = depth.get(&at).copied().unwrap_or(0);
        let span = graph.node(at).span;
        let after = if is(graph, at, &Step::AtomicBegin) {
            before + 1
        } else if is(graph, at, &Step::AtomicEnd) {
            before.checked_sub(1).ok_or((span, "the end of an atomic section that did not begin".to_string()))?
        } else {
            before
        };
        if matches!(graph.node(at).kind, NodeKind::End) && before > 0 {
            return Err((span, "a thread that ends inside an atomic section".into()));
        }
        for next in graph.node(at).successors() {
            match depth.get(&next) {
                None => {
                    depth.insert(next, after);
                    work.push(next);
                }
                Some(known) if *known != after => {
                    return Err((span, "an atomic section that begins or ends on some paths only".into()));
                }
                Some(_) => {}
            }
        }
    }
    Ok(depth)
}

/// The number of paths through a section; nothing if it has a loop.
fn count_paths(graph: &Graph, begin: NodeId, nodes: &BTreeSet<NodeId>) -> Option<usize> {
    fn count(
        graph: &Graph,
        at: NodeId,
        nodes: &BTreeSet<NodeId>,
        known: &mut BTreeMap<NodeId, Option<usize>>,
    ) -> Option<usize> {
        if !nodes.contains(&at) {
            return Some(1);
        }
        match known.get(&at) {
            Some(Some(n)) => return Some(*n),
            // On the way from the begin: a loop.
            Some(None) => return None,
            None => {}
        }
        known.insert(at, None);
        let successors = graph.node(at).successors();
        let mut total: usize = usize::from(successors.is_empty());
        for next in successors {
            total = total.saturating_add(count(graph, next, nodes, known)?);
        }
        known.insert(at, Some(total));
        Some(total)
    }
    count(graph, begin, nodes, &mut BTreeMap::new())
}
