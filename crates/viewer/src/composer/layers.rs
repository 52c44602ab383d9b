//! Boxes of objects, such as fat AABBs with the objects that escaped from them, and pairs.

use super::dashes::dashed_box;
use super::structure::strength;
use super::{faint, links};
use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{Escape, Layer, Snapshot};
use crate::view::View;
use broadphase::Aabb;
use broadphase::inspect::{CacheState, Caption, Overlay, PairMark};

/// Share of its opacity that a box or a cached pair keeps beside a picked object that it has nothing to do with.
const ASIDE: f32 = 0.6;

/// The same of the box of a resting object, and where it would hide the boxes of a tree.
const RESTING_ASIDE: f32 = 0.3;
const TREE_ASIDE: f32 = 0.12;

/// Most escapes whose former fat AABBs are drawn. More hide each other.
const MAX_FORMER: usize = 16;

/// The boxes of objects, in the colours of their roles, each with the object's own box within. Objects that have just escaped
/// flash, with their former fat AABBs dashed.
pub(super) fn compose_boxes(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    for (caption, layer) in snapshot.layers(options) {
        compose_layer(caption, layer, snapshot, options, theme, boxes);
    }
    if !options.shows(Overlay::FatBoxes) {
        return;
    }
    for (Escape { object, .. }, fresh) in &snapshot.changed.escapes.fresh {
        if let Some(bounds) = snapshot.bounds_of(*object) {
            // Soon thin: where much moves, many escape.
            let color = faint(theme.mark, fresh * fresh);
            boxes.push(WireBox { bounds, color, width: 1.0 + 1.5 * fresh });
        }
    }
    for (before, fresh) in former_fat_boxes(snapshot) {
        dashed_box(&before, faint(theme.mark, fresh), 1.0 + fresh, segments);
    }
}

fn compose_layer(
    caption: &Caption,
    layer: &Layer,
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    let strength = strength(layer.boxes.len());
    let hides_tree = snapshot.draws(options, Overlay::TreeBoxes);
    for mark in &layer.boxes {
        let color = theme.role(caption.overlay, mark.role).unwrap_or(theme.rail);
        // Those that have nothing to do with the picked object step back.
        let is_aside = snapshot.picked.as_ref().is_some_and(|picked| {
            !picked.is_tested_with(mark.object) && !picked.concerns(mark.object)
        });
        let rests = mark.role == CacheState::Resting as usize;
        let aside = match (hides_tree, rests) {
            (true, _) => TREE_ASIDE,
            (false, true) => RESTING_ASIDE,
            (false, false) => ASIDE,
        };
        let strength = strength * if is_aside { aside } else { 1.0 };
        let tight = snapshot.bounds_of(mark.object);
        if !mark.bounds.is_empty() {
            boxes.push(WireBox { bounds: mark.bounds, color: faint(color, strength), width: 1.5 });
        }
        if let Some(bounds) = tight.filter(|tight| *tight != mark.bounds) {
            // A box without a fat AABB is all that there is of its object.
            let share = if mark.bounds.is_empty() { strength } else { 0.45 * strength };
            boxes.push(WireBox { bounds, color: faint(color, share), width: 1.0 });
        }
    }
}

/// The fat AABBs that were left, with their freshness: of those in the last steps, or none where there are many.
pub fn former_fat_boxes(snapshot: &Snapshot) -> impl Iterator<Item = (Aabb, f32)> {
    let escapes = &snapshot.changed.escapes.fresh;
    let few = escapes.iter().filter(|_| escapes.len() <= MAX_FORMER);
    // A new cache gives objects another one that did not leave theirs.
    let left = few.filter(|(Escape { object, before }, _)| {
        let holds = |fat: Aabb| snapshot.bounds_of(*object).is_none_or(|b| fat.union(&b) == fat);
        before.is_some_and(|fat| !holds(fat))
    });
    left.filter_map(|(escape, fresh)| Some((escape.before?, *fresh)))
}

/// A [line](links::ends) between the objects of each pair, in the colour of its role, or stronger where their boxes overlap. The pairs of a
/// picked object stand out. The matrix is drawn in the legend.
pub(super) fn compose_pairs(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    segments: &mut Vec<Segment>,
) {
    let layers = snapshot.layers(options);
    for (caption, layer) in layers.filter(|(caption, _)| caption.overlay != Overlay::Matrix) {
        compose_lines(caption, layer, snapshot, theme, segments);
    }
}

fn compose_lines(
    caption: &Caption,
    layer: &Layer,
    snapshot: &Snapshot,
    theme: &Theme,
    segments: &mut Vec<Segment>,
) {
    let strength = strength(layer.pairs.len());
    let picked = snapshot.picked.as_ref().map(|picked| picked.object);
    for PairMark { pair, role } in &layer.pairs {
        let [a, b] = [pair.a, pair.b].map(|object| snapshot.bounds_of(object));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let (usual, width) = match a.overlaps(&b) {
            true => (theme.candidate, 2.0),
            false => (theme.rail, 1.25),
        };
        let color = theme.role(caption.overlay, *role).unwrap_or(usual);
        let (share, width) = match picked {
            Some(object) if pair.a == object || pair.b == object => (1.0, width + 1.0),
            Some(_) => (ASIDE * strength, width),
            None => (strength, width),
        };
        let [a, b] = links::ends([a, b].map(|bounds| (bounds.center(), bounds)));
        segments.push(Segment { a, b, color: faint(color, share), width });
    }
}

/// The boxes of the objects that are in a cached pair with the picked one.
pub(super) fn compose_partners(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    let Some(picked) = snapshot.picked.as_ref().filter(|_| options.shows(Overlay::CachedPairs))
    else {
        return;
    };
    let partners = snapshot.structure.layer(Overlay::CachedPairs).partners_of(picked.object);
    let shown = partners.filter_map(|partner| snapshot.bounds_of(partner));
    boxes.extend(shown.map(|bounds| WireBox { bounds, color: theme.overlap, width: 2.0 }));
}
