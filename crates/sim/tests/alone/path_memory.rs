//! `BYTES_PER_PATH` is at most twice the bytes that a path takes, and never fewer.

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
        let (mut boxes, mut pairs) = (Vec::new(), Vec::new());
        world.boxes(&mut boxes);
        let frame = Frame::new(&boxes);
        let mut auto = Auto::default();
        auto.update(&frame);
        auto.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        world.respond(&pairs);
    }
    (held() - before) as f64
}

pub(crate) fn bytes_per_path_bound_the_measured_bytes() {
    // In the first scene bodies move freely, in the others most of them hit static ones.
    for (name, objects, radius) in
        [("zoo.scene", 6000, 0.005), ("lab.scene", 2000, 0.02), ("paper.scene", 2000, 0.02)]
    {
        let radius = Radius::Equal(radius);
        let of = |continuous| bytes_of(&Scene { continuous, radius, ..shipped(name, objects) });
        let paths = of(Continuous::All) - of(Continuous::Off);
        let share = paths / f64::from(objects) / BYTES_PER_PATH as f64;
        assert!((0.5..1.0).contains(&share), "{name}: {share} of {BYTES_PER_PATH} bytes");
    }
}
