//! Storing a moment again allocates nothing.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

use sim::{Hold, Scene, SceneDocument, World, WorldState};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::path::Path;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test in this binary: the counter sees the allocations of every thread.
#[test]
fn storing_into_a_used_state_allocates_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/fer.scene");
    let scene = SceneDocument::read(&path).unwrap().scene().clone();
    let mut world = World::new(&Scene { objects: 1000, ..scene });
    let mut state = WorldState::default();
    let allocations = || ALLOCATOR.stats().allocations + ALLOCATOR.stats().reallocations;
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
