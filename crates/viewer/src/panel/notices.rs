//! Notices, over the lower edge of the scene.

use super::command::Command;
use super::status::Status;
use crate::simulation::{Notice, Snapshot};
use egui::{Align2, Area, Frame, Id, Rect, RichText, Ui, vec2};

pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    if status.notices.is_empty() && status.busy_for.is_none() {
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
                if let Some(seconds) = status.busy_for {
                    let name = snapshot.algorithm.name;
                    // Also during a single step and the start of a scene.
                    ui.label(format!(
                        "{name} has been at work for {seconds:.0} s; another can be chosen"
                    ));
                }
                for notice in status.notices {
                    match notice {
                        Notice::Done(text) => ui.label(formatted(text)),
                        Notice::Problem(text) => {
                            ui.colored_label(ui.visuals().warn_fg_color, formatted(text))
                        }
                    };
                }
                if !status.notices.is_empty() && ui.small_button("Dismiss").clicked() {
                    commands.push(Command::DismissNotices);
                }
            });
        });
}

/// Monospaced where there are several lines: a caret in one may point at a column of another.
fn formatted(text: &str) -> RichText {
    let formatted = RichText::new(text);
    if text.contains('\n') { formatted.monospace() } else { formatted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_several_lines_is_monospaced() {
        let lines = "a.scene:1:3: expected a number\ni x 0 0\n  ^";
        assert_eq!(formatted(lines), RichText::new(lines).monospace());
        assert_eq!(formatted("20 frames written"), RichText::new("20 frames written"));
    }
}
