//! Threads and mutexes.

use program::{Init, IntType, Span, Term, UbKind, VarId, VarKind};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::{Instance, InstanceControl, MAX_THREADS};
use crate::cfg::{NodeKind, Step};
use crate::hir::{Expr, FunctionId, SyncKind, Type};
use crate::memory::{Named, Shape};

/// errno's value for a lock that is taken.
const EBUSY: i128 = 16;

impl ThreadBuilder<'_, '_> {
    /// A thread's whole life: wait for the start, run, leave the result, end.
    pub(super) fn thread_body(&mut self, instance: &Instance) {
        let function = &self.low.unit.functions[instance.function.0 as usize];
        let mut argument = Vec::new();
        match &instance.control {
            Some(control) => {
                self.emit(Step::AtomicBegin);
                self.emit(Step::Assume(self.low.memory.term(control.started).eq_to(Term::int(1))));
                let value = control.constant.unwrap_or_else(|| {
                    let ty = self.low.memory.pointer_type();
                    let var = self.temporary(ty, "argument");
                    self.emit(Step::Assign(var, self.low.memory.term(control.argument)));
                    self.low.memory.term(var)
                });
                self.emit(Step::AtomicEnd);
                argument.push(Value::Scalar(value));
            }
            None => argument = self.outside_arguments(instance.function),
        }
        if instance.control.is_none() {
            self.know_initial_values();
        }
        let name = function.name.clone();
        if self.low.config.error_functions.contains(&name) {
            self.finish(NodeKind::Error);
        }
        let value = self.inline_as_named(instance.function, &name, &argument);
        let result = match value {
            Value::Scalar(term) => term,
            _ => Term::int(0),
        };
        self.span = function.span;
        self.end_thread(result);
    }

    /// main's parameters, or those of a function run by --threads: arbitrary.
    fn outside_arguments(&mut self, function: FunctionId) -> Vec<Value> {
        let parameters = self.low.unit.functions[function.0 as usize].ty.parameters.clone();
        parameters.iter().map(|ty| self.nondet("outside", ty)).collect()
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

    fn end_thread(&mut self, result: Term) {
        if let Some(control) = self.low.instances[self.number].control.clone() {
            self.emit(Step::AtomicBegin);
            self.emit(Step::Assign(control.result, result));
            self.emit(Step::Assign(control.ended, Term::int(1)));
            self.emit(Step::AtomicEnd);
        }
        self.finish(NodeKind::End);
    }

    /// pthread and C11 thread calls that are modelled.
    pub(super) fn thread_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        match (name, arguments) {
            ("pthread_create", [handle, attribute, start, argument]) => {
                self.create(handle, Some(attribute), start, argument);
            }
            ("pthread_join", [handle, result]) => self.join(handle, result),
            ("pthread_exit", [result]) => {
                let result = self.scalar(result);
                self.end_thread(result);
                return Some(self.placeholder(ty));
            }
            ("pthread_self", []) => {
                self.low.root_named |= self.low.instances[self.number].control.is_none();
                return Some(Value::Scalar(self.id()));
            }
            ("pthread_equal", [a, b]) => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                return Some(Value::Scalar(a.eq_to(b).as_c_int()));
            }
            ("pthread_mutex_init", [mutex, attribute]) => {
                let spot = self.mutex(mutex);
                self.value(attribute);
                self.write(&spot, self.mutex_shape(), Term::int(0));
            }
            ("pthread_mutex_destroy", [mutex]) => {
                let spot = self.mutex(mutex);
                let owner = self.read(&spot, self.mutex_shape());
                self.check(owner.eq_to(Term::int(0)), UbKind::Synchronisation);
            }
            ("pthread_mutex_lock", [mutex]) => self.lock(mutex),
            ("pthread_mutex_unlock", [mutex]) => self.unlock(mutex),
            ("pthread_mutex_trylock", [mutex]) => return Some(self.try_lock(mutex)),
            ("pthread_cancel" | "pthread_setcancelstate" | "pthread_setcanceltype", _) => {
                self.unsupported("thread cancellation");
            }
            _ => return None,
        }
        Some(Value::Scalar(Term::int(0)))
    }

    fn mutex_shape(&self) -> Shape {
        let ty = Type::Sync(SyncKind::Mutex);
        Shape { ty: IntType::new(32, true), size: self.low.unit.size_of(&ty), bit: 0, pointer: false, loose: false }
    }

    fn mutex(&mut self, pointer: &Expr) -> super::place::Spot {
        let address = self.scalar(pointer);
        self.spot_at(address)
    }

    /// Waits until the mutex is free and takes it, in one step. It holds its owner's id: with a bit instead, a proof could
    /// not tell whose critical section it is without looking at the other threads' locations.
    fn lock(&mut self, mutex: &Expr) {
        let spot = self.mutex(mutex);
        self.emit(Step::AtomicBegin);
        let owner = self.read(&spot, self.mutex_shape());
        self.emit(Step::Assume(owner.eq_to(Term::int(0))));
        let id = self.id();
        self.write(&spot, self.mutex_shape(), id);
        self.emit(Step::AtomicEnd);
    }

    fn unlock(&mut self, mutex: &Expr) {
        let spot = self.mutex(mutex);
        self.emit(Step::AtomicBegin);
        let owner = self.read(&spot, self.mutex_shape());
        let id = self.id();
        self.check(owner.eq_to(id), UbKind::Synchronisation);
        self.write(&spot, self.mutex_shape(), Term::int(0));
        self.emit(Step::AtomicEnd);
    }

    fn try_lock(&mut self, mutex: &Expr) -> Value {
        let spot = self.mutex(mutex);
        let result = self.temporary(IntType::new(32, true), "trylock");
        let (free, taken, done) = (self.label(), self.label(), self.label());
        self.emit(Step::AtomicBegin);
        let owner = self.read(&spot, self.mutex_shape());
        self.branch(owner.eq_to(Term::int(0)), free, taken);
        self.land(free);
        let id = self.id();
        self.write(&spot, self.mutex_shape(), id);
        self.emit(Step::Assign(result, Term::int(0)));
        self.jump(done);
        self.land(taken);
        self.emit(Step::Assign(result, Term::int(EBUSY)));
        self.land(done);
        self.emit(Step::AtomicEnd);
        Value::Scalar(self.low.memory.term(result))
    }

    fn create(&mut self, handle: &Expr, attribute: Option<&Expr>, start: &Expr, argument: &Expr) {
        let handle = self.scalar(handle);
        let handle = self.spot_at(handle);
        attribute.map(|a| self.value(a));
        let address = self.scalar(start);
        let argument = self.scalar(argument);
        match self.low.function_at(address) {
            Some(function) => self.start(function, &handle, argument),
            None => {
                let done = self.label();
                for function in self.candidates(&start.ty) {
                    let object = self.low.function_object(function);
                    let target = self.low.memory.address_of(object);
                    let (here, next) = (self.label(), self.label());
                    self.dispatch(address, target, here, next);
                    self.land(here);
                    self.start(function, &handle, argument);
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
    fn start(&mut self, function: FunctionId, handle: &super::place::Spot, argument: Term) {
        if !self.is_live() {
            return;
        }
        if self.low.instances.len() >= MAX_THREADS {
            return self.unsupported(format!("more than {MAX_THREADS} threads, as in a loop without constant bound"));
        }
        if self.low.unit.functions[function.0 as usize].body.is_none() {
            let name = self.low.unit.functions[function.0 as usize].name.clone();
            return self.unsupported(format!("a thread that runs `{name}`, which is not defined"));
        }
        let id = self.low.next_id();
        let word = self.low.memory.pointer_type();
        let name = &self.low.unit.functions[function.0 as usize].name;
        let span = self.span;
        let mut flag = |what: &str, ty: IntType| {
            let name = format!("{what}({name}.{id})");
            let named = Named { name: &name, span, kind: VarKind::Control, private: false };
            self.low.memory.scalar(&named, ty, Init::Value(Term::int(0)))
        };
        let bit = IntType::new(1, false);
        let (started, ended) = (flag("started", bit), flag("ended", bit));
        let (parameter, result) = (flag("argument", word), flag("result", word));
        self.emit(Step::AtomicBegin);
        let constant = self.is_constant(argument).then_some(argument);
        if constant.is_none() {
            self.emit(Step::Assign(parameter, argument));
        }
        let site = self.emit(Step::Assign(started, Term::int(1)));
        self.emit(Step::AtomicEnd);
        let Some(site) = site else { return };
        let control =
            InstanceControl { started, ended, argument: parameter, result, constant, site: (self.number, site) };
        self.low.instances.push(Instance { function, id, control: Some(control), span: function_span(self, function) });
        // Undefined in POSIX, but usual in test programs: nobody is told the handle.
        if matches!(handle, super::place::Spot::Pointed(address) if address.as_int() == Some(0)) {
            return;
        }
        let shape = Shape { ty: word, size: self.low.unit.data_model.word(), bit: 0, pointer: false, loose: false };
        self.write(handle, shape, Term::int(id));
    }

    fn join(&mut self, handle: &Expr, result: &Expr) {
        let handle = self.scalar(handle);
        let target = self.scalar(result);
        let word = self.low.memory.pointer_type();
        let wanted: Option<VarId> = (target.as_int() != Some(0)).then(|| self.temporary(word, "joined"));
        self.emit(Step::AtomicBegin);
        self.emit(Step::Await(handle, wanted));
        self.emit(Step::AtomicEnd);
        let Some(var) = wanted else { return };
        let (yes, done) = (self.label(), self.label());
        self.branch(target.ne(Term::int(0)), yes, done);
        self.land(yes);
        let spot = self.spot_at(target);
        let shape = Shape { ty: word, size: self.low.unit.data_model.word(), bit: 0, pointer: true, loose: false };
        let value = self.low.memory.term(var);
        self.write(&spot, shape, value);
        self.land(done);
    }
}

fn function_span(builder: &ThreadBuilder, function: FunctionId) -> Span {
    builder.low.unit.functions[function.0 as usize].span
}
