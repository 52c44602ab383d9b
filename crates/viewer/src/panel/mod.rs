//! The panels around the scene. They read a snapshot and say what the user wants; they change
//! nothing themselves.
//!
//! Pure egui: they need no window, so that tests click them without one.

mod algorithm;
mod chart;
mod compare;
mod draw;
mod export;
mod figures;
mod funnel;
mod help;
mod inspector;
mod labels;
mod legend;
mod more;
mod notices;
mod number_field;
mod objects;
mod run;
mod structure;

use crate::camera::OrbitCamera;
use crate::composer::{DrawOptions, Selection};
use crate::simulation::{Notice, Order, Snapshot};
use broadphase::{Algorithm, Overlay};
use egui::{Panel, Rect, Response, RichText, ScrollArea, Ui};
use number_field::Typed;
use sim::Scene;
use std::path::PathBuf;
use std::time::Duration;

pub use compare::CompareState;
pub use more::MoreState;
pub use objects::ObjectsForm;

/// Width of the panel in points.
pub const WIDTH: f32 = 310.0;

/// Width of *More about the scene* in points, where it has a place of its own.
pub const MORE_WIDTH: f32 = 300.0;

/// The longest response delay that can be asked for.
pub const MOST_RESPONSE_DELAY: Duration = Duration::from_millis(100);

/// A window at least so wide, in points, shows *More about the scene* beside the scene; in a
/// narrower one it stands in the panel.
const WIDE: f32 = 960.0;

/// Something the user wants.
#[derive(Clone, Debug)]
pub enum Command {
    /// Something that the simulation does.
    Order(Order),
    /// Wait for the screen, or draw as fast as possible.
    Vsync(bool),
    /// Dark or light.
    Dark(bool),
    /// See the whole scene.
    FrameAll,
    /// Read a scene file.
    Load(PathBuf),
    /// Ask for a scene file to read.
    AskForScene,
    /// Write the scene, with all edits, into a file.
    Save(PathBuf),
    /// Ask where to write the scene.
    AskWhereToSave,
    /// Write the recorded frames into `results/`.
    ExportFrames,
    /// Write a summary of them there.
    ExportSummary,
    /// Write the view as a picture there.
    ExportPicture,
    /// Write the chart of the compared algorithms, or of the phases, there.
    ExportChart(ChartFormat),
    /// Forget all notices.
    DismissNotices,
}

impl From<Order> for Command {
    fn from(order: Order) -> Self {
        Command::Order(order)
    }
}

/// How a chart is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartFormat {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
}

/// What the panels show, beside the simulation.
#[derive(Clone, Copy, Debug)]
pub struct Status<'a> {
    /// Whether drawing waits for the screen.
    pub vsync: bool,
    /// The way of presenting that is in force.
    pub present_mode: &'a str,
    /// Pictures drawn per second, once there are enough to tell.
    pub fps: Option<f64>,
    /// Nanoseconds that the GPU took for the last picture, by its own clock, where it has one.
    pub gpu_ns: Option<u64>,
    /// The adapter that draws.
    pub adapter: &'a str,
    /// Where the scene is seen from.
    pub camera: OrbitCamera,
    /// How long the step that is going on has taken so far, in seconds, where that is noticeable.
    pub busy_for: Option<f32>,
    /// Whether a dialog of the system is open.
    pub asking: bool,
    /// What was told last, oldest first.
    pub notices: &'a [Notice],
    /// Scene files that come with the program.
    pub shipped_scenes: &'a [PathBuf],
    /// Scene files that were read lately, the last one first.
    pub recent_scenes: &'a [PathBuf],
}

/// What the user has typed, switched and opened, and not only clicked.
#[derive(Clone, Debug)]
pub struct PanelState {
    /// The form of the first group.
    pub objects: ObjectsForm,
    /// What goes on in its fields.
    pub(crate) objects_typed: Typed,
    /// What is drawn.
    pub draw: DrawOptions,
    /// *More about the scene*.
    pub more: MoreState,
    /// The comparison of algorithms.
    pub compare: CompareState,
    /// The object that is looked at closely.
    pub picked: Option<u32>,
    /// Whether the help sheet is open.
    pub help: bool,
    /// Whether all panels are out of the way.
    pub hidden: bool,
    /// Dark or light.
    pub dark: bool,
}

impl PanelState {
    /// As a scene begins.
    pub fn of_scene(scene: &Scene) -> Self {
        Self {
            objects: ObjectsForm::of_scene(scene),
            objects_typed: Typed::default(),
            draw: DrawOptions::of_scene(scene),
            more: MoreState::default(),
            compare: CompareState::default(),
            picked: None,
            help: false,
            hidden: false,
            dark: true,
        }
    }

    /// Takes over what another scene says; what is open stays open.
    pub fn begin_scene(&mut self, scene: &Scene) {
        self.objects = ObjectsForm::of_scene(scene);
        self.objects_typed = Typed::default();
        (self.draw.shading, self.draw.triangles) = (scene.shading, scene.triangles);
        self.more.begin_scene();
        self.picked = None;
    }

    /// What is selected, to be drawn lighter.
    pub fn selection(&self) -> Selection {
        self.more.selection()
    }
}

/// Lays out everything around the scene; what the user wants is appended to `commands`. Returns the
/// part that is left to the scene, in points.
pub fn window(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) -> Rect {
    algorithm::allow_high_lists(ui.ctx());
    if let Some(object) = state.compare.tell(snapshot.disagreement.as_ref()) {
        state.picked = Some(object);
    }
    if !state.hidden {
        let wide = ui.available_width() >= WIDE;
        Panel::right("panel").exact_size(WIDTH).resizable(false).show(ui, |ui| {
            show(ui, state, snapshot, status, !wide, commands);
        });
        if wide && state.more.open {
            Panel::left("more").exact_size(MORE_WIDTH).resizable(false).show(ui, |ui| {
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    more::show(ui, state, snapshot, status, commands);
                });
            });
        }
        if state.compare.open {
            let height = compare::height(ui.available_height());
            Panel::bottom("compare").exact_size(height).resizable(false).show(ui, |ui| {
                let (compare, picked) = (&mut state.compare, &mut state.picked);
                compare::show(ui, compare, picked, snapshot, commands);
            });
        }
    }
    let scene = ui.available_rect_before_wrap();
    if !state.hidden {
        labels::show(ui, scene, snapshot, &state.draw, status.camera);
        legend::show(ui, scene, snapshot, &state.draw);
        inspector::show(ui, scene, &mut state.picked, snapshot);
    }
    notices::show(ui, scene, snapshot, status, commands);
    help::show(ui, &mut state.help);
    scene
}

/// Lays out the panel itself.
fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    more_inside: bool,
    commands: &mut Vec<Command>,
) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        // Tight, so that all groups stand on a screen of 720 points without scrolling.
        ui.spacing_mut().item_spacing.y = 2.0;
        group(ui, "Objects", |ui| {
            let (form, typed) = (&mut state.objects, &mut state.objects_typed);
            objects::show(ui, form, typed, snapshot, commands);
        });
        group(ui, "Run", |ui| run::show(ui, snapshot, status, commands));
        group(ui, "Draw", |ui| draw::show(ui, &mut state.draw, snapshot));
        group(ui, "Figures", |ui| {
            // Text alone needs less height than what is clicked.
            ui.spacing_mut().interact_size.y = 0.0;
            figures::show(ui, snapshot, status);
            funnel::show(ui, snapshot);
            chart::show(ui, snapshot);
        });
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.toggle_value(&mut state.more.open, "More about the scene")
                .on_hover_text("Sources, obstacles, forces, rates, files");
            ui.toggle_value(&mut state.compare.open, "Compare")
                .on_hover_text("Other algorithms on the same boxes, step by step");
            ui.toggle_value(&mut state.help, "?").on_hover_text("Keys and mouse (F1)");
            let mut dark = state.dark;
            if ui.checkbox(&mut dark, "Dark").on_hover_text("Dark or light").changed() {
                commands.push(Command::Dark(dark));
            }
        });
        if more_inside && state.more.open {
            more::show(ui, state, snapshot, status, commands);
        }
        group(ui, "Export", |ui| export::show(ui, snapshot, status, commands));
        let gpu = status.gpu_ns.map(|ns| format!("{:.1} ms: ", ns as f64 / 1e6));
        let adapter = format!("{}{}", gpu.unwrap_or_default(), status.adapter);
        ui.label(RichText::new(adapter).small().weak()).on_hover_text(
            "The graphics adapter that draws; before it, where it has a clock, what it took for the \
             last picture by that clock",
        );
    });
}

fn group(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    egui::Frame::group(ui.style()).inner_margin(4.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(title).strong());
        contents(ui);
    });
}

/// Gives a control another name than the text on it says, for screen readers.
fn named(control: Response, name: &str) -> Response {
    control.ctx.accesskit_node_builder(control.id, |node| node.set_label(name));
    control
}

/// What an algorithm's regions are called: leaves where planes divide space, cells elsewhere.
fn regions_of(row: &Algorithm, number: usize) -> &'static str {
    match (row.shows(Overlay::Planes), number) {
        (true, 1) => "leaf",
        (true, _) => "leaves",
        (false, 1) => "cell",
        (false, _) => "cells",
    }
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

/// A figure in the small print, as wide as its number of characters says.
fn small_figure(text: impl Into<String>) -> RichText {
    RichText::new(text).monospace().size(11.0)
}

/// Bytes in a unit that people read.
fn megabytes(bytes: f64) -> String {
    if bytes < 1e6 { format!("{:.0} kB", bytes / 1e3) } else { format!("{:.1} MB", bytes / 1e6) }
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
