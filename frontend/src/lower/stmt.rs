//! Statements.

use program::{Property, Term};

use super::build::{Label, ThreadBuilder};
use super::lifetimes::Exit;
use super::place::known;
use crate::cfg::{Manner, Step};
use crate::facts::Changes;
use crate::hir::{Expr, ExprKind, Init, Stmt, StmtKind, Type};
use crate::hir_walk::{Visitor, walk_stmt};
use crate::memory::{Cells, ObjectId};

/// A switch whose body is being lowered: its labels, in the order of the text.
pub(super) struct Switch {
    labels: Vec<Label>,
    next: usize,
}

/// The scopes around a local of a function's outermost block: that of the parameters, and the block.
const OUTERMOST: usize = 2;
/// Loops that create or join threads are unrolled up to this many rounds.
const MAX_ROUNDS: usize = 256;
/// Those whose condition is always true, for which only a jump out of the loop can be an end, up to this many.
const ENDLESS_ROUNDS: usize = 32;
/// Loops of the library itself, over strings, up to this many.
const LIBRARY_ROUNDS: usize = 40;
/// Loops that allocate, or run before there are threads, are unrolled if they have about so many rounds.
const SHORT: u128 = 16;

impl ThreadBuilder<'_, '_> {
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        self.at(stmt.span, |this| this.stmt_here(stmt));
    }

    fn stmt_here(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                self.value(expr);
            }
            StmtKind::Declare(id, init) => {
                let object = self.begin_life(*id);
                let Some(frame) = self.frames.last() else { return };
                if self.frames.len() == 1 && frame.scopes.len() == OUTERMOST && !self.in_loop() {
                    self.outermost.extend(self.low.memory.cells_of(object));
                }
                let ty = self.low.unit.functions[frame.function.0 as usize].locals[id.0 as usize].ty.clone();
                self.initialise_local(object, &ty, init.as_ref());
            }
            StmtKind::Block(items) => self.in_scope(|this| items.iter().for_each(|item| this.stmt(item))),
            StmtKind::If(cond, then, otherwise) => self.if_stmt(cond, then, otherwise.as_deref()),
            StmtKind::While(cond, body) => self.loop_stmt(stmt, Some(cond), None, body),
            StmtKind::DoWhile(body, cond) => self.do_while(stmt, body, cond),
            StmtKind::For(init, cond, step, body) => {
                self.in_scope(|this| {
                    init.iter().for_each(|item| this.stmt(item));
                    this.loop_stmt(stmt, cond.as_ref(), step.as_ref(), body);
                });
            }
            StmtKind::Switch(value, body) => self.switch(value, body),
            StmtKind::Case(..) | StmtKind::Default => {
                let label = self.frames.last_mut().and_then(|frame| frame.switches.last_mut()).and_then(|switch| {
                    switch.next += 1;
                    switch.labels.get(switch.next - 1).copied()
                });
                if let Some(label) = label {
                    self.land(label);
                }
            }
            StmtKind::Break => self.jump_to(|frame| frame.breaks.last().copied()),
            StmtKind::Continue => self.jump_to(|frame| frame.continues.last().copied()),
            StmtKind::Goto(id) => {
                let label = self.goto_label(*id);
                self.leave_for(*id);
                self.jump(label);
            }
            StmtKind::Label(id) => self.named_label(*id),
            StmtKind::Async(body) => self.start_statement(body),
            StmtKind::Return(value) => self.return_stmt(value.as_ref()),
            StmtKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    fn jump_to(&mut self, target: impl Fn(&super::build::Frame) -> Option<Exit>) {
        if let Some(exit) = self.frames.last().and_then(target) {
            self.leave_scopes(exit.depth);
            self.jump(exit.label);
        }
    }

    fn goto_label(&mut self, id: crate::hir::LabelId) -> Label {
        if let Some(label) = self.frames.last().and_then(|frame| frame.labels.get(&id)) {
            return *label;
        }
        let label = self.label();
        if let Some(frame) = self.frames.last_mut() {
            frame.labels.insert(id, label);
        }
        label
    }

    fn named_label(&mut self, id: crate::hir::LabelId) {
        let label = self.goto_label(id);
        if let Some(frame) = self.frames.last_mut() {
            frame.labelled = true;
        }
        let everything = Changes::default();
        self.land_head(label, &everything);
        let Some(frame) = self.frames.last() else { return };
        let name = &self.low.unit.functions[frame.function.0 as usize].labels[id.0 as usize];
        if self.low.config.error_labels && name == "ERROR" {
            self.violate(Property::UnreachCall);
        }
    }

    fn if_stmt(&mut self, cond: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        let (yes, no, done) = (self.label(), self.label(), self.label());
        self.decide(cond, yes, no);
        self.land(yes);
        if let (Some(otherwise), true) = (otherwise, self.is_passed_by(no)) {
            self.pass_by_stmt(otherwise);
        }
        self.stmt(then);
        self.jump(done);
        self.land(no);
        if self.is_passed_by(yes) {
            self.pass_by_stmt(then);
        }
        if let Some(otherwise) = otherwise {
            self.stmt(otherwise);
        }
        self.land(done);
    }

    fn decide_or_go_on(&mut self, cond: Option<&Expr>, body: Label, exit: Label) {
        match cond {
            Some(cond) => self.decide(cond, body, exit),
            None => self.jump(body),
        }
    }

    fn loop_stmt(&mut self, whole: &Stmt, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt) {
        let exit = self.label();
        let changes = self.low.facts.changes(self.low.unit, whole);
        let small = changes.allocating || self.is_first();
        let worth_it = changes.threading || self.in_library || (small && self.is_short(cond));
        if worth_it && self.is_live() && !has_labels(body) {
            self.unroll(cond, step, body, exit);
        }
        let mut is_passed_by = false;
        if self.is_live() || has_labels(body) {
            let (head, inside, next) = (self.label(), self.label(), self.label());
            self.loops += 1;
            self.land_head(head, &changes);
            self.decide_or_go_on(cond, inside, exit);
            is_passed_by = self.is_passed_by(inside);
            self.land(inside);
            self.loop_body(body, exit, next);
            self.land(next);
            if let Some(step) = step {
                self.value(step);
            }
            self.jump(head);
            self.loops -= 1;
        }
        self.land(exit);
        if is_passed_by {
            self.pass_by_stmt(body);
        }
    }

    fn loop_body(&mut self, body: &Stmt, exit: Label, next: Label) {
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push(frame.exit_to(exit));
            frame.continues.push(frame.exit_to(next));
        }
        self.stmt(body);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.continues.pop();
        }
    }

    /// Peels rounds off a loop for as long as the constants decide its condition. What is left, if anything, is an ordinary
    /// loop; a thread created in that is created without a constant bound, which is noticed when the graph is complete.
    fn unroll(&mut self, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt, exit: Label) {
        let endless = cond.is_none_or(|cond| matches!(cond.kind, ExprKind::Const(_)));
        let most = match self.in_library {
            true => LIBRARY_ROUNDS,
            false if endless => ENDLESS_ROUNDS,
            false => MAX_ROUNDS,
        };
        for _ in 0..most {
            // A string ends where its object does: a loop over it comes to an end by itself.
            if !self.in_library && !self.is_decided(cond) {
                return;
            }
            let (inside, next) = (self.label(), self.label());
            self.decide_or_go_on(cond, inside, exit);
            self.land(inside);
            if !self.is_live() {
                return;
            }
            self.loop_body(body, exit, next);
            self.land(next);
            if let Some(step) = step {
                self.value(step);
            }
            if !self.is_live() {
                return;
            }
        }
    }

    /// Whether no thread has been created yet: the loops here prepare what threads will find, and constants help to see what.
    fn is_first(&self) -> bool {
        self.low.instances.len() == 1
    }

    /// Whether a loop that allocates has few rounds ahead: its condition compares two constants that are near each other.
    fn is_short(&mut self, cond: Option<&Expr>) -> bool {
        let Some(Expr { kind: ExprKind::Compare(_, a, b), .. }) = cond else { return false };
        let saved = self.save();
        let sides = (self.scalar(a).as_int(), self.scalar(b).as_int());
        self.restore(saved);
        matches!(sides, (Some(a), Some(b)) if a.abs_diff(b) <= SHORT)
    }

    /// Whether the constants decide a condition: tried on a copy of the cursor, whose steps are thrown away.
    fn is_decided(&mut self, cond: Option<&Expr>) -> bool {
        let Some(cond) = cond else { return true };
        let saved = self.save();
        let (yes, no) = (self.label(), self.label());
        self.decide(cond, yes, no);
        let decided = self.is_target(yes) != self.is_target(no);
        self.restore(saved);
        decided
    }

    fn do_while(&mut self, whole: &Stmt, body: &Stmt, cond: &Expr) {
        let exit = self.label();
        let changes = self.low.facts.changes(self.low.unit, whole);
        let mut rounds = if changes.threading && self.is_live() && !has_labels(body) { MAX_ROUNDS } else { 0 };
        while rounds > 0 && self.is_live() {
            rounds -= 1;
            let (next, again) = (self.label(), self.label());
            self.loop_body(body, exit, next);
            self.land(next);
            if !self.is_live() {
                break;
            }
            if !self.is_decided(Some(cond)) {
                rounds = 0;
            }
            self.decide(cond, again, exit);
            self.land(again);
        }
        if self.is_live() || has_labels(body) {
            let (head, next) = (self.label(), self.label());
            self.loops += 1;
            self.land_head(head, &changes);
            self.loop_body(body, exit, next);
            self.land(next);
            self.decide(cond, head, exit);
            self.loops -= 1;
        }
        self.land(exit);
    }

    fn switch(&mut self, value: &Expr, body: &Stmt) {
        if self.low.config.asks(Property::NoUninitialisedRead) && declares(body) {
            self.unsupported("a declaration that a switch jumps past, where values that are not there matter");
        }
        let value = self.scalar(value);
        let mut cases = Cases::default();
        walk_stmt(body, &mut cases);
        let exit = self.label();
        let labels: Vec<Label> = cases.found.iter().map(|_| self.label()).collect();
        let mut fallback = exit;
        for (case, label) in cases.found.iter().zip(&labels) {
            match case {
                None => fallback = *label,
                Some((low, high)) => {
                    let hit = if low == high { value.eq_to(Term::int(*low)) } else { value.within(*low, *high) };
                    let next = self.label();
                    self.branch(hit, *label, next);
                    self.land(next);
                }
            }
        }
        self.jump(fallback);
        if let Some(frame) = self.frames.last_mut() {
            frame.switches.push(Switch { labels, next: 0 });
            frame.breaks.push(frame.exit_to(exit));
        }
        self.stmt(body);
        if let Some(frame) = self.frames.last_mut() {
            frame.switches.pop();
            frame.breaks.pop();
        }
        self.land(exit);
    }

    fn return_stmt(&mut self, value: Option<&Expr>) {
        let Some(frame) = self.frames.last() else { return };
        let (exit, result) = (frame.exit, frame.result);
        let ty = self.low.unit.functions[frame.function.0 as usize].ty.result.clone();
        match (value, result) {
            (Some(value), Some(object)) => self.assign_value(&known(object), &ty, value),
            (Some(value), None) => {
                self.value(value);
            }
            (None, _) => {}
        }
        self.leave_function();
        self.jump(exit);
    }

    /// A local comes to life: arbitrary, or with its initialiser.
    pub(super) fn initialise_local(&mut self, object: ObjectId, ty: &Type, init: Option<&Init>) {
        let scalar = self.low.scalar_shape(ty).is_some();
        match init {
            None => self.havoc_object(object),
            Some(init) => {
                if init.zero_rest && !scalar {
                    self.zero(object);
                } else if !covers_all(init) {
                    self.havoc_object(object);
                }
                for (place, value) in &init.items {
                    let spot = self.place(place);
                    let shape = match place.ty.unatomic() {
                        Type::Sync(kind) if value.ty != place.ty => self.low.mutex_type_shape(*kind),
                        _ => self.low.shape_of(place),
                    };
                    match shape {
                        Some(shape) => {
                            let term = self.scalar(value);
                            self.write(&spot, shape, term);
                        }
                        None => {
                            if let Type::Float(_) = place.ty.unatomic() {
                                self.store_float(place);
                            }
                            self.assign_value(&spot, &place.ty, value);
                        }
                    }
                }
                if scalar && init.items.is_empty() {
                    self.zero(object);
                }
            }
        }
    }

    fn havoc_object(&mut self, object: ObjectId) {
        for leaf in self.low.memory.object(object).leaves.clone() {
            let vars = match &leaf.cells {
                Cells::Split(vars) => vars.clone(),
                Cells::Array(var) => vec![*var],
            };
            for var in vars {
                let birth = self.touching(Manner::Birth, |this| this.emit(Step::Havoc(var)));
                self.low.unwritten.births.extend(birth.map(|node| (self.number, node)));
                self.constants.remove(&var);
            }
        }
    }

    fn zero(&mut self, object: ObjectId) {
        for leaf in self.low.memory.object(object).leaves.clone() {
            match leaf.cells {
                Cells::Array(var) => {
                    self.emit(Step::Assign(var, Term::const_array(Term::int(0))));
                }
                Cells::Split(vars) => vars.iter().for_each(|var| self.assign(Some(object), *var, Term::int(0))),
            }
        }
    }
}

/// Whether a block declares something itself.
fn declares(body: &Stmt) -> bool {
    matches!(&body.kind, StmtKind::Block(items) if items.iter().any(|item| matches!(item.kind, StmtKind::Declare(..))))
}

/// Whether an initialiser assigns the whole object: a single item for it.
fn covers_all(init: &Init) -> bool {
    matches!(init.items.as_slice(), [(place, _)] if std::ptr::eq(crate::hir_walk::root(place), place))
}

/// The case labels of one switch, nested switches left out.
#[derive(Default)]
struct Cases {
    found: Vec<Option<(i128, i128)>>,
    nested: Vec<*const Stmt>,
}

impl Visitor for Cases {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Switch(_, body) => {
                // Its labels belong to it: remember them, to be skipped when the walk comes to them.
                let mut inner = Labels::default();
                walk_stmt(body, &mut inner);
                self.nested.extend(inner.cases);
            }
            StmtKind::Case(low, high) if !self.nested.contains(&std::ptr::from_ref(stmt)) => {
                self.found.push(Some((*low, *high)));
            }
            StmtKind::Default if !self.nested.contains(&std::ptr::from_ref(stmt)) => self.found.push(None),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Labels {
    cases: Vec<*const Stmt>,
    labels: usize,
}

impl Visitor for Labels {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind {
            StmtKind::Case(..) | StmtKind::Default => self.cases.push(stmt),
            StmtKind::Label(_) => self.labels += 1,
            _ => {}
        }
    }
}

/// Whether control can come into the middle of a statement: it has labels, or cases of a switch around it.
fn has_labels(stmt: &Stmt) -> bool {
    let mut all = Labels::default();
    walk_stmt(stmt, &mut all);
    let mut own = Cases::default();
    walk_stmt(stmt, &mut own);
    all.labels > 0 || !own.found.is_empty()
}
