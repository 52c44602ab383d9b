//! A small tree as nodes and links: which node is below which, and what became of each in the search of the picked object.

use super::marks::line;
use crate::panel::widgets::LEAST_TEXT;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::Snapshot;
use broadphase::inspect::{Outcome, TreeBox};
use broadphase::registry::Kind;
use egui::{Align2, Color32, FontId, Pos2, Sense, Stroke, StrokeKind, Ui, vec2};

/// Width in points.
const WIDTH: f32 = 224.0;

/// Distance of two levels in points, less where there are many.
const LEVEL: f32 = 13.0;

/// Largest height in points.
const MOST_HEIGHT: f32 = 130.0;

/// Room for the number of a node beside it, in points.
const NUMBER: f32 = 14.0;

/// Radius of a node in points, less where there are many.
const RADIUS: f32 = 3.5;

/// Whether the diagram stands with the way of the picked object, and not with the tree.
pub(super) fn is_beside_the_way(snapshot: &Snapshot) -> bool {
    let has_way = snapshot.picked.as_ref().is_some_and(|picked| !picked.visited.is_empty());
    has_way && snapshot.algorithm.kind == Kind::BoxTree
}

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(nodes) = snapshot.structure.tree.whole() else { return };
    let levels = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    if levels == 0 {
        return;
    }
    line(ui, "The tree, its root on top:");
    if snapshot.picked.is_some() {
        line(ui, "Hollow: rejected, or below a rejected one.");
    }
    let depths: Vec<u32> = nodes.iter().map(|node| node.depth).collect();
    let places = places(&depths);
    let columns = places.iter().fold(0.0, |most: f32, place| most.max(place.x)) + 1.0;
    let radius = RADIUS.min(0.4 * WIDTH / columns);
    let level = LEVEL.min((MOST_HEIGHT - 2.0 * RADIUS) / levels as f32);
    let size = vec2(WIDTH, level * levels as f32 + 2.0 * RADIUS + 2.0);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let at = |node: usize| {
        let x = area.left() + (places[node].x + 0.5) * WIDTH / columns;
        Pos2::new(x, area.top() + 1.0 + RADIUS + level * depths[node] as f32)
    };
    let marks: Vec<Mark> = nodes.iter().map(|node| Mark::of(node, snapshot, theme)).collect();
    let painter = ui.painter();
    for (node, place) in places.iter().enumerate() {
        if let Some(parent) = place.parent {
            let is_way = marks[node].is_way && marks[parent].is_way;
            let color = solid(if is_way { theme.picked } else { theme.rail });
            painter.line_segment([at(parent), at(node)], Stroke::new(1.0, color));
        }
    }
    let gaps = gaps(&depths, &places, levels);
    for (node, mark) in marks.iter().enumerate() {
        let color = solid(mark.color);
        let has_room = gaps[depths[node] as usize] * WIDTH / columns > 2.0 * radius + NUMBER;
        if let Some(step) = nodes[node].step.filter(|_| has_room) {
            let font = FontId::proportional(LEAST_TEXT);
            let ink = ui.visuals().strong_text_color();
            let from = at(node) + vec2(radius + 2.0, 0.0);
            painter.text(from, Align2::LEFT_CENTER, step.to_string(), font, ink);
        }
        if mark.is_filled {
            painter.circle_filled(at(node), radius, color);
        } else {
            painter.circle(at(node), radius - 0.5, ui.visuals().window_fill, (1.0, color));
        }
        if mark.is_changed {
            let frame = egui::Rect::from_center_size(at(node), vec2(3.0, 3.0) * radius);
            painter.rect_stroke(frame, 0.0, (1.0, solid(theme.rotated)), StrokeKind::Inside);
        }
    }
}

fn solid([r, g, b, _]: Color) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// How a node is drawn.
struct Mark {
    color: Color,
    /// Whether the picked object is below it.
    is_way: bool,
    /// Nodes that the search rejected or did not reach are hollow.
    is_filled: bool,
    is_changed: bool,
}

impl Mark {
    fn of(node: &TreeBox, snapshot: &Snapshot, theme: &Theme) -> Self {
        let visited = snapshot.picked.iter().flat_map(|picked| &picked.visited);
        let outcome = visited
            .filter(|visited| (visited.bounds, visited.depth) == (node.bounds, node.depth))
            .map(|visited| visited.outcome)
            .next();
        let color = match outcome {
            Some(Outcome::Holds) => theme.picked,
            Some(Outcome::Searched) => theme.overlap,
            None if node.is_leaf && snapshot.picked.is_none() => theme.leaf,
            _ => theme.rail,
        };
        let rotations = &snapshot.changed.rotations.fresh;
        Self {
            color,
            is_way: outcome == Some(Outcome::Holds),
            is_filled: snapshot.picked.is_none()
                || matches!(outcome, Some(Outcome::Holds | Outcome::Searched)),
            is_changed: rotations.iter().any(|(bounds, _)| *bounds == node.bounds),
        }
    }
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
