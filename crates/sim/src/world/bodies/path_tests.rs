//! Paths of a crowd in a continuous world.

use super::path::{Path, PathPiece};
use crate::{Hold, SceneDocument, World};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::{Body, BoxKind};

/// Fast rotations, bounces off walls, an obstacle and a static body, and contacts within the step.
const CROWD: &str = "i -1 -1 -1  2 2 2  100 t\np -1 -1 -0.5  1 1 0  z\n#!gravity strong\n\
    #!continuous all\n#!objects 120\n#!radius uniform 0.1 0.14\n#!speed 9\n#!spin 40\n\
    #!shape plank box 1 2 4\n#!shape tip cone 1 2 9\n#!shape rod box 0.2 2 0.2\n\
    #!shape jack compound\n#!part jack rod  0 0 0\n#!part jack rod  0 0 0  1 0 0 90\n\
    #!bodies source 1  plank 25 tip 25 jack 25\n#!body plank 0 0 0  0 0 0  scale 0.2 static\n";

fn crowd() -> (World, Vec<Pair>) {
    let document = SceneDocument::parse("test.scene", CROWD.as_bytes());
    let world = World::new(document.unwrap_or_else(|error| panic!("{error}")).scene());
    let n = world.len() as u32;
    (world, (0..n).flat_map(|a| (a + 1..n).map(move |b| Pair { a, b })).collect())
}

#[test]
fn paths_have_no_gaps_and_are_inside_their_boxes() {
    let (mut world, pairs) = crowd();
    let (mut pieces, mut pushed) = (0, 0);
    for _ in 0..4 {
        world.step(Hold::None);
        // The planned paths, and those that were taken.
        pieces += check(&mut world);
        let planned = world.bodies().unwrap().states().to_vec();
        world.respond(&pairs);
        pieces += check(&mut world);
        let states = world.bodies().unwrap().states();
        pushed += states.iter().zip(planned).filter(|(state, planned)| *state != planned).count();
    }
    assert!(pieces > 2700 && pushed > 100, "{pieces} pieces, {pushed} pushed are no test");
}

/// Samples all paths; returns the number of their pieces.
fn check(world: &mut World) -> usize {
    let boxes = BoxKind::ALL.map(|kind| {
        let mut boxes = Vec::new();
        world.set_box_kind(kind);
        world.boxes(&mut boxes);
        boxes
    });
    let (bodies, dt) = (world.bodies().unwrap(), f64::from(world.scene().dt));
    let mut count = 0;
    for (object, path) in bodies.record.paths.iter().enumerate() {
        let solid = &bodies.solids[object];
        let sphere = path.swept_sphere(solid, 0.0);
        for (index, PathPiece { start, duration, .. }) in path.pieces().iter().enumerate() {
            for sample in 0..=6 {
                let time = start + duration * f64::from(sample) / 6.0;
                let pose = path.state_at(index, time, solid).pose();
                let tight = Body { pose, ..bodies.body(object) }.bounds(BoxKind::Tight);
                let tight = tight.grown(-1e-12);
                for bounds in boxes.iter().map(|boxes| boxes[object]) {
                    let is_around = bounds.min.as_dvec3().cmple(tight.min).all()
                        && tight.max.cmple(bounds.max.as_dvec3()).all();
                    assert!(is_around, "{object}, piece {index}, sample {sample}: {bounds:?}");
                }
                let reach = pose.position - solid.radius;
                assert!(sphere.min.cmple(reach).all(), "{object}, piece {index}");
            }
            // It ends where the next one begins, or at the state.
            let next = path.pieces().get(index + 1);
            let [expected, end] = [
                next.map_or(bodies.states()[object], |next| next.state),
                path.state_at(index, next.map_or(dt, |next| next.start), solid),
            ];
            let gap = end.position.distance(expected.position);
            assert!(gap < 1e-12, "{object}, piece {index}: {gap:e}");
            assert!(end.rotation.dot(expected.rotation).abs() > 1.0 - 1e-12);
            count += 1;
        }
    }
    count
}

#[test]
fn bounce_at_the_time_of_an_earlier_contact_is_cut_off() {
    let (world, _) = crowd();
    let bodies = world.bodies().unwrap();
    let (state, fixed) = (bodies.states()[0], world.len() as u32 - 1);
    for (piece, time, left) in [(0, 0.5, 0), (1, 0.5, 1), (1, 0.75, 1)] {
        let mut path = Path::default();
        path.begin(DVec3::ZERO, 1.0);
        path.push(state, 0.5, false);
        path.meet([0, fixed], [DVec3::ZERO, DVec3::Z], [DVec3::ZERO; 2]);
        path.push(state, 0.5, false);
        path.cut(piece, time, 1.0);
        assert_eq!(path.bounces().count(), left, "piece {piece} at {time}");
    }
}
