//! What is known about functions and types by their names alone.

use std::rc::Rc;

use program::IntType;

use super::types::AUTO_TYPE;
use super::{BOOL, CHAR, INT};
use crate::hir::{DataModel, FunctionType, SyncKind, Type};

/// The type of a library type's name, whatever the libc's header says.
pub fn library_type(name: &str, model: DataModel) -> Option<Type> {
    let word = word_bits(model);
    Some(match name {
        "pthread_t" | "thrd_t" => Type::Int(IntType::new(word, false)),
        "pthread_key_t" | "tss_t" => Type::Int(IntType::new(32, false)),
        "pthread_mutex_t" | "mtx_t" | "pthread_spinlock_t" => Type::Sync(SyncKind::Mutex),
        "pthread_cond_t" | "cnd_t" => Type::Sync(SyncKind::Condition),
        "pthread_rwlock_t" => Type::Sync(SyncKind::RwLock),
        "pthread_barrier_t" => Type::Sync(SyncKind::Barrier),
        // A stand-in that makes lang-c take gcc's keyword for a type.
        AUTO_TYPE => Type::Opaque(AUTO_TYPE.into()),
        "__int128" | "__int128_t" | "__uint128_t" => Type::Opaque("__int128".into()),
        "sem_t" => Type::Sync(SyncKind::Semaphore),
        "pthread_once_t" | "once_flag" => Type::Sync(SyncKind::Once),
        _ if name.starts_with("pthread_") && name.ends_with("attr_t") => Type::Sync(SyncKind::Attribute),
        _ => return None,
    })
}

fn word_bits(model: DataModel) -> u32 {
    match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    }
}

/// The type of a function that is called without a declaration.
pub fn library_function(name: &str, model: DataModel) -> Option<FunctionType> {
    if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
        let result = nondet(kind, model)?;
        return Some(FunctionType { result, parameters: Vec::new(), variadic: false });
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let signature = SIGNATURES
        .iter()
        .find(|(names, _)| names.split(' ').any(|known| known == name || known == plain))
        .map(|(_, signature)| *signature)?;
    let mut types = signature.chars();
    let result = types.next().and_then(|code| code_type(code, model))?;
    let variadic = signature.ends_with('.');
    let parameters = types.filter_map(|code| code_type(code, model)).collect();
    Some(FunctionType { result, parameters, variadic })
}

/// The result of `__VERIFIER_nondet_<kind>`.
fn nondet(kind: &str, model: DataModel) -> Option<Type> {
    let word = word_bits(model);
    let int = |bits, signed| Type::Int(IntType::new(bits, signed));
    Some(match kind {
        "int" | "s32" | "S32" | "int32_t" => int(32, true),
        "uint" | "unsigned" | "unsigned_int" | "u32" | "U32" | "uint32_t" => int(32, false),
        "char" | "s8" | "S8" | "int8_t" => int(8, true),
        "uchar" | "unsigned_char" | "u8" | "U8" | "uint8_t" => int(8, false),
        "short" | "s16" | "S16" | "int16_t" => int(16, true),
        "ushort" | "unsigned_short" | "u16" | "U16" | "uint16_t" => int(16, false),
        "long" | "ptrdiff_t" | "ssize_t" => int(word, true),
        "ulong" | "unsigned_long" | "size_t" | "sector_t" | "pthread_t" => int(word, false),
        "longlong" | "long_long" | "s64" | "S64" | "int64_t" | "loff_t" => int(64, true),
        "ulonglong" | "unsigned_long_long" | "u64" | "U64" | "uint64_t" => int(64, false),
        "bool" | "_Bool" => Type::Int(BOOL),
        "float" => Type::Float(4),
        "double" => Type::Float(8),
        "pointer" => pointer(Type::Void),
        "pchar" | "const_char_pointer" => pointer(Type::Int(CHAR)),
        _ => return None,
    })
}

fn pointer(ty: Type) -> Type {
    Type::Pointer(Rc::new(ty))
}

fn code_type(code: char, model: DataModel) -> Option<Type> {
    let word = word_bits(model);
    let int = |bits, signed| Some(Type::Int(IntType::new(bits, signed)));
    match code {
        'v' => Some(Type::Void),
        'b' => Some(Type::Int(BOOL)),
        'H' => int(16, false),
        'i' => Some(Type::Int(INT)),
        'u' => int(32, false),
        'l' => int(word, true),
        'z' => int(word, false),
        'q' => int(64, true),
        'Q' => int(64, false),
        'f' => Some(Type::Float(4)),
        'd' => Some(Type::Float(8)),
        'p' => Some(pointer(Type::Void)),
        's' => Some(pointer(Type::Int(CHAR))),
        _ => None,
    }
}

/// Names, and result and parameter types by letter (see `code_type`; a final dot for `...`). `__builtin_` may precede them.
const SIGNATURES: &[(&str, &str)] = &[
    ("__VERIFIER_assume __VERIFIER_assert", "vi"),
    ("__VERIFIER_error __VERIFIER_atomic_begin __VERIFIER_atomic_end reach_error abort", "v"),
    ("__CPROVER_assume", "vi"),
    ("__CPROVER_assert", "vis"),
    ("__CPROVER_atomic_begin __CPROVER_atomic_end", "v"),
    ("__CPROVER_fence", "v."),
    ("unreachable trap __builtin_unreachable __builtin_trap", "v"),
    ("__assert_fail __assert __assert_rtn", "vssus"),
    ("exit _exit _Exit quick_exit", "vi"),
    ("malloc alloca", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("aligned_alloc memalign", "pzz"),
    ("free", "vp"),
    ("memcpy memmove", "pppz"),
    ("mempcpy", "pppz"),
    ("memset", "ppiz"),
    ("memcmp", "ippz"),
    ("memchr", "ppiz"),
    ("strlen", "zs"),
    ("strcpy strcat", "sss"),
    ("strncpy strncat", "sssz"),
    ("strcmp", "iss"),
    ("strncmp", "issz"),
    ("strchr strrchr", "ssi"),
    ("strstr", "sss"),
    ("strdup", "ss"),
    ("printf", "is."),
    ("fprintf", "ips."),
    ("sprintf", "iss."),
    ("snprintf", "iszs."),
    ("puts", "is"),
    ("putchar", "ii"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "qq"),
    ("expect", "lll"),
    ("prefetch", "vp."),
    ("frame_address return_address", "pu"),
    ("popcount clz ctz parity clrsb", "iu"),
    ("ffs", "ii"),
    ("popcountl clzl ctzl parityl", "iz"),
    ("ffsl", "il"),
    ("popcountll clzll ctzll parityll", "iQ"),
    ("ffsll", "iq"),
    ("bswap16", "HH"),
    ("bswap32", "uu"),
    ("bswap64", "QQ"),
    ("add_overflow sub_overflow mul_overflow", "b."),
    ("sadd_overflow ssub_overflow smul_overflow", "biip"),
    ("uadd_overflow usub_overflow umul_overflow", "buup"),
    ("saddl_overflow ssubl_overflow smull_overflow", "bllp"),
    ("uaddl_overflow usubl_overflow umull_overflow", "bzzp"),
    ("saddll_overflow ssubll_overflow smulll_overflow", "bqqp"),
    ("uaddll_overflow usubll_overflow umulll_overflow", "bQQp"),
    ("inf huge_val", "d"),
    ("inff huge_valf", "f"),
    ("nan", "ds"),
    ("nanf", "fs"),
    ("isnan isinf isfinite isnormal signbit isinf_sign", "i."),
    ("fabs sqrt floor ceil", "dd"),
    ("fabsf sqrtf floorf ceilf", "ff"),
];

/// The result of a type-generic atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicResult {
    /// What the first argument points to.
    Pointee,
    /// `_Bool`.
    Bool,
    /// Nothing.
    Void,
}

/// A type-generic atomic operation: its result, and which arguments are values of the pointee's type.
#[derive(Clone, Copy, Debug)]
pub struct Atomic {
    /// Its result.
    pub result: AtomicResult,
    /// The positions of values.
    pub values: &'static [usize],
    /// Whether a pointer is moved by a number (fetch-and-add and its relatives).
    pub moves: bool,
}

/// The atomic operation with this name, from gcc's two families or `<stdatomic.h>`.
pub fn atomic(name: &str) -> Option<Atomic> {
    let make = |result, values| Some(Atomic { result, values, moves: false });
    let moving = |values| Some(Atomic { result: AtomicResult::Pointee, values, moves: true });
    if let Some(rest) = name.strip_prefix("__sync_") {
        let rest = rest.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        return match rest {
            "bool_compare_and_swap" => make(AtomicResult::Bool, &[1, 2]),
            "val_compare_and_swap" => make(AtomicResult::Pointee, &[1, 2]),
            "lock_test_and_set" => make(AtomicResult::Pointee, &[1]),
            "lock_release" | "synchronize" => make(AtomicResult::Void, &[]),
            _ if rest.starts_with("fetch_and_") || rest.ends_with("_and_fetch") => moving(&[1]),
            _ => None,
        };
    }
    let rest = ["__atomic_", "__c11_atomic_", "atomic_"].iter().find_map(|prefix| name.strip_prefix(prefix))?;
    let rest = rest.strip_suffix("_explicit").unwrap_or(rest);
    let by_address = name.starts_with("__atomic_");
    match rest {
        "load_n" => make(AtomicResult::Pointee, &[]),
        "load" if by_address => make(AtomicResult::Void, &[]),
        "load" => make(AtomicResult::Pointee, &[]),
        "store_n" => make(AtomicResult::Void, &[1]),
        "store" if by_address => make(AtomicResult::Void, &[]),
        "store" | "init" => make(AtomicResult::Void, &[1]),
        "exchange_n" => make(AtomicResult::Pointee, &[1]),
        "exchange" if by_address => make(AtomicResult::Void, &[]),
        "exchange" => make(AtomicResult::Pointee, &[1]),
        "compare_exchange_n" => make(AtomicResult::Bool, &[2]),
        "compare_exchange" if by_address => make(AtomicResult::Bool, &[]),
        "compare_exchange_strong" | "compare_exchange_weak" => make(AtomicResult::Bool, &[2]),
        "test_and_set" | "flag_test_and_set" | "always_lock_free" | "is_lock_free" => make(AtomicResult::Bool, &[]),
        "clear" | "flag_clear" | "thread_fence" | "signal_fence" => make(AtomicResult::Void, &[]),
        _ if rest.starts_with("fetch_") || (by_address && rest.ends_with("_fetch")) => moving(&[1]),
        _ => None,
    }
}
