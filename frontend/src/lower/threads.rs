//! Threads: their life, their creation, and waiting for their end.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::{Holder, Init, IntType, Property, Term, UbKind, VarId};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::place::{Spot, known};
use super::sync::{C11, Codes, POSIX};
use super::{Argument, Creation, Fragment, Instance, InstanceControl, MAX_THREADS, Signal};
use crate::cfg::{Await, NodeKind, Purpose, Step, Wait};
use crate::hir::{Expr, FunctionId, LocalId, Place, PlaceKind, Stmt, Type};
use crate::hir_walk::{Visitor, walk_stmt};
use crate::memory::Shape;

/// Threads that run one function may have created each other so often.
const MAX_NESTED: usize = 16;

impl ThreadBuilder<'_, '_> {
    /// A thread's whole life: wait for the start, run, leave the result, end.
    pub(super) fn thread_body(&mut self, instance: &Instance) {
        let function = &self.low.unit.functions[instance.function.0 as usize];
        let mut argument = Vec::new();
        match &instance.control {
            Some(control) => {
                let value = self.await_start(control);
                argument.push(Value::Scalar(value));
            }
            None => argument = self.outside_arguments(instance.function),
        }
        if instance.control.is_none() {
            self.know_initial_values();
        }
        let name = function.name.clone();
        if self.low.config.error_functions.contains(&name) {
            self.violate(Property::UnreachCall);
        }
        let value = match &instance.fragment {
            Some(fragment) => self.inline_fragment(instance.function, fragment),
            None => self.inline_as_named(instance.function, &name, &argument),
        };
        let result = match value {
            Value::Scalar(term) => self.as_result(term, &function.ty.result),
            _ => Term::int(0),
        };
        // The end of main is that of the program: what runs at a thread's end does not run there.
        match instance.control.is_some() {
            true => {
                self.run_destructors();
                self.end_lives();
            }
            false => {
                self.visit_end(function.span);
                self.end_program(crate::leaks::Locals::Gone);
                // All threads end with main: nobody waits any more.
                if self.follows_deadlocks() && self.low.config.threads.is_none() {
                    return self.finish(NodeKind::Stuck);
                }
            }
        }
        self.span = function.span;
        self.leave_thread(result);
    }

    /// Waits until the thread has been started, and gives its argument.
    fn await_start(&mut self, control: &InstanceControl) -> Term {
        self.emit(Step::AtomicBegin);
        let started = self.low.memory.term(control.started);
        let blocked = started.eq_to(Term::int(0));
        self.blocks(Wait { blocked, holder: Holder::Creator, subject: started, kind: "thread" });
        self.emit(Step::Assume(started.eq_to(Term::int(1))));
        let value = match control.argument {
            Argument::Constant(value) => value,
            Argument::Given(place) => {
                let var = self.temporary(self.low.memory.pointer_type(), "argument");
                self.emit(Step::Assign(var, self.low.memory.term(place)));
                if self.follows_chains() {
                    self.emit(Step::Assign(place, Term::int(0)));
                }
                self.low.memory.term(var)
            }
        };
        if control.signal == Signal::Taken {
            self.emit(Step::Assign(control.started, Term::int(0)));
        }
        self.emit(Step::AtomicEnd);
        value
    }

    /// What only this thread can touch still has its initial value.
    fn know_initial_values(&mut self) {
        if self.low.config.threads.is_some() {
            return;
        }
        for object in self.low.globals.clone() {
            if !self.low.memory.object(object).private {
                continue;
            }
            for var in self.low.memory.cells_of(object) {
                if let Init::Value(value) = self.low.memory.cell(var).init
                    && self.is_constant(value)
                {
                    self.constants.insert(var, value);
                }
            }
        }
    }

    /// `pthread_exit`, in main as well.
    fn end_thread(&mut self, result: Term) {
        if self.low.instances[self.number].control.is_none() && self.follows_leaks() {
            return self.unsupported("the end of the program with its last thread, where what is left then matters");
        }
        self.run_destructors();
        self.end_lives();
        self.leave_thread(result);
    }

    /// What a thread leaves for who joins it: a pointer, or an int that fits into one.
    fn as_result(&mut self, value: Term, ty: &Type) -> Term {
        match ty {
            Type::Int(_) => self.convert(value, self.low.memory.pointer_type()),
            _ => value,
        }
    }

    fn leave_thread(&mut self, result: Term) {
        if let Some(control) = self.low.instances[self.number].control.clone() {
            self.emit(Step::AtomicBegin);
            self.emit(Step::Assign(control.result, result));
            if let Some(ended) = control.ended {
                self.emit(Step::Assign(ended, Term::int(1)));
            }
            if let Some(unjoined) = control.unjoined {
                self.emit(Step::Assign(unjoined, self.low.memory.term(unjoined).add(Term::int(1))));
            }
            self.emit(Step::AtomicEnd);
        }
        self.finish(NodeKind::End);
    }

    /// POSIX's and C11's calls on threads.
    pub(super) fn thread_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let result = match (name, arguments) {
            ("pthread_create", [handle, attribute, start, argument]) => {
                let handle = self.scalar(handle);
                self.lend_attribute(attribute);
                self.create(handle, start, argument, &POSIX)
            }
            ("thrd_create", [handle, start, argument]) => {
                let handle = self.scalar(handle);
                self.create(handle, start, argument, &C11)
            }
            ("pthread_join", [handle, result]) => self.join(handle, result, self.pointer_shape(), &POSIX),
            ("thrd_join", [handle, result]) => {
                let shape = self.low.scalar_shape(&Type::Int(IntType::new(32, true)))?;
                self.join(handle, result, shape, &C11)
            }
            ("pthread_exit" | "thrd_exit", _) if self.cleanups > 0 => {
                self.unsupported("the end of a thread that has cleanup handlers left to run");
                return Some(self.placeholder(ty));
            }
            ("pthread_exit" | "thrd_exit", [result]) => {
                let value = self.scalar(result);
                let value = self.as_result(value, &result.ty);
                self.end_thread(value);
                return Some(self.placeholder(ty));
            }
            ("pthread_self" | "thrd_current", []) => {
                self.low.root_named |= self.low.instances[self.number].control.is_none();
                self.low.instances[self.number].handle
            }
            ("pthread_detach" | "thrd_detach", [handle]) => {
                self.detach(handle, if name == "thrd_detach" { &C11 } else { &POSIX })
            }
            ("getpid", []) => self.low.task(0),
            ("gettid", []) if self.is_copy() => {
                self.unsupported("the kernel's id of a thread of which there may be any number");
                Term::int(0)
            }
            ("gettid", []) => self.low.task(self.number),
            ("pthread_equal" | "thrd_equal", [a, b]) => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                a.eq_to(b).as_c_int()
            }
            ("sem_open", _) => {
                self.unsupported("named semaphores, which other processes can use");
                Term::int(0)
            }
            ("pthread_mutexattr_setrobust" | "pthread_mutex_consistent", _) => {
                self.unsupported("robust mutexes");
                Term::int(0)
            }
            ("pthread_cancel" | "pthread_cleanup_push" | "pthread_cleanup_pop", _) => {
                self.unsupported("thread cancellation");
                return Some(self.placeholder(ty));
            }
            // Threads are not cancelled: a handler runs where it is popped, or where its thread ends before.
            ("__pthread_register_cancel", _) => {
                self.cleanups += 1;
                return Some(self.placeholder(ty));
            }
            ("__pthread_unregister_cancel", _) => {
                self.cleanups = self.cleanups.saturating_sub(1);
                return Some(self.placeholder(ty));
            }
            // Nobody jumps back: `longjmp` is not modelled.
            ("setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp", _) => Term::int(0),
            _ => return None,
        };
        Some(Value::Scalar(result))
    }

    fn pointer_shape(&self) -> Shape {
        let word = self.low.memory.pointer_type();
        Shape { ty: word, size: self.low.unit.data_model.word(), bit: 0, pointer: true, loose: false }
    }

    fn create(&mut self, handle: Term, start: &Expr, argument: &Expr, codes: &Codes) -> Term {
        let handle = self.spot_at(handle);
        let address = self.scalar(start);
        let argument = self.scalar(argument);
        match self.low.config.creation {
            Creation::Succeeds => {
                self.start_at(address, &start.ty, &handle, argument);
                Term::int(0)
            }
            Creation::MayFail => {
                let lucky = self.either();
                self.choose(
                    lucky,
                    |this| {
                        this.start_at(address, &start.ty, &handle, argument);
                        Term::int(0)
                    },
                    |_| Term::int(codes.again),
                )
            }
        }
    }

    /// Starts the function at an address.
    fn start_at(&mut self, address: Term, pointer: &Type, handle: &Spot, argument: Term) {
        match self.low.function_at(address) {
            Some(function) => self.start(function, handle, argument),
            None => {
                let done = self.label();
                for function in self.candidates(pointer) {
                    let object = self.low.function_object(function);
                    let target = self.low.memory.address_of(object);
                    let (here, next) = (self.label(), self.label());
                    self.dispatch(address, target, here, next);
                    self.land(here);
                    self.start(function, handle, argument);
                    self.jump(done);
                    self.land(next);
                }
                self.check(Term::bool(false), UbKind::InvalidCall);
                self.land(done);
            }
        }
    }

    /// Starts a new thread, then stores its handle. The other order adds nothing: a thread that has been started but has not
    /// taken a step cannot be told from one that has not been started.
    fn start(&mut self, function: FunctionId, handle: &Spot, argument: Term) {
        if self.low.unit.functions[function.0 as usize].body.is_none() {
            let name = self.low.unit.functions[function.0 as usize].name.clone();
            return self.unsupported(format!("a thread that runs `{name}`, which is not defined"));
        }
        let started = match self.family_of(function) {
            Some(family) => self.start_member(family, argument),
            None => self.spawn(function, None, argument),
        };
        let Some(value) = started else { return };
        // Undefined in POSIX, but usual in test programs: nobody is told the handle.
        if matches!(handle, Spot::Pointed(address) if address.as_int() == Some(0)) && !self.follows_pointers() {
            return;
        }
        self.write(handle, Shape { pointer: false, ..self.pointer_shape() }, value);
    }

    /// Adds a thread that runs the function, or a part of it, once control has been here. Gives its handle.
    fn spawn(&mut self, function: FunctionId, fragment: Option<Fragment>, argument: Term) -> Option<Term> {
        if !self.is_live() {
            return None;
        }
        if let Some(repeated) = self.boundless(function) {
            self.low.unbounded = Some((fragment.is_none().then_some(repeated), self.span));
            self.finish(NodeKind::Stuck);
            return None;
        }
        let id = self.low.next_id();
        let word = self.low.memory.pointer_type();
        let bit = IntType::new(1, false);
        let started = self.control_flag("started", function, Some(id), bit);
        let ended = self.control_flag("ended", function, Some(id), bit);
        let place = self.control_flag("argument", function, Some(id), word);
        let result = self.control_flag("result", function, Some(id), word);
        self.emit(Step::AtomicBegin);
        let constant = self.is_constant(argument);
        if !constant {
            self.emit(Step::Assign(place, argument));
        }
        let site = self.emit(Step::Assign(started, Term::int(1)));
        self.emit(Step::AtomicEnd);
        self.note_site(self.low.instances.len(), site?);
        let argument = if constant { Argument::Constant(argument) } else { Argument::Given(place) };
        let control =
            InstanceControl { started, signal: Signal::Stays, ended: Some(ended), argument, result, unjoined: None };
        let span = match &fragment {
            Some(fragment) => fragment.body.span,
            None => self.low.unit.functions[function.0 as usize].span,
        };
        let handle = self.low.thread_handle(function, id);
        let (id, creator) = (Term::int(id), Some(self.number));
        self.low.instances.push(Instance { function, id, handle, control: Some(control), fragment, span, creator });
        Some(handle)
    }

    /// Which function is created without bound, if one more thread that runs this function is one too many: threads that create
    /// threads like themselves, or each of any number of threads creates one, or there are too many to tell them apart.
    fn boundless(&self, function: FunctionId) -> Option<FunctionId> {
        let mut nested = 0;
        let mut above = Some(self.number);
        while let Some(creator) = above {
            let instance = &self.low.instances[creator];
            nested += usize::from(instance.function == function);
            above = instance.creator;
        }
        if nested > MAX_NESTED || self.own_family().is_some() {
            return Some(function);
        }
        if self.low.instances.len() < MAX_THREADS {
            return None;
        }
        let single = self.low.instances.iter().filter(|i| !self.low.config.templates.contains(&i.function));
        let mut counts: BTreeMap<FunctionId, usize> = BTreeMap::new();
        single.filter(|i| i.control.is_some()).for_each(|i| *counts.entry(i.function).or_default() += 1);
        Some(counts.into_iter().max_by_key(|(_, count)| *count).map_or(function, |(function, _)| function))
    }

    /// CBMC's `__CPROVER_ASYNC_1: statement`. The new thread has its own copies of the locals, as they are now; a local whose
    /// address is taken is one object for all.
    pub(super) fn start_statement(&mut self, body: &Rc<Stmt>) {
        let Some(frame) = self.frames.last() else { return };
        let function = frame.function;
        let mut locals = frame.locals.clone();
        let mut used = Locals::default();
        walk_stmt(body, &mut used);
        let shared = |id: &LocalId| !self.low.facts.is_private_local(function, *id);
        if self.follows_pointers() && used.0.iter().any(shared) {
            return self.unsupported("a local whose address is taken in a statement that runs as a thread");
        }
        for id in used.0 {
            if !self.low.facts.is_private_local(function, id) || !locals.contains_key(&id) {
                continue;
            }
            let local = &self.low.unit.functions[function.0 as usize].locals[id.0 as usize];
            let (ty, name) = (local.ty.clone(), local.name.clone());
            let copy = self.allocate(&ty, &name, false);
            let original = self.local(id);
            self.copy(&known(copy), &known(original), &ty);
            locals.insert(id, copy);
        }
        self.spawn(function, Some(Fragment { body: body.clone(), locals }), Term::int(0));
    }

    /// Waits for a thread's end. A handle that names no thread is answered as POSIX advises, by an error.
    fn join(&mut self, handle: &Expr, result: &Expr, shape: Shape, codes: &Codes) -> Term {
        let handle = self.scalar(handle);
        let target = self.scalar(result);
        let word = self.low.memory.pointer_type();
        let wanted: Option<VarId> = (target.as_int() != Some(0)).then(|| self.temporary(word, "joined"));
        let missing = self.temporary(IntType::new(1, false), "missing");
        self.emit(Step::AtomicBegin);
        self.emit(Step::Await(Await { handle, purpose: Purpose::Join(wanted), missing }));
        self.emit(Step::AtomicEnd);
        let found = self.low.memory.term(missing).eq_to(Term::int(0));
        self.choose(
            found,
            |this| {
                if let Some(var) = wanted {
                    this.store_result(var, target, shape);
                }
                Term::int(0)
            },
            |_| Term::int(codes.no_thread),
        )
    }

    /// Gives up a thread. A handle that names none is answered by an error.
    fn detach(&mut self, handle: &Expr, codes: &Codes) -> Term {
        let handle = self.scalar(handle);
        let missing = self.temporary(IntType::new(1, false), "missing");
        self.emit(Step::AtomicBegin);
        self.emit(Step::Await(Await { handle, purpose: Purpose::Detach, missing }));
        self.emit(Step::AtomicEnd);
        let found = self.low.memory.term(missing).eq_to(Term::int(0));
        self.choose(found, |_| Term::int(0), |_| Term::int(codes.no_thread))
    }

    /// Stores what a thread has left where the joining one wants it, if it does.
    fn store_result(&mut self, var: VarId, target: Term, shape: Shape) {
        let (yes, done) = (self.label(), self.label());
        self.branch(target.ne(Term::int(0)), yes, done);
        self.land(yes);
        let spot = self.spot_at(target);
        let value = self.low.memory.term(var);
        let value = if shape.pointer { value } else { self.fit_shape(value, shape) };
        self.write(&spot, shape, value);
        self.land(done);
    }
}

/// The locals that a statement mentions.
#[derive(Default)]
struct Locals(BTreeSet<LocalId>);

impl Visitor for Locals {
    fn place(&mut self, place: &Place) {
        if let PlaceKind::Local(id) = place.kind {
            self.0.insert(id);
        }
    }
}
