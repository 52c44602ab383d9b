//! E1, E5 and E6: every frame is rendered without a window, and waited for.

mod canvas;
mod waking;

use super::experiments::{Experiment, RANDOM, SHADING, TRIANGLES};
use super::measuring::ThesisBench;
use super::methods::{Methods, SETS, is_software};
use super::plan::ThesisPlan;
use crate::failure::Failure;
use broadphase::benchmark::checksum;
use broadphase::registry::{Algorithm, Settings};
use canvas::{Canvas, FINE, Look, PLAIN, SHADED};
use measure::{
    Case, Collision, DEFAULT_ORDER_SEED, FrameRow, Labels, Machine, Meter, Phase, Pools, RunId,
    Sample, Status, SummaryRow, Warning, available_memory, find_sorted, measuring_order, reference,
    summarise,
};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use viewer::gpu::Gpu;
use viewer::offscreen::OffscreenError;
use waking::Waking;

/// An algorithm and a look; several are compared on the same frames.
struct Variant {
    /// Name of the input in the rows.
    input: &'static str,
    algorithm: &'static Algorithm,
    look: Look,
}

/// Measures the experiments with rendering.
///
/// On a software adapter their claims cannot be compared, so that only the first set is measured there.
pub(super) fn measure(
    plan: &ThesisPlan,
    gpu: &Gpu,
    bench: &mut ThesisBench<'_>,
) -> Result<(), Failure> {
    let sets = if bench.adapter().is_none_or(is_software) { &SETS[..1] } else { &SETS[..] };
    let variants = |looks: &[(&'static str, Look)], ids: &dyn Fn(&Methods) -> Vec<&'static str>| {
        let mut variants = Vec::new();
        for id in sets.iter().flat_map(|methods| ids(methods)) {
            let Some(algorithm) = broadphase::registry::find(id) else { continue };
            variants.extend(looks.iter().map(|&(input, look)| Variant { input, algorithm, look }));
        }
        variants
    };
    let all = |methods: &Methods| methods.ids().to_vec();
    let bsp = |methods: &Methods| vec![methods.bsp];
    let drawn = variants(&[(Experiment::RandomDrawn.input(), PLAIN)], &all);
    let [coarse, fine] = TRIANGLES;
    let triangles = variants(&[(coarse, PLAIN), (fine, FINE)], &bsp);
    let [plain, shaded] = SHADING;
    let shading = variants(&[(plain, PLAIN), (shaded, SHADED)], &bsp);
    for (experiment, variants, numbers) in [
        (Experiment::RandomDrawn, drawn, &plan.numbers),
        (Experiment::Triangles, triangles, &plan.drawn_pairs),
        (Experiment::Shading, shading, &plan.drawn_pairs),
    ] {
        let settings = settings(&variants, numbers, plan, bench.adapter());
        let machine = Machine { settings, ..bench.machine.clone() };
        let mut output = bench.output(experiment, machine)?;
        let run_id = output.run_id().to_owned();
        let clock = bench.instruments.clock;
        let stopped_before_ns = clock.stopped_ns();
        for &n in numbers {
            let scene = RANDOM.scene(Some(n))?;
            let case =
                Case::of_scene(Experiment::Random.input(), scene, plan.warmup, plan.drawn_frames);
            let done: Option<Vec<&SummaryRow>> =
                variants.iter().map(|v| output.done_row(&v.labels(&run_id, &case))).collect();
            if let Some(rows) = done {
                rows.into_iter().for_each(|row| bench.check(row));
                continue;
            }
            bench.progress(&format!("{}: drawn, n = {n}", experiment.folder()));
            // One thread for the motion, as for the algorithms. The adapter has its own threads.
            let measured = || measure_variants(&case, &variants, &run_id, plan, gpu, bench);
            let rows = Pools::new(&[1])?.install(1, measured)?;
            for (summary, frames) in rows {
                bench.check(&summary);
                output.append(frames, &summary)?;
            }
            output.case_done()?;
        }
        let stops = Warning::of_stops(clock, stopped_before_ns);
        output.finish(&RunId::now().date(), stops.as_slice())?;
    }
    Ok(())
}

impl Variant {
    fn labels(&self, run_id: &str, case: &Case) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: self.input.to_owned(),
            n: case.n as u64,
            seed: case.seed,
            algorithm: self.algorithm.id.to_owned(),
            threads: 1,
        }
    }
}

/// The settings that the figures depend on. A run is resumed only with the same ones.
fn settings(
    variants: &[Variant],
    numbers: &[u32],
    plan: &ThesisPlan,
    adapter: Option<&str>,
) -> Value {
    json!({
        "scene": RANDOM.text,
        "variants": variants.iter().map(|v| (v.input, v.algorithm.id)).collect::<Vec<_>>(),
        "objects": numbers,
        "warmup": plan.warmup,
        "frames": plan.drawn_frames,
        "repeat": plan.drawn_repeats,
        "adapter": adapter,
    })
}

/// Measures the variants on one case, interleaved by repetition. Returns the row of each and its frames.
///
/// The pairs of every frame are compared with those of brute force, which plays the case first.
fn measure_variants(
    case: &Case,
    variants: &[Variant],
    run_id: &str,
    plan: &ThesisPlan,
    gpu: &Gpu,
    bench: &ThesisBench<'_>,
) -> Result<Vec<(SummaryRow, Vec<FrameRow>)>, Failure> {
    let expected = reference_checksums(case)?;
    let mut canvas = Canvas::new(gpu).map_err(no_picture)?;
    let mut waking = Waking::default();
    // A software adapter has no clock of its own.
    let is_software = bench.adapter().is_none_or(is_software);
    let mut samples: Vec<Vec<Sample>> = variants.iter().map(|_| Vec::new()).collect();
    for (index, repeat) in measuring_order(variants.len(), plan.drawn_repeats, DEFAULT_ORDER_SEED) {
        let variant = &variants[index];
        let playback = case.start()?;
        if let Some(world) = playback.world().filter(|_| !is_software) {
            let clock = bench.instruments.clock;
            waking.wake(|| clock.now_ns(), || canvas.draw(world, PLAIN)).map_err(no_picture)?;
        }
        let frames = play(case, variant, repeat, bench, &mut canvas)?;
        samples[index].extend(frames);
    }
    let rows = variants.iter().zip(&samples).map(|(variant, samples)| {
        let labels = variant.labels(run_id, case);
        checked_rows(&labels, case, plan.drawn_repeats, samples, &expected)
    });
    Ok(rows.collect())
}

/// The row of the summary and those of the frames; an error without frames where the pairs of a frame are
/// wrong.
fn checked_rows(
    labels: &Labels,
    case: &Case,
    repeats: u32,
    samples: &[Sample],
    expected: &[u64],
) -> (SummaryRow, Vec<FrameRow>) {
    let wrong = |s: &&Sample| expected.get(s.frame as usize) != Some(&s.checksum);
    if let Some(Sample { frame, repeat, .. }) = samples.iter().find(wrong) {
        let reason = format!(
            "{} in frame {frame} of repetition {repeat}: its pairs differ from {}",
            labels.algorithm,
            reference().id
        );
        let (status, reason) = (Status::Error, Some(reason.into()));
        let row = SummaryRow::without_figures(labels, case.frames, repeats, status, reason);
        return (row, Vec::new());
    }
    let frames = samples.iter().map(|sample| FrameRow::new(labels, sample)).collect();
    (summarise(labels, samples, DEFAULT_ORDER_SEED), frames)
}

/// The checksum of each frame's pairs, by brute force.
fn reference_checksums(case: &Case) -> Result<Vec<u64>, Failure> {
    let mut playback = case.start()?;
    let mut brute_force = reference().build(&Settings::new(case.n));
    let mut pairs = Vec::new();
    let mut checksums = Vec::new();
    for _ in 0..case.total_frames() {
        let step = playback.step(|frame| {
            find_sorted(&mut *brute_force, frame, &mut pairs);
            Ok::<_, Failure>(&pairs)
        })?;
        checksums.push(checksum(step.found));
    }
    Ok(checksums)
}

/// One repetition: motion, collisions and drawing of every frame, each under the stopwatch.
fn play(
    case: &Case,
    variant: &Variant,
    repeat: u32,
    bench: &ThesisBench<'_>,
    canvas: &mut Canvas,
) -> Result<Vec<Sample>, Failure> {
    let settings = Settings::new(case.n).world(case.space()).memory_limit(available_memory());
    let mut instance =
        variant.algorithm.create(&settings).map_err(|e| Failure::Running(e.to_string()))?;
    let mut playback = case.start()?;
    let mut meter = Meter::new(bench.instruments.clock, bench.instruments.allocations);
    let mut samples = Vec::new();
    for frame in 0..case.total_frames() {
        if bench.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        let mut collision = Collision::default();
        let step = playback.clocked_step(bench.instruments.clock, |shown| {
            collision = meter.collide(&mut *instance, shown);
            meter.sort_pairs();
            Ok::<_, Failure>(meter.pairs())
        })?;
        let pairs = step.found;
        let draw_start = bench.instruments.clock.now_ns();
        if let Some(world) = step.playback.world() {
            canvas.draw(world, variant.look).map_err(no_picture)?;
        }
        let render_ns = bench.instruments.clock.now_ns() - draw_start;
        samples.push(Sample {
            repeat,
            frame,
            phase: if frame < case.warmup { Phase::Warmup } else { Phase::Measure },
            motion_ns: Some(step.motion_ns),
            collision,
            response_ns: Some(step.response_ns),
            render_ns: Some(render_ns),
            counters: instance.counters(),
            pairs: pairs.len() as u64,
            hits: step.response.map(|r| r.hits),
            heap_bytes: Some(instance.heap_bytes() as u64),
            checksum: checksum(pairs),
            ..Sample::default()
        });
    }
    Ok(samples)
}

fn no_picture(error: OffscreenError) -> Failure {
    Failure::Running(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(frame: u32, checksum: u64) -> Sample {
        Sample {
            repeat: 0,
            frame,
            motion_ns: Some(1),
            collision: Collision {
                times: measure::PhaseTimes::new([2, 3]),
                ..Collision::default()
            },
            response_ns: Some(4),
            render_ns: Some(90),
            hits: Some(0),
            checksum,
            ..Sample::default()
        }
    }

    #[test]
    fn rendered_frame_with_wrong_pairs_is_an_error() {
        let case = Case::of_scene("random", RANDOM.scene(Some(5)).unwrap(), 0, 2);
        let labels = Labels {
            run_id: "r".into(),
            input: "random".into(),
            n: 5,
            seed: None,
            algorithm: "bsp".into(),
            threads: 1,
        };
        let samples = [sample(0, 7), sample(1, 8)];
        let (row, frames) = checked_rows(&labels, &case, 1, &samples, &[7, 8]);
        assert_eq!((row.status, frames.len()), (Status::Ok, 2));
        assert_eq!((row.median_ns, row.fps), (Some(5), Some(1e9 / 99.0)));
        for expected in [&[7, 9][..], &[7]] {
            let (row, frames) = checked_rows(&labels, &case, 1, &samples, expected);
            assert_eq!((row.status, row.median_ns, frames.len()), (Status::Error, None, 0));
            assert!(row.reason_text().starts_with("bsp in frame 1 of repetition 0"));
        }
    }
}
