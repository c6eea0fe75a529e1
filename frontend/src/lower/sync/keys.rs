//! Thread-specific data: `pthread_key_*` and `tss_*`. Every place that creates a key creates one key, with a number of its own;
//! each thread has a variable for each key. Destructors run when a thread ends, as often as POSIX demands at least.

use program::{Bookkeeping, Init, Term, UbKind, VarId, VarKind};

use crate::cfg::Step;
use crate::hir::{Expr, FunctionId, Type};
use crate::lower::build::ThreadBuilder;
use crate::lower::expr::Value;
use crate::memory::{Named, Storage};

/// `PTHREAD_DESTRUCTOR_ITERATIONS`.
const ITERATIONS: usize = 4;

impl ThreadBuilder<'_, '_> {
    /// A call on keys.
    pub(super) fn key_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        match (name, arguments) {
            ("pthread_key_create" | "tss_create", [target, destructor]) => self.create_key(target, destructor),
            ("pthread_key_delete" | "tss_delete", [key]) => {
                self.low.deleted_key.get_or_insert(self.span);
                let key = self.scalar(key);
                self.each_key(key, |this, number| {
                    if this.low.unit.sync.keys[number].is_some() || this.follows_misuse() {
                        let live = this.low.key_live(number);
                        this.emit(Step::Assign(live, Term::int(0)));
                    }
                });
            }
            ("pthread_getspecific" | "tss_get", [key]) => {
                let key = self.scalar(key);
                let result = self.temporary(self.low.memory.pointer_type(), "specific");
                self.emit(Step::Assign(result, Term::int(0)));
                self.each_key(key, |this, number| {
                    let var = this.specific_cell(number);
                    this.emit(Step::Assign(result, this.low.memory.term(var)));
                });
                return Some(Value::Scalar(self.low.memory.term(result)));
            }
            ("pthread_setspecific" | "tss_set", [key, value]) => {
                let key = self.scalar(key);
                let value = self.scalar(value);
                self.each_key(key, |this, number| {
                    let var = this.specific_cell(number);
                    this.emit(Step::Assign(var, value));
                });
                self.specific_writes += 1;
            }
            _ => return None,
        }
        Some(if *ty == Type::Void { Value::Void } else { Value::Scalar(Term::int(0)) })
    }

    fn create_key(&mut self, target: &Expr, destructor: &Expr) {
        let address = self.scalar(target);
        let spot = self.spot_at(address);
        let destructor = self.scalar(destructor);
        let function = self.low.function_at(destructor);
        if function.is_none() && destructor.as_int() != Some(0) {
            return self.unsupported("a destructor that is not a function by name");
        }
        if self.is_copy() {
            return self.unsupported("creation of keys for thread-specific data by any number of threads");
        }
        let number = self.low.found.keys.len();
        self.low.found.keys.push(function);
        if function.is_some() || self.follows_misuse() {
            let live = self.low.key_live(number);
            self.emit(Step::Assign(live, Term::int(1)));
        }
        let Some(shape) = self.low.scalar_shape(&Type::Int(program::IntType::new(32, false))) else { return };
        let site = self.emit(Step::Assume(Term::bool(true)));
        self.low.single.extend(site.map(|node| (self.number, node)));
        let key = self.low.key(number);
        self.write(&spot, shape, key);
    }

    /// One case for each key that there is; anything else is none.
    fn each_key(&mut self, key: Term, mut each: impl FnMut(&mut Self, usize)) {
        let done = self.label();
        for number in 0..self.low.unit.sync.keys.len() {
            let (here, next) = (self.label(), self.label());
            let known = self.low.key(number);
            self.branch(key.eq_to(known), here, next);
            self.land(here);
            if self.follows_misuse() {
                let live = self.low.key_live(number);
                self.check(self.low.memory.term(live).eq_to(Term::int(1)), UbKind::Synchronisation);
            }
            each(self, number);
            self.jump(done);
            self.land(next);
        }
        if !self.low.unit.sync.keys.is_empty() || self.follows_misuse() {
            self.check(Term::bool(false), UbKind::Synchronisation);
        }
        self.land(done);
    }

    /// This thread's value of a key.
    fn specific_cell(&mut self, number: usize) -> VarId {
        if let Some(var) = self.specifics.get(&number) {
            return *var;
        }
        let name = format!("specific({})", number + 1);
        let named = Named { name: &name, span: self.span, kind: VarKind::User, private: true };
        let var = self.low.memory.scalar(&named, self.low.memory.pointer_type(), Init::Value(Term::int(0)));
        self.specifics.insert(number, var);
        var
    }

    /// What runs when the thread ends: each destructor whose key has a value here. A destructor that sets values again makes
    /// another round.
    pub(in crate::lower) fn run_destructors(&mut self) {
        let keys = self.low.unit.sync.keys.clone();
        let destructors: Vec<(usize, FunctionId)> =
            (0..).zip(keys).filter_map(|(number, destructor)| Some((number, destructor?))).collect();
        for _ in 0..ITERATIONS {
            let writes = self.specific_writes;
            for (number, destructor) in &destructors {
                if self.specifics.contains_key(number) {
                    self.run_destructor(*number, *destructor);
                }
            }
            if writes == self.specific_writes {
                return;
            }
        }
    }

    fn run_destructor(&mut self, number: usize, destructor: FunctionId) {
        let var = self.specific_cell(number);
        let (set, live, done) = (self.label(), self.label(), self.label());
        self.branch(self.low.memory.term(var).ne(Term::int(0)), set, done);
        self.land(set);
        let exists = self.low.key_live(number);
        let seen = self.temporary(program::IntType::new(1, false), "live");
        self.emit(Step::Assign(seen, self.low.memory.term(exists)));
        self.branch(self.low.memory.term(seen).eq_to(Term::int(1)), live, done);
        self.land(live);
        let taken = self.temporary(self.low.memory.pointer_type(), "specific");
        self.emit(Step::Assign(taken, self.low.memory.term(var)));
        self.emit(Step::Assign(var, Term::int(0)));
        let value = self.low.memory.term(taken);
        let function = &self.low.unit.functions[destructor.0 as usize];
        match (&function.body, function.name.as_str()) {
            (Some(_), _) => _ = self.inline(destructor, &[Value::Scalar(value)]),
            (None, "free") => self.free(value),
            (None, name) => {
                let what = format!("the destructor `{name}` of a key, which is not defined");
                self.unsupported(what);
            }
        }
        self.land(done);
    }
}

impl crate::lower::Lowering<'_> {
    /// What the variable of a key holds. As a number it is not zero, so that a key that was never created is none.
    fn key(&mut self, number: usize) -> Term {
        if let Some(object) = self.key_objects.get(&number) {
            return self.memory.address_of(*object);
        }
        let name = format!("key({})", number + 1);
        let named = Named {
            name: &name,
            span: program::Span::default(),
            kind: VarKind::Control(Bookkeeping::Other),
            private: false,
        };
        let object = self.memory.identify(Storage::Key, &named, number as u64 + 1);
        self.key_objects.insert(number, object);
        self.memory.address_of(object)
    }

    /// Whether a key with a destructor exists.
    fn key_live(&mut self, number: usize) -> VarId {
        if let Some(var) = self.keys.get(&number) {
            return *var;
        }
        let name = format!("live({})", number + 1);
        let named = Named {
            name: &name,
            span: program::Span::default(),
            kind: VarKind::Control(Bookkeeping::Other),
            private: false,
        };
        let home = self.memory.home.take();
        let var = self.memory.scalar(&named, program::IntType::new(1, false), Init::Value(Term::int(0)));
        self.memory.home = home;
        self.keys.insert(number, var);
        var
    }
}
