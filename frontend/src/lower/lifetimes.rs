//! The lives of locals: from the beginning of their block to its end [C11, 6.2.4].
//!
//! Where invalid pointers are a matter of the property, each local whose address is taken has a hidden bit that says whether its life
//! has ended. Whoever names a local is in its block, so only accesses through pointers look at the bit, and of those only the ones that
//! are not made inside the block: see [`crate::lives`], which also takes out the bits that nobody looks at.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use program::{Bookkeeping, Init, IntType, Property, Term, VarKind};

use super::build::{Frame, Label, ThreadBuilder};
use crate::cfg::Step;
use crate::hir::{Expr, ExprKind, FunctionId, LabelId, LocalId, Place, PlaceKind, Stmt, StmtKind};
use crate::hir_walk::{Visitor, root, walk_stmt};
use crate::memory::{Named, ObjectId};

/// The locals of a block that have come to life so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope(Vec<(LocalId, ObjectId)>);

/// Where a `break` or `continue` goes, and how many blocks are around it there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) label: Label,
    pub(super) depth: usize,
}

impl Frame {
    /// A way out to the blocks around the cursor.
    pub(super) fn exit_to(&self, label: Label) -> Exit {
        Exit { label, depth: self.scopes.len() }
    }
}

/// What a function says of the lives of its locals.
#[derive(Debug, Default)]
pub(super) struct Lives {
    /// Those whose addresses are taken.
    addressed: BTreeSet<LocalId>,
    /// For each label, the locals of the blocks around it.
    around: HashMap<LabelId, BTreeSet<LocalId>>,
}

impl Lives {
    fn of(body: Option<&Stmt>) -> Lives {
        let mut lives = Lives::default();
        if let Some(body) = body {
            walk_stmt(body, &mut lives);
            lives.labels(body, &BTreeSet::new());
        }
        lives
    }

    fn labels(&mut self, stmt: &Stmt, around: &BTreeSet<LocalId>) {
        let mut inside = around.clone();
        let declared = |items: &[Stmt]| -> Vec<LocalId> {
            let local = |item: &Stmt| match item.kind {
                StmtKind::Declare(id, _) => Some(id),
                _ => None,
            };
            items.iter().filter_map(local).collect()
        };
        match &stmt.kind {
            StmtKind::Label(id) => _ = self.around.insert(*id, inside),
            StmtKind::Block(items) => {
                inside.extend(declared(items));
                items.iter().for_each(|item| self.labels(item, &inside));
            }
            StmtKind::For(init, _, _, body) => {
                inside.extend(declared(init));
                self.labels(body, &inside);
            }
            StmtKind::If(_, then, otherwise) => {
                self.labels(then, &inside);
                otherwise.iter().for_each(|otherwise| self.labels(otherwise, &inside));
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => {
                self.labels(body, &inside);
            }
            _ => {}
        }
    }
}

impl Visitor for Lives {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::AddressOf(place) = &expr.kind
            && let PlaceKind::Local(id) | PlaceKind::Literal(id, _) = root(place).kind
        {
            self.addressed.insert(id);
        }
    }
}

impl ThreadBuilder<'_, '_> {
    /// Whether lives are followed.
    fn follows_lives(&self) -> bool {
        self.low.config.asks(Property::ValidDeref)
    }

    fn lives(&mut self, function: FunctionId) -> Rc<Lives> {
        let unit = self.low.unit;
        let body = unit.functions[function.0 as usize].body.as_ref();
        self.low.lives.entry(function).or_insert_with(|| Rc::new(Lives::of(body))).clone()
    }

    /// A local comes to life: the object that it is from now on. Each time that its declaration is lowered it is another one.
    pub(super) fn begin_life(&mut self, id: LocalId) -> ObjectId {
        let Some(function) = self.frames.last().map(|frame| frame.function) else { return self.local(id) };
        if !self.follows_lives() || !self.lives(function).addressed.contains(&id) {
            let object = self.local(id);
            if self.follows_chains() {
                self.note_in_scope(id, object);
            }
            return object;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.remove(&id);
        }
        let object = self.local(id);
        self.give_life(object);
        self.note_in_scope(id, object);
        self.set_ended(object, 0);
        object
    }

    /// The object belongs to the innermost block.
    fn note_in_scope(&mut self, id: LocalId, object: ObjectId) {
        if let Some(scope) = self.frames.last_mut().and_then(|frame| frame.scopes.last_mut()) {
            scope.0.push((id, object));
        }
        self.note_storage(object);
    }

    /// An object ends: its life is over, and what it pointed to is not found through it any more.
    fn end_object(&mut self, object: ObjectId) {
        self.set_ended(object, 1);
        self.empty(object);
    }

    /// A hidden bit for the end of an object's life; it is there for now.
    fn give_life(&mut self, object: ObjectId) {
        let address = self.low.memory.object(object).address;
        let name = format!("ended({})", self.low.memory.cell(address).name);
        let kind = VarKind::Control(Bookkeeping::Other);
        let named = Named { name: &name, span: self.span, kind, private: false };
        let ended = self.low.memory.scalar(&named, IntType::new(1, false), Init::Value(Term::int(0)));
        self.low.memory.objects[object.0 as usize].ended = Some(ended);
        Rc::make_mut(&mut self.alive).insert(object);
    }

    /// A thread's own variable lives until the thread ends.
    pub(super) fn live_with_thread(&mut self, object: ObjectId) {
        if self.follows_lives() {
            self.give_life(object);
        }
    }

    fn set_ended(&mut self, object: ObjectId, value: i128) {
        if let Some(ended) = self.low.memory.object(object).ended {
            let site = self.emit(Step::Assign(ended, Term::int(value)));
            self.low.life_steps.extend(site.map(|node| (self.number, node)));
        }
    }

    /// Whether control is in the block of a local, or the object has no such life.
    pub(super) fn is_there(&self, object: ObjectId) -> bool {
        self.low.memory.object(object).ended.is_none() || self.alive.contains(&object)
    }

    pub(super) fn open_scope(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.scopes.push(Scope::default());
        }
    }

    /// Whether control is in main, and not in what it calls: when it returns, all ends.
    fn is_main_itself(&self) -> bool {
        self.frames.len() == 1 && self.low.instances[self.number].control.is_none()
    }

    /// Control returns from a function, and leaves its blocks.
    pub(super) fn leave_function(&mut self) {
        if !self.is_main_itself() {
            self.leave_scopes(1);
        }
    }

    /// The innermost block ends, and its locals with it. With main's body the program does.
    pub(super) fn close_scope(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(scope) = frame.scopes.pop() else { return };
        let is_body = frame.scopes.len() < 2;
        let ends_all = is_body && self.is_main_itself();
        for (_, object) in scope.0 {
            if !ends_all {
                self.end_object(object);
            }
            Rc::make_mut(&mut self.alive).remove(&object);
        }
    }

    pub(super) fn in_scope<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.open_scope();
        let value = body(self);
        self.close_scope();
        value
    }

    /// Control leaves all blocks but the outermost so many.
    pub(super) fn leave_scopes(&mut self, depth: usize) {
        let Some(frame) = self.frames.last() else { return };
        let left: Vec<ObjectId> = frame.scopes.iter().skip(depth).flat_map(|s| s.0.iter().map(|(_, o)| *o)).collect();
        left.into_iter().for_each(|object| self.end_object(object));
    }

    /// Control leaves the blocks that are not around a label.
    pub(super) fn leave_for(&mut self, label: LabelId) {
        let Some(frame) = self.frames.last() else { return };
        let function = frame.function;
        let inside: Vec<(LocalId, ObjectId)> = frame.scopes.iter().flat_map(|scope| scope.0.clone()).collect();
        let parameters = &self.low.unit.functions[function.0 as usize].parameters;
        let lives = self.lives(function);
        let stays = |id: &LocalId| {
            parameters.contains(id) || lives.around.get(&label).is_some_and(|around| around.contains(id))
        };
        inside.iter().filter(|(id, _)| !stays(id)).for_each(|(_, object)| self.end_object(*object));
    }

    /// The thread ends wherever it is, and all of its locals and own variables with it.
    pub(super) fn end_lives(&mut self) {
        if !self.follows_lives() && !self.follows_chains() {
            return;
        }
        for id in (0u32..).take(self.low.unit.globals.len()).map(crate::hir::GlobalId) {
            if self.low.unit.globals[id.0 as usize].thread_local {
                let object = self.global(id);
                self.end_object(object);
            }
        }
        let scopes = self.frames.iter().flat_map(|frame| &frame.scopes);
        let all: Vec<ObjectId> = scopes.flat_map(|scope| scope.0.iter().map(|(_, object)| *object)).collect();
        all.into_iter().for_each(|object| self.end_object(object));
    }

    /// The address of a place is taken. A jump into its block may have passed the declaration of a local, which is alive all the same.
    pub(super) fn name(&mut self, place: &Place) {
        if !self.follows_lives() {
            return;
        }
        match root(place).kind {
            PlaceKind::Temporary(_) => self.unsupported("the address of a value without a name"),
            PlaceKind::Local(id) => {
                let Some(frame) = self.frames.last() else { return };
                let function = &self.low.unit.functions[frame.function.0 as usize];
                if !frame.switches.is_empty() || !function.labels.is_empty() {
                    let object = self.local(id);
                    self.set_ended(object, 0);
                }
            }
            _ => {}
        }
    }
}
