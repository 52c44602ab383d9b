//! A world of a few balls, and checked edits of it.

use broadphase::Axis;
use glam::Vec3;
use sim::scene::{Ball, Obstacle, Source};
use sim::{Edit, Hold, Scene, World};

pub(crate) fn cube(half: f32, percent: f32) -> Source {
    Source { corner: Vec3::splat(-half), size: Vec3::splat(2.0 * half), percent, floor: true }
}

pub(crate) fn wall_at(x: f32) -> Obstacle {
    let (corner, size) = (Vec3::new(x, -1.0, -1.0), Vec3::new(0.0, 2.0, 2.0));
    Obstacle { corner, size, normal: Axis::X }
}

/// Balls of radius 0.25 on the x axis, each flying along +x at 1. The first source is a cube of
/// side 2, the second far away.
pub(crate) fn balls(xs: &[f32]) -> Scene {
    let ball = |x: &f32| Ball { center: Vec3::X * *x, velocity: Vec3::X, radius: Some(0.25) };
    let far = Source { corner: Vec3::splat(90.0), ..cube(1.0, 60.0) };
    Scene {
        objects: 0,
        dt: 0.125,
        sources: vec![cube(1.0, 40.0), far],
        balls: xs.iter().map(ball).collect(),
        ..Scene::default()
    }
}

pub(crate) fn numbers(world: &World) -> Vec<u32> {
    world.sources().map(|(number, _)| number).collect()
}

/// Applies an edit that must be accepted and must move nothing.
#[track_caller]
pub(crate) fn edit(world: &mut World, edit: Edit) {
    let before = world.hash();
    world.edit(&edit).unwrap_or_else(|error| panic!("{edit}: {error}"));
    assert_eq!(world.hash(), before, "`{edit}` has moved or pushed something");
}

/// Undoes an edit, which must move nothing.
#[track_caller]
pub(crate) fn undo(world: &mut World, what: &str) {
    let before = world.hash();
    assert_eq!(world.undoable().as_deref(), Some(what));
    assert_eq!(world.undo().as_deref(), Some(what));
    assert_eq!(world.hash(), before, "undoing `{what}` has moved or pushed something");
}

pub(crate) fn steps(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(Hold::None));
}
