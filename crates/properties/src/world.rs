//! Scenes in motion.

use crate::frames::pairs_by_definition;
use broadphase::{Frame, check_boxes};
use sim::{Hold, SceneDocument, World};

/// Most objects of a scene that is set in motion, and steps that it takes: a millisecond.
const MOST_OBJECTS: usize = 60;
const STEPS: usize = 12;

/// A scene that is read can be placed and moved; a saved state goes on as the world did.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(document) = SceneDocument::parse("any.scene", bytes) else { return };
    let scene = document.scene();
    if scene.total_objects() > MOST_OBJECTS {
        return;
    }
    let mut world = World::new(scene);
    let mut boxes = Vec::new();
    let mut copy = None;
    for step in 0..STEPS {
        if step == STEPS / 2 {
            copy = Some(world.clone());
        }
        if !advance(&mut world, &mut boxes) {
            return;
        }
        assert_eq!(boxes.len(), scene.total_objects());
    }
    if let Some(mut copy) = copy {
        while copy.steps() < world.steps() {
            advance(&mut copy, &mut boxes);
        }
        assert_eq!(copy.hash(), world.hash(), "the same steps lead elsewhere");
    }
}

/// Takes a step. Returns whether its boxes are finite: otherwise a program ends with a message.
fn advance(world: &mut World, boxes: &mut Vec<broadphase::Aabb>) -> bool {
    world.step(Hold::None);
    world.boxes(boxes);
    if check_boxes(boxes).is_err() {
        return false;
    }
    let pairs = pairs_by_definition(&Frame::new(boxes).layered(world.layers()));
    world.respond(&pairs);
    true
}
