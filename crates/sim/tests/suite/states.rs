//! Saved states of a world.

use broadphase::Frame;
use broadphase::registry::Settings;
use glam::Vec3;
use sim::scene::{Ball, Gravity, Source};
use sim::{Edit, Hold, Scene, SceneDocument, World, WorldState};
use std::path::Path;

fn fer(objects: u32) -> World {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/fer.scene");
    World::new(&Scene { objects, ..SceneDocument::read(&path).unwrap().scene().clone() })
}

/// Everything about a moment that can be seen.
type Moment = (u64, u64, Hold, Vec<u32>);

fn moment(world: &World) -> Moment {
    let numbers = world.sources().map(|(number, _)| number).collect();
    (world.steps(), world.hash(), world.hold(), numbers)
}

/// Steps with every collision answered; the moment after each.
fn run(world: &mut World, steps: usize) -> Vec<Moment> {
    let mut algorithm =
        broadphase::registry::find("kd-tree").unwrap().create(&Settings::new(world.len())).unwrap();
    let mut boxes = Vec::new();
    let mut step = || {
        world.step(if world.steps() % 50 < 5 { Hold::Repel } else { Hold::None });
        world.boxes(&mut boxes);
        let frame = Frame::new(&boxes).time_step(world.scene().dt);
        let mut pairs = Vec::new();
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        world.respond(&pairs);
        moment(world)
    };
    (0..steps).map(|_| step()).collect()
}

fn stored(world: &World) -> WorldState {
    let mut state = WorldState::default();
    world.store(&mut state);
    state
}

#[test]
fn restored_moment_repeats_bit_for_bit_across_an_event() {
    // The stems are removed in step 120, and their spheres stream out.
    let mut world = fer(600);
    run(&mut world, 102);
    let (before, at_before) = (stored(&world), moment(&world));
    let first = run(&mut world, 40);
    assert_eq!((&first[0].3, &first[39].3), (&vec![1, 2, 3, 4], &vec![1]));
    let (after, at_after) = (stored(&world), moment(&world));
    let second = run(&mut world, 60);
    for _ in 0..2 {
        world.restore(&before);
        assert_eq!(moment(&world), at_before);
        assert_eq!(run(&mut world, 40), first, "back over the event");
        assert_eq!(run(&mut world, 60), second);
        world.restore(&after);
        assert_eq!(moment(&world), at_after);
        assert_eq!(run(&mut world, 60), second);
        world.restore(&before);
        world.restore(&after);
        assert_eq!(moment(&world), at_after, "forward over the event");
        assert_eq!(run(&mut world, 60), second);
    }
}

#[test]
fn undone_edits_do_not_affect_a_restored_moment() {
    let mut world = fer(300);
    run(&mut world, 60);
    let state = stored(&world);
    let expected = run(&mut world, 100);
    let stem = *world.recipe().sources.last().unwrap();
    let edits = [
        Edit::DeleteSource { number: 1 },
        Edit::NewSource(stem),
        Edit::DeleteObstacle { index: 0 },
        Edit::Gravity(Gravity::Strong),
        Edit::Strict(false),
    ];
    world.restore(&state);
    for edit in &edits {
        world.edit(edit).unwrap();
    }
    assert_ne!(run(&mut world, 100), expected, "the edits do nothing");
    world.restore(&state);
    for _ in &edits {
        world.undo().unwrap();
    }
    world.restore(&state);
    assert_eq!(run(&mut world, 100), expected);
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
