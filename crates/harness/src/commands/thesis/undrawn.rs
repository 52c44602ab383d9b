//! E2, E3 and E7: measured by the library, as `harness run` does.

use super::experiments::{ALGORITHMS, BuiltIn, Experiment, FER, RANDOM, varied};
use super::names;
use super::plan::Plan;
use crate::failure::Failure;
use broadphase::Algorithm;
use measure::{
    Case, Instruments, Machine, Output, Plan as CasePlan, RunId, Status, Watch, available_memory,
    measure_case_watched,
};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Seed of the order of measuring.
const ORDER_SEED: u64 = 1739;

/// What measuring takes.
pub(super) struct Bench<'a> {
    pub(super) run_id: &'a RunId,
    pub(super) machine: &'a Machine,
    pub(super) instruments: Instruments<'a>,
    /// Where the folders of the experiments go.
    pub(super) folder: &'a Path,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

/// Measures the experiments that draw nothing.
pub(super) fn measure(
    plan: &Plan,
    bench: &Bench<'_>,
    progress: &dyn Fn(&str),
    faults: &mut Vec<String>,
) -> Result<(), Failure> {
    let over_n = |name: &str, built_in: BuiltIn, warmup: u32| -> Result<Vec<Case>, Failure> {
        let numbers = plan.numbers.iter();
        numbers.map(|&n| Ok(case(name, built_in.scene(Some(n))?, warmup, plan))).collect()
    };
    let random = over_n(names::RANDOM, RANDOM, plan.warmup)?;
    let fer = over_n(names::FER, FER, plan.fer_warmup)?;
    let varied = varied(plan.varied_number)?;
    let varied: Vec<Case> =
        varied.into_iter().map(|(name, scene)| case(&name, scene, plan.warmup, plan)).collect();
    for (experiment, cases) in
        [(Experiment::Random, random), (Experiment::Fer, fer), (Experiment::SpeedAndSize, varied)]
    {
        run(experiment, &cases, plan, bench, progress, faults)?;
    }
    Ok(())
}

fn case(name: &str, scene: sim::Scene, warmup: u32, plan: &Plan) -> Case {
    Case::of_scene(name, scene, warmup, plan.frames)
}

fn run(
    experiment: Experiment,
    cases: &[Case],
    plan: &Plan,
    bench: &Bench<'_>,
    progress: &dyn Fn(&str),
    faults: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut output = Output::create(&bench.folder.join(experiment.folder()), true, bench.machine)?;
    let algorithms: Vec<&Algorithm> =
        ALGORITHMS.iter().filter_map(|id| broadphase::find(id)).collect();
    let run_id = bench.run_id.to_string();
    for case in cases {
        progress(&format!("{}: {}, n = {}", experiment.folder(), case.input, case.n));
        let case_plan = CasePlan {
            algorithms: &algorithms,
            threads: &[1],
            repeats: plan.repeats,
            order_seed: ORDER_SEED,
            budget: None,
            memory_limit: available_memory(),
            events: false,
        };
        let watch = Watch { observer: &mut (), stop: bench.stop, finished: Vec::new() };
        let measured = measure_case_watched(case, &case_plan, bench.instruments, watch)?;
        for cell in &measured.cells {
            let row = cell.summary(&run_id, case, &case_plan);
            if row.status == Status::Error {
                let reason = row.reason.as_deref().unwrap_or_default();
                faults.push(format!(
                    "{} on {}, n = {}: {reason}",
                    cell.algorithm, case.input, case.n
                ));
            }
            output.append(cell.frame_rows(&run_id, case), &row)?;
        }
        output.case_done()?;
    }
    Ok(output.finish(&RunId::now().date(), &[])?)
}
