//! E2, E3 and E7: measured by the library as `harness run` does, but all numbers of objects of an
//! experiment in turn.

use super::experiments::{ALGORITHMS, BuiltIn, Experiment, FER, RANDOM, varied};
use super::fault_of;
use super::names;
use super::plan::Plan;
use crate::commands::open_output;
use crate::commands::run::settings;
use crate::failure::Failure;
use broadphase::Algorithm;
use measure::{
    Case, Checks, DEFAULT_ORDER_SEED, FinishedRepetition, Instruments, Machine, Observer, Output,
    OutputError, Plan as CasePlan, RunId, Watch, available_memory, measure_case_watched,
};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What measuring takes.
pub(super) struct Bench<'a> {
    pub(super) machine: &'a Machine,
    pub(super) instruments: Instruments<'a>,
    /// Where the folders of the experiments go.
    pub(super) folder: &'a Path,
    /// Whether what an earlier process left is to be completed.
    pub(super) resume: bool,
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

/// Measures the cases in rounds: each repetition goes once through all of them, so that a machine
/// that grows warm or busy spoils no single number of objects.
fn run(
    experiment: Experiment,
    cases: &[Case],
    plan: &Plan,
    bench: &Bench<'_>,
    progress: &dyn Fn(&str),
    faults: &mut Vec<String>,
) -> Result<(), Failure> {
    let algorithms: Vec<&Algorithm> =
        ALGORITHMS.iter().filter_map(|id| broadphase::find(id)).collect();
    let up_to = |repeats: u32| CasePlan {
        algorithms: &algorithms,
        threads: &[1],
        repeats,
        order_seed: DEFAULT_ORDER_SEED,
        budget: None,
        memory_limit: available_memory(),
        events: false,
        checks: Checks::EveryList,
    };
    let whole_plan = up_to(plan.repeats);
    let folder = experiment.folder();
    let mut machine = bench.machine.clone();
    machine.settings = settings::of(cases, &whole_plan)?;
    let mut output = open_output(&bench.folder.join(folder), &machine, bench.resume)?;
    let run_id = output.run_id().to_owned();
    let is_done = |output: &Output, case: &Case| {
        let row = |a: &&Algorithm| output.done_row(&case.labels(&run_id, a.id, 1)).is_some();
        algorithms.iter().all(row)
    };
    let (done, open): (Vec<&Case>, Vec<&Case>) =
        cases.iter().partition(|case| is_done(&output, case));
    for case in done {
        for algorithm in &algorithms {
            let row = output.done_row(&case.labels(&run_id, algorithm.id, 1));
            faults.extend(row.and_then(fault_of));
        }
    }
    let mut rounds: Vec<(&Case, Vec<FinishedRepetition>)> =
        open.into_iter().map(|case| (case, output.take_begun(case))).collect();

    for round in 1..=plan.repeats {
        for (case, finished) in &mut rounds {
            progress(&format!(
                "{folder}, round {round} of {}: {}, n = {}",
                plan.repeats, case.input, case.n
            ));
            // What is finished is not measured again: one repetition of each algorithm is left.
            let before = finished.clone();
            let mut keeper = Keeper { output: &mut output, case, finished };
            let watch = Watch { observer: &mut keeper, stop: bench.stop, finished: before };
            let measured = measure_case_watched(case, &up_to(round), bench.instruments, watch)?;
            if round < plan.repeats {
                continue;
            }
            for cell in &measured.cells {
                let row = cell.summary(&run_id, case, &whole_plan);
                faults.extend(fault_of(&row));
                output.append(cell.frame_rows(&run_id, case), &row)?;
            }
        }
    }
    output.case_done()?;
    Ok(output.finish(&RunId::now().date(), &[])?)
}

/// Keeps each repetition as it ends: on the disk, and for the next round.
struct Keeper<'a> {
    output: &'a mut Output,
    case: &'a Case,
    finished: &'a mut Vec<FinishedRepetition>,
}

impl Observer for Keeper<'_> {
    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.finished.push(repetition.clone());
        self.output.keep(self.case, repetition)
    }
}
