//! A small tree as nodes and links: which node is below which, and what became of each in the search of the picked object.

use super::marks::solid;
use crate::panel::widgets::MIN_TEXT;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Snapshot, plane_nodes};
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Overlay, Rotation, SplitPlane, TreeBox};
use egui::epaint::QuadraticBezierShape;
use egui::{Color32, FontId, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, vec2};

/// Width in points.
const WIDTH: f32 = 224.0;

/// Distance of two levels in points, less where there are many.
const LEVEL: f32 = 13.0;

/// Largest height in points.
const MAX_HEIGHT: f32 = 130.0;

/// Radius of a node in points, less where there are many.
const RADIUS: f32 = 3.5;

/// Bend of an arc between two nodes, in shares of their distance.
const ARC: f32 = 0.35;

/// Most planes of a tree that is drawn: the nodes of a larger one are too close to be distinguished.
const MAX_PLANES: usize = 63;

/// Draws the nodes of a tree, given depth first, and an arc between those that changed places.
pub(super) fn draw(ui: &mut Ui, nodes: &[Node], swaps: &[[usize; 2]], theme: &Theme) {
    let picture = TreePicture::allocate(ui, nodes);
    picture.links(ui, theme);
    swaps.iter().for_each(|ends| picture.arc(ui, *ends, theme));
    (0..nodes.len()).for_each(|node| picture.node(ui, node));
}

/// Where the nodes of a tree are drawn.
struct TreePicture<'a> {
    nodes: &'a [Node],
    places: Vec<Place>,
    /// The least distance of two neighbours on each level, in columns.
    gaps: Vec<f32>,
    area: Rect,
    columns: f32,
    /// Distance of two levels, and radius of a node, in points.
    level: f32,
    radius: f32,
}

impl<'a> TreePicture<'a> {
    fn allocate(ui: &mut Ui, nodes: &'a [Node]) -> Self {
        let depths: Vec<u32> = nodes.iter().map(|node| node.depth).collect();
        let levels = depths.iter().copied().max().unwrap_or(0);
        let places = places(&depths);
        let columns = places.iter().fold(0.0, |most: f32, place| most.max(place.x)) + 1.0;
        let level = LEVEL.min((MAX_HEIGHT - 2.0 * RADIUS) / levels as f32);
        // Leaves have their numbers below them.
        let has_numbers = nodes.iter().any(|node| node.is_leaf && node.text.is_some());
        let below = if has_numbers { MIN_TEXT } else { 0.0 };
        let size = vec2(WIDTH, level * levels as f32 + 2.0 * RADIUS + 2.0 + below);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let (gaps, radius) = (gaps(&depths, &places, levels), RADIUS.min(0.4 * WIDTH / columns));
        Self { nodes, places, gaps, area, columns, level, radius }
    }

    fn at(&self, node: usize) -> Pos2 {
        let x = self.area.left() + (self.places[node].x + 0.5) * WIDTH / self.columns;
        let depth = self.nodes[node].depth as f32;
        Pos2::new(x, self.area.top() + 1.0 + RADIUS + self.level * depth)
    }

    /// A line from each node to the one above it.
    fn links(&self, ui: &Ui, theme: &Theme) {
        for (node, place) in self.places.iter().enumerate() {
            if let Some(parent) = place.parent {
                let is_way = self.nodes[node].is_way && self.nodes[parent].is_way;
                let color = solid(if is_way { theme.picked } else { theme.rail });
                let ends = [self.at(parent), self.at(node)];
                ui.painter().line_segment(ends, Stroke::new(1.0, color));
            }
        }
    }

    /// An arc between two nodes, which bends upwards.
    fn arc(&self, ui: &Ui, ends: [usize; 2], theme: &Theme) {
        let [from, to] = ends.map(|node| self.at(node));
        let aside = (to - from).rot90() * ARC;
        let middle = from + 0.5 * (to - from) + if aside.y > 0.0 { -aside } else { aside };
        let stroke = Stroke::new(1.0, solid(theme.rotated));
        let (points, fill) = ([from, middle, to], Color32::TRANSPARENT);
        ui.painter().add(QuadraticBezierShape::from_points_stroke(points, false, fill, stroke));
    }

    fn node(&self, ui: &Ui, node: usize) {
        self.text(ui, node);
        let (at, radius, painter) = (self.at(node), self.radius, ui.painter());
        let Node { color, is_filled, changed, .. } = &self.nodes[node];
        if *is_filled {
            painter.circle_filled(at, radius, solid(*color));
        } else {
            painter.circle(at, radius - 0.5, ui.visuals().window_fill, (1.0, solid(*color)));
        }
        if let Some(changed) = changed {
            let frame = Rect::from_center_size(at, vec2(3.0, 3.0) * radius);
            painter.rect_stroke(frame, 0.0, (1.0, solid(*changed)), StrokeKind::Inside);
        }
    }

    /// The text of a node, if it has room.
    fn text(&self, ui: &Ui, node: usize) {
        let Node { depth, text: Some(text), is_leaf, .. } = &self.nodes[node] else { return };
        let (at, radius, painter) = (self.at(node), self.radius, ui.painter());
        let ink = ui.visuals().strong_text_color();
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(MIN_TEXT), ink);
        let size = galley.size();
        let (from, needed) = match is_leaf {
            true => (at + vec2(-0.5 * size.x, radius), size.x),
            false => (at + vec2(radius + 2.0, -0.5 * size.y), 2.0 * radius + 2.0 + size.x),
        };
        let room = self.gaps[*depth as usize] * WIDTH / self.columns;
        if room > needed {
            painter.galley(from, galley, ink);
        }
    }
}

/// A node, and how it is drawn.
pub(super) struct Node {
    depth: u32,
    color: Color,
    /// Beside it, or below a leaf.
    pub(super) text: Option<String>,
    pub(super) is_leaf: bool,
    /// Whether the picked object is in it.
    is_way: bool,
    /// Nodes that the search rejected or did not reach are hollow.
    is_filled: bool,
    /// The colour of its frame, if it has just changed.
    changed: Option<Color>,
}

impl Node {
    pub(super) fn of_box(node: &TreeBox, snapshot: &Snapshot, theme: &Theme) -> Self {
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

/// The outcome at a node of the search of the picked object.
fn outcome(snapshot: &Snapshot, bounds: &Aabb, depth: u32) -> Option<Outcome> {
    let mut visited = snapshot.picked.iter().flat_map(|picked| &picked.visited);
    let here = visited.find(|visited| (visited.bounds, visited.depth) == (*bounds, depth));
    here.map(|visited| visited.outcome)
}

/// The cells of a small tree of planes, depth first, each before its lower and its upper side.
pub(super) fn cells(snapshot: &Snapshot, theme: &Theme) -> Option<Vec<Node>> {
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
