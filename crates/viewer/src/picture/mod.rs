//! The picture of a structure and of what is known of bodies, drawn on the simulation's thread: a function for each shape of
//! mark writes primitives and their legend together, so that a colour that is drawn has a meaning.

mod blocks;
mod bodies;
mod drawing;
mod layers;
mod links;
mod lists;
mod planes;
mod regions;
mod tree;
mod tree_boxes;
mod way;

pub use bodies::MAX_VOLUMES;
pub(crate) use bodies::{circle, volume_words};
pub use drawing::{Anchor, AxisChart, End, Entry, Group, Ink, Label, Node, Style};
pub use layers::{MATRIX, MAX_PAIRS, MAX_ROWS, former_fat_boxes};

use crate::format::compact;
use crate::session::Session;
use crate::simulation::{Changes, Snapshot};
use crate::view::View;
use blocks::Blocks;
use broadphase::inspect::{Inspect, Overlay};
use broadphase::{Aabb, Axis};
use drawing::{faint, solid};
use glam::Vec3;
use layers::Layer;
use regions::Regions;

/// Most boxes of a kind that are drawn. More hide each other.
pub const MAX_BOXES: usize = 10_000;

/// Most objects that have their numbers, where the legend names them.
const MAX_NUMBERED: usize = 16;

/// The overlays in the order of the legend.
const ORDER: [Overlay; Overlay::ALL.len()] = [
    Overlay::FatBoxes,
    Overlay::CachedPairs,
    Overlay::Planes,
    Overlay::Curve,
    Overlay::TreeBoxes,
    Overlay::Regions,
    Overlay::Matrix,
    Overlay::Endpoints,
    Overlay::Blocks,
];

/// The overlays whose marks are boxes of objects, pairs or points.
const LAYERS: [Overlay; 4] =
    [Overlay::FatBoxes, Overlay::CachedPairs, Overlay::Curve, Overlay::Matrix];

/// More lines than this are drawn fainter, so that the scene behind them stays visible.
const MANY: f32 = 400.0;

/// Dashes along the longest edge of a box; shorter edges have fewer of the same length.
const DASHES: f32 = 16.0;

/// Places in the legend, before those of the overlays.
const PICKED: usize = 0;
const WAY: usize = 2;
const ALL_PAIRS: usize = 4;
const OVERLAYS: usize = 5;

/// Primitives and legend of a structure and of bodies.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The groups, in the order in which they are drawn, each with its place in the legend.
    groups: Vec<(usize, Group)>,
    /// Objects that a plane holds, ascending, each with the axis that is normal to it.
    held: Vec<(u32, Axis)>,
    /// Whether each object rests in a cache, index = object; shorter where the last ones do not.
    resting: Vec<bool>,
    /// The leaf beside which the sweeps of the picked object are drawn.
    pub leaf: Option<Aabb>,
    /// Whether leaves or cells have the colours of their depths: those of planes are divided by these, others differ in size.
    pub has_levels: bool,
    /// The last level of the tree of boxes.
    pub deepest: u32,
    /// Cached pairs that are tested, and those that are copied.
    pub cached: [usize; 2],
}

/// Source of a drawing: a snapshot, its structure, and the view that asks for it.
#[derive(Clone, Copy)]
struct Source<'a> {
    snapshot: &'a Snapshot,
    session: &'a Session,
    inspect: &'a dyn Inspect,
    view: &'a View,
}

impl Drawing {
    /// Draws the overlays that a view shows.
    pub(crate) fn of(snapshot: &Snapshot, session: &Session, view: &View) -> Self {
        let inspect = session.structure().inspect();
        let source = Source { snapshot, session, inspect, view };
        let mut drawing = Self::default();
        let place = |overlay: Overlay| {
            OVERLAYS + ORDER.iter().position(|of| *of == overlay).unwrap_or_default()
        };
        let regions = Regions::of(source);
        drawing.add(place(Overlay::Planes), planes::draw(source, &regions));
        drawing.add(place(Overlay::Regions), regions::draw(source, &regions));
        if let Some((group, deepest)) = tree::draw(source) {
            drawing.add(place(Overlay::TreeBoxes), [group]);
            drawing.deepest = deepest;
        }
        let mut cached = Layer::default();
        for caption in snapshot.algorithm.overlays {
            let overlay = caption.overlay;
            if !LAYERS.contains(&overlay) || !view.shows(overlay) {
                continue;
            }
            let mut layer = Layer::of(source, overlay);
            drawing.add(place(overlay), [layers::draw(source, caption, &layer)]);
            match overlay {
                Overlay::FatBoxes => drawing.resting = std::mem::take(&mut layer.resting),
                Overlay::CachedPairs => cached = layer,
                _ => {}
            }
        }
        let of_bodies = bodies::draw(source).into_iter();
        let after = OVERLAYS + ORDER.len();
        drawing.groups.extend(of_bodies.map(|(place, group)| (after + place, group)));
        let blocks = Blocks::of(source);
        drawing.add(place(Overlay::Blocks), blocks::draw(source, &blocks));
        // The lists of a tree's planes are swept: the tree comes first.
        let tree_first = usize::from(snapshot.algorithm.regions().keeps_straddlers);
        drawing.add(WAY - 1 + 2 * tree_first, lists::sweeps(source, &blocks));
        drawing.add(place(Overlay::Endpoints), lists::draw(source, &blocks));
        drawing.add(OVERLAYS, numbers(source));
        drawing.add(WAY, way::draw(source));
        drawing.add(ALL_PAIRS, way::all_pairs(source));
        drawing.add(PICKED, way::picked(source, &cached));
        drawing.add(PICKED, disputed(snapshot));
        if source.draws(Overlay::TreeBoxes) {
            drawing.add(OVERLAYS, [tree::rotations(snapshot)]);
        }
        drawing.leaf = snapshot.picked.as_ref().and_then(|picked| {
            let own = picked.regions.first().filter(|_| regions.has_own_axes());
            own.map(|region| region.bounds)
        });
        drawing.cached = [cached.role(0), cached.role(1)];
        drawing.has_levels = regions.has_levels(source);
        drawing.held = regions.held;
        drawing
    }

    fn add(&mut self, place: usize, groups: impl IntoIterator<Item = Group>) {
        self.groups.extend(groups.into_iter().map(|group| (place, group)));
    }

    /// The groups that a view shows, in the order in which they are drawn.
    pub fn groups(&self, view: &View) -> impl Iterator<Item = &Group> {
        self.groups.iter().map(|(_, group)| group).filter(move |group| group.is_shown(view))
    }

    /// The ends of the lines and labels of sorted lists beside the scene that a view shows.
    pub fn rail_ends(&self, view: &View) -> impl Iterator<Item = End> {
        let is_list = |group: &&Group| {
            matches!(group.lines.first(), Some(([End::Rail { of_leaf: false, .. }, _], _)))
        };
        self.groups(view).filter(is_list).flat_map(|group| {
            let labels = group.labels.iter().filter_map(|label| match label.at {
                Anchor::At(end) => Some(end),
                _ => None,
            });
            group.lines.iter().flat_map(|(ends, _)| *ends).chain(labels)
        })
    }

    /// The entries of the legend, with a rule before each group but the picked object.
    pub fn legend(&self, view: &View) -> Vec<&Entry> {
        let mut shown: Vec<_> = self.groups.iter().filter(|(_, of)| of.is_shown(view)).collect();
        shown.sort_by_key(|(place, _)| *place);
        let is_shown = |row| shown.iter().any(|(_, of)| of.rows.contains(&row));
        let mut entries = Vec::new();
        for (place, of) in &shown {
            if !of.legend.is_empty() && !of.told_by.is_some_and(is_shown) {
                entries.extend((*place != PICKED).then_some(&Entry::Rule));
                entries.extend(&of.legend);
            }
        }
        entries
    }

    /// The axis that is normal to the plane that holds an object, if one does.
    pub fn plane_of(&self, object: u32) -> Option<Axis> {
        let at = self.held.binary_search_by_key(&object, |(of, _)| *of).ok()?;
        Some(self.held[at].1)
    }

    /// Whether an object rests in a cache that is shown.
    pub fn rests(&self, object: usize) -> bool {
        self.resting.get(object).copied().unwrap_or_default()
    }
}

/// The numbers of few objects, which lists and matrix name.
fn numbers(source: Source<'_>) -> Option<Group> {
    let snapshot = source.snapshot;
    let named = [Overlay::Endpoints, Overlay::Matrix];
    let named = named.into_iter().filter(|overlay| source.draws(*overlay));
    let mut group = Group { rows: named.map(Into::into).collect(), ..Group::default() };
    if group.rows.is_empty() || snapshot.objects.present > MAX_NUMBERED {
        return None;
    }
    // An absent object of a recording has no box.
    for (object, center) in (0..).zip(&snapshot.objects.positions) {
        if snapshot.bounds_of(object).is_some() {
            group.label(Anchor::At(End::At(*center)), object, None);
        }
    }
    Some(group)
}

/// The boxes of both objects on which algorithms differ, and a line between them.
fn disputed(snapshot: &Snapshot) -> Option<Group> {
    let pair = snapshot.disputed()?;
    let mut group = Group::default();
    // A wrong algorithm may report objects that do not exist.
    let boxes = [pair.a, pair.b].map(|object| snapshot.bounds_of(object));
    boxes.into_iter().flatten().for_each(|bounds| group.wire(bounds, solid(Ink::HIT, 2.5)));
    if let [Some(_), Some(_)] = boxes {
        let [a, b] = [pair.a, pair.b].map(|at| snapshot.objects.positions[at as usize]);
        group.line(a, b, solid(Ink::HIT, 4.0));
    }
    Some(group)
}

/// The number of changes of an overlay in the last step, where its algorithm counts them.
fn changes_of(snapshot: &Snapshot, overlay: Overlay) -> Option<u64> {
    let work = snapshot.search.work.iter().find(|work| work.changes == Some(overlay));
    work.map(|work| work.count)
}

impl Source<'_> {
    fn draws(&self, overlay: Overlay) -> bool {
        self.snapshot.draws(self.view, overlay)
    }

    /// The share of its opacity that the structure keeps: little where the nodes are drawn that a search reached.
    fn beside_way(&self) -> f32 {
        if way::is_drawn(*self) { way::ASIDE } else { 1.0 }
    }

    /// Whether the boxes of the tree bound their objects, and are drawn whole. A tree with cells divides space.
    fn bounds_objects(&self) -> bool {
        let algorithm = self.snapshot.algorithm;
        algorithm.shows(Overlay::TreeBoxes) && !algorithm.shows(Overlay::Regions)
    }

    /// The part of a node that is drawn.
    fn seen(&self, node: &Aabb) -> Aabb {
        match self.bounds_objects() {
            true => *node,
            false => within(&self.snapshot.objects.occupied, node),
        }
    }
}

/// Share of its opacity that each of a number of lines or boxes keeps.
pub(crate) fn strength(number: usize) -> f32 {
    (MANY / (number as f32).max(1.0)).sqrt().clamp(0.35, 1.0)
}

/// The share of full opacity that is exactly this of 255.
fn of_255(alpha: f32) -> f32 {
    (alpha.floor() + 0.5) / 255.0
}

/// The part of a cell within a space; the whole cell where it has none.
fn within(space: &Aabb, cell: &Aabb) -> Aabb {
    let part = Aabb::new(cell.min.max(space.min), cell.max.min(space.max));
    if part.is_empty() { *cell } else { part }
}

impl Group {
    /// A note where only a part of all things of a kind is drawn.
    fn part(&mut self, drawn: usize, all: usize, things: &str) {
        if drawn < all {
            let [drawn, all] = [drawn, all].map(|number| compact(number as f64));
            self.note(format!(
                "{drawn} of {all} {things} are drawn: all would be slow or hide each other"
            ));
        }
    }

    /// How often something changed lately, with its colour while that is to be seen: a single step is too short.
    fn recent<T>(&mut self, ink: Ink, what: &str, changes: &Changes<T>) {
        let Changes { fresh, now, lately, steps } = changes;
        let [now, lately] = [now, lately].map(|number| compact(*number as f64));
        let number = match steps {
            0 => "none in this step, whose structure is new".to_owned(),
            1 => format!("{now} in this step"),
            _ => format!("{now} in this step, {lately} in the last {steps} steps"),
        };
        if fresh.is_empty() {
            return self.say(format!("{what}: {number}"));
        }
        self.swatch(ink, format!("{what} a moment ago"));
        self.say(number);
    }

    /// The edges of a box as dashes.
    fn dashed_box(&mut self, bounds: &Aabb, ink: Ink, share: f32, width: f32) {
        if bounds.is_empty() || !bounds.is_finite() {
            return;
        }
        let size = bounds.size();
        let period = size.max_element() / DASHES;
        for axis in Axis::ALL.map(Axis::index) {
            let dashes = (size[axis] / period).ceil().clamp(1.0, DASHES) as u32;
            let step = size[axis] / dashes as f32;
            for corner in 0..4 {
                let mut from = bounds.min;
                for (bit, other) in [(1, (axis + 1) % 3), (2, (axis + 2) % 3)] {
                    if corner & bit != 0 {
                        from[other] = bounds.max[other];
                    }
                }
                for dash in 0..dashes {
                    let along = |places: f32| from + Vec3::AXES[axis] * (step * places);
                    let ends = [dash as f32, dash as f32 + 0.5].map(|at| End::At(along(at)));
                    self.lines.push((ends, faint(ink, share, width)));
                }
            }
        }
    }
}
