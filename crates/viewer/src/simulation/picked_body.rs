//! An inspected body, and the distances of its neighbours.

use glam::DVec3;
use narrowphase::Reference;
use narrowphase::contact::{ContactKind, Contacts, Extent};
use sim::Bodies;

/// A body, and its neighbours as the reference sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct PickedBody {
    /// Name of its shape.
    pub shape: String,
    /// Convex parts of the shape.
    pub parts: usize,
    /// Volume in cubic units. Where parts overlap, it counts as often.
    pub volume: f64,
    /// Mass, infinite for a static body; a ball of radius 1 has mass 1.
    pub mass: f64,
    /// Angular velocity in rad/s, in the world's frame.
    pub spin: DVec3,
    /// The bodies whose boxes overlap its box: those that touch it, then the others, each by ascending gap.
    pub neighbours: Vec<Neighbour>,
    /// The number of those that touch it.
    pub hits: usize,
}

/// A body near the inspected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Its number.
    pub object: u32,
    /// The distance, or the negative penetration depth.
    pub gap: f64,
    /// Unit vector of the world from the inspected body to this one: the gap is along it. For compounds, from the
    /// nearest pair of parts.
    pub axis: DVec3,
    /// The contact set, if they touch.
    pub contact: Option<Contact>,
}

/// The contact set of two bodies; for compounds, that of the deepest pair of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Which features meet.
    pub kind: ContactKind,
    /// Its size.
    pub extent: Extent,
    /// The number of pairs of parts that touch, each of which has a set.
    pub sets: usize,
}

impl Contact {
    fn of(contacts: &Contacts) -> Option<Self> {
        let sets = contacts.sets();
        let deepest = sets.iter().max_by(|a, b| a.depth.total_cmp(&b.depth))?;
        Some(Self { kind: deepest.kind, extent: deepest.extent, sets: sets.len() })
    }
}

impl PickedBody {
    /// Describes a body. The candidates and those of them that touch it are ascending.
    pub(super) fn of(bodies: &Bodies, object: u32, candidates: &[u32], hits: &[u32]) -> Self {
        let at = object as usize;
        let body = bodies.body(at);
        let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
        contacts.is_flat = bodies.is_flat();
        let mut neighbour = |object: &u32| {
            let other = bodies.body(*object as usize);
            reference.examine(&body, &other);
            let parts = reference.parts().iter();
            let nearest = parts.min_by(|one, other| one.gap.total_cmp(&other.gap))?;
            contacts.find(&body, &other, reference.parts());
            let contact = Contact::of(&contacts);
            Some(Neighbour { object: *object, gap: nearest.gap, axis: nearest.axis, contact })
        };
        let mut neighbours: Vec<_> = candidates.iter().filter_map(&mut neighbour).collect();
        // As the step decided, also where rounding makes the gap of bodies that touch positive.
        let touches = |one: &Neighbour| hits.binary_search(&one.object).is_ok();
        neighbours.sort_by(|a, b| {
            let order = touches(b).cmp(&touches(a)).then(a.gap.total_cmp(&b.gap));
            order.then(a.object.cmp(&b.object))
        });
        let hits = neighbours.iter().filter(|one| touches(one)).count();
        Self {
            shape: bodies.shapes()[bodies.shape_of(at)].name.clone(),
            parts: body.shape.parts().len(),
            volume: body.shape.mass().volume * body.scale.powi(3),
            mass: bodies.mass(at),
            spin: bodies.angular_velocity(at),
            neighbours,
            hits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{SceneDocument, World};

    #[test]
    fn bodies_that_touch_come_first_as_the_step_decided() {
        let text = b"i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!shape cube box 1 1 1\n\
            #!body cube 0 0 0  0 0 0\n#!body cube 1.5 0 0  0 0 0\n#!body cube -1.75 0 0  0 0 0\n";
        let document = SceneDocument::parse("near.scene", text).unwrap();
        let world = World::new(document.scene());
        let bodies = world.bodies().unwrap();
        let list = |hits: &[u32]| {
            let body = PickedBody::of(bodies, 0, &[1, 2], hits);
            let near = body.neighbours.iter().map(|near| (near.object, near.gap));
            (near.collect::<Vec<_>>(), body.hits)
        };
        assert_eq!(list(&[]), (vec![(1, 0.5), (2, 0.75)], 0));
        assert_eq!(list(&[2]), (vec![(2, 0.75), (1, 0.5)], 1));
    }

    #[test]
    fn contacts_in_a_plane_are_points_and_segments() {
        let text = "i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!shape cube box 1 1 1\n\
            #!body cube 0 0 0  0 0 0\n#!body cube 0.9 0 0.5  0 0 0\n";
        let contact = |text: String| {
            let document = SceneDocument::parse("flat.scene", text.as_bytes()).unwrap();
            let world = World::new(document.scene());
            let body = PickedBody::of(world.bodies().unwrap(), 0, &[1], &[1]);
            body.neighbours[0].contact.unwrap().extent
        };
        let Extent::Polygon { area } = contact(text.to_owned()) else { panic!("no area") };
        assert!((area - 0.5).abs() < 1e-9);
        let flat = contact(format!("{text}#!flat\n"));
        let Extent::Segment { length } = flat else { panic!("{flat:?}") };
        assert!((length - 0.5).abs() < 1e-9);
    }
}
