//! Divides the objects, top down.

use super::tree::{DEEPEST, Node, Side, is_useful, side};
use crate::memory::memory;
use crate::radix_sort::order_key;
use crate::scratch::renew;
use crate::{Aabb, Axis};
use std::ops::Range;

/// An object with its box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) b: Aabb,
    pub(super) object: u32,
}

/// Most objects of a node that are read to choose its plane, as long as the plane is useful to all, and its sweep axis.
const SAMPLE: usize = 256;

/// Writes the nodes of a tree over some items.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    /// The items by list.
    pub(super) items: Vec<Item>,
    /// In the order low subtree, node, high subtree.
    pub(super) nodes: Vec<Node>,
    /// The items by node, each list unsorted.
    divided: Vec<Item>,
    /// Keys of a list: the lower bound in the upper half, the place in the lower.
    keys: Vec<u64>,
    values: Vec<f32>,
}

memory!(Builder: items, nodes, divided, keys, values);

impl Builder {
    /// Builds the tree of a frame, whose leaves hold at most `capacity` objects where planes can divide them. Returns the
    /// root.
    pub(super) fn build(&mut self, boxes: &[Aabb], capacity: usize) -> u32 {
        renew(&mut self.divided);
        renew(&mut self.nodes);
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
        self.divided.extend(present.map(|(object, b)| Item { b: *b, object }));
        let all = self.divided.len();
        renew(&mut self.items);
        self.items.extend_from_slice(&self.divided);
        // For all: a later frame may be the first with so long a list, or that needs a median.
        self.keys.clear();
        self.keys.reserve(all);
        self.values.clear();
        self.values.reserve(all);
        if all == 0 { 0 } else { self.divide(Node::ALL, 0..all, capacity) }
    }

    /// Writes the subtree of a node without children, whose items are those of the range.
    fn divide(&mut self, mut node: Node, range: Range<usize>, capacity: usize) -> u32 {
        let is_full = range.len() > capacity && node.depth < DEEPEST;
        let mut divide = |most| {
            let (axis, position) = self.choose(range.clone(), most)?;
            (node.axis, node.position) = (axis, position);
            let (across, high) = self.partition(range.clone(), axis, position);
            // A plane that is useful to a sample may not be to all.
            let counts = [across - range.start, high - across, range.end - high];
            is_useful(counts).then_some((across, high))
        };
        let divided = if is_full { divide(SAMPLE).or_else(|| divide(usize::MAX)) } else { None };
        let Some((across, high)) = divided else {
            self.list(&mut node, range);
            return self.push(node);
        };
        let parts = node.parts().map(|cell| Node { cell, depth: node.depth + 1, ..Node::ALL });
        let low = self.divide(parts[0], range.start..across, capacity);
        let own = self.push(node);
        let children = [low, self.divide(parts[1], high..range.end, capacity)];
        node.children = Some(children);
        self.list(&mut node, across..high);
        for child in children.map(|child| &self.nodes[child as usize]) {
            node.population += child.population;
            node.bounds = node.bounds.union(&child.bounds);
        }
        self.nodes[own as usize] = node;
        own
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Sorts the items of a node's own list.
    fn list(&mut self, node: &mut Node, range: Range<usize>) {
        let divided = &self.divided[range.clone()];
        (node.start, node.len) = (range.start as u32, range.len() as u32);
        node.population = node.len;
        node.sweep = Spread::of(sample(divided, SAMPLE)).sweep_axis();
        let axis = node.sweep.index();
        let key = |(at, item): (u64, &Item)| u64::from(order_key(item.b.min[axis])) << 32 | at;
        self.keys.clear();
        self.keys.extend((0..).zip(divided).map(key));
        self.keys.sort_unstable();
        for (item, key) in self.items[range].iter_mut().zip(&self.keys) {
            *item = divided[*key as u32 as usize];
            node.own = node.own.union(&item.b);
        }
        node.bounds = node.own;
    }

    /// The mean on the axis of the largest variance, from at most `most` of the items. Where that is no useful plane, the
    /// median, which is robust against outliers; then the other axes.
    fn choose(&mut self, range: Range<usize>, most: usize) -> Option<(Axis, f32)> {
        let items = || sample(&self.divided[range.clone()], most);
        let spread = Spread::of(items());
        let mut axes = Axis::ALL;
        axes.sort_by(|a, b| spread.variance(*b).total_cmp(&spread.variance(*a)));
        for axis in axes {
            if spread.variance(axis) <= 0.0 {
                break;
            }
            let mean = spread.mean(axis);
            if is_useful(count(items(), axis, mean)) {
                return Some((axis, mean));
            }
            self.values.clear();
            self.values.extend(items().map(|item| item.b.center()[axis.index()]));
            let half = self.values.len() / 2;
            let median = *self.values.select_nth_unstable_by(half, f32::total_cmp).1;
            if is_useful(count(items(), axis, median)) {
                return Some((axis, median));
            }
        }
        None
    }

    /// Orders the items of a range low, across, high. Returns where the latter two begin.
    fn partition(&mut self, range: Range<usize>, axis: Axis, position: f32) -> (usize, usize) {
        let (mut low, mut at, mut high) = (range.start, range.start, range.end);
        while at < high {
            match side(&self.divided[at].b, axis, position) {
                Side::Low => {
                    self.divided.swap(low, at);
                    low += 1;
                    at += 1;
                }
                Side::Across => at += 1,
                Side::High => {
                    high -= 1;
                    self.divided.swap(at, high);
                }
            }
        }
        (low, high)
    }
}

/// At most `most` of the items, evenly spread.
fn sample(items: &[Item], most: usize) -> impl Iterator<Item = &Item> {
    items.iter().step_by(items.len().div_ceil(most).max(1))
}

fn count<'a>(items: impl Iterator<Item = &'a Item>, axis: Axis, position: f32) -> [usize; 3] {
    let mut counts = [0; 3];
    for item in items {
        counts[side(&item.b, axis, position) as usize] += 1;
    }
    counts
}

/// Sums over the centres and sides of boxes. In `f64`, where the squares of all finite coordinates fit.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    centers: [f64; 3],
    squares: [f64; 3],
    sides: [f64; 3],
}

impl Spread {
    fn of<'a>(items: impl Iterator<Item = &'a Item>) -> Self {
        let mut all = Self::default();
        for Item { b, .. } in items {
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

    /// The axis with the fewest overlaps: where the centres are spread widest in units of the mean side.
    fn sweep_axis(&self) -> Axis {
        // variance / side², without the division: a side may be zero.
        let is_wider = |a: Axis, b: Axis| {
            let [side_a, side_b] = [a, b].map(|axis| self.sides[axis.index()].powi(2));
            let [a, b] = [a, b].map(|axis| self.variance(axis).max(0.0));
            a * side_b > b * side_a
        };
        let wider = |best, axis| if is_wider(axis, best) { axis } else { best };
        Axis::ALL.into_iter().fold(Axis::X, wider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Items around centres, all with the same half sides.
    fn items(centers: impl Iterator<Item = Vec3>, half: Vec3) -> Vec<Item> {
        let item = |(object, center): (u32, Vec3)| Item {
            b: Aabb::new(center - half, center + half),
            object,
        };
        (0..).zip(centers).map(item).collect()
    }

    #[test]
    fn sweep_axis_has_the_widest_spread_for_its_sides() {
        // As far apart on x as on y, but flat on y.
        let at = |i: usize| Vec3::new((i % 7) as f32, (i * 3 % 7) as f32, 0.0);
        let flat = items((0..50).map(at), Vec3::new(0.5, 0.1, 0.1));
        assert_eq!(Spread::of(flat.iter()).sweep_axis(), Axis::Y);
        let points = items([Vec3::ZERO, Vec3::Z].into_iter(), Vec3::ZERO);
        assert_eq!([&[], &points[..]].map(|all| Spread::of(all.iter()).sweep_axis()), [Axis::X; 2]);
    }

    #[test]
    fn far_outliers_do_not_move_the_plane() {
        // A hundred near the origin, two so far away that the mean divides only these from the others.
        let at = |i: usize| Vec3::splat(if i < 2 { 1e9 + i as f32 } else { i as f32 });
        let boxes: Vec<_> = (0..102).map(|i| Aabb::around_sphere(at(i), 0.1)).collect();
        let mut builder = Builder::default();
        let root = builder.build(&boxes, 60);
        assert!((40.0..60.0).contains(&builder.nodes[root as usize].position));
        assert_eq!(builder.nodes.len(), 3);
    }
}
