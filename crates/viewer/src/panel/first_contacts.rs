//! First contacts within a step: whether there are any.

use super::command::Command;
use super::keys;
use super::widgets::named;
use crate::simulation::{Order, Snapshot};
use egui::Ui;
use sim::Scene;
use sim::scene::Continuous;

/// The choice of the objects that collide at their first contact. Another choice restarts the scene.
pub(super) fn continuous(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let recipe = &snapshot.input.recipe;
    ui.horizontal(|ui| {
        ui.label("Continuous").on_hover_text(format!(
            "Whether moving objects collide at their first contact within a step, instead of where they are at its end. \
             Another choice restarts the scene; undo{} takes it back",
            keys::hint(keys::UNDO)
        ));
        for choice in Continuous::ALL {
            let meaning = match choice {
                Continuous::Off => "At the end of each step only: fast objects may pass others",
                Continuous::Bullets => {
                    "Bodies marked as bullets with all others, and all with static and kinematic ones"
                }
                Continuous::All => "All objects",
            };
            let button = ui.selectable_label(recipe.continuous == choice, choice.word());
            let button = named(button, &format!("Continuous: {}", choice.word()));
            if button.on_hover_text(meaning).clicked() && recipe.continuous != choice {
                let scene = Scene { continuous: choice, ..(**recipe).clone() };
                commands.push(Order::Generate(Box::new(scene)).into());
            }
        }
    });
}
