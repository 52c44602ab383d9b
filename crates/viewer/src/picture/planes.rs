//! Planes that divide space: [`Mark::Plane`](broadphase::inspect::Mark::Plane).

use super::drawing::{Entry, Group, Ink, Node, faint, solid};
use super::regions::Regions;
use super::{MAX_BOXES, Source};
use crate::format::compact;
use crate::simulation::{MovedPlane, Snapshot, plane_nodes};
use crate::view::MAX_DRAWN_BY_DEFAULT;
use broadphase::inspect::{Outcome, Overlay, SplitPlane, planes_of};
use broadphase::{Aabb, Axis};

/// Most objects at planes whose boxes are outlined. More hide each other.
const MAX_OUTLINED: usize = 100;

/// Most planes of a tree that is drawn as a diagram: the nodes of a larger one are too close to be distinguished.
const MAX_NODES: usize = 63;

/// Most planes that moved whose objects are counted.
const MAX_MOVED: usize = 2;

/// The splitting planes, and the boxes of the objects that they hold in their colours. Planes that have just moved flash
/// at their new positions, with edges, and are dashed where they were before.
pub(super) fn draw(source: Source<'_>, regions: &Regions) -> Option<Group> {
    let Source { snapshot, inspect, view, .. } = source;
    let caption = snapshot.algorithm.caption(Overlay::Planes);
    let caption = caption.filter(|_| source.draws(Overlay::Planes))?;
    let planes = planes_of(inspect);
    let shown = |plane: &SplitPlane| plane.depth <= view.plane_depth;
    let mut group = Group::of(Overlay::Planes);
    // Few of them are all at hand: the window shows another depth without waiting for a step.
    for plane in planes.iter().filter(|plane| shown(plane) || planes.len() <= MAX_BOXES) {
        // Deeper planes are smaller and more numerous, and drawn more transparent.
        let share = 0.86f32.powi(plane.depth as i32);
        group.planes.push((plane.within(), plane.axis, plane.depth, share, None));
    }
    let held = regions.held.iter().filter(|_| regions.held.len() <= MAX_OUTLINED);
    for (object, axis) in held {
        if let Some(bounds) = snapshot.bounds_of(*object) {
            group.wire(bounds, solid(Ink::Plane(*axis), 1.5));
        }
    }
    // Whatever their depth: the legend counts all of them.
    for (MovedPlane { now, before, .. }, fresh) in &snapshot.changed.planes.fresh {
        let depth = now.depth.min(view.plane_depth);
        group.planes.push((now.within(), now.axis, depth, 0.45 * fresh, Some(Ink::MARK)));
        group.wire(now.within(), faint(Ink::MARK, *fresh, 1.0 + 1.5 * fresh));
        if let Some(before) = before {
            group.dashed_box(&before.within(), Ink::MARK, *fresh, 1.0 + fresh);
        }
    }
    group.legend.push(Entry::Heading(caption.title.to_owned()));
    // First, so that it is near the words about the way of a picked object.
    tree(&mut group, source, regions, &planes);
    group.say(caption.meaning);
    for (axis, role) in Axis::ALL.into_iter().zip(caption.roles) {
        if planes.iter().any(|plane| plane.axis == axis && shown(plane)) {
            group.swatch(Ink::Plane(axis), *role);
        }
    }
    if !regions.held.is_empty() {
        let held = compact(regions.held.len() as f64);
        group.say(format!("{held} objects are cut by a plane and stay at it, in its colour."));
    }
    if !planes.is_empty() {
        changes(&mut group, snapshot, &planes, caption.change);
    }
    Some(group)
}

/// The nodes and links of a small tree.
fn tree(group: &mut Group, source: Source<'_>, regions: &Regions, planes: &[SplitPlane]) {
    let snapshot = source.snapshot;
    let hollow = snapshot.picked.as_ref().and(snapshot.algorithm.way).and_then(|way| way.hollow);
    let Some(nodes) = cells(snapshot, regions, planes) else { return };
    let has_numbers = nodes.iter().any(|node| node.is_leaf && node.text.is_some());
    let numbers = has_numbers.then_some("Numbers: objects, as in the scene.");
    group.legend.push(Entry::Tree(nodes));
    group.say("The tree, its root on top. x, y, z: the axis that a plane cuts; to the left its lower side.");
    let words: Vec<&str> = numbers.into_iter().chain(hollow).collect();
    if !words.is_empty() {
        group.say(words.join(" "));
    }
}

/// The cells of a small tree of planes, depth first, each before its lower and its upper side.
fn cells(snapshot: &Snapshot, regions: &Regions, planes: &[SplitPlane]) -> Option<Vec<Node>> {
    if planes.len() > MAX_NODES {
        return None;
    }
    let numbered = plane_nodes(planes);
    let root = numbered.iter().find(|(node, _)| *node == 1)?;
    let mut nodes = Vec::new();
    let mut stack = vec![(1, root.1.cell, 0)];
    while let Some((node, cell, depth)) = stack.pop() {
        let plane = numbered.iter().find(|(of, _)| *of == node).map(|(_, plane)| plane);
        let mut moved = snapshot.changed.planes.fresh.iter();
        let is_moved = plane.is_some() && moved.any(|(moved, _)| moved.node == node);
        let changed = is_moved.then_some(Ink::MARK);
        nodes.push(Node { changed, ..of_cell(&cell, depth, plane, snapshot, regions) });
        if let Some(plane) = plane {
            let [low, high] = plane.sides();
            stack.extend([(2 * node + 1, high, depth + 1), (2 * node, low, depth + 1)]);
        }
    }
    Some(nodes)
}

/// A cell: `plane` divides it, or it is a leaf.
fn of_cell(
    cell: &Aabb,
    depth: u32,
    plane: Option<&SplitPlane>,
    snapshot: &Snapshot,
    regions: &Regions,
) -> Node {
    let is_way = outcome(snapshot, cell, depth) == Some(Outcome::Holds);
    let objects = regions.kept.iter().map(|of| &of.region).find(|region| {
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
    let ink = match plane {
        Some(plane) => Ink::Plane(plane.axis),
        None if is_way => Ink::PICKED,
        None if snapshot.picked.is_none() => Ink::LEAF,
        None => Ink::RAIL,
    };
    Node {
        depth,
        ink,
        text,
        objects: objects.filter(|_| plane.is_none()),
        is_leaf: plane.is_none(),
        is_way,
        is_filled: is_way || snapshot.picked.is_none(),
        changed: None,
    }
}

/// The outcome at a node of the search of the picked object.
pub(super) fn outcome(snapshot: &Snapshot, bounds: &Aabb, depth: u32) -> Option<Outcome> {
    let mut visited = snapshot.picked.iter().flat_map(|picked| &picked.visited);
    let here = visited.find(|visited| (visited.bounds, visited.depth) == (*bounds, depth));
    here.map(|visited| visited.outcome)
}

/// Planes that moved lately, with the objects on their two sides.
fn changes(group: &mut Group, snapshot: &Snapshot, planes: &[SplitPlane], change: &str) {
    let moved = &snapshot.changed.planes;
    if moved.lately > 0 || snapshot.algorithm.keeps_state {
        group.recent(Ink::MARK, change, moved);
    }
    // The latest first; a plane that moved again since is no longer there.
    let is_there = |plane: &&MovedPlane| planes.contains(&plane.now);
    let latest = moved.fresh.iter().rev().map(|(plane, _)| plane).filter(is_there);
    for MovedPlane { now, before, .. } in latest.take(MAX_MOVED) {
        let figures = |plane: &SplitPlane| divided(plane, snapshot);
        if let Some(before) = before {
            // In another cell it divided other objects.
            let same = (before.cell == now.cell).then(|| figures(before)).flatten();
            group.dashes(Ink::MARK, format!("before{}", same.unwrap_or_default()));
        }
        let figures = figures(now);
        group.swatch(Ink::MARK, format!("now{}", figures.clone().unwrap_or_default()));
        if figures.is_some() {
            group.say("An object that the plane cuts counts on both sides.");
        }
    }
}

/// The objects of a plane's cell on its two sides, and the pairs with both objects on one side, in words. An object that it
/// cuts is on both. `None` where such objects are kept at the plane, or where there are too many to be counted in each
/// picture.
fn divided(plane: &SplitPlane, snapshot: &Snapshot) -> Option<String> {
    if snapshot.algorithm.regions().keeps_straddlers
        || snapshot.objects.present > MAX_DRAWN_BY_DEFAULT
    {
        return None;
    }
    let boxes = (0..snapshot.objects.positions.len() as u32)
        .filter_map(|object| snapshot.bounds_of(object));
    let mut on_sides = [0; 2];
    for b in boxes.filter(|b| b.overlaps(&plane.cell)) {
        let axis = plane.axis.index();
        let sides = [b.min[axis] < plane.position, b.max[axis] >= plane.position];
        on_sides.iter_mut().zip(sides).for_each(|(number, is_on)| *number += usize::from(is_on));
    }
    let [low, high] = on_sides;
    if low + high == 0 {
        return Some(": no object in its cell".to_owned());
    }
    let pairs = on_sides.map(|number: usize| number * number.saturating_sub(1) / 2);
    let [low, high, below, above] =
        [low, high, pairs[0], pairs[1]].map(|number| compact(number as f64));
    Some(format!(": {low} | {high} objects, {below} + {above} pairs"))
}
