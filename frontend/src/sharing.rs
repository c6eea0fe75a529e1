//! Which accesses other threads can notice.
//!
//! A read is noticed only where another thread may write what is read, a write only where another may read or write it. What
//! a thread touches before others can (they do not run yet, or do not know the address) does not count.

use std::collections::BTreeSet;

use program::{Term, VarId};

use crate::cfg::{Node, NodeId};
use crate::lower::LoweredThread;

/// Threads, by number, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Users {
    #[default]
    Nobody,
    Only(usize),
    Several,
}

impl Users {
    fn add(&mut self, thread: usize) {
        *self = match *self {
            Users::Nobody => Users::Only(thread),
            Users::Only(same) if same == thread => Users::Only(thread),
            _ => Users::Several,
        };
    }
    fn others_than(self, thread: usize) -> bool {
        match self {
            Users::Nobody => false,
            Users::Only(user) => user != thread,
            Users::Several => true,
        }
    }
}

/// Who reads and who writes each variable while others run.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    readers: Vec<Users>,
    writers: Vec<Users>,
}

impl Sharing {
    /// `unseen`: for each thread, the nodes that touch nothing that another can touch at that moment.
    pub(crate) fn of(cells: usize, threads: &[(usize, LoweredThread)], unseen: &[BTreeSet<NodeId>]) -> Sharing {
        let mut sharing = Sharing { readers: vec![Users::Nobody; cells], writers: vec![Users::Nobody; cells] };
        for ((number, thread), unseen) in threads.iter().zip(unseen) {
            for id in thread.graph.reachable().into_iter().filter(|id| !unseen.contains(id)) {
                let node = thread.graph.node(id);
                for var in node.terms().into_iter().flat_map(Term::vars) {
                    sharing.readers[var.0 as usize].add(*number);
                }
                if let Some(var) = node.writes() {
                    sharing.writers[var.0 as usize].add(*number);
                }
            }
        }
        sharing
    }

    /// Whether another thread may write the variable.
    fn is_written_beside(&self, thread: usize, var: VarId) -> bool {
        self.writers.get(var.0 as usize).is_some_and(|users| users.others_than(thread))
    }

    /// Whether another thread may read or write the variable.
    pub(crate) fn is_used_beside(&self, thread: usize, var: VarId) -> bool {
        let read = self.readers.get(var.0 as usize).is_some_and(|users| users.others_than(thread));
        read || self.is_written_beside(thread, var)
    }

    /// Whether it matters to another thread, or to this one, when the node runs.
    pub(crate) fn is_noticed(&self, thread: usize, node: &Node) -> bool {
        node.writes().is_some_and(|var| self.is_used_beside(thread, var))
            || node.terms().into_iter().any(|t| t.vars().iter().any(|var| self.is_written_beside(thread, *var)))
    }
}
