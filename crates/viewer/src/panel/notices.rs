//! Notices, over the lower edge of the scene.

use super::command::Command;
use super::format::{compact, seconds};
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

/// What takes so long, and what can be done about it.
fn present_work(work: &AtWork) -> String {
    let AtWork { task, task_for, busy_for } = *work;
    let Some(task) = task else { return format!("at work for {}", seconds(busy_for)) };
    if task_for < NOTICEABLE {
        // Many parts together, as of many compared algorithms.
        let (time, now) = (seconds(busy_for), in_short(task));
        return format!("this step has taken {time} so far; now: {now}");
    }
    let time = seconds(task_for);
    match task {
        Task::Searching { algorithm, compared: false } => {
            format!("{algorithm} has been searching for {time}; another can be chosen")
        }
        Task::Searching { algorithm, compared: true } => format!(
            "{algorithm} has been searching for {time}, only compared; untick it to go on without it"
        ),
        Task::Delaying { hits, delay } => {
            let all = seconds(delay * u32::try_from(hits).unwrap_or(u32::MAX));
            let (hits, each) = (compact(hits as f64), delay.as_millis());
            format!("delay: {hits} responses x {each} ms = {all} a step (keys - and +)")
        }
        task => format!("{} for {time}", in_short(task)),
    }
}

fn in_short(task: Task) -> String {
    match task {
        Task::Placing { objects } => format!("placing {} objects", compact(objects as f64)),
        Task::Moving => "moving the objects".to_owned(),
        Task::Searching { algorithm, compared: false } => format!("{algorithm} is searching"),
        Task::Searching { algorithm, compared: true } => {
            format!("{algorithm} is searching, compared")
        }
        Task::Restoring { algorithm } => {
            format!("replaying earlier steps for the structure of {algorithm}")
        }
        Task::Validating { algorithm } => format!("validating {algorithm}"),
        Task::TestingBodies { candidates, parts } => {
            let candidates = compact(candidates as f64);
            let of_parts =
                if parts > 1 { format!(" of up to {parts} parts") } else { String::new() };
            format!("testing {candidates} pairs of bodies{of_parts}, and checking the answers")
        }
        Task::SortingPairs { pairs } => format!("sorting {} pairs", compact(pairs as f64)),
        Task::CheckingPairs { pairs } => {
            format!("checking {} pairs against the boxes", compact(pairs as f64))
        }
        Task::Responding { pairs } => format!("responding to {} pairs", compact(pairs as f64)),
        Task::Recording => "recording the step".to_owned(),
        Task::Delaying { .. } => "spending the delay of the responses".to_owned(),
        Task::Exporting => "writing the recorded frames".to_owned(),
    }
}

/// Monospaced where there are several lines: a caret in one may point at a column of another.
fn formatted(text: &str) -> RichText {
    let formatted = RichText::new(text);
    if text.contains('\n') { formatted.monospace() } else { formatted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(task: Task, task_ms: u64, busy_ms: u64) -> String {
        let [task_for, busy_for] = [task_ms, busy_ms].map(Duration::from_millis);
        present_work(&AtWork { task: Some(task), task_for, busy_for })
    }

    #[test]
    fn work_is_named_by_the_part_that_takes_long() {
        let searching = |compared| Task::Searching { algorithm: "BSP tree", compared };
        let own = "BSP tree has been searching for 3.2 s; another can be chosen";
        assert_eq!(work(searching(false), 3200, 3300), own);
        let compared =
            "BSP tree has been searching for 12 s, only compared; untick it to go on without it";
        assert_eq!(work(searching(true), 12_000, 15_000), compared);
        let delaying = Task::Delaying { hits: 546, delay: Duration::from_millis(4) };
        let delay = "delay: 546 responses x 4 ms = 2.2 s a step (keys - and +)";
        assert_eq!(work(delaying, 1500, 1510), delay);
        let placing = work(Task::Placing { objects: 1_000_000 }, 9000, 9000);
        assert_eq!(placing, "placing 1.00 M objects for 9.0 s");
        let testing = work(Task::TestingBodies { candidates: 32, parts: 32 }, 1800, 2000);
        let expected =
            "testing 32 pairs of bodies of up to 32 parts, and checking the answers for 1.8 s";
        assert_eq!(testing, expected);
        let pairs = 41_751_764;
        let sorting = work(Task::SortingPairs { pairs }, 3000, 9000);
        assert_eq!(sorting, "sorting 41.8 M pairs for 3.0 s");
        let checking = work(Task::CheckingPairs { pairs }, 3000, 9000);
        assert_eq!(checking, "checking 41.8 M pairs against the boxes for 3.0 s");
        let convex = work(Task::TestingBodies { candidates: 7000, parts: 1 }, 2000, 2000);
        assert!(convex.starts_with("testing 7,000 pairs of bodies, and checking"), "{convex}");
        let many = "this step has taken 5.0 s so far; now: BSP tree is searching, compared";
        assert_eq!(work(searching(true), 100, 5000), many);
        let (task_for, busy_for) = (Duration::ZERO, Duration::from_secs(2));
        let unnamed = present_work(&AtWork { task: None, task_for, busy_for });
        assert_eq!(unnamed, "at work for 2.0 s");
    }

    #[test]
    fn text_of_several_lines_is_monospaced() {
        let lines = "a.scene:1:3: expected a number\ni x 0 0\n  ^";
        assert_eq!(formatted(lines), RichText::new(lines).monospace());
        assert_eq!(formatted("20 frames written"), RichText::new("20 frames written"));
    }
}
