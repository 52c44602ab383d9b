//! Values of the objects, shown as their colours.

use crate::session::Session;
use crate::view::ColorBy;
use broadphase::inspect::{region_by_object, tests_by_object};
use broadphase::{Aabb, Layer};
use glam::{DVec3, Vec3};
use sim::World;

/// A value for each object, shown as its colour.
#[derive(Clone, Debug, Default)]
pub enum Tint {
    /// None.
    #[default]
    Plain,
    /// On a scale from 0 to `top`.
    Scale {
        /// Index = object; NaN where it is unknown.
        values: Vec<f32>,
        /// The largest value of the scale, above 0.
        top: f32,
        /// Number of present objects whose value is unknown.
        unknown: usize,
    },
    /// One of several kinds.
    Kind {
        /// Index = object; `u32::MAX` for none.
        of_object: Vec<u32>,
        /// Names of kinds, where they have any.
        names: Vec<(u32, String)>,
        /// Number of present objects of each kind that occurs, by ascending kind.
        counts: Vec<(u32, usize)>,
    },
}

impl Tint {
    /// The values of a session's objects.
    pub(super) fn of(session: &Session, color: ColorBy) -> Self {
        let motion = session.motion();
        let (boxes, inspect) = (motion.boxes(), session.structure().inspect());
        let objects = boxes.len();
        let names = |names: &[(u32, &str)]| {
            names.iter().map(|(kind, name)| (*kind, (*name).to_owned())).collect()
        };
        match color {
            ColorBy::Plain => Tint::Plain,
            ColorBy::Velocity => {
                let speed = |object| motion.velocity(object).map_or(f32::NAN, Vec3::length);
                Tint::scale((0..objects).map(speed), boxes)
            }
            ColorBy::Collisions => Tint::scale(motion.heat().iter().copied(), boxes),
            ColorBy::Tests => {
                let mut tests = vec![0; objects];
                tests_by_object(inspect, &mut tests);
                Tint::scale(tests.iter().map(|tests| *tests as f32), boxes)
            }
            ColorBy::Region => {
                let mut kinds = vec![u32::MAX; objects];
                region_by_object(inspect, &mut kinds);
                Tint::kinds(kinds, Vec::new(), boxes)
            }
            ColorBy::Source => {
                let origin = |object| session.world().and_then(|world| world.origin(object));
                let kinds = (0..objects).map(|object| origin(object).unwrap_or(u32::MAX)).collect();
                let mut tint = Tint::kinds(kinds, Vec::new(), boxes);
                if let Tint::Kind { names, counts, .. } = &mut tint {
                    // A deleted source is listed nowhere else.
                    let numbers = counts.iter().map(|(kind, _)| *kind).filter(|k| *k != u32::MAX);
                    names.extend(numbers.map(|number| (number, format!("source {number}"))));
                }
                tint
            }
            ColorBy::Touching => {
                let mut kinds = vec![u32::MAX; objects];
                let [_, contacts] = motion.contacts();
                let of_bodies = contacts.iter().flat_map(|pair| [pair.a, pair.b]);
                let spheres = if motion.has_bodies() { 0 } else { objects as u32 };
                let of_spheres = (0..spheres).filter(|of| motion.hit_glow(*of as usize) >= 1.0);
                of_bodies.chain(of_spheres).for_each(|object| kinds[object as usize] = 0);
                Tint::kinds(kinds, names(&[(0, "touching"), (u32::MAX, "apart")]), boxes)
            }
            ColorBy::Layer => by_layer(session),
            ColorBy::Resting => {
                let kind = |object: usize| match motion.velocity(object) {
                    _ if layer_of(session, object).is_static => 2,
                    Some(velocity) => {
                        u32::from(velocity == Vec3::ZERO && !rotates(session, object))
                    }
                    None => u32::MAX,
                };
                let of = [(0, "moving"), (1, "resting"), (2, "static"), (u32::MAX, "unknown")];
                Tint::kinds((0..objects).map(kind).collect(), names(&of), boxes)
            }
        }
    }

    /// A scale from 0 to the largest value.
    fn scale(values: impl Iterator<Item = f32>, boxes: &[Aabb]) -> Self {
        let values: Vec<f32> = values.collect();
        // `max` passes NaN over.
        let top = values.iter().copied().fold(0.0, f32::max);
        let is_unknown = |(value, b): &(&f32, &Aabb)| value.is_nan() && !b.is_empty();
        let unknown = values.iter().zip(boxes).filter(is_unknown).count();
        Tint::Scale { values, top: if top > 0.0 { top } else { 1.0 }, unknown }
    }

    fn kinds(of_object: Vec<u32>, names: Vec<(u32, String)>, boxes: &[Aabb]) -> Self {
        let counts = counts(&of_object, |object| !boxes[object].is_empty());
        Tint::Kind { of_object, names, counts }
    }
}

/// Kinds and how often each occurs among the present objects, by ascending kind.
fn counts(kinds: &[u32], is_present: impl Fn(usize) -> bool) -> Vec<(u32, usize)> {
    let present = (0..).zip(kinds).filter(|(object, _)| is_present(*object));
    let mut sorted: Vec<u32> = present.map(|(_, kind)| *kind).collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
}

/// Colours the objects by their layers, which are numbered in the order of their first objects.
fn by_layer(session: &Session) -> Tint {
    let mut layers: Vec<Layer> = Vec::new();
    let boxes = session.motion().boxes();
    let kind = |object| {
        let layer = layer_of(session, object);
        let known = layers.iter().position(|known| *known == layer);
        known.unwrap_or_else(|| {
            layers.push(layer);
            layers.len() - 1
        }) as u32
    };
    let kinds = (0..boxes.len()).map(kind).collect();
    let names = (0..).zip(&layers).map(|(kind, layer)| (kind, layer_name(layer)));
    Tint::kinds(kinds, names.collect(), boxes)
}

/// Whether an object is a body with an angular velocity.
fn rotates(session: &Session, object: usize) -> bool {
    let bodies = session.world().and_then(World::bodies);
    bodies.is_some_and(|bodies| bodies.angular_velocity(object) != DVec3::ZERO)
}

fn layer_of(session: &Session, object: usize) -> Layer {
    session.motion().layers().get(object).copied().unwrap_or_default()
}

fn layer_name(layer: &Layer) -> String {
    let mut name = format!("group {}", layer.group);
    if layer.is_static {
        name += ", static";
    }
    match layer.mask.count_ones() {
        u32::BITS => {}
        0 => name += ", meets none",
        1 => name += &format!(", meets group {}", layer.mask.trailing_zeros()),
        groups => name += &format!(", meets {groups} groups"),
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_in_ascending_order() {
        let kinds = [7, u32::MAX, 2, 7, 7];
        assert_eq!(counts(&kinds, |_| true), [(2, 1), (7, 3), (u32::MAX, 1)]);
        assert_eq!(counts(&kinds, |object| object != 4), [(2, 1), (7, 2), (u32::MAX, 1)]);
        assert!(counts(&[], |_| true).is_empty());
    }

    #[test]
    fn layers_are_named_by_what_differs() {
        let name = |mask, is_static| layer_name(&Layer { mask, group: 3, is_static });
        assert_eq!(name(u32::MAX, false), "group 3");
        assert_eq!(name(0b100, true), "group 3, static, meets group 2");
        assert_eq!(
            [name(0b101, false), name(0, false)],
            ["group 3, meets 2 groups", "group 3, meets none"]
        );
    }
}
