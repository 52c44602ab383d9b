//! The nodes as regions, their lists, the tests of each object, the planes.

use super::KdSap;
use super::tree::Node;
use crate::Aabb;
use crate::inspect::{
    Inspect, Mark, Overlay, RegionMark, SplitPlane, SweptList, Visited, descend, planes_of,
};

impl KdSap {
    /// The objects of a node's own list.
    fn objects_of(&self, node: &Node) -> Vec<u32> {
        node.list().map(|position| self.tree.object(position)).collect()
    }

    /// The finite part of a cell; `None` where it lies outside all objects.
    fn finite(&self, cell: &Aabb) -> Option<Aabb> {
        let all = self.tree.bounds();
        let part = Aabb::new(cell.min.max(all.min), cell.max.min(all.max));
        (!part.is_empty()).then_some(part)
    }

    /// The finite part of a leaf, or the slice of an inner node's cell with the straddlers, or only its plane.
    fn bounds_of(&self, node: &Node, cell: &Aabb) -> Aabb {
        let items = &self.tree.items()[node.list()];
        let own = items.iter().fold(Aabb::EMPTY, |all, item| all.union(&item.b));
        let mut bounds = self.finite(cell).unwrap_or(own);
        if let Some(plane) = node.plane {
            let axis = plane.axis.index();
            let is_bare = own.is_empty();
            bounds.min[axis] = if is_bare { plane.position } else { own.min[axis] };
            bounds.max[axis] = if is_bare { plane.position } else { own.max[axis] };
        }
        bounds
    }
}

impl Inspect for KdSap {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        self.tree.visit_cells(&mut |number, cell| {
            let node = &self.tree.nodes()[number];
            match (overlay, node.plane, self.finite(&cell)) {
                (Overlay::Regions, ..) => {
                    let (bounds, objects) = (self.bounds_of(node, &cell), self.objects_of(node));
                    visit(Mark::Region(RegionMark {
                        axis: Some(node.sweep),
                        plane: node.plane.map(|plane| plane.axis),
                        ..RegionMark::new(number, bounds, node.depth, &objects)
                    }));
                }
                (Overlay::Planes, Some(plane), Some(cell)) => {
                    let (axis, position, depth) = (plane.axis, plane.position, node.depth);
                    if (cell.min[axis.index()]..=cell.max[axis.index()]).contains(&position) {
                        visit(Mark::Plane(SplitPlane {
                            axis,
                            position,
                            cell,
                            depth,
                            moved: false,
                        }));
                    }
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
        let (nodes, items) = (self.tree.nodes(), self.tree.items());
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
            let carried: Vec<u32> = carried.map(|at| self.tree.object(at)).collect();
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
        let (nodes, items) = (self.tree.nodes(), self.tree.items());
        let mut test = |a: usize, b: usize, met: usize| {
            visit(self.tree.object(a), self.tree.object(b), Some(met as u32));
        };
        for (number, node) in nodes.iter().enumerate() {
            let axis = node.sweep.index();
            for row in node.list() {
                let others = row + 1..node.list().end;
                let end = items[row].b.max[axis];
                let met = others.take_while(|other| items[*other].b.min[axis] <= end);
                met.for_each(|other| test(row, other, number));
            }
            for row in node.list() {
                let b = items[row].b;
                for below in self.tree.reached_by(number, b) {
                    self.tree.candidates(below, &b).for_each(|other| test(row, other, below));
                }
            }
        }
    }
}
