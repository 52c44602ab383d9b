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
        let Some(disagreement) = snapshot.engine.disagreement else {
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

/// For how many steps they have agreed, and the pairs of the present one.
fn agreement(snapshot: &Snapshot) -> String {
    let algorithms = match snapshot.compared.len() {
        0 => return "Tick other algorithms to let them search the same boxes in each step.".into(),
        1 => "Both algorithms".to_owned(),
        compared => format!("All {} algorithms", 1 + compared),
    };
    // An earlier step than the last one may be shown.
    let (latest, is_shown) =
        (compact(snapshot.motion.latest as f64), snapshot.motion.latest == snapshot.motion.steps);
    let steps = match (snapshot.agreed_steps, is_shown) {
        (0, _) => return format!("{algorithms} are compared from the next step on."),
        (1, true) => "in the last step".to_owned(),
        (1, false) => format!("in step {latest}"),
        (steps, true) => format!("in each of the last {} steps", compact(steps as f64)),
        (steps, false) => format!("in each of {} steps up to {latest}", compact(steps as f64)),
    };
    let verdict = format!("{algorithms} found the same pairs {steps}");
    // The pairs of this step are not known until its search is done.
    match snapshot.search.found.filter(|_| snapshot.search.searched).map(|found| found.pairs) {
        None => format!("{verdict}."),
        Some(1) => format!("{verdict}; 1 pair in this one."),
        Some(pairs) => format!("{verdict}; {} pairs in this one.", compact(pairs as f64)),
    }
}
