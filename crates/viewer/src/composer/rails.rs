//! Sorted lists: for each axis a rail beside the scene, with a tick for every endpoint and a bar
//! for every interval.

use super::faint;
use super::paint::Paint;
use super::rail::{LANES, Rail, all_lanes, rails, rails_beside};
use crate::camera::OrbitCamera;
use crate::scene_renderer::{Color, Segment, Theme, WireBox};
use crate::simulation::{Block, Interval, Picked, Snapshot};
use crate::view::View;
use broadphase::Aabb;
use broadphase::inspect::{Exchange, Overlay};
use glam::Vec3;

/// Distance of the rail from the scene, in shares of its longest side.
const RAIL: f32 = 0.05;

/// Half the length of the mark of an exchanged end, in the same unit.
const EXCHANGED: f32 = 0.035;

/// Length of a tick, in the same unit.
const TICK: f32 = 0.025;

/// Height of a row of blocks, in the same unit.
const BLOCKS: f32 = 0.04;

/// Dashes of a dashed bar.
const DASHES: u32 = 4;

/// Most objects of which those with exchanged ends are marked in the scene, too.
const MAX_MARKED_OBJECTS: usize = 12;

/// How fresh an exchange is whose objects are marked there.
const RECENT: f32 = 0.7;

/// Up to this number of lanes, bars are thick and their ends are marked.
const MAX_THICK_LANES: u32 = 24;

/// The rails for the sweeps of the picked object: next to its leaf or node if each is swept on an axis of its own, else next
/// to the scene.
pub fn sweep_rails(snapshot: &Snapshot, camera: &OrbitCamera) -> Option<[Rail; 3]> {
    let [own_axes, _] = snapshot.structure.sweeps.lists();
    let own = snapshot.picked.as_ref()?.regions.first().filter(|_| own_axes > 0);
    rails_beside(
        own.map_or(snapshot.objects.space, |own| own.bounds),
        snapshot.objects.space,
        camera,
    )
}

/// Draws all lists, or the sweeps of the picked object in its cells.
pub(super) fn compose(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    camera: OrbitCamera,
    segments: &mut Vec<Segment>,
) {
    let Some(rails) = rails(snapshot.objects.space, &camera) else { return };
    let picked = snapshot.picked.as_ref();
    let lists = &snapshot.structure.lists;
    if let Some(picked) = picked.filter(|_| shows_sweeps(snapshot, options)) {
        let sweeps = &picked.sweeps;
        let rails = sweep_rails(snapshot, &camera).unwrap_or(rails);
        for (rail, span) in rails.iter().zip(sweeps.spans) {
            let Some(span) = span else { continue };
            let rail = rail.along(span);
            let lanes = sweeps.intervals.lanes[rail.axis.index()];
            let of_axis = || sweeps.intervals.kept.iter().filter(|i| i.axis == rail.axis);
            let mut list = List { rail: &rail, lanes, number: of_axis().count(), theme, segments };
            list.rail(of_axis());
            list.around(picked, of_axis());
            list.blocks(snapshot, options);
        }
    }
    if !options.shows(Overlay::Endpoints) || lists.kept.is_empty() {
        return;
    }
    let paint = Paint::new(snapshot, false, theme);
    for (rail, lanes) in rails.iter().zip(lists.lanes) {
        let of_axis = || lists.kept.iter().filter(|interval| interval.axis == rail.axis);
        if lanes == 0 {
            continue;
        }
        let mut list = List { rail, lanes, number: of_axis().count(), theme, segments };
        list.rail(of_axis());
        match picked {
            None => of_axis().for_each(|interval| {
                let color = paint.color(interval.object as usize);
                list.interval(interval, Style { color, strength: 1.0, width: 1.0, dashed: false });
            }),
            Some(picked) => list.around(picked, of_axis()),
        }
        for (exchange, fresh) in &snapshot.changed.exchanges.fresh {
            list.exchange(exchange, *fresh, of_axis());
        }
        list.blocks(snapshot, options);
    }
}

/// The boxes of objects whose ends were exchanged, where there are few.
pub(super) fn compose_exchanged(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    if options.shows(Overlay::Endpoints) {
        boxes.extend(exchanged_boxes(snapshot).map(|(bounds, fresh)| WireBox {
            bounds,
            color: faint(theme.mark, fresh),
            width: 1.5,
        }));
    }
}

/// The boxes of objects whose ends were exchanged lately, and how fresh that is: none where there are many objects.
pub fn exchanged_boxes(snapshot: &Snapshot) -> impl Iterator<Item = (Aabb, f32)> {
    let fresh = snapshot.changed.exchanges.fresh.iter();
    let marked = fresh
        .filter(|(_, fresh)| *fresh > RECENT && snapshot.objects.present <= MAX_MARKED_OBJECTS);
    marked.flat_map(|(exchange, fresh)| {
        let both = [exchange.lower, exchange.upper].map(|object| snapshot.bounds_of(object));
        both.into_iter().flatten().map(|bounds| (bounds, *fresh))
    })
}

/// Whether the sweeps of the picked object are drawn: with its cells or leaves.
pub fn shows_sweeps(snapshot: &Snapshot, options: &View) -> bool {
    let swept = snapshot.picked.as_ref().is_some_and(|picked| picked.sweeps.own > 0);
    snapshot.draws(options, Overlay::Regions) && swept
}

/// How an interval is drawn beside `own`, that of the picked object: its rank, which is higher where it has more to do with
/// that object, its colour and its opacity.
pub fn beside(
    interval: &Interval,
    own: Option<&Interval>,
    picked: &Picked,
    theme: &Theme,
) -> (u8, Color, f32) {
    let object = interval.object;
    let is_near = own.is_some_and(|own| own.overlaps(interval))
        || (picked.sweeps.own > 0 && picked.is_tested_with(object));
    if object == picked.object {
        (2, theme.picked, 1.0)
    } else if !is_near {
        (0, theme.rail, 0.22)
    } else if picked.hits.binary_search(&object).is_ok() {
        (2, theme.hit, 1.0)
    } else if picked.concerns(object) {
        (2, theme.candidate, 1.0)
    } else if picked.is_known_with(object) {
        (0, theme.cached[0], 0.7)
    } else {
        // As the object itself.
        (1, if picked.is_tested_with(object) { theme.tested } else { theme.overlap }, 1.0)
    }
}

/// One list while it is drawn.
struct List<'a> {
    rail: &'a Rail,
    lanes: u32,
    number: usize,
    theme: &'a Theme,
    segments: &'a mut Vec<Segment>,
}

impl List<'_> {
    fn line(&mut self, a: Vec3, b: Vec3, color: Color, width: f32) {
        self.segments.push(Segment { a: a.to_array(), b: b.to_array(), color, width });
    }

    /// The rail itself, along scene and intervals.
    fn rail<'a>(&mut self, intervals: impl Iterator<Item = &'a Interval>) {
        let [low, high] = intervals.fold(self.rail.span, |[low, high], interval| {
            [low.min(interval.low), high.max(interval.high)]
        });
        let (a, b) = (self.rail.at(low, RAIL), self.rail.at(high, RAIL));
        self.line(a, b, self.theme.rail, 1.5);
    }

    /// Ticks at both ends, the lower on the scene's side, and a bar in its lane.
    fn interval(&mut self, interval: &Interval, style: Style) {
        let Interval { low, high, lane, .. } = *interval;
        let Style { color, strength, width, dashed } = style;
        let rail = *self.rail;
        let crowd =
            if width > 1.0 { 1.0 } else { (150.0 / self.number as f32).sqrt().clamp(0.4, 1.0) };
        let crowd = crowd * strength;
        let [lower, upper] = self.theme.ends.map(|color| faint(color, crowd));
        let tick_width = if self.number > 150 { width } else { 2.0 };
        self.line(rail.at(low, RAIL - TICK), rail.at(low, RAIL), lower, tick_width);
        self.line(rail.at(high, RAIL), rail.at(high, RAIL + TICK), upper, tick_width);
        let height = self.lane_height();
        let distance = self.lane(lane);
        let few = self.lanes <= MAX_THICK_LANES;
        let (bar, width) = (faint(color, strength), if few { 3.0 } else { width });
        if dashed {
            let part = (high - low) / DASHES as f32;
            for from in (0..DASHES).map(|place| low + part * place as f32) {
                self.line(
                    rail.at(from, distance),
                    rail.at(from + 0.5 * part, distance),
                    bar,
                    width,
                );
            }
        } else {
            self.line(rail.at(low, distance), rail.at(high, distance), bar, width);
        }
        if few {
            let reach = 0.4 * height;
            for (end, color) in [(low, lower), (high, upper)] {
                let (a, b) = (rail.at(end, distance - reach), rail.at(end, distance + reach));
                self.line(a, b, color, 1.5);
            }
        }
    }

    /// The height of a lane, and the distance of the middle of one from the scene.
    fn lane_height(&self) -> f32 {
        all_lanes(self.lanes) / self.lanes.max(1) as f32
    }

    fn lane(&self, lane: u32) -> f32 {
        LANES + self.lane_height() * (lane as f32 + 0.5)
    }

    /// Below the lanes a bar for each block of sixteen, from where its first box begins to where the next block
    /// does, in its colour. Of a picked object the blocks that it is compared with are thick.
    fn blocks(&mut self, snapshot: &Snapshot, options: &View) {
        let blocks = &snapshot.structure.blocks;
        if !options.shows(Overlay::Blocks) {
            return;
        }
        let axis = self.rail.axis;
        let of_axis: Vec<&Block> = blocks.kept.iter().filter(|block| block.axis == axis).collect();
        let picked = snapshot.picked.as_ref().and_then(|picked| snapshot.bounds_of(picked.object));
        let run: Vec<&Block> = picked.map_or_else(Vec::new, |b| blocks.run(b).collect());
        let last = blocks.longest.saturating_sub(1).max(1) as f32;
        let mut distance = LANES + all_lanes(self.lanes) + 0.5 * BLOCKS;
        for (place, block) in of_axis.iter().enumerate() {
            let next = of_axis.get(place + 1).filter(|next| next.region == block.region);
            let [low, high] = [block.bounds.min, block.bounds.max].map(|end| end[axis.index()]);
            let end = next.map_or(high, |next| next.bounds.min[axis.index()]);
            let is_compared = run.contains(block);
            let width = if is_compared { 7.0 } else { 4.0 };
            let share = if picked.is_none() || is_compared { 1.0 } else { 0.4 };
            let [r, g, b] = self.theme.on_scale(block.place as f32 / last);
            // A gap to the next.
            let to = low + 0.94 * (end - low);
            let color = if block.is_own { self.theme.picked } else { [r, g, b, 255] };
            self.line(
                self.rail.at(low, distance),
                self.rail.at(to, distance),
                faint(color, share),
                width,
            );
            if next.is_none() {
                distance += BLOCKS;
            }
        }
    }

    /// Marks both ends that have just passed each other.
    fn exchange<'a>(
        &mut self,
        exchange: &Exchange,
        fresh: f32,
        intervals: impl Iterator<Item = &'a Interval>,
    ) {
        if exchange.axis != self.rail.axis {
            return;
        }
        let color = faint(self.theme.mark, fresh);
        for interval in intervals {
            let is_lower = interval.object == exchange.lower;
            let is_upper = interval.object == exchange.upper;
            for (_, end) in
                [(is_lower, interval.low), (is_upper, interval.high)].iter().filter(|e| e.0)
            {
                let [a, b] = [-EXCHANGED, EXCHANGED].map(|by| self.rail.at(*end, RAIL + by));
                self.line(a, b, color, 3.5);
                // At its bar, too.
                let reach = 0.5 * self.lane_height();
                let lane = self.lane(interval.lane);
                let [a, b] = [-reach, reach].map(|by| self.rail.at(*end, lane + by));
                self.line(a, b, color, 3.5);
            }
        }
    }

    /// The inspected object's interval, those that overlap it on this axis, and faintly the others.
    fn around<'a>(
        &mut self,
        picked: &Picked,
        intervals: impl Iterator<Item = &'a Interval> + Clone,
    ) {
        let own = intervals.clone().find(|interval| interval.object == picked.object);
        let theme = self.theme;
        let style_of = |interval: &Interval| {
            let dashed = picked.sweeps.carried.binary_search(&interval.object).is_ok();
            let (rank, color, strength) = beside(interval, own, picked, theme);
            (rank, Style { color, strength, width: if rank == 2 { 3.0 } else { 1.0 }, dashed })
        };
        // Highlighted intervals are drawn over the rest.
        for rank in 0..3 {
            for interval in intervals.clone() {
                let (own_rank, style) = style_of(interval);
                if own_rank == rank {
                    self.interval(interval, style);
                }
            }
        }
        // Lines from the sphere to its endpoints in the list.
        let Some(own) = own else { return };
        for end in [own.low, own.high] {
            let mut side = picked.center;
            side[self.rail.axis.index()] = end;
            let below = LANES + all_lanes(self.lanes);
            let (edge, below) = (self.rail.at(end, 0.0), self.rail.at(end, below));
            self.line(side, edge, faint(self.theme.picked, 0.45), 1.0);
            self.line(edge, below, faint(self.theme.picked, 0.7), 1.0);
        }
    }
}

/// The style of an interval.
#[derive(Clone, Copy)]
struct Style {
    color: Color,
    /// Opacity of bar and ticks, 0 to 1.
    strength: f32,
    /// Width of the bar in points, if there are many lanes.
    width: f32,
    /// Whether the bar is dashed.
    dashed: bool,
}
