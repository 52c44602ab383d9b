//! The nodes of a small tree, and what became of each in the search of the picked object.

use crate::composer::bounds_objects;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Snapshot, plane_nodes};
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Overlay, Rotation, SplitPlane, TreeBox};

/// Most planes of a tree that is drawn: the nodes of a larger one are too close to be distinguished.
const MAX_PLANES: usize = 63;

/// A node, and how it is drawn.
pub(super) struct Node {
    pub(super) depth: u32,
    pub(super) color: Color,
    /// Beside it, or below a leaf.
    pub(super) text: Option<String>,
    /// The number of objects in a leaf, where that is its text.
    pub(super) objects: Option<u32>,
    pub(super) is_leaf: bool,
    /// Whether the picked object is in it.
    pub(super) is_way: bool,
    /// Nodes that the search rejected or did not reach are hollow.
    pub(super) is_filled: bool,
    /// The colour of its frame, if it has just changed.
    pub(super) changed: Option<Color>,
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
            objects: None,
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
        let objects = objects.map(|region| region.objects);
        let text = match plane {
            None => objects.map(|objects| objects.to_string()),
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
            objects: objects.filter(|_| plane.is_none()),
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
    if !leaf.is_leaf || !bounds_objects(snapshot) {
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
