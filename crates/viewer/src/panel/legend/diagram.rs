//! A small tree of boxes or planes as nodes and links: which node is below which, and what became of each in the search
//! of the picked object.

use super::marks::{dashes, line, recent, swatch};
use super::parts::{changes_of, escapes};
use super::rotation;
use crate::composer::MAX_DRAWN_BY_DEFAULT;
use crate::panel::format::compact;
use crate::panel::widgets::MIN_TEXT;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{MovedPlane, Snapshot, plane_nodes};
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Overlay, Rotation, SplitPlane, TreeBox};
use egui::epaint::QuadraticBezierShape;
use egui::{Color32, FontId, Pos2, Sense, Stroke, StrokeKind, Ui, vec2};

/// Width in points.
const WIDTH: f32 = 224.0;

/// Distance of two levels in points, less where there are many.
const LEVEL: f32 = 13.0;

/// Most planes that moved whose objects are counted.
const MAX_MOVED: usize = 2;

/// Largest height in points.
const MAX_HEIGHT: f32 = 130.0;

/// Radius of a node in points, less where there are many.
const RADIUS: f32 = 3.5;

/// Bend of an arc between two nodes, in shares of their distance.
const ARC: f32 = 0.35;

/// Most planes of a tree that is drawn: the nodes of a larger one are too close to be distinguished.
const MAX_PLANES: usize = 63;

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
        let place = |bounds: &Aabb, depth: u32| {
            boxes.iter().position(|node| node.bounds == *bounds && node.depth == depth)
        };
        let rotations = snapshot.changed.rotations.fresh.iter();
        let swaps: Vec<[usize; 2]> = rotations
            .filter_map(|(Rotation { lowered, raised, depth, .. }, _)| {
                Some([place(lowered, depth + 2)?, place(raised, depth + 1)?])
            })
            .collect();
        if let [[lowered, raised]] = swaps[..] {
            nodes[lowered].text = Some(rotation::LOWERED.to_owned());
            nodes[raised].text = Some(rotation::RAISED.to_owned());
        }
        draw(ui, &nodes, &swaps, theme);
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
        draw(ui, &nodes, &[], theme);
    }
}

/// Subtrees that changed places lately.
fn rotations(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let rotations = &snapshot.changed.rotations;
    if rotations.lately > 0 {
        recent(ui, theme.rotated, "two subtrees changed places", rotations);
        // Of several, letters would not say which one they are of.
        if let [(only, _)] = rotations.fresh[..] {
            rotation::show(ui, &only, theme);
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
    if snapshot.algorithm.regions().keeps_straddlers()
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
    let pairs = on_sides.map(|number: usize| number * number.saturating_sub(1) / 2);
    let [low, high, below, above] =
        [low, high, pairs[0], pairs[1]].map(|number| compact(number as f64));
    Some(format!(": {low} | {high} objects, {below} + {above} pairs"))
}

/// Draws the nodes of a tree, given depth first, and an arc between those that changed places.
fn draw(ui: &mut Ui, nodes: &[Node], swaps: &[[usize; 2]], theme: &Theme) {
    let depths: Vec<u32> = nodes.iter().map(|node| node.depth).collect();
    let levels = depths.iter().copied().max().unwrap_or(0);
    let places = places(&depths);
    let columns = places.iter().fold(0.0, |most: f32, place| most.max(place.x)) + 1.0;
    let radius = RADIUS.min(0.4 * WIDTH / columns);
    let level = LEVEL.min((MAX_HEIGHT - 2.0 * RADIUS) / levels as f32);
    // Leaves have their numbers below them.
    let below =
        if nodes.iter().any(|node| node.is_leaf && node.text.is_some()) { MIN_TEXT } else { 0.0 };
    let size = vec2(WIDTH, level * levels as f32 + 2.0 * RADIUS + 2.0 + below);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let at = |node: usize| {
        let x = area.left() + (places[node].x + 0.5) * WIDTH / columns;
        Pos2::new(x, area.top() + 1.0 + RADIUS + level * depths[node] as f32)
    };
    let painter = ui.painter();
    for (node, place) in places.iter().enumerate() {
        if let Some(parent) = place.parent {
            let is_way = nodes[node].is_way && nodes[parent].is_way;
            let color = solid(if is_way { theme.picked } else { theme.rail });
            painter.line_segment([at(parent), at(node)], Stroke::new(1.0, color));
        }
    }
    for [from, to] in swaps.iter().map(|ends| ends.map(at)) {
        let aside = (to - from).rot90() * ARC;
        let middle = from + 0.5 * (to - from) + if aside.y > 0.0 { -aside } else { aside };
        let stroke = Stroke::new(1.0, solid(theme.rotated));
        let (points, fill) = ([from, middle, to], Color32::TRANSPARENT);
        painter.add(QuadraticBezierShape::from_points_stroke(points, false, fill, stroke));
    }
    let gaps = gaps(&depths, &places, levels);
    let ink = ui.visuals().strong_text_color();
    for (node, Node { depth, color, text, is_leaf, is_filled, changed, .. }) in
        nodes.iter().enumerate()
    {
        let room = gaps[*depth as usize] * WIDTH / columns;
        if let Some(text) = text {
            let font = FontId::proportional(MIN_TEXT);
            let galley = painter.layout_no_wrap(text.clone(), font, ink);
            let size = galley.size();
            let (from, needed) = match is_leaf {
                true => (at(node) + vec2(-0.5 * size.x, radius), size.x),
                false => {
                    (at(node) + vec2(radius + 2.0, -0.5 * size.y), 2.0 * radius + 2.0 + size.x)
                }
            };
            if room > needed {
                painter.galley(from, galley, ink);
            }
        }
        if *is_filled {
            painter.circle_filled(at(node), radius, solid(*color));
        } else {
            painter.circle(at(node), radius - 0.5, ui.visuals().window_fill, (1.0, solid(*color)));
        }
        if let Some(changed) = changed {
            let frame = egui::Rect::from_center_size(at(node), vec2(3.0, 3.0) * radius);
            painter.rect_stroke(frame, 0.0, (1.0, solid(*changed)), StrokeKind::Inside);
        }
    }
}

fn solid([r, g, b, _]: Color) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// A node, and how it is drawn.
struct Node {
    depth: u32,
    color: Color,
    /// Beside it, or below a leaf.
    text: Option<String>,
    is_leaf: bool,
    /// Whether the picked object is in it.
    is_way: bool,
    /// Nodes that the search rejected or did not reach are hollow.
    is_filled: bool,
    /// The colour of its frame, if it has just changed.
    changed: Option<Color>,
}

impl Node {
    fn of_box(node: &TreeBox, snapshot: &Snapshot, theme: &Theme) -> Self {
        let outcome = outcome(snapshot, &node.bounds, node.depth);
        let tested = outcome.and_then(|_| of_tested_leaf(node, snapshot, theme));
        let color = match (outcome, tested) {
            (Some(Outcome::Holds), _) => theme.picked,
            (_, Some(color)) => color,
            (Some(Outcome::Searched), _) => theme.overlap,
            (None, _) if node.is_leaf && snapshot.picked.is_none() => theme.leaf,
            _ => theme.rail,
        };
        let is_here = |bounds: &Aabb, depth: u32| (*bounds, depth) == (node.bounds, node.depth);
        let has_swapped = |Rotation { lowered, raised, depth, .. }: &Rotation| {
            is_here(lowered, depth + 2) || is_here(raised, depth + 1)
        };
        let rotations = &snapshot.changed.rotations.fresh;
        let is_swapped = rotations.iter().any(|(rotation, _)| has_swapped(rotation));
        let is_reinserted = || {
            let escapes = snapshot.changed.escapes.fresh.iter();
            let fat = &snapshot.structure.layer(Overlay::FatBoxes).boxes;
            node.is_leaf
                && escapes
                    .flat_map(|(escape, _)| fat.iter().find(|fat| fat.object == escape.object))
                    .any(|fat| fat.bounds == node.bounds)
        };
        Self {
            depth: node.depth,
            color,
            text: match node.axis {
                Some(axis) => Some(axis.name().to_owned()),
                None => node.step.map(|step| step.to_string()),
            },
            is_leaf: node.is_leaf,
            is_way: outcome == Some(Outcome::Holds),
            is_filled: snapshot.picked.is_none()
                || tested.is_some()
                || matches!(outcome, Some(Outcome::Holds | Outcome::Searched)),
            changed: if is_swapped {
                Some(theme.rotated)
            } else {
                is_reinserted().then_some(theme.mark)
            },
        }
    }

    /// A cell: `plane` divides it, or it is a leaf.
    fn of_cell(
        node: u64,
        cell: &Aabb,
        depth: u32,
        plane: Option<&SplitPlane>,
        snapshot: &Snapshot,
        theme: &Theme,
    ) -> Self {
        let is_way = outcome(snapshot, cell, depth) == Some(Outcome::Holds);
        let regions = &snapshot.structure.regions.kept;
        let objects = regions.iter().find(|region| {
            let mut bounds = region.bounds;
            if let Some(plane) = plane {
                // The list of a plane is of a slice of its cell.
                let axis = plane.axis.index();
                (bounds.min[axis], bounds.max[axis]) = (cell.min[axis], cell.max[axis]);
            }
            region.depth == depth && bounds == *cell
        });
        let objects = objects.map(|region| region.objects.to_string());
        let text = match plane {
            None => objects,
            Some(plane) => {
                let axis = plane.axis.name();
                Some(objects.map_or(axis.to_owned(), |objects| format!("{axis} {objects}")))
            }
        };
        let color = match plane {
            Some(plane) => {
                let [r, g, b] = theme.planes[plane.axis.index()];
                [r, g, b, 255]
            }
            None if is_way => theme.picked,
            None if snapshot.picked.is_none() => theme.leaf,
            None => theme.rail,
        };
        let mut moved = snapshot.changed.planes.fresh.iter();
        let is_moved = plane.is_some() && moved.any(|(moved, _)| moved.node == node);
        Self {
            depth,
            color,
            text,
            is_leaf: plane.is_none(),
            is_way,
            is_filled: is_way || snapshot.picked.is_none(),
            changed: is_moved.then_some(theme.mark),
        }
    }
}

/// The colour of the object of a leaf, where that was tested against the picked one.
fn of_tested_leaf(leaf: &TreeBox, snapshot: &Snapshot, theme: &Theme) -> Option<Color> {
    let picked = snapshot.picked.as_ref()?;
    // The leaf of a cell may hold several.
    if !leaf.is_leaf || !snapshot.algorithm.caption(Overlay::TreeBoxes)?.bounds {
        return None;
    }
    let holds = |object: &u32| {
        snapshot.bounds_of(*object).is_some_and(|bounds| leaf.bounds.union(&bounds) == leaf.bounds)
    };
    let tested = picked.tested.iter().find(|object| holds(object))?;
    Some(if picked.hits.contains(tested) {
        theme.hit
    } else if picked.candidates.contains(tested) {
        theme.candidate
    } else {
        theme.tested
    })
}

/// What the search of the picked object did with a node.
fn outcome(snapshot: &Snapshot, bounds: &Aabb, depth: u32) -> Option<Outcome> {
    let mut visited = snapshot.picked.iter().flat_map(|picked| &picked.visited);
    let here = visited.find(|visited| (visited.bounds, visited.depth) == (*bounds, depth));
    here.map(|visited| visited.outcome)
}

/// The cells of a small tree of planes, depth first, each before its lower and its upper side.
fn cells(snapshot: &Snapshot, theme: &Theme) -> Option<Vec<Node>> {
    let planes = &snapshot.structure.planes;
    if planes.len() > MAX_PLANES {
        return None;
    }
    let numbered = plane_nodes(planes);
    let root = numbered.iter().find(|(node, _)| *node == 1)?;
    let mut nodes = Vec::new();
    let mut stack = vec![(1, root.1.cell, 0)];
    while let Some((node, cell, depth)) = stack.pop() {
        let plane = numbered.iter().find(|(of, _)| *of == node).map(|(_, plane)| plane);
        nodes.push(Node::of_cell(node, &cell, depth, plane, snapshot, theme));
        if let Some(plane) = plane {
            let [low, high] = plane.sides();
            stack.extend([(2 * node + 1, high, depth + 1), (2 * node, low, depth + 1)]);
        }
    }
    Some(nodes)
}

/// Where a node is: `x` in columns, of which each leaf has one.
#[derive(Debug, PartialEq)]
struct Place {
    parent: Option<usize>,
    x: f32,
}

/// Places the nodes of a tree, given depth first by their depths: each in the middle above those below it.
fn places(depths: &[u32]) -> Vec<Place> {
    let mut path: Vec<usize> = Vec::new();
    let mut leaves = 0.0;
    let mut places: Vec<Place> = Vec::with_capacity(depths.len());
    for (node, depth) in depths.iter().enumerate() {
        path.truncate(*depth as usize);
        places.push(Place { parent: path.last().copied(), x: leaves });
        path.push(node);
        if depths.get(node + 1).is_none_or(|next| next <= depth) {
            leaves += 1.0;
        }
    }
    // Parents come before their children, so that these are placed first from the back.
    let mut spans: Vec<Option<[f32; 2]>> = vec![None; depths.len()];
    for node in (0..depths.len()).rev() {
        if let Some([low, high]) = spans[node] {
            places[node].x = 0.5 * (low + high);
        }
        let x = places[node].x;
        if let Some(parent) = places[node].parent {
            let [low, high] = spans[parent].get_or_insert([x, x]);
            (*low, *high) = (low.min(x), high.max(x));
        }
    }
    places
}

/// The least distance of two neighbours on each level, in columns.
fn gaps(depths: &[u32], places: &[Place], levels: u32) -> Vec<f32> {
    let mut last = vec![f32::NEG_INFINITY; levels as usize + 1];
    let mut gaps = vec![f32::INFINITY; levels as usize + 1];
    for (depth, place) in depths.iter().map(|depth| *depth as usize).zip(places) {
        gaps[depth] = gaps[depth].min(place.x - last[depth]);
        last[depth] = place.x;
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_between_neighbours_of_a_level() {
        // Two leaves, a leaf above them, and a leaf below another node: in the columns 0 to 3.
        let depths = [0, 1, 2, 2, 1, 1, 2];
        assert_eq!(gaps(&depths, &places(&depths), 2), [f32::INFINITY, 1.0, 1.0]);
    }

    #[test]
    fn nodes_are_in_the_middle_above_those_below() {
        // A root over a leaf and a node with two leaves.
        let place = |parent, x| Place { parent, x };
        let expected = [
            place(None, 0.75),
            place(Some(0), 0.0),
            place(Some(0), 1.5),
            place(Some(2), 1.0),
            place(Some(2), 2.0),
        ];
        assert_eq!(places(&[0, 1, 1, 2, 2]), expected);
        assert_eq!(places(&[]), []);
    }
}
