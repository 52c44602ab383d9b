//! Whether all algorithms found the same pairs.

use crate::panel::format::{capitalised, compact};
use crate::simulation::Snapshot;
use egui::Ui;

/// How to read the figures.
pub(super) const NOTE: &str = "The ticked algorithms search the same boxes in each step; the \
    others cost nothing. The order of their searches rotates from step to step, so that none \
    always finds the boxes in the cache. Drawing goes on at the same time: figures to publish come \
    from the harness.";

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
            let name = capitalised(&format!("{} {object}", snapshot.kind()));
            if ui.link(name).on_hover_text("Pick it").clicked() {
                *picked = Some(object);
            }
        }
    });
}

/// For how many steps they have agreed.
fn agreement(snapshot: &Snapshot) -> String {
    let algorithms = match snapshot.compared.len() {
        0 => return "Tick other algorithms to let them search the same boxes in each step.".into(),
        1 => "Both algorithms".to_owned(),
        compared => format!("All {} algorithms", 1 + compared),
    };
    let steps = match snapshot.agreed_steps {
        0 => return format!("{algorithms} are compared from the next step on."),
        1 => "in the last step".to_owned(),
        steps => format!("in each of the last {} steps", compact(steps as f64)),
    };
    let verdict = format!("{algorithms} found the same pairs {steps}");
    // After a step back, or under another algorithm, the pairs of this step are not known.
    match snapshot.history.last().filter(|_| snapshot.searched).map(|frame| frame.pairs) {
        None => format!("{verdict}."),
        Some(1) => format!("{verdict}; 1 pair in this one."),
        Some(pairs) => format!("{verdict}; {} pairs in this one.", compact(pairs as f64)),
    }
}
