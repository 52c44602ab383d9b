//! Whether all algorithms found the same pairs.

use super::super::compact;
use super::NOTE;
use crate::simulation::Snapshot;
use egui::Ui;

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, picked: &mut Option<u32>) {
    ui.horizontal_wrapped(|ui| {
        let Some(disagreement) = snapshot.disagreement else {
            ui.label(agreement(snapshot)).on_hover_text(NOTE);
            return;
        };
        let warning = ui.visuals().warn_fg_color;
        ui.colored_label(warning, disagreement.to_string());
        let pair = disagreement.pair();
        for object in [pair.a, pair.b] {
            if ui.link(format!("Sphere {object}")).on_hover_text("Look at it closely").clicked() {
                *picked = Some(object);
            }
        }
    });
}

/// How long they have agreed.
fn agreement(snapshot: &Snapshot) -> String {
    let algorithms = match snapshot.shadows.len() {
        0 => return "Tick other algorithms to let them search the same boxes in each step.".into(),
        1 => "Both algorithms".to_owned(),
        shadows => format!("All {} algorithms", 1 + shadows),
    };
    let steps = match snapshot.agreed_steps {
        0 => return format!("{algorithms} are compared from the next step on."),
        1 => "in the last step".to_owned(),
        steps => format!("in each of the last {} steps", compact(steps as f64)),
    };
    let pairs = match snapshot.history.last().map_or(0, |frame| frame.pairs) {
        1 => "1 pair".to_owned(),
        pairs => format!("{} pairs", compact(pairs as f64)),
    };
    format!("{algorithms} found the same pairs {steps}; {pairs} in this one.")
}
