//! A correctness witness put into the C text: invariants become assertions, ghosts become variables.

use std::cmp::Reverse;

use frontend::Loaded;
use frontend::source::{StatementKind, StatementPlace};

use super::harmless::{harmless, wide};
use super::passages::Passages;
use super::places::{Places, StatementId};
use super::{InvariantKind, Place, Witness};

/// The program in which every invariant of the witness is asserted; or what of the witness cannot be put into it.
///
/// An assertion and an update are one atomic step each with nothing, or with the statement they belong to. An update at a
/// statement of several steps is refused: which of the steps it goes with is not said. `loaded` is the program without fusion.
pub fn instrument(loaded: &Loaded, witness: &Witness) -> Result<String, String> {
    let Witness::Correctness { ghosts, updates, invariants } = witness else {
        return Err("it is a violation witness: threader check replays it".into());
    };
    let text = loaded.sources.text(0).ok_or("the program's text is gone")?;
    let places = Places::new(loaded);
    harmless(loaded, &places, ghosts, updates, invariants)?;
    let passages = Passages::new(Places::new(loaded));
    let mut edits = Edits { text, all: Vec::new() };
    for (id, statement) in places.statements().filter(|(_, s)| s.first.file == 0) {
        let here = |place: &Place| find(&places, place) == Some(id);
        let asserted: String = invariants
            .iter()
            .filter(|i| i.kind == InvariantKind::Location && here(&i.place))
            .map(|i| assertion(&i.value))
            .collect();
        let assigned: String =
            updates.iter().filter(|u| here(&u.place)).map(|u| format!("{} = ({}); ", u.variable, u.value)).collect();
        edits.around(&passages, id, statement, &asserted, &assigned)?;
        for invariant in invariants.iter().filter(|i| i.kind == InvariantKind::Loop && here(&i.place)) {
            let StatementKind::While(condition) = statement.kind else {
                return Err(format!(
                    "the loop in line {} is no while loop, which is not supported",
                    invariant.place.line
                ));
            };
            edits.insert(
                condition.line,
                condition.column,
                Side::Before,
                format!("({{ {}}}), ", assertion(&invariant.value)),
            );
        }
    }
    let lost = invariants.iter().map(|i| &i.place).chain(updates.iter().map(|u| &u.place));
    if let Some(place) = lost.into_iter().find(|place| find(&places, place).is_none()) {
        return Err(format!("there is no statement in line {}, column {}", place.line, place.column));
    }
    let declared: String = ghosts.iter().map(|g| format!("{} {} = ({});\n", wide(&g.ty), g.name, g.initial)).collect();
    let prefix = "extern void reach_error(void);\nextern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n";
    Ok(format!("{prefix}{declared}#line 1\n{}", edits.apply()?))
}

fn assertion(value: &str) -> String {
    format!("__VERIFIER_atomic_begin(); if (!({value})) reach_error(); __VERIFIER_atomic_end(); ")
}

/// The statement at a place: the outermost that begins there, or in the line if no column is given.
pub fn find(places: &Places<'_>, place: &Place) -> Option<StatementId> {
    let begins = |s: &StatementPlace| {
        s.kind != StatementKind::Compound
            && s.first.file == 0
            && s.first.line == place.line
            && (place.column == 0 || s.first.column == place.column)
    };
    places.statements().find(|(_, s)| begins(s)).map(|(id, _)| id)
}

struct Edits<'a> {
    text: &'a str,
    /// Offsets and what comes there. Statements are handled from the outermost to the innermost.
    all: Vec<(Option<usize>, Side, String)>,
}

/// On which side of a statement a text comes. Of those at one place, ends come before beginnings, those of inner statements first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    After,
    Before,
}

impl Edits<'_> {
    fn around(
        &mut self,
        passages: &Passages<'_>,
        id: StatementId,
        statement: &StatementPlace,
        asserted: &str,
        assigned: &str,
    ) -> Result<(), String> {
        if asserted.is_empty() && assigned.is_empty() {
            return Ok(());
        }
        let (first, last) = (statement.first, statement.last);
        if statement.kind == StatementKind::Declaration && assigned.is_empty() {
            self.insert(first.line, first.column, Side::Before, asserted.to_string());
            return Ok(());
        }
        let mut before = format!("{{ {asserted}");
        let mut after = " }".to_string();
        if !assigned.is_empty() {
            if !passages.is_at_most_one_access(id) {
                return Err(format!("the ghost update in line {} is at a statement of several steps", first.line));
            }
            before.push_str("__VERIFIER_atomic_begin(); ");
            after = format!(" {assigned}__VERIFIER_atomic_end(); }}");
        }
        self.insert(first.line, first.column, Side::Before, before);
        self.insert(last.line, last.column + 1, Side::After, after);
        Ok(())
    }

    fn insert(&mut self, line: u32, column: u32, side: Side, what: String) {
        self.all.push((self.offset(line, column), side, what));
    }

    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start: usize = self.text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
        let content = self.text.get(start..)?.lines().next()?;
        let mut starts = content.char_indices().map(|(at, _)| at).chain([content.len()]);
        starts.nth(column.checked_sub(1)? as usize).map(|at| start + at)
    }

    fn apply(self) -> Result<String, String> {
        let mut text = self.text.to_string();
        let mut all: Vec<_> = self.all.into_iter().enumerate().collect();
        all.sort_by_key(|(order, (at, side, _))| {
            let nested = if *side == Side::After { Reverse(*order) } else { Reverse(usize::MAX - order) };
            (*at, *side, nested)
        });
        for (_, (at, _, what)) in all.into_iter().rev() {
            let at = at.ok_or("a place of the witness is outside of the program")?;
            text.insert_str(at, &what);
        }
        Ok(text)
    }
}
