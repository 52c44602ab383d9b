//! What scenes of bodies show, as their comments say.

use broadphase::Pair;
use glam::DVec3;
use narrowphase::contact::{ContactKind, Contacts};
use narrowphase::{Body, BoxKind, Pose, Reference};
use sim::{Hold, SceneDocument, World};
use std::collections::BTreeSet;

fn world(name: &str) -> World {
    let path = format!("{}/../../scenes/{name}.scene", env!("CARGO_MANIFEST_DIR"));
    World::new(SceneDocument::read(path.as_ref()).unwrap().scene())
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
    let expected = [
        ContactKind::FaceFace,
        ContactKind::EdgeFace,
        ContactKind::VertexFace,
        ContactKind::EdgeEdge,
        ContactKind::VertexEdge,
        ContactKind::VertexVertex,
        ContactKind::VertexFace,
        ContactKind::EdgeFace,
    ];
    let expected: Vec<_> = expected.iter().map(|kind| BTreeSet::from([kind.id()])).collect();
    assert_eq!(kinds, expected);
}

/// Sides of the box of a shape that is not rotated, of scale 1.
fn sides(world: &World, name: &str) -> DVec3 {
    let shapes = world.bodies().unwrap().shapes();
    let named = shapes.iter().find(|named| named.name == name).unwrap();
    let bounds = Body::new(&named.shape, Pose::IDENTITY).bounds(BoxKind::Tight);
    2.0 * bounds.half_size()
}

#[test]
fn jacks_have_three_perpendicular_rods() {
    let world = world("jacks");
    // Beads on two of the rods reach further than the third.
    let jack = sides(&world, "jack");
    assert!((jack - DVec3::new(2.08, 2.08, 1.84)).abs().max_element() < 1e-6, "{jack}");
}

#[test]
fn discs_of_flat_scenes_lie_in_their_plane() {
    for (scene, name, expected) in [
        ("lab", "pillar", DVec3::new(0.14, 0.2, 0.14)),
        ("simple-shapes", "circle", DVec3::new(1.2, 0.6, 1.2)),
        ("characters", "head", DVec3::new(0.4, 0.3, 0.4)),
    ] {
        let sides = sides(&world(scene), name);
        assert!((sides - expected).abs().max_element() < 1e-6, "{scene}: {sides}");
    }
}
