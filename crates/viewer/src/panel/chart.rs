//! The chart of the last steps: times by phase, stacked.

use super::figures::{MOTION, RESPONSE, SEARCH, STAGES};
use super::format::{compact, milliseconds};
use crate::session::{FrameFigures, HISTORY_STEPS, History, Spread};
use crate::simulation::Snapshot;
use egui::{Align2, Color32, Layout, RichText, Ui, vec2};
use egui_plot::{GridMark, Line, Plot, PlotPoint, PlotPoints, Text};
use measure::{PhaseTimes, SearchPhase};

/// Height in points.
const HEIGHT: f32 = 74.0;

/// Higher steps are cut off and marked if they exceed the 99th percentile by this factor.
const PEAK_RATIO: f64 = 1.5;

/// A part of a step with its name, its colour and its time in ns.
type StepPart = ((&'static str, Color32), Box<dyn Fn(&FrameFigures) -> u64>);

/// The parts of a step in the order of the areas, the lowest first. Those of bodies lie between pairs and response;
/// the checks are no part of a step.
fn parts(snapshot: &Snapshot) -> Vec<StepPart> {
    let has_bodies = snapshot.objects.bodies.is_some();
    let [volumes, narrow, contacts, _] = STAGES;
    let of_bodies: [StepPart; 3] = [
        (volumes, Box::new(|f| f.stages.volume_ns)),
        (narrow, Box::new(|f| f.stages.narrow_ns)),
        (contacts, Box::new(|f| f.stages.contact_ns)),
    ];
    let of_search = SEARCH.map(|(phase, color)| -> StepPart {
        ((phase.name(), color), Box::new(move |f| f.search[phase]))
    });
    let mut parts = Vec::from(of_search);
    parts.extend(of_bodies.into_iter().filter(|_| has_bodies));
    parts.push((RESPONSE, Box::new(|f| f.response_ns)));
    parts.push((MOTION, Box::new(|f| f.motion_ns)));
    parts
}

/// The top of the axis in ms, and the place and the ms of a peak that is cut off.
fn top(history: &History) -> (f64, Option<(usize, f64)>) {
    let times: Vec<u64> = history.frames.iter().map(step_ns).collect();
    axis(&times)
}

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    title(ui, snapshot);
    if snapshot.history.frames.is_empty() {
        return without_steps(ui, snapshot);
    }
    // Each area is the sum of its phase and all below it, drawn from the top down: the uncovered
    // part is its own share.
    let parts = parts(snapshot);
    let first = 1.0 - snapshot.history.frames.len() as f64;
    let points = |of: &dyn Fn(&FrameFigures) -> u64| -> Vec<PlotPoint> {
        let frames = (0..).zip(snapshot.history.frames.iter());
        frames.map(|(i, f)| PlotPoint::new(first + f64::from(i), of(f) as f64 / 1e6)).collect()
    };
    let (top, peak) = top(&snapshot.history);
    Plot::new("frame times")
        .height(HEIGHT)
        .show_axes([false, true])
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .y_grid_spacer(|input| ticks(input.bounds.1))
        .y_axis_min_width(40.0)
        .y_axis_formatter(|mark, _| format!("{} ms", (mark.value * 1e3).round() / 1e3))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(-(HISTORY_STEPS as f64)..=0.0);
            plot.set_plot_bounds_y(0.0..=top);
            for (last, ((name, color), _)) in parts.iter().enumerate().rev() {
                let sum = |f: &FrameFigures| parts[..=last].iter().map(|(_, of)| of(f)).sum();
                let sums = PlotPoints::Owned(points(&sum));
                let line = Line::new(*name, sums).color(*color).width(1.0);
                plot.line(line.fill(0.0).fill_alpha(1.0));
            }
            if let Some((place, ms)) = peak {
                plot.text(peak_mark(first + place as f64, top, ms));
            }
        });
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

/// The top of the axis in ms. If the highest of these times is cut off, also its place and its ms: one peak
/// would flatten all other steps for seconds.
fn axis(times_ns: &[u64]) -> (f64, Option<(usize, f64)>) {
    let Some((place, &peak_ns)) = times_ns.iter().enumerate().max_by_key(|(_, ns)| **ns) else {
        return (1.0, None);
    };
    // The 99th percentile. Of fewer than a hundred times, the highest is above it too.
    let excess = times_ns.len().div_ceil(100);
    let rank = times_ns.len().saturating_sub(1 + excess);
    let typical_ns = *times_ns.to_vec().select_nth_unstable(rank).1;
    let peak = peak_ns as f64 / 1e6;
    let top = (PEAK_RATIO * typical_ns as f64 / 1e6).max(1.0);
    if peak > top { (top, Some((place, peak))) } else { (peak.max(1.0), None) }
}

/// The height of a step that is cut off, at the upper edge.
fn peak_mark(x: f64, top: f64, ms: f64) -> Text {
    let (anchor, text) = if x < -0.5 * HISTORY_STEPS as f64 {
        (Align2::LEFT_TOP, format!("| peak {} ms", milliseconds(ms * 1e6)))
    } else {
        (Align2::RIGHT_TOP, format!("peak {} ms |", milliseconds(ms * 1e6)))
    };
    let text = RichText::new(text).strong().background_color(Color32::from_black_alpha(60));
    Text::new("peak", PlotPoint::new(x, top), text).anchor(anchor).allow_hover(false)
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

/// Two to four marks from 0 to `top` at a round distance: the chart is low, and labels too close to
/// each other are left out.
pub(super) fn ticks(top: f64) -> Vec<GridMark> {
    let rough = (top / 3.0).max(1e-6);
    let power = 10f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = round.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
    let marks = (0..).map(|i| f64::from(i) * step).take_while(|value| *value <= top);
    marks.map(|value| GridMark { value, step_size: step }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_peaks_are_cut_off_and_reported() {
        let mut times = vec![4_000_000; 300];
        assert_eq!(axis(&times), (4.0, None));
        times[17] = 5_000_000;
        assert_eq!(axis(&times), (5.0, None), "a part more is no peak");
        times[20] = 2_000_000_000;
        assert_eq!(axis(&times), (6.0, Some((20, 2000.0))));
        assert_eq!(axis(&times[..25]), (7.5, Some((20, 2000.0))), "of a few steps too");
        // Those of the k-d tree come every 0.2 s.
        (0..300).step_by(12).for_each(|step| times[step] = 30_000_000);
        assert_eq!(axis(&times), (45.0, Some((20, 2000.0))));
        assert_eq!([axis(&[]), axis(&[9])], [(1.0, None); 2]);
    }

    #[test]
    fn ticks_are_few_and_round() {
        let values = |top| ticks(top).iter().map(|mark| mark.value).collect::<Vec<_>>();
        assert_eq!(values(1.0), [0.0, 0.5, 1.0]);
        assert_eq!(values(8.0), [0.0, 5.0]);
        assert_eq!(values(60.0), [0.0, 20.0, 40.0, 60.0]);
        for top in [0.3, 7.0, 33.0, 512.0, 9e5] {
            assert!((2..=4).contains(&values(top).len()), "{top}: {:?}", values(top));
        }
    }
}
