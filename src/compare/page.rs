//! The study as one self-contained page: a table to sort, plots, and links to the pages of the runs.

use serde_json::{Value as Json, json};

use super::baseline;
use super::scaling;
use super::study::{Study, predicates, without_solver};

const PAGE: &str = include_str!("page.html");

/// The page.
pub fn text(study: &Study) -> String {
    let programs: Vec<Json> = study
        .programs
        .iter()
        .map(|program| {
            let cells: Vec<Json> = study
                .configurations
                .iter()
                .map(|configuration| {
                    let Some(cell) = study.cell(program, configuration) else { return Json::Null };
                    json!({
                        "verdict": cell.row.verdict,
                        "short": cell.row.short(),
                        "decided": cell.row.is_decided(),
                        "varies": cell.varies,
                        "seconds": cell.row.seconds,
                        "cpu": cell.row.cpu_seconds,
                        "megabytes": cell.row.megabytes,
                        "modular": cell.row.modular,
                        "refinements": cell.row.counter("refinements"),
                        "predicates": predicates(cell.row),
                        "states": cell.row.counter("states"),
                        "entailments": cell.row.counter("entailment_queries"),
                        "without": without_solver(cell.row),
                        "page": cell.row.page,
                        "message": cell.row.message,
                        "published": study.figure(&program.path, configuration),
                    })
                })
                .collect();
            json!({ "label": program.label, "path": program.path.display().to_string(), "cells": cells })
        })
        .collect();
    let totals: Vec<Json> = study
        .configurations
        .iter()
        .map(|configuration| {
            let total = study.total(configuration);
            json!([total.proved, total.refuted, total.undecided, total.seconds, total.refinements, total.predicates])
        })
        .collect();
    let data = json!({
        "study": study.header.json(),
        "configurations": study.configurations.iter().map(|c| study.name(c)).collect::<Vec<_>>(),
        "rules": study.configurations.iter().map(|c| &c.rule).collect::<Vec<_>>(),
        "ours": study.configurations.iter().map(|c| c.is_ours()).collect::<Vec<_>>(),
        "machine": study.header.machine.to_string(),
        "versus": baseline::all(study).iter().map(baseline::Versus::json).collect::<Vec<_>>(),
        "families": scaling::all(study).iter().map(|family| family.json(study)).collect::<Vec<_>>(),
        "published": study.configurations.iter().map(|c| study.has_figures(c)).collect::<Vec<_>>(),
        "sources": study.sources(),
        "programs": programs,
        "totals": totals,
        "differ": study.disagreements().iter().map(|(program, _)| program.label.clone()).collect::<Vec<_>>(),
    });
    // Inside a script element only `</` could end it, and `<!--` change how it is read.
    PAGE.replace("/*DATA*/null", &data.to_string().replace('<', "\\u003c"))
}
