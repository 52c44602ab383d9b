//! What is to be told, over the lower edge of the scene.

use super::{Command, Status};
use crate::simulation::{Notice, Snapshot};
use egui::{Align2, Area, Frame, Id, Rect, Ui, vec2};

pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let busy = status.busy_for.filter(|_| snapshot.running);
    if status.notices.is_empty() && busy.is_none() {
        return;
    }
    let margin = 8.0;
    let width = (scene.width() - 2.0 * margin).clamp(80.0, 560.0);
    Area::new(Id::unique("notices"))
        .fixed_pos(scene.left_bottom() + vec2(margin, -margin))
        .pivot(Align2::LEFT_BOTTOM)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            ui.set_max_width(width);
            Frame::popup(ui.style()).show(ui, |ui| {
                if let Some(seconds) = busy {
                    let name = snapshot.algorithm.name;
                    ui.label(format!("{name} searches for {seconds:.0} s; another may be chosen"));
                }
                for notice in status.notices {
                    match notice {
                        Notice::Done(text) => ui.label(text),
                        Notice::Trouble(text) => ui.colored_label(ui.visuals().warn_fg_color, text),
                    };
                }
                if !status.notices.is_empty() && ui.small_button("Dismiss").clicked() {
                    commands.push(Command::DismissNotices);
                }
            });
        });
}
