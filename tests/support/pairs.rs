//! Structs of two members in the programs that the generator makes: plain ones, which are copied member by member, and
//! `_Atomic` ones, which are accessed whole.

use super::thread_ast::{Expr, expr};

/// A shared struct. Main stores its first value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    Plain,
    Atomic,
}

/// A struct that a member is named of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// One of the program's, which is not `_Atomic`.
    Shared(usize),
    /// One of the thread's own.
    Local(usize),
}

/// The first or the second member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    A,
    B,
}

/// Where a shared struct is.
#[derive(Clone, Debug)]
pub enum Where {
    Named(usize),
    /// `*(e ? &s0 : &s1)`, of which both are `_Atomic` or neither is.
    Pointed(Box<Expr>, usize, usize),
}

/// How an access to a whole struct is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By assignment: member by member, if the struct is not `_Atomic`.
    Assignment,
    /// `atomic_load` and its relatives, which take and give values, on `_Atomic` structs.
    Value,
    /// `__atomic_load` and its relatives, which take and give addresses, on any struct.
    Address,
}

/// Whether a compare-and-exchange may fail for no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Strong,
    Weak,
}

/// A statement on whole structs. Numbers are those of the thread's own structs.
#[derive(Clone, Debug)]
pub enum Whole {
    /// `v = (struct pair){ e, f };`
    Set(usize, [Expr; 2]),
    Load(usize, Where, Form),
    Store(Where, usize, Form),
    /// `s = t;`, both shared.
    Copy(Where, Where),
    Exchange {
        at: Where,
        new: usize,
        old: usize,
        form: Form,
    },
    CompareExchange {
        at: Where,
        expected: usize,
        desired: usize,
        strength: Strength,
        form: Form,
        /// The local that is told whether it was successful.
        told: Option<usize>,
    },
}

/// A statement as C.
pub fn statement(whole: &Whole) -> String {
    match whole {
        Whole::Set(v, [a, b]) => format!("v{v} = (struct pair){{ {}, {} }};", expr(a), expr(b)),
        Whole::Load(v, at, Form::Assignment) => format!("v{v} = {};", lvalue(at)),
        Whole::Load(v, at, Form::Value) => format!("v{v} = atomic_load({});", address(at)),
        Whole::Load(v, at, Form::Address) => format!("__atomic_load({}, &v{v}, 5);", address(at)),
        Whole::Store(at, v, Form::Assignment) => format!("{} = v{v};", lvalue(at)),
        Whole::Store(at, v, Form::Value) => format!("atomic_store({}, v{v});", address(at)),
        Whole::Store(at, v, Form::Address) => format!("__atomic_store({}, &v{v}, 5);", address(at)),
        Whole::Copy(to, from) => format!("{} = {};", lvalue(to), lvalue(from)),
        Whole::Exchange { at, new, old, form: Form::Address } => {
            format!("__atomic_exchange({}, &v{new}, &v{old}, 5);", address(at))
        }
        Whole::Exchange { at, new, old, .. } => format!("v{old} = atomic_exchange({}, v{new});", address(at)),
        Whole::CompareExchange { at, expected, desired, strength, form, told } => {
            let told = told.map_or(String::new(), |local| format!("l{local} = "));
            let (at, weak) = (address(at), i32::from(*strength == Strength::Weak));
            match (form, strength) {
                (Form::Address, _) => {
                    format!("{told}__atomic_compare_exchange({at}, &v{expected}, &v{desired}, {weak}, 5, 5);")
                }
                (_, Strength::Weak) => {
                    format!("{told}atomic_compare_exchange_weak({at}, &v{expected}, v{desired});")
                }
                (_, Strength::Strong) => {
                    format!("{told}atomic_compare_exchange_strong({at}, &v{expected}, v{desired});")
                }
            }
        }
    }
}

/// A member as C.
pub fn member(record: Record, member: Member) -> String {
    let name = match member {
        Member::A => "a",
        Member::B => "b",
    };
    match record {
        Record::Shared(s) => format!("s{s}.{name}"),
        Record::Local(v) => format!("v{v}.{name}"),
    }
}

fn lvalue(at: &Where) -> String {
    match at {
        Where::Named(s) => format!("s{s}"),
        Where::Pointed(..) => format!("*{}", address(at)),
    }
}

fn address(at: &Where) -> String {
    match at {
        Where::Named(s) => format!("&s{s}"),
        Where::Pointed(e, s, t) => format!("({} ? &s{s} : &s{t})", expr(e)),
    }
}
