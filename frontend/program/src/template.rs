//! Threads of which there may be any number.
//!
//! A template is written out as a few *copies*: threads that are equal up to the names of their own variables. The program's
//! runs are those with any number of instances, each of which behaves as a copy does, over the same globals. What a proof says
//! about some copies it says about any instances, by renaming: so a proof rule needs one copy more than its assertions speak of.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Bookkeeping, Init, Malformed, Owner, Program, Thread, ThreadId, Transition, Var, VarId, VarKind};
use crate::term::{Sort, Term, TermKind};

/// A thread of which there may be any number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The start function's name.
    pub name: String,
    /// The instances that are written out, two at least.
    pub copies: Vec<ThreadId>,
    /// By copy, the variable that holds its id, if ids matter: never written, at least [`FIRST_IDENTITY`], and no two alike.
    pub identities: Vec<VarId>,
}

/// The least id of an instance of a template. Ids of single threads are smaller.
pub const FIRST_IDENTITY: i128 = 1024;

/// Threads and their variables in the place of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    threads: BTreeMap<ThreadId, ThreadId>,
    vars: BTreeMap<VarId, VarId>,
}

impl Renaming {
    /// The thread in a thread's place.
    pub fn thread(&self, thread: ThreadId) -> ThreadId {
        self.threads.get(&thread).copied().unwrap_or(thread)
    }
    /// The variable in a variable's place.
    pub fn var(&self, var: VarId) -> VarId {
        self.vars.get(&var).copied().unwrap_or(var)
    }
    /// The term about the other threads.
    pub fn term(&self, term: Term) -> Term {
        if self.vars.is_empty() {
            return term;
        }
        term.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, sort) => Some(Term::var(self.var(*var), *sort)),
            TermKind::Primed(var, sort) => Some(Term::primed(self.var(*var), *sort)),
            _ => None,
        })
    }
    fn transition(&self, transition: &Transition) -> Transition {
        let mut renamed = transition.clone();
        renamed.inputs.iter_mut().for_each(|var| *var = self.var(*var));
        renamed.guard.iter_mut().for_each(|term| *term = self.term(*term));
        renamed.updates.iter_mut().for_each(|(var, value)| (*var, *value) = (self.var(*var), self.term(*value)));
        renamed.defined.iter_mut().for_each(|d| d.condition = self.term(d.condition));
        renamed
    }
}

impl Program {
    /// The program with some of its threads as copies of templates, if they are copies indeed.
    pub fn with_templates(mut self, templates: Vec<Template>) -> Result<Program, Malformed> {
        for (k, template) in templates.iter().enumerate() {
            let copies = templates[..k].iter().flat_map(|other| &other.copies);
            if copies.into_iter().any(|copy| template.copies.contains(copy)) {
                return Err(Malformed(format!("a copy of {} is one of another template", template.name)));
            }
            self.validate_template(template)
                .map_err(|what| Malformed(format!("the copies of {} differ: {what}", template.name)))?;
        }
        self.templates = templates;
        Ok(self)
    }

    /// The threads of which there may be any number.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The template that a thread is a copy of, and which copy.
    pub fn template_of(&self, thread: ThreadId) -> Option<(usize, usize)> {
        let copy = |template: &Template| template.copies.iter().position(|t| *t == thread);
        self.templates.iter().enumerate().find_map(|(index, template)| Some((index, copy(template)?)))
    }

    /// The template of which a step creates instances: it sets the bookkeeping variable that all steps from the entry wait for.
    pub fn created_by(&self, step: &Transition) -> Option<&Template> {
        let creates = |template: &&Template| {
            let first = self.thread(template.copies[0]);
            let opens = |(var, value): &(VarId, Term)| {
                let is_set = self.term(*var).eq_to(Term::int(1));
                *value == Term::int(1)
                    && self.var(*var).kind == VarKind::Control(Bookkeeping::Started)
                    && self.var(*var).owner == Owner::Global
                    && first.from(first.entry).all(|step| step.guard.contains(&is_set))
            };
            step.updates.iter().any(opens)
        };
        self.templates.iter().find(creates)
    }

    /// Whether any number of a template's instances start once one has been created, whatever the number of creations: no step
    /// takes back what they wait for at their entry. Otherwise each creation starts one.
    pub fn starts_any_number(&self, template: &Template) -> bool {
        let first = self.thread(template.copies[0]);
        let awaited: BTreeSet<VarId> = first
            .from(first.entry)
            .flat_map(Transition::reads)
            .filter(|var| self.var(*var).kind == VarKind::Control(Bookkeeping::Started))
            .collect();
        let takes_back = |(var, value): &(VarId, Term)| awaited.contains(var) && *value != Term::int(1);
        !self.threads().any(|(_, thread)| thread.transitions.iter().any(|step| step.updates.iter().any(takes_back)))
    }

    /// Copies in the place of other copies of the same template, with their variables and their locations: `location` says which
    /// variable stands for a thread's.
    pub fn renaming(&self, pairs: &[(ThreadId, ThreadId)], location: &dyn Fn(ThreadId) -> VarId) -> Renaming {
        let mut renaming = Renaming::default();
        for (from, to) in pairs.iter().filter(|(from, to)| from != to) {
            renaming.threads.insert(*from, *to);
            renaming.vars.extend(self.own_vars(*from).into_iter().zip(self.own_vars(*to)));
            renaming.vars.insert(location(*from), location(*to));
        }
        renaming
    }

    /// The program with this many copies of each template: as many as there are, or more.
    pub fn with_copies(&self, count: usize) -> Program {
        let mut program = self.clone();
        for index in 0..program.templates.len() {
            while program.templates[index].copies.len() < count {
                program.add_copy(index);
            }
        }
        program.find_conflicts();
        program
    }

    fn add_copy(&mut self, index: usize) {
        let first = self.templates[index].copies[0];
        let number = self.templates[index].copies.len() + 1;
        let id = ThreadId(crate::number::number(self.threads.len()));
        let own = self.own_vars(first);
        let mut renaming = Renaming::default();
        renaming.threads.insert(first, id);
        for var in &own {
            let mut copy = self.var(*var).clone();
            copy.owner = match copy.owner {
                Owner::Input(_) => Owner::Input(id),
                _ => Owner::Local(id),
            };
            copy.name = self.fresh_name(&copied_name(&copy.name, number));
            renaming.vars.insert(*var, VarId(crate::number::number(self.vars.len())));
            self.vars.push(copy);
        }
        let thread = self.thread(first);
        let copy = Thread {
            name: copied_name(&thread.name, number),
            transitions: thread.transitions.iter().map(|t| renaming.transition(t)).collect(),
            ..thread.clone()
        };
        self.threads.push(copy);
        let accesses = self.accesses[first.0 as usize].iter().map(|access| access.renamed(&renaming)).collect();
        self.accesses.push(accesses);
        self.waits.push(Vec::new());
        let template = &mut self.templates[index];
        template.copies.push(id);
        if let Some(identity) = template.identities.first() {
            template.identities.push(renaming.var(*identity));
        }
    }

    pub(crate) fn fresh_name(&self, wanted: &str) -> String {
        let taken: BTreeSet<&str> = self.vars.iter().map(|var| var.name.as_str()).collect();
        let mut name = wanted.to_string();
        while taken.contains(name.as_str()) {
            name.push('\'');
        }
        name
    }

    /// A thread's locals and inputs, in order.
    fn own_vars(&self, thread: ThreadId) -> Vec<VarId> {
        let own = |var: &Var| matches!(var.owner, Owner::Local(t) | Owner::Input(t) if t == thread);
        self.vars().filter(|(_, var)| own(var)).map(|(id, _)| id).collect()
    }

    fn validate_template(&self, template: &Template) -> Result<(), String> {
        let [first, others @ ..] = template.copies.as_slice() else { return Err("there are none".into()) };
        if others.is_empty() || template.copies.iter().any(|t| t.0 as usize >= self.threads.len()) {
            return Err("there must be two of them".into());
        }
        if !template.identities.is_empty() && template.identities.len() != template.copies.len() {
            return Err("some have an identity, some have not".into());
        }
        for (copy, identity) in template.copies.iter().zip(&template.identities) {
            if self.var(*identity).owner != Owner::Local(*copy) || self.var(*identity).sort != Sort::Int {
                return Err(format!("{} is not the identity of a copy", self.var(*identity).name));
            }
            if self.thread(*copy).transitions.iter().any(|t| t.update(*identity).is_some()) {
                return Err("an identity is written".into());
            }
            // That it is not less than the first, and another one for each, is taken for granted.
            if self.var(*identity).init != Init::Arbitrary || self.var(*identity).ty.greatest() < FIRST_IDENTITY {
                return Err("an identity cannot be that of any instance".into());
            }
        }
        for (k, copy) in others.iter().enumerate() {
            if copy == first || others[..k].contains(copy) {
                return Err("two of them are one".into());
            }
            self.validate_copy(*first, *copy)?;
        }
        let renamed = |copy: &ThreadId| {
            let renaming = self.renaming(&[(*first, *copy)], &|_| VarId(u32::MAX));
            template.identities.first().map(|identity| renaming.var(*identity))
        };
        if template.copies.iter().map(renamed).ne(template
            .copies
            .iter()
            .enumerate()
            .map(|(k, _)| template.identities.get(k).copied()))
        {
            return Err("their identities are different variables".into());
        }
        Ok(())
    }

    fn validate_copy(&self, first: ThreadId, copy: ThreadId) -> Result<(), String> {
        let (own, other) = (self.own_vars(first), self.own_vars(copy));
        let alike = |a: &VarId, b: &VarId| {
            let (a, b) = (self.var(*a), self.var(*b));
            let kind = std::mem::discriminant(&a.owner) == std::mem::discriminant(&b.owner);
            kind && (a.sort, a.ty, a.length, a.init) == (b.sort, b.ty, b.length, b.init)
        };
        if own.len() != other.len() || !own.iter().zip(&other).all(|(a, b)| alike(a, b)) {
            return Err("their variables".into());
        }
        let renaming = self.renaming(&[(first, copy)], &|_| VarId(u32::MAX));
        let (a, b) = (self.thread(first), self.thread(copy));
        let kinds = |thread: &Thread| thread.locations.iter().map(|l| l.kind).collect::<Vec<_>>();
        if a.entry != b.entry || kinds(a) != kinds(b) || a.transitions.len() != b.transitions.len() {
            return Err("their locations".into());
        }
        for (ours, theirs) in a.transitions.iter().zip(&b.transitions) {
            if !same_step(&renaming.transition(ours), theirs) {
                return Err(format!("their step at line {}", ours.span.line));
            }
        }
        Ok(())
    }
}

/// Whether two steps are the same but for the order of what they list.
fn same_step(a: &Transition, b: &Transition) -> bool {
    fn sorted<T: Ord + Clone>(items: &[T]) -> Vec<T> {
        let mut items = items.to_vec();
        items.sort();
        items
    }
    let defined = |t: &Transition| t.defined.iter().map(|d| d.condition).collect::<Vec<_>>();
    (a.source, a.target) == (b.source, b.target)
        && sorted(&a.inputs) == sorted(&b.inputs)
        && sorted(&a.guard) == sorted(&b.guard)
        && sorted(&a.updates) == sorted(&b.updates)
        && sorted(&defined(a)) == sorted(&defined(b))
}

/// `f#1` becomes `f#3`.
fn copied_name(name: &str, number: usize) -> String {
    match name.split_once("#1") {
        Some((before, after)) if !after.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{before}#{number}{after}")
        }
        _ => format!("{name}#{number}"),
    }
}
