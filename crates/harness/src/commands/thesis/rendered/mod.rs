//! E1, E5 and E6: every frame is rendered without a window, and waited for.

mod canvas;
mod waking;

use super::experiments::{Experiment, RANDOM, SHADING, TRIANGLES};
use super::measuring::ThesisBench;
use super::methods::{Methods, SETS, is_software};
use super::plan::ThesisPlan;
use crate::failure::Failure;
use canvas::{Canvas, FINE, Look, PLAIN, SHADED};
use measure::{Case, Clock, Drawing};
use sim::World;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use viewer::gpu::Gpu;
use waking::Waking;

/// Measures the experiments with rendering.
///
/// On a software adapter their claims cannot be compared, so that only the first set is measured there.
pub(super) fn measure(
    plan: &ThesisPlan,
    gpu: &Gpu,
    bench: &mut ThesisBench<'_>,
) -> Result<(), Failure> {
    let is_software = bench.setting.machine.gpu.as_deref().is_none_or(is_software);
    let sets = if is_software { &SETS[..1] } else { &SETS[..] };
    let canvas = Canvas::new(gpu).map_err(|error| Failure::Running(error.to_string()))?;
    let state = Mutex::new((canvas, HashMap::new()));
    let renderer = Renderer { clock: bench.setting.instruments.clock, is_software, state };
    let all = sets.iter().copied().flat_map(Methods::ids).collect();
    let bsp: Vec<&str> = sets.iter().map(|methods| methods.bsp).collect();
    for (experiment, inputs, ids, numbers) in [
        (Experiment::RandomDrawn, &[Experiment::RandomDrawn.input()][..], all, &plan.numbers),
        (Experiment::Triangles, &TRIANGLES, bsp.clone(), &plan.drawn_pairs),
        (Experiment::Shading, &SHADING, bsp, &plan.drawn_pairs),
    ] {
        let mut cases = Vec::new();
        for &n in numbers {
            let scene = RANDOM.scene(Some(n))?;
            let case = |input: &&str| {
                Case::of_scene(*input, scene.clone(), plan.warmup, plan.drawn_frames)
            };
            cases.extend(inputs.iter().map(case));
        }
        bench.part(experiment, cases, &ids, plan.drawn_repeats, Some(&renderer))?;
    }
    Ok(())
}

/// Draws the spheres of an input in its look.
struct Renderer<'a> {
    clock: &'a dyn Clock,
    is_software: bool,
    /// The picture, and what wakes the card for each number of objects.
    state: Mutex<(Canvas, HashMap<usize, Waking>)>,
}

impl Renderer<'_> {
    fn state(&self) -> MutexGuard<'_, (Canvas, HashMap<usize, Waking>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drawing for Renderer<'_> {
    fn begin(&self, world: &World) -> Result<(), String> {
        // A software adapter has no clock of its own.
        if self.is_software {
            return Ok(());
        }
        let (canvas, waking) = &mut *self.state();
        let waking = waking.entry(world.positions().len()).or_default();
        let woken = waking.wake(|| self.clock.now_ns(), || canvas.draw(world, PLAIN));
        woken.map_err(|error| error.to_string())
    }

    fn draw(&self, world: &World, input: &str) -> Result<(), String> {
        self.state().0.draw(world, look_of(input)).map_err(|error| error.to_string())
    }
}

fn look_of(input: &str) -> Look {
    match input {
        _ if input == TRIANGLES[1] => FINE,
        _ if input == SHADING[1] => SHADED,
        _ => PLAIN,
    }
}
