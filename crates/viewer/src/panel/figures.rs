//! Groups 4 and 9: shares of time, and rates.

use super::format::{compact, megabytes};
use super::status::Status;
use crate::session::Rates;
use crate::simulation::Snapshot;
use egui::{Color32, Grid, RichText, Sense, Ui, Vec2};

/// Phases of a frame in the order of [`Rates::shares`], with their colours here and in the chart.
/// The colours also differ in grey.
pub(super) const PHASES: [(&str, Color32); 5] = [
    ("update", Color32::from_rgb(0x33, 0x66, 0xb0)),
    ("pairs", Color32::from_rgb(0x5d, 0xa9, 0xe9)),
    ("response", Color32::from_rgb(0xf2, 0xb1, 0x34)),
    ("drawing", Color32::from_rgb(0x8a, 0x8f, 0x98)),
    ("motion", Color32::from_rgb(0x4f, 0xb2, 0x86)),
];

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, status: &Status<'_>) {
    let rates = snapshot.history.rates();
    let counters = snapshot.counters;
    let count = |number: u64| compact(number as f64);
    Grid::new("figures").num_columns(4).min_col_width(58.0).spacing([6.0, 2.0]).show(ui, |ui| {
        let fps = status.fps.map_or("–".into(), |fps| format!("{fps:.1}"));
        pair(ui, "FPS", &fps, "Pictures drawn per second");
        let steps = rates.map_or("–".into(), |r| format!("{:.1}", r.steps));
        pair(ui, "Steps/s", &steps, "Steps simulated per second");
        ui.end_row();
        pair(ui, "Tests/s", &rate(rates.as_ref(), |r| r.tests), "Pairs tested per second");
        pair(ui, "Hits/s", &rate(rates.as_ref(), |r| r.hits), "Real collisions per second");
        ui.end_row();
        if snapshot.algorithm.shows(broadphase::inspect::Overlay::Planes) {
            pair(ui, "Leaves", &count(counters.nodes.div_ceil(2)), "Leaves of the tree");
            let straddlers = count(counters.straddlers);
            pair(ui, "in >1 leaf", &straddlers, "Objects in more than one leaf");
            ui.end_row();
        }
        let bytes = snapshot.heap_bytes as f64;
        pair(ui, "Memory", &megabytes(bytes), "Heap memory of the algorithm");
        if snapshot.algorithm.shows(broadphase::inspect::Overlay::Planes) {
            pair(ui, "planes moved", &count(counters.rebuilds), "Planes moved in the last step");
        }
        ui.end_row();
    });
    shares(ui, rates.as_ref());
}

/// One of the rates, or a dash before there are any.
pub(super) fn rate(rates: Option<&Rates>, of: fn(&Rates) -> f64) -> String {
    rates.map_or_else(|| "–".to_owned(), |rates| compact(of(rates)))
}

/// A figure after its name.
pub(super) fn pair(ui: &mut Ui, name: &str, figure: &str, meaning: &str) {
    ui.label(name).on_hover_text(meaning);
    ui.label(RichText::new(figure).monospace().strong()).on_hover_text(meaning);
}

/// A bar of the shares of time, and the legend of its colours.
fn shares(ui: &mut Ui, rates: Option<&Rates>) {
    let shares = rates.map_or([0.0; 5], |rates| rates.shares);
    let collisions: f64 = shares[..3].iter().sum();
    ui.horizontal(|ui| {
        ui.label(format!("Time: collisions {:.0} %", 100.0 * collisions));
        ui.label(format!("drawing {:.0} %", 100.0 * shares[3]));
        if let Some(rates) = rates {
            ui.weak(format!("of {:.1} ms", rates.step_ns / 1e6))
                .on_hover_text("Mean time of a step over the last second, drawing included");
        }
    });
    let (bar, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 10.0), Sense::hover());
    let mut left = bar.left();
    for ((_, color), share) in PHASES.iter().zip(shares) {
        let right = left + bar.width() * share as f32;
        let part = egui::Rect::from_x_y_ranges(left..=right, bar.y_range());
        ui.painter().rect_filled(part, 0.0, *color);
        left = right;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for ((name, color), share) in PHASES.iter().zip(shares) {
            let (mark, _) = ui.allocate_exact_size(Vec2::splat(8.0), Sense::hover());
            ui.painter().rect_filled(mark, 1.0, *color);
            ui.label(RichText::new(*name).small())
                .on_hover_text(format!("{:.1} % of the measured time", 100.0 * share));
        }
    });
}
