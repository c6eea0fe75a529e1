//! Which statement a location of the Program stands before, and which statement a step carries out.

use frontend::Loaded;
use frontend::source::{StatementKind, StatementPlace};
use program::{LocationId, LocationKind, Program, Span, ThreadId, Transition};

/// A statement: an index into [`Loaded::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatementId(pub usize);

/// Statements of locations and steps.
pub struct Places<'a> {
    loaded: &'a Loaded,
    /// By thread and location: the statement that runs next.
    at: Vec<Vec<Option<StatementId>>>,
    /// By thread and transition: the statement of the shared access.
    of: Vec<Vec<Option<StatementId>>>,
}

impl<'a> Places<'a> {
    /// Finds the statements of a program.
    pub fn new(loaded: &'a Loaded) -> Places<'a> {
        let find = |span: Span| innermost(&loaded.statements, span);
        let threads = || loaded.program.threads().map(|(_, thread)| thread);
        let at = threads().map(|t| {
            let next = |l: &program::Location| if l.kind == LocationKind::Plain { find(l.span) } else { None };
            t.locations.iter().map(next).collect()
        });
        let of = threads().map(|t| t.transitions.iter().map(|step| find(step.span)).collect());
        Places { loaded, at: at.collect(), of: of.collect() }
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        &self.loaded.program
    }
    /// The main file's text.
    pub fn text(&self) -> &'a str {
        self.loaded.sources.text(0).unwrap_or("")
    }
    /// A statement's place.
    pub fn statement(&self, id: StatementId) -> &'a StatementPlace {
        &self.loaded.statements[id.0]
    }
    /// All statements.
    pub fn statements(&self) -> impl Iterator<Item = (StatementId, &'a StatementPlace)> {
        (0..).map(StatementId).zip(&self.loaded.statements)
    }

    /// The statement that a thread at this location carries out next.
    pub fn next(&self, thread: ThreadId, location: LocationId) -> Option<StatementId> {
        *self.at.get(thread.0 as usize)?.get(location.0 as usize)?
    }
    /// The statement whose shared access a step is.
    pub fn carried_out(&self, thread: ThreadId, transition: usize) -> Option<StatementId> {
        *self.of.get(thread.0 as usize)?.get(transition)?
    }

    /// The steps of all threads, each with its statement.
    pub fn steps(&self) -> impl Iterator<Item = (ThreadId, usize, &'a Transition)> {
        self.program()
            .threads()
            .flat_map(|(id, t)| t.transitions.iter().enumerate().map(move |(k, step)| (id, k, step)))
    }

    /// Whether a location is in the middle of its statement: only steps of the same statement lead there.
    pub fn is_inside(&self, thread: ThreadId, location: LocationId) -> bool {
        let t = self.program().thread(thread);
        let Some(statement) = self.next(thread, location) else { return false };
        let mut coming = t.transitions.iter().filter(|step| step.target == location).peekable();
        location != t.entry
            && coming.peek().is_some()
            && coming.all(|step| self.next(thread, step.source) == Some(statement))
    }

    /// Whether the text has the statement where it is said to be: not if a macro stands for it.
    pub fn is_in_text(&self, statement: StatementId) -> bool {
        let last = self.statement(statement).last;
        let line = self.loaded.sources.line(last).filter(|_| last.file == 0).unwrap_or("");
        matches!(line.chars().nth(last.column.saturating_sub(1) as usize), Some(';' | '}'))
    }

    /// The lines of a statement.
    pub fn text_of(&self, statement: StatementId) -> String {
        let place = self.statement(statement);
        let (first, last) = (place.first.line.max(1) as usize, place.last.line as usize);
        self.text().lines().skip(first - 1).take((last + 1).saturating_sub(first)).collect()
    }

    /// Whether a statement may come after itself: then where it begins again looks like its middle.
    fn is_repeated(&self, statement: StatementId) -> bool {
        let place = self.statement(statement);
        let is_loop = |s: &StatementPlace| matches!(s.kind, StatementKind::While(_) | StatementKind::OtherLoop);
        let jumps = || self.loaded.sources.text(0).is_none_or(|text| text.contains("goto"));
        let mut around = self.loaded.statements.iter().filter(|s| is_loop(s) && s.contains(place.first));
        around.any(|s| s.first != place.first) || jumps()
    }

    /// The locations from which a statement begins, and others where that cannot be told. None if it is not known: a step carries
    /// it out that began elsewhere.
    pub fn begins(&self, statement: StatementId) -> Option<Vec<(ThreadId, LocationId)>> {
        let elsewhere = self.steps().any(|(thread, k, step)| {
            self.carried_out(thread, k) == Some(statement) && self.next(thread, step.source) != Some(statement)
        });
        if elsewhere {
            return None;
        }
        let all = self.program().threads().flat_map(|(id, t)| t.locations().map(move |(l, _)| (id, l)));
        let repeated = self.is_repeated(statement);
        let begins = |(id, l): &(ThreadId, LocationId)| {
            self.next(*id, *l) == Some(statement) && (repeated || !self.is_inside(*id, *l))
        };
        Some(all.filter(begins).collect())
    }

    /// Whether a statement is carried out in one step, whoever does it.
    pub fn is_one_step(&self, statement: StatementId) -> bool {
        let inside = |(id, l): (ThreadId, LocationId)| self.next(id, l) == Some(statement) && self.is_inside(id, l);
        let mut all = self.program().threads().flat_map(|(id, t)| t.locations().map(move |(l, _)| (id, l)));
        self.statement(statement).kind == StatementKind::Expression
            && self.is_in_text(statement)
            && self.begins(statement).is_some()
            && !all.any(inside)
    }
}

/// The innermost statement around a place in the main file; blocks do not count.
pub fn innermost(statements: &[StatementPlace], span: Span) -> Option<StatementId> {
    let mut around = statements.iter().enumerate().filter(|(_, s)| span.file == 0 && s.contains(span));
    // Those inside come after those around them.
    let (index, found) = around.next_back()?;
    (found.kind != StatementKind::Compound).then_some(StatementId(index))
}
