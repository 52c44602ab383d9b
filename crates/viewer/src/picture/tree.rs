//! The nodes of a tree: [`Mark::Node`](broadphase::inspect::Mark::Node).

use super::drawing::{Anchor, End, Entry, Group, Ink, Node, faint};
use super::planes::outcome;
use super::tree_boxes::TreeBoxes;
use super::{Source, of_255, strength};
use crate::format::compact;
use crate::simulation::{Picked, Snapshot};
use broadphase::Aabb;
use broadphase::inspect::{BoxMark, Caption, Mark, Outcome, Overlay, Rotation, TreeBox};

/// The subtrees that change places in a rotation: that which becomes lower, and that which becomes higher.
const LOWERED: &str = "A";
const RAISED: &str = "B";

/// Maximum of numbered boxes.
const MAX_STEPS: usize = 63;

/// Caption of the diagram of a tree that is read off a curve.
const ALONG_CURVE: &str = "The tree, its root on top. x, y, z: the axis that a box is halved along. Below, the places on the curve.";

/// The boxes of a tree. Those on later levels are thinner and farther along the colour scale, which spans the levels
/// that are drawn. Boxes of leaves have a colour of their own: with heights the scale begins at height 1. Returns also
/// the last level of the tree.
pub(super) fn draw(source: Source<'_>) -> Option<(Group, u32)> {
    let Source { snapshot, inspect, view, .. } = source;
    let caption = snapshot.algorithm.caption(Overlay::TreeBoxes);
    let caption = caption.filter(|_| source.draws(Overlay::TreeBoxes))?;
    let tree = TreeBoxes::of(inspect, view.tree_levels, caption.from_leaves);
    let first = u32::from(caption.from_leaves);
    let levels = tree.deepest_kept().saturating_sub(first).max(1) as f32;
    let alpha = of_255(235.0 * strength(tree.kept.len()) * source.beside_way());
    // Leaves that are drawn as cells have their objects there.
    let hides_leaves = source.draws(Overlay::Regions);
    let mut group = Group::of(Overlay::TreeBoxes);
    for of in tree.kept.iter().filter(|of| !(of.is_leaf && hides_leaves)) {
        let share = of.depth.saturating_sub(first) as f32 / levels;
        let ink = if of.is_leaf { Ink::LEAF } else { Ink::Scale(share) };
        group.wire(source.seen(&of.bounds), faint(ink, alpha, 2.5 - 1.5 * share));
    }
    for (of, step) in upper_steps(&tree.kept, snapshot.picked.as_ref()) {
        group.label(Anchor::Corner(of.bounds, of.depth), step, None);
    }
    explain(&mut group, source, caption, &tree);
    Some((group, tree.deepest()))
}

fn explain(group: &mut Group, source: Source<'_>, caption: &Caption, tree: &TreeBoxes) {
    group.legend.push(Entry::Heading(caption.title.to_owned()));
    // First, so that it is near the words about the way of a picked object.
    nodes(group, source, tree);
    group.say(caption.meaning);
    let last = tree.deepest_kept();
    // Leaves have a colour of their own, and one level needs no scale.
    if last > 0 {
        let low = if caption.from_leaves { "height 1" } else { "depth 0" };
        group.legend.push(Entry::Scale(low.to_owned(), last.to_string()));
    }
    caption.roles.iter().for_each(|role| group.swatch(Ink::LEAF, *role));
    let all: u64 = tree.levels.iter().map(|number| u64::from(*number)).sum();
    let wanted = compact(tree.wanted as f64);
    group.figure(format!("{wanted} of {} boxes", compact(all as f64)));
    if tree.kept.iter().any(|of| of.step.is_some()) {
        let whose = if source.snapshot.picked.is_some() { ", of those on its way" } else { "" };
        group.say(format!("Numbers: the order in which the boxes were made{whose}."));
    }
    if caption.from_leaves {
        let higher = match last < tree.deepest() {
            true => " The highest boxes are not drawn: see Height.",
            false => "",
        };
        group.say(format!("Height 1 joins two leaves.{higher}"));
    }
    if !tree.levels.is_empty() {
        changes(group, source);
    }
    if tree.kept.len() < tree.wanted {
        let kept = compact(tree.kept.len() as f64);
        group.note(format!("{kept} of these {wanted} are drawn: whole upper levels, then a part"));
    }
}

/// The boxes nearest to the root that have a step, with it; of a picked object, only those on its way.
fn upper_steps<'a>(boxes: &'a [TreeBox], picked: Option<&Picked>) -> Vec<(&'a TreeBox, u32)> {
    let is_shown = |of: &TreeBox| {
        let mut visited = picked.iter().flat_map(|picked| &picked.visited);
        picked.is_none()
            // Not by depth: boxes of a tree that is built from its leaves have their heights instead.
            || visited.any(|node| node.bounds == of.bounds && node.outcome != Outcome::Rejected)
    };
    let with_steps = boxes.iter().filter_map(|of| Some((of, of.step?)));
    let mut steps: Vec<_> = with_steps.filter(|(of, _)| is_shown(of)).collect();
    steps.sort_by_key(|(of, _)| of.depth);
    steps.truncate(MAX_STEPS);
    steps
}

/// The nodes and links of a small tree.
fn nodes(group: &mut Group, source: Source<'_>, tree: &TreeBoxes) {
    let snapshot = source.snapshot;
    let hollow = snapshot.picked.as_ref().and(snapshot.algorithm.way).and_then(|way| way.hollow);
    let Some(boxes) = tree.whole().filter(|boxes| boxes.len() > 1) else { return };
    let along_curve = snapshot.algorithm.shows(Overlay::Curve);
    let reinserted = reinserted(source);
    let mut nodes: Vec<Node> = boxes.iter().map(|node| of_box(node, source, &reinserted)).collect();
    if along_curve {
        let leaves = nodes.iter_mut().filter(|node| node.is_leaf);
        leaves.zip(0..).for_each(|(leaf, place)| leaf.text = Some(place.to_string()));
    }
    group.legend.push(Entry::Tree(nodes));
    group.say(if along_curve { ALONG_CURVE } else { "The tree, its root on top." });
    hollow.into_iter().for_each(|hollow| group.say(hollow));
}

/// The fat AABBs of objects that escaped lately, where they are shown.
fn reinserted(source: Source<'_>) -> Vec<Aabb> {
    let (mut fat, escapes) = (Vec::new(), &source.snapshot.changed.escapes.fresh);
    if source.view.shows(Overlay::FatBoxes) && !escapes.is_empty() {
        source.inspect.marks(Overlay::FatBoxes, &mut |mark| {
            let Mark::Box(BoxMark { object, bounds, .. }) = mark else { return };
            fat.extend(escapes.iter().any(|(of, _)| of.object == object).then_some(bounds));
        });
    }
    fat
}

fn of_box(node: &TreeBox, source: Source<'_>, reinserted: &[Aabb]) -> Node {
    let snapshot = source.snapshot;
    let outcome = outcome(snapshot, &node.bounds, node.depth);
    let tested = outcome.and_then(|_| of_tested_leaf(node, source));
    let ink = match (outcome, tested) {
        (Some(Outcome::Holds), _) => Ink::PICKED,
        (_, Some(ink)) => ink,
        (Some(Outcome::Searched), _) => Ink::OVERLAP,
        (None, _) if node.is_leaf && snapshot.picked.is_none() => Ink::LEAF,
        _ => Ink::RAIL,
    };
    let is_here = |bounds: &Aabb, depth: u32| (*bounds, depth) == (node.bounds, node.depth);
    let has_swapped = |Rotation { lowered, raised, depth, .. }: &Rotation| {
        is_here(lowered, depth + 2) || is_here(raised, depth + 1)
    };
    let rotations = &snapshot.changed.rotations.fresh;
    let is_swapped = rotations.iter().any(|(rotation, _)| has_swapped(rotation));
    let is_reinserted = node.is_leaf && reinserted.contains(&node.bounds);
    Node {
        depth: node.depth,
        ink,
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
        changed: match is_swapped {
            true => Some(Ink::ROTATED),
            false => is_reinserted.then_some(Ink::MARK),
        },
    }
}

/// The colour of the object of a leaf, where that was tested against the picked one.
fn of_tested_leaf(leaf: &TreeBox, source: Source<'_>) -> Option<Ink> {
    let snapshot = source.snapshot;
    let picked = snapshot.picked.as_ref()?;
    // The leaf of a cell may hold several.
    if !leaf.is_leaf || !source.bounds_objects() {
        return None;
    }
    let holds = |object: &u32| {
        snapshot.bounds_of(*object).is_some_and(|bounds| leaf.bounds.union(&bounds) == leaf.bounds)
    };
    Ink::beside(picked, *picked.tested.iter().find(|object| holds(object))?)
}

/// Objects that were inserted again, and subtrees that changed places lately.
fn changes(group: &mut Group, source: Source<'_>) {
    let snapshot = source.snapshot;
    let fat = snapshot.algorithm.caption(Overlay::FatBoxes);
    let fat = fat.filter(|_| source.draws(Overlay::FatBoxes));
    if let Some(fat) = fat {
        super::layers::escapes(group, snapshot, fat.change);
    }
    let rotations = &snapshot.changed.rotations;
    if rotations.lately == 0 {
        return;
    }
    group.recent(Ink::ROTATED, "two subtrees changed places", rotations);
    // Letters are ambiguous if there are several rotations.
    if let [(only, _)] = rotations.fresh[..] {
        let lost = 100.0 * only.saved;
        let places = format!("{LOWERED} went down a level, {RAISED} up");
        let whose = format!("the box that holds {LOWERED} instead of {RAISED}");
        group.say(format!("{places}: {whose} lost {lost:.0} % of its surface."));
    }
    let all = super::changes_of(snapshot, Overlay::TreeBoxes).unwrap_or_default();
    let gone = all.saturating_sub(rotations.now as u64);
    if rotations.steps > 0 && gone > 0 && all <= Rotation::MAX_REPORTED as u64 {
        group.say(format!("{gone} more in this step, no longer in place."));
    }
}

/// Subtrees that have just changed places flash, over the boxes that a search reached.
pub(super) fn rotations(snapshot: &Snapshot) -> Group {
    let mut group = Group::of(Overlay::TreeBoxes);
    let rotations = &snapshot.changed.rotations.fresh;
    for (Rotation { lowered, raised, .. }, fresh) in rotations {
        for (bounds, name) in [(lowered, LOWERED), (raised, RAISED)] {
            group.wire(*bounds, faint(Ink::ROTATED, 0.3 + 0.7 * *fresh, 2.5));
            if rotations.len() == 1 {
                group.label(Anchor::At(End::At(bounds.center())), name, Some(15.0));
            }
        }
    }
    group
}
