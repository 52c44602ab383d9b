//! The way of an object through a structure: the nodes or cells that its search reached.

use super::SplitPlane;
use crate::Aabb;

/// The outcome of a search at a node or cell that it reached on behalf of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It holds the object: the object's leaf, or a node above it.
    Holds,
    /// The search went on in it, or tested it, if it is a leaf: it overlaps the object's box or that of a node above. Of
    /// cells: the object was compared with what it holds.
    Searched,
    /// It was rejected: its box does not overlap, or it is empty. Nothing in it was compared.
    Rejected,
}

/// A node or cell that a search reached on behalf of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visited {
    /// Its box.
    pub bounds: Aabb,
    /// Its depth below the root, or its level.
    pub depth: u32,
    /// The outcome there.
    pub outcome: Outcome,
}

/// Visits the cells on the way of a box from the root of a tree of planes to its leaves, then their neighbours. Planes
/// come parents before children. A box that a plane cuts goes to both sides, or stays at the plane.
pub(crate) fn descend(
    planes: &[SplitPlane],
    keeps_straddlers: bool,
    b: &Aabb,
    visit: &mut dyn FnMut(Visited),
) {
    let mut cells: Vec<Visited> = Vec::new();
    for plane in planes.iter().filter(|_| !b.is_empty()) {
        let SplitPlane { axis, position, cell, depth, .. } = *plane;
        if depth == 0 {
            cells.push(Visited { bounds: cell, depth, outcome: Outcome::Holds });
        }
        let is_here = |known: &Visited| known.bounds == cell && known.depth == depth;
        let reached = cells.iter().find(|known| is_here(known));
        if reached.is_none_or(|known| known.outcome != Outcome::Holds) {
            continue;
        }
        let at = axis.index();
        let sides = [b.min[at] < position, b.max[at] >= position];
        if keeps_straddlers && sides == [true; 2] {
            continue;
        }
        cells.extend(plane.sides().into_iter().zip(sides).map(|(bounds, is_reached)| {
            let outcome = if is_reached { Outcome::Holds } else { Outcome::Rejected };
            Visited { bounds, depth: depth + 1, outcome }
        }));
    }
    cells.sort_by_key(|node| node.outcome != Outcome::Holds);
    cells.into_iter().for_each(visit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis;
    use glam::Vec3;

    #[test]
    fn box_descends_to_each_side_of_a_plane_that_it_touches() {
        let cell = |low: [f32; 3], high: [f32; 3]| Aabb::new(Vec3::from(low), Vec3::from(high));
        let root = cell([0.0; 3], [8.0; 3]);
        let plane =
            |axis, position, cell, depth| SplitPlane { axis, position, cell, depth, moved: false };
        let (low, high) = (cell([0.0; 3], [4.0, 8.0, 8.0]), cell([4.0, 0.0, 0.0], [8.0; 3]));
        let planes = [
            plane(Axis::X, 4.0, root, 0),
            plane(Axis::Y, 2.0, low, 1),
            plane(Axis::Y, 6.0, high, 1),
        ];
        // The lower corner of each cell, first of those that are reached.
        let reached = |x: [f32; 2], keeps: bool| -> (Vec<[f32; 2]>, usize) {
            let b = cell([x[0], 3.0, 3.0], [x[1], 4.0, 4.0]);
            let (mut holds, mut rejected) = (Vec::new(), 0);
            descend(&planes, keeps, &b, &mut |cell| match cell.outcome {
                Outcome::Holds => holds.push([cell.bounds.min.x, cell.bounds.min.y]),
                _ => rejected += 1,
            });
            (holds, rejected)
        };
        assert_eq!(reached([1.0, 2.0], false), (vec![[0.0, 0.0], [0.0, 0.0], [0.0, 2.0]], 2));
        assert_eq!(reached([5.0, 6.0], false), (vec![[0.0, 0.0], [4.0, 0.0], [4.0, 0.0]], 2));
        let both = vec![[0.0, 0.0], [0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 0.0]];
        assert_eq!(reached([3.0, 5.0], false), (both, 2));
        assert_eq!(reached([3.0, 5.0], true), (vec![[0.0, 0.0]], 0));
    }
}
