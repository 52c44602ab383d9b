//! The chart of the last steps: times by phase, stacked.

use super::figures::parts;
use super::plot::{self, Axis, Plot, Scale, top};
use crate::format::milliseconds_from;
use crate::session::{FrameFigures, Spread};
use crate::simulation::Snapshot;
use egui::{RichText, Ui};

/// Height, and width of the axis, in points.
const HEIGHT: f32 = 74.0;
const AXIS_WIDTH: f32 = 44.0;

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    title(ui, snapshot);
    let frames = &snapshot.history.frames;
    if frames.is_empty() {
        ui.weak("no step yet with this algorithm and these threads");
        return;
    }
    let times: Vec<u64> = frames.iter().map(step_ns).collect();
    let (top_ns, is_cut_off) = top(&times, 100);
    let axis = Axis::new(Scale::Linear, 0.0, top_ns);
    let shortest_ns = snapshot.engine.shortest_ns;
    let in_words = plot::milliseconds_from(shortest_ns);
    let (plot, _) = Plot::new(ui, HEIGHT, axis, AXIS_WIDTH, in_words);
    let mut sums = vec![0; frames.len()];
    let parts = parts(&snapshot.history, snapshot.objects.bodies.is_some());
    for part in parts.iter().filter(|part| !part.is_check()) {
        let higher: Vec<u64> = part.times.iter().zip(&sums).map(|(ns, sum)| sum + ns).collect();
        plot.fill(&sums, &higher, part.color);
        sums = higher;
    }
    if is_cut_off {
        plot.mark_peaks(&times, ui.visuals().strong_text_color());
        let peak = times.iter().max().copied().unwrap_or(0);
        plot.note(
            ui,
            format!("triangles: cut off, up to {} ms", milliseconds_from(shortest_ns, peak as f64)),
        );
    }
}

/// Nanoseconds of a step; drawing is no part of it.
fn step_ns(frame: &FrameFigures) -> u64 {
    frame.collision_ns() + frame.motion_ns
}

/// Medians and 95th percentiles of the times in the chart.
fn title(ui: &mut Ui, snapshot: &Snapshot) {
    let spread = |spread: Option<Spread>| match spread {
        Some(Spread { median_ns, p95_ns }) => {
            let shortest_ns = snapshot.engine.shortest_ns;
            let [median, p95] =
                [median_ns, p95_ns].map(|ns| milliseconds_from(shortest_ns, ns as f64));
            format!("{median}, p95 {p95} ms")
        }
        None => "–".to_owned(),
    };
    let step = format!("Step {}", spread(snapshot.history.spread(step_ns)));
    ui.label(RichText::new(step).small()).on_hover_text(
        "Time of a step, without the checks of bodies, over at most the last 300 steps: the median, and the 95th \
         percentile (p95)",
    );
}
