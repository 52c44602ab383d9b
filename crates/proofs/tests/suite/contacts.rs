//! Contact sets: known ones by hand, and what must hold for all.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::{pairs_of_each, random_numbers, shapes};
use narrowphase::contact::{
    ContactKind, ContactMemory, ContactPoint, ContactSet, Contacts, Extent, Feature,
};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Body, PartVerdict, Pose, Reference, Shape, size_of_pair};
use proofs::contact_fault;

fn contacts_of(a: &Body, b: &Body) -> Contacts {
    contacts_in(false, a, b)
}

fn contacts_in(is_flat: bool, a: &Body, b: &Body) -> Contacts {
    let mut reference = Reference::new();
    reference.examine(a, b);
    let mut contacts = Contacts::new();
    contacts.is_flat = is_flat;
    contacts.find(a, b, reference.parts());
    contacts
}

/// The only set of two bodies.
fn set_of(a: &Body, b: &Body) -> (ContactSet, Vec<ContactPoint>) {
    let contacts = contacts_of(a, b);
    let [set] = contacts.sets() else { panic!("{} sets", contacts.sets().len()) };
    (set.clone(), contacts.points_of(set).to_vec())
}

fn at(position: DVec3, rotation: DQuat) -> Pose {
    Pose { position, rotation }
}

/// Rotations that put an edge, or a corner, of a cube below.
fn edge_down() -> DQuat {
    DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4)
}

fn corner_down() -> DQuat {
    DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Y)
}

#[test]
fn kinds_of_contact_of_two_cubes_are_told_apart() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let below = Body::new(&cube, Pose::IDENTITY);
    let (half, edge, corner) = (0.5, 0.5f64.sqrt(), 0.75f64.sqrt());
    let depth = 0.01;
    let above = |reach: f64, rotation| {
        Body::new(&cube, at(DVec3::new(0.25, half + reach - depth, 0.0), rotation))
    };
    let (set, points) = set_of(&below, &above(half, DQuat::IDENTITY));
    assert_eq!((set.kind, points.len()), (ContactKind::FaceFace, 4));
    let Extent::Polygon { area } = set.extent else { panic!("{:?}", set.extent) };
    assert!((area - 0.75).abs() < 1e-12);

    let (set, points) = set_of(&below, &above(edge, edge_down()));
    assert_eq!((set.kind, points.len()), (ContactKind::EdgeFace, 2));
    let Extent::Segment { length } = set.extent else { panic!("{:?}", set.extent) };
    assert!((length - 1.0).abs() < 1e-12);
    assert!(points.iter().all(|point| matches!(point.id.feature_b, Feature::Vertex(_))));

    let (set, points) = set_of(&below, &above(corner, corner_down()));
    assert_eq!((set.kind, set.extent), (ContactKind::VertexFace, Extent::Point));
    assert!((points[0].position - DVec3::new(0.25, 0.495, 0.0)).length() < 1e-12);
    assert!((points[0].depth - depth).abs() < 1e-12);
    assert!(set.normal.distance(DVec3::Y) < 1e-12);

    // An edge along x above an edge along z.
    let below = Body::new(&cube, at(DVec3::ZERO, edge_down()));
    let turned = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2) * edge_down();
    let crossing = Body::new(&cube, at(DVec3::Y * (2.0 * edge - depth), turned));
    let (set, points) = set_of(&below, &crossing);
    assert_eq!((set.kind, set.extent), (ContactKind::EdgeEdge, Extent::Point));
    assert!(points[0].position.distance(DVec3::Y * (edge - depth / 2.0)) < 1e-12);
    assert!((set.depth - depth).abs() < 1e-12);
}

#[test]
fn rounded_parts_touch_at_vertices_and_edges_of_their_cores() {
    let ball = Shape::sphere(0.5).unwrap();
    let capsule = Shape::capsule(0.5, 2.0).unwrap();
    // Capsules are along y.
    let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let beside = DVec3::X * 0.9;
    let table = [
        (&ball, &ball, at(beside, DQuat::IDENTITY), ContactKind::VertexVertex, None),
        (&capsule, &ball, at(beside, DQuat::IDENTITY), ContactKind::VertexEdge, None),
        (&capsule, &capsule, at(beside, lying), ContactKind::EdgeEdge, None),
        (
            &capsule,
            &capsule,
            at(beside + DVec3::Y * 0.5, DQuat::IDENTITY),
            ContactKind::EdgeEdge,
            Some(1.5),
        ),
    ];
    for (one, other, pose, kind, expected) in table {
        let (set, points) = set_of(&Body::new(one, Pose::IDENTITY), &Body::new(other, pose));
        assert_eq!(set.kind, kind);
        assert!((set.depth - 0.1).abs() < 1e-12 && set.normal.distance(DVec3::X) < 1e-12);
        match set.extent {
            Extent::Segment { length } => assert!((length - expected.unwrap()).abs() < 1e-12),
            extent => assert_eq!((extent, expected), (Extent::Point, None)),
        }
        assert!(points.iter().all(|point| (point.position.x - 0.45).abs() < 1e-12), "{points:?}");
    }
}

#[test]
fn segment_just_beside_a_face_touches_along_its_whole_length() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let capsule = Shape::capsule(0.5, 2.0).unwrap();
    // Tilted by less than the flatness, so that the face is its feature, and the segment is outside it.
    let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let beside = at(DVec3::new(0.5 + 1e-8, 0.9, 0.0), lying);
    let (set, _) = set_of(&Body::new(&cube, Pose::IDENTITY), &Body::new(&capsule, beside));
    let Extent::Segment { length } = set.extent else { panic!("{:?}", set.extent) };
    assert!((length - 1.0).abs() < 1e-6, "{length}");
}

#[test]
fn segment_shorter_than_the_flatness_stands_on_a_face() {
    let floor = Shape::cuboid(DVec3::new(100.0, 1.0, 100.0)).unwrap();
    let long = Shape::capsule(0.5, 3.0).unwrap();
    let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    for segment in [1e-6, 1e-8, 1e-9] {
        let capsule = Shape::capsule(0.5, segment).unwrap();
        let standing = Body::new(&capsule, at(DVec3::Y * 0.99, DQuat::IDENTITY));
        let below = Body::new(&long, at(DVec3::ZERO, lying));
        let pairs = [
            (Body::new(&floor, Pose::IDENTITY), standing),
            (standing, Body::new(&floor, Pose::IDENTITY)),
            (below, standing),
            (standing, below),
        ];
        for (a, b) in pairs {
            let (set, points) = set_of(&a, &b);
            assert!((set.depth - 0.01).abs() < 1e-5, "{segment}: {set:?}");
            let is_right = |point: &ContactPoint| {
                point.position.distance(DVec3::Y * 0.495) < 1e-5
                    && (point.depth - 0.01).abs() < 1e-5
            };
            assert!(points.iter().all(is_right), "{segment}: {points:?}");
        }
    }
}

/// Found by the fuzzer: the point was at the segment of the wide capsule, nearly 1 beside the small body.
#[test]
fn small_body_deep_in_a_wide_capsule_has_the_point() {
    let wide = Shape::capsule(1e6, 2.0).unwrap();
    let ball = Shape::sphere(0.125).unwrap();
    let cube = Shape::cuboid(DVec3::splat(0.125)).unwrap();
    // Beside an end of the segment, and beside its middle.
    let end = (DVec3::Y, DVec3::new(0.8, 0.6, 0.0), DVec3::new(-0.6, 0.8, 0.0));
    let middle = (DVec3::ZERO, DVec3::X, DVec3::Z);
    for (shape, (from, toward, aside)) in
        [(&ball, end), (&cube, end), (&ball, middle), (&cube, middle)]
    {
        let center = from + toward * 935_000.0;
        let capsule = Body::new(&wide, Pose::IDENTITY);
        let inside = Body::new(shape, at(center, DQuat::IDENTITY));
        // As far from the exact axis as an exact method may be.
        let tilted = (toward + aside * 1e-6).normalize();
        let gap = 935_000.0 - 1e6 - 0.125;
        let mut contacts = Contacts::new();
        for (a, b, axis) in [(&capsule, &inside, tilted), (&inside, &capsule, -tilted)] {
            let verdict = PartVerdict { part_a: 0, part_b: 0, gap, axis, point: None };
            contacts.find(a, b, &[verdict]);
            let [ContactPoint { position, depth, .. }] = contacts.points() else {
                panic!("{contacts:?}")
            };
            let on_inside = *position - tilted * (depth / 2.0);
            assert!((on_inside - center).length() < 0.3, "{on_inside} is beside {center}");
        }
    }
}

#[test]
fn small_body_on_a_floor_keeps_its_own_features() {
    let floor = Shape::cuboid(DVec3::new(100.0, 1.0, 100.0)).unwrap();
    let crumb = Shape::cuboid(DVec3::splat(0.01)).unwrap();
    // On one edge: the other edges of its lower face are 6e-6 higher.
    let tilted = at(DVec3::Y * 0.5049, DQuat::from_rotation_z(6e-4));
    let (set, points) = set_of(&Body::new(&floor, Pose::IDENTITY), &Body::new(&crumb, tilted));
    assert_eq!((set.kind, points.len()), (ContactKind::EdgeFace, 2));
}

#[test]
fn faces_turned_by_a_rounding_have_no_point_outside() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let above = at(DVec3::new(2.73e-12, 0.99, 0.0), DQuat::from_rotation_y(5e-13));
    let (_, points) = set_of(&Body::new(&cube, Pose::IDENTITY), &Body::new(&cube, above));
    assert!(points.len() >= 4);
    let is_inside = |point: &ContactPoint| {
        point.position.x.abs() < 0.5 + 1e-9 && point.position.z.abs() < 0.5 + 1e-9
    };
    assert!(points.iter().all(is_inside), "{points:?}");
}

#[test]
fn rotated_faces_have_the_area_of_their_intersection() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let eighth = at(DVec3::Y * 0.99, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4));
    let (set, points) = set_of(&Body::new(&cube, Pose::IDENTITY), &Body::new(&cube, eighth));
    let Extent::Polygon { area } = set.extent else { panic!("{:?}", set.extent) };
    // A regular octagon around a circle of diameter 1.
    assert!((area - 2.0 * (2f64.sqrt() - 1.0)).abs() < 1e-12, "{area}");
    let is_crossing = |point: &ContactPoint| {
        matches!((point.id.feature_a, point.id.feature_b), (Feature::Edge(_), Feature::Edge(_)))
    };
    assert_eq!(points.iter().filter(|point| is_crossing(point)).count(), 8);
}

#[test]
fn points_are_new_once_and_kept_while_the_same_features_meet() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let below = Body::new(&cube, Pose::IDENTITY);
    let mut memory = ContactMemory::default();
    let mut kept_above = |x: f64| {
        let above = Body::new(&cube, at(DVec3::new(x, 0.99, 0.1), DQuat::IDENTITY));
        let mut contacts = contacts_of(&below, &above);
        memory.mark(&mut contacts);
        contacts.points().iter().filter(|point| point.is_kept).count()
    };
    assert_eq!([kept_above(0.2), kept_above(0.3)], [0, 4]);
    // On the other side other vertices are above the face: two corners are new edges, too.
    assert!(kept_above(-0.3) < 4);
}

#[test]
fn compounds_have_a_set_for_each_pair_of_parts_that_touches() {
    let jacks = shapes::compounds();
    let jack = &jacks[0].1;
    let floor = Shape::cuboid(DVec3::new(4.0, 1.0, 4.0)).unwrap();
    let below = Body::new(&floor, Pose::IDENTITY);
    // Three of the six ends of a jack that stands on three feet.
    let rotation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    let mut reference = Reference::new();
    let gap = reference.examine(&below, &Body::new(jack, at(DVec3::Y * 3.0, rotation))).gap;
    let above = Body::new(jack, at(DVec3::Y * (3.0 - gap - 0.01), rotation));
    let contacts = contacts_of(&below, &above);
    assert_eq!(contacts.sets().len(), 3);
    let parts: Vec<_> = contacts.sets().iter().map(|set| (set.part_a, set.part_b)).collect();
    assert_eq!(parts, [(0, 0), (0, 1), (0, 2)]);
}

/// A square prism of depth 0.6.
fn square() -> Shape {
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    Shape::polygon(0.6, &corners).unwrap().shape
}

#[test]
fn corners_are_points_and_sides_are_segments_in_a_flat_scene() {
    use ContactKind::{EdgeEdge, FaceFace, VertexEdge};
    let (square, capsule) = (square(), Shape::capsule(0.2, 2.0).unwrap());
    let placed = |x, y, z, degrees: f64| {
        at(DVec3::new(x, y, z), DQuat::from_rotation_y(degrees.to_radians()))
    };
    let lying = |x| at(DVec3::X * x, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let reach = 0.5f64.sqrt() - 0.01;
    let turned = placed(0.5 + reach, 0.2, 0.1, 45.0);
    let here = Pose::IDENTITY;
    let table = [
        (&square, here, &square, turned, VertexEdge, 1, None),
        (&square, here, &square, placed(0.99, 0.0, 0.25, 0.0), EdgeEdge, 2, Some(0.75)),
        (&square, here, &capsule, lying(0.69), EdgeEdge, 2, Some(1.0)),
        (&capsule, lying(0.0), &square, placed(0.2 + reach, 0.0, 0.0, 45.0), VertexEdge, 1, None),
        // Along y it stays as it is in space.
        (&square, here, &square, placed(0.2, 0.59, 0.0, 0.0), FaceFace, 4, None),
    ];
    for (one, first, other, second, kind, count, length) in table {
        let contacts = contacts_in(true, &Body::new(one, first), &Body::new(other, second));
        let [set] = contacts.sets() else { panic!("{:?}", contacts.sets()) };
        assert_eq!((set.kind, contacts.points().len()), (kind, count));
        if let Extent::Segment { length: found } = set.extent {
            assert!((found - length.unwrap()).abs() < 1e-9, "{found}");
        }
        let y = 0.5 * second.position.y;
        let is_right =
            |of: &ContactPoint| (of.position.y - y).abs() < 1e-12 && (of.depth - 0.01).abs() < 1e-9;
        assert!(contacts.points().iter().all(is_right), "{:?}", contacts.points());
    }
    // Each pair of parts keeps its own points.
    let parts = [-1.0, 1.0].map(|z| (&square, placed(0.0, 0.0, z, 0.0)));
    let two = Shape::compound(&parts).unwrap();
    let beside = Body::new(&two, placed(0.99, 0.0, 0.0, 0.0));
    let contacts = contacts_in(true, &Body::new(&two, here), &beside);
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
        let rotation = DQuat::from_rotation_y(1e-11 * moved);
        let aside = Body::new(&square, at(DVec3::new(0.99, 0.0, 0.1 + 0.01 * moved), rotation));
        let mut contacts = contacts_in(true, &Body::new(&square, Pose::IDENTITY), &aside);
        memory.mark(&mut contacts);
        assert!(contacts.points().iter().all(|point| point.is_kept == (step > 0)), "{step}");
    }
}

/// Laws of every contact set: points are between both surfaces, and the deepest is as deep
/// as the set. The second body moved by the depth along the normal only touches.
#[test]
fn random_contact_sets_are_between_surfaces_and_end_the_overlap() {
    let shapes = shapes::convex_shapes();
    let mut random = random_numbers(5);
    let mut kinds = BTreeMap::<&str, usize>::new();
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            for placing in Placing::ALL {
                for _ in 0..pairs_of_each() {
                    let [first, second] = random_poses(a, b, placing, &mut random);
                    let (one, other) = (Body::new(a, first), Body::new(b, second));
                    let contacts = contacts_of(&one, &other);
                    let Some(set) = contacts.sets().first() else { continue };
                    *kinds.entry(set.kind.id()).or_default() += 1;
                    let describe = || format!("{name_a} {name_b} {placing:?} {first:?} {second:?}");
                    check_set(&one, &other, set, &contacts, &describe);
                }
            }
        }
    }
    println!("{kinds:?}");
    assert_eq!(kinds.len(), ContactKind::ALL.len(), "{kinds:?}");
}

fn check_set(
    a: &Body,
    b: &Body,
    set: &ContactSet,
    contacts: &Contacts,
    describe: &dyn Fn() -> String,
) {
    // A vertex up to 1e-7 behind the furthest one belongs to the feature.
    let slack = 3e-7 * size_of_pair(a, b);
    let points = contacts.points_of(set);
    let deepest = points.iter().map(|point| point.depth).fold(f64::MIN, f64::max);
    assert!((deepest - set.depth).abs() <= slack, "{deepest} {set:?} {}", describe());
    assert_eq!(contact_fault(contacts, a, b), None, "{set:?} {}", describe());
    for point in points {
        for (body, feature) in [(a, point.id.feature_a), (b, point.id.feature_b)] {
            let aside = distance_aside(body, feature, point.position, set.normal);
            assert!(aside <= slack, "{aside} {point:?} {set:?} {}", describe());
        }
    }
    let apart = Pose { position: b.pose.position + set.normal * set.depth, ..b.pose };
    let gap = Reference::new().examine(a, &Body { pose: apart, ..*b }).gap;
    assert!(gap.abs() <= 1e-9 * size_of_pair(a, b), "{gap} {set:?} {}", describe());
}

/// How far a point is from the feature that it is named by, seen along the normal.
fn distance_aside(body: &Body, feature: Feature, point: DVec3, normal: DVec3) -> f64 {
    let core = body.shape.parts()[0].core();
    let at = |i: u8| {
        let vertex = body.pose.point(core.vertices()[usize::from(i)] * body.scale) - point;
        vertex - normal * vertex.dot(normal)
    };
    match feature {
        Feature::Vertex(i) => at(i).length(),
        Feature::Edge([from, to]) => {
            let (from, along) = (at(from), at(to) - at(from));
            let share = (-from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (from + along * share).length()
        }
        Feature::Face(_) => 0.0,
    }
}
