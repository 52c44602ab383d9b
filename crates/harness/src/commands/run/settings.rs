//! The settings of a run, by which `--resume` knows it again.

use measure::{Case, Checksum, Plan};
use serde_json::{Value, json};

/// Everything that the figures depend on, machine and build aside.
pub(super) fn of(cases: &[Case], plan: &Plan<'_>) -> Value {
    let case = |case: &Case| {
        json!({
            "input": case.input,
            "n": case.n,
            "seed": case.seed,
            "warmup": case.warmup,
            "frames": case.frames,
            "content": Checksum(case.content_hash()),
        })
    };
    let mut settings = json!({
        "cases": cases.iter().map(case).collect::<Vec<_>>(),
        "algorithms": plan.algorithms.iter().map(|row| row.id).collect::<Vec<_>>(),
        "threads": plan.threads,
        "repeat": plan.repeats,
        "order_seed": plan.order_seed,
        "budget_s": plan.budget.map(|budget| budget.as_secs_f64()),
    });
    // Only where somebody asks, so that runs of before are known again.
    if plan.events {
        settings["events"] = true.into();
    }
    settings
}
