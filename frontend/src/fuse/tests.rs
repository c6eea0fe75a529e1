//! What is not known is taken for the worst.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use program::{Span, Term, VarId};

use super::accesses::Contested;
use super::movers::{Mover, Movers, ThreadView};
use super::{Context, Fusion, Ownership, fuse};
use crate::cfg::{Graph, NodeId, NodeKind, Step};

/// `v0 := 1; v1 := 1`.
fn two_writes() -> Graph {
    let mut graph = Graph { nodes: Vec::new(), entry: NodeId(0), sections: Vec::new(), calls: Default::default() };
    let write = |var, next| NodeKind::Step(Step::Assign(VarId(var), Term::int(1)), NodeId(next));
    for kind in [write(0, 1), write(1, 2), NodeKind::End] {
        graph.push(kind, Span::default());
    }
    graph
}

fn steps(shared: &[bool], movers: Option<&Movers>) -> usize {
    let (graph, inputs, violations) = (two_writes(), HashMap::new(), HashMap::new());
    let (endings, passed) = (RefCell::default(), RefCell::default());
    let contested = Contested::new();
    let context = Context {
        graph: &graph,
        shared,
        movers: movers.map(|movers| (movers, 0)),
        inputs: &inputs,
        violations: &violations,
        owner: Ownership::None,
        id: Term::int(1),
        fusion: if movers.is_some() { Fusion::On } else { Fusion::Local },
        endings: &endings,
        contested: &contested,
        passed: &passed,
        goal: crate::visits::Goal::Violations,
    };
    fuse(&context).expect("transitions").transitions.len()
}

#[test]
fn a_variable_of_which_nothing_is_said_is_shared() {
    assert_eq!(steps(&[false, false], None), 1);
    assert_eq!(steps(&[true, true], None), 2);
    assert_eq!(steps(&[], None), 2);
}

#[test]
fn a_step_that_was_not_looked_at_commutes_with_nothing() {
    let graph = two_writes();
    let view = ThreadView { graph: &graph, birth: None, id: Term::int(1), unseen: BTreeSet::new() };
    let movers = Movers::of(&[view], &[false, false]).expect("movers");
    assert_eq!(steps(&[false, false], Some(&movers)), 1);
    assert_eq!(movers.of_node(0, NodeId(0)), Mover::Both);
    assert_eq!(movers.of_node(0, NodeId(9)), Mover::Neither);
}
