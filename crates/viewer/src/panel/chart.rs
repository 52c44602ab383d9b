//! The frame times of the last frames, phase on phase.

use super::figures::PHASES;
use crate::session::FrameFigures;
use crate::simulation::Snapshot;
use egui::Ui;
use egui_plot::{GridMark, Line, Plot, PlotPoint, PlotPoints};

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    // Each line is the sum of its phase and all below it, drawn from the top down, so that what is
    // left uncovered of each is its own share.
    let sums: [fn(&FrameFigures) -> u64; 5] = [
        |f| f.update_ns,
        |f| f.update_ns + f.pairs_ns,
        |f| f.collision_ns(),
        |f| f.collision_ns() + f.render_ns,
        |f| f.frame_ns(),
    ];
    let frames = snapshot.history.frames();
    let first = -(frames.len() as f64);
    Plot::new("frame times")
        .height(84.0)
        .show_axes([false, true])
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_x(-300.0)
        .include_x(0.0)
        .include_y(0.0)
        .include_y(1.0)
        .y_grid_spacer(|input| ticks(input.bounds.1))
        .y_axis_min_width(40.0)
        .y_axis_formatter(|mark, _| format!("{} ms", (mark.value * 1e3).round() / 1e3))
        .show(ui, |plot| {
            for (sum, (name, color)) in sums.iter().zip(PHASES).rev() {
                let points: Vec<PlotPoint> = snapshot
                    .history
                    .frames()
                    .enumerate()
                    .map(|(i, f)| PlotPoint::new(first + i as f64, sum(f) as f64 / 1e6))
                    .collect();
                let line = Line::new(name, PlotPoints::Owned(points)).color(color).width(1.0);
                plot.line(line.fill(0.0).fill_alpha(1.0));
            }
        });
}

/// Marks from 0 to `top` at a round distance, two to four of them: the chart is low, and labels that
/// stand too close are left out.
fn ticks(top: f64) -> Vec<GridMark> {
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
