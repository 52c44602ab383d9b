//! Bad sizes, points and parts, and what is said about them.

use glam::{DQuat, DVec3};

use crate::body::Pose;
use crate::shape::{FromPoints, Shape, ShapeError};

fn message(result: Result<Shape, ShapeError>) -> String {
    result.unwrap_err().to_string()
}

fn of_points(points: &[[f64; 3]]) -> Result<FromPoints, ShapeError> {
    Shape::points(&points.iter().map(|&p| p.into()).collect::<Vec<_>>())
}

#[test]
fn sizes_that_are_no_lengths_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300] {
        let expected = format!("from 1e-9 to 1e9, found {bad}");
        let results = [
            Shape::sphere(bad),
            Shape::cuboid(DVec3::new(1.0, bad, 1.0)),
            Shape::capsule(bad, 1.0),
            Shape::cylinder(1.0, bad, 16),
            Shape::polygon(bad, &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).map(|made| made.shape),
        ];
        // A capsule may have no length.
        let capsule = Shape::capsule(1.0, if bad == 0.0 { -0.5 } else { bad });
        assert!(message(capsule).starts_with("expected a length of 0, or from 1e-9 to 1e9"));
        for message in results.map(message) {
            assert!(message.ends_with(&expected), "{message}");
        }
    }
}

#[test]
fn messages_say_what_was_expected() {
    let line = [[0.0; 2], [1.0, 1.0], [2.0, 2.0]];
    let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]];
    let star = [0, 2, 4, 1, 3].map(|i: u8| {
        let (sine, cosine) = libm::sincos(f64::from(i) * std::f64::consts::TAU / 5.0);
        [cosine, sine]
    });
    let polygon = |corners: &[[f64; 2]]| Shape::polygon(1.0, corners).map(|made| made.shape);
    let table = [
        (Shape::cone(1.0, 1.0, 65), "expected 3 to 64 sides, found 65"),
        (Shape::hull(3, 1), "expected 4 to 128 random points, found 3"),
        (polygon(&[[0.0; 2]; 7]), "expected 3 to 64 corners, found 1"),
        (polygon(&line), "expected a convex polygon, found that it is not at corner 1"),
        (polygon(&arrow), "expected a convex polygon, found that it is not at corner 4"),
        (polygon(&star), "expected a convex polygon, found that it is not at corner 2"),
        (
            polygon(&[[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]),
            "expected coordinates from -1e9 to 1e9, found another in point 2",
        ),
        (
            Shape::cuboid(DVec3::new(1.0, 1e-9, 1e9)),
            "the sizes differ too much: expected each to be at least about 1e-9 of the others",
        ),
    ];
    for (result, expected) in table {
        assert_eq!(message(result), expected);
    }
}

#[test]
fn points_without_a_hull_are_refused() {
    // Points of a paraboloid are all corners.
    let grid = (0..144).map(|i| [f64::from(i % 12), f64::from(i / 12)]);
    let points: Vec<[f64; 3]> = grid.map(|[x, y]| [x, y, x * x + y * y + x * y]).collect();
    assert_eq!(of_points(&points), Err(ShapeError::VertexCount(144)));
    let flat =
        [[0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0], [1.0, 1.0, 4.0], [3.0, 2.0, 8.0]];
    let line = [0.0, 1.0, 2.0, 3.0, 4.0].map(|t| [t, 2.0 * t, 1.0 - t]);
    let nearly = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 1e-12]];
    for points in [&flat[..], &line, &nearly] {
        assert_eq!(of_points(points).unwrap_err(), ShapeError::Flat, "{points:?}");
    }
    let twice = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    for (points, count) in [(&[[0.0; 3]; 3][..], 3), (&[[0.0; 3]; 4097], 4097), (&twice, 3)] {
        let message = format!("expected 4 to 4096 different points, found {count}");
        assert_eq!(of_points(points).unwrap_err().to_string(), message);
    }
    let in_one_place = of_points(&[[5.0; 3]; 5]).unwrap_err();
    assert!(matches!(in_one_place, ShapeError::Size { .. }), "{in_one_place}");
    for bad in [f64::NAN, f64::INFINITY, -2e9] {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, bad, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(of_points(&points).unwrap_err(), ShapeError::Coordinate(2));
    }
}

#[test]
fn bad_parts_are_refused() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let part = (&cube, Pose::IDENTITY);
    let two = Shape::compound(&[part; 2]).unwrap();
    for count in [0, 33] {
        assert_eq!(Shape::compound(&vec![part; count]), Err(ShapeError::PartCount(count)));
    }
    let nested = Shape::compound(&[part, (&two, Pose::IDENTITY)]);
    assert_eq!(nested, Err(ShapeError::NestedCompound(1)));
    let far = Pose { position: DVec3::X * f64::INFINITY, ..Pose::IDENTITY };
    let still = Pose { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Pose::IDENTITY };
    for pose in [far, still] {
        assert_eq!(Shape::compound(&[(&cube, pose)]), Err(ShapeError::PartPose(0)));
    }
}

#[test]
fn parts_whose_inertia_is_lost_to_rounding_are_refused() {
    let bead = Shape::sphere(1e-3).unwrap();
    let pair = |at: DVec3| {
        let [one, other] = [at, -at].map(|position| Pose { position, ..Pose::IDENTITY });
        Shape::compound(&[(&bead, one), (&bead, other)])
    };
    for far in [DVec3::new(3e6, 5e6, 7e6), DVec3::new(1e7, 1e7, 0.0), DVec3::new(0.0, 1e7, 2e3)] {
        assert_eq!(pair(far), Err(ShapeError::Inertia), "{far}");
    }
    // Along an axis nothing cancels.
    for good in [DVec3::new(3.0, 5.0, 7.0), DVec3::X * 1e7, DVec3::Z * 1e7] {
        let mass = *pair(good).unwrap().mass();
        let unit = mass.inertia * mass.inverse_inertia;
        assert!(unit.abs_diff_eq(glam::DMat3::IDENTITY, 1e-6), "{good}: {unit}");
    }
    // A needle of this ratio is thin, and no more than that.
    let turned = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.5, 0.5001, 0.5], [0.5, 0.5, 0.5001]];
    of_points(&turned).unwrap();
}
