//! Control-flow graphs between typed C and Programs: one simple step a node, calls inlined, at most one object touched a step.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::{Holder, Property, Span, Term, UbKind, VarId};

/// A node of a [`Graph`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

/// An access through a pointer whose target is not known yet.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// The address in bytes.
    pub(crate) address: Term,
    /// What is accessed there.
    pub(crate) shape: crate::memory::Shape,
    /// What a write means for other members of a union.
    pub(crate) bytes: Bytes,
    /// Locals that are certainly there.
    pub(crate) alive: Alive,
}

/// Locals whose blocks control is in.
pub(crate) type Alive = Rc<BTreeSet<crate::memory::ObjectId>>;

/// What a write means for other views of the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// They show the new bytes.
    Seen,
    /// Nothing: a copy that writes every view itself.
    Copied,
}

/// How a step touches what C calls memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Manner {
    /// As an ordinary access.
    #[default]
    Plain,
    /// As an atomic operation, or one of a synchronisation object.
    Atomic,
    /// Not: memory comes to life with some contents.
    Birth,
}

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// `var := term`.
    Assign(VarId, Term),
    /// `var := anything in its range`.
    Havoc(VarId),
    /// `var := *access`; removed when pointers are resolved.
    Load(VarId, Access),
    /// `*access := term`; removed when pointers are resolved.
    Store(Access, Term),
    /// Blocks while the condition is false.
    Assume(Term),
    /// Undefined behaviour unless the condition holds.
    Check(Term, UbKind),
    /// Nothing happens, but the thread cannot go on from here in some states: told where deadlocks are looked for.
    Wait(Wait),
    /// Waits for the end of a thread, or gives it up; removed when all threads are known.
    Await(Await),
    /// No other thread runs until the matching end.
    AtomicBegin,
    /// The end of an atomic section.
    AtomicEnd,
}

/// When, and for what, a thread waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    /// It waits while this holds.
    pub(crate) blocked: Term,
    pub(crate) holder: Holder,
    /// The state of what it waits for.
    pub(crate) subject: Term,
    /// What that is: `mutex`.
    pub(crate) kind: &'static str,
}

impl Wait {
    /// The terms that it depends on.
    pub(crate) fn terms(self) -> impl Iterator<Item = Term> {
        [self.blocked, self.subject].into_iter().chain(self.holder.id())
    }

    /// The same, its terms changed.
    pub(crate) fn map(self, change: impl Fn(Term) -> Term) -> Wait {
        let (blocked, subject) = (change(self.blocked), change(self.subject));
        Wait { blocked, subject, holder: self.holder.map(change), ..self }
    }
}

/// What a thread is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To wait for its end; its result goes there.
    Join(Option<VarId>),
    /// To say that nobody will wait for it.
    Detach,
}

/// A call that names a thread by its handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Await {
    pub(crate) handle: Term,
    pub(crate) purpose: Purpose,
    /// What is 1 afterwards if there is no thread with this handle, and 0 otherwise.
    pub(crate) missing: VarId,
}

impl Await {
    /// Where the thread's result goes.
    pub(crate) fn result(self) -> Option<VarId> {
        match self.purpose {
            Purpose::Join(result) => result,
            Purpose::Detach => None,
        }
    }
}

/// A node: what happens, and where control goes.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    /// Nothing happens.
    Skip(NodeId),
    /// A step.
    Step(Step, NodeId),
    /// A decision; the condition reads temporaries only.
    Branch(Term, NodeId, NodeId),
    /// The thread has ended.
    End,
    /// A claim of the property is violated.
    Error(Property),
    /// The thread never goes on: abort, exit.
    Stuck,
    /// Valid C may come here, but what it does then is not modelled. Whether it does is for the proof to find out.
    Unfollowed(&'static str),
    /// Something that is not modelled.
    Unsupported(String),
}

/// A node with its place in the C text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
    pub(crate) manner: Manner,
}

impl Node {
    /// Where control can go.
    pub(crate) fn successors(&self) -> Vec<NodeId> {
        match &self.kind {
            NodeKind::Skip(next) | NodeKind::Step(_, next) => vec![*next],
            NodeKind::Branch(_, then, otherwise) => vec![*then, *otherwise],
            NodeKind::End
            | NodeKind::Error(_)
            | NodeKind::Stuck
            | NodeKind::Unfollowed(_)
            | NodeKind::Unsupported(_) => Vec::new(),
        }
    }
    /// The terms it evaluates.
    pub(crate) fn terms(&self) -> Vec<Term> {
        match &self.kind {
            NodeKind::Branch(cond, ..) => vec![*cond],
            NodeKind::Step(step, _) => match step {
                Step::Assign(_, term) | Step::Assume(term) | Step::Check(term, _) => vec![*term],
                Step::Load(_, access) => vec![access.address],
                Step::Await(wait) => vec![wait.handle],
                Step::Wait(wait) => wait.terms().collect(),
                Step::Store(access, value) => vec![access.address, *value],
                Step::Havoc(_) | Step::AtomicBegin | Step::AtomicEnd => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
    /// The variable it writes.
    pub(crate) fn writes(&self) -> Option<VarId> {
        match &self.kind {
            NodeKind::Step(Step::Assign(var, _) | Step::Havoc(var) | Step::Load(var, _), _) => Some(*var),
            NodeKind::Step(Step::Await(wait), _) => wait.result(),
            _ => None,
        }
    }
}

/// The control-flow graph of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) entry: NodeId,
    /// Where the text begins an atomic section, unlike the sections that make one step of several.
    pub(crate) sections: Vec<NodeId>,
    /// Which calls its nodes stand in.
    pub(crate) calls: crate::calls::Calls,
}

impl Graph {
    /// A node.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
    /// The first node from `id` on that is not a skip. A cycle of skips is an endless loop: its first node stands for it.
    pub(crate) fn resolve(&self, id: NodeId) -> NodeId {
        let mut at = id;
        for _ in 0..=self.nodes.len() {
            match self.node(at).kind {
                NodeKind::Skip(next) => at = next,
                _ => return at,
            }
        }
        // A loop of skips only: the smallest node of the cycle, so that every way in finds the same one.
        let mut least = at;
        let mut walk = at;
        loop {
            match self.node(walk).kind {
                NodeKind::Skip(next) => walk = next,
                _ => return walk,
            }
            least = least.min(walk);
            if walk == at {
                return least;
            }
        }
    }
    /// The nodes that control can reach, in depth-first order from the entry.
    pub(crate) fn reachable(&self) -> Vec<NodeId> {
        self.reachable_from([self.entry])
    }
    /// The nodes that control can reach from these, themselves included.
    pub(crate) fn reachable_from(&self, starts: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut seen = vec![false; self.nodes.len()];
        let mut order = Vec::new();
        let mut stack: Vec<NodeId> = starts.into_iter().collect();
        stack.reverse();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            order.push(id);
            stack.extend(self.node(id).successors().into_iter().rev());
        }
        order
    }
    /// Says of all nodes from this number on how they touch memory.
    pub(crate) fn touch_like(&mut self, first: usize, manner: Manner) {
        self.nodes[first..].iter_mut().for_each(|node| node.manner = manner);
    }
    /// The number of the node that is added next.
    pub(crate) fn next(&self) -> NodeId {
        NodeId(program::number(self.nodes.len()))
    }
    /// Adds a node that is there already, elsewhere.
    pub(crate) fn push_like(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(program::number(self.nodes.len() - 1))
    }
    /// Adds a node.
    pub(crate) fn push(&mut self, kind: NodeKind, span: Span) -> NodeId {
        self.nodes.push(Node { kind, span, manner: Manner::default() });
        NodeId(program::number(self.nodes.len() - 1))
    }
}
