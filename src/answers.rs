//! What was found of each claim.

use std::collections::{BTreeMap, BTreeSet};

use frontend::END_OF_MAIN;
use program::{Claim, ClaimId, Program, Property};
use rules::{Reason, Verdict, Visit, Visits};

use crate::input;
use crate::prove::Found;

/// All answers about a text, in the order in which they were found.
pub struct Answers {
    claims: Vec<Claim>,
    found: Vec<Found>,
    /// Why what was cut short was.
    stopped: String,
    /// Whether runs come to what is proved, if that was looked for.
    visits: Option<Visits>,
    /// What is asked for and not modelled, and why.
    refused: Vec<Refused>,
}

/// A part of what is asked for of which there is no program.
pub struct Refused {
    /// Which.
    pub properties: Vec<Property>,
    /// Why.
    pub reason: String,
}

/// More assertions than this that hold are counted, not listed.
const LISTED: usize = 8;

/// What is known of a claim.
pub enum Standing<'a> {
    /// It is proved.
    Holds(&'a Found),
    /// It is violated.
    Fails(&'a Found),
    /// Neither is known, and why.
    Undecided(String),
}

impl Standing<'_> {
    /// One word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Standing::Holds(_) => "true",
            Standing::Fails(_) => "false",
            Standing::Undecided(_) => "unknown",
        }
    }
}

impl Answers {
    /// No answer yet, and no claim.
    pub fn new() -> Answers {
        let (claims, found, refused) = (Vec::new(), Vec::new(), Vec::new());
        Answers { claims, found, stopped: "interrupted".into(), visits: None, refused }
    }

    /// There is no program for a part of what is asked for.
    pub fn refuse(&mut self, refused: Refused) {
        self.refused.push(refused);
    }

    /// What is asked for and not modelled.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// What it means that all claims are proved: `true`, or `unknown` and why, since something else is asked for as well.
    pub fn if_proved(&self) -> (&'static str, Option<&str>) {
        match self.refused.first() {
            None => ("true", None),
            Some(refused) => ("unknown", Some(&refused.reason)),
        }
    }

    /// One more answer. Claims that the text was not seen to make before are added: other ways to lower it come to other places.
    pub fn add(&mut self, found: Found) {
        let more = found.loaded.program.claims().iter();
        let known: Vec<ClaimId> = self.claims.iter().map(|claim| claim.id).collect();
        self.claims.extend(more.filter(|claim| !known.contains(&claim.id)).cloned());
        self.claims.sort_by_key(|claim| claim.id);
        self.found.push(found);
    }

    /// The answers are all there are, because of this if some are missing.
    pub fn close(&mut self, stopped: &str) {
        self.stopped = stopped.to_string();
    }

    /// The claims, each with what is known of it.
    pub fn standings(&self) -> impl Iterator<Item = (&Claim, Standing<'_>)> {
        self.claims.iter().map(|claim| (claim, self.standing(claim.id)))
    }

    fn standing(&self, id: ClaimId) -> Standing<'_> {
        let about = |found: &&Found| found.loaded.program.claim(id).is_some();
        let mut why = self.stopped.clone();
        for found in self.found.iter().filter(about) {
            match &found.outcome.verdict {
                Verdict::Unsafe(run) if run.violated() == Some(id) => return Standing::Fails(found),
                Verdict::Safe(_) => return Standing::Holds(found),
                Verdict::Unknown(reason) if *reason != Reason::Cancelled => why = reason.to_string(),
                Verdict::Unknown(_) => why.clone_from(&self.stopped),
                Verdict::Unsafe(run) if run.violated().is_none() => match run.doubtful() {
                    Some((claim, var)) if claim == id => {
                        why = format!("unsupported: {}", input::not_followed(&found.loaded.program, var));
                    }
                    Some(_) => {}
                    None => why = "unsupported".into(),
                },
                Verdict::Unsafe(_) => {}
            }
        }
        Standing::Undecided(why)
    }

    /// Notes whether runs come to what is proved.
    pub fn visit(&mut self, visits: Visits) {
        self.visits = Some(self.visits.take().map_or_else(|| visits.clone(), |known| known.and(&visits)));
    }

    /// Whether runs come to what is proved, if that was looked for.
    pub fn visits(&self) -> Option<&Visits> {
        self.visits.as_ref()
    }

    /// Whether runs come to a claim that is proved, if that was looked for. One about two threads has no place of its own.
    pub fn reach(&self, claim: &Claim) -> Option<Visit> {
        // What is claimed of two threads, or of all, is claimed of no place that a run could come to.
        let has_place = claim.id.other.is_none() && claim.id.property != Property::NoDeadlock;
        self.visits.as_ref().filter(|_| has_place).map(|visits| visits.of(claim.id))
    }

    /// Whether runs come to the end of main, and where it is, if that was looked for. Where a claim is violated runs were stopped there.
    pub fn end(&self) -> Option<(Visit, ClaimId)> {
        self.visits.as_ref().filter(|_| self.violated().is_none()).and_then(Visits::end)
    }

    /// The violated claims, in the order of the text.
    pub fn violations(&self) -> impl Iterator<Item = (&Claim, &Found)> {
        self.standings().filter_map(|(claim, standing)| match standing {
            Standing::Fails(found) => Some((claim, found)),
            _ => None,
        })
    }

    /// The violated property that was asked for first.
    pub fn violated(&self) -> Option<Property> {
        let violated: BTreeSet<Property> = self.violations().map(|(claim, _)| claim.id.property).collect();
        let asked = self.found.first().map_or(&[][..], |found| &found.loaded.properties);
        asked.iter().copied().find(|property| violated.contains(property)).or(violated.first().copied())
    }

    /// The answer that stands for all: the violation found first, whose run passes no other; else why not all is proved; else the
    /// proof.
    pub fn head(&self) -> Option<&Found> {
        let violates =
            |found: &&Found| matches!(&found.outcome.verdict, Verdict::Unsafe(run) if run.violated().is_some());
        let violation = self.found.iter().find(violates);
        let undecided = || self.found.iter().find(|found| self.leaves_open(found));
        violation.or_else(undecided).or(self.proofs().map(|(found, _)| found).next()).or(self.found.last())
    }

    /// Whether an answer is none about something of which there is no other either.
    fn leaves_open(&self, found: &Found) -> bool {
        let claims = found.loaded.program.claims();
        let is_open = |claim: &Claim| matches!(self.standing(claim.id), Standing::Undecided(_));
        !matches!(found.outcome.verdict, Verdict::Safe(_)) && (claims.is_empty() || claims.iter().any(is_open))
    }

    /// The proofs of those claims that hold: one for each part of what is asked for, or more where claims were proved one by one.
    pub fn proofs(&self) -> impl Iterator<Item = (&Found, &check::Proof)> {
        self.found.iter().filter_map(|found| match &found.outcome.verdict {
            Verdict::Safe(proof) => Some((found, proof)),
            _ => None,
        })
    }

    /// The proofs, to be made smaller: which, and the program that it is about.
    pub fn minimisable(&self) -> Vec<(usize, Program, check::Proof)> {
        let proof = |(which, found): (usize, &Found)| match &found.outcome.verdict {
            Verdict::Safe(proof) => Some((which, found.loaded.program.clone(), proof.clone())),
            _ => None,
        };
        self.found.iter().enumerate().filter_map(proof).collect()
    }

    /// Puts another proof of the same claims in the place of one.
    pub fn replace_proof(&mut self, which: usize, smaller: check::Proof) {
        if let Some(found) = self.found.get_mut(which) {
            found.outcome.verdict = Verdict::Safe(smaller);
        }
    }

    /// Why what was cut short was.
    pub fn why_stopped(&self) -> &str {
        &self.stopped
    }

    /// One line for each claim. Those that hold are counted where they are many, as those that something is defined always are.
    pub fn text(&self) -> String {
        let Some(program) = self.found.first().map(|found| &found.loaded.program) else { return String::new() };
        let mut text = String::new();
        let mut holding: BTreeMap<Property, Vec<&Claim>> = BTreeMap::new();
        for (claim, _) in self.standings().filter(|(_, standing)| matches!(standing, Standing::Holds(_))) {
            holding.entry(claim.id.property).or_default().push(claim);
        }
        holding.retain(|property, claims| *property != Property::UnreachCall || claims.len() > LISTED);
        for (claim, standing) in self.standings() {
            let known = match &standing {
                Standing::Holds(_) if holding.contains_key(&claim.id.property) => continue,
                Standing::Undecided(why) => format!("unknown ({why})"),
                Standing::Holds(_) => match self.reach(claim) {
                    Some(reach) => format!("true, {reach}"),
                    None => "true".into(),
                },
                Standing::Fails(_) => standing.word().to_string(),
            };
            text += &format!("  {}: {}: {known}\n", self.place(program, claim), claim.what);
        }
        text.extend(holding.iter().map(|(property, claims)| self.counted(*property, claims)));
        for Refused { properties, reason } in &self.refused {
            properties.iter().for_each(|property| text += &format!("  {property}: unknown ({reason})\n"));
        }
        if let Some((reach, end)) = self.end().filter(|(reach, _)| *reach != Visit::Reached) {
            text += &format!("  {}: {END_OF_MAIN}: {reach}\n", program.place(end.span));
        }
        if text.is_empty() { text } else { format!("claims:\n{text}") }
    }

    /// How many claims of a property hold, and how many of them no run was found to come to.
    fn counted(&self, property: Property, claims: &[&Claim]) -> String {
        let number = claims.len();
        let visits: Vec<Visit> = claims.iter().filter_map(|claim| self.reach(claim)).collect();
        let reached = visits.iter().filter(|visit| **visit == Visit::Reached).count();
        let told = match (visits.len(), reached) {
            (0, _) => String::new(),
            (all, reached) if all == reached && all == number => ", reached".into(),
            (_, reached) => format!(", {reached} of them reached"),
        };
        let claims = if number == 1 { "1 claim".into() } else { format!("{number} claims") };
        format!("  {property}: {claims}: true{told}\n")
    }

    /// Where a claim is: with the column if there are others in its line.
    fn place(&self, program: &Program, claim: &Claim) -> String {
        let line = |claim: &Claim| (claim.id.property, claim.id.span.file, claim.id.span.line);
        let alone = self.claims.iter().filter(|other| line(other) == line(claim)).count() == 1;
        let place = program.place(claim.id.span);
        if alone { place } else { format!("{place}:{}", claim.id.span.column) }
    }
}
