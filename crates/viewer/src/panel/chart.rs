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
    let frames = &snapshot.history.frames;
    let times: Vec<u64> = frames.iter().map(step_ns).collect();
    let (top_ns, is_cut_off) = top(&times, 100);
    title(ui, snapshot, times.iter().max().copied().filter(|_| is_cut_off));
    if frames.is_empty() {
        ui.weak("no step yet with this algorithm and these threads");
        return;
    }
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
    }
}

/// Nanoseconds of a step; drawing is no part of it.
fn step_ns(frame: &FrameFigures) -> u64 {
    frame.collision_ns() + frame.motion_ns
}

/// Medians and 95th percentiles of the times in the chart, and the highest one that is cut off.
fn title(ui: &mut Ui, snapshot: &Snapshot, peak: Option<u64>) {
    let time = |ns: u64| milliseconds_from(snapshot.engine.shortest_ns, ns as f64);
    let spread = |spread: Option<Spread>| match spread {
        Some(Spread { median_ns, p95_ns }) => {
            format!("{}, p95 {} ms", time(median_ns), time(p95_ns))
        }
        None => "–".to_owned(),
    };
    let peak = peak.map(|ns| format!("; triangles: up to {} ms", time(ns)));
    let spread = spread(snapshot.history.spread(step_ns));
    let step = format!("Step {spread}{}", peak.unwrap_or_default());
    ui.label(RichText::new(step).small()).on_hover_text(
        "Time of a step, without the checks of bodies, over at most the last 300 steps: the median, and the 95th \
         percentile (p95)",
    );
}
