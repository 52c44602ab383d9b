//! The colours of spheres, and their meaning.

use crate::format::{compact, short};
use crate::picture::{Entry, Ink};
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Snapshot, Tint};
use crate::view::{ColorBy, Row, View};
use broadphase::Pair;
use broadphase::registry::Algorithm;
use colorous::VIRIDIS;

/// Colour of objects that have no kind, or whose value is unknown.
const GREY: Color = [128, 132, 140, 255];

/// Most kinds listed with their colours.
const MAX_KINDS: usize = 8;

/// Share of its colour that a sphere keeps if it does not concern the inspected one. The rest is
/// background.
const KEPT_ASIDE: f32 = 0.3;

/// The same of an object that rests in a cache.
const RESTING: f32 = 0.5;

/// Colours for a snapshot's spheres.
pub(super) struct Paint<'a> {
    snapshot: &'a Snapshot,
    /// The two spheres on which algorithms differ.
    disputed: Option<Pair>,
    glows: bool,
    theme: &'a Theme,
}

/// Whether spheres glow after a hit: not where colours have another meaning, which the glow would hide.
pub(super) fn shows_glow(snapshot: &Snapshot, options: &View) -> bool {
    options.shows(Row::Objects)
        && options.glows(snapshot.objects.positions.len())
        && snapshot.motion.recording.is_none()
        && matches!(snapshot.tint, Tint::Plain)
        && snapshot.picked.is_none()
        && snapshot.disputed().is_none()
}

impl<'a> Paint<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, glows: bool, theme: &'a Theme) -> Self {
        Self { snapshot, disputed: snapshot.disputed(), glows, theme }
    }

    /// The colour of an object's sphere.
    pub(super) fn color(&self, object: usize) -> Color {
        let picked = self.snapshot.picked.as_ref();
        if picked.is_none() && self.disputed.is_none() {
            let glow = if self.glows { self.snapshot.objects.glow.get(object) } else { None };
            return mix(self.base(object), self.theme.hit, glow.copied().unwrap_or(0.0));
        }
        let number = object as u32;
        let is_picked = picked.is_some_and(|picked| picked.object == number);
        let is_disputed = self.disputed.is_some_and(|pair| pair.a == number || pair.b == number);
        let met = picked.and_then(|picked| Ink::beside(picked, number));
        match if is_disputed && !is_picked { Some(Ink::HIT) } else { met } {
            Some(ink) => ink.color(self.theme, |_| GREY),
            None => mix(self.ground(), self.base(object), KEPT_ASIDE),
        }
    }

    fn base(&self, object: usize) -> Color {
        match &self.snapshot.tint {
            // Resting objects of a cache cost nothing: the ones searched for stand out.
            Tint::Plain if self.snapshot.drawing.rests(object) => {
                mix(self.ground(), self.theme.cached[0], RESTING)
            }
            Tint::Plain => match self.snapshot.drawing.plane_of(object as u32) {
                // Of the plane that holds it.
                Some(axis) => self.theme.plane(axis),
                None => self.theme.sphere(object),
            },
            Tint::Scale { values, top, .. } => match values.get(object) {
                Some(value) if value.is_nan() => GREY,
                value => {
                    let [r, g, b] = on_scale(value.map_or(0.0, |value| value / top));
                    [r, g, b, 255]
                }
            },
            Tint::Kind { of_object, .. } => {
                of_object.get(object).map_or(GREY, |kind| of_kind(*kind))
            }
        }
    }

    fn ground(&self) -> Color {
        let [r, g, b] = self.theme.background_bottom;
        [r, g, b, 255]
    }
}

/// The colour at a place between 0 and 1 on a scale that is readable with colour blindness and in
/// grey. NaN is at the lower end.
pub(super) fn on_scale(share: f32) -> [u8; 3] {
    let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
    VIRIDIS.eval_continuous(f64::from(share)).into_array()
}

/// A distinct colour for each of many kinds; grey for none.
fn of_kind(kind: u32) -> Color {
    if kind == u32::MAX {
        return GREY;
    }
    // Steps of the golden ratio keep neighbouring numbers far apart on the colour wheel.
    let place = (f64::from(kind) * 0.618_033_988_75).fract();
    let [r, g, b] = colorous::SINEBOW.eval_continuous(place).into_array();
    // Mixed with white, because the wheel's blue is dark.
    mix([r, g, b, 255], [255; 4], 0.2)
}

/// Interpolates from `a` to `b`.
fn mix(a: Color, b: Color, share: f32) -> Color {
    std::array::from_fn(|i| (f32::from(a[i]) * (1.0 - share) + f32::from(b[i]) * share) as u8)
}

/// The meaning of the objects' colours, and of the sources' boxes.
pub fn legend(snapshot: &Snapshot, view: &View) -> Vec<Entry> {
    let swatch = |color, text: &str, objects: usize| {
        Entry::Swatch(Ink::Fixed(color), format!("{text}: {}", compact(objects as f64)))
    };
    let mut entries = Vec::new();
    match &snapshot.tint {
        Tint::Plain => {}
        Tint::Scale { top, values, unknown } => {
            entries.push(Entry::Figure(format!("Colour: {}", view.color.name())));
            if values.iter().any(|value| !value.is_nan()) {
                let colors = std::array::from_fn(|i| on_scale(i as f32 / 8.0));
                entries.push(Entry::Colors(colors, short(*top)));
            }
            entries.extend((*unknown > 0).then(|| swatch(GREY, "unknown", *unknown)));
        }
        Tint::Kind { names, counts, .. } => {
            let count = |kind: u32| {
                let at = counts.binary_search_by_key(&kind, |(kind, _)| *kind).ok()?;
                Some(counts[at].1)
            };
            let named =
                |(kind, name): &(u32, String)| Some(swatch(of_kind(*kind), name, count(*kind)?));
            let without = count(u32::MAX);
            let mut named: Vec<_> = names.iter().filter_map(named).collect();
            if names.iter().all(|(kind, _)| *kind != u32::MAX) {
                named.extend(without.map(|number| swatch(GREY, "none", number)));
            }
            let number = counts.len() - usize::from(without.is_some());
            let kinds = kinds(view.color, snapshot.algorithm, number);
            entries.push(Entry::Figure(format!("Colour: {kinds}")));
            let more = named.len().saturating_sub(MAX_KINDS);
            entries.extend(named.into_iter().take(MAX_KINDS));
            entries.extend((more > 0).then(|| Entry::Line(format!("and {more} more"))));
        }
    }
    if shows_glow(snapshot, view) {
        entries.push(Entry::Swatch(Ink::HIT, "hit a moment ago".to_owned()));
    }
    // One source is the frame of the scene. With bodies, the colour is also that of their AABBs.
    let has_several = snapshot.input.sources.len() > 1 && snapshot.objects.bodies.is_none();
    if view.shows(Row::Sources) && has_several {
        let text = "box of a source: objects begin in it";
        entries.push(Entry::Swatch(Ink::SOURCE, text.to_owned()));
    }
    if !entries.is_empty() {
        entries.insert(0, Entry::Rule);
    }
    entries
}

/// The number of kinds that the colours show, in words: "127 leaves".
fn kinds(color: ColorBy, algorithm: &Algorithm, number: usize) -> String {
    let noun = match (color, number) {
        (ColorBy::Region, _) => algorithm.regions().noun(number),
        (ColorBy::Source, 1) => "source",
        (ColorBy::Source, _) => "sources",
        (ColorBy::Layer, 1) => "layer",
        (ColorBy::Layer, _) => "layers",
        _ => return color.name().to_owned(),
    };
    match number {
        0 => format!("no {noun}"),
        _ => format!("{} {noun}", compact(number as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_becomes_brighter_with_the_value() {
        let brightness = |share| on_scale(share).map(u32::from).iter().sum::<u32>();
        assert!(brightness(0.0) < brightness(0.5) && brightness(0.5) < brightness(1.0));
        assert_eq!(on_scale(7.0), on_scale(1.0));
        assert_eq!([f32::NAN, -7.0].map(on_scale), [on_scale(0.0); 2]);
    }

    #[test]
    fn neighbouring_kinds_differ() {
        for kind in 0..50 {
            let (a, b) = (of_kind(kind), of_kind(kind + 1));
            let distance: u32 = (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum();
            assert!(distance > 60, "{kind}: {a:?} {b:?}");
        }
        assert_eq!(of_kind(u32::MAX), GREY);
    }
}
