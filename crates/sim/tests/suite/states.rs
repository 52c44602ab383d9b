//! Saved states of a world.

use crate::world_run::scene;
use glam::Vec3;
use sim::scene::{Ball, Gravity, Source};
use sim::{Edit, Hold, Scene, World, WorldState};

fn stored(world: &World) -> WorldState {
    let mut state = WorldState::default();
    world.store(&mut state);
    state
}

/// Balls of radius 0.25 at the given x, flying along +x at 1; the cube of side 2 holds those in it.
fn balls(xs: &[f32]) -> World {
    let ball = |x: &f32| Ball { center: Vec3::X * *x, velocity: Vec3::X, radius: Some(0.25) };
    World::new(&Scene {
        objects: 0,
        dt: 0.125,
        sources: vec![cube(1.0), Source { corner: Vec3::splat(90.0), ..cube(1.0) }],
        balls: xs.iter().map(ball).collect(),
        ..Scene::default()
    })
}

fn cube(half: f32) -> Source {
    Source { corner: Vec3::splat(-half), size: Vec3::splat(2.0 * half), percent: 50.0, floor: true }
}

fn xs_after(world: &mut World, steps: usize) -> Vec<f32> {
    (0..steps).for_each(|_| world.step(Hold::None));
    world.positions().iter().map(|p| p.x).collect()
}

#[test]
fn a_restored_moment_keeps_the_edits_made_since() {
    let mut world = balls(&[0.0]);
    let start = stored(&world);
    world.edit(&Edit::Gravity(Gravity::Weak)).unwrap();
    world.edit(&Edit::DeleteSource { number: 2 }).unwrap();
    let (scene, recipe) = (world.scene().clone(), world.recipe().clone());
    world.step(Hold::None);
    world.restore(&start);
    assert_eq!((world.scene(), world.recipe(), world.steps()), (&scene, &recipe, 0));
    assert_eq!(world.undo().as_deref(), Some("delete source 2"));
    assert_eq!(world.undo().as_deref(), Some("gravity weak"));
    assert_eq!(world.scene(), balls(&[0.0]).scene());
}

#[test]
fn source_edited_since_holds_objects_at_the_restored_moment() {
    let mut world = balls(&[0.0, 4.0]);
    let start = stored(&world);
    assert_eq!(xs_after(&mut world, 16), [-0.5, 6.0], "the first turns back at 0.75");
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    world.restore(&start);
    assert_eq!(xs_after(&mut world, 16), [2.0, 6.0], "deleted: the first ball is free");
    world.undo().unwrap();
    world.edit(&Edit::NewSource(cube(6.0))).unwrap();
    world.restore(&start);
    assert_eq!(xs_after(&mut world, 16), [-0.5, 5.5], "new: it holds the second ball");
    world.edit(&Edit::SetSource { number: 1, source: cube(0.125) }).unwrap();
    world.restore(&start);
    assert_eq!(xs_after(&mut world, 16), [2.0, 5.5], "smaller than the first ball");
}

#[test]
#[should_panic(expected = "the state is of another world")]
fn a_state_of_another_size_is_refused() {
    balls(&[0.0]).restore(&stored(&balls(&[0.0, 4.0])));
}

#[test]
#[should_panic(expected = "the state is of another world")]
fn state_of_spheres_is_refused_by_a_world_with_bodies() {
    let spheres = World::new(&scene("i -1 -1 -1  2 2 2  100 t\n#!objects 1\n"));
    let text =
        "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!shape die box 1 1 1\n#!body die 0 0 0  0 0 0\n";
    let mut state = WorldState::default();
    spheres.store(&mut state);
    World::new(&scene(text)).restore(&state);
}
