//! The legend of colours and of the structure's overlays, over a corner of the scene.

use super::format::compact;
use super::structure::regions_of;
use crate::composer::{DrawOptions, Legend, legend};
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{MOST_BOXES, MOST_POINTS, Snapshot};
use broadphase::inspect::Overlay;
use egui::{Align2, Area, Color32, Frame, Id, Rect, RichText, Sense, Ui, vec2};

/// Width in points.
const WIDTH: f32 = 232.0;

/// Most kinds listed with their colours.
const MOST_KINDS: usize = 8;

pub(super) fn show(ui: &Ui, scene: Rect, snapshot: &Snapshot, options: &DrawOptions) {
    let colors = legend(snapshot, options.color);
    let algorithm = snapshot.algorithm;
    let theme = if ui.visuals().dark_mode { Theme::DARK } else { Theme::LIGHT };
    type Part = fn(&mut Ui, &Snapshot, &Theme);
    let parts: [(bool, Overlay, Part); 5] = [
        (options.planes, Overlay::Planes, planes),
        (options.regions, Overlay::Regions, regions),
        (options.tree_boxes, Overlay::TreeBoxes, tree),
        (options.endpoints, Overlay::Endpoints, lists),
        (options.curve, Overlay::Curve, curve),
    ];
    let shown = || parts.iter().filter(|(on, overlay, _)| *on && algorithm.shows(*overlay));
    let glow =
        options.objects && options.hits && colors == Legend::None && snapshot.recording.is_none();
    if !glow && colors == Legend::None && shown().next().is_none() {
        return;
    }
    Area::new(Id::unique("legend"))
        .fixed_pos(scene.right_top() + vec2(-8.0, 8.0))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .interactable(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(WIDTH);
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 0.0;
                let mut is_first = colors == Legend::None && !glow;
                self::colors(ui, colors);
                if glow {
                    swatch(ui, theme.hit, "hit a moment ago");
                }
                for (_, _, part) in shown() {
                    if !std::mem::take(&mut is_first) {
                        ui.separator();
                    }
                    part(ui, snapshot, &theme);
                }
            });
        });
}

fn title(ui: &mut Ui, text: &str, meaning: &str) {
    ui.strong(text);
    ui.label(RichText::new(meaning).small());
}

/// A note on what is not drawn.
fn note(ui: &mut Ui, text: String) {
    ui.label(RichText::new(text).small().color(ui.visuals().warn_fg_color));
}

fn planes(ui: &mut Ui, _: &Snapshot, theme: &Theme) {
    title(ui, "Planes", "Each divides its cell in two, as an inner node of the tree.");
    for (name, [r, g, b]) in ["y-z", "x-z", "x-y"].into_iter().zip(theme.planes) {
        swatch(ui, [r, g, b, 255], name);
    }
}

/// Occupancy of the drawn leaves or cells.
fn regions(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let regions = &snapshot.structure.regions;
    let number = regions.number;
    let many = regions_of(snapshot.algorithm, number);
    let heading = format!("{} {many}", compact(number as f64));
    let meaning = if many == "cells" || many == "cell" {
        "Space is divided into cells: objects are tested only against those of the same or \
         neighbouring cells. The numbers are objects."
    } else {
        "The planes divide space into leaves: objects are tested only against those of the same \
         leaves. The numbers are objects."
    };
    title(ui, &heading, meaning);
    scale(ui, theme, "0", &compact(f64::from(regions.most)));
    let mean = regions.listed as f64 / number.max(1) as f64;
    ui.label(format!("objects: mean {mean:.1}, most {}", regions.most));
    let straddlers = compact(snapshot.counters.straddlers as f64);
    ui.label(format!("{straddlers} in more than one {}", regions_of(snapshot.algorithm, 1)));
    if regions.kept.len() < number {
        note(ui, format!("Only the fullest {} are drawn", compact(MOST_BOXES as f64)));
    }
}

fn tree(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let tree = &snapshot.structure.tree;
    title(
        ui,
        "Tree of boxes",
        "Every box bounds the boxes below it. Where two boxes do not overlap, no object in one \
         overlaps an object in the other.",
    );
    scale(ui, theme, "depth 0", &tree.deepest().to_string());
    swatch(ui, theme.leaf, "leaf");
    let all: u64 = tree.levels.iter().map(|number| u64::from(*number)).sum();
    let wanted = compact(tree.wanted as f64);
    ui.label(format!("{wanted} of {} boxes", compact(all as f64)));
    if tree.kept.len() < tree.wanted {
        let kept = compact(tree.kept.len() as f64);
        note(ui, format!("{kept} of these {wanted} are drawn: whole upper levels, then a part"));
    }
}

fn lists(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let lists = &snapshot.structure.lists;
    let axes: Vec<&str> =
        ["x", "y", "z"].into_iter().zip(lists.lanes).filter(|(_, n)| *n > 0).map(|a| a.0).collect();
    title(
        ui,
        &format!("Sorted endpoints: {}", axes.join(", ")),
        "Each object's box is an interval on an axis. Once endpoints are sorted, overlapping \
         intervals are neighbours.",
    );
    swatch(ui, theme.ends[0], "lower endpoints, on the scene's side of the line");
    swatch(ui, theme.ends[1], "upper endpoints, on the other side");
    match &snapshot.picked {
        None => {
            ui.label(
                RichText::new(
                    "Bars: intervals; overlapping ones take lanes of their own. Click a sphere.",
                )
                .small(),
            );
        }
        Some(picked) => {
            swatch(ui, theme.picked, &format!("sphere {}", picked.object));
            swatch(ui, theme.overlap, "overlaps it on this axis");
            swatch(ui, theme.hit, "on all axes: a candidate");
            swatch(ui, theme.picked_hit, "touches it");
        }
    }
    if lists.stride > 1 {
        let objects = compact(snapshot.positions.len() as f64);
        note(ui, format!("1 in {} of {objects} objects is drawn", lists.stride));
    }
}

fn curve(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let curve = &snapshot.structure.curve;
    title(
        ui,
        "Curve",
        "The objects in their order along a space-filling curve: neighbours on it are near each \
         other.",
    );
    scale(ui, theme, "first", "last");
    if curve.kept.len() < curve.number {
        let every = curve.number.div_ceil(MOST_POINTS);
        note(ui, format!("1 in {every} of {} points is drawn", compact(curve.number as f64)));
    }
}

/// A patch of a colour, and its meaning.
fn swatch(ui: &mut Ui, [r, g, b, _]: Color, meaning: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (mark, _) = ui.allocate_exact_size(vec2(12.0, 8.0), Sense::hover());
        ui.painter().rect_filled(mark, 1.0, Color32::from_rgb(r, g, b));
        ui.label(RichText::new(meaning).small());
    });
}

/// The colour scale between two labels.
fn scale(ui: &mut Ui, theme: &Theme, low: &str, high: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new(low).small());
        bar::<18>(ui, std::array::from_fn(|i| theme.on_scale(i as f32 / 17.0)));
        ui.label(RichText::new(high).small());
    });
}

/// Colours side by side.
fn bar<const N: usize>(ui: &mut Ui, colors: [[u8; 3]; N]) {
    let (bar, _) = ui.allocate_exact_size(vec2(108.0, 10.0), Sense::hover());
    let width = bar.width() / N as f32;
    for (place, [r, g, b]) in colors.into_iter().enumerate() {
        let left = bar.left() + width * place as f32;
        let part = Rect::from_x_y_ranges(left..=left + width, bar.y_range());
        ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
    }
}

fn colors(ui: &mut Ui, legend: Legend) {
    match legend {
        Legend::None => {}
        Legend::Kinds { name, number, named } => {
            ui.label(format!("Colour: {name} ({})", compact(number as f64)));
            for (color, kind, objects) in named.iter().take(MOST_KINDS) {
                swatch(ui, *color, &format!("{kind}: {}", compact(*objects as f64)));
            }
            if let Some(more @ 1..) = named.len().checked_sub(MOST_KINDS) {
                ui.label(RichText::new(format!("and {more} more")).small());
            }
        }
        Legend::Scale { name, top, colors } => {
            ui.label(format!("Colour: {name}"));
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label("0");
                bar(ui, colors);
                ui.label(short(top));
            });
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
