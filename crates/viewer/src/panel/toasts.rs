//! Messages over the lower edge of the scene, and unsaved edits that are offered.

use super::command::Command;
use super::widgets::named;
use crate::format::seconds;
use crate::session::{AtWork, Task};
use crate::simulation::Notice;
use egui::{Align2, Area, Frame, Id, Label, Rect, RichText, ScrollArea, Ui, vec2};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A step that takes longer than this is announced. Shorter ones need no explanation.
pub const NOTICEABLE: Duration = Duration::from_millis(700);

/// Toasts are laid out again after this time, since they are shown for some seconds only.
const REPAINT_AFTER: Duration = Duration::from_secs(1);

/// Maximum of messages shown at once; the oldest are dropped.
const MAX_SHOWN: usize = 8;

/// How long a message is shown, in ns: one that something was done, and one that needs to be read. The reason of a stop is
/// shown until the scene moves again.
const DONE_NS: u64 = 8_000_000_000;
const PROBLEM_NS: u64 = 60_000_000_000;

/// Largest width, and gap to the scene's edges, in points.
const MAX_WIDTH: f32 = 560.0;
const GAP: f32 = 8.0;

/// Unsaved edits in a file of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedEdits {
    /// The scene file that was edited.
    pub scene: PathBuf,
    /// When they were last written: date and time.
    pub date: String,
    /// The file that has them.
    pub path: PathBuf,
}

/// A message, how many times it has come, and until when it is shown.
#[derive(Clone, Debug)]
struct Toast {
    notice: Notice,
    times: u32,
    until_ns: u64,
}

impl Toast {
    /// Shows the text, in another colour if it needs to be read. A text of several lines is monospaced and not wrapped: a caret
    /// in one may point at a column of another.
    fn show(&self, ui: &mut Ui) {
        let (text, is_done) = match &self.notice {
            Notice::Done(text) => (text, true),
            Notice::Problem(text) | Notice::Stop(text) => (text, false),
        };
        let times = if self.times > 1 { format!(" ({} times)", self.times) } else { String::new() };
        let shown = RichText::new(format!("{text}{times}"));
        let shown = if is_done { shown } else { shown.color(ui.visuals().warn_fg_color) };
        if text.contains('\n') {
            let line = ScrollArea::horizontal().id_salt(text);
            line.show(ui, |ui| ui.add(Label::new(shown.monospace()).extend()));
        } else {
            ui.label(shown);
        }
    }
}

/// The last messages, oldest first, and unsaved edits that are offered until the user opens or discards them.
#[derive(Clone, Debug, Default)]
pub struct Toasts {
    shown: Vec<Toast>,
    /// The offered edits.
    pub offers: Vec<UnsavedEdits>,
}

impl Toasts {
    /// Shows a message. One that is shown already is counted, and shown for longer.
    pub fn push(&mut self, notice: Notice, now_ns: u64) {
        let known = self.shown.iter().position(|toast| toast.notice == notice);
        let times = known.map_or(0, |known| self.shown.remove(known).times) + 1;
        let until_ns =
            now_ns + if matches!(notice, Notice::Done(_)) { DONE_NS } else { PROBLEM_NS };
        self.shown.push(Toast { notice, times, until_ns });
        let excess = self.shown.len().saturating_sub(MAX_SHOWN);
        self.shown.drain(..excess);
    }

    /// Removes the messages whose time is over. Unless the scene is `moving`, the last one about a stop stays.
    pub(crate) fn expire(&mut self, now_ns: u64, moving: bool) {
        let is_stop = |toast: &Toast| matches!(toast.notice, Notice::Stop(_));
        let stop = self.shown.iter().rposition(is_stop).filter(|_| !moving);
        let mut place = 0..;
        self.shown.retain(|toast| place.next() == stop || now_ns < toast.until_ns);
    }

    /// Removes all messages. Offers stay.
    pub fn clear(&mut self) {
        self.shown.clear();
    }

    /// The messages, oldest first.
    pub fn notices(&self) -> Vec<Notice> {
        self.shown.iter().map(|toast| toast.notice.clone()).collect()
    }
}

/// Shows the present work, messages and offers at the lower left of the scene, in this width.
pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    width: f32,
    toasts: &mut Toasts,
    at_work: Option<&AtWork>,
    commands: &mut Vec<Command>,
) {
    if toasts.shown.is_empty() && toasts.offers.is_empty() && at_work.is_none() {
        return;
    }
    ui.ctx().request_repaint_after(REPAINT_AFTER);
    let corner = scene.left_bottom() + vec2(GAP, -GAP);
    let area = Area::new(Id::unique("toasts")).fixed_pos(corner).pivot(Align2::LEFT_BOTTOM);
    area.constrain(false).show(ui.ctx(), |ui| {
        ui.set_max_width((width - 2.0 * GAP).clamp(80.0, MAX_WIDTH));
        Frame::popup(ui.style()).show(ui, |ui| {
            if let Some(work) = at_work {
                // Also during a single step and the start of a scene.
                ui.label(present_work(work));
            }
            toasts.offers.iter().for_each(|edits| offer(ui, edits, commands));
            toasts.shown.iter().for_each(|toast| toast.show(ui));
            if !toasts.shown.is_empty() && ui.small_button("Dismiss").clicked() {
                toasts.clear();
            }
        });
    });
}

/// Offers unsaved edits.
fn offer(ui: &mut Ui, edits: &UnsavedEdits, commands: &mut Vec<Command>) {
    let UnsavedEdits { scene, date, path } = edits;
    let name = scene.file_name().map_or(scene.as_path(), Path::new).display();
    ui.label(format!("{name} has unsaved edits of {date}")).on_hover_text(format!(
        "{}: they are in {}",
        scene.display(),
        path.display()
    ));
    ui.horizontal(|ui| {
        if named(ui.small_button("Open"), &format!("Open {name} of {date}")).clicked() {
            commands.push(Command::OpenEdits(edits.clone()));
        }
        if named(ui.small_button("Discard"), &format!("Discard {name} of {date}")).clicked() {
            commands.push(Command::DiscardEdits(path.clone()));
        }
    });
}

/// The present task, and how long it has taken.
fn present_work(work: &AtWork) -> String {
    let AtWork { task, task_for, busy_for } = *work;
    let Some(Task { words, algorithm }) = task else {
        return format!("at work for {}", seconds(busy_for));
    };
    let what = algorithm.map_or(words.to_owned(), |name| format!("{name}: {words}"));
    // Many parts may take long together, as of many compared algorithms.
    format!("{what} for {}, {} in all", seconds(task_for), seconds(busy_for))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_limited_and_gone_after_their_time() {
        let [done, problem, stop]: [fn(&str) -> Notice; 3] = [
            |text| Notice::Done(text.to_owned()),
            |text| Notice::Problem(text.to_owned()),
            |text| Notice::Stop(text.to_owned()),
        ];
        let mut toasts = Toasts::default();
        for notice in [done("chart"), problem("a"), stop("b"), problem("a"), stop("c")] {
            toasts.push(notice, 0);
        }
        let times: Vec<u32> = toasts.shown.iter().map(|toast| toast.times).collect();
        assert_eq!(toasts.notices(), [done("chart"), stop("b"), problem("a"), stop("c")]);
        assert_eq!(times, [1, 1, 2, 1]);
        toasts.expire(DONE_NS - 1, true);
        assert_eq!(toasts.notices().len(), 4);
        toasts.expire(DONE_NS, true);
        assert_eq!(toasts.notices(), [stop("b"), problem("a"), stop("c")]);
        toasts.push(problem("a"), PROBLEM_NS - 1);
        toasts.expire(PROBLEM_NS, false);
        assert_eq!(toasts.notices(), [stop("c"), problem("a")], "the last stop, and a repetition");
        toasts.expire(PROBLEM_NS, true);
        assert_eq!(toasts.notices(), [problem("a")], "the scene moves again");
        (0..20).for_each(|number| toasts.push(problem(&number.to_string()), 0));
        assert_eq!(toasts.notices().len(), MAX_SHOWN);
    }
}
