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

/// The colour of a part of a step, and its time in ns.
type StepPart = (Color32, Box<dyn Fn(&FrameFigures) -> u64>);

/// The parts of a step in the order of the areas, the lowest first. Those of bodies lie between pairs and response;
/// the checks are no part of a step.
fn parts(snapshot: &Snapshot) -> Vec<StepPart> {
    let has_bodies = snapshot.objects.bodies.is_some();
    let [volumes, narrow, contacts, _] = STAGES.map(|(_, color)| color);
    let of_bodies: [StepPart; 3] = [
        (volumes, Box::new(|f| f.stages.volume_ns)),
        (narrow, Box::new(|f| f.stages.narrow_ns)),
        (contacts, Box::new(|f| f.stages.contact_ns)),
    ];
    let of_search =
        SEARCH.map(|(phase, color)| -> StepPart { (color, Box::new(move |f| f.search[phase])) });
    let mut parts = Vec::from(of_search);
    parts.extend(of_bodies.into_iter().filter(|_| has_bodies));
    parts.push((RESPONSE.1, Box::new(|f| f.response_ns)));
    parts.push((MOTION.1, Box::new(|f| f.motion_ns)));
    parts
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
    let mut sums = vec![0; frames.len()];
    for (color, of) in parts(snapshot) {
        let higher: Vec<u64> = frames.iter().zip(&sums).map(|(f, sum)| sum + of(f)).collect();
        plot.fill(&sums, &higher, color);
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
    let of = "over at most the last 300 steps: the median, and the 95th percentile (p95)";
    ui.horizontal_wrapped(|ui| {
        let step = format!("Step {}", spread(snapshot.history.spread(step_ns)));
        ui.label(RichText::new(step).small())
            .on_hover_text(match snapshot.objects.bodies {
                None => format!("Time of update, pairs, response and motion {of}"),
                Some(_) => format!(
                    "Time of update, pairs, volumes, narrow phase, contacts, response and motion {of}. The checks of \
                     bodies are not in it"
                ),
            });
    });
}

/// Milliseconds with two decimals; from a hundred on without.
fn short(ns: u64) -> String {
    let ms = ns as f64 / 1e6;
    if ms < 99.995 { format!("{ms:.2}") } else { compact(ms) }
}
