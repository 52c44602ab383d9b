//! Scenes in motion.

use crate::frames::pairs_by_definition;
use broadphase::{Aabb, Frame, Pair, check_boxes};
use narrowphase::contact::Contacts;
use narrowphase::narrow::NARROW_PHASES;
use narrowphase::volume::VOLUMES;
use narrowphase::{BoxKind, Reference};
use proofs::{contact_fault, reference_fault};
use sim::stages::{Audit, ContactStage, FramePairs, NarrowStage, VolumeStage};
use sim::{Bodies, Hold, SceneDocument, World};

/// Most objects of a scene that is set in motion, and steps that it takes: a millisecond.
const MAX_OBJECTS: usize = 60;
const STEPS: usize = 12;

/// Most pairs of bodies whose answers are compared with the oracle, and most vertices of their shapes: a millisecond.
const MAX_PAIRS: usize = 6;
const MAX_VERTICES: usize = 24;

/// A scene that is read can be placed and moved; a saved state goes on as the world did. Bodies stay bodies, and all
/// methods agree on those that touch.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(document) = SceneDocument::parse("any.scene", bytes) else { return };
    let scene = document.scene();
    if scene.total_objects() > MAX_OBJECTS {
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
    if let Some(bodies) = world.bodies() {
        check_bodies(bodies, &boxes);
        let mut pairs = pairs_by_definition(&Frame::new(&boxes).layered(world.layers()));
        pairs.retain(|pair| vertices(bodies, pair) <= MAX_VERTICES);
        pairs.truncate(MAX_PAIRS);
        check_stages(bodies, &pairs);
    }
    if let Some(mut copy) = copy {
        while copy.steps() < world.steps() {
            advance(&mut copy, &mut boxes);
        }
        assert_eq!(copy.hash(), world.hash(), "the same steps lead elsewhere");
    }
}

/// Takes a step. Returns whether its boxes are finite: otherwise a program ends with a message.
fn advance(world: &mut World, boxes: &mut Vec<Aabb>) -> bool {
    world.step(Hold::None);
    world.boxes(boxes);
    if check_boxes(boxes).is_err() {
        return false;
    }
    let pairs = pairs_by_definition(&Frame::new(boxes).layered(world.layers()));
    world.respond(&pairs);
    true
}

/// Every body is at a pose, in its box.
fn check_bodies(bodies: &Bodies, boxes: &[Aabb]) {
    for (object, (state, b)) in bodies.states().iter().zip(boxes).enumerate() {
        assert!(state.position.is_finite() && state.velocity.is_finite(), "{object}: {state:?}");
        assert!(state.rotation.is_normalized(), "{object}: {state:?}");
        assert!(state.angular_momentum.is_finite(), "{object}: {state:?}");
        let exact = bodies.body(object).bounds(BoxKind::Tight);
        let [low, high] = [b.min, b.max].map(|corner| corner.as_dvec3());
        let middle = exact.center();
        assert!(
            low.cmple(middle).all() && middle.cmple(high).all(),
            "{object}: {exact:?} in {b:?}"
        );
    }
}

/// No exact method answers otherwise than the reference, and contact sets are where both bodies are.
fn check_stages(bodies: &Bodies, pairs: &[Pair]) {
    let of = FramePairs::new(bodies, pairs);
    let mut audit = Audit::default();
    audit.examine(&of);
    assert_eq!(audit.unanswered(), None);
    let mut passed = Vec::new();
    for kind in VOLUMES {
        let mut volumes = VolumeStage::new(kind, bodies);
        volumes.place(bodies);
        volumes.filter(&of, &mut passed);
        assert_eq!(audit.volume(kind, volumes.passes()).wrong, None, "{}", kind.id);
    }
    for kind in NARROW_PHASES {
        let mut narrow = NarrowStage::new(kind);
        narrow.test(&of);
        assert_eq!(audit.narrow(kind, &of, narrow.answers()).wrong, None, "{}", kind.id);
    }
    let mut contacts = ContactStage::default();
    let count = contacts.find(&of);
    assert!(count.points >= count.sets && count.kept == 0, "{count:?}");
    let again = contacts.find(&of);
    assert_eq!((again.sets, again.points, again.kept), (count.sets, count.points, count.points));
    let (mut reference, mut found) = (Reference::new(), Contacts::new());
    for pair in pairs {
        let [a, b] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
        let verdict = reference.examine(&a, &b);
        assert_eq!(reference_fault(&verdict, reference.parts(), &a, &b), None, "{pair:?}");
        found.find(&a, &b, reference.parts());
        assert_eq!(contact_fault(&found, &a, &b), None, "{pair:?}");
    }
}

/// Vertices of both shapes.
fn vertices(bodies: &Bodies, pair: &Pair) -> usize {
    let of = |object: u32| {
        let parts = bodies.body(object as usize).shape.parts();
        parts.iter().map(|part| part.core().vertices().len()).sum::<usize>()
    };
    of(pair.a) + of(pair.b)
}
