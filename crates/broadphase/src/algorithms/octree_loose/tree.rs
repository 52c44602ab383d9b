//! The nodes, in depth-first order.

use super::cell::{DEEPEST, OctreeCell, Place, steps_around};
use crate::Aabb;
use crate::memory::memory;
use crate::outliers::Bulk;
use crate::regions::{ALL_AXES, CellRange, Lattice, Neighbours, Regions};
use std::ops::Range;

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) cell: OctreeCell,
    pub(super) loose: CellRange,
    /// The next node outside of its subtree.
    after: u32,
}

impl Node {
    /// Whether no node is below this one, which has the given number.
    pub(super) fn is_leaf(&self, number: usize) -> bool {
        self.after as usize == number + 1
    }
}

/// An octree, rebuilt every frame. Only nodes with objects in or below them exist. The number of a node is that of its region.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// From coordinates to steps; `None` without objects.
    steps: Option<Lattice>,
    /// Parents before children.
    pub(super) nodes: Vec<Node>,
    /// Objects and their places; after the division in the order of their nodes.
    items: Vec<(u32, Place)>,
    other: Vec<(u32, Place)>,
}

memory!(Tree: nodes, items, other);

impl Tree {
    /// Begins a frame, with a root around most objects.
    pub(super) fn clear(&mut self, bulk: Option<&Bulk>) {
        self.steps = bulk.map(steps_around);
        self.nodes.clear();
        self.items.clear();
    }

    /// The deepest place of a box, if it fits the root.
    fn place_of(&self, b: &Aabb) -> Option<Place> {
        self.steps.and_then(|steps| Place::of(steps.range(b)))
    }

    /// Adds an object. False if it does not fit.
    pub(super) fn place(&mut self, object: u32, b: &Aabb) -> bool {
        let place = self.place_of(b);
        self.items.extend(place.map(|place| (object, place)));
        place.is_some()
    }

    /// Divides the root until the nodes hold at most `leaf_size` objects, or none that fits a deeper node. Lists the objects of
    /// each node.
    pub(super) fn divide(&mut self, leaf_size: usize, regions: &mut Regions) {
        self.other.clear();
        self.other.extend_from_slice(&self.items);
        self.divide_from(0..self.items.len(), 0, leaf_size, regions);
    }

    /// Adds a node for a run of items with the same cell at a depth, and those below it.
    fn divide_from(
        &mut self,
        run: Range<usize>,
        depth: u32,
        leaf_size: usize,
        regions: &mut Regions,
    ) {
        let Some((_, place)) = self.items[run.clone()].first() else { return };
        let number = self.nodes.len();
        let cell = place.cell(depth);
        self.nodes.push(Node { cell, loose: cell.loose(), after: 0 });
        // The end of its own objects, and of those in each octant.
        let mut ends = [run.end; 9];
        if run.len() > leaf_size && depth < DEEPEST {
            ends = self.sort_by_part(run.clone(), depth);
        }
        for (object, _) in &self.items[run.start..ends[0]] {
            regions.list(*object, |list| list(number as u32, ALL_AXES));
        }
        for octant in ends.windows(2) {
            self.divide_from(octant[0]..octant[1], depth + 1, leaf_size, regions);
        }
        self.nodes[number].after = self.nodes.len() as u32;
    }

    /// A counting sort: first the objects that stay at a depth, then those of each octant. Returns the ends of the parts.
    fn sort_by_part(&mut self, run: Range<usize>, depth: u32) -> [usize; 9] {
        let part_of = |place: &Place| match place.depth > depth {
            true => 1 + place.octant(depth),
            false => 0,
        };
        let mut starts = [0; 10];
        for (_, place) in &self.items[run.clone()] {
            starts[part_of(place) + 1] += 1;
        }
        starts[0] = run.start;
        for part in 0..9 {
            starts[part + 1] += starts[part];
        }
        for item in &self.items[run.clone()] {
            let next = &mut starts[part_of(&item.1)];
            self.other[*next] = *item;
            *next += 1;
        }
        self.items[run.clone()].copy_from_slice(&self.other[run]);
        // Each start has moved to the end of its part.
        std::array::from_fn(|part| starts[part])
    }

    /// The space of a block of steps.
    pub(super) fn space(&self, block: CellRange) -> Aabb {
        let corner = |cell| self.steps.map_or(Aabb::EMPTY, |steps| steps.bounds(cell));
        Aabb::new(corner(block.low).min, corner(block.high).max)
    }

    /// Panics unless every object that fits is in one node, the deepest existing one for its size and centre, within the loose
    /// bounds.
    pub(super) fn validate(&self, regions: &Regions, boxes: &[Aabb]) {
        assert_eq!(regions.len(), self.nodes.len(), "a node has no list");
        for (number, node) in self.nodes.iter().enumerate() {
            let mut below = self.nodes[number + 1..node.after as usize].iter();
            let is_below = below.all(|child| child.cell.depth > node.cell.depth);
            assert!(is_below, "node {number} has others below it");
        }
        regions.validate(boxes, |object, b, visit| {
            let Some(place) = self.place_of(b) else { return };
            let is_here = |node: &Node| {
                node.cell == place.cell(node.cell.depth) && node.cell.depth <= place.depth
            };
            // Parents come before children.
            let home = self.nodes.iter().rposition(is_here).expect("there is a root");
            let CellRange { low, high } =
                self.steps.map(|steps| steps.range(b)).expect("it has a place");
            let loose = self.nodes[home].cell.loose();
            let is_within =
                (0..3).all(|axis| loose.low[axis] <= low[axis] && high[axis] <= loose.high[axis]);
            assert!(is_within, "object {object} exceeds the loose bounds of node {home}");
            visit(home as u32, ALL_AXES);
        });
    }
}

impl Neighbours for Tree {
    /// The later nodes with objects whose loose bounds overlap the own objects of a node; subtrees of others are skipped.
    #[inline]
    fn visit(
        &self,
        regions: &Regions,
        number: usize,
        rows: Range<usize>,
        visit: &mut dyn FnMut(Range<usize>, Range<usize>, u32),
    ) {
        let own = regions.run(number..number + 1);
        let Some(steps) = self.steps.filter(|_| !own.is_empty()) else { return };
        let bounds = own.fold(Aabb::EMPTY, |all, position| all.union(&regions.bounds(position)));
        let bounds = steps.range(&bounds);
        let mut at = number + 1;
        while let Some(node) = self.nodes.get(at) {
            if !node.loose.overlaps(&bounds) {
                at = node.after as usize;
                continue;
            }
            let others = regions.run(at..at + 1);
            if !others.is_empty() {
                visit(rows.clone(), others, ALL_AXES);
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
    use glam::Vec3;

    const LEAF_SIZE: usize = 32;

    fn built() -> (Tree, Regions, Vec<Aabb>) {
        let at = |i: usize| Vec3::new((i % 17) as f32, (i % 19) as f32, (i % 23) as f32);
        let mut boxes: Vec<_> = (0..2000).map(|i| Aabb::around_sphere(at(i), 0.1)).collect();
        boxes[7] = Aabb::around_sphere(Vec3::splat(6.0), 2.5);
        boxes[8] = Aabb::EMPTY;
        let mut present = Vec::new();
        let bulk = Bulk::of(&boxes, 1.0, &mut present);
        let (mut tree, mut regions) = (Tree::default(), Regions::default());
        tree.clear(bulk.as_ref());
        assert!(present.iter().all(|object| tree.place(*object, &boxes[*object as usize])));
        tree.divide(LEAF_SIZE, &mut regions);
        regions.sort(tree.nodes.len(), &boxes);
        (tree, regions, boxes)
    }

    #[test]
    fn large_objects_are_high_and_small_ones_deep() {
        let (tree, regions, _) = built();
        let depth_of = |object: u32| {
            let holds = |node: &usize| regions.objects_of(*node..node + 1).any(|o| o == object);
            tree.nodes[(0..regions.len()).find(holds).unwrap()].cell.depth
        };
        assert!(depth_of(7) < depth_of(9), "{} {}", depth_of(7), depth_of(9));
        assert!(regions.occupied().all(|(_, objects)| objects.len() <= LEAF_SIZE));
    }

    #[test]
    fn validate_catches_each_fault() {
        let faults: [Fault<(Tree, Regions, Vec<Aabb>)>; 2] = [
            ("has others below it", |(tree, ..)| {
                tree.nodes.iter_mut().find(|node| node.cell.depth > 0).unwrap().after += 1;
            }),
            // All objects in the root.
            ("is missing from region", |(tree, regions, boxes)| {
                regions.clear();
                for (object, _) in (0..).zip(&*boxes).filter(|(_, b)| !b.is_empty()) {
                    regions.list(object, |list| list(0, ALL_AXES));
                }
                regions.sort(tree.nodes.len(), boxes);
            }),
        ];
        assert_faults_are_caught(
            built,
            |(tree, regions, boxes)| tree.validate(regions, boxes),
            &faults,
        );
    }
}
