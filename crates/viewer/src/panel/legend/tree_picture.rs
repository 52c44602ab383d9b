//! A small tree as nodes and links: which node is below which.

use super::marks::solid;
use crate::panel::format::counted;
use crate::panel::widgets::MIN_TEXT;
use crate::picture::{Ink, Node};
use crate::scene_renderer::Theme;
use egui::{
    Align2, FontId, Pos2, Rect, Response, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2, vec2,
};

/// Width in points.
const WIDTH: f32 = 224.0;

/// Distance of two levels in points, less where there are many.
const LEVEL: f32 = 13.0;

/// Largest height in points.
const MAX_HEIGHT: f32 = 130.0;

/// Radius of a node in points, less where there are many.
const RADIUS: f32 = 3.5;

/// Gap between two texts of a row, in points: else their digits run together.
const GAP: f32 = 3.0;

/// Distance from a node within which the pointer is at it, in points.
const REACH: f32 = 12.0;

/// Draws the nodes of a tree, given depth first. A text that has no room is shown under the pointer.
pub(super) fn draw(ui: &mut Ui, nodes: &[Node], theme: &Theme) {
    let mut picture = TreePicture::new(nodes);
    let response = picture.allocate(ui);
    picture.links(ui, theme);
    (0..nodes.len()).for_each(|node| picture.write(ui, node));
    (0..nodes.len()).for_each(|node| picture.node(ui, node, theme));
    picture.explain(response);
}

/// Where the nodes of a tree are drawn.
struct TreePicture<'a> {
    nodes: &'a [Node],
    parents: Vec<Option<usize>>,
    /// First and last column of each node's leaves, each of which has one.
    columns: Vec<[f32; 2]>,
    /// The upper left corner.
    origin: Vec2,
    /// Width of a column, distance of two levels, and radius of a node, in points.
    column: f32,
    level: f32,
    radius: f32,
}

impl<'a> TreePicture<'a> {
    fn new(nodes: &'a [Node]) -> Self {
        let (mut path, mut leaves) = (Vec::new(), 0.0);
        let (mut parents, mut columns) = (Vec::new(), Vec::new());
        for (node, Node { depth, .. }) in nodes.iter().enumerate() {
            path.truncate(*depth as usize);
            parents.push(path.last().copied());
            columns.push([leaves; 2]);
            path.push(node);
            if nodes.get(node + 1).is_none_or(|next| next.depth <= *depth) {
                leaves += 1.0;
            }
        }
        // Parents come before their children.
        for node in (0..nodes.len()).rev() {
            if let Some(parent) = parents[node] {
                columns[parent][1] = f32::max(columns[parent][1], columns[node][1]);
            }
        }
        let levels = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let column = WIDTH / f32::max(leaves, 1.0);
        let level = LEVEL.min((MAX_HEIGHT - 2.0 * RADIUS) / levels as f32);
        let radius = RADIUS.min(0.4 * column);
        Self { nodes, parents, columns, origin: Vec2::ZERO, column, level, radius }
    }

    /// Takes the room for the picture, with a line of text below the deepest nodes where leaves have texts.
    fn allocate(&mut self, ui: &mut Ui) -> Response {
        let has_texts = self.nodes.iter().any(|node| node.is_leaf && node.text.is_some());
        let line = if has_texts { ui.text_style_height(&TextStyle::Small) } else { 1.0 };
        let bottoms = (0..self.nodes.len()).map(|node| self.at(node).y);
        let height = bottoms.fold(0.0, f32::max) + self.radius + line;
        let (area, response) = ui.allocate_exact_size(vec2(WIDTH, height), Sense::hover());
        self.origin = area.min.to_vec2();
        response
    }

    /// In the middle above its leaves.
    fn at(&self, node: usize) -> Pos2 {
        let [first, last] = self.columns[node];
        let x = 0.5 * (first + last + 1.0) * self.column;
        let depth = self.nodes[node].depth as f32;
        Pos2::new(x, 1.0 + RADIUS + self.level * depth) + self.origin
    }

    /// Writes the text of a node where it is above or below no other one: beside an inner node as far as its leaves reach, and
    /// below a leaf as wide as its column. Others have no room.
    fn write(&self, ui: &Ui, node: usize) {
        let Node { text: Some(text), is_leaf, .. } = &self.nodes[node] else { return };
        let (at, color) = (self.at(node), ui.visuals().strong_text_color());
        let galley =
            ui.painter().layout_no_wrap(text.clone(), FontId::proportional(MIN_TEXT), color);
        let (below, beside) = (at + vec2(0.0, self.radius), at + vec2(self.radius + 2.0, 0.0));
        let right = self.origin.x + (self.columns[node][1] + 1.0) * self.column;
        let (place, room) = match is_leaf {
            true => (Align2::CENTER_TOP.anchor_size(below, galley.size()), self.column),
            false => (Align2::LEFT_CENTER.anchor_size(beside, galley.size()), right - beside.x),
        };
        let has_room = place.width() + GAP <= room && (*is_leaf || self.level >= MIN_TEXT);
        if has_room {
            ui.painter().galley(place.min, galley, color);
        }
    }

    /// A line from each node to the one above it.
    fn links(&self, ui: &Ui, theme: &Theme) {
        for (node, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = *parent {
                let is_way = self.nodes[node].is_way && self.nodes[parent].is_way;
                let color = solid(if is_way { theme.picked } else { theme.rail });
                let ends = [self.at(parent), self.at(node)];
                ui.painter().line_segment(ends, Stroke::new(1.0, color));
            }
        }
    }

    fn node(&self, ui: &Ui, node: usize, theme: &Theme) {
        let (at, radius, painter) = (self.at(node), self.radius, ui.painter());
        let Node { ink, is_filled, changed, .. } = &self.nodes[node];
        let color = |ink: Ink| solid(ink.color(theme, |_| theme.rail));
        if *is_filled {
            painter.circle_filled(at, radius, color(*ink));
        } else {
            painter.circle(at, radius - 0.5, ui.visuals().window_fill, (1.0, color(*ink)));
        }
        if let Some(changed) = changed {
            let frame = Rect::from_center_size(at, vec2(3.0, 3.0) * radius);
            painter.rect_stroke(frame, 0.0, (1.0, color(*changed)), StrokeKind::Inside);
        }
    }

    /// The text of the node under the pointer, as a tooltip.
    fn explain(&self, response: Response) {
        let Some(pointer) = response.hover_pos() else { return };
        let distance = |node: &usize| self.at(*node).distance(pointer);
        let nearest = (0..self.nodes.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(node) = nearest.filter(|node| distance(node) < REACH) else { return };
        let Node { objects, text, .. } = &self.nodes[node];
        let objects = objects.map(|objects| counted(objects as usize, "object"));
        if let Some(words) = objects.or(text.clone()) {
            response.on_hover_text_at_pointer(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Event, RawInput, Shape};

    /// A tree of this many leaves, depth first: with equal depths, or as a chain.
    fn tree(leaves: u32, is_chain: bool, objects: &dyn Fn(u32) -> u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut stack = vec![(0..leaves, 0)];
        while let Some((leaves, depth)) = stack.pop() {
            let (low, high) = (leaves.start, leaves.end);
            let is_leaf = high - low == 1;
            let objects = is_leaf.then(|| objects(low));
            nodes.push(Node {
                depth,
                ink: Ink::Scale(1.0),
                text: Some(objects.map_or("x".to_owned(), |objects| objects.to_string())),
                objects,
                is_leaf,
                is_way: false,
                is_filled: true,
                changed: None,
            });
            if !is_leaf {
                let middle = if is_chain { low + 1 } else { low + (high - low) / 2 };
                stack.extend([(middle..high, depth + 1), (low..middle, depth + 1)]);
            }
        }
        nodes
    }

    /// The texts that are drawn, with their places, while the pointer is somewhere.
    fn drawn(nodes: &[Node], pointer: Option<Pos2>) -> Vec<(String, Rect)> {
        let context = egui::Context::default();
        let mut texts = Vec::new();
        // A tooltip is shown once the pointer has been still.
        for time in 0..4 {
            let moved = pointer.filter(|_| time == 0).map(Event::PointerMoved);
            let events = moved.into_iter().collect();
            let input = RawInput { events, time: Some(f64::from(time)), ..RawInput::default() };
            let mut output = context.run_ui(input, |ui| draw(ui, nodes, &Theme::DARK));
            output.textures_delta.clear();
            let text = |shape: &Shape| match shape {
                Shape::Text(text) => {
                    Some((text.galley.job.text.clone(), text.visual_bounding_rect()))
                }
                _ => None,
            };
            texts = output.shapes.iter().filter_map(|clipped| text(&clipped.shape)).collect();
        }
        texts
    }

    #[test]
    fn texts_of_a_tree_are_apart_and_as_many_as_fit() {
        for (leaves, digits) in (2..=64).flat_map(|leaves| (1..=4).map(move |of| (leaves, of))) {
            for is_chain in [false, true] {
                let objects = |leaf: u32| 10_u32.pow(digits - 1) + leaf * 37 % leaves % 9;
                let texts = drawn(&tree(leaves, is_chain, &objects), None);
                for (place, (text, rect)) in texts.iter().enumerate() {
                    let crossing = texts[..place].iter().find(|(_, other)| other.intersects(*rect));
                    assert_eq!(crossing, None, "{leaves} leaves: {text} at {rect}");
                }
                let numbers = texts.iter().filter(|(text, _)| text.parse::<u32>().is_ok()).count();
                let has_room = leaves == 8 && digits == 3 && !is_chain;
                assert!(numbers == 8 || !has_room, "{texts:?}");
            }
        }
        // A number without room is shown under the pointer.
        let nodes = tree(64, false, &|leaf| 1000 + leaf);
        let second = (0..nodes.len()).find(|node| nodes[*node].objects == Some(1001)).unwrap();
        let shows =
            |pointer, number: &str| drawn(&nodes, pointer).iter().any(|(text, _)| text == number);
        assert!(!shows(None, "1001"));
        assert!(shows(Some(TreePicture::new(&nodes).at(second)), "1,001 objects"));
    }
}
