//! The legend over a corner of the scene: the algorithm in words, its overlays, the colours of the spheres.

mod alternatives;
mod axis;
mod bodies;
pub(super) mod diagram;
mod explanation;
mod marks;
mod matrix;
mod parts;
mod path;
mod picked;
mod space;
mod squares;
mod tree_nodes;
mod tree_picture;
mod tree_places;

use super::format::{capitalised, compact};
use super::state::PanelState;
use super::{LOW, suggestions, triad};
use crate::composer::{Legend, legend, shows_glow, shows_sweeps, shows_visited};
use crate::scene_renderer::Theme;
use crate::simulation::Snapshot;
use crate::view::{ColorBy, Row, View};
use broadphase::inspect::{Caption, Overlay};
use broadphase::registry::Algorithm;
use egui::{Align2, Area, Frame, Id, Rect, RichText, ScrollArea, Ui, Vec2, vec2};
pub(super) use explanation::sentences;
use marks::{bar, swatch};

/// Width in points.
const WIDTH: f32 = 232.0;

/// Width of the scene that it covers, in points: with its frame, and a gap to the scene's edge.
pub(super) const COVERED: f32 = WIDTH + 22.0;

/// Height around its contents, in points: the frame and a gap to the scene's edges.
const MARGIN: f32 = 36.0;

/// Height of a scene in points that has room for the folded legend.
const FOLDED: f32 = 60.0;

/// Smallest scene, in points, in which the legend begins with the sentences about the algorithm.
const ROOMY: Vec2 = vec2(560.0, 400.0);

/// The overlays in the order of the legend.
const ORDER: [Overlay; Overlay::ALL.len()] = [
    Overlay::FatBoxes,
    Overlay::CachedPairs,
    Overlay::Regions,
    Overlay::Planes,
    Overlay::Curve,
    Overlay::TreeBoxes,
    Overlay::Matrix,
    Overlay::Endpoints,
    Overlay::Blocks,
];

/// Most kinds listed with their colours.
const MAX_KINDS: usize = 8;

/// The id of its area.
pub(super) fn id() -> Id {
    Id::unique("legend")
}

/// Whether it leaves a part of the scene free, and is high enough. Else it is folded until the user opens it.
pub(super) fn has_room(scene: Rect) -> bool {
    scene.width() >= 2.0 * COVERED && scene.height() >= LOW
}

/// Whether only the algorithm's name is shown.
fn is_folded(scene: Rect, state: &PanelState) -> bool {
    let is_opened = state.explains == Some(true) && state.view.picked.is_none();
    let covers = (is_opened || state.projector) && scene.height() >= LOW;
    !has_room(scene) && !covers
}

pub(super) fn show(ui: &Ui, scene: Rect, state: &mut PanelState, snapshot: &Snapshot) {
    if !state.shows_legend() || scene.height() < FOLDED {
        return;
    }
    let columns = scene.right() - COVERED..=scene.right();
    let below = suggestions::top(ui, scene, state, columns) - triad::height(scene);
    let is_roomy = is_roomy(scene) || state.projector;
    in_corner(ui, scene, |ui| {
        if is_folded(scene, state) {
            return explanation::folded(ui, state, snapshot);
        }
        down_to(ui, scene, below, |ui| {
            explanation::show(ui, is_roomy, state, snapshot);
            contents(ui, &state.view, snapshot);
            explanation::more(ui, is_roomy, state, snapshot);
        });
    });
}

/// The legend of a picture, without buttons.
pub(super) fn show_in_picture(ui: &Ui, scene: Rect, state: &PanelState, snapshot: &Snapshot) {
    in_corner(ui, scene, |ui| {
        down_to(ui, scene, scene.bottom(), |ui| {
            explanation::show_in_picture(ui, is_roomy(scene), state, snapshot);
            contents(ui, &state.view, snapshot);
            explanation::more(ui, is_roomy(scene), state, snapshot);
        });
    });
}

/// Lays out the upper right corner of a scene.
fn in_corner(ui: &Ui, scene: Rect, legend: impl FnOnce(&mut Ui)) {
    Area::new(id())
        .fixed_pos(scene.right_top() + vec2(-8.0, 8.0))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(WIDTH);
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 0.0;
                legend(ui);
            });
        });
}

/// Scrolls what has no room down to a height.
fn down_to(ui: &mut Ui, scene: Rect, below: f32, legend: impl FnOnce(&mut Ui)) {
    let height = (below - scene.top() - MARGIN).max(60.0);
    let all = ScrollArea::vertical().id_salt("legend").max_height(height);
    all.min_scrolled_height(height).show(ui, legend);
}

/// What is drawn, and the colours of the objects.
fn contents(ui: &mut Ui, options: &View, snapshot: &Snapshot) {
    let algorithm = snapshot.algorithm;
    let theme = if ui.visuals().dark_mode { Theme::DARK } else { Theme::LIGHT };
    picked::tested(ui, snapshot, &theme);
    paths(ui, options, snapshot, &theme);
    if algorithm.tests_all_pairs() {
        ui.separator();
        picked::all_pairs(ui, snapshot, &theme);
    }
    let shown = ORDER.into_iter().filter(|of| options.shows(*of));
    for caption in shown.filter_map(|of| algorithm.caption(of)) {
        ui.separator();
        match absent(caption, snapshot) {
            None => overlay(ui, caption, snapshot, &theme, options),
            Some(name) => {
                ui.strong(format!("{name}: none in this step"));
            }
        }
    }
    bodies::show(ui, options, snapshot, &theme);
    let colors = legend(snapshot, options.color);
    let glow = shows_glow(snapshot, options);
    // One source is the frame of the scene. With bodies, the colour is also that of their AABBs.
    let sources = options.shows(Row::Sources)
        && snapshot.input.sources.len() > 1
        && snapshot.objects.bodies.is_none();
    if glow || colors != Legend::None || sources {
        ui.separator();
    }
    self::colors(ui, colors, |number| kinds(options.color, algorithm, number));
    if glow {
        swatch(ui, theme.hit, "hit a moment ago");
    }
    if sources {
        swatch(ui, theme.source, "box of a source: objects begin in it");
    }
}

/// The sweeps of the picked object, and the way of its search.
fn paths(ui: &mut Ui, options: &View, snapshot: &Snapshot, theme: &Theme) {
    type ShowPath = fn(&mut Ui, &Snapshot, &Theme);
    let sweeps = (shows_sweeps(snapshot, options), path::sweeps as ShowPath);
    let visited = (shows_visited(snapshot, options), path::visited as ShowPath);
    // The lists of a tree's planes are swept: the tree comes first.
    let paths = match snapshot.algorithm.regions().keeps_straddlers {
        true => [visited, sweeps],
        false => [sweeps, visited],
    };
    for (_, show) in paths.into_iter().filter(|(is_shown, _)| *is_shown) {
        ui.separator();
        show(ui, snapshot, theme);
    }
}

/// Whether the sentences about the algorithm leave most of the scene free.
pub(super) fn is_roomy(scene: Rect) -> bool {
    scene.width() >= ROOMY.x && scene.height() >= ROOMY.y
}

/// The name of a part of which there is nothing to draw: an algorithm that chooses between others has not all of its
/// parts in each step, and a sweep without a grid no cells.
fn absent(caption: &Caption, snapshot: &Snapshot) -> Option<String> {
    let structure = &snapshot.structure;
    let (number, name) = match caption.overlay {
        Overlay::Regions => (structure.regions.number, capitalised(caption.noun(2))),
        Overlay::Blocks => (structure.blocks.number, caption.title.to_owned()),
        Overlay::CachedPairs => {
            (structure.layer(Overlay::CachedPairs).number, caption.title.to_owned())
        }
        _ => return None,
    };
    (number == 0).then_some(name)
}

/// The meaning of an overlay, with the figures of what is drawn.
fn overlay(ui: &mut Ui, caption: &Caption, snapshot: &Snapshot, theme: &Theme, options: &View) {
    match caption.overlay {
        Overlay::Planes => space::planes(ui, caption, snapshot, theme, options.plane_depth),
        Overlay::Regions => space::regions(ui, caption, snapshot, theme),
        Overlay::TreeBoxes => parts::tree(ui, caption, snapshot, theme),
        Overlay::Endpoints => parts::lists(ui, snapshot, theme),
        Overlay::CachedPairs => parts::cached_pairs(ui, snapshot, theme),
        Overlay::Blocks => parts::blocks(ui, snapshot, theme),
        Overlay::Matrix => matrix::show(ui, snapshot, theme),
        _ => parts::layer(ui, caption, snapshot, theme),
    }
}

/// What colours show, where it is one of `number` kinds: "127 leaves".
fn kinds(color: ColorBy, algorithm: &Algorithm, number: usize) -> String {
    let noun = match (color, number) {
        (ColorBy::Region, _) => algorithm.regions().noun(number),
        (ColorBy::Source, 1) => "source",
        (ColorBy::Source, _) => "sources",
        (ColorBy::Layer, 1) => "layer",
        (ColorBy::Layer, _) => "layers",
        _ => return color.name().to_owned(),
    };
    match number {
        0 => format!("no {noun}"),
        _ => format!("{} {noun}", compact(number as f64)),
    }
}

fn colors(ui: &mut Ui, legend: Legend, kinds: impl Fn(usize) -> String) {
    match legend {
        Legend::None => {}
        Legend::Kinds { number, named } => {
            ui.label(format!("Colour: {}", kinds(number)));
            for (color, kind, objects) in named.iter().take(MAX_KINDS) {
                swatch(ui, *color, &format!("{kind}: {}", compact(*objects as f64)));
            }
            if let Some(more @ 1..) = named.len().checked_sub(MAX_KINDS) {
                ui.label(RichText::new(format!("and {more} more")).small());
            }
        }
        Legend::Scale { name, top, colors, unknown } => {
            ui.label(format!("Colour: {name}"));
            if let Some(top) = top {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    ui.label("0");
                    bar(ui, colors);
                    ui.label(short(top));
                });
            }
            if let Some((color, objects)) = unknown {
                swatch(ui, color, &format!("unknown: {}", compact(objects as f64)));
            }
        }
    }
}

/// A number of at most three digits.
fn short(number: f32) -> String {
    if number >= 100.0 {
        compact(f64::from(number))
    } else if number >= 10.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}
