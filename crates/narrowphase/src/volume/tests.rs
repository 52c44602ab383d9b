//! Every volume of the registry: it contains its body, never separates bodies that touch, and has
//! the stated volume.

use std::f64::consts::PI;
use std::sync::LazyLock;

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::{Outline, Placed, VOLUMES, Volume, VolumeKind, find};
use crate::answer::Answer;
use crate::body::{Body, Pose};
use crate::reference::Reference;
use crate::shape::{Part, Shape};

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let rod = Shape::cuboid(DVec3::new(0.3, 4.0, 0.3)).unwrap();
    let ball = Shape::sphere(0.8).unwrap();
    let pose = |x: f64, y: f64| Pose {
        position: DVec3::new(x, y, -0.5 * x),
        rotation: DQuat::from_xyzw(x, 0.2, -y, 1.0).normalize(),
    };
    vec![
        Shape::compound(&[
            (&rod, pose(0.3, 0.1)),
            (&ball, pose(-1.0, 2.0)),
            (&cube, pose(1.0, 1.0)),
        ])
        .unwrap(),
        cube,
        rod,
        ball,
        Shape::tetrahedron(1.5).unwrap(),
        Shape::capsule(0.2, 3.0).unwrap(),
        Shape::cone(1.0, 1.5, 7).unwrap(),
        Shape::hull(16, 5).unwrap(),
    ]
});

static FITTED: LazyLock<Vec<(&VolumeKind, Box<dyn Volume>)>> =
    LazyLock::new(|| VOLUMES.iter().map(|kind| (kind, (kind.fit)(&SHAPES, false))).collect());

/// A body of one of the shapes.
#[derive(Clone, Copy, Debug)]
struct Placement {
    shape: usize,
    scale: f64,
    pose: Pose,
}

impl Placement {
    fn numbers(&self, volume: &dyn Volume) -> Vec<f64> {
        let mut numbers = vec![0.0; volume.width()];
        volume.place(self.shape, self.scale, self.pose.rotation, &mut numbers);
        numbers
    }

    fn placed<'a>(&self, numbers: &'a [f64]) -> Placed<'a> {
        Placed { shape: self.shape, position: self.pose.position, numbers }
    }

    fn parts(&self) -> &'static [Part] {
        SHAPES[self.shape].parts()
    }

    /// A point of the body relative to its position, chosen by weights of vertices and a direction.
    ///
    /// It is in the surface or inside. Where the position has so few digits that two points cannot be
    /// brought together, it is deeper.
    fn point(&self, part: usize, weights: &[f64], direction: DVec3) -> DVec3 {
        let part = &self.parts()[part % self.parts().len()];
        let depth = 1e-13 * self.pose.position.length() / self.scale;
        let point = point_of(part, weights, direction).lerp(part.center(), depth);
        self.pose.rotation * (point * self.scale)
    }
}

/// A point of a part, chosen by weights of its vertices and a direction of its rounding.
pub(super) fn point_of(part: &Part, weights: &[f64], direction: DVec3) -> DVec3 {
    let vertices = part.core().vertices();
    let total: f64 = weights.iter().take(vertices.len()).sum();
    let weighted = vertices.iter().zip(weights).map(|(v, w)| *v * *w);
    weighted.sum::<DVec3>() / total + direction.normalize_or_zero() * part.radius()
}

fn unit_quaternion() -> impl Strategy<Value = DQuat> {
    let number = || -1.0..1.0;
    (number(), number(), number(), number())
        .prop_map(|(x, y, z, w)| DQuat::from_xyzw(x, y, z, w))
        .prop_filter_map("too short", |q| (q.length() > 0.1).then(|| q.normalize()))
}

pub(super) fn vector() -> impl Strategy<Value = DVec3> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from)
}

fn placement() -> impl Strategy<Value = Placement> {
    let rotation = prop_oneof![4 => unit_quaternion(), 1 => Just(DQuat::IDENTITY)];
    let far = prop_oneof![Just(1.0), Just(1e5)];
    (0..SHAPES.len(), 0.1..10.0, vector(), far, rotation).prop_map(
        |(shape, scale, position, far, rotation)| Placement {
            shape,
            scale,
            pose: Pose { position: position * far, rotation },
        },
    )
}

/// Mostly corners, edges and faces: few vertices have a weight.
pub(super) fn weights() -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![3 => Just(1e-30), 1 => 0.1..1.0];
    prop::collection::vec(weight, 128)
}

proptest! {
    #[test]
    fn exact_volumes_never_separate_bodies_with_a_common_point(
        a in placement(), b in placement(), parts in (0_usize..3, 0_usize..3),
        weights in (weights(), weights()), directions in (vector(), vector()),
    ) {
        let mut b = Placement { pose: Pose { position: a.pose.position, ..b.pose }, ..b };
        let [from_a, from_b] = [
            a.point(parts.0, &weights.0, directions.0),
            b.point(parts.1, &weights.1, directions.1),
        ];
        b.pose.position = a.pose.position + (from_a - from_b);
        for (kind, volume) in FITTED.iter().filter(|(kind, _)| kind.exact) {
            let [in_a, in_b] = [a, b].map(|body| body.numbers(&**volume));
            prop_assert!(volume.overlap(&a.placed(&in_a), &b.placed(&in_b)), "{}", kind.id);
            prop_assert!(volume.overlap(&b.placed(&in_b), &a.placed(&in_a)), "{}", kind.id);
        }
    }

    #[test]
    fn outlines_of_exact_volumes_contain_the_body(body in placement(), direction in vector()) {
        let direction = direction.normalize_or_zero();
        for (kind, volume) in FITTED.iter().filter(|(kind, _)| kind.exact) {
            let numbers = body.numbers(&**volume);
            // Far from the origin, an outline's corners have few digits.
            let placed = Placed { position: DVec3::ZERO, ..body.placed(&numbers) };
            for part in body.parts() {
                for vertex in part.core().vertices() {
                    let out = direction * part.radius();
                    let local = (*vertex + body.pose.rotation.conjugate() * out) * body.scale;
                    let point = body.pose.rotation * local;
                    let size = body.scale * SHAPES[body.shape].bounding_radius();
                    let outside = distance_outside(&volume.outline(&placed), point, size);
                    prop_assert!(outside <= 1e-9 * size, "{}: {outside}", kind.id);
                }
            }
        }
    }

    #[test]
    fn volumes_of_outlines_are_those_stated(body in placement()) {
        for (kind, volume) in FITTED.iter() {
            let numbers = body.numbers(&**volume);
            // Far from the origin, an outline's corners have few digits.
            let placed = Placed { position: DVec3::ZERO, ..body.placed(&numbers) };
            // The faces of a rounded hull are drawn without its edges.
            let is_rounded = body.parts().iter().any(|part| part.radius() > 0.0);
            let is_complete = kind.id != "hull" || !is_rounded;
            let Some(stated) = volume.volume(&placed).filter(|_| is_complete) else { continue };
            let outlined = match volume.outline(&placed) {
                Outline::Sphere { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
                Outline::Faces(faces) => super::outline::volume_of(&faces),
            };
            let difference = (outlined - stated).abs();
            prop_assert!(difference <= 1e-9 * stated, "{} {outlined} {stated}", kind.id);
            let parts = if kind.exact && SHAPES[body.shape].is_convex() { 1.0 - 1e-9 } else { 0.0 };
            let own = SHAPES[body.shape].mass().volume * body.scale.powi(3);
            prop_assert!(stated >= parts * own, "{}", kind.id);
        }
    }
}

/// How far a point is outside of a surface of size `size`; 0 or less inside. The height above a face
/// is weighted by the face's share of the size, since slivers have no accurate plane.
fn distance_outside(outline: &Outline, point: DVec3, size: f64) -> f64 {
    match outline {
        Outline::Sphere { center, radius } => point.distance(*center) - radius,
        Outline::Faces(faces) => {
            let above = faces.iter().map(|face| {
                let turns = face.windows(2).skip(1).map(|w| (w[0] - face[0]).cross(w[1] - face[0]));
                turns.sum::<DVec3>().dot(point - face[0]) / (size * size)
            });
            above.fold(f64::MIN, f64::max)
        }
    }
}

fn ratio(id: &str, shape: &Shape, rotation: DQuat) -> f64 {
    volume_ratio(find(id).unwrap(), shape, rotation, false)
}

pub(super) fn volume_ratio(kind: &VolumeKind, shape: &Shape, rotation: DQuat, flat: bool) -> f64 {
    let volume = (kind.fit)(std::slice::from_ref(shape), flat);
    let mut numbers = vec![0.0; volume.width()];
    volume.place(0, 1.0, rotation, &mut numbers);
    let placed = Placed { shape: 0, position: DVec3::ZERO, numbers: &numbers };
    volume.volume(&placed).unwrap() / shape.mass().volume
}

#[test]
fn volume_ratios_of_known_shapes() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let long = Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap();
    let tetrahedron = Shape::tetrahedron(2.0).unwrap();
    let ball = Shape::sphere(1.0).unwrap();
    let capsule = Shape::capsule(1.0, 2.0).unwrap();
    let cone = Shape::cone(1.0, 1.0, 64).unwrap();
    let any = DQuat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize();
    let table = [
        ("sphere", &cube, PI * 3.0_f64.sqrt() / 2.0),
        ("sphere-inside", &cube, PI / 6.0),
        ("sphere-between", &cube, PI / 6.0 * ((1.0 + 3.0_f64.sqrt()) / 2.0).powi(3)),
        ("sphere-inside", &long, PI / 6.0 / 8.0),
        ("sphere", &ball, 1.0),
        ("sphere-inside", &ball, 1.0),
        ("sphere", &capsule, 8.0 / 2.5),
        ("sphere-inside", &capsule, 1.0 / 2.5),
        ("sphere", &tetrahedron, PI * 3.0_f64.sqrt() * 1.5),
        ("obb", &cube, 1.0),
        ("obb", &tetrahedron, 3.0),
        ("obb", &ball, 6.0 / PI),
        ("obb", &capsule, 16.0 / (PI * 10.0 / 3.0)),
        // The smallest sphere around a cone as wide as high at its base's rim.
        ("sphere", &cone, 4.0 / 3.0 * PI / cone.mass().volume),
    ];
    for (id, shape, expected) in table {
        for rotation in [DQuat::IDENTITY, any] {
            let found = ratio(id, shape, rotation);
            assert!((found / expected - 1.0).abs() < 1e-9, "{id}: {found} instead of {expected}");
        }
    }
    // k-DOPs depend on the rotation. A cube on its axes is one.
    for id in ["dop14", "dop18", "dop26"] {
        assert!((ratio(id, &cube, DQuat::IDENTITY) - 1.0).abs() < 1e-9);
        assert!(ratio(id, &cube, any) > 1.05);
    }
    for shape in SHAPES.iter() {
        let [d14, d18, d26] = ["dop14", "dop18", "dop26"].map(|id| ratio(id, shape, any));
        assert!(d26 <= d14.min(d18) * (1.0 + 1e-9), "{d14} {d18} {d26}");
    }
    // An octahedron, less a pyramid at each corner that is outside of the cube.
    let root = 3.0_f64.sqrt();
    let expected = (4.0 * root - 4.0 * (root - 1.0).powi(3)) / (4.0 / 3.0 * PI);
    let found = ratio("dop14", &ball, any);
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

/// Two bodies of one shape, the second one at a distance along x.
fn do_overlap(volume: &dyn Volume, shape: usize, rotation: DQuat, distance: f64) -> bool {
    let at = |x: f64| Pose { position: DVec3::X * x, rotation };
    let [a, b] = [0.0, distance].map(|x| Placement { shape, scale: 1.0, pose: at(x) });
    let [in_a, in_b] = [a, b].map(|body| body.numbers(volume));
    volume.overlap(&a.placed(&in_a), &b.placed(&in_b))
}

#[test]
fn only_inexact_volumes_miss_corners_that_touch() {
    // The space diagonal of the cube along x.
    let rotation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::X);
    for (kind, volume) in FITTED.iter() {
        let overlap = do_overlap(&**volume, 1, rotation, 3.0_f64.sqrt() * 0.999);
        assert_eq!(overlap, kind.exact, "{}", kind.id);
        let far = do_overlap(&**volume, 0, rotation, 100.0);
        assert_eq!(far, kind.id == "none", "{}", kind.id);
    }
}

#[test]
fn hull_of_parts_that_are_convex_together_is_their_sum() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    for (distance, expected) in [(1.0, 1.0), (2.0, 1.5)] {
        let beside = Pose { position: DVec3::X * distance, ..Pose::IDENTITY };
        let both = Shape::compound(&[(&cube, Pose::IDENTITY), (&cube, beside)]).unwrap();
        assert!((ratio("hull", &both, DQuat::IDENTITY) - expected).abs() < 1e-7);
    }
    assert!((ratio("hull", &cube, DQuat::IDENTITY) - 1.0).abs() < 1e-12);
}

#[test]
fn hull_of_balls_is_rounded_at_its_edges_and_corners() {
    let ball = Shape::sphere(0.25).unwrap();
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
    let at = |i: u32| Pose { position: corner(i), ..Pose::IDENTITY };
    let balls: Vec<_> = (0..8).map(|i| (&ball, at(i))).collect();
    let shape = Shape::compound(&balls).unwrap();
    let found = ratio("hull", &shape, DQuat::IDENTITY) * shape.mass().volume;
    let expected =
        1.0 + 6.0 * 0.25 + 3.0 * PI * 0.25_f64.powi(2) + 4.0 / 3.0 * PI * 0.25_f64.powi(3);
    assert!((found / expected - 1.0).abs() < 1e-7, "{found} instead of {expected}");
}

#[test]
fn compounds_without_a_usable_hull_have_a_box_around_them() {
    let ball = Shape::sphere(1.0).unwrap();
    let disc = Shape::cylinder(1.0, 0.5, 64).unwrap();
    let at = |x: f64, y: f64| Pose { position: DVec3::new(x, y, 0.0), ..Pose::IDENTITY };
    let in_a_line = Shape::compound(&[(&ball, at(0.0, 0.0)), (&ball, at(4.0, 0.0))]).unwrap();
    let discs = [(&disc, at(0.0, 0.0)), (&disc, at(0.3, 2.0)), (&disc, at(0.6, 4.0))];
    let many_vertices = Shape::compound(&discs).unwrap();
    for shape in [in_a_line, many_vertices] {
        let [hull, boxed] = ["hull", "obb"].map(|id| ratio(id, &shape, DQuat::IDENTITY));
        assert!((hull / boxed - 1.0).abs() < 1e-6, "{hull} {boxed}");
    }
}

proptest! {
    /// A box is its own oriented box, and a ball its own sphere: an axis left out shows here.
    #[test]
    fn boxes_and_balls_are_their_own_volumes(
        position in vector(), rotations in (unit_quaternion(), unit_quaternion()),
    ) {
        for (id, shape) in [("obb", 1), ("obb", 2), ("sphere", 3)] {
            let position = position * SHAPES[shape].bounding_radius();
            let poses = [(DVec3::ZERO, rotations.0), (position, rotations.1)]
                .map(|(position, rotation)| Pose { position, rotation });
            let pair = poses.map(|pose| Placement { shape, scale: 1.0, pose });
            let (_, volume) = FITTED.iter().find(|(kind, _)| kind.id == id).unwrap();
            let [in_a, in_b] = pair.map(|body| body.numbers(&**volume));
            let overlap = volume.overlap(&pair[0].placed(&in_a), &pair[1].placed(&in_b));
            let [one, other] = poses.map(|pose| Body::new(&SHAPES[shape], pose));
            let verdict = Reference::new().examine(&one, &other);
            let touch = matches!(verdict.answer, Answer::Touching { .. });
            prop_assert!(overlap == touch || verdict.is_in_band, "{id} {}", verdict.gap);
        }
    }
}
