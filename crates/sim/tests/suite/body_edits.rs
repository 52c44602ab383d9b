//! Worlds with bodies that are edited, undone and restored.

use crate::body_reach::{furthest_behind_walls, reach};
use crate::world_run::{Run, kd_tree, scene, shipped};
use glam::{DVec3, Vec3};
use sim::scene::{Obstacle, Source};
use sim::{Edit, Hold, Scene, World, WorldState};

/// The zoo, and a second source that holds nothing.
fn zoo_with_another_source() -> Scene {
    let mut scene = shipped("zoo");
    scene.sources[0].percent = 100.0;
    let (corner, size) = (Vec3::splat(5.0), Vec3::ONE);
    scene.sources.push(Source { corner, size, percent: 0.0, floor: true });
    scene
}

fn homes(world: &World) -> Vec<Option<u32>> {
    (0..world.len()).map(|object| world.home(object)).collect()
}

#[test]
fn undone_edits_of_a_source_keep_the_bodies_inside() {
    let mut run = Run::new(&zoo_with_another_source(), kd_tree());
    run.steps(60);
    let before = homes(&run.world);
    run.world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    assert!(homes(&run.world).iter().all(Option::is_none));
    run.world.undo().unwrap();
    assert_eq!(homes(&run.world), before);
    // A source with another box holds what is wholly inside it.
    let source = run.world.sources().next().unwrap().1;
    let source = Source { size: source.size + Vec3::X, ..*source };
    run.world.edit(&Edit::SetSource { number: 1, source }).unwrap();
    assert_eq!(homes(&run.world), before);
    run.world.undo().unwrap();
    assert_eq!(homes(&run.world), before);
    for _ in 0..300 {
        run.step();
        let behind = furthest_behind_walls(&run.world);
        assert!(behind <= 1e-9, "{behind:e} of its radius behind a wall");
    }
    assert_eq!(homes(&run.world), before);
}

#[test]
fn source_takes_hold_of_bodies_by_their_extent() {
    // The bounding sphere of the plank sticks out of the source, the plank does not; the ball and the die do.
    let text = "\
i -1 -1 -1  2 2 2  100 t
i 9 9 9  1 1 1  0 t
#!objects 0
#!shape plank box 0.1 0.1 0.9
#!shape die box 0.2 0.2 0.2
#!body plank 0.1 0.5 0.5  0 0 0
#!body die 0.1 0.5 0.5  0 0 0  rotate 0 1 0 45
#!ball 0.09 0.5 0.5  0 0 0  0.1
";
    let mut world = World::new(&scene(text));
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    let source = Source { corner: Vec3::ZERO, size: Vec3::ONE, percent: 0.0, floor: true };
    world.edit(&Edit::NewSource(source)).unwrap();
    let homes = homes(&world);
    // Balls come before the bodies.
    assert_eq!((homes[0], homes[1].is_some(), homes[2]), (None, true, None));
}

#[test]
fn edited_obstacle_holds_bodies_until_it_is_undone() {
    let text = "\
i -1 -1 -1  2 2 2  100 t
i -9 -9 -9  1 1 1  0 t
#!objects 0
#!shape die box 0.2 0.2 0.2
#!shape rod capsule 0.1 0.2
#!bodies source 2 rod 100
#!bodies source 1 die 100
#!body die 0 0 -0.5  0 0 1
";
    let mut world = World::new(&scene(text));
    let recipe = world.recipe().clone();
    let (corner, size) = (Vec3::new(-1.0, -1.0, 0.0), Vec3::new(2.0, 2.0, 0.0));
    let obstacle = Obstacle { corner, size, normal: broadphase::Axis::Z };
    let highest = |world: &mut World| {
        let tops = (0..240).map(|_| {
            world.step(Hold::None);
            reach(&world.bodies().unwrap().body(0), DVec3::Z)
        });
        tops.fold(f64::MIN, f64::max)
    };
    world.edit(&Edit::NewObstacle(obstacle)).unwrap();
    let below = highest(&mut world);
    assert!((-1e-3..=0.0).contains(&below), "{below}");
    // The number of a source in `#!bodies` moves up with it.
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    let rules: Vec<u32> = world.recipe().generated_bodies.iter().map(|rule| rule.source).collect();
    assert_eq!(rules, [1]);
    world.undo().unwrap();
    world.undo().unwrap();
    assert_eq!(world.recipe(), &recipe);
    let above = highest(&mut world);
    assert!((0.5..=1.0).contains(&above), "{above}");
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
