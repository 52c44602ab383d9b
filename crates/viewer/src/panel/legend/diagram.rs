//! A small tree of boxes or planes, with what changed in it lately, in words.

use super::marks::{dashes, line, recent, swatch};
use super::parts::{changes_of, escapes};
use super::tree_nodes::{Node, cells};
use super::tree_picture::draw;
use crate::panel::format::compact;
use crate::scene_renderer::Theme;
use crate::simulation::{MovedPlane, Snapshot};
use crate::view::MAX_DRAWN_BY_DEFAULT;
use broadphase::inspect::{Overlay, Rotation, SplitPlane};
use egui::Ui;

/// The subtrees that change places in a rotation, as the scene names them: that which becomes lower, and that which becomes
/// higher.
pub(in crate::panel) const LOWERED: &str = "A";
pub(in crate::panel) const RAISED: &str = "B";

/// Most planes that moved whose objects are counted.
const MAX_MOVED: usize = 2;

/// What the diagram shows of a tree that is read off a curve.
const ALONG_CURVE: &str = "The tree, its root on top. x, y, z: the axis that a box is halved along. Below, the places on the curve.";

/// Whether the diagram stands with the way of the picked object, and not with the tree.
pub(super) fn is_beside_the_way(snapshot: &Snapshot) -> bool {
    let has_way = snapshot.picked.as_ref().is_some_and(|picked| !picked.visited.is_empty());
    has_way && snapshot.algorithm.way.is_some_and(|way| way.hollow.is_some())
}

/// The tree of boxes or of planes, if it is small, and what changed in it lately.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let structure = &snapshot.structure;
    if structure.planes.is_empty() && structure.tree.whole().is_some_and(<[_]>::is_empty) {
        return;
    }
    tree(ui, snapshot, theme);
    let straddlers = snapshot.structure.sweeps.straddlers();
    if straddlers > 0 {
        let held = compact(straddlers as f64);
        line(ui, format!("{held} objects are cut by a plane and stay at it, in its colour."));
    }
    let fat = snapshot.algorithm.caption(Overlay::FatBoxes);
    if let Some(fat) = fat.filter(|_| {
        structure.layer(Overlay::FatBoxes).number > 0 && !structure.tree.levels.is_empty()
    }) {
        escapes(ui, snapshot, fat.change, theme);
    }
    rotations(ui, snapshot, theme);
    moved_planes(ui, snapshot, theme);
}

/// The nodes and links of a small tree.
fn tree(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let hollow = snapshot.picked.as_ref().and(snapshot.algorithm.way).and_then(|way| way.hollow);
    if let Some(boxes) = snapshot.structure.tree.whole().filter(|boxes| boxes.len() > 1) {
        let along_curve = snapshot.algorithm.shows(Overlay::Curve);
        line(ui, if along_curve { ALONG_CURVE } else { "The tree, its root on top:" });
        hollow.into_iter().for_each(|hollow| line(ui, hollow));
        let mut nodes: Vec<Node> =
            boxes.iter().map(|node| Node::of_box(node, snapshot, theme)).collect();
        if along_curve {
            let leaves = nodes.iter_mut().filter(|node| node.is_leaf);
            leaves.zip(0..).for_each(|(leaf, place)| leaf.text = Some(place.to_string()));
        }
        draw(ui, &nodes, theme);
    } else if let Some(nodes) = cells(snapshot, theme) {
        let numbers = match nodes.iter().any(|node| node.is_leaf && node.text.is_some()) {
            true => "Numbers: objects, as in the scene.",
            false => "",
        };
        line(
            ui,
            "The tree, its root on top. x, y, z: the axis that a plane cuts; to the left its lower side.",
        );
        line(ui, format!("{numbers} {}", hollow.unwrap_or_default()).trim());
        draw(ui, &nodes, theme);
    }
}

/// Subtrees that changed places lately.
fn rotations(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let rotations = &snapshot.changed.rotations;
    if rotations.lately > 0 {
        recent(ui, theme.rotated, "two subtrees changed places", rotations);
        // Letters are ambiguous if there are several rotations.
        if let [(only, _)] = rotations.fresh[..] {
            let lost = 100.0 * only.saved;
            let places = format!("{LOWERED} went down a level, {RAISED} up");
            let whose = format!("the box that holds {LOWERED} instead of {RAISED}");
            line(ui, format!("{places}: {whose} lost {lost:.0} % of its surface."));
        }
        let all = changes_of(snapshot, Overlay::TreeBoxes).unwrap_or_default();
        let gone = all.saturating_sub(rotations.now as u64);
        if rotations.steps > 0 && gone > 0 && all <= Rotation::MAX_REPORTED as u64 {
            line(ui, format!("{gone} more in this step, no longer in place."));
        }
    }
}

/// Planes that moved lately, with the objects on their two sides.
fn moved_planes(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let moved = &snapshot.changed.planes;
    let planes = snapshot.algorithm.caption(Overlay::Planes);
    if let Some(planes) = planes.filter(|_| moved.lately > 0 || snapshot.algorithm.keeps_state) {
        recent(ui, theme.mark, planes.change, moved);
    }
    // The latest first; a plane that moved again since is no longer there.
    let is_there = |plane: &&MovedPlane| snapshot.structure.planes.contains(&plane.now);
    let latest = moved.fresh.iter().rev().map(|(plane, _)| plane).filter(is_there);
    for MovedPlane { now, before, .. } in latest.take(MAX_MOVED) {
        let figures = |plane: &SplitPlane| divided(plane, snapshot);
        if let Some(before) = before {
            // In another cell it divided other objects.
            let same = (before.cell == now.cell).then(|| figures(before)).flatten();
            dashes(ui, theme.mark, &format!("before{}", same.unwrap_or_default()));
        }
        let figures = figures(now);
        swatch(ui, theme.mark, &format!("now{}", figures.clone().unwrap_or_default()));
        if figures.is_some() {
            line(ui, "An object that the plane cuts counts on both sides.");
        }
    }
}

/// The objects of a plane's cell on its two sides, and the pairs with both objects on one side, in words. An object that it
/// cuts is on both. `None` where such objects are kept at the plane, or where there are too many to be counted in each
/// picture.
fn divided(plane: &SplitPlane, snapshot: &Snapshot) -> Option<String> {
    if snapshot.algorithm.regions().keeps_straddlers
        || snapshot.objects.present > MAX_DRAWN_BY_DEFAULT
    {
        return None;
    }
    let boxes = (0..snapshot.objects.positions.len() as u32)
        .filter_map(|object| snapshot.bounds_of(object));
    let mut on_sides = [0; 2];
    for b in boxes.filter(|b| b.overlaps(&plane.cell)) {
        let axis = plane.axis.index();
        let sides = [b.min[axis] < plane.position, b.max[axis] >= plane.position];
        on_sides.iter_mut().zip(sides).for_each(|(number, is_on)| *number += usize::from(is_on));
    }
    let [low, high] = on_sides;
    if low + high == 0 {
        return Some(": no object in its cell".to_owned());
    }
    let pairs = on_sides.map(|number: usize| number * number.saturating_sub(1) / 2);
    let [low, high, below, above] =
        [low, high, pairs[0], pairs[1]].map(|number| compact(number as f64));
    Some(format!(": {low} | {high} objects, {below} + {above} pairs"))
}
