//! Notices, over the lower edge of the scene.

use super::command::Command;
use super::format::seconds;
use super::state::PanelState;
use super::status::Status;
use super::{suggestions, triad};
use crate::session::{AtWork, Task};
use crate::simulation::Notice;
use egui::{Align2, Area, Frame, Id, LayerId, Order, Rect, RichText, Ui, pos2};
use std::time::Duration;

/// A step that takes longer than this is announced. Shorter ones need no explanation.
pub const NOTICEABLE: Duration = Duration::from_millis(700);

/// Notices are laid out again after this time, since they are shown for some seconds only.
const REPAINT_AFTER: Duration = Duration::from_secs(1);

fn id() -> Id {
    Id::unique("notices")
}

/// Their upper edge, where it was in the last frame; the lower edge of the scene without notices.
pub(super) fn top(ui: &Ui, scene: Rect) -> f32 {
    let layer = LayerId::new(Order::Middle, id());
    ui.ctx().memory(|memory| {
        let area = memory.area_rect(id());
        area.filter(|_| memory.areas().visible_last_frame(&layer))
            .map_or(scene.bottom(), |area| area.top())
    })
}

pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    state: &PanelState,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    if status.notices.is_empty() && status.at_work.is_none() {
        return;
    }
    ui.ctx().request_repaint_after(REPAINT_AFTER);
    let margin = 8.0;
    // The axes are beside them.
    let width = (scene.width() - 2.0 * margin - triad::width(scene, state)).clamp(80.0, 560.0);
    // The strip of suggestions is below them.
    let left = scene.left() + margin;
    let bottom = suggestions::top(ui, scene, state, left..=left + width) - margin;
    Area::new(id()).fixed_pos(pos2(left, bottom)).pivot(Align2::LEFT_BOTTOM).constrain(false).show(
        ui.ctx(),
        |ui| {
            ui.set_max_width(width);
            Frame::popup(ui.style()).show(ui, |ui| {
                if let Some(work) = &status.at_work {
                    // Also during a single step and the start of a scene.
                    ui.label(present_work(work));
                }
                for notice in status.notices {
                    match notice {
                        Notice::Done(text) => ui.label(formatted(text)),
                        Notice::Problem(text) | Notice::Stop(text) => {
                            ui.colored_label(ui.visuals().warn_fg_color, formatted(text))
                        }
                    };
                }
                if !status.notices.is_empty() && ui.small_button("Dismiss").clicked() {
                    commands.push(Command::DismissNotices);
                }
            });
        },
    );
}

/// The present task, and how long it has taken.
fn present_work(work: &AtWork) -> String {
    let AtWork { task, task_for, busy_for } = *work;
    let Some(Task { words, algorithm }) = task else {
        return format!("at work for {}", seconds(busy_for));
    };
    let what = algorithm.map_or(words.to_owned(), |name| format!("{name}: {words}"));
    if task_for < NOTICEABLE {
        // Many parts together, as of many compared algorithms.
        return format!("this step has taken {} so far; now {what}", seconds(busy_for));
    }
    format!("{what} for {}", seconds(task_for))
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
    fn work_is_named_by_the_part_that_takes_long() {
        let work = |task, task_ms, busy_ms| {
            let [task_for, busy_for] = [task_ms, busy_ms].map(Duration::from_millis);
            present_work(&AtWork { task, task_for, busy_for })
        };
        let task = |algorithm| Some(Task { words: "searching", algorithm });
        assert_eq!(work(task(Some("BSP tree")), 3200, 3300), "BSP tree: searching for 3.2 s");
        assert_eq!(work(task(None), 9000, 9000), "searching for 9.0 s");
        let many = "this step has taken 5.0 s so far; now BSP tree: searching";
        assert_eq!(work(task(Some("BSP tree")), 100, 5000), many);
        assert_eq!(work(None, 0, 2000), "at work for 2.0 s");
    }

    #[test]
    fn text_of_several_lines_is_monospaced() {
        let lines = "a.scene:1:3: expected a number\ni x 0 0\n  ^";
        assert_eq!(formatted(lines), RichText::new(lines).monospace());
        assert_eq!(formatted("20 frames written"), RichText::new("20 frames written"));
    }
}
