//! The panels around the scene. They read a snapshot and return commands; they change nothing
//! themselves.
//!
//! Pure egui: they need no window, so that tests click them without one.

mod algorithm;
mod bodies;
mod bookmarks;
mod chart;
mod command;
mod compare;
mod draft;
mod draw;
mod export;
mod figures;
mod first_contacts;
mod funnel;
mod guide;
mod help;
mod inspector;
mod keys;
mod labels;
mod legend;
mod number_field;
mod objects;
mod parameters;
mod picture;
mod plot;
mod run;
mod scene_editor;
mod scrubber;
mod state;
mod status;
mod suggestions;
mod toasts;
mod touching;
mod triad;
mod view_menu;
mod widgets;

use crate::camera::FreePart;
use crate::format;
use crate::simulation::Snapshot;
use egui::{Id, Label, Panel, Rect, RichText, ScrollArea, Ui, UiBuilder};

pub use algorithm::{kinds as algorithm_kinds, of_key as algorithm_of_key, variant_name};
pub use bookmarks::Bookmark;
pub use command::{Command, MAX_RESPONSE_DELAY};
pub use compare::CompareState;
pub use keys::{KeyAction, row_of_key};
pub use objects::ObjectsForm;
pub use picture::PictureOptions;
pub use scrubber::SCRUBBER_HEIGHT;
pub use state::PanelState;
pub use status::Status;
pub use toasts::{NOTICEABLE, Toasts, UnsavedEdits};

/// Width of the panel in points, until its edge is dragged, and its least width.
pub const WIDTH: f32 = 310.0;

/// The same of *More about the scene*, in a window that has room for it.
pub const MORE_WIDTH: f32 = 300.0;

/// Width in points of the column with the legend and the card of the picked object.
const COLUMN: f32 = legend::COVERED;

/// Width of the scene in points that panels leave when they are dragged, and that the column leaves without a side panel.
const MIN_SCENE: f32 = 100.0;

/// Least height of the card, and of the legend above it, in points.
const MIN_CARD: f32 = 60.0;

/// Least height of a column, in points, in which the legend begins with the sentences about the algorithm.
const ROOMY: f32 = 400.0;

/// Least height of a scene in points above the suggestions.
const LOW: f32 = 130.0;

/// A legend takes at most this share of the width of a picture from the scene.
const MAX_LEGEND_SHARE: f32 = 0.6;

/// A window of at least this width in points shows *More about the scene* to the left of the scene;
/// a narrower one shows it in the panel.
const WIDE: f32 = 960.0;

/// Lays out all panels and appends the user's requests to `commands`. Returns the rectangle left to
/// the scene, in points.
pub fn window(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) -> Rect {
    algorithm::allow_tall_lists(ui.ctx());
    view_menu::zoom(ui.ctx(), state);
    widgets::enlarge_small_text(ui);
    let disputed = snapshot.disputed().map(|pair| (snapshot.motion.steps, pair));
    if std::mem::replace(&mut state.disputed, disputed) != disputed
        && let Some((_, pair)) = disputed
    {
        state.view.picked = Some(pair.a);
    }
    if !state.hidden {
        around(ui, state, snapshot, status, commands);
    }
    let scene = ui.available_rect_before_wrap();
    let mut width = scene.width();
    if !state.hidden {
        let camera = status.camera.within(free_part(scene));
        labels::show(ui, scene, snapshot, &state.view, camera);
        width -= triad::show(ui, scene, &status.camera, commands);
        touching::show(ui, scene, state, snapshot, commands);
    }
    toasts::show(ui, scene, width, &mut state.toasts, status.at_work.as_ref(), commands);
    if !state.hidden {
        guide::show(ui, state, snapshot);
    }
    help::show(ui, state, commands);
    scene
}

/// Lays out what a picture of the scene shows over it: the names of cells, and the legend without its buttons.
pub(crate) fn over_picture(
    ui: &mut Ui,
    state: &PanelState,
    snapshot: &Snapshot,
    camera: crate::camera::OrbitCamera,
) {
    widgets::enlarge_small_text(ui);
    let scene = ui.max_rect();
    labels::show(ui, scene, snapshot, &state.view, camera);
    legend::show_in_picture(ui, scene, state, snapshot);
}

/// Lays out the panels at the edges of the window.
fn around(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let width = ui.available_width();
    let wide = width >= WIDE;
    let beside = wide && state.editor.open && !state.projector;
    let spare = if beside { MORE_WIDTH } else { 0.0 };
    let has_column = state.has_column(width - spare);
    let least = MIN_SCENE + if has_column { COLUMN } else { 0.0 };
    if state.shows_side() {
        let widest = (width - spare - least).max(WIDTH);
        let panel = Panel::right(of_window(ui, "panel")).default_size(WIDTH);
        panel.size_range(WIDTH..=widest).show(ui, |ui| {
            let inside = [!has_column, !wide];
            within(ui, |ui| show(ui, state, snapshot, status, inside, commands));
        });
    }
    if beside {
        let widest = (ui.available_width() - least).max(MORE_WIDTH);
        let editor = Panel::left(of_window(ui, "editor")).default_size(MORE_WIDTH);
        editor.size_range(MORE_WIDTH..=widest).show(ui, |ui| {
            let all = ScrollArea::vertical().auto_shrink([false, false]);
            within(ui, |ui| {
                all.show(ui, |ui| {
                    scene_editor::show(ui, &mut state.editor, snapshot, status, commands)
                });
            });
        });
    }
    if state.compare.open {
        let (height, heights) = compare::heights(ui.available_height());
        let compare = Panel::bottom(of_window(ui, "compare")).resizable(true);
        compare.default_size(height).size_range(heights).show(ui, |ui| {
            let (compare, picked) = (&mut state.compare, &mut state.view.picked);
            within(ui, |ui| {
                compare::show(ui, compare, picked, snapshot, status.measuring, commands);
            });
        });
    }
    Panel::bottom("scrubber").exact_size(SCRUBBER_HEIGHT).resizable(false).show(ui, |ui| {
        scrubber::show(ui, state, snapshot, status, commands);
    });
    if state.suggestions && ui.available_height() >= 2.0 * LOW {
        Panel::bottom("suggestions").show(ui, |ui| {
            suggestions::show(ui, state, snapshot, commands);
        });
    }
    if has_column {
        Panel::right("column").exact_size(COLUMN).resizable(false).show(ui, |ui| {
            within(ui, |ui| column(ui, state, snapshot, commands));
        });
    }
}

/// The legend above the card of the picked object; the card alone in a low column.
fn column(ui: &mut Ui, state: &mut PanelState, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let height = ui.available_height();
    let has_card = state.view.picked.is_some();
    if !state.shows_legend() || has_card && height < 2.0 * MIN_CARD {
        return inspector::show(ui, state, snapshot, commands);
    }
    if has_card {
        let heights = MIN_CARD..=(height - MIN_CARD).max(MIN_CARD);
        let card = Panel::bottom(of_window(ui, "card")).frame(egui::Frame::NONE).resizable(true);
        card.default_size(0.5 * height).size_range(heights).show(ui, |ui| {
            within(ui, |ui| inspector::show(ui, state, snapshot, commands));
        });
    }
    ScrollArea::vertical().id_salt("legend").auto_shrink([false, false]).show(ui, |ui| {
        legend::show(ui, height >= ROOMY, state, snapshot);
    });
}

/// Contents that do not widen their panel: it keeps the size of what is in it.
fn within(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let place = ui.available_rect_before_wrap();
    contents(&mut ui.new_child(UiBuilder::new().max_rect(place)));
    ui.expand_to_include_rect(place);
}

/// The id of a panel in a window of this size: another window begins with the sizes that suit it.
fn of_window(ui: &Ui, name: &str) -> Id {
    let size = ui.ctx().content_rect().size();
    Id::unique(name).with([size.x as i32, size.y as i32])
}

/// The part of the scene's rectangle in which the scene is seen: as large as fits.
pub fn free_part(scene: Rect) -> FreePart {
    if scene.is_positive() { beside(scene, 0.0) } else { FreePart::WHOLE }
}

/// The part of a picture that its legend leaves free.
pub(crate) fn beside_legend(scene: Rect) -> FreePart {
    beside(scene, legend::COVERED.min(MAX_LEGEND_SHARE * scene.width()))
}

/// The part left of a covered one.
fn beside(scene: Rect, covered: f32) -> FreePart {
    let scale = ((scene.width() - covered) / scene.height()).min(1.0);
    FreePart { middle: glam::Vec2::new(-covered / scene.width(), 0.0), scale }
}

/// Lays out the panel itself. `inside` says whether it has the contents of the column, and *More about the scene*.
fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    [column_inside, editor_inside]: [bool; 2],
    commands: &mut Vec<Command>,
) {
    bottom(ui, state, snapshot, status, commands);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        // Tight, so that all groups fit on a screen of 768 points without scrolling.
        ui.spacing_mut().item_spacing.y = 2.0;
        if column_inside && state.view.picked.is_some() {
            group(ui, "Picked", |ui| inspector::show(ui, state, snapshot, commands));
        }
        group(ui, "Objects", |ui| {
            state.objects.follow(ObjectsForm::of_scene(&snapshot.input.recipe));
            objects::show(ui, &mut state.objects.typed, snapshot, commands);
        });
        if let Some(bodies) = &snapshot.objects.bodies {
            group(ui, "Bodies", |ui| bodies::show(ui, state, bodies, snapshot, commands));
        }
        group(ui, "Run", |ui| run::show(ui, snapshot, commands));
        group(ui, "Draw", |ui| draw::show(ui, state, snapshot, status));
        group(ui, "Figures", |ui| {
            // Text needs less height than controls.
            ui.spacing_mut().interact_size.y = 0.0;
            figures::show(ui, snapshot, status);
            if let Some(bodies) = &snapshot.objects.bodies {
                bodies::figures(ui, bodies);
            }
            funnel::show(ui, state, snapshot);
            chart::show(ui, snapshot);
        });
        if column_inside && state.shows_legend() {
            group(ui, "Legend", |ui| legend::show(ui, false, state, snapshot));
        }
        if editor_inside && state.editor.open {
            scene_editor::show(ui, &mut state.editor, snapshot, status, commands);
        }
    });
}

/// The lowest part of the panel.
fn bottom(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    // Below the rest: in sight also where that is scrolled.
    let frame = egui::Frame::NONE;
    Panel::bottom("export").frame(frame).show_separator_line(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.toggle_value(&mut state.editor.open, "More about the scene")
                .on_hover_text("Sources, obstacles, forces, files");
            ui.toggle_value(&mut state.compare.open, "Compare")
                .on_hover_text("Other algorithms on the same boxes, step by step");
            ui.toggle_value(&mut state.help, "?")
                .on_hover_text(format!("Keys and mouse{}", keys::hint(keys::HELP)));
            ui.checkbox(&mut state.dark, "Dark");
        });
        group(ui, "Export", |ui| export::show(ui, state, snapshot, status, commands));
        let adapter = RichText::new(status.adapter).small().weak();
        ui.add(Label::new(adapter).truncate());
        figures::in_browser(ui, snapshot);
    });
}

fn group(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    egui::Frame::group(ui.style()).inner_margin(4.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(title).strong());
        contents(ui);
    });
}
