//! How families scale: their members in order, and how much longer each takes than the one before.

use serde_json::{Value as Json, json};

use super::study::{Cell, Studied, Study};
use super::task::Configuration;

/// The members of a family.
pub struct Scaling<'a> {
    /// What tables call it.
    pub name: &'a str,
    /// The macro.
    pub parameter: &'a str,
    /// The members by value.
    pub members: Vec<(u64, &'a Studied)>,
}

/// How much longer a member takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// So many times.
    Times(f64),
    /// At least so many: it was not decided within the limit.
    AtLeast(f64),
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Growth::Times(factor) => write!(f, "x{factor:.1}"),
            Growth::AtLeast(factor) => write!(f, ">x{factor:.1}"),
        }
    }
}

impl Scaling<'_> {
    /// The growth from the member before this to this; nothing for the first, and where the one before was not decided.
    pub fn growth(&self, study: &Study, index: usize, configuration: &Configuration) -> Option<Growth> {
        let cell = |index: usize| study.cell(self.members.get(index)?.1, configuration);
        growth(cell(index.checked_sub(1)?)?, cell(index)?, study.header.timeout)
    }

    /// The family as an object.
    pub fn json(&self, study: &Study) -> Json {
        let of = |index: usize, configuration: &Configuration| {
            let cell = study.cell(self.members[index].1, configuration);
            let growth = self.growth(study, index, configuration);
            json!({
                "configuration": study.name(configuration),
                "verdict": cell.map(|cell| &cell.row.verdict),
                "seconds": cell.map(|cell| cell.row.seconds),
                "cpu_seconds": cell.map(|cell| cell.row.cpu_seconds),
                "megabytes": cell.and_then(|cell| cell.row.megabytes),
                "growth": growth.map(|growth| match growth { Growth::Times(factor) | Growth::AtLeast(factor) => factor }),
                "growth_is_at_least": matches!(growth, Some(Growth::AtLeast(_))),
            })
        };
        let member = |(index, (value, _)): (usize, &(u64, &Studied))| {
            let cells: Vec<Json> = study.configurations.iter().map(|c| of(index, c)).collect();
            json!({ "value": value, "cells": cells })
        };
        let members: Vec<Json> = self.members.iter().enumerate().map(member).collect();
        json!({ "name": self.name, "parameter": self.parameter, "members": members })
    }
}

fn growth(before: Cell, after: Cell, limit: f64) -> Option<Growth> {
    if !before.row.is_decided() || before.row.seconds <= 0.0 {
        return None;
    }
    match (after.row.is_decided(), after.row.short()) {
        (true, _) => Some(Growth::Times(after.row.seconds / before.row.seconds)),
        (false, "timeout") => Some(Growth::AtLeast(limit / before.row.seconds)),
        _ => None,
    }
}

/// All families, in the order of programs.
pub fn all(study: &Study) -> Vec<Scaling<'_>> {
    let mut all: Vec<Scaling> = Vec::new();
    for program in &study.programs {
        let Some(member) = &program.member else { continue };
        let known = all.iter_mut().find(|family| family.members.iter().any(|(_, other)| other.path == program.path));
        match known {
            Some(family) => family.members.push((member.value, program)),
            None => all.push(Scaling {
                name: &program.family,
                parameter: &member.parameter,
                members: vec![(member.value, program)],
            }),
        }
    }
    for family in &mut all {
        family.members.sort_by_key(|(value, _)| *value);
    }
    all
}
