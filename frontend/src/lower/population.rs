//! Threads of which there may be any number: how a function that is created again and again becomes threads.
//!
//! For a proof about all of them (`Population::Templates`) two equal copies of the function are lowered. Two, so that every
//! analysis sees that an instance runs at the same time as others of its kind. One flag for all copies says that instances may
//! start; if they are given different arguments, a mailbox hands one argument to one instance: its creator waits until the mailbox
//! is empty, which hides nothing, as the instance can take its argument at once in every execution.
//!
//! That flag once set, any number of instances start, created or not. Where that is too many (`Population::Exact`), the flag is always
//! taken back, so that one instance starts for each creation, and how many have ended that nobody has joined is counted, so that a
//! join waits for one of them. Each is joined once at most: so there is always one to wait for when the real one has ended.
//!
//! For counterexamples (`Population::Bounded`) there are so many threads and no more: a counter says which is the next, and who would
//! create one more waits for ever. What such a program does, the real one can do. Where the creator must go on (`Population::Sparse`), any
//! number of threads are created that never move, as a schedule may have it, and which do is a choice: a run with very many threads costs
//! what those cost that move. Each has a handle of its own; who joins one waits for ever.

use std::ops::RangeInclusive;

use program::{Bookkeeping, FIRST_IDENTITY, Init, IntType, Need, Population, Term, VarId, VarKind};

use super::build::ThreadBuilder;
use super::{Argument, Config, Instance, InstanceControl, Signal};
use crate::cfg::{NodeId, NodeKind, Step};
use crate::hir::{FunctionId, Passed};
use crate::memory::{Named, ObjectId, Storage};

/// The threads that run one function of which there may be any number.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) function: FunctionId,
    /// Their numbers.
    pub(crate) members: Vec<usize>,
    /// How many have been created, if they are counted.
    created: Option<VarId>,
    /// How many have been created that never move, if there are such.
    pub(crate) idle: Option<VarId>,
    /// What the handles of those that are not counted point to.
    pub(crate) handles: Option<ObjectId>,
}

/// Copies of a template that are lowered.
const COPIES: usize = 2;

/// The type of ids: they fit into handles and into the state of locks.
const IDENTITY: IntType = IntType::new(31, false);

/// So that a handle tells which function its thread runs, those of each function are a range of so many bits of their own.
const RANGE: u32 = 24;
/// More functions than this have no ranges.
const RANGES: usize = 1 << (IDENTITY.bits - 1 - RANGE);

impl ThreadBuilder<'_, '_> {
    /// The threads that run the function, if there may be any number of them.
    pub(super) fn family_of(&mut self, function: FunctionId) -> Option<usize> {
        if !self.low.config.templates.contains(&function) {
            return None;
        }
        let known = self.low.families.iter().position(|family| family.function == function);
        Some(known.unwrap_or_else(|| self.found_family(function)))
    }

    /// The family that the thread belongs to.
    pub(super) fn own_family(&self) -> Option<usize> {
        self.low.families.iter().position(|family| family.members.contains(&self.number))
    }

    /// Whether the thread stands for any number of threads.
    pub(super) fn is_copy(&self) -> bool {
        self.low.config.population.has_templates() && self.own_family().is_some()
    }

    /// The number under which a thread keeps its share of a lock: one for all copies of a template.
    pub(super) fn shared_number(&self) -> usize {
        match self.own_family() {
            Some(family) if self.is_copy() => self.low.families[family].members[0],
            _ => self.number,
        }
    }

    fn found_family(&mut self, function: FunctionId) -> usize {
        let first = self.low.instances.len();
        let family = match self.low.config.population {
            Population::Bounded(count) | Population::Sparse(count) => {
                let created = self.control_flag("created", function, None, IntType::new(32, true));
                for number in first..first + count {
                    self.add_counted(function, number);
                }
                let sparse = matches!(self.low.config.population, Population::Sparse(_))
                    && may_idle(self.low.config)
                    && self.low.families.len() < RANGES;
                let idle = sparse.then(|| self.control_flag("idle", function, None, IntType::new(32, true)));
                let handles = sparse.then(|| self.uncounted_handles(function));
                Family { function, members: (first..first + count).collect(), created: Some(created), idle, handles }
            }
            Population::Each | Population::Templates | Population::Exact => {
                let handles = self.uncounted_handles(function);
                self.add_copies(function, first, handles);
                let members = (first..first + COPIES).collect();
                Family { function, members, created: None, idle: None, handles: Some(handles) }
            }
        };
        self.low.families.push(family);
        self.low.families.len() - 1
    }

    /// What handles of a function's threads point to that are not told apart one by one.
    fn uncounted_handles(&mut self, function: FunctionId) -> ObjectId {
        let name = format!("handles({})", self.low.unit.functions[function.0 as usize].name);
        let named = Named { name: &name, span: self.span, kind: VarKind::Control(Bookkeeping::Other), private: false };
        self.low.memory.identify(Storage::Threads, &named, 0)
    }

    /// A variable for bookkeeping about a function's threads, or about the one with this id.
    pub(super) fn control_flag(&mut self, what: &str, function: FunctionId, id: Option<i128>, ty: IntType) -> VarId {
        let function = &self.low.unit.functions[function.0 as usize].name;
        let name = match id {
            Some(id) => format!("{what}({function}.{id})"),
            None => format!("{what}({function})"),
        };
        let kept = match what {
            "started" | "full" => Bookkeeping::Started,
            "ended" => Bookkeeping::Ended,
            _ => Bookkeeping::Other,
        };
        let named = Named { name: &name, span: self.span, kind: VarKind::Control(kept), private: false };
        self.low.memory.scalar(&named, ty, Init::Value(Term::int(0)))
    }

    fn add_copies(&mut self, function: FunctionId, first: usize, handles: ObjectId) {
        let word = self.low.memory.pointer_type();
        let bit = IntType::new(1, false);
        let exact = self.low.config.population == Population::Exact;
        let (started, signal, argument) = match self.passed(function) {
            Some(argument) if !exact => {
                (self.control_flag("started", function, None, bit), Signal::Stays, Argument::Constant(argument))
            }
            passed => {
                let full = self.control_flag("full", function, None, bit);
                let given = |this: &mut Self| Argument::Given(this.control_flag("argument", function, None, word));
                (full, Signal::Taken, passed.map_or_else(|| given(self), Argument::Constant))
            }
        };
        let unjoined = (exact && self.low.facts.joins)
            .then(|| self.control_flag("unjoined", function, None, IntType::new(32, true)));
        let name = self.low.unit.functions[function.0 as usize].name.clone();
        let creator = self.low.memory.home;
        for copy in 0..COPIES {
            self.low.memory.home = Some(first + copy);
            let named = Named {
                name: &format!("id({name}#{})", copy + 1),
                span: self.span,
                kind: VarKind::Control(Bookkeeping::Other),
                private: true,
            };
            let id = self.low.memory.scalar(&named, IDENTITY, Init::Arbitrary);
            let result = self.temporary(word, "result");
            let control = InstanceControl { started, signal, argument, result, ended: None, unjoined };
            let id = self.low.memory.term(id);
            let handle = self.low.memory.address_of(handles).add(id);
            self.add_instance(function, (id, handle), control);
        }
        self.low.memory.home = creator;
    }

    fn add_counted(&mut self, function: FunctionId, number: usize) {
        let word = self.low.memory.pointer_type();
        let bit = IntType::new(1, false);
        let id = number as i128 + 1;
        let argument = match self.passed(function) {
            Some(argument) => Argument::Constant(argument),
            None => Argument::Given(self.control_flag("argument", function, Some(id), word)),
        };
        let control = InstanceControl {
            started: self.control_flag("started", function, Some(id), bit),
            signal: Signal::Stays,
            argument,
            result: self.control_flag("result", function, Some(id), word),
            ended: Some(self.control_flag("ended", function, Some(id), bit)),
            unjoined: None,
        };
        let handle = self.low.thread_handle(function, id);
        self.add_instance(function, (Term::int(id), handle), control);
    }

    fn add_instance(&mut self, function: FunctionId, (id, handle): (Term, Term), control: InstanceControl) {
        let span = self.low.unit.functions[function.0 as usize].span;
        let (control, creator) = (Some(control), Some(self.number));
        self.low.instances.push(Instance { function, id, handle, control, fragment: None, span, creator });
    }

    /// The argument of all threads that run the function, if it is always the same. Before that is known anything will do: the
    /// lowering is repeated.
    fn passed(&self, function: FunctionId) -> Option<Term> {
        match self.low.unit.sync.passed.get(&function) {
            Some(Passed::Same(argument)) => Some(*argument),
            Some(Passed::Various) => None,
            None => Some(Term::int(0)),
        }
    }

    fn note_argument(&mut self, function: FunctionId, argument: Term) {
        // A thread whose own argument is not known yet passes on what does not count.
        let own = self.own_family().map(|family| self.low.families[family].function);
        if own.is_some_and(|own| !self.low.unit.sync.passed.contains_key(&own)) {
            return;
        }
        let various = self.low.unit.sync.passed.get(&function) == Some(&Passed::Various) || !self.is_constant(argument);
        let now = if various { Passed::Various } else { Passed::Same(argument) };
        let found = self.low.found.passed.entry(function).or_insert(now);
        if *found != now {
            *found = Passed::Various;
        }
    }

    /// Starts one more thread of a family, and gives its handle.
    pub(super) fn start_member(&mut self, family: usize, argument: Term) -> Option<Term> {
        if !self.is_live() {
            return None;
        }
        let Family { function, members, created, .. } = self.low.families[family].clone();
        self.note_argument(function, argument);
        match created {
            Some(created) => self.start_next(family, &members, created, argument),
            None => self.start_any(family, &members, argument),
        }
    }

    /// From now on instances may start, or one more may.
    fn start_any(&mut self, family: usize, members: &[usize], argument: Term) -> Option<Term> {
        let control = self.low.instances[*members.first()?].control.clone()?;
        let started = self.low.memory.term(control.started);
        // Any id of an instance; an assumption would be a place at which the creator can wait.
        let (first, bits) = match control.unjoined {
            Some(_) if family >= RANGES => {
                self.unsupported("joining threads of any number that run so many functions");
                return None;
            }
            Some(_) => (*handles(family).start(), RANGE),
            None => (FIRST_IDENTITY, IDENTITY.bits - 1),
        };
        let chosen = self.havoc(IntType::new(bits, false), "handle");
        let handle = self.temporary(IDENTITY, "handle");
        let all = self.low.memory.address_of(self.low.families[family].handles?);
        self.emit(Step::Assign(handle, all.add(chosen).add(Term::int(first))));
        self.emit(Step::AtomicBegin);
        if control.signal == Signal::Taken {
            self.emit(Step::Assume(started.eq_to(Term::int(0))));
        }
        if let Argument::Given(place) = control.argument {
            self.emit(Step::Assign(place, argument));
        }
        let site = self.emit(Step::Assign(control.started, Term::int(1)))?;
        self.emit(Step::AtomicEnd);
        members.iter().for_each(|member| self.note_site(*member, site));
        Some(self.low.memory.term(handle))
    }

    /// Starts the first one that has not been started yet, or creates one that never moves; waits for ever if there is neither.
    fn start_next(&mut self, family: usize, members: &[usize], created: VarId, argument: Term) -> Option<Term> {
        let count = self.temporary(IntType::new(32, true), "created");
        let handle = self.temporary(self.low.memory.pointer_type(), "handle");
        let (done, never) = (self.label(), self.label());
        let idle = self.low.families[family].idle.zip(self.low.families[family].handles);
        let moves = idle.map(|_| self.either());
        self.emit(Step::AtomicBegin);
        if let Some(moves) = moves {
            let slots = self.label();
            self.branch(moves, slots, never);
            self.land(slots);
        }
        self.emit(Step::Assign(count, self.low.memory.term(created)));
        for (before, member) in (0i128..).zip(members) {
            let Some(control) = self.low.instances[*member].control.clone() else { continue };
            let (here, next) = (self.label(), self.label());
            self.branch(self.low.memory.term(count).eq_to(Term::int(before)), here, next);
            self.land(here);
            if let Argument::Given(place) = control.argument {
                self.emit(Step::Assign(place, argument));
            }
            let site = self.emit(Step::Assign(control.started, Term::int(1)))?;
            self.note_site(*member, site);
            self.emit(Step::Assign(created, Term::int(before + 1)));
            self.emit(Step::Assign(handle, self.low.instances[*member].handle));
            self.jump(done);
            self.land(next);
        }
        match idle {
            Some((idle, handle_object)) => {
                self.land(never);
                let before = self.low.memory.term(idle);
                let (all, first) = (self.low.memory.address_of(handle_object), Term::int(*handles(family).start()));
                self.emit(Step::Assume(before.lt(Term::int(1 << RANGE))));
                self.emit(Step::Assign(handle, all.add(first).add(before)));
                self.emit(Step::Assign(idle, before.add(Term::int(1))));
            }
            None => self.finish(NodeKind::Stuck),
        }
        self.land(done);
        self.emit(Step::AtomicEnd);
        Some(self.low.memory.term(handle))
    }

    /// Notes that control at the node starts a thread.
    pub(super) fn note_site(&mut self, member: usize, site: NodeId) {
        self.low.sites.push((member, (self.number, site)));
    }
}

/// Whether threads may be left out that never move: what is asked for must be violated whatever they could have done.
fn may_idle(config: &Config) -> bool {
    // What a thread would have found among its arguments is not lost, and whom it would have woken is not stuck.
    config.properties.iter().all(|property| !matches!(property.need(), Need::Chains | Need::Waits))
}

/// The handles of a family's threads, where handles tell that.
pub(crate) fn handles(family: usize) -> RangeInclusive<i128> {
    let first = FIRST_IDENTITY + ((family as i128) << RANGE);
    first..=first + (1 << RANGE) - 1
}

impl super::Lowering<'_> {
    /// Gives the objects of the copies of a template the same addresses: the copies are the same thread up to names.
    pub(super) fn align_copies(&mut self) {
        if !self.config.population.has_templates() {
            return;
        }
        for family in &self.families {
            let [first, others @ ..] = family.members.as_slice() else { continue };
            for other in others {
                self.memory.align(*first, *other);
            }
        }
    }
}
