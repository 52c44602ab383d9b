//! Boxes of objects, such as fat AABBs with the objects that escaped from them, pairs, and points of a curve:
//! [`Mark::Box`], [`Mark::Pair`] and [`Mark::Point`].

use super::drawing::{Anchor, End, Entry, Group, Ink, faint, solid};
use super::{MANY, MAX_BOXES, Source, links, of_255, strength};
use crate::format::{compact, counted};
use crate::simulation::{Escape, Snapshot};
use broadphase::inspect::{BoxMark, CacheState, Caption, Mark, Overlay, PairMark};
use broadphase::{Aabb, Pair};
use glam::Vec3;

/// Most pairs and points that are drawn. More hide each other.
pub const MAX_PAIRS: usize = 20_000;

/// Most objects whose matrix is drawn. The cells of more are too small to be seen.
pub const MAX_ROWS: usize = 64;

/// Share of its opacity that a box or a cached pair keeps beside a picked object that it has nothing to do with.
const ASIDE: f32 = 0.6;

/// The same of the box of a resting object, and where it would hide the boxes of a tree.
const RESTING_ASIDE: f32 = 0.3;
const TREE_ASIDE: f32 = 0.12;

/// Most escapes whose former fat AABBs are drawn. More hide each other.
const MAX_FORMER: usize = 16;

/// Most objects that have their places on a curve.
const MAX_PLACES: usize = 64;

/// The marks of an overlay, limited to a number that a screen can show.
#[derive(Default)]
pub(super) struct Layer {
    /// Boxes. Above [`MAX_BOXES`] objects, those of every n-th object, and of inspected ones.
    boxes: Vec<BoxMark>,
    /// Pairs. Above [`MAX_PAIRS`], every n-th one, and all of the picked object.
    pairs: Vec<PairMark>,
    /// Points of a curve. Above [`MAX_PAIRS`], every n-th one.
    points: Vec<Vec3>,
    /// The number of all marks.
    pub(super) number: usize,
    /// Their number by role.
    counts: [usize; 4],
    /// Whether each object rests in a cache, index = object; shorter where the last ones do not.
    pub(super) resting: Vec<bool>,
}

impl Layer {
    pub(super) fn of(source: Source<'_>, overlay: Overlay) -> Self {
        let (mut layer, objects) = (Self::default(), source.snapshot.objects.positions.len());
        if overlay == Overlay::Matrix && objects > MAX_ROWS {
            return layer;
        }
        let picked = source.snapshot.picked.as_ref();
        let of_boxes = objects.div_ceil(MAX_BOXES).max(1) as u32;
        // Counted first: all of them at once may take much memory.
        let mut number = 0usize;
        source.inspect.marks(overlay, &mut |_| number += 1);
        let stride = number.div_ceil(MAX_PAIRS).max(1);
        source.inspect.marks(overlay, &mut |mark| {
            let is_next = layer.number.is_multiple_of(stride);
            layer.number += 1;
            match mark {
                Mark::Box(mark) => {
                    layer.counts[mark.role.min(3)] += 1;
                    if mark.role == CacheState::Resting as usize {
                        layer.rest(mark.object as usize, objects);
                    }
                    let is_inspected = picked.is_some_and(|picked| picked.concerns(mark.object));
                    if mark.object.is_multiple_of(of_boxes) || is_inspected {
                        layer.boxes.push(mark);
                    }
                }
                Mark::Pair(mark) => {
                    layer.counts[mark.role.min(3)] += 1;
                    let Pair { a, b } = mark.pair;
                    if is_next || picked.is_some_and(|of| a == of.object || b == of.object) {
                        layer.pairs.push(mark);
                    }
                }
                Mark::Point(point) if is_next => layer.points.push(point),
                _ => {}
            }
        });
        layer
    }

    fn rest(&mut self, object: usize, objects: usize) {
        self.resting.resize(objects, false);
        if let Some(rests) = self.resting.get_mut(object) {
            *rests = true;
        }
    }

    fn kept(&self) -> usize {
        self.boxes.len() + self.pairs.len() + self.points.len()
    }

    /// The number of marks with a role.
    pub(super) fn role(&self, role: usize) -> usize {
        self.counts.get(role).copied().unwrap_or_default()
    }

    /// The objects that are in a pair with an object, of those that are kept.
    pub(super) fn partners_of(&self, object: u32) -> impl Iterator<Item = u32> {
        self.pairs.iter().filter_map(move |mark| match mark.pair {
            Pair { a, b } if a == object => Some(b),
            Pair { a, b } if b == object => Some(a),
            _ => None,
        })
    }
}

/// Draws the marks of an overlay, and explains them.
pub(super) fn draw(source: Source<'_>, caption: &Caption, layer: &Layer) -> Group {
    let mut group = Group::of(caption.overlay);
    match caption.overlay {
        Overlay::Matrix => matrix(&mut group, source.snapshot, layer),
        Overlay::CachedPairs => cached_pairs(&mut group, source.snapshot, caption, layer),
        _ => {
            group.title(caption.title, caption.meaning);
            if layer.number == 0 && caption.overlay == Overlay::FatBoxes {
                group.figure("Nothing is cached now: all boxes are searched.");
            }
            boxes(&mut group, source, caption, layer);
            pairs(&mut group, source.snapshot, layer);
            points(&mut group, caption, layer);
            let things = match (&layer.pairs[..], &layer.points[..]) {
                ([_, ..], _) => "pairs",
                (_, [_, ..]) => "points",
                _ => "objects",
            };
            group.part(layer.kept(), layer.number, things);
        }
    }
    group
}

/// The boxes of objects, in the colours of their roles, each with the object's own box within. Objects that have just escaped
/// flash, with their former fat AABBs dashed.
fn boxes(group: &mut Group, source: Source<'_>, caption: &Caption, layer: &Layer) {
    let snapshot = source.snapshot;
    let is_fat = caption.overlay == Overlay::FatBoxes;
    let ink = |role: usize| if is_fat { Ink::Cached(role) } else { Ink::RAIL };
    let all = strength(layer.boxes.len());
    let hides_tree = source.draws(Overlay::TreeBoxes);
    for BoxMark { object, bounds, role } in &layer.boxes {
        // Boxes that have nothing to do with the picked object step back.
        let is_aside = snapshot
            .picked
            .as_ref()
            .is_some_and(|picked| !picked.is_tested_with(*object) && !picked.concerns(*object));
        let aside = match (hides_tree, *role == CacheState::Resting as usize) {
            _ if !is_aside => 1.0,
            (true, _) => TREE_ASIDE,
            (false, true) => RESTING_ASIDE,
            (false, false) => ASIDE,
        };
        let share = all * aside;
        if !bounds.is_empty() {
            group.wire(*bounds, faint(ink(*role), share, 1.5));
        }
        if let Some(tight) = snapshot.bounds_of(*object).filter(|tight| tight != bounds) {
            // A box without a fat AABB is all that there is of its object.
            let share = if bounds.is_empty() { share } else { 0.45 * share };
            group.wire(tight, faint(ink(*role), share, 1.0));
        }
    }
    let roles = caption.roles.iter().enumerate().filter(|(role, _)| layer.role(*role) > 0);
    for (role, meaning) in roles {
        group.swatch(ink(role), format!("{} {meaning}", compact(layer.role(role) as f64)));
    }
    if !is_fat {
        return;
    }
    for (Escape { object, .. }, fresh) in &snapshot.changed.escapes.fresh {
        if let Some(bounds) = snapshot.bounds_of(*object) {
            // Soon thin: where much moves, many escape.
            group.wire(bounds, faint(Ink::MARK, fresh * fresh, 1.0 + 1.5 * fresh));
        }
    }
    for (before, fresh) in former_fat_boxes(snapshot) {
        group.dashed_box(&before, Ink::MARK, fresh, 1.0 + fresh);
    }
    // Where a tree is drawn they stand beside it.
    if !caption.change.is_empty() && !hides_tree {
        escapes(group, snapshot, caption.change);
    }
}

/// Objects that escaped lately, in words, with the fat AABBs that they left.
pub(super) fn escapes(group: &mut Group, snapshot: &Snapshot, what: &str) {
    group.recent(Ink::MARK, what, &snapshot.changed.escapes);
    if former_fat_boxes(snapshot).next().is_some() {
        group.dashes(Ink::MARK, "the fat AABB that it left");
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

/// A [line](links::ends) between the objects of each pair, stronger where their boxes overlap. The pairs of a picked object
/// stand out.
fn pairs(group: &mut Group, snapshot: &Snapshot, layer: &Layer) {
    let strength = strength(layer.pairs.len());
    let picked = snapshot.picked.as_ref().map(|picked| picked.object);
    for PairMark { pair, .. } in &layer.pairs {
        let [a, b] = [pair.a, pair.b].map(|object| snapshot.bounds_of(object));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let (ink, width) = match a.overlaps(&b) {
            true => (Ink::CANDIDATE, 2.0),
            false => (Ink::RAIL, 1.25),
        };
        let (share, width) = match picked {
            Some(object) if pair.a == object || pair.b == object => (1.0, width + 1.0),
            Some(_) => (ASIDE * strength, width),
            None => (strength, width),
        };
        let ends = links::ends([a, b].map(|bounds| (bounds.center(), bounds)));
        group.over.push((ends, faint(ink, share, width)));
    }
}

/// A line through the objects in their order, with a colour gradient from the first to the last.
fn points(group: &mut Group, caption: &Caption, layer: &Layer) {
    let points = &layer.points;
    if caption.overlay != Overlay::Curve && points.is_empty() {
        return;
    }
    let alpha = of_255(255.0 * strength(points.len()));
    let width = if points.len() as f32 > MANY { 1.25 } else { 2.5 };
    let last = points.len().saturating_sub(2).max(1) as f32;
    for (place, ends) in points.windows(2).enumerate() {
        group.line(ends[0], ends[1], faint(Ink::Scale(place as f32 / last), alpha, width));
    }
    let at = |point: Vec3| Anchor::At(End::At(point));
    match points[..] {
        // The places that the diagram of the tree names.
        ref few if few.len() <= MAX_PLACES => {
            few.iter().enumerate().for_each(|(place, point)| group.label(at(*point), place, None));
        }
        [first, .., last] => {
            group.label(at(first), "first", Some(12.0));
            group.label(at(last), "last", Some(12.0));
        }
        _ => {}
    }
    group.legend.push(Entry::Scale("first".to_owned(), "last".to_owned()));
}

fn cached_pairs(group: &mut Group, snapshot: &Snapshot, caption: &Caption, cached: &Layer) {
    if cached.number == 0 {
        group.legend.push(Entry::Heading(format!("{}: none in this step", caption.title)));
        return;
    }
    pairs(group, snapshot, cached);
    let (heading, resting) = (counted(cached.number, "cached pair"), cached.role(1));
    if resting == cached.number {
        group.legend.push(Entry::Heading(heading));
        group.swatch(Ink::CANDIDATE, "of two resting objects: copied without a test");
    } else {
        group.title(heading, "Pairs that are known from an earlier step, and not searched for.");
    }
    let partners = |object| cached.partners_of(object);
    if let Some(picked) = &snapshot.picked {
        for bounds in partners(picked.object).filter_map(|partner| snapshot.bounds_of(partner)) {
            group.wire(bounds, solid(Ink::OVERLAP, 2.0));
        }
    }
    if resting < cached.number {
        match snapshot.picked.as_ref().map(|picked| picked.object) {
            None => group.hint("Click an object: its partners."),
            Some(object) => {
                let number = partners(object).count();
                group.swatch(Ink::OVERLAP, format!("cached partners of {object}: {number}"));
            }
        }
        group.swatch(Ink::RAIL, "only the fat AABBs overlap");
        group.swatch(Ink::CANDIDATE, "the boxes overlap: a candidate");
        if resting > 0 {
            let resting = compact(resting as f64);
            group.say(format!("{resting} of them of two resting objects: copied without a test."));
        }
    }
    group.part(cached.kept(), cached.number, "pairs");
}

/// The counters themselves, a small square for each pair.
fn matrix(group: &mut Group, snapshot: &Snapshot, layer: &Layer) {
    let n = snapshot.objects.positions.len();
    let all = n * n.saturating_sub(1) / 2;
    group.title(
        format!("Matrix: {} pairs", compact(all as f64)),
        "A counter for each pair of objects: the axes on which their boxes overlap. Filled again in each step.",
    );
    if n > MAX_ROWS {
        let rows = compact(n as f64);
        return group.note(format!("{rows} rows and columns: drawn up to {MAX_ROWS} objects"));
    }
    let picked = snapshot.picked.as_ref().map(|picked| picked.object);
    group.legend.push(Entry::Matrix(layer.pairs.clone(), n, picked));
    let meanings = ["on 1 axis", "on 2 axes", "on 3 axes: candidates"];
    for (role, (ink, meaning)) in MATRIX.into_iter().zip(meanings).enumerate() {
        group.swatch(ink, format!("{} {meaning}", compact(layer.role(role) as f64)));
    }
}

/// The colours of cells that count one, two and three axes.
pub const MATRIX: [Ink; 3] = [Ink::Scale(0.0), Ink::Scale(0.5), Ink::CANDIDATE];
