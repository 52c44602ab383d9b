//! Storing a moment again allocates nothing, nor does a step of bodies that was taken before.

use crate::ALLOCATOR;
use broadphase::{Auto, BroadPhase, Frame, Pair};
use sim::scene::{Continuous, Driving, MoveRule, PlacedBody};
use sim::{Hold, Scene, SceneDocument, World, WorldState};
use std::path::Path;

pub(crate) fn used_states_and_steady_steps_allocate_nothing() {
    storing_into_a_used_state_allocates_nothing();
    driven_steps_allocate_nothing_the_second_time();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for continuous in [Continuous::Off, Continuous::All] {
            pool.install(|| steps_of_bodies_allocate_nothing_the_second_time(continuous));
        }
    }
}

fn allocations() -> usize {
    ALLOCATOR.stats().allocations + ALLOCATOR.stats().reallocations
}

pub(crate) fn shipped(name: &str, objects: u32) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    Scene { objects, ..SceneDocument::read(&path).unwrap().scene().clone() }
}

/// The same steps twice, with the same pairs, so that all scratch has grown to what it needs.
fn steps_of_bodies_allocate_nothing_the_second_time(continuous: Continuous) {
    const STEPS: usize = 20;
    let mut scene = Scene { continuous, ..shipped("zoo.scene", 600) };
    let (shape, scale, is_static) = (scene.shapes[1].name.clone(), 0.8, true);
    scene.placed_bodies.push(PlacedBody { shape, scale, is_static, ..PlacedBody::default() });
    let mut world = World::new(&scene);
    let (mut state, mut boxes, mut auto) = (WorldState::default(), Vec::new(), Auto::default());
    // The first step makes the paths of a continuous world.
    world.step(Hold::None);
    world.store(&mut state);
    let (mut frames, mut hits, mut fixed) = (Vec::new(), 0, 0);
    for _ in 0..STEPS {
        world.step(Hold::None);
        world.boxes(&mut boxes);
        let mut pairs: Vec<Pair> = Vec::new();
        auto.pairs(&Frame::new(&boxes), &mut pairs);
        pairs.sort_unstable();
        hits += world.respond(&pairs).hits;
        let contacts = world.bodies().unwrap().contacts();
        fixed += contacts.iter().filter(|contact| contact.pair.b == 600).count();
        frames.push(pairs);
    }
    assert!(hits > 100 && fixed > 0, "{hits} hits, {fixed} with the static body are no test");
    world.restore(&state);
    let before = allocations();
    for pairs in &frames {
        world.step(Hold::None);
        world.boxes(&mut boxes);
        world.respond(pairs);
    }
    assert_eq!(allocations() - before, 0);
}

/// By each rule, among static and moving bodies; of volumes, one that is tested by GJK too.
fn driven_steps_allocate_nothing_the_second_time() {
    let rules = ["sphere", "hull", "dop26"].map(MoveRule::Refuse);
    for rule in rules.into_iter().chain([MoveRule::Slide, MoveRule::Walk]) {
        let driving = Driving { rule, speed: 0.8 };
        let mut world = World::new(&Scene { driving, ..shipped("lab.scene", 12) });
        let mut state = WorldState::default();
        world.store(&mut state);
        let mut refused = 0;
        for _ in 0..120 {
            world.step(Hold::None);
            refused += world.refusals().len();
        }
        assert_eq!(refused > 0, matches!(rule, MoveRule::Refuse(_)), "{rule:?}");
        world.restore(&state);
        let before = allocations();
        (0..120).for_each(|_| world.step(Hold::None));
        assert_eq!(allocations() - before, 0, "{rule:?}");
    }
}

fn storing_into_a_used_state_allocates_nothing() {
    let mut world = World::new(&shipped("fer.scene", 1000));
    let mut state = WorldState::default();
    let before = allocations();
    world.store(&mut state);
    assert!(allocations() > before, "the counter counts nothing");
    // Positions, velocities, homes.
    let bytes = state.heap_bytes();
    assert!((1000 * 28..1000 * 28 + 1000).contains(&bytes), "{bytes} bytes for 1000 spheres");
    (0..10).for_each(|_| world.step(Hold::None));
    let before = allocations();
    world.store(&mut state);
    assert_eq!((allocations(), state.heap_bytes()), (before, bytes));
}
