//! The cursor: appending steps, labels and jumps, and the constants known at the cursor.

use std::collections::{BTreeSet, HashMap};

use program::{Choice, ClaimId, Init, IntType, Property, Span, Term, UbKind, Untracked, VarId, VarKind};

use super::lifetimes::{Exit, Scope};
use super::{LoweredThread, Lowering, MAX_NODES, Refusal};
use crate::calls::Calls;
use crate::cfg::{Alive, Graph, Manner, NodeId, NodeKind, Step};
use crate::claims::Straight;
use crate::diagnostic::{Code, Diagnostic};
use crate::facts::Changes;
use crate::hir::{Expr, FunctionId, GlobalId, LocalId, Stmt, Type};
use crate::memory::{Cells, Named, ObjectId};
use crate::visits::{Goal, visit_decisions};

/// What private cells are known to hold.
pub(super) type Constants = im::HashMap<VarId, Term>;

/// A point that control can jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

struct LabelState {
    node: NodeId,
    /// What all jumps so far agree on; nothing if there was no jump.
    constants: Option<Constants>,
}

/// See [`ThreadBuilder::save`].
pub(super) struct Saved {
    cursor: Option<NodeId>,
    constants: Constants,
    nodes: usize,
    sections: usize,
    labels: usize,
    instances: usize,
    families: usize,
    sites: usize,
    dispatches: usize,
    once: usize,
    guards: usize,
    obtained: usize,
    touched: usize,
    life_steps: usize,
    births: usize,
    allocations: usize,
    ends: usize,
    forgotten: usize,
    asked: super::outside::Asked,
}

/// An activation of a function.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) locals: HashMap<LocalId, ObjectId>,
    pub(super) exit: Label,
    /// Where the result goes, if there is one.
    pub(super) result: Option<ObjectId>,
    pub(super) labels: HashMap<crate::hir::LabelId, Label>,
    pub(super) breaks: Vec<Exit>,
    pub(super) continues: Vec<Exit>,
    pub(super) switches: Vec<super::stmt::Switch>,
    /// What the result will be converted to: what a block that the function allocates for its caller is made of.
    pub(super) wanted: Option<Type>,
    /// Whether control may have come here by a goto.
    pub(super) labelled: bool,
    /// The blocks around the cursor, the outermost first: their locals that have addresses.
    pub(super) scopes: Vec<Scope>,
    /// Where it is called.
    pub(super) called: Span,
}

/// Builds the graph of one thread.
pub(super) struct ThreadBuilder<'l, 'a> {
    pub(super) low: &'l mut Lowering<'a>,
    /// Its number among the instances.
    pub(super) number: usize,
    pub(super) graph: Graph,
    cursor: Option<NodeId>,
    pub(super) constants: Constants,
    labels: Vec<LabelState>,
    pub(super) frames: Vec<Frame>,
    pub(super) thread_locals: HashMap<GlobalId, ObjectId>,
    /// The thread's values of keys, by the key's number, and how many calls set one.
    pub(super) specifics: HashMap<usize, VarId>,
    pub(super) specific_writes: usize,
    pub(super) errno: Option<ObjectId>,
    pub(super) span: Span,
    /// Ranges of terms that a definedness check has established.
    pub(super) checked: HashMap<Term, (i128, i128)>,
    /// Whether the code is the library's own: all of it stands where the program calls it.
    pub(super) in_library: bool,
    /// Cleanup handlers around the cursor that are pushed and not popped.
    pub(super) cleanups: usize,
    /// Loops around the cursor.
    pub(super) loops: usize,
    /// Allocations so far of blocks that are common to all copies of the thread.
    pub(super) common_allocations: usize,
    /// The locals whose blocks control is in.
    pub(super) alive: Alive,
    /// The locals of the outermost block.
    pub(super) outermost: BTreeSet<VarId>,
    /// What the value of the call at hand is converted to.
    pub(super) wanted: Option<Type>,
    /// How steps touch memory.
    manner: Manner,
    /// How calls touch the state of synchronisation objects.
    pub(super) sync_manner: Manner,
}

impl<'l, 'a> ThreadBuilder<'l, 'a> {
    pub(super) fn new(low: &'l mut Lowering<'a>, number: usize) -> Self {
        let span = low.instances[number].span;
        let mut graph = Graph { nodes: Vec::new(), entry: NodeId(0), sections: Vec::new(), calls: Calls::default() };
        let entry = graph.push(NodeKind::Stuck, span);
        graph.entry = entry;
        ThreadBuilder {
            low,
            number,
            graph,
            cursor: Some(entry),
            constants: Constants::new(),
            labels: Vec::new(),
            frames: Vec::new(),
            thread_locals: HashMap::new(),
            specifics: HashMap::new(),
            specific_writes: 0,
            errno: None,
            span,
            checked: HashMap::new(),
            in_library: false,
            cleanups: 0,
            loops: 0,
            common_allocations: 0,
            alive: Alive::default(),
            outermost: BTreeSet::new(),
            wanted: None,
            manner: Manner::Plain,
            sync_manner: Manner::Atomic,
        }
    }

    /// The value that names this thread in locks and handles.
    pub(super) fn id(&self) -> Term {
        self.low.instances[self.number].id
    }

    /// Lowers the thread's function.
    pub(super) fn run(mut self) -> LoweredThread {
        let instance = self.low.instances[self.number].clone();
        self.low.memory.home = Some(self.number);
        self.thread_body(&instance);
        self.graph.calls.close(self.graph.next());
        if self.low.config.goal == Goal::Visits {
            visit_decisions(&mut self.graph, &mut self.low.memory);
        }
        self.low.memory.home = None;
        let function = &self.low.unit.functions[instance.function.0 as usize];
        let name = function.name.clone();
        let outermost = self.outermost;
        LoweredThread { name, graph: self.graph, span: instance.span, id: instance.id, outermost }
    }

    /// Whether control can be here.
    pub(super) fn is_live(&self) -> bool {
        self.cursor.is_some()
    }

    /// The node that the next step goes to.
    pub(super) fn here(&self) -> Option<NodeId> {
        self.cursor
    }

    /// Whether control can come here several times.
    pub(super) fn in_loop(&self) -> bool {
        self.loops > 0 || self.frames.iter().any(|frame| frame.labelled)
    }

    /// Begins an atomic section of the text.
    pub(super) fn begin_section(&mut self) {
        let site = self.emit(Step::AtomicBegin);
        self.graph.sections.extend(site);
    }

    /// Appends a step and returns its node.
    pub(super) fn emit(&mut self, step: Step) -> Option<NodeId> {
        let at = self.cursor?;
        self.low.nodes += 1;
        if self.low.nodes > MAX_NODES {
            self.cursor = None;
            return None;
        }
        let next = self.graph.push(NodeKind::Stuck, self.span);
        let node = &mut self.graph.nodes[at.0 as usize];
        node.kind = NodeKind::Step(step, next);
        node.span = self.span;
        node.manner = self.manner;
        self.cursor = Some(next);
        Some(at)
    }

    /// Runs `body`, whose steps touch memory in this manner.
    pub(super) fn touching<T>(&mut self, manner: Manner, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.manner, manner);
        let result = body(self);
        self.manner = outer;
        result
    }

    /// Runs `body` as one step.
    pub(super) fn atomically<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.emit(Step::AtomicBegin);
        let result = body(self);
        self.emit(Step::AtomicEnd);
        result
    }

    /// Ends this line of control.
    pub(super) fn finish(&mut self, kind: NodeKind) {
        if let Some(at) = self.cursor.take() {
            let node = &mut self.graph.nodes[at.0 as usize];
            node.kind = kind;
            node.span = self.span;
        }
    }

    /// Control must not come here: a claim is violated. Where it is not asked for the thread ends, as the text has it, and the others
    /// go on: whoever they are, they could have done so before it came here.
    pub(super) fn violate(&mut self, property: Property) {
        let asked = !self.low.config.unasked.contains(&ClaimId::new(property, self.span));
        self.finish(if asked { NodeKind::Error(property) } else { NodeKind::Stuck });
    }

    /// Where visits are asked for, a run may stop at the end of main.
    pub(super) fn visit_end(&mut self, main: Span) {
        if self.low.config.ends_with_main() {
            let (stops, goes_on) = (self.label(), self.label());
            let chance = self.either();
            self.branch(chance, stops, goes_on);
            self.land(stops);
            let span = std::mem::replace(&mut self.span, main);
            self.violate(Property::UnreachCall);
            self.span = span;
            self.land(goes_on);
        }
    }

    /// Reports, if control can get here, that something is not modelled.
    pub(super) fn unsupported(&mut self, what: impl Into<String>) {
        if self.low.config.refusal == Refusal::First {
            self.finish(NodeKind::Unsupported(what.into()));
        } else if self.is_live() {
            let refused = Diagnostic::new(Code::Unsupported, what).at(self.span);
            let calls = self.frames.iter().skip(1).rev().filter(|_| !self.in_library);
            let called = |refused: Diagnostic, frame: &Frame| {
                let function = &self.low.unit.functions[frame.function.0 as usize].name;
                let told =
                    refused.span == Some(frame.called) || refused.notes.iter().any(|(_, at)| *at == frame.called);
                if told { refused } else { refused.note(format!("`{function}` is called here"), frame.called) }
            };
            let refused = calls.fold(refused, called);
            self.low.refused.push(refused);
        }
    }

    pub(super) fn label(&mut self) -> Label {
        let node = self.graph.push(NodeKind::Stuck, self.span);
        self.labels.push(LabelState { node, constants: None });
        Label(self.labels.len() - 1)
    }

    /// Whether anything has jumped to the label so far.
    pub(super) fn is_target(&self, label: Label) -> bool {
        self.labels[label.0].constants.is_some()
    }

    pub(super) fn jump(&mut self, label: Label) {
        let Some(at) = self.cursor.take() else { return };
        let known = self.constants.clone();
        let node = self.arrive(label, &known);
        self.graph.nodes[at.0 as usize].kind = NodeKind::Skip(node);
        self.graph.nodes[at.0 as usize].span = self.span;
    }

    fn arrive(&mut self, label: Label, known: &Constants) -> NodeId {
        let state = &mut self.labels[label.0];
        state.constants = Some(match state.constants.take() {
            None => known.clone(),
            Some(before) if before.ptr_eq(known) => before,
            Some(before) => before.into_iter().filter(|(var, value)| known.get(var) == Some(value)).collect(),
        });
        state.node
    }

    /// Goes on at a label that only forward jumps reach.
    pub(super) fn land(&mut self, label: Label) {
        self.jump(label);
        let state = &self.labels[label.0];
        if let Some(constants) = &state.constants {
            self.constants = constants.clone();
            self.cursor = Some(state.node);
        }
    }

    /// Goes on at a label that later jumps may reach as well, with only the constants that survive those.
    pub(super) fn land_head(&mut self, label: Label, changes: &Changes) {
        // A goto or a case label can lead into the loop past its head, with other values than those known here.
        let entered_elsewhere = self.frames.last().is_none_or(|frame| {
            let function = &self.low.unit.functions[frame.function.0 as usize];
            !frame.switches.is_empty() || !function.labels.is_empty()
        });
        if entered_elsewhere || !self.is_live() {
            self.forget_activation();
        }
        self.forget(changes);
        self.jump(label);
        self.cursor = Some(self.labels[label.0].node);
    }

    /// Decides a formula: jumps to one of the labels.
    pub(super) fn branch(&mut self, cond: Term, then: Label, otherwise: Label) {
        match cond.kind() {
            program::TermKind::Bool(value) => self.decided(cond, if *value { then } else { otherwise }),
            program::TermKind::And(items) => {
                for item in items {
                    let next = self.label();
                    self.branch(*item, next, otherwise);
                    self.land(next);
                }
                self.jump(then);
            }
            program::TermKind::Or(items) => {
                for item in items {
                    let next = self.label();
                    self.branch(*item, then, next);
                    self.land(next);
                }
                self.jump(otherwise);
            }
            program::TermKind::Not(inner) => self.branch(*inner, otherwise, then),
            _ => {
                let Some(at) = self.cursor.take() else { return };
                let known = self.constants.clone();
                let (then, otherwise) = (self.arrive(then, &known), self.arrive(otherwise, &known));
                let node = &mut self.graph.nodes[at.0 as usize];
                node.kind = NodeKind::Branch(cond, then, otherwise);
                node.span = self.span;
            }
        }
    }

    /// Jumps where a decision whose outcome is known leads. Where visits are asked for it stays in the graph for a while.
    fn decided(&mut self, cond: Term, label: Label) {
        if self.low.config.goal == Goal::Visits
            && let Some(at) = self.cursor
        {
            self.jump(label);
            let node = self.labels[label.0].node;
            self.graph.nodes[at.0 as usize].kind = NodeKind::Branch(cond, node, node);
        } else {
            self.jump(label);
        }
    }

    /// Whether visits are asked for, and no decision has jumped to the label.
    pub(super) fn is_passed_by(&self, label: Label) -> bool {
        self.low.config.goal == Goal::Visits && !self.is_target(label)
    }

    /// The same of the claims of a statement that was passed by.
    pub(super) fn pass_by_stmt(&mut self, untaken: &Stmt) {
        self.pass_by_what(|straight| straight.stmt(untaken));
    }

    /// The same of an expression.
    pub(super) fn pass_by_expr(&mut self, untaken: &Expr) {
        self.pass_by_what(|straight| straight.expr(untaken));
    }

    fn pass_by_what(&mut self, walk: impl FnOnce(&mut Straight<'_>)) {
        let function = self.frames.last().map(|frame| frame.function);
        let mut straight = Straight::new(self.low.unit, self.low.config, function);
        walk(&mut straight);
        self.pass_by(&straight.found);
    }

    /// Notes where visits are asked for that a decision has just passed by these claims, whatever the state.
    pub(super) fn pass_by(&mut self, claims: &[Span]) {
        let property = Property::UnreachCall;
        for span in claims {
            let is_asked = !self.low.config.unasked.contains(&ClaimId::new(property, *span));
            if let (true, Some(at)) = (is_asked, self.cursor) {
                let next = self.graph.push(NodeKind::Stuck, self.span);
                let error = self.graph.push(NodeKind::Error(property), *span);
                let node = &mut self.graph.nodes[at.0 as usize];
                (node.kind, node.span) = (NodeKind::Branch(Term::bool(true), next, error), self.span);
                self.cursor = Some(next);
            }
        }
    }

    /// Decides whether a function pointer means this function. Which functions it can mean at all is known only when all
    /// threads are: until then every candidate counts.
    pub(super) fn dispatch(&mut self, pointer: Term, function: Term, here: Label, next: Label) {
        if let Some(at) = self.cursor {
            self.low.dispatches.push((self.number, at));
        }
        self.branch(pointer.eq_to(function), here, next);
    }

    /// What an attempt has to put back.
    pub(super) fn save(&self) -> Saved {
        Saved {
            cursor: self.cursor,
            constants: self.constants.clone(),
            nodes: self.graph.nodes.len(),
            sections: self.graph.sections.len(),
            labels: self.labels.len(),
            instances: self.low.instances.len(),
            families: self.low.families.len(),
            sites: self.low.sites.len(),
            dispatches: self.low.dispatches.len(),
            once: self.low.heap.once.len(),
            guards: self.low.heap.guards.len(),
            obtained: self.low.heap.obtained.len(),
            touched: self.low.touched.len(),
            life_steps: self.low.life_steps.len(),
            births: self.low.unwritten.births.len(),
            allocations: self.low.leaks.allocations.len(),
            ends: self.low.leaks.ends.len(),
            forgotten: self.low.leaks.forgotten.len(),
            asked: self.low.outside.asked(),
        }
    }

    /// Forgets an attempt: the steps it appended, its labels and temporaries.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.cursor = saved.cursor;
        self.constants = saved.constants;
        self.graph.nodes.truncate(saved.nodes);
        self.graph.sections.truncate(saved.sections);
        self.labels.truncate(saved.labels);
        self.low.instances.truncate(saved.instances);
        self.low.families.truncate(saved.families);
        self.low.sites.truncate(saved.sites);
        self.low.dispatches.truncate(saved.dispatches);
        self.low.heap.once.truncate(saved.once);
        self.low.heap.guards.truncate(saved.guards);
        self.low.heap.obtained.truncate(saved.obtained);
        self.low.touched.truncate(saved.touched);
        self.low.life_steps.truncate(saved.life_steps);
        self.low.unwritten.births.truncate(saved.births);
        self.low.leaks.allocations.truncate(saved.allocations);
        self.low.leaks.ends.truncate(saved.ends);
        self.low.leaks.forgotten.truncate(saved.forgotten);
        self.low.outside.forget(saved.asked);
        if let Some(at) = self.cursor {
            self.graph.nodes[at.0 as usize].kind = NodeKind::Stuck;
        }
    }

    /// Undefined behaviour unless the condition holds.
    pub(super) fn check(&mut self, cond: Term, kind: UbKind) {
        match cond.as_bool() {
            Some(true) => {}
            Some(false) => {
                self.emit(Step::Check(cond, kind));
                self.finish(NodeKind::Stuck);
            }
            None => {
                self.emit(Step::Check(cond, kind));
            }
        }
    }

    /// A fresh temporary.
    pub(super) fn temporary(&mut self, ty: IntType, name: &str) -> VarId {
        let named = Named { name, span: self.span, kind: VarKind::Temporary, private: true };
        self.low.memory.scalar(&named, ty, Init::Arbitrary)
    }

    /// Assigns a cell, and remembers a constant if the object is private.
    pub(super) fn assign(&mut self, object: Option<ObjectId>, var: VarId, value: Term) {
        self.emit(Step::Assign(var, value));
        let private = object.is_none_or(|o| self.low.memory.object(o).private);
        if private && self.is_constant(value) {
            self.constants.insert(var, value);
        } else {
            self.constants.remove(&var);
        }
    }

    /// Whether a term has the same value in every state: integers and addresses.
    pub(super) fn is_constant(&self, term: Term) -> bool {
        term.sort() == program::Sort::Int && term.vars().iter().all(|v| self.low.memory.addressed(*v).is_some())
    }

    /// Any value of the type.
    pub(super) fn havoc(&mut self, ty: IntType, name: &str) -> Term {
        self.decision(ty, name, Choice::Other)
    }

    /// Any value of the type in place of one that C determines: proofs hold for it, runs that depend on it show nothing.
    pub(super) fn untracked(&mut self, ty: IntType, what: Untracked) -> Term {
        self.decision(ty, "untracked", Choice::Untracked(what))
    }

    /// Any value of the type, which decides something that C leaves open.
    pub(super) fn decision(&mut self, ty: IntType, name: &str, choice: Choice) -> Term {
        let var = self.temporary(ty, name);
        self.low.memory.cell_mut(var).choice = choice;
        self.emit(Step::Havoc(var));
        self.low.memory.term(var)
    }

    /// Forgets the constants that a loop may change.
    fn forget(&mut self, changes: &Changes) {
        let mut objects: Vec<ObjectId> = Vec::new();
        if let Some(frame) = self.frames.last() {
            objects.extend(changes.locals.iter().filter_map(|local| frame.locals.get(local)));
        }
        if changes.calls {
            objects.extend(&self.low.globals);
            objects.extend(self.thread_locals.values());
        } else {
            objects.extend(changes.globals.iter().map(|g| self.low.globals[g.0 as usize]));
            objects.extend(changes.globals.iter().filter_map(|g| self.thread_locals.get(g)));
        }
        self.forget_objects(&objects);
    }

    /// Forgets everything about this activation and the globals: at a label that a goto may reach.
    pub(super) fn forget_activation(&mut self) {
        let mut objects: Vec<ObjectId> = self.low.globals.clone();
        objects.extend(self.thread_locals.values());
        if let Some(frame) = self.frames.last() {
            objects.extend(frame.locals.values());
        }
        self.forget_objects(&objects);
    }

    fn forget_objects(&mut self, objects: &[ObjectId]) {
        for object in objects {
            for leaf in &self.low.memory.objects[object.0 as usize].leaves {
                if let Cells::Split(vars) = &leaf.cells {
                    for var in vars {
                        self.constants.remove(var);
                    }
                }
            }
        }
    }

    /// An object of this thread that holds a value which nothing in the C text names.
    pub(super) fn nameless(&mut self, ty: &Type) -> ObjectId {
        self.own_object(ty, &Named { name: "value", span: self.span, kind: VarKind::Temporary, private: true })
    }

    /// A new object of this thread: a local, a parameter, a result.
    pub(super) fn allocate(&mut self, ty: &Type, name: &str, private: bool) -> ObjectId {
        self.own_object(ty, &Named { name, span: self.span, kind: VarKind::User, private })
    }

    fn own_object(&mut self, ty: &Type, named: &Named) -> ObjectId {
        let object = self.low.memory.allocate(self.low.unit, ty, named, Init::Arbitrary);
        self.low.memory.objects[object.0 as usize].own = true;
        object
    }
}
