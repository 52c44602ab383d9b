//! E2, E3 and E7, without rendering: both sets of methods in the same rounds, each round over all numbers of
//! objects.

use super::bench::ThesisBench;
use super::experiments::{BuiltIn, Experiment, FER, RANDOM, varied};
use super::inputs;
use super::methods::{Methods, SEMI_ADJUSTING, SETS};
use super::plan::ThesisPlan;
use crate::commands::series::{Order, Series};
use crate::failure::Failure;
use broadphase::registry::Algorithm;
use measure::{Case, Plan, SummaryRow};

/// Measures the experiments without rendering.
pub(super) fn measure(plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
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
        run(experiment, cases, plan.repeats, bench)?;
    }
    Ok(())
}

fn case(name: &str, scene: sim::Scene, warmup: u32, plan: &ThesisPlan) -> Case {
    Case::of_scene(name, scene, warmup, plan.frames)
}

fn run(
    experiment: Experiment,
    cases: Vec<Case>,
    repeats: u32,
    bench: &mut ThesisBench<'_>,
) -> Result<(), Failure> {
    let others = (experiment == Experiment::Random).then_some(SEMI_ADJUSTING);
    let ids = SETS.into_iter().flat_map(Methods::ids).chain(others);
    let algorithms: Vec<&Algorithm> = ids.filter_map(broadphase::registry::find).collect();
    let plan = Plan::new(&algorithms, &[1], repeats);
    let series = Series { cases, plan, order: Order::Rounds, shard: None };
    let machine = series.machine(bench.machine.clone())?;
    let output = bench.output(experiment, machine)?;
    bench.progress(&format!("{}: {}", experiment.folder(), experiment.summary()));
    let mut rows = Vec::new();
    series.measure(output, bench.instruments, bench.quiet, bench.stop, None, &mut rows)?;
    let exit = rows.iter().flatten().map(SummaryRow::exit).max().unwrap_or_default();
    bench.exit = bench.exit.max(exit);
    Ok(())
}
