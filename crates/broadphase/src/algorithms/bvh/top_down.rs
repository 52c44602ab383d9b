//! The rules of the top-down tree: all objects are divided in two, and each part again, until one is left.

use super::tree::{Divide, Node, half_area, join};
use crate::Aabb;
use glam::Vec3;

/// The rule by which the objects of a node are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// At the median of their centres, on the axis on which the centres lie farthest apart.
    Median,
    /// On the same axis, at the one of a few planes with the least cost of the surface-area heuristic: the sum
    /// over both sides of the number of objects times the surface.
    SurfaceArea,
}

/// Slices of a node between which the planes of the heuristic lie.
const BINS: usize = 16;

/// From this level on, the median replaces the heuristic. One-to-many splits can give a tree of any depth, and
/// the depth of the recursion must be bounded.
const DEEPEST: u32 = 64;

impl Divide for Split {
    /// Measured for a thousand leaves.
    const NANOS_PER_LEAF: usize = 300;

    fn divide(&self, leaves: &mut [Node], _: usize, level: u32) -> usize {
        let (axis, low, high) = widest_axis(leaves);
        if *self == Split::SurfaceArea
            && level < DEEPEST
            && let Some(middle) = divide_by_area(leaves, axis, low, high)
        {
            return middle;
        }
        let middle = leaves.len() / 2;
        leaves.select_nth_unstable_by(middle, |a, b| a.center(axis).total_cmp(&b.center(axis)));
        middle
    }
}

/// The axis on which the leaves' centres lie farthest apart, with their range on it.
fn widest_axis(leaves: &[Node]) -> (usize, f32, f32) {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for leaf in leaves {
        let center = leaf.bounds.center();
        (low, high) = (low.min(center), high.max(center));
    }
    // Halved, so that it does not overflow.
    let axis = (high * 0.5 - low * 0.5).max_position();
    (axis, low[axis], high[axis])
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Aabb,
    count: usize,
}

impl Bin {
    const EMPTY: Bin = Bin { bounds: Aabb::EMPTY, count: 0 };

    fn add(&mut self, bounds: &Aabb, count: usize) {
        self.bounds = join(&self.bounds, bounds);
        self.count += count;
    }

    /// The expected work, up to a constant factor.
    fn cost(&self) -> f32 {
        half_area(&self.bounds) * self.count as f32
    }
}

/// Divides at the best of the planes between the bins (Wald 2007, section 3); `None` where all
/// centres fall into one bin.
fn divide_by_area(leaves: &mut [Node], axis: usize, low: f32, high: f32) -> Option<usize> {
    // Few objects do not fill many bins.
    let bin_count = BINS.min(leaves.len());
    let scale = bin_count as f32 / (high - low);
    // NaN (no extent) falls into the first bin, the highest centre into the last.
    let bin_of = |leaf: &Node| (((leaf.center(axis) - low) * scale) as usize).min(bin_count - 1);
    let mut bins = [Bin::EMPTY; BINS];
    for leaf in &*leaves {
        bins[bin_of(leaf)].add(&leaf.bounds, 1);
    }
    // Cost of the high side of each plane, from the highest plane down.
    let mut above = [0.0; BINS];
    let mut side = Bin::EMPTY;
    for plane in (1..bin_count).rev() {
        side.add(&bins[plane].bounds, bins[plane].count);
        above[plane] = side.cost();
    }
    let mut best: Option<(f32, usize, usize)> = None;
    let mut side = Bin::EMPTY;
    for plane in 1..bin_count {
        side.add(&bins[plane - 1].bounds, bins[plane - 1].count);
        if side.count == 0 || side.count == leaves.len() {
            continue;
        }
        let cost = side.cost() + above[plane];
        if best.is_none_or(|(least, ..)| cost < least) {
            best = Some((cost, plane, side.count));
        }
    }
    let (_, plane, middle) = best?;
    let mut low = 0;
    for i in 0..leaves.len() {
        if bin_of(&leaves[i]) < plane {
            leaves.swap(low, i);
            low += 1;
        }
    }
    Some(middle)
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    fn depth(split: Split, boxes: &[Aabb]) -> u32 {
        let tree = Tree::divided(&split, boxes);
        let mut deepest = 0;
        tree.visit(|_, _, depth| deepest = deepest.max(depth));
        deepest
    }

    /// Points that converge to the origin, over all exponents of a float.
    fn crowding(n: i32) -> Vec<Aabb> {
        let at = |i: i32| Vec3::X * 2f32.powf(120.0 - 240.0 * i as f32 / n as f32);
        (0..n).map(|i| Aabb::new(at(i), at(i))).collect()
    }

    #[test]
    fn median_gives_a_tree_of_least_depth() {
        assert_eq!(depth(Split::Median, &crowding(5000)), 13);
        assert_eq!(depth(Split::Median, &[Aabb::new(Vec3::ZERO, Vec3::ONE); 256]), 8);
    }

    #[test]
    fn heuristic_splits_between_clusters_at_bounded_depth() {
        // Three and one: the median would divide the three.
        let boxes = [0.0, 1.0, 2.0, 50.0].map(|x| Aabb::around_sphere(Vec3::X * x, 0.3));
        assert_eq!((depth(Split::SurfaceArea, &boxes), depth(Split::Median, &boxes)), (3, 2));
        let deepest = depth(Split::SurfaceArea, &crowding(5000));
        assert!((DEEPEST..=DEEPEST + 13).contains(&deepest), "{deepest}");
    }
}
