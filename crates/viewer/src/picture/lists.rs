//! Sorted lists: [`Mark::End`](broadphase::inspect::Mark::End). For each axis a rail beside the scene, with a tick for every
//! endpoint and a bar for every interval. The sweeps of the picked object have rails of the same kind.

use super::Source;
use super::blocks::{Blocks, OWN_TURN};
use super::drawing::{Anchor, AxisChart, End, Entry, Group, Ink, Style, faint, solid};
use crate::format::{compact, counted};
use crate::simulation::{Interval, Intervals, ListSwept, Picked, Snapshot, SweepOutcomes};
use broadphase::inspect::{Exchange, Overlay};
use broadphase::{Aabb, Axis};

/// Distance of the rail from the scene, and of the first lane, in shares of its longest side.
const RAIL: f32 = 0.05;
const LANES: f32 = 0.09;

/// Height of a lane, and most height of all lanes, in the same unit.
const LANE: f32 = 0.04;
const ALL_LANES: f32 = 0.22;

/// Half the length of the mark of an exchanged end, and the length of a tick, in the same unit.
const EXCHANGED: f32 = 0.035;
const TICK: f32 = 0.025;

/// Dashes of a dashed bar.
const DASHES: u32 = 4;

/// Most objects of which those with exchanged ends are marked in the scene, too.
const MAX_MARKED_OBJECTS: usize = 12;

/// How fresh an exchange is whose objects are marked there.
const RECENT: f32 = 0.7;

/// Up to this number of lanes, bars are thick and their ends are marked.
const MAX_THICK_LANES: u32 = 24;

/// Most exchanges of a step that are described in words.
const MAX_IN_WORDS: usize = 2;

/// Most objects in a chart: of more, the list would be longer than the legend.
const MAX_CHARTED: usize = 12;

/// The place of an axis' list, beside the scene or the picked object's leaf.
pub(super) struct Rail {
    pub(super) axis: Axis,
    of_leaf: bool,
    lanes: u32,
    /// Intervals on it.
    number: usize,
}

/// How an interval is drawn.
#[derive(Clone, Copy)]
struct Bar {
    ink: Ink,
    /// Opacity of bar and ticks, 0 to 1.
    share: f32,
    /// Width of the bar in points, if there are many lanes.
    width: f32,
    is_dashed: bool,
}

impl Rail {
    /// The point at a place on the axis, at a distance from the scene.
    pub(super) fn at(&self, place: f32, distance: f32) -> End {
        End::Rail { axis: self.axis, place, distance, of_leaf: self.of_leaf }
    }

    /// Where the lanes end.
    pub(super) fn end(&self) -> f32 {
        LANES + ALL_LANES.min(LANE * self.lanes as f32)
    }

    /// The height of a lane, and the distance of the middle of one from the scene.
    fn height(&self) -> f32 {
        (self.end() - LANES) / self.lanes.max(1) as f32
    }

    fn lane(&self, lane: u32) -> f32 {
        LANES + self.height() * (lane as f32 + 0.5)
    }

    fn line(&self, group: &mut Group, places: [f32; 2], distances: [f32; 2], style: Style) {
        let [a, b] = [0, 1].map(|end: usize| self.at(places[end], distances[end]));
        group.lines.push(([a, b], style));
    }

    /// The rail itself, along scene and intervals, and its name.
    fn draw(&self, group: &mut Group, span: [f32; 2], intervals: &[&Interval]) {
        let [low, high] =
            intervals.iter().fold(span, |[low, high], of| [low.min(of.low), high.max(of.high)]);
        self.line(group, [low, high], [RAIL; 2], solid(Ink::RAIL, 1.5));
        let beyond = self.at(0.5 * (span[0] + span[1]), self.end() + 0.06);
        group.label(Anchor::At(beyond), self.axis.name(), Some(15.0));
    }

    /// Ticks at both ends, the lower on the scene's side, and a bar in its lane.
    fn interval(&self, group: &mut Group, of: &Interval, bar: Bar) {
        let Interval { low, high, lane, .. } = *of;
        let crowd = match bar.width > 1.0 {
            true => 1.0,
            false => (150.0 / self.number as f32).sqrt().clamp(0.4, 1.0),
        };
        let [lower, upper] = ENDS.map(|ink| faint(ink, crowd * bar.share, bar.width));
        let width = if self.number > 150 { bar.width } else { 2.0 };
        self.line(group, [low; 2], [RAIL - TICK, RAIL], Style { width, ..lower });
        self.line(group, [high; 2], [RAIL, RAIL + TICK], Style { width, ..upper });
        let distance = self.lane(lane);
        let few = self.lanes <= MAX_THICK_LANES;
        let style = faint(bar.ink, bar.share, if few { 3.0 } else { bar.width });
        if bar.is_dashed {
            let part = (high - low) / DASHES as f32;
            for from in (0..DASHES).map(|place| low + part * place as f32) {
                self.line(group, [from, from + 0.5 * part], [distance; 2], style);
            }
        } else {
            self.line(group, [low, high], [distance; 2], style);
        }
        if few {
            let reach = 0.4 * self.height();
            for (end, style) in [(low, lower), (high, upper)] {
                let style = Style { width: 1.5, ..style };
                self.line(group, [end; 2], [distance - reach, distance + reach], style);
            }
        }
    }

    /// Marks both ends that have just passed each other.
    fn exchange(&self, group: &mut Group, exchange: &Exchange, fresh: f32, all: &[&Interval]) {
        if exchange.axis != self.axis {
            return;
        }
        let style = faint(Ink::MARK, fresh, 3.5);
        for interval in all {
            let is_lower = interval.object == exchange.lower;
            let is_upper = interval.object == exchange.upper;
            for (_, end) in
                [(is_lower, interval.low), (is_upper, interval.high)].iter().filter(|end| end.0)
            {
                self.line(group, [*end; 2], [RAIL - EXCHANGED, RAIL + EXCHANGED], style);
                // At its bar, too.
                let (reach, lane) = (0.5 * self.height(), self.lane(interval.lane));
                self.line(group, [*end; 2], [lane - reach, lane + reach], style);
            }
        }
    }

    /// The inspected object's interval, those that overlap it on this axis, and faintly the others.
    fn around(&self, group: &mut Group, picked: &Picked, intervals: &[&Interval]) {
        let own = intervals.iter().copied().find(|interval| interval.object == picked.object);
        // Highlighted intervals are drawn over the rest.
        for rank in 0..3 {
            for interval in intervals {
                let (own_rank, ink, share) = beside(interval, own, picked);
                if own_rank == rank {
                    let is_dashed = picked.sweeps.carried.binary_search(&interval.object).is_ok();
                    let width = if rank == 2 { 3.0 } else { 1.0 };
                    self.interval(group, interval, Bar { ink, share, width, is_dashed });
                }
            }
        }
        // Lines from the sphere to its endpoints in the list.
        let Some(own) = own else { return };
        for end in [own.low, own.high] {
            let mut side = picked.center;
            side[self.axis.index()] = end;
            let edge = self.at(end, 0.0);
            group.lines.push(([End::At(side), edge], faint(Ink::PICKED, 0.45, 1.0)));
            self.line(group, [end; 2], [0.0, self.end()], faint(Ink::PICKED, 0.7, 1.0));
        }
    }
}

/// The colours of lower and upper ends.
const ENDS: [Ink; 2] = [Ink::Of(|theme| theme.ends[0]), Ink::Of(|theme| theme.ends[1])];

/// How an interval is drawn beside `own`, that of the picked object: its rank, which is higher where it has more to do with
/// that object, its colour and its opacity.
fn beside(interval: &Interval, own: Option<&Interval>, picked: &Picked) -> (u8, Ink, f32) {
    let object = interval.object;
    let is_near = own.is_some_and(|own| own.overlaps(interval))
        || (picked.sweeps.own > 0 && picked.is_tested_with(object));
    match Ink::beside(picked, object) {
        Some(ink) if object == picked.object => (2, ink, 1.0),
        _ if !is_near => (0, Ink::RAIL, 0.22),
        Some(ink) if picked.concerns(object) => (2, ink, 1.0),
        _ if picked.is_known_with(object) => (0, Ink::Cached(0), 0.7),
        // As the object itself.
        ink => (1, ink.unwrap_or(Ink::OVERLAP), 1.0),
    }
}

/// All lists.
pub(super) fn draw(source: Source<'_>, blocks: &Blocks) -> Option<Group> {
    let snapshot = source.snapshot;
    if !source.draws(Overlay::Endpoints) {
        return None;
    }
    let mut group = Group::of(Overlay::Endpoints);
    let objects = snapshot.objects.positions.len();
    let picked = snapshot.picked.as_ref();
    let lists = Intervals::of(source.inspect, objects, &|object: u32| {
        picked.is_some_and(|picked| picked.concerns(object))
    });
    for (bounds, fresh) in exchanged_boxes(snapshot) {
        group.wire(bounds, faint(Ink::MARK, fresh, 1.5));
    }
    let own = picked.and_then(|picked| snapshot.bounds_of(picked.object));
    for (axis, lanes) in Axis::ALL.into_iter().zip(lists.lanes).filter(|(_, lanes)| *lanes > 0) {
        let of_axis: Vec<&Interval> = lists.kept.iter().filter(|of| of.axis == axis).collect();
        let rail = Rail { axis, of_leaf: false, lanes, number: of_axis.len() };
        let space = snapshot.objects.space;
        rail.draw(&mut group, [space.min, space.max].map(|end| end[axis.index()]), &of_axis);
        match picked {
            None => of_axis.iter().for_each(|of| {
                let ink = Ink::Object(of.object);
                rail.interval(
                    &mut group,
                    of,
                    Bar { ink, share: 1.0, width: 1.0, is_dashed: false },
                );
            }),
            Some(picked) => rail.around(&mut group, picked, &of_axis),
        }
        for (exchange, fresh) in &snapshot.changed.exchanges.fresh {
            rail.exchange(&mut group, exchange, *fresh, &of_axis);
        }
        blocks.bars(&rail, own, &mut group);
    }
    explain(&mut group, source, &lists, blocks);
    Some(group)
}

fn explain(group: &mut Group, source: Source<'_>, lists: &Intervals, blocks: &Blocks) {
    let snapshot = source.snapshot;
    let axes = Axis::ALL.into_iter().zip(lists.lanes).filter(|(_, lanes)| *lanes > 0);
    let axes: Vec<&str> = axes.map(|(axis, _)| axis.name()).collect();
    group.title(
        format!("Sorted endpoints: {}", axes.join(", ")),
        "Each object's box is an interval on an axis. Two bars overlap if each begins \
         before the other ends.",
    );
    group.swatch(ENDS[0], "lower end: the interval begins");
    group.swatch(ENDS[1], "upper end: it ends");
    match &snapshot.picked {
        None => {
            group.say("Bars: intervals. Those that overlap are in different lanes.");
            group.hint("Click an object: the intervals that overlap its own.");
        }
        Some(picked) => {
            if picked.tested.iter().any(|other| !picked.concerns(*other)) {
                group.swatch(Ink::TESTED, "overlaps it on this axis, and was tested");
            }
            if axes.len() > 1 {
                group.swatch(Ink::OVERLAP, "overlaps it on this axis");
            }
            group.swatch(Ink::CANDIDATE, "on all axes: a candidate");
            if !picked.hits.is_empty() {
                group.swatch(Ink::HIT, "touches it");
            }
            // The part on blocks has the same sentence.
            if axes.len() == 1 && blocks.number == 0 {
                group.say(OWN_TURN);
            }
        }
    }
    exchanges(group, source, lists);
    // Every list has an interval of each object that is drawn.
    let first = lists.kept.first().map(|interval| interval.axis);
    let drawn = lists.kept.iter().filter(|interval| Some(interval.axis) == first).count();
    group.part(drawn, snapshot.objects.present, "objects");
}

/// The ends that changed places, of algorithms that count them.
fn exchanges(group: &mut Group, source: Source<'_>, lists: &Intervals) {
    let snapshot = source.snapshot;
    if super::changes_of(snapshot, Overlay::Endpoints).is_none() {
        return;
    }
    let exchanges = &snapshot.changed.exchanges;
    group.recent(Ink::MARK, "two ends exchanged", exchanges);
    if !exchanges.fresh.is_empty() && (snapshot.engine.running || exchanges.now == 0) {
        group.say("The last six stay marked.");
    }
    let now = exchanges.fresh.iter().filter(|(_, fresh)| *fresh == 1.0);
    for (place, (exchange, _)) in now.take(MAX_IN_WORDS).enumerate() {
        group.hint(in_words(exchange, snapshot));
        if place == 0 {
            chart_of_exchange(group, snapshot, lists, exchange);
        }
    }
    if exchanged_boxes(snapshot).next().is_some() {
        group.swatch(Ink::MARK, "box: an end of it was exchanged");
    }
}

/// The boxes of objects whose ends were exchanged lately, and how fresh that is: none where there are many objects.
fn exchanged_boxes(snapshot: &Snapshot) -> impl Iterator<Item = (Aabb, f32)> {
    let fresh = snapshot.changed.exchanges.fresh.iter();
    let marked = fresh
        .filter(|(_, fresh)| *fresh > RECENT && snapshot.objects.present <= MAX_MARKED_OBJECTS);
    marked.flat_map(|(exchange, fresh)| {
        let both = [exchange.lower, exchange.upper].map(|object| snapshot.bounds_of(object));
        both.into_iter().flatten().map(|bounds| (bounds, *fresh))
    })
}

/// An exchange in words.
fn in_words(exchange: &Exchange, snapshot: &Snapshot) -> String {
    let Exchange { axis, lower, upper, begun } = exchange;
    let [low, high] = [lower, upper].map(|object| snapshot.bounds_of(*object));
    let at = axis.index();
    // An object may pass another from one side to the other: then two pairs of their ends changed places.
    let overlap = low.zip(high).map(|(a, b)| a.min[at] <= b.max[at] && b.min[at] <= a.max[at]);
    let axis = axis.name();
    let passed =
        format!("{axis}: the lower end of {lower} and the upper end of {upper} changed places.");
    match (begun, overlap) {
        (true, Some(true)) => {
            format!("{passed} {lower} begins before {upper} ends now: they overlap on this axis.")
        }
        (false, Some(false)) => {
            format!("{passed} {upper} ends before {lower} begins now: they do not overlap.")
        }
        _ => passed,
    }
}

/// The axis of an exchange of few objects, a row for each by its lower end, with both exchanged ends marked.
fn chart_of_exchange(
    group: &mut Group,
    snapshot: &Snapshot,
    lists: &Intervals,
    exchange: &Exchange,
) {
    let of_axis = lists.kept.iter().filter(|of| of.axis == exchange.axis);
    let mut rows: Vec<&Interval> = of_axis.collect();
    let least = rows.iter().fold(f32::INFINITY, |least, of| least.min(of.low));
    let most = rows.iter().fold(f32::NEG_INFINITY, |most, of| most.max(of.high));
    // Infinite boxes have no place in a picture, and nothing has where all are one point.
    let has_length = (most - least).is_finite() && most > least;
    if !has_length || !(snapshot.objects.present..=MAX_CHARTED).contains(&rows.len()) {
        return;
    }
    rows.sort_by(|a, b| a.low.total_cmp(&b.low));
    let own = snapshot
        .picked
        .as_ref()
        .and_then(|picked| Some((picked, *rows.iter().find(|of| of.object == picked.object)?)));
    let mut chart = AxisChart::default();
    for (place, of) in rows.iter().enumerate() {
        let (ink, share) = match own {
            Some((picked, own)) => {
                let (_, ink, share) = beside(of, Some(own), picked);
                (ink, share.max(0.4))
            }
            None => (Ink::Object(of.object), 1.0),
        };
        chart.rows.push((of.object, [of.low, of.high], ink, share));
        chart.circled.extend((of.object == exchange.lower).then_some((of.low, place)));
        chart.circled.extend((of.object == exchange.upper).then_some((of.high, place)));
    }
    group.say(format!("The list on {}, a row for each object:", exchange.axis.name()));
    group.legend.push(Entry::Axis(chart));
}

/// The sweeps of the picked object, with its cells or leaves.
pub(super) fn sweeps(source: Source<'_>, blocks: &Blocks) -> Option<Group> {
    let snapshot = source.snapshot;
    let picked = snapshot.picked.as_ref().filter(|picked| picked.sweeps.own > 0)?;
    if !source.draws(Overlay::Regions) {
        return None;
    }
    let mut group = Group::of(Overlay::Regions);
    let sweeps = &picked.sweeps;
    for (axis, span) in Axis::ALL.into_iter().zip(sweeps.spans) {
        let Some(span) = span else { continue };
        let of_axis: Vec<&Interval> =
            sweeps.intervals.kept.iter().filter(|of| of.axis == axis).collect();
        let lanes = sweeps.intervals.lanes[axis.index()];
        let rail = Rail { axis, of_leaf: true, lanes, number: of_axis.len() };
        rail.draw(&mut group, span, &of_axis);
        rail.around(&mut group, picked, &of_axis);
        blocks.bars(&rail, snapshot.bounds_of(picked.object), &mut group);
    }
    explain_sweeps(&mut group, picked, snapshot);
    Some(group)
}

fn explain_sweeps(group: &mut Group, picked: &Picked, snapshot: &Snapshot) {
    let sweeps = &picked.sweeps;
    let axes = Axis::ALL.map(Axis::name).into_iter().zip(sweeps.spans);
    let axes: Vec<&str> = axes.filter(|(_, span)| span.is_some()).map(|(axis, _)| axis).collect();
    let number = sweeps.own;
    let caption = snapshot.algorithm.regions();
    let lists = match (caption.keeps_straddlers, picked.regions.is_empty()) {
        (true, _) => "list".to_owned(),
        (_, true) => "order".to_owned(),
        (_, false) if number == 1 => caption.noun(1).to_owned(),
        _ => format!("{number} {}", caption.noun(number)),
    };
    group.title(
        format!("Sweep of its {lists} on {}", axes.join(", ")),
        "Bars: intervals on it, in the colours of the objects. It is tested against those that its own bar overlaps.",
    );
    if caption.keeps_straddlers {
        // Its own list comes first.
        let mut lists = sweeps.lists.iter().map(list_in_words);
        let own = lists.next().unwrap_or_default();
        let others: Vec<String> = lists.collect();
        let others = match others.is_empty() {
            true => "nothing".to_owned(),
            false => others.join(", "),
        };
        group.say(format!("1. Its own list: {own}. 2. Of other lists, what reaches it: {others}."));
    }
    let SweepOutcomes { known, beyond, .. } = sweeps.outcomes;
    let count = |number: usize| counted(number, "bar");
    if known > 0 {
        let text = format!("{} overlap it here, resting as it is: not tested", count(known));
        group.swatch(Ink::Cached(0), text);
    }
    group.swatch(Ink::RAIL, format!("{} not tested: beyond its reach", count(beyond)));
    if !sweeps.carried.is_empty() {
        let carried = counted(sweeps.carried.len(), "object");
        group.say(format!("Dashed bars beside the scene: {carried} of the other lists."));
    }
    let mut drawn: Vec<u32> = sweeps.intervals.kept.iter().map(|bar| bar.object).collect();
    drawn.sort_unstable();
    drawn.dedup();
    group.part(drawn.len(), sweeps.outcomes.all + 1, "bars");
}

/// A list in words.
fn list_in_words(list: &ListSwept) -> String {
    let objects = compact(list.objects as f64);
    match list.plane {
        Some(plane) => format!("{objects} at plane {}", plane.name()),
        None => format!("{objects} in a leaf"),
    }
}
