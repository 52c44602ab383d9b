//! Paths of a crowd in a continuous world.

use super::path::{Path, PathPiece};
use crate::scene::Continuous;
use crate::{Hold, Scene, SceneDocument, World};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::{Body, BoxKind};

/// Fast rotations, bounces off walls, an obstacle and a static body, and contacts within the step.
const CROWD: &str = "\
i -1 -1 -1  2 2 2  100 t
p -1 -1 -0.5  1 1 0  z
#!gravity strong
#!objects 120
#!radius uniform 0.1 0.14
#!speed 9
#!spin 40
#!shape plank box 1 2 4
#!shape tip cone 1 2 9
#!shape rod box 0.2 2 0.2
#!shape jack compound
#!part jack rod  0 0 0
#!part jack rod  0 0 0  1 0 0 90
#!bodies source 1  plank 25 tip 25 jack 25
#!body plank 0 0 0  0 0 0  scale 0.2 static
";

fn crowd() -> (World, Vec<Pair>) {
    let document = SceneDocument::parse("test.scene", CROWD.as_bytes());
    let scene = document.unwrap_or_else(|error| panic!("{error}")).scene().clone();
    let world = World::new(&Scene { continuous: Continuous::All, ..scene });
    let n = world.len() as u32;
    (world, (0..n).flat_map(|a| (a + 1..n).map(move |b| Pair { a, b })).collect())
}

#[test]
fn swept_boxes_contain_every_pose_of_the_paths() {
    let (mut world, pairs) = crowd();
    let (mut boxes, mut pieces) = (Vec::new(), 0);
    for _ in 0..4 {
        world.step(Hold::None);
        // The planned paths, and those that were taken.
        for is_answered in [false, true] {
            if is_answered {
                world.respond(&pairs);
            }
            for kind in BoxKind::ALL {
                world.set_box_kind(kind);
                world.boxes(&mut boxes);
                pieces += check_boxes(&world, &boxes);
            }
        }
    }
    assert!(pieces > 8000, "{pieces} pieces are no test");
}

/// Samples all paths; returns the number of their pieces.
fn check_boxes(world: &World, boxes: &[broadphase::Aabb]) -> usize {
    let bodies = world.bodies().unwrap();
    let mut count = 0;
    for (object, path) in bodies.record.paths.iter().enumerate() {
        let solid = &bodies.solids[object];
        let sphere = path.swept_sphere(solid, 0.0);
        for (index, PathPiece { start, duration, .. }) in path.pieces().iter().enumerate() {
            for sample in 0..=6 {
                let time = start + duration * f64::from(sample) / 6.0;
                let pose = path.state_at(index, time, solid).pose();
                let body = Body { pose, ..bodies.body(object) };
                let tight = body.bounds(BoxKind::Tight).grown(-1e-12);
                let bounds = boxes[object];
                let is_around = bounds.min.as_dvec3().cmple(tight.min).all()
                    && tight.max.cmple(bounds.max.as_dvec3()).all();
                assert!(is_around, "{object}, piece {index}, sample {sample}: {bounds:?}");
                let reach = pose.position - solid.radius;
                assert!(sphere.min.cmple(reach).all(), "{object}, piece {index}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn paths_have_no_gaps_and_end_at_the_state() {
    let (mut world, pairs) = crowd();
    let mut pushed = 0;
    for _ in 0..4 {
        world.step(Hold::None);
        let planned = world.bodies().unwrap().states().to_vec();
        world.respond(&pairs);
        let (bodies, dt) = (world.bodies().unwrap(), f64::from(world.scene().dt));
        for (object, path) in bodies.record.paths.iter().enumerate() {
            let solid = &bodies.solids[object];
            let last = path.pieces().len() - 1;
            for piece in 0..last {
                let next = path.pieces()[piece + 1];
                let end = path.state_at(piece, next.start, solid);
                let gap = end.position.distance(next.state.position);
                assert!(gap < 1e-12, "{object}, piece {piece}: {gap:e}");
                assert!(end.rotation.dot(next.state.rotation).abs() > 1.0 - 1e-12);
            }
            let state = bodies.states()[object];
            assert!(path.state_at(last, dt, solid).position.distance(state.position) < 1e-12);
            pushed += usize::from(state != planned[object]);
        }
    }
    assert!(pushed > 100, "{pushed} pushed bodies are no test");
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
