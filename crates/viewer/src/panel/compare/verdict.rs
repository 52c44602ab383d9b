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
    let verdict = format!("{algorithms} found the same pairs {steps}");
    // After a step back, or under another algorithm, those of this step are not known.
    match snapshot.history.last().filter(|_| snapshot.searched).map(|frame| frame.pairs) {
        None => format!("{verdict}."),
        Some(1) => format!("{verdict}; 1 pair in this one."),
        Some(pairs) => format!("{verdict}; {} pairs in this one.", compact(pairs as f64)),
    }
}
