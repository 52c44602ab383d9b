//! The nodes as regions, their lists, the tests of each object, the planes.

use super::KdSap;
use super::tree::Node;
use crate::Aabb;
use crate::inspect::{
    Inspect, Mark, Overlay, RegionMark, SplitPlane, SweptList, Visited, descend, planes_of,
};
use crate::regions::Plane;

impl KdSap {
    /// The objects of a node's own list.
    fn objects_of(&self, node: &Node) -> Vec<u32> {
        node.list().map(|position| self.tree.items[position].object).collect()
    }

    /// The finite part of a cell. It is not empty: an object is wholly in it.
    fn finite(&self, cell: &Aabb) -> Aabb {
        let all = self.tree.nodes[0].bounds;
        Aabb::new(cell.min.max(all.min), cell.max.min(all.max))
    }

    /// The finite part of a leaf, or the slice of an inner node's cell with the straddlers, or only its plane.
    fn bounds_of(&self, node: &Node, cell: &Aabb) -> Aabb {
        let mut bounds = self.finite(cell);
        if let Some(Plane { axis, position }) = node.plane {
            let (own, at) = (&self.tree.items[node.list()], axis.index());
            (bounds.min[at], bounds.max[at]) = (position, position);
            for item in own {
                bounds.min[at] = bounds.min[at].min(item.b.min[at]);
                bounds.max[at] = bounds.max[at].max(item.b.max[at]);
            }
        }
        bounds
    }
}

impl Inspect for KdSap {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        self.tree.visit_cells(&mut |number, cell| {
            let node = &self.tree.nodes[number];
            match (overlay, node.plane) {
                (Overlay::Regions, _) => {
                    let (bounds, objects) = (self.bounds_of(node, &cell), self.objects_of(node));
                    visit(Mark::Region(RegionMark {
                        axis: Some(node.sweep),
                        plane: node.plane.map(|plane| plane.axis),
                        ..RegionMark::new(number, bounds, node.depth, &objects)
                    }));
                }
                (Overlay::Planes, Some(Plane { axis, position })) => {
                    let (cell, depth, moved) = (self.finite(&cell), node.depth, false);
                    visit(Mark::Plane(SplitPlane { axis, position, cell, depth, moved }));
                }
                _ => {}
            }
        });
    }

    fn way(&self, _: u32, bounds: &Aabb, visit: &mut dyn FnMut(Visited)) {
        descend(&planes_of(self), true, bounds, visit);
    }

    /// Its own list, the straddlers that are carried to it, and the lists that it is carried to.
    fn sweeps(&self, object: u32, visit: &mut dyn FnMut(SweptList<'_>)) {
        let (nodes, items) = (&self.tree.nodes, &self.tree.items);
        let position = items.iter().position(|item| item.object == object);
        let Some(position) = position else { return };
        let holds = |node: &Node| node.list().contains(&position);
        let Some(own) = nodes.iter().position(holds) else { return };
        let mut list = |number: usize, sweep: usize, objects: &[u32]| {
            let plane = nodes[number].plane.map(|plane| plane.axis);
            visit(SweptList { region: number as u32, axis: nodes[sweep].sweep, plane, objects });
        };
        list(own, own, &self.objects_of(&nodes[own]));
        for (above, node) in nodes[..own].iter().enumerate() {
            let reaches = |at: &usize| self.tree.reached_by(above, items[*at].b).any(|n| n == own);
            let carried = node.list().filter(reaches);
            let carried: Vec<u32> = carried.map(|at| self.tree.items[at].object).collect();
            if !carried.is_empty() {
                list(above, own, &carried);
            }
        }
        for below in self.tree.reached_by(own, items[position].b) {
            list(below, below, &self.objects_of(&nodes[below]));
        }
    }

    /// Repeats the search without its kernels.
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        let object = |position: usize| self.tree.items[position].object;
        for (number, node) in self.tree.nodes.iter().enumerate() {
            for row in node.list() {
                self.tree.visit_runs(number, row, |met, run| {
                    run.for_each(|other| visit(object(row), object(other), Some(met as u32)));
                });
            }
        }
    }
}
