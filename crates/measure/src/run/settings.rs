//! The settings of a run, as `machine.json` has them.

use super::plan::Plan;
use crate::input::{Case, InputError};
use crate::program::Program;
use crate::rows::{Checksum, Seed};
use crate::stages::{Method, Stages};
use narrowphase::BoxKind;
use serde_json::{Value, json};

/// The settings of cases, for `machine.json`.
///
/// # Errors
///
/// If a trace cannot be read.
pub fn case_settings<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Result<Value, InputError> {
    let settings = |case: &Case| {
        let mut settings = json!({
            "input": case.input,
            "n": case.n,
            "seed": case.seed.map(Seed),
            "warmup": case.warmup,
            "frames": case.frames,
            "content": Checksum(case.content_hash()?),
        });
        if case.box_kind != BoxKind::Tight {
            settings["box_kind"] = case.box_kind.id().into();
        }
        Ok(settings)
    };
    cases.into_iter().map(settings).collect()
}

/// Everything that the figures of a run depend on, machine and build aside, for `machine.json`.
///
/// # Errors
///
/// If a trace or a program cannot be read.
pub fn run_settings(cases: &[Case], plan: &Plan<'_>) -> Result<Value, InputError> {
    let mut settings = json!({
        "cases": case_settings(cases)?,
        "algorithms": plan.algorithms.iter().map(|entry| entry.id).collect::<Vec<_>>(),
        "threads": plan.threads,
        "repeat": plan.repeats,
        "order_seed": Seed(plan.order_seed),
        "budget_s": plan.budget.map(|budget| budget.as_secs_f64()),
    });
    // Left out unless asked for, so that runs of earlier versions can be resumed.
    if plan.events {
        settings["events"] = true.into();
    }
    if cases.iter().any(Case::has_bodies) {
        match plan.stages {
            None => {}
            Some(Stages::Chain { volume, narrow }) => {
                settings["stages"] = json!({ "volume": volume.id, "narrow": narrow.id });
            }
            Some(Stages::Each(methods)) => {
                let name = |method: &Method| format!("{} {}", method.stage(), method.name());
                settings["stages"] = methods.iter().map(name).collect();
            }
        }
    }
    if !plan.programs.is_empty() {
        let program = |program: &Program| {
            Ok(json!({ "id": program.id(), "content": Checksum(program.content_hash()?) }))
        };
        let programs = plan.programs.iter().map(program).collect::<Result<Vec<_>, InputError>>()?;
        settings["programs"] = programs.into();
    }
    Ok(settings)
}
