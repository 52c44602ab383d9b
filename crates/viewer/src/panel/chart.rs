//! The chart of the last steps: times by phase, stacked.

use super::figures::{MOTION, RESPONSE, SEARCH, STAGES};
use super::plot::{Axis, Plot, Scale, top};
use crate::format::{compact, milliseconds};
use crate::session::{FrameFigures, HISTORY_STEPS, Spread};
use crate::simulation::Snapshot;
use egui::{Color32, Layout, RichText, Ui, vec2};
use measure::{PhaseTimes, SearchPhase};

/// Height, and width of the axis, in points.
const HEIGHT: f32 = 74.0;
const AXIS_WIDTH: f32 = 44.0;

/// The parts of a step in the order of the areas, the lowest first, each with its colour and its time in ns. Those of bodies
/// lie between pairs and response; the checks are no part of a step.
fn parts(step: &FrameFigures) -> Vec<(Color32, u64)> {
    let search = SEARCH.iter().map(|(phase, color)| (*color, step.search[*phase]));
    let stages = STAGES.iter().zip(&step.stages[..3]).map(|((_, color), ns)| (*color, *ns));
    let motion = [(RESPONSE.1, step.response_ns), (MOTION.1, step.motion_ns)];
    search.chain(stages).chain(motion).collect()
}

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    title(ui, snapshot);
    let frames = &snapshot.history.frames;
    if frames.is_empty() {
        return without_steps(ui, snapshot);
    }
    let times: Vec<u64> = frames.iter().map(step_ns).collect();
    let (top_ns, peak) = top(&times, 100);
    let (plot, _) = Plot::new(ui, HEIGHT, Axis::new(Scale::Linear, 0.0, top_ns), AXIS_WIDTH);
    let (mut sums, parts) = (vec![0; frames.len()], Vec::from_iter(frames.iter().map(parts)));
    for part in 0..parts[0].len() {
        let higher: Vec<u64> = parts.iter().zip(&sums).map(|(of, sum)| sum + of[part].1).collect();
        plot.fill(&sums, &higher, parts[0][part].0);
        sums = higher;
    }
    if let Some((place, ns)) = peak {
        // Where it is not, if there is room.
        let is_new = 2 * (frames.len() - place) < HISTORY_STEPS;
        plot.note(ui, is_new, format!("peak {} ms", milliseconds(ns as f64)));
    }
}

/// In place of the chart, before the first step under an algorithm and on a number of threads.
fn without_steps(ui: &mut Ui, snapshot: &Snapshot) {
    let text = match &snapshot.search.found {
        None => "no step yet".to_owned(),
        Some(found) => format!(
            "no step yet with this algorithm and these threads\none search here: {} ms",
            phases(&found.times)
        ),
    };
    let size = vec2(ui.available_width(), HEIGHT);
    let layout = Layout::centered_and_justified(egui::Direction::TopDown);
    ui.allocate_ui_with_layout(size, layout, |ui| ui.weak(text));
}

/// Each phase with its milliseconds: `update 1.0, pairs 2.0`.
fn phases(times: &PhaseTimes) -> String {
    let phase =
        |(phase, ns): (SearchPhase, u64)| format!("{} {}", phase.name(), milliseconds(ns as f64));
    times.iter().map(phase).collect::<Vec<_>>().join(", ")
}

/// Nanoseconds of a step; drawing is no part of it.
fn step_ns(frame: &FrameFigures) -> u64 {
    frame.collision_ns() + frame.motion_ns
}

/// Medians and 95th percentiles of the times in the chart.
fn title(ui: &mut Ui, snapshot: &Snapshot) {
    let spread = |spread: Option<Spread>| match spread {
        Some(Spread { median_ns, p95_ns }) => {
            format!("{}, p95 {} ms", short(median_ns), short(p95_ns))
        }
        None => "–".to_owned(),
    };
    let step = format!("Step {}", spread(snapshot.history.spread(step_ns)));
    ui.label(RichText::new(step).small()).on_hover_text(
        "Time of a step, without the checks of bodies, over at most the last 300 steps: the median, and the 95th \
         percentile (p95)",
    );
}

/// Milliseconds with two decimals; from a hundred on without.
fn short(ns: u64) -> String {
    let ms = ns as f64 / 1e6;
    if ms < 99.995 { format!("{ms:.2}") } else { compact(ms) }
}
