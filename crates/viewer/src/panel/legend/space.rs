//! The meaning of planes, and of leaves or cells.

use super::diagram;
use super::marks::{dashes, hint, note, scale, swatch, title};
use super::{short, table};
use crate::composer::level_color;
use crate::panel::format::{compact, counted};
use crate::panel::structure::{is_octree, keeps_straddlers, regions_of};
use crate::scene_renderer::Theme;
use crate::simulation::{MOST_BOXES, Regions, Snapshot};
use broadphase::Axis;
use broadphase::algorithms::grid::hierarchical;
use broadphase::algorithms::rest_grid;
use broadphase::inspect::{Outcome, Overlay};
use broadphase::registry::Algorithm;
use egui::Ui;

/// Most levels listed with their colours.
const MOST_LEVELS: usize = 8;

/// The planes down to a depth.
pub(super) fn planes(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme, depth: u32) {
    match diagram::is_beside_the_way(snapshot) {
        true => drop(ui.strong("Planes")),
        false => title(ui, "Planes", "Each divides its cell in two, as an inner node of the tree."),
    }
    let names = ["cuts x (y-z plane)", "cuts y (x-z plane)", "cuts z (x-y plane)"];
    for ((axis, name), [r, g, b]) in Axis::ALL.into_iter().zip(names).zip(theme.planes) {
        if snapshot.structure.planes.iter().any(|p| p.axis == axis && p.depth <= depth) {
            swatch(ui, [r, g, b, 255], name);
        }
    }
    if !diagram::is_beside_the_way(snapshot) {
        diagram::show(ui, snapshot, theme);
    }
}

/// Occupancy of the drawn leaves or cells.
pub(super) fn regions(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let regions = &snapshot.structure.regions;
    let algorithm = snapshot.algorithm;
    let number = regions.number;
    let mut heading = format!("{} {}", compact(number as f64), regions_of(algorithm, number));
    if keeps_straddlers(algorithm) {
        let [leaves, planes] = snapshot.structure.sweeps.lists();
        let [lists, planes] = [counted(number, "list"), counted(planes, "plane")];
        heading = format!("{lists}: {leaves} {}, {planes}", regions_of(algorithm, leaves));
    }
    title(ui, &heading, &meaning(algorithm));
    if snapshot.has_levels() {
        levels(ui, regions, algorithm, theme);
    } else {
        scale(ui, theme, "0", &compact(f64::from(regions.most)));
    }
    let mean = regions.listed as f64 / number.max(1) as f64;
    ui.label(format!("objects: mean {mean:.1}, most {}", regions.most));
    let straddlers = compact(snapshot.search.counters.straddlers as f64);
    match (keeps_straddlers(algorithm), is_octree(algorithm)) {
        (true, _) => drop(ui.label(format!("{straddlers} kept at planes, in inner nodes"))),
        // Each object is in one cell.
        (_, true) => {}
        _ => drop(ui.label(format!("{straddlers} in several {}", regions_of(algorithm, 2)))),
    }
    if is_octree(algorithm) {
        match &snapshot.picked {
            None => hint(ui, "Click an object: its cell, and how far its cell reaches."),
            Some(picked) if picked.loose.is_empty() => {}
            Some(picked) => {
                dashes(ui, theme.selected_pane_edge, "its cell, doubled: its objects are within");
                if picked.visited.iter().any(|node| node.outcome == Outcome::Searched) {
                    let example = "one green cell, doubled, as an example: the two overlap";
                    dashes(ui, theme.overlap, example);
                }
            }
        }
    }
    if snapshot.structure.table.slots > 0 {
        table::show(ui, snapshot, theme);
    }
    if regions.kept.len() < number {
        note(ui, format!("Only the fullest {} are drawn", compact(MOST_BOXES as f64)));
    }
}

/// How leaves or cells keep the tests few.
fn meaning(algorithm: &Algorithm) -> String {
    let meaning = if keeps_straddlers(algorithm) {
        "An object that a plane cuts is listed at that plane, any other in its leaf. In the scene: the number of objects, and \
         the axis of the sweep."
    } else if algorithm.shows(Overlay::Planes) {
        "Objects are tested against those that share a leaf. An object that a plane cuts is in several. The \
         numbers are objects."
    } else if is_octree(algorithm) {
        "Each object is in one cell: around its centre, and at least as long as the object. So it reaches out by half \
         a cell at most. The numbers are objects."
    } else if algorithm.family == hierarchical::ENTRY.family {
        "An object is in the level with the smallest cells that are more than twice as long as it."
    } else if algorithm.shows(Overlay::Blocks) {
        let each =
            if algorithm.family == rest_grid::ENTRY.family { "A moving one" } else { "Each" };
        return format!(
            "The objects of a column are sorted along one axis. {each} is tested against those whose bars overlap its \
             own. The numbers are objects."
        );
    } else {
        "Objects are tested against those that share a cell. An object on a border is in several. The numbers are \
         objects."
    };
    meaning.to_owned()
}

/// The colours of the levels, from the largest cells to the smallest.
fn levels(ui: &mut Ui, regions: &Regions, algorithm: &Algorithm, theme: &Theme) {
    let occupied = regions.levels.iter().enumerate().filter(|(_, level)| level.listed > 0);
    for (depth, level) in occupied.take(MOST_LEVELS) {
        let [r, g, b] = level_color(depth, regions.levels.len(), theme);
        let (cells, side) = (counted(level.number, "cell"), short(level.side));
        let sizes = match is_octree(algorithm) {
            true => String::new(),
            // In its module: a cell is more than twice as long as its objects.
            false => format!(", objects up to {}", short(0.5 * level.side)),
        };
        swatch(ui, [r, g, b, 255], &format!("level {depth}: {cells} of side {side}{sizes}"));
    }
}
