//! From typed C to one control-flow graph a thread.
//!
//! Calls are inlined, so every activation of a local is an object of its own. Every read of an object goes into a temporary of
//! its own, in C's order, left to right: that is what makes "one shared access a step" true by construction, before anybody
//! knows what is shared. Constants of objects that only one thread can name are tracked on the way; loops that create or
//! join threads are unrolled with them.

mod arith;
mod atomic;
pub(crate) mod bounds;
mod build;
mod call;
mod constant;
mod copy;
mod exchange;
mod expr;
pub(crate) mod heap;
mod lent;
mod library;
mod lifetimes;
mod observe;
mod options;
mod outside;
mod parts;
mod place;
pub(crate) mod population;
mod scan;
mod stmt;
mod sync;
mod text;
mod threads;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use program::{Bookkeeping, ClaimId, Init, IntType, Population, Property, Span, Term, VarId, VarKind};

use crate::cfg::{Graph, NodeId};
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::facts::Facts;
use crate::hir::{FunctionId, Global, LocalId, Stmt, SyncUse, Type, Unit};
use crate::leaks::LeakSites;
use crate::lives::LifeStep;
use crate::memory::{Memory, Named, ObjectId, Storage};
use crate::source::is_library_definition;
use crate::uninitialised::Unwritten;

use crate::reuse::Reuse;
use crate::visits::Goal;
use build::ThreadBuilder;
pub(crate) use copy::stores_bytes;
use heap::{Allocation, Blocks, HeapUse};
use population::Family;

/// What counts as an error, and where execution starts.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Functions whose call violates the property.
    pub(crate) error_functions: BTreeSet<String>,
    /// Whether reaching a label named `ERROR` violates it.
    pub(crate) error_labels: bool,
    /// What is asked for, in this order. Undefined behaviour that no property speaks of ends an execution.
    pub(crate) properties: Vec<Property>,
    /// What is asked for of other programs of the text: it is claimed there.
    pub(crate) elsewhere: Vec<Property>,
    /// Functions that run in parallel from the initial state, instead of main.
    pub(crate) threads: Option<Vec<String>>,
    /// Whether malloc can fail.
    pub(crate) allocation: Allocation,
    /// Whether the creation of a thread may fail.
    pub(crate) creation: Creation,
    /// What becomes of threads that are created again and again.
    pub(crate) population: Population,
    pub(crate) blocks: Blocks,
    /// The functions that any number of threads may run.
    pub(crate) templates: BTreeSet<FunctionId>,
    /// Claims that are not asked for.
    pub(crate) unasked: BTreeSet<ClaimId>,
    /// What errors stand for.
    pub(crate) goal: Goal,
    /// Whether addresses are handed out again.
    pub(crate) reuse: Reuse,
    /// Places whose blocks' addresses are kept in variables: they may get memory which has been used before, or it is to be seen who
    /// leads to them.
    pub(crate) reused: BTreeSet<Span>,
    /// Functions that consist of an expression which is observed.
    pub(crate) observers: Vec<FunctionId>,
    /// What becomes of what is not modelled.
    pub(crate) refusal: Refusal,
    /// What calls of functions do that have no body.
    pub(crate) undefined: Undefined,
}

impl Config {
    /// Asks for a property, after those that are asked for already.
    pub(crate) fn ask(&mut self, property: Property) {
        if !self.asks(property) {
            self.properties.push(property);
        }
    }
    /// Keeps of what is asked for what this part has; the rest is asked of other programs.
    pub(crate) fn keep(&mut self, part: &[Property]) {
        let kept = |property: &Property| part.contains(property);
        (self.properties, self.elsewhere) = std::mem::take(&mut self.properties).into_iter().partition(kept);
        if !self.asks(Property::UnreachCall) {
            self.error_functions.clear();
            self.error_labels = false;
        }
    }
    /// Whether runs are looked for that come to the end of main, and there is one.
    pub(crate) fn ends_with_main(&self) -> bool {
        self.goal == Goal::Visits && self.threads.is_none()
    }
    /// Whether the property is asked for.
    pub(crate) fn asks(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }
    /// Whether it matters which variables lead to blocks: some are not kept by one variable for all to see.
    pub(crate) fn follows_chains(&self) -> bool {
        self.asks(Property::ValidMemtrack) && !self.reused.is_empty()
    }
}

/// Why there are no threads to go on with.
pub(crate) enum Halt {
    /// The program cannot be lowered.
    Failed(Failure),
    /// Threads are created without bound: the function they run, if it is one.
    Unbounded(Option<FunctionId>, Span),
    /// These places may get memory which has been used before, or blocks that may be lost.
    Reused(BTreeSet<Span>),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Halt {
        Halt::Failed(failure)
    }
}

impl From<Diagnostic> for Halt {
    fn from(diagnostic: Diagnostic) -> Halt {
        Halt::Failed(diagnostic.into())
    }
}

/// What becomes of what is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Refusal {
    /// Control ends there: if it can come there, there is no program.
    #[default]
    First,
    /// It is noted, and control goes on as if nothing had been there: to find all of it.
    All,
}

/// What calls of functions do that have no body and are not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Undefined {
    /// They are not modelled.
    #[default]
    Refused,
    /// They return anything, a pointer to nothing or to something new, and do nothing else.
    Nondet,
}

/// Whether `pthread_create` and `thrd_create` may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Creation {
    /// They always succeed.
    #[default]
    Succeeds,
    /// They may answer that there are no resources for another thread.
    MayFail,
}

/// A thread that is or may be created.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) function: FunctionId,
    /// What a held mutex contains: positive and distinct. A constant, or a copy's own variable.
    pub(crate) id: Term,
    /// What C sees of it: the value of a `pthread_t`.
    pub(crate) handle: Term,
    /// Bookkeeping; a thread that runs from the start has none.
    pub(crate) control: Option<InstanceControl>,
    /// A part of the function to run instead of all of it.
    pub(crate) fragment: Option<Fragment>,
    pub(crate) span: Span,
    /// The thread, by number, that creates it, or the first of several.
    pub(crate) creator: Option<usize>,
}

/// A statement that runs as a thread, and the objects that the locals of its function are there.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) body: Rc<Stmt>,
    pub(crate) locals: HashMap<LocalId, ObjectId>,
}

/// The variables through which a thread and its creator talk.
#[derive(Clone, Debug)]
pub(crate) struct InstanceControl {
    /// What tells it to start.
    pub(crate) started: VarId,
    pub(crate) signal: Signal,
    pub(crate) argument: Argument,
    pub(crate) result: VarId,
    /// What tells that it has ended. That of a thread of any number is not told.
    pub(crate) ended: Option<VarId>,
    /// How many such threads have ended that nobody has joined, if that is counted.
    pub(crate) unjoined: Option<VarId>,
}

/// What becomes of the flag that tells a thread to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// It stays.
    Stays,
    /// It is for whoever comes first, and is taken back: until then nobody else is told to start.
    Taken,
}

/// How a thread comes to its argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    /// It is known.
    Constant(Term),
    /// It is here, until the flag to start is taken back.
    Given(VarId),
}

/// A place that starts a thread: the creator's number and the node.
pub(crate) type Site = (usize, NodeId);

/// A lowered thread.
#[derive(Clone, Debug)]
pub(crate) struct LoweredThread {
    pub(crate) name: String,
    pub(crate) graph: Graph,
    pub(crate) span: Span,
    /// The value that names it in locks.
    pub(crate) id: Term,
    /// The locals of the outermost block of the function that it runs.
    pub(crate) outermost: BTreeSet<VarId>,
}

/// Everything the later stages need.
pub(crate) struct Lowered {
    pub(crate) memory: Memory,
    pub(crate) threads: Vec<LoweredThread>,
    pub(crate) instances: Vec<Instance>,
    /// The threads of which there may be any number.
    pub(crate) families: Vec<Family>,
    /// Where threads, by number, are started.
    pub(crate) sites: Vec<(usize, Site)>,
    pub(crate) weak_order: Option<Span>,
    /// The first place that destroys a synchronisation object or detaches a thread.
    pub(crate) given_up: Option<Span>,
    /// The first calls of functions without a body of which nothing is known but their type.
    pub(crate) bodiless: BTreeMap<String, Span>,
    /// What is not modelled, if all of it was looked for.
    pub(crate) refused: Vec<Diagnostic>,
    /// Cells that may hold a pointer from outside the program.
    pub(crate) foreign: Vec<VarId>,
    /// Decisions between the functions that a pointer may mean: thread number and node.
    pub(crate) dispatches: Vec<(usize, NodeId)>,
    /// Whether the handle of a thread that nobody creates is known to the program.
    pub(crate) root_named: bool,
    /// The cells of the file's own globals: part of the state even if nothing touches them.
    pub(crate) declared: Vec<VarId>,
    /// What is observed, over the cells of globals.
    pub(crate) observed: Vec<Term>,
    pub(crate) heap: HeapUse,
    /// Uses of bytes that members of unions share without being convertible: thread number, node, object and leaf.
    pub(crate) touched: Vec<Touch>,
    /// Cells with contents that are not modelled: they may be passed on, but decide nothing.
    pub(crate) texts: Vec<VarId>,
    /// Where blocks are allocated and the program ends, if it matters what is left.
    pub(crate) leaks: LeakSites,
    /// Values that are not there.
    pub(crate) unwritten: Unwritten,
    /// Steps that say whether locals are alive.
    pub(crate) life_steps: Vec<LifeStep>,
    /// Nodes that create something with an identity, which must not be in a loop: thread number and node.
    pub(crate) single: Vec<(usize, NodeId)>,
    /// The first place that deletes a key.
    pub(crate) deleted_key: Option<Span>,
    /// How the program uses synchronisation.
    found: SyncUse,
}

/// A use of a leaf.
pub(crate) type Touch = (usize, NodeId, ObjectId, usize);

/// State shared by the lowering of all threads.
pub(crate) struct Lowering<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) config: &'a Config,
    pub(crate) facts: Facts,
    pub(crate) memory: Memory,
    globals: Vec<ObjectId>,
    functions: HashMap<FunctionId, ObjectId>,
    strings: HashMap<Rc<[u8]>, ObjectId>,
    instances: Vec<Instance>,
    families: Vec<Family>,
    sites: Vec<(usize, Site)>,
    /// Threads that are created without bound: what they run, and where.
    unbounded: Option<(Option<FunctionId>, Span)>,
    weak_order: Option<Span>,
    given_up: Option<Span>,
    bodiless: BTreeMap<String, Span>,
    refused: Vec<Diagnostic>,
    /// Cells that may hold a pointer from outside the program.
    foreign: Vec<VarId>,
    dispatches: Vec<(usize, NodeId)>,
    /// Whether a thread that nobody creates asks for its own handle.
    root_named: bool,
    /// How many nodes all threads have so far: inlining can explode.
    nodes: usize,
    heap: HeapUse,
    /// By family and place in its threads, the blocks that all of its threads allocate there, and how many there are.
    common_blocks: BTreeMap<(usize, usize), (ObjectId, VarId)>,
    touched: Vec<Touch>,
    texts: Vec<VarId>,
    /// What the program is given.
    outside: outside::Outside,
    /// What of `unit.sync` has been met so far.
    found: SyncUse,
    /// Whether keys with destructors exist, by number.
    keys: HashMap<usize, VarId>,
    /// The keys themselves, by number.
    key_objects: HashMap<usize, ObjectId>,
    /// The kernel's ids of threads, by number.
    tasks: HashMap<usize, ObjectId>,
    /// Functions of which nothing is known, by name.
    uninterpreted: HashMap<String, ObjectId>,
    single: Vec<(usize, NodeId)>,
    deleted_key: Option<Span>,
    life_steps: Vec<LifeStep>,
    unwritten: Unwritten,
    leaks: LeakSites,
    /// What functions say of the lives of their locals.
    lives: HashMap<FunctionId, Rc<lifetimes::Lives>>,
}

/// More threads than this are not told apart one by one.
pub(crate) const MAX_THREADS: usize = 256;
/// More steps than this after inlining are not analysed.
pub(crate) const MAX_NODES: usize = 300_000;

/// The use of synchronisation is found by lowering; so often at most is it tried again with what was found.
const MAX_ATTEMPTS: usize = 8;

/// Lowers a unit, from main or from the configured functions.
pub(crate) fn lower(unit: &mut Unit, config: &Config) -> Result<Lowered, Halt> {
    for _ in 0..MAX_ATTEMPTS {
        let lowered = lower_once(unit, config)?;
        if lowered.found == unit.sync {
            return Ok(lowered);
        }
        unit.sync = lowered.found;
    }
    Err(Diagnostic::new(Code::Unsupported, "synchronisation that depends on itself in this way").into())
}

fn lower_once(unit: &Unit, config: &Config) -> Result<Lowered, Halt> {
    let roots = roots(unit, config)?;
    let parallel = if config.threads.is_some() { roots.clone() } else { Vec::new() };
    let memory = Memory::new(unit);
    let mut lowering = Lowering {
        unit,
        config,
        facts: Facts::of(unit, &parallel, &config.templates),
        memory,
        globals: Vec::new(),
        functions: HashMap::new(),
        strings: HashMap::new(),
        instances: Vec::new(),
        families: Vec::new(),
        sites: Vec::new(),
        unbounded: None,
        weak_order: None,
        given_up: None,
        bodiless: BTreeMap::new(),
        refused: Vec::new(),
        foreign: Vec::new(),
        outside: outside::Outside::default(),
        dispatches: Vec::new(),
        root_named: false,
        nodes: 0,
        heap: HeapUse::default(),
        common_blocks: BTreeMap::new(),
        touched: Vec::new(),
        texts: Vec::new(),
        found: SyncUse { lives: config.asks(Property::NoMisuse), ..SyncUse::default() },
        keys: HashMap::new(),
        key_objects: HashMap::new(),
        tasks: HashMap::new(),
        uninterpreted: HashMap::new(),
        single: Vec::new(),
        deleted_key: None,
        life_steps: Vec::new(),
        unwritten: Unwritten::default(),
        leaks: LeakSites::default(),
        lives: HashMap::new(),
    };
    lowering.allocate_globals()?;
    for function in roots {
        let span = unit.functions[function.0 as usize].span;
        let id = lowering.next_id();
        let handle = lowering.thread_handle(function, id);
        let id = Term::int(id);
        lowering.instances.push(Instance { function, id, handle, control: None, fragment: None, span, creator: None });
    }
    let mut threads = Vec::new();
    while threads.len() < lowering.instances.len() {
        let number = threads.len();
        threads.push(ThreadBuilder::new(&mut lowering, number).run());
        if let Some((function, span)) = lowering.unbounded {
            return Err(Halt::Unbounded(function, span));
        }
        if lowering.nodes > MAX_NODES {
            return Err(Diagnostic::new(Code::Unsupported, "a program this large after inlining")
                .at(unit.functions[lowering.instances[number].function.0 as usize].span)
                .into());
        }
    }
    if lowering.memory.is_exhausted() {
        return Err(Diagnostic::new(Code::Unsupported, "more memory than the data model has addresses").into());
    }
    lowering.align_copies();
    name_threads(&mut threads);
    let is_own = |g: &Global| !g.external && !g.thread_local && !is_library_definition(&g.name);
    let own = lowering.globals.iter().zip(&unit.globals).filter(|(_, global)| is_own(global));
    let declared = own.flat_map(|(object, _)| lowering.memory.cells_of(*object)).collect();
    let observed = lowering.observed(&config.observers)?;
    lowering.outside.settle(&mut lowering.memory);
    let Lowering {
        memory,
        instances,
        families,
        sites,
        weak_order,
        given_up,
        bodiless,
        refused,
        foreign,
        dispatches,
        root_named,
        heap,
        touched,
        texts,
        found,
        single,
        deleted_key,
        life_steps,
        unwritten,
        leaks,
        ..
    } = lowering;
    Ok(Lowered {
        memory,
        threads,
        instances,
        families,
        sites,
        weak_order,
        given_up,
        bodiless,
        refused,
        foreign,
        dispatches,
        root_named,
        declared,
        observed,
        heap,
        touched,
        texts,
        single,
        deleted_key,
        life_steps,
        unwritten,
        leaks,
        found,
    })
}

fn roots(unit: &Unit, config: &Config) -> Result<Vec<FunctionId>, Failure> {
    let defined = |name: &str| unit.function(name).filter(|id| unit.functions[id.0 as usize].body.is_some());
    match &config.threads {
        None => match defined("main") {
            Some(main) => Ok(vec![main]),
            None => Err(Diagnostic::new(Code::Invalid, "the file defines no function `main`")
                .help("name the functions that run in parallel with --threads f,g,.., or say how they are used with --client")
                .into()),
        },
        Some(names) => names
            .iter()
            .map(|name| {
                defined(name).ok_or_else(|| {
                    Diagnostic::new(Code::Invalid, format!("the file defines no function `{name}`"))
                        .help("--threads takes names of functions that the file defines")
                        .into()
                })
            })
            .collect(),
    }
}

/// `f`, or `f#1`, `f#2` if several threads run f.
fn name_threads(threads: &mut [LoweredThread]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for thread in threads.iter() {
        *counts.entry(thread.name.clone()).or_default() += 1;
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    for thread in threads {
        if counts[&thread.name] > 1 {
            let number = seen.entry(thread.name.clone()).or_default();
            *number += 1;
            thread.name = format!("{}#{number}", thread.name);
        }
    }
}

impl Lowering<'_> {
    fn next_id(&self) -> i128 {
        self.instances.len() as i128 + 1
    }

    /// The handle of the thread with this id, the only one that runs the function under it.
    fn thread_handle(&mut self, function: FunctionId, id: i128) -> Term {
        let function = &self.unit.functions[function.0 as usize];
        let name = format!("handle({}.{id})", function.name);
        let named =
            Named { name: &name, span: function.span, kind: VarKind::Control(Bookkeeping::Other), private: false };
        let object = self.memory.identify(Storage::Thread, &named, u64::try_from(id).unwrap_or_default());
        self.memory.address_of(object)
    }

    /// The kernel's id of the thread with this number; the first one's is the process's.
    fn task(&mut self, number: usize) -> Term {
        let id = self.tasks.get(&number).copied().unwrap_or_else(|| {
            let name = format!("task({})", number + 1);
            let kind = VarKind::Control(Bookkeeping::Other);
            let named = Named { name: &name, span: Span::default(), kind, private: false };
            self.memory.identify(Storage::Task, &named, number as u64 + 1)
        });
        self.tasks.insert(number, id);
        self.memory.address_of(id)
    }

    fn allocate_globals(&mut self) -> Result<(), Failure> {
        let unit = self.unit;
        // What the system's headers declare comes last: the file's own objects have the same addresses with other headers.
        let mut order: Vec<(u32, &Global)> = (0u32..).zip(&unit.globals).collect();
        order.sort_by_key(|(_, global)| global.external);
        let mut objects = BTreeMap::new();
        for (index, global) in order {
            let id = crate::hir::GlobalId(index);
            let private = self.facts.is_private_global(id);
            let init = match global.external {
                true => options::initially(&global.name).map_or(Init::Arbitrary, |value| Init::Value(Term::int(value))),
                false => Init::Value(Term::int(0)),
            };
            let named = Named { name: &global.name, span: global.span, kind: VarKind::User, private };
            let whole = self.config.population.has_templates() && self.facts.is_scanned(id);
            let object = match whole {
                true => self.memory.allocate_whole(unit, &global.ty, &named, init),
                false => self.memory.allocate(unit, &global.ty, &named, init),
            };
            self.memory.realign(object, global.align);
            if global.external {
                let pointers = self.memory.cells_of(object);
                self.foreign.extend(pointers);
            }
            self.memory.objects[object.0 as usize].constant = self.facts.is_constant_global(id) && !global.external;
            objects.insert(index, object);
        }
        self.globals = objects.into_values().collect();
        for (index, global) in unit.globals.iter().enumerate() {
            if let Some(init) = &global.init {
                self.initialise(self.globals[index], init)?;
            }
        }
        Ok(())
    }

    /// The object whose address a function's is.
    pub(crate) fn function_object(&mut self, id: FunctionId) -> ObjectId {
        if let Some(object) = self.functions.get(&id) {
            return *object;
        }
        let function = &self.unit.functions[id.0 as usize];
        let named = Named {
            name: &function.name,
            span: function.span,
            kind: VarKind::Control(Bookkeeping::Other),
            private: false,
        };
        let object = self.memory.allocate(self.unit, &Type::Void, &named, Init::Value(Term::int(0)));
        self.memory.objects[object.0 as usize].storage = Storage::Code;
        self.functions.insert(id, object);
        object
    }

    /// The values of a function of which nothing is known.
    fn uninterpreted(&mut self, name: &str, result: &Type) -> ObjectId {
        if let Some(object) = self.uninterpreted.get(name) {
            return *object;
        }
        let home = self.memory.home.take();
        let named =
            Named { name, span: Span::default(), kind: VarKind::Control(Bookkeeping::Function), private: false };
        let ty = Type::Array(Rc::new(result.clone()), u64::from(u32::MAX));
        let object = self.memory.allocate(self.unit, &ty, &named, Init::Arbitrary);
        self.memory.home = home;
        self.uninterpreted.insert(name.to_string(), object);
        object
    }

    /// The function whose address the term is.
    pub(crate) fn function_at(&self, address: Term) -> Option<FunctionId> {
        let (object, offset, rest) = crate::memory::point(&self.memory, address)?;
        let found = self.functions.iter().find(|(_, o)| **o == object).map(|(id, _)| *id);
        found.filter(|_| offset == 0 && rest.is_empty())
    }

    /// The constant char array that a string literal is.
    pub(crate) fn string_object(&mut self, bytes: &Rc<[u8]>, span: Span) -> ObjectId {
        if let Some(object) = self.strings.get(bytes) {
            return *object;
        }
        let char_type = Type::Int(IntType::new(8, true));
        let ty = Type::Array(Rc::new(char_type), bytes.len() as u64 + 1);
        let name = format!("string#{}", self.strings.len() + 1);
        let named = Named { name: &name, span, kind: VarKind::User, private: false };
        let object = self.memory.allocate(self.unit, &ty, &named, Init::Value(Term::int(0)));
        self.memory.objects[object.0 as usize].storage = Storage::Literal;
        for (index, byte) in bytes.iter().enumerate() {
            self.set_initial_element(object, 0, index, i128::from(i8::from_ne_bytes([*byte])));
        }
        self.strings.insert(bytes.clone(), object);
        object
    }
}

/// The id of the thread with this number, where it is not one of any number.
pub(crate) fn id_of(number: usize) -> Term {
    Term::int(number as i128 + 1)
}
