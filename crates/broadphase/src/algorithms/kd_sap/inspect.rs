//! The nodes as regions, their lists, the tests of each object, the planes.

use super::KdSap;
use super::tree::Node;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark, SplitPlane, SweptList, Visited};
use crate::inspect::{descend, planes_of};

impl KdSap {
    /// The objects of a node's own list.
    fn objects_of(&self, node: &Node) -> Vec<u32> {
        node.list().map(|position| self.object(position)).collect()
    }

    /// The finite part of a node's cell; `None` where it lies outside all objects.
    fn finite(&self, cell: &Aabb) -> Option<Aabb> {
        let all = self.built.nodes[self.root as usize].bounds;
        let part = Aabb::new(cell.min.max(all.min), cell.max.min(all.max));
        (!part.is_empty()).then_some(part)
    }

    /// The finite part of a leaf, or the slice of an inner node's cell with the straddlers, or only its plane.
    fn bounds_of(&self, node: &Node) -> Aabb {
        let mut bounds = self.finite(&node.cell).unwrap_or(node.own);
        if node.children.is_some() {
            let axis = node.axis.index();
            let is_bare = node.own.is_empty();
            let [low, high] = [node.own.min, node.own.max].map(|end| end[axis]);
            bounds.min[axis] = if is_bare { node.position } else { low };
            bounds.max[axis] = if is_bare { node.position } else { high };
        }
        bounds
    }

    fn visit_planes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        // Depth first: parents before children.
        let mut stack: Vec<_> = if self.built.nodes.is_empty() { vec![] } else { vec![self.root] };
        while let Some(at) = stack.pop() {
            let node = &self.built.nodes[at as usize];
            let Some([low, high]) = node.children else { continue };
            stack.extend([high, low]);
            let &Node { axis, position, depth, .. } = node;
            if let Some(cell) = self.finite(&node.cell)
                && (cell.min[axis.index()]..=cell.max[axis.index()]).contains(&position)
            {
                visit(Mark::Plane(SplitPlane { axis, position, cell, depth, moved: false }));
            }
        }
    }
}

impl Inspect for KdSap {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Planes => self.visit_planes(visit),
            Overlay::Regions => {
                for (index, node) in self.built.nodes.iter().enumerate() {
                    let (bounds, objects) = (self.bounds_of(node), self.objects_of(node));
                    visit(Mark::Region(RegionMark {
                        axis: Some(node.sweep),
                        plane: node.children.map(|_| node.axis),
                        ..RegionMark::new(index, bounds, node.depth, &objects)
                    }));
                }
            }
            _ => {}
        }
    }

    fn way(&self, _: u32, bounds: &Aabb, visit: &mut dyn FnMut(Visited)) {
        descend(&planes_of(self), true, bounds, visit);
    }

    /// Its own list, the straddlers that are carried to it, and the lists that it is carried to.
    fn sweeps(&self, object: u32, visit: &mut dyn FnMut(SweptList<'_>)) {
        if self.built.nodes.is_empty() {
            return;
        }
        let position = |node: &Node| node.list().find(|at| self.object(*at) == object);
        let Some(own) = self.built.nodes.iter().find_map(position) else { return };
        let holder = |position: usize| {
            self.built.nodes.iter().position(|node| node.list().contains(&position))
        };
        self.walk(self.root as usize, true, 0, &mut Vec::new(), &mut |node, carried| {
            let region = |node: &Node| holder(node.start as usize).unwrap_or_default();
            let list = |from: usize, objects: &[u32]| {
                let plane = self.built.nodes[from].children.map(|_| self.built.nodes[from].axis);
                visit(SweptList { region: from as u32, axis: node.sweep, plane, objects });
            };
            let mut list = list;
            if node.list().contains(&own) {
                list(region(node), &self.objects_of(node));
                // By the node that holds them: carried straddlers follow those of the nodes above.
                for part in carried
                    .chunk_by(|a, b| holder(a.position as usize) == holder(b.position as usize))
                {
                    let objects: Vec<u32> =
                        part.iter().map(|visitor| self.object(visitor.position as usize)).collect();
                    list(holder(part[0].position as usize).unwrap_or_default(), &objects);
                }
            } else if node.len > 0 && carried.iter().any(|visitor| visitor.position as usize == own)
            {
                list(region(node), &self.objects_of(node));
            }
        });
    }

    /// Calls `visit` with both objects of every test: repeats the search without its kernels.
    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        if self.built.nodes.is_empty() {
            return;
        }
        let mut test = |a: usize, b: usize| visit(self.object(a), self.object(b));
        self.walk(self.root as usize, true, 0, &mut Vec::new(), &mut |node, carried| {
            let axis = node.sweep.index();
            for row in node.list() {
                let end = self.boxes.get(row).max[axis];
                let others = row + 1..node.list().end;
                let met = others.take_while(|other| self.boxes.get(*other).min[axis] <= end);
                met.for_each(|other| test(row, other));
            }
            for visitor in carried {
                let met = self.run_of(node).candidates(&visitor.b);
                met.for_each(|position| test(visitor.position as usize, position));
            }
        });
    }
}
