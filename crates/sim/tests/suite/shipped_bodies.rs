//! Scenes of bodies show what their comments say.

use crate::world_run::shipped;
use broadphase::Pair;
use glam::DVec3;
use narrowphase::contact::{ContactKind, Contacts};
use narrowphase::{Body, BoxKind, Pose, Reference};
use sim::scene::{Continuous, Driving, MoveRule};
use sim::{Hold, RefusedBy, Scene, World};
use std::collections::BTreeSet;

fn world(name: &str) -> World {
    World::new(&shipped(name))
}

#[test]
fn each_cell_shows_its_kind_of_contact() {
    let mut world = world("contacts");
    // A body and the one above it, for each cell.
    let pairs: Vec<Pair> =
        (0..world.len() as u32 / 2).map(|cell| Pair { a: 2 * cell, b: 2 * cell + 1 }).collect();
    let mut kinds: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); pairs.len()];
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    for step in 0..2000 {
        world.step(Hold::None);
        let bodies = world.bodies().unwrap();
        for (pair, kinds) in pairs.iter().zip(&mut kinds) {
            let [a, b] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
            assert!(reference.examine(&a, &b).gap <= 0.0, "{pair:?} is apart in step {step}");
            contacts.find(&a, &b, reference.parts());
            kinds.extend(contacts.sets().iter().map(|set| set.kind.id()));
        }
        world.respond(&pairs);
    }
    use ContactKind::{EdgeEdge, EdgeFace, FaceFace, VertexEdge, VertexFace, VertexVertex};
    let expected = [
        [FaceFace, EdgeFace, VertexFace, EdgeEdge],
        [VertexEdge, VertexVertex, VertexFace, EdgeFace],
    ];
    let expected: Vec<_> =
        expected.iter().flatten().map(|kind| BTreeSet::from([kind.id()])).collect();
    assert_eq!(kinds, expected);
}

#[test]
fn shapes_have_the_sides_that_their_scenes_say() {
    for (scene, name, expected) in [
        // Beads on two of the rods reach further than the third.
        ("jacks", "jack", DVec3::new(2.08, 2.08, 1.84)),
        // Discs of flat scenes lie in their plane.
        ("lab", "pillar", DVec3::new(0.14, 0.2, 0.14)),
        ("simple-shapes", "circle", DVec3::new(1.2, 0.6, 1.2)),
        ("characters", "head", DVec3::new(0.4, 0.3, 0.4)),
    ] {
        let world = world(scene);
        let shapes = world.bodies().unwrap().shapes();
        let named = shapes.iter().find(|named| named.name == name).unwrap();
        let bounds = Body::new(&named.shape, Pose::IDENTITY).bounds(BoxKind::Tight);
        let sides = 2.0 * bounds.half_size();
        assert!((sides - expected).abs().max_element() < 1e-6, "{scene}: {sides}");
    }
}

#[test]
fn circle_of_the_lab_stops_the_cube_where_it_would_fit() {
    let lab = |id| {
        let driving = Driving { rule: MoveRule::Refuse(id), speed: 0.4 };
        let mut world = World::new(&Scene { objects: 0, driving, ..shipped("lab") });
        (0..85).for_each(|_| world.step(Hold::None));
        world
    };
    // 0.4 units/s for 1.4 s, if nothing is in the way. The pillar at 0.55 has the radius 0.07, at 0.15 across the way; the
    // circle has 0.06 sqrt(2).
    let reach = 0.07 + 0.06 * 2f64.sqrt();
    let stopped = 0.55 - (reach * reach - 0.15 * 0.15).sqrt();
    let world = lab("sphere");
    let [cube] = world.driven() else { panic!("{:?}", world.driven()) };
    let x = f64::from(world.positions()[*cube as usize].x);
    assert!((stopped - 0.0067..stopped).contains(&x), "{x}, expected {stopped}");
    let [refusal] = world.refusals() else { panic!("{:?}", world.refusals()) };
    assert!(matches!(refusal.by, RefusedBy::Object(_)) && refusal.gap > 0.01, "{refusal:?}");
    let world = lab("sphere-inside");
    let free = f64::from(world.positions()[*world.driven().first().unwrap() as usize].x);
    assert!((free - 0.4 * 85.0 / 60.0).abs() < 1e-5 && world.refusals().is_empty(), "{free}");
}

#[test]
fn scenes_of_continuous_motion_start_as_their_comments_say() {
    for (name, bodies) in [("bullet", 4), ("paper", 60), ("cars", 16), ("rods", 16)] {
        let scene = shipped(name);
        assert_ne!(scene.continuous, Continuous::Off, "{name}");
        let world = World::new(&scene);
        assert_eq!((world.len(), world.placement_warning()), (bodies, None), "{name}");
        // Each body has a home, and nothing touches anything at the start.
        assert!((0..bodies).all(|body| world.home(body).is_some()), "{name}");
        let (bodies, mut reference) = (world.bodies().unwrap(), Reference::new());
        for (a, b) in (0..world.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let gap = reference.examine(&bodies.body(a), &bodies.body(b)).gap;
            assert!(gap > 0.0, "{name}: {a} and {b}");
        }
    }
}
