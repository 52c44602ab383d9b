//! Faces that tilt a thousand times faster than they approach.

use glam::DQuat;

use super::shapes;
use narrowphase::Body;
use narrowphase::Pose;
use narrowphase::Reference;
use narrowphase::impact::{Impact, ImpactReference, Motion};

/// Found among 14,000 pairs of thin shapes: the search for the time took more than 10,000 steps.
#[test]
fn faces_that_tilt_faster_than_they_approach_get_a_time() {
    let shapes = shapes::thin_shapes();
    let body = |name, position: [f64; 3], rotation: [f64; 4]| {
        let (_, shape) = shapes.iter().find(|(id, _)| *id == name).unwrap();
        let rotation = DQuat::from_array(rotation);
        Body::new(shape, Pose { position: position.into(), rotation })
    };
    let motion = |velocity: [f64; 3], spin: [f64; 3]| Motion {
        velocity: velocity.into(),
        spin: spin.into(),
    };
    let foil = body(
        "foil",
        [-0.012833655948946199, 0.039057639743064226, 0.010257377177666402],
        [-0.344791431894793, 0.35831618210041544, -0.6759647783282363, -0.5438749861839378],
    );
    let plate = body(
        "plate",
        [-0.6141636488440494, -0.06827050451989819, 0.38347796650568144],
        [-0.9227053352766009, 0.21997708909148106, -0.06861497913044416, 0.3090581323406051],
    );
    let motions = [
        motion(
            [0.48001063910794306, -1.4608528302222021, -0.38365140800172154],
            [1.6251511420566618, 0.42833319288195115, 2.8314573261199842],
        ),
        motion(
            [7.522648967148749, -13.878018279904289, 5.478717840697597],
            [-2.2536776087241814, 5.795271667396669, -1.6626732219305236],
        ),
    ];
    let reference = &mut ImpactReference::default();
    let known = reference.examine((&foil, &motions[0]), (&plate, &motions[1]), 1.0);
    assert!(!known.is_grazing, "{known:?}");
    let Impact::At { first, .. } = known.impact else { panic!("{known:?}") };
    let gap = Reference::new()
        .examine(&motions[0].body_after(&foil, first), &motions[1].body_after(&plate, first))
        .gap;
    assert!(gap.abs() < 1e-9, "gap {gap:e} at {first}");
}
