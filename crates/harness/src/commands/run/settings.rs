//! The settings of a run, by which `--resume` recognises it.

use measure::{Case, Checksum, InputError, Plan, Program};
use serde_json::{Value, json};

/// Everything that the figures depend on, machine and build aside.
pub(in crate::commands) fn of(cases: &[Case], plan: &Plan<'_>) -> Result<Value, InputError> {
    let case = |case: &Case| {
        Ok(json!({
            "input": case.input,
            "n": case.n,
            "seed": case.seed,
            "warmup": case.warmup,
            "frames": case.frames,
            "content": Checksum(case.content_hash()?),
        }))
    };
    let mut settings = json!({
        "cases": cases.iter().map(case).collect::<Result<Vec<_>, InputError>>()?,
        "algorithms": plan.algorithms.iter().map(|row| row.id).collect::<Vec<_>>(),
        "threads": plan.threads,
        "repeat": plan.repeats,
        "order_seed": plan.order_seed,
        "budget_s": plan.budget.map(|budget| budget.as_secs_f64()),
    });
    // Left out unless asked for, so that runs of earlier versions can be resumed.
    if plan.events {
        settings["events"] = true.into();
    }
    if let Some(stages) = plan.stages.filter(|_| cases.iter().any(Case::has_bodies)) {
        settings["stages"] = json!({ "volume": stages.volume.id, "narrow": stages.narrow.id });
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
