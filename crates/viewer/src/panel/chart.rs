//! The chart of the last steps: times by phase, stacked, and drawing times.

use super::figures::PHASES;
use crate::session::{FrameFigures, HISTORY_STEPS, Spread};
use crate::simulation::Snapshot;
use egui::{RichText, Ui};
use egui_plot::{GridMark, Line, Plot, PlotPoint, PlotPoints};

/// A time of a step in ns.
type Times = fn(&FrameFigures) -> u64;

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    title(ui, snapshot);
    // Each area is the sum of its phase and all below it, drawn from the top down: the uncovered
    // part is its own share.
    let [update, pairs, response, drawing, motion] = PHASES;
    let areas: [(Times, _); 4] = [
        (step_ns, motion),
        (FrameFigures::collision_ns, response),
        (|f| f.update_ns + f.pairs_ns, pairs),
        (|f| f.update_ns, update),
    ];
    let first = 1.0 - snapshot.history.frames().len() as f64;
    let points = |of: Times| -> Vec<PlotPoint> {
        let frames = (0..).zip(snapshot.history.frames());
        frames.map(|(i, f)| PlotPoint::new(first + f64::from(i), of(f) as f64 / 1e6)).collect()
    };
    Plot::new("frame times")
        .height(84.0)
        .show_axes([false, true])
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_x(-(HISTORY_STEPS as f64))
        .include_x(0.0)
        .include_y(0.0)
        .include_y(1.0)
        .y_grid_spacer(|input| ticks(input.bounds.1))
        .y_axis_min_width(40.0)
        .y_axis_formatter(|mark, _| format!("{} ms", (mark.value * 1e3).round() / 1e3))
        .show(ui, |plot| {
            for (sum, (name, color)) in areas {
                let line = Line::new(name, PlotPoints::Owned(points(sum))).color(color).width(1.0);
                plot.line(line.fill(0.0).fill_alpha(1.0));
            }
            // A step without a picture has no drawing time.
            let mut drawn = points(|f| f.render_ns);
            drawn.retain(|point| point.y > 0.0);
            let (name, color) = drawing;
            plot.line(Line::new(name, PlotPoints::Owned(drawn)).color(color).width(1.5));
        });
}

/// Nanoseconds of a step without drawing.
fn step_ns(frame: &FrameFigures) -> u64 {
    frame.collision_ns() + frame.motion_ns
}

/// Medians and 95th percentiles of the times in the chart.
fn title(ui: &mut Ui, snapshot: &Snapshot) {
    let spread = |spread: Option<Spread>| match spread {
        Some(Spread { median_ns, p95_ns }) => {
            format!("{:.2}, p95 {:.2} ms", median_ns as f64 / 1e6, p95_ns as f64 / 1e6)
        }
        None => "–".to_owned(),
    };
    let of = "over at most the last 300 steps: the median, and the 95th percentile (p95)";
    ui.horizontal(|ui| {
        let step = format!("Step {}", spread(snapshot.history.spread(step_ns)));
        ui.label(RichText::new(step).small())
            .on_hover_text(format!("Time of update, pairs, response and motion {of}"));
        let drawing = format!("Drawing {}", spread(snapshot.history.drawing_spread()));
        ui.label(RichText::new(drawing).small()).on_hover_text(format!(
            "Time of drawing, the line in the chart, {of}; only steps that were drawn"
        ));
    });
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
