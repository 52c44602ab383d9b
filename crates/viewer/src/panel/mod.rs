//! The side panel. It reads a session and says what the user wants; it changes nothing itself.
//!
//! Pure egui: it needs no window, so that tests click it without one.

mod chart;
mod draw;
mod figures;
mod objects;
mod run;

use crate::composer::DrawOptions;
use crate::session::Session;
use broadphase::Algorithm;
use egui::{RichText, ScrollArea, Ui};
use sim::Scene;

pub use objects::ObjectsForm;

/// Width of the panel in points.
pub const WIDTH: f32 = 310.0;

/// Something the user wants.
#[derive(Clone, Debug)]
pub enum Command {
    /// Let the motion run, or stand still.
    Run(bool),
    /// One step while standing still.
    Step,
    /// Find the pairs by another algorithm.
    Algorithm(&'static Algorithm),
    /// Begin anew with these settings.
    Generate(Box<Scene>),
    /// Hold all objects within the first source.
    Strict(bool),
    /// Wait for the screen, or draw as fast as possible.
    Vsync(bool),
    /// Write the frames so far.
    ExportCsv,
}

/// What the panel shows, beside the session.
#[derive(Clone, Copy, Debug)]
pub struct Status<'a> {
    /// Whether the motion runs.
    pub running: bool,
    /// Whether drawing waits for the screen.
    pub vsync: bool,
    /// The adapter that draws.
    pub adapter: &'a str,
    /// The last thing to be told.
    pub notice: Option<&'a Notice>,
}

/// One line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something was done.
    Done(String),
    /// Something is doubtful, or failed.
    Trouble(String),
}

/// What the user has typed and switched, and not only clicked.
#[derive(Clone, Debug)]
pub struct PanelState {
    /// The form of the first group.
    pub objects: ObjectsForm,
    /// What is drawn.
    pub draw: DrawOptions,
}

impl PanelState {
    /// As a scene begins.
    pub fn of_scene(scene: &Scene) -> Self {
        Self { objects: ObjectsForm::of_scene(scene), draw: DrawOptions::of_scene(scene) }
    }
}

/// Lays out the panel; what the user wants is appended to `commands`.
pub fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    session: &Session,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        // Tight, so that all groups stand on a screen of 720 points without scrolling.
        ui.spacing_mut().item_spacing.y = 3.0;
        group(ui, "Objects", |ui| objects::show(ui, &mut state.objects, session.scene(), commands));
        group(ui, "Run", |ui| run::show(ui, session, status, commands));
        group(ui, "Draw", |ui| draw::show(ui, &mut state.draw, session));
        group(ui, "Figures", |ui| {
            figures::show(ui, session);
            chart::show(ui, session);
        });
        group(ui, "Export", |ui| export(ui, session, status, commands));
    });
}

fn export(ui: &mut Ui, session: &Session, status: &Status<'_>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let frames = session.recorded();
        let button = ui.add_enabled(frames > 0, egui::Button::new("Export CSV")).on_hover_text(
            "Write the recorded frames to results/ (key E); the last 200,000 are kept",
        );
        if button.clicked() {
            commands.push(Command::ExportCsv);
        }
        ui.weak(format!("{} frames recorded", compact(frames as f64)));
    });
    match status.notice {
        Some(Notice::Done(text)) => {
            ui.label(text);
        }
        Some(Notice::Trouble(text)) => {
            ui.colored_label(ui.visuals().warn_fg_color, text);
        }
        None => {}
    }
    ui.weak(status.adapter).on_hover_text("The graphics adapter that draws");
}

fn group(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    egui::Frame::group(ui.style()).inner_margin(6.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(title).strong());
        contents(ui);
    });
}

/// A whole number with its digits in groups of three; from a million on with three digits and a
/// prefix of the SI, since longer numbers that change every frame cannot be read.
pub(crate) fn compact(number: f64) -> String {
    for (size, prefix) in [(1e12, 'T'), (1e9, 'G'), (1e6, 'M')] {
        // What would be rounded up to the next prefix already takes it.
        if number >= size * 0.999_5 {
            let scaled = number / size;
            let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
            return format!("{scaled:.decimals$} {prefix}");
        }
    }
    let digits = format!("{number:.0}");
    match digits.len().checked_sub(3) {
        Some(split) if split > 0 => format!("{},{}", &digits[..split], &digits[split..]),
        _ => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_enough_to_read_while_they_change() {
        let numbers = [0.0, 999.0, 1000.0, 77_879.4, 999_400.0, 999_600.0, 4_498_500.0];
        let expected = ["0", "999", "1,000", "77,879", "999,400", "1.00 M", "4.50 M"];
        assert_eq!(numbers.map(compact), expected);
        assert_eq!([12_345_678.0, 5e8, 2.5e9].map(compact), ["12.3 M", "500 M", "2.50 G"]);
    }
}
