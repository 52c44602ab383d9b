//! E2, E3 and E7, without rendering: both sets of methods in the same rounds, each round over all numbers of
//! objects.

use super::bench::Bench;
use super::experiments::{BuiltIn, Experiment, FER, RANDOM, varied};
use super::inputs;
use super::methods::{Methods, SETS};
use super::plan::Plan;
use crate::commands::run::settings;
use crate::failure::Failure;
use broadphase::registry::Algorithm;
use measure::{
    Case, Checks, DEFAULT_ORDER_SEED, FinishedRepetition, Observer, Output, OutputError,
    Plan as CasePlan, RunId, Watch, available_memory, measure_case_watched,
};

/// Measures the experiments without rendering.
pub(super) fn measure(plan: &Plan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let over_n = |name: &str, built_in: BuiltIn, warmup: u32| -> Result<Vec<Case>, Failure> {
        let numbers = plan.numbers.iter();
        numbers.map(|&n| Ok(case(name, built_in.scene(Some(n))?, warmup, plan))).collect()
    };
    let random = over_n(inputs::RANDOM, RANDOM, plan.warmup)?;
    let fer = over_n(inputs::FER, FER, plan.fer_warmup)?;
    let varied = varied(plan.varied_number)?;
    let varied: Vec<Case> =
        varied.into_iter().map(|(name, scene)| case(&name, scene, plan.warmup, plan)).collect();
    for (experiment, cases) in
        [(Experiment::Random, random), (Experiment::Fer, fer), (Experiment::SpeedAndSize, varied)]
    {
        run(experiment, &cases, plan, bench)?;
    }
    Ok(())
}

fn case(name: &str, scene: sim::Scene, warmup: u32, plan: &Plan) -> Case {
    Case::of_scene(name, scene, warmup, plan.frames)
}

/// Measures the cases in rounds: each repetition passes once through all of them. So a machine that
/// becomes warm or busy distorts no single number of objects.
fn run(
    experiment: Experiment,
    cases: &[Case],
    plan: &Plan,
    bench: &mut Bench<'_>,
) -> Result<(), Failure> {
    let ids = SETS.into_iter().flat_map(Methods::ids);
    let algorithms: Vec<&Algorithm> = ids.filter_map(broadphase::registry::find).collect();
    let up_to = |repeats: u32| CasePlan {
        algorithms: &algorithms,
        programs: &[],
        threads: &[1],
        repeats,
        order_seed: DEFAULT_ORDER_SEED,
        budget: None,
        memory_limit: available_memory(),
        events: false,
        checks: Checks::EveryList,
        stages: None,
    };
    let whole_plan = up_to(plan.repeats);
    let mut output = bench.output(experiment, settings::of(cases, &whole_plan)?)?;
    let run_id = output.run_id().to_owned();
    let is_done = |output: &Output, case: &Case| {
        let row = |a: &&Algorithm| output.done_row(&case.labels(&run_id, a.id, 1)).is_some();
        algorithms.iter().all(row)
    };
    let (done, open): (Vec<&Case>, Vec<&Case>) =
        cases.iter().partition(|case| is_done(&output, case));
    for case in done {
        for algorithm in &algorithms {
            output.done_row(&case.labels(&run_id, algorithm.id, 1)).inspect(|row| bench.check(row));
        }
    }
    let mut rounds: Vec<(&Case, Vec<FinishedRepetition>)> =
        open.into_iter().map(|case| (case, output.take_begun(case))).collect();

    for round in 1..=plan.repeats {
        for (case, finished) in &mut rounds {
            bench.progress(&format!(
                "{}, round {round} of {}: {}, n = {}",
                experiment.folder(),
                plan.repeats,
                case.input,
                case.n
            ));
            // Finished repetitions are not measured again: one of each algorithm is left.
            let before = finished.clone();
            let mut keeper = Keeper { output: &mut output, case, finished };
            let watch = Watch { observer: &mut keeper, stop: bench.stop, finished: before };
            let measured = measure_case_watched(case, &up_to(round), bench.instruments, watch)?;
            if round < plan.repeats {
                continue;
            }
            for cell in &measured.cells {
                let row = cell.summary(&run_id, case, &whole_plan);
                bench.check(&row);
                output.append(cell.frame_rows(&run_id, case), &row)?;
            }
        }
    }
    output.case_done()?;
    Ok(output.finish(&RunId::now().date(), &[])?)
}

/// Stores each repetition as it ends: on the disk, and for the next round.
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
