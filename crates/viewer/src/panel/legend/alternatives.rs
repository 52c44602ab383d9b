//! The ways in which a step could have been answered, with their predicted costs.

use super::marks::{hint, line};
use broadphase::inspect::Alternative;
use egui::Ui;

pub(super) fn show(ui: &mut Ui, alternatives: &[Alternative]) {
    line(
        ui,
        "Time of a step, predicted from the motion of sampled objects. Another is chosen once it is clearly shorter. 1.00: a full search by a grid of sweeps.",
    );
    for Alternative { name, cost, why, is_chosen } in alternatives {
        let cost = cost.map_or("not estimated".to_owned(), |cost| format!("{cost:.2}"));
        if *is_chosen {
            hint(ui, &format!("{name}: {cost}, chosen"));
        } else {
            line(ui, format!("{name}: {cost}"));
        }
        line(ui, format!("   {why}"));
    }
}
