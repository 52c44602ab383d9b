//! The frame times of the last frames, phase on phase.

use super::figures::PHASES;
use crate::session::{FrameFigures, Session};
use egui::Ui;
use egui_plot::{Line, Plot, PlotPoint, PlotPoints};

pub(super) fn show(ui: &mut Ui, session: &Session) {
    // Each line is the sum of its phase and all below it, drawn from the top down, so that what is
    // left uncovered of each is its own share.
    let sums: [fn(&FrameFigures) -> u64; 5] = [
        |f| f.update_ns,
        |f| f.update_ns + f.pairs_ns,
        |f| f.collision_ns(),
        |f| f.collision_ns() + f.render_ns,
        |f| f.frame_ns(),
    ];
    let frames = session.history().frames();
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
        .grid_spacing(egui::Rangef::new(10.0, 80.0))
        .y_axis_min_width(40.0)
        .y_axis_formatter(|mark, _| format!("{} ms", mark.value))
        .show(ui, |plot| {
            for (sum, (name, color)) in sums.iter().zip(PHASES).rev() {
                let points: Vec<PlotPoint> = session
                    .history()
                    .frames()
                    .enumerate()
                    .map(|(i, f)| PlotPoint::new(first + i as f64, sum(f) as f64 / 1e6))
                    .collect();
                let line = Line::new(name, PlotPoints::Owned(points)).color(color).width(1.0);
                plot.line(line.fill(0.0).fill_alpha(1.0));
            }
        });
}
