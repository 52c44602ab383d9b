//! What is to be told, over the lower edge of the scene.

use super::{Command, Status};
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
                    // A single step, or what an order begins, is at work too.
                    ui.label(format!(
                        "{name} is at work for {seconds:.0} s; another may be chosen"
                    ));
                }
                for notice in status.notices {
                    match notice {
                        Notice::Done(text) => ui.label(laid_out(text)),
                        Notice::Trouble(text) => {
                            ui.colored_label(ui.visuals().warn_fg_color, laid_out(text))
                        }
                    };
                }
                if !status.notices.is_empty() && ui.small_button("Dismiss").clicked() {
                    commands.push(Command::DismissNotices);
                }
            });
        });
}

/// Of several lines, one may point at a place in another.
fn laid_out(text: &str) -> RichText {
    let laid_out = RichText::new(text);
    if text.contains('\n') { laid_out.monospace() } else { laid_out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_several_lines_keeps_its_columns() {
        let lines = "a.scene:1:3: expected a number\ni x 0 0\n  ^";
        assert_eq!(laid_out(lines), RichText::new(lines).monospace());
        assert_eq!(laid_out("20 frames written"), RichText::new("20 frames written"));
    }
}
