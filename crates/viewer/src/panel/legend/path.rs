//! The way of the picked object through a structure: the nodes that its search reached, and its sweeps.

use super::marks::{dashes, line, part, swatch, title};
use super::{axis, diagram};
use crate::panel::format::{compact, counted};
use crate::panel::structure::{is_octree, keeps_straddlers, regions_of};
use crate::scene_renderer::Theme;
use crate::simulation::{ListSwept, Snapshot, SweepOutcomes};
use broadphase::Axis;
use broadphase::inspect::{Outcome, Overlay};
use broadphase::registry::Kind;
use egui::Ui;

/// The bars beside the scene.
pub(super) fn sweeps(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let sweeps = &picked.sweeps;
    let axes = Axis::ALL.map(Axis::name).into_iter().zip(sweeps.spans);
    let axes: Vec<&str> = axes.filter(|(_, span)| span.is_some()).map(|(axis, _)| axis).collect();
    let number = sweeps.own;
    let lists = match (keeps_straddlers(snapshot.algorithm), picked.regions.is_empty()) {
        (true, _) => "list".to_owned(),
        (_, true) => "order".to_owned(),
        (_, false) if number == 1 => regions_of(snapshot.algorithm, 1).to_owned(),
        _ => format!("{number} {}", regions_of(snapshot.algorithm, number)),
    };
    title(
        ui,
        &format!("Sweep of its {lists} on {}", axes.join(", ")),
        "Bars: intervals on it, in the colours of the objects. It is tested against those that its own bar overlaps.",
    );
    if keeps_straddlers(snapshot.algorithm) {
        // Its own list comes first.
        let mut lists = sweeps.lists.iter().map(in_words);
        let own = lists.next().unwrap_or_default();
        let others: Vec<String> = lists.collect();
        let others = match others.is_empty() {
            true => "nothing".to_owned(),
            false => others.join(", "),
        };
        line(ui, format!("1. Its own list: {own}. 2. Of other lists, what reaches it: {others}."));
    }
    axis::sweep(ui, snapshot, theme);
    let SweepOutcomes { known, beyond, .. } = sweeps.outcomes;
    let count = |number: usize| counted(number, "bar");
    if known > 0 {
        let text = format!("{} overlap it here, resting as it is: not tested", count(known));
        swatch(ui, theme.cached[0], &text);
    }
    swatch(ui, theme.rail, &format!("{} not tested: beyond its reach", count(beyond)));
    if !sweeps.carried.is_empty() {
        let carried = counted(sweeps.carried.len(), "object");
        line(ui, format!("Dashed bars beside the scene: {carried} of the other lists."));
    }
    let mut drawn: Vec<u32> = sweeps.intervals.kept.iter().map(|bar| bar.object).collect();
    drawn.sort_unstable();
    drawn.dedup();
    part(ui, drawn.len(), sweeps.outcomes.all() + 1, "bars");
}

/// A list in words.
fn in_words(list: &ListSwept) -> String {
    let objects = compact(list.objects as f64);
    match list.plane {
        Some(plane) => format!("{objects} at plane {}", plane.name()),
        None => format!("{objects} in a leaf"),
    }
}

/// The nodes or cells that the search of the picked object reached.
pub(super) fn visited(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let number = |outcome| picked.visited.iter().filter(|node| node.outcome == outcome).count();
    let [holds, searched, rejected] =
        [Outcome::Holds, Outcome::Searched, Outcome::Rejected].map(number);
    let algorithm = snapshot.algorithm;
    let is_tree_of_boxes = algorithm.kind == Kind::BoxTree;
    let has_planes = algorithm.shows(Overlay::Planes);
    let name = if is_tree_of_boxes || has_planes { "Its way down the tree" } else { "Its search" };
    let meaning = if is_tree_of_boxes {
        "Boxes of its colour contain it. Green ones overlap one of these. Dashed ones do not, and nothing below them is \
         compared."
    } else if keeps_straddlers(algorithm) {
        "At each plane it goes to the side that it is on. If the plane cuts it, it stays there."
    } else if has_planes {
        "At each plane it goes to the side that it touches, or to both. The others are left out."
    } else if is_octree(algorithm) {
        "The objects of its cell are compared with each other, and with those of the green cells: their bounds overlap."
    } else {
        "It is compared with the objects in its cells, and with larger ones in the coarser cells that it touches. Smaller \
         ones find it in the same way."
    };
    title(ui, name, meaning);
    let thing = if is_tree_of_boxes { "box" } else { "cell" };
    let things = |number: usize| match (number, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "box") => format!("{number} boxes"),
        _ => format!("{number} {thing}s"),
    };
    let held = |number: usize| if number == 1 { "holds it" } else { "hold it" };
    let leaves = picked.regions.len();
    match holds.checked_sub(leaves).filter(|_| has_planes && !keeps_straddlers(algorithm)) {
        Some(above) => {
            let name = regions_of(algorithm, leaves);
            let text = format!("{leaves} {name} {}, and {} above", held(leaves), things(above));
            swatch(ui, theme.picked, &text);
        }
        None => swatch(ui, theme.picked, &format!("{} {}", things(holds), held(holds))),
    }
    if searched > 0 {
        let text = match is_tree_of_boxes {
            true => format!(
                "{} {}: followed down",
                things(searched),
                if searched == 1 { "overlaps" } else { "overlap" }
            ),
            false if is_octree(algorithm) => format!("{} compared with its cell", things(searched)),
            false => format!(
                "{searched} coarser {}: searched",
                if searched == 1 { "cell" } else { "cells" }
            ),
        };
        swatch(ui, theme.overlap, &text);
    }
    if rejected > 0 {
        let text = match (is_tree_of_boxes, has_planes) {
            (true, _) => format!("{} apart: not followed", things(rejected)),
            (_, true) => format!("{} left out", things(rejected)),
            _ => format!("{} empty: nothing to compare", things(rejected)),
        };
        dashes(ui, theme.rail, &text);
    }
    if diagram::is_beside_the_way(snapshot) {
        diagram::show(ui, snapshot, theme);
    }
}
