//! Facts about a translation unit that the lowering needs before it starts: whose address is taken, which functions start
//! threads' work, what main alone can touch, what never changes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::hir::{
    Callee, Expr, ExprKind, Function, FunctionId, GlobalId, Init, LocalId, Place, PlaceKind, Stmt, StmtKind, Type, Unit,
};
use crate::hir_walk::{Visitor, root, walk_init, walk_stmt};
use crate::lower::heap::allocates;
use crate::source::is_library_definition;
use crate::source::library::definition_of;

/// Flow-insensitive facts about a unit.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Locals whose address is taken and that may be written through it, by function.
    escaping_locals: Vec<BTreeSet<LocalId>>,
    /// Globals whose address is taken and that may be written through it.
    escaping_globals: HashSet<GlobalId>,
    /// Globals that are assigned somewhere.
    assigned_globals: HashSet<GlobalId>,
    /// Globals that a function mentions which may run in another thread than main.
    contended_globals: HashSet<GlobalId>,
    /// Arrays that any number of threads go through, element by element: then each is likely to have an element of its own.
    scanned_globals: HashSet<GlobalId>,
    /// Functions whose address is taken: possible targets of pointers.
    pub(crate) addressed_functions: BTreeSet<FunctionId>,
    /// Functions that create or join single threads, directly or not.
    threading: HashSet<FunctionId>,
    /// Functions that any number of threads run.
    templates: BTreeSet<FunctionId>,
    /// Whether threads are created that are told apart: only for them a loop of joins is worth unrolling.
    singles: bool,
    /// Whether threads are joined anywhere.
    pub(crate) joins: bool,
    /// Functions that call malloc or the like, directly or not.
    allocating: HashSet<FunctionId>,
    /// What is stored through pointers anywhere.
    stores: Stores,
    takers: Takers,
}

/// What may be written through pointers: nothing else changes an object but by its name.
#[derive(Debug, Default)]
struct Stores {
    /// Sizes of scalars.
    sizes: BTreeSet<u64>,
    /// Whether whole structs are: scalars of any size.
    anything: bool,
}

/// What the names of library functions begin with that may store through their arguments: atomics, and calls with results.
const ATOMIC: &[&str] = &["__atomic_", "__c11_atomic_", "__sync_"];
const ANSWERING: &[&str] = &["pthread_", "sem_", "thrd_", "tss_", "clock_gettime", "gettimeofday", "timespec_get"];

impl Stores {
    fn note(&mut self, unit: &Unit, ty: &Type) {
        match ty.unatomic() {
            Type::Int(_) | Type::Pointer(_) => drop(self.sizes.insert(unit.size_of(ty))),
            Type::Sync(_) | Type::Float(_) => {}
            _ => self.anything = true,
        }
    }

    /// What a library function may store through its arguments; those that are not modelled are refused elsewhere.
    fn note_call(&mut self, unit: &Unit, name: &str, arguments: &[Type]) {
        if is_threading(name) {
            self.sizes.insert(unit.data_model.word());
        }
        self.anything |= crate::lower::stores_bytes(name);
        let named = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let atomic = named(ATOMIC) || name.contains("atomic_");
        for argument in arguments.iter().filter(|_| atomic || named(ANSWERING)) {
            match argument {
                // What a thread is given is for the thread, not for the library.
                Type::Pointer(target) if !atomic && matches!(**target, Type::Void | Type::Function(_)) => {}
                Type::Pointer(target) => self.note(unit, target),
                _ => {}
            }
        }
    }

    /// Whether an object of the type may be written through a pointer.
    fn may_hit(&self, unit: &Unit, ty: &Type) -> bool {
        let scalar = matches!(ty.unatomic(), Type::Int(_) | Type::Pointer(_));
        !scalar || self.anything || self.sizes.contains(&unit.size_of(ty))
    }
}

#[derive(Default)]
struct Scan {
    escaping_locals: BTreeSet<LocalId>,
    escaping_globals: HashSet<GlobalId>,
    assigned_globals: HashSet<GlobalId>,
    assigned_locals: BTreeSet<LocalId>,
    globals: HashSet<GlobalId>,
    /// Arrays, and the locals that index them.
    indexed: HashSet<(GlobalId, LocalId)>,
    /// Locals that go up or down.
    stepped: BTreeSet<LocalId>,
    calls: BTreeSet<FunctionId>,
    addressed: BTreeSet<FunctionId>,
    calls_pointer: bool,
    /// Addresses that a library call only writes through at once: `&t` in pthread_create(&t, ..).
    harmless: HashSet<*const Place>,
    /// What the library's functions do with the functions they are given.
    takers: Takers,
    /// Functions that threads are started with, and whether some start is not named.
    starts: BTreeSet<FunctionId>,
    unknown_start: bool,
    /// Whether a part of the function itself runs as a thread.
    starts_statement: bool,
    /// Functions that threads are created for, and whether some are not named.
    created: BTreeSet<FunctionId>,
    creates_unknown: bool,
    /// Whether threads are joined.
    joins: bool,
    /// Types of what is assigned through pointers.
    stored: Vec<Type>,
    /// Arguments of calls by name.
    passed: Vec<(FunctionId, Vec<Type>)>,
}

impl Scan {
    fn assigned(&mut self, place: &Place) {
        match root(place).kind {
            PlaceKind::Global(id) => {
                self.assigned_globals.insert(id);
            }
            PlaceKind::Local(id) => {
                self.assigned_locals.insert(id);
            }
            _ => self.stored.push(place.ty.clone()),
        }
    }
}

impl Scan {
    /// The arrays that are indexed by what goes up or down.
    fn scanned(&self) -> impl Iterator<Item = GlobalId> {
        self.indexed.iter().filter(|(_, index)| self.stepped.contains(index)).map(|(array, _)| *array)
    }
}

impl Visitor for Scan {
    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Global(id) => _ = self.globals.insert(*id),
            PlaceKind::Index(array, index) => {
                if let (PlaceKind::Global(array), Some(index)) = (&root(array).kind, local(index)) {
                    self.indexed.insert((*array, index));
                }
            }
            _ => {}
        }
    }
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind {
            StmtKind::Declare(id, _) => {
                self.assigned_locals.insert(id);
            }
            StmtKind::Async(_) => self.starts_statement = true,
            _ => {}
        }
    }
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::AddressOf(place) if !self.harmless.contains(&std::ptr::from_ref(place.as_ref())) => {
                match &root(place).kind {
                    PlaceKind::Global(id) => {
                        self.escaping_globals.insert(*id);
                    }
                    PlaceKind::Local(id) | PlaceKind::Literal(id, _) => {
                        self.escaping_locals.insert(*id);
                    }
                    _ => {}
                }
            }
            ExprKind::Assign(place, value) => {
                self.assigned(place);
                if let (PlaceKind::Local(id), ExprKind::Binary(_, from, _)) = (&place.kind, uncast(value))
                    && local(from) == Some(*id)
                {
                    self.stepped.insert(*id);
                }
            }
            ExprKind::Update(place, ..) => {
                self.assigned(place);
                if let PlaceKind::Local(id) = place.kind {
                    self.stepped.insert(id);
                }
            }
            ExprKind::FunctionAddress(id) => {
                self.addressed.insert(*id);
            }
            ExprKind::Call(Callee::Function(id), arguments) => {
                self.calls.insert(*id);
                self.passed.push((*id, arguments.iter().map(|a| a.ty.clone()).collect()));
                if let Some(position) = self.takers.starting.get(id) {
                    match arguments.get(*position).map(uncast) {
                        Some(ExprKind::FunctionAddress(start)) => {
                            self.starts.insert(*start);
                        }
                        // No destructor.
                        Some(ExprKind::Const(0)) => {}
                        _ => self.unknown_start = true,
                    }
                }
                self.joins |= self.takers.joining.contains(id);
                if let Some(position) = self.takers.starting.get(id).filter(|_| self.takers.creating.contains(id)) {
                    match arguments.get(*position).map(uncast) {
                        Some(ExprKind::FunctionAddress(start)) => _ = self.created.insert(*start),
                        _ => self.creates_unknown = true,
                    }
                }
                if self.takers.creating.contains(id)
                    && let Some(Expr { kind: ExprKind::AddressOf(place), .. }) = arguments.first()
                {
                    self.harmless.insert(std::ptr::from_ref(place.as_ref()));
                    self.assigned(place);
                }
                if self.takers.calling.contains(id) {
                    match arguments.get(1).map(uncast) {
                        Some(ExprKind::FunctionAddress(routine)) => {
                            self.calls.insert(*routine);
                        }
                        _ => self.calls_pointer = true,
                    }
                }
            }
            ExprKind::Call(Callee::Pointer(_), _) => self.calls_pointer = true,
            _ => {}
        }
    }
}

/// What a statement may change, for killing constants at a loop's head.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Locals of the function at hand.
    pub(crate) locals: BTreeSet<LocalId>,
    /// Globals, if no call hides more.
    pub(crate) globals: HashSet<GlobalId>,
    /// Whether anything is called.
    pub(crate) calls: bool,
    /// Whether threads are created or joined.
    pub(crate) threading: bool,
    /// Whether memory is allocated.
    pub(crate) allocating: bool,
}

impl Facts {
    /// `parallel`: functions that run as threads without anybody creating them.
    /// `templates`: functions that any number of threads run, which are not told apart.
    pub(crate) fn of(unit: &Unit, parallel: &[FunctionId], templates: &BTreeSet<FunctionId>) -> Facts {
        let takers = Takers::of(unit);
        let mut scans: Vec<Scan> = unit
            .functions
            .iter()
            .map(|function| {
                let mut scan = Scan { takers: takers.clone(), ..Scan::default() };
                function.body.iter().for_each(|body| walk_stmt(body, &mut scan));
                scan
            })
            .collect();
        let mut initialisers = Scan::default();
        unit.globals.iter().filter_map(|g| g.init.as_ref()).for_each(|init| walk_global(init, &mut initialisers));
        forget_unused(unit, &mut scans, &initialisers);
        let mut facts = Facts { takers, templates: templates.clone(), ..Facts::default() };
        for scan in scans.iter().chain([&initialisers]) {
            facts.escaping_globals.extend(&scan.escaping_globals);
            facts.assigned_globals.extend(&scan.assigned_globals);
            facts.addressed_functions.extend(&scan.addressed);
        }
        let mut concurrent: BTreeSet<FunctionId> = scans.iter().flat_map(|scan| scan.starts.iter()).copied().collect();
        concurrent.extend(parallel);
        concurrent.extend((0u32..).zip(&scans).filter(|(_, scan)| scan.starts_statement).map(|(i, _)| FunctionId(i)));
        if scans.iter().any(|scan| scan.unknown_start) {
            concurrent.extend(&facts.addressed_functions);
        }
        for scan in &scans {
            scan.stored.iter().for_each(|ty| facts.stores.note(unit, ty));
            for (id, arguments) in &scan.passed {
                facts.stores.note_call(unit, &unit.functions[id.0 as usize].name, arguments);
            }
        }
        facts.escaping_globals.retain(|id| facts.stores.may_hit(unit, &unit.globals[id.0 as usize].ty));
        let mentioned = |id: &FunctionId| scans[id.0 as usize].globals.iter().copied();
        let scanned = |id: &FunctionId| scans[id.0 as usize].scanned();
        facts.contended_globals =
            reached(&scans, &concurrent, &facts.addressed_functions).iter().flat_map(mentioned).collect();
        facts.scanned_globals =
            reached(&scans, templates, &facts.addressed_functions).iter().flat_map(scanned).collect();
        facts.joins = scans.iter().any(|scan| scan.joins);
        facts.singles = scans.iter().any(|scan| facts.creates_single(scan));
        facts.threading = callers(&scans, &|scan| facts.is_threading(scan));
        facts.allocating =
            callers(&scans, &|scan| scan.calls.iter().any(|id| allocates(&unit.functions[id.0 as usize].name)));
        let hit = |function: &Function, id: &LocalId| facts.stores.may_hit(unit, &function.locals[id.0 as usize].ty);
        let locals = unit
            .functions
            .iter()
            .zip(scans)
            .map(|(function, scan)| scan.escaping_locals.into_iter().filter(|id| hit(function, id)).collect());
        facts.escaping_locals = locals.collect();
        facts
    }

    /// Whether a local is only ever written by its name, never through a pointer.
    pub(crate) fn is_private_local(&self, function: FunctionId, local: LocalId) -> bool {
        !self.escaping_locals[function.0 as usize].contains(&local)
    }
    /// Whether a global is only ever written by its name, and named only by what main alone runs.
    pub(crate) fn is_private_global(&self, global: GlobalId) -> bool {
        !self.escaping_globals.contains(&global) && !self.contended_globals.contains(&global)
    }
    /// Whether any number of threads go through an array, element by element.
    pub(crate) fn is_scanned(&self, global: GlobalId) -> bool {
        self.scanned_globals.contains(&global)
    }
    /// Whether a global keeps its initial value.
    pub(crate) fn is_constant_global(&self, global: GlobalId) -> bool {
        !self.escaping_globals.contains(&global) && !self.assigned_globals.contains(&global)
    }

    fn creates_single(&self, scan: &Scan) -> bool {
        scan.starts_statement || scan.creates_unknown || !scan.created.is_subset(&self.templates)
    }
    /// Whether threads that are told apart are created, or only such threads are joined: the handles of others are not known.
    fn is_threading(&self, scan: &Scan) -> bool {
        self.creates_single(scan) || (scan.joins && self.singles && self.templates.is_empty())
    }

    /// What a statement may change.
    pub(crate) fn changes(&self, unit: &Unit, stmt: &Stmt) -> Changes {
        let mut scan = Scan { takers: self.takers.clone(), ..Scan::default() };
        walk_stmt(stmt, &mut scan);
        let allocating =
            |id: &FunctionId| self.allocating.contains(id) || allocates(&unit.functions[id.0 as usize].name);
        let threading = self.is_threading(&scan) || scan.calls.iter().any(|id| self.threading.contains(id));
        Changes {
            threading,
            locals: scan.assigned_locals,
            globals: scan.assigned_globals,
            calls: !scan.calls.is_empty() || scan.calls_pointer,
            allocating: scan.calls.iter().any(allocating),
        }
    }
}

fn walk_global(init: &Init, scan: &mut Scan) {
    walk_init(init, scan);
}

/// The library's functions that are given functions to run. One that the file defines is a function like any other.
#[derive(Clone, Debug, Default)]
struct Takers {
    /// Those that make a thread run the argument at this position, at its start or at its end.
    starting: BTreeMap<FunctionId, usize>,
    /// Those of them that store a handle through their first argument.
    creating: BTreeSet<FunctionId>,
    /// Those that wait for a thread.
    joining: BTreeSet<FunctionId>,
    /// Those that run their second argument themselves.
    calling: BTreeSet<FunctionId>,
}

impl Takers {
    fn of(unit: &Unit) -> Takers {
        let mut takers = Takers::default();
        for (id, function) in (0u32..).map(FunctionId).zip(&unit.functions).filter(|(_, f)| f.body.is_none()) {
            let starting = match function.name.as_str() {
                "pthread_create" => Some(2),
                "thrd_create" | "pthread_key_create" | "tss_create" => Some(1),
                _ => None,
            };
            takers.starting.extend(starting.map(|position| (id, position)));
            if matches!(function.name.as_str(), "pthread_create" | "thrd_create") {
                takers.creating.insert(id);
            }
            if matches!(function.name.as_str(), "pthread_join" | "thrd_join") {
                takers.joining.insert(id);
            }
            if matches!(function.name.as_str(), "pthread_once" | "call_once") {
                takers.calling.insert(id);
            }
        }
        takers
    }
}

/// Forgets what functions of the C library do that are written in C, came with a header, and are never named.
fn forget_unused(unit: &Unit, scans: &mut [Scan], initialisers: &Scan) {
    let name = |id: FunctionId| unit.functions[id.0 as usize].name.as_str();
    let all: Vec<FunctionId> = (0u32..).map(FunctionId).take(scans.len()).collect();
    let mut used: BTreeSet<FunctionId> = all.iter().copied().filter(|id| !is_library_definition(name(*id))).collect();
    let mut work: Vec<FunctionId> = used.iter().copied().collect();
    let mut named: Vec<FunctionId> = initialisers.addressed.iter().copied().collect();
    loop {
        for id in named.drain(..) {
            let definition = unit.function(&definition_of(name(id)));
            work.extend([id].into_iter().chain(definition).filter(|id| used.insert(*id)));
        }
        let Some(id) = work.pop() else { break };
        let scan = &scans[id.0 as usize];
        named.extend(scan.calls.iter().chain(&scan.addressed));
    }
    for id in all.iter().filter(|id| !used.contains(id)) {
        scans[id.0 as usize] = Scan::default();
    }
}

fn is_threading(name: &str) -> bool {
    matches!(name, "pthread_create" | "pthread_join" | "thrd_create" | "thrd_join")
}

/// The functions that do something themselves, or call one that does.
fn callers(scans: &[Scan], does: &dyn Fn(&Scan) -> bool) -> HashSet<FunctionId> {
    let mut found: HashSet<FunctionId> = HashSet::new();
    loop {
        let before = found.len();
        for (index, scan) in (0u32..).zip(scans) {
            if does(scan) || scan.calls.iter().any(|id| found.contains(id)) {
                found.insert(FunctionId(index));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The local whose value an expression is, but for conversions.
fn local(expr: &Expr) -> Option<LocalId> {
    match uncast(expr) {
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The expression under conversions.
fn uncast(expr: &Expr) -> &ExprKind {
    match &expr.kind {
        ExprKind::Cast(inner) => uncast(inner),
        other => other,
    }
}

/// These functions, and all that they call.
fn reached(scans: &[Scan], start: &BTreeSet<FunctionId>, addressed: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
    let mut reached: BTreeSet<FunctionId> = BTreeSet::new();
    let mut work: Vec<FunctionId> = start.iter().copied().collect();
    while let Some(id) = work.pop() {
        if reached.insert(id) {
            let scan = &scans[id.0 as usize];
            work.extend(scan.calls.iter().copied());
            if scan.calls_pointer {
                work.extend(addressed);
            }
        }
    }
    reached
}
