//! The meaning of planes, and of leaves or cells.

use super::diagram;
use super::marks::{dashes, heading, hint, note, scale, swatch, title};
use super::short;
use crate::composer::level_color;
use crate::panel::format::{compact, counted};
use crate::scene_renderer::Theme;
use crate::simulation::{MAX_BOXES, Regions, Snapshot};
use broadphase::Axis;
use broadphase::inspect::{Caption, Outcome};
use egui::Ui;

/// Most levels listed with their colours.
const MAX_LEVELS: usize = 8;

/// The planes down to a depth.
pub(super) fn planes(
    ui: &mut Ui,
    caption: &Caption,
    snapshot: &Snapshot,
    theme: &Theme,
    depth: u32,
) {
    heading(ui, caption, snapshot);
    for (axis, role) in Axis::ALL.into_iter().zip(caption.roles) {
        if snapshot.structure.planes.iter().any(|p| p.axis == axis && p.depth <= depth) {
            swatch(ui, theme.plane(axis, 1.0), role);
        }
    }
    if !diagram::is_beside_the_way(snapshot) {
        diagram::show(ui, snapshot, theme);
    }
}

/// Occupancy of the drawn leaves or cells.
pub(super) fn regions(ui: &mut Ui, caption: &Caption, snapshot: &Snapshot, theme: &Theme) {
    let regions = &snapshot.structure.regions;
    let number = regions.number;
    let mut text = format!("{} {}", compact(number as f64), caption.noun(number));
    if caption.keeps_straddlers {
        let [leaves, planes] = snapshot.structure.sweeps.lists();
        let [lists, planes] = [counted(number, "list"), counted(planes, "plane")];
        text = format!("{lists}: {leaves} {}, {planes}", caption.noun(leaves));
    }
    title(ui, &text, caption.meaning);
    if snapshot.has_levels() {
        levels(ui, regions, caption, theme);
    } else {
        scale(ui, theme, "0", &compact(f64::from(regions.most)));
    }
    let mean = regions.listed as f64 / number.max(1) as f64;
    ui.label(format!("objects: mean {mean:.1}, most {}", regions.most));
    let straddlers = compact(snapshot.search.counters.straddlers as f64);
    if caption.keeps_straddlers {
        ui.label(format!("{straddlers} kept at planes, in inner nodes"));
    } else if !caption.is_loose {
        ui.label(format!("{straddlers} in several {}", caption.noun(2)));
    } else if let Some(picked) = &snapshot.picked {
        if !picked.loose.is_empty() {
            dashes(ui, theme.selected_pane_edge, "its cell, doubled: its objects are within");
            if picked.visited.iter().any(|node| node.outcome == Outcome::Searched) {
                let example = "one green cell, doubled, as an example: the two overlap";
                dashes(ui, theme.overlap, example);
            }
        }
    } else {
        hint(ui, "Click an object: its cell, and how far its cell reaches.");
    }
    if regions.kept.len() < number {
        note(ui, format!("Only the fullest {} are drawn", compact(MAX_BOXES as f64)));
    }
}

/// The colours of the levels, from the largest cells to the smallest.
fn levels(ui: &mut Ui, regions: &Regions, caption: &Caption, theme: &Theme) {
    let occupied = regions.levels.iter().enumerate().filter(|(_, level)| level.listed > 0);
    for (depth, level) in occupied.take(MAX_LEVELS) {
        let [r, g, b] = level_color(depth, regions.levels.len(), theme);
        let (cells, side) = (counted(level.number, "cell"), short(level.side));
        let sizes = caption.longest.map(|share| share * level.side);
        let sizes = sizes.map_or(String::new(), |most| format!(", objects up to {}", short(most)));
        swatch(ui, [r, g, b, 255], &format!("level {depth}: {cells} of side {side}{sizes}"));
    }
}
