//! Library functions that are modelled by name.

use program::{Choice, IntType, Property, Term, Untracked};

use super::build::ThreadBuilder;
use super::expr::Value;
use crate::cfg::{NodeKind, Step};
use crate::hir::{Expr, ExprKind, Type};
use crate::leaks::Locals;
use crate::source::library::PREFIX;

/// Calls without effect on anything that the program can observe, but for an arbitrary result.
const WITHOUT_EFFECT: &[&str] = &[
    "printf",
    "vprintf",
    "fprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fflush",
    "perror",
    "fwrite",
    "write",
    "sleep",
    "usleep",
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "srand",
    "srandom",
    "clock",
    "syslog",
    "setlocale",
    "setbuf",
    "setvbuf",
    "fclose",
    "close",
    "pthread_setconcurrency",
    "pthread_setname_np",
    "__builtin_prefetch",
    "alarm",
    "isatty",
    "vfprintf",
    "dprintf",
    "ftruncate",
    "fsync",
    "__fprintf_chk",
    "__printf_chk",
    "prctl",
    "mlock",
    "mlockall",
    "madvise",
    "__builtin_ia32_pause",
    "__builtin_ia32_mfence",
    "__builtin_ia32_sfence",
    "__builtin_ia32_lfence",
    "_mm_pause",
    "pthread_attr_setaffinity_np",
    "pthread_attr_setschedparam",
    "srand48",
];

/// Calls on attribute objects and the like: no effect, the result is 0.
const SUCCEEDING: &[&str] = &[
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_attr_setscope",
    "pthread_attr_setstacksize",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setinheritsched",
    "pthread_condattr_init",
    "pthread_condattr_destroy",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_barrierattr_init",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_setpshared",
    "pthread_rwlockattr_setpshared",
    "pthread_rwlockattr_setkind_np",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_destroy",
];

/// Calls that never return.
const ENDING: &[&str] = &[
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__builtin_trap",
    "__builtin_abort",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert_rtn",
    "__assert",
    "err",
    "errx",
    "_assert",
    // Behind a jump to where a handler was pushed, of which there are none.
    "__pthread_unwind_next",
];

/// Whether a function means what its name says even if the file defines it.
pub(super) fn is_special(name: &str) -> bool {
    matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "__VERIFIER_assume")
        || name.starts_with("__CPROVER_")
        || name.starts_with("__VERIFIER_nondet_")
}

/// Whether a library function never returns.
pub(super) fn never_returns(name: &str) -> bool {
    ENDING.contains(&name)
}

impl ThreadBuilder<'_, '_> {
    /// Functions that mean what their name says even if the file defines them.
    pub(super) fn special(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        if self.low.config.error_functions.contains(name) {
            self.violate(Property::UnreachCall);
            return Some(self.placeholder(ty));
        }
        let defined =
            || self.low.unit.function(name).is_some_and(|id| self.low.unit.functions[id.0 as usize].body.is_some());
        // CBMC's convention, for functions without a body.
        let cbmc = name.strip_prefix("nondet_").filter(|_| !defined());
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_").or(cbmc) {
            arguments.iter().for_each(|a| drop(self.value(a)));
            return Some(self.nondet(kind, ty, Choice::Returned));
        }
        if let Some(value) = self.intrinsic(name, arguments, ty) {
            return Some(value);
        }
        if let ([argument], true) = (arguments, name.starts_with("__CPROVER_uninterpreted_")) {
            return self.uninterpreted(name, argument, ty);
        }
        match name {
            "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" => {
                self.begin_section();
            }
            "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" => {
                self.emit(Step::AtomicEnd);
            }
            "__VERIFIER_assume" | "__CPROVER_assume" => arguments.iter().for_each(|cond| self.assume(cond)),
            // The second argument is a text.
            "__CPROVER_assert" => self.assertion(arguments),
            // Its arguments name the orders to keep: all are kept.
            "__CPROVER_fence" => {}
            _ => return None,
        }
        Some(self.placeholder(ty))
    }

    /// What the definitions of library functions call that C cannot say.
    fn intrinsic(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let name = name.strip_prefix(PREFIX).filter(|_| self.in_library)?;
        if let Some(kind) = name.strip_prefix("any_") {
            return Some(self.nondet(kind, ty, Choice::Other));
        }
        if let Some(kind) = name.strip_prefix("untracked_") {
            return Some(self.nondet(kind, ty, Choice::Untracked(Untracked::Result)));
        }
        let text = arguments.first().filter(|_| name == "refuse").and_then(super::lent::literal)?;
        self.unsupported(String::from_utf8_lossy(&text).trim_end_matches('\0').to_string());
        Some(Value::Void)
    }

    /// Any function at all of one argument, but always the same: an array that nobody writes.
    fn uninterpreted(&mut self, name: &str, argument: &Expr, ty: &Type) -> Option<Value> {
        let shape = self.low.scalar_shape(ty)?;
        let index = self.scalar(argument);
        let object = self.low.uninterpreted(name, ty);
        let array = *self.low.memory.cells_of(object).first()?;
        let value = self.temporary(shape.ty, "applied");
        self.emit(Step::Assign(value, self.low.memory.term(array).select(index)));
        Some(Value::Scalar(self.low.memory.term(value)))
    }

    /// Any value of the type.
    pub(super) fn nondet(&mut self, name: &str, ty: &Type, choice: Choice) -> Value {
        match ty {
            Type::Float(_) => Value::Float,
            Type::Int(int) => Value::Scalar(self.decision(*int, name, choice)),
            Type::Pointer(_) => {
                let value = self.decision(self.low.memory.pointer_type(), name, choice);
                self.low.foreign.extend(value.as_var());
                Value::Scalar(value)
            }
            Type::Void => Value::Void,
            _ => {
                self.unsupported("a nondeterministic value of this type");
                self.placeholder(ty)
            }
        }
    }

    /// A function without a body; nothing if it is not modelled.
    pub(super) fn library(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        // What comes after is not followed: the object can be used as before.
        if name.ends_with("_detach") || (name.ends_with("_destroy") && !name.contains("attr_")) {
            self.low.given_up.get_or_insert(self.span);
        }
        if let Some(value) = self.thread_call(name, arguments, ty) {
            return Some(value);
        }
        if let Some(value) = self.sync_call(name, arguments, ty) {
            return Some(value);
        }
        if let Some(value) = self.atomic_call(name, arguments, ty) {
            return Some(value);
        }
        if let Some(value) = self.text_call(name, arguments, ty) {
            return Some(value);
        }
        if let Some(value) = self.bytes_call(name, arguments) {
            return Some(value);
        }
        if WITHOUT_EFFECT.contains(&name) {
            self.lend(name, arguments);
            return Some(self.nondet("result", ty, Choice::Other));
        }
        if name == "pthread_attr_setdetachstate" && self.follows_misuse() && !is_zero(&arguments[1..]) {
            self.unsupported("threads that are detached from the start");
        }
        if SUCCEEDING.contains(&name) {
            self.lend(name, arguments);
            return Some(Value::Scalar(Term::int(0)));
        }
        if ENDING.contains(&name) {
            self.lend(name, arguments);
            if matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit" | "err" | "errx") {
                self.end_program(Locals::There);
            }
            self.finish(NodeKind::Stuck);
            return Some(self.placeholder(ty));
        }
        match name {
            "assume_abort_if_not" => arguments.iter().for_each(|cond| self.assume(cond)),
            // `assert` is a macro; whoever forgot its header means it all the same.
            "__VERIFIER_assert" | "assert" => self.assertion(arguments),
            "__builtin_unreachable" => self.check(Term::bool(false), program::UbKind::Unreachable),
            "__builtin_expect" => return arguments.first().map(|e| self.value(e)),
            "__errno_location" => {
                let object = self.errno();
                return Some(Value::Scalar(self.low.memory.address_of(object)));
            }
            "strlen" => return self.string_length(arguments),
            "rand" | "random" | "lrand48" => return Some(self.natural(ty)),
            "atoi" | "atol" | "atoll" | "strtol" | "strtoul" | "strtoll" | "strtoull" => {
                return self.number_in_text(name, arguments, ty);
            }
            "getopt" => return self.option_letter(arguments),
            // What is mapped lives and ends otherwise than what is allocated: `free` of it is undefined, and it is no leak.
            "mmap" | "munmap" | "mprotect" if self.follows_blocks() => {
                self.unsupported(format!("`{name}` where lives of blocks matter"));
            }
            "getenv" | "secure_getenv" => return self.environment(arguments),
            "strerror" | "gai_strerror" | "strsignal" | "ctime" | "asctime" => {
                self.lend_records(arguments);
                return Some(self.message());
            }
            "scanf" | "fscanf" | "sscanf" | "__isoc99_scanf" | "__isoc99_fscanf" | "__isoc99_sscanf" => {
                return self.scan(name.trim_start_matches("__isoc99_"), arguments, ty);
            }
            "__builtin_assume_aligned" => {
                let value = arguments.first().map(|e| self.value(e));
                self.evaluate(&arguments[1..]);
                return value;
            }
            _ if name.starts_with("__builtin_") && name.ends_with("_overflow") => {
                return self.overflow(name, arguments);
            }
            "time" if is_zero(arguments) => return Some(self.nondet("time", ty, Choice::Returned)),
            _ => return None,
        }
        Some(self.placeholder(ty))
    }

    /// The length of a string literal; that of any other string is not modelled.
    fn string_length(&mut self, arguments: &[Expr]) -> Option<Value> {
        let mut text = arguments.first()?;
        while let ExprKind::Cast(inner) = &text.kind {
            text = inner;
        }
        let ExprKind::String(bytes) = &text.kind else { return None };
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Some(Value::Scalar(Term::int(length as i128)))
    }

    /// Any number from 0 to the greatest int: what the random generators of the C library promise.
    pub(super) fn natural(&mut self, ty: &Type) -> Value {
        let value = self.nondet("random", ty, Choice::Random);
        if let Value::Scalar(term) = value {
            self.emit(Step::Assume(term.within(0, i128::from(i32::MAX))));
        }
        value
    }

    /// `__builtin_add_overflow(a, b, &r)` and its relatives: the exact result, cut to r's type, and whether that changed it.
    fn overflow(&mut self, name: &str, arguments: &[Expr]) -> Option<Value> {
        let [a, b, target] = arguments else { return None };
        let Type::Pointer(pointee) = &target.ty else { return None };
        let operation = name.trim_start_matches("__builtin_").trim_end_matches("_overflow").trim_end_matches('l');
        // `saddl` and the like say what r is; it may be given as a pointer to anything there.
        let shape = self.low.scalar_shape(pointee).or_else(|| self.low.scalar_shape(&a.ty))?;
        let (a, b) = (self.scalar(a), self.scalar(b));
        let address = self.scalar(target);
        let exact = if operation.ends_with("add") {
            a.add(b)
        } else if operation.ends_with("sub") {
            a.sub(b)
        } else if operation.ends_with("mu") {
            a.mul(b)
        } else {
            return None;
        };
        let cut = self.fit_shape(exact, shape);
        let result = self.temporary(IntType::new(1, false), "overflow");
        self.assign(None, result, cut.ne(exact).as_c_int());
        let spot = self.spot_at(address);
        self.write(&spot, shape, cut);
        Some(Value::Scalar(self.low.memory.term(result)))
    }

    pub(super) fn evaluate(&mut self, arguments: &[Expr]) {
        arguments.iter().for_each(|a| drop(self.value(a)));
    }

    /// `__VERIFIER_assert(cond)` or `assert(cond)` where the file does not say what it does: an assertion, if assertions count.
    fn assertion(&mut self, arguments: &[Expr]) {
        let Some(cond) = arguments.first() else { return };
        let (yes, no) = (self.label(), self.label());
        self.decide(cond, yes, no);
        self.land(no);
        let counts = self.low.config.error_functions.contains("__assert_fail");
        if counts {
            self.violate(Property::UnreachCall);
        }
        self.finish(NodeKind::Stuck);
        self.land(yes);
        if counts && self.is_passed_by(no) {
            self.pass_by(&[self.span]);
        }
    }
}

fn is_zero(arguments: &[Expr]) -> bool {
    matches!(arguments, [only] if crate::sema::const_value(only) == Some(0))
}
