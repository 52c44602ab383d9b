//! Group 9: the algorithm's work per second.

use crate::panel::figures::{pair, rate};
use crate::simulation::Snapshot;
use egui::{Grid, Ui};

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    let rates = snapshot.history.rates;
    let over = "over the last second; a dash before the second step";
    Grid::new("rates").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        let tests = rate(rates.as_ref(), |rates| rates.tests);
        pair(ui, "Pairs tested per second", &tests, &format!("Pairs of boxes compared, {over}"));
        ui.end_row();
        // Boxes that are played do not collide.
        if snapshot.motion.recording.is_none() {
            let hits = rate(rates.as_ref(), |rates| rates.hits);
            pair(
                ui,
                "Real collisions per second",
                &hits,
                &format!("Pairs of objects that touched, {over}"),
            );
            ui.end_row();
        }
    });
}
