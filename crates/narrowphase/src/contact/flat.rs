//! Contact sets as they are seen along y: of bodies that stay in their x-z planes and rotate about y only.

use glam::{DVec3, Vec3Swizzles};

use super::feature::Feature;
use super::patch::FLATNESS;
use super::{ContactKind, ContactPoint, Extent};
use crate::body::Body;

/// The largest component of a unit vector along y, or across it, that is rounding.
const LEVEL: f64 = 1e-6;

/// Whether contacts along a unit vector are seen along y.
pub(super) fn is_seen(normal: DVec3) -> bool {
    normal.y.abs() <= LEVEL
}

/// Moves the points of a set, those from `start` on, to the middle between the planes of both bodies, and keeps those at its
/// two ends, the one with the smaller id first: of points that differ in y alone the one with the smallest id, which stays
/// the same from frame to frame.
pub(super) fn keep_ends(
    points: &mut Vec<ContactPoint>,
    start: usize,
    normal: DVec3,
    [a, b]: [&Body; 2],
) -> Extent {
    let y = 0.5 * (a.pose.position.y + b.pose.position.y);
    let same = FLATNESS * (a.bounding_radius() + b.bounding_radius());
    let along = normal.cross(DVec3::Y);
    for point in &mut points[start..] {
        point.position.y = y;
    }
    let place = |point: &ContactPoint| along.dot(point.position);
    let own = &points[start..];
    let (low, high) = own
        .iter()
        .map(place)
        .fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
    let end = |at: f64| {
        let near = own.iter().filter(|point| (place(point) - at).abs() <= same);
        near.min_by_key(|point| point.id).copied()
    };
    let ends = [end(low), if high - low <= same { None } else { end(high) }];
    points.truncate(start);
    points.extend(ends.into_iter().flatten());
    let own = &mut points[start..];
    own.sort_unstable_by_key(|point| point.id);
    match own {
        [from, to] => Extent::Segment { length: along.dot(to.position - from.position).abs() },
        _ => Extent::Point,
    }
}

/// The kind of a set, given each body with its part and the part's feature: a corner on a side is a vertex on an edge.
pub(super) fn kind(features: [(&Body, usize, Feature); 2]) -> ContactKind {
    match features.map(|(body, part, feature)| is_corner(body, part, feature)) {
        [true, true] => ContactKind::VertexVertex,
        [false, false] => ContactKind::EdgeEdge,
        _ => ContactKind::VertexEdge,
    }
}

/// An edge along y is a corner; faces and other edges are sides.
fn is_corner(body: &Body, part: usize, feature: Feature) -> bool {
    match feature {
        Feature::Vertex(_) => true,
        Feature::Face(_) => false,
        Feature::Edge(ends) => {
            let vertices = body.shape.parts()[part].core().vertices();
            let [from, to] = ends.map(|end| vertices[usize::from(end)]);
            let along = body.pose.rotation * (to - from).normalize_or_zero();
            along.xz().length() <= LEVEL
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::body::Pose;
    use crate::contact::{ContactMemory, Contacts};
    use crate::reference::Reference;
    use crate::shape::Shape;

    fn square() -> Shape {
        let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        Shape::polygon(0.6, &corners).unwrap().shape
    }

    fn contacts_of(one: &Shape, first: Pose, other: &Shape, second: Pose) -> Contacts {
        let (a, b) = (Body::new(one, first), Body::new(other, second));
        let mut reference = Reference::new();
        reference.examine(&a, &b);
        let mut contacts = Contacts { is_flat: true, ..Contacts::new() };
        contacts.find(&a, &b, reference.parts());
        contacts
    }

    fn at(x: f64, y: f64, z: f64, degrees: f64) -> Pose {
        let rotation = DQuat::from_rotation_y(degrees.to_radians());
        Pose { position: DVec3::new(x, y, z), rotation }
    }

    #[test]
    fn corners_are_points_and_sides_are_segments() {
        use ContactKind::{EdgeEdge, VertexEdge};
        let (square, capsule) = (square(), Shape::capsule(0.2, 2.0).unwrap());
        let reach = 0.5f64.sqrt() - 0.01;
        let along_z = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let lying = |x: f64| Pose { position: DVec3::X * x, rotation: along_z };
        let here = Pose::IDENTITY;
        let table = [
            (&square, here, &square, at(0.5 + reach, 0.2, 0.1, 45.0), VertexEdge, None),
            (&square, here, &square, at(0.99, 0.0, 0.25, 0.0), EdgeEdge, Some(0.75)),
            (&square, here, &capsule, lying(0.69), EdgeEdge, Some(1.0)),
            (&capsule, lying(0.0), &square, at(0.2 + reach, 0.0, 0.0, 45.0), VertexEdge, None),
        ];
        for (one, first, other, second, kind, expected) in table {
            let contacts = contacts_of(one, first, other, second);
            let [set] = contacts.sets() else { panic!("{:?}", contacts.sets()) };
            assert_eq!(set.kind, kind);
            match set.extent {
                Extent::Segment { length } => assert!((length - expected.unwrap()).abs() < 1e-9),
                extent => assert_eq!((extent, expected), (Extent::Point, None)),
            }
            let y = 0.5 * second.position.y;
            let is_right = |of: &ContactPoint| of.position.y == y && (of.depth - 0.01).abs() < 1e-9;
            assert!(contacts.points().iter().all(is_right), "{:?}", contacts.points());
            assert_eq!(contacts.points().len(), if expected.is_some() { 2 } else { 1 });
        }
    }

    #[test]
    fn each_pair_of_parts_keeps_its_own_points() {
        let square = square();
        let parts = [at(0.0, 0.0, -1.0, 0.0), at(0.0, 0.0, 1.0, 0.0)];
        let two = Shape::compound(&parts.map(|pose| (&square, pose))).unwrap();
        let contacts = contacts_of(&two, Pose::IDENTITY, &two, at(0.99, 0.0, 0.0, 0.0));
        let sides = contacts.sets().iter().map(|set| contacts.points_of(set));
        let sides: Vec<_> = sides.map(|of| (of.len(), of[0].position.z.signum())).collect();
        assert_eq!(sides, [(2, -1.0), (2, 1.0)]);
    }

    #[test]
    fn points_of_a_sliding_square_are_kept() {
        let square = square();
        let mut memory = ContactMemory::default();
        for step in 0..20 {
            let moved = f64::from(step);
            let pose = at(0.99, 0.0, 0.1 + 0.01 * moved, 1e-9 * moved);
            let mut contacts = contacts_of(&square, Pose::IDENTITY, &square, pose);
            memory.mark(&mut contacts);
            assert!(contacts.points().iter().all(|point| point.is_kept == (step > 0)), "{step}");
        }
    }

    #[test]
    fn contact_along_y_stays_as_it_is_in_space() {
        let square = square();
        let contacts = contacts_of(&square, Pose::IDENTITY, &square, at(0.2, 0.59, 0.0, 0.0));
        assert_eq!(contacts.sets()[0].kind, ContactKind::FaceFace);
        assert_eq!(contacts.points().len(), 4);
    }
}
