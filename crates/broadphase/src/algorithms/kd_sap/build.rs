//! Divides a leaf that is too full.

use super::tree::{DEEPEST, Node, Side, is_useful, side};
use crate::{Aabb, Axis};
use std::ops::Range;

/// An object with its box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) b: Aabb,
    pub(super) object: u32,
}

impl Item {
    pub(super) const NONE: Item = Item { b: Aabb::EMPTY, object: u32::MAX };
}

/// Updates for which a leaf is not tried again after no plane could divide it.
const REST: u8 = 16;

/// Writes the nodes of a subtree over some items, which it orders low, across, high.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    pub(super) items: &'a mut [Item],
    pub(super) capacity: usize,
    /// The written nodes, and the positions of each one's items.
    pub(super) nodes: &'a mut Vec<Node>,
    pub(super) parts: &'a mut Vec<Range<usize>>,
    pub(super) values: &'a mut Vec<f32>,
}

impl Builder<'_> {
    /// Writes the subtree of `leaf`, whose items are those of the range, and returns its root.
    pub(super) fn build(&mut self, leaf: Node, range: Range<usize>) -> u32 {
        let is_full = range.len() > self.capacity && leaf.depth < DEEPEST && leaf.rest == 0;
        let plane = if is_full { self.choose(range.clone()) } else { None };
        let Some((axis, position)) = plane else {
            let rest = if is_full { REST } else { leaf.rest.saturating_sub(1) };
            return self.push(Node { rest, ..leaf }, range);
        };
        let (across, high) = self.partition(range.clone(), axis, position);
        let mut node = Node { axis, position, moved: true, rest: 0, ..leaf };
        let parts = node.parts().map(|cell| Node::leaf(cell, leaf.depth + 1));
        let low = self.build(parts[0], range.start..across);
        let own = self.nodes.len();
        self.push(node, across..high);
        node.children = Some([low, self.build(parts[1], high..range.end)]);
        self.nodes[own] = node;
        own as u32
    }

    pub(super) fn push(&mut self, node: Node, range: Range<usize>) -> u32 {
        self.nodes.push(node);
        self.parts.push(range);
        self.nodes.len() as u32 - 1
    }

    /// The mean on the axis of the largest variance. Where that is no useful plane, the median, which is robust
    /// against outliers; then the other axes.
    fn choose(&mut self, range: Range<usize>) -> Option<(Axis, f32)> {
        let items = &self.items[range];
        let spread = Spread::of(items.iter().map(|item| &item.b));
        let mut axes = Axis::ALL;
        axes.sort_by(|a, b| spread.variance(*b).total_cmp(&spread.variance(*a)));
        for axis in axes {
            if spread.variance(axis) <= 0.0 {
                break;
            }
            let mean = spread.mean(axis);
            if is_useful(count(items, axis, mean)) {
                return Some((axis, mean));
            }
            self.values.clear();
            self.values.extend(items.iter().map(|item| item.b.center()[axis.index()]));
            let half = items.len() / 2;
            let median = *self.values.select_nth_unstable_by(half, f32::total_cmp).1;
            if is_useful(count(items, axis, median)) {
                return Some((axis, median));
            }
        }
        None
    }

    /// Orders the items of a range low, across, high. Returns where the latter two begin.
    fn partition(&mut self, range: Range<usize>, axis: Axis, position: f32) -> (usize, usize) {
        let (mut low, mut at, mut high) = (range.start, range.start, range.end);
        while at < high {
            match side(&self.items[at].b, axis, position) {
                Side::Low => {
                    self.items.swap(low, at);
                    low += 1;
                    at += 1;
                }
                Side::Across => at += 1,
                Side::High => {
                    high -= 1;
                    self.items.swap(at, high);
                }
            }
        }
        (low, high)
    }
}

fn count(items: &[Item], axis: Axis, position: f32) -> [usize; 3] {
    let mut counts = [0; 3];
    for item in items {
        counts[side(&item.b, axis, position) as usize] += 1;
    }
    counts
}

/// Sums over the centres and sides of boxes. In `f64`, where the squares of all finite coordinates fit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    count: f64,
    pub(super) centers: [f64; 3],
    squares: [f64; 3],
    sides: [f64; 3],
}

impl Spread {
    pub(super) fn of<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> Self {
        let mut all = Self::default();
        for b in boxes {
            all.count += 1.0;
            for axis in 0..3 {
                let (low, high) = (f64::from(b.min[axis]), f64::from(b.max[axis]));
                let center = (low + high) * 0.5;
                all.centers[axis] += center;
                all.squares[axis] += center * center;
                all.sides[axis] += high - low;
            }
        }
        all
    }

    fn mean(&self, axis: Axis) -> f32 {
        (self.centers[axis.index()] / self.count) as f32
    }

    /// Variance of the centres.
    fn variance(&self, axis: Axis) -> f64 {
        let mean = self.centers[axis.index()] / self.count;
        self.squares[axis.index()] / self.count - mean * mean
    }

    /// The axis with the fewest overlaps: where the centres are spread widest in units of the mean side. The
    /// axis in use stays unless another is better by a quarter, so that lists stay sorted.
    pub(super) fn sweep_axis(&self, used: Axis) -> Axis {
        // variance / side², without the division: a side may be zero.
        let is_wider = |a: Axis, b: Axis, factor: f64| {
            let [side_a, side_b] = [a, b].map(|axis| self.sides[axis.index()].powi(2));
            let [a, b] = [a, b].map(|axis| self.variance(axis).max(0.0));
            a * side_b > factor * b * side_a
        };
        Axis::ALL.into_iter().fold(used, |best, axis| {
            let factor = if best == used { 1.5 } else { 1.0 };
            if is_wider(axis, best, factor) { axis } else { best }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn sweep_axis_has_the_widest_spread_for_its_sides() {
        // As far apart on x as on y, but flat on y.
        let boxes: Vec<_> = (0..50)
            .map(|i| {
                let center = Vec3::new((i % 7) as f32, (i * 3 % 7) as f32, 0.0);
                let half = Vec3::new(0.5, 0.1, 0.1);
                Aabb::new(center - half, center + half)
            })
            .collect();
        let spread = Spread::of(boxes.iter());
        assert_eq!(spread.sweep_axis(Axis::X), Axis::Y);
        assert_eq!(spread.sweep_axis(Axis::Y), Axis::Y);
        let points = [Aabb::new(Vec3::ZERO, Vec3::ZERO), Aabb::new(Vec3::Z, Vec3::Z)];
        assert_eq!(Spread::default().sweep_axis(Axis::Z), Axis::Z);
        assert_eq!(Spread::of(points.iter()).sweep_axis(Axis::Z), Axis::Z);
    }

    #[test]
    fn far_outliers_do_not_move_the_plane() {
        // A hundred near the origin, two so far away that the mean divides only these from the others.
        let at = |i: usize| if i < 2 { 1e9 + i as f32 } else { i as f32 };
        let item = |i| Item { b: Aabb::around_sphere(Vec3::splat(at(i)), 0.1), object: i as u32 };
        let mut items: Vec<_> = (0..102).map(item).collect();
        let (mut nodes, mut parts, mut values) = Default::default();
        let mut builder = Builder {
            items: &mut items,
            capacity: 60,
            nodes: &mut nodes,
            parts: &mut parts,
            values: &mut values,
        };
        let root = builder.build(Node::leaf(super::super::tree::EVERYWHERE, 0), 0..102);
        assert!((40.0..60.0).contains(&nodes[root as usize].position));
        assert_eq!(nodes.len(), 3);
    }
}
