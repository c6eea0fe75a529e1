//! Typed C: what the semantic analysis makes of lang-c's syntax tree, and what the lowering reads.
//!
//! Names are resolved, implicit conversions are explicit casts, array and function names have decayed, constants are
//! folded where C demands a constant, initialisers are flat lists of scalar (or struct) assignments. Control flow and the
//! order of side effects are still C's. Constructs that are not modelled are kept as `Unsupported` nodes: they matter only
//! where main can reach them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::{IntType, Span, Term};

/// A global object (including static locals): an index into [`Unit::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);
/// A parameter or local of a function: an index into [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);
/// A function: an index into [`Unit::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);
/// A struct or union: an index into [`Unit::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);
/// A label of a function: an index into [`Function::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// The sizes of C's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DataModel {
    /// 32-bit int, long and pointers.
    Ilp32,
    /// 32-bit int, 64-bit long and pointers.
    #[default]
    Lp64,
}

impl DataModel {
    /// Bytes of a pointer and of `long`.
    pub fn word(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

/// Objects of the pthread library: one opaque scalar each, whatever the libc's struct looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncKind {
    /// pthread_mutex_t (also mtx_t and pthread_spinlock_t).
    Mutex,
    /// pthread_cond_t.
    Condition,
    /// pthread_rwlock_t.
    RwLock,
    /// pthread_barrier_t.
    Barrier,
    /// sem_t.
    Semaphore,
    /// pthread_once_t.
    Once,
    /// Any pthread attribute object: of its contents only the type of mutexes matters.
    Attribute,
}

/// What the lowering of a unit finds out about its synchronisation. Objects get no more state than what is used, and the
/// state by thread that proofs need (see `lower::sync`) only for the threads that use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncUse {
    /// Whether a mutex may be of another type than the normal one.
    pub mutex_types: bool,
    /// The threads that take read locks, by number.
    pub readers: BTreeSet<usize>,
    /// Threads that lock a read-write lock for writing.
    pub writers: BTreeSet<usize>,
    /// The threads that wait at barriers, by number.
    pub arriving: BTreeSet<usize>,
    /// The places that create a key for thread-specific data, each with the function that runs at a thread's end.
    pub keys: Vec<Option<FunctionId>>,
    /// Whether objects say if they are there.
    pub lives: bool,
    /// Whether it matters who waits for a condition variable: one is destroyed, or deadlocks are looked for.
    pub ends_conditions: bool,
    /// The threads that wait for conditions, by number, if that matters.
    pub sleepers: BTreeSet<usize>,
    /// What the functions are given that run as any number of threads.
    pub passed: BTreeMap<FunctionId, Passed>,
}

/// The arguments of all threads that run one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// This constant, always.
    Same(Term),
    /// Something else each time.
    Various,
}

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// void.
    Void,
    /// An integer type, enums and `_Bool` (1 bit, unsigned, one byte of storage) included. pthread_t is an unsigned long.
    Int(IntType),
    /// float, double, long double: only their size is known.
    Float(u64),
    /// A pointer.
    Pointer(Rc<Type>),
    /// An array of known length (a flexible or incomplete array has length 0).
    Array(Rc<Type>, u64),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(Rc<FunctionType>),
    /// A pthread object.
    Sync(SyncKind),
    /// `_Atomic T`. Only objects have it: values are of type T.
    Atomic(Rc<Type>),
    /// _Complex, __int128, a vector: named, every use of its value is unsupported.
    Opaque(Rc<str>),
}

impl Type {
    /// The type without `_Atomic`.
    pub fn unatomic(&self) -> &Type {
        match self {
            Type::Atomic(inner) => inner,
            other => other,
        }
    }
    /// Whether it is `_Atomic`.
    pub fn is_atomic(&self) -> bool {
        matches!(self, Type::Atomic(_))
    }
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: Type,
    /// Its parameters, arrays and functions decayed.
    pub parameters: Vec<Type>,
    /// `...`, or declared without a prototype.
    pub variadic: bool,
}

/// A struct or union, laid out.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, or a made-up one.
    pub name: String,
    /// Whether the fields overlap.
    pub union: bool,
    /// Bytes; 0 and no fields for an incomplete type.
    pub size: u64,
    /// Bytes.
    pub align: u64,
    /// Its alignment as a member of another one, which may be less: see [`Unit::align_of`].
    pub member_align: u64,
    /// Its members, anonymous ones included.
    pub fields: Vec<Field>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for an anonymous struct or union.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Bytes from the record's start.
    pub offset: u64,
    /// What the offset is a multiple of; without meaning for a bit-field.
    pub align: u64,
    /// For a bit-field: its width and its first bit within the unit at `offset`.
    pub bits: Option<(u32, u32)>,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The sizes of types.
    pub data_model: DataModel,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Objects with static storage.
    pub globals: Vec<Global>,
    /// Functions, declared or defined.
    pub functions: Vec<Function>,
    /// How synchronisation is used, as far as that is known.
    pub sync: SyncUse,
    /// Whether floating-point objects have cells: their values are not tracked, but who touches them may matter.
    pub float_cells: bool,
}

impl Unit {
    /// The function with this name; of several that files have for themselves, the first that is defined.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let defined = self.functions.iter().position(|f| f.name == name && f.body.is_some());
        let index = defined.or_else(|| self.functions.iter().position(|f| f.name == name))?;
        u32::try_from(index).ok().map(FunctionId)
    }

    /// The names of variables in which there is an `_Atomic` struct or union.
    pub fn sealed(&self) -> BTreeSet<String> {
        let globals = self.globals.iter().map(|global| (&global.name, &global.ty));
        let locals = self.functions.iter().flat_map(|f| f.locals.iter().map(|local| (&local.name, &local.ty)));
        globals.chain(locals).filter(|(_, ty)| self.is_sealed(ty)).map(|(name, _)| name.clone()).collect()
    }

    fn is_sealed(&self, ty: &Type) -> bool {
        match ty {
            Type::Atomic(inner) => matches!(**inner, Type::Record(_)),
            Type::Array(element, _) => self.is_sealed(element),
            Type::Record(id) => self.records[id.0 as usize].fields.iter().any(|field| self.is_sealed(&field.ty)),
            _ => false,
        }
    }

    /// The parts of a pthread object's state, by what is appended to the object's name: members that no type of C has.
    pub fn sync_fields(&self, kind: SyncKind) -> Vec<String> {
        let by_thread = |what: &str, threads: &BTreeSet<usize>| -> Vec<String> {
            threads.iter().map(|number| format!(".{what}({})", number + 1)).collect()
        };
        let (fixed, each): (&[&str], _) = match kind {
            SyncKind::Mutex if self.sync.mutex_types => (&["", ".depth()", ".type()"], Vec::new()),
            SyncKind::RwLock => (&[""], by_thread("reader", &self.sync.readers)),
            SyncKind::Barrier => (&["", ".serial()"], by_thread("waiting", &self.sync.arriving)),
            SyncKind::Semaphore => (&["", ".taker()"], Vec::new()),
            SyncKind::Condition if self.sync.ends_conditions => (&[""], by_thread("waiting", &self.sync.sleepers)),
            SyncKind::Mutex | SyncKind::Condition | SyncKind::Once | SyncKind::Attribute => (&[""], Vec::new()),
        };
        let lives = self.sync.lives && !matches!(kind, SyncKind::Once | SyncKind::Attribute);
        let life = lives.then(|| ".life()".to_string());
        fixed.iter().map(ToString::to_string).chain(each).chain(life).collect()
    }
}

/// Whether a name means the same in other files [C11, 6.2.2].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    /// It does.
    #[default]
    External,
    /// It does, but its body is an inline definition: another file may have the external one [C11, 6.7.4].
    Inline,
    /// It does not: `static`.
    Internal,
}

/// An object with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; `function::name` for a static local.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its address is a multiple of so many bytes.
    pub align: u64,
    /// What it starts with; zero if nothing is said.
    pub init: Option<Init>,
    /// `_Thread_local`: one copy a thread.
    pub thread_local: bool,
    /// Declared `extern` and defined nowhere in the file: its value is arbitrary.
    pub external: bool,
    /// Whether other files mean it, too.
    pub linkage: Linkage,
    /// Its declaration.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FunctionType,
    /// Its parameters: the first of `locals`, in order.
    pub parameters: Vec<LocalId>,
    /// Parameters and locals of all blocks.
    pub locals: Vec<Local>,
    /// Its labels' names.
    pub labels: Vec<String>,
    /// Its body, if the file defines it.
    pub body: Option<Stmt>,
    /// Whether other files mean it, too.
    pub linkage: Linkage,
    /// Whether it is known from calls alone, so that its type is a guess.
    pub implicit: bool,
    /// Its declaration.
    pub span: Span,
}

/// A parameter or an automatic local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name (not unique: inner blocks may reuse it).
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its address is a multiple of so many bytes.
    pub align: u64,
    /// Its declaration.
    pub span: Span,
}

/// An initialiser, flat. Everything not mentioned is zero if `zero_rest`.
#[derive(Clone, Debug)]
pub struct Init {
    /// Parts of the object, in order, with the values they get. The place is rooted at the object itself.
    pub items: Vec<(Place, Expr)>,
    /// Whether the parts without an item are zeroed (braced lists, strings, static storage).
    pub zero_rest: bool,
}

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The type of the object, `_Atomic` included.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// What an lvalue is.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A global.
    Global(GlobalId),
    /// A local of the function at hand.
    Local(LocalId),
    /// `*pointer`; `p->f` is a field of it.
    Deref(Box<Expr>),
    /// The n-th field of the record at the place.
    Field(Box<Place>, usize),
    /// `array[index]` where the array is an object (not a decayed pointer); the index has an integer type.
    Index(Box<Place>, Box<Expr>),
    /// The nameless object that holds a struct-valued expression, as in `f().x`.
    Temporary(Box<Expr>),
    /// `(T){..}`: a nameless local, initialised where it stands.
    Literal(LocalId, Box<Init>),
}

/// An expression that has a value (or is void).
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value: never an array, a function or `_Atomic`.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// Unary operators. The operand has the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    Complement,
}

/// Binary operators on two operands of one type (shifts: each operand promoted on its own).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// Comparisons: of integers of one type or of pointers; the result is an int.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// What an assignment operator does with the old value.
#[derive(Clone, Debug)]
pub enum Update {
    /// `op=`: the old value and the operand are converted to `compute`, combined, and converted back.
    /// For shifts, `compute` is the promoted type of the old value and the operand has its own.
    Arithmetic {
        /// The operator.
        op: BinaryOp,
        /// The type it works in.
        compute: Type,
        /// The right-hand side, already converted.
        operand: Box<Expr>,
    },
    /// `p += n`, `p++`: moves a pointer by `operand` (an integer) elements of `size` bytes, forward or (`negative`) back.
    Pointer {
        /// Number of elements.
        operand: Box<Expr>,
        /// Bytes of an element.
        size: u64,
        /// Whether it moves back.
        negative: bool,
    },
}

/// Which value an updating expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// The value before: `x++`.
    Old,
    /// The value after: `++x`, `x += e`.
    New,
}

/// The callee of a call.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by name; it may have no body (a library function).
    Function(FunctionId),
    /// Through a pointer.
    Pointer(Box<Expr>),
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant, an enumerator, a folded sizeof, a null pointer (0).
    Const(i128),
    /// A floating constant: its value is not tracked.
    FloatConst,
    /// A string literal, decayed: an anonymous constant char array.
    String(Rc<[u8]>),
    /// The value of an object (of any type but array and function).
    Load(Box<Place>),
    /// `&place`, and an array that has decayed (the type is then pointer to element).
    AddressOf(Box<Place>),
    /// `f` or `&f` as a value.
    FunctionAddress(FunctionId),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `!e`, for e of any scalar type.
    Not(Box<Expr>),
    /// `a && b`.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `a || b`.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`, the arms converted to the type of the whole.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A pointer moved by an integer number of elements of `size` bytes, back if `negative`.
    PointerOffset {
        /// The pointer.
        pointer: Box<Expr>,
        /// How many elements.
        index: Box<Expr>,
        /// Bytes of an element.
        size: u64,
        /// `p - n`.
        negative: bool,
    },
    /// The difference of two pointers, in elements of `size` bytes.
    PointerDifference {
        /// The minuend.
        left: Box<Expr>,
        /// The subtrahend.
        right: Box<Expr>,
        /// Bytes of an element.
        size: u64,
    },
    /// A conversion to the type of the whole, explicit or implicit; to void, the value is dropped.
    Cast(Box<Expr>),
    /// `place = value`, the value converted; of scalar or record type. The value of the whole is the stored value.
    Assign(Box<Place>, Box<Expr>),
    /// `op=`, `++`, `--`.
    Update(Box<Place>, Update, Yield),
    /// A call. Arguments are converted to the parameters' types, variadic ones promoted.
    Call(Callee, Vec<Expr>),
    /// `({ .. })`: the block's last expression statement is the value, if the type is not void.
    Block(Vec<Stmt>),
    /// Not modelled; says what, e.g. "va_arg". Evaluating it ends the analysis.
    Unsupported(String),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression for its effects.
    Expr(Expr),
    /// A local comes to life (arbitrary, unless initialised).
    Declare(LocalId, Option<Init>),
    /// A block.
    Block(Vec<Stmt>),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do .. while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`; the initialiser is a statement list (declarations or an expression).
    For(Vec<Stmt>, Option<Expr>, Option<Expr>, Box<Stmt>),
    /// `switch` on a promoted integer.
    Switch(Expr, Box<Stmt>),
    /// `case low ... high:` (low = high without the range extension), a label inside the innermost switch.
    Case(i128, i128),
    /// `default:`.
    Default,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto`.
    Goto(LabelId),
    /// A label, standing before the next statement.
    Label(LabelId),
    /// `__CPROVER_ASYNC_1: statement`: a new thread runs the statement, with the values that the locals have now.
    Async(Rc<Stmt>),
    /// `return`, the value converted to the function's result.
    Return(Option<Expr>),
    /// Not modelled; says what, e.g. "inline assembly".
    Unsupported(String),
}
