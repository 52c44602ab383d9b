//! Fat AABBs, objects that escaped from them, and cached pairs.

use super::dashes::dashed_box;
use super::faint;
use super::options::DrawOptions;
use super::structure::strength;
use crate::scene_renderer::{Color, Segment, Theme, WireBox};
use crate::simulation::{Escape, Snapshot};
use broadphase::Aabb;
use broadphase::inspect::{CacheState, Overlay};

/// Share of its opacity that a box or a cached pair keeps beside a picked object that it has nothing to do with.
const ASIDE: f32 = 0.6;

/// The same of the box of a resting object, and where it would hide the boxes of a tree.
const RESTING_ASIDE: f32 = 0.3;
const TREE_ASIDE: f32 = 0.12;

/// The colour of a state.
fn color(state: CacheState, theme: &Theme) -> Color {
    let place = CacheState::ALL.iter().position(|known| *known == state);
    theme.cached[place.unwrap_or_default()]
}

/// Most escapes whose former fat AABBs are drawn. More hide each other.
const MOST_FORMER: usize = 16;

/// Each object's box within its fat AABB, in the colour of its state. Objects that have just escaped flash, with their
/// former fat AABBs dashed.
pub(super) fn compose_fat_boxes(
    snapshot: &Snapshot,
    options: &DrawOptions,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    if !options.fat_boxes {
        return;
    }
    let fat_boxes = &snapshot.structure.fat.kept;
    let strength = strength(fat_boxes.len());
    let hides_tree = options.tree_boxes && snapshot.algorithm.shows(Overlay::TreeBoxes);
    for fat in fat_boxes {
        let color = color(fat.state, theme);
        // Those that have nothing to do with the picked object step back.
        let is_aside = snapshot.picked.as_ref().is_some_and(|picked| {
            !picked.is_tested_with(fat.object) && !picked.concerns(fat.object)
        });
        let rests = fat.state == CacheState::Resting;
        let aside = match (hides_tree, rests) {
            (true, _) => TREE_ASIDE,
            (false, true) => RESTING_ASIDE,
            (false, false) => ASIDE,
        };
        let strength = strength * if is_aside { aside } else { 1.0 };
        let tight = snapshot.bounds_of(fat.object);
        if !fat.bounds.is_empty() {
            boxes.push(WireBox { bounds: fat.bounds, color: faint(color, strength), width: 1.5 });
        }
        if let Some(bounds) = tight.filter(|tight| *tight != fat.bounds) {
            // A box without a fat AABB is all that there is of its object.
            let share = if fat.bounds.is_empty() { strength } else { 0.45 * strength };
            boxes.push(WireBox { bounds, color: faint(color, share), width: 1.0 });
        }
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

/// The fat AABBs that were left, with their freshness: of those in the last steps, or none where there are many.
pub fn former_fat_boxes(snapshot: &Snapshot) -> impl Iterator<Item = (Aabb, f32)> {
    let escapes = &snapshot.changed.escapes.fresh;
    let few = escapes.iter().filter(|_| escapes.len() <= MOST_FORMER);
    // A new cache gives objects another one that did not leave theirs.
    let left = few.filter(|(Escape { object, before }, _)| {
        let holds = |fat: Aabb| snapshot.bounds_of(*object).is_none_or(|b| fat.union(&b) == fat);
        before.is_some_and(|fat| !holds(fat))
    });
    left.filter_map(|(escape, fresh)| Some((escape.before?, *fresh)))
}

/// A line between the objects of each cached pair, stronger where their boxes overlap. Of a picked object those to its
/// partners stand out.
pub(super) fn compose_pairs(
    snapshot: &Snapshot,
    options: &DrawOptions,
    theme: &Theme,
    segments: &mut Vec<Segment>,
) {
    if !options.cached_pairs {
        return;
    }
    let pairs = &snapshot.structure.cached.kept;
    let strength = strength(pairs.len());
    let picked = snapshot.picked.as_ref().map(|picked| picked.object);
    for cached in pairs {
        let [a, b] = [cached.pair.a, cached.pair.b].map(|object| snapshot.bounds_of(object));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let (color, width) = match a.overlaps(&b) {
            true => (theme.candidate, 2.0),
            false => (theme.rail, 1.25),
        };
        let (share, width) = match picked {
            Some(object) if cached.pair.a == object || cached.pair.b == object => {
                (1.0, width + 1.0)
            }
            Some(_) => (ASIDE * strength, width),
            None => (strength, width),
        };
        segments.push(Segment {
            a: a.center().to_array(),
            b: b.center().to_array(),
            color: faint(color, share),
            width,
        });
    }
}

/// The boxes of the objects that are in a cached pair with the picked one.
pub(super) fn compose_partners(
    snapshot: &Snapshot,
    options: &DrawOptions,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    let Some(picked) = snapshot.picked.as_ref().filter(|_| options.cached_pairs) else { return };
    let partners = snapshot.structure.cached.partners_of(picked.object);
    let shown = partners.filter_map(|partner| snapshot.bounds_of(partner));
    boxes.extend(shown.map(|bounds| WireBox { bounds, color: theme.overlap, width: 2.0 }));
}
