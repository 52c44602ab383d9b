//! Measures all experiments, and draws the pictures.

#[cfg(feature = "draw")]
use super::drawn;
use super::experiments::{
    BuiltIn, EXPERIMENTS, Experiment, FER, RANDOM, ThesisPlan, scene_of, varied,
};
use super::rows::{Methods, SEMI_ADJUSTING, SETS};
use crate::commands::series::{Order, Series, Setting};
use crate::failure::Failure;
use crate::study::Bench;
use broadphase::registry::Algorithm;
use measure::{Case, Drawing, Instruments, Plan};
use std::io::IsTerminal;

/// Measures all experiments, each into its own folder.
pub(super) fn measure(plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let _lock = bench.prepare(&bench.files.data(), false)?;
    bench.setting.quiet |= !std::io::stderr().is_terminal();
    draw(plan, bench)?;
    search(plan, bench)
}

/// Measures an experiment: these algorithms in the same rounds, each round over all cases. With `drawing` every frame is
/// drawn.
pub(super) fn part(
    bench: &mut Bench<'_>,
    experiment: Experiment,
    cases: Vec<Case>,
    ids: &[&str],
    repeats: u32,
    drawing: Option<&dyn Drawing>,
) -> Result<(), Failure> {
    let (_, folder, _, summary) = EXPERIMENTS[experiment as usize];
    bench.note(&format!("{folder}: {summary}"));
    let algorithms: Vec<&Algorithm> =
        ids.iter().filter_map(|id| broadphase::registry::find(id)).collect();
    let plan = Plan::new(&algorithms, &[1], repeats);
    let series = Series { cases, plan, order: Order::Rounds, shard: None };
    let Bench { files, options, ref setting, exit } = *bench;
    let instruments = Instruments { drawing, ..setting.instruments };
    let setting = Setting { instruments, ..setting.clone() };
    let mut drawn = Bench { files, options, setting, exit };
    drawn.part(folder, &series, None)?;
    bench.exit = drawn.exit;
    Ok(())
}

/// Measures E2, E3 and E7, without rendering, by both sets of methods.
fn search(plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let over_n = |from: Experiment, scene: BuiltIn, warmup: u32| {
        let case = |&n| Ok(Case::of_scene(from.input(), scene_of(scene, n)?, warmup, plan.frames));
        plan.numbers.iter().map(case).collect::<Result<Vec<Case>, Failure>>()
    };
    let varied = varied(plan.varied_number)?.into_iter();
    let varied = varied.map(|(name, scene)| Case::of_scene(&name, scene, plan.warmup, plan.frames));
    let ids: Vec<&str> = SETS.into_iter().flat_map(Methods::ids).collect();
    let random = over_n(Experiment::Random, RANDOM, plan.warmup)?;
    let with_other = [&ids[..], &[SEMI_ADJUSTING]].concat();
    part(bench, Experiment::Random, random, &with_other, plan.repeats, None)?;
    let fer = over_n(Experiment::Fer, FER, plan.fer_warmup)?;
    part(bench, Experiment::Fer, fer, &ids, plan.repeats, None)?;
    part(bench, Experiment::SpeedAndSize, varied.collect(), &ids, plan.repeats, None)
}

/// Measures the experiments with rendering and draws the pictures, if there is an adapter.
#[cfg(feature = "draw")]
fn draw(plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    match viewer::gpu::Gpu::headless() {
        Ok(gpu) => {
            bench.setting.machine.gpu = Some(gpu.adapter_summary().to_string());
            drawn::measure(plan, &gpu, bench)?;
            drawn::draw(bench)
        }
        Err(error) => {
            bench.setting.machine.warn(&format!("nothing was drawn: {error}"));
            Ok(())
        }
    }
}

#[cfg(not(feature = "draw"))]
fn draw(_plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let reason = "the program was built without drawing; build it with --features draw";
    bench.setting.machine.warn(&format!("nothing was drawn: {reason}"));
    Ok(())
}
