//! The bytes that a body is thought to take are never fewer than it takes, and at most thrice as many.

use crate::ALLOCATOR;
use crate::allocations::shipped;
use broadphase::{Auto, BroadPhase, Frame};
use sim::scene::{Continuous, Radius};
use sim::{BYTES_PER_PATH, Hold, Scene, World};

/// Bytes on the heap.
fn held() -> usize {
    ALLOCATOR.stats().bytes_allocated - ALLOCATOR.stats().bytes_deallocated
}

/// Bytes of the world of a scene after 60 steps.
fn bytes_of(scene: &Scene) -> f64 {
    let before = held();
    let mut world = World::new(scene);
    for _ in 0..60 {
        world.step(Hold::None);
        let (mut boxes, mut pairs, mut auto) = (Vec::new(), Vec::new(), Auto::default());
        world.boxes(&mut boxes);
        let frame = Frame::new(&boxes);
        auto.update(&frame);
        auto.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        world.respond(&pairs);
    }
    (held() - before) as f64
}

pub(crate) fn bytes_per_path_bound_the_measured_bytes() {
    // Bytes of an object and of a body without its path, as `measure` takes them.
    const OTHERS: usize = 160 + 640;
    // In the first scene bodies move freely, in the others most of them hit static ones.
    for (name, objects, radius) in
        [("zoo.scene", 6000, 0.005), ("lab.scene", 2000, 0.02), ("paper.scene", 2000, 0.02)]
    {
        let scene = Scene { radius: Radius::Equal(radius), ..shipped(name, objects) };
        for continuous in [Continuous::Off, Continuous::All] {
            let bytes = bytes_of(&Scene { continuous, ..scene.clone() });
            let share = bytes / f64::from(objects) / (OTHERS + BYTES_PER_PATH) as f64;
            assert!((0.3..1.0).contains(&share), "{name}: {share} of {BYTES_PER_PATH} bytes");
        }
    }
}
