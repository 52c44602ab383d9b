//! Every volume of the registry: it contains its body, never separates bodies that touch, and has
//! the stated volume.

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::{Outline, Placed, VOLUMES, Volume, VolumeKind, find};
use crate::answer::Answer;
use crate::body::{Body, Pose};
use crate::reference::Reference;
use crate::shape::Shape;

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let rod = Shape::cuboid(DVec3::new(0.3, 4.0, 0.3)).unwrap();
    let ball = Shape::sphere(0.8).unwrap();
    let pose = |x: f64, y: f64| Pose {
        position: DVec3::new(x, y, -0.5 * x),
        rotation: DQuat::from_xyzw(x, 0.2, -y, 1.0).normalize(),
    };
    let parts = [(&rod, pose(0.3, 0.1)), (&ball, pose(-1.0, 2.0)), (&cube, pose(1.0, 1.0))];
    vec![
        Shape::compound(&parts).unwrap(),
        cube,
        rod,
        ball,
        Shape::tetrahedron(1.5).unwrap(),
        Shape::capsule(0.2, 3.0).unwrap(),
        Shape::cone(1.0, 1.5, 7).unwrap(),
        Shape::hull(16, 5).unwrap(),
    ]
});

type Fitted = Vec<(&'static VolumeKind, Box<dyn Volume>)>;

/// All kinds, fitted for bodies in space, and for those of a flat scene.
static FITTED: LazyLock<[Fitted; 2]> = LazyLock::new(|| {
    let fit = |is_flat| VOLUMES.iter().map(|kind| (kind, (kind.fit)(&SHAPES, is_flat))).collect();
    [false, true].map(fit)
});

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

    fn do_overlap(volume: &dyn Volume, [a, b]: [Self; 2]) -> bool {
        let [in_a, in_b] = [a, b].map(|body| body.numbers(volume));
        volume.overlap(&a.placed(&in_a), &b.placed(&in_b))
    }

    /// A point of the body relative to its position, chosen by weights of vertices and a direction of the rounding.
    ///
    /// It is in the surface or inside. Where the position has so few digits that two points cannot be
    /// brought together, it is deeper.
    fn point(&self, part: usize, weights: &[f64], direction: DVec3) -> DVec3 {
        let parts = SHAPES[self.shape].parts();
        let part = &parts[part % parts.len()];
        let depth = 1e-13 * self.pose.position.length() / self.scale;
        let vertices = part.core().vertices();
        let total: f64 = weights.iter().take(vertices.len()).sum();
        let weighted = vertices.iter().zip(weights).map(|(v, w)| *v * *w);
        let point = weighted.sum::<DVec3>() / total + direction.normalize_or_zero() * part.radius();
        self.pose.rotation * (point.lerp(part.center(), depth) * self.scale)
    }
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
    let upright = (0.0..TAU).prop_map(DQuat::from_rotation_y);
    let rotation = prop_oneof![4 => unit_quaternion(), 1 => Just(DQuat::IDENTITY), 3 => upright];
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
fn weights() -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![3 => Just(1e-30), 1 => 0.1..1.0];
    prop::collection::vec(weight, 128)
}

proptest! {
    #[test]
    fn exact_volumes_never_separate_bodies_with_a_common_point(
        a in placement(), b in placement(), parts in (0_usize..3, 0_usize..3),
        weights in (weights(), weights()), directions in (vector(), vector()),
    ) {
        let from_a = a.point(parts.0, &weights.0, directions.0);
        let mut b = Placement { pose: Pose { position: a.pose.position, ..b.pose }, ..b };
        b.pose.position += from_a - b.point(parts.1, &weights.1, directions.1);
        for (kind, volume) in FITTED.iter().flatten().filter(|(kind, _)| kind.exact) {
            for bodies in [[a, b], [b, a]] {
                prop_assert!(Placement::do_overlap(&**volume, bodies), "{}", kind.id);
            }
        }
    }

    #[test]
    fn volumes_of_outlines_are_those_stated(mut body in placement()) {
        // Far from the origin, an outline's corners have few digits.
        body.pose.position = DVec3::ZERO;
        let shape = &SHAPES[body.shape];
        let is_rounded = shape.parts().iter().any(|part| part.radius() > 0.0);
        // The faces of a rounded hull are drawn without its edges.
        for (kind, volume) in FITTED[0].iter().filter(|(kind, _)| kind.id != "hull" || !is_rounded) {
            let numbers = body.numbers(&**volume);
            let placed = body.placed(&numbers);
            let Some(stated) = volume.volume(&placed) else { continue };
            let outlined = match volume.outline(&placed) {
                Outline::Sphere { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
                Outline::Faces(faces) => super::outline::volume_of(&faces),
            };
            let difference = (outlined - stated).abs();
            prop_assert!(difference <= 1e-9 * stated, "{} {outlined} {stated}", kind.id);
            let is_around = kind.exact && shape.is_convex();
            let own = shape.mass().volume * body.scale.powi(3);
            prop_assert!(!is_around || stated >= (1.0 - 1e-9) * own, "{}", kind.id);
        }
    }

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
            let (_, volume) = FITTED[0].iter().find(|(kind, _)| kind.id == id).unwrap();
            let overlap = Placement::do_overlap(&**volume, pair);
            let [one, other] = poses.map(|pose| Body::new(&SHAPES[shape], pose));
            let verdict = Reference::new().examine(&one, &other);
            let touch = matches!(verdict.answer, Answer::Touching { .. });
            prop_assert!(overlap == touch || verdict.is_in_band, "{id} {}", verdict.gap);
        }
    }
}

fn ratio(id: &str, shape: &Shape, rotation: DQuat, is_flat: bool) -> f64 {
    let volume = (find(id).unwrap().fit)(std::slice::from_ref(shape), is_flat);
    let pose = Pose { rotation, ..Pose::IDENTITY };
    let body = Placement { shape: 0, scale: 1.0, pose };
    volume.volume(&body.placed(&body.numbers(&*volume))).unwrap() / shape.mass().volume
}

#[test]
fn volume_ratios_of_known_shapes() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let tetrahedron = Shape::tetrahedron(2.0).unwrap();
    let ball = Shape::sphere(1.0).unwrap();
    let capsule = Shape::capsule(1.0, 2.0).unwrap();
    let cone = Shape::cone(1.0, 1.0, 64).unwrap();
    let any = DQuat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize();
    let table = [
        ("sphere", &cube, PI * 3.0_f64.sqrt() / 2.0),
        ("sphere-between", &cube, PI / 6.0 * ((1.0 + 3.0_f64.sqrt()) / 2.0).powi(3)),
        ("sphere", &capsule, 8.0 / 2.5),
        ("obb", &tetrahedron, 3.0),
        // The smallest sphere around a cone as wide as high at its base's rim.
        ("sphere", &cone, 4.0 / 3.0 * PI / cone.mass().volume),
    ];
    for (id, shape, expected) in table {
        for rotation in [DQuat::IDENTITY, any] {
            let found = ratio(id, shape, rotation, false);
            assert!((found / expected - 1.0).abs() < 1e-9, "{id}: {found} instead of {expected}");
        }
    }
    // k-DOPs depend on the rotation. A cube on its axes is one.
    for id in ["dop14", "dop18", "dop26"] {
        assert!((ratio(id, &cube, DQuat::IDENTITY, false) - 1.0).abs() < 1e-9);
    }
    let [d14, d18, d26] = ["dop14", "dop18", "dop26"].map(|id| ratio(id, &cone, any, false));
    assert!(d26 < d14.min(d18), "{d14} {d18} {d26}");
    // An octahedron, less a pyramid at each corner that is outside of the cube.
    let root = 3.0_f64.sqrt();
    let expected = (4.0 * root - 4.0 * (root - 1.0).powi(3)) / (4.0 / 3.0 * PI);
    let found = ratio("dop14", &ball, any, false);
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

#[test]
fn only_inexact_volumes_miss_corners_that_touch() {
    // The space diagonal of the cube along x.
    let rotation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::X);
    for (kind, volume) in &FITTED[0] {
        let do_overlap = |shape: usize, distance: f64| {
            let at = |x: f64| Pose { position: DVec3::X * x, rotation };
            let placed = |x| Placement { shape, scale: 1.0, pose: at(x) };
            Placement::do_overlap(&**volume, [0.0, distance].map(placed))
        };
        assert_eq!(do_overlap(1, 3.0_f64.sqrt() * 0.999), kind.exact, "{}", kind.id);
        assert_eq!(do_overlap(0, 100.0), kind.id == "none", "{}", kind.id);
    }
}

#[test]
fn hulls_of_compounds_have_their_volumes() {
    let at = |x: f64, y: f64, z: f64| Pose { position: DVec3::new(x, y, z), ..Pose::IDENTITY };
    let compound = |shape: &Shape, places: &[[f64; 3]]| {
        let parts = places.iter().map(|&[x, y, z]| (shape, at(x, y, z)));
        Shape::compound(&parts.collect::<Vec<_>>()).unwrap()
    };
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let [bead, ball] = [0.25, 1.0].map(|radius| Shape::sphere(radius).unwrap());
    let disc = Shape::cylinder(1.0, 0.5, 64).unwrap();
    let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from));
    let in_a_line = compound(&ball, &[[0.0; 3], [4.0, 0.0, 0.0]]);
    let many_vertices = compound(&disc, &[[0.0; 3], [0.3, 2.0, 0.0], [0.6, 4.0, 0.0]]);
    let of_box = |shape: &Shape| ratio("obb", shape, DQuat::IDENTITY, false) * shape.mass().volume;
    // The cube of the centres with a slab on each face, a quarter of a cylinder on each edge, and an eighth of a ball on
    // each corner.
    let rounded =
        1.0 + 6.0 * 0.25 + 3.0 * PI * 0.25_f64.powi(2) + 4.0 / 3.0 * PI * 0.25_f64.powi(3);
    for (shape, expected) in [
        (compound(&cube, &[[0.0; 3], [2.0, 0.0, 0.0]]), 3.0),
        (compound(&bead, &corners), rounded),
        // Without a usable hull, they have the box around them.
        (in_a_line.clone(), of_box(&in_a_line)),
        (many_vertices.clone(), of_box(&many_vertices)),
        (cube, 1.0),
    ] {
        let found = ratio("hull", &shape, DQuat::IDENTITY, false) * shape.mass().volume;
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} instead of {expected}");
    }
}

/// The radius of a circle of a shape in a flat scene, twice as large.
fn radius_of_circle(id: &str, shape: &Shape, rotation: DQuat) -> f64 {
    let circles = (find(id).unwrap().fit)(std::slice::from_ref(shape), true);
    let body = Placement { shape: 0, scale: 2.0, pose: Pose { rotation, ..Pose::IDENTITY } };
    circles.ball(&body.placed(&body.numbers(&*circles))).unwrap().1
}

#[test]
fn circles_have_the_radii_and_areas_of_the_plane() {
    let rotation = DQuat::from_rotation_y(0.7);
    let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let square = Shape::polygon(0.6, &square).unwrap().shape;
    let triangle = Shape::polygon(0.6, &[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).unwrap().shape;
    let capsule = Shape::capsule(0.2, 2.0).unwrap();
    // A square of side a = 2 has a / 2, a sqrt(2) / 2 and their mean.
    let outside = 2f64.sqrt();
    for (id, shape, expected) in [
        ("sphere-inside", &square, 1.0),
        ("sphere", &square, outside),
        ("sphere-between", &square, (1.0 + outside) / 2.0),
        // Seen from its tip, a capsule is a disc.
        ("sphere", &capsule, 0.4),
        // The smallest circle of a right triangle is that of its longest side.
        ("sphere", &triangle, 5f64.sqrt()),
    ] {
        let found = radius_of_circle(id, shape, rotation);
        assert!((found - expected).abs() < 1e-10, "{id} {found} {expected}");
    }
    let ball = radius_of_circle("sphere-inside", &square, DQuat::from_rotation_x(0.7));
    assert!((ball - 0.6).abs() < 1e-10, "the inscribed sphere of a tilted body: {ball}");
    let ratio = ratio("sphere", &square, DQuat::IDENTITY, true);
    assert!((ratio - PI / 2.0).abs() < 1e-10, "{ratio}");
}
